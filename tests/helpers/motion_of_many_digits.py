"""Motions of short arms with thirty digits: Taylor series of Newton and Euler's equations in python-flint's balls.

Each step's polynomial is put into the equations at points within the step, and the step is halved until they hold. The
balls have no other use than their digits: their radii are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

from flint import arb, arb_mat, arb_series, ctx

LONGEST, LEAST = 0.1, 1e-4  # [s] of a step; points within are closer than any pulse of the laws
SPARE = 40  # bits beyond the digits that are asked for
POINTS = (0.13, 0.37, 0.62, 0.81, 1.0)  # parts of a step at which the equations have to hold
Law = Callable[[Any, Any, Any, Any], Sequence[Any]]  # τ(t, q, q̇, functions)


class TooStiffError(Exception):
    """Steps would have to be shorter than is reasonable."""


@contextmanager
def working(digits: int, terms: int = 1) -> Iterator[None]:
    """Works with so many digits and terms of series, and then as before."""
    before = ctx.prec, ctx.cap
    ctx.prec, ctx.cap = int(digits / 0.301) + SPARE, terms
    try:
        yield
    finally:
        ctx.prec, ctx.cap = before


def tanh(x: Any) -> Any:
    return 1 - 2 / ((2 * x).exp() + 1)


FUNCTIONS = SimpleNamespace(tanh=tanh, exp=lambda x: x.exp(), sin=lambda x: x.sin())


def times(a: Any, b: Any) -> Any:
    """Returns a product; factors 0 and ±1 of frames are whole numbers, which cost nothing."""
    if (isinstance(a, int) and a == 0) or (isinstance(b, int) and b == 0):
        return 0
    return b if isinstance(a, int) and a == 1 else a if isinstance(b, int) and b == 1 else a * b


def dot(a: Sequence[Any], b: Sequence[Any]) -> Any:
    return times(a[0], b[0]) + times(a[1], b[1]) + times(a[2], b[2])


def added(*vectors: Sequence[Any]) -> list[Any]:
    return [sum(parts[1:], parts[0]) for parts in zip(*vectors, strict=True)]


def cross(a: Sequence[Any], b: Sequence[Any]) -> list[Any]:
    pairs = ((1, 2), (2, 0), (0, 1))
    return [times(a[i], b[j]) - times(a[j], b[i]) for i, j in pairs]


def scaled(a: Sequence[Any], by: Any) -> list[Any]:
    return [times(part, by) for part in a]


def apply(R: Sequence[Sequence[Any]], x: Sequence[Any]) -> list[Any]:
    return [dot(row, x) for row in R]


def turned(R: Sequence[Sequence[Any]]) -> list[list[Any]]:
    return [list(row) for row in zip(*R, strict=True)]


def product(A: Sequence[Sequence[Any]], B: Sequence[Sequence[Any]]) -> list[list[Any]]:
    columns = turned(B)
    return [[dot(row, column) for column in columns] for row in A]


def about(u: Sequence[Any], angle: Any) -> list[list[Any]]:
    """Rodrigues' formula: R = c 1 + s [u] + (1 − c) u uᵀ."""
    c, s = angle.cos(), angle.sin()
    K = [[0, -u[2], u[1]], [u[2], 0, -u[0]], [-u[1], u[0], 0]]
    return [
        [times(int(i == j), c) + times(K[i][j], s) + times(times(u[i], u[j]), 1 - c) for j in range(3)]
        for i in range(3)
    ]


def exact(number: float) -> Any:
    return int(number) if number in (-1, 0, 1) else arb(number)


