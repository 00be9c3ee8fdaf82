"""Writes the function that steps arms by their series: each lane has its arm, its time and its step.

`void advance(ptr work, ptr state, ptr parameters, ptr times, ptr record, ptr log, ptr settings, i64 record_row,
i64 samples, i64 start, i64 stop, i64 budget)` takes packed rows of doubles, one per arm, and returns when every arm has
reached the end, has stopped, or the budget of steps is used up. An arm that ends makes room for the next one.
Step size: Jorba & Zou 2005, §3.2. Time is kept in two doubles.
"""

from __future__ import annotations

from collections.abc import Iterator

from qddot.compilers.llvm.registers import bits
from qddot.compilers.llvm.taylor import orders, zeros
from qddot.compilers.llvm.taylor.workspace import Workspace
from qddot.compilers.llvm.taylor.writer import Writer
from qddot.program.series import (
    BEYOND,
    BLOWN_UP,
    COLUMNS,
    ENDED,
    GUARDED,
    RUNNING,
    SAMPLE,
    SECONDS,
    STATUS,
    STEPS,
    STUCK,
)

NAME = "advance"
SAFETY, FLOOR, END = range(3)  # settings: factor of the step, the least size that errors are relative to, the end
LEAST = 1e-16  # a step, as a part of the time
POINTERS, COUNTS = 7, 5


def module(space: Workspace) -> str:
    """Returns the module of `advance`."""
    driver = _Driver(space)
    own = (driver.refilled(), driver.left(), driver.advance(), _declarations(space))
    parts = [orders.functions(space), *own, *([zeros.function()] if space.series.sizes[3] else [])]
    return "\n".join(line for part in parts for line in part)


def _declarations(space: Workspace) -> Iterator[str]:
    v, suffix = space.of.reals, space.of.suffix
    for name in ("maxnum", "minnum"):
        yield f"declare {v} @llvm.{name}.{suffix}({v}, {v})"
    yield f"declare {v} @llvm.floor.{suffix}({v})"
    yield "declare double @llvm.fabs.f64(double)"
    yield "declare double @llvm.sqrt.f64(double)"


