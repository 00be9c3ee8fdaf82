"""A number that a user gives may be a text, such as "30deg", in every function, and an integer of any size."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from refusals import refusal

import qddot
from qddot import laws
from qddot.base.errors import QddotError

TEXTS, ANGLES = ["30deg", "pi/4"], [np.pi / 6, np.pi / 4]


@pytest.fixture(scope="module")
def arm() -> qddot.Robot:
    return qddot.load("two_link").with_values(m1=1.0, m2=2.0, l=1.0)


CALLS: dict[str, Callable[[qddot.Robot, Any], Any]] = {
    "gravity": lambda arm, q: arm.gravity(q),
    "a batch": lambda arm, q: arm.gravity([q, [0, 0.1]]),
    "inverse_dynamics": lambda arm, q: arm.inverse_dynamics(q, q, [0, 0]),
    "a symbol": lambda arm, q: arm.gravity([1, 0], m2=q[1]),
    "forward_kinematics": lambda arm, q: arm.forward_kinematics(q),
    "linearize": lambda arm, q: arm.linearize(q)[0],
    "integrate": lambda arm, q: arm.integrate([0, 0], q),
    "difference": lambda arm, q: arm.difference([0, 0], q),
    "equations at": lambda arm, q: arm.equations().at(q, q)["G"],
    "simulate": lambda arm, q: arm.simulate(q, q, duration=0.1, step=0.05).q,
    "values of a run": lambda arm, q: arm.simulate([1, 0], duration=0.1, step=0.05, m2=q[0]).q,
    "a batch of runs": lambda arm, q: arm.simulate([q, [0, 0]], duration=0.1, step=0.05).q,
    "torques": lambda arm, q: arm.simulate([1, 0], duration=0.1, step=0.05, torque=q).q,
    "targets": lambda arm, q: arm.simulate([1, 0], duration=0.1, step=0.05, torque=laws.pd(q, 10, 1)).q,
    "waypoints": lambda arm, q: laws.waypoints([[0, 0], q], [0, 1])(0.5),
    "resampled": lambda arm, q: arm.simulate([1, 0], duration=1, step=0.05).resampled([0, q[0]]).q,
    "a closed chain": lambda arm, q: qddot.load_closed_chain("four_bar").assemble({"q1": q[0]}).q,
    "its rates": lambda arm, q: chain().velocities(chain().some_assembly().q, q[:1]),
    "its guess": lambda arm, q: chain().assemble([q[0], 0, 1.5]).q,
}


def chain() -> Any:
    return qddot.load_closed_chain("four_bar")


@pytest.mark.parametrize("name", CALLS)
def test_a_text_is_the_number_that_it_means(name: str, arm: qddot.Robot) -> None:
    assert np.array_equal(CALLS[name](arm, TEXTS), CALLS[name](arm, ANGLES))


def test_texts_may_stand_beside_numbers_of_any_kind(arm: qddot.Robot) -> None:
    for beside in (0.1 + 0.2, 1e300, -0.0, np.float32(0.1), 10**21):
        assert np.array_equal(arm.gravity(["30deg", beside]), arm.gravity([np.pi / 6, float(beside)]))
    assert np.isnan(arm.gravity(["30deg", np.nan])).any()


def test_quaternions_are_scaled_also_where_texts_are_among_them() -> None:
    arm = qddot.load("satellite_arm")
    q = [*map(float, arm.neutral())]
    near = [1 + 1e-9 if entry == 1 else entry for entry in q]
    with pytest.warns(UserWarning, match="divided by its norm"):
        assert np.array_equal(arm.mass_matrix([*near[:-1], "30deg"]), arm.mass_matrix([*q[:-1], np.pi / 6]))


def test_other_texts_are_refused(arm: qddot.Robot) -> None:
    for wrong in (["x", 0], "ab", ["q1", "30deg"], ["30deg"], [b"1", 0], [True, "1"], ["1/0", 0], ["30deg", None]):
        for call in (arm.gravity, arm.simulate, lambda q: arm.integrate(q, [0, 0])):
            with pytest.raises(QddotError):
                call(wrong)
    with refusal(QddotError, "argument-no-numbers"):
        arm.gravity(["x", 0])


def test_integers_beyond_those_of_numpy_are_numbers(arm: qddot.Robot) -> None:
    assert np.array_equal(arm.gravity([10**21, 0]), arm.gravity([1e21, 0]))
    assert np.array_equal(arm.gravity([1, 0], m2=10**21), arm.gravity([1, 0], m2=1e21))
    with pytest.raises(QddotError):
        arm.gravity([10**400, 0])
