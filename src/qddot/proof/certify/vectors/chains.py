"""Gathers conformance vectors of closed chains, in states whose loops are closed, to thirty proved digits."""

from __future__ import annotations

from typing import Any

import numpy as np
from flint import arb_mat
from numpy.typing import NDArray

from qddot.algebra.numbers.balls import Balls, ball
from qddot.algebra.spatial import inner
from qddot.base.checked import whole
from qddot.exact.equations.closed.closed_states import ClosedState, ClosedStates
from qddot.physics.algorithms import kinematics
from qddot.physics.independent import Independents
from qddot.physics.of_model import dynamics_of
from qddot.proof.certify.vectors.suite import MOST_STATES, OURS, check_bodies, decimals, heading, proved
from qddot.proof.certify.vectors.values import symbols, with_balls
from qddot.robot.closed_model import ClosedModel, names_of_conditions
from qddot.robot.loops import Loop
from qddot.robot.symbol_values import refuse_missing


def chain_vectors(
    model: ClosedModel, choice: Independents, near: NDArray[np.float64], states: int = 3, licence: str = ""
) -> dict[str, Any]:
    """Returns the conformance vectors of a closed chain as plain data.

    near: a closed configuration, along whose motion those of the states lie
    raises QddotError: equations that are given entry by entry, a symbol without a value, `states` is no whole number,
        or too few configurations are found
    """
    check_bodies(model.tree)
    whole(states, "states", 1, MOST_STATES)
    refuse_missing(model.used_symbols - set(model.tree.defaults()), model.name)
    names = names_of_conditions(model)

    def written() -> list[list[dict[str, Any]]]:
        found = ClosedStates(model, choice, near, symbols(model.tree)).first(states)
        return [[{"conventions": [OURS], **_exact(state), **decimals(_values(state))}] for state in found]

    return {
        **heading(model.tree, "closed", licence),
        "independent": [model.tree.coordinates[k] for k in choice.independent],
        "conditions": [names[k] for k in choice.conditions],
        "loops": proved(model.tree, lambda: [_loop(model, loop) for loop in model.loops]),
        "rolling": [
            {"wheel": each.wheel, "ground": each.ground, "contact": each.contact, "axes": list(each.directions)}
            for each in model.rolling
        ],
        "states": proved(model.tree, written),
    }


def _loop(model: ClosedModel, loop: Loop) -> dict[str, Any]:
    """Returns the description of a loop."""
    length = {} if loop.length is None else {"length": loop.length.evaluate(Balls(symbols(model.tree)))}
    return {"name": loop.name, "type": loop.type, "links": list(loop.links), **decimals(length)}


def _exact(state: ClosedState) -> dict[str, list[str]]:
    """Returns u and its rate as finite decimals."""
    return {"u": [f"{float(x):g}" for x in state.u], "ud": [f"{float(x):g}" for x in state.u_rates]}


def _values(state: ClosedState) -> dict[str, Any]:
    """Returns the quantities in one state; λ are the forces of the loops where motors drive the independent joints."""
    mechanism = with_balls(state.mechanism)
    dynamics = dynamics_of(state.model.tree, state.numbers, lambda: mechanism)
    M, torques, T = dynamics.mass_matrix(), dynamics.inverse_dynamics(), kinematics.poses(mechanism)
    columns = list(zip(*state.R, strict=True))
    MR = [[inner(row, column) for row in M] for column in columns]
    velocity = [h + inner(row, state.drift) for h, row in zip(dynamics.velocity_torques(), M, strict=True)]
    return {
        "q": list(state.q.values()),
        "qd": state.qd,
        "qdd": state.qdd,
        "phi": state.phi,
        "A": state.A,
        "R": state.R,
        "M": [[inner(one, other) for other in MR] for one in columns],
        "h": state.onto(velocity),
        "G": state.onto(dynamics.gravity_torques()),
        "springs": state.onto(dynamics.torques_of("springs")),
        "friction": state.onto(dynamics.torques_of("friction")),
        "tau": state.onto(torques),
        "lambda": _multipliers(state, torques),
        "frames": {link.name: T[link.index].matrix()[:3] for link in mechanism.links},
    }


def _multipliers(state: ClosedState, torques: list[Any]) -> list[Any]:
    """Returns λ with A_dᵀ λ = the torques that the motion requires along the dependent coordinates."""
    if not state.choice.conditions:
        return []
    right = arb_mat([[ball(torques[k])] for k in state.choice.dependent])
    solution = state.A_d.transpose().solve(right)
    return [solution[k, 0] for k in range(len(state.choice.conditions))]
