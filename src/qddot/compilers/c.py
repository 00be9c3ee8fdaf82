"""Programs as C99: a header and a source that allocate nothing and need libm alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from qddot.compilers.exported import TOLERANCE, Origin, interface, numbers, vectors
from qddot.program.program import Node, Program

ORDERED = {"minimum": "<", "maximum": ">"}
INFIX = {"add": "+", "sub": "-", "mul": "*", "div": "/"}


def files(programs: Sequence[Program], origin: Origin, name: str, real: str = "double") -> dict[str, str]:
    """The header and the source of some functions, by file name; `real` is double or float."""
    return {
        f"{name}.h": "\n".join(_header(programs, origin, name, real)) + "\n",
        f"{name}.c": "\n".join(_source(programs, origin, name, real)) + "\n",
    }


def _header(programs: Sequence[Program], origin: Origin, name: str, real: str) -> Iterator[str]:
    guard = f"QDDOT_{name.upper()}_H"
    yield f"/* {origin}"
    yield f" * Self-test: cc {name}.c -DQDDOT_SELFTEST -lm && ./a.out */"
    yield from (f"#ifndef {guard}", f"#define {guard}", "")
    for program in programs:
        yield f"/* {program.name}"
        yield from (f" *   {line}" for line in interface(program))
        yield " */"
        yield f"{_signature(program, name, real)};"
        yield ""
    yield "#endif"


def _source(programs: Sequence[Program], origin: Origin, name: str, real: str) -> Iterator[str]:
    yield f"/* {origin} */"
    yield from (f'#include "{name}.h"', "", "#include <math.h>", "")
    for program in programs:
        yield f"{_signature(program, name, real)} {{"
        yield from _body(program, real)
        yield from ("}", "")
    yield from _self_test(programs, name, real)


def _signature(program: Program, name: str, real: str) -> str:
    inputs = [f"const {real} {port.name}[{port.size}]" for port in program.inputs]
    outputs = [f"{real} {port.name}_out[{port.size}]" for port in program.outputs]
    return f"void {name}_{program.name}({', '.join([*inputs, *outputs])})"


def _body(program: Program, real: str) -> Iterator[str]:
    for place, node in enumerate(program.nodes):
        if node.op not in ("input", "constant"):
            yield f"    const {real} t{place} = {_operation(program, node, real)};"
    for port, places in program.result_slices():
        for element, place in enumerate(places):
            yield f"    {port.name}_out[{element}] = {_value(program, place, real)};"


def _operation(program: Program, node: Node, real: str) -> str:
    values = [_value(program, place, real) for place in node.args]
    if node.op in INFIX:
        return f" {INFIX[node.op]} ".join(values)
    if node.op == "neg":
        return f"-{values[0]}"
    if node.op == "sign":
        return f"({real})(({values[0]} > 0) - ({values[0]} < 0))"
    if node.op in ORDERED:
        # as NumPy's: what is not a number stays one
        a, b = values
        return f"({a} != {a} || {a} {ORDERED[node.op]} {b}) ? {a} : {b}"
    return f"{node.op}{'f' if real == 'float' else ''}({values[0]})"


def _value(program: Program, place: int, real: str) -> str:
    node = program.nodes[place]
    if node.op == "input":
        return f"{program.inputs[node.element[0]].name}[{node.element[1]}]"
    if node.op == "constant":
        shown = repr(node.value) + ("f" if real == "float" else "")
        return f"({shown})" if node.value < 0 else shown
    return f"t{place}"


def _self_test(programs: Sequence[Program], name: str, real: str) -> Iterator[str]:
    yield from ("#ifdef QDDOT_SELFTEST", "#include <stdio.h>", "", "int main(void) {", "    int wrong = 0;")
    for program in programs:
        for inputs, outputs in vectors(program):
            yield "    {"
            arguments = []
            for port, values in zip(program.inputs, inputs, strict=True):
                yield f"        const {real} {port.name}[] = {{{numbers(values)}}};"
                arguments.append(port.name)
            for port, values in zip(program.outputs, outputs, strict=True):
                yield f"        const double {port.name}_right[] = {{{numbers(values)}}};"
                yield f"        {real} {port.name}_out[{port.size}];"
                arguments.append(f"{port.name}_out")
            yield f"        {name}_{program.name}({', '.join(arguments)});"
            for port in program.outputs:
                yield f"        for (int i = 0; i < {port.size}; i++)"
                yield (
                    f"            wrong += !(fabs({port.name}_out[i] - {port.name}_right[i]) <= "
                    f"{TOLERANCE[real]!r} * (1 + fabs({port.name}_right[i])));"
                )
            yield "    }"
    yield f'    printf(wrong ? "{name}: %d values are wrong\\n" : "{name}: all values are right\\n", wrong);'
    yield from ("    return wrong != 0;", "}", "#endif")
