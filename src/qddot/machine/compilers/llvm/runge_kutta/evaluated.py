"""Writes a program as a function over lanes, which reads the state at an address and writes its results at another."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from qddot.algebra.program.program import Program
from qddot.machine.compilers.llvm import sincos
from qddot.machine.compilers.llvm.arithmetic import Arithmetic
from qddot.machine.compilers.llvm.registers import Vectors
from qddot.machine.compilers.llvm.writer import Writer

STATE, TIME, PARAMETERS = range(3)  # the ports


def functions(programs: Mapping[str, Program], of: Vectors, parameters: int) -> Iterator[str]:
    """Yields `void name(ptr work, ptr state, vector t, ptr results)` for each program, and its helper functions.

    parameters: the offset of the lanes' parameters in the memory
    """
    codes = {name: Arithmetic(program, of) for name, program in programs.items()}
    yield from sincos.functions(of, [count for code in codes.values() for count in code.counts])
    for name, code in codes.items():
        yield from _function(name, code, of, parameters)


def _function(name: str, code: Arithmetic, of: Vectors, parameters: int) -> list[str]:
    w = Writer(f"private void @{name}(ptr %work, ptr %state, {of.reals} %t, ptr %results) noinline", of)
    rows = {STATE: "%state", PARAMETERS: w.at("%work", parameters)}
    elements = sorted({node.element for node in code.program.nodes if node.op == "input"})
    inputs = {(port, k): "%t" if port == TIME else w.load(rows[port], k * of.bytes) for port, k in elements}
    for k, value in enumerate(code.results(w, inputs)):
        w.store(value, "%results", k * of.bytes)
    return w.done()
