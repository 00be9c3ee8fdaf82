"""Writes a step of fixed order, for where a series does not exist or is of no use: at a kink, or where a root is zero.

Its polynomial's rates are those of the differential equation, called at Radau's nodes (collocation): each iteration
takes the rates called along the last polynomial. It takes the place of the series, whose higher orders are zero.
"""

from __future__ import annotations

from collections.abc import Iterator

from qddot.machine.compilers.llvm.taylor import nodes
from qddot.machine.compilers.llvm.taylor.nodes import FIXED
from qddot.machine.compilers.llvm.taylor.points import Points
from qddot.machine.compilers.llvm.taylor.workspace import Workspace
from qddot.machine.compilers.llvm.writer import ZERO, Writer

ITERATIONS = 12


def functions(space: Workspace) -> Iterator[str]:
    """Yields `void called.at.nodes(work)` and `void fixed(work)`.

    The second makes polynomials for the steps "step" of the arms whose "fixed" is not zero.
    """
    yield from _at_nodes(space)
    yield from _Fixed(space).lines()


def _at_nodes(space: Workspace) -> list[str]:
    """Returns the function that calls the rates and the guards at the nodes, and keeps them in "nodes"."""
    of = Points(space, "@called.at.nodes(ptr %work)")
    w, step = of.w, of.each("step")
    padded = [*nodes.nodes(FIXED), *[1.0] * (-FIXED % of.copies)]
    for group in range(len(padded) // of.copies):
        own = of.listed(padded[group * of.copies : (group + 1) * of.copies])
        w.put(f"call void @points(ptr %work, {w.v} {w.product(own, step)})")
        to = of.row("nodes", group * (of.state + of.guards))
        for count, begin, source in ((of.state, 0, 0), (of.guards, of.state, of.state + of.unknown)):
            with w.loop(0, count) as turn:
                own = w.load(of.row("results", w.whole("add", turn.index, source)))
                w.store(own, w.element(w.at(to, begin * of.wide), turn.index, of.wide))
    return w.done()


class _Fixed:
    def __init__(self, space: Workspace) -> None:
        self.space, self.places = space, space.offsets
        self.state, _, _, self.guards = space.series.sizes
        self.d, self.order = space.of.bytes, space.series.order
        self.w = Writer("private void @fixed(ptr %work) noinline", space.of)

    def lines(self) -> list[str]:
        w = self.w
        self.chosen = w.compared("one", w.load("%work", self.places["fixed"]))
        self.step = w.load("%work", self.places["step"])
        inverse = w.quotient(w.number(1.0), self.step)
        self.shares = [w.number(1.0)]  # 1 / stepᵏ
        for _ in range(FIXED - 1):
            self.shares.append(str(w.product(self.shares[-1], inverse)))
        self._begin()
        with w.loop(0, ITERATIONS):
            w.put("call void @called.at.nodes(ptr %work)")
            with w.loop(self.space.series.plain, self.state) as turn:
                self._coefficients(self._state(turn.index), self.state * self.d, self._at_nodes(turn.index), True)
            self._integrate()
        with w.loop(0, self.guards) as turn:
            column = w.element(w.at("%work", self.places["guards"]), turn.index, self.order * self.d)
            values = self._at_nodes(w.whole("add", turn.index, self.state))
            above = self._above(values)  # else what is zero at the start might seem to rise by rounding
            slopes = [w.choice(above, x, ZERO) for x in self._divided(values, w.load(column))]
            self._coefficients(column, self.d, slopes, False)
            for power in range(FIXED + 1, self.order):
                self._put(column, power * self.d, w.number(0.0))
        return w.done()

    def _begin(self) -> None:
        """Writes the straight line along the rates at the start."""
        w = self.w
        with w.loop(0, self.state) as turn:
            column = self._state(turn.index)
            first = w.load(w.element(w.at("%work", self.places["first"]), turn.index, self.d))
            for power in range(1, self.order + 1):
                self._put(column, power * self.state * self.d, first if power == 1 else w.number(0.0))

    def _integrate(self) -> None:
        """Writes the polynomials of elements whose rates are other elements: the integrals of those of their rates."""
        w, series = self.w, self.space.series
        for element, rate in enumerate(series.results["rates"][: series.plain]):
            of_rate = series.nodes[rate].element[1]
            for power in range(1, FIXED + 2):
                value = w.load("%work", self.space.state(power - 1, of_rate))
                share = str(w.product(value, w.number(1 / power)))
                self._put("%work", self.space.state(power, element), share)

    def _state(self, element: str) -> str:
        return self.w.element(self.w.at("%work", self.places["states"]), element, self.d)

    def _put(self, base: str, place: int, value: str) -> None:
        w = self.w
        w.store(w.choice(self.chosen, value, w.load(base, place)), base, place)

    def _at_nodes(self, row: str) -> list[str]:
        """Returns the values of a row at the nodes."""
        w, wide, copies = self.w, self.space.points.bytes, self.space.copies
        own, group = w.element(w.at("%work", self.places["nodes"]), row, wide), (self.state + self.guards) * wide
        return [w.load(own, j // copies * group + j % copies * self.d) for j in range(FIXED)]

    def _above(self, values: list[str]) -> str:
        """Returns the lanes in which a guard is above zero at a node."""
        above = self.w.compared("ogt", values[0])
        for value in values[1:]:
            above = self.w.either(above, self.w.compared("ogt", value))
        return above

    def _divided(self, values: list[str], start: str) -> list[str]:
        """Returns the mean slopes from the start to the nodes."""
        w = self.w
        times = [str(w.product(self.step, w.number(node))) for node in nodes.nodes(FIXED)]
        return [str(w.quotient(w.difference(x, start), t)) for x, t in zip(values, times, strict=True)]

    def _coefficients(self, column: str, width: int, values: list[str], integrated: bool) -> None:
        """Writes a polynomial's coefficients after the first, from its rates or its mean slopes at the nodes."""
        w = self.w
        for power, row in enumerate(nodes.coefficients(nodes.nodes(FIXED))):
            total: str | None = None
            for share, value in zip(row, values, strict=True):
                total = w.fused(total, w.number(share), value)
            scale = w.product(self.shares[power], w.number(1 / (power + 1) if integrated else 1.0))
            self._put(column, (power + 1) * width, str(w.product(total, scale)))
