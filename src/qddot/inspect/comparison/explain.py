"""Explains how two arms differ: readings of the files, the base, zeros and axes, then links' inertias and effects.

Every correction is made on B, in numbers, before it is named; what is left is listed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from math import degrees

import numpy as np

from qddot.base.records import record
from qddot.base.words.message import Both
from qddot.formats.confusions.of_arms import REVERSED_AXIS
from qddot.inspect.comparison.alignment import (
    EXACT,
    ROUNDED,
    ROUNDED_GAP,
    ROUNDED_TURN,
    Alignment,
    aligned,
    applied,
    length_ratios,
    scaled,
)
from qddot.inspect.comparison.explain_effects import effects_explained
from qddot.inspect.comparison.explain_links import bodies_explained
from qddot.inspect.comparison.explain_loops import loops_explained
from qddot.inspect.comparison.findings import Finding, displaced, in_b, rounded_digits, short, times, units
from qddot.inspect.comparison.places import Array, Place
from qddot.inspect.comparison.readings import readings
from qddot.inspect.comparison.remaining import CLOSE, Rest, changed, kind_text, placed
from qddot.inspect.comparison.snapshot import Snapshot
from qddot.inspect.comparison.zero_pose import MovingJoint, ZeroPose
from qddot.robot.notes import note

ROW, READING, SCALE, CAUSE = 4.0, 1.0, 1.0, 1.0


@record()
class Explained:
    """An explanation has the confusions in B whose correction brings it nearest to A.

    findings: the confusions that were undone; a, b: A and the corrected B; rest: what still differs; cost: the sum of
    the costs of all findings and of the rest
    """

    findings: tuple[Finding, ...]
    a: ZeroPose
    b: ZeroPose
    rest: tuple[Rest, ...]
    cost: float


def explained(a: Snapshot, b: Snapshot, arms: Callable[[Snapshot, Snapshot], tuple[ZeroPose, ZeroPose]]) -> Explained:
    """Returns the cheapest explanation over all readings of the two files."""
    best: Explained | None = None
    for findings, ours, theirs in readings(a, b):
        trial = _of_arms(*arms(ours, theirs))
        trial = replace(trial, findings=(*findings, *trial.findings), cost=trial.cost + READING * len(findings))
        if best is None or trial.cost < best.cost - 1e-9:
            best = trial
        if best is trial and not trial.rest and not findings:
            break
    assert best is not None
    return best


def _of_arms(a: ZeroPose, b: ZeroPose) -> Explained:
    """Returns the explanation without other readings: lengths, alignment, then the quantities of the links."""
    best: tuple[float, list[Finding], ZeroPose, Alignment] | None = None
    for cost, findings, other in _scales(a, b):
        alignment = aligned(a, other)
        if findings and any(fit.misfit for fit in alignment.fits.values()):
            continue  # a factor after which joints still disagree explains nothing
        if best is None or alignment.cost + cost < best[0] - 1e-9:
            best = alignment.cost + cost, findings, other, alignment
    assert best is not None
    cost, findings, other, alignment = best
    gravity, named = _gravity(a, b, alignment)
    moved = applied(other, alignment, gravity)
    rest, rounded = _misfits(a, moved, alignment)
    findings += [*_base(alignment, named), *_zeros(a, alignment), *rounded]
    lift, bodies, left = bodies_explained(a, moved)
    effects, others, also = effects_explained(a, lift)
    loops, apart = loops_explained(a, others)
    findings += [*bodies, *effects, *loops, *tool_moved(a, others)]
    everything = (*rest, *left, *also, *apart)
    total = cost + CAUSE * (len(bodies) + len(effects) + len(loops)) + ROW * len(everything)
    return Explained(tuple(findings), a, others, everything, total)


def _scales(a: ZeroPose, b: ZeroPose) -> Iterator[tuple[float, list[Finding], ZeroPose]]:
    """Yields B unchanged, and with other lengths where all of them have one ratio."""
    yield 0.0, [], b
    for ratio in length_ratios(a, b):
        for bodies, key in ((True, "all-lengths-scaled"), (False, "lengths-between-joints-scaled")):
            text = note(key, times=times(1 / ratio, "length"), units=units(1 / ratio, "length"))
            yield SCALE + 0.1 * (not bodies), [Finding("scaled lengths", text)], scaled(b, ratio, bodies)


def _gravity(a: ZeroPose, b: ZeroPose, alignment: Alignment) -> tuple[Array, bool]:
    """Returns B's gravity in A's base frame, and whether it was turned with the base."""
    turned = alignment.base.R @ b.gravity
    size = float(np.abs([a.gravity, b.gravity]).max()) or 1.0
    along = np.abs(turned - a.gravity).max() < CLOSE * size
    fixed = np.abs(b.gravity - a.gravity).max() < CLOSE * size
    return (turned, True) if along and not fixed else (b.gravity, False)


def _base(alignment: Alignment, with_gravity: bool) -> list[Finding]:
    """Returns findings about the place of B's base relative to A's."""
    words = displaced(alignment.base.inverse(), EXACT, EXACT)
    if not words:
        return []
    text = note("base-and-gravity-moved" if with_gravity else "base-moved", how=Both(words.values()))
    return [Finding(f"base {' and '.join(words)}", text)]


def _zeros(a: ZeroPose, alignment: Alignment) -> list[Finding]:
    findings = []
    for k in range(len(a.nodes)):
        if alignment.fits[k].sign < 0:
            findings.append(Finding(REVERSED_AXIS.name, in_b(REVERSED_AXIS), (placed(a, k),)))
    for k, node in enumerate(a.nodes):
        fit = alignment.fits[k]
        if shift := fit.shift:
            amount = f"{short(degrees(abs(shift)), 7)}°" if node.kind.is_revolute else f"{short(abs(shift))} m"
            q, sign = "−q_A" if fit.sign < 0 else "q_A", fit.sign * shift
            first = (
                node.parent is None and node.kind.is_revolute and not sum(other.parent is None for other in a.nodes) > 1
            )
            key = "zero-of-first-joint-shifted" if first else "zero-shifted"
            text = note(key, coordinate=f"{q} {'−' if sign < 0 else '+'} {amount}")
            findings.append(Finding("zero shifted", text, (placed(a, k),)))
    return findings


def _misfits(a: ZeroPose, b: ZeroPose, alignment: Alignment) -> tuple[list[Rest], list[Finding]]:
    """Returns the joints that are elsewhere on their carriers, and a finding on those that are so only by rounding."""
    rest, rounded, worst = [], [], 9
    for k, (one, other) in enumerate(zip(a.nodes, b.nodes, strict=True)):
        misfit = alignment.fits[k].misfit
        if one.kind.is_revolute != other.kind.is_revolute:
            kinds = [kind_text(node.kind.is_revolute) for node in (one, other)]
            rest.append(Rest(placed(a, k), "joint", kinds[0], kinds[1], None))
        if one.parent != other.parent:
            names = [note("none-there") if node.parent is None else placed(a, node.parent) for node in (one, other)]
            rest.append(Rest(placed(a, k), "carried by joint", names[0], names[1], None))
        if misfit is None or _same_line(one, one.moved(misfit), a.length):
            continue
        digits = _rounding(a, b, k, misfit)
        if digits is not None:
            rounded.append(placed(a, k))
            worst = min(worst, digits)
            continue
        theirs = one.moved(misfit)
        for what, x, y, size in (
            ("axis", one.axis, theirs.axis, 1.0),
            ("point of the axis", one.point, theirs.point, a.length),
        ):
            if np.abs(x - y).max() > EXACT * size:
                rest.append(
                    Rest(placed(a, k), what, tuple(x.tolist()), tuple(y.tolist()), changed(_subtree(k, misfit)))
                )
    if not rounded:
        return rest, []
    text = note("axes-rounded", digits=worst)
    return rest, [Finding("rounding", text, tuple(rounded), len(rounded) == len(a.nodes))]


def _same_line(one: MovingJoint, other: MovingJoint, length: float) -> bool:
    return bool(
        np.abs(one.axis - other.axis).max() <= EXACT and np.abs(one.point - other.point).max() <= EXACT * length
    )


def _rounding(a: ZeroPose, b: ZeroPose, k: int, misfit: Place) -> int | None:
    """Returns to how many digits a joint's place agrees, if it differs only by rounding, else None."""
    one, theirs = a.nodes[k], a.nodes[k].moved(misfit)
    turn = float(np.abs(one.axis - theirs.axis).max())
    shift = float(np.abs(one.point - theirs.point).max()) / a.length
    if max(turn, shift) > ROUNDED:
        return None
    if turn < ROUNDED_TURN and shift < ROUNDED_GAP:
        return int(-np.log10(2 * max(turn, shift, 1e-12)))
    above = one.parent
    ours = one.frame if above is None else a.nodes[above].frame.inverse() @ one.frame
    other = b.nodes[k].frame
    theirs_place = misfit @ other if above is None else b.nodes[above].frame.inverse() @ misfit @ other
    return rounded_digits(ours.p, theirs_place.p) if turn < 1e-3 else None


def _subtree(k: int, misfit: Place) -> Callable[[ZeroPose], ZeroPose]:
    """Returns a change that moves joint k and all that it carries to B's place."""

    def change(arm: ZeroPose) -> ZeroPose:
        nodes = [node.moved(misfit) if k in arm.path(j) else node for j, node in enumerate(arm.nodes)]
        return replace(arm, nodes=tuple(nodes))

    return change


def tool_moved(a: ZeroPose, b: ZeroPose) -> list[Finding]:
    """Returns findings about the tool's place, if its link and that link's frame are the same in both."""
    if a.tool_node is None or a.tool_node != b.tool_node:
        return []
    if a.tool_link != b.tool_link and not all(arm.tool_link == arm.nodes[a.tool_node].link for arm in (a, b)):
        return []
    one, other = a.nodes[a.tool_node].frame, b.nodes[a.tool_node].frame
    if np.abs(one.R - other.R).max() > 1e-6 or np.abs(one.p - other.p).max() > 1e-6 * a.length:
        return []
    words = displaced(a.tool.inverse() @ b.tool, 1e-6 * a.length, 1e-6)
    text = note("tool-of-b-moved", how=Both(words.values()))
    return [Finding("tool moved", text)] if words else []
