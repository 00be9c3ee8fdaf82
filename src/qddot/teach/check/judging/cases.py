"""A case is one entry of an answer with the exact one and their difference."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any, NamedTuple

from qddot.algebra.numbers.balls import precise
from qddot.algebra.numbers.polynomials.division import quotient
from qddot.algebra.numbers.polynomials.exact import Polynomial, Ring
from qddot.algebra.numbers.polynomials.membership import membership
from qddot.algebra.numbers.polynomials.witness import BITS, RationalState, decimal, witness
from qddot.base.errors import QddotError, few
from qddot.base.words.message import Message, say
from qddot.exact.equations.arrays.exact_array import ExactArray
from qddot.exact.equations.quantities import Quantities
from qddot.exact.printing import notation
from qddot.teach.check.exact_arrays import entry_name
from qddot.teach.check.judging.closed_loops import ClosedLoops, loops_of
from qddot.teach.check.reading.answer import Answer, Entry
from qddot.teach.check.reading.exact.comparing import agrees_in_digits

EQUAL, VERIFIED, ROUNDED, VALID = "equal", "verified", "rounded", "valid"
DIFFERENT, UNDECIDED = "different", "undecided"
OPEN = "phi"  # the quantity that is zero where loops are closed, so that it is compared where they are open
STATES = 8  # most states to try for a witness, since a denominator may vanish in some


class Witness(NamedTuple):
    """A witness is a state in which two expressions are certainly not equal, with both values there."""

    state: dict[str, str]
    yours: float
    exact: float


@dataclass
class Case:
    """A case has one entry of an answer, the exact one, and their difference: numerator − denominator · exact.

    yours: the answered entry if it is a polynomial, else None
    has_too_many_decimals: whether there are too many decimals to tell if rounding explains the difference
    loops: those of a closed chain, where it is enough that entries are equal if they are closed; else None
    """

    quantity: str
    place: tuple[int, ...]
    name: str
    entry: Entry
    exact: Polynomial
    numerator: Polynomial
    denominator: Polynomial
    yours: Polynomial | None
    verdict: str = EQUAL
    has_too_many_decimals: bool = False
    witness: Witness | None = None
    loops: ClosedLoops | None = None

    @property
    def key(self) -> tuple[str, tuple[int, ...]]:
        """Returns the quantity and the place."""
        return self.quantity, self.place

    @property
    def difference(self) -> Polynomial:
        """Returns the answered entry minus the exact one, times the denominator."""
        difference: Polynomial = self.numerator - self.denominator * self.exact
        return difference

    def is_equal_to(self, other: Polynomial) -> bool:
        """Returns whether the answered entry is this polynomial."""
        difference = self.numerator - self.denominator * other
        return not difference if self.loops is None else self.loops.vanishes(difference)


def ring_for(eq: Quantities, answer: Answer, exact: Mapping[str, ExactArray]) -> Ring:
    """Returns a ring in the joints' own angles with all variables of the answer and of the exact quantities."""
    ring = eq.in_joint_angles.ring
    for array in exact.values():
        ring = ring.joined(array.ring)
    return ring.joined(answer.ring.of_joints)


def compared(
    eq: Quantities, answer: Answer, exact: Mapping[str, ExactArray], values: Mapping[str, Fraction] | None = None
) -> tuple[Ring, list[Case]]:
    """Returns the ring of all entries, and a case for each entry.

    values: of the symbols in the places of which there are numbers, None if there are none
    """
    ring, loops = ring_for(eq, answer, exact), loops_of(eq, values)
    return ring, [case for name, array in exact.items() for case in _cases(ring, name, array, answer, loops)]


