"""Draws the state of a question in numbers: angles are multiples of 15°, rates have at most one decimal."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import prod, radians
from random import Random
from typing import NamedTuple

from qddot.algebra.numbers.floats import Floats
from qddot.algebra.numbers.polynomials.exact import Polynomial
from qddot.base.errors import QddotError
from qddot.base.words.message import Told, say
from qddot.exact.equations.quantities import Quantities
from qddot.physics.of_model import with_loads
from qddot.robot import units
from qddot.robot.model import Model
from qddot.robot.symbol_values import refuse_missing

ANGLES = tuple(k for k in range(-150, 151, 15) if k % 90)  # degrees; at 0 and 90 terms vanish
WAYS = tuple(range(2, 13))  # displacements in tenths of a metre
RATES = tuple(k for k in range(-20, 21, 2) if k)  # rates in tenths of rad/s or m/s
ROUNDING = 1e-13  # of a value, relative to its terms


class DrawnState(NamedTuple):
    """A state has q, q̇ and q̈ by coordinate, and each as it is printed, such as 30° or 0.4 m.

    seed: its origin; coefficients: the values of a closed chain's kinematic coefficients
    """

    numbers: tuple[dict[str, float], dict[str, float], dict[str, float]]
    texts: tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]
    seed: int = 0
    coefficients: Mapping[str, float] = {}


def state_of(model: Model, seed: int) -> DrawnState:
    """Returns the state of a seed."""
    random = Random(seed + 1)  # noqa: S311 - no secret
    numbers, texts = list[list[float]](), list[tuple[str, ...]]()
    turns = model.turning
    choices = [random.choice(ANGLES if turning else WAYS) for turning in turns]
    numbers.append([radians(k) if turning else k / 10 for k, turning in zip(choices, turns, strict=True)])
    texts.append(tuple(f"{k}°" if turning else f"{k / 10:g} m" for k, turning in zip(choices, turns, strict=True)))
    for rates in (1, 2):
        tenths = [Fraction(random.choice(RATES), 10) for _ in turns]
        names = units.of_coordinates(model, rates)
        numbers.append([float(each) for each in tenths])
        texts.append(tuple(f"{float(each):g} {unit}" for each, unit in zip(tenths, names, strict=True)))
    q, qd, qdd = (dict(zip(model.coordinates, part, strict=True)) for part in numbers)
    signed = tuple(tuple(text.replace("-", "−") for text in part) for part in texts)
    return DrawnState((q, qd, qdd), (signed[0], signed[1], signed[2]), seed)


def values_by_place(eq: Quantities, name: str, state: DrawnState) -> dict[tuple[int, ...], float]:
    """Returns the entries of a quantity in a state by their places; what only rounding keeps from zero is zero.

    raises QddotError: a symbol has no value
    """
    numbers, array = floats(eq, f"{name}@", state), eq.array(name)
    return {place: _value(entry, numbers) for place, entry in zip(array.places, array.entries, strict=True)}


def _value(entry: Polynomial, numbers: Floats) -> float:
    value: float = entry.evaluate(numbers)
    return value if abs(value) > ROUNDING * _size(entry, numbers) else 0.0


def _size(entry: Polynomial, numbers: Floats) -> float:
    """Returns the sum of the terms' sizes, in which a sine or cosine, itself rounded, counts as 1."""
    variables, total = entry.ring.generators, 0.0
    for powers, c in entry.powers():
        factors = ((variables[k], exponent) for k, exponent in powers.items())
        values = (each.evaluate(numbers) ** exponent for each, exponent in factors if each.kind not in ("sin", "cos"))
        total += abs(float(c) * prod(values))
    return total


def floats(eq: Quantities, what: str, state: DrawnState) -> Floats:
    """Returns the kind of number `Floats` with the values of a state and the symbols' defaults.

    raises QddotError: a symbol has no value
    """
    missing = [each for each in eq.ring.symbols if each not in eq.model.defaults() and each != "pi"]
    where = Told(say("quantity-of-model", what=what, model=eq.model.name))
    refuse_missing(missing, where, "set-or-leave-out", QddotError)
    return with_loads(eq.model, Floats(eq.model.defaults() | dict(state.coefficients), *state.numbers))
