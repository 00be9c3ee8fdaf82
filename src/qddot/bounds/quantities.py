"""Defines what is bounded: how the largest value of a quantity over a box follows from enclosures of its entries."""

from __future__ import annotations

from itertools import product
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from qddot.bounds import eigenvalues
from qddot.bounds.forms import MANY, TINY, UNIT, Array
from qddot.bounds.walk import Enclosure

Flags: TypeAlias = NDArray[np.bool_]

MOST_SIGNS = 9  # joints, of which all signs are tried


class Quantity(Protocol):
    """A quantity that depends on the pose, whose largest value over a region is sought.

    above: upper bounds over boxes (boxes,), and how much it changes along each coordinate (boxes, coordinates)
    at: its values, in floats, from the results (results, points) at points
    """

    def above(self, entries: Enclosure) -> tuple[Array, Array]: ...
    def at(self, results: Array) -> Array: ...


class Eigenvalue:
    """This is the largest eigenvalue of `sign` times a symmetric matrix; the results are its lower triangle."""

    def __init__(self, n: int, sign: float = 1.0) -> None:
        self.sign = sign
        place = {(i, j): k for k, (i, j) in enumerate((i, j) for i in range(n) for j in range(i + 1))}
        self._of = np.array([[place[max(i, j), min(i, j)] for j in range(n)] for i in range(n)])

    def matrices(self, results: Array) -> Array:
        """Returns the symmetric matrices (boxes, n, n)."""
        return np.moveaxis(results[self._of], -1, 0)

    def above(self, entries: Enclosure) -> tuple[Array, Array]:
        slopes = np.transpose(entries.slopes[self._of], (3, 2, 0, 1))
        return eigenvalues.largest(
            self.sign * self.matrices(entries.centre), self.sign * slopes, self.matrices(entries.radius)
        )

    def at(self, results: Array) -> Array:
        values: Array = np.linalg.eigvalsh(self.sign * self.matrices(results)).max(axis=1)
        return values


class Entry:
    """This is `sign` times one number, the only result."""

    def __init__(self, sign: float = 1.0) -> None:
        self.sign = sign

    def above(self, entries: Enclosure) -> tuple[Array, Array]:
        changes = np.abs(entries.slopes[0])
        centre, reach = self.sign * entries.centre[0], changes.sum(axis=0) + entries.radius[0]
        return centre + reach + (np.abs(centre) + reach) * MANY + TINY, changes.T

    def at(self, results: Array) -> Array:
        values: Array = self.sign * results[0]
        return values


class SpectralNorm:
    """This is the norm of a symmetric matrix: the largest eigenvalue of it or of its negative."""

    def __init__(self, n: int) -> None:
        self._sides = Eigenvalue(n), Eigenvalue(n, -1.0)

    def above(self, entries: Enclosure) -> tuple[Array, Array]:
        (one, changes), (other, changed) = (side.above(entries) for side in self._sides)
        return np.maximum(one, other), np.where((one > other)[:, None], changes, changed)

    def at(self, results: Array) -> Array:
        one, other = (side.at(results) for side in self._sides)
        return np.maximum(one, other)


class Length:
    """This is the length of the vector of all results."""

    def above(self, entries: Enclosure) -> tuple[Array, Array]:
        slopes = np.transpose(entries.slopes, (2, 1, 0))
        return eigenvalues.length(entries.centre.T, slopes, entries.radius.T), np.abs(slopes).sum(axis=2)

    def at(self, results: Array) -> Array:
        values: Array = np.linalg.norm(results, axis=0)
        return values


class Coriolis:
    """This is a bound of k in ‖C(q, v) w‖ ≤ k ‖v‖ ‖w‖: the norm of Γ as a matrix of n rows and n² columns.

    The results are Γ_ijk for k ≥ j. C(q, v) w is that matrix times the vector of all w_j v_k, whose length is ‖w‖ ‖v‖.
    """

    def __init__(self, n: int) -> None:
        pairs = [(i, j, k) for i in range(n) for j in range(n) for k in range(j, n)]
        place = {triple: at for at, triple in enumerate(pairs)}
        tensor = np.array([[[place[i, min(j, k), max(j, k)] for k in range(n)] for j in range(n)] for i in range(n)])
        self.n, self._tensor = n, tensor
        self._of = tensor.reshape(n, n * n)

    def tensors(self, results: Array) -> Array:
        """Returns Γ as (boxes, n, n, n)."""
        return np.moveaxis(results[self._tensor], -1, 0)

    def above(self, entries: Enclosure) -> tuple[Array, Array]:
        """Returns the square roots of bounds of the eigenvalues of X Xᵀ, where X is that matrix."""
        X = np.moveaxis(entries.centre[self._of], -1, 0)
        slopes = np.transpose(entries.slopes[self._of], (3, 2, 0, 1))
        wide = 1 + 8 * (self.n**3 + 8) * UNIT
        size, reach = _frobenius(X) * wide, _frobenius(np.moveaxis(entries.radius[self._of], -1, 0)) * wide
        second = reach * (2 * size + reach)
        turned = np.empty((*slopes.shape[:2], self.n, self.n))
        spread = np.zeros(len(X))
        for k in range(slopes.shape[1]):
            half = X @ slopes[:, k].transpose(0, 2, 1)
            turned[:, k] = half + half.transpose(0, 2, 1)
            spread = spread + _frobenius(slopes[:, k]) * wide
        second = second + spread * (spread + 2 * reach)
        rounded = (size + spread) ** 2 * (16 * (self.n**2 + 8) * UNIT)
        gram = X @ X.transpose(0, 2, 1)
        gram = (gram + gram.transpose(0, 2, 1)) / 2
        above, changes = eigenvalues.largest(gram, turned, np.zeros_like(gram))
        square = above + (second + rounded) * wide
        root: Array = np.sqrt(np.maximum(square, 0.0))
        return root * (1 + 8 * UNIT) + TINY, changes

    def at(self, results: Array) -> Array:
        X = np.moveaxis(results[self._of], -1, 0)
        square = np.linalg.eigvalsh(X @ X.transpose(0, 2, 1)).max(axis=1)
        values: Array = np.sqrt(np.maximum(square, 0.0))
        return values


