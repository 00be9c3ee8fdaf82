"""Writes the loops behind the head of a rolled program, and the stores of all its results.

Every value is in a slot of the frame, from which loops read it and where they put theirs; a table has the slots of each
turn, in bytes. Results that nothing reads are computed in bands of columns, each of which is stored before the next.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import count

from qddot.compilers.llvm import rows
from qddot.compilers.llvm.registers import Vectors
from qddot.compilers.rolled import VALUE, Loop, Rolled
from qddot.program.program import Program

OPERATORS = {"add": "fadd contract", "sub": "fsub contract", "mul": "fmul contract"}
BAND = 2048  # columns, of which the frame has slots at a time


class Loops:
    """This writes the loops of one kernel; slots: how many the frame has, with those of the head."""

    def __init__(self, rolled: Rolled, program: Program, head: Mapping[int, int], slots: int, of: Vectors) -> None:
        """program: the whole; head: the slots of the head's values, by place in the program; slots: how many it has"""
        self.of, self.program, self.slots = of, program, slots
        self.slot = dict(head)
        read = {place for loop in rolled.loops for taken in loop.taken for place in taken}
        inner = [loop for loop in rolled.loops if not read.isdisjoint(loop.computed)]
        self.loops = [*inner, *(loop for loop in rolled.loops if read.isdisjoint(loop.computed))]
        self.tables: list[list[int]] = [[] for _ in self.loops]
        self.calls: list[str] = []
        self._inner(inner)
        self._bands(len(inner))

    def _inner(self, loops: Sequence[Loop]) -> None:
        """Finds slots for the values that other loops read; those of what nothing reads any more serve again."""
        wanted, free = set(self.program.results), list[int]()
        last = {place: k for k, loop in enumerate(self.loops) for taken in loop.taken for place in taken}
        for k, loop in enumerate(loops):
            for place in loop.computed:
                if not free:
                    free, self.slots = [self.slots], self.slots + 1
                self.slot[place] = free.pop()
            free += [self.slot[place] for place, end in last.items() if end == k and place not in wanted]
            self._called(k, list(zip(loop.computed, loop.taken, strict=True)))

    def _bands(self, begin: int) -> None:
        """Computes and stores what is left, band after band."""
        rows_of = {
            place: (k, taken)
            for k, loop in enumerate(self.loops[begin:], begin)
            for place, taken in zip(loop.computed, loop.taken, strict=True)
        }
        base, most = self.slots, 0
        self.columns: list[list[int]] = []
        for port, places in self.program.result_slices():
            slots = list[int]()
            for start in range(0, port.size, BAND):
                band, fresh = places[start : start + BAND], count(base)
                due: dict[int, list[tuple[int, Sequence[int]]]] = defaultdict(list)
                for place in dict.fromkeys(band):
                    if place in rows_of:
                        k, taken = rows_of[place]
                        self.slot[place] = next(fresh)
                        due[k].append((place, taken))
                for k, found in due.items():
                    self._called(k, found)
                slots += [self.slot[place] for place in band]
                most = max(most, next(fresh) - base)
                whole = len(band) - len(band) % self.of.lanes
                if whole:
                    arguments = f"ptr %frame, ptr %places, i64 {start}, i64 {start + whole}"
                    self.calls.append(f"call void @stored.{len(self.columns)}({arguments})")
            if port.size % self.of.lanes:
                self.calls.append(f"call void @ending.{len(self.columns)}(ptr %frame, ptr %places)")
            self.columns.append(slots)
        self.slots = base + most

    def _called(self, k: int, found: Sequence[tuple[int, Sequence[int]]]) -> None:
        """Adds rows to a loop's table, and the call that runs through them."""
        width = len(self.loops[k].taken[0]) + 1
        start = len(self.tables[k]) // width
        for place, taken in found:
            self.tables[k] += [self._bytes(self.slot[x]) for x in (*taken, place)]
        self.calls.append(f"call void @loop.{k}(ptr %frame, i64 {start}, i64 {start + len(found)})")

    def _bytes(self, slot: int) -> int:
        return slot * self.of.bytes

    def called(self) -> Iterator[str]:
        """Yields the calls in the kernel, behind the head."""
        for call in self.calls:
            yield f"  {call}"

    def functions(self) -> Iterator[str]:
        """Yields the functions and their tables."""
        for k, loop in enumerate(self.loops):
            yield _table(f"loop.{k}.rows", self.tables[k])
            yield from self._loop(k, loop)
        for k, slots in enumerate(self.columns):
            yield _table(f"stored.{k}.columns", [self._bytes(slot) for slot in slots])
            if len(slots) >= self.of.lanes:
                yield from self._stored(k)
            if len(slots) % self.of.lanes:
                yield from self._ending(k, slots)

    def _loop(self, k: int, loop: Loop) -> Iterator[str]:
        v, width = self.of.reals, len(loop.taken[0]) + 1
        yield f"define private void @loop.{k}(ptr %frame, i64 %start, i64 %stop) noinline {{"
        yield from ("entry:", "  br label %each", "each:")
        yield "  %turn = phi i64 [ %start, %entry ], [ %next, %each ]"
        yield f"  %row = getelementptr [{width} x i32], ptr @loop.{k}.rows, i64 %turn"
        for column in range(width):
            yield from _address(f"%a{column}", "%row", column)
        waiting, values, names = list[str](), count(), count()
        for op in loop.shape:
            if op == VALUE:
                at = f"%a{next(values)}"
                line, name = f"load {v}, ptr {at}", f"{at}.value"
            else:
                name, last = f"%x{next(names)}", waiting.pop()
                line = f"fneg {v} {last}" if op == "neg" else f"{OPERATORS[op]} {v} {waiting.pop()}, {last}"
            yield f"  {name} = {line}"
            waiting.append(name)
        yield f"  store {v} {waiting.pop()}, ptr %a{width - 1}"
        yield "  %next = add i64 %turn, 1"
        yield "  %more = icmp slt i64 %next, %stop"
        yield from ("  br i1 %more, label %each, label %done", "done:", "  ret void", "}")

    def _stored(self, k: int) -> Iterator[str]:
        """Yields the function that stores whole groups of columns of an output."""
        of = self.of
        yield f"define private void @stored.{k}(ptr %frame, ptr %places, i64 %start, i64 %stop) noinline {{"
        yield "entry:"
        yield from self._row_addresses(k)
        yield from ("  br label %each", "each:")
        yield "  %column = phi i64 [ %start, %entry ], [ %next, %each ]"
        yield f"  %slots = getelementptr i32, ptr @stored.{k}.columns, i64 %column"
        for column in range(of.lanes):
            yield from _address(f"%a{column}", "%slots", column)
            yield f"  %a{column}.value = load {of.reals}, ptr %a{column}"
        for lane in range(of.lanes):
            yield f"  %to.{lane} = getelementptr {of.element}, ptr %row.{lane}, i64 %column"
        yield from rows.store("group", "to", range(of.lanes), [f"%a{c}.value" for c in range(of.lanes)], of)
        yield f"  %next = add i64 %column, {of.lanes}"
        yield "  %more = icmp slt i64 %next, %stop"
        yield from ("  br i1 %more, label %each, label %done", "done:", "  ret void", "}")

    def _ending(self, k: int, slots: Sequence[int]) -> Iterator[str]:
        """Yields the function that stores the last columns of an output, fewer than a vector has lanes."""
        of = self.of
        *_, columns = rows.groups(len(slots), of.lanes)
        yield f"define private void @ending.{k}(ptr %frame, ptr %places) noinline {{"
        yield from self._row_addresses(k)
        for c in columns:
            yield f"  %a{c} = getelementptr i8, ptr %frame, i64 {self._bytes(slots[c])}"
            yield f"  %a{c}.value = load {of.reals}, ptr %a{c}"
        yield from rows.store("group", "row", columns, [f"%a{c}.value" for c in columns], of)
        yield from ("  ret void", "}")

    def _row_addresses(self, k: int) -> Iterator[str]:
        """Yields the address of each lane's row of an output."""
        for lane in range(self.of.lanes):
            yield f"  %row.{lane}.at = getelementptr ptr, ptr %places, i64 {k * self.of.lanes + lane}"
            yield f"  %row.{lane} = load ptr, ptr %row.{lane}.at"


def _table(name: str, values: Sequence[int]) -> str:
    return f"@{name} = private constant [{len(values)} x i32] [{', '.join(f'i32 {value}' for value in values)}]"


def _address(name: str, table: str, column: int) -> Iterator[str]:
    """Yields the lines that find a slot of the frame whose place in bytes is in a table."""
    yield f"  {name}.in = getelementptr i32, ptr {table}, i64 {column}"
    yield f"  {name}.narrow = load i32, ptr {name}.in"
    yield f"  {name}.off = zext i32 {name}.narrow to i64"
    yield f"  {name} = getelementptr i8, ptr %frame, i64 {name}.off"
