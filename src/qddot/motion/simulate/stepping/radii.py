"""Radii give the size of the box in which an enclosed run begins."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from qddot.base.checked import real
from qddot.base.errors import SimulationError, did_you_mean, shortened
from qddot.base.records import record

LARGEST = 1e300  # half-width


@record()
class Radii:
    """These are the half-widths of the box in which an enclosed run begins: of q, of q̇, and of symbols by name."""

    q: float = 0.0
    qd: float = 0.0
    symbols: Mapping[str, float] | None = None


def radii_of(radius: Any, symbols: Iterable[str]) -> Radii:
    """Returns the radii that a user gives: a number for q and q̇, or a mapping with "q", "qd" and names of symbols.

    raises SimulationError: anything else
    """
    if not isinstance(radius, Mapping):
        both = real(radius, "radius", 0, LARGEST, error=SimulationError)
        return Radii(both, both)
    names = ("q", "qd", *symbols)
    for name in radius:
        if name not in names:
            raise SimulationError("no-radius", name=shortened(name), remedy=did_you_mean(str(name), names))
    sizes = {name: real(size, name, 0, LARGEST, error=SimulationError) for name, size in radius.items()}
    return Radii(sizes.pop("q", 0.0), sizes.pop("qd", 0.0), sizes)
