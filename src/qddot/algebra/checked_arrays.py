"""Checks the arrays of numbers that a user gives: one function each for any shape, and for n finite numbers.

Everywhere a number may be a text, such as "30deg" or "pi/4", and an integer of any size.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from numbers import Real
from typing import Any

import numpy as np

from qddot.algebra.expressions.parser import expression
from qddot.base.errors import (
    EvaluationError,
    QddotError,
    SimulationError,
    has_masked,
    refuse_masked,
    shortened,
)
from qddot.base.words.message import Listed, Words, say

NUMBERS = say("some-numbers")
ROUNDED, NEARLY_UNIT = 1e-14, 1e-6  # deviations of a norm from 1: by rounding, and those that are corrected


def read(value: Any) -> Any:
    """Returns an array of floats where texts or integers beyond NumPy's are among numbers; anything else as it is."""
    try:
        if np.asarray(value).dtype.kind not in "UO":
            return value
        entries = np.array(value, dtype=object)  # an array of texts would have lost the numbers beside them
    except (ValueError, RecursionError):
        return value
    if not all(isinstance(entry, str | Real) and not isinstance(entry, bool) for entry in entries.flat):
        return value
    try:
        values = [expression(entry).value({}) if isinstance(entry, str) else float(entry) for entry in entries.flat]
    except (QddotError, KeyError, OverflowError):
        return value
    return np.array(values).reshape(entries.shape)


def numbers(value: Any, what: Words, expected: Words = NUMBERS, *, error: type[QddotError] = SimulationError) -> Any:
    """Returns a new array of floats.

    raises error: complex numbers, masked entries, and anything else that is not a number
    """
    return computed(value if has_masked(value) else read(value), what, expected, error=error)


def computed(value: Any, what: Words, expected: Words, *, error: type[QddotError] = SimulationError) -> Any:
    """Returns a new array of the floats that a function of a user has computed, as `numbers`, but refuses texts."""
    refuse_masked(value, what, error)
    try:
        raw = np.asarray(value)
        if raw.dtype.kind not in "iufO" or (raw.dtype.kind == "O" and any(map(_is_none, raw.flat))):
            raise TypeError
        return np.array(raw, dtype=float)
    except (TypeError, ValueError, OverflowError, RecursionError):
        raise error("not-these-numbers", what=what, value=shortened(value), expected=expected) from None


def vector(
    value: Any, what: Words, n: int, names: Sequence[str] = (), *, error: type[QddotError] = SimulationError
) -> Any:
    """Returns a new array of n finite floats. raises error: anything else; names: what the numbers belong to"""
    expected = say("count-of-finite-numbers", count=n)
    expected = say("numbers-with-names", numbers=expected, names=Listed(names)) if names else expected
    read = numbers(value, what, expected, error=error)
    if read.shape != (n,):
        raise error("of-another-shape", what=what, shape=read.shape, expected=expected)
    if not np.isfinite(read).all():
        raise error("not-these-numbers", what=what, value=read.tolist(), expected=expected)
    return read


def _is_none(value: Any) -> bool:
    """Returns whether an object is not a real number, though conversion to one would succeed or drop a part of it."""
    return isinstance(value, str | bytes | bool | complex | np.complexfloating)


def finite(value: Any, what: Words) -> Any:
    """Returns a new array of floats. raises SimulationError: entries that are not finite numbers"""
    read = numbers(value, what)
    if not np.isfinite(read).all():
        raise SimulationError("entries-not-finite", what=what)
    return read


def gains(value: Any, what: Words) -> Any:
    """Returns nonnegative numbers. raises SimulationError: anything else"""
    read = finite(value, what)
    if (read < 0).any():
        raise SimulationError("negative-numbers", what=what, least=f"{read.min():g}")
    return read


def together(arrays: Sequence[Any]) -> Sequence[Any]:
    """Returns arrays in one shape. raises EvaluationError: their batches do not fit"""
    try:
        return np.broadcast_arrays(*arrays)
    except ValueError:
        listed = Listed(str(array.shape) for array in arrays)
        raise EvaluationError("shapes-do-not-fit", listed=listed) from None


def unit_quaternions(value: Any, what: Words, *, error: type[QddotError] = EvaluationError) -> Any:
    """Returns quaternions (…, 4) of norm 1; if a norm is nearly 1, the quaternion is divided by it.

    This gives a warning, except in single precision.

    raises error: a norm that is further than 1e-6 from 1
    """
    parts = np.moveaxis(value, -1, 0)
    squares = np.einsum("i...,i...->...", parts, parts)  # sums along short rows take four times as long
    if np.abs(squares - 1).max(initial=0.0) <= ROUNDED:
        return value
    norms = np.sqrt(squares)[..., None]
    far = np.where(np.isfinite(norms), np.abs(norms - 1), 0.0)  # entries that are not finite stay so
    farthest = far.max(initial=0.0)
    if farthest <= ROUNDED:
        return value
    if value.dtype == np.float32 and farthest <= NEARLY_UNIT:
        return value / norms
    if farthest > NEARLY_UNIT:
        worst = norms.ravel()[far.argmax()]
        raise error("not-a-unit-quaternion", what=what, norm=f"{worst:.9g}")
    warnings.warn(str(say("quaternion-divided", what=what, deviation=f"{farthest:.1e}")), stacklevel=2)
    return value / norms
