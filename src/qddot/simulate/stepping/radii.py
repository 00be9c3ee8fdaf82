"""Radii say how wide the box is that a certified run begins in."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from qddot.errors import SimulationError, did_you_mean, shortened

CERTIFIED = "certified"  # what a run is called whose solution is enclosed


LARGEST = 1e300  # half-width


@dataclass(frozen=True)
class Radii:
    """These are the half-widths of the box that a certified run begins in: of q, of q̇, and of symbols by name."""

    q: float = 0.0
    qd: float = 0.0
    symbols: Mapping[str, float] | None = None


def radii_of(certified: Any, symbols: Iterable[str]) -> Radii | None:
    """Returns the radii that a user asks for: True, a number for q and q̇, or a mapping; None for False.

    raises SimulationError: anything else
    """
    if isinstance(certified, bool):
        return Radii() if certified else None
    if not isinstance(certified, Mapping):
        radius = _radius(certified, "certified")
        return Radii(radius, radius)
    names = ("q", "qd", *symbols)
    for name in certified:
        if name not in names:
            raise SimulationError(f"no radius of {shortened(name)}", remedy=did_you_mean(str(name), names))
    read = {name: _radius(radius, name) for name, radius in certified.items()}
    return Radii(read.pop("q", 0.0), read.pop("qd", 0.0), read)


def _radius(value: Any, what: str) -> float:
    is_number = isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool)
    if not is_number or not 0 <= value <= LARGEST:
        raise SimulationError(f"{what} = {shortened(value)}", expected="True, or a half-width from 0 on")
    return float(value)
