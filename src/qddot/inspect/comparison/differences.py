"""Lists differences of two descriptions by joint, in the frame that all conventions share: the base's, at q = 0."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from qddot.base.records import record
from qddot.base.words.message import say
from qddot.inspect.comparison.explain_loops import loop_rows
from qddot.inspect.comparison.remaining import CLOSE, Carried, Value, kind_text, motor_text
from qddot.inspect.comparison.zero_pose import EFFECTS, NUMBERS, MovingJoint, ZeroPose
from qddot.robot.notes import note

TINY, DRAWN = 1e-15, " *"
FEWEST, MOST = 6, 17  # digits that numbers are shown with
# quantities that a model with equations entry by entry does not have
WORDS = {
    "joint": say("quantity-joint"),
    "carried by joint": say("quantity-carrier"),
    "axis": say("quantity-axis"),
    "point of the axis": say("quantity-point"),
    "mass": say("quantity-mass"),
    "centre of mass": say("quantity-centre"),
    "inertia": say("quantity-inertia"),
    "armature": say("quantity-armature"),
    "viscous friction": say("quantity-viscous"),
    "Coulomb friction": say("quantity-coulomb"),
    "stribeck": say("quantity-stribeck"),
    "stribeck velocity": say("quantity-stribeck-velocity"),
    "bristles stiffness": say("quantity-bristles"),
    "bristles damping": say("quantity-bristles-damping"),
    "square_root": say("quantity-square-root"),
    "load": say("quantity-load"),
    "drag": say("quantity-drag"),
    "offset": say("quantity-offset"),
    "spring stiffness": say("quantity-stiffness"),
    "spring rest": say("quantity-rest"),
    "limits": say("quantity-limits"),
    "effort": say("quantity-effort"),
    "velocity": say("quantity-velocity"),
    "motor": say("quantity-motor"),
    "rotor": say("quantity-rotor"),
    "gravity": say("quantity-gravity"),
    "type": say("quantity-type"),
    "length": say("quantity-length"),
}
OF_LINKS = ("mass", "centre of mass", "inertia", "armature", "gravity")


@record(slots=True)
class Difference:
    """This is one quantity that differs: numbers in SI units, axes and points in the base frame at q = 0; or a text.

    entries: what it changes in M, C and G, if it remains when the findings are corrected
    drawn: whether each side's numbers follow from arbitrary ones, of symbols without values
    """

    place: str
    what: str
    a: Value
    b: Value
    entries: tuple[Carried, ...] = ()
    drawn: tuple[bool, bool] = (False, False)

    def row(self) -> tuple[str, str, str, str, str]:
        """Returns the place, the quantity, both values and the entries as texts."""
        a, b = (f"{text}{DRAWN * drawn}" for text, drawn in zip(texts_of(self.a, self.b), self.drawn, strict=True))
        return str(self.place), str(WORDS.get(self.what, self.what)), a, b, ", ".join(map(str, self.entries))


def texts_of(a: Value, b: Value) -> tuple[str, str]:
    """Returns both values with as many digits as it takes to tell them apart."""
    if isinstance(a, str) or isinstance(b, str):
        return str(a), str(b)
    if len(a) != len(b):
        return _listed(a, (FEWEST,) * len(a)), _listed(b, (FEWEST,) * len(b))
    largest = max((abs(number) for number in (*a, *b)), default=0.0)
    digits = tuple(_needed(x, y, CLOSE * largest) for x, y in zip(a, b, strict=True))
    return _listed(a, digits), _listed(b, digits)


def _needed(x: float, y: float, close: float) -> int:
    if abs(x - y) <= close:
        return FEWEST
    return next((d for d in range(FEWEST, MOST) if f"{x:.{d}g}" != f"{y:.{d}g}"), MOST)


def _listed(values: tuple[float, ...], digits: tuple[int, ...]) -> str:
    largest = max(map(abs, values), default=0.0)
    # + 0.0 hides the sign of zero, the rest the rounding of what vanishes
    texts = [f"{0.0 if abs(x) < 1e-12 * largest else x + 0.0:.{d}g}" for x, d in zip(values, digits, strict=True)]
    return ", ".join(texts) if texts else str(note("none-there"))


def differences(a: ZeroPose, b: ZeroPose, by_entries: bool) -> list[Difference]:
    """Returns every quantity whose difference exceeds CLOSE times the largest value of its kind in either arm.

    by_entries: whether one of them has equations instead of inertias
    """
    ours, theirs = _quantities(a), _quantities(b)
    rows = []
    order = sorted((k for k, node in enumerate(a.nodes) if node.ratio is None), key=lambda k: a.nodes[k].dof)
    for what, values in ours.items():
        if by_entries and what in OF_LINKS:
            continue
        scale = max((abs(x) for each in (*values, *theirs[what]) if not isinstance(each, str) for x in each), default=0)
        scale = max(scale, _natural(a, what), _natural(b, what))
        for i, (x, y) in enumerate(zip(values, theirs[what], strict=True)):
            if not _same(x, y, CLOSE * scale + TINY):
                place = "base" if what == "gravity" else _place(a.nodes[order[i]], b.nodes[order[i]])
                rows.append((i, Difference(place, what, x, y)))
    of_joints = [difference for _, difference in sorted(rows, key=lambda each: each[0])]
    return [*of_joints, *(Difference(place, row.what, row.a, row.b) for place, row in loop_rows(a, b))]


def _quantities(arm: ZeroPose) -> dict[str, list[Value]]:
    """Returns, for each kind of quantity, the joints' values in the order of q; gravity has one value."""
    nodes = sorted((node for node in arm.nodes if node.ratio is None), key=lambda node: node.dof)
    bodies = [node.total for node in nodes]
    table: dict[str, list[Value]] = {
        "joint": [kind_text(node.kind.is_revolute) for node in nodes],
        "carried by joint": [
            note("none-there") if n.parent is None else str(arm.nodes[n.parent].dof + 1) for n in nodes
        ],
        "axis": [tuple(node.axis.tolist()) for node in nodes],
        "point of the axis": [tuple(node.point.tolist()) for node in nodes],
        **{what: [numbers(body) for body in bodies] for what, numbers in NUMBERS.items()},
    }
    for what in EFFECTS:
        table[what] = [(float(value),) for value in arm.effects[what]]
    table["limits"] = list(arm.limits)
    table |= {what: list(values) for what, values in arm.of_motors.items()}
    table["motor"] = [motor_text(has_one) for has_one in arm.motors]
    table["gravity"] = [tuple(arm.gravity.tolist())]
    return table


