"""What a function of a library is given: the arguments of its call, and the program in which it is called."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from qddot.teach.check.reading.programs.arrays import formula_of, values_of
from qddot.teach.check.reading.programs.stating import Equations
from qddot.teach.check.reading.programs.values import Formula, Function, is_listed


class Interprets(Protocol):
    """This is what functions of libraries need of an interpreter."""

    equations: Equations

    def apply(self, function: Any, arguments: Sequence[Any], at: int) -> Any:
        """Returns the value of a function for some arguments."""

    def state(self, function: Function) -> Any:
        """Returns the result of a function with its parameters as symbols, after stating its equations."""


@dataclass(slots=True)
class Call:
    """This is a call of a function of a library; values: its arguments, by_name: those such as axis=0."""

    program: Interprets
    values: list[Any]
    by_name: dict[str, Any]
    at: int

    def __getitem__(self, k: int) -> Any:
        """Returns an argument. raises IndexError: there are fewer"""
        return self.values[k]

    def __len__(self) -> int:
        return len(self.values)

    def formula(self, k: int = 0) -> Formula:
        """Returns an argument as a formula."""
        return formula_of(self.values[k], self.at)

    def listed(self, k: int = 0) -> list[Any]:
        """Returns the entries of an argument."""
        return list(values_of(self.values[k], self.at))

    def parts(self) -> list[Any]:
        """Returns the arguments, or those in the only one if that is a list."""
        return list(self.values[0]) if len(self.values) == 1 and is_listed(self.values[0]) else self.values


Known: TypeAlias = Callable[[Call], Any]
