"""Finds the largest value of a quantity over a box of coordinates, with a proof, by branch and bound.

Boxes whose upper bound is near the best value that is found are settled; the others are halved, the worst first.
Source: Moore, Kearfott & Cloud, *Introduction to Interval Analysis*, 2009, ch. 5.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from time import process_time

import numpy as np
from numpy.typing import NDArray

from qddot.algebra.climbing import climbed
from qddot.proof.bounds.forms import TINY, Array
from qddot.proof.bounds.quantities import Quantity
from qddot.proof.bounds.walk import Enclosure, Walk

BATCH = 512  # boxes at once: more take less time for each box, fewer are chosen better
WIDTH = 0.2  # how much the width along a pose's coordinate, up to 1, counts beside the change of the quantity along it
NOTHING = 1e-140  # a bound below this is a bound of zero, which underflow alone has raised
MOST_BOXES = 4_000_000  # about 1 GB


@dataclass
class Maximum:
    """This is what is known of the largest value: it is at most `proven`, and at `pose` it is about `found`.

    pose: the coordinates on which the quantity depends; complete: whether the gap that was asked for is reached
    """

    proven: float
    found: float
    pose: Array
    boxes: int
    complete: bool


@dataclass
class _Open:
    """Boxes that are not settled: their corners and upper bounds."""

    low: Array
    high: Array
    above: Array = field(default_factory=lambda: np.zeros(0))

    def largest(self, count: int) -> tuple[_Open, _Open]:
        """Returns the boxes with the largest bounds, and the others."""
        if len(self.above) <= count:
            return self, self.only(np.zeros(len(self.above), bool))
        order = np.argpartition(-self.above, count)
        return self.only(order[:count]), self.only(order[count:])

    def only(self, which: slice | NDArray[np.bool_ | np.intp]) -> _Open:
        return _Open(self.low[which], self.high[which], self.above[which])

    def joined(self, other: _Open) -> _Open:
        rows = (self.low, other.low), (self.high, other.high), (self.above, other.above)
        return _Open(*(np.concatenate(pair) for pair in rows))


def largest(
    walk: Walk, of: Quantity, low: Array, high: Array, gap: float, until: float, above: float = math.inf
) -> Maximum:
    """Returns the largest value over the box from `low` to `high` of the walk's coordinates.

    gap: relative to the value that is found; until: the time of `process_time` at which to stop; above: a bound that
    is already known
    """
    found, pose = climbed(lambda points: of.at(walk.at(points)), low, high, (process_time() + until) / 2)
    opened = _Open(low[None], high[None], np.full(1, above))
    axes = _bounded(of, walk(low[None], high[None]), opened)
    settled, boxes = -math.inf, 1
    while True:
        near = (opened.above <= found + gap * abs(found)) | (np.abs(opened.above) <= NOTHING)
        settled = max(settled, float(opened.above[near].max(initial=-math.inf)))
        opened, axes = opened.only(~near), axes[~near]
        if not len(opened.above) or process_time() > until or len(opened.above) > MOST_BOXES or not len(low):
            break
        order = np.argsort(-opened.above, kind="stable")
        opened, axes = opened.only(order), axes[order]
        chosen, rest = opened.only(slice(BATCH)), opened.only(slice(BATCH, None))
        children = _halved(chosen, axes[:BATCH])
        entries = walk(children.low, children.high)
        longest = _bounded(of, entries, children)
        boxes += len(children.above)
        values = np.full(len(children.above), -math.inf)
        values[entries.known] = of.at(entries.centre[:, entries.known])
        place = int(np.argmax(values))
        if values[place] > found:
            middle = children.low[place] + (children.high[place] - children.low[place]) / 2
            exact = float(of.at(walk.at(middle[None]))[0])
            found, pose = max((found, pose), (exact, middle), key=lambda pair: pair[0])
        opened, axes = rest.joined(children), np.concatenate([axes[BATCH:], longest])
    proven = max(settled, float(opened.above.max(initial=-math.inf)))
    return Maximum(proven, found, pose, boxes, not len(opened.above))


def _bounded(of: Quantity, entries: Enclosure, boxes: _Open) -> NDArray[np.intp]:
    """Lowers the boxes' bounds, and returns for each the coordinate along which the quantity changes the most.

    A bound that is not a number is ignored. Boxes over which some result has no bounds are halved as `hidden` says.
    """
    width, known = boxes.high - boxes.low, entries.known
    above, changes = np.full(len(width), math.inf), np.zeros(width.shape)
    if known.any():
        with np.errstate(all="ignore"):
            above[known], changes[known] = of.above(entries if known.all() else entries.only(known))
    boxes.above = np.fmin(above, boxes.above)
    if not width.shape[1]:
        return np.zeros(len(width), np.intp)
    changes = np.nan_to_num(changes + entries.hidden)
    undivided = np.argmax(changes + np.where(known[:, None], 0.0, width * TINY), axis=1)
    poses = width.shape[1] - entries.rates
    fastest = (changes / np.where(width > 0, width, 1.0))[:, :poses].max(axis=1, initial=0.0)[:, None]
    # a bound's whole change along a rate is known, along a pose only that of a linear form
    changes[:, :poses] += np.minimum(width[:, :poses], 1.0) * (WIDTH * fastest + TINY)
    axes: NDArray[np.intp] = np.where(known, np.argmax(changes, axis=1), undivided)
    return axes


def _halved(boxes: _Open, axes: NDArray[np.intp]) -> _Open:
    rows = np.arange(len(axes))
    middle = boxes.low[rows, axes] + (boxes.high[rows, axes] - boxes.low[rows, axes]) / 2
    low, high = boxes.low.copy(), boxes.high.copy()
    low[rows, axes] = middle
    high[rows, axes] = middle
    return _Open(np.concatenate([boxes.low, low]), np.concatenate([high, boxes.high]), np.tile(boxes.above, 2))
