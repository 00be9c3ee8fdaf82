"""Defines Program: straight-line arithmetic with named inputs and outputs, which compilers translate to code."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice
from math import isfinite, prod
from typing import NamedTuple, TypeVar

from qddot.algebra.program.operations import CIRCULAR, LEAVES, column
from qddot.base.errors import QddotError, number_of
from qddot.base.records import record
from qddot.base.words.message import Listed, Words, say

Value = TypeVar("Value")


GUARD = "regularity"  # the last output of a guarded program: where it is not positive, the others have no meaning


class Node(NamedTuple):
    """A node is one operation; `args` are places of earlier nodes.

    For an "input", `element` is (place of the port, place in the port); for a "constant", `value` is its value.
    """

    op: str
    args: tuple[int, ...] = ()
    value: float = 0.0
    element: tuple[int, int] = (0, 0)


def operation(op: str, args: tuple[int, ...]) -> Node:
    """Returns the node of an operation; takes half the time of the constructor."""
    return tuple.__new__(Node, (op, args, 0.0, (0, 0)))


@record(slots=True)
class Port:
    """A port is a named input or output array; its elements are in row-major order."""

    name: str
    shape: tuple[int, ...]
    unit: str = ""

    @property
    def size(self) -> int:
        return prod(self.shape)

    def __str__(self) -> str:
        return self.name + "".join(f"[{size}]" for size in self.shape)


@record()
class Interface:
    """The interface of a program is its name, its ports and the fingerprint of its computation."""

    name: str
    inputs: tuple[Port, ...]
    outputs: tuple[Port, ...]
    hash: str

    @property
    def is_guarded(self) -> bool:
        """Returns whether the last output tells where the others have a meaning."""
        return bool(self.outputs) and self.outputs[-1].name == GUARD

    @property
    def results(self) -> tuple[Port, ...]:
        """Returns the outputs without the guard."""
        return self.outputs[:-1] if self.is_guarded else self.outputs

    def to_json(self) -> str:
        """Returns this interface as a text, which `parsed` reads."""
        sides = {
            side: [[port.name, port.shape, port.unit] for port in ports]
            for side, ports in (("inputs", self.inputs), ("outputs", self.outputs))
        }
        return json.dumps({"name": self.name, "hash": self.hash, **sides})

    @classmethod
    def parsed(cls, text: str) -> Interface:
        """Returns the interface from a text of `to_json`.

        raises ValueError, KeyError or TypeError: the text is damaged
        """
        content = json.loads(text)
        inputs, outputs = (
            tuple(Port(name, tuple(shape), unit) for name, shape, unit in content[side])
            for side in ("inputs", "outputs")
        )
        return cls(str(content["name"]), inputs, outputs, str(content["hash"]))


@record()
class Program:
    """A program has nodes in an order in which they can be computed, and the place of each output element's node.

    raises ProgramError: an argument is not an earlier node, an operation is unknown, or a port is incomplete
    """

    name: str
    inputs: tuple[Port, ...]
    outputs: tuple[Port, ...]
    nodes: tuple[Node, ...]
    results: tuple[int, ...]

    def __post_init__(self) -> None:
        validate(self)

    @cached_property
    def operations(self) -> Mapping[str, int]:
        """Returns the numbers of multiplications, additions, divisions, sign changes and sine-cosine pairs."""
        count = Counter(node.op for node in self.nodes)
        angles = {node.args for node in self.nodes if node.op in CIRCULAR}
        return {
            "multiplications": count["mul"],
            "additions": count["add"] + count["sub"],
            "divisions": count["div"],
            "negations": count["neg"],
            "sincos": len(angles),
        }

    @property
    def total_operations(self) -> int:
        """Returns the total number of multiplications, additions and divisions."""
        return sum(self.operations[kind] for kind in ("multiplications", "additions", "divisions"))

    def result_slices(self) -> Iterator[tuple[Port, Sequence[int]]]:
        """Yields each output port with the places of its elements' nodes."""
        start = 0
        for port in self.outputs:
            yield port, self.results[start : start + port.size]
            start += port.size

    def by_output(self, values: Sequence[Value]) -> dict[str, list[Value]]:
        """Returns the values of all results as those of each output."""
        rest = iter(values)
        return {port.name: list(islice(rest, port.size)) for port in self.outputs}

    @cached_property
    def hash(self) -> str:
        """Returns a fingerprint of the whole computation."""
        content = repr((self.name, self.inputs, self.outputs, self.nodes, self.results))
        return hashlib.sha256(content.encode()).hexdigest()[:24]

    @cached_property
    def interface(self) -> Interface:
        """Returns the name, ports and fingerprint of this program."""
        return Interface(self.name, self.inputs, self.outputs, self.hash)

    @property
    def _signature(self) -> str:
        heads = (", ".join(str(port) for port in ports) for ports in (self.inputs, self.outputs))
        return "{}({}) -> {}".format(self.name, *heads)

    def __repr__(self) -> str:
        return f"<Program {self._signature}: {number_of(self.total_operations, 'operation')}>"

    def _repr_html_(self) -> str:
        from qddot.base import html

        sides = ((say("program-input"), self.inputs), (say("program-output"), self.outputs))
        ports: list[list[Words]] = [
            [side, port.name, _shape(port), port.unit] for side, ports in sides for port in ports
        ]
        counts: list[list[Words]] = [[say(kind), str(number)] for kind, number in self.operations.items()]
        operations = say("program-operations", name=self.name, count=self.total_operations)
        return html.block(
            html.lines([operations, say("count-of-lines", count=len(self.nodes))]),
            html.table(("", *map(say, ("title-name", "title-shape", "title-unit"))), ports),
            html.table([say("title-operations"), say("title-count")], counts),
        )

    def __str__(self) -> str:
        """Returns a text with a line for each node, in which values are denoted by their nodes' places."""
        lines = [f"program {self._signature}"]
        for place, node in enumerate(self.nodes):
            lines.append(f"  %{place} = {self._node_text(node)}")
        for port, places in self.result_slices():
            lines.append(f"  {port.name} = " + ", ".join(f"%{place}" for place in places))
        return "\n".join(lines)

    def _node_text(self, node: Node) -> str:
        if node.op == "input":
            port, element = node.element
            return f"{self.inputs[port].name}[{element}]"
        if node.op == "constant":
            return repr(node.value)
        return " ".join([node.op, *(f"%{place}" for place in node.args)])


