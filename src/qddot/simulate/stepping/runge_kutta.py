"""Runs a setup by DOP853 or Radau IIA, compiled over the plant's own rates: what is evaluated, and how it is run.

Sources: Hairer, Nørsett & Wanner 1993, §II.10 (DOP853); Hairer & Wanner, *Solving Ordinary Differential Equations II*,
1996, §IV.8 (Radau IIA of order five).
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from functools import cached_property
from typing import Any

from qddot.compilers.integrators import Integrator
from qddot.program import derivatives
from qddot.program.graph import Graph
from qddot.program.program import Program
from qddot.program.rates import Rates
from qddot.simulate.acting.changing import Changing
from qddot.simulate.plant import Plant, PlantState
from qddot.simulate.stepping.integration import Integration
from qddot.tracing import choice
from qddot.tracing.choice import Way
from qddot.tracing.trace import torques

LEAST_ABSOLUTE = 1e-15
LOOSEST, ROUNDINGS = 0.03, 10.0  # of Newton's iteration, as a part of the error that a step may have


class RungeKutta(Integration):
    """This is a run by a method that tries steps."""

    @cached_property
    def integrator(self) -> Integrator:
        found: Integrator = self.kernels.runge_kutta(self.setup.arms > 1)
        return found

    @cached_property
    def settings(self) -> tuple[float, ...]:
        """Returns the relative and the absolute tolerance, and that of Newton's iteration."""
        relative = self.tolerance.relative
        enough = max(ROUNDINGS * sys.float_info.epsilon / relative, min(LOOSEST, math.sqrt(relative)))
        return relative, max(self.tolerance.absolute, LEAST_ABSOLUTE), enough

    def begin(self) -> None:
        """Judges nothing: steps go over signs, minima and maxima."""

    def resume(self, arms: Any) -> None:
        """Judges nothing."""

    def judge(self) -> None:
        """Judges nothing: a step ends at the end or where its arm stops."""


def rates(plant: Plant, method: str) -> Rates:
    """Returns the programs of d/dt (q, q̇, z, ledger), of the guards, and of the exact Jacobian for radau."""

    def written(way: Way) -> Program:
        return _program(plant, way, "slopes", lambda here, _: _rates(here))

    slopes = choice.shortest(written, plant.open, torques(plant.model, plant.values, plant.open))
    guards = jacobian = None
    plain = choice.ways(plant.open)[0]
    if plant.limits or plant.event is not None or plant.carried:
        guards = _program(plant, plain, "guards", lambda here, _: [*here.guards(), *here.switches()])
    if method == "radau":
        by_state = lambda here, state: derivatives.jacobian(_rates(here), state)  # noqa: E731
        jacobian = _program(plant, plain, "jacobian", by_state)
    return Rates(method, slopes, guards, jacobian)


def _rates(here: PlantState) -> list[Any]:
    """Returns the rates of all numbers of the state: what is kept has none."""
    return [*here.state_rates(), *[0] * here.plant.kept_size]


def _program(plant: Plant, way: Way, name: str, results: Callable[[PlantState, list[Any]], Any]) -> Program:
    """Returns the program of what a function gives for the plant at a state."""
    graph, n, changing = Graph(), plant.n, Changing(plant)
    state, (t,) = graph.input("state", (plant.state_size,)), graph.input("time", (1,))
    parameters = graph.input("parameters", (changing.size,))
    samples, kept = changing.nodes(parameters, t)
    own, z = parameters[: plant.parameter_size], state[2 * n : plant.moving_size]
    here = PlantState(plant, graph, t, state[:n], state[n : 2 * n], samples, own, way, z, kept)
    return graph.program(name, {name: results(here, state)})
