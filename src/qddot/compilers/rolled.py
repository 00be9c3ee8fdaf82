"""Finds the values of a long program that are one expression of other values, again and again: a loop computes them.

The entries of a matrix over pairs of joints are such: each is the same sum of products of what two joints have. A loop
over a table of places takes less code than they do, and no longer to compile where there are more of them. The rest of
the program, its head, comes first; then the loops, one after the other.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from qddot.program.passes import live
from qddot.program.program import Node, Port, Program

Shape: TypeAlias = tuple[str, ...]  # an expression, operators behind their arguments; VALUE is a value from elsewhere

# derivatives of 32 joints compile in 3.1 s with loops where 6.0 without, but take 9.3 µs a state where 7.0
FEWEST = (
    12  # values of a loop: with 6, twenty joints get loops, too, and take 2.9 µs a state where 1.8; with 48, 32 none
)
LEAST = 1 / 3  # of the nodes and results, which loops store
LARGEST = 32  # values that an expression takes: with 64, twenty joints take 3.7 µs a state
VALUE = ""
OPERATORS = ("add", "sub", "mul", "neg")


@dataclass(frozen=True)
class Loop:
    """A loop computes one expression for each row: the row's values in the places of the expression's.

    computed: the place of each row's result; taken: the places of its values
    """

    shape: Shape
    computed: Sequence[int]
    taken: Sequence[Sequence[int]]


@dataclass(frozen=True)
class Rolled:
    """This is a program whose loops follow its head.

    head: the nodes that no loop computes, with the values that loops or outputs take as its one output
    heads: the place in the program of each of these values; loops: in the order in which they run
    """

    head: Program
    heads: Sequence[int]
    loops: Sequence[Loop]


def rolled(program: Program) -> Rolled | None:
    """Returns the program with loops behind its head, or None where too little of it is in loops."""
    loops = _loops(program)
    stores = len(program.results)
    inside = stores + sum(len(loop.computed) * sum(op != VALUE for op in loop.shape) for loop in loops)
    if inside < LEAST * (len(program.nodes) + stores):
        return None
    in_loops = {place for loop in loops for place in loop.computed}
    read = dict.fromkeys(place for loop in loops for taken in loop.taken for place in taken)
    heads = [place for place in dict.fromkeys((*read, *program.results)) if place not in in_loops]
    nodes, results = live(program.nodes, heads)
    head = Program(program.name, program.inputs, (Port("values", (len(heads),)),), tuple(nodes), tuple(results))
    return Rolled(head, heads, loops)


def _loops(program: Program) -> list[Loop]:
    """Returns the loops, found from the results backward: what loops alone read may be computed by loops, too."""
    nodes, results = program.nodes, dict.fromkeys(program.results)
    uses = Counter(argument for node in nodes for argument in node.args)
    alone = {place for place, count in uses.items() if count == 1 and place not in results}
    waiting: dict[Shape, dict[int, list[int]]] = defaultdict(dict)
    loops = list[Loop]()
    free = [place for place in results if not uses[place]]
    while free:
        for place in free:
            shape, taken = _expression(nodes, alone, place)
            if shape != (VALUE,) and len(taken) <= LARGEST:
                waiting[shape][place] = taken
        free = []
        for shape in [shape for shape, rows in waiting.items() if len(rows) >= FEWEST]:
            rows = waiting.pop(shape)
            loops.append(Loop(shape, list(rows), list(rows.values())))
            for place in (place for taken in rows.values() for place in taken):
                uses[place] -= 1
                if not uses[place]:
                    free.append(place)
    return loops[::-1]


def _expression(nodes: Sequence[Node], alone: Collection[int], root: int) -> tuple[Shape, list[int]]:
    """Returns the expression of a node in values that others take, too, and the places of these values.

    alone: the nodes that one other takes and no output, which an expression opens; products with constants it leaves
    """
    shape, taken, waiting = list[str](), list[int](), [root]
    while waiting:
        place = waiting.pop()
        op, args = nodes[place].op, nodes[place].args
        if (place == root or place in alone) and op in OPERATORS:
            shape.append(op)
            waiting += args
        else:
            shape.append(VALUE)
            taken.append(place)
    return tuple(reversed(shape)), taken[::-1]
