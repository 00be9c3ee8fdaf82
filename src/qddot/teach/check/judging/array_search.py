"""Finds mistakes in the places of entries: a transposed matrix, swapped entries, an entry in another's place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from qddot.algebra.numbers.polynomials.exact import Polynomial, Ring
from qddot.exact.equations.arrays.exact_array import ExactArray
from qddot.exact.equations.quantities import Quantities
from qddot.teach.check.exact_arrays import entry_name
from qddot.teach.check.judging.cases import Case
from qddot.teach.check.judging.mistakes import Mistake, Name

MOST_PLACES = 600  # an array with more entries is not searched for misplaced ones


def displaced(eq: Quantities, ring: Ring, exact: Mapping[str, ExactArray], cases: Sequence[Case]) -> Iterator[Mistake]:
    """Yields mistakes in the places of entries that explain the wrong entries of each quantity."""
    for name, array in exact.items():
        mine = [case for case in cases if case.quantity == name]
        wrong = [case for case in mine if case.difference]
        if not wrong or array.ndim == 0:
            continue
        entries = {place: ring.convert(entry) for place, entry in zip(array.places, array.entries, strict=True)}
        yield from _transposed(array, entries, mine)
        yield from _without_rates(eq, ring, mine)
        if len(entries) <= MOST_PLACES:
            yield from _elsewhere(array, entries, mine)


def _transposed(
    array: ExactArray, entries: Mapping[tuple[int, ...], Polynomial], mine: Sequence[Case]
) -> Iterator[Mistake]:
    if array.ndim < 2 or array.shape[-1] != array.shape[-2] or array.ndim != len(array.places[0]):
        return
    turned = [case for case in mine if case.is_equal_to(entries[*case.place[:-2], case.place[-1], case.place[-2]])]
    explains = tuple(case.key for case in turned if case.difference)
    if explains and len(turned) == len(mine):
        yield Mistake("transposed", {"quantity": array.name}, explains)


def _without_rates(eq: Quantities, ring: Ring, mine: Sequence[Case]) -> Iterator[Mistake]:
    """Yields the mistake that C lacks all rates, as the centrifugal matrix does."""
    if mine[0].quantity != "C":
        return
    wrong = [case for case in mine if case.difference]
    if not any(g.kind == "qd" for case in mine for g in case.numerator.generators()) and any(
        case.numerator for case in wrong
    ):
        yield Mistake("rates lost", {}, tuple(case.key for case in wrong))
        return
    C2 = eq.in_joint_angles.C2
    same = [case for case in mine if case.is_equal_to(ring.convert(C2[case.place].entries[0]))]
    explains = tuple(case.key for case in same if case.difference)
    if explains and len(same) == len(mine):
        yield Mistake("rates lost", {}, explains)


def _elsewhere(
    array: ExactArray, entries: Mapping[tuple[int, ...], Polynomial], mine: Sequence[Case]
) -> Iterator[Mistake]:
    """Yields pairs of swapped entries, and entries in the place of another one, as the second in [tau1; tau1]."""
    wrong, places = [case for case in mine if case.difference], [case.place for case in mine]
    places_with_entry: dict[tuple[int, ...], list[tuple[int, ...]]] = {
        case.place: [place for place, entry in entries.items() if entry and case.is_equal_to(entry)] for case in wrong
    }
    named = {
        place: entry_name(array, place)
        for place in {*places_with_entry, *(p for others in places_with_entry.values() for p in others)}
    }
    for place, others in places_with_entry.items():
        for other in others:
            keys: tuple[Name, ...] = ((wrong[0].quantity, place), (wrong[0].quantity, other))
            if place < other and place in places_with_entry.get(other, ()):
                yield Mistake("swapped", {"one": named[place], "other": named[other]}, keys)
        if others:
            is_repeated = places.count(place) > 1 and others[0] not in places
            words = {"other": named[others[0]], **({"one": named[place]} if is_repeated else {})}
            kind = "repeated name" if is_repeated else "misplaced"
            yield Mistake(kind, words, ((wrong[0].quantity, place),), effort=1)
