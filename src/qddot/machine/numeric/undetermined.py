"""Says which coordinates the independent ones do not determine in a configuration, and which ones would."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from qddot.base.errors import EvaluationError
from qddot.base.words.message import Listed
from qddot.machine.numeric.spanning import spanning_columns
from qddot.physics.independent import Independents
from qddot.robot.closed_model import ClosedModel

LEAST_RANK = 1e-9  # the smallest singular value of A_d, relative to A's, of a configuration that is not singular
SHARE = 0.1  # of the undetermined motion, from which on a coordinate is named


def is_singular(A: NDArray[np.float64], choice: Independents) -> bool:
    """Returns whether the independent coordinates do not determine the others. A: all rows in some configuration"""
    rows = A[list(choice.conditions)]
    sizes, whole = (np.linalg.svd(part, compute_uv=False) for part in (rows[:, list(choice.dependent)], rows))
    return bool(sizes[-1] <= LEAST_RANK * max(whole[0], 1e-300))


def undetermined(
    model: ClosedModel, choice: Independents, A: NDArray[np.float64], of_loops: bool = False
) -> EvaluationError:
    """Returns the error for a configuration in which A_d is singular.

    A: all rows there; of_loops: whether the choice is that of `independent.of_loops`, which follows their order
    """
    dependent, names = list(choice.dependent), model.tree.coordinates
    A = A[list(choice.conditions)]
    motion = np.abs(np.linalg.svd(A[:, dependent])[2][-1])
    free = [names[k] for k, share in zip(dependent, motion, strict=True) if share > SHARE]
    columns = spanning_columns(A, [*dependent, *choice.independent])  # dependent ones stay if possible
    better = None if columns is None else [k for k in range(len(names)) if k not in columns]
    if better is None:
        return EvaluationError("undetermined-at-all", where=model.name, free=Listed(free))
    if of_loops:
        others = Listed(name for k, name in enumerate(names) if k not in better)
        return EvaluationError("undetermined-of-loops", where=model.name, free=Listed(free), others=others)
    listed = ", ".join(f'"{names[k]}"' for k in better)
    return EvaluationError("undetermined-here", where=model.name, free=Listed(free), others=listed)
