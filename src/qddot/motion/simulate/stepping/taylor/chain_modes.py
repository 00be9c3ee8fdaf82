"""Decides which joints of a closed chain friction holds, and which begin to move.

Joints of a chain move together, so that the joint torques of friction at rest are not unique: only their sum Rᵀ μ along
the independent coordinates is. With the joints' accelerations a = c − S μ, S = R M̄⁻¹ Rᵀ, friction chooses the μ with
|μ_j| ≤ f_j that minimise ½ μᵀ S μ − cᵀ μ: a joint stays at rest, or begins to move against its full friction. Of the
joints that stay, a largest set of independent ones is held by the torques that keep them at rest. The others then rest,
too; their friction torques are constant, and take as much of the load as they can. The held joints and these torques
are chosen anew when friction no longer holds one of those joints. Source: Moreau, "Unilateral contact and dry friction
in finite freedom dynamics", 1988.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from qddot.motion.simulate.stepping.taylor.expanded import Expanded
from qddot.motion.simulate.stepping.taylor.modes import SLIPS, Modes

ROUNDING = 1e-13  # of the largest eigenvalue of S
NOTHING = 1e-6  # the part of a column that others do not span, relative to the column, in a dependent one


class ChainModes(Modes):
    """These are the modes of a closed chain's joints.

    close: closes the loops in the states of the arms with these indices; moment: joints that would come to rest within
    it are at rest [s]
    """

    def __init__(
        self, of: Expanded, n: int, state: Any, parameters: Any, close: Callable[[Any], None], moment: float
    ) -> None:
        super().__init__(of, n, state, parameters)
        self._close, self._moment = close, moment

    @property
    def _still(self) -> Any:
        return self.parameters[:, self.of.still]

    def resume(self, arms: Any, times: Any) -> None:
        self._hold(arms, times, self._still[arms] > 0, SLIPS)

    def _hold(self, arms: Any, times: Any, resting: Any, most: Any, onward: Any = 0) -> None:
        """Decides what the joints do whose rates are zero in some arms, or that friction no longer holds."""
        self._close(arms)
        shares = np.broadcast_to(most, (len(arms), 1))[:, 0]
        for k, arm in enumerate(arms):
            zero = resting[k] | (self._still[arm] > 0)
            if zero.any():
                self._hold_one(int(arm), times[k : k + 1], zero, float(shares[k]))

    def _hold_one(self, arm: int, time: Any, zero: Any, most: float) -> None:
        """Sets the modes of the joints of one arm whose rates are zero.

        Such a joint rests, with all joints that follow it, or passes a dead centre, at which the others move on.
        """
        joints = list(self.of.of_joint)
        modes, held, still = self._modes[arm], self._held[arm], self._still[arm]
        *_, friction, responses = (part[0] for part in self._switch_values(np.array([arm]), time))
        friction = friction[::2]
        columns = _columns(responses.reshape(len(joints), -1) * np.outer(friction, friction))
        rests = self._resting(arm, time, columns, friction, zero)
        if not rests.any():
            rests = self._resting(arm, time, columns, friction, still > 0)
        self.state[arm, np.array(self._rates)[zero | rests]] = 0.0
        parts, before = np.zeros(len(joints)), modes[joints]
        modes[joints] = np.where(rests, 0.0, before)
        held[:], still[:] = 0.0, 0.0
        if rests.any():
            parts[rests] = _bounded(columns[:, rests], self._load(arm, time, columns, friction, rests), most)
            still[:] = _following(columns, rests & (np.abs(parts) < most))
            held[:] = _held(columns, parts, still > 0)
            parts = np.where(still > 0, _shared(columns, parts, still > 0, held > 0), parts)
            modes[joints] = np.where(held > 0, 0.0, np.where(still > 0, parts, np.where(rests, np.sign(parts), before)))
        onward = np.sign(self._switch_values(np.array([arm]), time)[1][0, joints])
        passing = zero & ~rests
        modes[joints] = np.where(passing, np.where(onward == 0, -before, onward), modes[joints])

    def _resting(self, arm: int, time: Any, columns: Any, friction: Any, zero: Any) -> Any:
        """Returns the joints that rest if those with the rate zero do, or none if some of them clearly move."""
        rests = _following(columns, zero) & (friction > 0)
        if not rests.any():
            return rests
        speeds = (np.abs(self.state[arm, self._rates]) * friction)[rests] / np.linalg.norm(columns[:, rests], axis=0)
        push = np.linalg.norm(self._load(arm, time, columns, friction, rests))
        return rests if (speeds <= self._moment * push).all() else np.zeros_like(rests)

    def _load(self, arm: int, time: Any, columns: Any, friction: Any, rests: Any) -> Any:
        """Returns what friction has to balance so that some joints rest: their accelerations without it."""
        joints = np.array(self.of.of_joint)
        before = self._modes[arm].copy(), self._held[arm].copy()
        self._modes[arm, joints[rests]], self._held[arm] = 0.0, 0.0
        accelerations = self._switch_values(np.array([arm]), time)[1][0, joints]
        self._modes[arm], self._held[arm] = before
        return np.linalg.lstsq(columns[:, rests].T, (friction * accelerations)[rests])[0]


def _columns(S: Any) -> Any:
    """Returns A with Aᵀ A = S, where its eigenvalues are more than rounding."""
    sizes, vectors = np.linalg.eigh(S)
    kept = sizes > ROUNDING * sizes.max(initial=0.0)
    return np.sqrt(sizes[kept])[:, None] * vectors[:, kept].T


def _following(columns: Any, some: Any) -> Any:
    """Returns which columns lie in the span of some of them: which joints are at rest if those joints are."""
    sizes = np.linalg.norm(columns, axis=0)
    directions, spread, _ = np.linalg.svd(columns[:, some], full_matrices=False)
    basis = directions[:, spread > NOTHING * spread.max(initial=0.0)]
    rests = columns - basis @ (basis.T @ columns)
    return (np.linalg.norm(rests, axis=0) <= NOTHING * sizes) & (sizes > 0)


def _held(columns: Any, parts: Any, still: Any) -> Any:
    """Returns a largest independent set of the joints at rest: those that are farthest from their full friction."""
    from scipy.linalg import qr  # which takes a while to load

    slack = columns * np.maximum(1.0 - np.abs(parts), NOTHING)
    order = qr(slack[:, still], mode="r", pivoting=True)[-1]
    rank = np.linalg.matrix_rank(columns[:, still], NOTHING * np.abs(columns).max())
    held = np.zeros(len(still), bool)
    held[np.flatnonzero(still)[order[:rank]]] = True
    return held


def _shared(columns: Any, parts: Any, still: Any, held: Any) -> Any:
    """Returns each resting joint's torque as a part of its full friction; the largest part of held ones is minimal."""
    from scipy.optimize import linprog  # which takes half a second to load

    others, size = still & ~held, len(still)
    if not others.any():
        return parts
    load, own = columns[:, still] @ parts[still], np.eye(size)[held]
    below = np.column_stack([np.vstack([own, -own]), -np.ones(2 * len(own))])  # |x_j| ≤ the last unknown
    equal = np.column_stack([columns, np.zeros(len(columns))])
    ends = np.where(held, np.inf, np.where(others, 1.0, 0.0))
    bounds = [*zip(-ends, ends, strict=True), (0.0, np.inf)]
    least = linprog(np.eye(size + 1)[-1], below, np.zeros(len(below)), equal, load, bounds).x
    if least is None:
        return parts
    shared = np.where(others, least[:-1], 0.0)
    full = np.abs(shared) > 1.0 - NOTHING
    shared[full] = np.sign(shared[full])
    shared[held] = np.linalg.lstsq(columns[:, held], load - columns @ shared)[0]
    return shared if (np.abs(shared) <= 1.0).all() else parts


def _bounded(columns: Any, load: Any, most: float) -> Any:
    """Returns the x with |x_j| ≤ most for which columns · x is nearest to a load."""
    from scipy.optimize import lsq_linear  # which takes half a second to load

    return lsq_linear(columns, load, (-most, most), method="bvls", tol=1e-15, max_iter=1000).x
