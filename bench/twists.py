"""Counts how a mechanism can move by NumPy alone, without qddot: n less the rank of its constraint Jacobian.

A mechanism is what `tomllib` reads from a robot file by `convention = "tree"`. Each joint has constant twists along its
link's axes, and each loop and wheel says which twists of one frame relative to another it forbids. Ranks are those at
closed configurations, by singular values. Source: Lynch & Park, *Modern Robotics*, 2017, ch. 5 and 7.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

Table = Mapping[str, Any]
KEPT = 1e-7  # a singular value, relative to the largest one, that counts in a rank
STEP, BETWEEN, POSES = 0.04, 5, 5  # of a walk [rad or m]: steps between two poses; poses
LINEAR, TURNS = slice(0, 3), slice(3, 6)
FORBIDDEN = {  # places in (v, ω) along the first frame's axes
    "revolute": (0, 1, 2, 3, 4),
    "prismatic": (0, 1, 3, 4, 5),
    "cylindrical": (0, 1, 3, 4),
    "planar": (2, 3, 4),
    "spherical": (0, 1, 2),
    "fixed": (0, 1, 2, 3, 4, 5),
}
WHOLE = {"fixed": np.zeros((6, 0)), "spherical": np.eye(6)[:, TURNS], "free": np.eye(6)}  # joints with quasi-velocities


class Mobility(NamedTuple):
    """m at each pose; gap: the least ratio, over the poses, of the last singular value that counts to the next one."""

    n: int
    m: tuple[int, ...]
    gap: float


@dataclass
class Joint:
    """One joint of the tree. S: 6 × k, twists along the link's axes; places: of its velocities; T: its displacement."""

    name: str
    parent: str
    placement: Any
    S: Any
    places: list[int]
    after: Any
    T: Any


def skew(w: Any) -> Any:
    return np.array([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]])


def exp(twist: Any) -> Any:
    """The displacement of a twist (v, ω) that acts for a unit of time."""
    v, w = twist[LINEAR], twist[TURNS]
    angle, T = np.linalg.norm(w), np.eye(4)
    W = skew(w)
    if angle < 1e-8:
        T[:3, :3], T[:3, 3] = np.eye(3) + W + W @ W / 2, v + W @ v / 2
        return T
    s, c = math.sin(angle) / angle, (1 - math.cos(angle)) / angle**2
    T[:3, :3] = np.eye(3) + s * W + c * W @ W
    T[:3, 3] = (np.eye(3) + c * W + (1 - s) / angle**2 * W @ W) @ v
    return T


def adjoint(T: Any) -> Any:
    """Takes a twist along the axes and at the origin of T's frame to one along the world's and at its origin."""
    R = T[:3, :3]
    return np.block([[R, skew(T[:3, 3]) @ R], [np.zeros((3, 3)), R]])


def along(axis: Any, turns: bool) -> Any:
    return np.concatenate([[0, 0, 0], axis] if turns else [axis, [0, 0, 0]])


