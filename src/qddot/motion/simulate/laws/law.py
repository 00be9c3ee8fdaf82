"""A law is a function of (t, q, q̇): called with numbers, and with signals where it becomes a program."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Protocol

import numpy as np

from qddot.algebra.checked_arrays import computed
from qddot.algebra.program.graph import Graph, Symbolic
from qddot.algebra.program.program import Program
from qddot.algebra.program.signal import Signal, TracingError, node_of
from qddot.base.errors import SimulationError, refuse_masked
from qddot.base.records import record
from qddot.base.system.collector import without_collector
from qddot.base.words.message import Words, say

REMEMBERED = say("declare-a-state")


Event = Callable[[Any, Any, Any], Any]  # of (t, q, q̇), which rises above zero where something happens


class KeptSignalError(SimulationError):
    """The law stored a node of its trace outside its call, for example in a sum over its calls."""


class Law(Protocol):
    """A law returns the torques τ(t, q, q̇), or (τ, ż)(t, q, q̇, z) where its attribute `z0` declares a state z.

    z0: k numbers, or a function of (q0, q̇0) that returns them. A law with `discrete = True` returns the next z instead
    of its rate, and is sampled. A law depends on its arguments alone: equal ones give equal answers, in any order.
    """

    def __call__(self, *state: Any, **gains: Any) -> Any:
        """Returns n torques [N·m or N], or a tuple of them and of the k rates of z."""
        ...


@record(eq=False)
class Made:
    """A law with memory, given by a factory that makes a fresh law for each arm of each run."""

    factory: Callable[[], Law]

    def inside(self, outer: Callable[[Law], Law]) -> Made:
        """Returns a law that applies `outer` to each fresh law."""
        return Made(partial(_wrapped, outer, self.factory))


def _wrapped(outer: Callable[[Law], Law], factory: Callable[[], Law]) -> Law:
    return outer(factory())


def made(factory: Callable[[], Law]) -> Made:
    """Returns a law with a memory of any kind: `factory()` makes a fresh law for each arm and run.

    The law is called from Python and needs increasing times, which only methods with fixed steps give. "taylor",
    "dop853" and "radau" refuse it unless it is sampled.
    raises SimulationError: no function
    """
    if not callable(factory):
        raise SimulationError("made-without-function")
    return Made(factory)


def called(law: Law, n: int, t: float, q: Any, qd: Any, z: Any = ()) -> Any:
    """Returns the law's numbers in one state: n torques, then the rates of its own states.

    raises SimulationError: the law fails (its error is the cause), returns another shape, or anything but real numbers
    """
    state = [np.array(z, dtype=float)] if len(z) else []
    try:
        answer = law(t, q.copy(), qd.copy(), *state)
        results = _parted(answer) if state else [answer]
    except Exception as error:
        raise SimulationError("law-raised", kind=type(error).__name__, t=f"{t:g}", problem=error) from error
    parts = [computed(part, say("returned-by-the-law", t=f"{t:g}"), say("only-real-numbers")) for part in results]
    for part, size, key in zip(parts, (n, len(z)), ("law-misshapen", "law-rates-misshapen"), strict=False):
        if part.shape != (size,):
            raise SimulationError(key, shape=part.shape, size=size)
    return np.concatenate(parts)


def traced(law: Law, graph: Graph, t: Any, q: Sequence[Any], qd: Sequence[Any], z: Sequence[Any] = ()) -> list[Any]:
    """Returns the law's nodes. raises any error that the law raises on signals"""
    like = graph.constant(0.0)
    state = [signals(z, like)] if len(z) else []
    answer = law(Signal(_node(t, like)), signals(q, like), signals(qd, like), *state)
    parts = _parted(answer) if state else [answer]
    return [node_of(value, like) for part in parts for value in np.ravel(np.asarray(part, dtype=object))]


def program_of(law: Law, n: int, states: int = 0, gains: Sequence[str] = (), positions: int | None = None) -> Program:
    """Returns the program that maps (t, q, q̇, z, gains) to the law's results; z and gains are absent if it has none.

    states: the size of z; gains: names of keywords of the law that stay inputs; positions: the size of q, if not n
    raises KeptSignalError: the law stored a node outside its call; otherwise any error that the law raises on signals
    """
    graph = Graph()
    alive, failed = weakref.ref(graph), None
    with without_collector():
        try:
            program = _written(law, graph, (n if positions is None else positions, n), states, gains)
        except Exception as error:
            failed = error.with_traceback(None)  # its frames would keep the graph's nodes alive
            failed.__context__ = failed.__cause__ = None
        del graph
        if alive() is not None:
            gc.collect(0)  # the trace's objects are in the youngest generation: 1 ms, where a full collection takes 25
    if alive() is not None:
        gc.collect()
    if alive() is not None:
        raise KeptSignalError("law-kept-a-signal", remedy=REMEMBERED)
    if failed is not None:
        raise failed
    return program


def _written(law: Law, graph: Graph, sizes: tuple[int, int], states: int, gains: Sequence[str]) -> Program:
    (t,), q, qd = graph.input("t", (1,)), graph.input("q", sizes[:1]), graph.input("qd", sizes[1:])
    z = [graph.input("z", (states,))] if states else []
    if gains:
        own = signals(graph.input("gains", (len(gains),)), t)
        law = partial(law, **dict(zip(gains, own, strict=True)))
    tau = traced(law, graph, t, q, qd, *z)
    if graph.was_asked:  # the law caught the error and went on
        raise TracingError("numerical-value-of-signal")
    return graph.program("law", {"tau": tau})


def function_program(function: Any, what: Words, size: int, state: tuple[Any, Any]) -> Program:
    """Returns the program of a user's function of (t, q, q̇), such as an event, with so many results.

    what: the function's name in errors; state: (q, q̇) at which it is tried
    raises SimulationError: it cannot be compiled, has another number of results, or gives two answers in one state
    """
    try:
        with np.errstate(all="ignore"):
            answers = [function(0.0, *(x.copy() for x in state)) for _ in range(2)]
        first, second = map(np.asarray, answers)
        same = np.array_equal(first, second, equal_nan=first.dtype.kind == "f")
        program = program_of(function, len(state[1]), positions=len(state[0])) if same else None
    except Exception as error:
        raise SimulationError("function-not-compiled", what=what, problem=error) from error
    refuse_masked(answers, what, SimulationError)
    if program is None:
        raise SimulationError("two-answers-in-one-state", what=what, first=first, second=second)
    if (len(program.results), first.size) != (size, size) or (size > 1 and first.shape != (size,)):
        raise SimulationError(
            "function-misshapen",
            what=what,
            count=first.size,
            shape=first.shape,
            expected=say("one-number") if size == 1 else f"({size},)",
        )
    return program


def _parted(answer: Any) -> list[Any]:
    """Returns the torques and the rates that a law with a state returns. raises TypeError: they are not two"""
    if not isinstance(answer, tuple) or len(answer) != 2:
        raise TypeError(say("law-with-state-returns-two"))
    return list(answer)


def _node(value: Any, like: Symbolic) -> Symbolic:
    """Returns a node, or a number as a node."""
    return value if isinstance(value, Symbolic) else like.graph.constant(float(value))


def signals(nodes: Sequence[Any], like: Symbolic) -> Any:
    """Returns nodes as an array of signals."""
    array = np.empty(len(nodes), dtype=object)
    for k, node in enumerate(nodes):
        array[k] = Signal(_node(node, like))
    return array
