"""A motion with dry friction: smooth pieces, between which joints come to rest and begin to slide."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from scipy.integrate import DOP853

from naturals.reference import LARGEST, ExhaustedError
from naturals.system import System

LONGEST, PIECES = 0.02, 20_000  # [s] of a step, and pieces of a motion
TIE = 1e-13  # the part of a friction by which a torque may exceed it, which rounding alone does


class Sliding:
    """One motion of a tree; modes: the sign with which each joint slides, 0 where friction holds it."""

    def __init__(self, system: System, friction: Any, tolerance: float) -> None:
        self.system, self.friction, self.tolerance = system, friction, tolerance
        self.n = system.tree.n

    def parts(self, t: float, x: Any) -> tuple[Any, Any, Any, Any]:
        q, v = self.system.halves(x)
        M, bias = self.system.tree.evaluated(q, v)
        return q, v, M, self.system.torque(t, q, v) - bias

    def solved(self, M: Any, force: Any, modes: Any) -> tuple[Any, Any]:
        """Returns v̇ with held joints at rest, and what their friction would have to be."""
        force = force - self.friction * modes
        held = (modes == 0) & (self.friction > 0)
        a = np.zeros(self.n)
        a[~held] = np.linalg.solve(M[np.ix_(~held, ~held)], force[~held])
        return a, np.where(held, force - M @ a, 0.0)

    def modes(self, t: float, x: Any) -> Any:
        """Returns the modes that follow: Coulomb's law at rest is the least of ½ aᵀ M a − aᵀ τ + Σ f |a|."""
        _, v, M, force = self.parts(t, x)
        modes = np.sign(v) * (self.friction > 0)
        resting = (v == 0) & (self.friction > 0)
        for _ in range(400):
            a, needed = self.solved(M, force, modes)
            over = np.where(resting, np.abs(needed) - self.friction * (1 + TIE), -1.0)
            against = resting & (modes != 0) & (a * modes < 0)
            if against.any():
                modes[int(np.argmin(np.where(against, a * modes, 0.0)))] = 0
            elif over.max() > 0:
                k = int(np.argmax(over))
                modes[k] = np.sign(needed[k])
            else:
                return modes
        raise ArithmeticError("no modes were found")

    def piece(self, t: float, x: Any, end: float) -> tuple[float, Any]:
        """Returns the time and the state at which the modes change, or the end."""
        modes = self.modes(t, x)
        held = (modes == 0) & (self.friction > 0)

        def rate(s: float, y: Any) -> Any:
            q, v, M, force = self.parts(s, y)
            v = np.where(held, 0.0, v)
            return np.concatenate([self.system.tree.rates(q, v), self.solved(M, force, modes)[0]])

        def switched(s: float, y: Any) -> Any:
            """Says of each joint whether its mode has ended; one that only just starts has not."""
            _, v, M, force = self.parts(s, y)
            needed = np.abs(self.solved(M, force, modes)[1])
            return (modes * v < 0) | (held & (needed > self.friction * (1 + 2 * TIE)))

        starting = (modes != 0) & (self.system.halves(x)[1] == 0)
        first = LONGEST / 200 if starting.any() else LONGEST
        solver = DOP853(rate, t, x, end, rtol=self.tolerance, atol=self.tolerance / 100, max_step=first)
        while solver.status == "running":
            solver.step()
            solver.max_step = LONGEST
            if not np.isfinite(solver.y).all() or np.abs(solver.y).max() > LARGEST:
                raise ArithmeticError("the state grew")
            curve = solver.dense_output()
            early = solver.t_old
            for s in np.linspace(solver.t_old, solver.t, 7)[1:]:
                y = solver.y if s == solver.t else curve(s)
                ended = switched(s, y)
                if ended.any():
                    return self.located(switched, curve, early, s, modes)
                early = s
        return solver.t, self.resting(solver.y, held)

    def located(self, switched: Any, curve: Any, early: float, late: float, modes: Any) -> tuple[float, Any]:
        for _ in range(60):
            middle = (early + late) / 2
            if middle in (early, late):
                break
            early, late = (early, middle) if switched(middle, curve(middle)).any() else (middle, late)
        x = curve(late)
        stopped = (modes * self.system.halves(x)[1] < 0) | ((modes == 0) & (self.friction > 0))
        return late, self.resting(x, stopped)

    def resting(self, x: Any, joints: Any) -> Any:
        x = x.copy()
        self.system.halves(x)[1][joints] = 0.0
        return x


def sampled(system: System, friction: Any, x0: Any, times: Any, tolerance: float) -> Any:
    """Returns a row for each time that is reached."""
    motion, rows, x, left = Sliding(system, friction, tolerance), [x0], x0, PIECES
    for begun, following in pairwise(times):
        t = begun
        while t < following:
            left -= 1
            if left < 0:
                raise ExhaustedError
            try:
                t, x = motion.piece(t, x, following)
            except (ArithmeticError, np.linalg.LinAlgError):
                return np.array(rows)
        x = system.settled(x)
        rows.append(x)
    return np.array(rows)
