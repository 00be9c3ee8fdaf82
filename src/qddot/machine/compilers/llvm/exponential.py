"""Writes the exponential of a vector as LLVM assembly.

x = n log 2 + r with the nearest integer n, so that e^x = 2^n e^r. Arguments beyond the largest are
replaced by it, whose exponential is ∞. Below the least normal number the exponential is 0, since processors take many
times longer for products of numbers down there. NaN stays in its lane. The error is within two units in the last place.
"""

from __future__ import annotations

import math

from qddot.machine.compilers.llvm.registers import WIDTHS, Vectors
from qddot.machine.compilers.llvm.writer import Writer, horner
from qddot.machine.compilers.polynomials import EXP_DOUBLE, EXP_SINGLE

PRECISIONS = {"double": EXP_DOUBLE, "float": EXP_SINGLE}


def exponential(of: Vectors) -> list[str]:
    """Returns @exp over vectors."""
    v, numbers = of.reals, PRECISIONS[of.real]
    w = Writer(f"private {v} @exp.{of.suffix}({v} %x) alwaysinline", of)
    largest, least = w.number(numbers.largest), w.number(numbers.least)
    below = w.choice(w.compared("ogt", "%x", largest), largest, "%x")
    x = w.choice(w.compared("olt", below, least), least, below)
    shifted = w.called("fma", x, w.number(1 / math.log(2)), w.number(numbers.shift))
    n, r = w.vector("fsub", shifted, w.number(numbers.shift)), x
    for part in numbers.log_2:
        r = w.called("fma", n, w.number(-part), r)
    p = horner(w, numbers.p, r)
    small = w.vector("fadd", w.called("fma", w.vector("fmul", r, r), p, r), w.number(1.0))
    power = w.choice(w.compared("olt", "%x", least), w.number(0.0), _times_power_of_two(w, small, shifted))
    return w.done(f"{v} {power}")


def _times_power_of_two(w: Writer, y: str, shifted: str) -> str:
    """Returns 2^n y for the integer n in the low bits of a sum; 2^n in two factors, since n may exceed an exponent."""
    size, numbers = 8 * WIDTHS[w.of.real], PRECISIONS[w.of.real]
    whole = f"<{w.of.lanes} x i{size}>"

    def integers(value: int) -> str:
        return "<" + ", ".join([f"i{size} {value}"] * w.of.lanes) + ">"

    def bits(value: str) -> str:
        return w.let(f"bitcast {w.v} {value} to {whole}")

    n = w.let(f"sub {whole} {bits(shifted)}, {bits(w.number(numbers.shift))}")
    half = w.let(f"ashr {whole} {n}, {integers(1)}")
    for part in (half, w.let(f"sub {whole} {n}, {half}")):
        exponent = w.let(f"add {whole} {part}, {integers(numbers.bias)}")
        power = w.let(f"shl {whole} {exponent}, {integers(numbers.significand)}")
        y = w.vector("fmul", y, w.let(f"bitcast {whole} {power} to {w.v}"))
    return y
