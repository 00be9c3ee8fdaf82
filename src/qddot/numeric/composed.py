"""Combines several functions of an arm in double precision, and returns results in the requested form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from qddot.compilers import buffers
from qddot.errors import EvaluationError
from qddot.numeric.calls import Calls, Out, have_signals
from qddot.program.program import Port
from qddot.tracing.functions import FUNCTIONS, cannot_move

LARGEST_CONDITION = 1e12  # the largest condition number of J M⁻¹ Jᵀ
Array = NDArray[np.float64]


def linearize(
    calls: Calls, q0: Any, tau0: Any, settings: Mapping[str, Any], out: Sequence[Out] | None, dtype: DTypeLike
) -> tuple[Array, ...]:
    """Returns (A, B) of d/dt (δq, δq̇) = A (δq, δq̇) + B δτ about rest at q0, from the derivatives of q̈.

    For quasi-velocities δq is a motion along their vector fields, q = q0 ⊞ δq, whose rate at rest is δν. B has a column
    for each velocity that a motor drives.
    """
    still = np.zeros(calls.model.n)
    torques = calls.results(FUNCTIONS["bias"], (q0, still), settings) if tau0 is None else tau0
    by_q, by_qd, by_tau = calls.results(FUNCTIONS["forward_dynamics_derivatives"], (q0, still, torques), settings)
    *batch, n, _ = by_q.shape
    driven = list(calls.model.drives)
    A, B = np.zeros((*batch, 2 * n, 2 * n)), np.zeros((*batch, 2 * n, len(driven)))
    A[..., :n, n:] = np.eye(n)
    A[..., n:, :n], A[..., n:, n:], B[..., n:, :] = by_q, by_qd, by_tau[..., driven]
    return _delivered("linearize", {"A": (A, 2), "B": (B, 2)}, out, dtype)


def operational_space(
    calls: Calls, q: Any, qd: Any, options: Mapping[str, Any], out: Sequence[Out] | None, dtype: DTypeLike
) -> tuple[Any, ...]:
    """Returns (Λ, μ, p); checks the condition of J M⁻¹ Jᵀ, except in a law that is being traced."""
    inertia, mu, p, mobility = calls.results(FUNCTIONS["operational_space"], (q, qd), options)
    if have_signals([inertia]):
        return inertia, mu, p
    _check_rank(mobility, inertia, calls.model.name)
    return _delivered("operational_space", {"Lambda": (inertia, 2), "mu": (mu, 1), "p": (p, 1)}, out, dtype)


def _check_rank(mobility: Array, inertia: Array, where: str) -> None:
    """Raises EvaluationError if J M⁻¹ Jᵀ is nearly singular; inertia: its computed inverse."""
    # in the Frobenius norm, which is fast and an upper bound of the condition number
    sizes = [np.square(matrix).sum(axis=(-1, -2)) for matrix in (mobility, inertia)]
    if (sizes[0] * sizes[1] < LARGEST_CONDITION**2).all():
        return
    if not np.isfinite(mobility).all():
        raise EvaluationError("q is not finite, or M is singular at q", where=where)
    bad = np.argwhere(~(np.linalg.cond(mobility) <= LARGEST_CONDITION))
    if len(bad):
        state = f" in state {[int(k) for k in bad[0]]}" if bad.shape[1] else ""
        rank = mobility.shape[-1]
        raise EvaluationError(f"{cannot_move(rank)}{state}", where=where, expected=f"a Jacobian of rank {rank}")


def _delivered(
    function: str, results: Mapping[str, tuple[Array, int]], out: Sequence[Out] | None, dtype: DTypeLike
) -> tuple[Array, ...]:
    """Returns results in the requested type and arrays; each result comes with its number of axes."""
    ports = [Port(name, array.shape[array.ndim - axes :]) for name, (array, axes) in results.items()]
    first, axes = next(iter(results.values()))
    batch, name = first.shape[: first.ndim - axes], buffers.dtype_name(dtype, function)
    targets = buffers.targets_of(out, ports, batch, name, function)
    buffers.check_apart(targets, ports, function)
    for target, (result, _) in zip(targets, results.values(), strict=True):
        target[...] = result
    return tuple(targets)
