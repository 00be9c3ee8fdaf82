"""Radii say how wide the box is that a certified run begins in."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from qddot.checked import real
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
        radius = real(certified, "certified", 0, LARGEST, error=SimulationError)
        return Radii(radius, radius)
    names = ("q", "qd", *symbols)
    for name in certified:
        if name not in names:
            raise SimulationError(f"no radius of {shortened(name)}", remedy=did_you_mean(str(name), names))
    read = {name: real(radius, name, 0, LARGEST, error=SimulationError) for name, radius in certified.items()}
    return Radii(read.pop("q", 0.0), read.pop("qd", 0.0), read)
