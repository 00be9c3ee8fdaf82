"""A linear quadratic regulator holds an arm or a closed chain at rest, also where some of its joints have no motor."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from qddot.algebra.checked_arrays import finite, vector
from qddot.base.errors import SimulationError, few
from qddot.base.records import record
from qddot.base.words.message import say
from qddot.machine.numeric.composed import supplied
from qddot.machine.numeric.linear_model import LinearModel
from qddot.machine.numeric.numeric_chain import NumericChain
from qddot.machine.numeric.numeric_system import NumericSystem
from qddot.motion.simulate.laws.arms import checked_system
from qddot.motion.simulate.laws.law import Law
from qddot.robot.joints.refused import refuse_several

NEAR = 1e-3  # rad or m from q0, within which an equilibrium counts as one at q0
OPEN = 1e-6  # the largest residual of the loops of a chain at q0, in rad or m
UNMOVED = 1e-9  # of a mode that no motor moves: the least singular value of (λ − A, B), relative to the largest
STILL = 1e-7  # of a motion that neither grows nor decays: its rate, relative to the fastest one
ROUNDED = 1e-12  # of a weight: the largest part of it that may be a rounding error
SHARE = 0.3  # of a mode's largest part, from which on a state is named


@record(eq=False)
class _StateFeedback:
    """This law gives the torques of the motors, u = u0 − K (δq, δq̇), and 0 in joints without one.

    free, rates, driven: places of the coordinates and rates in the state, and of the motors
    """

    K: Any
    q0: Any
    u0: Any
    driven: list[int]
    free: list[int]
    rates: list[int]

    def __call__(self, t: Any, q: Any, qd: Any) -> Any:
        u = self.u0 - self.K @ np.concatenate([(q - self.q0)[self.free], qd[self.rates]])
        tau = np.zeros(qd.shape, dtype=u.dtype)
        tau[self.driven] = u
        return tau


def lqr(arm: NumericSystem, q0: Any, Q: Any, R: Any, discrete: float | None = None) -> Law:
    """Returns the law u = u0 − K x that minimises ∫ xᵀQx + uᵀRu dt near rest at q0, x = (δq, δq̇), u from u0.

    u, (m,), has the torques of the motors, which are those of `arm.driven`; the law returns all n torques, which are
    exactly 0 in joints without a motor. K = R⁻¹ Bᵀ P, (m, 2n), with the P of AᵀP + PA − PBR⁻¹BᵀP + Q = 0, A and B of
    `arm.linearize`; `law.K` has it. A closed chain has the state (δq, δu) of its independent coordinates, of which
    there are p and m in place of n, and a q0 with closed loops; u0 is the least torque that holds it.
    Q, R: (2n, 2n) and (m, m), or a number or a row for their diagonals
    discrete: a time step Δ [s], for `sampled(law, every=Δ)`: the law minimises Σ xᵀQx + uᵀRu at the samples, with
    K = (R + BᵀPB)⁻¹ BᵀPA, P = Q + AᵀPA − AᵀPB K, A and B of `arm.linearize(…, discrete=Δ)`
    raises SimulationError: weights of a wrong shape, not symmetric, or without Q ≥ 0 and R > 0, a system without motors
    or with quaternions, a q0 at which the motors cannot hold it at rest, to within a milliradian, or one where no
    feedback can stabilize it
    Source: Anderson & Moore, *Optimal Control*, 1990, §2.3; Åström & Wittenmark, *Computer-Controlled Systems*, 1997,
    §11.2.
    """
    tree = checked_system(arm).system.tree
    driven = list(tree.drives)
    if not driven:
        raise SimulationError("no-motors", where=arm.name)
    refuse_several(tree, "laws.lqr")
    where = vector(q0, "q0", arm.n, tree.coordinates)
    held = _holding(arm, where)
    linear = arm.linearize(where, None, held, discrete=discrete)
    states = len(linear.A)
    weights = _semidefinite(_weight(Q, "Q", states), "Q"), _definite(_weight(R, "R", len(driven)), "R")
    rates = [tree.coordinates.index(name) for name in arm.system.rates]
    free = [tree.coordinates.index(name) for name in linear.states[: states - len(rates)]]
    return _StateFeedback(_gain(linear, *weights), where, held[driven], driven, free, rates)


def _gain(linear: LinearModel, Q: Any, R: Any) -> Any:
    """Returns K. raises SimulationError: no K makes all motions decay, or the weights allow none that does"""
    from scipy.linalg import LinAlgWarning, solve_continuous_are, solve_discrete_are  # SciPy takes a while to load

    A, B = linear
    _check_stabilizable(linear)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", LinAlgWarning)  # K is checked by what it does
            if linear.step is None:
                K = np.linalg.solve(R, B.T @ solve_continuous_are(A, B, Q, R))
            else:
                P = solve_discrete_are(A, B, Q, R)
                K = np.linalg.solve(R + B.T @ P @ B, B.T @ P @ A)
    except (np.linalg.LinAlgError, ValueError) as error:
        raise SimulationError("not-stabilizable", problem=error) from None
    closed = np.linalg.eigvals(A - B @ K)
    if not (_growth(linear, closed) < -STILL * np.abs(closed).max()).all():
        raise SimulationError("not-stabilizable", problem=say("weights-let-a-motion-stay"))
    return K


def _growth(linear: LinearModel, eigenvalues: Any) -> Any:
    """Returns numbers that are negative for motions that decay."""
    return np.real(eigenvalues) if linear.step is None else np.abs(eigenvalues) - 1


def _check_stabilizable(linear: LinearModel) -> None:
    """Raises SimulationError if a motion that does not decay is moved by no motor: (λ − A, B) lacks rank.

    Source: Hautus, "Stabilization, controllability and observability of linear autonomous systems", 1970.
    """
    A, B = linear
    eigenvalues = np.linalg.eigvals(A)
    for value in eigenvalues[_growth(linear, eigenvalues) >= -UNMOVED]:
        left, sizes, _ = np.linalg.svd(np.hstack([value * np.eye(len(A)) - A, B]))
        if sizes[-1] < UNMOVED * sizes[0]:
            parts = np.abs(left[:, -1])
            names = [name for name, part in zip(linear.states, parts, strict=True) if part > SHARE * parts.max()]
            near = 0 if abs(value) < np.sqrt(UNMOVED) else value if value.imag else value.real
            where, eigenvalue = linear.where.name, f"{near:.4g}"
            raise SimulationError("motion-without-motor", where=where, names=few(names), eigenvalue=eigenvalue)


def _holding(arm: NumericSystem, q0: Any) -> Any:
    """Returns the least torques of the motors that hold the system at rest at q0, (n,).

    raises SimulationError: they do not hold it, also at all positions within a milliradian or millimetre; open loops
    """
    tree, still = arm.system.tree, 0 * q0
    columns = np.eye(arm.n)
    if isinstance(arm, NumericChain):
        residual = float(np.abs(arm.closure(q0)[0]).max(initial=0.0))
        if not residual <= OPEN:
            raise SimulationError("target-opens-the-loops", where=arm.name, residual=f"{residual:.3g}")
        columns = arm.velocities(q0, np.eye(len(arm.system.rates)))
    needed, slope = arm.bias(q0, still), arm.inverse_dynamics_derivatives(q0, still, still)[0]
    torques, missing = supplied(columns, needed, list(tree.drives))
    for name, tau, row in zip(arm.system.rates, missing, slope, strict=True):
        if abs(tau) > NEAR * np.abs(row).max():
            unit = "N m" if tree.turning[tree.coordinates.index(name)] else "N"
            key = "chain-not-held" if isinstance(arm, NumericChain) else "no-rest-without-motor"
            raise SimulationError(key, where=arm.name, name=name, tau=f"{tau:.3g}", unit=unit)
    return torques


def _weight(value: Any, what: str, size: int) -> Any:
    weight = finite(value, what)
    if weight.shape not in ((), (size,), (size, size)):
        raise SimulationError("weight-misshapen", what=what, shape=weight.shape, size=size)
    weight = weight if weight.ndim == 2 else np.diag(np.broadcast_to(weight, (size,)))
    if np.abs(weight - weight.T).max(initial=0.0) > ROUNDED * np.abs(weight).max(initial=0.0):
        raise SimulationError("weight-not-symmetric", what=what)
    return (weight + weight.T) / 2


def _semidefinite(weight: Any, what: str) -> Any:
    """Returns a weight of states. raises SimulationError: some states would count negatively"""
    values = np.linalg.eigvalsh(weight)
    if values[0] < -ROUNDED * abs(values[-1]):
        raise SimulationError("weight-negative", what=what, least=f"{values[0]:.3g}")
    return weight


def _definite(weight: Any, what: str) -> Any:
    """Returns a weight of torques. raises SimulationError: some torques would cost nothing, or less"""
    values = np.linalg.eigvalsh(weight)
    if values[0] <= np.finfo(float).eps * values[-1]:
        raise SimulationError("weight-not-positive", what=what, least=f"{values[0]:.3g}")
    return weight
