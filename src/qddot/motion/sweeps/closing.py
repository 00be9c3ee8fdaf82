"""Closes the loops of a sweep's runs: each begins where its own numbers let the loops close.

The independent coordinates and their rates are those that were drawn; the others follow from them, by Newton's method
from the drawn guess, also where lengths are drawn.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from qddot.machine.compilers.batch import compiled
from qddot.machine.numeric.manifold import integrate
from qddot.motion.simulate.plant import Plant
from qddot.motion.simulate.stepping import mixing
from qddot.motion.simulate.stepping.schemes import conditions
from qddot.physics.independent import of_loops

MOST_STEPS, LONGEST = 60, 0.3  # steps of Newton's method, and the length of one [rad or m]
TOLERANCE, OPEN = 1e-13, 1e-9  # of the loops at the end of the steps, and of a run that may begin [m or 1]
LEAST = 1e-9  # of singular values that count, relative to the largest
SINGULAR = 1e-6  # of det A Aᵀ at the start, at which a run ends: a thousandth of the distance
OFTEN = 50  # steps after which conditions are mixed anew


class Closing:
    """This closes the loops of a closed chain's runs, and keeps its conditions independent along them."""

    def __init__(self, plant: Plant) -> None:
        assert plant.closed
        self.plant, self._choice = plant, plant.closed.choice
        self._conditions = compiled(conditions(plant))
        self._following = list(of_loops(plant.closed.model, plant.closed.choice).dependent)
        self.renews = plant.closed.choice.near

    def start(self, q: Any, qd: Any, parameters: Any) -> tuple[Any, Any, Any, Any]:
        """Returns closed q, q̇ that keeps the loops closed, the parameters, and which runs cannot begin.

        The loops of these are open or singular.
        """
        q = self._closed(q, parameters)
        phi, A, _ = self._at(q, parameters)
        independent, dependent = list(self._choice.independent), list(self._choice.dependent)
        right = A[:, :, independent] @ qd[:, independent, None]
        moving = qd.copy()
        moving[:, dependent] = -(np.linalg.pinv(A[:, :, dependent], LEAST) @ right)[..., 0]
        lost = ~(np.abs(phi).max(axis=-1, initial=0.0) <= OPEN)
        lost |= ~(mixing.distance(self.plant, np.nan_to_num(A)) > mixing.NEAREST)
        parameters = self.mixed(q, parameters).copy()
        parameters[:, -1] = SINGULAR * self._at(q, parameters)[2][:, 0]
        return q, moving, parameters, lost

    def mixed(self, q: Any, parameters: Any) -> Any:
        """Returns the parameters with conditions that are independent at q."""
        return mixing.mixed(self.plant, self._conditions, q, self._nothing(q), parameters)

    def _nothing(self, q: Any) -> Any:
        return np.zeros((len(q), self.plant.discrete_size))

    def _at(self, q: Any, parameters: Any) -> Any:
        """Returns φ and A of all conditions, and det A Aᵀ."""
        return self._conditions(q, self._nothing(q), parameters)

    def _closed(self, q: Any, parameters: Any) -> Any:
        for _ in range(MOST_STEPS):
            phi, A, _ = self._at(q, parameters)
            if not (np.abs(phi) > TOLERANCE).any():
                break
            slopes = np.nan_to_num(A[:, : phi.shape[1], self._following])
            step = np.zeros((len(q), self.plant.n))
            step[:, self._following] = -(np.linalg.pinv(slopes, LEAST) @ np.nan_to_num(phi)[..., None])[..., 0]
            longest = np.abs(step).max(axis=1, initial=LONGEST)
            q = integrate(self.plant.model, q, step * (LONGEST / longest)[:, None])
        return q
