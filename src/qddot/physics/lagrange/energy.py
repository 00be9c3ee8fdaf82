"""Derives Lagrange's equations from the energies alone: L = K − P, τ = d/dt ∂L/∂q̇ − ∂L/∂q.

M, Γ and G are read off τ as its derivatives; no mass matrix is computed before. With quasi-velocities ν the equations
are those of Boltzmann and Hamel, τ_i = d/dt ∂L/∂ν_i − X_i L + Σ_jl c^l_ij ν_j ∂L/∂ν_l.
Source: Greenwood, *Advanced Dynamics*, 2003, §4.3.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from qddot.algebra.spatial import Number, Pose, Twist, divided, summed
from qddot.physics.derivation import Calculus, Derivation, LagrangeTerms, Torques, read_off
from qddot.physics.mechanism import Mechanism


def derive(mechanism: Mechanism, calculus: Calculus) -> Derivation | Torques:
    """Returns M_ij = ∂τ_i/∂q̈_j, Γ_ijk = ½ ∂²τ_i/∂q̇_j∂q̇_k, and G as the rest of τ, or τ alone.

    In the steps, K, L and the momenta include the armature. If all velocities are rates, Ṁ q̇ − ½ [q̇ᵀ M_q q̇] with
    M_q,i = ∂M/∂q_i are the velocity torques.
    """
    by_q, by_qd, rate = calculus.by_q, calculus.by_qd, calculus.rate
    assert by_q and by_qd and rate, "a kind of number with derivatives"
    V, T = mechanism.twists, _poses(mechanism)
    P_links = potential_energies(mechanism, T)
    K_links = [divided(twice, 2) for twice in mechanism.twice_kinetic_energies]
    K, P = summed(K_links), summed(P_links)
    armature = summed(effect.kinetic_energy(mechanism) for effect in mechanism.effects)
    L = K - P
    of_L = LagrangeTerms.of(L, mechanism.n, calculus)
    momenta, rates, forces = of_L
    turned: list[Number] = [0] * mechanism.n
    for (i, j), terms in mechanism.brackets.items():
        turned[i] = turned[i] + summed(momenta[k] * c for k, c in terms) * mechanism.qd[j]
    tau = [torque + more for torque, more in zip(of_L.tau, turned, strict=True)]
    steps = {
        "w": [list(twist.w) for twist in V],
        **velocities(mechanism, V),
        **_in_base_axes(mechanism, V, T, rate),
        "K_links": K_links,
        "P_links": P_links,
        "K": K + armature,
        "P": P,
        "L": L + armature,
        "dL_dqd": [momentum + by_qd(armature, i) for i, momentum in enumerate(momenta)],
        "dp": lambda: [of_bodies + rate(by_qd(armature, i)) for i, of_bodies in enumerate(rates)],
        "dL_dq": forces,
        **({"eta": turned} if mechanism.brackets else {}),
        "tau_bodies": tau,
    }
    derivation = read_off(tau, mechanism.qd, mechanism.qdd, calculus, steps, mechanism.brackets)
    if not isinstance(derivation, Derivation) or mechanism.brackets:
        return derivation
    M = derivation.M
    slopes = {
        "M_q": lambda: [[[by_q(entry, k) for entry in row] for row in M] for k in range(mechanism.n)],
        "M_rate": lambda: [[rate(entry) for entry in row] for row in M],
    }
    return derivation._replace(steps={**steps, **slopes})


def velocities(mechanism: Mechanism, V: Sequence[Twist]) -> dict[str, list[list[Number]]]:
    """Returns velocities along the links' axes: of the centres of mass, or of all origins if a centre is not given."""
    centres = [link.com for link in mechanism.links]
    if None in centres:
        return {"v": [list(twist.v) for twist in V]}
    return {"v_c": [list(twist.v + twist.w.cross(c)) for twist, c in zip(V, centres, strict=True) if c is not None]}


def _in_base_axes(
    mechanism: Mechanism, V: Sequence[Twist], T: Sequence[Pose], rate: Callable[[Any], Any]
) -> dict[str, Callable[[], Any]]:
    """Returns ṗ_c, ω and R I_c Rᵀ of the links along the base's axes, if all centres of mass are given."""
    links = [(link.inertia, link.com, pose) for link, pose in zip(mechanism.links, T, strict=True) if link.com]
    if len(links) < len(T):
        return {}
    return {
        "dp_c": lambda: [[rate(x) for x in pose.apply(c)] for _, c, pose in links],
        "w_base": lambda: [list(pose.R.apply(twist.w)) for pose, twist in zip(T, V, strict=True)],
        "I_base": lambda: [list(map(list, body.central_tensor(c).rotated(pose.R).rows())) for body, c, pose in links],
    }


def potential_energies(mechanism: Mechanism, T: Sequence[Pose]) -> list[Number]:
    """Returns −gᵀ m p_c of each link, zero at the world's origin. T: the poses of the links"""
    links = zip(mechanism.links, T, strict=True)
    return [-mechanism.gravity.dot(pose.R.apply(link.inertia.h) + pose.p * link.inertia.m) for link, pose in links]


def _poses(mechanism: Mechanism) -> list[Pose]:
    T: list[Pose] = []
    for link in mechanism.links:
        step = link.X.pose()
        T.append(step if link.parent is None else T[link.parent] @ step)
    return T
