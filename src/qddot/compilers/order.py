"""Orders a program's nodes so that few values wait long, and few nodes wait for a value.

Each result's nodes come when that result needs them. Then a node that would wait for its arguments lets some of the
next nodes go first: processors look ahead themselves, but less far. The sines and cosines of all angles that are
known at a point are computed together.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

from qddot.program.program import Node, Program

Step: TypeAlias = int | tuple[int, ...]  # a node's place, or angles whose sines and cosines are computed together

WINDOW = 32  # nodes among which the next is chosen: inverse dynamics takes 3 % less than in the order of the results
LATENCY, DIVISION = 4, 24  # steps until a value is ready, about as many as processors take
CIRCULAR = ("sin", "cos")


def steps(program: Program, overlapped: bool = True) -> list[Step]:
    """Returns every needed node once, after its arguments; angles come before the first sine of one of them.

    The last output comes first: derivatives, whose last one is a mass matrix, are computed sooner so, by measurement.
    overlapped: whether nodes that would wait let others go first
    """
    nodes = program.nodes
    results = [place for _, places in reversed([*program.result_slices()]) for place in places]
    order = _with_angles(nodes, _demanded(nodes, results))
    return list(_overlapped(nodes, order) if overlapped else order)


def _demanded(nodes: Sequence[Node], results: Sequence[int]) -> list[int]:
    """Returns the nodes that the results need, depth first."""
    done: dict[int, None] = {}
    for result in results:
        waiting = [result]
        while waiting:
            missing = [argument for argument in nodes[waiting[-1]].args if argument not in done]
            if missing:
                waiting += reversed(missing)
            else:
                done[waiting.pop()] = None
    return list(done)


def _with_angles(nodes: Sequence[Node], order: Iterable[int]) -> Iterator[Step]:
    """Yields the nodes; angles behind equally many sines come together, before the first sine of any of them."""
    order = list(order)
    behind = dict.fromkeys(order, 0)
    kinds: dict[int, dict[int, None]] = defaultdict(dict)
    for place in order:
        behind[place] = max((behind[k] for k in nodes[place].args), default=0)
        if nodes[place].op in CIRCULAR:
            kinds[behind[place]][nodes[place].args[0]] = None
            behind[place] += 1
    done: set[int] = set()
    for place in order:
        if nodes[place].op in CIRCULAR and (angles := kinds.pop(behind[place] - 1, None)):
            before = [k for k in _demanded(nodes, list(angles)) if k not in done]
            done.update(before)
            yield from before
            yield tuple(angles)
        if place not in done:
            done.add(place)
            yield place


def _overlapped(nodes: Sequence[Node], order: Iterable[Step]) -> Iterator[Step]:
    """Yields, from a window of the next nodes, the first whose arguments are ready, else the one that waits least."""
    ready: dict[int, float] = {}
    now, window = 0.0, list[int]()

    def issued() -> int:
        nonlocal now
        soonest, chosen = math.inf, 0
        for k, place in enumerate(window):
            time = -math.inf
            for argument in nodes[place].args:
                end = ready.get(argument, math.inf)
                time = end if end > time else time  # a call of max would take longer
            if time < soonest:
                soonest, chosen = time, k
            if time <= now:
                break
        place, now = window.pop(chosen), max(now, soonest) + 1
        ready[place] = now + (DIVISION if nodes[place].op == "div" else LATENCY)
        return place

    for step in order:
        if isinstance(step, tuple):
            while window:
                yield issued()
            yield step
        elif nodes[step].op in ("input", "constant", *CIRCULAR):
            ready[step] = now
            yield step
        else:
            window.append(step)
            if len(window) == WINDOW:
                yield issued()
    while window:
        yield issued()
