"""These torque laws τ(t, q, q̇) and trajectories of joints are ready for use, each with its source.

A law without a state returns torques for numbers, `law(t, q, qd)`; one with a state z returns (τ, ż) for
`law(t, q, qd, z)`. `arm.simulate(..., torque=law)` calls it with symbols instead, and so compiles it with the arm. Laws
can be pickled.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, overload

import numpy as np

from qddot.algebra.checked_arrays import finite, gains
from qddot.base.checked import real
from qddot.base.errors import SimulationError, shortened
from qddot.base.records import record
from qddot.base.words.message import say
from qddot.machine.numeric.arm import NumericArm
from qddot.motion.simulate.laws.arms import checked_arm, driven_arm
from qddot.motion.simulate.laws.elementary import clip
from qddot.motion.simulate.laws.law import Law, Made, made
from qddot.motion.simulate.laws.regulator import lqr
from qddot.motion.simulate.laws.sampling import sampled
from qddot.motion.simulate.laws.trajectories import TimedTrajectory, quintic, trapezoidal, waypoints

__all__ = [
    "TimedTrajectory",
    "adaptive",
    "computed_torque",
    "filtered",
    "impedance",
    "limited",
    "lqr",
    "made",
    "momentum_observer",
    "operational_space",
    "pd",
    "pd_desired_gravity",
    "pd_gravity",
    "pid",
    "quintic",
    "sampled",
    "trapezoidal",
    "waypoints",
]
Trajectory = Callable[[Any], tuple[Any, Any, Any]]


def check_target(where: Any, q: Any, qd: Any) -> None:
    """Raises SimulationError unless q_d − q has an entry for each velocity."""
    (size,), (rates,) = np.shape(q)[-1:], np.shape(qd)[-1:]
    if size != rates:
        raise SimulationError("law-subtracts-quaternions", size=size, rates=rates)
    if np.shape(where)[-1:] not in ((), (1,), (size,)):
        raise SimulationError("target-of-another-size", count=len(where), size=size)


def _check_gains(size: int, **given: Any) -> None:
    """Raises SimulationError unless each gain is one number, or has an entry for each of `size` errors."""
    for name, gain in given.items():
        if np.shape(gain)[-1:] not in ((), (1,), (size,)):
            raise SimulationError("gain-of-another-size", name=name, count=np.shape(gain)[-1], size=size)


def _check_damped(kd: Any) -> None:
    """Raises SimulationError unless each kd is positive."""
    if not float(np.min(kd)) > 0:
        raise SimulationError("kd-is-zero")


@record(eq=False)
class _Still:
    """This target does not move."""

    where: Any

    def __call__(self, t: Any) -> tuple[Any, Any, Any]:
        return self.where, 0 * self.where, 0 * self.where


@record(eq=False)
class _PD:
    target: Trajectory
    kp: Any
    kd: Any

    def __call__(self, t: Any, q: Any, qd: Any) -> Any:
        where, rate, _ = self.target(t)
        check_target(where, q, qd)
        _check_gains(len(qd), kp=self.kp, kd=self.kd)
        return self.kp * (where - q) + self.kd * (rate - qd)


def pd(target: Any, kp: Any, kd: Any) -> Law:
    """Returns the law τ = Kp (q_d − q) + Kd (q̇_d − q̇) of springs and dampers towards a target.

    target: q_d as numbers [rad or m], or a trajectory; kp, kd: gains, one number or one for each joint, 0 for a joint
    that has no motor
    raises SimulationError: gains below 0, or numbers that are not finite
    Source: Siciliano et al., *Robotics*, 2009, §8.5.1.
    """
    return _PD(_target(target), gains(kp, "kp"), gains(kd, "kd"))


@record(eq=False)
class _PDGravity(_PD):
    arm: NumericArm

    def __call__(self, t: Any, q: Any, qd: Any) -> Any:
        return super().__call__(t, q, qd) + self.arm.gravity(q)


def pd_gravity(arm: NumericArm, target: Any, kp: Any, kd: Any) -> Law:
    """Returns the law τ = Kp (q_d − q) + Kd (q̇_d − q̇) + G(q) with G of the given arm; arguments as in `pd`.

    raises SimulationError: as `pd`, or a joint without a motor, whose weight the law would have to carry
    Source: Takegaki & Arimoto, "A new feedback method for dynamic control of manipulators", 1981.
    """
    return _PDGravity(_target(target), gains(kp, "kp"), gains(kd, "kd"), driven_arm(arm))


@record(eq=False)
class _PDDesiredGravity(_PD):
    arm: NumericArm

    def __call__(self, t: Any, q: Any, qd: Any) -> Any:
        return super().__call__(t, q, qd) + self.arm.gravity(self.target(t)[0])


def pd_desired_gravity(arm: NumericArm, target: Any, kp: Any, kd: Any) -> Law:
    """Returns the law τ = Kp (q_d − q) + Kd (q̇_d − q̇) + G(q_d), whose gains are proved to hold an arm at a target.

    G is computed at the target alone. If the least kp exceeds ‖∂G/∂q‖ in every pose and all kd are positive, an arm
    without dry friction comes to rest at a fixed target from every state. That norm is bounded with a proof, as by
    `arm.bounds`. Other arguments as in `pd`
    raises SimulationError: gains for which this is not proved, springs, a joint that slides, one without a motor, or a
    proof that takes longer than ten seconds
    Source: Kelly, Santibáñez & Loría, *Control of Robot Manipulators in Joint Space*, 2005, ch. 8.
    """
    law = _PDDesiredGravity(_target(target), gains(kp, "kp"), gains(kd, "kd"), driven_arm(arm))
    from qddot.proof.bounds.constants import gravity_slope

    least, slope = float(np.min(law.kp)), gravity_slope(arm.model)
    if not least > slope:
        raise SimulationError("kp-below-its-bound", least=f"{least:g}", slope=f"{slope:.6g}")
    _check_damped(law.kd)
    return law


@record(eq=False)
class _PID(_PD):
    ki: Any

    def z0(self, q0: Any, qd0: Any) -> Any:
        """Returns an integral of zero for each joint."""
        return 0 * q0

    def __call__(self, t: Any, q: Any, qd: Any, z: Any) -> Any:  # type: ignore[override]
        where, _, _ = self.target(t)
        _check_gains(len(qd), ki=self.ki)
        return super().__call__(t, q, qd) + self.ki * z, where - q


def pid(target: Any, kp: Any, ki: Any, kd: Any) -> Law:
    """Returns the law τ = Kp e + Ki ∫ e dt + Kd ė with e = q_d − q; its state z is the integral. Arguments as in `pd`.

    Source: Siciliano et al. 2009, §8.3; Åström & Murray, *Feedback Systems*, 2021, §11.1.
    """
    return _PID(_target(target), gains(kp, "kp"), gains(kd, "kd"), gains(ki, "ki"))


@record(eq=False)
class _ComputedTorque(_PDGravity):
    def __call__(self, t: Any, q: Any, qd: Any) -> Any:
        where, rate, acceleration = self.target(t)
        check_target(where, q, qd)
        _check_gains(len(qd), kp=self.kp, kd=self.kd)
        return self.arm.inverse_dynamics(q, qd, acceleration + self.kd * (rate - qd) + self.kp * (where - q))


def computed_torque(arm: NumericArm, target: Any, kp: Any, kd: Any) -> Law:
    """Returns the law τ = M(q)(q̈_d + Kd ė + Kp e) + h + G + springs + friction with e = q_d − q, of the given arm.

    Arguments are those of `pd`; the target is usually a trajectory.
    raises SimulationError: as `pd`, or a joint without a motor, whose torque the law would need
    Source: Lynch & Park 2017, §11.4.2; Luh, Walker & Paul, "Resolved-acceleration control", 1980.
    """
    return _ComputedTorque(_target(target), gains(kp, "kp"), gains(kd, "kd"), driven_arm(arm))


@record(eq=False)
class _Adaptive:
    arm: NumericArm
    target: Trajectory
    slope: Any
    kd: Any
    adaptation: Any
    columns: tuple[bool, bool]

    def z0(self, q0: Any, qd0: Any) -> Any:
        """Returns a change of zero for each parameter."""
        return np.zeros(len(self.arm.dynamic_parameters(*self.columns)))

    def __call__(self, t: Any, q: Any, qd: Any, z: Any) -> Any:
        where, rate, acceleration = self.target(t)
        check_target(where, q, qd)
        _check_gains(len(qd), slope=self.slope, kd=self.kd)
        qd_r, qdd_r = rate + self.slope * (where - q), acceleration + self.slope * (rate - qd)
        s, Y = qd - qd_r, self.arm.slotine_regressor(q, qd, qd_r, qdd_r, *self.columns)
        return self.arm.slotine_torque(q, qd, qd_r, qdd_r) + Y @ z - self.kd * s, -self.adaptation * (Y.T @ s)


def adaptive(
    arm: NumericArm,
    target: Any,
    slope: Any,
    kd: Any,
    adaptation: Any,
    armature: bool = False,
    friction: bool = False,
) -> Law:
    """Returns the law τ = M q̈_r + C q̇_r + G + springs + friction + Y z − Kd s of Slotine and Li, which learns a load.

    With e = q_d − q, q̇_r = q̇_d + Λ e and s = q̇ − q̇_r, its state ż = −Γ Yᵀ s is a change of the arm's dynamic
    parameters π, which starts at zero; Y is `slotine_regressor`. For every arm with other π, s tends to zero, since
    V = ½ sᵀ M s + ½ z̃ᵀ Γ⁻¹ z̃ has the rate −sᵀ Kd s: Ṁ − 2C is skew. z need not become the true change.

    arm: the model, whose joints all have motors; target: as in `pd`, usually a trajectory; slope: Λ [1/s]
    kd: [N·m·s/rad or N·s/m]; adaptation: Γ, one number or one for each entry of π, 0 for those that are known
    armature, friction: also adapts these parameters of the joints, as in `regressor`
    raises SimulationError: as `computed_torque`, a Kd that is not above 0, a Λ or Γ that is below 0, or a Γ of
    another number of entries than π
    Source: Slotine & Li, "On the adaptive control of robot manipulators", IJRR 6, 1987.
    """
    columns = (bool(armature), bool(friction))
    count, rates = len(driven_arm(arm).dynamic_parameters(*columns)), gains(adaptation, "adaptation")
    if np.shape(rates) not in ((), (1,), (count,)):
        raise SimulationError("adaptation-of-another-size", count=count, size=len(rates))
    law = _Adaptive(arm, _target(target), gains(slope, "slope"), gains(kd, "kd"), rates, columns)
    _check_damped(law.kd)
    return law


@record(eq=False)
class _InSpace(_PDGravity):
    """This law controls the position of a body's origin."""

    body: int | str | None

    def _position(self, q: Any, qd: Any) -> tuple[Any, Any, Any]:
        """Returns x, ẋ and J of the origin."""
        J = self.arm.jacobian(q, self.body)[:3]
        return self.arm.forward_kinematics(q, self.body)[:3, 3], J @ qd, J


