"""Encloses the true solution of an arm's equations: a run with proven bounds.

Every symbol is a ball about its exact decimal number, so that the enclosure holds for the equations themselves and not
for coefficients rounded to doubles; a symbol with a radius adds a dimension to the box at the start. The ledger of
energy is enclosed with the motion.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from qddot.algebra.checked_arrays import ROUNDED
from qddot.base.errors import SimulationError
from qddot.base.words.message import say
from qddot.machine.tracing.choice import PLAIN
from qddot.motion.enclosing import lohner
from qddot.motion.enclosing.variations import Box
from qddot.motion.simulate.plant import Plant, PlantState
from qddot.motion.simulate.runs.stops import Cause
from qddot.motion.simulate.setup import Setup
from qddot.motion.simulate.stepping import enclosed_loops
from qddot.motion.simulate.stepping.fields import Fields, Function
from qddot.motion.simulate.stepping.solver import Solver


def check(setup: Setup) -> None:
    """Raises SimulationError for a setup that has no enclosure."""
    plant = setup.plant
    if setup.arms > 1:
        raise SimulationError("arms-in-an-enclosed-run", arms=setup.arms)
    if plant.drive.rough:
        raise SimulationError("enclosed-run-not-smooth", why=plant.drive.rough)
    if plant.bent:
        raise SimulationError("enclosed-run-with-kinks", functions="sign")
    if plant.discrete_size or (plant.forces and plant.forces.row_size):
        obstacle = say("some-payloads") if plant.carried else say("forces-as-samples")
        raise SimulationError("enclosed-run-with-switches", obstacle=obstacle)


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
        setup = self.setup
        fields = Fields(setup)
        if setup.plant.closed:
            of, start = enclosed_loops.near(setup, fields), enclosed_loops.start(setup, fields)
        else:
            rates = fields.of(setup.plant.state_size, _rates)
            of, start = lambda _: rates, lohner.initial_set(rates, _box(setup))
        reached = lohner.enclosed(of, start, [float(t) for t in setup.times], self._note)
        if self._seen < setup.records:
            middle = self._bounds[:, 0, max(self._seen - 1, 0)].mean(0)
            self.stop(0, reached, Cause("lost"), middle)
        yield

    def _note(self, here: lohner.Set) -> None:
        self._bounds[:, 0, self._seen] = lohner.bounds(here.box)
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


def _box(setup: Setup) -> Box:
    """Returns the box in which the motion begins; one around a rounded unit quaternion contains the quaternion."""
    plant, sizes = setup.plant, setup.radii
    assert sizes is not None
    radii = np.zeros(plant.state_size)
    radii[plant.at_q], radii[plant.at_rates] = sizes.q, sizes.qd
    for _, first in plant.model.quaternions:
        radii[first : first + 4] = max(sizes.q, ROUNDED)
    return [lohner.ball(x, radius) for x, radius in zip(setup.beginning[0].tolist(), radii.tolist(), strict=True)]


def _rates(plant: Plant, t: Any, state: list[Any], parameters: list[Any]) -> Function:
    return Function.of(PlantState(plant, t, state, [], parameters, PLAIN).state_rates())
