"""Encloses the solution of x' = f(t, x, p) from a box, step by step: Lohner's method, over balls.

A step takes the Taylor polynomial of the middle of the box, its Jacobian over the whole box, and the remainder over a
box that the motion cannot leave during the step. The set is kept as c + C r0 + A r. C maps the initial box r0 by the
linearised flow, so that no larger box replaces it; A is orthogonal (from a QR factorization), so that the accumulated
errors need no larger box whenever they rotate. An uncertain parameter p is a constant state: r0 contains its error,
too, so that one unknown value acts during the whole motion, not a new one at each step.
Sources: Lohner 1987; Nedialkov, Jackson & Corliss, *Validated Solutions of Initial Value Problems for ODEs*, 1999, §5;
Mrozek & Zgliczyński, *Set arithmetic and the enclosing problem in dynamics*, 2000, §5.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from flint import arb, arb_mat, ctx

from qddot.algebra.numbers import balls
from qddot.base.records import record
from qddot.motion.enclosing.variations import Box, VectorField, expanded, slope, slope_rates, turning, unit

BITS = 80  # of a ball's midpoint: the rounding errors of doubles would grow like errors of the initial state
ORDER, SLOPE_ORDER = 20, 12  # the Jacobian is multiplied by the set's width, so that it needs fewer digits
TURNING_ORDER = 6  # the Jacobian's change is multiplied by the parameters' radii, too, so that it needs still fewer
TRIES, WIDER, TINY = 12, 0.2, 2.0**-70  # number of tubes tried, and how much wider each is than the last result
SHARE, ROUNDING = 1e-6, 2.0**-66  # the largest remainder relative to the set's width, and the rounding of balls
SLOPE_SHARE = 1e-4  # the largest remainder of the Jacobian
SAFE, SHORTER, LONGEST = 0.9, 0.4, 1.5  # factors of the step's length
LEAST_STEP = 2.0**-24


@record()
class Set:
    """A set is c + C r0 + A r: a point, and two boxes about zero, each multiplied by an exact matrix.

    r0: the initial box, followed by that of the unsure parameters; r: the errors accumulated since
    unsure: the number of these parameters
    """

    c: Box
    C: arb_mat
    r0: Box
    A: arb_mat
    r: Box
    unsure: int = 0

    @property
    def own(self) -> int:
        """Returns the number of dimensions of the initial box, without those of the parameters."""
        return len(self.r0) - self.unsure

    @property
    def box(self) -> Box:
        """Returns a box that contains the set."""
        return self._box(self.r0)

    @property
    def box_of_middle(self) -> Box:
        """Returns a box that contains the part of the set in which the parameters are at their midpoints."""
        return self._box([*self.r0[: self.own], *[arb(0)] * self.unsure])

    def _box(self, r0: Box) -> Box:
        spread = self.C * _column(r0) + self.A * _column(self.r)
        return [c + spread[k, 0] for k, c in enumerate(self.c)]


def ball(value: float, radius: float = 0.0, is_decimal: bool = False) -> arb:
    """Returns a ball about a double, or about the decimal number that the double prints as."""
    middle = balls.ball(Fraction(repr(value)) if is_decimal else value)
    return middle + arb(0, radius)


def bounds(box: Sequence[arb]) -> tuple[list[float], list[float]]:
    """Returns the lower and the upper bounds of balls, rounded outward."""
    pairs = [balls.ends(x) for x in box]
    return [lower for lower, _ in pairs], [upper for _, upper in pairs]


def initial_set(of: VectorField, box: Sequence[arb]) -> Set:
    """Returns the initial set: the box of the state, and that of the unsure parameters."""
    m, errors = len(box), [x - arb(x.mid()) for x in (*box, *(of.parameters[place] for place in of.unsure))]
    return Set([arb(x.mid()) for x in box], unit(m, len(errors)), errors, unit(m, m), [arb(0)] * m, len(of.unsure))


def enclosed(
    of: Callable[[Set], VectorField], start: Set, times: Sequence[float], visit: Callable[[Set], None]
) -> float:
    """Calls `visit` with a set that contains the solution at each time, in order; returns the last time reached.

    of: returns the equations in the form that is evaluated best near a set
    It stops early if no enclosure is found.
    """
    before = ctx.cap, ctx.prec
    ctx.cap, ctx.prec = ORDER + 2, BITS  # flint cuts every series at the cap
    try:
        return _through(of, start, times, visit)
    finally:
        ctx.cap, ctx.prec = before


def _through(
    of: Callable[[Set], VectorField], here: Set, times: Sequence[float], visit: Callable[[Set], None]
) -> float:
    now, step = arb(0), 2.0**-6
    for time in times:
        due = arb(time)
        while float((due - now).mid()) > 0:
            advanced = _advanced(of(here), here, now, due, step)
            if advanced is None:
                return float(now.mid())
            here, now, step = advanced
        visit(here)
    return float(now.mid())


def _advanced(of: VectorField, here: Set, now: arb, due: arb, step: float) -> tuple[Set, arb, float] | None:
    """Returns the set after a step that ends at `due` at the latest, the time there, and the next step to try.

    It returns None if even the shortest step has no enclosure.
    """
    while step >= LEAST_STEP:
        left = due - now
        last = float(left.mid()) <= step
        try:
            after, factor = _stepped(of, here, now, left if last else arb(step))
        except (ValueError, ZeroDivisionError):  # a divisor that may be zero in the box
            after, factor = None, SHORTER
        if after is not None:
            return after, due if last else now + step, step if last else step * factor
        step *= factor
    return None


def _stepped(of: VectorField, here: Set, now: arb, length: arb) -> tuple[Set | None, float]:
    """Returns the set after a step, or None if a remainder is too large, and the factor for the next length."""
    m, columns, box = of.size, of.columns, here.box
    moving = arb(0).union(length)
    during = now + moving
    tube = _tube(box, moving, lambda y: of.rates_of(y, during))
    if tube is None:
        return None, SHORTER
    rest = _remainder(expanded(of.rates_of, tube, during, ORDER + 1), length)
    factor = _factor(rest, ORDER + 1, SHARE * max(float(x.rad()) for x in box) + ROUNDING)
    if factor < SAFE:
        return None, factor
    J = of.jacobian_of(tube, during)[m:]
    V = _tube(unit(m, columns).entries(), moving, lambda V: slope_rates(J, V, columns))
    if V is None:
        return None, SHORTER
    slope_rest = _remainder(slope(of, tube, V, during, SLOPE_ORDER + 1), length)
    factor = min(factor, _factor(slope_rest, SLOPE_ORDER + 1, SLOPE_SHARE))
    if factor < SAFE:
        return None, factor
    middle = expanded(of.middle.rates_of, here.c, now, ORDER)
    point = [_at(s, ORDER, length) + r for s, r in zip(middle, rest, strict=True)]
    entries = [x + r for x, r in zip(_slope(of, here, now, length), slope_rest, strict=True)]
    return _mapped(here, point, arb_mat(m, columns, entries)), factor


def _slope(of: VectorField, here: Set, now: arb, length: arb) -> Box:
    """Returns the Jacobian's Taylor polynomial, averaged over the lines from the set's midpoint to all its points.

    An expression that contains a parameter several times is much wider over balls than its range of values. So low
    orders are in mean value form: the Jacobian at the parameters' midpoints, plus half of its change with each
    parameter.
    """
    m, columns = of.size, of.columns
    identity = unit(m, columns).entries()
    series = slope(of, here.box, identity, now, SLOPE_ORDER)
    if not of.unsure:
        return [_at(s, SLOPE_ORDER, length) for s in series]
    low = slope(of.middle, here.box_of_middle, identity, now, TURNING_ORDER)
    coefficients = [[s[k] for k in range(TURNING_ORDER + 1)] for s in low]
    for j, place in enumerate(range(here.own, len(here.r0))):
        direction = [*(here.C[i, place] for i in range(m)), *(arb(int(k == j)) for k in range(here.unsure))]
        changes = turning(of, here.box, direction, now, TURNING_ORDER)
        for each, change in zip(coefficients, changes, strict=True):
            for k in range(TURNING_ORDER + 1):
                each[k] += change[k] * here.r0[place] / 2
    high = range(TURNING_ORDER + 1, SLOPE_ORDER + 1)
    return [
        _at([*each, *(s[k] for k in high)], SLOPE_ORDER, length) for each, s in zip(coefficients, series, strict=True)
    ]


def _factor(rest: Box, order: int, allowed: float) -> float:
    """Returns by which factor the next step is longer so that its remainder is SAFE^order times the allowed one."""
    worst = max(float(x.abs_upper()) for x in rest)
    longer: float = SAFE * (allowed / max(worst, 1e-300)) ** (1 / order)
    return min(LONGEST, max(SHORTER, longer))


def _tube(start: Sequence[arb], moving: arb, rates: Callable[[Box], Box]) -> Box | None:
    """Returns a box that no solution from the start leaves during a step, or None if none is found.

    moving: the interval [0, h] of times. If start + [0, h] f(Y) lies inside a box Y, no solution leaves it (Picard).
    """
    outer = [*start]
    for _ in range(TRIES):
        inner = [x + moving * rate for x, rate in zip(start, rates(outer), strict=True)]
        if all(y.contains_interior(x) for x, y in zip(inner, outer, strict=True)):
            return inner
        outer = [x + arb(0, WIDER * float(x.rad()) + TINY) for x in inner]
    return None


def _remainder(over: Sequence[Any], length: arb) -> Box:
    """Returns the value of the highest-order term over a tube at a step's end."""
    return [s[s.prec - 1] * length ** (s.prec - 1) for s in over]