@record(eq=False)
class _Impedance(_InSpace):
    def __call__(self, t: Any, q: Any, qd: Any) -> Any:
        where, rate, _ = self.target(t)
        _check_gains(3, stiffness=self.kp, damping=self.kd)
        x, v, J = self._position(q, qd)
        return J.T @ (self.kp * (where - x) + self.kd * (rate - v)) + self.arm.gravity(q)


def impedance(arm: NumericArm, target: Any, stiffness: Any, damping: Any, body: int | str | None = "tool") -> Law:
    """Returns the law τ = Jᵀ (K (x_d − x) + D (ẋ_d − ẋ)) + G: a spring and a damper act on the body's origin.

    target: x_d, three numbers [m], or a trajectory of them; stiffness [N/m], damping [N·s/m]: one number or three,
    along the world's axes; body: as in `forward_kinematics`
    raises SimulationError: as `pd`, or a joint without a motor
    Source: Hogan, "Impedance control: an approach to manipulation", 1985; Siciliano et al. 2009, §9.2.
    """
    return _Impedance(_target(target), gains(stiffness, "stiffness"), gains(damping, "damping"), driven_arm(arm), body)


@record(eq=False)
class _OperationalSpace(_InSpace):
    axes: tuple[int, ...]

    def __call__(self, t: Any, q: Any, qd: Any) -> Any:
        picked = list(self.axes)
        _check_gains(len(picked), kp=self.kp, kd=self.kd)
        where, rate, acceleration = (np.asarray(part)[picked] for part in self.target(t))
        x, v, J = (part[picked] for part in self._position(q, qd))
        task = " ".join("xyz"[k] for k in picked)
        inertia, mu, p = self.arm.operational_space(q, qd, self.body, task)
        commanded = acceleration + self.kd * (rate - v) + self.kp * (where - x)
        return J.T @ (inertia @ commanded + mu + p)


