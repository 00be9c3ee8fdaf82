"""Encloses functions of angles over boxes by their trigonometric sums.

Where the last angles of a box change much, all terms with the same multiples of these angles are bounded together, by
sums in the first angles. So angles on which a function hardly depends, such as those of a wrist, need not be divided.
"""

from __future__ import annotations

from functools import cache
from math import prod

import numpy as np

from qddot.proof.bounds.exact_programs import ExactProgram
from qddot.proof.bounds.forms import MANY, Array
from qddot.proof.bounds.fourier import TrigonometricSum, degrees, signs
from qddot.proof.bounds.walk import Enclosure, ExactWalk, Walk

MOST_POINTS = 700  # with more, the program itself is enclosed faster
MOST_POINTS_OF_M = 20_000  # for M, since the sum bounds its eigenvalues much closer
ANY = 3.0  # rad; the last angles of a box, if their ranges are at least as wide, may as well be any angles
MOST_ANY = 3  # angles; more would have too many multiples
LATER = 0.1  # of what the last angles change counts, since they must be halved several times before it grows less
BOXES = 128  # at once, over which sums with outer terms are enclosed


class SumOfAnyLast:
    """The same sum over boxes in which the angles after the first `inner` ones are any angles.

    The terms with the same multiples n_k of these angles are P cos φ + Q sin φ, where φ = Σ n_k q_k; they are at most
    √(P² + Q²). P and Q are sums in the inner angles: A cos(α + φ) + B sin(α + φ) = (A cos α + B sin α) cos φ + (B
    cos α − A sin α) sin φ.
    """

    def __init__(self, whole: TrigonometricSum, inner: int) -> None:
        w, results = whole.frequencies, whole.A.shape[1]
        turn, over = signs(w[:, :inner])[:, None], signs(w[:, inner:])[:, None]
        inside, place = np.unique(turn * w[:, :inner], axis=0, return_inverse=True)
        none = np.zeros((1, w.shape[1] - inner))  # comes first
        outside, group = np.unique(np.concatenate([none, over * w[:, inner:]]), axis=0, return_inverse=True)
        shape = len(inside), len(outside), 2, results
        A, B = np.zeros(shape), np.zeros(shape)
        place, group = place.reshape(-1), group.reshape(-1)[1:]
        np.add.at(A[:, :, 0], (place, group), whole.A)
        np.add.at(B[:, :, 0], (place, group), turn * whole.B)
        np.add.at(A[:, :, 1], (place, group), over * whole.B)
        np.add.at(B[:, :, 1], (place, group), -over * turn * whole.A)
        self._groups, self._results, self._inner = len(outside), results, inner
        rows = len(inside)
        self._sum = TrigonometricSum(inside, A.reshape(rows, -1), B.reshape(rows, -1), 0.0)
        self._size = np.zeros((len(outside), results))
        np.add.at(self._size, group, whole.size)
        self.wrong = whole.wrong * (1 + MANY) + whole.amplitude.sum(axis=0) * MANY

    def enclosure(self, low: Array, high: Array) -> tuple[Array, Array, Array, Array]:
        """Returns the same as the whole sum's; slopes along the outer angles are zero."""
        parts = [self._enclosed(low[k : k + BOXES], high[k : k + BOXES]) for k in range(0, len(low), BOXES)]
        centre, slopes, radius, hidden = zip(*parts, strict=True)
        return (
            np.concatenate(centre, axis=-1),
            np.concatenate(slopes, axis=-1),
            np.concatenate(radius, axis=-1),
            np.concatenate(hidden),
        )

    def _enclosed(self, low: Array, high: Array) -> tuple[Array, Array, Array, Array]:
        inner, outer = self._inner, low.shape[1] - self._inner
        centre, slopes, radius, hidden = self._sum.enclosure(low[:, :inner], high[:, :inner])
        shape = self._groups, 2, self._results, -1
        most = (np.abs(centre) + np.abs(slopes).sum(axis=1) + radius).reshape(shape)[1:]
        beside = np.minimum(np.hypot(most[:, 0], most[:, 1]), self._size[1:, :, None]) * (1 + MANY)
        beyond = np.zeros((len(low), outer))
        beyond[:, 0] = beside.max(axis=1).sum(axis=0) * LATER  # the first outer angle is divided before the others
        radius = radius[: self._results] + beside.sum(axis=0) + self.wrong[:, None]
        slopes = np.concatenate([slopes[: self._results], np.zeros((self._results, outer, len(low)))], axis=1)
        return centre[: self._results], slopes, radius * (1 + MANY), np.concatenate([hidden, beyond], axis=1)


class TrigonometricWalk:
    """Encloses the results of an exact program as a walk does, by their sum."""

    def __init__(self, walk: ExactWalk, degree: list[int]) -> None:
        self.coordinates, self.turning, self.is_zero = walk.coordinates, True, walk.is_zero
        whole = TrigonometricSum.of(walk, degree)
        is_short = len(whole.frequencies) < len(walk.program.nodes)
        self.at = whole.at if is_short else walk.at
        self._results = whole.A.shape[1]
        self._sum = cache(lambda inner: whole if inner == len(degree) else SumOfAnyLast(whole, inner))

    def __call__(self, low: Array, high: Array) -> Enclosure:
        d, results = low.shape[1], self._results
        last = np.where(high - low < ANY, np.arange(1, d + 1), 0).max(axis=1, initial=0)
        inner = np.maximum(last, max(d - MOST_ANY, min(d, 1)))
        centre, radius = np.empty((2, results, len(low)))
        slopes, hidden = np.empty((results, d, len(low))), np.empty((len(low), d))
        for count in np.unique(inner):
            which = inner == count
            enclosure = self._sum(int(count)).enclosure(low[which], high[which])
            centre[:, which], slopes[:, :, which], radius[:, which], hidden[which] = enclosure
        whole = (radius + np.abs(slopes).sum(axis=1)) * (1 + MANY) + np.abs(centre) * MANY
        return Enclosure(centre, slopes, radius, centre - whole, centre + whole, hidden)


def walked(exact: ExactProgram, most: int = MOST_POINTS) -> Walk:
    """Returns what encloses an exact program over boxes: its sum if that is short, else the program itself.

    most: the largest number of points from which a sum is made
    """
    walk = ExactWalk(exact)
    degree = degrees(walk)
    walk.turning = degree is not None
    if degree is None or prod(2 * each + 1 for each in degree) > most:
        return walk
    return TrigonometricWalk(walk, degree)
