"""Proves that a mass matrix is positive definite over a region, refutes it by a state, or leaves it undecided."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from qddot.base.records import record
from qddot.base.words.message import Listed, Message, say
from qddot.exact.forms.abbreviate.bounds import Array, Term, enclosure, halved

MOST_BOXES = 60_000
ROUNDING = 1e-11  # exceeds the error of the eigenvalues of matrices with a diagonal of ones


@record()
class Definiteness:
    """This says whether a mass matrix is positive definite over a region.

    verdict: "proved", "refuted" or "undecided"; witness: a state, by coordinate, where M is not definite
    """

    verdict: str
    witness: Mapping[str, float] | None = None
    least: float = 0.0  # in that state: the least diagonal entry if it is not positive, else the least eigenvalue

    on_diagonal: bool = False

    @property
    def message(self) -> Message:
        """Returns the verdict with its witness."""
        if self.witness is None:
            return say("definite-proved" if self.verdict == "proved" else "definite-undecided")
        state = Listed(f"{name} = {value:.4g}" for name, value in self.witness.items()) or say("every-state")
        key = "refuted-on-diagonal" if self.on_diagonal else "refuted-by-eigenvalue"
        return say(key, least=f"{self.least:.3g}", state=state)

    def __str__(self) -> str:
        return str(self.message)


def definiteness(M: Sequence[Sequence[Sequence[Term]]], region: Mapping[str, tuple[float, float]]) -> Definiteness:
    """Returns the verdict on a matrix whose entries are sums of terms, by subdivision.

    Over a box the matrix is its midpoint ± radii. Scaled by the midpoint's diagonal, its least eigenvalue is at least
    that of the midpoint minus the largest row sum of the radii (Weyl's inequality).
    """
    names = list(region)
    low, high = (np.array([[region[name][k] for name in names]]) for k in (0, 1))
    spent = 0
    while True:
        middle = (low + high) / 2
        at = _matrices(M, names, (middle, middle))[0]
        least, diagonal = _least_eigenvalues(at)
        refuted = in_states(at, dict(zip(names, middle.T, strict=True)))
        if refuted.witness is not None:
            return refuted
        bottom, top = _matrices(M, names, (low, high))
        radius = np.maximum(np.abs(top - at), np.abs(at - bottom))
        scale = 1 / np.sqrt(np.maximum(diagonal, np.finfo(float).tiny))
        spread = (radius * scale[:, :, None] * scale[:, None, :]).sum(axis=2).max(axis=1)
        open_ones = ~(least - spread > ROUNDING)
        spent += len(low)
        if not open_ones.any():
            return Definiteness("proved")
        if not names or spent + 2 * int(open_ones.sum()) > MOST_BOXES:
            return Definiteness("undecided")
        low, high = halved(low[open_ones], high[open_ones])


def in_states(M: Array, states: Mapping[str, Array]) -> Definiteness:
    """Returns the verdict on a matrix in some states, by coordinate: refuted or undecided."""
    least, diagonal = _least_eigenvalues(M)
    worst = int(np.argmin(least))
    if least[worst] >= -ROUNDING:
        return Definiteness("undecided")
    state = {name: float(values[worst]) for name, values in states.items()}
    entry = float(diagonal[worst].min())
    return Definiteness("refuted", state, min(entry, float(least[worst])) if entry > 0 else entry, entry <= 0)


def _matrices(
    M: Sequence[Sequence[Sequence[Term]]], names: Sequence[str], boxes: tuple[Array, Array]
) -> tuple[Array, Array]:
    n = len(M)
    bottom, top = np.zeros((len(boxes[0]), n, n)), np.zeros((len(boxes[0]), n, n))
    for i in range(n):
        for j in range(i, n):
            bottom[:, i, j], top[:, i, j] = enclosure(M[i][j], names, boxes)
            bottom[:, j, i], top[:, j, i] = bottom[:, i, j], top[:, i, j]
    return bottom, top


def _least_eigenvalues(M: Array) -> tuple[Array, Array]:
    """Returns the least eigenvalues of the matrices scaled to a diagonal of ones, and their diagonals.

    If a diagonal entry is not positive, a negative number replaces the eigenvalue.
    """
    diagonal = np.diagonal(M, axis1=1, axis2=2).copy()
    positive = (diagonal > 0).all(axis=1)
    scale = 1 / np.sqrt(np.where(diagonal > 0, diagonal, 1.0))
    least = np.linalg.eigvalsh(M * scale[:, :, None] * scale[:, None, :])[:, 0]
    return np.where(positive, least, np.minimum(diagonal.min(axis=1), -1.0)), diagonal
