"""Writes expressions as statements of programming languages that compute them."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Collection, Iterator, Sequence

from qddot.algebra.expressions.identifiers import distinct
from qddot.base.errors import QddotError
from qddot.exact.printing.notation import DEGREE, PI
from qddot.exact.printing.text import WIDTH, Infix
from qddot.exact.printing.tree import Sum, Symbol
from qddot.exact.printing.writer import Array, Definition, LinearEquations, Sheet, Writer

SIGN = re.compile(r" [+-] ")
SIGNS = re.compile(r"\W")  # of T1[1,4], which becomes T1_1_4


class SourceText(Infix):
    """This writes expressions of a programming language, in which different names have different identifiers."""

    short_names = False
    reserved: Collection[str] = ()  # names that the language or the statements use
    comment = "#"

    def __init__(self, names: Sequence[str] = ()) -> None:
        """names: all names that may occur"""
        super().__init__()
        names = [name for name in names if name != PI.text]
        self.identifiers = dict(zip(names, distinct(names, self.spelled, self.reserved.__contains__), strict=True))

    @abstractmethod
    def spelled(self, name: str) -> str:
        """Returns a name as the language writes it; names that it reads as one have one spelling."""

    @abstractmethod
    def statement(self, name: str, shape: tuple[int, ...], entries: Sequence[Sum]) -> str:
        """Returns the statements that assign a number or an array."""

    def solution(self, system: LinearEquations) -> str:
        """Returns the statements that solve linear equations. raises QddotError: the language cannot"""
        names = f"{system.names[0][0]} … {system.names[-1][-1]}"
        raise QddotError("cannot-solve-linear", names=names)

    def renamed(self) -> list[str]:
        """Returns comments on the names whose identifiers are others than their spelling."""
        pairs = self.identifiers.items()
        return [f"{self.comment} {new} is {name}" for name, new in pairs if new != self.spelled(name)]

    def assigned(self, array: Array) -> str:
        """Returns the statements that assign an array to its name."""
        return self.statement(self.named(array), array.shape, array.written_entries())

    def named(self, array: Array) -> str:
        """Returns the identifier of an array."""
        return identifier_of(array.program_name, self.identifiers.values())

    def symbol(self, symbol: Symbol) -> str:
        return "pi/180" if symbol is DEGREE else self.identifiers.get(symbol.text, symbol.text)


def wrapped(line: str, indent: int = 8, end: str = "") -> str:
    """Returns a statement on lines that are short enough, broken before signs, outside brackets where that is possible.

    indent: of the other lines; end: what a broken line ends with
    """
    lines = []
    while len(line) > WIDTH and (signs := [sign.start() for sign in SIGN.finditer(line, indent + 1)]):
        near = [place for place in signs if place <= WIDTH] or signs[:1]
        place = min(reversed(near), key=lambda k: line.count("(", 0, k) - line.count(")", 0, k))
        lines.append(line[:place] + end)
        line = " " * indent + line[place + 1 :]
    return "\n".join([*lines, line])


def nested(shape: tuple[int, ...], entries: Sequence[str], depth: int = 0) -> str:
    """Returns nested lists; a list that is too long for a line has one part per line."""
    if not shape:
        return entries[0]
    size = len(entries) // shape[0] if shape[0] else 0
    parts = [nested(shape[1:], entries[k * size : (k + 1) * size], depth + 1) for k in range(shape[0])]
    line = f"[{', '.join(parts)}]"
    if len(line) <= WIDTH - 4 * depth and "\n" not in line:
        return line
    gap = "\n" + "    " * depth
    return "[" + "".join(f"{gap}    {part}," for part in parts) + f"{gap}]"


def identifier_of(name: str, names: Collection[str] = ()) -> str:
    """Returns the name of a quantity in a program, with underscores after it where a symbol has that name."""
    identifier = SIGNS.sub("_", name).strip("_") or "value"
    while identifier in names:
        identifier += "_"
    return identifier


class ProgramWriter(Writer):
    """This writes statements that assign arrays, after those that assign the names that are defined."""

    width = WIDTH

    def __init__(self, sentence: str, language: type[SourceText], head: Sequence[str] = ()) -> None:
        """language: makes expressions over names; head: the first lines of a program"""
        self.sentence, self.comment = sentence, (language.comment, "")
        self._language, self._head = language, head

    def array(self, array: Array, width: int) -> str:
        language = self._language(array.names())
        return "\n".join([*language.renamed(), language.assigned(array)])

    def sheet(self, sheet: Sheet, width: int) -> str:
        language = self._language(list(dict.fromkeys(self.names(sheet))))
        return "\n".join([*self.head(sheet, language), *language.renamed(), *self._statements(language, sheet)])

    def head(self, sheet: Sheet, language: SourceText) -> list[str]:
        """Returns the first lines of a program."""
        return [*self._head]

    def names(self, sheet: Sheet) -> Iterator[str]:
        """Yields the names that the program must not use for others, some of them several times."""
        for array in sheet.arrays:
            yield from array.names()
        for definitions in sheet.definitions:
            yield from definitions.names

    def _statements(self, language: SourceText, sheet: Sheet) -> Iterator[str]:
        for part in (part for definitions in sheet.definitions for part in definitions.parts):
            if isinstance(part, Definition):
                yield language.statement(language.identifiers[part.name], (), [part.right])
            else:
                yield language.solution(part)
        yield from map(language.assigned, sheet.arrays)
