"""A Drive is what the motors do in a run: nothing, a constant, samples in time, a law, or a law that is sampled.

Where its torques come from is its own business. Others ask how many numbers it has in each place, and for its nodes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from qddot.program.graph import Graph
from qddot.program.program import Program
from qddot.simulate.laws.law import Law, Made
from qddot.simulate.laws.sampling import Sampling

Nodes = list[Any]


@dataclass(frozen=True, eq=False)
class Caller:
    """This is a law that is called from Python, and why; remembers: whether one state has given two answers."""

    law: Law | Made
    why: str
    remembers: bool = False

    @property
    def in_order(self) -> bool:
        """Returns whether its calls have to follow the time of the run, each state once."""
        return self.remembers or isinstance(self.law, Made)

    def of_arms(self, arms: int) -> list[Law]:
        """Returns the law of each arm of a new run."""
        return [self.law.factory() if isinstance(self.law, Made) else self.law for _ in range(arms)]


class Drive(Protocol):
    """A drive gives the torques between two times, from nodes, rows of time, parameters or what is kept.

    n: of joints; works: whether its torques do work; z0: each arm's state of a law at the start, (N, k), or None
    sampling: when its torques are computed, None where they change at any time
    caller: the law that is called from Python, None where the torques are code
    times: those of samples, between which the torques are smooth; rough: why they are no smooth code, "" if they are
    row_size, parameter_size: how many numbers it adds to a row of time, and to an arm's parameters
    """

    n: int
    works: bool = True
    z0: Any = None
    sampling: Sampling | None = None
    caller: Caller | None = None
    times: Any = ()
    rough: str = ""
    row_size: int = 0
    parameter_size: int = 0

    @property
    def states(self) -> int:
        """Returns the number of states that a law declares."""
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
    def in_stages(self) -> Caller | None:
        """Returns the law that is called from Python at the stages of steps, if there is one."""
        return None if self.sampling else self.caller

    @property
    def facts(self) -> tuple[Any, ...]:
        """Returns all that the code depends on."""
        return (type(self).__name__, self.states)

    @property
    def identity(self) -> Any:
        """Returns what tells it from other drives, as JSON has it."""
        return list(self.facts)

    def parameters(self, arms: int) -> Any:
        """Returns what it adds to the parameters of each arm, (N, parameter_size), 0 where that changes in a run."""
        return np.zeros((arms, self.parameter_size))

    def columns(self, begins: Any, times: Any, h: float) -> Any:
        """Returns what it adds to rows of time, (…, row_size).

        begins: of the steps; times: at which a torque is asked for; h: the steps
        """
        return np.empty((*times.shape, 0))

    def nodes(self, graph: Graph, state: tuple[Any, ...], kept: Sequence[Any], own: Sequence[Any]) -> tuple[Nodes, Any]:
        """Returns τ and ż; state: (t, q, q̇, z); kept: what is held; own: its numbers in the row or the parameters."""
        ...

    def renewed(self, graph: Graph, state: tuple[Any, ...], kept: Sequence[Any]) -> Nodes:
        """Returns what is held once torques have been computed in a state; drives without sampling hold nothing."""
        return list(kept)

    def measured(self, q: Sequence[Any]) -> Any:
        """Returns coordinates as the law sees them."""
        return q

    def held(self, answer: tuple[Sequence[Any], Sequence[Any]], kept: Sequence[Any], z: Sequence[Any]) -> Nodes:
        """Returns what is held after a law's answer, numbers or nodes: the torques, then its state."""
        return list(kept)


@dataclass(frozen=True, eq=False)
class Nothing(Drive):
    """These are motors that do nothing."""

    n: int
    works = False

    def nodes(self, graph: Graph, state: tuple[Any, ...], kept: Sequence[Any], own: Sequence[Any]) -> tuple[Nodes, Any]:
        return [0] * self.n, []

    def __str__(self) -> str:
        return "none"


@dataclass(frozen=True, eq=False)
class Constant(Drive):
    """These torques stay the same; values: (n,), or (N, n) for each arm."""

    n: int
    values: Any

    @property
    def parameter_size(self) -> int:  # type: ignore[override]
        return self.n

    @property
    def identity(self) -> Any:
        return ["constant", self.values.tolist()]

    def parameters(self, arms: int) -> Any:
        return np.broadcast_to(self.values, (arms, self.n))

    def nodes(self, graph: Graph, state: tuple[Any, ...], kept: Sequence[Any], own: Sequence[Any]) -> tuple[Nodes, Any]:
        return list(own), []

    def __str__(self) -> str:
        return "constant"


