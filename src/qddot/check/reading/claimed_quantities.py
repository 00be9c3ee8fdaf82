"""Says which quantity each computed claim is about, checks its size, and puts its entries in their places."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import NamedTuple

from qddot.check.reading.answer import Answer, Entry
from qddot.check.reading.left_sides import Left
from qddot.check.reading.letters import CALLED, Candidate, candidates, fits, place_of, shapes
from qddot.equations.quantities import Quantities
from qddot.errors import ExpressionError
from qddot.numbers.polynomials.exact import Polynomial, Ring


class Value(NamedTuple):
    """The value of one expression, with its text and its place."""

    numerator: Polynomial
    denominator: Polynomial
    text: str
    where: str


class Computed(NamedTuple):
    """A claim with its values; shape: the one that they were written in, None of zeros for all that is not written."""

    left: Left
    where: str
    shape: tuple[int, ...] | None
    values: tuple[Value, ...]


class _Sorted:
    """This collects the entries of each quantity."""

    def __init__(self, eq: Quantities, ring: Ring, zero_based: bool, guesses: dict[str, None]) -> None:
        self.n, self.ring, self.zero_based = eq.n, ring, zero_based
        self.shapes, self.guesses = shapes(eq), guesses
        self.entries: dict[str, list[Entry]] = {}
        self.zeros: list[tuple[str, tuple[int, ...], Computed]] = []

    def add(self, group: Sequence[Computed]) -> None:
        """Adds the claims that have one letter and one number of indices: they mean one quantity."""
        candidate = self._candidate(group)
        if not candidate.sure:
            letter = group[0].left.head + "_ijk"[: 1 + len(group[0].left.indices)] * bool(group[0].left.indices)
            self.guesses[f"{letter} is read as {CALLED[candidate.quantity]}"] = None
        for claim in group:
            if claim.shape is None:
                self.zeros.append((candidate.quantity, self._place(claim, candidate), claim))
            else:
                self._add_claim(claim, candidate)

    def _fitting(self, claim: Computed) -> list[Candidate]:
        return [
            each
            for each in candidates(claim.left)
            if claim.shape is None
            or fits(place_of(claim.left, each, self.n, self.zero_based), claim.shape, self.shapes[each.quantity])
        ]

    def _candidate(self, group: Sequence[Computed]) -> Candidate:
        """Returns what the letter of some claims means; raises ExpressionError if nothing fits, or more than one."""
        common = self._fitting(group[0])
        for claim in group:
            fitting = self._fitting(claim)
            if not fitting:
                raise self._wrong_size(claim)
            common = [each for each in common if each in fitting]
        told_apart = [each for each in common if each.rates in (None, self._rates(group))]
        common = told_apart or common
        if len(common) == 1 or (common and common[0].sure):
            self._check_not_centrifugal(group[0])
            return common[0]
        first = group[0]
        told = " or ".join(CALLED[each.quantity] for each in common) or "different things"
        remedy = f"name it {' or '.join(each.quantity for each in common)}" if common else ""
        raise ExpressionError(f"{first.left.text} may be {told}", where=first.where, expected="one", remedy=remedy)

    @staticmethod
    def _rates(group: Sequence[Computed]) -> bool | None:
        """Returns whether rates occur in the values; None if all of these are zero."""
        values = [value.numerator for claim in group for value in claim.values if value.numerator]
        if not values:
            return None
        return any(generator.kind == "qd" for value in values for generator in value.generators())

    def _check_not_centrifugal(self, claim: Computed) -> None:
        """Raises ExpressionError for C221, which is an entry of Γ or one of C2."""
        left = claim.left
        if (
            left.head == "C"
            and left.text.startswith("C2")
            and len(left.indices) == 3
            and left.text == f"C{''.join(map(str, left.indices))}"
        ):
            found = f"{left.text} may be the Christoffel symbol Γ{left.text[1:]} or entry {left.text[2:]} of C2"
            remedy = f"write Gamma{left.text[1:]} or C2({left.text[2]},{left.text[3]})"
            raise ExpressionError(found, where=claim.where, expected="one", remedy=remedy)

    def _wrong_size(self, claim: Computed) -> ExpressionError:
        shape = claim.shape or ()
        expected = []
        for each in candidates(claim.left):
            place = place_of(claim.left, each, self.n, self.zero_based)
            whole = self.shapes[each.quantity]
            if len(place) <= len(whole):
                expected.append(f"{_size(whole[len(place) :])} for {each.quantity}{'' if not place else ' there'}")
        return ExpressionError(
            f"{claim.left.text} has {_size(shape)}", where=claim.where, expected=" or ".join(expected) or "another size"
        )

    def _place(self, claim: Computed, candidate: Candidate) -> tuple[int, ...]:
        """Returns the indices of a claim; raises ExpressionError where the quantity has no such entry."""
        place = place_of(claim.left, candidate, self.n, self.zero_based)
        whole = self.shapes[candidate.quantity]
        if any(not 0 <= k < size for k, size in zip(place, whole, strict=False)):
            found = f"{claim.left.text} is no entry of {candidate.quantity}"
            raise ExpressionError(found, where=claim.where, expected=f"indices within {_size(whole)}")
        return place

    def _add_claim(self, claim: Computed, candidate: Candidate) -> None:
        place, whole = self._place(claim, candidate), self.shapes[candidate.quantity]
        rest = product(*(range(size) for size in whole[len(place) :]))
        entries = self.entries.setdefault(candidate.quantity, [])
        entries += [Entry((*place, *inner), *value) for inner, value in zip(rest, claim.values, strict=True)]

    def add_zeros(self) -> None:
        """Adds a zero for each entry of what was set to zeros(…) and is not assigned."""
        for quantity, part, claim in self.zeros:
            entries = self.entries.setdefault(quantity, [])
            known = {entry.place for entry in entries}
            one, zero = self.ring.convert(1), self.ring.zero
            places = product(*(range(size) for size in self.shapes[quantity]))
            inside = (place for place in places if place[: len(part)] == part and place not in known)
            entries += [Entry(place, zero, one, "0", claim.where) for place in inside]


def _size(shape: tuple[int, ...]) -> str:
    return f"{' × '.join(map(str, shape))} entries" if shape else "one entry"


def entries_of(
    claims: Sequence[Computed], eq: Quantities, ring: Ring, zero_based: bool, guesses: dict[str, None]
) -> Answer:
    """Returns the answer that claims make; raises ExpressionError for a wrong size or an ambiguous letter."""
    found = _Sorted(eq, ring, zero_based, guesses)
    for group in _grouped(claims):
        found.add(group)
    found.add_zeros()
    entries = {name: tuple(sorted(each, key=lambda entry: entry.place)) for name, each in found.entries.items()}
    return Answer(entries, {name: found.shapes[name] for name in entries}, tuple(guesses), ring)


def _grouped(claims: Sequence[Computed]) -> list[list[Computed]]:
    """Returns the claims by letter and number of indices; zeros(…) go with the entries that are assigned."""
    groups: dict[tuple[object, ...], list[Computed]] = {}
    zeros = [claim for claim in claims if claim.shape is None]
    for claim in claims:
        if claim.shape is not None:
            whole = any(size > 1 for size in claim.shape)
            count = len(claim.left.indices or claim.left.cell)
            groups.setdefault((claim.left.head, count, whole and not count), []).append(claim)
    for claim in zeros:
        same = next((key for key in groups if key[0] == claim.left.head), (claim.left.head,))
        groups.setdefault(same, []).append(claim)
    return list(groups.values())
