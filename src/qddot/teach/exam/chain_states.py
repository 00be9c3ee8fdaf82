"""Draws the state of a question about a closed chain: a certified configuration with closed loops, and rates."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import numpy as np

from qddot.algebra.numbers.balls import precise
from qddot.exact.equations.closed.closed_states import ClosedState, ClosedStates
from qddot.robot import units
from qddot.teach.check.chain_quantities import ChainQuantities
from qddot.teach.exam.states import RATES, ROUNDING, DrawnState, floats

STATES = 8  # configurations among which seeds choose
DIGITS = 6  # of a dependent coordinate


def state_of(eq: ChainQuantities, seed: int) -> DrawnState:
    """Returns the state of a seed: q to six digits, and the rates of the independent coordinates as short decimals.

    raises EvaluationError: a symbol has no value, or too few configurations are found
    """
    model, choice, random = eq.reduced.model, eq.reduced.choice, Random(seed + 1)  # noqa: S311 - no secret
    rates, accelerations = ([Fraction(random.choice(RATES), 10) for _ in choice.independent] for _ in range(2))
    k = seed % STATES
    with precise():
        at = ClosedStates(model, choice, eq.near).first(k + 1)[k]
        state = ClosedState(model, choice, at.values, at.q, rates, accelerations)
        coordinates = model.tree.coordinates
        numbers = (
            {name: float(side) for name, side in state.q.items()},
            *({name: float(x) for name, x in zip(coordinates, side, strict=True)} for side in (state.qd, state.qdd)),
        )
        coefficients = {name: float(value) for name, value in state.coefficients(eq.reduced.coefficients).items()}
    texts = [
        [
            f"{value:.{DIGITS}g} {unit}"
            for value, unit in zip(numbers[0].values(), units.of_coordinates(eq.model), strict=True)
        ],
        *(_of_independent(eq, own, dots) for dots, own in ((1, rates), (2, accelerations))),
    ]
    q, qd, qdd = (tuple(text.replace("-", "−") for text in part) for part in texts)
    return DrawnState((numbers[0], numbers[1], numbers[2]), (q, qd, qdd), seed, coefficients)


def _of_independent(eq: ChainQuantities, values: list[Fraction], dots: int) -> list[str]:
    """Returns texts of rates; those of the dependent coordinates follow, and are empty."""
    given = dict(zip(eq.reduced.choice.independent, values, strict=True))
    every = enumerate(units.of_coordinates(eq.model, dots))
    return [f"{float(given[k]):g} {unit}" if k in given else "" for k, unit in every]


def multipliers(eq: ChainQuantities, state: DrawnState) -> list[float]:
    """Returns λ where motors drive the independent coordinates alone: A_dᵀ λ = the torques of the dependent ones."""
    numbers = floats(eq, "lambda@", state)
    torques = eq.reduced.tree.array("tau").values(numbers)[list(eq.reduced.choice.dependent)]
    forces = np.linalg.solve(eq.reduced.array("A_d").values(numbers).T, torques)
    return [float(force) if abs(force) > ROUNDING * np.abs(forces).max() else 0.0 for force in forces]
