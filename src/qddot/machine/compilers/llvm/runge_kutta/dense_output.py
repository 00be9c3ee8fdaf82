"""Writes the dense output of a step, and what is looked at within it: guards, and the rates where functions act.

At every sample within a step and at its quarters, guards are evaluated, and the rate of the dense output is compared
with the rates of its state: the difference is its defect. Bisection then finds the zero of a guard.
Sources: Hairer, Nørsett & Wanner 1993, §II.6; Enright, *Continuous numerical methods for ODEs with defect control*,
2000.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from functools import reduce

from qddot.algebra.program.rates import PARTS, Rates
from qddot.algebra.program.status import ENDED
from qddot.machine.compilers.llvm import outcomes
from qddot.machine.compilers.llvm.lanes import Lanes, fields_of_lanes, offsets
from qddot.machine.compilers.llvm.registers import Vectors, bits
from qddot.machine.compilers.llvm.runge_kutta import evaluated
from qddot.machine.compilers.llvm.writer import ZERO, Writer

BISECTIONS = 60
# fields of the memory, by their places in the settings
SETTINGS = {"relative": 0, "absolute": 1, "enough": 3, "longest": 4, "defect": 5}
# fractions of a step: where the look is, how far all is well, and where it ended; whether it ended at a defect
LOOKS = ("point", "clear", "until", "doubted")


class DenseOutput(Lanes):
    """This is an adaptive method whose steps have a dense output; its own functions are `prepare` and `within`."""

    def __init__(self, rates: Rates, lanes: int) -> None:
        of, (state, parameters, self.guards) = Vectors(lanes), rates.sizes
        self.rates, d = rates, of.bytes
        self.looks = bool(self.guards) or rates.watched
        sizes = {
            **fields_of_lanes(of, state, parameters),
            **{name: state * d * count for name, count in self.memory(state).items()},
            **dict.fromkeys(("inner", "slope", "drift", "there"), state * d),
            "values": self.guards * d,
            **dict.fromkeys(("whole", "error", "ready", "due", *LOOKS, *SETTINGS), d),
        }
        super().__init__(of, offsets(sizes), state, parameters)

    @abstractmethod
    def memory(self, state: int) -> dict[str, int]:
        """Returns the sizes of the method's own fields of the memory, in states."""

    @abstractmethod
    def prepare(self, w: Writer) -> None:
        """Writes the preparation of the step's dense output."""

    @abstractmethod
    def within(self, w: Writer, k: str, share: str) -> tuple[str, str]:
        """Returns an element's change after a fraction of the step, and its derivative with respect to the fraction."""

    # functions

    def programs(self) -> Iterator[str]:
        """Yields the functions that evaluate rates, guards and derivatives."""
        named = {"slopes": self.rates.slopes, "guards": self.rates.guards, "jacobian": self.rates.jacobian}
        programs = {name: program for name, program in named.items() if program}
        return evaluated.functions(programs, self.of, self.places["parameters"])

    def own_functions(self) -> Iterator[str]:
        w = Writer("private void @prepare(ptr %work) noinline", self.of)
        self.prepare(w)
        yield from w.done()
        w = Writer(f"private void @within(ptr %work, {self.of.reals} %share) noinline", self.of)
        with self.elements(w) as k:
            change, drift = self.within(w, k, "%share")
            w.store(str(w.sum(self.load(w, "states", k), change)), self.at(w, "inner", k))
            if self.rates.watched:
                w.store(drift, self.at(w, "drift", k))
        yield from w.done()
        if self.looks:
            w = Writer("private void @look(ptr %work, ptr %times, i64 %samples) noinline", self.of)
            self._look(w)
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

    def evaluate(self, w: Writer, name: str, state: str, time: str, results: str) -> None:
        """Writes a call of one of the `programs`; state, results: addresses"""
        w.put(f"call void @{name}(ptr %work, ptr {state}, {w.v} {time}, ptr {results})")

    def scale(self, w: Writer, size: str) -> str:
        """Returns the allowed error of an element of some size."""
        relative = w.product(self.load(w, "relative"), size)
        return str(w.sum(self.load(w, "absolute"), relative))

    def larger(self, w: Writer, k: str) -> str:
        """Returns the size of an element before or after the step, whichever is larger."""
        before, after = (w.called("fabs", self.load(w, part, k)) for part in ("states", "following"))
        return w.called("maxnum", before, after)

    # samples

    def prepare_once(self) -> None:
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
            self.prepare_once()
            w.put(f"call void @within(ptr %work, {w.v} {w.spread(w.real('fdiv', within, whole))})")
            self._copy("inner", lane, to)
        with w.when(w.opposite(inside, "i1")):
            self._copy("following", lane, to)

    def _copy(self, part: str, lane: str, to: str) -> None:
        w = self.w
        column = self._lane(w, part, lane)
        for k in range(self.state):
            w.store(w.load(column, k * self.d, "double"), to, 8 * k, "double")

    # looks into a step

    def look(self, tried: str) -> str:
        """Looks into the steps of some lanes; returns the lanes whose defect is too large somewhere."""
        w = self.w
        self.keep("clear", ZERO)
        self.keep("doubted", ZERO)
        self.keep("until", w.choice(tried, w.number(1.0), ZERO))
        with w.when(w.any(tried)):
            self.prepare_once()
            w.put("call void @look(ptr %work, ptr %times, i64 %samples)")
        return w.compared("ogt", self.field("doubted"))

    def _look(self, w: Writer) -> None:
        """Looks from point to point, in each lane until something is found there."""
        with w.loop(0, self.lanes) as lane:
            samples = w.load(self._lane(w, "samples", lane.index), 0, "i64")
            w.store(samples, self._lane(w, "due", lane.index), 0, "i64")
        with w.loop(0, w.whole("add", "%samples", PARTS), [(w.v, ZERO)]) as turn:
            point, until = self._next_point(w, turn.values[0]), self.load(w, "until")
            turn.following = [w.called("maxnum", point, turn.values[0])]
            going = w.compared("olt", point, until)
            w.stop(turn, w.opposite(w.any(going), "i1"))
            w.put(f"call void @within(ptr %work, {w.v} {point})")
            found = []
            if self.rates.watched:
                found += [w.both(going, self._is_doubtful(w, point))]
                w.store(w.choice(found[0], w.number(1.0), self.load(w, "doubted")), self.at(w, "doubted"))
            if self.guards:
                _, above = self._guard_status(w, "inner", str(w.product(point, self.load(w, "whole"))), ZERO)
                found += [w.both(going, above)]
            ended = reduce(w.either, found)
            w.store(w.choice(ended, point, until), self.at(w, "until"))
            clear = w.both(going, w.opposite(ended))
            w.store(w.choice(clear, point, self.load(w, "clear")), self.at(w, "clear"))

    def _next_point(self, w: Writer, before: str) -> str:
        """Returns each lane's next fraction of the step: of the next sample, or of the next part if that is nearer."""
        parts = w.called("floor", str(w.product(before, w.number(float(PARTS)))))
        w.store(str(w.product(w.sum(parts, w.number(1.0)), w.number(1 / PARTS))), self.at(w, "point"))
        with w.loop(0, self.lanes) as lane:
            due, point = (self._lane(w, part, lane.index) for part in ("due", "point"))
            sample = w.load(due, 0, "i64")
            with w.when(w.compared("slt", sample, "%samples", "i64")):
                time, beyond, whole = (
                    w.load(self._lane(w, part, lane.index), 0, "double") for part in ("time", "beyond", "whole")
                )
                since = w.real("fsub", w.real("fsub", w.load(w.element("%times", sample), 0, "double"), time), beyond)
                share, part = w.real("fdiv", since, whole), w.load(point, 0, "double")
                nearer = w.compared("ole", share, part, "double")
                w.store(w.choice(nearer, share, part, "double"), point, 0, "double")
                w.store(w.whole("add", sample, w.counted(nearer)), due, 0, "i64")
        return self.load(w, "point")

    def _is_doubtful(self, w: Writer, point: str) -> str:
        """Returns the lanes in which the dense output at a point has too large a defect, or rates are not finite."""
        whole = self.load(w, "whole")
        time = w.vector("fadd", self.load(w, "time"), str(w.product(point, whole)))
        self.evaluate(w, "slopes", self.at(w, "inner"), time, self.at(w, "there"))
        with w.loop(0, self.state, [(w.v, ZERO)]) as turn:
            k = turn.index
            defect = w.difference(w.product(whole, self.load(w, "there", k)), self.load(w, "drift", k))
            share = w.quotient(defect, self.scale(w, self.larger(w, k)))
            turn.following = [str(w.sum(turn.values[0], w.product(share, share)))]
        size = w.called("sqrt", str(w.product(turn.values[0], w.number(1 / self.state))))
        return w.compared("ugt", size, self.load(w, "defect"))

    # guards

    def guarded(self, good: str) -> None:
        """Ends the steps of some lanes where a guard rises above zero, and records which guard it is."""
        w, v = self.w, self.w.v
        within = w.compared("olt", self.field("until"), w.number(1.0))
        step = w.called("maxnum", self.field("step"), w.number(0.0))
        hit, above = self._guard_status(w, "following", step, self.field("hit"))
        self.keep("hit", w.choice(good, hit, self.field("hit")))
        above = w.both(w.either(above, within), good)
        with w.when(w.any(above)):
            self.prepare_once()
            share = self._bisection()
            w.put(f"call void @within(ptr %work, {v} {share})")
            step = str(w.product(share, self.field("whole")))
            hit, _ = self._guard_status(w, "inner", step, self.field("hit"))
            for part, value in (("step", step), ("hit", hit)):
                self.keep(part, w.choice(above, value, self.field(part)))
            with self.elements(w) as k:
                there, after = (self.load(w, part, k) for part in ("inner", "following"))
                w.store(w.choice(above, there, after), self.at(w, "following", k))

    def _guard_status(self, w: Writer, part: str, step: str, hit: str) -> tuple[str, str]:
        """Returns the status of the first guard above zero at a time in the step, or `hit`, and the lanes with one."""
        time = w.vector("fadd", self.load(w, "time"), step)
        self.evaluate(w, "guards", self.at(w, part), time, self.at(w, "values"))
        values = [w.load("%work", self.places["values"] + which * self.d) for which in range(self.guards)]
        return outcomes.guarded(w, values, hit)

    def _bisection(self) -> str:
        """Returns the fraction of the step at which a guard rises above zero, after all that was found clear."""
        w, v = self.w, self.w.v
        with w.loop(0, BISECTIONS, [(v, self.field("clear")), (v, self.field("until"))]) as turn:
            low, high = turn.values
            middle = str(w.product(w.sum(low, high), w.number(0.5)))
            w.put(f"call void @within(ptr %work, {v} {middle})")
            _, above = self._guard_status(w, "inner", str(w.product(middle, self.field("whole"))), middle)
            turn.following = [
                w.choice(above, low, middle),
                w.choice(above, middle, high),
            ]
        return turn.values[1]
