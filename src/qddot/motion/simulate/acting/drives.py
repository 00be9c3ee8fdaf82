"""Defines the drives of a run: no torque, a constant, samples in time, a law, or a sampled law."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Any

import numpy as np

from qddot.algebra.program.graph import Graph
from qddot.algebra.program.piecewise import kinks
from qddot.algebra.program.program import Program
from qddot.base.records import record
from qddot.base.words.message import Listed, Words, say
from qddot.machine.tracing.traced import TracedArm
from qddot.motion.simulate.acting.drive import Drive, Nodes, Numbers, State
from qddot.motion.simulate.laws.sampling import Sampling

if TYPE_CHECKING:
    from qddot.motion.simulate.laws.trial import Caller


@record(eq=False)
class Nothing(Drive):
    """The motors give no torque."""

    n: int
    works = False
    told = say("torque-none")

    def torques(self, traced: TracedArm, state: State, discrete_state: Numbers, own: Numbers) -> tuple[Nodes, Any]:
        return [0] * self.n, []


@record(eq=False)
class Constant(Drive):
    """These torques are constant; values: (n,), or (N, n) for each arm."""

    n: int
    values: Any
    told = say("torque-constant")

    @property
    def parameter_size(self) -> int:  # type: ignore[override]
        return self.n

    @property
    def identity(self) -> Any:
        return ["constant", self.values.tolist()]

    def parameters(self, arms: int) -> Any:
        return np.broadcast_to(self.values, (arms, self.n))


@record(eq=False)
class InTime(Drive):
    """These torques are linear between samples; values: (K, n) at `times`."""

    n: int
    times: Any = field()
    values: Any = field()
    rough = say("samples-have-kinks")

    @property
    def row_size(self) -> int:  # type: ignore[override]
        return self.n

    @property
    def identity(self) -> Any:
        return ["samples", self.times.tolist(), self.values.tolist()]

    def columns(self, begins: Any, times: Any, h: float) -> Any:
        return np.stack([np.interp(times, self.times, column) for column in self.values.T], axis=-1)

    @property
    def told(self) -> Words:  # type: ignore[override]
        return say("torque-in-time", times=len(self.times))


@record(eq=False)
class TracedLaw(Drive):
    """These are the torques of a law that is compiled with the arm."""

    n: int
    program: Program
    z0: Any = None
    told = say("law-compiled")

    @property
    def facts(self) -> tuple[Any, ...]:
        return (*super().facts, self.program.hash)

    @property
    def identity(self) -> Any:
        return self.program.hash

    @property
    def rough(self) -> Words:  # type: ignore[override]
        return next((say("operation-with-kinks", name=op) for op in kinks(self.program)), "")

    @property
    def programs(self) -> Sequence[Program]:  # type: ignore[override]
        return (self.program,)

    def torques(self, traced: TracedArm, state: State, discrete_state: Numbers, own: Numbers) -> tuple[Nodes, Any]:
        return self.answer(traced.graph, state)

    def answer(self, graph: Graph, state: State) -> tuple[Nodes, Any]:
        """Returns τ and ż of a state in a graph."""
        t, *others = state
        nodes = graph.inlined(self.program, [[t], *others])
        return nodes[: self.n], nodes[self.n :]


@record(eq=False)
class CalledLaw(Drive):
    """These torques are parameters that calls from Python set, together with the rates of the law's state."""

    n: int
    caller: Caller = field()
    z0: Any = None
    told = say("law-called")

    @property
    def rough(self) -> Words:  # type: ignore[override]
        return self.caller.why

    @property
    def parameter_size(self) -> int:  # type: ignore[override]
        return self.n + self.states


@record(eq=False)
class SampledLaw(Drive):
    """A law computes these torques at sample times, between which they are held.

    discrete: whether the law returns its next state
    """

    law: TracedLaw | CalledLaw
    sampling: Sampling = field()
    discrete: bool = False
    rough = say("a-sampled-law")

    @property
    def n(self) -> int:  # type: ignore[override]
        return self.law.n

    @property
    def z0(self) -> Any:
        return self.law.z0

    @property
    def caller(self) -> Caller | None:  # type: ignore[override]
        return self.law.caller

    @property
    def row_size(self) -> int:  # type: ignore[override]
        return self.sampling.row_size

    @property
    def facts(self) -> tuple[Any, ...]:
        return (*super().facts, *self.law.facts, self.sampling, self.discrete)

    def columns(self, begins: Any, times: Any, h: float) -> Any:
        return np.broadcast_to(self.sampling.columns(begins, h), (*times.shape, self.row_size))

    def torques(self, traced: TracedArm, state: State, discrete_state: Numbers, own: Numbers) -> tuple[Nodes, Any]:
        return self.sampling.torque(discrete_state, own, self.n), []

    def renewed(self, graph: Graph, state: State, discrete_state: Numbers) -> Nodes:
        t, q, qd, z = state
        assert isinstance(self.law, TracedLaw)  # a law that is called is sampled from Python
        return self.held(self.law.answer(graph, (t, self.measured(q), qd, z)), discrete_state, z)

    def measured(self, q: Numbers) -> Any:
        return self.sampling.measured(q)

    def held(self, answer: tuple[Numbers, Numbers], discrete_state: Numbers, z: Numbers) -> Nodes:
        tau, rates = answer
        moved = rates if self.discrete else [a + self.sampling.period * rate for a, rate in zip(z, rates, strict=True)]
        return [*self.sampling.after(discrete_state, tau, self.n), *moved]

    @property
    def told(self) -> Words:  # type: ignore[override]
        return Listed([self.law.told, *self.sampling.told])