def _mapped(here: Set, point: Box, J: arb_mat) -> Set:
    """Returns the set point + J (C r0 + A r): its C is the midpoint of J C, its A a new orthogonal matrix.

    J is the step's Jacobian. The parameters are constant, so that C has no rows for them; J's columns for them are
    added to J C.
    """
    m, c = len(here.c), [arb(x.mid()) for x in point]
    by_state = arb_mat([[J[i, j] for j in range(m)] for i in range(m)])
    by_parameters = arb_mat([[*[0] * here.own, *(J[i, m + j] for j in range(here.unsure))] for i in range(m)])
    carried, moved = by_state * here.C + by_parameters, by_state * here.A
    C, Q = carried.mid(), _orthogonal(moved, here.r)
    inverse = Q.inv()
    errors = (carried - C) * _column(here.r0) + _column([x - y for x, y in zip(point, c, strict=True)])
    r = (inverse * moved) * _column(here.r) + inverse * errors
    return replace(here, c=c, C=C, A=Q, r=[r[k, 0] for k in range(len(c))])


def _at(series: Any, order: int, time: arb) -> arb:
    """Returns the value of a polynomial, by Horner's scheme."""
    total = arb(0)
    for k in reversed(range(order + 1)):
        total = total * time + series[k]
    return total


def _orthogonal(moved: arb_mat, r: Box) -> arb_mat:
    """Returns a nearly orthogonal exact matrix: Q of the midpoints' QR factorization, longest columns first."""
    m = len(r)
    columns = [[float(moved[i, j].mid()) * float(r[j].abs_upper()) for i in range(m)] for j in range(m)]
    columns.sort(key=lambda column: -sum(x * x for x in column))
    base: list[list[float]] = []
    for column in (*columns, *([float(i == j) for i in range(m)] for j in range(m))):
        scale = sum(x * x for x in column) ** 0.5
        left = [x / scale for x in column] if scale > 0 else column
        for _ in range(2):  # the second pass removes rounding errors of the first
            for axis in base:
                share = sum(x * y for x, y in zip(left, axis, strict=True))
                left = [x - share * y for x, y in zip(left, axis, strict=True)]
        size = sum(x * x for x in left) ** 0.5
        if size > 1e-8 and len(base) < m:
            base.append([x / size for x in left])
    return arb_mat([[base[j][i] for j in range(m)] for i in range(m)])


def _column(values: Sequence[arb]) -> arb_mat:
    return arb_mat([[x] for x in values])
