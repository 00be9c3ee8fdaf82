"""Writes ż = f(t, z) as a function for reading: parameters, sines and cosines, matrices by name, and the law."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from typing import ClassVar, NamedTuple

from qddot.exact.printing import legend
from qddot.exact.printing.notation import rate
from qddot.exact.printing.source_text import SourceText, wrapped
from qddot.exact.printing.tree import Product, Sum
from qddot.exact.printing.writer import Array, Sheet

OWN = frozenset({"t", "z", "zDot", "tau", "qdd"})  # names that the function uses itself
INDENT = "    "


class Parameter(NamedTuple):
    """A parameter is a symbol with its number; without one it is an argument. about: its unit and meaning"""

    name: str
    value: Sum | None
    about: str


class Block(NamedTuple):
    """A block is an array of the equations with what multiplies it. of: a column, or nothing for torques"""

    sentence: str
    array: Array
    of: Sequence[Product] = ()


class StateFunction(NamedTuple):
    """This is the state derivative of an arm whose state z has n coordinates and their n rates.

    title: the arm's; notes: sentences about its torques and origin
    blocks: the parts of the equations, which are added: the mass matrix, then the others
    """

    name: str
    title: str
    notes: Sequence[str]
    coordinates: Sequence[str]
    parameters: Sequence[Parameter]
    blocks: Sequence[Block]

    @property
    def rates(self) -> list[str]:
        return [rate(name).text for name in self.coordinates]


class WrittenFunction(ABC):
    """This is a state function in one language, with the identifiers of its names.

    SUFFIX: of its file; LANGUAGE: writes its expressions, with short names for sines and cosines
    END, TIMES, NEXT: the end of a statement, the product of matrices, and what stands between the entries of a column
    """

    SUFFIX: ClassVar[str]
    LANGUAGE: ClassVar[type[SourceText]]
    END: ClassVar[str]
    TIMES: ClassVar[str]
    NEXT: ClassVar[str]

    def __init__(self, function: StateFunction) -> None:
        self.function, self.name, self.n = function, function.name, len(function.coordinates)
        names = [*function.coordinates, *function.rates, *(each.name for each in function.parameters)]
        self.language = self.LANGUAGE(names)
        identifiers = self.language.identifiers
        self.q, self.qd = ([identifiers[name] for name in of] for of in (function.coordinates, function.rates))
        self.free = {identifiers[each.name]: each.about for each in function.parameters if each.value is None}
        self.arguments = ", ".join(["t", "z", *self.free])
        mass, *others = function.blocks
        self.M, self.others = self.language.named(mass.array), list(map(self.factor, others))

    def text(self) -> str:
        """Returns the file: the function with its documentation."""
        parts = (self.opening(), self._parameters(), self.state(), self._short_names(), *self._blocks(), self.law())
        body = "\n\n".join("\n".join(part) for part in parts if part).splitlines()
        return "\n".join([*self.head(body), *(f"{INDENT}{line}".rstrip() for line in body), *self.end(), ""])

    @abstractmethod
    def head(self, body: Sequence[str]) -> list[str]:
        """Returns the lines before the statements: the function's name, arguments and documentation."""

    @abstractmethod
    def usage(self) -> list[str]:
        """Returns sentences on the arguments and the result."""

    @abstractmethod
    def examples(self) -> list[str]:
        """Returns sentences with statements that integrate the function."""

    @abstractmethod
    def state(self) -> list[str]:
        """Returns the statements that take coordinates and rates from the state."""

    @abstractmethod
    def law(self) -> list[str]:
        """Returns the statements that solve for the accelerations and return the state's derivative."""

    def opening(self) -> list[str]:
        """Returns the statements before all others."""
        return []

    def end(self) -> list[str]:
        """Returns the lines after the statements."""
        return []

    def documentation(self) -> list[str]:
        """Returns what the function computes, how it is integrated, and where it comes from."""
        left = " + ".join([f"{self.M}{self.TIMES}qdd", *self.others])
        equation = wrapped(f"{INDENT}{left} = tau")
        arguments = [f"{name}: {about}" for name, about in self.free.items()]
        parts = ([*self.usage(), *arguments], [equation], self.examples(), self.function.notes)
        return "\n\n".join("\n".join(part) for part in parts).splitlines()

    def factor(self, block: Block) -> str:
        """Returns the product of a block with its column, or the name of torques."""
        name = self.language.named(block.array)
        column = self.column(self.language.write(Sum((each,))) for each in block.of)
        return f"{name}{self.TIMES}{column}" if block.of else name

    def column(self, entries: Iterable[str]) -> str:
        """Returns a column in brackets."""
        return f"[{self.NEXT.join(entries)}]"

    def _parameters(self) -> list[str]:
        """Returns the statements that set parameters, each with its unit and meaning."""
        return [
            f"{self.language.statement(self.language.identifiers[name], (), [value])}{self._about(about)}"
            for name, value, about in self.function.parameters
            if value is not None
        ]

    def _short_names(self) -> list[str]:
        """Returns the statements that name sines and cosines."""
        named = legend.shortened_functions(Sheet([block.array for block in self.function.blocks]).atoms())
        return [f"{short.text} = {self.language.write(function)}{self.END}" for short, function in named]

    def _blocks(self) -> Iterator[list[str]]:
        """Yields the statements that assign each matrix, after its meaning."""
        for block in self.function.blocks:
            yield [self._comment(block.sentence), self.language.assigned(block.array)]

    def _about(self, about: str) -> str:
        return f"  {self._comment(about)}" if about else ""

    def _comment(self, text: str) -> str:
        return f"{self.language.comment} {text}".rstrip()
