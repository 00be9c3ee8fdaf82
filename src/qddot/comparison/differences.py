"""Where two descriptions differ, joint by joint, in the one frame that all conventions share: the base's, at q = 0."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from qddot.comparison.described import Described
from qddot.dynamics.effects import effects_of
from qddot.errors import ModelError
from qddot.model.bodies import Armature, Coulomb, Spring, Viscous
from qddot.spatial import Inertia, point_tensor

CLOSE = 1e-9  # of the largest length, mass, inertia …; rounding is a thousandth of it, a digit in a file far more
TINY = 1e-15
Quantity: TypeAlias = "tuple[float, ...] | str"
EFFECTS: dict[str, tuple[type[Any], str]] = {
    "armature": (Armature, "inertia"),
    "viscous friction": (Viscous, "coefficient"),
    "Coulomb friction": (Coulomb, "coefficient"),
    "spring stiffness": (Spring, "stiffness"),
    "spring rest": (Spring, "rest"),
}

# what a model has not whose equations are given entry by entry
OF_LINKS = ("mass", "centre of mass", "inertia", "armature", "gravity")


@dataclass(frozen=True, slots=True)
class Difference:
    """One quantity that differs: numbers in SI units, axes and points in the base frame at q = 0; or a text."""

    place: str
    what: str
    a: Quantity
    b: Quantity

    def row(self) -> tuple[str, str, str, str]:
        """Place, quantity and both values as texts."""
        return self.place, self.what, shown(self.a), shown(self.b)


def shown(quantity: Quantity) -> str:
    if isinstance(quantity, str):
        return quantity
    # 12 digits hide the rounding, + 0.0 the sign of zero
    texts = [f"{round(number, 12) + 0.0:.6g}" for number in quantity]
    return ", ".join(texts) if texts else "none"


def matched(a: Described, b: Described) -> list[int]:
    """For each coordinate of a, that of b: by the links' names, else by the coordinates', else by order.

    raises ModelError: not as many joints
    """
    if a.model.n != b.model.n:
        raise ModelError(
            f"{a.model.n} joints in A and {b.model.n} in B",
            where=f"{a.model.name} and {b.model.name}",
            expected="two models of one arm, with as many moving joints",
        )
    links = [[body.name for body in model.moving()] for model in (a.model, b.model)]
    for ours, theirs in (links, [list(a.model.coordinates), list(b.model.coordinates)]):
        if set(ours) == set(theirs):
            return [theirs.index(name) for name in ours]
    return list(range(a.model.n))


def differences(a: Described, b: Described, order: Sequence[int]) -> list[Difference]:
    """Every quantity that differs by more than CLOSE of the largest of its kind in either model."""
    ours, theirs = _quantities(a, range(a.model.n)), _quantities(b, order)
    found = []
    given = a.model.explicit is not None or b.model.explicit is not None
    for what, values in ours.items():
        if given and what in OF_LINKS:
            continue
        scale = max((abs(x) for each in (*values, *theirs[what]) if not isinstance(each, str) for x in each), default=0)
        scale = max(scale, _natural(a, what), _natural(b, what))
        for k, (x, y) in enumerate(zip(values, theirs[what], strict=True)):
            if not _same(x, y, CLOSE * scale + TINY):
                found.append((k, Difference("base" if what == "gravity" else _place(a, b, k, order), what, x, y)))
    return [difference for _, difference in sorted(found, key=lambda each: each[0])]


def inertias_differ(a: Described, b: Described, order: Sequence[int]) -> set[int]:
    """The coordinates of a whose links have another tensor about the centre of mass in b."""
    scale = CLOSE * max(_natural(a, "inertia"), _natural(b, "inertia")) + TINY
    ours, theirs = ([central(inertia) for inertia in each.carried] for each in (a, b))
    return {k for k, j in enumerate(order) if not _same(ours[k][4:], theirs[j][4:], scale)}


def _quantities(arm: Described, order: Sequence[int]) -> dict[str, list[Quantity]]:
    """For each kind of quantity the joints' values, in the order asked for; gravity alone."""
    joints = [arm.home.joints[j] for j in order]
    bodies = [central(arm.carried[j]) for j in order]
    table: dict[str, list[Quantity]] = {
        "joint": ["turning" if joint.turns else "sliding" for joint in joints],
        "carried by joint": [str(_parent(arm, j, order)) for j in order],
        "axis": [tuple(map(float, arm.axes[j, 0])) for j in order],
        "point of the axis": [tuple(map(float, arm.axes[j, 1])) for j in order],
        "mass": [body[:1] for body in bodies],
        "centre of mass": [body[1:4] for body in bodies],
        "inertia": [body[4:] for body in bodies],
    }
    for what, (kind, attribute) in EFFECTS.items():
        numbers = [0.0] * arm.model.n
        for i, effect in effects_of(arm.model, kind):
            numbers[i] += getattr(effect, attribute).value(arm.values)
        table[what] = [(numbers[j],) for j in order]
    limits = [body.joint.limits or () for body in arm.model.moving()]
    table["limits"] = [tuple(limit.value(arm.values) for limit in limits[j]) for j in order]
    table["gravity"] = [tuple(float(entry) for entry in arm.home.gravity)]
    return table


def _parent(arm: Described, j: int, order: Sequence[int]) -> int | str:
    """The number of the joint that carries joint j, from 1 in the order asked for."""
    above = arm.home.joints[j].parent
    carrier = None if above is None else arm.carrier(arm.home.links[above])
    return "none" if carrier is None or carrier.dof is None else list(order).index(carrier.dof) + 1


def central(inertia: Inertia) -> tuple[float, ...]:
    """m, the centre of mass, and xx, xy, xz, yy, yz, zz about it; about the origin where there is no mass."""
    m: Any = inertia.m
    c = inertia.h.map(lambda entry: entry / m if m else 0.0)
    tensor = inertia.I - point_tensor(c).map(lambda entry: entry * m)
    return tuple(float(entry) for entry in (m, *c, *tensor))


def _natural(arm: Described, what: str) -> float:
    """The size that rounding is measured by: the arm's length, or m L² for inertias."""
    bodies = np.array([central(inertia) for inertia in arm.carried])
    length = max(np.abs(arm.axes[:, 1]).max(), np.abs(bodies[:, 1:4]).max())
    by_kind = {"point of the axis": length, "centre of mass": length, "axis": 1.0}
    by_kind["inertia"] = max(np.abs(bodies[:, 4:]).max(), np.abs(bodies[:, 0]).max() * length**2)
    return float(by_kind.get(what, 0.0))


def _same(x: Quantity, y: Quantity, tolerance: float) -> bool:
    if isinstance(x, str) or isinstance(y, str):
        return x == y
    return len(x) == len(y) and all(math.isclose(p, q, rel_tol=0, abs_tol=tolerance) for p, q in zip(x, y, strict=True))


def _place(a: Described, b: Described, k: int, order: Sequence[int]) -> str:
    names = (a.model.moving()[k].name, b.model.moving()[order[k]].name)
    return f"{k + 1} {names[0]}" if names[0] == names[1] else f"{k + 1} {names[0]} | {names[1]}"
