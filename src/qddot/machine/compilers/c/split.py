"""Splits a program in two: one computes its angles, the other the results from their sines and cosines.

Between the two, one loop computes the sines and cosines of all angles of all states in a block.
"""

from __future__ import annotations

from collections.abc import Sequence

from qddot.algebra.program.operations import CIRCULAR
from qddot.algebra.program.passes import live
from qddot.algebra.program.program import Node, Port, Program
from qddot.base.records import record


@record()
class Split:
    """The two programs have the same inputs; `rest` has two more, the sines and the cosines of the angles."""

    angles: Program
    rest: Program

    @property
    def count(self) -> int:
        """Returns the number of angles."""
        return len(self.angles.results)


def split(program: Program) -> Split:
    """Returns the two parts; an angle that itself depends on a sine stays with its sine in the rest."""
    angles = _angles(program.nodes)
    ports = tuple(Port(name, (len(angles),)) for name in ("sines", "cosines"))
    before, places = live(program.nodes, angles)
    inputs = {
        Node(op, (angle,)): Node("input", element=(len(program.inputs) + which, k))
        for which, op in enumerate(CIRCULAR)
        for k, angle in enumerate(angles)
    }
    replaced = [inputs.get(node, node) for node in program.nodes]
    after, results = live(replaced, program.results)
    return Split(
        Program(
            f"{program.name}_angles", program.inputs, (Port("angles", (len(angles),)),), tuple(before), tuple(places)
        ),
        Program(f"{program.name}_rest", program.inputs + ports, program.outputs, tuple(after), tuple(results)),
    )


def _angles(nodes: Sequence[Node]) -> list[int]:
    """Returns the nodes whose sine or cosine is taken, and which depend on no sine or cosine themselves."""
    after_sine: list[bool] = []
    angles: dict[int, None] = {}
    for node in nodes:
        follows = any(after_sine[k] for k in node.args)
        if node.op in CIRCULAR and not follows:
            angles[node.args[0]] = None
        after_sine.append(follows or node.op in CIRCULAR)
    return sorted(angles)
