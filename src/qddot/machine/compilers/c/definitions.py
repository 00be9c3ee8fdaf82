"""Writes the C functions of a program: its two parts, the function for one state, and the batch for many states.

A batch transposes the rows of a few states into columns, so that the k-th numbers of all of them are contiguous. Its
loops over the states call the two parts, and compilers vectorise them. The remaining states are computed one by one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from qddot.algebra.program.program import Program
from qddot.machine.compilers.c.dialect import C


def moves(c: C) -> Iterator[str]:
    """Yields the functions that transpose rows to columns and back."""
    yield from _move(c, "columns", "rows", "columns[k * {0} + lane] = rows[lane * size + k];")
    yield from _move(c, "rows", "columns", "rows[lane * size + k] = columns[k * {0} + lane];")


def definitions(c: C, program: Program) -> Iterator[str]:
    """Yields all functions of one program."""
    parts = c.splits[program.name]
    for part in (parts.angles, parts.rest) if parts.count else (parts.rest,):
        yield from _part(c, part)
    yield from _single(c, program)
    yield from _batch(c, program)


def _move(c: C, to: str, source: str, line: str) -> Iterator[str]:
    lanes, real = f"{c.name}_lanes", f"{c.real} *QDDOT_RESTRICT"
    yield f"QDDOT_INLINE void {c.name}_{to}(size_t size, const {real} {source}, {real} {to}) {{"
    yield f"    for (size_t lane = 0; lane < {lanes}; lane++)"
    yield "        for (size_t k = 0; k < size; k++)"
    yield f"            {line.format(lanes)}"
    yield from ("}", "")


def _part(c: C, part: Program) -> Iterator[str]:
    yield f"{c.part(part)} {{"
    yield from c.operations(part)
    for port, values in c.results(part):
        yield from (f"    {c.result(port)}[{k} * stride] = {value};" for k, value in enumerate(values))
    yield from ("}", "")


def _single(c: C, program: Program) -> Iterator[str]:
    parts, names = c.splits[program.name], c.names(program)
    outputs = [f"{port.name}_out" for port in program.outputs]
    yield f"{c.single(program)} {{"
    yield from _unread(c, program)
    if parts.count:
        yield f"    {c.real} angles[{parts.count}], sines[{parts.count}], cosines[{parts.count}];"
        yield f"    {_call(c, parts.angles, '1', names, ['angles'])}"
        yield f"    {c.name}_sincos({parts.count}, angles, sines, cosines);"
    yield f"    {_call(c, parts.rest, '1', [*names, 'sines', 'cosines'], outputs)}"
    yield from ("}", "")


def _batch(c: C, program: Program) -> Iterator[str]:
    lanes, names = f"{c.name}_lanes", c.names(program)
    outputs = [f"{port.name}_out" for port in program.outputs]
    sizes = dict(zip(names, (port.size if port.shape else 0 for port in program.inputs), strict=True))
    sizes |= dict(zip(outputs, (port.size for port in program.outputs), strict=True))
    onward = [(name, size) for name, size in sizes.items() if size]
    yield f"{c.batch(program)} {{"
    yield from _unread(c, program)
    yield f"    for (; states >= {lanes}; states -= {lanes}) {{"
    yield from _several(c, program)
    yield from (f"        {name} += {size} * {lanes};" for name, size in onward)
    yield "    }"
    yield "    for (; states > 0; states--) {"
    yield f"        {c.function(program)}({', '.join([*names, *outputs])});"
    yield from (f"        {name} += {size};" for name, size in onward)
    yield from ("    }", "}", "")


def _several(c: C, program: Program) -> Iterator[str]:
    """Yields the code that computes as many states as there are lanes."""
    parts, lanes, names = c.splits[program.name], f"{c.name}_lanes", c.names(program)
    read = [place for place in c.read(program) if program.inputs[place].shape]
    columns = list(names)
    if read:
        yield f"        {c.real} inputs[{sum(program.inputs[place].size for place in read)} * {lanes}];"
    yield f"        {c.real} outputs[{sum(port.size for port in program.outputs)} * {lanes}];"
    start = 0
    for place in read:
        at, start = f"inputs + {start} * {lanes}", start + program.inputs[place].size
        columns[place] = f"{at} + lane"
        yield f"        {c.name}_columns({program.inputs[place].size}, {names[place]}, {at});"
    each = f"        for (size_t lane = 0; lane < {lanes}; lane++)"
    if parts.count:
        count = f"{parts.count} * {lanes}"
        yield f"        {c.real} angles[{count}], sines[{count}], cosines[{count}];"
        yield each
        yield f"            {_call(c, parts.angles, lanes, columns, ['angles + lane'])}"
        yield f"        {c.name}_sincos({count}, angles, sines, cosines);"
    starts = [sum(port.size for port in program.outputs[:k]) for k in range(len(program.outputs))]
    results = [f"outputs + {begin} * {lanes}" for begin in starts]
    yield each
    both = [*columns, "sines + lane", "cosines + lane"]
    yield f"            {_call(c, parts.rest, lanes, both, [f'{at} + lane' for at in results])}"
    for port, at in zip(program.outputs, results, strict=True):
        yield f"        {c.name}_rows({port.size}, {at}, {port.name}_out);"


def _call(c: C, part: Program, stride: str, inputs: Sequence[str], outputs: Sequence[str]) -> str:
    return f"{c.function(part)}({', '.join([stride, *(inputs[place] for place in c.read(part)), *outputs])});"


def _unread(c: C, program: Program) -> Iterator[str]:
    read = c.read(program)
    yield from (f"    (void){name};" for place, name in enumerate(c.names(program)) if place not in read)
