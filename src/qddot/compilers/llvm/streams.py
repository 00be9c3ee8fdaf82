"""Brings rows into the first cache some steps ahead, and very large results past the caches.

Rows are stored straight in their array, except where they are not contiguous, where results are larger than the caches,
and the last states where they are fewer than lanes: these go through a block on the stack. There are two in turn. What
is larger than the caches is copied from the one before while the next states are computed, a few cache lines at a time,
by stores that do not read what they overwrite. A row has the same place within a cache line in the block as in the
array: an end that does not fill its line waits for the next rows.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from qddot.compilers.llvm import engine
from qddot.compilers.llvm.registers import AVX, AVX_512, LINE, Vectors
from qddot.compilers.llvm.writer import Writer

AHEAD = 1000  # steps from fetching a row until it is used: inverse dynamics takes 17 ns a state from memory where 20
TOGETHER = (
    8  # lines that are copied together: derivatives take 84 ns a state from memory where 100 with all of an output
)
FEWEST = 8 << 20  # bytes of results that do not bypass the caches of any processor
SHARED = 16  # parts of the last cache, of which results take one
NARROWEST = 16  # bytes of a register that bypasses the caches
WIDEST = 3072  # numbers of all blocks for one state: they are on the stack, which is small in threads


def most_cached() -> int:
    """Returns the bytes of results beyond which they bypass the caches."""
    return max(FEWEST, engine.last_cache() // SHARED)


class Streams:
    """This writes the lines of one kernel that move the rows of its ports."""

    def __init__(self, inputs: Mapping[int, int], outputs: Mapping[int, int], of: Vectors) -> None:
        """inputs, outputs: the numbers in a row, by the port's place"""
        self.of, self.lanes = of, of.lanes
        self.inputs, self.outputs = inputs, outputs if sum(outputs.values()) <= WIDEST else {}
        self.step = of.lanes * of.width
        # other processors see themselves that whole lines are written, and no narrower registers bypass caches
        self.copied = self.outputs if engine.is_x86_64() and self.step >= NARROWEST else {}
        self.bytes = {k: size * of.width for k, size in self.outputs.items()}
        self.due: dict[int, list[Sequence[str]]] = defaultdict(list)
        self.blocks = 1

    def spread(self, steps: int) -> None:
        """Spreads what is moved evenly over the steps of a block of states."""
        self.blocks = -(-AHEAD // max(steps, 1))
        rows = [
            (k, lane * size + column)
            for k, size in self.inputs.items()
            for lane in range(0, self.lanes, max(LINE // (size * self.of.width), 1))
            for column in range(0, size, LINE // self.of.width)
        ]
        lines = [(k, start) for k in self.copied for start in range(0, self.outputs[k], TOGETHER)]
        for turn, row in enumerate(rows):
            self.due[turn * steps // len(rows)].append([*self._fetched(*row)])
        for turn, (k, start) in enumerate(lines):
            stop = min(start + TOGETHER, self.outputs[k])
            self.due[turn * steps // len(lines)].append([self._moved(k, range(start, stop))])

    def moved(self, start: int, stop: int) -> Iterator[str]:
        """Yields the lines that move what is due in some steps."""
        for turn in range(start, stop):
            for lines in self.due.get(turn, ()):
                yield from lines

    def setup(self) -> Iterator[str]:
        """Yields the lines before the loop.

        %stream.k: whether the rows of output k go past the caches, as only contiguous ones do;
        %into.k: bytes of the first cache line that belong to the data before, the same for every block.
        """
        if not self.outputs:
            return
        yield "  %states = sub i64 %stop, %start"
        yield f"  %bytes = mul i64 %states, {sum(self.bytes.values())}"
        yield f"  %many = icmp sgt i64 %bytes, {most_cached()}"
        yield f"  %large = and i1 %many, {int(bool(self.copied))}"
        yield f"  %second.i = add i64 %start, {self.lanes}"
        for k, size in self.outputs.items():
            yield f"  %buffer.{k} = alloca [{2 * (size + 1) * self.lanes} x {self.of.element}], align {self.step}"
            yield f"  %packed.{k} = icmp eq i64 %out_step.{k}, {self.bytes[k]}"
            yield f"  %begin.{k}.off = mul i64 %start, %out_step.{k}"
            yield f"  %begin.{k} = getelementptr i8, ptr %out.{k}, i64 %begin.{k}.off"
            yield f"  %begin.{k}.address = ptrtoint ptr %begin.{k} to i64"
            yield f"  %begin.{k}.odd = and i64 %begin.{k}.address, {self.of.width - 1}"
            yield f"  %begin.{k}.even = icmp eq i64 %begin.{k}.odd, 0"
            yield f"  %sparse.{k} = xor i1 %packed.{k}, true"
            yield f"  %dense.{k} = and i1 %packed.{k}, %begin.{k}.even"
            yield f"  %stream.{k} = and i1 %large, %dense.{k}"
            yield f"  %begin.{k}.past = and i64 %begin.{k}.address, {self.step - 1}"
            yield f"  %into.{k} = select i1 %stream.{k}, i64 %begin.{k}.past, i64 0"

    def begun(self) -> Iterator[str]:
        """Yields the lines that say where the rows of a block of states go, %place.k the first one's."""
        yield f"  %later = add i64 %i, {self.blocks * self.lanes}"
        for k in self.inputs:
            yield f"  %ahead.{k}.off = mul i64 %later, %in_step.{k}"
            yield f"  %ahead.{k} = getelementptr i8, ptr %in.{k}, i64 %ahead.{k}.off"
        if not self.outputs:
            return
        yield f"  %beyond = add i64 %i, {self.lanes}"
        yield "  %is_part = icmp sgt i64 %beyond, %stop"
        yield "  %is_later = icmp sgt i64 %i, %start"
        yield "  %is_second = icmp eq i64 %i, %second.i"
        yield "  %rows.done = sub i64 %i, %start"
        yield f"  %odd = and i64 %rows.done, {self.lanes}"
        yield "  %is_odd = icmp ne i64 %odd, 0"
        for k in self.outputs:
            block = self.bytes[k] * self.lanes
            yield f"  %other.{k} = getelementptr i8, ptr %buffer.{k}, i64 {block + self.step}"
            yield f"  %block.{k} = select i1 %is_odd, ptr %other.{k}, ptr %buffer.{k}"
            yield f"  %before.{k} = select i1 %is_odd, ptr %buffer.{k}, ptr %other.{k}"
            yield f"  %base.{k} = getelementptr i8, ptr %block.{k}, i64 %into.{k}"
            yield f"  %own.{k}.off = mul i64 %i, %out_step.{k}"
            yield f"  %own.{k} = getelementptr i8, ptr %out.{k}, i64 %own.{k}.off"
            yield f"  %aside.{k} = or i1 %stream.{k}, %sparse.{k}"
            yield f"  %staged.{k} = or i1 %aside.{k}, %is_part"
            yield f"  %place.{k} = select i1 %staged.{k}, ptr %base.{k}, ptr %own.{k}"
            yield f"  %moves.{k} = and i1 %stream.{k}, %is_later"
            yield f"  %copies.{k} = zext i1 %moves.{k} to i8"
            yield f"  %back.{k} = sub i64 {-block}, %into.{k}"
            yield f"  %to.{k}.off = select i1 %moves.{k}, i64 %back.{k}, i64 {block * self.blocks}"
            yield f"  %to.{k} = getelementptr i8, ptr %own.{k}, i64 %to.{k}.off"
            # the first line of all belongs to other data, too: it stays where it is, and its own part is copied below
            yield f"  %to.{k}.first = select i1 %is_second, ptr %before.{k}, ptr %to.{k}"
        yield "  br i1 %large, label %turned, label %opened"
        yield "turned:"
        for k, size in self.outputs.items():
            # the line behind the block before, which is not whole, begins this one
            yield f"  %rest.{k}.at = getelementptr i8, ptr %before.{k}, i64 {size * self.step}"
            yield f"  %rest.{k} = load {self.of.elements}, ptr %rest.{k}.at"
            yield f"  store {self.of.elements} %rest.{k}, ptr %block.{k}"
        yield "  br i1 %is_second, label %open, label %opened"
        yield "open:"
        for k in self.outputs:
            yield f"  %opening.{k}.own = sub i64 {self.step}, %into.{k}"
            yield f"  %opening.{k} = select i1 %stream.{k}, i64 %opening.{k}.own, i64 0"
            yield f"  %opening.{k}.at = getelementptr i8, ptr %before.{k}, i64 %into.{k}"
            yield f"  call void @llvm.memcpy.p0.p0.i64(ptr %begin.{k}, ptr %opening.{k}.at, i64 %opening.{k}, i1 false)"
        yield "  br label %opened"
        yield "opened:"

    def row(self, name: str, port: int, lane: int) -> Iterator[str]:
        """Yields %{name}, the address of a lane's row of an output."""
        yield f"  %{name} = getelementptr i8, ptr %place.{port}, i64 {lane * self.bytes[port]}"

    def _fetched(self, k: int, place: int) -> Iterator[str]:
        """Yields the lines that fetch a place of an input's rows, some blocks ahead, into the cache."""
        yield f"  %fetch.{k}.{place} = getelementptr {self.of.element}, ptr %ahead.{k}, i64 {place}"
        yield f"  call void @llvm.prefetch.p0(ptr %fetch.{k}.{place}, i32 0, i32 3, i32 1)"

    def _moved(self, k: int, lines: range) -> str:
        """Returns what copies some lines of the block before, or fetches those of a later block, for writing.

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
        given = f"ptr %before.{k}, ptr %to.{k}, ptr %to.{k}.first, i8 %copies.{k}"
        name = f"%moved.{k}.{lines.start}"
        return f'  {name} = call {self.of.elements} asm sideeffect "{"; ".join(parts)}", "{kinds}"({given})'

    def put(self) -> Iterator[str]:
        """Yields the lines behind a block of states that copy rows from the blocks one by one.

        So are rows that are not contiguous, and the last states. Other threads see what bypassed the caches only after
        a fence.
        """
        if not self.outputs:
            return
        yield "  %is_last = xor i1 %more, true"
        before = "%is_last"
        for k in self.outputs:
            yield f"  %puts.{k} = or i1 {before}, %sparse.{k}"
            before = f"%puts.{k}"
        yield f"  br i1 {before}, label %put, label %moved.on"
        yield "put:"
        yield "  %left = sub i64 %stop, %i"
        yield f"  %here = call i64 @llvm.smin.i64(i64 %left, i64 {self.lanes})"
        for k in self.outputs:
            yield f"  %last.{k} = and i1 %is_last, %staged.{k}"
            yield f"  %some.{k} = or i1 %last.{k}, %sparse.{k}"
            yield f"  %count.{k} = select i1 %some.{k}, i64 %here, i64 0"
            rows = f"i64 %into.{k}, i64 {self.bytes[k]}, i64 %out_step.{k}, i64 %count.{k}"
            yield f"  call void @put(ptr %block.{k}, ptr %own.{k}, {rows})"
        yield "  %fences = and i1 %large, %is_last"
        yield "  br i1 %fences, label %fence, label %moved.on"
        yield "fence:"
        yield "  fence seq_cst"
        yield "  br label %moved.on"
        yield "moved.on:"

    def declarations(self) -> Iterator[str]:
        """Yields what is declared, and the function `put`: it copies rows of a block, and what waits before them."""
        yield "declare void @llvm.prefetch.p0(ptr, i32, i32, i32)"
        yield "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)"
        head = "private void @put(ptr %block, ptr %to, i64 %into, i64 %bytes, i64 %step, i64 %count) noinline"
        w = Writer(head, self.of)
        copy = "call void @llvm.memcpy.p0.p0.i64(ptr {}, ptr {}, i64 {}, i1 false)".format
        w.put(copy(w.at("%to", w.whole("sub", "0", "%into")), "%block", "%into"))
        with w.loop(0, "%count") as lane:
            to = w.at("%to", w.whole("mul", lane.index, "%step"))
            row = w.at(w.at("%block", "%into"), w.whole("mul", lane.index, "%bytes"))
            w.put(copy(to, row, "%bytes"))
        yield from w.done()
