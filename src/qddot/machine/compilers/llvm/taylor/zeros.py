"""Writes the function that finds the first zero at which a polynomial changes its sign, without skipping any.

From a point where p > 0 the polynomial stays above p + p′ s − D s²/2, where D bounds |p″| as far as s goes: over the
whole step, or nearer where |p″| + |p‴| s is less. That parabola's zero is the next point: no zero is skipped, and a
simple one is reached as fast as by Newton's method.
Where p is zero but for rounding, points further and further on tell whether it becomes negative or only touches zero.
"""

from __future__ import annotations

from collections.abc import Iterator

from qddot.machine.compilers.llvm.registers import Vectors, bits
from qddot.machine.compilers.llvm.writer import Turn, Writer

TURNS, DOUBLINGS, BISECTIONS = 200, 54, 60
SHORT = bits(2.0**-52)  # the first distance from a zero at which the sign is asked for, as a part of the step
NONE = bits(-1.0)
ROUNDING = bits(4e-16)  # of a sum, relative to the sum of its terms' sizes
NOTHING = bits(1e-12)  # relative size up to which first coefficients are zero but for rounding


def function() -> Iterator[str]:
    """Yields `double first_zero(ptr p, i64 stride, i64 count, double h, double t)`.

    It returns the least s in [0, h] at which −Σ p_k s^k becomes negative, or −1. If it is zero at s = 0 but for
    rounding, the first derivative that is not zero decides; t: the time at s = 0, which is rounded, too
    """
    w = Writer("private double @first_zero(ptr %p, i64 %stride, i64 %count, double %h, double %t) noinline", Vectors(1))
    sizes = _sizes(w)
    tiny, nothing = w.real("fmul", ROUNDING, sizes), w.real("fmul", NOTHING, sizes)
    with w.loop(0, "%count", [("double", bits(1.0)), ("i64", "0"), ("i1", "true")]) as turn:
        power, first, zero = turn.values
        size = w.real("fmul", _size(w, _coefficient(w, turn.index)), power)
        small = w.compared("ole", size, nothing, "double")
        still = w.both(zero, small, "i1")
        turn.following = [w.real("fmul", power, "%h"), w.whole("add", first, w.counted(still)), still]
    is_past = _is_past(w, turn.values[1])
    w.leave(w.both(is_past, w.compared("ole", "%h", "0.0", "double"), "i1"), f"double {NONE}")
    first = w.whole("add", turn.values[1], w.counted(is_past))
    w.leave(w.compared("eq", first, "%count", "i64"), f"double {NONE}")
    w.leave(w.compared("olt", _coefficient(w, first), "0.0", "double"), "double 0.0")
    bounds = _bound(w, first, 2), _bound(w, first, 3)
    reached = w.real("fdiv", tiny, _power(w, first))
    with w.loop(0, TURNS, [("double", "0.0")]) as turn:
        s = turn.values[0]
        value, slope, half = _at(w, first, s)
        w.write("double", s, place := w.reserved("double", 1))
        with w.when(w.compared("ole", value, reached, "double")):
            _pass(w, first, s, reached, place)
        start = w.read("double", place)
        passed = w.compared("ogt", start, s, "double")  # the polynomial has touched zero
        near = _clear(w, value, slope, half, bounds)
        further = w.choice(passed, start, w.real("fadd", s, near), "double")
        inside = w.compared("ole", further, "%h", "double")
        w.leave(w.opposite(inside, "i1"), f"double {NONE}")
        turn.following = [further]
    yield from w.done(f"double {turn.values[0]}")


def _pass(w: Writer, first: str, zero: str, reached: str, place: str) -> None:
    """Writes the return of the zero if the polynomial becomes negative there, else the place where it is positive."""
    below = w.let(f"fneg double {reached}")
    with w.loop(0, DOUBLINGS, [("double", w.real("fmul", "%h", SHORT))]) as turn:
        point = w.let(f"call double @llvm.minnum.f64(double {w.real('fadd', zero, turn.values[0])}, double %h)")
        value, *_ = _at(w, first, point)
        with w.when(w.compared("olt", value, below, "double")):
            w.end(f"double {_bisected(w, first, zero, point)}")
        w.write("double", point, place)
        w.stop(turn, w.compared("ogt", value, reached, "double"))
        w.leave(w.compared("oge", point, "%h", "double"), f"double {NONE}")
        turn.following = [w.real("fadd", turn.values[0], turn.values[0])]


def _bisected(w: Writer, first: str, low: str, high: str) -> str:
    """Returns the point between two others from which on the polynomial is negative."""
    with w.loop(0, BISECTIONS, [("double", low), ("double", high)]) as turn:
        middle = w.real("fmul", w.real("fadd", *turn.values), bits(0.5))
        value, *_ = _at(w, first, middle)
        negative = w.compared("olt", value, "0.0", "double")
        turn.following = [
            w.choice(negative, turn.values[0], middle, "double"),
            w.choice(negative, middle, turn.values[1], "double"),
        ]
    return turn.values[1]


