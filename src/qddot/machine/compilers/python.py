"""Writes programs as readable Python with NumPy; arrays may have leading batch dimensions."""

from __future__ import annotations

import keyword
from collections.abc import Iterator, Sequence

from qddot.algebra.expressions.identifiers import compatible
from qddot.algebra.program.operations import Operation
from qddot.algebra.program.program import Port, Program
from qddot.machine.compilers.exported import TOLERANCE, Origin, TrialState, entry, places
from qddot.machine.compilers.printer import Printer, Tests

REALS = ("double",)


def files(programs: Sequence[Program], origin: Origin, name: str, tests: Tests, real: str = "double") -> dict[str, str]:
    """Returns one module with some functions and a self-test, by file name; NumPy decides the precision."""
    return {f"{name}.py": "\n".join(_module(_Python(programs, origin, name, tests, real))) + "\n"}


class _Python(Printer):
    reserved = frozenset((*keyword.kwlist, "__debug__", "np"))

    def spelled(self, name: str) -> str:
        return compatible(name)

    def constant(self, value: float) -> str:
        return repr(value)

    def element(self, argument: str, port: Port, place: int) -> str:
        return f"{argument}[{', '.join(['...', *map(str, places(port.shape, place))])}]" if port.shape else argument

    def call(self, function: Operation, values: Sequence[str]) -> str:
        return f"np.{function.in_numpy}({', '.join(values)})"

    def assignment(self, variable: str, expression: str) -> str:
        return f"    {variable} = {expression}"

    def trial(self, program: Program, states: Sequence[TrialState]) -> Iterator[str]:
        for state in states:
            pairs = zip(state.inputs, program.inputs, strict=True)
            arguments = ", ".join(f"np.reshape({values}, {port.shape})" for values, port in pairs)
            right = [value for part in state.outputs for value in part]
            yield f"    outputs = {program.name}({arguments})"
            yield "    parts = outputs if isinstance(outputs, tuple) else [outputs]"
            yield "    outputs = np.concatenate([np.ravel(part) for part in parts])"
            tolerance = repr(TOLERANCE["double"])
            yield f"    if not np.allclose(outputs, {right}, rtol={tolerance}, atol={tolerance}):"
            yield f'        raise SystemExit("{program.name} computes wrong values")'


def _module(python: _Python) -> Iterator[str]:
    yield f'"""{python.origin}. Self-test: python {python.name}.py'
    yield ""
    yield from python.origin.joints.lines(entry)
    yield '"""'
    yield from ("", "import numpy as np")
    for program in python.programs:
        names = python.names(program)
        yield from ("", "", f"def {program.name}({', '.join(names)}):")
        yield f'    """{program.name}: arrays may have leading batch dimensions.'
        yield ""
        yield from (f"    {line}" for line in python.interface(program))
        yield '    """'
        yield from (f"    {name} = np.asarray({name})" for name in names)
        yield from python.operations(program)
        for port, values in python.results(program):
            yield f"    {port.name}_out = np.stack(np.broadcast_arrays({', '.join(values)}), axis=-1)"
        yield f"    return {', '.join(_reshaped(port) for port in program.outputs)}"
    yield from ("", "", 'if __name__ == "__main__":')
    yield from python.trials()
    yield f'    print("{python.name}: all values are right")'


def _reshaped(port: Port) -> str:
    shape = ", ".join(str(size) for size in port.shape)
    out = f"{port.name}_out"
    return f"{out}.reshape({out}.shape[:-1] + ({shape}{',' if len(port.shape) == 1 else ''}))"
