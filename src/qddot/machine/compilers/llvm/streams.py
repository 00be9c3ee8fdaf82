"""Chooses where the rows of results are stored, and prefetches the cache lines of later rows.

Derivatives of the Panda take 106 ns a state with these prefetches, and 215 without. Rows that are read are not
prefetched, since processors do so themselves.

Rows are stored directly in their array. If they are not contiguous, or if the last states are fewer than lanes, they
are first stored in a block on the stack, and then copied one by one. Results that are too large for all caches are
no exception: stores that bypass the caches can only write whole cache lines, so that every row would be copied first,
which took longer than it saved: derivatives of the Panda took 1.2 times as long with eight doubles in a vector, and 1.7
times as long with four.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from qddot.machine.compilers.llvm.registers import LINE, Vectors
from qddot.machine.compilers.llvm.writer import Writer
from qddot.machine.compilers.order import WIDE

FIRST, SECOND = 3, 2  # LLVM's numbers of the caches
# many lines are prefetched to the second cache, since the first can receive fewer at a time: 106 ns, not 119
AHEAD = 2  # vectors of states from the prefetch of a line to its store; 1 if these lines would fill the second cache
NEAR = 8 << 10  # bytes, for a vector of states, that fit the first cache: derivatives of the UR5 take 44 ns, not 59
WIDEST = 4096  # numbers of all blocks for one state: blocks are on the stack, which is small in threads


class Stream:
    """A stream stores the rows of one output in its array: directly, or through a block on the stack."""

    def __init__(self, size: int, of: Vectors, ahead: int) -> None:
        """ahead: vectors of states from the prefetch of a line to its store"""
        self.size, self.of, self.bytes, self.ahead = size, of, size * of.width, ahead

    def setup(self, w: Writer, data: str, step: str) -> None:
        """Writes the code before the loop over the states; data, step: the first row, and the bytes from row to row"""
        self.data, self.step = data, step
        self.block = w.let(f"alloca [{self.size * self.of.lanes} x {self.of.element}], align {self.of.bytes}")
        self.is_sparse = w.compared("ne", step, self.bytes, "i64")

    def start(self, w: Writer, i: str, is_part: str) -> None:
        """Writes the addresses for the rows of the states from i on; is_part: whether they are fewer than lanes"""
        self.own = w.at(self.data, w.whole("mul", i, self.step))
        self.waits = w.either(self.is_sparse, is_part, "i1")
        self.place = w.choice(self.waits, self.block, self.own, "ptr")
        self.later = w.at(self.own, self.bytes * self.of.lanes * self.ahead)

    def put(self, w: Writer, count: str) -> None:
        """Copies the rows that are in the block to the array; count: their number"""
        with w.when(self.waits):
            w.put(f"call void @put(ptr {self.block}, ptr {self.own}, i64 {self.bytes}, i64 {self.step}, i64 {count})")


class Streams:
    """This writes the code of one kernel that chooses where its results are stored."""

    def __init__(self, sizes: Mapping[int, int], steps: int, of: Vectors) -> None:
        """sizes: the length of each output's row; steps: the kernel's steps, over which prefetches are spread"""
        self.lanes = of.lanes
        count = sum(sizes.values())
        self.cache = FIRST if count * of.width * of.lanes <= NEAR else SECOND
        ahead = 1 if self.cache == FIRST or count > WIDE else AHEAD
        self.streams = {k: Stream(size, of, ahead) for k, size in sizes.items()} if count <= WIDEST else {}
        self.due: dict[int, list[tuple[Stream, int]]] = defaultdict(list)
        lines = [(each, at) for each in self.streams.values() for at in range(0, each.bytes * self.lanes, LINE)]
        for turn, line in enumerate(lines):
            self.due[turn * steps // len(lines)].append(line)

    def setup(self, w: Writer, ports: Mapping[tuple[str, int], tuple[str, str]]) -> None:
        """Writes the code before the loop; ports: the first row of each, and the bytes from row to row"""
        for k, stream in self.streams.items():
            stream.setup(w, *ports["out", k])

    def start(self, w: Writer, i: str) -> None:
        """Writes the addresses for the rows of the states from i on."""
        is_part = w.compared("sgt", w.whole("add", i, self.lanes), "%stop", "i64")
        for stream in self.streams.values():
            stream.start(w, i, is_part)

    def fetch(self, w: Writer, start: int, stop: int) -> None:
        """Writes the prefetches after some steps, spread evenly: a processor transfers only a few lines at a time."""
        for turn in range(start, stop):
            for stream, at in self.due.get(turn, ()):
                w.put(f"call void @llvm.prefetch.p0(ptr {w.at(stream.later, at)}, i32 0, i32 {self.cache}, i32 1)")

    def row(self, w: Writer, k: int, lane: int) -> str:
        """Returns the address of a lane's row of an output."""
        stream = self.streams[k]
        return w.at(stream.place, lane, f"[{stream.bytes} x i8]")

    def put(self, w: Writer, i: str) -> None:
        """Copies the rows that are in blocks to their arrays."""
        count = w.least(w.whole("sub", "%stop", i), self.lanes)
        for stream in self.streams.values():
            stream.put(w, count)

    def functions(self) -> Iterator[str]:
        """Yields the function `put`, which copies rows of a block."""
        w = Writer("private void @put(ptr %block, ptr %to, i64 %bytes, i64 %step, i64 %count) noinline", Vectors(1))
        with w.loop(0, "%count") as lane:
            to = w.at("%to", w.whole("mul", lane.index, "%step"))
            row = w.at("%block", w.whole("mul", lane.index, "%bytes"))
            w.put(f"call void @llvm.memcpy.p0.p0.i64(ptr {to}, ptr {row}, i64 %bytes, i1 false)")
        yield from w.done()
