"""Writes the origin and the interfaces that every exported file states, and the values for its self-test."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import count
from typing import NamedTuple

from qddot.program.interpreter import evaluated
from qddot.program.program import Port, Program

TEMPORARY = re.compile(r"t\d+")  # names of intermediate values
NONE = re.compile(r"(?!)")
VECTORS = 3  # states of the self-test
GOLDEN = (5**0.5 - 1) / 2
TOLERANCE = {"double": 1e-12, "float": 2e-4}  # relative to 1 + |value|: some hundred rounded operations


class State(NamedTuple):
    """This is a state of a self-test: the elements of each input, and the right elements of each output."""

    inputs: list[list[float]]
    outputs: list[list[float]]


@dataclass(frozen=True)
class Origin:
    """An origin says where an export comes from: the model's name and fingerprint, and this library's version."""

    model: str
    hash: str
    version: str
    about: Mapping[str, str] = field(default_factory=dict)  # a description of each function

    def __str__(self) -> str:
        return comment(f"{self.model} (model {self.hash}), made by qddot export {self.version}")


def comment(text: str) -> str:
    """Returns the text without characters that would end a comment or a string in any language."""
    plain = "".join(c if c.isprintable() else "?" for c in text)
    for ends, harmless in (("\\", "/"), ("*/", "* /"), ("/*", "/ *"), ("??", "? ?"), ("</", "< /"), ('"', "'")):
        plain = plain.replace(ends, harmless)
    return plain


def arguments(program: Program, reserved: Collection[str], families: re.Pattern[str] = NONE) -> list[str]:
    """Returns the arguments' names: those of the inputs, with _ appended if the language or the code uses the name.

    families: patterns of names that the language reserves; these get the prefix p
    """
    used_names = {*reserved, *(f"{port.name}{end}" for port in program.outputs for end in ("_out", "_right"))}
    names: list[str] = []
    for port in program.inputs:
        name = f"p{port.name}" if families.fullmatch(port.name) else port.name
        while name in used_names or TEMPORARY.fullmatch(name):
            name += "_"
        used_names.add(name)
        names.append(name)
    return names


def interface(program: Program, names: Sequence[str], origin: Origin) -> list[str]:
    """Returns the description of the function, then one line for each port: name, shape, unit."""
    lines = [comment(line) for line in origin.about.get(program.name, "").splitlines()]
    for name, port in zip(names, program.inputs, strict=True):
        lines.append(comment(f"in  {replace(port, name=name)}{_unit(port)}"))
    return lines + [f"out {port}{_unit(port)}, row-major" for port in program.outputs]


def vectors(program: Program, same_symbols: bool = False) -> list[State]:
    """Returns states and the program's outputs there in double precision; symbols are positive.

    States with infinite outputs or NaN are left out.

    same_symbols: whether symbols have the same values in all states
    """
    samples = _spread()
    states: list[State] = []
    first: list[list[float]] = []
    for _ in range(VECTORS):
        wide = [[next(samples) for _ in range(port.size)] for port in program.inputs]
        inputs = [
            [round(x if port.shape else 1 + x / 2, 3) for x in elements]
            for port, elements in zip(program.inputs, wide, strict=True)
        ]
        first = first or inputs
        if same_symbols:
            inputs = [own if port.shape else f for port, own, f in zip(program.inputs, inputs, first, strict=True)]
        with suppress(ArithmeticError, ValueError):
            outputs = evaluated(program, inputs)
            if all(math.isfinite(value) for elements in outputs for value in elements):
                states.append(State(inputs, outputs))
    return states


def _spread() -> Iterator[float]:
    """Returns numbers that fill −1 … 1 evenly: the fractional parts of multiples of the golden ratio, scaled."""
    return (2 * (k * GOLDEN % 1) - 1 for k in count(1))


def numbers(values: Sequence[float]) -> str:
    """Returns values as a list in source code, with all digits."""
    return ", ".join(repr(float(value)) for value in values)


def _unit(port: Port) -> str:
    return f" [{port.unit}]" if port.unit else ""
