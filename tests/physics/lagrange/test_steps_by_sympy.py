"""Velocities, energies and the derivatives of M that routes derive, against SymPy's derivatives by time."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np
import pytest
import sympy as sp

import qddot

t = sp.Symbol("t")
TURN = {"90deg": 1, "-90deg": -1, 0: 0}  # quarter turns
GRAVITY = [0.7, -1.3, -9.6]
ROWS: dict[str, list[dict[str, Any]]] = {
    "revolute": [
        {"theta": "q1", "d": 0.2, "a": 0.5, "alpha": "90deg"},
        {"theta": "q2", "d": 0, "a": 0.4, "alpha": 0},
    ],
    "prismatic": [
        {"theta": "q1", "d": 0.3, "a": 0.1, "alpha": "-90deg"},
        {"theta": 0, "d": "q2", "a": 0.2, "alpha": "90deg"},
        {"theta": 0, "d": "q3", "a": 0, "alpha": 0},
    ],
    "PUMA of three links": [
        {"theta": "q1", "d": 0, "a": 0, "alpha": "-90deg"},
        {"theta": "q2", "d": -0.14909, "a": 0.4318, "alpha": 0},
        {"theta": "q3", "d": 0, "a": -0.02032, "alpha": "90deg"},
    ],
}
ARMATURE = 0.3
STEP = 1e-30


class Link(NamedTuple):
    """A link with all of its ten parameters."""

    mass: float
    com: list[float]
    tensor: Any

    @property
    def described(self) -> dict[str, Any]:
        names = [(a, b) for a in range(3) for b in range(a, 3)]
        tensor = {"xyz"[a] + "xyz"[b]: float(self.tensor[a][b]) for a, b in names}
        return {
            "mass": self.mass,
            "com": self.com,
            "inertia": {"about": "com", **tensor},
            "joint": {"armature": ARMATURE},
        }


@cache
def links(count: int) -> list[Link]:
    random = np.random.default_rng(7)
    drawn = []
    for _ in range(count):
        points = random.uniform(-0.3, 0.3, (4, 3)).round(3)
        points -= points.mean(axis=0)
        tensor = sum(p @ p * np.eye(3) - np.outer(p, p) for p in points)
        drawn.append(Link(round(random.uniform(1, 4), 2), random.uniform(-0.3, 0.3, 3).round(3).tolist(), tensor))
    return drawn


class BySymPy:
    """The steps of an arm at a state, from its coordinates as functions of time.

    The kinetic energy is that of Newton and Euler, from ṗ_c and from ω in Ṙ Rᵀ, and has no trace. Slopes of energies
    are taken by a step in the complex plane, which loses no digits.
    """

    def __init__(self, rows: list[dict[str, Any]], state: list[Any]) -> None:
        n = len(rows)
        q = [sp.Function(f"q{k + 1}")(t) for k in range(n)]
        plain = sp.symbols(f"x:{n} v:{n}")
        rates = [(x.diff(t), v) for x, v in zip(q, plain[n:], strict=True)]
        positions = list(zip(q, plain, strict=False))
        self.state, self.n = np.array([*state[0], *state[1]], dtype=complex), n
        self._functions: dict[str, list[Any]] = {name: [] for name in ("T_rate", "dp_c", "K_links", "P_links")}
        T = sp.eye(4)
        for row, link in zip(rows, links(n), strict=True):
            T = T * _row(row, q)
            R, point = T[:3, :3], T * sp.Matrix([*link.com, 1])
            v, spin = point[:3, :].diff(t), R.diff(t) * R.T
            w = R.T * sp.Matrix([spin[2, 1], spin[0, 2], spin[1, 0]])
            K = (link.mass * v.dot(v) + w.dot(sp.Matrix(link.tensor) * w)) / 2
            P = -link.mass * sp.Matrix(GRAVITY).dot(point[:3, :])
            for functions, value in zip(self._functions.values(), (T.diff(t), v, K, P), strict=True):
                functions.append(sp.lambdify(plain, value.subs(rates).subs(positions), "numpy", cse=True))

    def _at(self, name: str, state: Any) -> Any:
        return np.array([function(*state) for function in self._functions[name]])

    def _kinetic(self, state: Any) -> Any:
        return self._at("K_links", state).sum() + ARMATURE * (state[self.n :] ** 2).sum() / 2

    def _lagrangian(self, state: Any) -> Any:
        return self._kinetic(state) - self._at("P_links", state).sum()

    def _mass(self, state: Any) -> Any:
        """M_ij = K(e_i + e_j) − K(e_i) − K(e_j)."""

        def K(rates: Any) -> Any:
            return self._kinetic(np.array([*state[: self.n], *rates]))

        unit = np.eye(self.n)
        return np.array([[K(a + b) - K(a) - K(b) for b in unit] for a in unit])

    def _slopes(self, of: Any, first: int) -> Any:
        steps = (1j * STEP * unit for unit in np.eye(2 * self.n)[first : first + self.n])
        return np.array([of(self.state + step).imag / STEP for step in steps])

    def __getitem__(self, name: str) -> Any:
        if name in self._functions:
            return self._at(name, self.state).real
        if name == "M_q":
            return self._slopes(self._mass, 0)
        if name == "M_rate":
            return np.tensordot(self.state[self.n :].real, self["M_q"], 1)
        if name.startswith("dL"):
            return self._slopes(self._lagrangian, self.n if name == "dL_dqd" else 0)
        energies = {"K": self._kinetic, "L": self._lagrangian, "P": lambda at: self._at("P_links", at).sum()}
        return energies[name](self.state).real


def _row(row: dict[str, Any], q: list[Any]) -> Any:
    theta, d = (q[int(row[key][1:]) - 1] if isinstance(row[key], str) else row[key] for key in ("theta", "d"))
    c, s, turn = sp.cos(theta), sp.sin(theta), TURN[row["alpha"]]
    ca, sa = int(turn == 0), turn
    return sp.Matrix(
        [
            [c, -s * ca, s * sa, row["a"] * c],
            [s, c * ca, -c * sa, row["a"] * s],
            [0, sa, ca, d],
            [0, 0, 0, 1],
        ]
    )


OF_ROUTES = {
    "dh4x4": ("T_rate", "dp_c", "K_links", "P_links", "K", "P", "L"),
    "energy": ("K_links", "P_links", "K", "P", "L", "dL_dqd", "dL_dq", "M_q", "M_rate"),
}


@pytest.mark.parametrize("name", ROWS)
def test_steps_are_those_that_sympy_derives(name: str) -> None:
    rows = ROWS[name]
    arm = qddot.from_dh(rows, [link.described for link in links(len(rows))], gravity=GRAVITY)
    state = np.random.default_rng(1).uniform(-1.2, 1.2, (3, len(rows))).tolist()
    own = BySymPy(rows, state)
    for route, steps in OF_ROUTES.items():
        eq = arm.equations(route)
        at = eq.at(*state)
        for step in steps:
            of_route = eq.steps[step]
            assert np.allclose(at[step], own[step].reshape(of_route.shape), rtol=1e-11, atol=1e-11), (route, step)
            assert step in ("K", "P", "L") or of_route == eq.array(step)
        for energy in "KPL":
            assert eq.steps[energy] == eq.array(energy)
    rates = np.array(state[1])
    slopes = np.array([rates @ slope @ rates for slope in own["M_q"]])
    assert np.allclose(own["M_rate"] @ rates - slopes / 2, at["h"], rtol=1e-11, atol=1e-11)
