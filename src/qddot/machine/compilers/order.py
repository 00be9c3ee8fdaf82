"""Orders a program's nodes so that few values are kept long, and few nodes wait for their arguments.

The nodes of each result come just before it; of two such orders, a long program has the one that moves fewer values
between registers and memory. Then some of the next nodes are moved before a node that would wait for its arguments:
processors look ahead themselves, but less far. Angles inside equally many sines
are computed before the first of their sines, and these are evaluated together.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from heapq import heappop, heappush
from typing import TypeAlias

from qddot.algebra.program.operations import CIRCULAR, LEAVES
from qddot.algebra.program.program import Node, Program

Step: TypeAlias = int | tuple[int, ...]  # a node's place, or angles whose sines and cosines are computed together

WINDOW = 32  # nodes among which the next is chosen: inverse dynamics takes 3 % less than in the order of the results
LATENCY, DIVISION = 4, 24  # steps until a value is ready, about as in processors
IN_MEMORY = (*LEAVES, *CIRCULAR)  # values that are loaded when they are first used
LONG = 1000  # nodes of programs whose order is chosen by moves: a humanoid takes 304 ns a state instead of 312
REGISTERS = 30  # vectors that are kept, about as many as AVX-512 has
WIDE = 1024  # numbers of results: more of them fill the first cache, and their stores take longer than their arithmetic


def steps(program: Program, overlapped: bool = True) -> list[Step]:
    """Returns every needed node once, after its arguments; angles come before the first sine of one of them.

    overlapped: whether other nodes are moved before those that would wait
    """
    nodes = program.nodes
    order = _with_angles(nodes, _least_moved(program))
    return list(_overlapped(nodes, order) if overlapped else order)


def is_wide(program: Program) -> bool:
    """Returns whether the stores of a program's results take longer than its arithmetic."""
    return sum(port.size for port in program.outputs) > WIDE


def _results(program: Program) -> list[int]:
    """Returns the places of the results in the order in which they are computed.

    The last output comes first: derivatives, whose last output is a mass matrix, were measured to run faster this way.
    If there are many results in matrices of one size, the last rows of all matrices come first. So the stores are
    spread over the arithmetic: derivatives of a humanoid take 2.9 µs a state instead of 3.1. Those of the Panda, which
    have few results, would take 1.2 times as long in that order.
    """
    outputs = [(port, places) for port, places in reversed([*program.result_slices()])]
    shapes = {port.shape for port, _ in outputs}
    if not is_wide(program) or len(shapes) > 1 or len(shape := shapes.pop()) != 2:
        return [place for _, places in outputs for place in places]
    n, width = shape
    return [k for i in reversed(range(n)) for _, places in outputs for k in places[i * width : (i + 1) * width]]


def _least_moved(program: Program) -> list[int]:
    """Returns the needed nodes in that of two orders which moves fewer values between registers and memory.

    The second order begins with the widest argument of each node, and with the last entry of a single output. Several
    outputs keep their order, in which the stores of their rows are spread.
    """
    nodes, results = program.nodes, _results(program)
    order = _demanded(nodes, results)
    if len(nodes) <= LONG or is_wide(program):
        return order
    widths = _widths(nodes)
    reverse = results[::-1] if len(program.outputs) == 1 else results
    return min(order, _demanded(nodes, reverse, lambda place: -widths[place]), key=partial(_moves, nodes))


def _widths(nodes: Sequence[Node]) -> list[int]:
    """Returns how many registers each node needs if it is computed alone (Sethi and Ullman, J. ACM 17, 1970)."""
    widths = list[int]()
    for node in nodes:
        parts = sorted((widths[k] for k in set(node.args)), reverse=True) if node.op not in CIRCULAR else []
        widths.append(max([int(node.op != "constant"), *(width + k for k, width in enumerate(parts))]))
    return widths


def _moves(nodes: Sequence[Node], order: Sequence[int]) -> int:
    """Returns how often values are loaded or stored if registers keep those that are used soonest (Belady, 1966)."""
    turns = [place for place in order if nodes[place].op not in IN_MEMORY]
    never, later, upcoming = len(turns), list[dict[int, int]](), dict[int, int]()
    for turn, place in reversed([*enumerate(turns)]):
        later.append({k: upcoming.get(k, never) for k in nodes[place].args if nodes[k].op != "constant"})
        upcoming |= dict.fromkeys(later[-1], turn)
    kept, latest, moves = dict[int, int](), list[tuple[int, int]](), 0
    stored = {place for place in order if nodes[place].op in IN_MEMORY}
    for place, read in zip(turns, reversed(later), strict=True):
        moves += sum(k not in kept for k in read)
        for k, use in (*read.items(), (place, upcoming.get(place, never))):
            kept[k] = use
            heappush(latest, (-use, k))
        while latest and (len(kept) > REGISTERS or latest[0][0] == -never):
            use, k = heappop(latest)
            if kept.get(k) == -use:
                del kept[k]
                moves += use != -never and k not in stored
                stored.add(k)
    return moves


def _demanded(nodes: Sequence[Node], results: Sequence[int], first: Callable[[int], int] | None = None) -> list[int]:
    """Returns the nodes that the results need, depth first; first: by which arguments are sorted"""
    order: dict[int, None] = {}
    for result in results:
        waiting = [result]
        while waiting:
            missing = [argument for argument in nodes[waiting[-1]].args if argument not in order]
            if missing:
                waiting += reversed(missing if first is None else sorted(missing, key=first))
            else:
                order[waiting.pop()] = None
    return list(order)


def _with_angles(nodes: Sequence[Node], order: Iterable[int]) -> Iterator[Step]:
    """Yields the nodes; angles that depend on equally many nested sines are grouped, before the group's first sine."""
    order = list(order)
    depth = dict.fromkeys(order, 0)
    kinds: dict[int, dict[int, None]] = defaultdict(dict)
    for place in order:
        depth[place] = max((depth[k] for k in nodes[place].args), default=0)
        if nodes[place].op in CIRCULAR:
            kinds[depth[place]][nodes[place].args[0]] = None
            depth[place] += 1
    places: set[int] = set()
    for place in order:
        if nodes[place].op in CIRCULAR and (angles := kinds.pop(depth[place] - 1, None)):
            before = [k for k in _demanded(nodes, list(angles)) if k not in places]
            places.update(before)
            yield from before
            yield tuple(angles)
        if place not in places:
            places.add(place)
            yield place


def _overlapped(nodes: Sequence[Node], order: Iterable[Step]) -> Iterator[Step]:
    """Yields the nodes: the first in a window whose arguments are ready, or else the one that is ready soonest."""
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
        elif nodes[step].op in IN_MEMORY:
            ready[step] = now
            yield step
        else:
            window.append(step)
            if len(window) == WINDOW:
                yield issued()
    while window:
        yield issued()
