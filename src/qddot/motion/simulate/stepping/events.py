"""Events stop an arm before the end: at a joint's limit, at a user's event, or when its state grows without bound."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

from qddot.algebra.program.graph import Graph
from qddot.algebra.program.program import Program
from qddot.motion.simulate.plant import Plant, bare
from qddot.motion.simulate.runs.stops import Cause


def guards(plant: Plant) -> list[Cause]:
    """Returns the meaning of each guard: limits, upper and lower, then the event."""
    joints = [str(body.joint.coordinate) for body in plant.model.moving()]
    limits = [Cause("limit", joints[i], side) for i in plant.limits for side in ("upper", "lower")]
    own = [Cause("event")] if plant.event is not None else []
    return [*limits, *own]


def program(plant: Plant) -> Program:
    """Returns the program (t, q, qd, parameters) → guards."""
    graph = Graph()
    (t,), q, qd, parameters = plant.ports(graph, "t", "q", "qd", "parameters")
    return graph.program("guards", {"guards": bare(plant, t, [*q, *qd], parameters).guards()})


def located(after: Callable[[float], tuple[Any, float]], h: float) -> tuple[float, Any]:
    """Returns (how far into a step of h a guard reaches zero, the state there); after: h → the state, the guard"""
    length, least = h, h * 1e-12
    if after(least)[1] > 0:
        length = least
    elif after(h)[1] > 0:
        from scipy.optimize import brentq  # which takes half a second to load

        # the event is NaN within the step: the end of the step is close enough
        with contextlib.suppress(ValueError):
            length = brentq(lambda length: after(length)[1], least, h, xtol=1e-15, rtol=1e-14)
    return length, after(length)[0]
