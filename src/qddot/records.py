"""Frozen data classes whose start is short: modules with many of them are loaded by every command.

`dataclasses` writes and compiles the text of each method of each class. Here equality, hash and repr are the same
few functions for all classes, which do what the written ones do.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from operator import attrgetter
from reprlib import recursive_repr
from typing import Any, TypeVar, dataclass_transform

Class = TypeVar("Class", bound=type)


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def record(*, slots: bool = False) -> Callable[[Class], Class]:
    """Returns what makes a class a frozen data class, in every respect as `dataclass(frozen=True)` does."""

    def made(kind: Class) -> Class:
        own = dict(vars(kind))
        found: Any = dataclass(frozen=True, repr=False, eq=False, slots=slots)(kind)
        names = [entry.name for entry in fields(found) if entry.repr]
        compared = [entry.name for entry in fields(found) if entry.compare]
        shared = {"__repr__": _repr(names), "__eq__": _equality(compared), "__hash__": _hash(compared)}
        if own.get("__hash__") is None:
            own.pop("__hash__", None)  # None stands where a class has an equality of its own
        for name, method in shared.items():
            if name not in own:
                setattr(found, name, method)
        return found  # type: ignore[no-any-return]

    return made


def _values(names: list[str]) -> Callable[[Any], tuple[Any, ...]]:
    """Returns a function of an object that returns the values of some attributes."""
    if not names:
        return lambda of: ()
    values = attrgetter(*names)
    return values if len(names) > 1 else lambda of: (values(of),)


def _equality(names: list[str]) -> Callable[[Any, object], Any]:
    values = _values(names)

    def equals(self: Any, other: object) -> Any:
        return values(self) == values(other) if other.__class__ is self.__class__ else NotImplemented

    return equals


def _hash(names: list[str]) -> Callable[[Any], int]:
    values = _values(names)
    return lambda of: hash(values(of))


def _repr(names: list[str]) -> Callable[[Any], str]:
    @recursive_repr()
    def shown(self: Any) -> str:
        return f"{type(self).__qualname__}({', '.join(f'{name}={getattr(self, name)!r}' for name in names)})"

    return shown
