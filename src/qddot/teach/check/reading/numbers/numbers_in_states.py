"""Compares the numbers of quantities that an answer computes in its own state with the exact values there."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from qddot.algebra.numbers.floats import Floats
from qddot.algebra.numbers.polynomials.exact import Polynomial
from qddot.base.errors import ExpressionError
from qddot.exact.equations.quantities import Quantities
from qddot.teach.check.exact_arrays import part_of
from qddot.teach.check.reading.answer import NumberInState, Place
from qddot.teach.check.reading.names.letters import candidates
from qddot.teach.check.reading.names.places import fits, place_of, shapes
from qddot.teach.check.reading.quantities.steps import OF_LAWS
from qddot.teach.check.reading.statements.claims import Claim

TOLERANCE = 5e-3  # relative error of a number whose factors may have been rounded to three digits
SMALLEST = 1e-6
CLEAR = 0.05  # error relative to the sum of the sizes of all terms, from which on a number is certainly wrong
SIMPLE = ("M", "C", "C2", "B", "h", "G", "tau", "K", "P", "L", "T_tool", "J_tool")


class StateInFloats(NamedTuple):
    """This is a state in floating-point numbers, and the state in which degrees are taken as radians.

    named: the numbers by the names of coordinates, rates and accelerations
    """

    right: Floats
    in_degrees: Floats
    named: Mapping[str, str]


def numbers_in_states(
    claim: Claim, shape: tuple[int, ...], numbers: Sequence[float], eq: Quantities, states: Sequence[StateInFloats]
) -> list[NumberInState]:
    """Returns the numbers of a claim beside the exact ones in a state.

    There are none if the quantity is the same in all states, or if no state has all the numbers that it depends on.
    raises ExpressionError: the numbers are the quantity's values in none of the states, but not certainly wrong
    """
    compared = list[list[NumberInState]]()
    for name, by_place in _meant(claim, shape, eq):
        if not any(entry.variables() for entry in by_place.values()):
            return []  # a constant is the same in every state, and is judged as a formula
        for state in states:
            beside = _compared(claim, name, by_place, numbers, state)
            if beside and all(map(is_right, beside)):
                return beside
            compared += [beside] if beside else []
    if not compared:
        return []
    named = candidates(claim.left)
    is_certain = len(states) == len(compared) == 1 and (not named or named[0].sure)
    if is_certain and any(map(_is_clearly_wrong, compared[0])):
        return compared[0]
    raise ExpressionError("not-value-in-state", where=claim.where)


def is_right(number: NumberInState) -> bool:
    """Returns whether a number is the exact one, apart from rounding."""
    return is_near(number.yours, number.exact)


def is_near(number: float, exact: float) -> bool:
    """Returns whether two numbers are equal, apart from rounding."""
    return abs(number - exact) <= max(abs(exact) * TOLERANCE, SMALLEST)


def _is_clearly_wrong(number: NumberInState) -> bool:
    """Returns whether a number is wrong, and not the right one in a unit that is a power of ten larger or smaller."""
    ratio = abs(number.yours / number.exact) if number.exact else 0.0
    power = round(math.log10(ratio)) if ratio else 0
    is_in_other_unit = power != 0 and is_near(number.yours, math.copysign(10.0**power, number.yours) * number.exact)
    return abs(number.yours - number.exact) > CLEAR * number.scale and not is_in_other_unit


def _compared(
    claim: Claim, name: str, by_place: dict[Place, Polynomial], numbers: Sequence[float], state: StateInFloats
) -> list[NumberInState]:
    """Returns numbers beside the exact ones in one state; none if that is not complete, or if the counts differ."""
    try:
        values = [float(entry.evaluate(state.right)) for entry in by_place.values()]
        confused = [float(entry.evaluate(state.in_degrees)) for entry in by_place.values()]
    except (KeyError, TypeError):
        return []
    if any(map(math.isnan, values)) or len(values) != len(numbers):
        return []
    rows = zip(by_place.items(), numbers, values, confused, strict=True)
    return [
        NumberInState(
            name, place, yours, exact, in_degrees, _scale(entry, state.right), state.named, claim.text, claim.where
        )
        for (place, entry), yours, exact, in_degrees in rows
    ]


def _scale(entry: Polynomial, state: Floats) -> float:
    """Returns the sum of the sizes of the terms."""
    return sum(abs(float(entry.ring.from_terms([term]).evaluate(state))) for term in entry.terms())


def _meant(claim: Claim, shape: tuple[int, ...], eq: Quantities) -> Iterator[tuple[str, dict[Place, Polynomial]]]:
    """Yields the quantities that a name may stand for, with those of their entries that it names, by place."""
    exact, whole_shapes = eq.in_joint_angles, shapes(eq)
    if claim.left.key in OF_LAWS and not candidates(claim.left):
        yield claim.left.key, {(k,): entry for k, entry in enumerate(OF_LAWS[claim.left.key].entries(exact))}
    for candidate in candidates(claim.left):
        place = place_of(claim.left, candidate, eq.n, zero_based=False)
        if fits(place, shape, whole_shapes[candidate.quantity]) and candidate.quantity in SIMPLE:
            yield candidate.quantity, part_of(exact.array(candidate.quantity), place)
