"""Writes the steps of DOP853: order eight, errors of orders five and three, dense output of order seven.

Source: Hairer, Nørsett & Wanner, *Solving Ordinary Differential Equations I*, 1993, §II.5, II.6 and II.10; the numbers
are those that SciPy has of their program.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from qddot.compilers.llvm.runge_kutta.tried_steps import Attempts
from qddot.compilers.llvm.writer import Writer

STAGES, MORE, TERMS = 12, 3, 7  # of a step, of its dense output, of that one's polynomial
THIRD = 0.01  # the weight of the third-order error


class DormandPrince(Attempts):
    """DOP853 keeps its slopes in "slopes": twelve of the step, that behind it, three of the dense output."""

    order = 8

    @cached_property
    def _of(self) -> Any:
        """Returns the numbers of the method: A, C, E3, E5, D."""
        from scipy.integrate._ivp import dop853_coefficients  # which takes half a second to load

        return dop853_coefficients

    def memory(self, state: int) -> dict[str, int]:
        return {"slopes": STAGES + 1 + MORE, "dense": TERMS}

    def attempt(self, w: Writer) -> None:
        step = self.load(w, "step")
        with self.elements(w) as k:
            w.store(self.load(w, "slope", k), self.at(w, "slopes", k))
        for stage in range(1, STAGES):
            self._stage(w, stage, step, "inner")
        with self.elements(w) as k:
            w.store(self._moved(w, k, self._of.A[STAGES], step), self.at(w, "following", k))
        v = w.v
        with w.loop(0, self.state, [(v, "zeroinitializer"), (v, "zeroinitializer")]) as turn:
            scale, sums = self.scale(w, self.larger(w, turn.index)), []
            for total, weights in zip(turn.values, (self._of.E5, self._of.E3), strict=True):
                share = w.quotient(self._sum(w, turn.index, weights), scale)
                sums.append(str(w.sum(total, w.product(share, share))))
            turn.following = sums
        fifth, third = turn.values
        size = str(w.sum(fifth, w.product(w.number(THIRD), third)))
        root = w.called("sqrt", str(w.product(size, w.number(self.state))))
        error = w.quotient(w.product(step, fifth), root)
        none = w.let(f"fcmp oeq {v} {size}, zeroinitializer")
        w.store(w.let(f"select {self.mask} {none}, {v} zeroinitializer, {v} {error}"), self.at(w, "error"))

    def prepare(self, w: Writer) -> None:
        step = self.load(w, "whole")
        for stage in range(STAGES, STAGES + 1 + MORE):
            self._stage(w, stage, step, "inner")
        with self.elements(w) as k:
            change = w.difference(self.load(w, "following", k), self.load(w, "states", k))
            begun, ended = (w.product(step, self.load(w, "slopes", k, row)) for row in (0, STAGES))
            terms = [
                change,
                w.difference(begun, change),
                w.difference(w.product(w.number(2.0), change), w.sum(begun, ended)),
                *(w.product(step, self._sum(w, k, weights)) for weights in self._of.D),
            ]
            for row, term in enumerate(terms):
                w.store(str(term), self.at(w, "dense", k, row))

    def within(self, w: Writer, k: str, share: str) -> str:
        rest, total = w.difference(w.number(1.0), share), None
        for row in reversed(range(TERMS)):
            term = w.sum(total, self.load(w, "dense", k, row))
            total = w.product(term, rest if row % 2 else share)
        return str(total)

    def _stage(self, w: Writer, stage: int, step: str, part: str) -> None:
        """Writes the slope of a stage."""
        with self.elements(w) as k:
            w.store(self._moved(w, k, self._of.A[stage], step), self.at(w, part, k))
        time = w.sum(self.load(w, "time"), w.product(w.number(self._of.C[stage]), step))
        self.evaluate(w, self.at(w, part), str(time), self.at(w, "slopes", "0", stage))

    def _moved(self, w: Writer, k: str, weights: Sequence[float], step: str) -> str:
        """Returns an element of the state behind a mean of the slopes."""
        return str(w.sum(self.load(w, "states", k), w.product(step, self._sum(w, k, weights))))

    def _sum(self, w: Writer, k: str, weights: Sequence[float]) -> str:
        total = None
        for row, weight in enumerate(weights):
            if weight:
                total = w.sum(total, w.product(w.number(weight), self.load(w, "slopes", k, row)))
        return str(total)
