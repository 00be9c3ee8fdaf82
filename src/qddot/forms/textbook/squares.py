"""Groups entries by their monomials in the state, and chooses cos² or sin², whichever leaves fewer terms."""

from __future__ import annotations

from collections.abc import Iterator
from math import comb
from operator import mul, sub
from typing import Any

from qddot.forms.textbook.angle_sums import Grouped, State
from qddot.numbers.exact import Polynomial, Ring


def grouped(entry: Polynomial) -> Grouped:
    """Returns the coefficient, in symbols, of each monomial in the state."""
    ring = entry.ring
    parts: dict[State, list[Any]] = {}
    fixed = [int(g.kind in ("symbol", "root") or g.angle is not None) for g in ring.generators]
    for exponents, c in entry.terms():
        rest = tuple(map(mul, exponents, fixed))
        parts.setdefault(tuple(map(sub, exponents, rest)), []).append((rest, c))
    return {state: ring.from_terms(terms) for state, terms in parts.items()}


def short_squares(group: Grouped, ring: Ring) -> Grouped:
    """Returns the group with cos² written as 1 − sin², angle by angle, where that leaves fewer terms."""
    for name in ring.turning:
        c, s = ring.index[f"cos({name})"], ring.index[f"sin({name})"]
        if any(state[c] > 1 for state in group):
            other: Grouped = {}
            for state, value in group.items():
                for new, times in _without_squares(state, c, s):
                    total = other[new] + value * times if new in other else value * times
                    other[new] = total
            other = {state: value for state, value in other.items() if value}
            group = min(group, other, key=length)
    return group


def _without_squares(state: State, c: int, s: int) -> Iterator[tuple[State, int]]:
    """Yields the terms of cos^(2k + r) = (1 − sin²)^k cos^r."""
    k, rest = divmod(state[c], 2)
    for taken in range(k + 1):
        term = list(state)
        term[c], term[s] = rest, state[s] + 2 * taken
        yield tuple(term), (-1) ** taken * comb(k, taken)


def length(group: Grouped) -> tuple[int, int]:
    return len(group), sum(sum(state) for state in group)
