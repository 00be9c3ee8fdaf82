"""Writes the steps of arms by Taylor series, for `Lanes`. Step size: Jorba & Zou 2005, §3.2."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from qddot.compilers.llvm import outcomes
from qddot.compilers.llvm.lanes import Lanes
from qddot.compilers.llvm.registers import bits
from qddot.compilers.llvm.taylor import coefficients, zeros
from qddot.compilers.llvm.taylor.workspace import Workspace
from qddot.program.status import BLOWN_UP, GUARDED

SAFETY, FLOOR = range(2)  # settings: factor of the step, the least size that errors are relative to


def module(space: Workspace) -> str:
    """Returns the module of `advance`."""
    parts = [coefficients.functions(space), _Driver(space).functions(), _declarations()]
    parts += [zeros.function()] if space.series.sizes[3] else []
    return "\n".join(line for part in parts for line in part)


def _declarations() -> Iterator[str]:
    yield "declare double @llvm.fabs.f64(double)"
    yield "declare double @llvm.sqrt.f64(double)"


class _Driver(Lanes):
    def __init__(self, space: Workspace) -> None:
        self.space, self.series = space, space.series
        state, _, parameters, self.guards = self.series.sizes
        super().__init__(space.of, space.offsets, state, parameters)

    def begin(self) -> None:
        """Writes nothing, since a series needs no preparation."""

    def turn(self) -> None:
        """Expands the series, and takes a step of each lane as long as its coefficients allow."""
        w = self.w
        w.put("call void @coefficients(ptr %work)")
        step, status = self.limited(self._allowed())
        for which in range(self.guards):
            step, status = self._guarded(which, step, status)
        following = self._after(step)
        finite = outcomes.finite(w, following)
        status = w.choice(finite, status, w.number(BLOWN_UP))
        for k, x in enumerate(following):
            w.store(x, "%work", self.places["following"] + k * self.d)
        self.store_step(finite, step, status, w.at("%work", self.places["following"]))

    def _allowed(self) -> str:
        """Returns the step at which the last terms are as small as the tolerance, from the last two orders."""
        w, allowed = self.w, None
        for places, last in self._measures():
            own = w.called("maxnum", self._size(places(0)), self.setting(FLOOR))
            whole = self.logarithm(own)
            for k in (last - 1, last):
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

    def _after(self, step: str) -> list[str]:
        """Returns the state some time into the step, by Horner's scheme."""
        return [self._polynomial(k, step) for k in range(self.state)]

    def _polynomial(self, element: int, step: str) -> str:
        """Returns x_0 + h (x_1 + h (x_2 + …))."""
        w, order = self.w, self.series.order
        total = w.load("%work", self.space.state(order, element))
        for power in reversed(range(order)):
            total = str(w.fused(w.load("%work", self.space.state(power, element)), total, step))
        return total

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

    def sample(self, lane: str, within: str, to: str) -> None:
        """Records the value of the step's polynomial."""
        w, order = self.w, self.series.order
        width = self.state * self.d
        column = self._lane(w, "states", lane)
        totals = [w.load(column, order * width + k * self.d, "double") for k in range(self.state)]
        for power in reversed(range(order)):
            for k in range(self.state):
                own = w.load(column, power * width + k * self.d, "double")
                totals[k] = w.real("fadd contract", w.real("fmul contract", totals[k], within), own)
        for k, total in enumerate(totals):
            w.store(total, to, 8 * k, "double")
