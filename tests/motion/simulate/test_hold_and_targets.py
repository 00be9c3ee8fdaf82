"""Trajectories that hold, targets of another size and payloads that are never carried get a sentence."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from refusals import refusal

import qddot
from qddot import forces, laws
from qddot.base.errors import SimulationError


@pytest.mark.parametrize("kind", ["cubic", "quintic", "trapezoidal"])
def test_waypoints_at_one_point_hold_it_for_the_given_time(kind: str) -> None:
    where = [0.3, -0.2]
    motion = laws.waypoints([where, where, where], [0, 1, 3], kind=kind, rate=1, acceleration=1)
    assert motion.duration == 3
    for t in (0.0, 0.5, 1.7, 3.0):
        q, qd, qdd = motion(t)
        for values, right in ((q, where), (qd, 0), (qdd, 0)):
            assert np.allclose(values, right, rtol=0, atol=1e-15)  # the rounding of a spline's coefficients
    for limit in ("rate", "acceleration"):
        with refusal(SimulationError, "waypoints-of-one-point", "[0.3, -0.2]"):
            laws.waypoints([where, where], kind=kind, **{limit: 1})


@pytest.mark.parametrize("kind", ["cubic", "quintic", "trapezoidal"])
def test_the_time_of_a_motion_does_not_depend_on_where_a_joint_has_its_zero(kind: str) -> None:
    way = np.array([[0.0, 0.0], [0.001, 0.0], [0.101, 0.0]])
    times = [laws.waypoints(way + at, kind=kind, rate=1, acceleration=5).duration for at in ([0, 0], [0, 1.5], [3, -3])]
    assert times == pytest.approx([times[0]] * 3, rel=1e-9)


@pytest.mark.parametrize("kind", ["cubic", "quintic", "trapezoidal"])
def test_a_pause_between_waypoints_is_short(kind: str) -> None:
    motion = laws.waypoints([[0, 0], [1, 0], [1, 0], [0, 0]], kind=kind, rate=1)
    rates, _ = motion.extremes()
    assert rates.max() == pytest.approx(1) and np.allclose(motion(motion.duration)[0], 0, atol=1e-12)


@pytest.mark.parametrize("law", ["pd", "pid", "pd_gravity", "computed_torque"])
def test_a_target_cannot_be_subtracted_from_quaternions(law: str) -> None:
    arm = qddot.load("spherical_pendulum").free(mass=1, com=[0, 0, 0], inertia=[1, 0, 0, 1, 0, 1])
    arm = arm.with_driven(*arm.model.coordinates).with_values(**dict.fromkeys(arm.model.used_symbols, 1.0))
    gains: tuple[Any, ...] = (10, 1, 2) if law == "pid" else (10, 2)
    own = (arm,) if law in ("pd_gravity", "computed_torque") else ()
    with refusal(SimulationError, "law-raised"):
        arm.simulate(arm.neutral(), duration=0.1, torque=getattr(laws, law)(*own, 0.0, *gains))


def test_a_target_has_as_many_numbers_as_q() -> None:
    arm = qddot.load("two_link").with_values(m1=1.0, m2=1.0, l=1.0)
    with refusal(SimulationError, "law-raised", "a target of 3 numbers; expected 2, as in q"):
        arm.simulate([0, 0], duration=0.1, torque=laws.pd([1, 2, 3], 10, 1))


def test_a_payload_is_released_after_it_is_taken() -> None:
    for left in (0.2, 0.5):
        with refusal(SimulationError, "payload-released-before-taken", "0.5", str(left)):
            forces.Payload(2, taken=0.5, left=left)
    assert forces.Payload(2, taken=0.5, left=0.6).left == 0.6
    assert forces.Payload(2, taken=lambda t, q, qd: q[0], left=0.1).left == 0.1
