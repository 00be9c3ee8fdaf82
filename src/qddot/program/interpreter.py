"""Computes a program over numbers of any kind, one state at a time."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from qddot.program.program import Program

ARITHMETIC: Mapping[str, Callable[..., Any]] = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "div": operator.truediv,
    "neg": operator.neg,
}
OPERATIONS: Mapping[str, Callable[..., Any]] = {
    **ARITHMETIC,
    "minimum": min,
    "maximum": max,
    "sin": math.sin,
    "cos": math.cos,
    "sign": lambda x: float((x > 0) - (x < 0)),
    "tanh": math.tanh,
    "exp": math.exp,
    "sqrt": math.sqrt,
    "rint": lambda x: float(round(x)),
}


def evaluated(program: Program, inputs: Sequence[Sequence[float]]) -> list[list[float]]:
    """Returns the elements of every output, from the elements of every input.

    raises ArithmeticError or ValueError: an operation has no value
    """
    found = values(program, inputs, OPERATIONS, float)
    return [[found[place] for place in places] for _, places in program.result_slices()]


def values(
    program: Program,
    inputs: Sequence[Sequence[Any]],
    operations: Mapping[str, Callable[..., Any]],
    constant: Callable[[float], Any],
) -> list[Any]:
    """Returns the value of every node over the numbers that the inputs, the operations and the constants have."""
    found: list[Any] = []
    for node in program.nodes:
        if node.op == "input":
            port, element = node.element
            found.append(inputs[port][element])
        elif node.op == "constant":
            found.append(constant(node.value))
        else:
            found.append(operations[node.op](*(found[k] for k in node.args)))
    return found
