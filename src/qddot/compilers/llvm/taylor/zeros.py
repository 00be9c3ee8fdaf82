"""Writes the function that finds the first zero of a polynomial without skipping any.

From a point where p > 0 the polynomial stays above p + p' s − D s²/2, where D bounds |p''| over the step.
That parabola's zero is the next point: no zero is skipped, and a simple one is reached as fast as by Newton's method.
"""

from __future__ import annotations

from collections.abc import Iterator

from qddot.compilers.llvm.registers import Vectors, bits
from qddot.compilers.llvm.writer import Turn, Writer

TURNS = 200
NONE = bits(-1.0)
ROUNDING = bits(4e-16)  # of a sum, relative to the sum of its terms' sizes
NOTHING = bits(1e-12)  # relative size up to which first coefficients are zero but for rounding


def function() -> Iterator[str]:
    """Yields `double first_zero(ptr p, i64 stride, i64 count, double h, double t)`.

    It returns the least s in [0, h] at which −Σ p_k s^k stops being positive, or −1. If it is zero at s = 0 but for
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
    bound = _bound(w, first)
    reached = w.real("fdiv", tiny, _power(w, first))
    with w.loop(0, TURNS, [("double", "0.0")]) as turn:
        s = turn.values[0]
        value, slope = _at(w, first, s)
        w.leave(w.compared("ole", value, reached, "double"), f"double {s}")
        further = w.real("fadd", s, _parabola(w, value, slope, bound))
        inside = w.compared("ole", further, "%h", "double")
        w.leave(w.opposite(inside, "i1"), f"double {NONE}")
        turn.following = [further]
    yield from w.done(f"double {turn.values[0]}")


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


def _bound(w: Writer, first: str) -> str:
    """Returns Σ k (k − 1) |p_{first+k}| h^{k−2}, by Horner's scheme."""
    with w.loop(0, w.whole("sub", "%count", w.whole("add", first, 2)), [("double", "0.0")]) as turn:
        place, power = _backward(w, turn, first)
        k = w.let(f"sitofp i64 {power} to double")
        weight = w.real("fmul", k, w.real("fsub", k, bits(1.0)))
        term = w.real("fmul", weight, _size(w, _coefficient(w, place)))
        turn.following = [w.real("fadd", w.real("fmul", turn.values[0], "%h"), term)]
    return turn.values[0]


def _at(w: Writer, first: str, s: str) -> tuple[str, str]:
    """Returns the value and the slope at s, by Horner's scheme."""
    with w.loop(0, w.whole("sub", "%count", first), [("double", "0.0"), ("double", "0.0")]) as turn:
        value, slope = turn.values
        place, _ = _backward(w, turn, first)
        risen = w.real("fadd", w.real("fmul", slope, s), value)
        turn.following = [w.real("fadd", w.real("fmul", value, s), _coefficient(w, place)), risen]
    return turn.values[0], turn.values[1]


def _parabola(w: Writer, value: str, slope: str, bound: str) -> str:
    """Returns the positive zero of value + slope s − bound s²/2, in the form without cancellation."""
    inner = w.real("fadd", w.real("fmul", slope, slope), w.real("fmul", bits(2.0), w.real("fmul", bound, value)))
    root = w.let(f"call double @llvm.sqrt.f64(double {inner})")
    falling = w.compared("olt", slope, "0.0", "double")
    down = w.real("fdiv", w.real("fmul", bits(2.0), value), w.real("fsub", root, slope))
    up = w.real("fdiv", w.real("fadd", slope, root), bound)
    return w.choice(falling, down, up, "double")
