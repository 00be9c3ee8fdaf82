"""Writes LLVM assembly of a program over a batch: one state per lane, rows of ordinary arrays in and out.

The kernel `void kernel(ptr in, ptr in_step, ptr out, ptr out_step, i64 start, i64 stop)` takes for each
port the address of its first row and the bytes from row to row, and computes the rows start … stop − 1.
Lanes past the end repeat the last row, so that the last rows need no code of their own.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from qddot.algebra.program.program import Program
from qddot.machine.compilers.llvm import rows, sincos
from qddot.machine.compilers.llvm.arithmetic import Arithmetic
from qddot.machine.compilers.llvm.loops import Loops
from qddot.machine.compilers.llvm.registers import AVX, AVX_512, Vectors, bits
from qddot.machine.compilers.llvm.singles import Singles
from qddot.machine.compilers.llvm.streams import Streams
from qddot.machine.compilers.llvm.writer import Writer
from qddot.machine.compilers.order import Step, is_wide
from qddot.machine.compilers.parts import Part, executed, parts, reads
from qddot.machine.compilers.rolled import Rolled
from qddot.machine.compilers.rolled import rolled as rolled_up

Group: TypeAlias = tuple[int, range, Sequence[int]]  # an output, a group of its columns, the places of all columns

KEPT = 48  # steps between labels: without labels, derivatives take 12 % longer, and 70 % longer with data in memory
# nodes of one piece, without loops: derivatives of τ of eight joints take 232 ns, in parts 253; those of q̈ of a
# quadruped with 18 velocities take 892 ns, with loops 1,284
LONGEST = 20_000
LONGEST_IN_FEW_REGISTERS = 2_500  # a Panda's derivatives of τ, which have more: in parts 174 ns a state, else 184
LONG = 20_000  # more nodes get less effort: derivatives of twenty joints compile in 2.5 s, not 2.8, and are as fast
SIZE = 250  # steps of a part; derivatives of q̈ of the Panda take 256 ns a state, and 268 with 500 steps
BLOCK = 100  # steps that share one load of a value from the frame: 268 ns, with 25 steps 277, with 400 steps 343


def module(program: Program, of: Vectors) -> tuple[str, int]:
    """Returns the kernel's module, and LLVM's effort for it, of which more gains little for straight-line programs."""
    text = _Text(program, of)
    functions = [
        sincos.functions(of, text.arithmetic.counts),
        text.kernel(),
        text.functions(),
    ]
    lines = "\n".join(line for function in functions for line in function)
    # programs with loops load all values from memory and store them there
    return lines, (1 if text.loops else 2) - (len(program.nodes) > LONG)


class _Text:
    """This writes the functions of one kernel.

    addresses: the address of each lane's row of each output, in the function that is being written
    """

    def __init__(self, program: Program, of: Vectors) -> None:
        self.outputs = program.outputs
        rolled = rolled_up(program) if len(program.nodes) > LONGEST else None
        # if loops follow the head, the program is only the head from here on
        self.program = rolled.head if rolled else program
        self.of = of
        self.lanes = of.lanes
        self.used = sorted({node.element for node in self.program.nodes if node.op == "input"})
        self.singles = Singles([port for port, _ in self.used if not program.inputs[port].shape], of)
        self.in_parts = len(program.nodes) > (LONGEST_IN_FEW_REGISTERS if of.bytes == AVX else LONGEST)
        # in parts, nodes that would wait are not moved, since this would put more values into the frame
        self.arithmetic = Arithmetic(self.program, of, overlapped=not self.in_parts)
        order = self.arithmetic.order
        self.order = executed(self.program.nodes, order) if self.in_parts else order
        self.due: Mapping[Step, list[Group]] = defaultdict(list) if rolled else self._due()
        self.streams = Streams({k: port.size for k, port in enumerate(self.outputs)}, len(self.order), of)
        self.stored = {
            step: [places[k] for _, columns, places in groups for k in columns] for step, groups in self.due.items()
        }
        self.parts, self.slots = self._parts(rolled.head.results if rolled else ())
        nodes = self.program.nodes
        constants = [place for place, node in enumerate(nodes) if node.op == "constant"] if self.slots else []
        self.constants = {place: row for row, place in enumerate(constants)}
        self.loops = self._loops(rolled, program) if rolled else None
        self.addresses: dict[int, list[str]] = {}

    def kernel(self) -> list[str]:
        """Returns the kernel itself."""
        # values on the stack are aligned to cache lines
        head = "ptr %in, ptr %in_step, ptr %out, ptr %out_step, i64 %start, i64 %stop"
        w = Writer(f"void @kernel({head}) alignstack({self.of.bytes})", self.of)
        ports = {
            (side, k): (w.read("ptr", f"%{side}", k), w.read("i64", f"%{side}_step", k))
            for side, count in (("in", len(self.program.inputs)), ("out", len(self.outputs)))
            for k in range(count)
        }
        last = w.whole("sub", "%stop", 1)
        self.streams.setup(w, ports)
        frame, places = self._frame(w)
        with w.when(w.compared("slt", "%start", "%stop", "i64")):
            self.singles.setup(w)
            with w.turns("%start", "%stop", self.lanes) as turn:
                i = turn.index
                past = (w.whole("add", i, lane) for lane in range(self.lanes))
                states = [w.least(state, last) for state in past]
                self.streams.start(w, i)
                row = {side: self._rows(w, side, ports, states) for side in ("in", "out")}
                self.addresses = row["out"]
                self.singles.fill(w, i, last)
                self.arithmetic.inputs = self._inputs(w, row["in"])
                self._compute(w, frame, places)
                self.streams.put(w, i)
        return w.done()

    def functions(self) -> Iterator[str]:
        """Yields the functions that the kernel calls: a long program's parts, with their constants, and loops."""
        yield from self.streams.functions()
        yield from self.singles.functions()
        if self.constants:
            real, nodes = self.of.real, self.program.nodes
            values = ", ".join(f"{real} {bits(nodes[place].value, real)}" for place in self.constants)
            yield f"@constants = private constant [{len(self.constants)} x {real}] [{values}]"
        for number, part in enumerate(self.parts[1:], 1):
            yield from self._part(number, part)
        if self.loops:
            yield from self.loops.functions()

    def _frame(self, w: Writer) -> tuple[str, str]:
        """Returns the address of a long program's frame, and that of the table of its results' rows."""
        if not self.slots:
            return "", ""
        slots = self.loops.slots if self.loops else self.slots
        frame = w.let(f"alloca [{slots} x {w.v}]")
        return frame, w.let(f"alloca [{len(self.outputs) * self.lanes} x ptr]")

    def _rows(
        self, w: Writer, side: str, ports: Mapping[tuple[str, int], tuple[str, str]], states: Sequence[str]
    ) -> dict[int, list[str]]:
        """Returns the address of each lane's row of each input, or of each output."""
        addresses = {}
        for k, port in enumerate(self.program.inputs if side == "in" else self.outputs):
            if side == "out" and k in self.streams.streams:
                addresses[k] = [self.streams.row(w, k, lane) for lane in range(self.lanes)]
            elif side == "out" or port.shape:
                data, step = ports[side, k]
                addresses[k] = [w.at(data, w.whole("mul", state, step)) for state in states]
        return addresses

    def _inputs(self, w: Writer, addresses: Mapping[int, Sequence[str]]) -> dict[tuple[int, int], str]:
        """Returns every input element that the program reads, as a vector."""
        elements: dict[tuple[int, int], str] = {}
        for k, port in enumerate(self.program.inputs):
            for columns in rows.groups(port.size, self.lanes):
                if any((k, column) in self.used for column in columns):
                    vectors = rows.load(w, addresses[k], columns) if port.shape else [self.singles.load(w, k)]
                    elements |= {(k, column): vector for column, vector in zip(columns, vectors, strict=True)}
        return elements

    def _compute(self, w: Writer, frame: str, places: str) -> None:
        """Writes the nodes, or calls the parts of a long program."""
        if len(self.parts) > 1:
            for k, row in self.addresses.items():
                for lane, address in enumerate(row):
                    w.write("ptr", address, places, k * self.lanes + lane)
        turn = 0
        for step in self.parts[0].steps:
            self.streams.fetch(w, turn, turn := turn + 1)
            self.arithmetic.step(w, step)
            self._store(w, step)
            if turn % KEPT == 0:
                self._keep_order(w)
        for place, slot in self.parts[0].stores.items():
            w.write(w.v, self.arithmetic.value(place), frame, slot)
        for k, part in enumerate(self.parts[1:], 1):
            self.streams.fetch(w, turn, turn := turn + len(part.steps))
            w.put(f"call void @part.{k}(ptr {frame}, ptr {places})")
        if self.loops:
            self.loops.call(w, frame, places)

    def _keep_order(self, w: Writer) -> None:
        """Writes a label across which LLVM moves no instruction; otherwise LLVM would group many prefetches and stores.

        A processor can transfer only a few cache lines at a time, and has to wait before the next. With few registers,
        LLVM's own order is faster.
        """
        if self.of.bytes == AVX_512:
            w.put('call void @llvm.codeview.annotation(metadata !{!"kept"})')

    def _part(self, number: int, part: Part) -> list[str]:
        """Returns the function of a part.

        Values in the frame are loaded again in every block of steps, through a pointer that is opaque to LLVM:
        otherwise it would copy them to the stack after the first load.
        """
        w = Writer(f"private void @part.{number}(ptr %frame, ptr %places) noinline", self.of)
        names = self.arithmetic.names = {}
        self.addresses = {
            k: [w.read("ptr", "%places", k * self.lanes + lane) for lane in range(self.lanes)]
            for k in dict.fromkeys(k for step in part.steps for k, _, _ in self.due[step])
        }
        waiting = dict(part.loads)
        for start in range(0, len(part.steps), BLOCK):
            frame, fresh = w.let('call ptr asm "", "=r,0"(ptr %frame)'), set[int]()
            for step in part.steps[start : start + BLOCK]:
                for place in reads(self.program.nodes, step, self.stored):
                    if (place in waiting or place in self.constants) and place not in fresh:
                        fresh.add(place)
                        is_constant = place in self.constants
                        names[place] = self._constant(w, place) if is_constant else w.read(w.v, frame, waiting[place])
                self.arithmetic.step(w, step)
                self._store(w, step)
                if isinstance(step, int) and step in part.stores:
                    w.write(w.v, self.arithmetic.value(step), "%frame", part.stores[step])
                    waiting[step] = part.stores[step]
                    fresh.add(step)
        return w.done()

    def _constant(self, w: Writer, place: int) -> str:
        """Returns a constant from the table that all parts share."""
        return w.spread(w.read(self.of.real, "@constants", self.constants[place]))

    def _store(self, w: Writer, step: Step) -> None:
        """Stores the groups of result columns whose last node is computed in a step."""
        for k, columns, places in self.due[step]:
            rows.store(w, self.addresses[k], columns, [self.arithmetic.value(places[column]) for column in columns])

    def _due(self) -> Mapping[Step, list[Group]]:
        """Returns the groups of result columns by the step that computes their last node.

        If there are many results, a group of constants follows the group before it, with which it shares a cache line.
        """
        due: dict[Step, list[Group]] = defaultdict(list)
        turn = {step: k for k, step in enumerate(self.order)}
        nodes, waits = self.program.nodes, is_wide(self.program)
        for k, (port, places) in enumerate(self.program.result_slices()):
            last: Step | None = None
            for columns in rows.groups(port.size, self.lanes):
                if last is None or not waits or any(nodes[places[column]].op != "constant" for column in columns):
                    last = max((places[column] for column in columns), key=lambda place: turn[place])
                due[last].append((k, columns, places))
        return due

    def _parts(self, lasting: Sequence[int]) -> tuple[list[Part], int]:
        """Returns the parts of the program (one if it is short), and the frame's slots; lasting: as in `parts`"""
        order = self.arithmetic.order
        if not self.in_parts:
            return [Part(order, {}, {})], 0
        return parts(self.program.nodes, order, self.stored, SIZE, lasting)

    def _loops(self, rolled: Rolled, program: Program) -> Loops:
        """Returns the loops that follow the head, whose values are in the frame."""
        slots = {place: slot for part in self.parts for place, slot in part.stores.items()}
        head = {place: slots[result] for place, result in zip(rolled.heads, rolled.head.results, strict=True)}
        return Loops(rolled, program, head, self.slots, self.of)
