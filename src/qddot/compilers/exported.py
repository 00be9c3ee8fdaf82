"""What every exported file says of itself, and the vectors with which it tests itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from qddot.compilers.blocks import Kernel
from qddot.program.program import Port, Program

VECTORS = 3  # states of the self-test
TOLERANCE = {"double": 1e-12, "float": 2e-4}  # relative to 1 + |value|: some hundred rounded operations


@dataclass(frozen=True)
class Origin:
    """Where an export comes from: the model's name and fingerprint, and this library's version."""

    model: str
    hash: str
    version: str

    def __str__(self) -> str:
        return f"{self.model} (model {self.hash}), made by qddot {self.version}"


def interface(program: Program) -> list[str]:
    """One line for each port: name, shape, unit."""
    lines = [f"in  {port}{_unit(port)}" for port in program.inputs]
    return lines + [f"out {port}{_unit(port)}, row-major" for port in program.outputs]


def vectors(program: Program) -> list[tuple[list[list[float]], list[list[float]]]]:
    """(inputs, expected outputs) of a few states, from the program itself in double precision."""
    rng = np.random.default_rng(0)
    inputs = [np.round(rng.uniform(-1, 1, (VECTORS, port.size)), 3) for port in program.inputs]
    outputs: list[Any] = [np.zeros((VECTORS, port.size)) for port in program.outputs]
    Kernel(program, "float64").run(inputs, outputs, 0, VECTORS)
    return [([a[k].tolist() for a in inputs], [b[k].tolist() for b in outputs]) for k in range(VECTORS)]


def numbers(values: Sequence[float]) -> str:
    """Values as a list in source code, with every digit."""
    return ", ".join(repr(float(value)) for value in values)


def _unit(port: Port) -> str:
    return f" [{port.unit}]" if port.unit else ""
