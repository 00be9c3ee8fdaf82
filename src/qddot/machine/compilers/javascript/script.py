"""Writes the arithmetic of programs, the types of their functions, and their self-test in JavaScript."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from qddot.algebra.program.operations import CIRCULAR, Operation
from qddot.algebra.program.program import Port, Program, ProgramError
from qddot.machine.compilers.exported import Origin, TrialState, numbers
from qddot.machine.compilers.order import steps
from qddot.machine.compilers.parts import Part, parts
from qddot.machine.compilers.printer import Printer, Tests

OWN = ("q", "qd", "qdd", "tau", "wrenches")  # names of arguments; any other is p and its number
LONGEST = 1500  # steps of a function: V8 never optimises one of more than 60 kB of its code, some 4000 steps


class JavaScript(Printer):
    """This writes programs in JavaScript; in long ones, parts pass values to later parts in the array `frame`.

    parts: the parts of each program, by its name; frame, angles: the numbers of slots and angles that the largest
    program needs
    raises ProgramError: a program's name has characters other than small letters and _
    """

    def __init__(self, programs: Sequence[Program], origin: Origin, name: str, tests: Tests, real: str) -> None:
        super().__init__(programs, origin, name, tests, real)
        self.parts: dict[str, list[Part]] = {}
        self.frame = self.angles = 0
        for program in programs:
            if not re.fullmatch("[a-z_]+", program.name):
                raise ProgramError("program-badly-named", name=repr(program.name))
            ports = enumerate(program.inputs)
            self._names[program.name] = [port.name if port.shape and port.name in OWN else f"p{k}" for k, port in ports]
            order = steps(program, overlapped=False)
            (first, *others), frame = parts(program.nodes, order, {}, LONGEST)
            short = [Part([step for part in (first, *others) for step in part.steps], {}, {})]
            self.parts[program.name] = [first, *others] if len(others) > 1 else short
            self.frame = max(self.frame, frame if len(others) > 1 else 0)
            self.angles = max([self.angles, *(len(step) for step in order if isinstance(step, tuple))])

    def constant(self, value: float) -> str:
        return repr(value)

    def element(self, argument: str, port: Port, place: int) -> str:
        return f"{argument}[{place}]" if port.shape else argument

    def call(self, function: Operation, values: Sequence[str]) -> str:
        return (function.javascript or f"Math.{function.name}({', '.join(values)})").format(*values)

    def assignment(self, variable: str, expression: str) -> str:
        return f"  const {variable} = {expression};"

    def results_of(self, program: Program) -> list[str]:
        """Returns the names of the arrays that a function fills; for a single number, the array is not an argument."""
        return ["out"] if len(program.outputs) == 1 else [f"out{k}" for k in range(len(program.outputs))]

    def is_number(self, program: Program) -> bool:
        """Returns whether a function's result is one number."""
        return [port.shape for port in program.outputs] == [()]

    def comment(self, program: Program) -> Iterator[str]:
        """Yields the comment that describes a function and its arguments."""
        yield f"/** {program.name}"
        yield from (f" *  {line}" for line in self.interface(program))
        yield " */"

    def declaration(self, program: Program) -> str:
        """Returns the function's type."""
        ports = zip(self.names(program), program.inputs, strict=True)
        parameters = [f"{name}: {'ArrayLike<number>' if port.shape else 'number'}" for name, port in ports]
        if self.is_number(program):
            return f"export function {program.name}({', '.join(parameters)}): number;"
        outs = self.results_of(program)
        returned = "Float64Array" if len(outs) == 1 else f"[{', '.join(['Float64Array'] * len(outs))}]"
        parameters += [f"{out}?: Float64Array" for out in outs]
        return f"export function {program.name}({', '.join(parameters)}): {returned};"

    def functions(self, program: Program) -> Iterator[str]:
        """Yields the function, and the parts of a long one as separate functions."""
        cut, names, outs = self.parts[program.name], self.names(program), self.results_of(program)
        sizes = zip(outs, program.outputs, strict=True)
        new = [] if self.is_number(program) else [f"{out} = new Float64Array({port.size})" for out, port in sizes]
        yield f"export function {program.name}({', '.join([*names, *new])}) {{"
        if self.is_number(program):
            yield "  const out = single;"
        if len(cut) == 1:
            yield from self._part(program, cut[0])
            yield from self._returned(program)
            return
        calls = [f"{program.name}_{k}({', '.join(outs if k else [*names, *outs])})" for k in range(len(cut))]
        yield from (f"  {call};" for call in calls)
        yield from self._returned(program)
        for call, part in zip(calls, cut, strict=True):
            yield f"function {call} {{"
            yield from self._part(program, part)
            yield "}"

    def _returned(self, program: Program) -> Iterator[str]:
        outs = self.results_of(program)
        one = f"{outs[0]}[0]" if self.is_number(program) else outs[0]
        yield f"  return {one if len(outs) == 1 else '[' + ', '.join(outs) + ']'};"
        yield "}"

    def _part(self, program: Program, part: Part) -> Iterator[str]:
        """Yields one line for each value that a part reads from the frame, computes, writes to the frame or returns."""
        stored: dict[int, list[str]] = {}
        for out, (_, places) in zip(self.results_of(program), program.result_slices(), strict=True):
            for k, place in enumerate(places):
                stored.setdefault(place, []).append(f"  {out}[{k}] = {self._value(program, place)};")
        yield from (self.assignment(f"t{place}", f"frame[{slot}]") for place, slot in part.loads.items())
        together: Sequence[int] = ()
        for step in part.steps:
            if isinstance(step, tuple):
                together = step
                yield from (f"  angles[{k}] = {self._value(program, angle)};" for k, angle in enumerate(step))
                yield f"  sincos({len(step)});"
                continue
            if program.nodes[step].op != "constant":
                yield self.assignment(f"t{step}", self._computed(program, step, together))
            if step in part.stores:
                yield f"  frame[{part.stores[step]}] = t{step};"
            yield from stored.get(step, ())

    def _computed(self, program: Program, place: int, together: Sequence[int]) -> str:
        """Returns the expression of a node; together: the angles whose sines and cosines have been computed"""
        node = program.nodes[place]
        if node.op == "input":
            port, element = node.element
            return self.element(self.names(program)[port], program.inputs[port], element)
        if node.op in CIRCULAR:
            return f"{'sines' if node.op == 'sin' else 'cosines'}[{together.index(node.args[0])}]"
        return self._operation(node.op, [self._value(program, k) for k in node.args])

    def _value(self, program: Program, place: int) -> str:
        # an element of an input is read once
        return f"t{place}" if program.nodes[place].op == "input" else super()._value(program, place)

    def trial(self, program: Program, states: Sequence[TrialState]) -> Iterator[str]:
        for state in states:
            pairs = zip(state.inputs, program.inputs, strict=True)
            arguments = [f"Float64Array.of({numbers(x)})" if port.shape else numbers(x) for x, port in pairs]
            right = [f"[{numbers(values)}]" for values in state.outputs]
            yield f'  ["{program.name}", {program.name}, [{", ".join(arguments)}], [{", ".join(right)}]],'
