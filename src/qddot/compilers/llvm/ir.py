"""Writes LLVM assembly of a program over a batch: one state per lane, rows of ordinary arrays in and out.

The kernel `void kernel(ptr in, ptr in_step, ptr out, ptr out_step, i64 start, i64 stop)` takes for each
port the address of its first row and the bytes from row to row, and computes the rows start … stop − 1.
`entry` in the same module takes NumPy's arrays from Python.
Lanes past the end repeat the last row, so that the last rows need no code of their own.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from typing import TypeAlias

from qddot.compilers.llvm import entry, lengths, rows, sincos
from qddot.compilers.llvm.lengths import BLOCK
from qddot.compilers.llvm.loops import Loops
from qddot.compilers.llvm.registers import AVX_512, Vectors, bits
from qddot.compilers.llvm.singles import Singles
from qddot.compilers.llvm.streams import Streams
from qddot.compilers.order import Step, steps
from qddot.compilers.parts import Part, executed, parts, reads
from qddot.compilers.rolled import Rolled
from qddot.compilers.rolled import rolled as rolled_up
from qddot.program.program import Program

Group: TypeAlias = tuple[int, range, Sequence[int]]  # an output, some of its columns, the places of all

KEPT = 48  # steps between labels: without, derivatives take 5 % longer
INTRINSICS = ("minimum", "maximum", "sqrt", "rint")
OPERATORS = {"add": "fadd contract", "sub": "fsub contract", "mul": "fmul contract", "div": "fdiv"}


def module(program: Program, of: Vectors) -> tuple[str, int]:
    """Returns the kernel's module, and how hard LLVM shall work on it."""
    kernel = _Kernel(program, of)
    parts = [
        sincos.functions(of, kernel.arithmetic.counts),
        rows.declarations(of),
        kernel.lines(),
        kernel.functions(),
    ]
    if entry.has_entry(program.inputs):
        parts.append(entry.lines(program.inputs, program.outputs, of.element))
    text = "\n".join(line for part in parts for line in part)
    return text, lengths.effort(program, of, kernel.loops is not None)


class Arithmetic:
    """This writes the lines that compute a program's nodes over vectors.

    element: names the vector of an input's element, by the port's place and the element's; prefix: that of the names
    overlapped: as in `steps`
    """

    def __init__(
        self,
        program: Program,
        of: Vectors,
        element: Callable[[int, int], str],
        prefix: str = "v",
        overlapped: bool = True,
    ) -> None:
        self.program = program
        self.of = of
        self.element = element
        self.prefix = prefix
        self.order = steps(program, overlapped)
        self.counts = [len(step) for step in self.order if isinstance(step, tuple)]
        self.circular: dict[int, str] = {}
        self.read_as: dict[int, str] = {}

    def lines(self) -> Iterator[str]:
        for step in self.order:
            yield from self.step(step)

    def step(self, step: Step) -> Iterator[str]:
        """Yields the lines of one node, or of the sines and cosines of several angles."""
        yield from self._circular(step) if isinstance(step, tuple) else self._node(step)

    def value(self, place: int) -> str:
        """Returns the name or the constant of a node."""
        if place in self.read_as:
            return self.read_as[place]
        node = self.program.nodes[place]
        if node.op == "constant":
            return self.of.constant(node.value)
        return self.element(*node.element) if node.op == "input" else f"%{self.prefix}{place}"

    def _node(self, place: int) -> Iterator[str]:
        node, name, v = self.program.nodes[place], f"%{self.prefix}{place}", self.of.reals
        arguments = [self.value(k) for k in node.args]
        if node.op in ("input", "constant"):
            return
        if node.op in OPERATORS:
            yield f"  {name} = {OPERATORS[node.op]} {v} {arguments[0]}, {arguments[1]}"
        elif node.op == "neg":
            yield f"  {name} = fneg {v} {arguments[0]}"
        elif node.op in INTRINSICS:
            given = ", ".join(f"{v} {argument}" for argument in arguments)
            yield f"  {name} = call {v} @llvm.{node.op}.{self.of.suffix}({given})"
        elif node.op in ("sin", "cos"):
            which = 0 if node.op == "sin" else 1
            yield f"  {name} = extractvalue {sincos.pair(self.of)} {self.circular[node.args[0]]}, {which}"
        else:
            yield f"  {name} = call {v} @{node.op}.v({v} {arguments[0]})"

    def _circular(self, angles: tuple[int, ...]) -> Iterator[str]:
        count, together = len(angles), f"%{self.prefix}sc{angles[0]}"
        given, found = ", ".join(f"{self.of.reals} {self.value(k)}" for k in angles), sincos.pairs(count, self.of)
        yield f"  {together} = call {found} @sincos.{count}({given})"
        for k, angle in enumerate(angles):
            self.circular[angle] = f"{together}.{k}"
            yield f"  {together}.{k} = extractvalue {found} {together}, {k}"


