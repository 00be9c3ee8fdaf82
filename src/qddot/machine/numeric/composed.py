"""Combines several functions of an arm in double precision, and returns results in the requested form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from qddot.algebra.program.program import Port
from qddot.base.checked import real
from qddot.base.errors import EvaluationError
from qddot.base.words.message import Listed, say
from qddot.machine.compilers import buffers
from qddot.machine.numeric.calls import Calls, Out, have_signals
from qddot.machine.numeric.linear_model import LinearModel, held, names_of, torque_name, turning
from qddot.machine.numeric.manifold import of_size
from qddot.machine.tracing.functions import FUNCTIONS
from qddot.physics.independent import of_loops
from qddot.physics.systems import ClosedSystem
from qddot.robot.model import Model
from qddot.robot.symbol_values import names_of as names_given

UNHELD = 1e-9  # of a torque that motors cannot supply, relative to 1 + the torque
LEAST_MOBILITY = 1e-12  # the least eigenvalue of J M⁻¹ Jᵀ, relative to the largest mobilities along its rows
Array = NDArray[np.float64]


def _check_smooth(tree: Model, qd: Array) -> None:
    """Raises EvaluationError for friction whose slope is infinite where its joint rests."""
    joints = [body.joint for body in tree.moving() if any(effect.steep for effect in body.joint.effects)]
    names = [name for joint in joints for name in joint.velocities if not qd[..., tree.coordinates.index(name)].all()]
    if names:
        raise EvaluationError("steep-friction-at-rest", where=tree.name, names=Listed(names))


def linearize(
    calls: Calls,
    state: tuple[Any, Any, Any],
    driven: Any,
    discrete: Any,
    settings: Mapping[str, Any],
    out: Sequence[Out] | None = None,
    dtype: DTypeLike = "float64",
    share: float = 0.5,
    damping: Array | None = None,
) -> LinearModel:
    """Returns the linear model near states (q, q̇, τ), from the derivatives of u̇; q̇ is 0 if it is None.

    Without loops u is q̇. For quasi-velocities δq is a motion along their vector fields. B has a column for each
    velocity that a motor drives. driven: names of motors, or None; share: as in `linear_model.turning`
    damping: D of a torque −D q̇ besides the model's own friction, (n,)
    """
    step = None if discrete is None else real(discrete, "discrete", 0, above=True, error=EvaluationError)
    tree, (q, qd, tau) = calls.tree, state
    motors = list((tree if driven is None else replace(tree, driven=tuple(names_given(driven, "driven")))).drives)
    qd = np.zeros(tree.n) if qd is None else of_size(qd, "qd", tree.n)
    _check_smooth(tree, qd)
    tau = holding(calls, q, settings, qd) if tau is None else tau
    acting = tau if damping is None else of_size(tau, "tau", tree.n) - damping * qd
    by_q, by_u, by_tau = calls.results(FUNCTIONS["forward_dynamics_derivatives"], (q, qd, acting), settings)
    accelerations = calls.results(FUNCTIONS["forward_dynamics"], (q, qd, acting), settings)
    rates, free = _places(calls)
    *batch, m, p = by_q.shape
    A, B, c = np.zeros((*batch, p + m, p + m)), np.zeros((*batch, p + m, len(motors))), np.zeros((*batch, p + m))
    A[..., p:, :p], A[..., p:, p:], B[..., p:, :] = by_q, by_u, by_tau[..., motors]
    A[..., :p, :p], A[..., :p, p:] = turning(tree, free, qd, share), np.eye(tree.n)[free][:, rates]
    if isinstance(calls.system, ClosedSystem) and (rates != free or damping is not None):
        qd_by_q, R = calls.results(FUNCTIONS["velocity_derivatives"], (q, qd), settings)
        A[..., :p, :p], A[..., :p, p:] = A[..., :p, :p] + qd_by_q[..., free, :], R[..., free, :]
    else:
        qd_by_q, R = np.zeros((tree.n, p)), np.eye(tree.n)[:, rates]
    if damping is not None:
        A[..., p:, :] -= by_tau @ (damping[:, None] * np.concatenate([qd_by_q, R], axis=-1))
    c[..., :p], c[..., p:] = qd[..., free], accelerations[..., rates]
    if step is not None:
        A, B, c = held(A, B, c, step)
    A, B = _delivered("linearize", {"A": (A, 2), "B": (B, 2)}, out, dtype)
    inputs = tuple(torque_name(tree.coordinates[k]) for k in motors)
    point = of_size(q, "q", len(tree.positions)), qd, of_size(tau, "tau", tree.n)
    return LinearModel(tree, A, B, c.astype(A.dtype), *point, names_of(tree, free, rates), inputs, step)


def holding(calls: Calls, q0: Any, settings: Mapping[str, Any], qd0: Any = None) -> Array:
    """Returns the torques that keep a system at rest, or at u̇ = 0 where it moves, (…, n).

    In a closed chain they are the least ones of the motors that its description names, or else those of motors in its
    independent coordinates. raises EvaluationError: these motors cannot hold it
    """
    moving = np.zeros(calls.tree.n) if qd0 is None else qd0
    needed: Array = calls.results(FUNCTIONS["bias"], (q0, moving), settings)
    if not isinstance(calls.system, ClosedSystem):
        return needed
    motors = list(calls.system.choice.independent if calls.tree.driven is None else calls.tree.drives)
    torques, left = supplied(_columns(calls, q0, settings), needed, motors)
    if (np.abs(left) > UNHELD * (1 + np.abs(needed))).any():
        raise EvaluationError("motors-cannot-hold-chain", where=calls.system.name)
    return torques


def supplied(columns: Array, needed: Array, motors: Sequence[int]) -> tuple[Array, Array]:
    """Returns the least torques τ (…, n) of some motors with Rᵀ τ nearest to `needed`, and needed − Rᵀ τ, (…, m).

    columns: those of R as rows, (…, m, n)
    """
    R = columns[..., motors]
    torques = np.zeros((*np.broadcast_shapes(needed.shape[:-1], R.shape[:-2]), columns.shape[-1]))
    torques[..., motors] = (np.linalg.pinv(R) @ needed[..., None])[..., 0]
    return torques, needed - (R @ torques[..., motors, None])[..., 0]


def _columns(calls: Calls, q: Any, settings: Mapping[str, Any]) -> Array:
    """Returns the columns of R as rows, (…, m, n)."""
    units = np.eye(len(calls.system.rates))
    q = np.asarray(q)[..., None, :]
    columns: Array = calls.results(FUNCTIONS["velocities"], (q, units), settings)
    return columns


def _places(calls: Calls) -> tuple[list[int], list[int]]:
    """Returns the places in q̇ of the independent rates, and of the coordinates that loops leave free."""
    system, every = calls.system, range(calls.tree.n)
    if not isinstance(system, ClosedSystem):
        return list(every), list(every)
    rates = list(system.choice.independent)
    if system.model.integrable:
        return rates, rates
    return rates, list(of_loops(system.model, system.choice).independent if system.model.positional else every)


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