def operational_space(
    arm: NumericArm, target: Any, kp: Any, kd: Any, body: int | str | None = "tool", axes: str = "x y z"
) -> Law:
    """Returns the law τ = Jᵀ (Λ (ẍ_d + Kd ė + Kp e) + μ + p) with e = x_d − x of a body's origin, along some axes.

    On an arm without friction and springs the errors obey ë + Kd ė + Kp e = 0, with gains for each axis. Motions that
    leave x unchanged are not controlled: damp them.
    target: x_d, three numbers [m], or a trajectory of them; axes: "x y z", or some of them
    raises SimulationError: other axes, or a joint without a motor; else as in `pd`
    Source: Khatib, "A unified approach for motion and force control", 1987.
    """
    names = axes.split() if isinstance(axes, str) else []
    if not names or not set(names) <= set("xyz") or len(set(names)) < len(names):
        raise SimulationError("axes-not-xyz", axes=shortened(axes))
    picked = tuple("xyz".index(name) for name in names)
    return _OperationalSpace(_target(target), gains(kp, "kp"), gains(kd, "kd"), driven_arm(arm), body, picked)


@record(eq=False)
class _Limited:
    law: Law
    effort: Any

    def __call__(self, t: Any, q: Any, qd: Any, *z: Any) -> Any:
        answer = self.law(t, q, qd, *z)
        torque, *rates = answer if z else (answer,)
        limited_torque = clip(np.asarray(torque), -self.effort, self.effort)
        return (limited_torque, *rates) if z else limited_torque

    def __getattr__(self, name: str) -> Any:
        # the state that the law inside declares
        if name in ("z0", "discrete"):
            return getattr(self.law, name)
        raise AttributeError(name)


