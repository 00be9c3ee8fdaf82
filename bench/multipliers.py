"""Computes how a linkage moves by Lagrange multipliers: M, the bias and the rows of A are MuJoCo's, the rest NumPy's.

MuJoCo's own accelerations are of a soft constraint, and are not used. Velocities are those of qddot: a free body's is
along its own axes, while MuJoCo has it along the world's.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import mujoco
import numpy as np

KEPT = 1e-9  # a singular value of A, relative to the largest one, that counts in its rank
STEP = 4e-3  # of the differences for Ȧ [rad or m, of the fastest joint]
WEIGHTS = ((1, 3 / 4), (2, -3 / 20), (3, 1 / 60))  # of the sixth order


class Facts(NamedTuple):
    """M q̈ + bias = τ + Aᵀ λ and A q̈ + drift = 0, at a state. apart: how far loops are open [m]"""

    M: Any
    bias: Any
    A: Any
    drift: Any
    apart: float

    def split(self) -> tuple[Any, Any, float]:
        """The motions that A allows, as columns; A's pseudo-inverse; and the ratio of singular values at its rank."""
        U, sizes, rows = np.linalg.svd(self.A)
        rank = int((sizes > KEPT * sizes[0]).sum())
        dropped = max([1e-16 * sizes[0], *sizes[rank:]])
        return rows[rank:].T, rows[:rank].T / sizes[:rank] @ U[:, :rank].T, sizes[rank - 1] / dropped

    def accelerations(self, tau: Any) -> Any:
        """q̈ = particular one + motions that A allows, by the equations of motion along these."""
        Z, inverse, _ = self.split()
        particular = -inverse @ self.drift
        return particular + Z @ np.linalg.solve(Z.T @ self.M @ Z, Z.T @ (tau - self.bias - self.M @ particular))


class Peer:
    """A model of MuJoCo with equality constraints."""

    def __init__(self, mjcf: str) -> None:
        self.model = mujoco.MjModel.from_xml_string(mjcf)
        self.model.opt.jacobian = mujoco.mjtJacobian.mjJAC_DENSE
        self.data = mujoco.MjData(self.model)
        free = [k for k, kind in enumerate(self.model.jnt_type) if kind == mujoco.mjtJoint.mjJNT_FREE]
        self.free = [(self.model.jnt_qposadr[k], self.model.jnt_dofadr[k]) for k in free]

    def facts(self, q: Any, qd: Any) -> Facts:
        nv = self.model.nv
        T, slope = np.eye(nv), np.zeros(nv)  # v' = T ν and v̇' = T ν̇ + slope
        for at, dof in self.free:
            entries = np.zeros(9)
            mujoco.mju_quat2Mat(entries, q[at + 3 : at + 7])
            R = entries.reshape(3, 3)
            T[dof : dof + 3, dof : dof + 3] = R
            slope[dof : dof + 3] = R @ np.cross(qd[dof + 3 : dof + 6], qd[dof : dof + 3])
        v = T @ qd
        step = STEP / max(1.0, np.abs(v).max())
        slopes = (w * (self._rows(q, v, k * step)[0] - self._rows(q, v, -k * step)[0]) for k, w in WEIGHTS)
        turned = sum(slopes) @ v / step
        A, apart = self._rows(q, v, 0.0)
        mujoco.mj_fwdVelocity(self.model, self.data)
        M = np.zeros((nv, nv))
        mujoco.mj_fullM(self.model, self.data, M)
        bias = self.data.qfrc_bias - self.data.qfrc_passive + M @ slope
        return Facts(T.T @ M @ T, T.T @ bias, A @ T, turned + A @ slope, apart)

    def _rows(self, q: Any, v: Any, time: float) -> tuple[Any, float]:
        """The rows of all equalities after some time at these velocities, and the largest residual."""
        data = self.data
        data.qpos[:], data.qvel[:] = q, v
        mujoco.mj_integratePos(self.model, data.qpos, v, time)
        mujoco.mj_fwdPosition(self.model, data)
        equal = data.efc_type == mujoco.mjtConstraint.mjCNSTR_EQUALITY
        return data.efc_J.reshape(-1, self.model.nv)[equal].copy(), float(np.abs(data.efc_pos[equal]).max(initial=0))
