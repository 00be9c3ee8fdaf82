"""Finds which terms of a sum must change, all in the same way, for the sum to change by a given difference."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, TypeAlias

Monomials: TypeAlias = Mapping[Any, Any]  # coefficients by exponents
MOST_TRIED = 8  # if more terms are left, their choices are not tried


def chosen(changes: Sequence[Monomials], difference: Monomials) -> list[int] | None:
    """Returns the places of changes that add up to a difference, or None.

    A monomial that occurs in one change alone decides whether that change is chosen. For the few changes that are left,
    every choice is tried.
    """
    shared = Counter(monomial for change in changes for monomial in change)
    if any(monomial not in shared for monomial in difference):
        return None
    rest, places = dict(difference), list[int]()
    open_places = [k for k, change in enumerate(changes) if change]
    decided = True
    while decided:
        decided = False
        for k in list(open_places):
            own = next((monomial for monomial in changes[k] if shared[monomial] == 1), None)
            if own is None:
                continue
            coefficient = rest.get(own, 0)
            if coefficient not in (0, changes[k][own]):
                return None
            open_places.remove(k)
            shared.subtract(changes[k].keys())
            decided = True
            if coefficient:
                places.append(k)
                _take(rest, changes[k])
    more = _among(changes, open_places, rest)
    return None if more is None else sorted([*places, *more])


def _take(rest: dict[Any, Any], change: Monomials) -> None:
    for monomial, c in change.items():
        left = rest.get(monomial, 0) - c
        if left:
            rest[monomial] = left
        else:
            rest.pop(monomial, None)


def _among(changes: Sequence[Monomials], places: Sequence[int], rest: dict[Any, Any]) -> list[int] | None:
    """Returns the shortest choice of places whose changes add up to the rest."""
    if not rest:
        return []
    if not places or len(places) > MOST_TRIED:
        return None
    for choice in _choices(places):
        left = dict(rest)
        for k in choice:
            _take(left, changes[k])
        if not left:
            return list(choice)
    return None


def _choices(places: Sequence[int]) -> Iterator[tuple[int, ...]]:
    for size in range(1, len(places) + 1):
        yield from combinations(places, size)
