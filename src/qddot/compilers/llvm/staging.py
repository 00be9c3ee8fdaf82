"""Writes wide results at once where they go, or through a block on the stack with the rows of one vector of states.

Rows are stored at places that are known at compile time from the first one's. Where the rows of an array are
contiguous, the first one's is in the array itself, else in the block, whose rows are then copied one by one; so are the
last states. Results that are larger than the caches go through the block in any case: it is copied in whole cache
lines, in order, by stores that do not read what they overwrite. A row has the same place within a cache line in the
block as in the array: the end that does not fill its line waits in the block for the next one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from qddot.compilers.llvm import engine, rows
from qddot.compilers.llvm.registers import Vectors

FEWEST = 8 << 20  # bytes of results that do not bypass the caches of any processor
SHARED = 16  # parts of the last cache, of which results take one
WIDEST = 4096  # numbers of all blocks for one state: they are on the stack, which is small in threads


def most_cached() -> int:
    """Returns the bytes of results beyond which they bypass the caches."""
    return max(FEWEST, engine.last_cache() // SHARED)


class Staging:
    """This writes the lines of one kernel for its wide outputs."""

    def __init__(self, sizes: Mapping[int, int], of: Vectors) -> None:
        """sizes: the numbers in a row of each wide output, by the output's place"""
        self.sizes, self.of, self.lanes, self.element = sizes, of, of.lanes, of.element
        self.width, self.line = of.width, of.elements
        self.step = of.lanes * of.width

    def setup(self) -> Iterator[str]:
        """Yields the lines before the loop.

        %dense.k: whether the rows of output k are contiguous; %stream: whether the results are very large;
        %straight.k: whether its whole blocks go to the array at once;
        %into.k: bytes of the first cache line that belong to the data before, the same for every block.
        """
        yield "  %states = sub i64 %stop, %start"
        yield f"  %bytes = mul i64 %states, {sum(self.sizes.values()) * self.width}"
        yield f"  %stream = icmp sgt i64 %bytes, {most_cached()}"
        for k, size in self.sizes.items():
            yield f"  %buffer.{k} = alloca [{(size + 1) * self.lanes} x {self.element}], align {self.step}"
            yield f"  %packed.{k} = icmp eq i64 %out_step.{k}, {size * self.width}"
            yield f"  %begin.{k}.off = mul i64 %start, {size * self.width}"
            yield f"  %begin.{k} = getelementptr i8, ptr %out.{k}, i64 %begin.{k}.off"
            yield f"  %begin.{k}.address = ptrtoint ptr %begin.{k} to i64"
            yield f"  %begin.{k}.odd = and i64 %begin.{k}.address, {self.width - 1}"
            yield f"  %begin.{k}.even = icmp eq i64 %begin.{k}.odd, 0"
            yield f"  %dense.{k} = and i1 %packed.{k}, %begin.{k}.even"
            yield f"  %begin.{k}.past = and i64 %begin.{k}.address, {self.step - 1}"
            yield f"  %kept.{k} = xor i1 %stream, true"
            yield f"  %straight.{k} = and i1 %dense.{k}, %kept.{k}"
            yield f"  %into.{k} = select i1 %dense.{k}, i64 %begin.{k}.past, i64 0"
            yield f"  %base.{k} = getelementptr i8, ptr %buffer.{k}, i64 %into.{k}"
            yield f"  %back.{k} = sub i64 0, %into.{k}"
            yield f"  %lead.{k} = udiv i64 %into.{k}, {self.width}"
            yield from self._mask(f"own.{k}", "uge", f"%lead.{k}")
            yield from self._mask(f"rest.{k}", "ult", f"%lead.{k}")

    def _mask(self, name: str, order: str, bound: str) -> Iterator[str]:
        """Yields a mask of the lanes whose index compares to a bound in this order."""
        v, n = f"<{self.lanes} x i64>", self.lanes
        places = ", ".join(f"i64 {lane}" for lane in range(n))
        yield f"  %{name}.one = insertelement {v} poison, i64 {bound}, i32 0"
        yield f"  %{name}.all = shufflevector {v} %{name}.one, {v} poison, <{n} x i32> zeroinitializer"
        yield f"  %{name} = icmp {order} {v} <{places}>, %{name}.all"

    def begun(self) -> Iterator[str]:
        """Yields the lines that say where the rows of a block of states go, %place.k the first one's."""
        if not self.sizes:
            return
        yield f"  %beyond = add i64 %i, {self.lanes}"
        yield "  %whole = icmp sle i64 %beyond, %stop"
        yield f"  %second = add i64 %beyond, {self.lanes}"
        yield "  %final = icmp sgt i64 %second, %stop"
        yield "  %opening = icmp eq i64 %i, %start"
        yield "  %left = sub i64 %stop, %i"
        yield f"  %here = call i64 @llvm.smin.i64(i64 %left, i64 {self.lanes})"
        for k, size in self.sizes.items():
            yield f"  %at_once.{k} = and i1 %straight.{k}, %whole"
            yield f"  %rows.{k}.off = mul i64 %i, {size * self.width}"
            yield f"  %rows.{k} = getelementptr i8, ptr %out.{k}, i64 %rows.{k}.off"
            yield f"  %place.{k} = select i1 %at_once.{k}, ptr %rows.{k}, ptr %base.{k}"
            yield f"  %ahead.{k} = select i1 %at_once.{k}, i64 {size * self.step}, i64 0"
            yield f"  %following.{k} = getelementptr i8, ptr %place.{k}, i64 %ahead.{k}"

    def row(self, name: str, port: int, lane: int) -> Iterator[str]:
        """Yields %{name}, the address of a lane's row."""
        yield f"  %{name} = getelementptr {self.element}, ptr %place.{port}, i64 {lane * self.sizes[port]}"

    def fetched(self, port: int, lane: int, column: int) -> Iterator[str]:
        """Yields the lines that fetch a place of this block's rows, or the next one's, into the cache, for writing."""
        name, (block, own) = f"%fetch.{port}.{lane}.{column}", divmod(lane, self.lanes)
        rows_at, place = f"%{'following' if block else 'place'}.{port}", own * self.sizes[port] + column
        yield f"  {name} = getelementptr {self.element}, ptr {rows_at}, i64 {place}"
        yield f"  call void @llvm.prefetch.p0(ptr {name}, i32 1, i32 3, i32 1)"

    def emptied(self, k: int) -> Iterator[str]:
        """Yields the lines that copy a block that is filled to its place; they end with a label of their own."""
        after = f"emptied.{k}"
        yield f"  br i1 %at_once.{k}, label %{after}, label %staged.{k}"
        yield f"staged.{k}:"
        yield f"  %lined.{k} = and i1 %whole, %dense.{k}"
        yield f"  br i1 %lined.{k}, label %stream.{k}, label %single.{k}"
        yield from self._lines(k, after)
        yield from self._rows(k, after)
        yield f"{after}:"

    def _lines(self, k: int, after: str) -> Iterator[str]:
        """Yields the copy of a whole block, line by line."""
        name, block = f"stream.{k}", self.sizes[k] * self.step
        yield f"{name}:"
        yield f"  %{name}.to.off = mul i64 %i, {self.sizes[k] * self.width}"
        yield f"  %{name}.to.own = getelementptr i8, ptr %out.{k}, i64 %{name}.to.off"
        yield f"  %{name}.to = getelementptr i8, ptr %{name}.to.own, i64 %back.{k}"
        yield f"  br i1 %opening, label %{name}.opening, label %{name}.move"
        yield f"{name}.opening:"
        yield from self._part(f"{name}.first", f"%buffer.{k}", f"%{name}.to", f"%own.{k}")
        yield f"  br label %{name}.move"
        yield f"{name}.move:"
        begin = f"[ 0, %{name} ], [ {self.step}, %{name}.opening ]"
        yield f"  %{name}.at = phi i64 {begin}, [ %{name}.next, %{name}.line ]"
        yield f"  %{name}.more = icmp slt i64 %{name}.at, {block}"
        yield f"  br i1 %{name}.more, label %{name}.line, label %{name}.end"
        yield f"{name}.line:"
        yield f"  %{name}.from = getelementptr i8, ptr %buffer.{k}, i64 %{name}.at"
        yield f"  %{name}.into = getelementptr i8, ptr %{name}.to, i64 %{name}.at"
        yield f"  %{name}.whole = load {self.line}, ptr %{name}.from, align {self.step}"
        yield f"  store {self.line} %{name}.whole, ptr %{name}.into, align {self.step}, !nontemporal !900"
        yield f"  %{name}.next = add i64 %{name}.at, {self.step}"
        yield f"  br label %{name}.move"
        yield f"{name}.end:"
        yield f"  %{name}.left = getelementptr i8, ptr %buffer.{k}, i64 {block}"
        yield f"  %{name}.kept = load {self.line}, ptr %{name}.left, align {self.step}"
        yield f"  store {self.line} %{name}.kept, ptr %buffer.{k}, align {self.step}"
        yield f"  br i1 %final, label %{name}.closing, label %{after}"
        yield f"{name}.closing:"
        yield f"  %{name}.past = getelementptr i8, ptr %{name}.to, i64 {block}"
        yield from self._part(f"{name}.last", f"%buffer.{k}", f"%{name}.past", f"%rest.{k}")
        yield f"  br label %{after}"

    def _part(self, name: str, of: str, to: str, mask: str) -> Iterator[str]:
        """Yields the copy of a part of a cache line whose other part belongs to other data."""
        yield f"  %{name} = load {self.line}, ptr {of}, align {self.step}"
        yield f"  {rows.masked_store(f'%{name}', to, mask, self.of)}"

    def _rows(self, k: int, after: str) -> Iterator[str]:
        """Yields the copy of the states that are left, row by row."""
        name, size = f"single.{k}", self.sizes[k]
        yield f"{name}:"
        yield f"  %{name}.first.off = mul i64 %i, %out_step.{k}"
        yield f"  %{name}.first = getelementptr i8, ptr %out.{k}, i64 %{name}.first.off"
        yield f"  br label %{name}.copy"
        yield f"{name}.copy:"
        yield f"  %{name}.lane = phi i64 [ 0, %{name} ], [ %{name}.next, %{name}.copy ]"
        yield f"  %{name}.from.off = mul i64 %{name}.lane, {size * self.width}"
        yield f"  %{name}.from = getelementptr i8, ptr %base.{k}, i64 %{name}.from.off"
        yield f"  %{name}.to.off = mul i64 %{name}.lane, %out_step.{k}"
        yield f"  %{name}.to = getelementptr i8, ptr %{name}.first, i64 %{name}.to.off"
        yield f"  call void @llvm.memcpy.p0.p0.i64(ptr %{name}.to, ptr %{name}.from, i64 {size * self.width}, i1 false)"
        yield f"  %{name}.next = add i64 %{name}.lane, 1"
        yield f"  %{name}.more = icmp slt i64 %{name}.next, %here"
        yield f"  br i1 %{name}.more, label %{name}.copy, label %{after}"

    def closing(self) -> Iterator[str]:
        """Yields a fence: other threads see stores that bypass the caches only after it."""
        if self.sizes:
            yield "  fence seq_cst"

    def declarations(self) -> Iterator[str]:
        yield "!900 = !{i32 1}"
        yield "declare void @llvm.prefetch.p0(ptr, i32, i32, i32)"
        yield "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)"
