"""Without a method a run takes series where all that acts is smooth and traced, and RK4 where it is not."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from physical import physical

import qddot
from qddot import forces, laws
from qddot.apps.cli import main
from qddot.machine.compilers import integrators
from qddot.motion.simulate import simulation

SHORT: dict[str, Any] = {"duration": 0.1, "step": 0.01}
PULL = np.linspace(0, 1, 5), np.linspace(0, -2, 5)[:, None]
SMOOTH: dict[str, dict[str, Any]] = {
    "nothing": {},
    "a constant": {"torque": [1.0]},
    "a law": {"torque": lambda t, q, qd: -3 * q - qd + qddot.sin(t)},
    "a law with a state": {"torque": laws.pid([0.1], 20.0, 5.0, 3.0)},
    "a force": {"forces": forces.Wrench("tool", (0, 1.0, 0))},
    "a payload": {"forces": forces.Payload(1.0, taken=0.05)},
    "a batch": {"q0": [[0.3], [0.1]], "damping": 0.1},
}
ROUGH: dict[str, dict[str, Any]] = {
    "samples in time": {"torque": PULL},
    "a force in time": {"forces": forces.Wrench("tool", ([0, 1], np.ones((2, 3))))},
    "a force that switches": {"forces": forces.Wrench("tool", lambda t, q, qd: (0, qddot.sign(q[0] + qd[0]), 0))},
    "a force that rounds": {"forces": forces.Wrench("tool", lambda t, q, qd: (0, qddot.rint(4 * q[0]), 0))},
    "a payload that rounds": {"forces": forces.Payload(1.0, taken=lambda t, q, qd: qddot.rint(4 * t))},
    "an event that rounds": {"event": lambda t, q, qd: qddot.rint(4 * q[0]) - 9},
    "a sampled law": {"torque": laws.sampled(laws.pd([0.1], 20.0, 3.0), 0.01)},
    "a law that is called": {"torque": lambda t, q, qd: -q if q[0] > 0 else q},
    "limits of a law": {"torque": laws.limited(laws.pd([0.1], 20.0, 3.0), 1.0)},
    "a ramp": {"torque": laws.computed_torque(qddot.load("one_link"), laws.trapezoidal([0.3], [0], 1.0), 9, 6)},
    "a law that rounds": {"torque": lambda t, q, qd: -qddot.rint(4 * q) / 4},
    "a law that switches": {"torque": lambda t, q, qd: -qddot.sign(q + qd)},
    "a law that is made": {"torque": laws.made(lambda: lambda t, q, qd: -q)},
}


def run(**asked: Any) -> Any:
    return qddot.load("one_link").simulate(**{"q0": [0.3], **SHORT, **asked})


@pytest.mark.parametrize("kind", SMOOTH)
def test_what_is_smooth_is_expanded(kind: str) -> None:
    usual, named = run(**SMOOTH[kind]), run(**SMOOTH[kind], method="taylor")
    assert usual.arrays.attrs["method"] == "taylor"
    assert np.array_equal(usual.q, named.q) and np.array_equal(usual.tau, named.tau)


@pytest.mark.parametrize("kind", ROUGH)
def test_what_is_not_smooth_is_stepped(kind: str) -> None:
    usual, named = run(**ROUGH[kind]), run(**ROUGH[kind], method="rk4")
    assert usual.arrays.attrs["method"] == "rk4"
    assert np.array_equal(usual.q, named.q) and np.array_equal(usual.tau, named.tau)


def test_without_llvmlite_there_are_no_series(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(integrators, "are_there", lambda: False)
    assert run().arrays.attrs["method"] == "rk4"


@pytest.mark.parametrize("name", ["two_link", "puma560"])
def test_the_usual_method_is_a_thousand_times_closer_than_rk4(name: str) -> None:
    """Held against series of half the steps, over a second in steps of a millisecond."""
    arm = physical(qddot.load(name))
    start = np.full(arm.n, 0.3), np.full(arm.n, -0.2), 1.0, 1e-3
    usual, stepped = (arm.simulate(*start, method=method, limits=False) for method in (None, "rk4"))
    again: Any = usual._recording.again
    right = simulation.run(simulation.finer(again.args[0])).arrays["q"][0]
    assert 1000 * np.abs(usual.q - right).max() < np.abs(stepped.q - right).max()
    assert 1000 * usual.energy.check(0).worst < stepped.energy.check(0).worst


@pytest.mark.parametrize(
    ("options", "method"),
    [
        ([], "taylor"),
        (["--tolerance", "1e-9"], "taylor"),
        (["--method", "dop853", "--tolerance", "1e-9"], "dop853"),
        (["--target", "0", "--gains", "10,2", "--sample-every", "0.01"], "rk4"),
    ],
)
def test_the_command_takes_the_same(options: list[str], method: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "one_link", "--at", "0.3", "--duration", "0.1", "--step", "0.01", "--json", *options]) == 0
    assert json.loads(capsys.readouterr().out)["method"] == method
