"""A Plan has the arguments of a user's sweep."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any

from qddot.base.errors import SweepError, check_one_of, shortened
from qddot.base.records import record
from qddot.base.words.message import say
from qddot.motion.simulate.clock import nearest_divisor, no_divisor
from qddot.motion.simulate.motion import Motion
from qddot.motion.simulate.runs.ledger import LOSSES
from qddot.motion.simulate.stepping.methods import ANY, fixed
from qddot.motion.sweeps.draws import Draws, counted
from qddot.motion.sweeps.measures import NAMED, Reduction

ABOUT = 100  # the default number of intervals between samples that are kept
# names in the answer besides a user's own
TAKEN = {
    *("run", "chunk", "time", "joint", "position", "axis", "unit", "parameter"),
    *("finished", "status", "stop_time", "sweep"),
    *("q", "qd", "q_final", "qd_final", "q_min", "q_max", "qd_min", "qd_max", "end_point"),
    *("E_start", "K", "P", "work", "external"),
    *LOSSES,
}


@record()
class Plan:
    """A plan has the arguments of `qddot.sweep`; `values` are those of symbols and gains.

    record_every: the steps between samples that are kept over time; chunk: how many runs are computed together
    """

    motion: Motion
    draws: Draws = field(default_factory=Draws)
    reduce: Any = "final"
    record_every: int | None = None
    chunk: int | None = None
    values: Mapping[str, Any] = field(default_factory=dict)

    @property
    def method(self) -> Any:
        return ANY.name if self.motion.method is None else self.motion.method

    def check(self) -> None:
        """Raises SweepError for a method that sweeps do not support, or an impossible size."""
        check_one_of(self.method, fixed(), "method", SweepError)
        for what, count in (("record_every", self.record_every), ("chunk", self.chunk)):
            if count is not None:
                counted(count, what)

    @property
    def reductions(self) -> tuple[str | tuple[str, Reduction], ...]:
        """Returns the named reductions, and the user's own with their names. raises SweepError: an unknown one"""
        reductions = self.reduce
        if isinstance(reductions, str):
            reductions = [reductions]
        if isinstance(reductions, Mapping):
            reductions = list(reductions.items())
        listed = [self._reduction(each) for each in reductions] if isinstance(reductions, Sequence) else []
        names = [each if isinstance(each, str) else each[0] for each in listed]
        for name in (each[0] for each in listed if not isinstance(each, str)):
            if name in TAKEN or name.startswith("value_") or name.endswith(("_counts", "_ends", "_edges", "_entry")):
                raise SweepError("reduction-of-own-name", name=repr(name))
        if not listed or len(set(names)) < len(names):
            raise SweepError("reduce-no-names", reduce=shortened(self.reduce))
        return tuple(listed)

    def _reduction(self, each: Any) -> str | tuple[str, Reduction]:
        if isinstance(each, str):
            check_one_of(each, NAMED, say("no-reduction"), SweepError)
            return each
        pair = isinstance(each, tuple) and len(each) == 2
        if not pair or not isinstance(each[0], str) or not each[0].isidentifier() or not isinstance(each[1], Reduction):
            raise SweepError("no-such-reduction", reduction=shortened(each))
        return each[0], each[1]

    def interval(self, steps: int) -> int:
        """Returns the number of steps between two samples that are kept over time; 0 where none are kept."""
        if not {"whole", "quantiles"} & {each for each in self.reductions if isinstance(each, str)}:
            return 0
        every = self.record_every or max(1, steps // ABOUT)
        if steps and steps % every:
            nearest = nearest_divisor(every, steps)
            if self.record_every is not None:
                raise no_divisor(every, steps, nearest, SweepError)
            return nearest
        return every
