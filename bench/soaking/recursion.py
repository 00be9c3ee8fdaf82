"""An independent judge: the recursion of Newton and Euler in the world's axes, in plain NumPy.

Everything is reckoned about the world's origin, in complex numbers where a derivative is wanted (complex step).
Beside each torque goes a bound: the same recursion over the norms of its parts, against which rounding is measured.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from soaking.links import Link, about

STEP = 1e-30  # of a complex derivative, which has no cancellation


@dataclass
class Motion:
    """Where a body is and how it moves, in the world's axes; at its frame's origin."""

    R: Any
    p: Any
    w: Any
    v: Any
    alpha: Any
    a: Any
    axis: Any
    point: Any  # on the joint's axis, after the motion
    speed: float = 0.0  # bounds of the norms of w, alpha and a
    turning: float = 0.0
    pace: float = 0.0


@dataclass
class Arm:
    """Links with numbers, the order of the coordinates, gravity and the tool."""

    links: list[Link]
    coordinates: list[str]
    gravity: Any
    tool: tuple[Any, Any]
    tool_body: int

    def inverse_dynamics(self, q: Any, qd: Any, qdd: Any, wrenches: Any = None, effects: bool = True) -> Any:
        return self.bounded(q, qd, qdd, wrenches, effects)[0]

    def bounded(self, q: Any, qd: Any, qdd: Any, wrenches: Any = None, effects: bool = True) -> tuple[Any, Any]:
        """Returns the torques and the bounds of what was added up to them."""
        bodies = self.motions(q, qd, qdd)
        force = [np.zeros(3, complex) for _ in bodies]
        moment = [np.zeros(3, complex) for _ in bodies]
        forced, bent = np.zeros(len(bodies)), np.zeros(len(bodies))
        tau, bound = np.zeros(len(q), complex), np.zeros(len(q))
        for k in reversed(range(len(bodies))):
            link, b = self.links[k], bodies[k]
            h, I, pull = b.R @ link.h, b.R @ link.I @ b.R.T, b.a - self.gravity
            f = link.m * pull + np.cross(b.alpha, h) + np.cross(b.w, np.cross(b.w, h))
            n = I @ b.alpha + np.cross(b.w, I @ b.w) + np.cross(h, pull)
            rate = b.turning + b.speed**2
            weight = b.pace + norm(self.gravity)
            lever, size = norm(link.h), norm(link.I)
            if wrenches is not None:
                f, n = f - b.R @ wrenches[k][:3], n - b.R @ wrenches[k][3:]
                forced[k] += norm(wrenches[k][:3])
                bent[k] += norm(wrenches[k][3:])
            force[k] += f
            moment[k] += n + np.cross(b.p, f)
            mine = abs(link.m) * weight + lever * rate
            forced[k] += mine
            bent[k] += size * rate + lever * weight + norm(b.p) * mine
            if link.parent >= 0:
                force[link.parent] += force[k]
                moment[link.parent] += moment[k]
                forced[link.parent] += forced[k]
                bent[link.parent] += bent[k]
            if link.coordinate is None:
                continue
            i = self.coordinates.index(link.coordinate)
            if link.turns:
                part = b.axis @ (moment[k] - np.cross(b.point, force[k]))
                large = bent[k] + norm(b.point) * forced[k]
            else:
                part, large = b.axis @ force[k], forced[k]
            tau[i] += link.ratio * part
            bound[i] += abs(link.ratio) * large
            if effects:
                spring = link.stiffness * (q[i] - link.rest)
                parts = (link.armature * qdd[i], link.viscous * qd[i], link.coulomb * np.sign(np.real(qd[i])), spring)
                tau[i] += sum(parts)
                bound[i] += sum(map(abs, parts)) + abs(link.stiffness) * (abs(q[i]) + abs(link.rest))
        return tau if np.iscomplexobj(np.asarray([*q, *qd, *qdd])) else tau.real, bound

    def motions(self, q: Any, qd: Any, qdd: Any) -> list[Motion]:
        none = np.zeros(3, complex)
        ground = Motion(np.eye(3, dtype=complex), none, none, none, none, none, none, none)
        found: list[Motion] = []
        for link in self.links:
            above = ground if link.parent < 0 else found[link.parent]
            R, axis = above.R @ link.R, above.R @ link.R @ link.axis
            x, dx, ddx = 0.0, 0.0, 0.0
            if link.coordinate is not None:
                i = self.coordinates.index(link.coordinate)
                x, dx, ddx = link.ratio * q[i], link.ratio * qd[i], link.ratio * qdd[i]
            point = above.p + above.R @ link.p
            slides = not link.turns and link.coordinate is not None
            if slides:
                point = point + axis * x
            r = point - above.p
            w, alpha, v = above.w, above.alpha, above.v + np.cross(above.w, r)
            a = above.a + np.cross(above.alpha, r) + np.cross(above.w, np.cross(above.w, r))
            speed, turning = above.speed, above.turning
            pace = above.pace + (turning + speed**2) * (norm(above.R @ link.p) + abs(x if slides else 0))
            if slides:
                v = v + axis * dx
                a = a + axis * ddx + 2 * np.cross(w, axis) * dx
                pace += abs(ddx) + 2 * speed * abs(dx)
            elif link.turns:
                R = R @ about(link.axis, x)
                alpha = alpha + axis * ddx + np.cross(w, axis) * dx
                w = w + axis * dx
                turning += abs(ddx) + speed * abs(dx)
                speed += abs(dx)
            r = R @ link.offset_p
            p, v = point + r, v + np.cross(w, r)
            a = a + np.cross(alpha, r) + np.cross(w, np.cross(w, r))
            pace += (turning + speed**2) * norm(r)
            found.append(Motion(R @ link.offset_R, p, w, v, alpha, a, axis, point, speed, turning, pace))
        return found

    def mass_matrix(self, q: Any) -> Any:
        """Columns of inverse dynamics without gravity and effects, and the armature."""
        n, still = len(q), np.zeros(len(q))
        light = Arm(self.links, self.coordinates, np.zeros(3), self.tool, self.tool_body)
        M = np.array([light.inverse_dynamics(q, still, np.eye(n)[i], effects=False) for i in range(n)]).T
        return M + np.diag(self.sums("armature"))

    def sums(self, effect: str) -> Any:
        """One effect's coefficient for each coordinate."""
        found = np.zeros(len(self.coordinates))
        for link in self.links:
            if link.coordinate is not None:
                found[self.coordinates.index(link.coordinate)] += getattr(link, effect)
        return found

    def gravity_torques(self, q: Any) -> Any:
        still = np.zeros(len(q))
        return self.inverse_dynamics(q, still, still, effects=False)

    def energies(self, q: Any, qd: Any) -> tuple[float, float]:
        """Kinetic energy with the armature, and the potential energy of gravity."""
        kinetic, potential = float(self.sums("armature") @ np.square(qd)) / 2, 0.0
        for link, b in zip(self.links, self.motions(q, qd, np.zeros(len(q))), strict=True):
            R, p, w, v = b.R.real, b.p.real, b.w.real, b.v.real
            h = R @ link.h
            kinetic += float(link.m * v @ v / 2 + v @ np.cross(w, h) + w @ (R @ link.I @ R.T) @ w / 2)
            potential -= float((link.m * p + h) @ self.gravity)
        return kinetic, potential

    def pose(self, q: Any, body: int | None) -> Any:
        """T of a body's frame, or of the tool's for None."""
        still = np.zeros(len(q))
        b = self.motions(q, still, still)[self.tool_body if body is None else body]
        R, p = b.R, b.p
        if body is None:
            R, p = R @ self.tool[0], p + R @ self.tool[1]
        T = np.eye(4, dtype=complex)
        T[:3, :3], T[:3, 3] = R, p
        return T if np.iscomplexobj(np.asarray(q)) else T.real

    def jacobian(self, q: Any, body: int | None) -> Any:
        """By complex steps of the pose: ṗ, and the rotation vector of Ṙ Rᵀ."""
        J = np.zeros((6, len(q)))
        R = self.pose(q, body)[:3, :3]
        for i in range(len(q)):
            T = self.pose(stepped(q, i), body).imag / STEP
            W = T[:3, :3] @ R.T
            J[:, i] = [*T[:3, 3], W[2, 1], W[0, 2], W[1, 0]]
        return J

    def derivatives(self, q: Any, qd: Any, qdd: Any) -> tuple[Any, Any]:
        """(∂τ/∂q, ∂τ/∂q̇) by complex steps."""
        each = range(len(q))
        by_q = [self.inverse_dynamics(stepped(q, i), qd, qdd).imag / STEP for i in each]
        by_qd = [self.inverse_dynamics(q, stepped(qd, i), qdd).imag / STEP for i in each]
        return np.array(by_q).T, np.array(by_qd).T


def stepped(values: Any, i: int) -> Any:
    moved = np.array(values, dtype=complex)
    moved[i] += 1j * STEP
    return moved


def norm(array: Any) -> float:
    return float(np.sqrt(np.sum(np.abs(array) ** 2)))