class _Driver:
    def __init__(self, space: Workspace) -> None:
        self.space, self.series, self.of = space, space.series, space.of
        self.state, _, self.parameters, self.guards = self.series.sizes
        self.d, self.lanes = space.of.bytes, space.lanes

    def _lane(self, w: Writer, part: str, lane: str) -> str:
        """Returns the address of one lane's number in a part of the workspace."""
        return w.element(w.at("%work", self.space.offsets[part]), lane)

    def _row(self, w: Writer, base: str, arm: str, width: int) -> str:
        return w.element(base, arm, 8 * width)

    # arms come and go

    def refilled(self) -> list[str]:
        """Returns `i64 refill(work, lane, next, stop, …)`: it puts the next running arm into a lane.

        It returns the arm behind it, and notes −1 where there is none.
        """
        head = "ptr %work, ptr %state, ptr %parameters, ptr %log, i64 %lane, i64 %next, i64 %stop"
        w = Writer(f"private i64 @refill({head}) noinline", self.of)
        with w.loop("%next", "%stop") as turn:
            arm = turn.index
            log = self._row(w, "%log", arm, COLUMNS)
            runs = w.let(f"fcmp oeq double {w.load(log, 8 * STATUS, 'double')}, 0.0")
            with w.when(runs):
                for source, part, size in (
                    ("%state", "states", self.state),
                    ("%parameters", "parameters", self.parameters),
                ):
                    row, to = self._row(w, source, arm, size), self._lane(w, part, "%lane")
                    for k in range(size):
                        w.store(w.load(row, 8 * k, "double"), to, k * self.d, "double")
                for column, part in ((SECONDS, "time"), (BEYOND, "beyond"), (STEPS, "steps")):
                    w.store(w.load(log, 8 * column, "double"), self._lane(w, part, "%lane"), 0, "double")
                sample = w.let(f"fptosi double {w.load(log, 8 * SAMPLE, 'double')} to i64")
                w.store(sample, self._lane(w, "samples", "%lane"), 0, "i64")
                w.store(arm, self._lane(w, "arms", "%lane"), 0, "i64")
                w.put(f"ret i64 {w.whole('add', arm, 1)}")
                w.dead()
        w.store("-1", self._lane(w, "arms", "%lane"), 0, "i64")
        return w.done("i64 %stop")

    def left(self) -> list[str]:
        """Returns `void leave(work, lane, status, …)`: it writes a lane's arm back, with its status."""
        head = "ptr %work, ptr %state, ptr %log, i64 %lane, double %status"
        w = Writer(f"private void @leave({head}) noinline", self.of)
        arm = w.load(self._lane(w, "arms", "%lane"), 0, "i64")
        row, log = self._row(w, "%state", arm, self.state), self._row(w, "%log", arm, COLUMNS)
        at = self._lane(w, "states", "%lane")
        for k in range(self.state):
            w.store(w.load(at, k * self.d, "double"), row, 8 * k, "double")
        w.store("%status", log, 8 * STATUS, "double")
        for column, part in ((SECONDS, "time"), (BEYOND, "beyond"), (STEPS, "steps")):
            w.store(w.load(self._lane(w, part, "%lane"), 0, "double"), log, 8 * column, "double")
        sample = w.load(self._lane(w, "samples", "%lane"), 0, "i64")
        w.store(w.let(f"sitofp i64 {sample} to double"), log, 8 * SAMPLE, "double")
        return w.done()

    # steps

    def advance(self) -> list[str]:
        pointers = ", ".join(f"ptr %{x}" for x in ("work", "state", "parameters", "times", "record", "log", "settings"))
        counts = ", ".join(f"i64 %{x}" for x in ("record_row", "samples", "start", "stop", "budget"))
        w = self.w = Writer(f"void @{NAME}({pointers}, {counts})", self.of)
        self.settings = [w.load("%settings", 8 * k, "double") for k in range(3)]
        following = "%start"
        for lane in range(self.lanes):
            following = self._refill(str(lane), following)
        with w.loop(0, "%budget", [("i64", following)]) as turn:
            following = turn.values[0]
            with w.when(w.let(f"icmp eq i64 {self._busy()}, 0")):
                w.put("ret void")
                w.dead()
            w.put("call void @coefficients(ptr %work)")
            step, status = self._step()
            self._observe(step, status)
            self._move(step)
            with w.loop(0, self.lanes, [("i64", following)]) as each:
                each.following = [self._ended(each.index, each.values[0])]
            turn.following = [each.values[0]]
        with w.loop(0, self.lanes) as each, w.when(self._is_busy(each.index)):
            w.put(f"call void @leave(ptr %work, ptr %state, ptr %log, i64 {each.index}, double 0.0)")
        return w.done()

    def _refill(self, lane: str, following: str) -> str:
        given = f"ptr %work, ptr %state, ptr %parameters, ptr %log, i64 {lane}, i64 {following}, i64 %stop"
        return self.w.let(f"call i64 @refill({given})")

    def _is_busy(self, lane: str) -> str:
        return self.w.let(f"icmp sge i64 {self.w.load(self._lane(self.w, 'arms', lane), 0, 'i64')}, 0")

    def _busy(self) -> str:
        """Returns the number of lanes with an arm."""
        count = "0"
        for lane in range(self.lanes):
            count = self.w.whole("add", count, self.w.let(f"zext i1 {self._is_busy(str(lane))} to i64"))
        return count

    def _part(self, name: str) -> str:
        return self.w.load("%work", self.space.offsets[name])

    def _step(self) -> tuple[str, str]:
        """Returns the step of each lane and what ends it there; the state after it waits in "following"."""
        w, v, mask = self.w, self.w.v, self.of.mask
        time = self._part("time")
        rest = w.let(f"fsub {v} {w.let(f'fsub {v} {w.spread(self.settings[END])}, {time}')}, {self._part('beyond')}")
        allowed = self._allowed()
        last = w.let(f"fcmp oge {v} {allowed}, {rest}")
        step = w.let(f"select {mask} {last}, {v} {rest}, {v} {allowed}")
        status = w.let(f"select {mask} {last}, {v} {w.number(ENDED)}, {v} {w.number(RUNNING)}")
        least = w.product(w.called("fabs", time), w.number(LEAST))
        short = w.let(f"fcmp ole {v} {step}, {least}")
        stuck = w.let(f"and {mask} {short}, {w.let(f'xor {mask} {last}, {self._all()}')}")
        status = w.let(f"select {mask} {stuck}, {v} {w.number(STUCK)}, {v} {status}")
        for which in range(self.guards):
            step, status = self._guarded(which, step, status)
        following = self._after(step)
        nothing = None
        for x in following:
            nothing = w.sum(nothing, w.let(f"fsub {v} {x}, {x}"))
        finite = w.let(f"fcmp oeq {v} {nothing}, zeroinitializer")
        status = w.let(f"select {mask} {finite}, {v} {status}, {v} {w.number(BLOWN_UP)}")
        for k, x in enumerate(following):
            kept = w.let(f"select {mask} {finite}, {v} {x}, {v} {w.load('%work', self.space.state(0, k))}")
            w.store(kept, "%work", self.space.offsets["following"] + k * self.d)
        step = w.let(f"select {mask} {finite}, {v} {step}, {v} {w.number(-1.0)}")
        w.store(step, "%work", self.space.offsets["step"])
        w.store(status, "%work", self.space.offsets["hit"])
        return step, status

    def _all(self) -> str:
        return "<" + ", ".join(["i1 true"] * self.lanes) + ">"

    def _allowed(self) -> str:
        """Returns the step at which the last terms are as small as the tolerance, by the sizes of two orders."""
        w, order, measured = self.w, self.series.order, self.series.measured
        parts = [range(measured), *([range(measured, self.state)] if measured < self.state else [])]
        allowed = None
        for elements in parts:
            own = w.called("maxnum", self._size(0, elements), w.spread(self.settings[FLOOR]))
            whole = self._logarithm(own)
            for k in (order - 1, order):
                less = self._logarithm(self._size(k, elements))
                share = w.product(w.difference(whole, less), w.number(1 / k))
                allowed = share if allowed is None else w.called("minnum", allowed, str(share))
        return str(w.product(w.spread(self.settings[SAFETY]), self._power_of_two(str(allowed))))

    def _size(self, order: int, elements: range) -> str:
        """Returns the largest coefficient of an order."""
        sizes = [self.w.called("fabs", self.w.load("%work", self.space.state(order, k))) for k in elements]
        largest = sizes[0]
        for size in sizes[1:]:
            largest = self.w.called("maxnum", largest, size)
        return largest

    def _logarithm(self, x: str) -> str:
        """Returns log₂ x but for a constant, to 0.09: the bits of a double are its logarithm, straight in between."""
        w, whole = self.w, f"<{self.lanes} x i64>"
        return str(
            w.product(w.let(f"sitofp {whole} {w.let(f'bitcast {w.v} {x} to {whole}')} to {w.v}"), w.number(2.0**-52))
        )

    def _power_of_two(self, x: str) -> str:
        """Returns 2^x, to 0.3 %; x stays within what a double has."""
        w, whole, v = self.w, f"<{self.lanes} x i64>", self.w.v
        x = w.called("maxnum", w.called("minnum", x, w.number(1000.0)), w.number(-1000.0))
        low = w.called("floor", x)
        part = str(w.difference(x, low))
        rise = w.sum(w.number(0.6565), w.product(w.number(0.3435), part))
        begun = str(w.sum(w.number(1.0), w.product(part, rise)))
        exponent = w.let(f"fptosi {v} {low} to {whole}")
        fifty_two = "<" + ", ".join(["i64 52"] * self.lanes) + ">"
        shifted = w.let(f"shl {whole} {exponent}, {fifty_two}")
        total = w.let(f"add {whole} {w.let(f'bitcast {v} {begun} to {whole}')}, {shifted}")
        return w.let(f"bitcast {whole} {total} to {v}")

    def _after(self, step: str) -> list[str]:
        """Returns the state some time into the step, by Horner's scheme."""
        w, order = self.w, self.series.order
        totals = [w.load("%work", self.space.state(order, k)) for k in range(self.state)]
        for power in reversed(range(order)):
            for k in range(self.state):
                own = w.load("%work", self.space.state(power, k))
                totals[k] = str(w.sum(w.product(totals[k], step), own))
        return totals

    def _guarded(self, which: int, step: str, status: str) -> tuple[str, str]:
        """Returns the step, ended where a guard rises above zero, and what ends it there.

        Where the first coefficient outweighs all others, the guard has no zero and nothing is looked for.
        """
        w, v, mask, order = self.w, self.w.v, self.of.mask, self.series.order
        total = w.number(0.0)
        for k in reversed(range(1, order)):
            size = w.called("fabs", w.load("%work", self.space.guard(which, k)))
            total = str(w.product(w.sum(total, size), step))
        first = w.load("%work", self.space.guard(which, 0))
        near = w.let(f"fcmp oge {v} {w.sum(first, total)}, zeroinitializer")
        w.store(step, "%work", self.space.offsets["step"])
        w.store(status, "%work", self.space.offsets["hit"])
        bits_of = w.let(f"bitcast {mask} {near} to i{self.lanes}")
        with w.when(w.let(f"icmp ne i{self.lanes} {bits_of}, 0")), w.loop(0, self.lanes) as lane:
            self._searched(which, lane.index)
        return self._part("step"), self._part("hit")

    def _searched(self, which: int, lane: str) -> None:
        """Ends the step of a lane at the first zero of a guard, if that comes before its end."""
        w = self.w
        at = w.element(w.at("%work", self.space.guard(which, 0)), lane)
        own = self._lane(w, "step", lane)
        given = f"ptr {at}, i64 {self.d}, i64 {self.series.order}, double {w.load(own, 0, 'double')}"
        zero = w.let(f"call double @first_zero({given})")
        with w.when(w.let(f"fcmp oge double {zero}, 0.0")):
            w.store(zero, own, 0, "double")
            w.store(bits(float(GUARDED + which)), self._lane(w, "hit", lane), 0, "double")

    def _observe(self, step: str, status: str) -> None:
        """Records the samples of each lane within its step; the last step has all that are left."""
        w = self.w
        with w.loop(0, self.lanes) as lane, w.when(self._is_busy(lane.index)):
            self._sampled(lane.index)

    def _sampled(self, lane: str) -> None:
        w = self.w
        step, end = (w.load(self._lane(w, part, lane), 0, "double") for part in ("step", "hit"))
        last = w.let(f"fcmp oeq double {end}, {bits(float(ENDED))}")
        time, beyond = (w.load(self._lane(w, part, lane), 0, "double") for part in ("time", "beyond"))
        own = self._lane(w, "samples", lane)
        arm = w.load(self._lane(w, "arms", lane), 0, "i64")
        row = w.at("%record", w.whole("mul", arm, "%record_row"))
        column = w.element(w.at("%work", self.space.offsets["states"]), lane)
        first = w.load(own, 0, "i64")
        with w.loop(first, "%samples") as sample:
            due = w.load(w.element("%times", sample.index), 0, "double")
            within = w.real("fsub", w.real("fsub", due, time), beyond)
            early = w.let(f"fcmp ole double {within}, {step}")
            there = w.let(f"or i1 {early}, {last}")
            w.store(sample.index, own, 0, "i64")
            w.stop(sample, w.let(f"xor i1 {there}, true"))
            capped = w.let(f"select i1 {early}, double {within}, double {step}")
            self._sample(column, capped, w.element(row, sample.index, 8 * self.state))
            w.store(w.whole("add", sample.index, 1), own, 0, "i64")

    def _sample(self, column: str, within: str, to: str) -> None:
        """Records one lane's state some time into its step."""
        w, order = self.w, self.series.order
        width = self.state * self.d
        totals = [w.load(column, order * width + k * self.d, "double") for k in range(self.state)]
        for power in reversed(range(order)):
            for k in range(self.state):
                own = w.load(column, power * width + k * self.d, "double")
                totals[k] = w.real("fadd contract", w.real("fmul contract", totals[k], within), own)
        for k, total in enumerate(totals):
            w.store(total, to, 8 * k, "double")

    def _move(self, step: str) -> None:
        """Takes the step in every lane: the state, the time in two doubles, and the count of steps."""
        w, v = self.w, self.w.v
        for k in range(self.state):
            at = self.space.offsets["following"] + k * self.d
            w.store(w.load("%work", at), "%work", self.space.state(0, k))
        step = w.called("maxnum", step, w.number(0.0))
        time, beyond = self._part("time"), self._part("beyond")
        total, error = self._two_sum(time, step)
        total, error = self._two_sum(total, w.let(f"fadd {v} {beyond}, {error}"))
        for part, value in (("time", total), ("beyond", error)):
            w.store(value, "%work", self.space.offsets[part])
        steps = w.let(f"fadd {v} {self._part('steps')}, {w.number(1.0)}")
        w.store(steps, "%work", self.space.offsets["steps"])

    def _two_sum(self, a: str, b: str) -> tuple[str, str]:
        """Returns a + b in two doubles, exactly (Knuth)."""
        w, v = self.w, self.w.v
        total = w.let(f"fadd {v} {a}, {b}")
        one = w.let(f"fsub {v} {total}, {a}")
        other = w.let(f"fsub {v} {total}, {one}")
        left, right = w.let(f"fsub {v} {a}, {other}"), w.let(f"fsub {v} {b}, {one}")
        return total, w.let(f"fadd {v} {left}, {right}")

    def _ended(self, lane: str, following: str) -> str:
        """Writes a lane's arm back where it has ended, takes the next one, and returns the one behind it."""
        w = self.w
        status = w.load(self._lane(w, "hit", lane), 0, "double")
        over = w.let(f"and i1 {self._is_busy(lane)}, {w.let(f'fcmp one double {status}, 0.0')}")
        slot = self._lane(w, "next", lane)
        w.store(following, slot, 0, "i64")
        with w.when(over):
            w.put(f"call void @leave(ptr %work, ptr %state, ptr %log, i64 {lane}, double {status})")
            w.store(self._refill(lane, following), slot, 0, "i64")
        return w.load(slot, 0, "i64")
