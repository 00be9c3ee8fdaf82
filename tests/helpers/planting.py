"""Helpers plant confusions in arms, and decide when one counts as named.

A confusion counts as named if the findings' causes are those that were planted and no others, the joint of a shifted
zero or a reversed axis is the right one, nothing is left over, and M, C and G agree to 1e-6 once the findings are
undone (or did before, where they do not depend on it). A base that is moved and turned may be told as one finding. A
confusion that changes nothing in an arm is not planted there, nor is one that another one hides.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random
from typing import Any

import numpy as np

import qddot
from qddot.algebra.expressions.parser import angle, expression
from qddot.algebra.spatial import Pose, Vec3
from qddot.inspect.comparison.comparison import UNDONE, Comparison
from qddot.robot.bodies import Body, Joint, mass_properties
from qddot.robot.effects.armature import Armature
from qddot.robot.effects.viscous import Viscous
from qddot.robot.model import Model
from qddot.robot.placements import pose, turn

Properties = tuple[float, Any, Any]  # mass, centre of mass, tensor about it
TENSOR = [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)]


@dataclass(frozen=True)
class Plant:
    """A confusion: the cause that names it, and what makes the models of A and B; and where, if in one joint."""

    cause: str
    make: Callable[[Model, Model, Random], tuple[Model, Model, str]]


def numbers(body: Body, values: dict[str, float]) -> Properties:
    m, *h = (
        float(part.value(values)) if hasattr(part, "value") else float(part)
        for part in (body.inertia.m, *body.inertia.h)
    )
    J = np.array(
        [[float(e.value(values)) if hasattr(e, "value") else float(e) for e in row] for row in body.inertia.I.rows()]
    )
    c = np.array(h) / m if m else np.zeros(3)
    return m, c, J - m * spread(c)


def spread(c: Any) -> Any:
    return (c @ c) * np.eye(3) - np.outer(c, c)


def with_numbers(body: Body, m: float, c: Any, I: Any) -> Body:
    tensor = [repr(float(I[i, j])) for i, j in TENSOR]
    inertia, com = mass_properties(repr(float(m)), [repr(float(x)) for x in c], inertia=tensor)
    return replace(body, inertia=inertia, com=com, partial_inertia=True)


def bodies(
    change: Callable[[float, Any, Any], Properties],
) -> Callable[[Model, Model, Random], tuple[Model, Model, str]]:
    """The same change on every link of B that has a mass."""

    def make(a: Model, b: Model, rng: Random) -> tuple[Model, Model, str]:
        values = b.defaults()
        made = []
        for body in b.bodies:
            m, c, I = numbers(body, values)
            made.append(with_numbers(body, *change(m, c, I)) if m else body)
        return a, replace(b, bodies=tuple(made)), ""

    return make


def joints(change: Callable[[Joint, Random], Joint], roots: bool = False, one: bool = False) -> Any:
    """A change of joints of B: of all, of those at the base, or of one."""

    def make(a: Model, b: Model, rng: Random) -> tuple[Model, Model, str]:
        moving = [body.name for body in b.bodies if body.joint.moves]
        chosen = [rng.choice(moving[1:])] if one else [body.name for body in b.bodies]
        if roots:
            chosen = [body.name for body in b.bodies if body.joint.parent == "base"]
        seed = rng.random()
        made = [replace(x, joint=change(x.joint, Random(seed))) if x.name in chosen else x for x in b.bodies]
        return a, replace(b, bodies=tuple(made)), chosen[0] if one else ""

    return make


def moved(joint: Joint, rng: Random) -> Joint:
    xyz = [round(rng.uniform(-1, 1), 2) for _ in range(3)]
    return replace(joint, placement=pose(xyz) @ joint.placement)


def turned(joint: Joint, rng: Random) -> Joint:
    rpy = [f"{rng.choice([30, 90, -90, 45])}deg", f"{rng.choice([20, -35, 90])}deg", 0]
    return replace(joint, placement=pose((0, 0, 0), rpy) @ joint.placement)


def shifted(joint: Joint, rng: Random) -> Joint:
    """B stands at q = 0 as A does at a constant; the limits are shifted with the zero."""
    if not joint.kind.is_revolute:
        return joint
    by = rng.choice(["90deg", "-90deg", "180deg", "30deg", "0.1", "-45deg"])
    radians = angle(by).value({})
    limits = None if joint.limits is None else tuple(repr(end.value({}) - radians) for end in joint.limits)
    turned = joint.placement @ Pose(turn(joint.axis, by), Vec3.zero())
    return replace(joint, placement=turned, limits=limits)


def reversed_axis(joint: Joint, rng: Random) -> Joint:
    limits = None if joint.limits is None else tuple(-end for end in joint.limits[::-1])
    return replace(joint, axis=-joint.axis, limits=limits)


def longer(factor: str) -> Any:
    """All lengths of B, with or without those of the links' centres of mass."""

    def make(a: Model, b: Model, rng: Random) -> tuple[Model, Model, str]:
        _, b, _ = bodies(lambda m, c, I: (m, c * float(factor), I))(a, b, rng)
        k = expression(factor)

        def stretched(pose: Pose) -> Pose:
            return Pose(pose.R, pose.p * k)

        def lengthened(joint: Joint) -> Joint:
            return replace(joint, placement=stretched(joint.placement), offset=stretched(joint.offset))

        made = tuple(replace(body, joint=lengthened(body.joint)) for body in b.bodies)
        return a, replace(b, bodies=made, tool=stretched(b.tool)), ""

    return make


