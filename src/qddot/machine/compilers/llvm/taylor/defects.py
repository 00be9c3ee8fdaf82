"""Writes the check of a step: its polynomial's rates against those of the differential equation, called afresh.

They are compared at a few points of the step, the last of which is its end, and at every sample within it, whose states
are recorded. Guards are compared, too.
"""

from __future__ import annotations

from collections.abc import Iterator

from qddot.machine.compilers.llvm.taylor import nodes
from qddot.machine.compilers.llvm.taylor.points import Points
from qddot.machine.compilers.llvm.taylor.workspace import Workspace
from qddot.machine.compilers.llvm.writer import ZERO

NOTHING, TERMS = 1e-300, 3  # the size of a guard that is zero; the terms of its series that count for its size
LARGEST = "call {v} @llvm.maximum.v{n}f64({v} {a}, {v} {b})"  # NaN if one of them is
SUM = "fadd {v} {a}, {b}"


def functions(space: Workspace) -> Iterator[str]:
    """Yields `void compare(work, s)` and `void check(work, times, record, record_row, samples, last)`.

    compare: takes the sums of the squares of the defects at points into the largest ones of the step, "defects", and
    the guards into "apart"
    check: does so for the step "step", puts the state after it into "following" and records the samples within it,
    whose number is "recorded"; last: a mask of the arms whose step is the last one, which has all samples that are left
    """
    yield from _Comparison(space, "@compare(ptr %work, {v} %s)").lines()
    head = "@check(ptr %work, ptr %times, ptr %record, i64 %record_row, i64 %samples, {mask} %last)"
    yield from _Check(space, head.replace("{mask}", space.of.mask)).lines()


class _Comparison(Points):
    def lines(self) -> list[str]:
        w, measured = self.w, self.series.measured
        w.put(f"call void @points(ptr %work, {w.v} %s)")
        for which, (first, last) in enumerate(((self.series.plain, measured), (measured, self.state))):
            if first < last:
                with w.loop(first, last, [(w.v, ZERO)]) as turn:
                    called, own = (w.load(self.row(part, turn.index)) for part in ("results", "slopes"))
                    defect = w.difference(called, own)
                    turn.following = [str(w.fused(turn.values[0], defect, defect))]
                self._raise(self.places["defects"] + which * self.d, self.joined(SUM, turn.values[0]))
        if self.guards:
            self._raise(self.places["apart"], self.joined(LARGEST, self._apart()))
        return w.done()

    def _apart(self) -> str:
        """Returns the largest defect of a guard, relative to its size at these points, and to its first three terms."""
        w, order = self.w, self.series.order
        with w.loop(0, self.guards, [(w.v, ZERO)]) as turn:
            column = w.element(w.at("%work", self.places["guards"]), turn.index, order * self.d)
            value, _ = self.horner(column, order - 1, self.d, "%s")
            called = w.load(self.row("results", w.whole("add", turn.index, self.state + self.unknown)))
            size = w.number(NOTHING)
            for power in reversed(range(TERMS)):
                term = w.called("fabs", self.copied(w.at(column, power * self.d)))
                size = str(w.fused(term, size, "%s"))
            size = str(w.sum(size, w.called("fabs", called)))
            apart = w.called("fabs", str(w.difference(called, value)))
            share = w.quotient(apart, self.spread(self.joined(LARGEST, size)))
            turn.following = [w.called("maximum", turn.values[0], str(share))]
        return turn.values[0]

    def _raise(self, place: int, numbers: str) -> None:
        """Raises numbers of the arms to others, if these are larger or NaN; NaN stays."""
        w = self.w
        largest = LARGEST.format(v=self.arms, n=self.lanes, a=w.load("%work", place, self.arms), b=numbers)
        w.store(w.let(largest), "%work", place, self.arms)


