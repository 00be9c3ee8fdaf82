"""Says where the rows of results go, and fetches the places of later ones in the arrays.

Derivatives of the Panda take 106 ns a state with these fetches, and 215 without. Rows that are read are not fetched, as
processors foresee them.

Rows are stored straight in their array. Where they are not contiguous, and where the last states are fewer than lanes,
they wait in a block on the stack and are copied one by one. Results that no cache holds take the same way as others.
Stores that bypass the caches need whole lines, thus a copy of every row, which took longer than what it saved:
derivatives of the Panda 155 ns a state where 130 with eight doubles in a vector, and 446 where 259 with four.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from qddot.compilers.llvm.registers import LINE, Vectors
from qddot.compilers.llvm.writer import Writer

# lines are fetched into the second cache, as the first takes fewer at a time: 106 ns where 119
AHEAD = 2  # vectors of states from fetching a line until it is written
WIDEST = 3072  # numbers of all blocks for one state: they are on the stack, which is small in threads


class Stream:
    """A stream takes the rows of one output to its array: straight, or through a block on the stack."""

    def __init__(self, size: int, of: Vectors) -> None:
        self.size, self.of, self.bytes = size, of, size * of.width

    def setup(self, w: Writer, data: str, step: str) -> None:
        """Writes what holds for all vectors of states; data, step: the first row, and the bytes from row to row."""
        self.data, self.step = data, step
        self.block = w.let(f"alloca [{self.size * self.of.lanes} x {self.of.element}], align {self.of.bytes}")
        self.is_sparse = w.compared("ne", step, self.bytes, "i64")

    def begun(self, w: Writer, i: str, is_part: str) -> None:
        """Writes where the rows of the states from i on go; is_part: whether these states are fewer than lanes."""
        self.own = w.at(self.data, w.whole("mul", i, self.step))
        self.waits = w.either(self.is_sparse, is_part, "i1")
        self.place = w.choice(self.waits, self.block, self.own, "ptr")
        self.later = w.at(self.own, self.bytes * self.of.lanes * AHEAD)

    def put(self, w: Writer, count: str) -> None:
        """Copies rows from the block to the array, where they wait; count: how many."""
        with w.when(self.waits):
            w.put(f"call void @put(ptr {self.block}, ptr {self.own}, i64 {self.bytes}, i64 {self.step}, i64 {count})")


class Streams:
    """This writes the lines of one kernel that say where its results go."""

    def __init__(self, sizes: Mapping[int, int], steps: int, of: Vectors) -> None:
        """sizes: the numbers in a row, by the output's place; steps: of a kernel, over which it fetches lines evenly"""
        self.lanes = of.lanes
        self.streams = {k: Stream(size, of) for k, size in sizes.items()} if sum(sizes.values()) <= WIDEST else {}
        self.due: dict[int, list[tuple[Stream, int]]] = defaultdict(list)
        lines = [(each, at) for each in self.streams.values() for at in range(0, each.bytes * self.lanes, LINE)]
        for turn, line in enumerate(lines):
            self.due[turn * steps // len(lines)].append(line)

    def setup(self, w: Writer, ports: Mapping[tuple[str, int], tuple[str, str]]) -> None:
        """Writes what comes before the loop; ports: the first row of each and the bytes from row to row."""
        for k, stream in self.streams.items():
            stream.setup(w, *ports["out", k])

    def begun(self, w: Writer, i: str) -> None:
        """Writes where the rows of the states from i on go."""
        is_part = w.compared("sgt", w.whole("add", i, self.lanes), "%stop", "i64")
        for stream in self.streams.values():
            stream.begun(w, i, is_part)

    def moved(self, w: Writer, start: int, stop: int) -> None:
        """Writes the fetches that belong behind some steps: a processor has few lines on their way at a time."""
        for turn in range(start, stop):
            for stream, at in self.due.get(turn, ()):
                w.put(f"call void @llvm.prefetch.p0(ptr {w.at(stream.later, at)}, i32 0, i32 2, i32 1)")

    def row(self, w: Writer, k: int, lane: int) -> str:
        """Returns the address of a lane's row of an output."""
        stream = self.streams[k]
        return w.at(stream.place, lane, f"[{stream.bytes} x i8]")

    def put(self, w: Writer, i: str) -> None:
        """Copies rows that wait in blocks to their arrays."""
        count = w.least(w.whole("sub", "%stop", i), self.lanes)
        for stream in self.streams.values():
            stream.put(w, count)

    def functions(self) -> Iterator[str]:
        """Yields what is declared, and the function `put`, which copies rows of a block."""
        yield "declare void @llvm.prefetch.p0(ptr, i32, i32, i32)"
        yield "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)"
        w = Writer("private void @put(ptr %block, ptr %to, i64 %bytes, i64 %step, i64 %count) noinline", Vectors(1))
        with w.loop(0, "%count") as lane:
            to = w.at("%to", w.whole("mul", lane.index, "%step"))
            row = w.at("%block", w.whole("mul", lane.index, "%bytes"))
            w.put(f"call void @llvm.memcpy.p0.p0.i64(ptr {to}, ptr {row}, i64 %bytes, i1 false)")
        yield from w.done()