def _frobenius(A: Array) -> Array:
    values: Array = np.sqrt((A**2).sum(axis=(1, 2)))
    return values


class Torque:
    """This is `sign` times one joint's torque for the worst rates |v| ≤ V and accelerations |a| ≤ A.

    The results are M_ij, Γ_ijk for k ≥ j, the torque at rest, and friction's at the rates V, which is not negative.
    The products of different rates are largest in a corner of their box. All combinations of signs are tried for up to
    MOST_SIGNS joints; beyond, each product is bounded by itself. Squares count where their Γ_ijj is positive.
    """

    def __init__(self, rates: Array, accelerations: Array, sign: float) -> None:
        n = len(rates)
        self.n, self.sign = n, sign
        pairs = [(j, k) for j in range(n) for k in range(j, n)]
        self._squares = np.array([j == k for j, k in pairs])
        self._together = n <= MOST_SIGNS
        signs = [*product((-1.0, 1.0), repeat=n - 1)] if self._together else [(1.0,) * (n - 1)]
        patterns = np.array([(1.0, *each) for each in signs])
        products = np.array([patterns[:, j] * patterns[:, k] for j, k in pairs]).T
        speeds = np.array([rates[j] * rates[k] * (1 if j == k else 2) for j, k in pairs])
        linear = np.broadcast_to(accelerations, (len(patterns), n))
        self._weights = np.column_stack([linear, products * speeds, np.ones(len(patterns))])

    def above(self, entries: Enclosure) -> tuple[Array, Array]:
        """Returns bounds over boxes, where chords above |M_ij| and the positive part of Γ_ijj stand for these."""
        n, weights = self.n, self._weights
        centre, slopes, radius = self.sign * entries.centre[:-1], self.sign * entries.slopes[:-1], entries.radius[:-1]
        ends = self.sign * entries.low[:-1], self.sign * entries.high[:-1]
        low, high = np.minimum(*ends), np.maximum(*ends)
        bent = np.zeros(len(centre), bool)
        bent[:n] = True
        if not self._together:
            bent[n:-1] = ~self._squares
        halved = np.zeros(len(centre), bool)
        halved[n:-1] = self._squares
        slope, offset = _chords(low, high, bent, halved)
        centre, slopes, radius = slope * centre + offset, slope[:, None] * slopes, np.abs(slope) * radius
        changes = np.abs(np.tensordot(weights, slopes, axes=1))
        total = weights @ centre + changes.sum(axis=1)
        most = np.abs(weights[0])
        size = most @ (np.abs(centre) + np.abs(offset) + np.abs(slopes).sum(axis=1) + radius)
        friction = np.maximum(entries.high[-1], 0.0)
        rounded = (size + friction) * (16 * (len(centre) + slopes.shape[1] + 16) * UNIT) + TINY
        above: Array = total.max(axis=0) + most @ radius + friction + rounded
        return above, changes.max(axis=0).T

    def at(self, results: Array) -> Array:
        """Returns the largest value in all corners, or the value in one if there are too many; it is attained."""
        values = self.sign * results[:-1]
        values[: self.n] = np.abs(values[: self.n])
        if self._together:
            largest: Array = (self._weights @ values).max(axis=0) + results[-1]
            return largest
        held = values[: self.n].T @ self._weights[0, : self.n] + values[-1] + results[-1]
        attained: Array = held + (self._weights[:, self.n : -1] @ values[self.n : -1]).max(axis=0)
        return attained


def _chords(low: Array, high: Array, bent: Flags, halved: Flags) -> tuple[Array, Array]:
    """Returns slope and offset of a line for each row: of x itself, or one above |x| or max(x, 0) from `low` to `high`.

    bent, halved: the rows with |x| and with max(x, 0)
    """
    at_low = np.where(bent[:, None], np.abs(low), np.where(halved[:, None], np.maximum(low, 0.0), low))
    at_high = np.where(bent[:, None], np.abs(high), np.where(halved[:, None], np.maximum(high, 0.0), high))
    width = high - low
    slope = np.where(width > 0, (at_high - at_low) / np.where(width > 0, width, 1.0), 1.0)
    slope = np.where((bent | halved)[:, None], np.clip(slope, -1.0, 1.0), 1.0)
    size = np.maximum(np.abs(low), np.abs(high))
    offset = np.maximum(at_low - slope * low, at_high - slope * high) + size * (8 * UNIT)
    return slope, np.where((bent | halved)[:, None], offset, 0.0)
