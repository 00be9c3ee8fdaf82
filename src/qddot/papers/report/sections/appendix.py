"""Lists what a lecture on a long arm does not show: the other links of each step, and the other entries, if short."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from math import ceil
from typing import NamedTuple

from qddot.exact.equations.arrays.printed import Place, Printed
from qddot.exact.equations.quantity_names import matrix_axes
from qddot.exact.forms.textbook import Textbook
from qddot.exact.printing import layout
from qddot.exact.printing.tree import Equation, Matrix
from qddot.papers.report.document import Block, EquationBlock, Section, Table
from qddot.papers.report.levels import LECTURE, Extent
from qddot.papers.report.sections.blocks_of import WIDEST, called, constants, is_written, laid
from qddot.papers.report.sections.route_steps import extent_of, key_of, quantities_of_steps
from qddot.papers.report.wording import Words

QUANTITIES = ("p_c",), ("M", "christoffel", "P", "G")  # before the steps of the routes, and after them
ROOM = 380  # lines, which fill about eight pages
LINE, TERM = 60, 8  # letters of a line, and of a usual term
BETWEEN = 0.6  # lines between two equations
LONGEST_ENTRY, LONGEST_MATRIX = 36, 60  # terms; longer entries and matrices never have room


class Candidate(NamedTuple):
    """A candidate is a short matrix of a link, or an entry that is not zero. terms: of its entries, by their places"""

    key: str
    array: Printed
    terms: dict[Place, int]

    @property
    def guess(self) -> float:
        """Returns about how many lines each entry will take, before any is written; results come before steps."""
        rows = self.array.shape[-2] if matrix_axes(self.array.name) == 2 else 1
        lines = rows if len(self.terms) > 1 else ceil(sum(self.terms.values()) * TERM / LINE)
        return (lines + BETWEEN) / len(self.terms) / (2 if self.key in QUANTITIES[1] else 1)

    def equations(self) -> list[Equation]:
        """Returns the matrix as one equation if it has room, else an equation for each short entry."""
        if len(self.terms) > 1:
            first, *more = self.array.equations(_has_room, self.terms)
            if not more:
                return [first._replace(right=laid(first.right) if isinstance(first.right, Matrix) else first.right)]
        short = {place for place, terms in self.terms.items() if 0 < terms <= LONGEST_ENTRY}
        return list(self.array.equations(lambda _: False, short))


class Listed(NamedTuple):
    """These are the equations of a candidate, with the number of their entries that are not zero."""

    key: str
    equations: list[Equation]
    nonzero: int


def section(routes: Sequence[Textbook], words: Words, extent: Extent, before: Sequence[Block] = ()) -> Section | None:
    """Returns the shortest equations that have room, in their original order, and how many entries are left out.

    before: the blocks of other sections, which have explained their constants
    """
    if not extent.excerpt or extent.level != LECTURE:
        return None
    arrays = dict(_arrays(routes))
    extents = {key: extent_of(routes[0], key, extent) for key in arrays}
    candidates = [each for key, array in arrays.items() for each in _candidates(key, array, extents[key])]
    listed = _with_room(candidates)
    blocks: list[Block] = []
    for key, group in groupby(listed, key=lambda each: each.key):
        written = (equation for each in group for equation in each.equations)
        named = (equation._replace(left=words.letters.instance(equation.left)) for equation in written)
        blocks.append(EquationBlock.of(f"appendix.{key}", named))
    rows = tuple(
        (called(array.name, words), *_counts(array, extents[key], [each for each in listed if each.key == key]))
        for key, array in arrays.items()
    )
    titles = tuple(map(words, ("quantity", "in the text", "in the appendix", "longer", "zero")))
    explained = [block for block in before if isinstance(block, EquationBlock) and block.key.endswith("constants")]
    lefts = {each.left for block in explained for each in block.listed}
    definitions = constants(routes[0], words, blocks, lefts, "appendix.constants")
    counts = (words.paragraph("appendix counts"), Table(titles, rows))
    return Section("appendix", words("appendix"), (words.paragraph("appendix said"), *definitions, *blocks, *counts))


def _arrays(routes: Sequence[Textbook]) -> Iterator[tuple[str, Printed]]:
    """Yields the quantities and steps that are shown in part, by the keys of their equations, in their order."""
    before, behind = QUANTITIES
    yield "T", _between(routes[0])
    yield from ((name, routes[0].array(name)) for name in before)
    for short in routes:
        yield from ((key_of(short.eq.route, name), short.array(name)) for name in quantities_of_steps(short))
    yield from ((name, routes[0].array(name)) for name in behind)


def _between(short: Textbook) -> Printed:
    """Returns the poses of links except ⁰T_i = A_i and that of the tool, which are in the text."""
    arm, poses = short.eq.dynamics.mechanism, short.array("T")
    last = {arm.tool_link} if short.eq.T_tool == short.eq.T[arm.tool_link] else set()
    links = [link.index for link in arm.links if link.parent is not None and link.index not in last]
    return poses[links]


def _candidates(key: str, array: Printed, extent: Extent) -> Iterator[Candidate]:
    """Yields what is not in the text: each short matrix of a link, and each other short entry."""
    in_text, axes = _places_in_text(array, extent), matrix_axes(array.name)
    others = ((place, entry) for _, place, entry in array.labelled() if place not in in_text)
    for _, group in groupby(others, key=lambda each: each[0][: len(each[0]) - axes]):
        terms = {place: len(entry) for place, entry in group}
        if 0 < axes and 0 < sum(terms.values()) <= LONGEST_MATRIX:
            yield Candidate(key, array, terms)
        else:
            yield from (Candidate(key, array, {k: count}) for k, count in terms.items() if 0 < count <= LONGEST_ENTRY)


def _has_room(matrix: Matrix) -> bool:
    return layout.fits(matrix, WIDEST)


def _places_in_text(array: Printed, extent: Extent) -> set[Place]:
    """Returns the places of the entries that are in the text."""
    chosen = extent.places(array)
    if not is_written(array, chosen, extent):
        return set()
    return {place for _, place, _ in array.labelled()} if chosen is None else chosen


def _with_room(candidates: Sequence[Candidate]) -> list[Listed]:
    """Returns the shortest equations that have room together, in their original order; no others are written."""
    chosen, left = dict[int, Listed](), float(ROOM)
    for k in sorted(range(len(candidates)), key=lambda k: candidates[k].guess):
        equations = candidates[k].equations()
        left -= sum(map(_lines, equations))
        if left < 0:
            break
        is_matrix = any(isinstance(each.right, Matrix) for each in equations)
        nonzero = sum(count > 0 for count in candidates[k].terms.values()) if is_matrix else len(equations)
        chosen[k] = Listed(candidates[k].key, equations, nonzero)
    return [chosen[k] for k in sorted(chosen)]


def _lines(equation: Equation) -> float:
    """Returns about how many lines an equation takes."""
    right = equation.right
    if isinstance(right, Matrix):
        return (1 if right.lying else len(right.rows)) + BETWEEN
    return ceil(layout.extent(right) / LINE) + BETWEEN


def _counts(array: Printed, extent: Extent, listed: Sequence[Listed]) -> Iterator[str]:
    """Yields the numbers of a quantity's entries that are in the text, here, too long, and zero."""
    in_text = _places_in_text(array, extent)
    is_there = {place: bool(entry) for _, place, entry in array.labelled()}
    before, here = sum(map(is_there.__getitem__, in_text)), sum(each.nonzero for each in listed)
    longer = sum(is_there.values()) - before - here
    yield from map(str, (before, here, longer, len(is_there) - before - here - longer))
