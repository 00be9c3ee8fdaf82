"""Defines what is bounded: how the largest value of a quantity over a box follows from enclosures of its entries."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np

from qddot.proof.bounds import eigenvalues
from qddot.proof.bounds.forms import MANY, TINY, UNIT, Array
from qddot.proof.bounds.walk import Enclosure


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


class SingleEntry:
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

    The results are Γ_ijk, those for k ≥ j if it is symmetric in j and k. C(q, v) w is that matrix times the vector of
    all w_j v_k, whose length is ‖w‖ ‖v‖.
    """

    def __init__(self, n: int, symmetric: bool = True) -> None:
        self._triples = [(i, j, k) for i in range(n) for j in range(n) for k in range(j if symmetric else 0, n)]
        place = {triple: at for at, triple in enumerate(self._triples)}
        of = [
            [[place.get((i, j, k), place[i, k, j]) if j > k else place[i, j, k] for k in range(n)] for j in range(n)]
            for i in range(n)
        ]
        self.n, self._tensor = n, np.array(of)
        self._of = self._tensor.reshape(n, n * n)

    def entries(self, tensor: Sequence[Sequence[Sequence[Any]]]) -> list[Any]:
        """Returns the results from all entries."""
        return [tensor[i][j][k] for i, j, k in self._triples]

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
