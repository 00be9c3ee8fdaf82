"""Mixes the conditions of a chain that was opened near a configuration, so that they are independent along its motion.

Such a chain moves because some of its conditions follow from the others where its loops are closed. Which ones do may
change: along an axis that turns into the plane of a linkage, or at 180° in Bennett's linkage. With the singular value
decomposition A = U Σ Vᵀ at a state, the conditions Wᵀ = U₁ of the largest singular values are independent about it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from qddot.machine.compilers.batch import BatchFunction
from qddot.motion.simulate.plant import Plant

NEAREST = 1e-5  # the distance from a singular configuration from which on accelerations have enough digits
USUAL = 1e-2  # the least distance that others are compared with, also if a run begins nearer


def mixed(plant: Plant, conditions: BatchFunction, q: Any, discrete_state: Any, parameters: Any) -> Any:
    """Returns the parameters with the W of each state, (…, P); they stay as they are if nothing has to be mixed.

    conditions: (q, discrete state, parameters) → φ, A and det A Aᵀ; see `schemes.conditions`
    """
    assert plant.closed
    count, rows = plant.closed.mixing
    if not count:
        return parameters
    W = weights(conditions(q, discrete_state, parameters)[1], count)
    new = np.array(np.broadcast_to(parameters, (*W.shape[:-1], parameters.shape[-1])))
    new[..., -1 - count * rows : -1] = W
    return new


def weights(A: Any, count: int) -> Any:
    """Returns the W of each A, row by row, (…, count · rows); count: how many conditions are independent."""
    left = np.linalg.svd(np.nan_to_num(A))[0]  # an arm that has stopped has NaN
    return np.swapaxes(left[..., :count], -1, -2).reshape(*left.shape[:-2], -1)


def distance(plant: Plant, A: Any) -> Any:
    """Returns how far each state is from a singular configuration, (…).

    It is the least of the singular values that A has along the motion, relative to the largest.
    """
    assert plant.closed
    rank = len(plant.closed.choice.conditions)
    if not rank:
        return np.ones(np.shape(A)[:-2])
    sizes = np.linalg.svd(A, compute_uv=False)
    return sizes[..., rank - 1] / sizes[..., 0]
