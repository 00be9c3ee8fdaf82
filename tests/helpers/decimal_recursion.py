"""Newton and Euler's equations in the base's axes with mpmath, from the description in a file of vectors alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from mpmath import MPContext

mp = MPContext()  # its own precision: no other test changes it
mp.dps = 90
eye, matrix, mpf, sign, zeros = mp.eye, mp.matrix, mp.mpf, mp.sign, mp.zeros
STEP = mpf(10) ** -27  # of central differences, whose error is about its square


def column(entries: Sequence[Any]) -> Any:
    return matrix([mpf(entry) for entry in entries])


def rows(entries: Sequence[Sequence[Any]]) -> Any:
    return matrix([[mpf(entry) for entry in row] for row in entries])


def skew(w: Any) -> Any:
    return matrix([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]])


def cross(a: Any, b: Any) -> Any:
    return skew(a) * b


def about(axis: Any, angle: Any) -> Any:
    """Rodrigues' formula."""
    K = skew(axis)
    return eye(3) + K * mp.sin(angle) + K * K * (1 - mp.cos(angle))


def of_quaternion(e: Sequence[Any]) -> Any:
    """R = 1 + 2 w [u] + 2 [u]²."""
    K = skew(column(e[1:]))
    return eye(3) + K * (2 * mpf(e[0])) + K * K * 2


def motion(joint: Mapping[str, Any], q: Mapping[str, Any]) -> tuple[Any, Any, Any]:
    """Rotation and displacement of a joint along its own axes, and its unit twists along those of its child."""
    axis = column(joint["axis"]) * mpf(joint["ratio"])
    place = [mpf(q[name]) for name in joint["positions"]]
    if joint["type"] == "prismatic":
        return eye(3), axis * place[0], [(zeros(3, 1), axis)]
    if joint["type"] in ("revolute", "continuous"):
        return about(column(joint["axis"]), place[0] * mpf(joint["ratio"])), zeros(3, 1), [(axis, zeros(3, 1))]
    units = [eye(3)[:, k] for k in range(3)]
    spins, slides = [(unit, zeros(3, 1)) for unit in units], [(zeros(3, 1), unit) for unit in units]
    if joint["type"] == "spherical":
        return of_quaternion(place), zeros(3, 1), spins
    if joint["type"] == "free":
        return of_quaternion(place[3:]), column(place[:3]), slides + spins
    return eye(3), zeros(3, 1), []


def combined(twists: Any, rates: Sequence[Any]) -> tuple[Any, Any]:
    spin = slide = zeros(3, 1)
    for (w, v), rate in zip(twists, rates, strict=True):
        spin, slide = spin + w * rate, slide + v * rate
    return spin, slide


