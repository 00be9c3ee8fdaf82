"""A Design places runs in the unit cube of the drawn numbers: a run's point depends on its index, the seed and the
number of dimensions, in a latin design also on the number of runs.
"""

from __future__ import annotations

import math
import threading
import warnings
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Protocol

import numpy as np

from qddot.base.records import record

LANES = 4  # numbers of 64 bits that Philox makes from one counter
SMALLEST = 2.0**-54  # a quantile function has no value at 0 and 1
MOST_SOBOL = 2**30  # points of SciPy's sequence


class Design(Protocol):
    """A design has `runs` points, and computes any range of them."""

    @property
    def runs(self) -> int:
        """Returns the number of points."""
        ...

    def points(self, start: int, stop: int) -> Any:
        """Returns the points start … stop − 1, numbers between 0 and 1, (stop − start, dimensions)."""
        ...


@record()
class Seeded:
    """This is a design of so many runs whose points follow from a seed."""

    runs: int
    dimensions: int
    seed: int


class Random(Seeded):
    """Points are independent; point i is made by Philox from counters for i.

    Source: Salmon, Moraes, Dror & Shaw, "Parallel random numbers: as easy as 1, 2, 3", 2011.
    """

    def points(self, start: int, stop: int) -> Any:
        blocks = -(-self.dimensions // LANES)
        bits = np.random.Philox(key=self.seed, counter=start * blocks)
        raw = bits.random_raw((stop - start) * blocks * LANES).reshape(stop - start, -1)[:, : self.dimensions]
        return ((raw >> np.uint64(11)).astype(float) + 0.5) * 2.0**-53


class Sobol(Seeded):
    """The points are those of SciPy's scrambled Sobol sequence. Source: Owen, "Scrambling Sobol' points", 1998."""

    def points(self, start: int, stop: int) -> Any:
        engine = self._engine(start)
        if start > engine.num_generated:
            engine.fast_forward(start - engine.num_generated)
        # SciPy warns about counts that are not powers of 2; the sweep's notes say it
        with warnings.catch_warnings(action="ignore"):
            return np.clip(engine.random(stop - start), SMALLEST, 1 - SMALLEST)

    def _engine(self, start: int) -> Any:
        """Returns SciPy's engine of this thread, before the point `start`; advancing takes 4 ns a point."""
        from scipy.stats import qmc

        pair: tuple[Sobol, Any] | None = getattr(_engines, "kept", None)
        if pair is None or pair[0] != self or pair[1].num_generated > start:
            seed = np.random.default_rng(self.seed)
            pair = _engines.kept = self, qmc.Sobol(self.dimensions, scramble=True, seed=seed)
        return pair[1]


_engines = threading.local()


class Latin(Seeded):
    """Points are a Latin hypercube of SciPy's: of N points, each coordinate has one in each of N equal intervals."""

    def points(self, start: int, stop: int) -> Any:
        return _hypercube(self)[start:stop]


@lru_cache(maxsize=1)
def _hypercube(design: Latin) -> Any:
    from scipy.stats import qmc

    engine = qmc.LatinHypercube(design.dimensions, seed=np.random.default_rng(design.seed))
    return np.clip(engine.random(design.runs), SMALLEST, 1 - SMALLEST)


@record()
class Saltelli:
    """Points are rows of two Sobol matrices A and B, and of A with one column of B, for sensitivities.

    Runs come in groups of dimensions + 2 for each row: A's, B's, then A's with B's coordinate 1, 2 …
    Source: Saltelli et al., "Variance based sensitivity analysis of model output", 2010.
    """

    rows: int
    dimensions: int
    seed: int

    @property
    def runs(self) -> int:
        return self.rows * (self.dimensions + 2)

    def points(self, start: int, stop: int) -> Any:
        d, group = self.dimensions, self.dimensions + 2
        first, last = start // group, -(-stop // group)
        both = Sobol(self.rows, 2 * d, self.seed).points(first, last)
        A, B = both[:, :d], both[:, d:]
        points = np.repeat(A[:, None], group, axis=1)
        points[:, 1] = B
        for j in range(d):
            points[:, 2 + j, j] = B[:, j]
        return points.reshape(-1, d)[start - first * group : stop - first * group]


@record()
class Grid:
    """Points are all combinations of the values of each coordinate; the last coordinate changes fastest."""

    sizes: tuple[int, ...]

    @property
    def runs(self) -> int:
        return math.prod(self.sizes)

    def points(self, start: int, stop: int) -> Any:
        places = np.unravel_index(np.arange(start, stop), self.sizes)
        return np.stack([(at + 0.5) / size for at, size in zip(places, self.sizes, strict=True)], axis=1)


DRAWN: Mapping[str, Callable[[int, int, int], Design]] = {
    "random": Random,
    "latin": Latin,
    "sobol": Sobol,
    "saltelli": Saltelli,
}
DESIGNS: Sequence[str] = (*DRAWN, "grid")
