"""Finds which confusion turns the mass, centre of mass or tensor of a link of B into A's; numbers check each one.

Tensors are compared in one equation, I_A + σ_A S_A = Σ κ T(I_B + σ_B S_B): S = m (cᵀc 1 − c cᵀ) is the difference
between a tensor about the link's origin and that about the centre of mass, T is one of `TENSORS`, κ a factor,
σ is 0, 1 or −1, and the sum is over the bodies that are fixed together.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import Any, TypeAlias

import numpy as np

from qddot.algebra.spatial import Vec3
from qddot.base.records import record
from qddot.formats.confusions.confusion import Confusion, known_unit
from qddot.formats.confusions.of_bodies import (
    ABOUT_CENTRE,
    ABOUT_ORIGIN,
    NO_CENTRE,
    NO_MASS,
    NO_TENSOR,
    SIGN_OF_PRODUCTS,
    Mass,
)
from qddot.inspect.comparison.causes import CENTRES, CLOSE, TENSORS, Cause, Link
from qddot.inspect.comparison.findings import in_a, in_b, times, units
from qddot.inspect.comparison.places import Array, spread
from qddot.inspect.comparison.zero_pose import PosedBody, matrix, symmetric
from qddot.robot.notes import note

ROUGH = 6e-3  # the difference after rounding to three digits, on several links
SIGNIFICANT = 1e-6  # of A's tensor: a smaller one counts as none
SAME = 1e-6  # of a factor on a tensor
Key: TypeAlias = tuple[Any, ...]
# the tensor about another point, by the sign of the term that undoes it
ABOUT = {1: ABOUT_ORIGIN, -1: ABOUT_CENTRE}


@record(eq=False)
class Clue:
    """A clue is a correction of one quantity of one link: names, cost, and the corrected parts of B.

    alone: whether it may explain a single link; a factor that is no change of units may not
    """

    key: Key
    cost: float
    texts: tuple[tuple[str, str], ...]
    parts: tuple[PosedBody, ...]
    alone: bool = True


def masses(link: Link) -> Iterator[Clue]:
    """Yields clues on the mass: B's is A's times a factor, or one of the arms has none."""
    x, y = link.a.total.m, link.b.total.m
    if link.b.total.empty:
        yield Clue(("nothing", "B"), 0.9, ((NO_MASS.name, in_b(NO_MASS)),), link.a.parts)
    elif link.a.total.empty:
        nothing = tuple(p.changed(m=0.0, I=0 * p.I) for p in link.b.parts)
        yield Clue(("nothing", "A"), 0.9, ((NO_MASS.name, in_a(NO_MASS)),), nothing)
    elif x and y:
        factor = y / x
        parts = tuple(p.changed(m=p.m / factor) for p in link.b.parts)
        text = note("mass-scaled", times=times(factor, "mass"), units=units(factor, "mass"))
        key, texts = ("mass", round(factor, 5)), (("scaled mass", text),)
        yield Clue(key, _factor_cost(factor, "mass"), texts, parts, _unit(factor, "mass"))
    else:
        without, other = ("A", "B") if y else ("B", "A")
        parts = tuple(p.changed(m=x if p is link.b.parts[0] else 0.0) for p in link.b.parts)
        text = note("no-mass-there", who=without, other=other)
        yield Clue(("no mass", without), 1.0, ((NO_MASS.name, text),), parts)


def _roughly(text: str) -> str:
    return note("up-to-rounding", what=text)


def _unit(factor: float, kind: str) -> bool:
    return known_unit(factor, kind) is not None


def _factor_cost(factor: float, kind: str) -> float:
    return 1.0 if _unit(factor, kind) else 1.5


def centres(link: Link) -> Iterator[Clue]:
    """Yields clues on B's centre of mass: another frame, other axes or signs, a factor, or none at all."""
    target, parts = link.a.total.c, link.b.parts
    total = sum(part.m for part in parts)
    if not total:
        return
    fixed = sum((part.m * part.frame.p for part in parts), np.zeros(3)) / total
    own = sum((part.m * part.frame.R @ part.c for part in parts), np.zeros(3)) / total
    close = CLOSE * link.size
    if np.abs(own).max() < close or np.abs(link.a.total.c - link.a.frame.p).max() < close:
        without = in_b if np.abs(own).max() < close else in_a
        if np.abs(target - link.a.frame.p).max() > close or without is in_a:
            moved_parts = _with_centre(link, target)
            yield Clue(("no com", without), 1.2, ((NO_CENTRE.name, without(NO_CENTRE)),), moved_parts)
    elif (factor := float((target - fixed) @ own) / float(own @ own)) and abs(factor - 1) > ROUGH:
        for tolerance, rough in ((close, False), (ROUGH * np.abs(target - fixed).max(), True)):
            if np.abs(fixed + factor * own - target).max() < tolerance:
                moved_parts = tuple(p.changed(c=p.c * factor) for p in parts)
                if rough:
                    moved_parts = _with_centre(replace(link, b=replace(link.b, parts=moved_parts)), target)
                text = note("centre-scaled", times=times(1 / factor, "length"), units=units(1 / factor, "length"))
                if abs(factor + 1) < ROUGH:
                    text = note("centre-on-other-side")
                cost = 1.1 if abs(factor + 1) < ROUGH else _factor_cost(1 / factor, "length")
                alone = not rough and (abs(factor + 1) < ROUGH or _unit(1 / factor, "length"))
                texts = (("scaled centre of mass", _roughly(text) if rough else text),)
                yield Clue(("com", f"{factor:.{2 if rough else 5}g}"), cost + 0.4 * rough, texts, moved_parts, alone)
                break
    for n, cause in enumerate(CENTRES):
        changed = [cause.change(link, part, part.c) for part in parts]
        if any(c is None for c in changed):
            continue
        moved_parts = tuple(part.changed(c=c) for part, c in zip(parts, changed, strict=True))
        moved = sum((p.m * p.frame.point(p.c) for p in moved_parts), np.zeros(3)) / total
        if np.abs(moved - target).max() < close:
            yield Clue(("centre", n), 1.3 + 0.001 * n, ((cause.name, cause.text),), moved_parts)


