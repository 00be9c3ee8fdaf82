"""Holds what acts on an arm between two times, as parameters of the arm's code."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from qddot.machine.tracing.choice import Way
from qddot.motion.simulate.plant import Plant, PlantState


class Changing:
    """This adds to the parameters a time, the plant's numbers at that time with their slopes, and the discrete state.

    size: the number of parameters including these
    """

    def __init__(self, plant: Plant) -> None:
        self._plant, self._rows = plant, plant.row_size
        begin = plant.parameter_size
        middle = begin + (1 + 2 * self._rows if self._rows else 0)
        self._changing, self.discrete_places = slice(begin, middle), slice(middle, middle + plant.discrete_size)
        self.size = self.discrete_places.stop

    def put(self, parameters: Any, state: Any, begin: float, end: float, step: float) -> None:
        """Writes what acts between two times into the parameters of arms in some states."""
        parameters[:, self.discrete_places] = state[:, self._plant.integrated_size :]
        if self._rows:
            first, last = self._plant.columns(np.full(2, begin), np.array([begin, end]), step)
            slope = (last - first) / (end - begin) if end > begin else 0 * first
            parameters[:, self._changing] = [begin, *first, *slope]

    def plant_state(self, t: Any, state: Sequence[Any], parameters: Sequence[Any], way: Way) -> PlantState:
        """Returns the plant at t in a state, whose discrete part these parameters have."""
        samples = []
        if self._rows:
            begin, *values = parameters[self._changing]
            pairs = zip(values[: self._rows], values[self._rows :], strict=True)
            samples = [value + slope * (t - begin) for value, slope in pairs]
        now = [*state[: self._plant.integrated_size], *parameters[self.discrete_places]]
        return PlantState(self._plant, t, now, samples, parameters[: self._plant.parameter_size], way)
