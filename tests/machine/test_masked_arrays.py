"""No number under the mask of a masked array is used; an array without masked entries is an array as any other."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from refusals import refusal
from shipped import robot

import qddot
from qddot.faces import aliases

HIDDEN = np.ma.masked_array([0.5, 99.0], mask=[0, 1])
OPEN = np.ma.masked_array([0.5, 0.1], mask=[0, 0])
PLAIN = np.array([0.5, 0.1])
VALUES = {"m1": 1.0, "m2": 1.0, "l": 1.0}


def arm() -> qddot.Robot:
    return robot("two_link").with_values(**VALUES)


def law(torque: Any) -> Callable[..., Any]:
    """Called from Python, since it asks for values."""

    def called(t: float, q: Any, qd: Any) -> Any:
        float(q[0])
        return torque

    return called


def last(run: Any) -> Any:
    return run.q[-1]


SHORT: dict[str, Any] = {"duration": 0.02, "step": 0.01, "method": "rk4"}
ENTRANCES: dict[str, Callable[[Any], Any]] = {
    "a call": lambda x: arm().gravity(x),
    "a second array": lambda x: arm().bias([0.1, 0.2], x),
    "a batch": lambda x: arm().gravity(np.ma.stack([x, x])),
    "a list of arrays": lambda x: arm().gravity([x, x]),
    "single precision": lambda x: arm().gravity(x, dtype="float32"),
    "threads": lambda x: arm().gravity(np.ma.stack([x, x]), threads=2),
    "checked": lambda x: arm().gravity(x, check=True),
    "integrate": lambda x: arm().integrate(x, [1.0, 1.0]),
    "difference": lambda x: arm().difference([0.0, 0.0], x),
    "linearize": lambda x: arm().linearize(x)[0],
    "operational space": lambda x: arm().operational_space(x, [0.1, 0.2], task="x y")[0],
    "wrenches": lambda x: arm().inverse_dynamics(
        [0.1, 0.2], [0.0, 0.0], [0.0, 0.0], np.ma.stack([np.ma.concatenate([x, x, x])] * 2)
    ),
    "q0": lambda x: last(arm().simulate(x, **SHORT)),
    "qd0": lambda x: last(arm().simulate([0.0, 0.0], x, **SHORT)),
    "several arms": lambda x: last(arm().simulate(np.ma.stack([x, x]), **SHORT)),
    "torque": lambda x: last(arm().simulate([0.1, 0.2], torque=x, **SHORT)),
    "samples of torque": lambda x: last(arm().simulate([0.1, 0.2], torque=([0.0, 1.0], np.ma.stack([x, x])), **SHORT)),
    "an event": lambda x: last(arm().simulate([0.1, 0.2], event=lambda t, q, qd: x[1:] - 200.0, **SHORT)),
    "a force": lambda x: last(
        arm().simulate(
            [0.1, 0.2], forces=qddot.forces.Wrench("fore", force=lambda t, q, qd: np.ma.append(x, 0.0)), **SHORT
        )
    ),
    "a payload's switch": lambda x: last(
        arm().simulate([0.1, 0.2], forces=qddot.forces.Payload(1.0, taken=lambda t, q, qd: x[1:]), **SHORT)
    ),
    "damping": lambda x: last(arm().simulate([0.1, 0.2], damping=x, **SHORT)),
    "a law's torque": lambda x: last(arm().simulate([0.1, 0.2], torque=law(x), **SHORT)),
    "a target": lambda x: last(arm().simulate([0.1, 0.2], torque=qddot.laws.pd(x, 1.0, 1.0), **SHORT)),
    "gains": lambda x: last(arm().simulate([0.1, 0.2], torque=qddot.laws.pd([0.0, 0.0], x, 1.0), **SHORT)),
    "a state of equations": lambda x: arm().equations().at(x)["G"],
    "a rate of equations": lambda x: arm().equations().at([0.1, 0.2], x)["h"],
    "a symbol's values": lambda x: arm().gravity(np.zeros((2, 2)), m2=x),
    "a symbol of several runs": lambda x: last(arm().simulate([0.1, 0.2], m2=x, **SHORT)),
    "a symbol": lambda x: arm().gravity([0.5, 0.1], m2=x[1]),
    "a symbol of a run": lambda x: last(arm().simulate([0.1, 0.2], m2=x[1], **SHORT)),
    "a symbol of equations": lambda x: arm().equations().at([0.1, 0.2], m2=x[1])["G"],
    "a symbol of parameters": lambda x: arm().dynamic_parameters(m2=x[1]),
    "a default": lambda x: arm().with_values(m2=x[1]).gravity([0.5, 0.1]),
    "a new robot": lambda x: qddot.from_dh(
        [{"theta": "q1", "d": 0, "a": 1, "alpha": 0}], [{"mass": x[1], "com": [0, 0, 0]}], gravity=[0, -9, 0]
    ).gravity([0.3]),
    "a centre of mass": lambda x: qddot.from_dh(
        [{"theta": "q1", "d": 0, "a": 1, "alpha": 0}], [{"mass": 1, "com": np.ma.append(x, 0.0)}], gravity=[0, -9, 0]
    ).gravity([0.3]),
    "a payload": lambda x: arm().with_payload(x[1], np.ma.append(x, 0.0)).gravity([0.3, 0.2]),
    "a sweep's start": lambda x: (
        qddot.sweep(
            arm(), qddot.Motion(x, duration=0.02, step=0.01), qddot.Draws(1), "final", m2=qddot.uniform(1, 2)
        ).q_final.values
    ),
    "rounding": lambda x: arm().rounding("gravity", {}).at(x),
    "conventions": lambda x: aliases.in_convention(arm(), "mujoco", q=x),
    "a guess of a chain": lambda x: qddot.load_closed_chain("four_bar").assemble(np.ma.append(x, 1.5)),
    "a bound": lambda x: arm().bounds({"q1": (x[0] - 1, x[1]), "qd": 1.0}, seconds=0.1),
}


OTHERWISE = ("conventions", "a guess of a chain", "a bound")  # these return objects


@pytest.mark.parametrize("entrance", ENTRANCES)
@pytest.mark.filterwarnings("ignore:Warning. converting a masked element to nan")
def test_masked_entries_are_refused(entrance: str) -> None:
    with pytest.raises(qddot.QddotError):
        ENTRANCES[entrance](HIDDEN)


@pytest.mark.parametrize("entrance", [name for name in ENTRANCES if name not in OTHERWISE])
def test_an_array_without_masked_entries_is_as_any_other(entrance: str) -> None:
    taken, plain = ENTRANCES[entrance](OPEN), ENTRANCES[entrance](PLAIN)
    np.testing.assert_array_equal(taken, plain)
    assert not isinstance(taken, np.ma.MaskedArray)


def test_the_error_says_what_is_masked() -> None:
    with refusal(qddot.QddotError, "masked-entries", "q", "gravity"):
        arm().gravity(HIDDEN)
    with refusal(qddot.QddotError, "masked-entries", "q0"):
        arm().simulate(HIDDEN)
