"""Finds how large a trilinear form becomes."""

from __future__ import annotations

import numpy as np

from qddot.proof.bounds.forms import Array

STARTS = 8
ROUNDS = 40


def tensor_norm(tensor: Array) -> float:
    """Returns a lower bound near the largest Σ Γ_ijk z_i w_j v_k of unit vectors; each vector is improved in turn.

    tensor: (n, n, n), symmetric in j and k
    Source: De Lathauwer, De Moor & Vandewalle, SIAM J. Matrix Anal. Appl. 21, 2000.
    """
    random = np.random.default_rng(0)
    best = 0.0
    for _ in range(STARTS):
        v = _unit(random.normal(size=len(tensor)))
        for _ in range(ROUNDS):
            U, sizes, V = np.linalg.svd(tensor @ v)
            v = _unit(np.einsum("ijk,i,j->k", tensor, U[:, 0], V[0]))
        best = max(best, float(sizes[0]))
    return best


def _unit(v: Array) -> Array:
    size = float(np.linalg.norm(v))
    return v / size if size else np.eye(len(v))[0]
