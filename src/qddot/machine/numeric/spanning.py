"""Chooses columns of a matrix in floats that span all of them, in a given order of preference."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

SHARES = (1e-2, 1e-4, 1e-6)  # of a column that others do not span, relative to the longest; the first that suffices


def spanning_columns(A: NDArray[np.float64], places: Sequence[int]) -> list[int] | None:
    """Returns as many columns as A has rows, the first that are well-conditioned, or None if none are independent."""
    found = (first_columns(A, places, share) for share in SHARES)
    return next((columns for columns in found if len(columns) == len(A)), None)


def first_columns(A: NDArray[np.float64], places: Sequence[int], share: float) -> list[int]:
    """Returns the first of some columns that those before them do not span, by a share of the longest column of A."""
    basis: list[NDArray[np.float64]] = []
    chosen: list[int] = []
    longest = np.linalg.norm(A, axis=0).max(initial=0.0)
    for place in places:
        rest = A[:, place].copy()
        for _ in range(2):  # twice, against rounding
            for unit in basis:
                rest -= unit * (unit @ rest)
        if np.linalg.norm(rest) > share * longest:
            basis.append(rest / np.linalg.norm(rest))
            chosen.append(place)
    return chosen
