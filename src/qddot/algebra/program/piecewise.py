"""Makes a program piecewise smooth: its signs, minima and maxima become inputs that a caller keeps constant.

While x keeps its sign, sign x is a constant mode −1, 0 or 1; while a − b keeps its sign, min(a, b) is one of the two.
"""

from __future__ import annotations

from qddot.algebra.program.graph import Graph, Symbolic, computed
from qddot.algebra.program.operations import LEAVES, OPERATIONS
from qddot.algebra.program.program import Program
from qddot.base.records import record


@record()
class Piecewise:
    """These are a program's nodes in a new graph, where an input has an additional element for each switch.

    outputs: the nodes of each output; modes: the new elements; arguments: the nodes whose signs are the modes
    choosing: for each switch whether it is a minimum or a maximum, whose two sides are equal where it switches
    """

    graph: Graph
    inputs: tuple[tuple[Symbolic, ...], ...]
    outputs: dict[str, list[Symbolic]]
    modes: tuple[Symbolic, ...]
    arguments: tuple[Symbolic, ...]
    choosing: tuple[bool, ...]


def smooth(program: Program, port: int) -> Piecewise:
    """Returns a program without signs, minima or maxima; their modes are new elements at the end of an input."""
    switches = {name: each.switch for name, each in OPERATIONS.items() if each.switch}
    count = sum(node.op in switches for node in program.nodes)
    graph = Graph()
    inputs = [graph.input(p.name, (p.size + (count if k == port else 0),)) for k, p in enumerate(program.inputs)]
    modes, arguments = inputs[port][program.inputs[port].size :], list[Symbolic]()
    choosing = list[bool]()

    def piece(op: str, x: list[Symbolic]) -> Symbolic:
        if op not in switches:
            return computed(op, x)
        mode, switch = modes[len(arguments)], switches[op]
        arguments.append(switch.argument(x))
        choosing.append(OPERATIONS[op].chooses)
        return graph.lifted(switch.piece(x, mode))

    outputs = program.by_output(graph.inlined(program, inputs, piece))
    return Piecewise(graph, tuple(map(tuple, inputs)), outputs, tuple(modes), tuple(arguments), tuple(choosing))


def kinks(program: Program) -> list[str]:
    """Returns the operations of a program that have kinks or jumps."""
    return [node.op for node in program.nodes if node.op not in LEAVES and not OPERATIONS[node.op].analytic]


def rounds(program: Program) -> bool:
    """Returns whether a program has jumps that are no switches, so that it has no series."""
    return any(OPERATIONS[op].switch is None for op in kinks(program))


def changes_like_the_motion(program: Program) -> bool:
    """Returns whether a function of (t, q, q̇ …) depends on the state alone, by nothing but smooth, gentle functions."""
    operations = {node.op for node in program.nodes}.difference(LEAVES)
    has_time = any(node.op == "input" and node.element[0] == 0 for node in program.nodes)
    return not has_time and all(OPERATIONS[op].gentle for op in operations)
