"""A model's tree in doubles: its mass matrix and bias by `dense.c`, which knows nothing of the project's recursions."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import tempfile
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

SOURCE = Path(__file__).parent / "dense.c"
KINDS = {"fixed": 0, "revolute": 1, "continuous": 1, "prismatic": 2, "spherical": 3, "free": 4}
BODY = np.dtype(
    [
        *((name, "i8") for name in ("parent", "type", "q", "v")),
        *((name, "f8", size) for name, size in (("place_R", 9), ("place_p", 3), ("offset_R", 9), ("offset_p", 3))),
        *(("axis", "f8", 3), ("ratio", "f8"), ("m", "f8"), ("h", "f8", 3), ("I", "f8", 9)),
    ]
)
STATE = np.dtype([(name, "f8", 9 if name == "R" else 3) for name in ("R", "p", "v", "w", "a", "dw")])


@cache
def library() -> Any:
    """Returns the compiled `dense.c`."""
    place = Path(tempfile.mkdtemp(prefix="dense-")) / "dense.so"
    compiler = shutil.which("cc") or "gcc"
    subprocess.run([compiler, "-O2", "-shared", "-fPIC", "-o", str(place), str(SOURCE), "-lm"], check=True)
    return ctypes.CDLL(str(place))


def entries(part: Any, known: dict[str, float]) -> list[float]:
    """Returns the numbers of a vector, matrix or tensor of a model, row by row."""
    if hasattr(part, "__iter__"):
        return [number for each in part for number in entries(each, known)]
    return [float(part.value(known)) if hasattr(part, "value") else float(part)]


class Tree:
    """The links of a model with the default values of its symbols; states are (q, v) as in the project's conventions.

    viscous, coulomb, armature, stiffness, rest: of each velocity
    """

    def __init__(self, model: Any) -> None:
        known = model.defaults()
        names = [body.name for body in model.bodies]
        self.n, self.positions = model.n, len(model.positions)
        self.gravity = np.array(entries(model.gravity, known))
        self.places = {"base": -1, **{name: k for k, name in enumerate(names)}}
        self.bodies = np.zeros(len(names), BODY)
        self.viscous, self.coulomb, self.armature, self.stiffness, self.rest = np.zeros((5, self.n))
        self.quaternions: list[tuple[int, int, int]] = []  # first of the quaternion, first of the velocities, slides
        self.plain: list[tuple[int, int]] = []  # place in q, place in v
        for row, body in zip(self.bodies, model.bodies, strict=True):
            self._fill(row, body, model, known)
        self._room = (
            np.zeros(len(names), STATE),
            np.zeros((len(names), self.n, 3)),
            np.zeros((len(names), self.n, 3)),
            np.zeros((self.n, self.n)),
            np.zeros(self.n),
        )
        self._pointers = [ctypes.c_void_p(each.ctypes.data) for each in (self.bodies, self.gravity)]
        self._outputs = [ctypes.c_void_p(each.ctypes.data) for each in self._room]

    def _fill(self, row: Any, body: Any, model: Any, known: dict[str, float]) -> None:
        joint, inertia = body.joint, body.inertia
        row["parent"], row["type"], row["ratio"] = self.places[joint.parent], KINDS[joint.type], 1
        for name, pose in (("place", joint.placement), ("offset", joint.offset)):
            row[f"{name}_R"], row[f"{name}_p"] = entries(pose.R, known), entries(pose.p, known)
        row["m"], row["h"] = entries(inertia.m, known)[0], entries(inertia.h, known)
        xx, xy, xz, yy, yz, zz = entries(inertia.I, known)
        row["I"] = [xx, xy, xz, xy, yy, yz, xz, yz, zz]
        if joint.type == "fixed":
            return
        if joint.ratio is not None:
            row["ratio"] = entries(joint.ratio, known)[0]
        leader = joint if joint.ratio is None else self._leader(model, joint.coordinate)
        row["q"] = model.positions.index(leader.positions[0])
        row["v"] = model.coordinates.index(leader.velocities[0])
        if joint.freedoms is None:
            row["axis"] = entries(joint.axis, known)
            if joint.leads:
                self.plain.append((int(row["q"]), int(row["v"])))
        else:
            slides = 3 * (joint.type == "free")
            self.quaternions.append((int(row["q"]) + slides, int(row["v"]) + slides, slides))
        for effect in joint.effects:
            own = slice(int(row["v"]), int(row["v"]) + len(joint.velocities))
            self._act(effect, own, known)

    def _act(self, effect: Any, own: slice, known: dict[str, float]) -> None:
        kind = type(effect).__name__
        if kind == "Spring":
            self.stiffness[own] += effect.stiffness.value(known)
            self.rest[own] = effect.rest.value(known)
        elif kind == "Armature":
            self.armature[own] += effect.inertia.value(known)
        else:
            {"Viscous": self.viscous, "Coulomb": self.coulomb}[kind][own] += effect.coefficient.value(known)

    @staticmethod
    def _leader(model: Any, coordinate: str) -> Any:
        return next(each.joint for each in model.bodies if each.joint.leads and each.joint.coordinate == coordinate)

    def evaluated(self, q: Any, v: Any) -> tuple[Any, Any]:
        """Returns M with armature, and all that M v̇ + … = τ has beside M v̇, without dry friction."""
        q, v = np.ascontiguousarray(q, float), np.ascontiguousarray(v, float)
        sizes = ctypes.c_long(len(self.bodies)), ctypes.c_long(self.n)
        states = ctypes.c_void_p(q.ctypes.data), ctypes.c_void_p(v.ctypes.data)
        library().dense(*sizes, *self._pointers, *states, *self._outputs)
        M, bias = self._room[3].copy(), self._room[4].copy()
        M[np.diag_indices(self.n)] += self.armature
        bias += self.viscous * v
        if self.stiffness.any():
            bias += self.stiffness * (self.coordinates(q) - self.rest)
        return M, bias

    def coordinates(self, q: Any) -> Any:
        """Returns the coordinate of each velocity that has one."""
        found = np.zeros(self.n)
        for place, k in self.plain:
            found[k] = q[place]
        return found

    def body(self, name: str) -> tuple[Any, Any, Any]:
        """Returns a body's state and its Jacobians of v and ω, where `evaluated` was called last."""
        k = self.places[name]
        if k < 0:
            ground = np.zeros(1, STATE)[0]
            ground["R"] = np.eye(3).ravel()
            return ground, np.zeros((self.n, 3)), np.zeros((self.n, 3))
        return self._room[0][k], self._room[1][k], self._room[2][k]

    def rates(self, q: Any, v: Any) -> Any:
        """Returns q̇ of the velocities."""
        found = np.zeros(self.positions)
        for place, k in self.plain:
            found[place] = v[k]
        for first, k, slides in self.quaternions:
            e, (x, y, z) = q[first : first + 4], v[k : k + 3]
            w, u = e[0], e[1:]
            found[first] = -(u[0] * x + u[1] * y + u[2] * z) / 2
            found[first + 1 : first + 4] = (w * v[k : k + 3] + np.cross(u, v[k : k + 3])) / 2
            if slides:
                along = v[k - 3 : k]
                t = 2 * np.cross(u, along)
                square = float(e @ e)
                found[first - 3 : first] = along + (w * t + np.cross(u, t)) / square
        return found

    def unit(self, q: Any) -> Any:
        """Returns positions with unit quaternions."""
        q = np.array(q, float)
        for first, _, _ in self.quaternions:
            q[..., first : first + 4] /= np.linalg.norm(q[..., first : first + 4], axis=-1, keepdims=True)
        return q

    def energy(self, q: Any, v: Any) -> float:
        """Returns K + P of gravity and springs."""
        M, _ = self.evaluated(q, v)
        kinetic = float(v @ M @ v) / 2
        states = self._room[0]
        h = np.einsum("bij,bj->bi", states["R"].reshape(-1, 3, 3), self.bodies["h"])
        weight = float(np.sum((self.bodies["m"][:, None] * states["p"] + h) @ self.gravity))
        stretch = self.coordinates(q) - self.rest
        return kinetic - weight + float(self.stiffness @ stretch**2) / 2


