"""A Torque drives an arm: it is none, a constant, samples in time, or a user's law τ(t, q, q̇), perhaps with a state."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from qddot.errors import SimulationError
from qddot.program.graph import Graph
from qddot.program.program import Program
from qddot.simulate import traces
from qddot.simulate.laws.calls import Law, alone, called, traced
from qddot.simulate.laws.sampling import Sampling
from qddot.simulate.memory import Memory
from qddot.simulate.read_numbers import finite


@dataclass(frozen=True)
class Torque:
    """kind is "none", "constant", "samples", "law" (traced) or "callback" (called from Python at every stage).

    values: a constant's, (n,) or (N, n), or samples', (K, n) at `times`
    trace: the hash of a law's program
    why: the reason why a law is called
    once: whether it has or may have a memory, so that it is called in order of time and never for trials
    memory: what it remembered before the run, if that can be restored
    z0: z of each arm at the start, (N, k), of a law that declares a state
    discrete: whether such a law returns the next z instead of its rate
    sampling: when a law is sampled; its torques are then held, and so is its state
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
    z0: Any = None
    discrete: bool = False
    sampling: Sampling | None = None

    @property
    def states(self) -> int:
        """Returns the number of states that the law declares."""
        return 0 if self.z0 is None else int(self.z0.shape[1])

    @property
    def moving_size(self) -> int:
        """Returns how many numbers it adds to what moves between samples: the states of a law that is not sampled."""
        return 0 if self.sampling else self.states

    @property
    def kept_size(self) -> int:
        """Returns how many numbers are held between samples: torques, and the law's own states."""
        return self.sampling.slots * self.n + self.states if self.sampling else 0

    @property
    def row_size(self) -> int:
        """Returns how many numbers it adds to a row of time."""
        if self.sampling:
            return self.sampling.row_size
        return self.n if self.kind == "samples" else 0

    @property
    def parameter_size(self) -> int:
        """Returns how many numbers it adds to an arm's parameters."""
        if self.kind == "callback":
            return 0 if self.sampling else self.n + self.states
        return self.n if self.kind == "constant" else 0

    def nodes(
        self, graph: Graph, t: Any, q: Sequence[Any], qd: Sequence[Any], z: Sequence[Any], drive: Sequence[Any]
    ) -> tuple[list[Any], list[Any]]:
        """Returns τ and ż as nodes of a graph; `drive` has their numbers from rows or parameters."""
        if self.kind == "none":
            return [0] * self.n, []
        nodes = traced(self.law, graph, t, q, qd, z) if self.kind == "law" else list(drive)  # type: ignore[arg-type]
        return nodes[: self.n], nodes[self.n :]

    def columns(self, begins: Any, times: Any, h: float) -> Any:
        """Returns what it adds to rows of time, (…, row_size): samples, or what the sampling wants to know.

        begins: of the steps; times: at which a torque is asked for; h: the steps
        """
        if self.sampling:
            return np.broadcast_to(self.sampling.columns(begins, h), (*times.shape, self.row_size))
        columns = np.empty((*times.shape, self.row_size))
        for k in range(self.row_size):
            columns[..., k] = np.interp(times, self.times, self.values[:, k])
        return columns

    def __str__(self) -> str:
        sampled = f", {self.sampling}" if self.sampling else ""
        return {
            "none": "none",
            "constant": "constant",
            "samples": f"{0 if self.times is None else len(self.times)} samples in time",
            "law": f"a law, compiled{sampled}",
            "callback": f"a law, called from Python{sampled}",
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


def torque_of(torque: Any, n: int, duration: float, start: tuple[Any, Any], sampling: Sampling | None = None) -> Torque:
    """Returns the torque that a user gives as None, numbers, (times, values) or a function of (t, q, qd).

    start: (q0, qd0) of all arms; a law is tried at that of the first, and its memory is restored afterwards
    sampling: for a law, if it is sampled
    raises SimulationError: a wrong shape, times that do not cover the run, a law that fails (its error as the cause)
    """
    arms = len(start[0])
    if callable(torque):
        return _law(torque, n, duration, *start, sampling)
    if sampling:
        raise SimulationError("sample= without a law", expected="torque= as a function of t, q and qd")
    if torque is None:
        return Torque("none", n)
    if isinstance(torque, tuple) and len(torque) == 2 and all(np.iterable(part) for part in torque):
        return _samples(*torque, n, duration)
    values = finite(torque, "torque")
    if values.shape not in ((n,), (arms, n)):
        raise SimulationError(
            f"torque has the shape {values.shape}", expected=f"({n},), ({arms}, {n}), (times, values) or a function"
        )
    return Torque("constant", n, values)


def _samples(times: Any, values: Any, n: int, duration: float) -> Torque:
    t, u = finite(times, "times of the torque"), finite(values, "values of the torque")
    u = u[:, None] if u.ndim == 1 and n == 1 else u
    if t.ndim != 1 or len(t) < 2:
        raise SimulationError(f"times of the torque have the shape {t.shape}", expected="(K,), K times from 2 on")
    if u.shape != (len(t), n):
        raise SimulationError(f"values of the torque have the shape {u.shape}", expected=f"({len(t)}, {n})")
    if not (np.diff(t) > 0).all() or t[0] > 0 or t[-1] < duration * (1 - 1e-12):
        raise SimulationError(
            f"times of the torque from {t[0]:g} to {t[-1]:g} s", expected=f"rising times that cover 0 … {duration:g} s"
        )
    return Torque("samples", n, u, t)


def _law(law: Law, n: int, duration: float, q0: Any, qd0: Any, sampling: Sampling | None) -> Torque:
    """Returns a traced law where tracing and calling agree, else one that is called."""
    discrete = bool(getattr(law, "discrete", False))
    about: dict[str, Any] = {"law": law, "z0": _declared(law, q0, qd0), "discrete": discrete, "sampling": sampling}
    if discrete and not sampling:
        raise SimulationError("a law that returns its next state, and no sample=", expected="the time between them")
    memory = Memory(law)
    if memory.unseen:
        why = f"it may have a memory in {memory.unseen}, which cannot be looked into"
        return Torque("callback", n, why=why, once=True, **about)
    try:
        states = _states(duration, q0[0], qd0[0], [] if about["z0"] is None else about["z0"][0])
        answers = [called(law, n, *states[0])]
        why = _why_once(law, n, states[0], answers[0], memory)
        program = None
        if not why:
            answers += [_tried(law, n, state) for state in states[1:]]
            program, cannot = _compiled(law, n, states, answers)
            place = memory.changed()
            why = _remembers(place) if place else ""
        if why:
            return Torque("callback", n, why=why, once=True, memory=memory, **about)
        if program is None:
            return Torque("callback", n, why=f"it cannot be compiled: {cannot}", **about)
        return Torque("law", n, trace=program.hash, **about)
    finally:
        memory.restore()


def _declared(law: Any, q0: Any, qd0: Any) -> Any:
    """Returns each arm's own state z at the start, (N, k), of a law that declares one by `z0`, else None.

    raises SimulationError: neither numbers nor a function of (q0, qd0) that returns them
    """
    z0 = getattr(law, "z0", None)
    if z0 is None:
        return None
    try:
        rows = [z0(q, qd) for q, qd in zip(q0, qd0, strict=True)] if callable(z0) else [z0]
    except Exception as error:
        raise SimulationError(f"the law's z0 raised {type(error).__name__}: {error}") from error
    z = finite(rows, "the law's z0")
    if z.ndim != 2 or not z.shape[1]:
        raise SimulationError(f"the law's z0 has the shape {z.shape[1:]}", expected="(k,), k numbers from 1 on")
    return np.broadcast_to(z, (len(q0), z.shape[1]))


def _states(duration: float, q0: Any, qd0: Any, z0: Any) -> list[tuple[Any, ...]]:
    """Returns the start, and two states near it at other times; those of a law with a state have one for it."""
    aside, z = np.cos(1.0 + np.arange(len(q0))), np.asarray(z0, dtype=float)
    beside = np.cos(2.0 + np.arange(len(z)))
    return [
        (share * duration, q0 + by * aside, qd0 - by * aside, *([z + by * beside] if len(z) else []))
        for share, by in ((0, 0), (0.31, 0.2), (0.77, -0.6))
    ]


def _why_once(law: Law, n: int, state: tuple[Any, ...], answer: Any, memory: Memory) -> str:
    """Returns why a law is no function of its arguments alone, as two calls show it, or "" if they do not."""
    place = memory.changed()
    if place:
        return _remembers(place)
    second = called(law, n, *state)
    same = np.array_equal(answer, second, equal_nan=True)
    return "" if same else f"called twice at one state, it gave {answer} and {second}"


def _remembers(place: str) -> str:
    return f"it has a memory: a call changes {place}"


def _tried(law: Law, n: int, state: tuple[Any, ...]) -> Any:
    """Returns the law's numbers at a state, or None where it fails: it need not have an answer everywhere."""
    with contextlib.suppress(SimulationError), np.errstate(all="ignore"):
        return called(law, n, *state)
    return None


def _compiled(law: Law, n: int, states: Sequence[Any], answers: Sequence[Any]) -> tuple[Program | None, str]:
    """Returns the law's program, or None where it differs from the answers of calls; and the reason."""
    sizes = n, len(answers[0]) - n
    try:
        program = traces.kept(law, sizes, alone)
        differs = _difference(program, states, answers)
        if differs:  # a library that the law calls may have changed, which is not looked for
            program = traces.renewed(law, sizes, alone)
            differs = _difference(program, states, answers)
    except Exception as error:
        return None, str(error)
    return (None, differs) if differs else (program, "")


def _difference(program: Program, states: Sequence[Any], answers: Sequence[Any]) -> str:
    """Returns where a law's program gives other torques than calls gave, "" if nowhere."""
    function = traces.function_of(program)
    for (t, *state), answer in zip(states, answers, strict=True):
        if answer is None:
            continue
        torque = function([t], *state)
        if torque.shape != answer.shape or not np.allclose(torque, answer, rtol=1e-9, atol=1e-12, equal_nan=True):
            return f"it gives {answer} for numbers and {torque} when it is traced"
    return ""
