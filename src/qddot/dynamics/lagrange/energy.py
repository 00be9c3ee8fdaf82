"""Derives Lagrange's equations from the energies alone: L = K − P, τ = d/dt ∂L/∂q̇ − ∂L/∂q.

M, Γ and G are read off τ as its derivatives; no mass matrix is computed before.
"""

from __future__ import annotations

from qddot.dynamics.derivation import Calculus, Derivation, Torques, read_off
from qddot.dynamics.mechanism import Mechanism
from qddot.spatial import Motion, Number, Pose, divided, summed


def derive(arm: Mechanism, calculus: Calculus) -> Derivation | Torques:
    """Returns M_ij = ∂τ_i/∂q̈_j, Γ_ijk = ½ ∂²τ_i/∂q̇_j∂q̇_k, and G as what is left of τ, or τ alone.

    In the steps K, L and the momenta are those of bodies and armature.
    """
    by_q, by_qd, rate = calculus.by_q, calculus.by_qd, calculus.rate
    assert by_q and by_qd and rate, "a kind of number with derivatives"
    K, P = kinetic_energy(arm), potential_energy(arm)
    armature = summed(effect.kinetic_energy(arm) for effect in arm.effects)
    L = K - P
    n = range(arm.n)
    momenta = [by_qd(L, i) for i in n]
    forces = [by_q(L, i) for i in n]
    tau = [rate(momenta[i]) - forces[i] for i in n]
    steps = {
        "K": K + armature,
        "P": P,
        "L": L + armature,
        "dL_dqd": [momentum + by_qd(armature, i) for i, momentum in enumerate(momenta)],
        "dL_dq": forces,
        "tau_bodies": tau,
    }
    return read_off(tau, arm.qd, arm.qdd, calculus, steps)


def kinetic_energy(arm: Mechanism) -> Number:
    """Returns ½ Σ Vᵀ 𝒢 V with each link's twist along its own axes."""
    V: list[Motion] = []
    twice: Number = 0
    for link in arm.links:
        own = Motion.zero() if link.dof is None else link.S * arm.qd[link.dof]
        V.append(own if link.parent is None else link.X.to_child(V[link.parent]) + own)
        twice = twice + link.inertia.twice_kinetic_energy(V[-1])
    return divided(twice, 2)  # type: ignore[no-any-return]


def potential_energy(arm: Mechanism) -> Number:
    """Returns −Σ gᵀ m p_c, zero at the base's origin."""
    T: list[Pose] = []
    total: Number = 0
    for link in arm.links:
        step = link.X.pose()
        T.append(step if link.parent is None else T[link.parent] @ step)
        total = total - arm.gravity.dot(T[-1].R.apply(link.inertia.h) + T[-1].p * link.inertia.m)
    return total
