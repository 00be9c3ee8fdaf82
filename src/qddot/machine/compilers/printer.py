"""Has the part of the export that all languages share; a language defines five methods and the layout of its files."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Protocol, TypeAlias

from qddot.algebra.program.operations import LEAVES, OPERATIONS, Operation
from qddot.algebra.program.program import Port, Program
from qddot.machine.compilers.exported import Origin, TrialState, arguments, interface

Tests: TypeAlias = Mapping[str, Sequence[TrialState]]  # the states of the self-test of each function, by its name


class Target(Protocol):
    """A target is the module of a language to which programs can be exported."""

    REALS: Sequence[str]  # names of its precisions, "double" first

    def files(
        self, programs: Sequence[Program], origin: Origin, name: str, tests: Tests, real: str = "double"
    ) -> dict[str, str]:
        """Returns the texts of some functions with their self-test, by file name."""
        ...


class Printer(ABC):
    """A printer writes programs in one language; `name` is the files' name.

    A language is a subclass with the five methods below, and a function that lays out its files from `operations`,
    `results`, `interface` and `trials`.
    """

    reserved: Collection[str] = ()  # names that no argument may have

    def __init__(self, programs: Sequence[Program], origin: Origin, name: str, tests: Tests, real: str) -> None:
        self.programs, self.origin, self.name, self.tests, self.real = programs, origin, name, tests, real
        self._names = {
            program.name: arguments(program, self.reserved_names(program), self.spelled) for program in programs
        }

    @abstractmethod
    def constant(self, value: float) -> str:
        """Returns a number that is not negative."""

    @abstractmethod
    def element(self, argument: str, port: Port, place: int) -> str:
        """Returns one element of an input; place: its index in row-major order"""

    @abstractmethod
    def call(self, function: Operation, values: Sequence[str]) -> str:
        """Returns a function of values."""

    @abstractmethod
    def assignment(self, variable: str, expression: str) -> str:
        """Returns the line that assigns an expression to a new variable."""

    @abstractmethod
    def trial(self, program: Program, states: Sequence[TrialState]) -> Iterator[str]:
        """Yields the lines that call a function in some states and compare its results with the right ones."""

    def spelled(self, name: str) -> str:
        """Returns an input's name as an identifier; names that the language reads as one have one identifier."""
        return name

    def reserved_names(self, program: Program) -> Collection[str]:
        """Returns the names that no argument of this function may have."""
        return self.reserved

    def names(self, program: Program) -> list[str]:
        """Returns the names of the arguments."""
        return list(self._names[program.name])

    def interface(self, program: Program) -> list[str]:
        """Returns the lines that describe a function and its arguments."""
        return interface(program, self._names[program.name], self.origin)

    def operations(self, program: Program) -> Iterator[str]:
        """Yields one line for each value that is computed."""
        for place, node in enumerate(program.nodes):
            if node.op not in LEAVES:
                values = [self._value(program, k) for k in node.args]
                yield self.assignment(f"t{place}", self._operation(node.op, values))

    def results(self, program: Program) -> Iterator[tuple[Port, list[str]]]:
        """Yields each output with its elements' expressions."""
        for port, places in program.result_slices():
            yield port, [self._value(program, place) for place in places]

    def trials(self) -> Iterator[str]:
        """Yields the self-test's lines for every function in a few states."""
        for program in self.programs:
            if states := self.tests.get(program.name):
                yield from self.trial(program, states)

    def _operation(self, op: str, values: Sequence[str]) -> str:
        operation = OPERATIONS[op]
        if not operation.sign:
            return self.call(operation, values)
        return f" {operation.sign} ".join(values) if operation.arity > 1 else operation.sign + values[0]

    def _value(self, program: Program, place: int) -> str:
        node = program.nodes[place]
        if node.op == "input":
            port, element = node.element
            return self.element(self._names[program.name][port], program.inputs[port], element)
        if node.op == "constant":
            return self.constant(node.value) if node.value >= 0 else f"(-{self.constant(-node.value)})"
        return f"t{place}"
