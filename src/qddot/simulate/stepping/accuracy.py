"""A Tolerance says how far off a step may be: relative to the state, and at least an absolute error."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any

import numpy as np

from qddot.errors import SimulationError, shortened


@dataclass(frozen=True)
class Tolerance:
    """A step may be off by `relative` times the state's size, or by `absolute` where that is more [rad, m, rad/s …]."""

    relative: float
    absolute: float

    def finer(self, method: str) -> Tolerance:
        """Returns a hundredth of this tolerance, or the least that a method has."""
        return Tolerance(max(self.relative / 100, LEAST[method]), self.absolute / 100)


USUAL = {"dop853": Tolerance(1e-10, 1e-12), "radau": Tolerance(1e-10, 1e-12), "taylor": Tolerance(1e-14, 1e-14)}
LEAST = {"dop853": 2.3e-14, "radau": 2.3e-14, "taylor": 1e-15}  # relative ones, some roundings of a double
LARGEST = 0.1


def tolerance_of(value: Any, method: str) -> Tolerance | None:
    """Returns the tolerance that a user gives: a number, or (relative, absolute); None where steps are fixed.

    raises SimulationError: no positive numbers, less than doubles can, or a method with fixed steps
    """
    if method not in USUAL:
        if value is not None:
            raise SimulationError(
                f"tolerance = {shortened(value)} with {method}, whose steps are fixed", expected=", ".join(USUAL)
            )
        return None
    if value is None:
        return USUAL[method]
    if isinstance(value, tuple | list) and len(value) == 2:
        relative, absolute = (_positive(each) for each in value)
    else:
        relative = _positive(value)
        absolute = relative * USUAL[method].absolute / USUAL[method].relative
    if not LEAST[method] <= relative <= LARGEST:
        raise SimulationError(
            f"a relative tolerance of {relative:g}",
            expected=f"{LEAST[method]:g} … {LARGEST:g} with {method}",
            remedy=f"doubles do not tell smaller errors from rounding: take {LEAST[method]:g}"
            if relative < LEAST[method]
            else "",
        )
    return Tolerance(relative, absolute)


def _positive(value: Any) -> float:
    is_number = isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool)
    if not is_number or not 0 < value <= sys.float_info.max:
        raise SimulationError(
            f"tolerance = {shortened(value)}", expected="a number above zero, or two: (relative, absolute)"
        )
    return float(value)
