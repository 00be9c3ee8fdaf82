"""A Torque drives an arm: it is none, a constant, samples in time, or a user's law τ(t, q, q̇)."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from qddot.errors import SimulationError, shortened
from qddot.program.graph import Graph, Symbolic
from qddot.program.program import Program
from qddot.program.signal import Signal, node_of
from qddot.simulate import traces
from qddot.simulate.memory import Memory

Law = Callable[[Any, Any, Any], Any]


@dataclass(frozen=True)
class Torque:
    """kind is "none", "constant", "samples", "law" (traced) or "callback" (called from Python at every stage).

    values: a constant's, (n,) or (N, n), or samples', (K, n) at `times`
    trace: the hash of a law's program
    why: the reason why a law is called
    once: whether it has or may have a memory, so that it is called in order of time and never for trials
    memory: what it remembered before the run, if that can be restored
    """

    kind: str
    n: int
    values: Any = None
    times: Any = None
    law: Law | None = None
    trace: str = ""
    why: str = ""
    once: bool = False
    memory: Memory | None = field(default=None, compare=False)

    @property
    def row_size(self) -> int:
        """Returns how many numbers it adds to a row of time."""
        return self.n if self.kind == "samples" else 0

    @property
    def parameter_size(self) -> int:
        """Returns how many numbers it adds to an arm's parameters."""
        return self.n if self.kind in ("constant", "callback") else 0

    def nodes(self, graph: Graph, t: Any, q: Sequence[Any], qd: Sequence[Any], drive: Sequence[Any]) -> list[Any]:
        """Returns τ as nodes of a graph; `drive` has its numbers from rows or parameters."""
        if self.kind == "none":
            return [0] * self.n
        return traced(self.law, graph, t, q, qd) if self.kind == "law" else list(drive)

    def at(self, times: Any) -> Any:
        """Returns the samples at other times by linear interpolation, (…, n)."""
        return np.stack([np.interp(times, self.times, column) for column in self.values.T], axis=-1)

    def __str__(self) -> str:
        return {
            "none": "none",
            "constant": "constant",
            "samples": f"{0 if self.times is None else len(self.times)} samples in time",
            "law": "a law, compiled",
            "callback": "a law, called from Python",
        }[self.kind]

    @contextlib.contextmanager
    def rewound(self) -> Iterator[None]:
        """Restores the law's memory from before its run, for another run; afterwards its present memory comes back."""
        if self.memory is None:
            yield
            return
        now = Memory(self.law)
        self.memory.restore()
        try:
            yield
        finally:
            now.restore()


def torque_of(torque: Any, n: int, arms: int, duration: float, start: tuple[Any, Any]) -> Torque:
    """Returns the torque that a user gives as None, numbers, (times, values) or a function of (t, q, qd).

    start: (q0, qd0) of the first arm; a law is tried there, and its memory is restored afterwards
    raises SimulationError: a wrong shape, times that do not cover the run, a law that fails (its error as the cause)
    """
    if torque is None:
        return Torque("none", n)
    if callable(torque):
        return _law(torque, n, duration, *start)
    if isinstance(torque, tuple) and len(torque) == 2 and all(np.iterable(part) for part in torque):
        return _samples(*torque, n, duration)
    values = _numbers(torque, "torque")
    if values.shape not in ((n,), (arms, n)):
        raise SimulationError(
            f"torque has the shape {values.shape}", expected=f"({n},), ({arms}, {n}), (times, values) or a function"
        )
    return Torque("constant", n, values)


def _samples(times: Any, values: Any, n: int, duration: float) -> Torque:
    t, u = _numbers(times, "times of the torque"), _numbers(values, "values of the torque")
    u = u[:, None] if u.ndim == 1 and n == 1 else u
    if t.ndim != 1 or u.shape != (len(t), n):
        raise SimulationError(f"values of the torque have the shape {u.shape}", expected=f"({len(t)}, {n})")
    if not (np.diff(t) > 0).all() or len(t) < 2 or t[0] > 0 or t[-1] < duration * (1 - 1e-12):
        raise SimulationError(
            f"times of the torque from {t[0]:g} to {t[-1]:g} s", expected=f"rising times that cover 0 … {duration:g} s"
        )
    return Torque("samples", n, u, t)


def numbers(value: Any, what: str, expected: str = "numbers") -> Any:
    """Returns a new array of floats. raises SimulationError: anything that is no number, or complex"""
    try:
        raw = np.asarray(value)
        if raw.dtype.kind not in "iufO":
            raise TypeError
        return np.array(value, dtype=float)
    except (TypeError, ValueError, OverflowError):
        raise SimulationError(f"{what} is {shortened(value)}", expected=expected) from None


def _numbers(value: Any, what: str) -> Any:
    values = numbers(value, what)
    if not np.isfinite(values).all():
        raise SimulationError(f"{what} has entries that are not finite", expected="finite numbers")
    return values


