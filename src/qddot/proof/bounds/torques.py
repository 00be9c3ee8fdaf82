"""Bounds a joint's torque over boxes of poses and rates, for the worst accelerations.

The torque is Σ M_ij a_j + Σ Γ_jk v_j v_k + c v_i + f sgn v_i + G, where M, Γ and G depend on the pose. It is linear in
the accelerations, which are therefore at their limits. In a rate it is a parabola: one that opens upward is largest at
an end, and one that opens downward may be largest within, as at rest. If all rates are reversed, only friction changes
its sign, so that it suffices to take v_i in the direction in which friction adds to the torque that is sought. In a
closed chain, friction has terms Σ c_j v_j of all rates, and f bounds that of all joints, so that both directions count.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from qddot.proof.bounds.forms import TINY, UNIT, Array, halves
from qddot.proof.bounds.walk import Enclosure, Walk

Flags: TypeAlias = NDArray[np.bool_]

MOST_CORNERS = 9  # joints, of whose rates all corners are tried; beyond, each product of rates is bounded by itself
TOGETHER = 64  # corners
SWEEPS = 3  # through the rates, each of which is moved to its best value while the others stay


class WithRates:
    """A walk over boxes of poses, followed by rates; the last results are the rates."""

    def __init__(self, poses: Walk, count: int) -> None:
        self.poses, self.count = poses, count
        self.coordinates, self.turning, self.is_zero = poses.coordinates, poses.turning, False

    def __call__(self, low: Array, high: Array) -> Enclosure:
        n = self.count
        entries, (middle, half) = self.poses(low[:, :-n], high[:, :-n]), halves(low[:, -n:], high[:, -n:])
        results, coordinates, boxes = entries.slopes.shape
        slopes = np.zeros((results + n, coordinates + n, boxes))
        slopes[:results, :coordinates] = entries.slopes
        slopes[results + np.arange(n), coordinates + np.arange(n)] = half.T
        hidden = np.zeros((boxes, coordinates + n))
        hidden[:, :coordinates] = entries.hidden
        ends = zip((entries.centre, entries.low, entries.high), (middle, low[:, -n:], high[:, -n:]), strict=True)
        centre, lowest, highest = (np.concatenate([own, rates.T]) for own, rates in ends)
        radius = np.concatenate([entries.radius, np.zeros((n, boxes))])
        return Enclosure(centre, slopes, radius, lowest, highest, hidden, rates=n)

    def at(self, points: Array) -> Array:
        return np.concatenate([self.poses.at(points[:, : -self.count]), points[:, -self.count :].T])


class Torque:
    """This is `sign` times a joint's torque for the worst accelerations |a| ≤ A, at rates in a box.

    The results are M_ij, Γ_ijk for k ≥ j, the torque at rest, the coefficients c of viscous friction, dry friction f,
    and the rates, of which `sign` v counts as v.
    box: the rates' limits
    """

    def __init__(
        self, joint: int, rates: Array, accelerations: Array, sign: float, pushed: Sequence[int] | None = None
    ) -> None:
        """pushed: the rates with which viscous friction grows, by default the joint's own"""
        n = len(rates)
        self.joint, self.sign, self.n = joint, sign, n
        self._pushed = [joint] if pushed is None else list(pushed)
        self._last = len(self._pushed) + 2  # the results after Γ
        own = (np.arange(n) == joint) & (self._pushed == [joint])
        self.box = np.where(own, 0.0, -rates), rates
        self._accelerations = accelerations
        self._first, self._second = np.array([(j, k) for j in range(n) for k in range(j, n)]).T
        self._squares = self._first == self._second
        self._twice = np.where(self._squares, 1.0, 2.0)
        self._has_corners = n <= MOST_CORNERS
        self._sides = np.array([*product((False, True), repeat=n if self._has_corners else 0)], dtype=bool)

    # the bound

    def above(self, entries: Enclosure) -> tuple[Array, Array]:
        """Returns bounds over boxes, and how much they change along each coordinate, and along rates if that is more.

        With the middle θ and half the width h of the range of v_j, Γ_jj v_j² ≤ Γ_jj (2θ v_j − θ²) + max(Γ_jj, 0) h².
        The right side is linear in v_j, so that the sum of all is largest in a corner of the rates' box.
        """
        low, high = entries.low[-self.n :].T, entries.high[-self.n :].T
        middle, half = halves(low, high)
        centre, slopes, radius, offset, squares = self._rows(entries)
        fastest = np.maximum(np.abs(low), np.abs(high))
        pairs = 4 * fastest[:, self._first] * fastest[:, self._second]
        most = self._weights(fastest[:, None], pairs[:, None], half, pairs)[:, 0].T
        raised = np.abs(centre) + np.abs(offset) + np.abs(slopes).sum(axis=1) + radius
        rounded = (most * raised).sum(axis=0) * (16 * (sum(slopes.shape[:2]) + 16) * UNIT) + TINY
        lines, turned = (centre + offset).T[:, :, None], slopes.transpose(2, 0, 1)
        above, spread = np.full(len(low), -np.inf), np.zeros(len(low))
        changes = np.zeros((len(low), slopes.shape[1]))
        for weights in self._corners(low, high, middle, half):
            moved = np.abs(weights @ turned)
            reach = moved.sum(axis=2) + (np.abs(weights) @ radius.T[:, :, None])[:, :, 0]
            above = np.maximum(above, ((weights @ lines)[:, :, 0] + reach).max(axis=1))
            spread, changes = np.maximum(spread, reach.max(axis=1)), np.maximum(changes, moved.max(axis=1))
        opening = np.maximum(-squares.T, 0.0) * half**2
        return above + rounded, np.concatenate([changes, np.where(opening > spread[:, None], opening, 0.0)], axis=1)

    def _rows(self, entries: Enclosure) -> tuple[Array, Array, Array, Array, Array]:
        """Returns centre, slopes, radius and offset of lines above |M_ij|, Γ_jk, max(Γ_jj, 0), |Γ_jk|, G, c and f.

        The lines |Γ_jk| are left out where corners are tried. The last result has the least Γ_jj.
        """
        n, pairs = self.n, len(self._first)
        of = np.arange(n + pairs + self._last)
        repeated = n + np.flatnonzero(self._squares), () if self._has_corners else of[n : n + pairs]
        order = np.concatenate([of[: n + pairs], *repeated, of[-self._last :]]).astype(int)
        sign = np.where(of < n + pairs + 1, self.sign, 1.0)[order, None]
        ends = sign * entries.low[order], sign * entries.high[order]
        low, high = np.minimum(*ends), np.maximum(*ends)
        places = np.arange(len(order))
        positive = (places >= n + pairs) & (places < n + pairs + n)
        sizes = (places < n) | ((places >= n + pairs + n) & (places < len(order) - self._last))
        slope, offset = _chords(low, high, sizes, positive)
        slopes = entries.slopes[order, : -self.n]
        centre, radius = slope * sign * entries.centre[order], np.abs(slope) * entries.radius[order]
        return centre, slope[:, None] * sign[:, None] * slopes, radius, offset, low[positive]

    def _corners(self, low: Array, high: Array, middle: Array, half: Array) -> Iterator[Array]:
        """Yields the weights of the rows, (boxes, corners, rows), in some corners of the boxes of rates at a time."""
        first, second = self._first, self._second
        if not self._has_corners:
            ends = [a[:, first] * b[:, second] for a in (low, high) for b in (low, high)]
            about, beside = halves(np.minimum.reduce(ends), np.maximum.reduce(ends))
            theta = middle[:, first]
            about = np.where(self._squares, theta**2, about)
            beside = np.where(self._squares, 2 * np.abs(theta) * half[:, first], beside)
            yield self._weights(high[:, None], about[:, None], half, beside)
        for k in range(0, len(self._sides) * self._has_corners, TOGETHER):
            v = np.where(self._sides[k : k + TOGETHER], high[:, None], low[:, None])
            theta = middle[:, None, first]
            products = np.where(self._squares, theta * (2 * v[:, :, first] - theta), v[:, :, first] * v[:, :, second])
            yield self._weights(v, products, half, None)

    def _weights(self, v: Array, products: Array, half: Array, beside: Array | None) -> Array:
        """Returns the weights of the rows, (boxes, corners, rows), for rates and their products in corners."""
        shape = products.shape[:2]
        columns = [
            np.broadcast_to(self._accelerations, (*shape, self.n)),
            self._twice * products,
            np.broadcast_to((half**2)[:, None], (*shape, self.n)),
            *([] if self._has_corners or beside is None else [(self._twice * beside)[:, None]]),
            np.ones((*shape, 1)),
            v[:, :, self._pushed],
            np.ones((*shape, 1)),
        ]
        return np.concatenate(columns, axis=2)

    # values

    def at(self, results: Array) -> Array:
        """Returns the largest values that are found at poses, at their own rates and near them, and from corners."""
        n, pairs = self.n, len(self._first)
        M, bent, (static, *viscous, dry) = results[:n], self.sign * results[n : n + pairs], results[n + pairs : -n]
        gamma = np.zeros((results.shape[1], n, n))
        gamma[:, self._first, self._second] = gamma[:, self._second, self._first] = bent.T
        push = np.zeros((len(gamma), n))
        push[:, self._pushed] = np.transpose(viscous)
        starts = [results[-n:].T, self._best_corner(gamma, push)]
        moved = np.maximum(*(_energy(gamma, push, self._climbed(gamma, push, v)) for v in starts))
        held: Array = self.sign * static + dry + np.abs(M).T @ self._accelerations
        return held + moved

    def _best_corner(self, gamma: Array, push: Array) -> Array:
        """Returns the corner of the rates' box with the largest value for each pose."""
        corners = np.where(self._sides, self.box[1], -self.box[1]) if self._has_corners else self.box[1][None]
        corners = corners[corners[:, self.joint] >= self.box[0][self.joint]]
        products = self._twice * corners[:, self._first] * corners[:, self._second]
        values = gamma[:, self._first, self._second] @ products.T + push @ corners.T
        best: Array = corners[np.argmax(values, axis=1)]
        return best

    def _climbed(self, gamma: Array, push: Array, v: Array) -> Array:
        """Returns rates at which the value is not smaller; each in turn is moved to its best one."""
        v = v.copy()
        low, high = self.box
        rows = np.arange(len(v))
        for j in [*range(self.n)] * SWEEPS:
            bend = gamma[:, j, j]
            slope = 2 * ((gamma[:, j] * v).sum(axis=1) - bend * v[:, j]) + push[:, j]
            within = np.clip(-slope / np.where(bend < 0, 2 * bend, -1.0), low[j], high[j])
            choices = np.stack([np.full(len(v), low[j]), np.full(len(v), high[j]), within])
            v[:, j] = choices[np.argmax(choices * (bend * choices + slope), axis=0), rows]
        return v


