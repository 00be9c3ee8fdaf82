"""Writes sine and cosine of a vector, and a program's other functions, as LLVM assembly.

The angle is reduced by multiples of π/2 in three parts; lanes beyond the largest angle go through the C library, in
double precision. NaN and ∞ stay in their lanes: every step is arithmetic, and the quadrant is read
from the bits of a sum, which no value makes undefined.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence

from qddot.algebra.program.operations import CIRCULAR, OPERATIONS
from qddot.machine.compilers.llvm.exponential import exponential
from qddot.machine.compilers.llvm.registers import WIDTHS, Vectors
from qddot.machine.compilers.llvm.writer import ZERO, Writer, horner
from qddot.machine.compilers.polynomials import DOUBLE, SINGLE

PRECISIONS = {"double": DOUBLE, "float": SINGLE}
MANY = 8  # angles that a loop takes, whose code is short: a delta with 18 takes 152 ns a state instead of 176


class Waves:
    """These are the sines and cosines of angles, which are computed together when this is made.

    Those of many angles are in a table in memory; each use reads them there, so that they occupy no register before.
    """

    def __init__(self, w: Writer, angles: Sequence[str]) -> None:
        """angles: the names of vectors"""
        self._count, self._pairs = len(angles), pairs(len(angles), w.of)
        listed = ", ".join(f"{w.v} {x}" for x in angles)
        if self._count < MANY:
            self._all = w.let(f"call {self._pairs} @sincos.{self._count}.{w.of.suffix}({listed})")
        else:
            self._all = w.reserved(w.v, 2 * self._count)
            w.put(f"call void @sincos.{self._count}.{w.of.suffix}(ptr {self._all}, {listed})")

    def value(self, w: Writer, k: int, function: str) -> str:
        """Returns the sine ("sin") or the cosine ("cos") of the k-th angle."""
        which = CIRCULAR.index(function)
        if self._count < MANY:
            return w.let(f"extractvalue {self._pairs} {self._all}, {k}, {which}")
        return w.read(w.v, self._all, 2 * k + which)


def functions(of: Vectors, counts: Iterable[int]) -> Iterator[str]:
    """Yields @sincos.n over vectors for n, @sign, @exp, and the functions of the C library.

    Their names end with the vectors' type.
    """
    yield from _near(of)
    yield from _by_library_both(of)
    for count in sorted(set(counts)):
        yield from _sincos(count, of) if count < MANY else _in_a_loop(count, of)
    yield from _sign(of)
    yield from exponential(of)
    for name, operation in OPERATIONS.items():
        if operation.is_called and name not in (*CIRCULAR, "exp"):
            yield from _by_library(name, of)


def value(w: Writer, op: str, arguments: Sequence[str]) -> str:
    """Returns the value of an operation of vectors, by LLVM's own instruction or function if there is one."""
    operation, listed = OPERATIONS[op], ", ".join(f"{w.v} {x}" for x in arguments)
    if operation.instruction:
        return w.let(f"{operation.instruction} {w.v} {', '.join(arguments)}")
    if operation.intrinsic:
        return w.called(operation.intrinsic, *arguments)
    return w.let(f"call {w.v} @{op}.{w.of.suffix}({listed})")


def pair(of: Vectors) -> str:
    """Returns the type of a pair of a sine and a cosine."""
    return f"{{ {of.reals}, {of.reals} }}"


def pairs(count: int, of: Vectors) -> str:
    """Returns the type of @sincos.n's result."""
    return f"{{ {', '.join([pair(of)] * count)} }}"


def _sincos(count: int, of: Vectors) -> list[str]:
    """Returns @sincos.n for several vectors."""
    angles, result = [f"%a{k}" for k in range(count)], pairs(count, of)
    w = Writer(
        f"private {result} @sincos.{count}.{of.suffix}({', '.join(f'{of.reals} {x}' for x in angles)}) alwaysinline", of
    )
    return w.done(f"{result} {_filled(w, result, pair(of), _together(w, angles))}")


def _together(w: Writer, angles: Sequence[str]) -> list[str]:
    """Returns the sine and cosine of each angle: one branch serves all, and their arithmetic overlaps."""
    v, mask, both = w.v, w.of.mask, pair(w.of)
    near, far, some = list[str](), list[str](), ZERO
    for x in angles:
        near.append(w.let(f"call {both} @sincos.near.{w.of.suffix}({v} {x})"))
        far.append(w.compared("ogt", w.called("fabs", x), w.number(PRECISIONS[w.of.real].largest)))
        some = w.either(some, far[-1])
    is_any = w.let(f"call i1 @llvm.vector.reduce.or.v{w.of.lanes}i1({mask} {some})")
    before = w.block
    with w.when(is_any, '!prof !{!"branch_weights", i32 1, i32 1000000}'):
        library = w.block
        rows = zip(angles, near, far, strict=True)
        large = [
            w.let(f"call {both} @sincos.library.{w.of.suffix}({v} {x}, {both} {n}, {mask} {f})") for x, n, f in rows
        ]
    return [w.phi(both, (n, before), (x, library)) for n, x in zip(near, large, strict=True)]