class Arm:
    """An arm's links in the numbers that doubles have; joints turn or slide, and each has its own coordinate."""

    def __init__(self, model: Any) -> None:
        known = model.defaults()

        def numbers(part: Any) -> Any:
            if hasattr(part, "__iter__"):
                return [numbers(each) for each in part]
            return exact(float(part.value(known)) if hasattr(part, "value") else float(part))

        names = ["base", *(body.name for body in model.bodies)]
        self.n, self.gravity, self.links = model.n, numbers(model.gravity), []
        for body in model.bodies:
            joint, inertia = body.joint, body.inertia
            assert joint.type in ("fixed", "revolute", "continuous", "prismatic")
            assert joint.ratio is None
            assert not joint.effects
            xx, xy, xz, yy, yz, zz = numbers(inertia.I)
            self.links.append(
                SimpleNamespace(
                    parent=names.index(joint.parent) - 1,
                    place=(numbers(joint.placement.R), numbers(joint.placement.p)),
                    offset=(numbers(joint.offset.R), numbers(joint.offset.p)),
                    axis=numbers(joint.axis),
                    turns=joint.type != "prismatic",
                    k=model.coordinates.index(joint.coordinate) if joint.type != "fixed" else None,
                    m=numbers(inertia.m),
                    h=numbers(inertia.h),
                    I=[[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]],
                )
            )

    def torques(self, q: Sequence[Any], v: Sequence[Any], a: Sequence[Any]) -> list[Any]:
        """τ of Newton and Euler's equations, each body's along its own axes and about its own origin."""
        ground = SimpleNamespace(w=[0, 0, 0], dw=[0, 0, 0], a=[-part for part in self.gravity])
        moved: list[Any] = []
        for link in self.links:
            (R, r), b = link.place, ground if link.parent < 0 else moved[link.parent]
            back = turned(R)
            if link.k is not None and not link.turns:
                r = added(r, apply(R, scaled(link.axis, q[link.k])))
            w, dw = apply(back, b.w), apply(back, b.dw)
            f = apply(back, added(b.a, cross(b.dw, r), cross(b.w, cross(b.w, r))))
            if link.k is not None and link.turns:
                turn, rate = about(link.axis, q[link.k]), scaled(link.axis, v[link.k])
                back, R = turned(turn), product(R, turn)
                w, dw, f = apply(back, w), apply(back, dw), apply(back, f)
                dw = added(dw, scaled(link.axis, a[link.k]), cross(w, rate))
                w = added(w, rate)
            elif link.k is not None:
                rate = scaled(link.axis, v[link.k])
                f = added(f, scaled(link.axis, a[link.k]), scaled(cross(w, rate), 2))
            oR, o = link.offset
            f, back = added(f, cross(dw, o), cross(w, cross(w, o))), turned(oR)
            axis = apply(back, link.axis)
            point = scaled(apply(back, o), -1)  # of the joint's axis, seen from the link's origin
            w, dw, f = apply(back, w), apply(back, dw), apply(back, f)
            to_parent = product(R, oR), added(r, apply(R, o))
            moved.append(SimpleNamespace(w=w, dw=dw, a=f, axis=axis, point=point, to_parent=to_parent))
        forces = [[0, 0, 0] for _ in moved]
        moments = [[0, 0, 0] for _ in moved]
        tau: list[Any] = [0] * self.n
        for k in reversed(range(len(moved))):
            link, b = self.links[k], moved[k]
            force = added(forces[k], scaled(b.a, link.m), cross(b.dw, link.h), cross(b.w, cross(b.w, link.h)))
            moment = added(moments[k], apply(link.I, b.dw), cross(b.w, apply(link.I, b.w)), cross(link.h, b.a))
            if link.k is not None:
                along = added(moment, scaled(cross(b.point, force), -1)) if link.turns else force
                tau[link.k] = dot(b.axis, along)
            if link.parent >= 0:
                R, r = b.to_parent
                force, moment = apply(R, force), apply(R, moment)
                forces[link.parent] = added(forces[link.parent], force)
                moments[link.parent] = added(moments[link.parent], moment, cross(r, force))
        return tau


