"""Prints the beginning of equations that are too long to be read, which a user would wait for and not look at."""

from __future__ import annotations

import argparse
import re
from itertools import islice
from typing import TYPE_CHECKING

from qddot.apps.cli.words import sentence
from qddot.apps.cli.written_equations import digits_to_read, headed, in_lines, is_plain_text, line_width, rounding
from qddot.base.errors import QddotError

if TYPE_CHECKING:
    from qddot.apps.cli.written_equations import Head
    from qddot.exact.equations.arrays.exact_array import ExactArray
    from qddot.exact.equations.closed.reduced import ReducedEquations
    from qddot.exact.equations.quantities import Quantities
    from qddot.faces.equations_of_motion import EquationsOfMotion

OF_LENGTH = "christoffel"  # whose terms tell how long the equations are
MOST_TERMS = 1_000_000  # a report may have as many
MOST_OF_M = 20_000  # terms of a chain's M without the loops; Γ and the short h follow from fewer in a second or two
ENTRIES, TERMS = 12, 3  # of each matrix, and of each entry
WORD = re.compile(r"\w+")


def terms(of: Quantities, chosen: argparse.Namespace) -> int:
    """Returns the number of terms of Γ if all equations are asked for and are too long, else 0.

    raises QddotError: then they are asked for in another form than plain text
    """
    if chosen.only is not None or chosen.all or OF_LENGTH not in of.names:
        return 0
    number = sum(map(len, of.array(OF_LENGTH).entries))
    if number <= MOST_TERMS:
        return 0
    if not is_plain_text(chosen):
        raise QddotError("equations-too-long", name=of.model.name, terms=f"{number:,}")
    return number


def terms_of_chain(of: ReducedEquations, chosen: argparse.Namespace) -> int:
    """Returns the number of terms of M without the loops if all equations are asked for and are too long, else 0.

    raises QddotError: as `terms`
    """
    if chosen.only is not None or chosen.all:
        return 0
    if not is_plain_text(chosen) or not of.tree.dynamics.has_bodies:
        return terms(of.tree.in_joint_angles, chosen)
    number = of.at_rest.tree.array("M").terms
    return number if number > MOST_OF_M else 0


def of_arm(eq: EquationsOfMotion, of_christoffel: int, head: Head, chosen: argparse.Namespace) -> str:
    """Returns the first entries of M and G, and what is left out."""
    from qddot.exact.printing.text import WRITER
    from qddot.exact.printing.writer import Sheet

    M, G = eq.array("M"), eq.array("G")
    parts = [part for array in (M, G) for part in _first(array)]
    digits = digits_to_read(chosen, parts)
    text = WRITER.written(Sheet([part.brief(TERMS).rounded(digits) for part in parts]), line_width())
    written = {word[1:] for word in WORD.findall(text)}
    sums = {short: of for part in parts for short, of in part.angle_sums().items() if short[1:] in written}
    note = sentence("arm-too-long", terms=f"{of_christoffel:,}", of_M=f"{M.terms:,}", of_G=f"{G.terms:,}")
    return "\n".join([headed([*head(sums), *rounding(digits, chosen)], text), "", *in_lines([note])])


def _first(array: ExactArray) -> list[ExactArray]:
    """Returns the first entries of an array that are not zero."""
    return list(islice((array[place] for _, place, entry in array.labelled() if entry), ENTRIES))
