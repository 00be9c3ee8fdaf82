"""Decides how much a report contains: everything, an excerpt for long arms, or a summary of some sections."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from qddot.base.errors import QddotError, check_one_of
from qddot.base.words.message import Either, Listed, say
from qddot.exact.equations.arrays.printed import Place, Printed
from qddot.exact.equations.quantity_names import matrix_axes
from qddot.papers.report.document import Block, Section

SUMMARY, LECTURE, FULL = LEVELS = ("summary", "lecture", "full")
DERIVED_WHOLE = 3  # coordinates of the longest arm whose derivation a lecture shows whole
EXAMPLE = 2  # the place of the link that is shown of a longer arm
# Γ_322 follows from ∂M22/∂q3, since M32 does not depend on q2 in a chain, and C32 contains it
CHAIN: Mapping[str, Place] = {"M": (1, 1), "m_ijk": (1, 1, 2), "christoffel": (2, 1, 1), "C": (2, 1)}
MOST_TERMS = {LECTURE: 150, SUMMARY: 60}  # the most terms of one quantity in an excerpt
OF_LINKS = ("h_links", "K_links", "P_links")  # quantities of links without a matrix
OF_CHAINS = ("B_body", "F_c", "U", "U_ijk")  # quantities of a link and of joints


class Extent(NamedTuple):
    """An extent says which parts of an arm's arrays are shown.

    excerpt: whether one entry, or some links, represent all; links: the places of these links
    """

    level: str = FULL
    excerpt: bool = False
    links: tuple[int, ...] = (EXAMPLE,)

    @classmethod
    def of(cls, level: str, n: int) -> Extent:
        """Returns the extent of a report on an arm with n coordinates; raises QddotError: no such level"""
        expected = Either((Listed(LEVELS[:-1]), LEVELS[-1]))
        check_one_of(level, LEVELS, say("a-level"), QddotError, expected=expected)
        return cls(level, level != FULL and n > DERIVED_WHOLE)

    def places(self, array: Printed) -> set[Place] | None:
        """Returns the places of the entries that an excerpt shows, or None where all are shown."""
        if not self.excerpt or array.ndim == 0 or not array.entries:
            return None
        if array.name == "A":  # these are short, and all others follow from them
            return None
        axes = matrix_axes(array.name)
        if axes == array.ndim:  # one matrix, such as the pose of the tool
            return None
        if axes or array.name in OF_LINKS:
            return _of_links(list(array.labelled()), array.ndim - axes, array.name, self.links)
        nonzero = {place: entry for _, place, entry in array.labelled() if entry}
        place = CHAIN.get(array.name)
        if place in nonzero and len(nonzero[place]) <= MOST_TERMS[self.level]:
            return {place}
        inner = [place for place in nonzero if max(place) <= EXAMPLE]
        return {(inner or [*nonzero] or [place for _, place, _ in array.labelled()])[-1]}


WHOLE = Extent()


class Chapter(NamedTuple):
    """A chapter writes one section of a report.

    section: returns it, or None where there is nothing to say
    summary: returns the blocks of a summary; without it a summary does not have the section
    """

    section: Callable[[], Section | None]
    summary: Callable[[Sequence[Block]], Iterable[Block]] | None = None


def sections(chapters: Sequence[Chapter], level: str) -> tuple[Section, ...]:
    """Returns the sections of a report, in the order of its chapters."""
    if level != SUMMARY:
        return tuple(filter(None, (each.section() for each in chapters)))
    short = ((each.section(), each.summary) for each in chapters if each.summary)
    return tuple(each._replace(blocks=tuple(summary(each.blocks))) for each, summary in short if each)


def _of_links(labelled: Sequence[tuple[str, Place, Any]], axes: int, name: str, links: Collection[int]) -> set[Place]:
    """Returns the places of some links' matrices or entries; of a chain of matrices, those of the last nonzero one."""
    shown = {min(link, labelled[-1][1][0]) for link in links}
    first = {place for _, place, _ in labelled if place[0] in shown}
    if axes < 2 or name not in OF_CHAINS:
        return first
    nonzero = [place for _, place, entry in labelled if entry and place in first]
    chosen = (nonzero or sorted(first))[-1][:axes]
    return {place for place in first if place[:axes] == chosen}
