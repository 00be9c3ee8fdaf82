"""Writes the section on the sources of the methods and the robot."""

from __future__ import annotations

from collections.abc import Sequence

from qddot.exact.equations.notations import notation_of
from qddot.exact.forms.textbook import Textbook
from qddot.papers.report.document import Block, Paragraph, Section
from qddot.papers.report.wording import Words

METHODS = {  # where each route is described
    "composite": "R. Featherstone, Rigid Body Dynamics Algorithms, Springer, 2008, ch. 6",
    "newton_euler": "J. Y. S. Luh, M. W. Walker, R. P. C. Paul, On-line computational scheme for mechanical "
    "manipulators, Journal of Dynamic Systems, Measurement, and Control 102, 1980",
    "dh4x4": "R. P. Paul, Robot Manipulators: Mathematics, Programming, and Control, MIT Press, 1981, ch. 6",
    "com_jacobian": "O. Khatib, Introduction to Robotics, Stanford University, CS223A, 2008, ch. 4",
    "screw": "R. M. Murray, Z. Li, S. S. Sastry, A Mathematical Introduction to Robotic Manipulation, "
    "CRC Press, 1994, §4.3",
    "energy": "H. Goldstein, Classical Mechanics, 2nd ed., Addison-Wesley, 1980, ch. 1",
}
CHRISTOFFEL = "M. W. Spong, S. Hutchinson, M. Vidyasagar, Robot Modeling and Control, Wiley, 2006, ch. 7"
QUASI = "D. T. Greenwood, Advanced Dynamics, Cambridge University Press, 2003, ch. 4"
BASE = "M. Gautier, W. Khalil, Direct calculation of minimum set of inertial parameters of serial robots, "
BASE += "IEEE Transactions on Robotics and Automation 6, 1990"
ABBREVIATED = "B. Armstrong, O. Khatib, J. Burdick, The explicit dynamic model and inertial parameters of the PUMA 560 "
ABBREVIATED += "arm, ICRA 1986"


def section(routes: Sequence[Textbook], words: Words, *others: str) -> Section:
    """Returns the sources of the routes, the Christoffel symbols, other methods, the letters and the robot."""
    listed = [*(METHODS[short.eq.route] for short in routes if short.eq.route in METHODS), CHRISTOFFEL, *others]
    listed += [QUASI] if routes[0].eq.model.freedoms else []
    listed += [book] if (book := notation_of(routes[0].eq.model.notation).book) else []
    blocks: list[Block] = [Paragraph((f"{source}.",)) for source in dict.fromkeys(listed)]
    if routes[0].eq.model.source:
        blocks.append(words.paragraph("robot source", source=words.translated(routes[0].eq.model.source)))
    return Section("sources", words("sources"), tuple(blocks))
