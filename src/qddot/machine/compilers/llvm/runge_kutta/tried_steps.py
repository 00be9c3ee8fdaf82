"""Writes adaptive steps: a step is accepted if its error is within the tolerance, otherwise it is repeated, shorter.

So is a step whose dense output has too large a defect somewhere, since it may have jumped over a short pulse.
Source: Hairer, Nørsett & Wanner 1993, §II.4.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator

from qddot.algebra.program.status import BLOWN_UP, ENDED, RUNNING, STUCK
from qddot.machine.compilers.llvm import engine
from qddot.machine.compilers.llvm.runge_kutta.dense_output import SETTINGS, DenseOutput
from qddot.machine.compilers.llvm.writer import ZERO, Writer

SAFETY, LEAST_FACTOR, MOST_FACTOR = 0.9, 0.2, 10.0
FIRST, FIRST_SHARE = 1e-6, 0.01  # a first step [s]; one as a fraction of the ratio of state to rate
SHORTEST = 1e-300


def module(method: Attempts) -> str:
    """Returns the module of `advance`."""
    return "\n".join([*method.programs(), *method.own_functions(), *method.functions()])


class Attempts(DenseOutput):
    """This is an adaptive method; its own functions are `attempt`, `prepare` and `within`.

    order: one more than the order of the error's estimate
    effort: LLVM's, as in `engine.object_code`
    """

    least = 1e-15
    effort = engine.LOOPS
    order: int

    @abstractmethod
    def attempt(self, w: Writer) -> None:
        """Writes an attempt at a step of length "step" from "states"; "slope" has the rates there.

        The state after the step goes to "following", and its error relative to the tolerance to "error".
        """

    def own_functions(self) -> Iterator[str]:
        w = Writer("private void @attempt(ptr %work) noinline", self.of)
        self.attempt(w)
        yield from w.done()
        yield from super().own_functions()

    # one turn

    def begin(self) -> None:
        """Copies the settings into the memory, where all functions can read them."""
        for name, place in SETTINGS.items():
            self.keep(name, self.setting(place))

    def turn(self) -> None:
        """Tries a step in every lane, accepts it where the error is small enough, and sets the next step's length."""
        w = self.w
        w.store("0", self.at(w, "ready"), 0, "i64")
        self.evaluate(w, "slopes", self.at(w, "states"), self.field("time"), self.at(w, "slope"))
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
        if self.looks:
            arms = w.load("%work", self.places["arms"], f"<{self.lanes} x i64>")
            good = w.both(good, w.let(f"icmp sge <{self.lanes} x i64> {arms}, zeroinitializer"))
            doubted = self.look(good)
            good = w.both(good, w.opposite(doubted))
            self._shorten(step, doubted)
        finite = w.compared("ord", error)
        short = w.compared("oeq", status, w.number(STUCK))
        why = w.choice(finite, w.number(STUCK), w.number(BLOWN_UP))
        again = w.choice(short, why, w.number(RUNNING))
        status = w.choice(good, status, again)
        self.store_step(good, step, status, self.at(w, "following"))
        if self.guards:
            self.guarded(good)

    def _shorten(self, step: str, doubted: str) -> None:
        """Sets the length of the next attempt in lanes whose step jumped over something: it ends about there."""
        w = self.w
        share = w.called("minnum", self.field("until"), w.number(0.5))
        shorter = w.product(step, w.called("maxnum", share, w.number(LEAST_FACTOR)))
        self.keep("length", w.choice(doubted, str(shorter), self.field("length")))

    def _guess(self, unknown: str) -> None:
        """Sets the first step in lanes that have none (Hairer, Nørsett & Wanner 1993, §II.4, its first part)."""
        w, v = self.w, self.w.v
        with w.loop(0, self.state, [(v, ZERO), (v, ZERO)]) as turn:
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