@dataclass(frozen=True, eq=False)
class InTime(Drive):
    """These torques lie on straight lines between samples; values: (K, n) at `times`."""

    n: int
    times: Any = field()
    values: Any = field()
    rough = "samples in time have kinks"

    @property
    def row_size(self) -> int:  # type: ignore[override]
        return self.n

    @property
    def identity(self) -> Any:
        return ["samples", self.times.tolist(), self.values.tolist()]

    def columns(self, begins: Any, times: Any, h: float) -> Any:
        columns = np.empty((*times.shape, self.n))
        for k in range(self.n):
            columns[..., k] = np.interp(times, self.times, self.values[:, k])
        return columns

    def nodes(self, graph: Graph, state: tuple[Any, ...], kept: Sequence[Any], own: Sequence[Any]) -> tuple[Nodes, Any]:
        return list(own), []

    def __str__(self) -> str:
        return f"{len(self.times)} samples in time"


@dataclass(frozen=True, eq=False)
class TracedLaw(Drive):
    """These are the torques of a law that is compiled with the arm."""

    n: int
    program: Program
    z0: Any = None

    @property
    def facts(self) -> tuple[Any, ...]:
        return (*super().facts, self.program.hash)

    @property
    def identity(self) -> Any:
        return self.program.hash

    def nodes(self, graph: Graph, state: tuple[Any, ...], kept: Sequence[Any], own: Sequence[Any]) -> tuple[Nodes, Any]:
        t, *others = state
        nodes = graph.inlined(self.program, [[t], *others])
        return nodes[: self.n], nodes[self.n :]

    def __str__(self) -> str:
        return "a law, compiled"


@dataclass(frozen=True, eq=False)
class CalledLaw(Drive):
    """These torques stand among the parameters, where calls from Python put them, with the rates of the law's state."""

    n: int
    caller: Caller = field()
    z0: Any = None

    @property
    def rough(self) -> str:  # type: ignore[override]
        return self.caller.why

    @property
    def parameter_size(self) -> int:  # type: ignore[override]
        return self.n + self.states

    def nodes(self, graph: Graph, state: tuple[Any, ...], kept: Sequence[Any], own: Sequence[Any]) -> tuple[Nodes, Any]:
        return list(own[: self.n]), list(own[self.n :])

    def __str__(self) -> str:
        return "a law, called from Python"


@dataclass(frozen=True, eq=False)
class SampledLaw(Drive):
    """These torques are computed by a law at samples, and held; discrete: whether the law returns its next state."""

    law: TracedLaw | CalledLaw
    sampling: Sampling = field()
    discrete: bool = False

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
    def rough(self) -> str:  # type: ignore[override]
        return "a sampled law"

    @property
    def row_size(self) -> int:  # type: ignore[override]
        return self.sampling.row_size

    @property
    def facts(self) -> tuple[Any, ...]:
        return (*super().facts, *self.law.facts, self.sampling, self.discrete)

    def columns(self, begins: Any, times: Any, h: float) -> Any:
        return np.broadcast_to(self.sampling.columns(begins, h), (*times.shape, self.row_size))

    def nodes(self, graph: Graph, state: tuple[Any, ...], kept: Sequence[Any], own: Sequence[Any]) -> tuple[Nodes, Any]:
        return self.sampling.torque(kept, own, self.n), []

    def renewed(self, graph: Graph, state: tuple[Any, ...], kept: Sequence[Any]) -> Nodes:
        t, q, qd, z = state
        return self.held(self.law.nodes(graph, (t, self.measured(q), qd, z), [], []), kept, z)

    def measured(self, q: Sequence[Any]) -> Any:
        return self.sampling.measured(q)

    def held(self, answer: tuple[Sequence[Any], Sequence[Any]], kept: Sequence[Any], z: Sequence[Any]) -> Nodes:
        tau, rates = answer
        moved = rates if self.discrete else [a + self.sampling.period * rate for a, rate in zip(z, rates, strict=True)]
        return [*self.sampling.after(kept, tau, self.n), *moved]

    def __str__(self) -> str:
        return f"{self.law}, {self.sampling}"
