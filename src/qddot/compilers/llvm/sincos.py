"""Writes sine and cosine of a vector, and a program's other functions, as LLVM assembly.

The angle is reduced by multiples of π/2 in three parts; lanes beyond the largest angle go through the C library.
NaN and ∞ stay in their lanes: every step is arithmetic, and the quadrant is read
from the bits of a sum, which no value makes undefined.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Iterable, Iterator

from qddot.compilers.polynomials import COS, HALF_PI, LARGEST, SHIFT, SIN


def functions(lanes: int, counts: Iterable[int]) -> Iterator[str]:
    """Yields @sign, @tanh and @exp over vectors, declarations of LLVM's own, and @sincos.n for n vectors at once."""
    v = f"<{lanes} x double>"
    yield f"declare {v} @llvm.fma.v{lanes}f64({v}, {v}, {v})"
    yield f"declare {v} @llvm.fabs.v{lanes}f64({v})"
    yield f"declare i1 @llvm.vector.reduce.or.v{lanes}i1(<{lanes} x i1>)"
    yield from ("declare double @sin(double)", "declare double @cos(double)")
    yield from ("declare double @tanh(double)", "declare double @exp(double)")
    for name, arguments in (("minimum", f"{v}, {v}"), ("maximum", f"{v}, {v}"), ("sqrt", v)):
        yield f"declare {v} @llvm.{name}.v{lanes}f64({arguments})"
    yield from _near(lanes)
    yield from _by_library_both(lanes)
    yield '!0 = !{!"branch_weights", i32 1, i32 1000000}'
    for count in sorted(set(counts)):
        yield from _sincos(count, lanes)
    yield from _sign(lanes)
    for name in ("tanh", "exp"):
        yield from _by_library(name, lanes)


def constant(value: float, lanes: int) -> str:
    """Returns a vector constant."""
    return "<" + ", ".join([f"double {bits(value)}"] * lanes) + ">"


def bits(value: float) -> str:
    """Returns a number in LLVM's hexadecimal notation, which is exact."""
    return f"0x{struct.unpack('<Q', struct.pack('<d', value))[0]:016X}"


def pair(lanes: int) -> str:
    """Returns the type of a pair of a sine and a cosine."""
    return f"{{ <{lanes} x double>, <{lanes} x double> }}"


def pairs(count: int, lanes: int) -> str:
    """Returns the type of @sincos.n's result."""
    return f"{{ {', '.join([pair(lanes)] * count)} }}"


def _sincos(count: int, lanes: int) -> Iterator[str]:
    """Yields @sincos.n for several vectors: one branch serves all, and their arithmetic overlaps."""
    v, mask, both, all_ = f"<{lanes} x double>", f"<{lanes} x i1>", pair(lanes), pairs(count, lanes)
    arguments = ", ".join(f"{v} %x{k}" for k in range(count))
    yield f"define private {all_} @sincos.{count}({arguments}) alwaysinline {{"
    before = "zeroinitializer"
    for k in range(count):
        yield f"  %near{k} = call {both} @sincos.near({v} %x{k})"
        yield f"  %a{k} = call {v} @llvm.fabs.v{lanes}f64({v} %x{k})"
        yield f"  %far{k} = fcmp ogt {v} %a{k}, {constant(LARGEST, lanes)}"
        yield f"  %any{k} = or {mask} {before}, %far{k}"
        before = f"%any{k}"
    yield f"  %some = call i1 @llvm.vector.reduce.or.v{lanes}i1({mask} {before})"
    yield "  br i1 %some, label %library, label %done, !prof !0"
    yield "library:"
    for k in range(count):
        yield f"  %l{k} = call {both} @sincos.library({v} %x{k}, {both} %near{k}, {mask} %far{k})"
    yield "  br label %done"
    yield "done:"
    found = "poison"
    for k in range(count):
        yield f"  %both{k} = phi {both} [ %near{k}, %0 ], [ %l{k}, %library ]"
    for k in range(count):
        yield f"  %found{k} = insertvalue {all_} {found}, {both} %both{k}, {k}"
        found = f"%found{k}"
    yield f"  ret {all_} {found}"
    yield "}"


