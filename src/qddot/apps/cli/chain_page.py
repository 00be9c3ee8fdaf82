"""Prints the equations of a closed chain as text: the rates q̇ = R u, M, h and G on a page, and what they are made of.

The first print fits on a page. Long entries end with an ellipsis, and the conditions and the definitions of the
coefficients are left out where there is no room; a line says so, and how all of it is printed.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from math import ceil
from typing import TYPE_CHECKING, NamedTuple

from qddot.apps.cli.words import listed, sentence
from qddot.apps.cli.written_equations import (
    digits_to_read,
    headed,
    in_lines,
    integration_lines,
    line_width,
    names_in,
    rounding,
)

if TYPE_CHECKING:
    from qddot.exact.equations.arrays.exact_array import ExactArray
    from qddot.exact.equations.arrays.printed import Printed
    from qddot.exact.equations.quantity import Place
    from qddot.exact.printing.writer import Sheet, Statement
    from qddot.faces.closed_equations import ClosedEquations

CONDITIONS = ("phi", "A")  # which come behind what they lead to
PAGE = 60  # lines of equations, about
MANY, ENTRIES = 1000, 20  # lines of what is asked for that are too many, and the entries of it on a page
TERM = 18  # characters of a term, or some more
LENGTHS = (None, 24, 12, 6, 3, 2)  # the most terms of an entry: the first of these with which all fits on a page


class Page(NamedTuple):
    """A page has the texts that a command prints below its head.

    digits: of all numbers, None for all; notes: lines about what is left out
    """

    texts: Sequence[str]
    digits: int | None
    notes: Sequence[str] = ()


def text(eq: ClosedEquations, terms: int, head: Sequence[str], chosen: argparse.Namespace) -> str:
    """Returns the head and the quantities in --only, a page of those by default, or with --all these completely.

    terms: how many M has without the loops if the equations are too long to be derived for a page, else 0
    """
    only = names_in(chosen)
    if terms:
        page = _beginning(eq, terms, chosen)
    elif chosen.all:
        page = _complete(eq, only, chosen)
    else:
        page = _asked(eq, only, chosen) if only else _first_page(eq, chosen)
    lines = [*head, *integration_lines(eq.model.tree, only), *rounding(page.digits, chosen)]
    printed = headed(lines, "\n\n".join(filter(None, page.texts)))
    return "\n".join([printed, *([""] if page.notes else []), *in_lines(page.notes)])


def _complete(eq: ClosedEquations, only: Sequence[str], chosen: argparse.Namespace) -> Page:
    """Returns quantities, and then the conditions and the definitions of the coefficients in them."""
    names = only or eq.shown
    digits = digits_to_read(chosen, _exact(eq, names))
    rates = [] if only else [_rates(eq, digits, None)]
    return Page([*rates, _written(_with_definitions_last(eq.sheet(names, digits)))], digits)


def _asked(eq: ClosedEquations, only: Sequence[str], chosen: argparse.Namespace) -> Page:
    """Returns quantities completely, or a page of their shortest entries if all of them have very many lines."""
    from qddot.exact.equations.assembled import ASSEMBLED
    from qddot.exact.printing.writer import Sheet

    arrays = [eq.array("tau" if name == ASSEMBLED else name) for name in only]
    several = [array for array in arrays if array.ndim]
    lengths = [len(entry) for array in arrays for _, _, entry in array.labelled() if entry]
    if not several or _lines(lengths, None) + _lines(_of_definitions(eq, arrays), None) <= MANY:
        page = _complete(eq, only, chosen)
        if not several or sum(text.count("\n") for text in page.texts) <= MANY:
            return page
    parts = [part for array in arrays for part in _shortest(array, ENTRIES // len(arrays) or 1)]
    digits = digits_to_read(chosen, parts)
    for longest in LENGTHS:
        text = _written(Sheet([part.brief(longest).rounded(digits) for part in parts]))
        if text.count("\n") <= PAGE:
            break
    notes = [
        sentence("chain-shortest", name=array.letter, terms=f"{array.terms:,}", entries=len(_entries(array)))
        for array in several
        if longest is not None or len(_entries(array)) > ENTRIES // len(arrays)
    ]
    letter = eq.reduced.coefficients.letter
    return Page([text], digits, [*notes, sentence("chain-single", name=parts[0].letter, letter=letter)])


def _entries(array: ExactArray) -> list[Place]:
    """Returns the places of the entries other than zero, without those that symmetry repeats."""
    return [place for _, place, entry in array.labelled() if entry]


def _shortest(array: ExactArray, number: int) -> list[ExactArray]:
    """Returns the shortest entries of an array, in its order."""
    if not array.ndim:
        return [array]
    places = sorted(_entries(array), key=lambda place: array[place].terms)[:number]
    return [array[place] for place in sorted(places)]


def _of_definitions(eq: ClosedEquations, arrays: Iterable[ExactArray]) -> Iterator[int]:
    """Yields the lengths of the sums that define the coefficients in arrays."""
    from qddot.exact.equations.closed.definitions import used

    of, names = eq.reduced.coefficients, set[str]().union(*(array.free_symbols for array in arrays))
    for each in chain(*used(of, names)):
        yield from (len(each.numerator), len(each.denominator))
    for i in of.implied_rows if names & {*of.names.values(), *of.slopes.values()} else ():
        yield from (len(entry) for entry in of.A[i] if entry)


def _first_page(eq: ClosedEquations, chosen: argparse.Namespace) -> Page:
    """Returns the rates, M, h and G and the torques in joints; then the rest if it fits on a page, too."""
    arrays = [eq.array(name) for name in eq.shown if name not in CONDITIONS]
    digits, shown = digits_to_read(chosen, _exact(eq, eq.shown)), [array for array in arrays if _fits(array)]
    rates = [len(rate) for rate in eq.reduced.coefficients.rates if rate]
    lengths = [*rates, *(len(entry) for each in shown for _, _, entry in each.labelled() if entry)]
    for longest in LENGTHS:
        if _lines(lengths, longest) <= PAGE or longest == LENGTHS[-1]:
            texts = _first_texts(eq, shown, digits, longest)
            if sum(text.count("\n") + 2 for text in texts) <= PAGE:
                break
    if longest is None and _is_short(eq):
        return _complete(eq, (), chosen)
    return Page(texts, digits, [*_left_out(arrays, longest), _rest(eq)])


def _beginning(eq: ClosedEquations, terms: int, chosen: argparse.Namespace) -> Page:
    """Returns the rates and G of a chain whose M and h are too long to be derived for a page."""
    from qddot.faces.closed_equations import ClosedEquations

    eq = ClosedEquations(eq.reduced.at_rest)
    G = eq.array("G")
    digits = digits_to_read(chosen, [G, eq.array("A")])
    notes = [*_left_out([G], LENGTHS[-1]), sentence("chain-too-long", terms=f"{terms:,}"), _rest(eq)]
    return Page(_first_texts(eq, [G], digits, LENGTHS[-1]), digits, notes)


def _first_texts(
    eq: ClosedEquations, arrays: Sequence[ExactArray], digits: int | None, longest: int | None
) -> list[str]:
    """Returns the rates and arrays with at most so many terms of each entry."""
    from qddot.exact.printing.writer import Sheet

    return [_rates(eq, digits, longest), _written(Sheet([each.brief(longest).rounded(digits) for each in arrays]))]


def _rest(eq: ClosedEquations) -> str:
    """Returns a sentence that names what a first page lacks."""
    return sentence("chain-rest", names=listed(_conditions(eq)), letter=eq.reduced.coefficients.letter)


def _lines(lengths: Iterable[int], longest: int | None) -> int:
    """Returns about how few lines sums take if so many terms of each are written."""
    return sum(ceil((length if longest is None else min(length, longest)) * TERM / line_width()) for length in lengths)


def _is_short(eq: ClosedEquations) -> bool:
    """Returns whether the conditions and the definitions of the coefficients fit on a page."""
    if eq.reduced.coefficients.implied_rows:
        return False
    conditions = (len(entry) for name in _conditions(eq) for entry in eq.array(name).entries)
    fractions = (len(each.numerator) + len(each.denominator) for each in eq.coefficients)
    return _lines([*conditions, *fractions], None) <= PAGE


def _conditions(eq: ClosedEquations) -> list[str]:
    return [name for name in CONDITIONS if name in eq.shown]


def _exact(eq: ClosedEquations, names: Iterable[str]) -> Iterator[ExactArray]:
    """Yields arrays whose numbers are those that a print of some quantities has, also in definitions."""
    from qddot.exact.equations.assembled import ASSEMBLED

    yield from (eq.array("tau" if name == ASSEMBLED else name) for name in (*names, "A"))


def _fits(array: ExactArray) -> bool:
    """Returns whether the entries other than zero of an array leave room on a page for others."""
    return sum(bool(entry) for _, _, entry in array.labelled()) <= PAGE


def _left_out(arrays: Iterable[ExactArray], longest: int | None) -> Iterator[str]:
    """Yields sentences about arrays that are left out, and about entries that are cut."""
    cut = []
    for array in arrays:
        if not _fits(array):
            yield sentence("chain-large", name=array.letter, terms=f"{array.terms:,}")
        elif longest is not None and any(len(entry) > longest for entry in array.entries if entry):
            cut.append(array)
    if cut:
        counts = listed(sentence("terms-in", terms=f"{array.terms:,}", name=array.letter) for array in cut)
        yield sentence("chain-cut", counts=counts, name=cut[0].letter)


def _rates(eq: ClosedEquations, digits: int | None, longest: int | None) -> str:
    """Returns the rates of the dependent coordinates, which follow from the independent ones."""
    from qddot.exact.equations.closed.definitions import dependent_rates
    from qddot.exact.printing.text import equations

    def written(row: ExactArray) -> Printed:
        return replace(row, display=eq.reduced.tree.display).brief(longest).rounded(digits)

    return equations(dependent_rates(eq.reduced.coefficients, written), line_width())


def _with_definitions_last(sheet: Sheet) -> Sheet:
    """Returns a sheet with the conditions behind the other quantities, and the definitions behind both."""
    from qddot.exact.printing.writer import Definitions

    def rank(statement: Statement) -> int:
        return 2 if isinstance(statement, Definitions) else int(statement.name in CONDITIONS)

    return sheet._replace(statements=sorted(sheet.statements, key=rank))


def _written(sheet: Sheet) -> str:
    from qddot.exact.printing.text import WRITER

    return WRITER.written(sheet, line_width())
