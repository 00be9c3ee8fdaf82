"""Encloses the true solution of an arm's equations: a run with proven bounds.

Every symbol is a ball about its exact decimal number, so that the enclosure holds for the equations themselves and not
for coefficients rounded to doubles; a symbol with a radius adds a dimension to the box at the start. The ledger of
energy is enclosed with the motion.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from qddot.algebra.checked_arrays import ROUNDED
from qddot.algebra.program import derivatives
from qddot.algebra.program.graph import Graph
from qddot.algebra.program.piecewise import kinks
from qddot.algebra.program.program import Program
from qddot.base.errors import SimulationError
from qddot.machine.tracing.choice import PLAIN
from qddot.motion.enclosing import lohner
from qddot.motion.enclosing.variations import VectorField
from qddot.motion.simulate.plant import Plant, PlantState
from qddot.motion.simulate.runs.stops import Cause
from qddot.motion.simulate.setup import Setup
from qddot.motion.simulate.stepping.radii import Radii
from qddot.motion.simulate.stepping.solver import Solver


def check(setup: Setup) -> None:
    """Raises SimulationError for a setup that has no enclosure."""
    plant = setup.plant
    if setup.arms > 1:
        raise SimulationError(f"{setup.arms} arms in an enclosed run", expected="one at a time")
    if plant.drive.rough:
        why = plant.drive.rough
        raise SimulationError(f"an enclosed run needs smooth torques that are traced: {why}", expected="a smooth law")
    if plant.discrete_size or (plant.forces and plant.forces.row_size):
        obstacle = "payloads" if plant.carried else "forces as samples"
        raise SimulationError(f"{obstacle} in an enclosed run", expected="laws and forces that are smooth in time")


class EnclosingSolver(Solver):
    """This encloses the run of one arm: its samples are the middles of the bounds."""

    def prepare(self) -> None:
        self._seen = 0

    def make_room(self, sample: int) -> None:
        self._bounds = np.full((2, 1, self.setup.records, self.plant.state_size), np.nan)

    @property
    def done(self) -> float:
        return self._seen / self.setup.records

    def advance(self, until: int) -> Iterator[None]:
        setup, sizes, plant = self.setup, self.setup.radii, self.plant
        assert sizes is not None
        box = [
            lohner.ball(float(x), radius) for x, radius in zip(setup.beginning[0], _radii(plant, sizes), strict=True)
        ]
        reached = lohner.enclosed(_vector_field(setup, sizes), box, [float(t) for t in setup.times], self._note)
        if self._seen < setup.records:
            middle = self._bounds[:, 0, max(self._seen - 1, 0)].mean(0)
            self.stop(0, reached, Cause("lost"), middle)
        yield

    def _note(self, box: Any) -> None:
        self._bounds[:, 0, self._seen] = lohner.bounds(box)
        self._seen += 1
        if self._progress:
            self._progress(self.done)

    def reached(self) -> Any:
        if self.interrupted:
            self._bounds = self._bounds[:, :, : max(self._seen, 1)]
        return self._bounds.mean(0)

    def bounds(self) -> dict[str, Any]:
        """Returns the bounds of q and q̇ at the samples."""
        lower, upper = self._bounds
        parts = {"q": self.plant.at_q, "qd": self.plant.at_rates}
        sides = {"lower": lower, "upper": upper}
        return {f"{name}_{side}": values[:, :, part] for name, part in parts.items() for side, values in sides.items()}


def _radii(plant: Plant, sizes: Radii) -> Any:
    """Returns the half-widths of the state; a box around a rounded unit quaternion contains the quaternion itself."""
    radii = np.zeros(plant.state_size)
    radii[plant.at_q], radii[plant.at_rates] = sizes.q, sizes.qd
    for _, first in plant.model.quaternions:
        radii[first : first + 4] = max(sizes.q, ROUNDED)
    return radii.tolist()


def _vector_field(setup: Setup, sizes: Radii) -> VectorField:
    plant = setup.plant
    names = tuple(name for name in sorted(plant.values) if name in plant.model.used_symbols)
    freed = replace(plant, values={}, free=names)
    spread = sizes.symbols or {}
    unsure = tuple(place for place, name in enumerate(names) if spread.get(name, 0.0) > 0)
    symbols = [lohner.ball(plant.values[name], spread.get(name, 0.0), is_decimal=True) for name in names]
    own = [lohner.ball(float(x)) for x in setup.parameters[0][len(plant.free) :]]
    programs = [_program(freed, unsure, orders) for orders in range(3 if unsure else 2)]
    parameters = [*symbols, *own, lohner.ball(0.0)]
    return VectorField(programs[0], programs[1], parameters, unsure, programs[2] if unsure else None)


def _program(plant: Plant, unsure: Sequence[int], orders: int) -> Program:
    """Returns the program of the state's rates, their Jacobian, and the Jacobian's derivative along a direction.

    unsure: the parameters with respect to which the rates are also differentiated
    orders: how many times the rates are differentiated
    """
    graph = Graph()
    state, (t,), parameters = plant.ports(graph, "state", "time", "parameters")
    rates = PlantState(plant, t, state, [], parameters, PLAIN).state_rates()
    outputs: dict[str, Any] = {"rates": rates}
    by = [*state, *(parameters[place] for place in unsure)]
    if orders > 0:
        outputs["jacobian"] = derivatives.jacobian(rates, by)
    if orders > 1:
        direction = graph.input("direction", (len(by),))
        seeds = {x.index: d for x, d in zip(by, direction, strict=True)}
        entries = [x for row in outputs["jacobian"] for x in row]
        outputs["turning"] = derivatives.directional(entries, seeds)
    program = graph.program("slopes", outputs)
    if kinked := sorted(set(kinks(program))):
        raise SimulationError(
            f"{', '.join(kinked)} in an enclosed run", expected="smooth friction and laws, as with tanh"
        )
    return program