class Motion:
    """The motion of an arm under a law τ(t, q, q̇, functions), or none.

    digits: of the accelerations that the polynomials have, relative to the largest one and to 1
    """

    def __init__(self, model: Any, law: Law | None = None, digits: int = 30) -> None:
        with working(digits):
            self.arm, self.law = Arm(model), law
        self.n, self.digits, self.order = self.arm.n, digits, 2 * digits

    def residual(self, t: Any, q: Any, v: Any, a: Any) -> list[Any]:
        """What Newton and Euler's torques exceed the law's by."""
        own = self.arm.torques(q, v, a)
        return own if self.law is None else [x - y for x, y in zip(own, self.law(t, q, v, FUNCTIONS), strict=True)]

    def solver(self, t: Any, q: Any, v: Any) -> Any:
        """Returns M⁻¹ in a state."""
        still = self.residual(t, q, v, [arb(0)] * self.n)
        columns = []
        for k in range(self.n):
            moved = self.residual(t, q, v, [arb(int(i == k)) for i in range(self.n)])
            columns.append([x - y for x, y in zip(moved, still, strict=True)])
        return arb_mat(turned(columns)).inv()

    def expanded(self, t: Any, q0: Any, v0: Any) -> tuple[Any, Any]:
        """Returns M⁻¹ and the coefficients of q, of which each order lets the residual of its order vanish."""
        with working(self.digits):
            inverse = self.solver(t, q0, v0)
        q = [[x, y] for x, y in zip(q0, v0, strict=True)]
        for k in range(self.order - 1):
            with working(self.digits, k + 1):
                series = [arb_series(own) for own in q]
                v = [arb_series([(j + 1) * own[j + 1] for j in range(k + 1)]) for own in q]
                a = [arb_series([(j + 2) * (j + 1) * own[j + 2] for j in range(k)]) for own in q]
                left = [_term(each, k) for each in self.residual(arb_series([t, 1]), series, v, a)]
                for own, acceleration in zip(q, (inverse * arb_mat([[x] for x in left])).entries(), strict=True):
                    own.append((-acceleration / ((k + 2) * (k + 1))).mid())
        return inverse, q

    def defect(self, t: Any, inverse: Any, q: Any, h: float) -> Any:
        """How far the accelerations of the polynomial are from the equations', h after its beginning."""
        x, v, a = ([_at(own, h, order) for own in q] for order in range(3))
        off = (inverse * arb_mat([[each] for each in self.residual(t + arb(h), x, v, a)])).entries()
        largest = max((abs(each).mid() for each in a), default=arb(0))
        return max(abs(each).upper() for each in off) / (1 + largest)

    def step(self, t: Any, q: Any, v: Any, longest: float) -> tuple[float, Any, Any]:
        """Returns how far a step goes, q and q̇ there."""
        inverse, series = self.expanded(t, q, v)
        with working(self.digits):
            h = min(longest, LONGEST, _length(series, self.digits))
            while any(self.defect(t, inverse, series, h * part) > 10.0**-self.digits for part in POINTS):
                h /= 2
                if h < LEAST:
                    raise TooStiffError
            q, v = ([_at(own, h, order).mid() for own in series] for order in range(2))
            return h, q, v

    def sampled(self, q0: Sequence[float], v0: Sequence[float], instants: Sequence[float]) -> list[list[float]]:
        """Returns (q, q̇) at instants, of which the first is the start. raises TooStiffError: steps become too short"""
        q, v = [arb(float(x)) for x in q0], [arb(float(x)) for x in v0]
        rows = [[*map(float, q0), *map(float, v0)]]
        for begun, end in pairwise(map(float, instants)):
            at = 0.0  # since the last sample: doubles have its sums exactly enough
            while end - begun - at > 1e-12:
                with working(self.digits):
                    t = arb(begun) + arb(at)
                h, q, v = self.step(t, q, v, end - begun - at)
                at += h
            rows.append([float(x) for x in (*q, *v)])
        return rows


def _term(series: Any, k: int) -> Any:
    if not isinstance(series, arb_series):
        return arb(series) if k == 0 else arb(0)
    return series[k] if series.length() > k else arb(0)


def _at(coefficients: Sequence[Any], h: float, order: int) -> Any:
    """The value of a polynomial's derivative of this order, by Horner's rule."""
    total = arb(0)
    for k in range(len(coefficients) - 1, order - 1, -1):
        factor = 1
        for j in range(order):
            factor *= k - j
        total = total * h + factor * coefficients[k]
    return total


def _length(series: Any, digits: int) -> float:
    """Returns a step that leaves so many digits, by the radius that most of the last terms show: some may vanish."""
    radii = [LONGEST]
    for own in series:
        for k in range(len(own) // 2, len(own)):
            size = float(abs(own[k]).upper())
            if size > 0:
                radii.append(size ** (-1 / k))
    return min(radii) * 10 ** (-(digits + 1) / len(series[0]))