class _Check(Points):
    def lines(self) -> list[str]:
        w, points, step = self.w, nodes.nodes(self.space.nodes), self.each("step")
        lasts = w.let(
            f"select {self.space.of.mask} %last, {self.arms} {self.space.of.constant(1.0)}, {self.arms} {ZERO}"
        )
        self._is_last = w.compared("one", self.spread(lasts))
        self._start, self._beyond = self.each("time"), self.each("beyond")
        for part, size in (("defects", 2), ("apart", 1), ("recorded", 1)):
            for k in range(size):
                w.store(ZERO, "%work", self.places[part] + k * self.d, self.arms)
        rest = self.copies - len(points)  # points of the first vector that may have samples
        at_nodes = str(w.product(self.listed([*points, *[1.0] * rest]), step))
        shares = str(w.product(self.listed([*nodes.weights(points), *[0.0] * rest]), step))
        with_samples = self._are_due()
        with w.when(with_samples):
            there, within = self._samples("0", range(len(points), self.copies), step, at_nodes)
            w.put(f"call void @compare(ptr %work, {w.v} {within})")
            self._follow(shares)
            self._record(there, "0", range(len(points), self.copies))
            with w.when(w.let(f"extractelement {self.of.mask} {there}, i32 {self.of.lanes - 1}") if rest else "true"):
                self._record_rest(rest, step)
        with w.when(w.opposite(with_samples, "i1")):
            w.put(f"call void @compare(ptr %work, {w.v} {at_nodes})")
            self._follow(shares)
        return w.done()

    def _are_due(self) -> str:
        """Returns whether any arm has a sample within its step."""
        w, some = self.w, "false"
        for lane in range(self.lanes):
            sample = w.load("%work", self.places["samples"] + 8 * lane, "i64")
            is_left = w.both(self._is_busy(lane), w.compared("slt", sample, "%samples", "i64"), "i1")
            place = w.most(w.least(sample, w.whole("sub", "%samples", 1)), 0)
            time, beyond, step = (
                w.load("%work", self.places[part] + 8 * lane, "double") for part in ("time", "beyond", "step")
            )
            due = w.real("fsub", w.real("fsub", w.load(w.element("%times", place), 0, "double"), time), beyond)
            is_last = w.let(f"extractelement {self.space.of.mask} %last, i32 {lane}")
            within = w.either(w.compared("ole", due, step, "double"), is_last, "i1")
            some = w.either(some, w.both(is_left, within, "i1"), "i1")
        return some

    def _follow(self, shares: str) -> None:
        """Puts the state at the last node into "following".

        The accounts have the integral of the rates called: that of the polynomial, and the integral of its defect.
        """
        w, end = self.w, (self.space.nodes - 1) * self.d
        for element in range(self.state):
            value = w.load("%work", self.places["inner"] + element * self.wide + end, self.arms)
            if element in self.series.accounts:
                called, own = (w.load(self.row(part, element)) for part in ("results", "slopes"))
                rest = self.joined(SUM, str(w.product(shares, w.difference(called, own))))
                value = w.let(f"fadd {self.arms} {value}, {rest}")
            w.store(value, "%work", self.places["following"] + element * self.d, self.arms)

    def _record_rest(self, done: int, step: str) -> None:
        """Compares and records the samples that the first vector has no room for."""
        w, every = self.w, range(self.copies)
        with w.loop(0, "%samples") as turn:
            first = w.whole("add", w.whole("mul", turn.index, self.copies), done)
            there, within = self._samples(first, every, step, step)
            w.stop(turn, w.opposite(w.any(there), "i1"))
            w.put(f"call void @compare(ptr %work, {w.v} {within})")
            self._record(there, first, every)

    def _samples(self, first: str, copies: range, step: str, others: str) -> tuple[str, str]:
        """Returns a mask of the points that have samples within the step, and the times of all points.

        first: the first sample of each arm, after those that it has; copies: the points for samples; others: the times
        of those without
        """
        w, last = self.w, self.w.whole("sub", "%samples", 1)
        due, there = ZERO, ZERO
        for k in self._lanes_of(copies):
            sample = self._sample(k, first, copies)
            is_there = w.both(self._is_busy(k % self.lanes), w.compared("sle", sample, last, "i64"), "i1")
            time = w.load(w.element("%times", w.most(w.least(sample, last), 0)), 0, "double")
            due = w.let(f"insertelement {w.v} {due}, double {time}, i32 {k}")
            there = w.let(f"insertelement {self.of.mask} {there}, i1 {is_there}, i32 {k}")
        within = w.vector("fsub", w.vector("fsub", due, self._start), self._beyond)
        early = w.compared("ole", within, step)
        there = w.both(there, w.either(early, self._is_last))
        return there, w.choice(there, w.choice(early, within, step), others)

    def _lanes_of(self, copies: range) -> range:
        return range(copies.start * self.lanes, copies.stop * self.lanes)

    def _sample(self, k: int, first: str, copies: range) -> str:
        """Returns the sample that a point of a vector has."""
        own = self.w.load("%work", self.places["samples"] + 8 * (k % self.lanes), "i64")
        return self.w.whole("add", self.w.whole("add", own, first), k // self.lanes - copies.start)

    def _is_busy(self, lane: int) -> str:
        return self.w.compared("sge", self.w.load("%work", self.places["arms"] + 8 * lane, "i64"), 0, "i64")

    def _record(self, there: str, first: str, copies: range) -> None:
        """Records the states at the points that have samples, unless some number of the step is not one."""
        w = self.w
        sums = str(w.sum(self.each("defects", 0), self.each("defects", 1)))
        there = w.both(there, w.compared("ord", sums))
        for k in self._lanes_of(copies):
            with w.when(w.let(f"extractelement {self.of.mask} {there}, i32 {k}")):
                arm = w.load("%work", self.places["arms"] + 8 * (k % self.lanes), "i64")
                row = w.at("%record", w.whole("mul", arm, "%record_row"))
                to = w.element(row, self._sample(k, first, copies), 8 * self.state)
                for element in range(self.state):
                    place = self.places["inner"] + element * self.wide + 8 * k
                    w.store(w.load("%work", place, "double"), to, 8 * element, "double")
                count = self.places["recorded"] + 8 * (k % self.lanes)
                w.store(w.whole("add", w.load("%work", count, "i64"), 1), "%work", count, "i64")
