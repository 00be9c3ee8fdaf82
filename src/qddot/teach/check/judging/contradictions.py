"""Finds entries that an answer gives twice with different values, each of which would be right alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from qddot.teach.check.judging.cases import EQUAL, VALID, Case
from qddot.teach.check.reading.answer import EQUATION


def contradictions(cases: Sequence[Case]) -> Iterator[tuple[Case, str]]:
    """Yields each case whose value differs from an earlier one for the same entry, with the reason why neither counts.

    An equation of motion may be given in several forms, so that these are left out.
    """
    given = dict[tuple[str, tuple[int, ...]], list[Case]]()
    for case in cases:
        if case.verdict in (EQUAL, VALID) and case.quantity != EQUATION and case.entry.balance is None:
            given.setdefault(case.key, []).append(case)
    for same in given.values():
        first = same[0]
        if all(_are_equal(first, other) for other in same[1:]):
            continue
        for case in same:
            others = next(other for other in same if not _are_equal(case, other))
            yield case, f"another value than at {others.entry.where}, expected a single one"


def _are_equal(a: Case, b: Case) -> bool:
    return not a.numerator * b.denominator - b.numerator * a.denominator
