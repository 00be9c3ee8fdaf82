"""Loads inputs with one number per state, such as symbols, as vectors over the lanes, through a block on the stack.

The block holds the numbers of several vectors of states, so that each of many arrays is read several cache lines at a
time. A number that all states share has the step 0; it fills its vectors in the block before the loop over the states.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from qddot.machine.compilers.llvm import rows
from qddot.machine.compilers.llvm.registers import LINE, WIDTHS, Vectors
from qddot.machine.compilers.llvm.writer import Writer

STATES = 32  # in a block, four cache lines of each array: with 75 arrays, 79 ns a state, and 101 with 8 states
MANY = 1 << 20  # bytes of all numbers, beyond which later blocks are prefetched: 70 ns a state, not 100
AHEAD = 2  # blocks from the prefetch to the use of numbers: 60 ns, and 83 with 1


class Singles:
    """This writes a kernel's code for inputs with one number per state; ports: their places among the inputs"""

    def __init__(self, ports: Sequence[int], of: Vectors) -> None:
        self.places = {port: place for place, port in enumerate(ports)}
        self.of, self.element = of, of.element
        self.vectors = STATES // of.lanes

    def setup(self, w: Writer) -> None:
        """Writes the allocation of the block, and the list of the inputs that differ from state to state."""
        if not self.places:
            return
        self.block = w.let(f"alloca {w.v}, i64 {len(self.places) * self.vectors}")
        self.varying = w.let(f"alloca i64, i64 {len(self.places)}")
        arguments = f"ptr %in, ptr %in_step, ptr {self.block}, ptr {self.varying}"
        self.count = w.let(f"call i64 @singles.shared({arguments})")

    def fill(self, w: Writer, i: str, last: str) -> None:
        """Writes the copy of the numbers of the states from i on, once the previous ones have been used."""
        if not self.places:
            return
        within = w.whole("and", w.whole("sub", i, "%start"), STATES - 1)
        with w.when(w.compared("eq", within, 0, "i64")):
            arguments = f"ptr %in, ptr %in_step, ptr {self.block}, ptr {self.varying}, i64 {self.count}"
            w.put(f"call void @singles.varied({arguments}, i64 {i}, i64 {last})")
        self.row = w.element(self.block, within, WIDTHS[self.of.real] * len(self.places))

    def load(self, w: Writer, port: int) -> str:
        """Returns the number of a port, as a vector."""
        return w.read(w.v, self.row, self.places[port])

    def functions(self) -> Iterator[str]:
        """Yields the two functions that fill the block."""
        if self.places:
            listed = ", ".join(f"i64 {port}" for port in self.places)
            yield f"@singles.ports = private constant [{len(self.places)} x i64] [{listed}]"
            yield from self._shared()
            yield from self._varied()

    def _shared(self) -> list[str]:
        """Returns the function that fills the vectors of shared inputs, and lists and counts the others."""
        head = "internal i64 @singles.shared(ptr %in, ptr %in_step, ptr %singles, ptr %varying) noinline"
        w, v, lanes = Writer(head, self.of), self.of.elements, self.of.lanes
        with w.loop(0, len(self.places), [("i64", "0")]) as turn:
            place, count = turn.index, turn.values[0]
            data, step, to = self._port(w, place)
            with w.when(w.compared("eq", step, 0, "i64")):
                one = w.let(f"insertelement {v} poison, {self.element} {w.read(self.element, data)}, i32 0")
                spread = w.let(f"shufflevector {v} {one}, {v} poison, <{lanes} x i32> zeroinitializer")
                for k in range(self.vectors):
                    self._store(w, spread, to, k)
            w.write("i64", place, "%varying", count)
            turn.following = [w.whole("add", count, w.counted(w.compared("ne", step, 0, "i64")))]
        return w.done(f"i64 {turn.values[0]}")

    def _varied(self) -> list[str]:
        """Returns the function that copies the inputs that differ, for the states from i on."""
        head = "ptr %in, ptr %in_step, ptr %singles, ptr %varying, i64 %count, i64 %i, i64 %last"
        w, width = Writer(f"internal void @singles.varied({head}) noinline", self.of), self.of.width
        whole = w.compared("sle", w.whole("add", "%i", STATES - 1), "%last", "i64")
        # processors themselves prefetch few arrays; data in the second cache need no prefetch
        is_many = w.compared("ugt", w.whole("mul", "%last", "%count"), MANY // width, "i64")
        with w.loop(0, "%count") as turn:
            data, step, to = self._port(w, w.read("i64", "%varying", turn.index))
            dense, apart, following = w.label(), w.label(), w.label()
            w.branch(w.both(w.compared("eq", step, width, "i64"), whole, "i1"), dense, apart)
            w.begin(dense, linked=False)
            row = w.at(data, "%i", self.element)
            with w.when(is_many):
                for state in range(AHEAD * STATES, (AHEAD + 1) * STATES, LINE // width):
                    # to the second cache, since the first can receive only few lines at a time
                    w.put(f"call void @llvm.prefetch.p0(ptr {w.at(row, state, self.element)}, i32 0, i32 2, i32 1)")
            for k in range(self.vectors):
                at = w.at(row, k, self.of.elements)
                self._store(w, w.let(f"load {self.of.elements}, ptr {at}, align {width}"), to, k)
            w.go(following)
            w.begin(apart, linked=False)
            self._one_by_one(w, data, step, to)
            w.begin(following)
        return w.done()

    def _port(self, w: Writer, place: str) -> tuple[str, str, str]:
        """Returns a port's address, its step, and the address of its first vector in the block."""
        port = w.read("i64", "@singles.ports", place)
        return w.read("ptr", "%in", port), w.read("i64", "%in_step", port), w.at("%singles", place, w.v)

    def _one_by_one(self, w: Writer, data: str, step: str, to: str) -> None:
        """Copies the numbers state by state; states past the last one repeat it."""
        real = self.of.real
        with w.loop(0, STATES) as turn:
            state = turn.index
            row = w.least(w.whole("add", "%i", state), "%last")
            x = w.read(self.element, w.at(data, w.whole("mul", row, step)))
            wide = w.let(f"fpext float {x} to double") if self.of.is_widened else x
            lane = w.whole("and", state, self.of.lanes - 1)
            before = w.whole("mul", w.whole("sub", state, lane), len(self.places))
            w.write(real, wide, to, w.whole("add", before, lane))

    def _store(self, w: Writer, value: str, to: str, k: int) -> None:
        """Stores a vector of an input's numbers, the k-th in the block."""
        w.write(w.v, rows.widened(w, value), to, k * len(self.places))
