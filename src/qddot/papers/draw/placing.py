"""Finds places for labels near their objects, where they cover neither each other nor the drawing."""

from __future__ import annotations

from typing import Any

import numpy as np

from qddot.base.records import record

DIRECTIONS = np.array([(np.cos(a), np.sin(a)) for a in np.linspace(0, 2 * np.pi, 16, endpoint=False)])
DISTANCES = (0.0, 4.0, 9.0, 16.0, 25.0, 36.0, 50.0, 68.0)
GAP = 3.0  # between a label and its anchor, and between labels
ROUNDS = 3
CELL = 2.0  # cells of the raster that records where something is drawn


class Drawn:
    """This measures how much of any box in the picture is drawn on, by sums over a raster.

    dots: points all over the drawing, (many, 2); high: the picture's upper right corner
    """

    def __init__(self, dots: Any, high: Any) -> None:
        cells = np.zeros(np.ceil(high / CELL).astype(int) + 1)
        at = np.round(dots / CELL).astype(int)
        inside = ((at >= 0) & (at < cells.shape)).all(-1)
        cells[tuple(at[inside].T)] = 1
        self._sums = np.pad(cells.cumsum(0).cumsum(1), ((1, 0), (1, 0)))

    def inside(self, low: Any, high: Any) -> Any:
        """Returns the number of cells that are drawn on in boxes between these corners, (many, 2)."""
        last = np.array(self._sums.shape) - 1
        (a, b), (c, d) = (
            np.clip(np.round(corner / CELL).astype(int) + k, 0, last).T for corner, k in ((low, 0), (high, 1))
        )
        return self._sums[c, d] - self._sums[a, d] - self._sums[c, b] + self._sums[a, b]


@record()
class Unplaced:
    """This label needs a place beside its anchor, if possible in this direction; units are points of the picture."""

    anchor: Any
    size: Any
    direction: Any


def place(labels: list[Unplaced], drawn: Drawn, low: Any, high: Any) -> list[Any]:
    """Returns the labels' centres; labels choose in order, then each chooses again given the others.

    low, high: corners of the picture
    """
    chosen: list[Any] = [None] * len(labels)
    for _ in range(ROUNDS):
        for k, label in enumerate(labels):
            others = [(at, labels[j].size) for j, at in enumerate(chosen) if at is not None and j != k]
            chosen[k] = _best(label, others, drawn, low, high)
    return chosen


def _best(label: Unplaced, others: list[Any], drawn: Drawn, low: Any, high: Any) -> Any:
    """Returns the centre with the least cost: covering costs most, then distance, then another direction."""
    half = label.size / 2
    # a label's edge, not its centre, keeps the distance
    reach = 1 / np.maximum(np.abs(DIRECTIONS / half).max(1, keepdims=True), 1e-9)
    steps = np.array(DISTANCES)[:, None, None] + reach + GAP
    centres = (label.anchor + steps * DIRECTIONS).reshape(-1, 2)
    cost = 0.06 * np.repeat(DISTANCES, len(DIRECTIONS))
    cost += np.tile(1 - DIRECTIONS @ label.direction, len(DISTANCES))
    covered = drawn.inside(centres - half, centres + half)
    cost += 6.0 * (covered > 0) + 0.25 * covered
    for at, size in others:
        overlap = np.clip(half + size / 2 + GAP / 2 - np.abs(centres - at), 0, None).prod(-1)
        cost += np.where(overlap > 0, 30 + overlap, 0)
    outside = np.clip(low + half - centres, 0, None) + np.clip(centres + half - high, 0, None)
    cost += 50 * (outside.sum(-1) > 0) + 10 * outside.sum(-1)
    return centres[int(np.argmin(cost))]
