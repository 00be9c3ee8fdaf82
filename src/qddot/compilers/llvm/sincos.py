"""Writes sine and cosine of a vector, and a program's other functions, as LLVM assembly.

The angle is reduced by multiples of π/2 in three parts; lanes beyond the largest angle go through the C library, in
double precision. NaN and ∞ stay in their lanes: every step is arithmetic, and the quadrant is read
from the bits of a sum, which no value makes undefined.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Iterable, Iterator

from qddot.compilers.llvm.registers import WIDTHS, Vectors
from qddot.compilers.polynomials import DOUBLE, SINGLE

PRECISIONS = {"double": DOUBLE, "float": SINGLE}


def functions(of: Vectors, counts: Iterable[int]) -> Iterator[str]:
    """Yields @sign, @tanh and @exp over vectors, declarations of LLVM's own, and @sincos.n for n vectors at once."""
    v, suffix = of.reals, of.suffix
    yield f"declare {v} @llvm.fma.{suffix}({v}, {v}, {v})"
    yield f"declare {v} @llvm.fabs.{suffix}({v})"
    yield f"declare i1 @llvm.vector.reduce.or.v{of.lanes}i1({of.mask})"
    yield from ("declare double @sin(double)", "declare double @cos(double)")
    yield from ("declare double @tanh(double)", "declare double @exp(double)")
    for name, arguments in (("minimum", f"{v}, {v}"), ("maximum", f"{v}, {v}"), ("sqrt", v), ("rint", v)):
        yield f"declare {v} @llvm.{name}.{suffix}({arguments})"
    yield from _near(of)
    yield from _by_library_both(of)
    yield '!0 = !{!"branch_weights", i32 1, i32 1000000}'
    for count in sorted(set(counts)):
        yield from _sincos(count, of)
    yield from _sign(of)
    for name in ("tanh", "exp"):
        yield from _by_library(name, of)


def pair(of: Vectors) -> str:
    """Returns the type of a pair of a sine and a cosine."""
    return f"{{ {of.reals}, {of.reals} }}"


def pairs(count: int, of: Vectors) -> str:
    """Returns the type of @sincos.n's result."""
    return f"{{ {', '.join([pair(of)] * count)} }}"


def _sincos(count: int, of: Vectors) -> Iterator[str]:
    """Yields @sincos.n for several vectors: one branch serves all, and their arithmetic overlaps."""
    v, mask, both, all_ = of.reals, of.mask, pair(of), pairs(count, of)
    largest = of.constant(PRECISIONS[of.real].largest)
    arguments = ", ".join(f"{v} %x{k}" for k in range(count))
    yield f"define private {all_} @sincos.{count}({arguments}) alwaysinline {{"
    before = "zeroinitializer"
    for k in range(count):
        yield f"  %near{k} = call {both} @sincos.near({v} %x{k})"
        yield f"  %a{k} = call {v} @llvm.fabs.{of.suffix}({v} %x{k})"
        yield f"  %far{k} = fcmp ogt {v} %a{k}, {largest}"
        yield f"  %any{k} = or {mask} {before}, %far{k}"
        before = f"%any{k}"
    yield f"  %some = call i1 @llvm.vector.reduce.or.v{of.lanes}i1({mask} {before})"
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


