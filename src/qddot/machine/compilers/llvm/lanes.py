"""Writes the function that integrates arms in lanes, by any method: each lane has its arm, its time and its step.

`void advance(ptr work, ptr state, ptr parameters, ptr times, ptr record, ptr log, ptr settings, i64 record_row,
i64 samples, i64 start, i64 stop, i64 budget)` takes packed rows of doubles, one per arm, and returns when every arm has
reached the end or has stopped, or when the budget of steps is used up. An arm that ends makes room for the next one.
Time is kept in two doubles.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping

from qddot.algebra.program.status import ENDED, RUNNING, STATUS, STEPS, STUCK
from qddot.algebra.program.stretch import BEYOND, COLUMNS, LENGTH, SAMPLE, SECONDS
from qddot.machine.compilers.llvm.registers import Vectors
from qddot.machine.compilers.llvm.writer import Writer

NAME = "advance"
END = 2  # the place of the end in the settings
POINTERS, COUNTS = 7, 5
# columns of the log, and fields of the memory
NOTED = ((SECONDS, "time"), (BEYOND, "beyond"), (STEPS, "steps"), (LENGTH, "length"))
ALIGNED = 64  # bytes
NOTHING = 1e-290  # a step at time 0 that is too short to continue [s]


def offsets(sizes: Mapping[str, int]) -> dict[str, int]:
    """Returns where each field of the memory begins, in bytes, and the "size" of all; sizes: the bytes of each."""
    places, at = {}, 0
    for name, size in sizes.items():
        places[name] = at
        at += -(-size // ALIGNED) * ALIGNED
    return {**places, "size": at}


def fields_of_lanes(of: Vectors, state: int, parameters: int) -> dict[str, int]:
    """Returns the fields that every method has, with their bytes; state, parameters: the lengths of an arm's arrays

    The field "step" is the length of this step, "length" that of the next one, "hit" the status after the step.
    """
    own = ("time", "beyond", "step", "length", "hit", "arms", "next", "samples", "steps")
    d = of.bytes
    return {"states": state * d, "parameters": parameters * d, "following": state * d, **dict.fromkeys(own, d)}


class Lanes(ABC):
    """This writes `advance` for a method, whose memory has at least the fields of `fields_of_lanes`.

    least: a step that is too short to continue, relative to the time
    """

    least = 1e-16

    def __init__(self, of: Vectors, places: Mapping[str, int], state: int, parameters: int) -> None:
        self.of, self.places = of, places
        self.state, self.parameters = state, parameters
        self.d, self.lanes, self.mask = of.bytes, of.lanes, of.mask

    @abstractmethod
    def turn(self) -> None:
        """Writes one step of every lane; "step" gets its length, "hit" its status, "following" its end."""

    @abstractmethod
    def observe(self) -> None:
        """Writes the records of the samples in each lane's step, or counts them; the last step has all that remain."""

    @abstractmethod
    def begin(self) -> None:
        """Writes the code before the first step."""

    def functions(self) -> Iterator[str]:
        """Yields `advance`, and the functions that move arms into lanes and out of them."""
        yield from self._refill_function()
        yield from self._leave_function()
        yield from self._advance()

    def _lane(self, w: Writer, part: str, lane: str) -> str:
        """Returns the address of one lane's number in a field of the memory."""
        return w.element(w.at("%work", self.places[part]), lane)

    # moving arms into lanes and out of them

    def _refill_function(self) -> list[str]:
        """Returns `i64 refill(work, lane, next, stop, …)`, which puts the next running arm into a lane.

        It returns the index after that arm's; if no arm is left, the lane's arm is set to −1.
        """
        head = "ptr %work, ptr %state, ptr %parameters, ptr %log, i64 %lane, i64 %next, i64 %stop"
        w = Writer(f"private i64 @refill({head}) noinline", self.of)
        with w.loop("%next", "%stop") as turn:
            arm = turn.index
            log = w.element("%log", arm, 8 * COLUMNS)
            runs = w.compared("oeq", w.load(log, 8 * STATUS, "double"), "0.0", "double")
            with w.when(runs):
                for source, part, size in (
                    ("%state", "states", self.state),
                    ("%parameters", "parameters", self.parameters),
                ):
                    row, to = w.element(source, arm, 8 * size), self._lane(w, part, "%lane")
                    for k in range(size):
                        w.store(w.load(row, 8 * k, "double"), to, k * self.d, "double")
                for column, part in NOTED:
                    w.store(w.load(log, 8 * column, "double"), self._lane(w, part, "%lane"), 0, "double")
                sample = w.let(f"fptosi double {w.load(log, 8 * SAMPLE, 'double')} to i64")
                w.store(sample, self._lane(w, "samples", "%lane"), 0, "i64")
                w.store(arm, self._lane(w, "arms", "%lane"), 0, "i64")
                w.end(f"i64 {w.whole('add', arm, 1)}")
        w.store("-1", self._lane(w, "arms", "%lane"), 0, "i64")
        return w.done("i64 %stop")

    def _leave_function(self) -> list[str]:
        """Returns `void leave(work, lane, status, …)`, which writes a lane's arm back, with its status."""
        head = "ptr %work, ptr %state, ptr %log, i64 %lane, double %status"
        w = Writer(f"private void @leave({head}) noinline", self.of)
        arm = w.load(self._lane(w, "arms", "%lane"), 0, "i64")
        row, log = w.element("%state", arm, 8 * self.state), w.element("%log", arm, 8 * COLUMNS)
        at = self._lane(w, "states", "%lane")
        for k in range(self.state):
            w.store(w.load(at, k * self.d, "double"), row, 8 * k, "double")
        w.store("%status", log, 8 * STATUS, "double")
        for column, part in NOTED:
            w.store(w.load(self._lane(w, part, "%lane"), 0, "double"), log, 8 * column, "double")
        sample = w.load(self._lane(w, "samples", "%lane"), 0, "i64")
        w.store(w.let(f"sitofp i64 {sample} to double"), log, 8 * SAMPLE, "double")
        return w.done()

    # steps

    def _advance(self) -> list[str]:
        pointers = ", ".join(f"ptr %{x}" for x in ("work", "state", "parameters", "times", "record", "log", "settings"))
        counts = ", ".join(f"i64 %{x}" for x in ("record_row", "samples", "start", "stop", "budget"))
        w = self.w = Writer(f"void @{NAME}({pointers}, {counts})", self.of)
        self.begin()
        following = "%start"
        for lane in range(self.lanes):
            following = self._refill(str(lane), following)
        with w.loop(0, "%budget", [("i64", following)]) as turn:
            following = turn.values[0]
            with w.when(w.compared("eq", self._busy(), 0, "i64")):
                w.end("void")
            self.turn()
            self.observe()
            self._move()
            with w.loop(0, self.lanes, [("i64", following)]) as each:
                each.following = [self._ended(each.index, each.values[0])]
            turn.following = [each.values[0]]
        with w.loop(0, self.lanes) as each, w.when(self._is_busy(each.index)):
            w.put(f"call void @leave(ptr %work, ptr %state, ptr %log, i64 {each.index}, double 0.0)")
        return w.done()

    def setting(self, place: int) -> str:
        """Returns one of the settings, in every lane."""
        return self.w.spread(self.w.load("%settings", 8 * place, "double"))

    def _refill(self, lane: str, following: str) -> str:
        arguments = f"ptr %work, ptr %state, ptr %parameters, ptr %log, i64 {lane}, i64 {following}, i64 %stop"
        return self.w.let(f"call i64 @refill({arguments})")

    def _is_busy(self, lane: str) -> str:
        return self.w.compared("sge", self.w.load(self._lane(self.w, "arms", lane), 0, "i64"), "0", "i64")

    def _busy(self) -> str:
        """Returns how many lanes have an arm."""
        count = "0"
        for lane in range(self.lanes):
            count = self.w.whole("add", count, self.w.counted(self._is_busy(str(lane))))
        return count

    def field(self, name: str) -> str:
        """Returns a field of the memory, which has one number per lane."""
        return self.w.load("%work", self.places[name])

    def keep(self, name: str, value: str) -> None:
        self.w.store(value, "%work", self.places[name])

    def limited(self, allowed: str) -> tuple[str, str]:
        """Returns each lane's step, which is cut at the end time, and the status after it; allowed: the longest step"""
        w = self.w
        time = self.field("time")
        rest = w.vector("fsub", w.vector("fsub", self.setting(END), time), self.field("beyond"))
        last = w.compared("oge", allowed, rest)
        step = w.choice(last, rest, allowed)
        status = w.choice(last, w.number(ENDED), w.number(RUNNING))
        shortest = w.called("maxnum", str(w.product(w.called("fabs", time), w.number(self.least))), w.number(NOTHING))
        short = w.compared("ole", step, shortest)
        stuck = w.both(short, w.opposite(last))
        return step, w.choice(stuck, w.number(STUCK), status)

    def store_step(self, good: str, step: str, status: str, following: str) -> None:
        """Stores the step, the status, and the state after the step; lanes that are not good keep their state.

        good: a mask of lanes; following: the address of the state after the step
        """
        w = self.w
        for k in range(self.state):
            there, here = w.load(following, k * self.d), w.load("%work", self.places["states"] + k * self.d)
            value = w.choice(good, there, here)
            w.store(value, "%work", self.places["following"] + k * self.d)
        self.keep("step", w.choice(good, step, w.number(-1.0)))
        self.keep("hit", status)

    def logarithm(self, x: str) -> str:
        """Returns 1023 + log₂ x, to 0.09: read as an integer, the bits of a double grow like its logarithm."""
        w, whole = self.w, f"<{self.lanes} x i64>"
        return str(
            w.product(w.let(f"sitofp {whole} {w.let(f'bitcast {w.v} {x} to {whole}')} to {w.v}"), w.number(2.0**-52))
        )

    def power_of_two(self, x: str) -> str:
        """Returns 2^x, with an error up to 0.32 %; x is kept within the range of a double."""
        w, whole, v = self.w, f"<{self.lanes} x i64>", self.w.v
        x = w.called("maxnum", w.called("minnum", x, w.number(1000.0)), w.number(-1000.0))
        low = w.called("floor", x)
        part = str(w.difference(x, low))
        rise = w.sum(w.number(0.6565), w.product(w.number(0.3435), part))
        mantissa = str(w.sum(w.number(1.0), w.product(part, rise)))
        exponent = w.let(f"fptosi {v} {low} to {whole}")
        fifty_two = "<" + ", ".join(["i64 52"] * self.lanes) + ">"
        shifted = w.let(f"shl {whole} {exponent}, {fifty_two}")
        total = w.let(f"add {whole} {w.let(f'bitcast {v} {mantissa} to {whole}')}, {shifted}")
        return w.let(f"bitcast {whole} {total} to {v}")

    def _move(self) -> None:
        """Updates every lane after its step: the state, the time in two doubles, and the number of steps."""
        w = self.w
        for k in range(self.state):
            w.store(w.load("%work", self.places["following"] + k * self.d), "%work", self.places["states"] + k * self.d)
        step = w.called("maxnum", self.field("step"), w.number(0.0))
        time, beyond = self.field("time"), self.field("beyond")
        total, error = self._two_sum(time, step)
        total, error = self._two_sum(total, w.vector("fadd", beyond, error))
        self.keep("time", total)
        self.keep("beyond", error)
        self.keep("steps", w.vector("fadd", self.field("steps"), w.number(1.0)))

    def _two_sum(self, a: str, b: str) -> tuple[str, str]:
        """Returns a + b in two doubles, exactly (Knuth)."""
        w = self.w
        total = w.vector("fadd", a, b)
        one = w.vector("fsub", total, a)
        other = w.vector("fsub", total, one)
        left, right = w.vector("fsub", a, other), w.vector("fsub", b, one)
        return total, w.vector("fadd", left, right)

    def _ended(self, lane: str, following: str) -> str:
        """Writes a lane's arm back if it has ended, and takes the next one; returns the index of the arm after it."""
        w = self.w
        status = w.load(self._lane(w, "hit", lane), 0, "double")
        over = w.both(self._is_busy(lane), w.compared("one", status, "0.0", "double"), "i1")
        slot = self._lane(w, "next", lane)
        w.store(following, slot, 0, "i64")
        with w.when(over):
            w.put(f"call void @leave(ptr %work, ptr %state, ptr %log, i64 {lane}, double {status})")
            w.store(self._refill(lane, following), slot, 0, "i64")
        return w.load(slot, 0, "i64")
