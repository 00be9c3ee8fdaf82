"""Explains differences of gravity, and in the joints: armature, friction, springs, limits and motors."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import degrees

import numpy as np

from qddot.base.words.message import say
from qddot.formats.confusions.of_arms import (
    DIRECTIONS,
    LIMITS_IN_DEGREES,
    NO_ARMATURE,
    NO_COULOMB,
    NO_DAMPING,
    NO_GRAVITY,
    NO_LIMITS,
    NO_SPRINGS,
    SIGN_OF_GRAVITY,
)
from qddot.inspect.comparison.findings import Finding, in_a, in_b, rounded_digits, short, vector_text
from qddot.inspect.comparison.places import Array
from qddot.inspect.comparison.remaining import CLOSE, Rest, changed, motor_text, placed
from qddot.inspect.comparison.zero_pose import ZeroPose
from qddot.robot.bodies import OF_MOTORS
from qddot.robot.notes import note

MISSING = {  # the confusion of each kind of effect that is left out
    "armature": NO_ARMATURE,
    "viscous friction": NO_DAMPING,
    "Coulomb friction": NO_COULOMB,
    "spring stiffness": NO_SPRINGS,
}
NOUNS = {
    "armature": say("quantity-armature"),
    "viscous friction": say("quantity-viscous"),
    "Coulomb friction": say("quantity-coulomb"),
    "spring stiffness": say("quantity-stiffness"),
}
FELT = ("armature",)  # effects that change M, C or G


def effects_explained(a: ZeroPose, b: ZeroPose) -> tuple[list[Finding], ZeroPose, list[Rest]]:
    """Returns the causes, the corrected B, and the remaining differences."""
    findings, rest = _gravity(a, b), []
    effects = dict(b.effects)
    for what, missing in MISSING.items():
        x, y = a.effects[what], b.effects[what]
        if np.abs(x - y).max() <= CLOSE * max(np.abs(x).max(), np.abs(y).max()):
            continue
        if not x.any() or not y.any():
            findings.append(Finding(missing.name, (in_b if x.any() else in_a)(missing)))
        elif (factor := _factor(x, y)) is not None:
            findings.append(Finding(f"scaled {what}", note("effect-scaled", effect=NOUNS[what], times=short(factor))))
        elif (digits := rounded_digits(x, y)) is not None:
            findings.append(Finding("rounding", note("effect-rounded", effect=NOUNS[what], digits=digits)))
        else:
            rest += _rows(a, what, x, y)
        effects[what] = x
        if what == "spring stiffness" and missing.name in [finding.cause for finding in findings]:
            effects["spring rest"] = a.effects["spring rest"]
    if np.abs(a.effects["spring rest"] - effects["spring rest"]).max() > CLOSE:
        rest += _rows(a, "spring rest", a.effects["spring rest"], effects["spring rest"])
    limit_findings, left = _limits(a, b)
    corrected = replace(b, gravity=a.gravity, effects={**effects, "spring rest": a.effects["spring rest"]})
    return [*findings, *limit_findings], corrected, [*rest, *left, *_motors(a, b), *_of_motors(a, b)]


def _gravity(a: ZeroPose, b: ZeroPose) -> list[Finding]:
    x, y = a.gravity, b.gravity
    size = max(float(np.abs(x).max()), float(np.abs(y).max()))
    if np.abs(x - y).max() <= CLOSE * size:
        return []
    values = {"wrong": vector_text(y, 6)[1:-1], "right": vector_text(x, 6)[1:-1]}
    if np.abs(x + y).max() <= CLOSE * size:
        return [Finding(SIGN_OF_GRAVITY.name, in_b(SIGN_OF_GRAVITY, **values))]
    if not x.any() or not y.any():
        swapped = {"wrong": values["right"], "right": values["wrong"]}
        return [Finding(NO_GRAVITY.name, in_b(NO_GRAVITY, **values) if x.any() else in_a(NO_GRAVITY, **swapped))]
    if np.abs(x / np.linalg.norm(x) - y / np.linalg.norm(y)).max() < CLOSE:
        text = note("gravity-of-other-strength", b=vector_text(y, 6), a=vector_text(x, 6))
        return [Finding("strength of gravity", text)]
    return [Finding(DIRECTIONS[0].name, in_b(DIRECTIONS[0], **values))]


def _factor(x: Array, y: Array) -> float | None:
    """Returns the ratio that all of two or more numbers share, else None."""
    ratios = [q / p for p, q in zip(x.tolist(), y.tolist(), strict=True) if p or q if p]
    whole = len(ratios) == np.count_nonzero(x) == np.count_nonzero(y) > 1
    return ratios[0] if whole and all(abs(r / ratios[0] - 1) < 1e-9 for r in ratios) else None


def _rows(a: ZeroPose, what: str, x: Array, y: Array) -> list[Rest]:
    size = CLOSE * max(float(np.abs(x).max()), float(np.abs(y).max()))
    rows = [(name, i, float(x[i]), float(y[i])) for i, name in _names(a).items() if abs(x[i] - y[i]) > size]
    return [Rest(n, what, (p,), (q,), changed(_put(what, i, q)) if what in FELT else None) for n, i, p, q in rows]


def _names(arm: ZeroPose) -> dict[int, str]:
    """Returns the places of the joints with coordinates, by these, in their order."""
    names = {node.dof: placed(arm, k) for k, node in enumerate(arm.nodes) if node.ratio is None}
    return {i: names[i] for i in range(arm.n)}


def _put(what: str, i: int, value: float) -> Callable[[ZeroPose], ZeroPose]:
    def change(arm: ZeroPose) -> ZeroPose:
        values = arm.effects[what].copy()
        values[i] = value
        return replace(arm, effects={**arm.effects, what: values})

    return change


def _limits(a: ZeroPose, b: ZeroPose) -> tuple[list[Finding], list[Rest]]:
    names = _names(a)
    unlike = [i for i, (x, y) in enumerate(zip(a.limits, b.limits, strict=True)) if not _same(x, y)]
    if not unlike:
        return [], []
    if not any(a.limits) or not any(b.limits):
        return [Finding(NO_LIMITS.name, (in_b if any(a.limits) else in_a)(NO_LIMITS))], []
    if all(_same(tuple(map(degrees, a.limits[i])), b.limits[i]) for i in unlike):
        return [Finding(LIMITS_IN_DEGREES.name, in_b(LIMITS_IN_DEGREES))], []
    alike = [i for i in unlike if len(a.limits[i]) == len(b.limits[i])]
    digits = {i: number for i in alike if (number := rounded_digits(a.limits[i], b.limits[i])) is not None}
    text = note("limits-rounded", digits=min(digits.values(), default=0))
    findings = [Finding("rounding", text, tuple(names[i] for i in digits))] if digits else []
    return findings, [Rest(names[i], "limits", a.limits[i], b.limits[i], None) for i in unlike if i not in digits]


def _motors(a: ZeroPose, b: ZeroPose) -> list[Rest]:
    """Returns the joints that have a motor in only one of the arms."""
    pairs = zip(_names(a).values(), a.motors, b.motors, strict=True)
    return [Rest(name, "motor", motor_text(x), motor_text(y), None) for name, x, y in pairs if x != y]


def _of_motors(a: ZeroPose, b: ZeroPose) -> list[Rest]:
    """Returns the joints whose motors have other limits."""
    return [
        Rest(name, what, x, y, None)
        for what in OF_MOTORS
        for name, x, y in zip(_names(a).values(), a.of_motors[what], b.of_motors[what], strict=True)
        if not _same(x, y)
    ]


def _same(x: tuple[float, ...], y: tuple[float, ...]) -> bool:
    return len(x) == len(y) and all(abs(p - q) <= CLOSE * max(1.0, abs(p)) for p, q in zip(x, y, strict=True))