def _near(of: Vectors) -> Iterator[str]:
    """Yields @sincos.near, for angles up to the largest."""
    size, numbers = 8 * WIDTHS[of.real], PRECISIONS[of.real]
    v, w, mask, number = of.reals, f"<{of.lanes} x i{size}>", of.mask, of.constant
    fma = f"call {v} @llvm.fma.{of.suffix}({v} {{}}, {v} {{}}, {v} {{}})"

    def integers(value: int) -> str:
        return "<" + ", ".join([f"i{size} {value}"] * of.lanes) + ">"

    yield f"define private {pair(of)} @sincos.near({v} %x) alwaysinline {{"
    yield f"  %t = {fma.format('%x', number(2 / math.pi), number(numbers.shift))}"
    yield f"  %k = fsub {v} %t, {number(numbers.shift)}"
    yield f"  %r1 = {fma.format('%k', number(-numbers.half_pi[0]), '%x')}"
    yield f"  %r2 = {fma.format('%k', number(-numbers.half_pi[1]), '%r1')}"
    yield f"  %r = {fma.format('%k', number(-numbers.half_pi[2]), '%r2')}"
    yield f"  %z = fmul {v} %r, %r"
    s = yield from _horner("s", numbers.sin, fma, of)
    yield f"  %zr = fmul {v} %z, %r"
    yield f"  %sin = {fma.format(s, '%zr', '%r')}"
    c = yield from _horner("c", numbers.cos, fma, of)
    yield f"  %zz = fmul {v} %z, %z"
    yield f"  %half = {fma.format('%z', number(-0.5), number(1.0))}"
    yield f"  %cos = {fma.format('%zz', c, '%half')}"
    yield f"  %q = bitcast {v} %t to {w}"
    yield f"  %q1 = add {w} %q, {integers(1)}"
    yield f"  %odd.b = and {w} %q, {integers(1)}"
    yield f"  %odd = icmp ne {w} %odd.b, zeroinitializer"
    yield f"  %ss = select {mask} %odd, {v} %cos, {v} %sin"
    yield f"  %cc = select {mask} %odd, {v} %sin, {v} %cos"
    # bit 1 of the quadrant moved to the sign bit flips the sign
    for name, quadrant, value in (("sin", "q", "ss"), ("cos", "q1", "cc")):
        yield f"  %{name}.b = and {w} %{quadrant}, {integers(2)}"
        yield f"  %{name}.f = shl {w} %{name}.b, {integers(size - 2)}"
        yield f"  %{name}.i = bitcast {v} %{value} to {w}"
        yield f"  %{name}.x = xor {w} %{name}.i, %{name}.f"
        yield f"  %{name}.near = bitcast {w} %{name}.x to {v}"
    yield f"  %n0 = insertvalue {pair(of)} poison, {v} %sin.near, 0"
    yield f"  %n1 = insertvalue {pair(of)} %n0, {v} %cos.near, 1"
    yield f"  ret {pair(of)} %n1"
    yield "}"


def _horner(name: str, coefficients: tuple[float, ...], fma: str, of: Vectors) -> Generator[str, None, str]:
    """Yields the lines of a polynomial in %z, and returns its name."""
    before = of.constant(coefficients[0])
    for k, coefficient in enumerate(coefficients[1:], 1):
        yield f"  %{name}{k} = {fma.format(before, '%z', of.constant(coefficient))}"
        before = f"%{name}{k}"
    return before


def _by_library_both(of: Vectors) -> Iterator[str]:
    """Yields @sincos.library, which takes large angles from the C library and keeps the other values."""
    v, both, mask = of.reals, pair(of), of.mask
    yield f"define private {both} @sincos.library({v} %x, {both} %near, {mask} %far) noinline cold {{"
    before = "poison"
    for k, name in enumerate(("sin", "cos")):
        yield from _lane_by_lane(name, of)
        yield f"  %{name}.near = extractvalue {both} %near, {k}"
        yield f"  %{name}.m = select {mask} %far, {v} %{name}.{of.lanes - 1}, {v} %{name}.near"
        yield f"  %f{k} = insertvalue {both} {before}, {v} %{name}.m, {k}"
        before = f"%f{k}"
    yield f"  ret {both} {before}"
    yield "}"


def _by_library(name: str, of: Vectors) -> Iterator[str]:
    v = of.reals
    yield f"define private {v} @{name}.v({v} %x) noinline {{"
    yield from _lane_by_lane(name, of)
    yield f"  ret {v} %{name}.{of.lanes - 1}"
    yield "}"


def _lane_by_lane(name: str, of: Vectors) -> Iterator[str]:
    """Yields the lines that call a function of the C library with the number of every lane."""
    before = "poison"
    for lane in range(of.lanes):
        this = f"%{name}.{lane}"
        wide, found = (f"{this}.xw", f"{this}.yw") if of.real == "float" else (f"{this}.x", f"{this}.y")
        yield f"  {this}.x = extractelement {of.reals} %x, i32 {lane}"
        if of.real == "float":
            yield f"  {wide} = fpext float {this}.x to double"
        yield f"  {found} = call double @{name}(double {wide})"
        if of.real == "float":
            yield f"  {this}.y = fptrunc double {found} to float"
        yield f"  {this} = insertelement {of.reals} {before}, {of.real} {this}.y, i32 {lane}"
        before = this


def _sign(of: Vectors) -> Iterator[str]:
    """Yields @sign.v, which returns −1, 0 or 1; NaN stays NaN."""
    v, mask, one, minus = of.reals, of.mask, of.constant(1.0), of.constant(-1.0)
    yield f"define private {v} @sign.v({v} %x) alwaysinline {{"
    yield f"  %up = fcmp ogt {v} %x, zeroinitializer"
    yield f"  %down = fcmp olt {v} %x, zeroinitializer"
    yield f"  %a = select {mask} %up, {v} {one}, {v} %x"
    yield f"  %b = select {mask} %down, {v} {minus}, {v} %a"
    yield f"  ret {v} %b"
    yield "}"
