"""Encloses the dependent coordinates of a closed chain over boxes of free ones, in which they follow from the loops.

Over a box the dependent coordinates are near a line, x + S ε, with |ε_k| ≤ 1. With an approximate inverse Y of A_d, the
columns of A for them, Krawczyk's operator maps the tube of half width r about the line into one of half width
|Y φ(x + S ε)| + |1 − Y A_d| r. If that is smaller than r, each ε has exactly one configuration with closed loops in
the tube, which is in the smaller one, and depends smoothly on ε.
Source: Rump, "Verification methods", Acta Numerica 19, 2010, §13; Neumaier, *Interval Methods for Systems of
Equations*, 1990, §5.3 (parameters).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from qddot.machine.numeric.boxes import inverses
from qddot.physics.independent import of_loops
from qddot.physics.systems import ClosedSystem
from qddot.proof.bounds import forms
from qddot.proof.bounds.exact_programs import EquationNodes
from qddot.proof.bounds.forms import MANY, Array, Form
from qddot.proof.bounds.walk import Enclosure, FormProgram, of_forms

Flags = NDArray[np.bool_]
OPERATIONS = {**of_forms(), "div": forms.divided, "maximum": forms.maximum}
SMALLEST = 1e-14  # of a tube's half width [rad or m]
CONTRACTIONS = 4  # by which a proved tube is made narrower
STEP, SHORTEST = 0.1, 1e-7  # of the steps in which a branch is followed: the first [rad or m], and the last share
NEAR = 0.3  # of a step of the dependent coordinates, by which Newton's method may correct it
CLOSED = 1e-10  # a residual of closed loops [m or 1]
MOST_CORRECTIONS = 4


class Tubes(NamedTuple):
    """These are tubes over boxes: middle x, inner and outer half widths (boxes, d), slopes S (boxes, d, k).

    inner: of a tube with a configuration for each ε; outer: of one that has no other configuration
    proved: whether this is so; changes: how much each coordinate hinders the proof (boxes, k)
    """

    middle: Array
    slopes: Array
    inner: Array
    outer: Array
    proved: Flags
    changes: Array

    def take(self, which: NDArray[np.intp]) -> Tubes:
        rows: Any = (part[which] for part in self)
        return Tubes(*rows)


class Closure:
    """These are the conditions of a chain's loops as functions of its free coordinates z and the dependent ones x.

    free, dependent: their places in q; those that do not affect the loops are not in `free`
    """

    def __init__(self, equations: EquationNodes, system: ClosedSystem) -> None:
        choice = of_loops(system.model, system.choice)
        phi, A = equations.loops
        self.dependent = list(choice.dependent)
        conditions = {"phi": [phi[i] for i in choice.conditions], "A": [A[i] for i in choice.conditions]}
        self._programs = [FormProgram(equations.program({name: rows}), OPERATIONS) for name, rows in conditions.items()]
        coordinates = sorted({k for program in self._programs for k in program.coordinates})
        self.free = [k for k in choice.independent if k in coordinates]
        self._columns = [*self.dependent, *self.free]
        self._n = system.tree.n

    # in floats

    def at(self, z: Array, x: Array) -> tuple[Array, Array, Array]:
        """Returns φ (points, d), A_d (points, d, d) and A_f (points, d, k)."""
        points = self._joined(z, x)
        phi, A = (program.at(points[:, program.coordinates]).T for program in self._programs)
        columns = A.reshape(len(z), len(self.dependent), self._n)[:, :, self._columns]
        return phi, columns[:, :, : len(self.dependent)], columns[:, :, len(self.dependent) :]

    def _joined(self, z: Array, x: Array) -> Array:
        q = np.zeros((len(z), self._n))
        q[:, self.free], q[:, self.dependent] = z, x
        return q

    def closed(self, z: Array, x: Array) -> tuple[Array, Flags]:
        """Returns x after Newton's steps, and whether all loops are closed there."""
        for _ in range(MOST_CORRECTIONS):
            phi, A_d, _ = self.at(z, x)
            x = x - (inverses(A_d)[0] @ phi[:, :, None])[:, :, 0]
        return x, np.abs(self.at(z, x)[0]).max(axis=1, initial=0.0) < CLOSED

    def followed(self, z: Array, x: Array, to: Array) -> tuple[Array, Array]:
        """Returns x at other points, followed along straight lines, and the share of each line that it could be."""
        start, x, share = z, x.copy(), np.zeros(len(z))
        steps = np.minimum(1.0, STEP / np.maximum(np.abs(to - z).max(axis=1, initial=0.0), STEP))
        while len(rows := np.flatnonzero((share < 1) & (steps > SHORTEST))):
            now, then = share[rows], np.minimum(share[rows] + steps[rows], 1.0)
            before, after = (start[rows] + each[:, None] * (to[rows] - start[rows]) for each in (now, then))
            _, A_d, A_f = self.at(before, x[rows])
            along = -(inverses(A_d)[0] @ (A_f @ (after - before)[:, :, None]))[:, :, 0]
            corrected, is_closed = self.closed(after, x[rows] + along)
            beyond = np.abs(corrected - x[rows] - along).max(axis=1, initial=0.0)
            good = is_closed & (beyond <= NEAR * np.abs(along).max(axis=1, initial=0.0) + CLOSED)
            x[rows[good]], share[rows[good]] = corrected[good], then[good]
            steps[rows] *= np.where(good, 1.5, 0.5)
        return x, share

    # over boxes

    def tubes(self, low: Array, high: Array, x: Array) -> Tubes:
        """Returns tubes over boxes with these corners (boxes, k), whose middles have configurations near x."""
        middle, half = forms.halves(low, high)
        _, A_d, A_f = self.at(middle, x)
        Y, known = inverses(A_d)
        slopes = -(Y @ A_f) * half[:, None]
        size = np.abs(Y)
        phi = self._over(0, low, high, x, slopes, np.zeros_like(x))
        reach = np.maximum(np.abs(phi.low), np.abs(phi.high)).T[:, :, None]
        newton = (size @ reach)[:, :, 0] * (1 + MANY)
        outer = 2 * newton + newton.max(axis=1, initial=0.0)[:, None] + SMALLEST * (1 + np.abs(x))
        A = self._over(1, low, high, x, slopes, outer)
        shape = (len(low), len(self.dependent), self._n)
        centre, radius = (part.T.reshape(shape)[:, :, self.dependent] for part in (A.centre, A.radius))
        bent = np.abs(np.moveaxis(A.slopes, -1, 0).reshape(*shape, len(self.free))[:, :, self.dependent])
        error = np.abs(np.eye(shape[1]) - Y @ centre) + size @ (
            (radius + bent.sum(axis=3)) * (1 + MANY) + np.abs(centre) * MANY
        )
        error = error * (1 + MANY)
        inner = outer
        for _ in range(CONTRACTIONS):
            inner = np.minimum(inner, (newton + (error @ inner[:, :, None])[:, :, 0]) * (1 + MANY))
        first = (newton + (error @ outer[:, :, None])[:, :, 0]) * (1 + MANY)
        changes = np.einsum("bij,bjlk->bk", size, bent)
        return Tubes(x, slopes, inner, outer, known & (first < outer).all(axis=1), np.nan_to_num(changes))

    def _over(self, which: int, low: Array, high: Array, x: Array, slopes: Array, radius: Array) -> Enclosure:
        free = {k: forms.coordinate(place, low, high) for place, k in enumerate(self.free)}
        q, program = free | forms_in_tubes(self.dependent, x, slopes, radius), self._programs[which]
        return program.over([q[k] for k in program.coordinates], *low.shape[::-1])


def forms_in_tubes(dependent: Sequence[int], x: Array, slopes: Array, radius: Array) -> dict[int, Form]:
    """Returns the forms of coordinates in tubes, by their places in q."""
    tubes = zip(dependent, x.T, slopes.transpose(1, 2, 0), radius.T, strict=True)
    return {k: forms.linear(*tube) for k, *tube in tubes}
