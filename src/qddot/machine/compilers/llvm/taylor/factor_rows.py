"""Stores the factors of one arm's products in whole vectors, which can be loaded again at once.

A vector that was just stored in parts could not be loaded until all of them have reached the cache.
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from qddot.algebra.program.series import Operand
from qddot.machine.compilers.llvm.taylor.workspace import ProductsInLanes
from qddot.machine.compilers.llvm.writer import ZERO, Writer


class Row(NamedTuple):
    """A row has the left or right factors of a vector of products, for the order that is `later` orders after this."""

    vector: int
    side: int
    later: int


class Lane(NamedTuple):
    """A lane of a row receives a coefficient, or its negative."""

    row: Row
    lane: int
    is_negative: bool


class FactorRows:
    """This collects the coefficients of one order until those of a row are complete.

    runs: the workspace's address, shifted to the coefficients of this order
    """

    def __init__(self, w: Writer, space: ProductsInLanes, runs: str, is_start: bool) -> None:
        self.w, self.space, self.runs = w, space, runs
        self.lanes: dict[Operand, list[Lane]] = {}
        for name in space.places:
            if space.is_turning(name):
                self._expect_angle(name, is_start)
            else:
                for side in (0, 1):
                    self._expect(name, side)
        self.missing = Counter(lane.row for lanes in self.lanes.values() for lane in lanes)
        self.partial: dict[Row, dict[int, str]] = {}

    def _expect_angle(self, name: Operand, is_start: bool) -> None:
        """Expects the factors of a sine or a cosine: the rate of its angle, and at order 0 its right factor.

        Its left factor e_{k+1} = (k + 1) q_{k+1} is the rate's coefficient of order k, negative for a cosine.
        """
        if is_start:
            self._expect(name, 1)
        vector, lane = self.space.places[name]
        rate = Operand("value", self.space.series.speeds[name.place])
        self.lanes.setdefault(rate, []).append(Lane(Row(vector, 0, 1), lane, name.kind == "cos"))

    def _expect(self, name: Operand, side: int) -> None:
        vector, lane = self.space.places[name]
        factor = self.space.series.convolutions[name][side]
        self.lanes.setdefault(factor, []).append(Lane(Row(vector, side, 0), lane, False))

    def note(self, factor: Operand, value: str) -> None:
        """Passes a coefficient to every lane that expects it, and stores the rows that are complete."""
        for row, lane, is_negative in self.lanes.pop(factor, ()):
            values = self.partial.setdefault(row, {})
            values[lane] = str(self.w.negative(value)) if is_negative else value
            if len(values) == self.missing[row]:
                self._store(row)

    def done(self) -> None:
        """Stores the incomplete rows, in which some coefficients are zero."""
        for row in list(self.partial):
            self._store(row)

    def _store(self, row: Row) -> None:
        """Stores a row; the store is volatile, since LLVM would split it into halves."""
        w, v, whole = self.w, self.space.across.reals, ZERO
        for lane, value in sorted(self.partial.pop(row).items()):
            whole = w.let(f"insertelement {v} {whole}, double {w.lane(value, 0)}, i32 {lane}")
        place = w.at(self.runs, self.space.row(row.vector, row.side) + row.later * self.space.step)
        w.put(f"store volatile {v} {whole}, ptr {place}, align 8")
