"""Programs as readable Python over NumPy: arrays with any leading batch dimensions."""

from __future__ import annotations

import keyword
from collections.abc import Iterator, Sequence

from qddot.compilers.exported import TOLERANCE, Origin, arguments, interface, vectors
from qddot.program.program import Program

RESERVED = frozenset((*keyword.kwlist, "__debug__", "np"))
INFIX = {"add": "+", "sub": "-", "mul": "*", "div": "/"}


def files(programs: Sequence[Program], origin: Origin, name: str, real: str = "double") -> dict[str, str]:
    """One module with some functions and a self-test, by file name; NumPy decides the precision."""
    return {f"{name}.py": "\n".join(_module(programs, origin, name)) + "\n"}


def _module(programs: Sequence[Program], origin: Origin, name: str) -> Iterator[str]:
    yield f'"""{origin}. Self-test: python {name}.py"""'
    yield from ("", "import numpy as np")
    for program in programs:
        names = arguments(program, RESERVED)
        yield from ("", "", f"def {program.name}({', '.join(names)}):")
        yield f'    """{program.name}: arrays may have leading batch dimensions.'
        yield ""
        yield from (f"    {line}" for line in interface(program, names, origin))
        yield '    """'
        yield from _body(program, names)
    yield from _self_test(programs, name)


def _body(program: Program, names: Sequence[str]) -> Iterator[str]:
    for name in names:
        yield f"    {name} = np.asarray({name})"
    for place, node in enumerate(program.nodes):
        if node.op not in ("input", "constant"):
            yield f"    t{place} = {_operation(node.op, [_value(program, k, names) for k in node.args])}"
    returned = []
    for port, places in program.result_slices():
        values = ", ".join(_value(program, place, names) for place in places)
        yield f"    {port.name}_out = np.stack(np.broadcast_arrays({values}), axis=-1)"
        shape = ", ".join(str(size) for size in port.shape)
        returned.append(
            f"{port.name}_out.reshape({port.name}_out.shape[:-1] + ({shape}{',' if len(port.shape) == 1 else ''}))"
        )
    yield f"    return {', '.join(returned)}"


def _operation(op: str, values: Sequence[str]) -> str:
    if op in INFIX:
        return f" {INFIX[op]} ".join(values)
    return f"-{values[0]}" if op == "neg" else f"np.{op}({', '.join(values)})"


def _value(program: Program, place: int, names: Sequence[str]) -> str:
    node = program.nodes[place]
    if node.op == "input":
        port, element = node.element
        shape = program.inputs[port].shape
        return f"{names[port]}[{', '.join(['...', *_unravelled(element, shape)])}]" if shape else names[port]
    if node.op == "constant":
        return repr(node.value) if node.value >= 0 else f"({node.value!r})"
    return f"t{place}"


def _unravelled(element: int, shape: Sequence[int]) -> list[str]:
    places = []
    for size in reversed(shape):
        element, place = divmod(element, size)
        places.append(str(place))
    return places[::-1]


def _self_test(programs: Sequence[Program], name: str) -> Iterator[str]:
    yield from ("", "", 'if __name__ == "__main__":')
    for program in programs:
        for inputs, outputs in vectors(program):
            pairs = zip(inputs, program.inputs, strict=True)
            given = ", ".join(f"np.reshape({values}, {port.shape})" for values, port in pairs)
            yield f"    found = {program.name}({given})"
            right = [value for part in outputs for value in part]
            yield "    parts = found if isinstance(found, tuple) else [found]"
            yield "    found = np.concatenate([np.ravel(part) for part in parts])"
            yield f"    assert np.allclose(found, {right}, rtol={TOLERANCE['double']!r}, atol={TOLERANCE['double']!r})"
    yield f'    print("{name}: all values are right")'