class Recursion:
    """The equations of one robot. States map the names of positions or velocities to numbers."""

    def __init__(self, robot: Mapping[str, Any]) -> None:
        self.velocities = robot["velocities"]
        self.gravity = column(robot["description"]["gravity"])
        self.bodies = robot["description"]["bodies"]

    def moved(self, q: Mapping[str, Any], qd: Mapping[str, Any], qdd: Mapping[str, Any], g: Any) -> dict[str, Any]:
        """Rotation, origin, ω, ω̇ and acceleration of each frame, and its joint's unit twists there."""
        state: dict[str, Any] = {"base": (eye(3), zeros(3, 1), zeros(3, 1), zeros(3, 1), -g, [])}
        for body in self.bodies:
            joint = body["joint"]
            R_p, p_p, w_p, dw_p, a_p, _ = state[joint["parent"]]
            placement, offset = rows(joint["placement"]), rows(joint["offset"])
            turned, displaced, twists = motion(joint, q)
            R = R_p * placement[:, :3] * turned
            r = R_p * (placement[:, 3] + placement[:, :3] * displaced)
            twists = [(R * w, R * v) for w, v in twists]
            W, V = combined(twists, [mpf(qd[name]) for name in joint["velocities"]])
            dW, dV = combined(twists, [mpf(qdd[name]) for name in joint["velocities"]])
            w, dw = w_p + W, dw_p + dW + cross(w_p, W)
            a = a_p + cross(dw_p, r) + cross(w_p, cross(w_p, r)) + 2 * cross(w_p, V) + dV + cross(W, V)
            arm = R * offset[:, 3]
            a = a + cross(dw, arm) + cross(w, cross(w, arm))
            twists = [(w, v + cross(w, arm)) for w, v in twists]
            state[body["name"]] = R * offset[:, :3], p_p + r + arm, w_p + W, dw, a, twists
        return state

    def torques(self, q: Mapping[str, Any], qd: Mapping[str, Any], qdd: Mapping[str, Any], gravity: Any) -> Any:
        """M q̈ + h + G, armature included: each joint carries the wrenches on the bodies that it moves."""
        state, tau = self.moved(q, qd, qdd, gravity), dict.fromkeys(self.velocities, mpf(0))
        wrenches = {name: (zeros(3, 1), zeros(3, 1)) for name in state}
        for body in reversed(self.bodies):
            name, joint = body["name"], body["joint"]
            R, p, w, dw, a, twists = state[name]
            h, I = R * column(body["first_moment"]), R * rows(body["inertia"]) * R.T
            f = wrenches[name][0] + a * mpf(body["mass"]) + cross(dw, h) + cross(w, cross(w, h))
            n = wrenches[name][1] + I * dw + cross(w, I * w) + cross(h, a)
            for which, (spin, slide) in zip(joint["velocities"], twists, strict=True):
                tau[which] += (spin.T * n)[0] + (slide.T * f)[0]
            more_f, more_n = wrenches[joint["parent"]]
            wrenches[joint["parent"]] = more_f + f, more_n + n + cross(p - state[joint["parent"]][1], f)
        return column(list(tau.values())) + self.effects("armature", lambda e, name: mpf(e["inertia"]) * mpf(qdd[name]))

    def effects(self, kind: str, torque: Callable[[Mapping[str, Any], str], Any]) -> Any:
        """The torques of the effects of one kind."""
        tau = dict.fromkeys(self.velocities, mpf(0))
        for body in self.bodies:
            for effect in body["joint"]["effects"]:
                for name in body["joint"]["velocities"]:
                    tau[name] += torque(effect, name) if effect["kind"] == kind else 0
        return column(list(tau.values()))

    def springs(self, q: Mapping[str, Any]) -> Any:
        return self.effects("spring", lambda e, name: mpf(e["stiffness"]) * (mpf(q[name]) - mpf(e["rest"])))

    def friction(self, qd: Mapping[str, Any]) -> Any:
        viscous = self.effects("viscous", lambda e, name: mpf(e["coefficient"]) * mpf(qd[name]))
        return viscous + self.effects("coulomb", lambda e, name: mpf(e["coefficient"]) * sign(mpf(qd[name])))

    @property
    def rest(self) -> dict[str, Any]:
        return dict.fromkeys(self.velocities, mpf(0))

    def mass_matrix(self, q: Mapping[str, Any]) -> Any:
        """The torques of unit accelerations at rest."""
        M = zeros(len(self.velocities))
        for k, name in enumerate(self.velocities):
            M[:, k] = self.torques(q, self.rest, {**self.rest, name: 1}, zeros(3, 1))
        return M

    def mass_matrix_rate(self, q: Mapping[str, Any], qd: Mapping[str, Any]) -> Any:
        later, earlier = (self.mass_matrix(self.along(q, qd, time)) for time in (STEP, -STEP))
        return (later - earlier) / (2 * STEP)

    def jacobian(self, q: Mapping[str, Any], body: str) -> Any:
        """The velocity of the body's frame for each unit velocity, linear, then angular."""
        state, J = self.moved(q, self.rest, self.rest, zeros(3, 1)), zeros(6, len(self.velocities))
        of = {each["name"]: each["joint"] for each in self.bodies}
        point, name = state[body][1], body
        while name != "base":
            for which, (spin, slide) in zip(of[name]["velocities"], state[name][-1], strict=True):
                k = self.velocities.index(which)
                J[:3, k] = J[:3, k] + slide + cross(spin, point - state[name][1])
                J[3:, k] = J[3:, k] + spin
            name = of[name]["parent"]
        return J

    def along(self, q: Mapping[str, Any], qd: Mapping[str, Any], time: Any) -> dict[str, Any]:
        """The positions a short time later, up to its square."""
        later = {name: mpf(value) for name, value in q.items()}
        for joint in (body["joint"] for body in self.bodies):
            names, rates = joint["positions"], [mpf(qd[name]) for name in joint["velocities"]]
            if len(names) == 1:
                later[names[0]] = mpf(q[names[0]]) + rates[0] * time
            elif names:
                e, w = [mpf(q[name]) for name in names[-4:]], column(rates[-3:])
                u = column(e[1:])
                changes = [-(u.T * w)[0] / 2, *((w * e[0] + cross(u, w)) / 2)]
                changes = [*(of_quaternion(e) * column(rates[:3]) if len(names) == 7 else ()), *changes]
                later |= {name: mpf(q[name]) + rate * time for name, rate in zip(names, changes, strict=True)}
        return later
