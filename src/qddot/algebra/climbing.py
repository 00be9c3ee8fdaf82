"""Finds large values of a function over a box: the best of random points climb by random steps."""

from __future__ import annotations

import math
from collections.abc import Callable
from time import process_time
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[np.float64]

SAMPLES = 1000
CLIMBERS, ROUNDS, STEPS = 8, 60, 31  # steps that each climber tries in each round
FIRST_STEP = 0.08  # of the range
FEW = 2  # coordinates, about, that every second step changes


def climbed(value: Callable[[Array], Array], low: Array, high: Array, until: float = math.inf) -> tuple[float, Array]:
    """Returns a large value and its point: the best samples climb by random steps, each by itself.

    Every second step changes only a few coordinates. The steps of a climber grow while it rises, and halve where not.
    value: returns the values at points (points, coordinates); until: the time of `process_time` at which to stop
    """
    random, count = np.random.default_rng(0), len(low)
    points = low + (high - low) * random.random((SAMPLES if count else 1, count))
    values = value(points)
    order = np.argsort(-values)[:CLIMBERS]
    points, values = points[order], values[order]
    rows, size = np.arange(len(points)), np.full(len(points), FIRST_STEP)
    share = np.where(np.arange(STEPS) % 2, 1.0, FEW / max(count, 1))[:, None]
    for _ in range(ROUNDS if count else 0):
        if process_time() > until:
            break
        steps = random.normal(size=(len(points), STEPS, count))
        steps *= random.random(steps.shape) < share
        tried = np.clip(points[:, None] + size[:, None, None] * (high - low) * steps, low, high)
        heights = value(tried.reshape(-1, count)).reshape(len(points), STEPS)
        best = np.argmax(heights, axis=1)
        rises = heights[rows, best] > values
        points = np.where(rises[:, None], tried[rows, best], points)
        values = np.where(rises, heights[rows, best], values)
        size = np.where(rises, size * 1.2, size * 0.5)
    top = int(np.argmax(values))
    return float(values[top]), points[top]
