"""Calls a user's law with numbers, and with signals while it is traced.

A law is τ(t, q, q̇), or (τ, ż)(t, q, q̇, z) where it declares a state z. Either way its numbers stand in one array here,
torques first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from qddot.errors import SimulationError
from qddot.program.graph import Graph, Symbolic
from qddot.program.program import Program
from qddot.program.signal import Signal, node_of
from qddot.simulate.read_numbers import numbers
from qddot.simulate.traces import Sizes

Law = Callable[..., Any]  # of (t, q, qd), or of (t, q, qd, z)


def alone(law: Law, sizes: Sizes) -> Program:
    """Returns the program of a law by itself, with the present values of its closure.

    sizes: of coordinates, and of states that the law declares
    """
    graph, (n, k) = Graph(), sizes
    (t,), q, qd = graph.input("t", (1,)), graph.input("q", (n,)), graph.input("qd", (n,))
    z = [graph.input("z", (k,))] if k else []
    return graph.program("law", {"tau": traced(law, graph, t, q, qd, *z)})


def traced(
    law: Law, graph: Graph, t: Any, q: Sequence[Any], qd: Sequence[Any], z: Sequence[Any] = ()
) -> list[Symbolic]:
    """Returns the law's nodes. raises whatever it raises on signals"""
    like = graph.constant(0.0)
    state = [signals(z, like)] if len(z) else []
    answer = law(Signal(node_of_any(t, like)), signals(q, like), signals(qd, like), *state)
    parts = _parted(answer) if state else [answer]
    return [node_of(value, like) for part in parts for value in np.ravel(np.asarray(part, dtype=object))]


def called(law: Law, n: int, t: float, q: Any, qd: Any, z: Any = ()) -> Any:
    """Returns the law's numbers at one state: n torques, then the rates of its own states.

    raises SimulationError: it fails (its error as the cause), or returns another shape, or what is no real number
    """
    state = [np.array(z, dtype=float)] if len(z) else []
    try:
        answer = law(t, q.copy(), qd.copy(), *state)
        given = _parted(answer) if state else [answer]
    except Exception as error:
        raise SimulationError(f"the torque law raised {type(error).__name__} at t = {t:g} s: {error}") from error
    parts = [numbers(part, f"what the torque law returned at t = {t:g} s", "real numbers") for part in given]
    for part, size, what in zip(parts, (n, len(z)), ("", " for its own state"), strict=False):
        if part.shape != (size,):
            raise SimulationError(f"the torque law returned the shape {part.shape}{what}", expected=f"({size},)")
    return np.concatenate(parts)


def _parted(answer: Any) -> list[Any]:
    """Returns the torques and the rates that a law with a state returns. raises TypeError: they are not two"""
    if not isinstance(answer, tuple) or len(answer) != 2:
        raise TypeError("a law with a state returns a tuple of two: its torques, and the rates of its state")
    return list(answer)


def node_of_any(value: Any, like: Symbolic) -> Symbolic:
    """Returns a node, or a number as a node."""
    return value if isinstance(value, Symbolic) else like.graph.constant(float(value))


def signals(nodes: Sequence[Any], like: Symbolic) -> Any:
    """Returns nodes as an array of signals."""
    array = np.empty(len(nodes), dtype=object)
    for k, node in enumerate(nodes):
        array[k] = Signal(node_of_any(node, like))
    return array
