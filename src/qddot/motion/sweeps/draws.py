"""Draws say how often a sweep draws its numbers, by which design and from which seed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from qddot.base.checked import is_whole
from qddot.base.errors import SweepError, check_one_of, did_you_mean, flag, shortened
from qddot.base.records import record
from qddot.base.words.message import say
from qddot.motion.sweeps.designs import DESIGNS, DRAWN, MOST_SOBOL, Design, Grid
from qddot.motion.sweeps.drawn import Drawn

MOST_RUNS = 10**12
MOST_LATIN = 2**27  # numbers, a gigabyte
SEEDS = 2**64


@record()
class Draws:
    """Draws say how often a sweep draws its numbers, by which design and from which seed.

    count: the number of draws. Each makes one run, except in a saltelli design, where N draws of d numbers make
    N·(d + 2) runs, and N is a power of 2. A grid needs no count.
    design: "random", "latin", "sobol", "saltelli" (for sensitivities) or "grid"; by default "grid" if all drawn numbers
    are grids, else "random". Grids cannot be mixed with other distributions.
    seed: a nonnegative integer below 2^64. A run's draw depends only on the seed, the run's index and which numbers are
    drawn; in a latin design also on the count.
    strict: whether a physically impossible draw (of masses, inertias, friction, armature or limits) is an error;
        otherwise its run is left out.
    raises SweepError: an unknown design, or an impossible seed or count
    """

    count: int | None = None
    design: str | None = None
    seed: int = 0
    strict: bool = False

    def __post_init__(self) -> None:
        if self.count is not None:
            counted(self.count, "draws")
        if self.design is not None:
            check_one_of(self.design, DESIGNS, "design", SweepError)
        if not is_whole(self.seed) or not 0 <= self.seed < SEEDS:
            raise SweepError("seed-out-of-range", seed=shortened(self.seed))
        flag(self.strict, "strict")

    @classmethod
    def of(cls, draws: Any) -> Draws:
        """Returns the draws that a user gives: Draws, a number of them, a mapping from a file, or None."""
        if isinstance(draws, Draws):
            return draws
        if not isinstance(draws, Mapping):
            return cls(draws)
        names = [each.name for each in fields(cls)]
        for name in draws:
            if name not in names:
                raise SweepError(
                    "no-such-setting-of-draws", name=shortened(name), remedy=did_you_mean(str(name), names)
                )
        return cls(**draws)

    def design_of(self, drawn: Drawn) -> Design:
        """Returns the design of the drawn numbers. raises SweepError: the chosen design does not fit them"""
        grids = drawn.in_grids
        if not grids:
            raise SweepError("nothing-drawn")
        name = self.design or ("grid" if all(grids) else "random")
        if any(grids) != (name == "grid") or (name == "grid" and not all(grids)):
            other = drawn.labels[grids.index(name != "grid")]
            if name == "grid":
                raise SweepError("design-needs-grids", name=name, other=other)
            expected = say("all-as-grids") if self.design is None else say("only-distributions")
            raise SweepError("design-takes-no-grid", name=name, other=other, expected=expected)
        design = self._grid(drawn) if name == "grid" else self._drawn(name, len(grids))
        self._check_size(name, design)
        return design

    def _grid(self, drawn: Drawn) -> Design:
        grid = Grid(tuple(len(each.facts["grid"]) for each in drawn.distributions))
        if self.count not in (None, grid.runs):
            raise SweepError("draws-of-a-grid", count=self.count, runs=grid.runs)
        return grid

    def _drawn(self, name: str, dimensions: int) -> Design:
        if self.count is None:
            raise SweepError("design-without-count", name=name)
        if name == "latin" and self.count * dimensions > MOST_LATIN:
            raise SweepError("latin-design-too-large", count=self.count)
        return DRAWN[name](self.count, dimensions, self.seed)

    def _check_size(self, name: str, design: Design) -> None:
        draws = self.count or 0
        if name == "saltelli" and draws & (draws - 1):
            near_it = 1 << (draws.bit_length() - 1)
            raise SweepError("draws-no-power-of-two", draws=draws, nearest=near_it)
        most = MOST_SOBOL if name in ("sobol", "saltelli") else MOST_RUNS
        if design.runs > MOST_RUNS or draws > most:
            is_many, runs = draws > most, say("number-of-runs", number=design.runs)
            fact = say("number-of-draws", number=draws) if is_many else runs
            raise SweepError("design-too-large", fact=fact, name=name, largest=most if is_many else MOST_RUNS)


def counted(value: Any, what: str) -> int:
    """Returns a count of draws, steps or runs. raises SweepError: it is not a count, or larger than in any sweep"""
    if is_whole(value) and 0 < value <= MOST_RUNS:
        return int(value)
    raise SweepError("count-out-of-range", what=what, value=shortened(value), largest=f"{MOST_RUNS:.0e}")
