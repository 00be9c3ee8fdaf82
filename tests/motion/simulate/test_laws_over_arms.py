"""Laws may call the functions of an arm, and are compiled with them."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from physical import physical

import qddot

FUNCTIONS = {
    "inverse_dynamics": 3,
    "forward_dynamics": 3,
    "state_derivative": 3,
    "mass_matrix": 1,
    "coriolis_matrix": 2,
    "gravity": 1,
    "bias": 2,
    "momentum": 2,
    "kinetic_energy": 2,
    "potential_energy": 1,
    "jacobian": 1,
    "jacobian_drift": 2,
    "forward_kinematics": 1,
    "regressor": 3,
    "inverse_dynamics_derivatives": 3,
}


@pytest.mark.parametrize("names", [tuple(FUNCTIONS)[k::5] for k in range(5)], ids=", ".join)
def test_every_function_of_an_arm_can_be_called_in_a_law(
    names: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The trace is freed at once: a graph with cycles of references would wait for the collector, which is slower."""
    collector = SimpleNamespace(collect=lambda *_: pytest.fail("a graph waits for the collector"))
    monkeypatch.setattr("qddot.motion.simulate.laws.law.gc", collector)
    arm = physical(qddot.load("spatial_2r"))

    def law(t: Any, q: Any, qd: Any) -> Any:
        parts: list[Any] = []
        for name in names:
            results = getattr(arm, name)(*(q, qd, 0.5 * q - qd)[: FUNCTIONS[name]])
            parts += [np.ravel(part) for part in (results if isinstance(results, tuple) else (results,))]
        flat = np.concatenate(parts)
        return [sum(flat * np.cos(np.arange(len(flat)))), flat[0] - 0.3 * t]

    run = arm.simulate([0.3, 0.2], [0.1, -0.2], 0.02, 0.01, method="rk4", torque=law)
    assert run.data.attrs["torque"] == "a law, compiled", run.notes
    assert np.allclose(run.tau[0], law(0.0, np.array([0.3, 0.2]), np.array([0.1, -0.2])), rtol=1e-10)


def test_options_and_values_are_those_of_calls_with_numbers() -> None:
    arm = physical(qddot.load("elbow_3r"))
    wrenches = np.zeros((len(arm.model.bodies), 6))
    wrenches[-1, 1] = 2.0

    def law(t: Any, q: Any, qd: Any) -> Any:
        J = arm.jacobian(q, "tool", "body")
        force = arm.forward_kinematics(q, body=1)[:3, 3]
        return J[:3].T @ force + arm.inverse_dynamics(q, qd, 0 * q, wrenches) + arm.gravity(q, m2=3.5)

    run = arm.simulate([0.1, 0.2, 0.3], None, 0.02, 0.01, method="rk4", torque=law, limits=False)
    assert run.data.attrs["torque"] == "a law, compiled", run.notes
    assert np.allclose(run.tau[1], law(0.01, run.q[1], run.qd[1]), rtol=1e-10)


def test_a_law_that_asks_an_arm_for_two_states_is_called() -> None:
    arm = qddot.load("spatial_2r")
    run = arm.simulate([0.3, 0.2], None, 0.02, 0.01, method="rk4", torque=lambda t, q, qd: arm.gravity([q, 2 * q])[1])
    assert "called from Python" in run.notes[0]
