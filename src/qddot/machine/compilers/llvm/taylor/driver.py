"""Writes the steps of arms by Taylor series, for `Lanes`.

The last orders propose a step (Jorba & Zou 2005, §3.2), and the defect of its polynomial decides whether it is taken;
if not, it is halved. Where halving does not help, a polynomial of fixed order takes the place of the series.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from qddot.algebra.program.status import BLOWN_UP, CROSSED, ENDED, GUARDED, RUNNING, STUCK
from qddot.machine.compilers.llvm.lanes import Lanes
from qddot.machine.compilers.llvm.registers import bits
from qddot.machine.compilers.llvm.taylor import coefficients, defects, fixed, points, zeros
from qddot.machine.compilers.llvm.taylor.workspace import Workspace
from qddot.machine.compilers.llvm.writer import ZERO

# settings: factor of the step, the least size that errors are relative to; those after the end: the largest defect
SAFETY, FLOOR, _, ALLOWED = range(4)
LAST = 4  # orders that propose a step; with fewer, a series with zeros between its terms proposes any step
GROWTH = 4.0  # of a step to the next one
TRIES, MORE_TRIES = 12, 80  # halvings of a step of a series, and of one of fixed order
APART = 1e-10  # largest defect of a guard, relative to its size
HUGE = 1e100  # a state that has grown without bound
# how near the argument of a switch has to be to 0: within a step that may cross it, and up to its end
FAR, CLOSE = 1e300, 1e-12


def module(space: Workspace) -> str:
    """Returns the module of `advance`."""
    parts = [each.functions(space) for each in (coefficients, points, defects, fixed)]
    parts += [_Driver(space).functions(), *([zeros.function()] if space.series.sizes[3] else [])]
    return "\n".join(line for part in parts for line in part)


class _Driver(Lanes):
    def __init__(self, space: Workspace) -> None:
        self.space, self.series = space, space.series
        state, _, parameters, self.guards = self.series.sizes
        super().__init__(space.of, space.offsets, state, parameters)

    def begin(self) -> None:
        """Writes nothing, since a series needs no preparation."""

    def turn(self) -> None:
        """Expands the series, and takes a step of each lane whose polynomial solves the differential equation."""
        w = self.w
        w.put("call void @coefficients(ptr %work)")
        self._measure()
        length = self.field("length")
        grown = w.product(length, w.number(GROWTH))
        most = w.choice(w.compared("ogt", length), str(grown), w.number(1e300))
        self.keep("trial", w.called("minnum", self._allowed(), most))
        self.keep("fixed", w.number(0.0))
        self._tried(TRIES)
        bad = w.opposite(self._good())
        with w.when(w.any(bad)):
            self._fixed(bad)
        self._take()

    def _measure(self) -> None:
        """Keeps what the errors of the measured elements of the state are relative to, and those of the others."""
        measured = range(self.series.measured), range(self.series.measured, self.state)
        for k, elements in enumerate(measured):
            sizes = [self.space.state(0, element) for element in elements]
            size = self.w.called("maxnum", self._size(sizes), self.setting(FLOOR)) if sizes else self.setting(FLOOR)
            self.w.store(size, "%work", self.places["scales"] + k * self.d)

    def _tried(self, times: int) -> None:
        """Tries the steps "trial", and halves those that are not good."""
        w = self.w
        with w.loop(0, times) as turn:
            with w.when(w.any(w.compared("one", self.field("fixed")))):
                self.keep("step", self.limited(self.field("trial"))[0])
                w.put("call void @fixed(ptr %work)")
            step, status = self.limited(self.field("trial"))
            self._check(step, status, FAR)
            if self.guards:
                self._guard(step, status)
            good = self._good()
            w.stop(turn, w.opposite(w.any(w.opposite(good)), "i1"))
            half = w.product(step, w.number(0.5))
            self.keep("trial", w.choice(good, self.field("trial"), str(half)))

    def _check(self, step: str, status: str, near: float) -> None:
        w = self.w
        for name, value in (("step", step), ("hit", status), ("near", w.number(near))):
            self.keep(name, value)
        last = w.compared("oeq", status, w.number(ENDED))
        arguments = f"ptr %work, ptr %times, ptr %record, i64 %record_row, i64 %samples, {self.mask} {last}"
        w.put(f"call void @check({arguments})")

    def _guard(self, step: str, status: str) -> None:
        """Cuts good steps where a guard rises above zero, and checks those again, all of them if there are switches.

        The guards of a good step are those of a shorter one, in which rounding would make them seem apart.
        """
        w, good, apart = self.w, self._good(), self.field("apart")
        cut, hit = step, status
        for which in range(self.guards):
            cut, hit = self._guarded(which, cut, hit)
        cut, hit = w.choice(good, cut, step), w.choice(good, hit, status)
        self.keep("step", cut)  # a step that is not good keeps its length
        self.keep("hit", hit)
        shorter = w.any(w.either(w.compared("one", cut, step), w.compared("one", hit, status)))
        with w.when("true" if self.series.switches else shorter):
            self._check(cut, hit, CLOSE)
            self.keep("apart", apart)

    def _good(self) -> str:
        """Returns the lanes whose step is within tolerance, or that have no arm."""
        w, step, allowed = self.w, self.field("step"), self.setting(ALLOWED)
        close = []
        for k in range(2):
            most = w.quotient(str(w.product(allowed, w.load("%work", self.places["scales"] + k * self.d))), step)
            squares = w.load("%work", self.places["defects"] + k * self.d)
            close.append(w.compared("ole", squares, str(w.product(most, most))))
        together = w.compared("ole", self.field("apart"), w.number(APART))
        together = w.either(together, w.compared("one", self.field("fixed")))
        arms = w.load("%work", self.places["arms"], f"<{self.lanes} x i64>")
        idle = w.let(f"icmp slt <{self.lanes} x i64> {arms}, zeroinitializer")
        return w.either(w.both(w.both(*close), together), idle)

    def _fixed(self, bad: str) -> None:
        """Tries steps of fixed order in some lanes, from the rest of the time on."""
        w = self.w
        self.keep("fixed", w.choice(bad, w.number(1.0), w.number(0.0)))
        for k in range(self.state):
            w.store(w.load("%work", self.space.state(1, k)), "%work", self.places["first"] + k * self.d)
        rest, _ = self.limited(w.number(1e300))
        self.keep("trial", w.choice(bad, rest, self.field("trial")))
        self._tried(MORE_TRIES)

    def _take(self) -> None:
        """Takes the steps that are good; the others end their arms."""
        w = self.w
        good, step, status = self._good(), self.field("step"), self.field("hit")
        if self.series.switches:
            crossed = w.both(w.compared("one", self.field("fixed")), w.compared("oeq", status, w.number(RUNNING)))
            status = w.choice(crossed, w.number(CROSSED), status)
        status = w.choice(good, status, w.choice(self._is_lost(), w.number(BLOWN_UP), w.number(STUCK)))
        trial, length = self.field("trial"), self.field("length")
        whole = w.compared("oeq", step, trial)
        self.keep("length", w.choice(whole, trial, length))
        kind = f"<{self.lanes} x i64>"
        recorded = w.load("%work", self.places["recorded"], kind)
        recorded = w.let(f"select {self.mask} {good}, {kind} {recorded}, {kind} {ZERO}")
        w.store(recorded, "%work", self.places["recorded"], kind)
        self.store_step(good, step, status, w.at("%work", self.places["following"]))

    def _is_lost(self) -> str:
        """Returns the lanes, among those with fixed order, whose state or first rates are not finite, or huge."""
        w, total = self.w, ZERO
        for k in range(self.state):
            for place in (self.space.state(0, k), self.places["first"] + k * self.d):
                total = w.vector("fadd", total, w.called("fabs", w.load("%work", place)))
        return w.opposite(w.compared("olt", total, w.number(HUGE)))

    def _allowed(self) -> str:
        """Returns the step at which the last terms are as small as the tolerance."""
        w, allowed = self.w, None
        for places, last in self._measures():
            own = w.called("maxnum", self._size(places(0)), self.setting(FLOOR))
            whole = self.logarithm(own)
            for k in range(last + 1 - LAST, last + 1):
                less = self.logarithm(self._size(places(k)))
                share = w.product(w.difference(whole, less), w.number(1 / k))
                allowed = share if allowed is None else w.called("minnum", allowed, str(share))
        return str(w.product(self.setting(SAFETY), self.power_of_two(str(allowed))))

    def _measures(self) -> Iterator[tuple[Callable[[int], list[int]], int]]:
        """Yields the quantities that limit a step: order → the places of their coefficients, and their last order."""
        space, series = self.space, self.series
        yield lambda order: [space.state(order, k) for k in range(series.measured)], series.order
        if series.measured < self.state:
            yield lambda order: [space.state(order, k) for k in range(series.measured, self.state)], series.order
        if series.holding:
            holding = range(self.guards - series.holding, self.guards)
            yield lambda order: [space.guard(which, order) for which in holding], series.order - 1

    def _size(self, places: list[int]) -> str:
        """Returns the largest of some coefficients."""
        sizes = [self.w.called("fabs", self.w.load("%work", place)) for place in places]
        largest = sizes[0]
        for size in sizes[1:]:
            largest = self.w.called("maxnum", largest, size)
        return largest

    def _guarded(self, which: int, step: str, status: str) -> tuple[str, str]:
        """Returns the step, cut where a guard rises above zero, and the status after it.

        If the first coefficient outweighs all others, the guard has no zero, and none is searched for.
        """
        w, order = self.w, self.series.order
        total = w.number(0.0)
        for k in reversed(range(1, order)):
            size = w.called("fabs", w.load("%work", self.space.guard(which, k)))
            total = str(w.product(w.sum(total, size), step))
        first = w.load("%work", self.space.guard(which, 0))
        near = w.compared("oge", str(w.sum(first, total)))
        self.keep("step", step)
        self.keep("hit", status)
        with w.when(w.any(near)), w.loop(0, self.lanes) as lane:
            self._search(which, lane.index)
        return self.field("step"), self.field("hit")

    def _search(self, which: int, lane: str) -> None:
        """Ends the step of a lane at the first zero of a guard, if that comes before its end."""
        w = self.w
        at = w.element(w.at("%work", self.space.guard(which, 0)), lane)
        own = self._lane(w, "step", lane)
        step, time = (w.load(self._lane(w, part, lane), 0, "double") for part in ("step", "time"))
        arguments = f"ptr {at}, i64 {self.d}, i64 {self.series.order}, double {step}, double {time}"
        zero = w.let(f"call double @first_zero({arguments})")
        with w.when(w.compared("oge", zero, "0.0", "double")):
            w.store(zero, own, 0, "double")
            w.store(bits(float(GUARDED + which)), self._lane(w, "hit", lane), 0, "double")

    def observe(self) -> None:
        """Counts the samples that the check of the step has recorded."""
        w, kind = self.w, f"<{self.lanes} x i64>"
        samples, recorded = (w.load("%work", self.places[part], kind) for part in ("samples", "recorded"))
        w.store(w.let(f"add {kind} {samples}, {recorded}"), "%work", self.places["samples"], kind)
