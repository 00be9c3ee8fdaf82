"""Kinetic and potential energy, and momentum."""

from __future__ import annotations

from qddot.dynamics.kinematics import poses, twists
from qddot.model.mechanism import Mechanism
from qddot.spatial import Number, Vec3, divided


def kinetic_energy(arm: Mechanism) -> Number:
    """K = ½ Σ Vᵀ 𝒢 V of the bodies, along their own axes; rotors apart [J]."""
    total: Number = 0
    for link, V in zip(arm.links, twists(arm), strict=True):
        total = total + link.inertia.twice_kinetic_energy(V)
    return divided(total, 2)  # type: ignore[no-any-return]


def kinetic_energy_in_base(arm: Mechanism) -> Number:
    """The same along the base's axes: ½ Σ (m v² + 2 v · ω × R h + ωᵀ R I Rᵀ ω)."""
    total: Number = 0
    for link, V, T in zip(arm.links, twists(arm), poses(arm), strict=True):
        w, v, h = T.R.apply(V.w), T.R.apply(V.v), T.R.apply(link.inertia.h)
        spin = T.R.apply(link.inertia.I.apply(T.R.T.apply(w)))
        total = total + v.dot(v) * link.inertia.m + v.dot(w.cross(h)) * 2 + w.dot(spin)
    return divided(total, 2)  # type: ignore[no-any-return]


def potential_energy(arm: Mechanism) -> Number:
    """P = −Σ m gᵀ p_c of the bodies, zero at the base's origin [J]; springs apart."""
    total: Number = 0
    for link, T in zip(arm.links, poses(arm), strict=True):
        moment: Vec3 = T.R.apply(link.inertia.h) + T.p * link.inertia.m
        total = total - arm.gravity.dot(moment)
    return total


def momentum(M: list[list[Number]], qd: tuple[Number, ...]) -> list[Number]:
    """p = M q̇ [kg·m²/s or kg·m/s]."""
    found: list[Number] = []
    for row in M:
        total: Number = 0
        for entry, rate in zip(row, qd, strict=True):
            total = total + entry * rate
        found.append(total)
    return found
