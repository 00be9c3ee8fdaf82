"""Combines several functions of an arm in double precision, and returns results in the requested form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from qddot.algebra.program.program import Port
from qddot.base.errors import EvaluationError
from qddot.base.words.message import say
from qddot.machine.compilers import buffers
from qddot.machine.numeric.calls import Calls, Out, have_signals
from qddot.machine.tracing.functions import FUNCTIONS
from qddot.physics.independent import of_loops
from qddot.physics.systems import ClosedSystem

UNHELD = 1e-9  # of a torque that motors cannot supply, relative to 1 + the torque
LEAST_MOBILITY = 1e-12  # the least eigenvalue of J M⁻¹ Jᵀ, relative to the largest mobilities along its rows
Array = NDArray[np.float64]


def linearize(
    calls: Calls, q0: Any, tau0: Any, settings: Mapping[str, Any], out: Sequence[Out] | None, dtype: DTypeLike
) -> tuple[Array, ...]:
    """Returns (A, B) of d/dt (δq, δu) = A (δq, δu) + B δτ about rest at q0, from the derivatives of u̇.

    Without loops u is q̇. For quasi-velocities δq is a motion along their vector fields, q = q0 ⊞ δq, whose rate at rest
    is δν. B has a column for each velocity that a motor drives.
    """
    still = np.zeros(calls.tree.n)
    if tau0 is None:
        tau0 = holding(calls, q0, settings)
    by_q, by_u, by_tau = calls.results(FUNCTIONS["forward_dynamics_derivatives"], (q0, still, tau0), settings)
    *batch, m, p = by_q.shape
    driven = list(calls.tree.drives)
    A, B = np.zeros((*batch, p + m, p + m)), np.zeros((*batch, p + m, len(driven)))
    A[..., :p, p:] = _rates_of_free_coordinates(calls, q0, settings)
    A[..., p:, :p], A[..., p:, p:], B[..., p:, :] = by_q, by_u, by_tau[..., driven]
    return _delivered("linearize", {"A": (A, 2), "B": (B, 2)}, out, dtype)


def holding(calls: Calls, q0: Any, settings: Mapping[str, Any]) -> Array:
    """Returns the torques that hold a system still, (…, n).

    In a closed chain they are the least ones of the motors that its description names, or else those of motors in its
    independent coordinates. raises EvaluationError: these motors cannot hold it
    """
    still = np.zeros(calls.tree.n)
    needed: Array = calls.results(FUNCTIONS["bias"], (q0, still), settings)
    if not isinstance(calls.system, ClosedSystem):
        return needed
    motors = list(calls.system.choice.independent if calls.tree.driven is None else calls.tree.drives)
    R = _columns(calls, q0, settings)[..., motors]
    torques = np.zeros((*needed.shape[:-1], calls.tree.n))
    torques[..., motors] = (np.linalg.pinv(R) @ needed[..., None])[..., 0]
    left = np.abs((R @ torques[..., motors, None])[..., 0] - needed)
    if (left > UNHELD * (1 + np.abs(needed))).any():
        raise EvaluationError("motors-cannot-hold-chain", where=calls.system.name)
    return torques


def _columns(calls: Calls, q: Any, settings: Mapping[str, Any]) -> Array:
    """Returns the columns of R as rows, (…, m, n)."""
    units = np.eye(len(calls.system.rates))
    q = np.asarray(q)[..., None, :]
    columns: Array = calls.results(FUNCTIONS["velocities"], (q, units), settings)
    return columns


def _rates_of_free_coordinates(calls: Calls, q0: Any, settings: Mapping[str, Any]) -> Array:
    """Returns the rates of the coordinates that loops leave free for each rate, (…, p, m)."""
    system = calls.system
    if not isinstance(system, ClosedSystem) or system.model.integrable:
        return np.eye(len(system.rates))
    free = of_loops(system.model, system.choice).independent if system.model.positional else range(calls.tree.n)
    return np.swapaxes(_columns(calls, q0, settings)[..., list(free)], -1, -2)


def operational_space(
    calls: Calls, q: Any, qd: Any, options: Mapping[str, Any], out: Sequence[Out] | None, dtype: DTypeLike
) -> tuple[Any, ...]:
    """Returns (Λ, μ, p); checks the mobility J M⁻¹ Jᵀ, except in a law that is being traced."""
    inertia, mu, p, mobility, largest = calls.results(FUNCTIONS["operational_space"], (q, qd), options)
    if have_signals([inertia]):
        return inertia, mu, p
    _check_mobility(mobility, inertia, largest, calls.system.name)
    return _delivered("operational_space", {"Lambda": (inertia, 2), "mu": (mu, 1), "p": (p, 1)}, out, dtype)


def _check_mobility(mobility: Array, inertia: Array, largest: Array, where: str) -> None:
    """Raises EvaluationError if J M⁻¹ Jᵀ is nearly singular beside what joints could give each row.

    inertia: its computed inverse; largest: about the largest mobility along each row
    """
    sizes = np.sqrt(largest[..., :, None] * largest[..., None, :])
    with np.errstate(over="ignore", invalid="ignore"):  # of an inverse that is not finite
        # the Frobenius norm is fast and an upper bound of the largest eigenvalue
        if (np.square(inertia * sizes).sum(axis=(-1, -2)) < LEAST_MOBILITY**-2).all():
            return
    if not np.isfinite(mobility).all():
        raise EvaluationError("mobility-not-finite", where=where)
    relative = np.divide(mobility, sizes, out=np.zeros_like(mobility), where=sizes > 0)
    bad = np.argwhere(np.linalg.eigvalsh(relative).min(axis=-1) < LEAST_MOBILITY)
    if len(bad):
        state = say("in-state", state=[int(k) for k in bad[0]]) if bad.shape[1] else ""
        raise EvaluationError("body-cannot-move-there", where=where, state=state, count=mobility.shape[-1])


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
