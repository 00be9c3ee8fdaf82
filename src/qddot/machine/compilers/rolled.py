"""Finds values of a long program that are the same expression of different values, so that a loop can compute them.

The entries of a matrix over pairs of joints are an example: each is the same sum of products of two joints' values. A
loop over a table of places needs less code than these values, and its compile time does not grow with their number. The
rest of the program, its head, runs first; then the loops, one after the other.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from typing import TypeAlias

from qddot.algebra.program.passes import live
from qddot.algebra.program.program import Node, Port, Program
from qddot.base.records import record

Shape: TypeAlias = tuple[str, ...]  # an expression in postfix notation; VALUE is an operand

# derivatives of 32 joints compile in 3.1 s with loops instead of 6.0, but take 9.3 µs a state instead of 7.0
FEWEST = 12  # values of a loop: with 6, twenty joints have loops, too, and take 2.9 µs a state, not 1.8
LEAST = 1 / 3  # the least share of the nodes and results in loops
LARGEST = 32  # the most operands of an expression: with 64, twenty joints take 3.7 µs a state
VALUE = ""
OPERATORS = ("add", "sub", "mul", "neg")


@record()
class Loop:
    """A loop computes one expression for each row of operands.

    computed: the place of each row's result; operands: the places of what it reads
    """

    shape: Shape
    computed: Sequence[int]
    operands: Sequence[Sequence[int]]


@record()
class Rolled:
    """This is a program whose loops follow its head.

    head: the nodes that no loop computes; its one output has the values that loops or the program's outputs read
    heads: the place in the program of each of these values; loops: in the order of execution
    """

    head: Program
    heads: Sequence[int]
    loops: Sequence[Loop]


def rolled(program: Program) -> Rolled | None:
    """Returns the program as a head and loops, or None if too little of it is in loops."""
    loops = _loops(program)
    stores = len(program.results)
    inside = stores + sum(len(loop.computed) * sum(op != VALUE for op in loop.shape) for loop in loops)
    if inside < LEAST * (len(program.nodes) + stores):
        return None
    in_loops = {place for loop in loops for place in loop.computed}
    read = dict.fromkeys(place for loop in loops for operands in loop.operands for place in operands)
    heads = [place for place in dict.fromkeys((*read, *program.results)) if place not in in_loops]
    nodes, results = live(program.nodes, heads)
    head = Program(program.name, program.inputs, (Port("values", (len(heads),)),), tuple(nodes), tuple(results))
    return Rolled(head, heads, loops)


def _loops(program: Program) -> list[Loop]:
    """Returns the loops, from the results backward: values that only loops read may be computed by loops, too."""
    nodes, results = program.nodes, dict.fromkeys(program.results)
    uses = Counter(argument for node in nodes for argument in node.args)
    used_once = {place for place, count in uses.items() if count == 1 and place not in results}
    waiting: dict[Shape, dict[int, list[int]]] = defaultdict(dict)
    loops = list[Loop]()
    free = [place for place in results if not uses[place]]
    while free:
        for place in free:
            shape, operands = _expression(nodes, used_once, place)
            if shape != (VALUE,) and len(operands) <= LARGEST:
                waiting[shape][place] = operands
        free = []
        for shape in [shape for shape, rows in waiting.items() if len(rows) >= FEWEST]:
            rows = waiting.pop(shape)
            loops.append(Loop(shape, list(rows), list(rows.values())))
            for place in (place for operands in rows.values() for place in operands):
                uses[place] -= 1
                if not uses[place]:
                    free.append(place)
    return loops[::-1]


def _expression(nodes: Sequence[Node], used_once: Collection[int], root: int) -> tuple[Shape, list[int]]:
    """Returns the expression of a node, and the places of its operands.

    used_once: the nodes that only one other node reads; an expression includes them instead of reading them as operands
    """
    shape, operands, waiting = list[str](), list[int](), [root]
    while waiting:
        place = waiting.pop()
        op, args = nodes[place].op, nodes[place].args
        if (place == root or place in used_once) and op in OPERATORS:
            shape.append(op)
            waiting += args
        else:
            shape.append(VALUE)
            operands.append(place)
    return tuple(reversed(shape)), operands[::-1]