class Tree:
    """A mechanism as joints and as what its loops and wheels forbid."""

    def __init__(self, tables: Table, guess: Mapping[str, float]) -> None:
        self.symbols = {"deg": math.pi / 180, "pi": math.pi, "sqrt": math.sqrt}
        for name, entry in tables.get("symbols", {}).items():
            self.symbols[name] = self.number(entry["value"] if isinstance(entry, Mapping) else entry)
        self.tables, self.names, self.joints = tables, list[str](), list[Joint]()
        for link in tables["link"]:
            self.add(link, guess)
        self.n = len(self.names)

    def number(self, value: Any) -> float:
        if isinstance(value, str):
            text = value.replace("^", "**").replace("deg", "*deg")
            return float(eval(text, {"__builtins__": {}}, self.symbols))
        return float(value)

    def frame(self, table: Table) -> Any:
        roll, pitch, yaw = (self.number(angle) for angle in table.get("rpy", (0, 0, 0)))
        turns = [along(np.eye(3)[k], True) * angle for k, angle in ((2, yaw), (1, pitch), (0, roll))]
        T = exp(turns[0]) @ exp(turns[1]) @ exp(turns[2])
        T[:3, 3] = [self.number(x) for x in table.get("xyz", (0, 0, 0))]
        return T

    def places(self, names: list[str]) -> list[int]:
        for name in names:
            if name not in self.names:
                self.names.append(name)
        return [self.names.index(name) for name in names]

    def add(self, link: Table, guess: Mapping[str, float]) -> None:
        """Adds the joints of a link, a universal, cylindrical or planar one as several in a row."""
        joint, name = link["joint"], link["name"]
        kind, parent, placement = joint.get("type", "revolute"), link.get("parent", "base"), self.frame(joint)
        if kind in WHOLE:
            S, T = WHOLE[kind], np.eye(4)
            if kind == "free":
                T[:3, 3] = [guess.get(each, 0.0) for each in ("p_x", "p_y", "p_z")]
            places = self.places([f"{name}.{k}" for k in range(S.shape[1])])
            self.joints.append(Joint(name, parent, placement, S, places, np.eye(4), T))
        else:
            twists = self.twists(kind, joint)
            own = joint.get("coordinates") or [joint["coordinate"]]
            for k, (twist, coordinate) in enumerate(zip(twists, own, strict=True), 1):
                S = (twist * self.number(joint.get("ratio", 1)))[:, None]
                label = name if k == len(twists) else f"{name}.{k}"
                T = exp(S[:, 0] * guess.get(coordinate, 0.0))
                self.joints.append(Joint(label, parent, placement, S, self.places([coordinate]), np.eye(4), T))
                parent, placement = label, np.eye(4)
        self.joints[-1].after = self.frame(link.get("frame", {}))

    def twists(self, kind: str, joint: Table) -> list[Any]:
        """The twists of joints in a row that one of several motions stands for."""
        if kind == "universal":
            return [along(np.array(axis, float), True) for axis in joint["axes"]]
        if kind == "planar":
            return [*np.eye(6)[:2], np.eye(6)[5]]
        axis = np.array([self.number(x) for x in joint.get("axis", (0, 0, 1))])
        axis = axis / np.linalg.norm(axis)
        turn, slide = along(axis, True), along(axis, False)
        return {"revolute": [turn], "prismatic": [slide], "cylindrical": [turn, slide]}[kind]

    def moved(self, step: Any) -> None:
        for joint in self.joints:
            if joint.places:
                joint.T = joint.T @ exp(joint.S @ step[joint.places])

    def poses(self) -> dict[str, tuple[Any, Any]]:
        """The pose of each link and its Jacobian: twists along the world's axes and at its origin."""
        found = {"base": (np.eye(4), np.zeros((6, self.n)))}
        for joint in self.joints:
            above, J = found[joint.parent]
            T, J = above @ joint.placement @ joint.T, J.copy()
            J[:, joint.places] += adjoint(T) @ joint.S
            found[joint.name] = T @ joint.after, J
        return found

    def conditions(self) -> tuple[Any, Any]:
        """How far the loops are from closed, and what loops and wheels forbid, as rows for the velocities."""
        found, gaps, rows = self.poses(), list[Any](), list[Any]()
        for loop in self.tables.get("loop", ()):
            (first, J1), (second, J2) = (found[loop[end].get("link", "base")] for end in ("first", "second"))
            first, second = first @ self.frame(loop["first"]), second @ self.frame(loop["second"])
            at = first.copy()
            at[:3, 3] = second[:3, 3]
            J = np.linalg.inv(adjoint(at)) @ (J2 - J1)  # of the second frame's origin, along the first frame's axes
            gap, row = self.of_loop(loop, np.linalg.inv(first) @ second, J)
            gaps.append(gap)
            rows.append(row)
        for wheel in self.tables.get("rolling", ()):
            contact = found[wheel["contact"]["link"]][0] @ self.frame(wheel["contact"])
            J = np.linalg.inv(adjoint(contact)) @ found[wheel["wheel"]][1]
            rows.append(J[["xy".index(letter) for letter in wheel.get("directions", "xy")]])
        return np.concatenate([*gaps, []]), np.concatenate(rows)

    def of_loop(self, loop: Table, apart: Any, J: Any) -> tuple[Any, Any]:
        """The gap of a loop and its rows. apart: the second frame's pose in the first; J: its relative twist"""
        R, p, kind = apart[:3, :3], apart[:3, 3], loop.get("type", "revolute")
        if kind == "rod":
            length = self.number(loop["length"])
            return [(p @ p - length**2) / (2 * length)], (p / length @ J[LINEAR])[None]
        if kind == "universal":
            row = np.cross(R[:, 1], [1, 0, 0]) @ J[TURNS]
            return np.append(p, R[0, 1]), np.concatenate([J[LINEAR], row[None]])
        whole = kind in ("fixed", "prismatic")
        turned = np.cross(np.eye(3), R.T).sum(axis=0) / 2 if whole else np.cross([0, 0, 1], R[:, 2])
        forbidden = list(FORBIDDEN[kind])
        return np.concatenate([p, turned])[forbidden], J[forbidden]

    def close(self) -> None:
        """Closes the loops by steps of Levenberg and Marquardt, whose damping vanishes with the gap."""
        for _ in range(200):
            gap, A = self.conditions()
            A = A[: len(gap)]
            size = np.abs(gap).max(initial=0.0)
            if size < 1e-14:
                return
            damped = np.concatenate([A, min(0.1, size) * np.eye(self.n)])
            step = np.linalg.lstsq(damped, np.concatenate([-gap, np.zeros(self.n)]), rcond=KEPT)[0]
            self.moved(step * min(1, 0.3 / np.abs(step).max()))
        if size > 1e-12:
            raise ArithmeticError(f"the loops stay open by {size:.1e}")

    def motions(self) -> tuple[Any, float]:
        """Orthonormal rows of velocities that the loops and wheels allow, and the gap of the singular values."""
        _, sizes, rows = np.linalg.svd(self.conditions()[1])
        rank = int((sizes > KEPT * sizes[0]).sum())
        dropped = max(*sizes[rank:], 1e-16 * sizes[0], 0.0)
        return rows[rank:], sizes[rank - 1] / dropped