class Written(Tree):
    """A model whose equations are given entry by entry: τ = M q̈ + B [q̇ⱼ q̇ₖ] + C2 [q̇ⱼ²] + G."""

    def __init__(self, model: Any) -> None:
        super().__init__(model)
        self.written, self.names, self.known = model.explicit, model.positions, model.defaults()
        self.pairs = list(combinations(range(self.n), 2))

    def evaluated(self, q: Any, v: Any) -> tuple[Any, Any]:
        known = {**self.known, **dict(zip(self.names, map(float, q), strict=True))}
        M, B, C2 = (np.array([[x.value(known) for x in row] for row in rows]) for rows in self._matrices())
        G = np.array([x.value(known) for x in self.written.G])
        products = np.array([v[j] * v[k] for j, k in self.pairs])
        bias = B.reshape(self.n, -1) @ products + C2 @ v**2 + G + self.viscous * v
        return M + np.diag(self.armature), bias + self.stiffness * (self.coordinates(q) - self.rest)

    def _matrices(self) -> tuple[Any, Any, Any]:
        return self.written.M, self.written.B, self.written.C2

    def energy(self, q: Any, v: Any) -> float:
        known = {**self.known, **dict(zip(self.names, map(float, q), strict=True))}
        return float(v @ self.evaluated(q, v)[0] @ v) / 2 + float(self.written.P.value(known))


def tree_of(model: Any) -> Tree:
    return Tree(model) if model.explicit is None else Written(model)
