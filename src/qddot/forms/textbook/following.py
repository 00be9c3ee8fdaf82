"""C, B, C2, h, τ, K and L put together from M, Γ, G, P and the joints' own torques, with nothing multiplied out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any, TypeAlias

from qddot.dynamics import coriolis
from qddot.equations.quantities import JOINT_PARTS
from qddot.numbers.exact import Polynomial, Ring

FOLLOWS = {  # what is put together from other quantities, and so is equal if these are
    "C": ("christoffel",),
    "B": ("christoffel",),
    "C2": ("christoffel",),
    "h": ("christoffel",),
    "tau": ("M", "christoffel", "G", *JOINT_PARTS),
    "K": ("M",),
    "L": ("M", "P"),
}
Entries: TypeAlias = Callable[[str], Sequence[Polynomial]]


def put_together(name: str, entries: Entries, ring: Ring) -> list[Any]:
    """Returns the entries of a quantity that follows from others; entries: those of another quantity, by its name"""
    following = _Following(entries, ring)
    by_name: dict[str, Callable[[], list[Any]]] = {
        "C": lambda: _flat(coriolis.coriolis_matrix(following.gamma, following.rates)),
        "B": lambda: _flat(coriolis.coriolis_products(following.gamma)),
        "C2": lambda: _flat(coriolis.centrifugal_matrix(following.gamma)),
        "h": lambda: coriolis.velocity_torques(following.gamma, following.rates),
        "tau": following.torques,
        "K": lambda: [following.kinetic_energy()],
        "L": lambda: [following.kinetic_energy() - entries("P")[0]],
    }
    return by_name[name]()


class _Following:
    def __init__(self, entries: Entries, ring: Ring) -> None:
        self.entries, self.ring = entries, ring
        self.rates = [ring.rate(name) for name in ring.coordinates]

    @cached_property
    def gamma(self) -> list[list[list[Any]]]:
        planes = _rows(self.entries("christoffel"), len(self.rates) ** 2)
        return [_rows(plane, len(self.rates)) for plane in planes]

    def torques(self) -> list[Any]:
        accelerations = [self.ring.acceleration(name) for name in self.ring.coordinates]
        parts = [self.entries(name) for name in ("h", "G", *JOINT_PARTS)]
        inertial = [
            sum((a * b for a, b in zip(row, accelerations, strict=True)), self.ring.zero)
            for row in _rows(self.entries("M"), len(self.rates))
        ]
        return [sum(others, row) for row, *others in zip(inertial, *parts, strict=True)]

    def kinetic_energy(self) -> Any:
        """Returns ½ q̇ᵀ M q̇."""
        total: Any = self.ring.zero
        for i, row in enumerate(_rows(self.entries("M"), len(self.rates))):
            for j in range(i, len(row)):
                total = total + row[j] * self.rates[i] * self.rates[j] * (Fraction(1, 2) if i == j else 1)
        return total


def _rows(flat: Sequence[Polynomial], width: int) -> list[list[Any]]:
    return [list(flat[k : k + width]) for k in range(0, len(flat), width)]


def _flat(nested: Any) -> list[Any]:
    return [entry for row in nested for entry in row]