def _law(law: Law, n: int, duration: float, q0: Any, qd0: Any) -> Torque:
    """Returns a traced law where tracing and calling agree, else one that is called."""
    memory = Memory(law)
    if memory.unseen:
        why = f"it may have a memory in {memory.unseen}, which cannot be looked into"
        return Torque("callback", n, law=law, why=why, once=True)
    try:
        states = _states(duration, q0, qd0)
        answers = [called(law, n, *states[0])]
        why = _why_once(law, n, states[0], answers[0], memory)
        program = None
        if not why:
            answers += [_tried(law, n, state) for state in states[1:]]
            program, cannot = _compiled(law, n, states, answers)
            place = memory.changed()
            why = _remembers(place) if place else ""
        if why:
            return Torque("callback", n, law=law, why=why, once=True, memory=memory)
        if program is None:
            return Torque("callback", n, law=law, why=f"it cannot be compiled: {cannot}")
        return Torque("law", n, law=law, trace=program.hash)
    finally:
        memory.restore()


def _states(duration: float, q0: Any, qd0: Any) -> list[tuple[float, Any, Any]]:
    """Returns the start, and two states near it at other times."""
    aside = np.cos(1.0 + np.arange(len(q0)))
    return [(share * duration, q0 + by * aside, qd0 - by * aside) for share, by in ((0, 0), (0.31, 0.2), (0.77, -0.6))]


def _why_once(law: Law, n: int, state: tuple[float, Any, Any], answer: Any, memory: Memory) -> str:
    """Returns why a law is no function of t, q, q̇ alone, as two calls show it, or "" if they do not."""
    place = memory.changed()
    if place:
        return _remembers(place)
    second = called(law, n, *state)
    same = np.array_equal(answer, second, equal_nan=True)
    return "" if same else f"called twice at one state, it gave {answer} and {second}"


def _remembers(place: str) -> str:
    return f"it has a memory: a call changes {place}"


def _tried(law: Law, n: int, state: tuple[float, Any, Any]) -> Any:
    """Returns the law's numbers at a state, or None where it fails: it need not have an answer everywhere."""
    with contextlib.suppress(SimulationError), np.errstate(all="ignore"):
        return called(law, n, *state)
    return None


def _compiled(law: Law, n: int, states: Sequence[Any], answers: Sequence[Any]) -> tuple[Program | None, str]:
    """Returns the law's program, or None where it differs from the answers of calls; and the reason."""
    try:
        program = traces.kept(law, n, alone)
        differs = _difference(program, states, answers)
        if differs:  # a library that the law calls may have changed, which is not looked for
            program = traces.renewed(law, n, alone)
            differs = _difference(program, states, answers)
    except Exception as error:
        return None, str(error)
    return (None, differs) if differs else (program, "")


def _difference(program: Program, states: Sequence[Any], answers: Sequence[Any]) -> str:
    """Returns where a law's program gives other torques than calls gave, "" if nowhere."""
    function = traces.function_of(program)
    for (t, q, qd), answer in zip(states, answers, strict=True):
        if answer is None:
            continue
        torque = function([t], q, qd)
        if torque.shape != answer.shape or not np.allclose(torque, answer, rtol=1e-9, atol=1e-12, equal_nan=True):
            return f"it gives {answer} for numbers and {torque} when it is traced"
    return ""


def alone(law: Law, n: int) -> Program:
    """Returns the program of a law by itself, with the present values of its closure."""
    graph = Graph()
    (t,), q, qd = graph.input("t", (1,)), graph.input("q", (n,)), graph.input("qd", (n,))
    return graph.program("law", {"tau": traced(law, graph, t, q, qd)})


def traced(law: Any, graph: Graph, t: Any, q: Sequence[Any], qd: Sequence[Any]) -> list[Symbolic]:
    """Returns the law's nodes. raises whatever it raises on signals"""
    like = graph.constant(0.0)
    torque = law(Signal(node_of_any(t, like)), _signals(q, like), _signals(qd, like))
    return [node_of(value, like) for value in np.ravel(np.asarray(torque, dtype=object))]


def node_of_any(value: Any, like: Symbolic) -> Symbolic:
    """Returns a node, or a number as a node."""
    return value if isinstance(value, Symbolic) else like.graph.constant(float(value))


def _signals(nodes: Sequence[Any], like: Symbolic) -> Any:
    signals = np.empty(len(nodes), dtype=object)
    for k, node in enumerate(nodes):
        signals[k] = Signal(node_of_any(node, like))
    return signals


def called(law: Any, n: int, t: float, q: Any, qd: Any) -> Any:
    """Returns the law's numbers at one state, (n,).

    raises SimulationError: it fails (its error as the cause), or returns another shape
    """
    try:
        torque = law(t, q.copy(), qd.copy())
        tau = np.array(torque, dtype=float)
    except Exception as error:
        raise SimulationError(f"the torque law raised {type(error).__name__} at t = {t:g} s: {error}") from error
    if tau.shape != (n,):
        raise SimulationError(f"the torque law returned the shape {tau.shape}", expected=f"({n},)")
    return tau
