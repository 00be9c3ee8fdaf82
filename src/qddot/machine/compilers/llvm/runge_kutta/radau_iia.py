"""Writes the steps of Radau IIA with three stages: order five, for stiff motions, by simplified Newton iteration.

Z are the stages' differences from the state, and T⁻¹ A⁻¹ T = diag(γ, [α, β; −β, α]). W = T⁻¹ Z solves a real system
with γ I − h J and a complex one with (α − iβ) I − h J, which are factorised once per step.
Sources: Hairer & Wanner, *Solving Ordinary Differential Equations II*, 1996, §IV.8; Hosea & Shampine, *Analysis and
implementation of TR-BDF2*, 1996, for removing stiff parts from errors. T and its inverse are scaled as in
SciPy's Radau.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from qddot.machine.compilers.llvm import engine
from qddot.machine.compilers.llvm.runge_kutta import elimination
from qddot.machine.compilers.llvm.runge_kutta.elimination import COMPLEX, REAL
from qddot.machine.compilers.llvm.runge_kutta.tried_steps import Attempts
from qddot.machine.compilers.llvm.writer import ZERO, Writer

STAGES = 3
ROOT = math.sqrt(6)
NODES = ((4 - ROOT) / 10, (4 + ROOT) / 10, 1.0)
# the eigenvalues of A⁻¹: γ, and α ± iβ
GAMMA, ALPHA = 3 + 3 ** (2 / 3) - 3 ** (1 / 3), 3 + (3 ** (1 / 3) - 3 ** (2 / 3)) / 2
MINUS_BETA = -(3 ** (5 / 6) + 3 ** (7 / 6)) / 2
T = (
    (0.09443876248897524, -0.14125529502095421, 0.03002919410514742),
    (0.25021312296533332, 0.20412935229379994, -0.38294211275726192),
    (1.0, 1.0, 0.0),
)
INVERSE_OF_T = (
    (4.17871859155190428, 0.32768282076106237, 0.52337644549944951),
    (-4.17871859155190428, -0.32768282076106237, 0.47662355450055044),
    (0.50287263494578682, -2.57192694985560522, 0.59603920482822492),
)
ERROR = ((-13 - 7 * ROOT) / 3, (-13 + 7 * ROOT) / 3, -1 / 3)
# of the polynomial through the stages, a row for each power of the fraction of the step
DENSE = (
    (13 / 3 + 7 * ROOT / 3, 13 / 3 - 7 * ROOT / 3, 1 / 3),
    (-23 / 3 - 22 * ROOT / 3, -23 / 3 + 22 * ROOT / 3, -8 / 3),
    (10 / 3 + 5 * ROOT, 10 / 3 - 5 * ROOT, 10 / 3),
)
ITERATIONS = 10
SMALL = 0.01  # of the allowed error: Newton's iteration ends with a change this small
HALVING = 16.0  # an error for which the next step has half the length


class RadauIIA(Attempts):
    """Each stage has its rate in "rates", Z in "stages", W in "turned"; "real" and "complex" have the change of W."""

    order, effort = 4, engine.MOST

    def memory(self, state: int) -> dict[str, int]:
        vectors = {"rates": STAGES, "stages": STAGES, "turned": STAGES, "real": 1, "complex": 2, "dense": STAGES}
        return {**vectors, "jacobian": state, "reals": state, "complexes": 2 * state}

    def own_functions(self) -> Iterator[str]:
        yield from elimination.functions(self.of, self.state)
        yield from super().own_functions()

    def attempt(self, w: Writer) -> None:
        self.evaluate(w, "jacobian", self.at(w, "states"), self.load(w, "time"), self.at(w, "jacobian"))
        self._matrices(w)
        settled, last = self._iterate(w)
        with self.elements(w) as k:
            after = w.sum(self.load(w, "states", k), self.load(w, "stages", k, STAGES - 1))
            w.store(str(after), self.at(w, "following", k))
        step = self.load(w, "step")
        with self.elements(w) as k:
            own = w.product(step, self.load(w, "slope", k))
            self._put(w, "real", k, 0, str(w.sum(own, self._mean(w, "stages", k, ERROR))))
        error = self._error(w)
        large = w.compared("ogt", error, w.number(1.0))
        w.store(error, self.at(w, "error"))
        with w.when(w.any(large)):
            self._filtered(w, large)
        # NaN in the last change makes the error NaN
        nothing = w.vector("fsub", last, last)
        failed = w.vector("fadd", nothing, w.number(HALVING))
        size = self.load(w, "error")
        w.store(w.choice(settled, size, failed), self.at(w, "error"))

    def prepare(self, w: Writer) -> None:
        with self.elements(w) as k:
            for power in range(STAGES):
                self._put(w, "dense", k, power, self._mean(w, "stages", k, DENSE[power]))

    def within(self, w: Writer, k: str, share: str) -> tuple[str, str]:
        total, slope = None, None
        for power in reversed(range(STAGES)):
            term = w.sum(total, self.load(w, "dense", k, power))
            total, slope = w.product(term, share), w.sum(w.product(slope, share), term)
        return str(total), str(slope)

    def _put(self, w: Writer, part: str, k: str, row: int, value: str) -> None:
        w.store(value, self.at(w, part, k, row))

    def _mean(self, w: Writer, part: str, k: str, weights: Sequence[float]) -> str:
        """Returns Σ weight · row of a field, for an element."""
        total = None
        for row, weight in enumerate(weights):
            if weight:
                total = w.sum(total, w.product(w.number(weight), self.load(w, part, k, row)))
        return str(total)

    def _matrices(self, w: Writer) -> None:
        """Factorises γ I − h J and (α − iβ) I − h J."""
        step = self.load(w, "step")
        with self.elements(w) as row, w.loop(0, self.state) as column:
            place = w.whole("add", w.whole("mul", row, self.state), column.index)
            less = w.product(step, w.load(w.element(self.at(w, "jacobian"), place, self.d)))
            own = w.compared("eq", row, column.index, "i64")
            chosen = (w.number(x) for x in (GAMMA, ALPHA, MINUS_BETA))
            diagonal = [w.choice(own, x, ZERO, w.v) for x in chosen]
            w.store(str(w.difference(diagonal[0], less)), w.element(self.at(w, "reals"), place, self.d))
            both = w.element(self.at(w, "complexes"), place, 2 * self.d)
            w.store(str(w.difference(diagonal[1], less)), both)
            w.store(diagonal[2], both, self.d)
        w.put(f"call void @factorise.{REAL}(ptr {self.at(w, 'reals')})")
        w.put(f"call void @factorise.{COMPLEX}(ptr {self.at(w, 'complexes')})")

    def _iterate(self, w: Writer) -> tuple[str, str]:
        """Iterates Z from zero; returns the lanes in which it converged, and the size of the last change."""
        v, mask = w.v, self.mask
        none, every = ZERO, self.of.chosen(self.lanes)
        with self.elements(w) as k:
            for part in ("stages", "turned"):
                for row in range(STAGES):
                    self._put(w, part, k, row, none)
        with w.loop(0, ITERATIONS, [(mask, every), (mask, none), (v, none)]) as turn:
            going, settled, before = turn.values
            w.stop(turn, w.opposite(w.any(going), "i1"))
            size = self._change(w, going)
            rate = str(w.quotient(size, before))
            left = str(w.product(w.quotient(rate, str(w.difference(w.number(1.0), rate))), size))
            converges = w.compared("olt", rate, w.number(1.0))
            near = w.compared("olt", left, self.load(w, "enough"))
            small = w.compared("ole", size, str(w.product(w.number(SMALL), self.load(w, "enough"))))
            done = w.either(small, w.both(converges, near))
            first = w.compared("oeq", before)
            on = w.both(w.either(first, converges), w.opposite(done))
            turn.following = [
                w.both(going, on),
                w.either(settled, w.both(going, done)),
                w.choice(going, size, before),
            ]
        return turn.values[1], turn.values[2]

    def _change(self, w: Writer, going: str) -> str:
        """Writes one iteration in some lanes; returns the size of the change of W."""
        step = self.load(w, "step")
        for stage in range(STAGES):
            with self.elements(w) as k:
                w.store(str(w.sum(self.load(w, "states", k), self.load(w, "stages", k, stage))), self.at(w, "inner", k))
            time = w.sum(self.load(w, "time"), w.product(w.number(NODES[stage]), step))
            self.evaluate(w, "slopes", self.at(w, "inner"), str(time), self.at(w, "rates", "0", stage))
        self._residuals(w, step)
        w.put(f"call void @solve.{REAL}(ptr {self.at(w, 'reals')}, ptr {self.at(w, 'real')})")
        w.put(f"call void @solve.{COMPLEX}(ptr {self.at(w, 'complexes')}, ptr {self.at(w, 'complex')})")
        with w.loop(0, self.state, [(w.v, ZERO)]) as turn:
            k, total = turn.index, turn.values[0]
            scale = self.scale(w, w.called("fabs", self.load(w, "states", k)))
            both = w.element(self.at(w, "complex"), k, 2 * self.d)
            for row, change in enumerate((self.load(w, "real", k), w.load(both), w.load(both, self.d))):
                share = w.quotient(change, scale)
                total = str(w.sum(total, w.product(share, share)))
                moved = w.choice(going, change, ZERO)
                self._put(w, "turned", k, row, str(w.sum(self.load(w, "turned", k, row), moved)))
            for row in range(STAGES):
                self._put(w, "stages", k, row, self._mean(w, "turned", k, T[row]))
            turn.following = [total]
        return w.called("sqrt", str(w.product(turn.values[0], w.number(1 / (STAGES * self.state)))))

    def _residuals(self, w: Writer, step: str) -> None:
        """Stores h T⁻¹ f − diag(γ, α − iβ) W in "real" and "complex"."""
        with self.elements(w) as k:
            turned = [self.load(w, "turned", k, row) for row in range(STAGES)]
            rates = [w.product(step, self._mean(w, "rates", k, INVERSE_OF_T[row])) for row in range(STAGES)]
            real, imaginary = w.number(ALPHA), w.number(MINUS_BETA)
            first = w.product(w.number(GAMMA), turned[0])
            second = w.difference(w.product(real, turned[1]), w.product(imaginary, turned[2]))
            third = w.sum(w.product(real, turned[2]), w.product(imaginary, turned[1]))
            self._put(w, "real", k, 0, str(w.difference(rates[0], first)))
            both = w.element(self.at(w, "complex"), k, 2 * self.d)
            w.store(str(w.difference(rates[1], second)), both)
            w.store(str(w.difference(rates[2], third)), both, self.d)

    def _error(self, w: Writer) -> str:
        """Replaces b in "real" by (γ I − h J)⁻¹ b, and returns its size relative to the tolerance."""
        w.put(f"call void @solve.{REAL}(ptr {self.at(w, 'reals')}, ptr {self.at(w, 'real')})")
        with w.loop(0, self.state, [(w.v, ZERO)]) as turn:
            share = w.quotient(self.load(w, "real", turn.index), self.scale(w, self.larger(w, turn.index)))
            turn.following = [str(w.sum(turn.values[0], w.product(share, share)))]
        return w.called("sqrt", str(w.product(turn.values[0], w.number(1 / self.state))))

    def _filtered(self, w: Writer, large: str) -> None:
        """Removes stiff parts from large errors e, which become γ (γ I − h J)⁻¹ e.

        Here γ e is the estimate b + h J e. Other programs replace J e by the change of the rates from the state x to
        x + e, but that state may lie beyond a kink.
        """
        with self.elements(w) as k:
            self._put(w, "real", k, 0, str(w.product(w.number(GAMMA), self.load(w, "real", k))))
        error, before = self._error(w), self.load(w, "error")
        w.store(w.choice(large, error, before), self.at(w, "error"))
