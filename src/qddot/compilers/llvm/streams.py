"""Brings rows into the first cache some steps ahead, and very large results past the caches.

Rows are stored straight in their array, except where they are not contiguous, where results are larger than the caches,
and the last states where they are fewer than lanes: these go through a block on the stack. There are two in turn. What
is larger than the caches is copied from the one before while the next states are computed, a few cache lines at a time,
by stores that do not read what they overwrite. A row has the same place within a cache line in the block as in the
array: an end that does not fill its line waits for the next rows.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import NamedTuple

from qddot.compilers.llvm import engine
from qddot.compilers.llvm.registers import AVX, AVX_512, LINE, Vectors
from qddot.compilers.llvm.writer import Writer

AHEAD = 1000  # steps from fetching a row until it is used: inverse dynamics takes 17 ns a state from memory where 20
TOGETHER = 8  # lines copied together: derivatives take 84 ns a state from memory where 100 with all of an output
FEWEST = 8 << 20  # bytes of results that do not bypass the caches of any processor
SHARED = 16  # parts of the last cache, of which results take one
NARROWEST = 16  # bytes of a register that bypasses the caches
WIDEST = 3072  # numbers of all blocks for one state: they are on the stack, which is small in threads
COPY = "call void @llvm.memcpy.p0.p0.i64(ptr {}, ptr {}, i64 {}, i1 false)"


def most_cached() -> int:
    """Returns the bytes of results beyond which they bypass the caches."""
    return max(FEWEST, engine.last_cache() // SHARED)


class Stream:
    """A stream takes the rows of one output to its array: straight, or through two blocks on the stack by turns."""

    def __init__(self, k: int, size: int, of: Vectors) -> None:
        self.k, self.size, self.of = k, size, of
        self.step = of.lanes * of.width
        self.bytes = size * of.width
        self.block_bytes = self.bytes * of.lanes

    def setup(self, w: Writer, large: str, data: str, step: str) -> None:
        """Writes the facts that hold for all blocks of states.

        streams: whether rows go past the caches, as only contiguous ones do; into: bytes of the first cache line that
        belong to the data before, the same for every block
        """
        of = self.of
        self.data, self.row_step = data, step
        self.buffer = w.let(f"alloca [{2 * (self.size + 1) * of.lanes} x {of.element}], align {self.step}")
        packed = w.let(f"icmp eq i64 {step}, {self.bytes}")
        self.begin = w.at(data, w.whole("mul", "%start", step))
        address = w.let(f"ptrtoint ptr {self.begin} to i64")
        even = w.let(f"icmp eq i64 {w.whole('and', address, of.width - 1)}, 0")
        self.sparse = w.let(f"xor i1 {packed}, true")
        dense = w.let(f"and i1 {packed}, {even}")
        self.streams = w.let(f"and i1 {large}, {dense}")
        past = w.whole("and", address, self.step - 1)
        self.into = w.let(f"select i1 {self.streams}, i64 {past}, i64 0")

    def begun(self, w: Writer, turn: BlockOfStates, ahead: int) -> None:
        """Writes where the rows of a block of states go, and where those of the block before are copied to.

        ahead: how many blocks later the lines are written that are fetched now
        """
        other = w.at(self.buffer, self.block_bytes + self.step)
        self.block = w.let(f"select i1 {turn.is_odd}, ptr {other}, ptr {self.buffer}")
        self.before = w.let(f"select i1 {turn.is_odd}, ptr {self.buffer}, ptr {other}")
        base = w.at(self.block, self.into)
        self.own = w.at(self.data, w.whole("mul", turn.i, self.row_step))
        self.staged = w.let(f"or i1 {w.let(f'or i1 {self.streams}, {self.sparse}')}, {turn.is_part}")
        self.place = w.let(f"select i1 {self.staged}, ptr {base}, ptr {self.own}")
        moves = w.let(f"and i1 {self.streams}, {turn.is_later}")
        self.copies = w.let(f"zext i1 {moves} to i8")
        back = w.whole("sub", str(-self.block_bytes), self.into)
        self.to = w.at(self.own, w.let(f"select i1 {moves}, i64 {back}, i64 {self.block_bytes * ahead}"))
        # the first line of all belongs to other data, too: it stays where it is, and its own part is copied below
        self.first = w.let(f"select i1 {turn.is_second}, ptr {self.before}, ptr {self.to}")

    def turned(self, w: Writer) -> None:
        """Copies the last, unfilled cache line of the block before to the beginning of this block."""
        v = self.of.elements
        w.write(v, w.read(v, w.at(self.before, self.size * self.step)), self.block)

    def opened(self, w: Writer) -> None:
        """Copies that part of the very first cache line which belongs to the results."""
        own = w.whole("sub", str(self.step), self.into)
        count = w.let(f"select i1 {self.streams}, i64 {own}, i64 0")
        w.put(COPY.format(self.begin, w.at(self.before, self.into), count))

    def moved(self, lines: range, w: Writer) -> None:
        """Copies some cache lines of the block before, or fetches those of a later block, for writing.

        It is one instruction to LLVM, which would not fuse what is before a branch with what is behind it.
        """
        vex, step = "v" if self.of.bytes >= AVX else "", self.step
        copies = [
            f"{vex}movaps {n * step}($1), $0; {vex}movntps $0, {f'{n * step}($2)' if n else '($3)'}" for n in lines
        ]
        fetches = [f"prefetchw {n * step}($2)" for n in lines if n * step % LINE == 0]
        fetch, past = ("${:private}" + name + "${:uid}" for name in ("fetch", "past"))
        parts = (f"testb $4, $4; je {fetch}", *copies, f"jmp {past}; {fetch}:", *fetches, f"{past}:")
        kinds = f"=&{'v' if self.of.bytes == AVX_512 else 'x'},r,r,r,q,~{{memory}},~{{flags}}"
        arguments = f"ptr {self.before}, ptr {self.to}, ptr {self.first}, i8 {self.copies}"
        w.let(f'call {self.of.elements} asm sideeffect "{"; ".join(parts)}", "{kinds}"({arguments})')

    def put(self, w: Writer, is_last: str, here: str) -> None:
        """Copies rows from the block to the array: the last ones, and all rows where the array is not contiguous."""
        some = w.let(f"or i1 {w.let(f'and i1 {is_last}, {self.staged}')}, {self.sparse}")
        count = w.let(f"select i1 {some}, i64 {here}, i64 0")
        rows = f"i64 {self.into}, i64 {self.bytes}, i64 {self.row_step}, i64 {count}"
        w.put(f"call void @put(ptr {self.block}, ptr {self.own}, {rows})")


class BlockOfStates(NamedTuple):
    """These are facts of the block of states from i on: whether the last state is in it, and which block it is."""

    i: str
    is_part: str
    is_later: str
    is_second: str
    is_odd: str


class Streams:
    """This writes the lines of one kernel that move the rows of its ports."""

    def __init__(self, inputs: Mapping[int, int], outputs: Mapping[int, int], of: Vectors) -> None:
        """inputs, outputs: the numbers in a row, by the port's place"""
        self.of, self.lanes, self.inputs = of, of.lanes, inputs
        staged = outputs if sum(outputs.values()) <= WIDEST else {}
        self.outputs = {k: Stream(k, size, of) for k, size in staged.items()}
        # other processors see themselves that whole lines are written, and no narrower registers bypass caches
        self.are_copied = engine.is_x86_64() and NARROWEST <= of.lanes * of.width <= engine.processor().register_bytes
        self.due: dict[int, list[Callable[[Writer], None]]] = defaultdict(list)
        self.ahead = 1

    def spread(self, steps: int) -> None:
        """Spreads what is moved evenly over the steps of a block of states."""
        self.ahead = -(-AHEAD // max(steps, 1))
        fetches = [
            partial(self._fetched, k, lane * size + column)
            for k, size in self.inputs.items()
            for lane in range(0, self.lanes, max(LINE // (size * self.of.width), 1))
            for column in range(0, size, LINE // self.of.width)
        ]
        copies = [
            partial(stream.moved, range(start, min(start + TOGETHER, stream.size)))
            for stream in (self.outputs.values() if self.are_copied else ())
            for start in range(0, stream.size, TOGETHER)
        ]
        for moves in (fetches, copies):
            for turn, move in enumerate(moves):
                self.due[turn * steps // len(moves)].append(move)

    def moved(self, w: Writer, start: int, stop: int) -> None:
        """Writes the copies and fetches that belong behind some steps."""
        for turn in range(start, stop):
            for move in self.due.get(turn, ()):
                move(w)

    def setup(self, w: Writer, ports: Mapping[tuple[str, int], tuple[str, str]]) -> None:
        """Writes what comes before the loop; ports: the first row of each and the bytes from row to row."""
        self.rows_in = {k: ports["in", k] for k in self.inputs}
        if not self.outputs:
            return
        states = w.whole("sub", "%stop", "%start")
        bytes_ = w.whole("mul", states, sum(stream.bytes for stream in self.outputs.values()))
        many = w.let(f"icmp sgt i64 {bytes_}, {most_cached()}")
        self.large = w.let(f"and i1 {many}, {int(self.are_copied)}")
        self.second = w.whole("add", "%start", self.lanes)
        for k, stream in self.outputs.items():
            stream.setup(w, self.large, *ports["out", k])

    def begun(self, w: Writer, i: str) -> None:
        """Writes where the rows of the states from i on go."""
        later = w.whole("add", i, self.ahead * self.lanes)
        self.later = {k: w.at(data, w.whole("mul", later, step)) for k, (data, step) in self.rows_in.items()}
        if not self.outputs:
            return
        is_part = w.let(f"icmp sgt i64 {w.whole('add', i, self.lanes)}, %stop")
        is_later = w.let(f"icmp sgt i64 {i}, %start")
        is_second = w.let(f"icmp eq i64 {i}, {self.second}")
        odd = w.whole("and", w.whole("sub", i, "%start"), self.lanes)
        turn = BlockOfStates(i, is_part, is_later, is_second, w.let(f"icmp ne i64 {odd}, 0"))
        for stream in self.outputs.values():
            stream.begun(w, turn, self.ahead)
        opened = w.label()
        w.unless(self.large, opened)
        for stream in self.outputs.values():
            stream.turned(w)
        w.unless(is_second, opened)
        for stream in self.outputs.values():
            stream.opened(w)
        w.begin(opened)

    def row(self, w: Writer, k: int, lane: int) -> str:
        """Returns the address of a lane's row of an output."""
        stream = self.outputs[k]
        return w.at(stream.place, lane, f"[{stream.bytes} x i8]")

    def put(self, w: Writer, i: str, more: str) -> None:
        """Copies rows that wait in the blocks one by one: the last states, and arrays that are not contiguous.

        more: whether other states follow those from i on. Other threads see what bypassed the caches only after
        a fence.
        """
        if not self.outputs:
            return
        is_last = puts = w.let(f"xor i1 {more}, true")
        for stream in self.outputs.values():
            puts = w.let(f"or i1 {puts}, {stream.sparse}")
        behind = w.label()
        w.unless(puts, behind)
        here = w.let(f"call i64 @llvm.smin.i64(i64 {w.whole('sub', '%stop', i)}, i64 {self.lanes})")
        for stream in self.outputs.values():
            stream.put(w, is_last, here)
        w.unless(w.let(f"and i1 {self.large}, {is_last}"), behind)
        w.put("fence seq_cst")
        w.begin(behind)

    def functions(self) -> Iterator[str]:
        """Yields what is declared, and the function `put`: it copies rows of a block, and what waits before them."""
        yield "declare void @llvm.prefetch.p0(ptr, i32, i32, i32)"
        yield "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)"
        head = "private void @put(ptr %block, ptr %to, i64 %into, i64 %bytes, i64 %step, i64 %count) noinline"
        w = Writer(head, self.of)
        w.put(COPY.format(w.at("%to", w.whole("sub", "0", "%into")), "%block", "%into"))
        with w.loop(0, "%count") as lane:
            to = w.at("%to", w.whole("mul", lane.index, "%step"))
            row = w.at(w.at("%block", "%into"), w.whole("mul", lane.index, "%bytes"))
            w.put(COPY.format(to, row, "%bytes"))
        yield from w.done()

    def _fetched(self, k: int, place: int, w: Writer) -> None:
        """Fetches a place of an input's rows, some blocks ahead, into the cache."""
        w.put(f"call void @llvm.prefetch.p0(ptr {w.at(self.later[k], place, self.of.element)}, i32 0, i32 3, i32 1)")
