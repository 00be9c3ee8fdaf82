"""A Plan is a sweep as a user asks for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from qddot.checked import is_whole
from qddot.errors import SweepError, near, shortened
from qddot.simulate.runs.ledger import LOSSES
from qddot.simulate.setup import Motion
from qddot.simulate.stepping.schemes import SCHEMES
from qddot.sweeps.designs import DESIGNS, DRAWN, MOST_SOBOL, Design, Grid
from qddot.sweeps.drawn import Drawn
from qddot.sweeps.measures import NAMED, Reduction

ABOUT = 100  # intervals that are kept where nothing says how many
MOST_RUNS = 10**12
MOST_LATIN = 2**27  # numbers, a gigabyte
SEEDS = 2**64
# what the answer has besides a user's own
TAKEN = {
    *("run", "chunk", "time", "joint", "axis", "unit", "parameter", "finished", "status", "stop_time", "sweep"),
    *("q", "qd", "q_final", "qd_final", "q_min", "q_max", "qd_min", "qd_max", "end_point"),
    *("E_start", "K", "P", "work", "external"),
    *LOSSES,
}


@dataclass(frozen=True)
class Plan(Motion):
    """A plan has the arguments of `qddot.sweep` except the options; `values` are those of symbols and gains.

    every: one of so many steps is kept over time; chunk: how many runs are done at once
    """

    method: Any = "rk4"
    draws: int | None = None
    design: str | None = None
    seed: int = 0
    reduce: Any = ("final",)
    every: int | None = None
    chunk: int | None = None
    values: Mapping[str, Any] = field(default_factory=dict)

    def check(self) -> None:
        """Raises SweepError for an unknown method or design, or an impossible seed or size."""
        for what, value, choices in (("method", self.method, tuple(SCHEMES)), ("design", self.design, DESIGNS)):
            if value not in choices and (what == "method" or value is not None):
                raise SweepError(f"{what} {shortened(value)}", expected=", ".join(choices), remedy=near(value, choices))
        if not is_whole(self.seed) or not 0 <= self.seed < SEEDS:
            raise SweepError(f"seed = {shortened(self.seed)}", expected="an integer from 0 on, below 2^64")
        for what, count in (("draws", self.draws), ("every", self.every), ("chunk", self.chunk)):
            if count is not None and not (is_whole(count) and 0 < count <= MOST_RUNS):
                raise SweepError(f"{what} = {shortened(count)}", expected=f"an integer from 1 to {MOST_RUNS:.0e}")

    def design_of(self, drawn: Drawn) -> Design:
        """Returns the design of the drawn numbers. raises SweepError: the plan's design does not fit them"""
        grids = drawn.in_grids
        if not grids:
            raise SweepError("a plan in which nothing is drawn", expected="a distribution: m2=qddot.uniform(5, 15)")
        name = self.design or ("grid" if all(grids) else "random")
        if any(grids) != (name == "grid") or (name == "grid" and not all(grids)):
            other = drawn.labels[grids.index(name != "grid")]
            expected = "all drawn numbers as grids" if name == "grid" or self.design is None else "distributions"
            raise SweepError(
                f"a {name} design, and {other} is {'no' if name == 'grid' else 'a'} grid", expected=expected
            )
        if name == "grid":
            design: Design = Grid(tuple(len(each.facts["grid"]) for each in drawn.distributions))
            if self.draws not in (None, design.runs):
                raise SweepError(f"draws = {self.draws}", expected=f"the {design.runs} of the grid, or none given")
        else:
            if self.draws is None:
                raise SweepError(f"a {name} design without a number of draws", remedy="give draws=1000")
            design = DRAWN[name](self.draws, len(grids), self.seed)
        self._check_size(name, design)
        return design

    def _check_size(self, name: str, design: Design) -> None:
        draws = self.draws or 0
        if name == "saltelli" and draws & (draws - 1):
            near_it = 1 << (draws.bit_length() - 1)
            raise SweepError(f"{draws} draws of a saltelli design", expected=f"a power of 2, such as {near_it}")
        if name == "latin" and draws * design.dimensions > MOST_LATIN:  # type: ignore[attr-defined]
            raise SweepError(
                f"{draws} runs of a latin design, which is drawn whole", remedy="take a sobol or a random design"
            )
        if design.runs > MOST_RUNS or (name in ("sobol", "saltelli") and draws > MOST_SOBOL):
            most = MOST_RUNS if name not in ("sobol", "saltelli") else MOST_SOBOL
            raise SweepError(f"{design.runs} runs of a {name} design", expected=f"at most {most}")

    @property
    def reductions(self) -> tuple[str | tuple[str, Reduction], ...]:
        """Returns the named reductions, and the user's own with their names. raises SweepError: no such one"""
        reductions = self.reduce
        if isinstance(reductions, str):
            reductions = [reductions]
        if isinstance(reductions, Mapping):
            reductions = list(reductions.items())
        listed = [self._reduction(each) for each in reductions] if isinstance(reductions, Sequence) else []
        names = [each if isinstance(each, str) else each[0] for each in listed]
        for name in (each[0] for each in listed if not isinstance(each, str)):
            if name in TAKEN or name.startswith("value_") or name.endswith(("_counts", "_ends", "_edges", "_entry")):
                raise SweepError(f"a reduction {name!r}", expected="another name: that one is taken")
        if not listed or len(set(names)) < len(names):
            raise SweepError(f"reduce = {shortened(self.reduce)}", expected="names, each once, or {name: reduction}")
        return tuple(listed)

    def _reduction(self, each: Any) -> str | tuple[str, Reduction]:
        if isinstance(each, str):
            if each not in NAMED:
                raise SweepError(f"no reduction {shortened(each)}", expected=", ".join(NAMED), remedy=near(each, NAMED))
            return each
        pair = isinstance(each, tuple) and len(each) == 2
        if not pair or not isinstance(each[0], str) or not each[0].isidentifier() or not isinstance(each[1], Reduction):
            expected = "a name, or {name: reduction} with one of qddot.reductions"
            raise SweepError(f"a reduction {shortened(each)}", expected=expected)
        return each[0], each[1]

    def interval(self, steps: int) -> int:
        """Returns the number of steps between two samples that are kept over time; 0 where none are kept."""
        if not {"whole", "quantiles"} & {each for each in self.reductions if isinstance(each, str)}:
            return 0
        wanted = self.every or max(1, steps // ABOUT)
        if steps and steps % wanted:
            fits = [k for k in range(1, min(steps, 100_000) + 1) if steps % k == 0]
            nearest = min(fits, key=lambda k: abs(k - wanted))
            if self.every is not None:
                raise SweepError(
                    f"every = {wanted} of {steps} steps", expected="a divisor of them", remedy=f"take {nearest}"
                )
            return nearest
        return wanted
