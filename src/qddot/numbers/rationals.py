"""Exact numbers, as Python has them and as FLINT has them."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from flint import fmpq

from qddot.errors import ExactnessError, shortened


def in_flint(value: Any) -> Any:
    """Returns an integer or a fraction as FLINT takes it; raises ExactnessError for anything else."""
    if isinstance(value, int):
        return value
    if isinstance(value, Fraction):
        return fmpq(value.numerator, value.denominator)
    raise ExactnessError(f"{shortened(value)} in an exact calculation", expected="an integer or a Fraction")


def fraction(number: fmpq) -> Fraction:
    """Returns a number of FLINT's as a fraction."""
    return Fraction(int(number.p), int(number.q))
