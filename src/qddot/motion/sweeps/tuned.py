"""A tuned law is a torque law with gains that a sweep draws: τ(t, q, q̇, gain=…)."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from qddot.algebra.program.program import Program
from qddot.base.records import record
from qddot.machine.tracing.traced import TracedArm
from qddot.motion.simulate.acting.drive import Drive, Nodes, Numbers, State

STATE = 3  # arguments of a law before its gains: t, q, q̇


@record(eq=False)
class TunedLaw(Drive):
    """These are the torques of a law whose keywords are gains; the gains are parameters of each run.

    program: (t, q, q̇, gains) → τ; gains: how many there are
    at_medians: the identity of the law at the gains' medians, which distinguishes it from other laws
    """

    n: int
    program: Program
    at_medians: Any
    gains: int

    @property
    def parameter_size(self) -> int:  # type: ignore[override]
        return self.gains

    @property
    def identity(self) -> Any:
        return self.at_medians

    def torques(self, traced: TracedArm, state: State, discrete_state: Numbers, own: Numbers) -> tuple[Nodes, Any]:
        t, q, qd, _ = state
        return traced.graph.inlined(self.program, [[t], q, qd, own]), []


def gains_of(law: Any) -> tuple[str, ...]:
    """Returns the names of a law's arguments after (t, q, qd)."""
    try:
        parameters = list(inspect.signature(law).parameters.values())
    except (TypeError, ValueError):
        return ()
    named = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    return tuple(each.name for each in parameters[STATE:] if each.kind in named)


def bound(law: Callable[..., Any], gains: Mapping[str, float]) -> Callable[..., Any]:
    """Returns the law with these gains."""
    return partial(law, **gains) if gains else law
