"""These torque laws τ(t, q, q̇) and trajectories of joints are ready for use, each with its source.

All take numbers as well as signals, so that `arm.simulate(..., torque=law)` compiles them with
the arm; `law(t, q, qd)` returns their numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from qddot.errors import SimulationError, shortened
from qddot.numeric.arm import NumericArm
from qddot.simulate.elementary import clip, maximum, minimum
from qddot.simulate.law_calls import Law

STEEP = 1e9  # slope of the ramps that replace jumps, per duration
Trajectory = Callable[[Any], tuple[Any, Any, Any]]


@dataclass(frozen=True)
class TimedTrajectory:
    """This is a trajectory of joints: `motion(t)` returns (q, q̇, q̈) at t [s]; it is at rest outside 0 … duration."""

    duration: float
    at: Trajectory

    def __call__(self, t: Any) -> tuple[Any, Any, Any]:
        return self.at(t)


def quintic(start: Any, end: Any, duration: float) -> TimedTrajectory:
    """Returns the motion from rest at `start` to rest at `end` [rad or m] in `duration` seconds, without a jump of q̈.

    q = q0 + (q1 − q0)(10 s³ − 15 s⁴ + 6 s⁵) with s = t / duration.
    raises SimulationError: ends of different shapes, or no duration
    Source: Lynch & Park, *Modern Robotics*, 2017, §9.2.2.
    """
    q0, move, T = _ends(start, end, duration)

    def at(t: Any) -> tuple[Any, Any, Any]:
        s = clip(t * (1 / T), 0.0, 1.0)
        s2 = s * s
        position = s2 * s * (10 + s * (s * 6 - 15))
        speed = s2 * (30 + s * (s * 30 - 60)) * (1 / T)
        acceleration = s * (60 + s * (s * 120 - 180)) * (1 / T**2)
        return q0 + move * position, move * speed, move * acceleration

    return TimedTrajectory(T, at)


def trapezoidal(start: Any, end: Any, duration: float, blend: float = 0.25) -> TimedTrajectory:
    """Returns the motion from rest to rest with a constant speed between two parabolic blends.

    blend: each blend's part of the duration; the acceleration jumps at the blends' ends
    raises SimulationError: a blend beyond (0, 1/2]; else as in `quintic`
    Source: Lynch & Park 2017, §9.2.2.2; Siciliano et al., *Robotics*, 2009, §4.2.1.
    """
    q0, move, T = _ends(start, end, duration)
    if isinstance(blend, bool) or not isinstance(blend, int | float) or not 0 < blend <= 0.5:
        raise SimulationError(f"blend = {shortened(blend)}", expected="more than 0, at most 1/2")
    speed = 1 / (1 - blend)

    def at(t: Any) -> tuple[Any, Any, Any]:
        s = clip(t * (1 / T), 0.0, 1.0)
        first, last = minimum(s, blend), maximum(s - (1 - blend), 0.0)
        middle = s - first - last
        v = (first - last) * (speed / blend)
        position = (first * first - last * last) * (speed / (2 * blend)) + (middle + last) * speed
        # 1 during a blend: steep ramps replace the jumps
        rising = clip((blend - s) * STEEP, 0.0, 1.0) * clip(t * (STEEP / T), 0.0, 1.0)
        falling = clip((s - (1 - blend)) * STEEP, 0.0, 1.0) * clip((1 - t * (1 / T)) * STEEP, 0.0, 1.0)
        a = (rising - falling) * (speed / blend / T**2)
        return q0 + move * position, move * v * (1 / T), move * a

    return TimedTrajectory(T, at)


def pd(target: Any, kp: Any, kd: Any) -> Law:
    """Returns the law τ = Kp (q_d − q) + Kd (q̇_d − q̇) of springs and dampers towards a target.

    target: q_d as numbers [rad or m], or a trajectory; kp, kd: gains, one number or one for each joint
    raises SimulationError: gains below 0, or numbers that are not finite
    Source: Siciliano et al., *Robotics*, 2009, §8.5.1.
    """
    kp, kd, wanted = _gain(kp, "kp"), _gain(kd, "kd"), _target(target)

    def law(t: Any, q: Any, qd: Any) -> Any:
        where, rate, _ = wanted(t)
        return kp * (where - q) + kd * (rate - qd)

    return law


def pd_gravity(arm: NumericArm, target: Any, kp: Any, kd: Any) -> Law:
    """Returns the law τ = Kp (q_d − q) + Kd (q̇_d − q̇) + G(q) with G of the given arm; arguments as in `pd`.

    Source: Takegaki & Arimoto, "A new feedback method for dynamic control of manipulators", 1981.
    """
    plain = pd(target, kp, kd)
    _check_arm(arm)
    return lambda t, q, qd: plain(t, q, qd) + arm.gravity(q)


def computed_torque(arm: NumericArm, target: Any, kp: Any, kd: Any) -> Law:
    """Returns the law τ = M(q)(q̈_d + Kd ė + Kp e) + h + G + springs + friction with e = q_d − q, of the given arm.

    Arguments are those of `pd`; the target is usually a trajectory.
    Source: Lynch & Park 2017, §11.4.2; Luh, Walker & Paul, "Resolved-acceleration control", 1980.
    """
    kp, kd, wanted = _gain(kp, "kp"), _gain(kd, "kd"), _target(target)
    _check_arm(arm)

    def law(t: Any, q: Any, qd: Any) -> Any:
        where, rate, acceleration = wanted(t)
        return arm.inverse_dynamics(q, qd, acceleration + kd * (rate - qd) + kp * (where - q))

    return law


def limited(law: Law, effort: Any) -> Law:
    """Returns the same law with every torque kept within ±effort [N·m or N]."""
    most = _gain(effort, "effort")
    return lambda t, q, qd: clip(np.asarray(law(t, q, qd)), -most, most)


def _check_arm(arm: Any) -> None:
    """Raises SimulationError for what is no arm."""
    if not isinstance(arm, NumericArm):
        raise SimulationError(f"a law over {shortened(arm)}", expected="an arm, as qddot.load gives")


def _target(target: Any) -> Trajectory:
    if callable(target):
        return target  # type: ignore[no-any-return]
    where = _numbers(target, "target")
    still = np.zeros_like(where)
    return lambda t: (where, still, still)


def _ends(start: Any, end: Any, duration: Any) -> tuple[Any, Any, float]:
    q0, q1 = _numbers(start, "start"), _numbers(end, "end")
    if q0.shape != q1.shape and 0 not in (q0.ndim, q1.ndim):
        raise SimulationError(f"start and end have the shapes {q0.shape} and {q1.shape}", expected="the same")
    if isinstance(duration, bool) or not isinstance(duration, int | float) or not 0 < duration < np.inf:
        raise SimulationError(f"duration = {shortened(duration)}", expected="seconds, more than 0")
    return q0, q1 - q0, float(duration)


def _gain(value: Any, what: str) -> Any:
    numbers = _numbers(value, what)
    if (numbers < 0).any():
        raise SimulationError(f"{what} is {numbers.min():g}", expected="numbers from 0 on")
    return numbers


def _numbers(value: Any, what: str) -> Any:
    try:
        numbers = np.array(value, dtype=float)
    except (TypeError, ValueError):
        raise SimulationError(f"{what} is {shortened(value)}", expected="numbers") from None
    if not np.isfinite(numbers).all():
        raise SimulationError(f"{what} has entries that are not finite", expected="finite numbers")
    return numbers