def _shape(port: Port) -> str:
    return " × ".join(map(str, port.shape)) or "scalar"


class ProgramError(QddotError):
    """This error says that a program is invalid, so that it cannot be computed."""


def validate(program: Program) -> None:
    """Raises ProgramError unless arguments are earlier nodes, inputs are elements of ports, and outputs are nodes."""
    arity = {**dict.fromkeys(LEAVES, 0), **column("arity")}
    for place, node in enumerate(program.nodes):
        if node.op not in arity or len(node.args) != arity[node.op]:
            raise ProgramError("node-unknown", where=program.name, place=place, node=node, expected=Listed(arity))
        if node.args and not 0 <= min(node.args) <= max(node.args) < place:
            raise ProgramError("node-takes", where=program.name, place=place, args=node.args)
        if node.op == "input" and not _is_element(program, node):
            raise ProgramError("node-reads", where=program.name, place=place, element=node.element)
        if node.op == "constant" and not isfinite(node.value):
            raise ProgramError("node-finite-constant", where=program.name, place=place, value=node.value)
    size = sum(port.size for port in program.outputs)
    if len(program.results) != size or any(not 0 <= r < len(program.nodes) for r in program.results):
        raise ProgramError("results-of-program", where=program.name, count=len(program.results), size=size)


def _is_element(program: Program, node: Node) -> bool:
    port, element = node.element
    return 0 <= port < len(program.inputs) and 0 <= element < program.inputs[port].size