def _with_centre(link: Link, target: Array) -> tuple[PosedBody, ...]:
    """Returns B's parts with the first one's centre of mass moved so that the whole has A's."""
    first, *others = link.b.parts
    rest = sum((p.m * p.frame.point(p.c) for p in others), np.zeros(3))
    total = sum(p.m for p in link.b.parts)
    c = first.frame.inverse().point((total * target - rest) / first.m) if first.m else first.c
    return (first.changed(c=c), *others)


def tensors(link: Link, described: tuple[PosedBody, ...]) -> Iterator[Clue]:
    """Yields clues on B's tensor: one of TENSORS, about another point, times a factor, or none at all.

    described: B's parts as in the file; link.b has its masses and centres of mass corrected
    """
    target, parts = link.a.total.I, link.b.parts
    largest = float(np.abs(target).max())
    centre, close = link.b.total.c, CLOSE * largest + 1e-13 * link.a.total.m * link.size**2
    steiner = sum((p.m * spread(p.frame.point(p.c) - centre) for p in parts), np.zeros((3, 3)))
    if (missing := _no_tensor(link, described, target - steiner)) is not None:
        yield missing
        return
    shift_a = sum((p.m * p.frame.R @ spread(p.c) @ p.frame.R.T for p in link.a.parts), np.zeros((3, 3)))
    candidates = {0: [p.I for p in described], **{sign: [_undone(ABOUT[sign], p) for p in described] for sign in ABOUT}}
    for (n, cause), about_a, about_b in product(enumerate(TENSORS), (0, 1, -1), (0, 1, -1)):
        changed = [cause.change(link, p, I) for p, I in zip(parts, candidates[about_b], strict=True)]
        if any(I is None for I in changed):
            continue
        pairs = [(p, np.asarray(I)) for p, I in zip(parts, changed, strict=True)]
        turned = sum((p.frame.R @ I @ p.frame.R.T for p, I in pairs), np.zeros((3, 3)))
        goal = target + about_a * shift_a - steiner
        square = float((turned * turned).sum())
        factor = float((goal * turned).sum()) / square if square else 0.0
        if abs(factor - 1) < (ROUGH if np.abs(goal - factor * turned).max() > close else SAME):
            factor = 1.0
        nothing = not cause.name and not about_a and not about_b
        gap = float(np.abs(goal - factor * turned).max())
        rough = gap > close
        far = float(np.abs(target - link.b.total.I).max()) > 10 * gap
        if factor <= 0 or (nothing and factor == 1.0) or (rough and not (far and gap < ROUGH * largest)):
            continue
        clue = _tensor_clue(n, cause, about_a, about_b, 1 / factor)
        if clue is not None:
            R = parts[0].frame.R
            back = R.T @ (about_a * shift_a + rough * (factor * turned - goal)) @ R
            corrected = tuple(p.changed(I=factor * I - (back if p is parts[0] else 0)) for p, I in pairs)
            alone = not rough and (factor == 1.0 or _unit(1 / factor, "tensor"))
            key = (*clue[0][:-1], round(clue[0][-1], 2 if rough else 5), rough)
            texts = tuple((name, _roughly(text) if rough else text) for name, text in clue[2])
            yield Clue(key, clue[1] + 0.4 * rough, texts, corrected, alone)


