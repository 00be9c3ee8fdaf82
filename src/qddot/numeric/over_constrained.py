"""Chooses the independent conditions of a mechanism that can move only because its lengths are special.

The conditions of an over-constrained mechanism, such as Bennett's linkage or a bar on three parallel cranks, depend on
one another where its loops are closed, and not elsewhere. So A has a smaller rank there, which is found in doubles: it
must stay the same along the motion, else the configuration is singular. The conditions that are left out hold as long
as this rank stays the same. Source: Müller, "Generic mobility of rigid body mechanisms", Mechanism and Machine Theory
44, 2009.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from qddot.dynamics.independent import Choice, places_of
from qddot.errors import EvaluationError, ModelError, number_of
from qddot.model.closed_model import ClosedModel
from qddot.numeric.assembly import closed_near
from qddot.numeric.manifold import difference, integrate
from qddot.numeric.spanning import first_columns

Array = NDArray[np.float64]
DEPENDENT = 1e-6  # the part of a row that others do not span, relative to the longest row, in a dependent one
STEP = 1e-2  # of q along the motion, where the rank is examined again [rad or m]


def chosen_near(
    model: ClosedModel, independent: object, functions: Callable[[Array], tuple[Array, Array]], guess: Array
) -> Choice:
    """Returns independent coordinates and conditions as at the closed configuration nearest to a guess.

    independent: names, or None for the first coordinates that determine the others; functions: returns φ and A at q
    raises ModelError: wheels roll, nothing can move there, or the coordinates do not determine the others
    raises EvaluationError: the loops cannot be closed near the guess, or are singular there
    """
    if not model.integrable:
        raise ModelError("near= for a chain with rolling wheels", where=model.name, expected="a chain with loops alone")
    n = model.tree.n
    every = Choice((), tuple(range(n)), ())
    q = closed_near(model, every, functions, guess)
    A = functions(q)[1]
    conditions = _independent_rows(A)
    for direction in np.linalg.svd(A)[2][len(conditions) :]:
        there = closed_near(model, every, functions, integrate(model.tree, q, direction, STEP))
        stays = direction @ difference(model.tree, q, there) < STEP / 2
        if stays or len(_independent_rows(functions(there)[1])) != len(conditions):
            free = number_of(n - len(conditions), "coordinate")
            raise EvaluationError(
                f"a singular configuration: the conditions of the loops leave {free} free there, but fewer nearby",
                where=model.name,
                remedy="give another configuration",
            )
    if len(conditions) == n:
        raise ModelError(
            "the conditions leave no coordinate free, not even where the loops are closed",
            where=model.name,
            expected="a mechanism that moves",
            remedy="remove conditions by another type of loop",
        )
    dependent = tuple(sorted(n - 1 - k for k in _independent_rows(A[conditions].T[::-1])))
    if independent is not None:
        places = places_of(model, independent)
        dependent = tuple(k for k in range(n) if k not in places)
        if len(dependent) != len(conditions) or len(_independent_rows(A[conditions][:, dependent].T)) < len(conditions):
            names = ", ".join(model.tree.coordinates[k] for k in places)
            raise ModelError(
                f"independent coordinates {names}",
                where=model.name,
                expected=f"{number_of(n - len(conditions), 'coordinate')} from which all others follow",
            )
    return Choice(tuple(k for k in range(n) if k not in dependent), dependent, tuple(conditions), near=True)


def _independent_rows(A: Array) -> list[int]:
    """Returns the first rows that span all rows."""
    return first_columns(A.T, range(len(A)), DEPENDENT)