@overload
def limited(law: Law, effort: Any) -> Law: ...
@overload
def limited(law: Made, effort: Any) -> Made: ...
def limited(law: Law | Made, effort: Any) -> Law | Made:
    """Returns the same law with every torque kept within ±effort [N·m or N].

    For a law of `laws.made`, the result is such a law, too.

    raises SimulationError: an effort below 0, a sampled law, or a law that is neither a function nor `laws.made`
    """
    most = gains(effort, "effort")
    if isinstance(law, Made):
        return law.inside(partial(limited, effort=most))
    if not callable(law):
        raise SimulationError("limits-of-no-function", law=shortened(law))
    return _Limited(law, most)


@record(eq=False)
class _Filtered:
    law: Law
    time: float

    def z0(self, q0: Any, qd0: Any) -> Any:
        """Returns the state at the start: zero torques."""
        return 0 * q0

    def __call__(self, t: Any, q: Any, qd: Any, z: Any) -> Any:
        return z, (np.asarray(self.law(t, q, qd)) - z) * (1 / self.time)


@overload
def filtered(law: Law, time: float) -> Law: ...
@overload
def filtered(law: Made, time: float) -> Made: ...
def filtered(law: Law | Made, time: float) -> Law | Made:
    """Returns a law whose torques lag behind those of another, T τ̇ + τ = law(t, q, q̇), as in motors. Its state is τ.

    law: the other law, a function or one of `laws.made`; time: T [s]
    raises SimulationError: no positive time, a law with a state of its own
    """
    T = real(time, "time", 0, above=True, of=say("in-seconds"), error=SimulationError)
    if isinstance(law, Made):
        return law.inside(partial(filtered, time=T))
    return _Filtered(_stateless(law), T)


@record(eq=False)
class MomentumObserver:
    """This law has an observer that estimates external torques; `residual(run)` returns them.

    Its state z follows the momentum p = M q̇: ż = τ + Ṁ q̇ − bias + r with r = K (p − z), so that ṙ = K (τ_ext − r).
    """

    arm: NumericArm
    law: Law
    gain: Any

    def z0(self, q0: Any, qd0: Any) -> Any:
        """Returns p at the start."""
        return self.arm.momentum(q0, qd0)

    def __call__(self, t: Any, q: Any, qd: Any, z: Any) -> Any:
        tau, C = np.asarray(self.law(t, q, qd)), self.arm.coriolis_matrix(q, qd)
        r = self.gain * (self.arm.momentum(q, qd) - z)
        return tau, tau + (C + C.T) @ qd - self.arm.bias(q, qd) + r

    def residual(self, run: Any) -> Any:
        """Returns r [N·m or N] at the samples of a run with this law, shaped as `run.qd`."""
        return self.gain * (self.arm.momentum(run.q, run.qd) - run.z)


def momentum_observer(arm: NumericArm, law: Law, gain: Any) -> MomentumObserver:
    """Returns a law that gives the torques of `law` and observes external torques.

    `observer.residual(run)` is the estimate r of the external torques, with ṙ = K (τ_ext − r); gain: K [1/s]

    raises SimulationError: a gain below 0, a law with a state of its own
    Source: De Luca, Albu-Schäffer, Haddadin, Hirzinger, "Collision detection and safe reaction", 2006.
    """
    return MomentumObserver(checked_arm(arm), _stateless(law), gains(gain, "gain"))


def _stateless(law: Any) -> Law:
    if isinstance(law, Made):  # an observer has the method `residual`, which a factory lacks
        raise SimulationError("observer-of-a-made-law")
    if not callable(law) or getattr(law, "z0", None) is not None:
        raise SimulationError("law-with-a-state", law=shortened(law))
    return law  # type: ignore[no-any-return]


def _target(target: Any) -> Trajectory:
    if callable(target):
        trajectory: Trajectory = target
        return trajectory
    where = finite(target, "target")
    if where.ndim > 1 or not where.size:
        raise SimulationError("target-misshapen", shape=where.shape)
    return _Still(where)
