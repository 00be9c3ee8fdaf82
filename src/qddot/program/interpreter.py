"""Computes a program in plain Python floats, one state at a time."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from qddot.program.program import Program

OPERATIONS: Mapping[str, Callable[..., Any]] = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "div": operator.truediv,
    "minimum": min,
    "maximum": max,
    "neg": operator.neg,
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
    values: list[float] = []
    for node in program.nodes:
        if node.op == "input":
            port, element = node.element
            values.append(inputs[port][element])
        elif node.op == "constant":
            values.append(node.value)
        else:
            values.append(OPERATIONS[node.op](*(values[k] for k in node.args)))
    return [[values[place] for place in places] for _, places in program.result_slices()]
