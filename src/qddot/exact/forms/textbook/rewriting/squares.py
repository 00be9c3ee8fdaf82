"""Writes squares as cos² or as sin², whichever gives an entry fewer terms."""

from __future__ import annotations

from collections.abc import Iterator
from math import comb

from qddot.exact.forms.textbook.rewriting.states import Grouped, State, States


def short_squares(group: Grouped, states: States) -> tuple[Grouped, list[str]]:
    """Returns the group with cos² as 1 − sin² for the angles for which this is shorter, and these angles."""
    names = []
    for name in states.ring.turning:
        if any(state[states.index[f"cos({name})"]] > 1 for state in group):
            other = in_sines(group, states, name)
            if length(other) < length(group):
                group = other
                names.append(name)
    return group, names


def in_sines(group: Grouped, states: States, name: str) -> Grouped:
    """Returns the group with one angle's cos² written as 1 − sin²."""
    c, s = states.index[f"cos({name})"], states.index[f"sin({name})"]
    other: Grouped = {}
    summed: set[State] = set()
    for state, value in group.items():
        for new, times in without_squares(state, c, s) if state[c] > 1 else ((state, 1),):
            part = value if times == 1 else value * times
            if new in other:
                other[new] = other[new] + part
                summed.add(new)
            else:
                other[new] = part
    for state in summed:
        if not other[state]:
            del other[state]
    return other


def without_squares(state: State, c: int, s: int) -> Iterator[tuple[State, int]]:
    """Yields the terms of cos^(2k + r) = (1 − sin²)^k cos^r; s and c: the places of sine and cosine, or the reverse."""
    k, rest = divmod(state[c], 2)
    for order in range(k + 1):
        term = list(state)
        term[c], term[s] = rest, state[s] + 2 * order
        yield tuple(term), (-1) ** order * comb(k, order)


def length(group: Grouped) -> tuple[int, int, int]:
    """Returns the numbers of terms, of factors, and of terms in the coefficients, to compare forms."""
    return len(group), sum(map(sum, group)), sum(len(value.polynomial) for value in group.values())