def mobility(tables: Table, guess: Mapping[str, float], poses: int = POSES) -> Mobility:
    """n less the rank at some closed poses, on a walk that begins near a guess.

    raises ArithmeticError: loops stay open, or a motion that the rank allows leads nowhere
    """
    tree, random = Tree(tables, guess), np.random.default_rng(0)
    tree.close()
    counts, gaps = list[int](), list[float]()
    for _ in range(poses):
        pull = random.normal(size=tree.n)
        for _ in range(BETWEEN):
            rows, _ = tree.motions()
            if not len(rows):
                break
            direction = rows.T @ (rows @ pull)
            direction *= STEP / np.linalg.norm(direction)
            before = [joint.T for joint in tree.joints]
            tree.moved(direction)
            tree.close()
            if moved_along(before, tree, direction) < 0.5:
                raise ArithmeticError("a motion that the rank allows leads nowhere")
        rows, gap = tree.motions()
        counts.append(len(rows))
        gaps.append(gap)
    return Mobility(tree.n, tuple(counts), min(gaps))


def moved_along(before: list[Any], tree: Tree, direction: Any) -> float:
    """The part of a step that is left after the loops were closed."""
    along = total = 0.0
    for old, joint in zip(before, tree.joints, strict=True):
        if joint.places:
            wanted = exp(joint.S @ direction[joint.places]) - np.eye(4)
            along += float((wanted * (np.linalg.inv(old) @ joint.T - np.eye(4))).sum())
            total += float((wanted * wanted).sum())
    return along / total
