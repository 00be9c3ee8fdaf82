"""Writes the origin and the interfaces that every exported file states, and the values for its self-test."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import field, replace
from itertools import count, islice
from typing import NamedTuple

from qddot.algebra.expressions.identifiers import distinct
from qddot.algebra.program.interpreter import evaluated
from qddot.algebra.program.program import Port, Program
from qddot.base.records import record
from qddot.machine.compilers.joint_table import Joints

TEMPORARY = re.compile(r"t\d+")  # names of intermediate values
VECTORS = 3  # states of the self-test
SIMULATED = "state_derivative"  # the function that a script of MATLAB integrates
GOLDEN = (5**0.5 - 1) / 2
TOLERANCE = {"double": 1e-12, "float": 2e-4}  # relative to 1 + |value|: some hundred rounded operations


class TrialState(NamedTuple):
    """This is a state of a self-test: the elements of each input, and the right elements of each output."""

    inputs: list[list[float]]
    outputs: list[list[float]]


@record()
class Origin:
    """An origin says where an export comes from, and what its files state of the system.

    model, hash, version: the model's name and fingerprint, and this library's version
    about: a description of each function; left_out: what the model lacks of its file
    start: q from which a simulation may start, if one is known; time: the input that is the time, if there is one
    values: the defaults of symbols
    """

    model: str
    hash: str
    version: str
    about: Mapping[str, str] = field(default_factory=dict)
    left_out: tuple[str, ...] = ()
    joints: Joints = field(default_factory=Joints)
    start: tuple[float, ...] = ()
    time: str = ""
    values: Mapping[str, float] = field(default_factory=dict)

    def __str__(self) -> str:
        made = f"{self.model} (model {self.hash}), made by qddot export {self.version}"
        return comment("; ".join([made, *self.left_out]))


def comment(text: str) -> str:
    """Returns the text without characters that would end a comment or a string in any language."""
    plain = "".join(c if c.isprintable() else "?" for c in text)
    for ends, harmless in (("\\", "/"), ("*/", "* /"), ("/*", "/ *"), ("??", "? ?"), ("</", "< /"), ('"', "'")):
        plain = plain.replace(ends, harmless)
    return plain


def arguments(program: Program, reserved: Collection[str], spelled: Callable[[str], str]) -> list[str]:
    """Returns the arguments' names: those of the inputs, with _ appended if the language or the code uses the name.

    reserved: names that the language or the code uses; spelled: as in `distinct`
    """
    used = {*reserved, *(f"{port.name}{end}" for port in program.outputs for end in ("_out", "_right"))}
    names = [port.name for port in program.inputs]
    return distinct(names, spelled, lambda name: name in used or TEMPORARY.fullmatch(name))


def interface(
    program: Program,
    names: Sequence[str],
    origin: Origin,
    written: Callable[[Port], str] = str,
    order: str = ", row-major",
) -> list[str]:
    """Returns the description of the function, then one line for each port: name, shape, unit and symbol.

    written: how the language writes a name with a shape; order: how it orders the entries of results
    """
    lines = [comment(line) for line in origin.about.get(program.name, "").splitlines()]
    for name, port in zip(names, program.inputs, strict=True):
        symbol = f", the symbol {port.name}" if name != port.name else ""
        lines.append(comment(f"in  {written(replace(port, name=name))}{_unit(port)}{symbol}"))
    return lines + [f"out {written(port)}{_unit(port)}{order}" for port in program.outputs]


def entry(array: str, k: int) -> str:
    """Returns an entry of an array, as most languages write it."""
    return f"{array}[{k}]"


def places(shape: Sequence[int], element: int) -> list[int]:
    """Returns the index of an element along each axis, from its index in row-major order."""
    indices = list[int]()
    for size in reversed(shape):
        element, index = divmod(element, size)
        indices.append(index)
    return indices[::-1]


def states(program: Program) -> Iterator[list[list[float]]]:
    """Yields the elements of every input in states for tests; symbols are positive, and the same in all states."""
    # fills −1 … 1 evenly: the fractional parts of multiples of the golden ratio, scaled
    samples = (2 * (k * GOLDEN % 1) - 1 for k in count(1))
    symbols: dict[str, list[float]] = {}
    while True:
        wide = [(port, [next(samples) for _ in range(port.size)]) for port in program.inputs]
        symbols = symbols or {port.name: [round(1 + x / 2, 3) for x in own] for port, own in wide if not port.shape}
        yield [[round(x, 3) for x in own] if port.shape else symbols[port.name] for port, own in wide]


def vectors(program: Program) -> list[TrialState]:
    """Returns states and the program's own outputs there in double precision, which hold its text against it.

    States with infinite outputs or NaN are left out.
    """
    rights: list[TrialState] = []
    for inputs in islice(states(program), VECTORS):
        with suppress(ArithmeticError, ValueError):
            outputs = evaluated(program, inputs)
            if all(math.isfinite(value) for elements in outputs for value in elements):
                rights.append(TrialState(inputs, outputs))
    return rights


def numbers(values: Sequence[float]) -> str:
    """Returns values as a list in source code, with all digits."""
    return ", ".join(repr(float(value)) for value in values)


def _unit(port: Port) -> str:
    return f" [{port.unit}]" if port.unit else ""
