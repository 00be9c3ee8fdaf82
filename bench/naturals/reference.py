"""A motion by SciPy's integrators, with what its own errors are and how much errors of others grow."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from scipy.integrate import DOP853, Radau

from naturals.system import System

TIGHT, LOOSE = (1e-13, 1e-15), (1e-11, 1e-13)  # relative and absolute errors of one step
STIFF_TIGHT, STIFF_LOOSE = (1e-11, 1e-13), (1e-9, 1e-11)
LONGEST = 0.02  # [s] a step, which no pulse passes
BUDGET = 60_000  # evaluations of the explicit method, beyond which the implicit one is tried
STIFF_BUDGET = 150_000
NUDGE = 1e-8  # of the start whose motion shows the growth of errors
LARGEST, FAST = 1e7, 1e4  # of a state, and of velocities which no implicit method helps
SINGULAR = 1e-12  # the reciprocal of a mass matrix's condition


class ExhaustedError(Exception):
    """More evaluations than are allowed."""


@dataclass
class Reference:
    """Samples of a motion, until it ends early or not.

    error: of the reference, by that of looser tolerances; growth: how much an early error has grown; how: the method
    stiffness: the largest rate of the equations [1/s]
    """

    times: Any
    q: Any
    v: Any
    error: Any
    growth: Any
    how: str
    stiffness: float = 0.0


def sampled(system: System, x0: Any, times: Any, tolerances: tuple[float, float], kind: Any, budget: int) -> Any:
    """Returns a row for each time that is reached; steps end at samples, where loops are closed again."""
    left = [budget]

    def rate(t: float, x: Any) -> Any:
        left[0] -= 1
        if left[0] < 0:
            raise ExhaustedError
        return system.rate(t, x)

    rows, x, first = [x0], x0, None
    for t, following in pairwise(times):
        steps: Any = {"first_step": min(first, following - t)} if first and kind is DOP853 else {}
        try:
            solver = kind(rate, t, x, following, rtol=tolerances[0], atol=tolerances[1], max_step=LONGEST, **steps)
        except (np.linalg.LinAlgError, ExhaustedError):
            return np.array(rows)
        while solver.status == "running":
            before = solver.t
            try:
                message = solver.step()
            except (np.linalg.LinAlgError, ValueError, ExhaustedError):
                return np.array(rows)
            first = max(first or 0.0, solver.t - before) if solver.t < following else first or solver.t - before
            if message is not None or not np.isfinite(solver.y).all() or np.abs(solver.y).max() > LARGEST:
                return np.array(rows)
        try:
            x = system.settled(solver.y)
        except (ArithmeticError, np.linalg.LinAlgError):
            return np.array(rows)
        rows.append(x)
    return np.array(rows)


def referred(system: System, x0: Any, times: Any, seed: int = 1) -> Reference | None:
    """Returns the motion from x0, or None if no solver gets through within its budget."""
    away = np.random.default_rng(seed).normal(size=len(x0))
    nudged = system.settled(x0 + NUDGE * away / np.linalg.norm(away))
    for kind, tight, loose, budget in (
        (DOP853, TIGHT, LOOSE, BUDGET),
        (Radau, STIFF_TIGHT, STIFF_LOOSE, STIFF_BUDGET),
    ):
        runs = [sampled(system, x0, times, each, kind, budget) for each in (tight, loose)]
        if min(map(len, runs)) < len(times) and kind is DOP853 and not ended(system, runs[0][-1]):
            continue
        runs.append(sampled(system, nudged, times, tight, kind, budget))
        count = min(map(len, runs))
        x, other, near = (run[:count] for run in runs)
        weight = weights(x, system.tree.positions)
        begun = float(np.abs(nudged - x0).max())
        growth = running(np.abs((near - x) * weight).max(axis=1) / max(begun, NUDGE / 100))
        error = running(np.abs((other - x) * weight).max(axis=1))
        q, v = x[:, : system.tree.positions], x[:, system.tree.positions :]
        chosen = [(times[k], x[k]) for k in range(0, count, max(1, count // 10))]
        stiffness = max(system.stiffness(t, each) for t, each in chosen)
        return Reference(times[:count], q, v, error, np.maximum(growth, 1), f"SciPy {kind.__name__}", stiffness)
    return None


def ended(system: System, x: Any) -> bool:
    """Says whether a motion ends there for a reason other than a solver's budget: it is fast, or nothing is moved."""
    q, v = system.halves(x)
    return bool(np.abs(v).max() > FAST) or np.linalg.cond(system.tree.evaluated(q, v)[0]) > 1 / SINGULAR


def weights(x: Any, positions: int) -> Any:
    """Returns what errors are multiplied by: 1 for positions, less for velocities of fast motions."""
    fastest = 1 + np.abs(x[:, positions:]).max()
    return np.concatenate([np.ones(positions), np.full(x.shape[1] - positions, 1 / fastest)])


def running(values: Any) -> Any:
    return np.maximum.accumulate(values)
