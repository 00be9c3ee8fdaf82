"""A linear quadratic regulator holds an arm at rest, also where some of its joints have no motor."""

from __future__ import annotations

from typing import Any

import numpy as np

from qddot.algebra.checked_arrays import finite, vector
from qddot.algebra.freedoms import refuse_several
from qddot.base.errors import SimulationError
from qddot.base.records import record
from qddot.machine.numeric.arm import NumericArm
from qddot.motion.simulate.laws.arms import checked_arm
from qddot.motion.simulate.laws.law import Law

NEAR = 1e-3  # rad or m from q0, within which an equilibrium counts as one at q0


@record(eq=False)
class _StateFeedback:
    """This law gives the torques of the motors, u = u0 − K (q − q0, q̇), and 0 in joints without one."""

    K: Any
    q0: Any
    u0: Any
    driven: list[int]

    def __call__(self, t: Any, q: Any, qd: Any) -> Any:
        u = self.u0 - self.K @ np.concatenate([q - self.q0, qd])
        tau = np.zeros(qd.shape, dtype=u.dtype)
        tau[self.driven] = u
        return tau


def lqr(arm: NumericArm, q0: Any, Q: Any, R: Any) -> Law:
    """Returns the law u = u0 − K (q − q0, q̇) that minimises ∫ xᵀQx + uᵀRu dt of the arm linearized about rest at q0.

    u, (m,), has the torques of the motors, which are those of `arm.driven`; the law returns all n torques, which are
    exactly 0 in joints without a motor. K = R⁻¹ Bᵀ P, (m, 2n), with the P of AᵀP + PA − PBR⁻¹BᵀP + Q = 0, A and B of
    `arm.linearize`; `law.K` has it.
    Q, R: (2n, 2n) and (m, m), or a number or a row for their diagonals
    raises SimulationError: weights of a wrong shape, an arm without motors or with quaternions, a q0 at which the
    motors cannot hold the arm at rest, to within a milliradian, or one where no feedback can stabilize it
    Source: Anderson & Moore, *Optimal Control*, 1990, §2.3.
    """
    from scipy.linalg import solve_continuous_are  # SciPy takes a while to load

    driven = list(checked_arm(arm).model.drives)
    if not driven:
        raise SimulationError("no-motors", where=arm.name)
    refuse_several(arm.model, "laws.lqr")
    where = vector(q0, "q0", arm.n, arm.model.coordinates)
    A, B = arm.linearize(where)
    sizes = ((Q, "Q", 2 * arm.n), (R, "R", len(driven)))
    weights = [_weight(value, what, size) for value, what, size in sizes]
    u0 = _holding(arm, where)
    try:
        P = solve_continuous_are(A, B, *weights)
    except (np.linalg.LinAlgError, ValueError) as error:
        raise SimulationError("not-stabilizable", problem=error) from None
    return _StateFeedback(np.linalg.solve(weights[1], B.T @ P), where, u0, driven)


def _holding(arm: NumericArm, q0: Any) -> Any:
    """Returns the motors' torques that hold the arm at rest at q0, (m,).

    raises SimulationError: a joint without a motor needs one, also at all positions within a milliradian or millimetre
    """
    model, still = arm.model, 0 * q0
    tau, slope = arm.bias(q0, still), arm.inverse_dynamics_derivatives(q0, still, still)[0]
    for name in model.passive:
        k = model.coordinates.index(name)
        if abs(tau[k]) > NEAR * np.abs(slope[k]).max():
            raise SimulationError(
                "no-rest-without-motor",
                where=arm.name,
                name=name,
                tau=f"{tau[k]:.3g}",
                unit="N m" if model.turning[k] else "N",
            )
    return tau[list(model.drives)]


def _weight(value: Any, what: str, size: int) -> Any:
    weight = finite(value, what)
    if weight.shape not in ((), (size,), (size, size)):
        raise SimulationError("weight-misshapen", what=what, shape=weight.shape, size=size)
    return weight if weight.ndim == 2 else np.diag(np.broadcast_to(weight, (size,)))