def _undone(confusion: Confusion[Mass], part: PosedBody) -> Array:
    """Returns the tensor that a part has where a confusion of its numbers is undone."""
    return matrix(confusion.undone(Mass(part.m, Vec3(*part.c.tolist()), symmetric(part.I))).I)


def _no_tensor(link: Link, described: tuple[PosedBody, ...], goal: Array) -> Clue | None:
    """Returns the clue that one of the arms has no tensor, or None; B's first part gets the goal."""
    own, largest = max(float(np.abs(p.I).max()) for p in described), float(np.abs(link.a.total.I).max())
    if own >= SIGNIFICANT * largest and largest >= SIGNIFICANT * own:
        return None
    without = in_b if own < largest else in_a
    first, *others = link.b.parts
    corrected = (first.changed(I=first.frame.R.T @ goal @ first.frame.R), *others)
    return Clue(("no tensor", without), 1.0, ((NO_TENSOR.name, without(NO_TENSOR)),), corrected)


def _tensor_clue(
    n: int, cause: Cause, about_a: int, about_b: int, factor: float
) -> tuple[Key, float, tuple[tuple[str, str], ...]] | None:
    """Returns key, cost and texts, or None where the two shifts cancel each other."""
    cost, texts = 0.0, []
    if about_a == about_b == 1 and cause.name == SIGN_OF_PRODUCTS.name:
        cost += 1.1
        texts.append((cause.name, note("about-the-origins", what=cause.text)))
    elif about_a and about_b:
        return None
    else:
        if cause.name:
            cost += 1.0 + 0.001 * n
            texts.append((cause.name, cause.text))
        if about_a or about_b:  # a shift in A is the opposite one in B
            other_point = ABOUT[about_b or -about_a]
            cost += 1.0 + 0.01 * bool(about_a)
            texts.append((other_point.name, in_b(other_point)))
    if factor != 1.0:
        cost += _factor_cost(factor, "tensor")
        text = note("tensor-scaled", times=times(factor, "tensor"), units=units(factor, "tensor"))
        texts.append(("scaled inertia", text))
    return ("tensor", n, about_a, about_b, round(factor, 5)), cost, tuple(texts)