def check_shape(name: str, array: ExactArray, answer: Answer) -> None:
    """Raises QddotError for an answered quantity of another shape, or an entry that does not exist."""
    shape = answer.shapes.get(name, array.shape)
    if shape != array.shape:
        turned = say("transposed-maybe") if shape == array.shape[:-2] + array.shape[:-3:-1] else ""
        raise QddotError("shape-other", name=name, shape=_sizes(shape), right=_sizes(array.shape), remedy=turned)
    places = {*array.places, *rows_and_columns(array)}
    for entry in answer.entries[name]:
        if entry.place not in places:
            raise QddotError("place-outside", where=entry.where, place=entry.place, name=name, size=_sizes(array.shape))


def rows_and_columns(array: ExactArray) -> dict[tuple[int, ...], tuple[int, ...]]:
    """Maps each position in an array's shape to the entry's indices: in B, position (0, 2) has the entry B123."""
    return dict(zip(product(*map(range, array.shape)), array.places, strict=True))


def _sizes(shape: tuple[int, ...]) -> Any:
    return " × ".join(map(str, shape)) or say("scalar")


def _cases(ring: Ring, name: str, array: ExactArray, answer: Answer, loops: ClosedLoops | None) -> Iterator[Case]:
    entries, places = dict(zip(array.places, array.entries, strict=True)), rows_and_columns(array)
    for entry in answer.entries[name]:
        place = places.get(entry.place, entry.place)
        numerator, denominator = ring.convert(entry.numerator), ring.convert(entry.denominator)
        exact = ring.convert(entries[place] if entry.exact is None else entry.exact)
        yours = numerator if denominator == 1 else quotient(numerator, denominator)
        case = Case(
            name,
            place,
            entry_name(array, place),
            entry,
            exact,
            numerator,
            denominator,
            yours,
            loops=loops if name != OPEN else None,
        )
        judged(case)
        yield case


def judged(case: Case) -> None:
    """Decides whether a case is equal; a difference that is not zero in normal form also needs a witness."""
    difference = case.difference
    if not difference or _is_equal_on_loops(case):
        return
    agrees = agrees_in_digits(case.entry, case.exact)
    case.verdict = ROUNDED if agrees else UNDECIDED
    case.has_too_many_decimals = agrees is None
    if agrees is not False:
        return
    if case.loops is not None:
        found = case.loops.different(case.numerator, case.denominator, case.exact)
        case.verdict, case.witness = (UNDECIDED, None) if found is None else (DIFFERENT, Witness(*found))
        return
    for seed in range(1, STATES):
        states = witness(difference, seed)
        if states is None:
            case.verdict = EQUAL if membership(difference) else UNDECIDED
            return
        with precise(BITS):
            values = _values(states[0], case)
        if values is not None:
            names = {generator.key: notation.text(generator) for generator in case.exact.ring.generators}
            state = {names.get(name, name): decimal(number) for name, number in sorted(states[0].values.items())}
            case.verdict, case.witness = DIFFERENT, Witness(state, *values)
            return


def _is_equal_on_loops(case: Case) -> bool:
    """Returns whether a case is equal where loops are closed; then it has the exact entry in place of the answer's."""
    difference = case.difference
    if case.loops is None or case.loops.vanishes(case.denominator) or not case.loops.vanishes(difference):
        return False
    case.verdict = EQUAL if case.loops.is_proved(difference) else VERIFIED
    case.numerator = case.yours = case.exact
    case.denominator = case.exact.ring.convert(1)
    return True


def verified(cases: Sequence[Case]) -> Iterator[Message]:
    """Yields the sentence on entries that are equal in states with closed loops, and not proved to be equal in all."""
    own = [case for case in cases if case.verdict == VERIFIED]
    for loops in [case.loops for case in own if case.loops is not None][:1]:
        yield say("verified-with-loops", names=few([case.name for case in own]), count=len(loops.places))


def _values(state: RationalState, case: Case) -> tuple[float, float] | None:
    """Returns both values in a state; None if the denominator may be zero."""
    numerator, denominator, exact = (p.evaluate(state) for p in (case.numerator, case.denominator, case.exact))
    if denominator.contains(0):
        return None
    return float((numerator / denominator).mid()), float(exact.mid())
