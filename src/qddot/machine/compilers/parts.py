"""Cuts long programs into parts, so that fewer registers spill, and compile time grows only linearly with length.

Each part is a function of its own. The values that later parts read are kept in a frame, one value per slot; a slot is
free again after the last part that reads it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain

from qddot.algebra.program.operations import CIRCULAR
from qddot.algebra.program.program import Node
from qddot.base.records import record
from qddot.machine.compilers.order import Step


@record()
class Part:
    """A part is a run of steps.

    loads: the slots of the values that it reads from the frame; stores: the slots of those that it writes there
    """

    steps: Sequence[Step]
    loads: Mapping[int, int]
    stores: Mapping[int, int]


def parts(
    nodes: Sequence[Node],
    order: Sequence[Step],
    stored: Mapping[Step, Sequence[int]],
    size: int,
    lasting: Collection[int] = (),
) -> tuple[list[Part], int]:
    """Returns the parts of a program, the first of which only reads its inputs, and the frame's number of slots.

    stored: the places of the results that are stored after a step; size: the approximate number of steps in a part;
    lasting: the places of the values that stay in the frame to the end
    """
    runs = list(_runs(nodes, order, size))
    taken_in = [{place: None for step in run for place in reads(nodes, step, stored)} for run in runs]
    last = {place: k for k, places in enumerate(taken_in) for place in places if nodes[place].op != "constant"}
    last |= dict.fromkeys(lasting, len(runs))
    slots, free, frame = dict[int, int](), list[int](), 0
    pieces = []
    for k, (run, places) in enumerate(zip(runs, taken_in, strict=True)):
        loads = {place: slots[place] for place in places if place in slots}
        stores = {}
        for place in (step for step in run if isinstance(step, int) and last.get(step, k) > k):
            if not free:
                free, frame = [frame], frame + 1
            stores[place] = slots[place] = free.pop()
        free += (slots[place] for place in loads if last[place] == k)
        pieces.append(Part(run, loads, stores))
    return pieces, frame


def executed(nodes: Sequence[Node], order: Sequence[Step]) -> list[Step]:
    """Returns the steps in the order in which the parts of a program take them."""
    return list(chain.from_iterable(_runs(nodes, order, len(order) + 1)))


def _runs(nodes: Sequence[Node], order: Sequence[Step], size: int) -> Iterator[list[Step]]:
    """Yields the inputs, then runs of about `size` steps; sines and cosines follow the step that computes them."""
    yield [step for step in order if isinstance(step, int) and nodes[step].op == "input"]
    waves: dict[int, list[int]] = {}
    for step in order:
        if isinstance(step, int) and nodes[step].op in CIRCULAR:
            waves.setdefault(nodes[step].args[0], []).append(step)
    run: list[Step] = []
    for step in order:
        if isinstance(step, tuple):
            run += [step, *(wave for angle in step for wave in waves[angle])]
        elif nodes[step].op not in ("input", *CIRCULAR):
            run.append(step)
        if len(run) >= size:
            yield run
            run = []
    yield run


def reads(nodes: Sequence[Node], step: Step, stored: Mapping[Step, Sequence[int]]) -> Iterator[int]:
    """Yields the places of the values that a step reads."""
    if isinstance(step, tuple):
        yield from step
    elif nodes[step].op not in CIRCULAR:
        yield from nodes[step].args
    yield from stored.get(step, ())