def _near(lanes: int) -> Iterator[str]:
    """Yields @sincos.near, for angles up to LARGEST."""
    v, w, mask = f"<{lanes} x double>", f"<{lanes} x i64>", f"<{lanes} x i1>"
    fma = f"call {v} @llvm.fma.v{lanes}f64({v} {{}}, {v} {{}}, {v} {{}})"

    def number(value: float) -> str:
        return constant(value, lanes)

    def integers(value: int) -> str:
        return "<" + ", ".join([f"i64 {value}"] * lanes) + ">"

    yield f"define private {pair(lanes)} @sincos.near({v} %x) alwaysinline {{"
    yield f"  %t = {fma.format('%x', number(2 / math.pi), number(SHIFT))}"
    yield f"  %k = fsub {v} %t, {number(SHIFT)}"
    yield f"  %r1 = {fma.format('%k', number(-HALF_PI[0]), '%x')}"
    yield f"  %r2 = {fma.format('%k', number(-HALF_PI[1]), '%r1')}"
    yield f"  %r = {fma.format('%k', number(-HALF_PI[2]), '%r2')}"
    yield f"  %z = fmul {v} %r, %r"
    yield from _horner("s", SIN, fma, number)
    yield f"  %zr = fmul {v} %z, %r"
    yield f"  %sin = {fma.format('%s5', '%zr', '%r')}"
    yield from _horner("c", COS, fma, number)
    yield f"  %zz = fmul {v} %z, %z"
    yield f"  %half = {fma.format('%z', number(-0.5), number(1.0))}"
    yield f"  %cos = {fma.format('%zz', '%c5', '%half')}"
    yield f"  %q = bitcast {v} %t to {w}"
    yield f"  %q1 = add {w} %q, {integers(1)}"
    yield f"  %odd.b = and {w} %q, {integers(1)}"
    yield f"  %odd = icmp ne {w} %odd.b, zeroinitializer"
    yield f"  %ss = select {mask} %odd, {v} %cos, {v} %sin"
    yield f"  %cc = select {mask} %odd, {v} %sin, {v} %cos"
    # bit 1 of the quadrant moved to the sign bit flips the sign
    for name, quadrant, value in (("sin", "q", "ss"), ("cos", "q1", "cc")):
        yield f"  %{name}.b = and {w} %{quadrant}, {integers(2)}"
        yield f"  %{name}.f = shl {w} %{name}.b, {integers(62)}"
        yield f"  %{name}.i = bitcast {v} %{value} to {w}"
        yield f"  %{name}.x = xor {w} %{name}.i, %{name}.f"
        yield f"  %{name}.near = bitcast {w} %{name}.x to {v}"
    yield f"  %n0 = insertvalue {pair(lanes)} poison, {v} %sin.near, 0"
    yield f"  %n1 = insertvalue {pair(lanes)} %n0, {v} %cos.near, 1"
    yield f"  ret {pair(lanes)} %n1"
    yield "}"


def _horner(name: str, coefficients: tuple[float, ...], fma: str, number: Callable[[float], str]) -> Iterator[str]:
    before = number(coefficients[0])
    for k, coefficient in enumerate(coefficients[1:], 1):
        yield f"  %{name}{k} = {fma.format(before, '%z', number(coefficient))}"
        before = f"%{name}{k}"


def _by_library_both(lanes: int) -> Iterator[str]:
    """Yields @sincos.library, which takes large angles from the C library and keeps the other values."""
    v, both, mask = f"<{lanes} x double>", pair(lanes), f"<{lanes} x i1>"
    yield f"define private {both} @sincos.library({v} %x, {both} %near, {mask} %far) noinline cold {{"
    before = "poison"
    for k, name in enumerate(("sin", "cos")):
        yield from _lane_by_lane(name, name, lanes)
        yield f"  %{name}.near = extractvalue {both} %near, {k}"
        yield f"  %{name}.m = select {mask} %far, {v} %{name}.{lanes - 1}, {v} %{name}.near"
        yield f"  %f{k} = insertvalue {both} {before}, {v} %{name}.m, {k}"
        before = f"%f{k}"
    yield f"  ret {both} {before}"
    yield "}"


def _by_library(name: str, lanes: int) -> Iterator[str]:
    v = f"<{lanes} x double>"
    yield f"define private {v} @{name}.v({v} %x) noinline {{"
    yield from _lane_by_lane(name, name, lanes)
    yield f"  ret {v} %{name}.{lanes - 1}"
    yield "}"


def _lane_by_lane(function: str, name: str, lanes: int) -> Iterator[str]:
    before = "poison"
    for lane in range(lanes):
        yield f"  %{name}.{lane}.x = extractelement <{lanes} x double> %x, i32 {lane}"
        yield f"  %{name}.{lane}.y = call double @{function}(double %{name}.{lane}.x)"
        yield (f"  %{name}.{lane} = insertelement <{lanes} x double> {before}, double %{name}.{lane}.y, i32 {lane}")
        before = f"%{name}.{lane}"


def _sign(lanes: int) -> Iterator[str]:
    """Yields @sign.v, which returns −1, 0 or 1; NaN stays NaN."""
    v, mask = f"<{lanes} x double>", f"<{lanes} x i1>"
    one, minus = constant(1.0, lanes), constant(-1.0, lanes)
    yield f"define private {v} @sign.v({v} %x) alwaysinline {{"
    yield f"  %up = fcmp ogt {v} %x, zeroinitializer"
    yield f"  %down = fcmp olt {v} %x, zeroinitializer"
    yield f"  %a = select {mask} %up, {v} {one}, {v} %x"
    yield f"  %b = select {mask} %down, {v} {minus}, {v} %a"
    yield f"  ret {v} %b"
    yield "}"