def _input(port: int, element: int) -> str:
    """Returns the name of an element of an input, as a vector."""
    return f"%in{port}.c{element}"


class _Kernel:
    """This writes the text of one kernel, line by line."""

    def __init__(self, program: Program, of: Vectors) -> None:
        self.outputs = program.outputs
        rolled = rolled_up(program) if lengths.may_have_loops(program) else None
        # what follows is of the program, or of its head where loops come behind it
        self.program = rolled.head if rolled else program
        self.of = of
        self.lanes = of.lanes
        self.used = sorted({node.element for node in self.program.nodes if node.op == "input"})
        self.singles = Singles([port for port, _ in self.used if not program.inputs[port].shape], of)
        self.in_parts = lengths.are_made(program, of)
        # in parts, few values in the frame are worth more than nodes that do not wait
        self.arithmetic = Arithmetic(self.program, of, _input, overlapped=not self.in_parts)
        order = self.arithmetic.order
        self.order = executed(self.program.nodes, order) if self.in_parts else order
        self.due: Mapping[Step, list[Group]] = defaultdict(list) if rolled else self._due()
        self.streams = self._streams()
        self.stored = {
            step: [places[k] for _, columns, places in groups for k in columns] for step, groups in self.due.items()
        }
        self.parts, self.slots = self._parts(rolled.head.results if rolled else ())
        nodes = self.program.nodes
        known = [place for place, node in enumerate(nodes) if node.op == "constant"] if self.slots else []
        self.constants = {place: row for row, place in enumerate(known)}
        self.loops = self._loops(rolled, program) if rolled else None

    def lines(self) -> Iterator[str]:
        # values on the stack are aligned to cache lines
        aligned = f"alignstack({self.of.bytes})"
        yield f"define void @kernel(ptr %in, ptr %in_step, ptr %out, ptr %out_step, i64 %start, i64 %stop) {aligned} {{"
        yield "entry:"
        yield from self._ports("in", len(self.program.inputs))
        yield from self._ports("out", len(self.outputs))
        yield "  %last = sub i64 %stop, 1"
        yield from self.streams.setup()
        if self.slots:
            yield f"  %frame = alloca [{self.loops.slots if self.loops else self.slots} x {self.of.reals}]"
            yield f"  %places = alloca [{len(self.outputs) * self.lanes} x ptr]"
        yield "  %any = icmp slt i64 %start, %stop"
        yield "  br i1 %any, label %some, label %done"
        yield "some:"
        yield from self.singles.setup()
        yield "  br label %loop"
        yield "loop:"
        yield "  %i = phi i64 [ %start, %some ], [ %next, %finished ]"
        for lane in range(self.lanes):
            yield f"  %past.{lane} = add i64 %i, {lane}"
            yield f"  %row.{lane} = call i64 @llvm.smin.i64(i64 %past.{lane}, i64 %last)"
        yield from self.streams.begun()
        yield from self._rows("in", len(self.program.inputs))
        yield from self._rows("out", len(self.outputs))
        yield from self.singles.filled()
        yield from self._inputs()
        yield from self._computed()
        yield "  br label %latch"
        yield "latch:"
        yield f"  %next = add i64 %i, {self.lanes}"
        yield "  %more = icmp slt i64 %next, %stop"
        yield from self.streams.put()
        yield "  br label %finished"
        yield "finished:"
        yield "  br i1 %more, label %loop, label %done"
        yield "done:"
        yield "  ret void"
        yield "}"
        yield from self.streams.declarations()
        yield from self.singles.declarations()
        yield "declare i64 @llvm.smin.i64(i64, i64)"
        yield "declare i64 @llvm.smax.i64(i64, i64)"
        yield "declare void @llvm.codeview.annotation(metadata)"

    def _ports(self, side: str, count: int) -> Iterator[str]:
        for port in range(count):
            yield f"  %{side}.{port}.at = getelementptr ptr, ptr %{side}, i64 {port}"
            yield f"  %{side}.{port} = load ptr, ptr %{side}.{port}.at"
            yield f"  %{side}_step.{port}.at = getelementptr i64, ptr %{side}_step, i64 {port}"
            yield f"  %{side}_step.{port} = load i64, ptr %{side}_step.{port}.at"

    def _rows(self, side: str, count: int) -> Iterator[str]:
        for port in range(count):
            if side == "in" and not self.program.inputs[port].shape:
                continue
            for lane in range(self.lanes):
                name = f"{side}.{port}.{lane}"
                if side == "out" and port in self.streams.outputs:
                    yield from self.streams.row(name, port, lane)
                    continue
                yield f"  %{name}.off = mul i64 %row.{lane}, %{side}_step.{port}"
                yield f"  %{name} = getelementptr i8, ptr %{side}.{port}, i64 %{name}.off"

    def _inputs(self) -> Iterator[str]:
        """Yields the lines that load every input element that the program reads, as a vector."""
        for k, port in enumerate(self.program.inputs):
            for columns in rows.groups(port.size, self.lanes):
                if not any((k, column) in self.used for column in columns):
                    continue
                if port.shape:
                    yield from rows.load(f"in{k}", f"in.{k}", columns, self.of)
                else:
                    yield from self.singles.load(k, _input(k, 0))

    def _computed(self) -> Iterator[str]:
        """Yields the lines of the nodes, or those that call the parts of a long program."""
        if len(self.parts) > 1:
            yield from self._shared()
        turn = 0
        for step in self.parts[0].steps:
            yield from self.streams.moved(turn, turn := turn + 1)
            yield from self.arithmetic.step(step)
            yield from self._stored(step)
            if turn % KEPT == 0:
                yield from self._kept()
        for place, slot in self.parts[0].left.items():
            yield from self._left(place, slot)
        for k, part in enumerate(self.parts[1:], 1):
            yield from self.streams.moved(turn, turn := turn + len(part.steps))
            yield f"  call void @part.{k}(ptr %frame, ptr %places)"
        if self.loops:
            yield from self.loops.called()

    def _kept(self) -> Iterator[str]:
        """Yields a label, which no instruction passes: compilers would bring many fetches together, and stores.

        A processor has few lines of memory on their way at a time, and waits for one more. Where registers are few, a
        compiler's own order is worth more.
        """
        if self.of.bytes == AVX_512:
            yield '  call void @llvm.codeview.annotation(metadata !{!"kept"})'

    def _shared(self) -> Iterator[str]:
        """Yields the lines that tell the parts where each lane's row of each output is."""
        for k, lane in product(range(len(self.outputs)), range(self.lanes)):
            yield f"  %places.{k}.{lane} = getelementptr ptr, ptr %places, i64 {k * self.lanes + lane}"
            yield f"  store ptr %out.{k}.{lane}, ptr %places.{k}.{lane}"

    def functions(self) -> Iterator[str]:
        """Yields the parts of a long program as functions, and the table of its constants."""
        if self.constants:
            real, nodes = self.of.real, self.program.nodes
            values = ", ".join(f"{real} {bits(nodes[place].value, real)}" for place in self.constants)
            yield f"@constants = private constant [{len(self.constants)} x {real}] [{values}]"
        for number, part in enumerate(self.parts[1:], 1):
            yield f"define private void @part.{number}(ptr %frame, ptr %places) noinline {{"
            for k in dict.fromkeys(k for step in part.steps for k, _, _ in self.due[step]):
                for lane in range(self.lanes):
                    yield f"  %at.{k}.{lane} = getelementptr ptr, ptr %places, i64 {k * self.lanes + lane}"
                    yield f"  %out.{k}.{lane} = load ptr, ptr %at.{k}.{lane}"
            yield from self._part(part)
            yield from ("  ret void", "}")
        if self.loops:
            yield from self.loops.functions()

    def _part(self, part: Part) -> Iterator[str]:
        """Yields the lines of a part.

        What waits in the frame is read again in every block of a few steps, through a pointer that nothing is known of:
        else compilers keep it after the first reading, on the stack.
        """
        waiting = dict(part.taken)
        for start in range(0, len(part.steps), BLOCK):
            frame, fresh = f"%frame.{start}", set[int]()
            yield f'  {frame} = call ptr asm "", "=r,0"(ptr %frame)'
            for step in part.steps[start : start + BLOCK]:
                for place in reads(self.program.nodes, step, self.stored):
                    if (place in waiting or place in self.constants) and place not in fresh:
                        fresh.add(place)
                        name = self.arithmetic.read_as[place] = f"%v{place}.{start}"
                        if place in self.constants:
                            yield from self._constant(place, name)
                            continue
                        yield f"  {name}.at = getelementptr {self.of.reals}, ptr {frame}, i64 {waiting[place]}"
                        yield f"  {name} = load {self.of.reals}, ptr {name}.at"
                yield from self.arithmetic.step(step)
                yield from self._stored(step)
                if isinstance(step, int) and step in part.left:
                    yield from self._left(step, part.left[step])
                    waiting[step] = part.left[step]
                    fresh.add(step)
        self.arithmetic.read_as.clear()

    def _constant(self, place: int, name: str) -> Iterator[str]:
        """Yields the lines that read a constant from the table that all parts share."""
        v, real, row = self.of.reals, self.of.real, self.constants[place]
        yield f"  {name}.at = getelementptr {real}, ptr @constants, i64 {row}"
        yield f"  {name}.x = load {real}, ptr {name}.at"
        yield f"  {name}.o = insertelement {v} poison, {real} {name}.x, i32 0"
        yield f"  {name} = shufflevector {v} {name}.o, {v} poison, <{self.lanes} x i32> zeroinitializer"

    def _left(self, place: int, slot: int) -> Iterator[str]:
        """Yields the lines that put a value into the frame."""
        yield f"  %to{place} = getelementptr {self.of.reals}, ptr %frame, i64 {slot}"
        yield f"  store {self.of.reals} {self.arithmetic.value(place)}, ptr %to{place}"

    def _stored(self, step: Step) -> Iterator[str]:
        """Yields the lines that store the groups of result columns whose last node is computed in a step."""
        for k, columns, places in self.due[step]:
            values = [self.arithmetic.value(places[column]) for column in columns]
            yield from rows.store(f"out{k}", f"out.{k}", columns, values, self.of)

    def _due(self) -> Mapping[Step, list[Group]]:
        """Returns the groups of result columns by the step that computes their last node."""
        due: dict[Step, list[Group]] = defaultdict(list)
        turn = {step: k for k, step in enumerate(self.order)}
        for k, (port, places) in enumerate(self.program.result_slices()):
            for columns in rows.groups(port.size, self.lanes):
                last = max((places[column] for column in columns), key=lambda place: turn[place])
                due[last].append((k, columns, places))
        return due

    def _streams(self) -> Streams:
        """Returns what moves the rows, while the program's steps are computed."""
        inputs = {k: port.size for k, port in enumerate(self.program.inputs) if port.shape and port.size}
        streams = Streams(inputs, {k: port.size for k, port in enumerate(self.outputs)}, self.of)
        streams.spread(len(self.order))
        return streams

    def _parts(self, kept: Sequence[int]) -> tuple[list[Part], int]:
        """Returns the parts of the program, a short one in one piece, and the slots of their frame; kept: as there."""
        order = self.arithmetic.order
        if not self.in_parts:
            return [Part(order, {}, {})], 0
        return parts(self.program.nodes, order, self.stored, lengths.SIZE, kept)

    def _loops(self, rolled: Rolled, program: Program) -> Loops:
        """Returns the loops behind the head, whose values wait in the frame."""
        slots = {place: slot for part in self.parts for place, slot in part.left.items()}
        head = {place: slots[result] for place, result in zip(rolled.heads, rolled.head.results, strict=True)}
        return Loops(rolled, program, head, self.slots, self.of)
