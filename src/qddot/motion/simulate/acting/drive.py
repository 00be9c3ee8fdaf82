"""A Drive gives the torques of the motors in a run; all drives keep this contract.

It hides where its torques come from: the other modules only need the torques, and how many numbers the drive adds to
each array. NumPy is imported only where arrays are needed, since the page does without it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from qddot.algebra.program.graph import Graph
from qddot.algebra.program.program import Program
from qddot.base.words.message import Words
from qddot.machine.tracing.traced import TracedArm

if TYPE_CHECKING:
    from qddot.motion.simulate.laws.sampling import Sampling
    from qddot.motion.simulate.laws.trial import Caller

Nodes = list[Any]
Numbers: TypeAlias = Sequence[Any]  # or nodes
State: TypeAlias = tuple[Any, ...]  # (t, q, q̇, z)


class Drive(Protocol):
    """A drive gives the torques between two times, from an arm's state, rows of time, parameters or discrete state.

    A row of time has numbers that depend on time alone; the discrete state is constant within a step.

    n: number of torques, one for each velocity; works: whether its torques do work; z0: the law's own state at the
    start, (N, k), or None
    sampling: when its torques are computed, None where they change at any time
    caller: the law that is called from Python, None where the torques are compiled
    times: of samples, between which the torques are smooth
    told: what it is; rough: why the torques are not computed by smooth code, "" if they are
    programs: those of functions that are traced, and evaluated at any time
    row_size, parameter_size: how many numbers it adds to a row of time, and to an arm's parameters
    """

    n: int
    works: bool = True
    z0: Any = None
    sampling: Sampling | None = None
    caller: Caller | None = None
    times: Any = ()
    told: Words = ""
    rough: Words = ""
    programs: Sequence[Program] = ()
    row_size: int = 0
    parameter_size: int = 0

    @property
    def states(self) -> int:
        """Returns the size of the state z that a law declares."""
        return 0 if self.z0 is None else int(self.z0.shape[1])

    @property
    def moving_size(self) -> int:
        """Returns how many numbers it adds to the integrated state: the size of z, unless the law is sampled."""
        return 0 if self.sampling else self.states

    @property
    def discrete_size(self) -> int:
        """Returns how many numbers are held between samples: torques, and the law's own states."""
        return self.sampling.slots * self.n + self.states if self.sampling else 0

    @property
    def in_stages(self) -> Caller | None:
        """Returns the law that is called from Python at the stages of steps, if there is one."""
        return None if self.sampling else self.caller

    @property
    def facts(self) -> tuple[Any, ...]:
        """Returns everything that the compiled code depends on."""
        return (type(self).__name__, self.states)

    @property
    def identity(self) -> Any:
        """Returns the data that distinguish it from other drives, as plain JSON."""
        return list(self.facts)

    def parameters(self, arms: int) -> Any:
        """Returns its parameters for each arm, (N, parameter_size), 0 for those that change during a run."""
        import numpy as np

        return np.zeros((arms, self.parameter_size))

    def knots(self, start: float, end: float) -> Any:
        """Returns all times between start and end at which a torque or its slope jumps, and perhaps others."""
        return self.sampling.times(start, end) if self.sampling else self.times

    def columns(self, begins: Any, times: Any, h: float) -> Any:
        """Returns what it adds to rows of time, (…, row_size).

        begins: of the steps; times: at which a torque is needed; h: the steps
        """
        import numpy as np

        return np.empty((*times.shape, 0))

    def torques(self, traced: TracedArm, state: State, discrete_state: Numbers, own: Numbers) -> tuple[Nodes, Any]:
        """Returns τ and ż of an arm in a graph.

        traced: at (q, q̇), in frames whose nodes the plant uses, too; state: (t, q, q̇, z); discrete_state: the numbers
        held since the last sample; own: the drive's numbers in the row or the parameters, by default n torques, then ż
        """
        return list(own[: self.n]), list(own[self.n :])

    def renewed(self, graph: Graph, state: State, discrete_state: Numbers) -> Nodes:
        """Returns the numbers that are held after torques have been computed in a state; none without sampling."""
        return list(discrete_state)

    def measured(self, q: Numbers) -> Any:
        """Returns coordinates as the law sees them."""
        return q

    def held(self, answer: tuple[Numbers, Numbers], discrete_state: Numbers, z: Numbers) -> Nodes:
        """Returns the numbers or nodes that are held after a law's answer: the torques, then its state."""
        return list(discrete_state)
