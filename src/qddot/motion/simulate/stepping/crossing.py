"""Takes a closed chain past a configuration in which its loops are singular, on the branch along its velocity.

There a condition follows from the others, as where all links of a parallelogram are in line, and branches of the
configurations may meet. The motion on one branch is smooth, but accelerations that are computed beside it lose digits
as the configuration comes near. So one step of RK4 leads past it, with closed loops at its stages. It is taken from so
near that its error is below rounding, and the state beyond must be on a branch, too.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from qddot.motion.simulate.plant import Plant
from qddot.motion.simulate.stepping import mixing
from qddot.motion.simulate.stepping.machine import Machine
from qddot.motion.simulate.stepping.schemes import CLASSICAL

Array = NDArray[np.float64]
PAST = 3.0  # times the way to the singular configuration that a step takes
WAY = 0.1  # of the distance from it, along which its rate is found
SLOWEST = 1e-3  # rate of that distance, relative to the fastest coordinate, of a motion that passes by
CLOSED = 1e-9  # the largest |φ| relative to the entries of A, and |A q̇| to these and the rates, after the step


class Passage(NamedTuple):
    """This is a step past a singular configuration: its length, and the states and their rates at both ends."""

    length: float
    states: tuple[Array, Array]
    slopes: tuple[Array, Array]

    def at(self, s: float) -> Array:
        """Returns the state s seconds after the beginning, by Hermite's cubic."""
        x, h = s / self.length, self.length
        (a, b), (da, db) = self.states, self.slopes
        return a + (b - a) * x * x * (3 - 2 * x) + h * x * (1 - x) * (da * (1 - x) - db * x)


class Crossing:
    """This takes one arm past a singular configuration."""

    def __init__(self, plant: Plant, kernels: Machine, parameters: Array, step: float) -> None:
        """parameters: the arm's; step: of the run"""
        self.plant, self.kernels, self.parameters, self.step = plant, kernels, parameters, step

    def passage(self, t: float, state: Array, longest: float) -> Passage | None:
        """Returns the step from a state near a singular configuration, or None if the motion does not lead past it.

        longest: the seconds that are left
        """
        first = self._closed(state)
        slope = self._slope(t, first)
        length = min(longest, self._length(first, slope))
        if not length > 0:
            return None
        x, total, h = first, first, length
        for node, ahead, weight in zip(CLASSICAL.nodes, CLASSICAL.ahead, CLASSICAL.weights, strict=True):
            k = self._slope(t + node * h, self._closed(x))
            x, total = first + ahead * h * k, total + weight * h * k
        if not self._is_on_a_branch(total):
            return None
        last = self._closed(total)
        return Passage(length, (first, last), (slope, self._slope(t + h, last)))

    def _length(self, state: Array, slope: Array) -> float:
        """Returns the length of the step, 0 if the distance from the singular configuration hardly changes."""
        own, fastest = self._distance(state), np.abs(state[self.plant.at_rates]).max()
        if not fastest:
            return 0.0
        τ = WAY * own / fastest
        rate = (self._distance(state + τ * slope) - own) / τ
        return float(PAST * own / abs(rate)) if abs(rate) > SLOWEST * fastest else 0.0

    def _distance(self, state: Array) -> float:
        _, A, _ = self.kernels.conditions(state[self.plant.at_q], np.zeros(0), self.parameters)
        return float(mixing.distance(self.plant, A))

    def _is_on_a_branch(self, state: Array) -> bool:
        phi, A, _ = self.kernels.conditions(state[self.plant.at_q], np.zeros(0), self.parameters)
        rates = state[self.plant.at_rates]
        scale = CLOSED * np.abs(A).max()
        return bool(np.abs(phi).max() <= scale and np.abs(A @ rates).max() <= scale * np.abs(rates).max())

    def _closed(self, state: Array) -> Array:
        moving, new = slice(self.plant.at_rates.stop), state.copy()
        new[moving] = self.kernels.closing(state[moving], np.zeros(0), self.parameters)
        return new

    def _slope(self, t: float, state: Array) -> Array:
        slope: Array = self.kernels.slopes(state, self.plant.row(t, self.step), self.parameters)
        return slope
