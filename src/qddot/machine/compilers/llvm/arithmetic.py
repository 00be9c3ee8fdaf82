"""Writes the instructions that compute a program's nodes over vectors."""

from __future__ import annotations

from collections.abc import Mapping

from qddot.algebra.program.operations import CIRCULAR, LEAVES
from qddot.algebra.program.program import Program
from qddot.machine.compilers.llvm import sincos
from qddot.machine.compilers.llvm.registers import Vectors
from qddot.machine.compilers.llvm.writer import Writer
from qddot.machine.compilers.order import Step, steps


class Arithmetic:
    """This writes the nodes of a program, step by step.

    inputs: the vectors of the inputs' elements, by the places of the port and the element
    order: the steps; a tuple has angles whose sines and cosines are computed together
    counts: the number of angles in each tuple
    names: the names of the vectors of nodes that have been written
    """

    def __init__(self, program: Program, of: Vectors, overlapped: bool = True) -> None:
        """overlapped: as in `steps`"""
        self.program, self.of = program, of
        self.order = steps(program, overlapped)
        self.counts = [len(step) for step in self.order if isinstance(step, tuple)]
        self.inputs: Mapping[tuple[int, int], str] = {}
        self.names: dict[int, str] = {}
        self._waves: dict[int, tuple[sincos.Waves, int]] = {}

    def results(self, w: Writer, inputs: Mapping[tuple[int, int], str]) -> list[str]:
        """Writes all nodes, and returns the results."""
        self.inputs = inputs
        for step in self.order:
            self.step(w, step)
        return [self.value(place) for place in self.program.results]

    def step(self, w: Writer, step: Step) -> None:
        """Writes one node, or the sines and cosines of several angles."""
        if isinstance(step, tuple):
            waves = sincos.Waves(w, [self.value(place) for place in step])
            self._waves |= {angle: (waves, k) for k, angle in enumerate(step)}
            return
        node = self.program.nodes[step]
        if node.op in CIRCULAR:
            waves, k = self._waves[node.args[0]]
            self.names[step] = waves.value(w, k, node.op)
        elif node.op not in LEAVES:
            self.names[step] = sincos.value(w, node.op, [self.value(place) for place in node.args])

    def value(self, place: int) -> str:
        """Returns the name or the constant of a node."""
        if place in self.names:
            return self.names[place]
        node = self.program.nodes[place]
        return self.of.constant(node.value) if node.op == "constant" else self.inputs[node.element]
