"""Covers a box of a closed chain's free coordinates with cells in each of which one branch of configurations is proved.

The box is halved until each cell has a tube (see `tubes`) about the branch, which is followed to the cells' middles in
floats. Two halves have the same branch if, at one point of the face between them, the same proved configuration is in
the tubes of both: configurations in tubes are isolated, so that two branches on the face that agree at a point agree
everywhere. By induction the branch is one continuous function on the whole box.
"""

from __future__ import annotations

from collections.abc import Callable
from time import process_time

import numpy as np
from numpy.typing import NDArray

from qddot.base.errors import EvaluationError
from qddot.proof.bounds.forms import MANY, TINY, Array, halves
from qddot.proof.bounds.tubes import Closure, Flags, Tubes

TOGETHER = 256  # boxes that are computed at once, the last ones first
LEAST = 1e-4  # the share of the whole box's sides below which a box is not halved
Places = NDArray[np.intp]


class Cover:
    """These are the cells, as leaves of a tree of halved boxes, and the branch over them.

    axis: the coordinate along which each box is halved, −1 for a cell
    """

    def __init__(
        self,
        closure: Closure,
        low: Array,
        high: Array,
        start: tuple[Array, Array, float],
        until: float,
        ended: Callable[[Array], EvaluationError],
    ) -> None:
        """start: the coordinates in the box and the dependent ones, of a configuration on the branch, within a radius

        until: the time of `process_time` at which to stop; ended: returns the error for a place where the branch ends
        raises EvaluationError: the branch ends in the box, or time is up
        """
        self.closure, self._ended = closure, ended
        self._low, self._high, self.axis = low[None], high[None], np.full(1, -1)
        self._first = np.zeros(1, np.intp)  # of the two halves of each box
        self._tube = np.zeros(1, np.intp)
        self._x = self._followed(start[0][None], start[1][None], halves(self._low, self._high)[0])
        tubes: list[Tubes] = []
        pending, count = np.zeros(1, np.intp), 0
        while len(pending):
            if process_time() > until:
                raise self._unfinished(pending)
            some, pending = pending[-TOGETHER:], pending[:-TOGETHER]
            tried = closure.tubes(self._low[some], self._high[some], self._x[some])
            tubes.append(tried)
            self._tube[some], count = count + np.arange(len(some)), count + len(some)
            failed = ~tried.proved
            pending = np.concatenate([pending, self._halved(some[failed], tried.changes[failed])])
        self.tubes = Tubes(*map(np.concatenate, zip(*tubes, strict=True)))
        self._check(start)

    def _followed(self, z: Array, x: Array, to: Array) -> Array:
        """Returns the dependent coordinates at other points. raises EvaluationError: the branch ends on the way"""
        x, share = self.closure.followed(z, x, to)
        if (share < 1).any():
            row = int(share.argmin())
            raise self._ended(z[row] + share[row] * (to[row] - z[row]))
        return x

    def _halved(self, boxes: Places, changes: Array) -> Places:
        """Returns the halves of boxes, each across the side that hinders the proof most."""
        low, high = self._low[boxes], self._high[boxes]
        sides = (high - low) / np.where(self._high[0] > self._low[0], self._high[0] - self._low[0], np.inf)
        small = sides.max(axis=1, initial=0.0) < LEAST
        if small.any():
            raise self._ended(halves(low, high)[0][small.argmax()])
        changes = changes + (changes.max(axis=1, initial=0.0) + TINY)[:, None] * LEAST * sides
        axes = np.where(sides > 0, changes, -1.0).argmax(axis=1)
        rows, middle = np.arange(len(boxes)), halves(low, high)[0]
        first, second = high.copy(), low.copy()
        first[rows, axes] = second[rows, axes] = middle[rows, axes]
        count = len(self.axis)
        self.axis[boxes], self._first[boxes] = axes, count + 2 * rows
        low, high = (np.stack(pair, axis=1).reshape(-1, low.shape[1]) for pair in ((low, second), (first, high)))
        before, x = np.repeat(middle, 2, axis=0), np.repeat(self._x[boxes], 2, axis=0)
        x = self._followed(before, x, halves(low, high)[0])
        self._low, self._high = np.concatenate([self._low, low]), np.concatenate([self._high, high])
        self._x = np.concatenate([self._x, x])
        new = np.zeros(len(low), np.intp)
        self.axis = np.concatenate([self.axis, new - 1])
        self._first, self._tube = np.concatenate([self._first, new]), np.concatenate([self._tube, new])
        return count + np.arange(len(low))

    def _unfinished(self, pending: Places) -> EvaluationError:
        sides = self._high - self._low
        whole = np.where(sides[0] > 0, sides[0], 1.0)
        rest = np.prod(np.where(sides[0] > 0, sides[pending] / whole, 1.0), axis=1).sum()
        return EvaluationError("time-up-configurations", percent=f"{100 * rest:.0f}")

    def _check(self, start: tuple[Array, Array, float]) -> None:
        """Raises EvaluationError if not all cells are proved to have the branch that begins at `start`."""
        z, x = start[0][None], start[1][None]
        if not self.have(self.cells(z), z, x, np.full_like(x, start[2])).all():
            raise self._ended(start[0])
        inner = np.flatnonzero(self.axis >= 0)
        middle = halves(self._low[inner], self._high[inner])[0]
        x, _ = self.closure.closed(middle, self._x[inner])
        at, first = self.closure.tubes(middle, middle, x), self._first[inner]
        same = at.proved
        for nodes in (first, first + 1):
            same &= self.have(self.cells(middle, nodes), middle, x, at.inner)
        if not same.all():
            raise self._ended(middle[same.argmin()])

    # what the cells say

    def cells(self, points: Array, nodes: Places | None = None) -> Places:
        """Returns the cell of each point; nodes: boxes in which the points are, by default the whole box."""
        nodes = np.zeros(len(points), np.intp) if nodes is None else nodes
        rows = np.arange(len(points))
        while (self.axis[nodes] >= 0).any():
            axis, first = self.axis[nodes], self._first[nodes]
            beyond = points[rows, axis] > self._high[first][rows, axis]
            nodes = np.where(axis >= 0, first + beyond, nodes)
        return nodes

    def nodes(self, low: Array, high: Array) -> Places:
        """Returns the smallest box of the tree that contains each box."""
        nodes, rows = np.zeros(len(low), np.intp), np.arange(len(low))
        while True:
            axis, first = self.axis[nodes], self._first[nodes]
            end = self._high[first][rows, axis]
            below, above = (axis >= 0) & (high[rows, axis] <= end), (axis >= 0) & (low[rows, axis] >= end)
            if not (below | above).any():
                return nodes
            nodes = np.where(below, first, np.where(above, first + 1, nodes))

    def line(self, cells: Places, points: Array) -> Array:
        """Returns the middles of the cells' tubes at points."""
        tubes = self.tubes.take(self._tube[cells])
        return tubes.middle + (tubes.slopes @ self._shares(cells, points)[:, :, None])[:, :, 0]

    def _shares(self, cells: Places, points: Array) -> Array:
        middle, half = halves(self._low[cells], self._high[cells])
        return np.where(half > 0, (points - middle) / np.where(half > 0, half, 1.0), 0.0)

    def rounding(self, cells: Places) -> Array:
        """Returns more than the errors of the floats in `line`."""
        tubes = self.tubes.take(self._tube[cells])
        size: Array = (np.abs(tubes.middle) + np.abs(tubes.slopes).sum(axis=2)) * MANY
        return size

    def have(self, cells: Places, points: Array, x: Array, radius: Array) -> Flags:
        """Returns whether the only configuration within `radius` of x, which is proved, is that of the cell."""
        beyond = np.abs(x - self.line(cells, points)) * (1 + MANY) + self.rounding(cells) + radius
        tubes = self.tubes.take(self._tube[cells])
        same: Flags = tubes.proved & (beyond <= tubes.outer).all(axis=1)
        return same

    def at(self, points: Array) -> Array:
        """Returns the dependent coordinates at points, in floats."""
        cells = self.cells(points)
        line, outer = self.line(cells, points), self.tubes.outer[self._tube[cells]]
        return np.clip(self.closure.closed(points, line)[0], line - outer, line + outer)

    def proved(self, point: Array) -> tuple[Array, float]:
        """Returns the dependent coordinates at a point, and a proved radius."""
        points = point[None]
        x = self.at(points)
        at = self.closure.tubes(points, points, x)
        if (at.proved & self.have(self.cells(points), points, x, at.inner)).all():
            return x[0], float(at.inner.max(initial=0.0))
        cells = self.cells(points)
        return self.line(cells, points)[0], float(self.tubes.inner[self._tube[cells]].max(initial=0.0))

    def tube(self, low: Array, high: Array) -> tuple[Array, Array, Array]:
        """Returns middle, slopes and half width of tubes about the branch, over boxes within cells.

        The tube of a box is its own if that is proved to be in the cell's; else it is the part of the cell's.
        """
        middle, half = halves(low, high)
        cells = self.cells(middle)
        line, of_cell = self.line(cells, middle), self.tubes.take(self._tube[cells])
        x, _ = self.closure.closed(middle, line)
        own = self.closure.tubes(low, high, x)
        use = own.proved & self.have(cells, middle, x, own.inner)
        wide = halves(self._low[cells], self._high[cells])[1]
        narrowed = of_cell.slopes * np.where(wide > 0, half / np.where(wide > 0, wide, 1.0), 0.0)[:, None]
        return (
            np.where(use[:, None], x, line),
            np.where(use[:, None, None], own.slopes, narrowed),
            np.where(use[:, None], own.inner, (of_cell.inner + 2 * self.rounding(cells)) * (1 + MANY)),
        )