def _is_past(w: Writer, first: str) -> str:
    """Returns whether p_0 is the first nonzero coefficient, and is positive only within the rounding of t.

    Then the zero is already past: a switch happened there, but its argument changes so fast that it still has its old
    sign at the nearest floating-point time.
    """
    below, fall = _coefficient(w, "0"), w.real("fmul", _coefficient(w, "1"), w.real("fmul", NOTHING, "%t"))
    is_first, is_above = w.compared("eq", first, 0, "i64"), w.compared("olt", below, "0.0", "double")
    is_close = w.compared("oge", w.real("fadd", below, fall), "0.0", "double")
    return w.both(is_first, w.both(is_above, is_close, "i1"), "i1")


def _coefficient(w: Writer, k: str) -> str:
    """Returns −p_k."""
    at = w.at("%p", w.whole("mul", k, "%stride"))
    return w.let(f"fneg double {w.load(at, 0, 'double')}")


def _size(w: Writer, x: str) -> str:
    return w.let(f"call double @llvm.fabs.f64(double {x})")


def _sizes(w: Writer) -> str:
    """Returns Σ |p_k| h^k."""
    with w.loop(0, "%count", [("double", bits(1.0)), ("double", "0.0")]) as turn:
        power, total = turn.values
        term = w.real("fmul", power, _size(w, _coefficient(w, turn.index)))
        turn.following = [w.real("fmul", power, "%h"), w.real("fadd", total, term)]
    return turn.values[1]


def _power(w: Writer, k: str) -> str:
    """Returns h^k."""
    with w.loop(0, k, [("double", bits(1.0))]) as turn:
        turn.following = [w.real("fmul", turn.values[0], "%h")]
    return turn.values[0]


def _backward(w: Writer, turn: Turn, first: str) -> tuple[str, str]:
    """Returns the place of a coefficient, counted from the last one down to `first`, and its power."""
    last = w.whole("sub", "%count", 1)
    place = w.whole("sub", last, turn.index)
    return place, w.whole("sub", place, first)


def _bound(w: Writer, first: str, derivative: int) -> str:
    """Returns Σ k (k − 1) … |p_{first+k}| h^{k−n}, a bound of the n-th derivative, by Horner's scheme."""
    with w.loop(0, w.whole("sub", "%count", w.whole("add", first, derivative)), [("double", "0.0")]) as turn:
        place, power = _backward(w, turn, first)
        k = weight = w.let(f"sitofp i64 {power} to double")
        for less in range(1, derivative):
            weight = w.real("fmul", weight, w.real("fsub", k, bits(float(less))))
        term = w.real("fmul", weight, _size(w, _coefficient(w, place)))
        turn.following = [w.real("fadd", w.real("fmul", turn.values[0], "%h"), term)]
    return turn.values[0]


def _at(w: Writer, first: str, s: str) -> list[str]:
    """Returns the value, the slope and half the second derivative at s, by Horner's scheme."""
    with w.loop(0, w.whole("sub", "%count", first), [("double", "0.0")] * 3) as turn:
        place, _ = _backward(w, turn, first)
        added = _coefficient(w, place), *turn.values[:2]
        turn.following = [w.real("fadd", w.real("fmul", x, s), y) for x, y in zip(turn.values, added, strict=True)]
    return turn.values


def _clear(w: Writer, value: str, slope: str, half: str, bounds: tuple[str, str]) -> str:
    """Returns a distance within which there is no zero: by the bound on the whole step, or twice that while it holds.

    half: half the second derivative here; bounds: of the second and the third derivative on the step
    """
    curvature = w.real("fmul", bits(2.0), _size(w, half))
    with w.loop(0, TURNS, [("double", _parabola(w, value, slope, bounds[0]))]) as turn:
        twice = w.real("fmul", turn.values[0], bits(2.0))
        local = w.real("fadd", curvature, w.real("fmul", bounds[1], twice))
        holds = w.compared("oge", _parabola(w, value, slope, local), twice, "double")
        w.stop(turn, w.opposite(w.both(holds, w.compared("ole", twice, "%h", "double"), "i1"), "i1"))
        turn.following = [twice]
    return turn.values[0]


def _parabola(w: Writer, value: str, slope: str, bound: str) -> str:
    """Returns the positive zero of value + slope s − bound s²/2, in the form without cancellation."""
    inner = w.real("fadd", w.real("fmul", slope, slope), w.real("fmul", bits(2.0), w.real("fmul", bound, value)))
    root = w.let(f"call double @llvm.sqrt.f64(double {inner})")
    falling = w.compared("olt", slope, "0.0", "double")
    down = w.real("fdiv", w.real("fmul", bits(2.0), value), w.real("fsub", root, slope))
    up = w.real("fdiv", w.real("fadd", slope, root), bound)
    return w.choice(falling, down, up, "double")
