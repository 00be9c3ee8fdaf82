"""Explains differences of gravity and of effects in the joints: rotors, friction, springs and limits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import pi

import numpy as np

from qddot.inspect.comparison.findings import Finding, rounded_digits, short, vector_text
from qddot.inspect.comparison.places import Array
from qddot.inspect.comparison.remaining import CLOSE, Rest, changed, placed
from qddot.inspect.comparison.zero_pose import Arm

NAMES = {  # for each effect: the cause's name and the words for it
    "armature": ("missing armature", "the armature"),
    "viscous friction": ("missing damping", "the viscous friction"),
    "Coulomb friction": ("missing friction", "the Coulomb friction"),
    "spring stiffness": ("missing springs", "the springs"),
}
FELT = ("armature",)  # effects that change M, C or G


def effects_explained(a: Arm, b: Arm) -> tuple[list[Finding], Arm, list[Rest]]:
    """Returns the causes, the corrected B, and what is left."""
    findings, rest = _gravity(a, b), []
    effects = dict(b.effects)
    for what, (cause, words) in NAMES.items():
        x, y = a.effects[what], b.effects[what]
        if np.abs(x - y).max() <= CLOSE * max(np.abs(x).max(), np.abs(y).max()):
            continue
        if not x.any() or not y.any():
            without, other = ("B", "A") if x.any() else ("A", "B")
            findings.append(Finding(cause, f"{without} lacks {words} that {other} has"))
        elif (factor := _factor(x, y)) is not None:
            findings.append(Finding(f"scaled {what}", f"{words} in B is × {short(factor)}"))
        elif (digits := rounded_digits(x, y)) is not None:
            findings.append(Finding("rounding", f"{words} agrees to {digits} digits"))
        else:
            rest += _rows(a, what, x, y)
        effects[what] = x
        if what == "spring stiffness" and cause in [finding.cause for finding in findings]:
            effects["spring rest"] = a.effects["spring rest"]
    if np.abs(a.effects["spring rest"] - effects["spring rest"]).max() > CLOSE:
        rest += _rows(a, "spring rest", a.effects["spring rest"], effects["spring rest"])
    limit_findings, left = _limits(a, b)
    corrected = replace(b, gravity=a.gravity, effects={**effects, "spring rest": a.effects["spring rest"]})
    return [*findings, *limit_findings], corrected, [*rest, *left]


def _gravity(a: Arm, b: Arm) -> list[Finding]:
    x, y = a.gravity, b.gravity
    size = max(float(np.abs(x).max()), float(np.abs(y).max()))
    if np.abs(x - y).max() <= CLOSE * size:
        return []
    values = f"{vector_text(y, 6)} in B, {vector_text(x, 6)} in A"
    if np.abs(x + y).max() <= CLOSE * size:
        return [Finding("gravity sign", f"gravity points the other way in B: {values}")]
    if not x.any() or not y.any():
        return [Finding("missing gravity", f"{'B' if x.any() else 'A'} has no gravity: {values}")]
    if np.abs(x / np.linalg.norm(x) - y / np.linalg.norm(y)).max() < CLOSE:
        return [Finding("strength of gravity", f"gravity has another strength: {values}")]
    return [Finding("direction of gravity", f"gravity has another direction: {values}")]


def _factor(x: Array, y: Array) -> float | None:
    """Returns the ratio that all of two or more numbers share, else None."""
    ratios = [q / p for p, q in zip(x.tolist(), y.tolist(), strict=True) if p or q if p]
    whole = len(ratios) == np.count_nonzero(x) == np.count_nonzero(y) > 1
    return ratios[0] if whole and all(abs(r / ratios[0] - 1) < 1e-9 for r in ratios) else None


def _rows(a: Arm, what: str, x: Array, y: Array) -> list[Rest]:
    names = {node.dof: placed(a, k) for k, node in enumerate(a.nodes) if node.ratio is None}
    size = CLOSE * max(float(np.abs(x).max()), float(np.abs(y).max()))
    return [
        Rest(
            names[i],
            what,
            (float(x[i]),),
            (float(y[i]),),
            changed(_put(what, i, float(y[i]))) if what in FELT else None,
        )
        for i in range(a.n)
        if abs(x[i] - y[i]) > size
    ]


def _put(what: str, i: int, value: float) -> Callable[[Arm], Arm]:
    def change(arm: Arm) -> Arm:
        values = arm.effects[what].copy()
        values[i] = value
        return replace(arm, effects={**arm.effects, what: values})

    return change


def _limits(a: Arm, b: Arm) -> tuple[list[Finding], list[Rest]]:
    names = {node.dof: placed(a, k) for k, node in enumerate(a.nodes) if node.ratio is None}
    unlike = [i for i, (x, y) in enumerate(zip(a.limits, b.limits, strict=True)) if not _same(x, y)]
    if not unlike:
        return [], []
    if not any(a.limits) or not any(b.limits):
        without, other = ("B", "A") if any(a.limits) else ("A", "B")
        return [Finding("missing limits", f"{without} lacks the limits that {other} has")], []
    if all(_same(tuple(end * 180 / pi for end in a.limits[i]), b.limits[i]) for i in unlike):
        return [Finding("limits in degrees", "the limits in B are degrees taken for radians")], []
    digits = [
        rounded_digits(a.limits[i], b.limits[i]) if len(a.limits[i]) == len(b.limits[i]) else None for i in unlike
    ]
    close = [digit for digit in digits if digit is not None]
    findings = []
    if close:
        where = tuple(names[i] for i, digit in zip(unlike, digits, strict=True) if digit is not None)
        findings = [Finding("rounding", f"limits agree to {min(close)} digits: numbers were rounded", where)]
    rows = [(i, d) for i, d in zip(unlike, digits, strict=True) if d is None]
    return findings, [Rest(names[i], "limits", a.limits[i], b.limits[i], None) for i, _ in rows]


def _same(x: tuple[float, ...], y: tuple[float, ...]) -> bool:
    return len(x) == len(y) and all(abs(p - q) <= CLOSE * max(1.0, abs(p)) for p, q in zip(x, y, strict=True))
