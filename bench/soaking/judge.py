"""How far a result may be from the judge's: a part of the bound of what was added up to it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from soaking.trial import Finding

ROUNDING = 1e-13  # some hundred operations beside the bound of all that is added up
SLOPE = 1e-11  # of derivatives, which have more products than what they derive
TINY = 1e-290  # below it doubles lose digits


def apart(what: str, found: Any, expected: Any, bound: Any, tolerance: float) -> Iterator[Finding]:
    """A finding where |found − expected| > tolerance · bound, elementwise."""
    found, expected = np.asarray(found), np.asarray(expected)
    if found.shape != expected.shape:
        yield Finding(f"{what}: shape", f"{what} has the shape {found.shape} in place of {expected.shape}")
        return
    bound = np.broadcast_to(np.asarray(bound, dtype=float), expected.shape)
    with np.errstate(invalid="ignore", over="ignore"):
        wrong = ~(np.abs(found - expected) <= tolerance * bound + TINY)
    if wrong.any():
        k = tuple(np.argwhere(wrong)[0])
        numbers = f"{found[k]!r} in place of {expected[k]!r}, bound {bound[k]:.3g}"
        yield Finding(f"{what}: wrong", f"{what}[{', '.join(map(str, k))}] is {numbers}")
