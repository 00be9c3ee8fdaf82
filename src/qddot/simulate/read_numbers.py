"""Reads the numbers that people give to laws, trajectories and forces."""

from __future__ import annotations

from typing import Any

import numpy as np

from qddot.errors import SimulationError, shortened


def finite(value: Any, what: str) -> Any:
    """Returns a new array of floats. raises SimulationError: what is no number, or not finite"""
    try:
        numbers = np.array(value, dtype=float)
    except (TypeError, ValueError):
        raise SimulationError(f"{what} is {shortened(value)}", expected="numbers") from None
    if not np.isfinite(numbers).all():
        raise SimulationError(f"{what} has entries that are not finite", expected="finite numbers")
    return numbers


def gains(value: Any, what: str) -> Any:
    """Returns numbers from 0 on. raises SimulationError: others"""
    numbers = finite(value, what)
    if (numbers < 0).any():
        raise SimulationError(f"{what} is {numbers.min():g}", expected="numbers from 0 on")
    return numbers
