"""Writes the function that evaluates at points a step's polynomial, and the rates of the differential equation on it.

A vector has the same number of points of each arm: eight of one arm, or two of each of several.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from qddot.algebra.program.series import NEAR, PARAMETERS, STATE, TIME, UNKNOWN
from qddot.machine.compilers.llvm import sincos
from qddot.machine.compilers.llvm.arithmetic import Arithmetic
from qddot.machine.compilers.llvm.registers import bits
from qddot.machine.compilers.llvm.taylor.workspace import Workspace
from qddot.machine.compilers.llvm.writer import ZERO, Writer


class Points:
    """This writes a function over points; it has the addresses and the numbers of the memory."""

    def __init__(self, space: Workspace, head: str) -> None:
        """head: the function's name and arguments; {v} stands for the type of a vector of points"""
        self.space, self.series, self.places = space, space.series, space.offsets
        self.state, self.unknown, _, self.guards = space.series.sizes
        self.of, self.wide, self.d = space.points, space.points.bytes, space.of.bytes
        self.arms, self.lanes, self.copies = space.of.reals, space.lanes, space.copies
        self.w = Writer(f"private void {head.replace('{v}', self.of.reals)} noinline", self.of)

    def row(self, part: str, k: int | str = 0) -> str:
        """Returns the address of a row of points."""
        begin = self.w.at("%work", self.places[part])
        return self.w.at(begin, k * self.wide) if isinstance(k, int) else self.w.element(begin, k, self.wide)

    def each(self, part: str, k: int | str = 0) -> str:
        """Returns a number of each arm at all of its points."""
        begin = self.w.at("%work", self.places[part])
        return self.copied(self.w.at(begin, k * self.d) if isinstance(k, int) else self.w.element(begin, k, self.d))

    def copied(self, address: str) -> str:
        """Returns the numbers of the arms at an address, for all points."""
        return self.spread(self.w.load(address, 0, self.arms))

    def spread(self, numbers: str) -> str:
        """Returns the numbers of the arms, for all points."""
        mask = ", ".join(f"i32 {k % self.lanes}" for k in range(self.of.lanes))
        chosen = f"{self.arms} {numbers}, {self.arms} poison, <{self.of.lanes} x i32> <{mask}>"
        return self.w.let(f"shufflevector {chosen}")

    def listed(self, numbers: Sequence[float]) -> str:
        """Returns a vector with one number for all points of the same place in their arms."""
        return "<" + ", ".join(f"double {bits(x)}" for x in numbers for _ in range(self.lanes)) + ">"

    def joined(self, instruction: str, numbers: str) -> str:
        """Returns the numbers of the arms from those of their points.

        instruction: joins the numbers {a} and {b} of the type {v}, which are {n}
        """
        lanes = self.of.lanes
        while lanes > self.lanes:
            whole, half = f"<{lanes} x double>", lanes // 2
            parts = []
            for begin in (0, half):
                mask = ", ".join(f"i32 {begin + k}" for k in range(half))
                parts.append(self.w.let(f"shufflevector {whole} {numbers}, {whole} poison, <{half} x i32> <{mask}>"))
            numbers = self.w.let(instruction.format(v=f"<{half} x double>", n=half, a=parts[0], b=parts[1]))
            lanes = half
        return numbers

    def horner(self, first: str, last: int, width: int, s: str, sloped: bool = False) -> tuple[str, str]:
        """Returns the value of a polynomial, and its slope if asked for.

        width: the bytes from a coefficient to the next
        """
        w, value, slope = self.w, self.copied(self.w.at(first, last * width)), ZERO
        for power in reversed(range(last)):
            slope = str(w.fused(value, slope, s)) if sloped else ZERO
            value = str(w.fused(self.copied(w.at(first, power * width)), value, s))
        return value, slope


def functions(space: Workspace) -> Iterator[str]:
    """Yields `void points(work, s)`, where s is the time since the step began, and the functions that it calls.

    It puts the polynomial's states and rates into "inner" and "slopes", and into "results" the rates called there, what
    remains of the residual, and the guards. The first elements, whose rates are other elements, have no slopes: their
    polynomials are the integrals of those of their rates. The accelerations called are those of the polynomial, and
    those that the rest of the residual causes with the inverse of the mass matrix at the start of the step.
    """
    yield from _called(space)
    of = Points(space, "@points(ptr %work, {v} %s)")
    w = of.w
    for begin, end in ((0, of.series.plain), (of.series.plain, of.state)):
        with w.loop(begin, end) as turn:
            first = w.element(w.at("%work", of.places["states"]), turn.index, of.d)
            value, slope = of.horner(first, of.series.order, of.state * of.d, "%s", begin > 0 or not of.series.plain)
            w.store(value, of.row("inner", turn.index))
            w.store(slope, of.row("slopes", turn.index))
    time = str(w.sum(of.each("time"), "%s"))
    begin = of.series.measured - of.unknown  # the first element whose rate is an acceleration
    unknown, inner, results = of.row("slopes", begin), of.row("inner"), of.row("results")
    w.put(f"call void @called(ptr %work, ptr {inner}, ptr {unknown}, {w.v} {time}, ptr {results})")
    if of.unknown:
        _accelerate(of, begin)
    yield from w.done()


def _accelerate(of: Points, begin: int) -> None:
    w = of.w
    with w.loop(0, of.unknown) as line:
        own = w.whole("add", line.index, begin)
        with w.loop(0, of.unknown, [(w.v, w.load(of.row("slopes", own)))]) as column:
            share = of.each("inverse", w.whole("add", w.whole("mul", line.index, of.unknown), column.index))
            rest = w.load(of.row("results", w.whole("add", column.index, of.state)))
            column.following = [str(w.fused(column.values[0], share, rest))]
        w.store(column.values[0], of.row("results", own))


def _called(space: Workspace) -> Iterator[str]:
    """Yields `void called(work, state, unknown, t, results)`, the rates called at points, and its helpers."""
    code = Arithmetic(space.series.called, space.points)
    yield from sincos.functions(space.points, code.counts)
    of = Points(space, "@called(ptr %work, ptr %state, ptr %unknown, {v} %t, ptr %results)")
    w, rows = of.w, {STATE: "%state", UNKNOWN: "%unknown"}
    numbers = {PARAMETERS: "parameters", NEAR: "near"}
    inputs = {(TIME, 0): "%t"}
    for port, k in sorted({node.element for node in code.program.nodes if node.op == "input"}):
        if port != TIME:
            inputs[port, k] = of.each(numbers[port], k) if port in numbers else w.load(rows[port], k * of.wide)
    for k, value in enumerate(code.results(w, inputs)):
        w.store(value, "%results", k * of.wide)
    yield from w.done()