def _in_a_loop(count: int, of: Vectors) -> list[str]:
    """Returns @sincos.n for many vectors; in the table, each sine takes the place of its angle."""
    v, both = of.reals, pair(of)
    listed = ", ".join(f"{v} %a{k}" for k in range(count))
    w = Writer(f"private void @sincos.{count}.{of.suffix}(ptr %table, {listed}) alwaysinline", of)
    for k in range(count):
        w.write(v, f"%a{k}", "%table", 2 * k)
    with w.turns(0, 2 * count, 2) as turn:
        place = w.at("%table", turn.index, v)
        (values,) = _together(w, [w.read(v, place)])
        for which in range(2):
            w.write(v, w.let(f"extractvalue {both} {values}, {which}"), place, which)
    return w.done()


def _filled(w: Writer, whole: str, part: str, values: Iterable[str]) -> str:
    """Returns a structure of some values of one type."""
    so_far = "poison"
    for k, value in enumerate(values):
        so_far = w.let(f"insertvalue {whole} {so_far}, {part} {value}, {k}")
    return so_far


def _near(of: Vectors) -> list[str]:
    """Returns @sincos.near, which is accurate for angles up to `largest`."""
    size, numbers = 8 * WIDTHS[of.real], PRECISIONS[of.real]
    v, whole = of.reals, f"<{of.lanes} x i{size}>"
    w = Writer(f"private {pair(of)} @sincos.near.{of.suffix}({v} %x) alwaysinline", of)

    def integers(value: int) -> str:
        return "<" + ", ".join([f"i{size} {value}"] * of.lanes) + ">"

    turns = w.called("fma", "%x", w.number(2 / math.pi), w.number(numbers.shift))
    k, r = w.vector("fsub", turns, w.number(numbers.shift)), "%x"
    for part in numbers.half_pi:
        r = w.called("fma", k, w.number(-part), r)
    z = w.vector("fmul", r, r)
    s = horner(w, numbers.sin, z)
    sine = w.called("fma", s, w.vector("fmul", z, r), r)
    c = horner(w, numbers.cos, z)
    zz = w.vector("fmul", z, z)
    cosine = w.called("fma", zz, c, w.called("fma", z, w.number(-0.5), w.number(1.0)))
    quadrant = w.let(f"bitcast {v} {turns} to {whole}")
    following = w.let(f"add {whole} {quadrant}, {integers(1)}")
    odd = w.let(f"icmp ne {whole} {w.let(f'and {whole} {quadrant}, {integers(1)}')}, zeroinitializer")
    swapped = [w.choice(odd, a, b) for a, b in ((cosine, sine), (sine, cosine))]
    signed = []
    for value, own in zip(swapped, (quadrant, following), strict=True):
        # bit 1 of the quadrant moved to the sign bit flips the sign
        flip = w.let(f"shl {whole} {w.let(f'and {whole} {own}, {integers(2)}')}, {integers(size - 2)}")
        flipped = w.let(f"xor {whole} {w.let(f'bitcast {v} {value} to {whole}')}, {flip}")
        signed.append(w.let(f"bitcast {whole} {flipped} to {v}"))
    return w.done(f"{pair(of)} {_filled(w, pair(of), v, signed)}")


def _by_library_both(of: Vectors) -> list[str]:
    """Returns @sincos.library, which takes large angles from the C library and keeps the other values."""
    v, both, mask = of.reals, pair(of), of.mask
    w = Writer(f"private {both} @sincos.library.{of.suffix}({v} %x, {both} %near, {mask} %far) noinline cold", of)
    values = []
    for k, name in enumerate(CIRCULAR):
        far, near = _lane_by_lane(w, name, ["%x"]), w.let(f"extractvalue {both} %near, {k}")
        values.append(w.choice("%far", far, near))
    return w.done(f"{both} {_filled(w, both, v, values)}")


def _by_library(name: str, of: Vectors) -> list[str]:
    arguments = [f"%a{k}" for k in range(OPERATIONS[name].arity)]
    listed = ", ".join(f"{of.reals} {x}" for x in arguments)
    w = Writer(f"private {of.reals} @{name}.{of.suffix}({listed}) noinline", of)
    return w.done(f"{of.reals} {_lane_by_lane(w, OPERATIONS[name].name, arguments)}")


def _lane_by_lane(w: Writer, function: str, arguments: Sequence[str]) -> str:
    """Returns the results of a function of the C library for the numbers in each lane."""
    real, values = w.of.real, "poison"
    for lane in range(w.of.lanes):
        wide = [w.lane(x, lane) for x in arguments]
        if real == "float":
            wide = [w.let(f"fpext float {x} to double") for x in wide]
        y = w.let(f"call double @{function}({', '.join(f'double {x}' for x in wide)})")
        narrow = w.let(f"fptrunc double {y} to float") if real == "float" else y
        values = w.let(f"insertelement {w.v} {values}, {real} {narrow}, i32 {lane}")
    return values


def _sign(of: Vectors) -> list[str]:
    """Returns @sign, which gives −1, 0 or 1; NaN stays NaN."""
    v = of.reals
    w = Writer(f"private {v} @sign.{of.suffix}({v} %x) alwaysinline", of)
    up, down = (w.compared(order, "%x") for order in ("ogt", "olt"))
    positive = w.choice(up, w.number(1.0), "%x")
    return w.done(f"{v} {w.choice(down, w.number(-1.0), positive)}")