def _energy(gamma: Array, push: Array, v: Array) -> Array:
    """Returns Σ Γ_jk v_j v_k + c v_i."""
    values: Array = np.einsum("bj,bjk,bk->b", v, gamma, v) + (push * v).sum(axis=1)
    return values


def _chords(low: Array, high: Array, sizes: Flags, positive: Flags) -> tuple[Array, Array]:
    """Returns slope and offset of a line for each row: of x itself, or one above |x| or max(x, 0) from `low` to `high`.

    sizes, positive: the rows with |x| and with max(x, 0)
    """
    at_low = np.where(sizes[:, None], np.abs(low), np.where(positive[:, None], np.maximum(low, 0.0), low))
    at_high = np.where(sizes[:, None], np.abs(high), np.where(positive[:, None], np.maximum(high, 0.0), high))
    width = high - low
    slope = np.where(width > 0, (at_high - at_low) / np.where(width > 0, width, 1.0), 1.0)
    bent = (sizes | positive)[:, None]
    slope = np.where(bent, np.clip(slope, -1.0, 1.0), 1.0)
    size = np.maximum(np.abs(low), np.abs(high))
    offset = np.maximum(at_low - slope * low, at_high - slope * high) + size * (8 * UNIT)
    return slope, np.where(bent, offset, 0.0)
