"""A tuned law is a torque law with gains that a sweep draws: τ(t, q, q̇, gain=…)."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from qddot.program.graph import Graph
from qddot.program.signal import Signal
from qddot.simulate.acting.torque import Torque
from qddot.simulate.laws.calls import node_of_any, traced

STATE = 3  # arguments of a law before its gains: t, q, q̇


@dataclass(frozen=True)
class TunedTorque(Torque):
    """This torque's law has keywords, its gains, which are parameters of each run."""

    gains: tuple[str, ...] = ()

    @property
    def parameter_size(self) -> int:
        """Returns the number of gains."""
        return len(self.gains)

    def nodes(
        self, graph: Graph, t: Any, q: Sequence[Any], qd: Sequence[Any], z: Sequence[Any], drive: Sequence[Any]
    ) -> tuple[list[Any], list[Any]]:
        """Returns τ and ż as nodes of a graph; `drive` has the gains."""
        like = graph.constant(0.0)
        own = {name: Signal(node_of_any(node, like)) for name, node in zip(self.gains, drive, strict=True)}
        law: Any = self.law
        nodes = traced(partial(law, **own), graph, t, q, qd, z)
        return list(nodes[: self.n]), list(nodes[self.n :])


def gains_of(law: Any) -> tuple[str, ...]:
    """Returns the names of a law's arguments behind (t, q, qd)."""
    try:
        parameters = list(inspect.signature(law).parameters.values())
    except (TypeError, ValueError):
        return ()
    named = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    return tuple(each.name for each in parameters[STATE:] if each.kind in named)


def bound(law: Callable[..., Any], gains: Mapping[str, float]) -> Callable[..., Any]:
    """Returns the law with these gains."""
    return partial(law, **gains) if gains else law
