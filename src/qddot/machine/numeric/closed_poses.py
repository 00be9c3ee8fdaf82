"""Finds configurations with closed loops from any start, and says what moves there.

Steps are those of Levenberg and Marquardt: δ minimises ‖A δ + φ‖² + μ² ‖δ‖² with a damping μ that falls with φ, but
not below what counts as dependent. So a motion that the conditions allow only to rounding is not followed, and a step
leads to the nearest closed configuration even where A loses rank, as in over-constrained mechanisms. Source: Nocedal &
Wright, *Numerical Optimization*, 2006, §10.3.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from qddot.base.words.message import Message, say
from qddot.machine.numeric.manifold import difference, integrate
from qddot.robot.closed_model import ClosedModel, names_of_conditions

Array = NDArray[np.float64]
Functions = Callable[[Array], tuple[Array, Array]]  # φ and all rows of A at q
TOLERANCE = 1e-12  # of a residual of closed loops [m or 1]
MISFIT = 1e-6  # of a residual by which loops miss that are meant to close [m or 1]
DEPENDENT = 1e-6  # the size below which a singular value counts as zero, relative to the largest
GAP = 1e3  # the least quotient of the smallest singular value that counts and the largest that does not
MOST_STEPS, LARGEST, SHORTEST = 100, 0.3, 1e-15  # the number of steps, and the length of one [rad or m]
DAMPING = 0.1  # the largest
SLOW = 0.9  # of a small residual that is left after a step which ends the search
BESIDE, REACH = 16, 0.1  # configurations beside a singular one, and their distance [rad or m]
STEP = 1e-2  # along a motion, to examine whether it leads on [rad or m]


class ClosedPose(NamedTuple):
    """This is a configuration and what moves there.

    kind: "mobile"; "isolated", where all coordinates are held; "singular", where the conditions are fewer than nearby
        or singular values have no clear gap; "inexact", where loops stay nearly closed along a motion; or "open"
    rank: of A; residual: the largest of loops here or, if it is inexact, along the motion; condition: its place
    least: the smallest singular value of A, relative to the largest
    """

    q: Array
    kind: str
    rank: int
    residual: float = 0.0
    condition: int = 0
    least: float = 0.0


def closed_from(model: ClosedModel, functions: Functions, start: Array, most: int = MOST_STEPS) -> tuple[Array, Array]:
    """Returns the configuration in which the steps end, and φ there."""
    q, n = start, model.tree.n
    phi, A = functions(q)
    for _ in range(most):
        size = np.abs(phi).max(initial=0.0)
        if size == 0:
            break
        A = A[: len(phi)]
        damping = np.clip(size, DEPENDENT, DAMPING) * np.linalg.norm(A, 2)
        matrix, right = np.concatenate([A, damping * np.eye(n)]), np.concatenate([-phi, np.zeros(n)])
        step = np.linalg.lstsq(matrix, right, rcond=None)[0]
        longest = np.abs(step).max()
        trial = integrate(model.tree, q, step * min(1.0, LARGEST / max(longest, 1e-300)))
        beyond, slopes = functions(trial)
        if longest < SHORTEST or (size <= MISFIT and np.abs(beyond).max() >= SLOW * size):
            break
        q, phi, A = trial, beyond, slopes
    return q, phi


def rank_of(A: Array) -> int:
    return _rank_and_gap(A)[0]


def motions(A: Array) -> Array:
    """Returns orthonormal rows that span the null space of A."""
    return np.linalg.svd(A)[2][rank_of(A) :]


def examined(model: ClosedModel, functions: Functions, q: Array) -> ClosedPose:
    """Returns what moves in a configuration: the rank of A there, and whether it stays the same along each motion."""
    phi, A = functions(q)
    rank, gap = _rank_and_gap(A)
    residual = np.abs(phi).max(initial=0.0)
    if residual > MISFIT:
        return as_pose(q, "open", rank, phi)
    kind, worst = "mobile" if rank < model.tree.n else "isolated", phi
    if gap < GAP:
        kind = "singular"
    for direction in motions(A):
        there, open_by = closed_from(model, functions, integrate(model.tree, q, direction, STEP))
        if direction @ difference(model.tree, q, there) < STEP / 2 or rank_of(functions(there)[1]) != rank:
            return as_pose(q, "singular" if residual <= TOLERANCE else "open", rank, phi)
        worst = max(worst, open_by, key=lambda each: float(np.abs(each).max(initial=0.0)))
    misfit = np.abs(worst).max(initial=0.0)
    if misfit > MISFIT or (misfit > TOLERANCE and rank == model.tree.n):
        return as_pose(q, "open", rank, worst)
    pose = as_pose(q, "inexact" if misfit > TOLERANCE else kind, rank, worst)
    sizes = np.linalg.svd(A, compute_uv=False)
    return pose._replace(least=float(sizes[-1] / sizes[0]))


def mobilities_beside(model: ClosedModel, functions: Functions, q: Array) -> tuple[int, ...]:
    """Returns how many coordinates are free in closed configurations beside a singular one, where they are fewer."""
    A = functions(q)[1]
    found, directions, random = set[int](), motions(A), np.random.default_rng(1)
    for weights in random.normal(size=(BESIDE, len(directions))):
        step = directions.T @ (weights / np.linalg.norm(weights))
        there, phi = closed_from(model, functions, integrate(model.tree, q, step, REACH))
        rank, gap = _rank_and_gap(functions(there)[1])
        away = np.linalg.norm(difference(model.tree, q, there)) > REACH / 4
        if away and gap > GAP and np.abs(phi).max(initial=0.0) <= TOLERANCE:
            found.add(model.tree.n - rank)
    return tuple(sorted(found - {model.tree.n - rank_of(A)}))


def as_pose(q: Array, kind: str, rank: int, phi: Array) -> ClosedPose:
    """Returns a configuration with its largest residual."""
    worst = int(np.abs(phi).argmax()) if len(phi) else 0
    return ClosedPose(q, kind, rank, float(np.abs(phi).max(initial=0.0)), worst)


def _rank_and_gap(A: Array) -> tuple[int, float]:
    """Returns the number of singular values that count, and the quotient of the last and the next one."""
    sizes = np.linalg.svd(A, compute_uv=False)
    largest = sizes.max(initial=0.0)
    rank = int((sizes > DEPENDENT * largest).sum())
    beyond = max(sizes[rank] if rank < len(sizes) else 0.0, 1e-16 * largest)
    return rank, float(sizes[rank - 1] / beyond) if rank else np.inf


def open_at(model: ClosedModel, pose: ClosedPose, found: Message | None = None) -> Message:
    """Returns the sentence on the nearest configuration, and on how far its loops are open."""
    at = ", ".join(f"{name} = {value:.6g}" for name, value in zip(model.tree.positions, pose.q, strict=True))
    condition = names_of_conditions(model)[pose.condition]
    found, residual = found or say("only-found"), f"{pose.residual:.1e}"
    return say("no-closed-configuration", found=found, at=at, residual=residual, condition=condition)
