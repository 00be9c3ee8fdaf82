"""Large results by way of a small buffer: rows of states are written there, and copied in whole lines of memory.

Eight rows are written side by side otherwise, each line in parts, and each line is read before it is written. From
the buffer, which stays in the nearest cache, they go out in order; and results that fit no near cache go out by
stores that do not read what they overwrite. Rows must lie one after another. They stand in the buffer as they stand
to the lines of memory: the end of a block that does not fill its line waits there for the next block.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

LARGE = 1 << 20  # bytes of results from which the buffer pays
STREAMED = 8 << 20  # bytes from which the results are not to stay in the caches
WIDEST_ROW = 1024  # numbers of all outputs of a state: the buffer is on the stack
AHEAD = 2  # blocks of rows whose lines are fetched, to own them before they are written
WIDTH = 8  # bytes of a double


class Staging:
    """The lines of one kernel for outputs of so many doubles a row."""

    def __init__(self, sizes: Sequence[int], lanes: int) -> None:
        self.sizes, self.lanes = sizes, lanes
        self.line = f"<{lanes} x double>"
        self.step = lanes * WIDTH

    @staticmethod
    def fits(sizes: Sequence[int], element: str) -> bool:
        return element == "double" and 0 < sum(sizes) <= WIDEST_ROW

    def setup(self) -> Iterator[str]:
        """%stage: whether the results are large and dense; %stream: whether they are very large; %into.k: bytes of
        the first line that belong to what stands before, in every block the same."""
        yield "  %states = sub i64 %stop, %start"
        yield f"  %bytes = mul i64 %states, {sum(self.sizes) * WIDTH}"
        yield f"  %large = icmp sgt i64 %bytes, {LARGE}"
        yield f"  %stream = icmp sgt i64 %bytes, {STREAMED}"
        before = "%large"
        for k, size in enumerate(self.sizes):
            yield f"  %buffer.{k} = alloca [{(size + 1) * self.lanes} x double], align {self.step}"
            yield f"  %dense.{k} = icmp eq i64 %out_step.{k}, {size * WIDTH}"
            yield f"  %begin.{k}.off = mul i64 %start, {size * WIDTH}"
            yield f"  %begin.{k} = getelementptr i8, ptr %out.{k}, i64 %begin.{k}.off"
            yield f"  %begin.{k}.address = ptrtoint ptr %begin.{k} to i64"
            yield f"  %begin.{k}.odd = and i64 %begin.{k}.address, {WIDTH - 1}"
            yield f"  %begin.{k}.even = icmp eq i64 %begin.{k}.odd, 0"
            yield f"  %fits.{k} = and i1 %dense.{k}, %begin.{k}.even"
            yield f"  %into.{k} = and i64 %begin.{k}.address, {self.step - 1}"
            yield f"  %base.{k} = getelementptr i8, ptr %buffer.{k}, i64 %into.{k}"
            yield f"  %back.{k} = sub i64 0, %into.{k}"
            yield f"  %lead.{k} = udiv i64 %into.{k}, {WIDTH}"
            yield from self._mask(f"own.{k}", "uge", f"%lead.{k}")
            yield from self._mask(f"rest.{k}", "ult", f"%lead.{k}")
            yield f"  %stage.{k} = and i1 {before}, %fits.{k}"
            before = f"%stage.{k}"
        yield f"  %stage = and i1 {before}, true"

    def _mask(self, name: str, order: str, bound: str) -> Iterator[str]:
        """The lanes below a number, or from it on."""
        v, n = f"<{self.lanes} x i64>", self.lanes
        places = ", ".join(f"i64 {lane}" for lane in range(n))
        yield f"  %{name}.one = insertelement {v} poison, i64 {bound}, i32 0"
        yield f"  %{name}.all = shufflevector {v} %{name}.one, {v} poison, <{n} x i32> zeroinitializer"
        yield f"  %{name} = icmp {order} {v} <{places}>, %{name}.all"

    def choice(self) -> Iterator[str]:
        """%staged: whether the block at hand goes by the buffer, which a tail does not; %final: whether it is the
        last that does."""
        yield f"  %beyond = add i64 %i, {self.lanes}"
        yield "  %whole = icmp sle i64 %beyond, %stop"
        yield "  %staged = and i1 %whole, %stage"
        yield f"  %second = add i64 %beyond, {self.lanes}"
        yield "  %final = icmp sgt i64 %second, %stop"
        yield "  %opening = icmp eq i64 %i, %start"

    def row(self, name: str, port: int, lane: int) -> Iterator[str]:
        """Where a lane's row is written, in place of where it belongs, %{name}.direct."""
        yield f"  %{name}.buffer = getelementptr double, ptr %base.{port}, i64 {lane * self.sizes[port]}"
        yield f"  %{name} = select i1 %staged, ptr %{name}.buffer, ptr %{name}.direct"

    def copies(self, then: str) -> Iterator[str]:
        """Blocks from label %copy on: the buffer to its place, line by line, then on to a label."""
        yield "copy:"
        yield "  br i1 %stream, label %stream.0, label %keep.0"
        for way in ("stream", "keep"):
            for k in range(len(self.sizes)):
                after = f"{way}.{k + 1}" if k + 1 < len(self.sizes) else then
                yield from self._copy(way, k, after)

    def _copy(self, way: str, k: int, after: str) -> Iterator[str]:
        name, block = f"{way}.{k}", self.sizes[k] * self.step
        yield f"{name}:"
        yield f"  %{name}.to.off = mul i64 %i, {self.sizes[k] * WIDTH}"
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
        streamed = ", !nontemporal !900" if way == "stream" else ""
        yield f"  store {self.line} %{name}.whole, ptr %{name}.into, align {self.step}{streamed}"
        if way == "keep":
            yield f"  %{name}.soon = getelementptr i8, ptr %{name}.into, i64 {AHEAD * block}"
            yield f"  call void @llvm.prefetch.p0(ptr %{name}.soon, i32 1, i32 3, i32 1)"
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
        """A part of a line, the other part of which is not ours."""
        yield f"  %{name} = load {self.line}, ptr {of}, align {self.step}"
        arguments = f"{self.line} %{name}, ptr {to}, i32 {WIDTH}, <{self.lanes} x i1> {mask}"
        yield f"  call void @llvm.masked.store.v{self.lanes}f64.p0({arguments})"

    def metadata(self) -> Iterator[str]:
        yield "!900 = !{i32 1}"