def _natural(arm: ZeroPose, what: str) -> float:
    """Returns the size with which rounding is compared: the arm's length, or m L² for inertias."""
    length = max(float(np.abs(x).max()) for node in arm.nodes for x in (node.point, node.total.c))
    by_kind = {"point of the axis": length, "centre of mass": length, "axis": 1.0}
    heaviest = max(node.total.m for node in arm.nodes)
    by_kind["inertia"] = max(max(float(np.abs(node.total.I).max()) for node in arm.nodes), heaviest * length**2)
    return float(by_kind.get(what, 0.0))


def _same(x: Value, y: Value, tolerance: float) -> bool:
    if isinstance(x, str) or isinstance(y, str):
        return x == y
    return len(x) == len(y) and all(math.isclose(p, q, rel_tol=0, abs_tol=tolerance) for p, q in zip(x, y, strict=True))


def marked(rows: tuple[Difference, ...], others: tuple[Difference, ...]) -> tuple[Difference, ...]:
    """Returns differences with marks at the numbers that are others with other arbitrary numbers for symbols.

    others: the differences with those; of one that is not among them both numbers are marked
    """
    there = {(each.place, each.what): (each.a, each.b) for each in others}

    def sides(row: Difference) -> tuple[bool, bool]:
        a, b = (
            not _same(own, other, CLOSE * max(map(abs, own), default=0.0) if isinstance(own, tuple) else 0.0)
            for own, other in zip((row.a, row.b), there.get((row.place, row.what), ((), ())), strict=True)
        )
        return a, b

    return tuple(replace(row, drawn=sides(row)) for row in rows)


def _place(one: MovingJoint, other: MovingJoint) -> str:
    names = one.link if one.link == other.link else f"{one.link} | {other.link}"
    return f"{one.dof + 1} {names}"