def effect(kind: Any) -> Any:
    """A has it on every joint, B has not."""

    def make(a: Model, b: Model, rng: Random) -> tuple[Model, Model, str]:
        made = []
        for k, body in enumerate(a.bodies):
            others = [x for x in body.joint.effects if not isinstance(x, kind)]
            given = (*others, kind(round(0.1 + 0.03 * k, 3)))
            made.append(replace(body, joint=replace(body.joint, effects=given)) if body.joint.leads else body)
        bare = tuple(
            replace(
                body, joint=replace(body.joint, effects=tuple(x for x in body.joint.effects if not isinstance(x, kind)))
            )
            for body in b.bodies
        )
        return replace(a, bodies=tuple(made)), replace(b, bodies=bare), ""

    return make


def payload(a: Model, b: Model, rng: Random) -> tuple[Model, Model, str]:
    held = Body.of(
        "payload",
        Joint("fixed", a.tool_body),
        mass="0.7",
        com=[0, "0.02", "0.1"],
        inertia=["0.01", 0, 0, "0.01", 0, "0.005"],
    )
    return replace(a, bodies=(*a.bodies, held)), b, ""


def finger(a: Model, b: Model, rng: Random) -> tuple[Model, Model, str]:
    added = Body("finger", Joint("prismatic", b.tool_body, axis=Vec3(0, 1, 0), coordinate="slide"))
    return a, replace(b, bodies=(*b.bodies, added), coordinates=("slide", *b.coordinates)), ""


def gravity(factor: Any) -> Any:
    def make(a: Model, b: Model, rng: Random) -> tuple[Model, Model, str]:
        return a, replace(b, gravity=b.gravity * expression(factor)), ""

    return make


def tool(a: Model, b: Model, rng: Random) -> tuple[Model, Model, str]:
    return a, replace(b, tool=b.tool @ pose([0, "0.05", "0.1"], ["90deg", 0, 0])), ""


def significant(x: Any, digits: int = 3) -> Any:
    return np.vectorize(lambda v: float(f"{v:.{digits - 1}e}"))(x)


