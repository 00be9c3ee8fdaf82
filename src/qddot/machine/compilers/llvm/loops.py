"""Writes the loops that follow the head of a rolled program, and the stores of all its results.

Loops load their operands from slots of the frame and store their results in slots; a table has the slots of each
iteration, in bytes. Results that no loop reads are computed in bands of columns; each band is stored before the next.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import count

from qddot.algebra.program.program import Program
from qddot.machine.compilers.llvm import rows
from qddot.machine.compilers.llvm.registers import Vectors
from qddot.machine.compilers.llvm.writer import Writer
from qddot.machine.compilers.rolled import VALUE, Loop, Rolled

OPERATORS = {"add": "fadd contract", "sub": "fsub contract", "mul": "fmul contract"}
BAND = 2048  # columns that have slots in the frame at the same time; it is on the stack


class Loops:
    """This writes the loops of one kernel; slots: the frame's number of slots, including the head's"""

    def __init__(self, rolled: Rolled, program: Program, head: Mapping[int, int], slots: int, of: Vectors) -> None:
        """program: the whole; head: the slots of the head's values, by place in the program; slots: their number"""
        self.of, self.program, self.slots = of, program, slots
        self.slot = dict(head)
        read = {place for loop in rolled.loops for operands in loop.operands for place in operands}
        inner = [loop for loop in rolled.loops if not read.isdisjoint(loop.computed)]
        self.loops = [*inner, *(loop for loop in rolled.loops if read.isdisjoint(loop.computed))]
        self.tables: list[list[int]] = [[] for _ in self.loops]
        self.calls: list[str] = []
        self._inner(inner)
        self._bands(len(inner))

    def _inner(self, loops: Sequence[Loop]) -> None:
        """Assigns slots to the values that other loops read; a slot is free again after its value's last use."""
        results, free = set(self.program.results), list[int]()
        last = {place: k for k, loop in enumerate(self.loops) for operands in loop.operands for place in operands}
        for k, loop in enumerate(loops):
            for place in loop.computed:
                if not free:
                    free, self.slots = [self.slots], self.slots + 1
                self.slot[place] = free.pop()
            free += [self.slot[place] for place, end in last.items() if end == k and place not in results]
            self._called(k, list(zip(loop.computed, loop.operands, strict=True)))

    def _bands(self, begin: int) -> None:
        """Adds the calls that compute and store the other results, band after band."""
        rows_of = {
            place: (k, operands)
            for k, loop in enumerate(self.loops[begin:], begin)
            for place, operands in zip(loop.computed, loop.operands, strict=True)
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
                        k, operands = rows_of[place]
                        self.slot[place] = next(fresh)
                        due[k].append((place, operands))
                for k, turns in due.items():
                    self._called(k, turns)
                slots += [self.slot[place] for place in band]
                most = max(most, next(fresh) - base)
                whole = len(band) - len(band) % self.of.lanes
                if whole:
                    arguments = f"ptr {{frame}}, ptr {{places}}, i64 {start}, i64 {start + whole}"
                    self.calls.append(f"call void @stored.{len(self.columns)}({arguments})")
            if port.size % self.of.lanes:
                self.calls.append(f"call void @ending.{len(self.columns)}(ptr {{frame}}, ptr {{places}})")
            self.columns.append(slots)
        self.slots = base + most

    def _called(self, k: int, turns: Sequence[tuple[int, Sequence[int]]]) -> None:
        """Adds iterations of a loop to its table, and a call for them; turns: each result with its operands"""
        width = len(self.loops[k].operands[0]) + 1
        start = len(self.tables[k]) // width
        for place, operands in turns:
            self.tables[k] += [self.slot[x] * self.of.bytes for x in (*operands, place)]
        self.calls.append(f"call void @loop.{k}(ptr {{frame}}, i64 {start}, i64 {start + len(turns)})")

    def call(self, w: Writer, frame: str, places: str) -> None:
        """Writes the calls in the kernel, after the head."""
        for call in self.calls:
            w.put(call.format(frame=frame, places=places))

    def functions(self) -> Iterator[str]:
        """Yields the functions and their tables."""
        for k, loop in enumerate(self.loops):
            yield _table(f"loop.{k}.rows", self.tables[k])
            yield from self._loop(k, loop)
        for k, slots in enumerate(self.columns):
            yield _table(f"stored.{k}.columns", [slot * self.of.bytes for slot in slots])
            if len(slots) >= self.of.lanes:
                yield from self._stored(k)
            if len(slots) % self.of.lanes:
                yield from self._ending(k, slots)

    def _loop(self, k: int, loop: Loop) -> list[str]:
        w = Writer(f"private void @loop.{k}(ptr %frame, i64 %start, i64 %stop) noinline", self.of)
        width = len(loop.operands[0]) + 1
        with w.turns("%start", "%stop") as turn:
            row = w.at(f"@loop.{k}.rows", turn.index, f"[{width} x i32]")
            places = [_slot(w, row, column) for column in range(width)]
            waiting, operands = list[str](), iter(places)
            for op in loop.shape:
                if op == VALUE:
                    waiting.append(w.read(w.v, next(operands)))
                    continue
                last = waiting.pop()
                neg = op == "neg"
                waiting.append(w.let(f"fneg {w.v} {last}" if neg else f"{OPERATORS[op]} {w.v} {waiting.pop()}, {last}"))
            w.write(w.v, waiting.pop(), places[-1])
        return w.done()

    def _stored(self, k: int) -> list[str]:
        """Returns the function that stores full groups of columns of an output."""
        of = self.of
        w = Writer(f"private void @stored.{k}(ptr %frame, ptr %places, i64 %start, i64 %stop) noinline", of)
        addresses = self._rows(w, k)
        with w.turns("%start", "%stop", of.lanes) as turn:
            slots = w.at(f"@stored.{k}.columns", turn.index, "i32")
            values = [w.read(w.v, _slot(w, slots, column)) for column in range(of.lanes)]
            groups = [w.at(address, turn.index, of.element) for address in addresses]
            rows.store(w, groups, range(of.lanes), values)
        return w.done()

    def _ending(self, k: int, slots: Sequence[int]) -> list[str]:
        """Returns the function that stores the last columns of an output, fewer than a vector has lanes."""
        w = Writer(f"private void @ending.{k}(ptr %frame, ptr %places) noinline", self.of)
        addresses = self._rows(w, k)
        *_, columns = rows.groups(len(slots), self.of.lanes)
        values = [w.read(w.v, w.at("%frame", slots[column] * self.of.bytes)) for column in columns]
        rows.store(w, addresses, columns, values)
        return w.done()

    def _rows(self, w: Writer, k: int) -> list[str]:
        """Returns the address of each lane's row of an output."""
        return [w.read("ptr", "%places", k * self.of.lanes + lane) for lane in range(self.of.lanes)]


def _table(name: str, values: Sequence[int]) -> str:
    return f"@{name} = private constant [{len(values)} x i32] [{', '.join(f'i32 {value}' for value in values)}]"


def _slot(w: Writer, table: str, column: int) -> str:
    """Returns the address of a slot of the frame whose place in bytes is in a table."""
    return w.at("%frame", w.let(f"zext i32 {w.read('i32', table, column)} to i64"))
