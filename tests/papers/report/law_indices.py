"""Lists the indices of which the sentences of reports speak: of links, joints and pairs of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

ORIGIN = "v̇_i = R_{a,i}ᵀ (v̇_j + ω̇_j × r_{a,i} + ω_j × (ω_j × r_{a,i}))"


def _leading(arm: Any, j: int) -> int:
    return arm.joints[j - 1].index + 1


def _parents(arm: Any) -> Iterator[dict[str, int]]:
    for link in arm.links:
        yield {"i": link.index + 1, "j": 0 if link.parent is None else link.parent + 1}


def _joints(arm: Any) -> Iterator[dict[str, int]]:
    yield from ({"i": _leading(arm, j), "j": j} for j in range(1, arm.n + 1))


def _carried(arm: Any) -> Iterator[dict[str, int]]:
    for link, j in product(arm.links, range(1, arm.n + 1)):
        if arm.carries(_leading(arm, j) - 1, link.index):
            yield {"i": link.index + 1, "j": j}


def _composites(arm: Any) -> Iterator[dict[str, int]]:
    for i, j in product(range(1, arm.n + 1), repeat=2):
        k, n = _leading(arm, i), _leading(arm, j)
        if arm.carries(k - 1, n - 1):
            yield {"i": i, "j": j, "k": k, "n": n}


def _columns(arm: Any, turning: bool) -> Iterator[dict[str, int]]:
    for indices in _carried(arm):
        joint = arm.joints[indices["j"] - 1]
        if joint.kind.is_revolute == turning:
            yield indices | {"k": joint.index + 1}


def _outward(arm: Any, turning: bool) -> Iterator[dict[str, int]]:
    for link in arm.links:
        if link.dof is not None and link.kind.is_revolute == turning:
            yield {"i": link.index + 1, "j": 0 if link.parent is None else link.parent + 1, "k": link.dof + 1}


def _driven(arm: Any) -> Iterator[dict[str, int]]:
    yield from _outward(arm, True)
    yield from _outward(arm, False)


def _chains(arm: Any) -> Iterator[dict[str, int]]:
    for k, n in product(arm.links, arm.links):
        if n.dof is not None and arm.carries(k.index, n.index):
            yield {"k": k.index + 1, "n": n.index + 1}


def _moved(arm: Any) -> Iterator[dict[str, int]]:
    yield from ({"i": i, "k": _leading(arm, i)} for i in range(1, arm.n + 1))


def _rows(arm: Any) -> Iterator[dict[str, int]]:
    yield from ({"link": link.index + 1} for link in arm.links)


def _turning(arm: Any) -> Iterator[dict[str, int]]:
    yield from ({"i": link.index + 1} for link in arm.links if link.dof is not None and link.kind.is_revolute)


def _increasing(arm: Any) -> Iterator[dict[str, int]]:
    n = range(1, arm.n + 1)
    yield from ({"i": i, "j": j, "k": k} for i, j, k in product(n, n, n) if j < k)


def _not_before(arm: Any) -> Iterator[dict[str, int]]:
    for i, j in product(range(1, arm.n + 1), repeat=2):
        if i != j and not arm.carries(_leading(arm, i) - 1, _leading(arm, j) - 1):
            yield {"i": i, "j": j}


CONDITIONS: dict[str, Callable[[Any], Iterator[dict[str, int]]]] = {  # which indices a sentence speaks of
    "⁰T_i = ⁰T_j A_i": _parents,
    "∂A_i/∂q_j = Q_j A_i": _joints,
    "ℬ_ij = Ad(H_i⁻¹) 𝒮_j": _carried,
    "M_ij = Φ_kᵀ F_kn^{c}": _composites,
    "M_ij = Φ_kᵀ F_kn^{c} + M_ij^{r}": _composites,
    "F_kn^{c} = X_knᵀ I_n^{c} Φ_n": _chains,
    "G_i = −Φ_kᵀ W_k": _moved,
    "J_{v,ij} = z_k × (p_{c,i} − o_k)": lambda arm: _columns(arm, True),
    "J_{v,ij} = z_k": lambda arm: _columns(arm, False),
    "J_{ω,ij} = z_k": lambda arm: _columns(arm, True),
    "ω_i = R_{a,i}ᵀ ω_j + e_i q̇_k": lambda arm: _outward(arm, True),
    "ω_i = R_{a,i}ᵀ ω_j": lambda arm: _outward(arm, False),
    "ω̇_i = R_{a,i}ᵀ ω̇_j + ω_i × e_i q̇_k + e_i q̈_k": lambda arm: _outward(arm, True),
    "ω̇_i = R_{a,i}ᵀ ω̇_j": lambda arm: _outward(arm, False),
    "V_i = Ad(A_i⁻¹) V_j + ℬ_ik q̇_k": _driven,
    "V̇_i = Ad(A_i⁻¹) V̇_j + ad_{V,i} ℬ_ik q̇_k + ℬ_ik q̈_k": _driven,
    "v_i = R_{a,i}ᵀ (v_j + ω_j × p_{a,i})": lambda arm: _outward(arm, True),
    "v_i = R_{a,i}ᵀ (v_j + ω_j × (p_{a,i} + R_{a,i} ρ_i)) − ω_i × ρ_i": lambda arm: _outward(arm, True),
    "v_i = R_{a,i}ᵀ (v_j + ω_j × p_{a,i}) + e_i q̇_k": lambda arm: _outward(arm, False),
    f"{ORIGIN} − ω̇_i × ρ_i − ω_i × (ω_i × ρ_i)": lambda arm: _outward(arm, True),
    ORIGIN: lambda arm: _outward(arm, True),
    f"{ORIGIN.replace('r_{a,i}', 'p_{a,i}')} + 2 ω_i × e_i q̇_k + e_i q̈_k": lambda arm: _outward(arm, False),
    "A = R_z(θ) T_z(d) T_x(a) R_x(α)": _rows,
    "A = R_x(α) T_x(a) R_z(θ) T_z(d)": _rows,
    "RᵀR = 1": _rows,
    "det R = 1": _rows,
    "n_i^{e} = n_i − ρ_i × f_i": _turning,
    "B_{i,jk} = 2 Γ_ijk": _increasing,
    "Γ_iji = 0": _not_before,
}
