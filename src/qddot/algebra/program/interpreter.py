"""Computes a program over numbers of any kind, one state at a time."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from qddot.algebra.program.operations import column
from qddot.algebra.program.program import Program


def evaluated(program: Program, inputs: Sequence[Sequence[float]]) -> list[list[float]]:
    """Returns the elements of every output, from the elements of every input.

    raises ArithmeticError or ValueError: an operation is undefined for its arguments
    """
    values = Walk(program, column("value"), float)(inputs)
    return [[values[place] for place in places] for _, places in program.result_slices()]


class Walk:
    """A walk computes all nodes of a program over one kind of number, and may be called repeatedly.

    operations: over this kind of number, such as a `column` of OPERATIONS, by name
    constant: the function that converts a constant to a number; fixed: elements of inputs that are the same in all
        calls, by the port's index. Nodes that depend only on these are computed once.
    """

    def __init__(
        self,
        program: Program,
        operations: Mapping[str, Callable[..., Any]],
        constant: Callable[[float], Any],
        fixed: Mapping[int, Sequence[Any]] | None = None,
    ) -> None:
        self._known: list[Any] = []
        self._taken: list[tuple[int, int, int]] = []
        self._steps: list[tuple[int, Callable[..., Any], int, int]] = []
        moving: set[int] = set()
        for place, node in enumerate(program.nodes):
            value = None
            if node.op == "input":
                port, element = node.element
                if fixed is not None and port in fixed:
                    value = fixed[port][element]
                else:
                    self._taken.append((place, port, element))
                    moving.add(place)
            elif node.op == "constant":
                value = constant(node.value)
            elif moving.isdisjoint(node.args):
                value = operations[node.op](*(self._known[k] for k in node.args))
            else:
                a, b = (*node.args, -1)[:2]
                self._steps.append((place, operations[node.op], a, b))
                moving.add(place)
            self._known.append(value)

    def __call__(self, inputs: Sequence[Sequence[Any]]) -> list[Any]:
        """Returns the values of all nodes."""
        values = self._known.copy()
        for place, port, element in self._taken:
            values[place] = inputs[port][element]
        for place, operation, a, b in self._steps:
            values[place] = operation(values[a]) if b < 0 else operation(values[a], values[b])
        return values
