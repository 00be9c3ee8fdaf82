"""Writes a derivation as a student might, with one wrong sign, as an example for the checker."""

from __future__ import annotations

from qddot.exact.forms.textbook import Textbook
from qddot.exact.printing.text import Text
from qddot.exact.printing.tree import Equation, Sum

QUANTITIES = ("M", "G")
MOST, LONGEST = 4, 6  # the largest number of equations, and of terms in each


def derivation(short: Textbook) -> str:
    """Returns some short entries of M and G as text, a line each; the last term of the last one has the wrong sign."""
    listed = [each for name in QUANTITIES for each in short.array(name).listed_equations()]
    brief = [each for each in listed if isinstance(each.right, Sum) and 0 < len(each.right.products) <= LONGEST]
    if chosen := brief[-MOST:]:
        chosen[-1] = _with_a_wrong_sign(chosen[-1])
    plain = Text()
    return "\n".join(f"{plain.write(each.left)} = {plain.write(each.right)}" for each in chosen)


def _with_a_wrong_sign(equation: Equation) -> Equation:
    assert isinstance(equation.right, Sum)
    *others, last = equation.right.products
    return equation._replace(right=equation.right._replace(products=(*others, last._replace(number=-last.number))))
