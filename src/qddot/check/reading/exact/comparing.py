"""Compares sequences of polynomials."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def are_equal(values: Sequence[Any], entries: Sequence[Any]) -> bool:
    """Returns whether polynomials are equal one by one, and as many."""
    return len(values) == len(entries) and not any(a - b for a, b in zip(values, entries, strict=True))
