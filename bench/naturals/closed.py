"""Conditions of loops and of rolling wheels, from the states of bodies: their rows, and what they have beside A v̇."""

from __future__ import annotations

from typing import Any

import numpy as np

from naturals.tree import Tree

ROUNDS, CLOSED = 60, 1e-15  # of Newton's method
RANK = 1e-9  # singular values below this part of the largest one belong to conditions that follow from others


def axis(state: Any, k: int) -> Any:
    return state["R"].reshape(3, 3)[:, k]


class Conditions:
    """φ(q) = 0 of loops, then wheels' conditions on velocities; A v = 0 and A v̇ + drift = 0 for all."""

    def __init__(self, model: Any, tree: Tree) -> None:
        self.model, self.tree, known = model, tree, model.tree.defaults()
        self.lengths = [None if loop.length is None else float(loop.length.value(known)) for loop in model.loops]

    def rows(self, q: Any, v: Any) -> tuple[Any, Any, Any]:
        """Returns φ, A and Ȧ v; M and the bias of the same state are those of `tree.evaluated`, called before."""
        phi: list[float] = []
        found: list[tuple[Any, float]] = []
        for loop, length in zip(self.model.loops, self.lengths, strict=True):
            one, other = (self.tree.body(name) for name in loop.links)
            for value, row, drift in _of_loop(loop.conditions, length, one, other):
                phi.append(value)
                found.append((row, drift))
        for wheel in self.model.rolling:
            found += _of_wheel(
                wheel.axes, *(self.tree.body(name) for name in (wheel.wheel, wheel.ground, wheel.contact))
            )
        return np.array(phi), np.array([row for row, _ in found]), np.array([drift for _, drift in found])

    def closed(self, q: Any) -> Any | None:
        """Returns a configuration near q in which all loops are closed, or None."""
        q, still = self.tree.unit(q), np.zeros(self.tree.n)
        for _ in range(ROUNDS):
            self.tree.evaluated(q, still)
            phi, A, _ = self.rows(q, still)
            if not len(phi):
                return q
            change = np.linalg.lstsq(A[: len(phi)], -phi, rcond=RANK)[0]
            if np.abs(change).max() > 0.5:
                change *= 0.5 / np.abs(change).max()
            q = self.tree.unit(q + self.tree.rates(q, change))
            if np.abs(phi).max() < CLOSED or (np.abs(phi).max() < 1e-13 and np.abs(change).max() < 1e-14):
                return q
        return q if np.abs(phi).max() < 1e-13 else None

    def allowed(self, q: Any, v: Any) -> Any:
        """Returns the velocities nearest to v that all conditions allow."""
        self.tree.evaluated(q, v)
        A = self.rows(q, v)[1]
        return v - np.linalg.lstsq(A, A @ v, rcond=RANK)[0]


def _of_loop(conditions: Any, length: float | None, one: Any, other: Any) -> Any:
    """Yields φ, a row of A and Ȧ v of each condition of a loop."""
    (s1, v1, w1), (s2, v2, w2) = one, other
    d, rate = s2["p"] - s1["p"], s2["v"] - s1["v"]
    for k in conditions.place:
        u = axis(s1, k)
        du = np.cross(s1["w"], u)
        ddu = np.cross(s1["dw"], u) + np.cross(s1["w"], du)
        row = (v2 - v1) @ u + w1 @ np.cross(u, d)
        yield u @ d, row, ddu @ d + 2 * du @ rate + u @ (s2["a"] - s1["a"])
    for i, j in conditions.attitude:
        a, b = axis(s1, i), axis(s2, j)
        da, db = np.cross(s1["w"], a), np.cross(s2["w"], b)
        dda, ddb = np.cross(s1["dw"], a) + np.cross(s1["w"], da), np.cross(s2["dw"], b) + np.cross(s2["w"], db)
        yield a @ b, (w1 - w2) @ np.cross(a, b), dda @ b + 2 * da @ db + a @ ddb
    if conditions.distance and length is not None:
        yield (d @ d - length**2) / 2, (v2 - v1) @ d, d @ (s2["a"] - s1["a"]) + rate @ rate


def _of_wheel(axes: Any, wheel: Any, ground: Any, contact: Any) -> list[tuple[Any, float]]:
    """Returns a row of A and Ȧ v for each axis along which a wheel does not slip on its ground."""
    at = contact[0]
    found = []
    for k in axes:
        u = axis(at, k)
        row, slip, drift = np.zeros(len(wheel[1])), np.zeros(3), 0.0
        for sign, (s, v, w) in ((1, wheel), (-1, ground)):
            r, dr = at["p"] - s["p"], at["v"] - s["v"]
            row += sign * (v @ u + w @ np.cross(r, u))
            slip += sign * (s["v"] + np.cross(s["w"], r))
            drift += sign * float(u @ (s["a"] + np.cross(s["dw"], r) + np.cross(s["w"], dr)))
        found.append((row, drift + float(np.cross(at["w"], u) @ slip)))
    return found
