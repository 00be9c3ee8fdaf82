"""Writes LLVM assembly of a recurrence: one arm per lane, the state in registers from step to step.

`void advance(ptr state, ptr parameters, ptr rows, ptr record, ptr log, i64 record_row, i64 steps, i64 every,
i64 start, i64 stop)` takes packed rows of doubles, one per arm, and rows of `stages` per step that all arms share.
After every `every` steps it adds the state to the arm's record; `record_row` is the bytes from arm to arm.
"""

from __future__ import annotations

from collections.abc import Iterator

from qddot.compilers.llvm import rows, sincos
from qddot.compilers.llvm.ir import Arithmetic
from qddot.compilers.llvm.registers import Vectors
from qddot.program.recurrence import BLOWN_UP, DUE, GUARDED, STATUS, STEPS, UNSETTLED, Recurrence

NAME = "advance"
LOG = 3


def module(recurrence: Recurrence, lanes: int) -> str:
    """Returns the module of `advance`."""
    stepper = _Stepper(recurrence, lanes)
    counts = [count for code in stepper.codes for count in code.counts]
    parts = (sincos.functions(stepper.vectors, counts), rows.declarations(stepper.vectors), stepper.lines())
    return "\n".join(line for part in parts for line in part)


class _Stepper:
    def __init__(self, recurrence: Recurrence, lanes: int) -> None:
        self.of = recurrence
        self.lanes = lanes
        self.vectors = Vectors(lanes)
        self.v, self.mask = self.vectors.reals, self.vectors.mask
        self.widths = {"state": recurrence.state_size, "parameters": recurrence.parameter_size, "log": LOG}
        self.inner = Arithmetic(recurrence.inner, self.vectors, lambda port, k: self._element("i", port, k), "a")
        self.outer = Arithmetic(recurrence.outer, self.vectors, lambda port, k: self._element("o", port, k), "b")
        self.codes = [self.inner, self.outer]
        if recurrence.sampled:
            known = self._element
            self.codes.append(Arithmetic(recurrence.sampled, self.vectors, lambda port, k: known("x", port, k), "c"))

    def _element(self, where: str, port: int, k: int) -> str:
        if port == 3:
            return f"%parameters.c{k}"
        return f"%{where}.{('state', 'inner', 'row')[port]}{k}"

    def lines(self) -> Iterator[str]:
        places = ", ".join(f"ptr %{name}" for name in ("state", "parameters", "rows", "record", "log"))
        counts = ", ".join(f"i64 %{name}" for name in ("record_row", "steps", "every", "start", "stop"))
        yield f"define void @{NAME}({places}, {counts}) {{"
        yield "entry:"
        for name, size in (("z", self.of.state_size), ("y", self.of.inner_size)):
            yield from (f"  %{name}{k}.slot = alloca {self.v}" for k in range(size))
        yield from (f"  %log{k}.slot = alloca {self.v}" for k in range(LOG))
        yield f"  %settled.slot = alloca {self.mask}"
        yield "  %last = sub i64 %stop, 1"
        yield "  %any = icmp slt i64 %start, %stop"
        yield "  br i1 %any, label %block, label %done"
        yield from self._block()
        yield from ("done:", "  ret void", "}")
        yield "declare i64 @llvm.smin.i64(i64, i64)"
        yield f"declare i1 @llvm.vector.reduce.and.v{self.lanes}i1({self.mask})"

    def _block(self) -> Iterator[str]:
        yield "block:"
        yield "  %i = phi i64 [ %start, %entry ], [ %i.next, %stored ]"
        for lane in range(self.lanes):
            yield f"  %past.{lane} = add i64 %i, {lane}"
            yield f"  %row.{lane} = call i64 @llvm.smin.i64(i64 %past.{lane}, i64 %last)"
            for name, width in self.widths.items():
                yield f"  %{name}.{lane}.off = mul i64 %row.{lane}, {8 * width}"
                yield f"  %{name}.{lane} = getelementptr i8, ptr %{name}, i64 %{name}.{lane}.off"
            yield f"  %record.{lane}.off = mul i64 %row.{lane}, %record_row"
            yield f"  %record.{lane} = getelementptr i8, ptr %record, i64 %record.{lane}.off"
        for name, width in self.widths.items():
            for columns in rows.groups(width, self.lanes):
                yield from rows.load(name, name, columns, self.vectors)
        yield from self._put("z", [f"%state.c{k}" for k in range(self.of.state_size)])
        yield from self._put("log", [f"%log.c{k}" for k in range(LOG)])
        yield from ("  %some = icmp sgt i64 %steps, 0", "  br i1 %some, label %step, label %over")
        yield from self._step()
        yield "over:"
        yield from self._get("end", "z", self.of.state_size)
        yield from self._get("log.end", "log", LOG)
        for name, value, width in (("state", "end", self.of.state_size), ("log", "log.end", LOG)):
            for columns in rows.groups(width, self.lanes):
                values = [f"%{value}{k}" for k in columns]
                yield from rows.store(f"{name}.w", name, columns, values, self.vectors)
        yield from ("  br label %stored", "stored:", f"  %i.next = add i64 %i, {self.lanes}")
        yield from ("  %more = icmp slt i64 %i.next, %stop", "  br i1 %more, label %block, label %done")

    def _put(self, slot: str, values: list[str]) -> Iterator[str]:
        yield from (f"  store {self.v} {value}, ptr %{slot}{k}.slot" for k, value in enumerate(values))

    def _get(self, name: str, slot: str, size: int) -> Iterator[str]:
        yield from (f"  %{name}{k} = load {self.v}, ptr %{slot}{k}.slot" for k in range(size))

    def _step(self) -> Iterator[str]:
        stages, size = self.of.stages, self.of.row_size
        yield "step:"
        yield "  %s = phi i64 [ 0, %block ], [ %s.next, %stepped ]"
        yield "  %to_record = phi i64 [ %every, %block ], [ %to_record.next, %stepped ]"
        yield "  %record.at = phi i64 [ 0, %block ], [ %record.next, %stepped ]"
        yield f"  %s.off = mul i64 %s, {8 * stages * size}"
        yield "  %rows.s = getelementptr i8, ptr %rows, i64 %s.off"
        yield from self._get("s.state", "z", self.of.state_size)
        yield from self._get("s.log", "log", LOG)
        yield from self._put("y", [f"%s.state{k}" for k in self.of.start])
        yield f"  %running = fcmp oeq {self.v} %s.log{STATUS}, zeroinitializer"
        yield f"  %halted = xor {self.mask} %running, {_all(self.lanes)}"
        yield f"  store {self.mask} %halted, ptr %settled.slot"
        yield "  br label %inner"
        yield from self._inner()
        yield from self._outer()

    def _rows(self, where: str, base: str) -> Iterator[str]:
        """Yields the lines that load the row's numbers into every lane."""
        for k in range(self.of.row_size):
            name = f"%{where}.row{k}"
            yield f"  {name}.at = getelementptr double, ptr {base}, i64 {k}"
            yield f"  {name}.x = load double, ptr {name}.at"
            yield f"  {name}.o = insertelement {self.v} poison, double {name}.x, i32 0"
            yield f"  {name} = shufflevector {self.v} {name}.o, {self.v} poison, <{self.lanes} x i32> zeroinitializer"

    def _inner(self) -> Iterator[str]:
        of, size = self.of, 8 * self.of.row_size
        yield "inner:"
        yield "  %j = phi i64 [ 0, %step ], [ %j.next, %inner.end ]"
        yield f"  %j.off = mul i64 %j, {0 if of.tolerance else size}"
        yield "  %rows.j = getelementptr i8, ptr %rows.s, i64 %j.off"
        yield from self._rows("i", "%rows.j")
        yield from self._get("i.state", "z", of.state_size)
        yield from self._get("i.inner", "y", of.inner_size)
        yield from self.inner.lines()
        new = [self.inner.value(place) for place in of.inner.results]
        if of.tolerance:
            yield from self._settle(new)
        else:
            yield from self._put("y", new)
        yield "  br label %inner.end"
        yield "inner.end:"
        yield "  %j.next = add i64 %j, 1"
        yield f"  %j.more = icmp slt i64 %j.next, {of.repeats}"
        yield f"  %j.again = and i1 %j.more, {'%unsettled' if of.tolerance else 'true'}"
        yield "  br i1 %j.again, label %inner, label %outer"

    def _settle(self, new: list[str]) -> Iterator[str]:
        """Yields the lines that keep the values of settled lanes and take the new ones in the others."""
        v, mask, tolerance = self.v, self.mask, self.vectors.constant(self.of.tolerance)
        yield f"  %settled = load {mask}, ptr %settled.slot"
        moved = "zeroinitializer"
        for k, value in enumerate(new):
            yield f"  %d{k} = fsub {v} {value}, %i.inner{k}"
            yield f"  %d{k}.a = call {v} @llvm.fabs.{self.vectors.suffix}({v} %d{k})"
            yield f"  %d{k}.y = call {v} @llvm.fabs.{self.vectors.suffix}({v} {value})"
            yield f"  %d{k}.s = fadd {v} %d{k}.y, {self.vectors.constant(1.0)}"
            yield f"  %d{k}.t = fmul {v} %d{k}.s, {tolerance}"
            yield f"  %d{k}.m = fcmp ugt {v} %d{k}.a, %d{k}.t"
            yield f"  %moved{k} = or {mask} {moved}, %d{k}.m"
            moved = f"%moved{k}"
            yield f"  %kept{k} = select {mask} %settled, {v} %i.inner{k}, {v} {value}"
        yield from self._put("y", [f"%kept{k}" for k in range(len(new))])
        yield f"  %still = xor {mask} {moved}, {_all(self.lanes)}"
        yield f"  %settled.now = or {mask} %settled, %still"
        yield f"  store {mask} %settled.now, ptr %settled.slot"
        yield f"  %every.settled = call i1 @llvm.vector.reduce.and.v{self.lanes}i1({mask} %settled.now)"
        yield "  %unsettled = xor i1 %every.settled, true"

    def _outer(self) -> Iterator[str]:
        of, v, mask = self.of, self.v, self.mask
        m = of.state_size
        yield "outer:"
        yield from self._rows("o", "%rows.s")
        yield from self._get("o.state", "z", m)
        yield from self._get("o.inner", "y", of.inner_size)
        yield from self.outer.lines()
        results = [self.outer.value(place) for place in of.outer.results]
        sums = "zeroinitializer"
        for k, value in enumerate(results[:m]):
            yield f"  %nothing{k} = fsub {v} {value}, {value}"
            yield f"  %sum{k} = fadd {v} {sums}, %nothing{k}"
            sums = f"%sum{k}"
        yield f"  %finite = fcmp oeq {v} {sums}, zeroinitializer"
        yield f"  %infinite = xor {mask} %finite, {_all(self.lanes)}"
        yield f"  %status.g = select {mask} %infinite, {v} {self.vectors.constant(BLOWN_UP)}, {v} zeroinitializer"
        status = "%status.g"
        for k, value in enumerate(results[m:]):
            yield f"  %clear{k} = fcmp oeq {v} {status}, zeroinitializer"
            yield f"  %above{k} = fcmp ogt {v} {value}, zeroinitializer"
            yield f"  %hit{k} = and {mask} %clear{k}, %above{k}"
            yield f"  %status{k} = select {mask} %hit{k}, {v} {self.vectors.constant(GUARDED + k)}, {v} {status}"
            status = f"%status{k}"
        yield f"  %clear = fcmp oeq {v} {status}, zeroinitializer"
        yield f"  %good = and {mask} %running, %clear"
        kept = [f"%next{k}" for k in range(m)]
        for k, value in enumerate(results[:m]):
            yield f"  {kept[k]} = select {mask} %good, {v} {value}, {v} %o.state{k}"
        yield from self._put("z", kept)
        yield f"  %status.end = select {mask} %running, {v} {status}, {v} %s.log{STATUS}"
        yield f"  %one = select {mask} %good, {v} {self.vectors.constant(1.0)}, {v} zeroinitializer"
        yield f"  %steps.end = fadd {v} %s.log{STEPS}, %one"
        yield from self._unsettled()
        yield f"  store {v} %status.end, ptr %log{STATUS}.slot"
        yield f"  store {v} %steps.end, ptr %log{STEPS}.slot"
        yield from self._sampled(kept)
        yield from self._recorded()

    def _unsettled(self) -> Iterator[str]:
        """Yields the lines that note the first step, counted from 1, in which a lane did not settle."""
        if not self.of.tolerance:
            return
        v, mask = self.v, self.mask
        yield f"  %settled.end = load {mask}, ptr %settled.slot"
        yield f"  %late = xor {mask} %settled.end, {_all(self.lanes)}"
        yield f"  %first = fcmp oeq {v} %s.log{UNSETTLED}, zeroinitializer"
        yield f"  %late.first = and {mask} %late, %first"
        yield f"  %counted = fadd {v} %s.log{STEPS}, {self.vectors.constant(1.0)}"
        yield f"  %unsettled.end = select {mask} %late.first, {v} %counted, {v} %s.log{UNSETTLED}"
        yield f"  store {v} %unsettled.end, ptr %log{UNSETTLED}.slot"

    def _sampled(self, kept: list[str]) -> Iterator[str]:
        """Yields the lines that run the sampled program behind a step in which it is due; rows are the same for all."""
        if self.of.sampled is None:
            yield from ("  br label %unsampled", "unsampled:")
            return
        v, code = self.v, self.codes[2]
        yield f"  %due.at = getelementptr double, ptr %rows.s, i64 {DUE}"
        yield "  %due.x = load double, ptr %due.at"
        yield "  %is_due = fcmp une double %due.x, 0.0"
        yield "  br i1 %is_due, label %sample, label %unsampled"
        yield "sample:"
        yield from self._rows("x", "%rows.s")
        yield from self._get("x.state", "z", self.of.state_size)
        yield from self._get("x.inner", "y", self.of.inner_size)
        yield from code.lines()
        for k, place in enumerate(self.of.sampled.results):
            yield f"  %sampled{k} = select {self.mask} %good, {v} {code.value(place)}, {v} {kept[k]}"
        yield from self._put("z", [f"%sampled{k}" for k in range(self.of.state_size)])
        yield from ("  br label %unsampled", "unsampled:")

    def _recorded(self) -> Iterator[str]:
        yield "  %to_record.one = sub i64 %to_record, 1"
        yield "  %due = icmp eq i64 %to_record.one, 0"
        yield "  br i1 %due, label %note, label %stepped"
        yield "note:"
        for lane in range(self.lanes):
            yield f"  %at.{lane} = getelementptr i8, ptr %record.{lane}, i64 %record.at"
        yield from self._get("noted.now", "z", self.of.state_size)
        for columns in rows.groups(self.of.state_size, self.lanes):
            values = [f"%noted.now{k}" for k in columns]
            yield from rows.store("noted", "at", columns, values, self.vectors)
        yield f"  %record.after = add i64 %record.at, {8 * self.of.state_size}"
        yield "  br label %stepped"
        yield "stepped:"
        yield "  %to_record.next = phi i64 [ %to_record.one, %unsampled ], [ %every, %note ]"
        yield "  %record.next = phi i64 [ %record.at, %unsampled ], [ %record.after, %note ]"
        yield "  %s.next = add i64 %s, 1"
        yield "  %s.more = icmp slt i64 %s.next, %steps"
        yield "  br i1 %s.more, label %step, label %over"


def _all(lanes: int) -> str:
    return "<" + ", ".join(["i1 true"] * lanes) + ">"