P = np.eye(3)[[1, 2, 0]]
PLANTS = [
    Plant("gravity sign", gravity(-1)),
    Plant("strength of gravity", gravity("0.5")),
    Plant("missing armature", effect(Armature)),
    Plant("missing damping", effect(Viscous)),
    Plant("fixed links dropped", payload),
    Plant("extra joints", finger),
    Plant("inertia about the origin", bodies(lambda m, c, I: (m, c, I - m * spread(c)))),
    Plant("inertia about the centre of mass", bodies(lambda m, c, I: (m, c, I + m * spread(c)))),
    Plant("sign of products", bodies(lambda m, c, I: (m, c, 2 * np.diag(np.diag(I)) - I))),
    Plant("permuted inertia axes", bodies(lambda m, c, I: (m, c, P @ I @ P.T))),
    Plant("missing inertia", bodies(lambda m, c, I: (m, c, 0 * I))),
    Plant("missing centre of mass", bodies(lambda m, c, I: (m, 0 * c, I))),
    Plant("scaled inertia", bodies(lambda m, c, I: (m, c, 1000 * I))),
    Plant("scaled inertia", bodies(lambda m, c, I: (m, c, 1e-6 * 1.0 * I * 10))),
    Plant("scaled mass", bodies(lambda m, c, I: (1000 * m, c, I))),
    Plant("scaled mass", bodies(lambda m, c, I: (1.1 * m, c, I))),
    Plant("scaled centre of mass", bodies(lambda m, c, I: (m, 1000 * c, I))),
    Plant("rounding", bodies(lambda m, c, I: (significant(m), significant(c), significant(I)))),
    Plant("scaled lengths", longer("1000")),
    Plant("scaled lengths", longer("1.05")),
    Plant("base moved", joints(moved, roots=True)),
    Plant("base turned", joints(turned, roots=True)),
    Plant("zero shifted", joints(shifted, one=True)),
    Plant("axis reversed", joints(reversed_axis, one=True)),
    Plant("tool moved", tool),
]


def given(name: str) -> Model:
    """The arm with a number for every symbol."""
    arm = qddot.load(name)
    rng, known, values = np.random.default_rng(0), arm.model.defaults(), {}
    for symbol in arm.model.symbols:
        stem = symbol.rstrip("0123456789")
        size = {"m": (1, 2), "Ixx": (1, 1.3), "Iyy": (1.3, 1.5), "Izz": (1.6, 1.8)}.get(stem, (-0.2, 0.2))
        if stem in ("Ixy", "Ixz", "Iyz"):
            size = (-0.04, 0.04)
        if symbol not in known:
            values[symbol] = float(np.round(rng.uniform(*size), 4))
    return arm.with_values(**values).model if values else arm.model


def hidden(one: str, other: str) -> bool:
    """Whether nothing is left to see of one confusion beside the other: what is missing cannot be wrong."""
    tensor = ("permuted inertia axes", "sign of products", "scaled inertia", "inertia about")
    centre = ("scaled centre of mass", "inertia about")
    pairs = ((one, other), (other, one))
    return any(
        (x == "missing inertia" and y.startswith(tensor)) or (x == "missing centre of mass" and y.startswith(centre))
        for x, y in pairs
    )


def planted(name: str, plants: tuple[Plant, ...], seed: int) -> tuple[Model, Model, list[tuple[str, str]]]:
    """A, B, and what was planted: the causes and where."""
    a = b = given(name)
    truth = []
    for plant in plants:
        rng = Random(f"{name} {plant.cause} {seed}")
        a, b, where = plant.make(a, b, rng)
        truth.append((plant.cause, where))
    return a, b, truth


def named(comparison: Comparison, truth: list[tuple[str, str]]) -> bool:
    """Whether the findings are what was planted, and all of it."""
    causes = {finding.cause for finding in comparison.findings}
    if "base moved and turned" in causes:
        causes = causes - {"base moved and turned"} | {"base moved", "base turned"}
    places = all(
        any(where in text for finding in comparison.findings if finding.cause == cause for text in finding.where)
        for cause, where in truth
        if where
    )
    undone = comparison.undone is None or all(size <= UNDONE for size in comparison.undone.values())
    return causes == {cause for cause, _ in truth} and places and not comparison.remaining and undone


def changes(comparison: Comparison) -> bool:
    return not comparison or any(finding.cause == "tool moved" for finding in comparison.findings)
