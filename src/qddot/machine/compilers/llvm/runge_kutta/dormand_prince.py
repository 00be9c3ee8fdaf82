"""Writes the steps of DOP853: order eight, errors of orders five and three, dense output of order seven.

Source: Hairer, Nørsett & Wanner, *Solving Ordinary Differential Equations I*, 1993, §II.5, II.6 and II.10.
"""

from __future__ import annotations

from collections.abc import Mapping

from qddot.machine.compilers.llvm.runge_kutta import dop853_numbers as numbers
from qddot.machine.compilers.llvm.runge_kutta.dop853_numbers import MORE, STAGES, TERMS
from qddot.machine.compilers.llvm.runge_kutta.tried_steps import Attempts
from qddot.machine.compilers.llvm.writer import ZERO, Writer

NODES = [float(node) for node in numbers.NODES.split()]
SLOPES = [{}, *numbers.rows(numbers.SLOPES)]
(FIFTH,), (THIRD,) = numbers.rows(numbers.FIFTH), numbers.rows(numbers.THIRD)
ERRORS = (FIFTH, {k: weight - THIRD.get(k, 0.0) for k, weight in SLOPES[STAGES].items()})
DENSE = numbers.rows(numbers.TERMS_BEYOND_THREE)
SHARE = 0.01  # weight of the third-order error in the step's error


class DormandPrince(Attempts):
    """DOP853 keeps its slopes in "slopes": twelve of the step, one after it, three of the dense output."""

    order = 8

    def memory(self, state: int) -> dict[str, int]:
        return {"slopes": STAGES + 1 + MORE, "dense": TERMS}

    def attempt(self, w: Writer) -> None:
        step = self.load(w, "step")
        with self.elements(w) as k:
            w.store(self.load(w, "slope", k), self.at(w, "slopes", k))
        for stage in range(1, STAGES):
            self._stage(w, stage, step)
        with self.elements(w) as k:
            w.store(self._moved(w, k, SLOPES[STAGES], step), self.at(w, "following", k))
        v = w.v
        with w.loop(0, self.state, [(v, ZERO), (v, ZERO)]) as turn:
            scale, sums = self.scale(w, self.larger(w, turn.index)), []
            for total, weights in zip(turn.values, ERRORS, strict=True):
                share = w.quotient(self._sum(w, turn.index, weights), scale)
                sums.append(str(w.sum(total, w.product(share, share))))
            turn.following = sums
        fifth, third = turn.values
        size = str(w.sum(fifth, w.product(w.number(SHARE), third)))
        root = w.called("sqrt", str(w.product(size, w.number(self.state))))
        error = str(w.quotient(w.product(step, fifth), root))
        none = w.compared("oeq", size)
        w.store(w.choice(none, ZERO, error), self.at(w, "error"))

    def prepare(self, w: Writer) -> None:
        step = self.load(w, "whole")
        for stage in range(STAGES, STAGES + 1 + MORE):
            self._stage(w, stage, step)
        with self.elements(w) as k:
            change = w.difference(self.load(w, "following", k), self.load(w, "states", k))
            first, last = (w.product(step, self.load(w, "slopes", k, row)) for row in (0, STAGES))
            terms = [
                change,
                w.difference(first, change),
                w.difference(w.product(w.number(2.0), change), w.sum(first, last)),
                *(w.product(step, self._sum(w, k, weights)) for weights in DENSE),
            ]
            for row, term in enumerate(terms):
                w.store(str(term), self.at(w, "dense", k, row))

    def within(self, w: Writer, k: str, share: str) -> tuple[str, str]:
        rest, total, slope = w.difference(w.number(1.0), share), None, None
        for row in reversed(range(TERMS)):
            term = w.sum(total, self.load(w, "dense", k, row))
            if row % 2:
                total, slope = w.product(term, rest), w.difference(w.product(slope, rest), term)
            else:
                total, slope = w.product(term, share), w.sum(w.product(slope, share), term)
        return str(total), str(slope)

    def _stage(self, w: Writer, stage: int, step: str) -> None:
        """Writes the slope of a stage."""
        with self.elements(w) as k:
            w.store(self._moved(w, k, SLOPES[stage], step), self.at(w, "inner", k))
        time = w.sum(self.load(w, "time"), w.product(w.number(NODES[stage]), step))
        self.evaluate(w, "slopes", self.at(w, "inner"), str(time), self.at(w, "slopes", "0", stage))

    def _moved(self, w: Writer, k: str, weights: Mapping[int, float], step: str) -> str:
        """Returns an element of the state after a step along a weighted sum of slopes."""
        return str(w.sum(self.load(w, "states", k), w.product(step, self._sum(w, k, weights))))

    def _sum(self, w: Writer, k: str, weights: Mapping[int, float]) -> str:
        total = None
        for row, weight in weights.items():
            total = w.sum(total, w.product(w.number(weight), self.load(w, "slopes", k, row)))
        return str(total)
