"""Writes LLVM assembly of a recurrence: one arm per lane, the state in registers from step to step.

`void advance(ptr state, ptr parameters, ptr rows, ptr record, ptr log, i64 record_row, i64 steps, i64 every,
i64 start, i64 stop)` takes packed rows of doubles, one per arm, and rows of `stages` per step that all arms share.
After every `every` steps it adds the state to the arm's record; `record_row` is the number of bytes from arm to arm.
Arms that step together share time, end and samples. The loop of `lanes`, which keeps these for each lane, takes 5 ns
per step of an arm before anything is computed: a third of a whole RK4 step of a pendulum here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from qddot.algebra.program.recurrence import COLUMNS, DUE, UNSETTLED, Recurrence
from qddot.algebra.program.status import BLOWN_UP, STATUS, STEPS
from qddot.machine.compilers.llvm import outcomes, rows, sincos
from qddot.machine.compilers.llvm.arithmetic import Arithmetic
from qddot.machine.compilers.llvm.registers import Vectors
from qddot.machine.compilers.llvm.writer import ZERO, Turn, Writer

NAME = "advance"
POINTERS, COUNTS = 5, 5


def module(recurrence: Recurrence, lanes: int) -> str:
    """Returns the module of `advance`."""
    return "\n".join(_Text(recurrence, lanes).lines())


class _Text:
    """This writes `advance`: for each block of arms, all steps one after the other."""

    def __init__(self, recurrence: Recurrence, lanes: int) -> None:
        self.of, self.lanes, self.vectors = recurrence, lanes, Vectors(lanes)
        self.mask = self.vectors.mask
        self.inner, self.outer = (Arithmetic(program, self.vectors) for program in (recurrence.inner, recurrence.outer))
        self.sampled = Arithmetic(recurrence.sampled, self.vectors) if recurrence.sampled else None

    def lines(self) -> Iterator[str]:
        """Yields the function `advance` and those that it calls."""
        codes = [code for code in (self.inner, self.outer, self.sampled) if code]
        yield from sincos.functions(self.vectors, [count for code in codes for count in code.counts])
        yield from self._advance()

    def _advance(self) -> list[str]:
        places = ", ".join(f"ptr %{name}" for name in ("state", "parameters", "rows", "record", "log"))
        counts = ", ".join(f"i64 %{name}" for name in ("record_row", "steps", "every", "start", "stop"))
        w = self.w = Writer(f"void @{NAME}({places}, {counts})", self.vectors)
        # variables that change from step to step are on the stack; LLVM moves them to registers
        sizes = {"state": self.of.state_size, "inner": self.of.inner_size, "log": COLUMNS}
        self.slots = {name: [w.let(f"alloca {w.v}") for _ in range(size)] for name, size in sizes.items()}
        self.settled = w.let(f"alloca {self.mask}")
        last = w.whole("sub", "%stop", 1)
        with w.when(w.compared("slt", "%start", "%stop", "i64")), w.turns("%start", "%stop", self.lanes) as turn:
            self._block(turn.index, last)
        return w.done()

    def _block(self, first: str, last: str) -> None:
        """Writes all steps of a block of arms."""
        w, of = self.w, self.of
        widths = {"state": of.state_size, "parameters": of.parameter_size, "log": COLUMNS}
        addresses: dict[str, list[str]] = {name: [] for name in (*widths, "record")}
        for lane in range(self.lanes):
            arm = w.least(w.whole("add", first, lane), last)
            for name, width in widths.items():
                addresses[name].append(w.element(f"%{name}", arm, 8 * width))
            addresses["record"].append(w.at("%record", w.whole("mul", arm, "%record_row")))
        loaded = {
            name: [x for columns in rows.groups(width, self.lanes) for x in rows.load(w, addresses[name], columns)]
            for name, width in widths.items()
        }
        self.parameters = loaded["parameters"]
        for name in ("state", "log"):
            self._put(name, loaded[name])
        with w.when(w.compared("sgt", "%steps", 0, "i64")):
            self._steps(addresses["record"])
        for name in ("state", "log"):
            self._store(addresses[name], name)

    def _store(self, addresses: Sequence[str], name: str) -> None:
        """Stores the state or the log in the rows of its array."""
        values = self._get(name)
        for columns in rows.groups(len(values), self.lanes):
            rows.store(self.w, addresses, columns, [values[k] for k in columns])

    def _put(self, name: str, values: Sequence[str]) -> None:
        for value, slot in zip(values, self.slots[name], strict=True):
            self.w.write(self.w.v, value, slot)

    def _get(self, name: str) -> list[str]:
        return [self.w.read(self.w.v, slot) for slot in self.slots[name]]

    def _steps(self, record: Sequence[str]) -> None:
        """Writes the loop over the steps, which carries the number of steps until the next record, and its place."""
        w = self.w
        with w.turns(0, "%steps", carried=[("i64", "%every"), ("i64", "0")]) as turn:
            row = w.element("%rows", turn.index, 8 * self.of.stages * self.of.row_size)
            self._step(row, self._get("state"), self._get("log"))
            turn.following = self._recorded(record, *turn.values)

    def _step(self, row: str, state: Sequence[str], log: Sequence[str]) -> None:
        """Writes one step, from a state and a log; row: the address of the step's rows of time"""
        w, mask = self.w, self.mask
        self._put("inner", [state[k] for k in self.of.start])
        running = w.compared("oeq", log[STATUS])
        w.write(mask, w.opposite(running), self.settled)
        with w.turns(0, self.of.repeats) as turn:
            at = w.element(row, turn.index, 0 if self.of.tolerance else 8 * self.of.row_size)
            self._iterate(turn, at)
        results = self._results(self.outer, row)
        good = self._update(results, running, log)
        if self.sampled:
            is_due = w.compared("une", w.read("double", row, DUE), "0.0", "double")
            with w.when(is_due):
                new, state = self._results(self.sampled, row), self._get("state")
                self._put("state", [w.choice(good, x, old) for x, old in zip(new, state, strict=True)])

    def _results(self, code: Arithmetic, row: str) -> list[str]:
        """Returns the results of a program; row: the address of the row of time, which all lanes share"""
        numbers = [self.w.spread(self.w.read("double", row, k)) for k in range(self.of.row_size)]
        ports = (self._get("state"), self._get("inner"), numbers, self.parameters)
        return code.results(self.w, {(port, k): x for port, row in enumerate(ports) for k, x in enumerate(row)})

    def _iterate(self, turn: Turn, row: str) -> None:
        """Writes one run of the inner program; with a tolerance, it repeats until every lane has settled."""
        w, before = self.w, self._get("inner")
        results = self._results(self.inner, row)
        new, scale = results[: self.of.inner_size], results[self.of.inner_size :]
        if not self.of.tolerance:
            self._put("inner", new)
            return
        settled = w.read(self.mask, self.settled)
        self._put("inner", [w.choice(settled, old, x) for old, x in zip(before, new, strict=True)])
        now = w.either(settled, w.opposite(self._moved(before, new, scale)))
        w.write(self.mask, now, self.settled)
        all_ = w.let(f"call i1 @llvm.vector.reduce.and.v{self.lanes}i1({self.mask} {now})")
        more = w.foresee(turn, self.of.repeats)
        turn.more = w.both(more, w.opposite(all_, "i1"), "i1")

    def _moved(self, before: Sequence[str], new: Sequence[str], scale: Sequence[str]) -> str:
        """Returns the lanes in which a value has changed by more than the tolerance allows for its scale and size."""
        w, moved = self.w, ZERO
        for old, x, own in zip(before, new, scale, strict=True):
            change = w.called("fabs", w.vector("fsub", x, old))
            size = w.vector("fadd", w.called("fabs", x), own)
            allowed = w.vector("fmul", size, w.number(self.of.tolerance))
            moved = w.either(moved, w.compared("ugt", change, allowed))
        return moved

    def _update(self, results: Sequence[str], running: str, log: Sequence[str]) -> str:
        """Updates the running lanes whose step succeeded, and returns which; records the status of the others."""
        w, mask = self.w, self.mask
        new, guards = results[: self.of.state_size], results[self.of.state_size :]
        status, _ = outcomes.guarded(w, guards, ZERO)
        status = w.choice(outcomes.finite(w, new), status, w.number(BLOWN_UP))
        good = w.both(running, w.compared("oeq", status))
        self._put("state", [w.choice(good, x, old) for x, old in zip(new, self._get("state"), strict=True)])
        following = [*log]
        following[STATUS] = w.choice(running, status, log[STATUS])
        following[STEPS] = w.vector("fadd", log[STEPS], w.choice(good, w.number(1.0), ZERO))
        if self.of.tolerance:
            # the first step, counted from 1, in which a lane has not settled
            late = w.opposite(w.read(mask, self.settled))
            first = w.both(late, w.compared("oeq", log[UNSETTLED]))
            counted = w.vector("fadd", log[STEPS], w.number(1.0))
            following[UNSETTLED] = w.choice(first, counted, log[UNSETTLED])
        self._put("log", following)
        return good

    def _recorded(self, record: Sequence[str], rest: str, place: str) -> list[str]:
        """Records the state if it is due; returns the number of steps until the next record, and its place."""
        w, size = self.w, 8 * self.of.state_size
        left, before = w.whole("sub", rest, 1), w.block
        with w.when(w.compared("eq", left, 0, "i64")):
            self._store([w.at(row, place) for row in record], "state")
            after, noted = w.whole("add", place, size), w.block
        return [w.phi("i64", (left, before), ("%every", noted)), w.phi("i64", (place, before), (after, noted))]
