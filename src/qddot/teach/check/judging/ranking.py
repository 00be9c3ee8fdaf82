"""Puts mistakes in order: first those that explain all wrong entries, then those that explain most of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from qddot.teach.check.judging.mistakes import KINDS, Mistake, Name

MOST_ALIKE = 4


class Explanation(NamedTuple):
    """An explanation has the likeliest mistake, and others that give the same expressions in its entries."""

    likeliest: Mistake
    alike: tuple[Mistake, ...] = ()

    @property
    def all(self) -> tuple[Mistake, ...]:
        """Returns all these mistakes, the likeliest first."""
        return self.likeliest, *self.alike


def ranked(mistakes: Iterable[Mistake], wrong: Sequence[Name]) -> list[Mistake]:
    """Returns the mistakes in order, each once with all entries that it explains. wrong: the entries to be explained"""
    joined: dict[tuple[str, str], Mistake] = {}
    for mistake in mistakes:
        earlier = joined.get(mistake.identity)
        if earlier is not None:
            explains = tuple(dict.fromkeys((*earlier.explains, *mistake.explains)))
            effort, against = max(earlier.effort, mistake.effort), max(earlier.contradicts, mistake.contradicts)
            mistake = replace(mistake, explains=explains, effort=effort, contradicts=against)
        joined[mistake.identity] = mistake
    whole = (
        replace(each, complete=not each.partly and not each.contradicts and set(wrong) <= set(each.explains))
        for each in joined.values()
    )
    return sorted(_possible(list(whole)), key=rank)


def _possible(mistakes: Sequence[Mistake]) -> Iterator[Mistake]:
    """Yields the mistakes without those that right entries exclude although another explains all that they explain."""
    excluded_by_nothing = [set(each.explains) for each in mistakes if not each.contradicts and not each.partly]
    for each in mistakes:
        if not each.contradicts or not any(set(each.explains) <= explained for explained in excluded_by_nothing):
            yield each


def rank(mistake: Mistake) -> tuple[bool, bool, bool, int, int, int]:
    """Returns the key by which mistakes are ordered."""
    common = KINDS.index(mistake.kind)
    against = bool(mistake.contradicts)
    return not mistake.complete, mistake.partly, against, -len(mistake.explains), mistake.effort, common


def explanations(mistakes: Sequence[Mistake], wrong: Sequence[Name]) -> list[Explanation]:
    """Returns the likeliest mistakes that explain all explicable entries, each with equivalent ones.

    mistakes: ranked ones
    """
    left, result = dict.fromkeys(wrong), list[Explanation]()
    for mistake in mistakes:
        new = list(dict.fromkeys(key for key in mistake.explains if key in left))  # an entry may occur twice
        if not new:
            continue
        same = set(mistake.explains)
        alike = [each for each in mistakes if each is not mistake and set(each.explains) == same and not each.partly]
        result.append(Explanation(mistake, () if mistake.partly else tuple(alike[:MOST_ALIKE])))
        if not mistake.partly:
            for key in new:
                del left[key]
    return result
