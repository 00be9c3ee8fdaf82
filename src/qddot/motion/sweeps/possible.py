"""Finds runs with links that are physically impossible, such as one with a negative mass."""

from __future__ import annotations

from typing import Any

import numpy as np

from qddot.algebra.program.program import Program
from qddot.base.records import record


@record()
class Bodies:
    """These are the links that depend on drawn numbers, and the program of their margins."""

    names: tuple[str, ...]
    program: Program

    def problems(self, margins: Any) -> Any:
        """Returns the impossible link of each run, (N,): 0 for none, k + 1 for the k-th link.

        margins: the program's results, (N, links)
        """
        is_bad = ~(margins >= 0)  # also where it is no number
        return np.where(is_bad.any(axis=1), is_bad.argmax(axis=1) + 1, 0).astype(np.int16)
