"""Inputs of one number a state, such as symbols: each a vector over the lanes, in a block on the stack.

The block holds the numbers of several vectors of states, so that of many arrays each is read a few cache lines at a
time. A number that all states share, which has the step 0, is spread in it before the loop over the states.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from qddot.compilers.llvm.registers import LINE, WIDTHS, Vectors

STATES = 32  # of which the block has the numbers: four cache lines of each array
MANY = 1 << 20  # bytes of all numbers beyond which the next are fetched: 70 ns a state where 100, for 75 arrays


class Singles:
    """The lines of one kernel for its inputs of one number; ports: their places among the inputs."""

    def __init__(self, ports: Sequence[int], of: Vectors) -> None:
        self.places = {port: place for place, port in enumerate(ports)}
        self.of, self.lanes, self.element = of, of.lanes, of.element
        self.vectors = STATES // of.lanes

    def setup(self) -> Iterator[str]:
        """Yields the block, %singles, and %varying.count, how many differ from state to state."""
        if not self.places:
            return
        yield f"  %singles = alloca {self.of.reals}, i64 {len(self.places) * self.vectors}"
        yield f"  %varying = alloca i64, i64 {len(self.places)}"
        yield "  %varying.count = call i64 @singles.shared(ptr %in, ptr %in_step, ptr %singles, ptr %varying)"

    def filled(self) -> Iterator[str]:
        """Yields what takes the numbers of the next states, where those in the block are done with."""
        if not self.places:
            return
        given = "ptr %in, ptr %in_step, ptr %singles, ptr %varying, i64 %varying.count, i64 %i, i64 %last"
        yield "  %done.with = sub i64 %i, %start"
        yield f"  %within = and i64 %done.with, {STATES - 1}"
        yield "  %is_used = icmp eq i64 %within, 0"
        yield "  br i1 %is_used, label %fill, label %filled"
        yield "fill:"
        yield f"  call void @singles.varied({given})"
        yield "  br label %filled"
        yield "filled:"
        yield f"  %singles.off = mul i64 %within, {WIDTHS[self.of.real] * len(self.places)}"
        yield "  %singles.i = getelementptr i8, ptr %singles, i64 %singles.off"

    def load(self, port: int, name: str) -> Iterator[str]:
        """Yields the number of a port, as a vector."""
        yield f"  {name}.at = getelementptr {self.of.reals}, ptr %singles.i, i64 {self.places[port]}"
        yield f"  {name} = load {self.of.reals}, ptr {name}.at"

    def declarations(self) -> Iterator[str]:
        """Yields the two functions that fill the block."""
        if self.places:
            listed = ", ".join(f"i64 {port}" for port in self.places)
            yield f"@singles.ports = private constant [{len(self.places)} x i64] [{listed}]"
            yield from self._shared()
            yield from self._varied()

    def _shared(self) -> Iterator[str]:
        """Yields the function that spreads the numbers which all states share, and lists the others."""
        yield "define internal i64 @singles.shared(ptr %in, ptr %in_step, ptr %singles, ptr %varying) noinline {"
        yield "entry:"
        yield "  br label %each"
        yield "each:"
        yield "  %place = phi i64 [ 0, %entry ], [ %following, %next ]"
        yield "  %count = phi i64 [ 0, %entry ], [ %counted, %next ]"
        yield from self._port()
        yield "  %is_shared = icmp eq i64 %step, 0"
        yield "  br i1 %is_shared, label %shared, label %varies"
        yield "shared:"
        yield f"  %x = load {self.element}, ptr %data"
        v = self.of.elements
        yield f"  %one = insertelement {v} poison, {self.element} %x, i32 0"
        yield f"  %all = shufflevector {v} %one, {v} poison, <{self.lanes} x i32> zeroinitializer"
        for k in range(self.vectors):
            yield from self._stored(k, "%all")
        yield "  br label %next"
        yield "varies:"
        yield "  %varying.at = getelementptr i64, ptr %varying, i64 %count"
        yield "  store i64 %place, ptr %varying.at"
        yield "  %more = add i64 %count, 1"
        yield "  br label %next"
        yield "next:"
        yield "  %counted = phi i64 [ %count, %shared ], [ %more, %varies ]"
        yield "  %following = add i64 %place, 1"
        yield f"  %left = icmp ult i64 %following, {len(self.places)}"
        yield from ("  br i1 %left, label %each, label %done", "done:", "  ret i64 %counted", "}")

    def _varied(self) -> Iterator[str]:
        """Yields the function that takes the other numbers, of the states from %i on."""
        given = "ptr %in, ptr %in_step, ptr %singles, ptr %varying, i64 %count, i64 %i, i64 %last"
        width = self.of.width
        yield f"define internal void @singles.varied({given}) noinline {{"
        yield "entry:"
        yield f"  %end = add i64 %i, {STATES - 1}"
        yield "  %whole = icmp sle i64 %end, %last"
        # a processor foresees few arrays; what the second cache holds comes as quickly without it
        yield "  %numbers = mul i64 %last, %count"
        yield f"  %is_many = icmp ugt i64 %numbers, {MANY // width}"
        yield "  %any = icmp ne i64 %count, 0"
        yield "  br i1 %any, label %each, label %done"
        yield "each:"
        yield "  %turn = phi i64 [ 0, %entry ], [ %following, %next ]"
        yield "  %place.at = getelementptr i64, ptr %varying, i64 %turn"
        yield "  %place = load i64, ptr %place.at"
        yield from self._port()
        yield f"  %is_dense = icmp eq i64 %step, {width}"
        yield "  %at_once = and i1 %is_dense, %whole"
        yield "  br i1 %at_once, label %dense, label %apart"
        yield "dense:"
        yield f"  %dense.at = getelementptr {self.element}, ptr %data, i64 %i"
        yield "  br i1 %is_many, label %fetch, label %take"
        yield "fetch:"
        for place in range(STATES, 2 * STATES, LINE // width):
            yield f"  %next.{place} = getelementptr {self.element}, ptr %dense.at, i64 {place}"
            yield f"  call void @llvm.prefetch.p0(ptr %next.{place}, i32 0, i32 3, i32 1)"
        yield "  br label %take"
        yield "take:"
        for k in range(self.vectors):
            yield f"  %loaded.{k}.at = getelementptr {self.of.elements}, ptr %dense.at, i64 {k}"
            yield f"  %loaded.{k} = load {self.of.elements}, ptr %loaded.{k}.at, align {width}"
            yield from self._stored(k, f"%loaded.{k}")
        yield "  br label %next"
        yield "apart:"
        yield from self._one_by_one()
        yield "next:"
        yield "  %following = add i64 %turn, 1"
        yield "  %left = icmp ult i64 %following, %count"
        yield from ("  br i1 %left, label %each, label %done", "done:", "  ret void", "}")

    def _port(self) -> Iterator[str]:
        """Yields the address and the step of the port in a place of the block, and its first vector there."""
        yield "  %port.at = getelementptr i64, ptr @singles.ports, i64 %place"
        yield "  %port = load i64, ptr %port.at"
        yield "  %data.at = getelementptr ptr, ptr %in, i64 %port"
        yield "  %data = load ptr, ptr %data.at"
        yield "  %step.at = getelementptr i64, ptr %in_step, i64 %port"
        yield "  %step = load i64, ptr %step.at"
        yield f"  %single = getelementptr {self.of.reals}, ptr %singles, i64 %place"

    def _one_by_one(self) -> Iterator[str]:
        """Yields the loop over single states; those past the last repeat it."""
        yield "  %state = phi i64 [ 0, %each ], [ %state.next, %apart ]"
        yield "  %past = add i64 %i, %state"
        yield "  %row = call i64 @llvm.smin.i64(i64 %past, i64 %last)"
        yield "  %off = mul i64 %row, %step"
        yield "  %x.at = getelementptr i8, ptr %data, i64 %off"
        yield f"  %x = load {self.element}, ptr %x.at"
        real, wide = self.of.real, "%x.wide" if self.of.is_widened else "%x"
        if self.of.is_widened:
            yield "  %x.wide = fpext float %x to double"
        yield f"  %lane = and i64 %state, {self.lanes - 1}"
        yield "  %before = sub i64 %state, %lane"
        yield f"  %before.all = mul i64 %before, {len(self.places)}"
        yield "  %to = add i64 %before.all, %lane"
        yield f"  %to.at = getelementptr {real}, ptr %single, i64 %to"
        yield f"  store {real} {wide}, ptr %to.at"
        yield "  %state.next = add i64 %state, 1"
        yield f"  %some = icmp ult i64 %state.next, {STATES}"
        yield "  br i1 %some, label %apart, label %next"

    def _stored(self, k: int, value: str) -> Iterator[str]:
        """Yields the store of a number in the k-th vector of states."""
        wide = f"%wide.{k}" if self.of.is_widened else value
        if self.of.is_widened:
            yield f"  {wide} = fpext {self.of.elements} {value} to {self.of.reals}"
        yield f"  %single.{k} = getelementptr {self.of.reals}, ptr %single, i64 {k * len(self.places)}"
        yield f"  store {self.of.reals} {wide}, ptr %single.{k}"
