"""Finds positions in which a law is to be shown, and computes its parts: equilibria, stiffness, leading minors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from math import isclose, radians
from random import Random
from typing import Any

from qddot.base.errors import QddotError
from qddot.base.nested_lists import nested
from qddot.exact.equations.arrays.exact_array import ExactArray
from qddot.exact.equations.quantities import Quantities
from qddot.teach.exam.states import ROUNDING, DrawnState, floats

RIGHT_ANGLES = (0, 90, 180, -90)  # degrees
MOST_COORDINATES = 5  # the most coordinates of an arm whose equilibria are searched
SMALL = 1e-9  # relative to the largest entry


def slopes(eq: Quantities, scalar: ExactArray) -> ExactArray:
    """Returns the column of derivatives of a scalar with respect to the coordinates."""
    (value,) = scalar.entries
    return ExactArray.of(eq.ring, [eq.slope(value, k) for k in range(eq.n)])


def stiffness(eq: Quantities) -> ExactArray:
    """Returns the derivatives of the torques of gravity and springs with respect to the coordinates, by columns."""
    columns = [_static(eq).diff(name).entries for name in eq.model.coordinates]
    return ExactArray.of(eq.ring, [list(row) for row in zip(*columns, strict=True)])


def rows(eq: Quantities, matrix: ExactArray, state: DrawnState) -> list[list[float]]:
    """Returns a matrix in the position of a state; raises QddotError if a symbol has no value."""
    numbers = floats(eq, "numbers", state)
    values = [entry.evaluate(numbers) for entry in matrix.entries]
    least = ROUNDING * max(map(abs, values), default=0)
    values = [value if abs(value) > least else 0.0 for value in values]  # the sine of 180° is not zero in floats
    table: list[list[float]] = nested(values, matrix.shape)
    return table


def minors(matrix: Sequence[Sequence[float]]) -> list[float]:
    """Returns the leading principal minors: all are positive where a symmetric matrix is positive definite."""
    import numpy as np

    whole = np.array(matrix)
    return [float(np.linalg.det(whole[:k, :k])) for k in range(1, len(whole) + 1)]


def equilibrium(eq: Quantities, state: DrawnState) -> DrawnState:
    """Returns a state whose position is an equilibrium without torques, with angles that are multiples of 90°.

    The torques of gravity and springs vanish there exactly, and their stiffness is not singular, so that it decides
    about stability. The state's seed chooses among such positions.
    raises QddotError: there is none, or a symbol has no value
    """
    equilibria = list(_equilibria(eq, state))
    if not equilibria:
        raise QddotError("no-equilibrium", name=eq.model.name)
    return equilibria[Random(state.seed).randrange(len(equilibria))]  # noqa: S311 - no secret


def _static(eq: Quantities) -> ExactArray:
    return eq.array("G") + eq.array("springs")


def _equilibria(eq: Quantities, state: DrawnState) -> Iterator[DrawnState]:
    torques, matrix = _static(eq), stiffness(eq)
    if eq.n > MOST_COORDINATES or not all(torques.entries):
        return
    for position, at in _positions(eq, state):
        values = [entry.evaluate(floats(eq, "numbers", at)) for entry in torques.entries]
        scale = max(abs(entry) for row in rows(eq, matrix, at) for entry in row)
        if not all(isclose(value, 0, abs_tol=SMALL * scale) for value in values):
            continue
        if abs(minors(rows(eq, matrix, at))[-1]) > SMALL * scale**eq.n and not any(torques.subs(position).entries):
            yield at


def _positions(eq: Quantities, state: DrawnState) -> Iterator[tuple[dict[str, Any], DrawnState]]:
    """Yields positions as replacements of the coordinates and as states; prismatic joints keep their positions."""
    names, turns = eq.model.coordinates, eq.model.turning
    for chosen in product(*(RIGHT_ANGLES if turning else (None,) for turning in turns)):
        exact, q, texts = dict[str, Any](), dict[str, float](), list[str]()
        for name, angle, text in zip(names, chosen, state.texts[0], strict=True):
            q[name] = state.numbers[0][name] if angle is None else radians(angle)
            exact[name] = str(Fraction(round(10 * q[name]), 10)) if angle is None else f"{angle}deg"
            texts.append(text if angle is None else f"{angle}°".replace("-", "−"))
        yield exact, DrawnState((q, *state.numbers[1:]), (tuple(texts), *state.texts[1:]), state.seed)
