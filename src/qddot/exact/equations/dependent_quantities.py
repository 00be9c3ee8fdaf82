"""Computes C, B, C2, h, τ, K and L from M, Γ, G, P and the torques of joint effects, over entries of any kind."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from qddot.algebra.spatial import divided, summed
from qddot.physics.algorithms import coriolis
from qddot.physics.derivation import Derivation

JOINT_PARTS = ("springs", "friction")  # quantities of joint effects, in addition to those of the bodies
Entries: TypeAlias = Any  # nested lists, or a number for a scalar


class EntriesByName:
    """These are the entries of quantities by name: those that are given, and those that follow from them.

    entries_of: returns the entries of a quantity that does not follow from others, or is in `own`
    """

    def __init__(
        self, entries_of: Callable[[str], Entries], qd: Sequence[Any], qdd: Sequence[Any], own: Collection[str] = ()
    ) -> None:
        self.qd, self.qdd = qd, qdd
        self._given, self._own = entries_of, own
        self._known: dict[str, Entries] = {}

    def __getitem__(self, name: str) -> Entries:
        if name not in self._known:
            follows = name in DEPENDENT and name not in self._own
            self._known[name] = DEPENDENT[name].entries(self) if follows else self._given(name)
        return self._known[name]


class Dependent(NamedTuple):
    """This is a quantity that follows from others, so that it is equal in two models if those are."""

    entries: Callable[[EntriesByName], Entries]
    of: tuple[str, ...]


def _torques(of: EntriesByName) -> list[Any]:
    inertial = (summed(a * b for a, b in zip(row, of.qdd, strict=True)) for row in of["M"])
    others = zip(*(of[name] for name in ("h", "G", *JOINT_PARTS)), strict=True)
    return [summed((first, *rest)) for first, rest in zip(inertial, others, strict=True)]


def _kinetic_energy(of: EntriesByName) -> Any:
    """Returns ½ q̇ᵀ M q̇, computed from one entry of each symmetric pair."""
    rows, rates = of["M"], of.qd
    squares = summed(divided(rows[i][i] * rate * rate, 2) for i, rate in enumerate(rates))
    return squares + summed(rows[i][j] * rates[i] * rates[j] for i in range(len(rates)) for j in range(i))


def torques_of(derivation: Derivation, qd: Sequence[Any], qdd: Sequence[Any]) -> list[Any]:
    """Returns the torques M q̈ + h + G of the bodies."""
    nothing = [0] * len(derivation.G)
    parts = {"M": derivation.M, "christoffel": derivation.christoffel, "G": derivation.G}
    return _torques(EntriesByName(lambda name: parts.get(name, nothing), qd, qdd))


DEPENDENT: Mapping[str, Dependent] = {
    "C": Dependent(lambda of: coriolis.coriolis_matrix(of["christoffel"], of.qd), ("christoffel",)),
    "B": Dependent(lambda of: coriolis.coriolis_products(of["christoffel"]), ("christoffel",)),
    "C2": Dependent(lambda of: coriolis.centrifugal_matrix(of["christoffel"]), ("christoffel",)),
    "h": Dependent(lambda of: coriolis.velocity_torques(of["christoffel"], of.qd), ("christoffel",)),
    "tau": Dependent(_torques, ("M", "christoffel", "G", *JOINT_PARTS)),
    "K": Dependent(_kinetic_energy, ("M",)),
    "L": Dependent(lambda of: of["K"] - of["P"], ("M", "P")),
}
