"""Writes adaptive steps: a step is accepted if its error is within the tolerance, otherwise it is repeated, shorter.

Guards are evaluated after each step; if one has risen above zero, bisection finds its zero in the dense output.
Sources: Hairer, Nørsett & Wanner 1993, §II.4 and II.6.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager

from qddot.compilers.llvm import outcomes
from qddot.compilers.llvm.lanes import Lanes, fields_of_lanes, offsets
from qddot.compilers.llvm.registers import Vectors, bits
from qddot.compilers.llvm.runge_kutta import evaluated
from qddot.compilers.llvm.writer import ZERO, Writer
from qddot.program.rates import Rates
from qddot.program.status import BLOWN_UP, ENDED, RUNNING, STUCK

SAFETY, LEAST_FACTOR, MOST_FACTOR = 0.9, 0.2, 10.0
FIRST, FIRST_SHARE = 1e-6, 0.01  # a first step [s]; one as a fraction of the ratio of state to rate
SHORTEST = 1e-300
BISECTIONS = 60
# fields of the memory, by their places in the settings
SETTINGS = {"relative": 0, "absolute": 1, "enough": 3, "longest": 4}


def module(method: Attempts) -> str:
    """Returns the module of `advance`."""
    return "\n".join([*method.programs(), *method.own_functions(), *method.functions()])


class Attempts(Lanes):
    """This is an adaptive method; its own functions are `attempt`, `prepare` and `within`.

    order: one more than the order of the error's estimate
    """

    least = 1e-15
    order: int

    def __init__(self, rates: Rates, lanes: int) -> None:
        of, (state, parameters, self.guards) = Vectors(lanes), rates.sizes
        self.rates, d = rates, of.bytes
        sizes = {
            **fields_of_lanes(of, state, parameters),
            **{name: state * d * count for name, count in self.memory(state).items()},
            **dict.fromkeys(("inner", "slope"), state * d),
            "values": self.guards * d,
            **dict.fromkeys(("whole", "error", "ready", *SETTINGS), d),
        }
        super().__init__(of, offsets(sizes), state, parameters)

    @abstractmethod
    def memory(self, state: int) -> dict[str, int]:
        """Returns the sizes of the method's own fields of the memory, in states."""

    @abstractmethod
    def attempt(self, w: Writer) -> None:
        """Writes an attempt at a step of length "step" from "states"; "slope" has the rates there.

        The state after the step goes to "following", and its error relative to the tolerance to "error".
        """

    @abstractmethod
    def prepare(self, w: Writer) -> None:
        """Writes the preparation of the step's dense output."""

    @abstractmethod
    def within(self, w: Writer, k: str, share: str) -> str:
        """Returns an element's change after a fraction of the step."""

    # functions

    def programs(self) -> Iterator[str]:
        """Yields the functions that evaluate rates, guards and derivatives."""
        named = {"slopes": self.rates.slopes, "guards": self.rates.guards, "jacobian": self.rates.jacobian}
        programs = {name: program for name, program in named.items() if program}
        return evaluated.functions(programs, self.of, self.places["parameters"])

    def own_functions(self) -> Iterator[str]:
        for name, body in (("attempt", self.attempt), ("prepare", self.prepare)):
            w = Writer(f"private void @{name}(ptr %work) noinline", self.of)
            body(w)
            yield from w.done()
        w = Writer(f"private void @within(ptr %work, {self.of.reals} %share) noinline", self.of)
        with self.elements(w) as k:
            w.store(str(w.sum(self.load(w, "states", k), self.within(w, k, "%share"))), self.at(w, "inner", k))
        yield from w.done()

    # the memory

    def at(self, w: Writer, part: str, k: str = "0", row: int = 0) -> str:
        """Returns the address of an element of a row of states."""
        begin = self.places[part] + row * self.state * self.d
        return w.at("%work", begin) if k == "0" else w.element(w.at("%work", begin), k, self.d)

    def load(self, w: Writer, part: str, k: str = "0", row: int = 0) -> str:
        return w.load(self.at(w, part, k, row))

    @contextmanager
    def elements(self, w: Writer) -> Iterator[str]:
        """Makes the `with` block a loop over a state's elements, and yields the index."""
        with w.loop(0, self.state) as turn:
            yield turn.index

    def evaluate(self, w: Writer, state: str, time: str, results: str) -> None:
        """Writes the evaluation of the rates; state, results: addresses"""
        evaluated.called(w, "slopes", state, time, results)

    def scale(self, w: Writer, size: str) -> str:
        """Returns the allowed error of an element of some size."""
        relative = w.product(self.load(w, "relative"), size)
        return str(w.sum(self.load(w, "absolute"), relative))

    def larger(self, w: Writer, k: str) -> str:
        """Returns the size of an element before or after the step, whichever is larger."""
        before, after = (w.called("fabs", self.load(w, part, k)) for part in ("states", "following"))
        return w.called("maxnum", before, after)

    # one turn

    def begin(self) -> None:
        """Copies the settings into the memory, where all functions can read them."""
        for name, place in SETTINGS.items():
            self.keep(name, self.setting(place))

    def turn(self) -> None:
        """Tries a step in every lane, accepts it where the error is small enough, and sets the next step's length."""
        w = self.w
        w.store("0", self.at(w, "ready"), 0, "i64")
        self.evaluate(w, self.at(w, "states"), self.field("time"), self.at(w, "slope"))
        unknown = w.compared("oeq", self.field("length"))
        with w.when(w.any(unknown)):
            self._guess(unknown)
        step, status = self.limited(w.called("minnum", self.field("length"), self.field("longest")))
        self.keep("step", step)
        self.keep("whole", step)
        w.put("call void @attempt(ptr %work)")
        error = self.field("error")
        good = w.compared("ole", error, w.number(1.0))
        self._lengthen(step, status, error, good)
        finite = w.compared("ord", error)
        short = w.compared("oeq", status, w.number(STUCK))
        why = w.choice(finite, w.number(STUCK), w.number(BLOWN_UP))
        again = w.choice(short, why, w.number(RUNNING))
        status = w.choice(good, status, again)
        self.store_step(good, step, status, self.at(w, "following"))
        if self.guards:
            self._guarded()

    def _guess(self, unknown: str) -> None:
        """Sets the first step in lanes that have none (Hairer, Nørsett & Wanner 1993, §II.4, its first part)."""
        w, v = self.w, self.w.v
        zero = ZERO
        with w.loop(0, self.state, [(v, zero), (v, zero)]) as turn:
            k, sums = turn.index, []
            scale = self.scale(w, w.called("fabs", self.load(w, "states", k)))
            for total, part in zip(turn.values, ("states", "slope"), strict=True):
                share = w.quotient(self.load(w, part, k), scale)
                sums.append(str(w.sum(total, w.product(share, share))))
            turn.following = sums
        ratio = str(w.quotient(turn.values[0], turn.values[1]))
        guess = str(w.product(w.number(FIRST_SHARE), w.called("sqrt", ratio)))
        long = w.compared("ogt", guess, w.number(FIRST))
        finite = w.compared("olt", guess, w.number(1e300))
        both = w.both(long, finite)
        first = w.choice(both, guess, w.number(FIRST))
        self.keep("length", w.choice(unknown, first, self.field("length")))

    def _lengthen(self, step: str, status: str, error: str, good: str) -> None:
        """Sets the next step's length by the error; a step that was cut at the end does not shorten it."""
        w = self.w
        less = w.product(
            w.difference(w.number(1023.0), self.logarithm(w.called("fabs", error))), w.number(1 / self.order)
        )
        factor = w.product(w.number(SAFETY), self.power_of_two(str(less)))
        factor = w.called("maxnum", w.called("minnum", str(factor), w.number(MOST_FACTOR)), w.number(LEAST_FACTOR))
        length = w.called("maxnum", str(w.product(step, factor)), w.number(SHORTEST))
        last = w.compared("oeq", status, w.number(ENDED))
        cut = w.both(good, last)
        longer = w.called("maxnum", length, self.field("length"))
        self.keep("length", w.choice(cut, longer, length))

    def _prepare_once(self) -> None:
        """Writes the call that prepares the dense output, unless it is prepared."""
        w, at = self.w, self.at(self.w, "ready")
        with w.when(w.compared("eq", w.load(at, 0, "i64"), 0, "i64")):
            w.put("call void @prepare(ptr %work)")
            w.store("1", at, 0, "i64")

    def observe(self) -> None:
        """Records the samples of each lane within its step; the last step records all remaining ones."""
        w = self.w
        with w.loop(0, self.lanes) as lane, w.when(self._is_busy(lane.index)):
            self._sampled(lane.index)

    def _sampled(self, lane: str) -> None:
        w = self.w
        step, end = (w.load(self._lane(w, part, lane), 0, "double") for part in ("step", "hit"))
        last = w.compared("oeq", end, bits(float(ENDED)), "double")
        time, beyond = (w.load(self._lane(w, part, lane), 0, "double") for part in ("time", "beyond"))
        own = self._lane(w, "samples", lane)
        arm = w.load(self._lane(w, "arms", lane), 0, "i64")
        row = w.at("%record", w.whole("mul", arm, "%record_row"))
        first = w.load(own, 0, "i64")
        with w.loop(first, "%samples") as sample:
            due = w.load(w.element("%times", sample.index), 0, "double")
            within = w.real("fsub", w.real("fsub", due, time), beyond)
            early = w.compared("ole", within, step, "double")
            there = w.either(early, last, "i1")
            w.store(sample.index, own, 0, "i64")
            w.stop(sample, w.opposite(there, "i1"))
            capped = w.choice(early, within, step, "double")
            self._sample(lane, capped, w.element(row, sample.index, 8 * self.state))
            w.store(w.whole("add", sample.index, 1), own, 0, "i64")

    def _sample(self, lane: str, within: str, to: str) -> None:
        """Records the dense output, or the state after the step if the sample is at its end."""
        w = self.w
        whole = w.load(self._lane(w, "whole", lane), 0, "double")
        inside = w.compared("olt", within, whole, "double")
        with w.when(inside):
            self._prepare_once()
            w.put(f"call void @within(ptr %work, {w.v} {w.spread(w.real('fdiv', within, whole))})")
            self._copy("inner", lane, to)
        with w.when(w.opposite(inside, "i1")):
            self._copy("following", lane, to)

    def _copy(self, part: str, lane: str, to: str) -> None:
        w = self.w
        column = self._lane(w, part, lane)
        for k in range(self.state):
            w.store(w.load(column, k * self.d, "double"), to, 8 * k, "double")

    # guards

    def _guarded(self) -> None:
        """Ends a lane's step where a guard rises above zero, and records which guard it is."""
        w, v = self.w, self.w.v
        arms = w.load("%work", self.places["arms"], f"<{self.lanes} x i64>")
        busy = w.let(f"icmp sge <{self.lanes} x i64> {arms}, zeroinitializer")
        hit, above = self._guard_status(
            "following", w.called("maxnum", self.field("step"), w.number(0.0)), self.field("hit")
        )
        above = w.both(above, busy)
        with w.when(w.any(above)):
            self._prepare_once()
            share = self._bisection()
            w.put(f"call void @within(ptr %work, {v} {share})")
            step = str(w.product(share, self.field("whole")))
            hit, _ = self._guard_status("inner", step, hit)
            for part, value in (("step", step), ("hit", hit)):
                self.keep(part, w.choice(above, value, self.field(part)))
            with self.elements(w) as k:
                there, after = (self.load(w, part, k) for part in ("inner", "following"))
                w.store(w.choice(above, there, after), self.at(w, "following", k))

    def _guard_status(self, part: str, step: str, hit: str) -> tuple[str, str]:
        """Returns the status of the first guard above zero at a time in the step, or `hit`, and the lanes with one."""
        w = self.w
        time = w.vector("fadd", self.field("time"), step)
        evaluated.called(w, "guards", self.at(w, part), time, self.at(w, "values"))
        values = [w.load("%work", self.places["values"] + which * self.d) for which in range(self.guards)]
        return outcomes.guarded(w, values, hit)

    def _bisection(self) -> str:
        """Returns the fraction of the step at which a guard rises above zero."""
        w, v = self.w, self.w.v
        with w.loop(0, BISECTIONS, [(v, ZERO), (v, w.number(1.0))]) as turn:
            low, high = turn.values
            middle = str(w.product(w.sum(low, high), w.number(0.5)))
            w.put(f"call void @within(ptr %work, {v} {middle})")
            _, above = self._guard_status("inner", str(w.product(middle, self.field("whole"))), middle)
            turn.following = [
                w.choice(above, low, middle),
                w.choice(above, middle, high),
            ]
        return turn.values[1]
