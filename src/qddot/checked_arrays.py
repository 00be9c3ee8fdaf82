"""Reads the numbers that people give to laws, trajectories and forces."""

from __future__ import annotations

from typing import Any

import numpy as np

from qddot.errors import SimulationError, shortened


def numbers(value: Any, what: str, expected: str = "numbers") -> Any:
    """Returns a new array of floats. raises SimulationError: texts, complex numbers, anything that is no number"""
    try:
        raw = np.asarray(value)
        if raw.dtype.kind not in "iufO" or (raw.dtype.kind == "O" and any(map(_is_none, raw.flat))):
            raise TypeError
        return np.array(value, dtype=float)
    except (TypeError, ValueError, OverflowError, RecursionError):
        raise SimulationError(f"{what} is {shortened(value)}", expected=expected) from None


def _is_none(value: Any) -> bool:
    """Returns whether an object is not a real number, though conversion to one would succeed or drop a part of it."""
    return isinstance(value, str | bytes | bool | complex | np.complexfloating)


def finite(value: Any, what: str) -> Any:
    """Returns a new array of floats. raises SimulationError: entries that are no numbers or not finite"""
    read = numbers(value, what)
    if not np.isfinite(read).all():
        raise SimulationError(f"{what} has entries that are not finite", expected="finite numbers")
    return read


def gains(value: Any, what: str) -> Any:
    """Returns numbers from 0 on. raises SimulationError: others"""
    read = finite(value, what)
    if (read < 0).any():
        raise SimulationError(f"{what} is {read.min():g}", expected="numbers from 0 on")
    return read
