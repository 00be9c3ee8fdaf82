"""Makes frozen data classes that are loaded quickly, since every command loads modules with many of them.

A class of data that does not change is a `record`. One that changes is a `dataclass`. A NamedTuple is a tuple that has
names: it is unpacked where it is used, or there are so many of it that each must be small and quick to make.

`dataclasses` writes and compiles the text of each method of each class. This module writes only that of `__init__`. All
classes share a few functions as their other methods, which do the same as those that `dataclasses` writes.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import MISSING, Field, FrozenInstanceError, dataclass, field, fields
from operator import attrgetter
from reprlib import recursive_repr
from typing import Any, Generic, TypeVar, dataclass_transform

Class = TypeVar("Class", bound=type)
Value = TypeVar("Value")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def record(*, slots: bool = False, eq: bool = True, kw_only: bool = False) -> Callable[[Class], Class]:
    """Returns what makes a class a frozen data class, as `dataclass(frozen=True)` does.

    eq: whether objects are compared by their fields, or by identity; kw_only: whether all fields are named in calls
    """

    def decorator(kind: Class) -> Class:
        own = dict(vars(kind))
        record_class: Any = dataclass(init=False, repr=False, eq=False, slots=slots, kw_only=kw_only)(kind)
        entries = fields(record_class)
        names = [entry.name for entry in entries if entry.repr]
        shared: dict[str, Any] = {"__repr__": _repr(names)}
        if eq:
            hashed = [entry.name for entry in entries if (entry.compare if entry.hash is None else entry.hash)]
            compared = [entry.name for entry in entries if entry.compare]
            shared |= {"__eq__": _equality(compared), "__hash__": _hash(hashed)}
        if own.get("__hash__") is None:
            own.pop("__hash__", None)  # it is None if a class defines its own equality
        if slots:
            shared |= {"__getstate__": _state, "__setstate__": _set_state}
        shared |= {"__init__": _init(record_class, entries), **_frozen(record_class, {entry.name for entry in entries})}
        for name, method in shared.items():
            if name not in own:
                setattr(record_class, name, method)
        return record_class  # type: ignore[no-any-return]

    return decorator


class _Factory:
    """In a signature this represents a default that is made anew for each object."""

    def __repr__(self) -> str:
        return "<factory>"


FACTORY = _Factory()


def _init(kind: type, entries: Sequence[Field[Any]]) -> Callable[..., None]:
    """Returns the method that sets every field; its text is written, since it runs millions of times."""
    scope: dict[str, Any] = {"_assign": object.__setattr__, "_factory": FACTORY, "__name__": kind.__module__}
    heads, lines = ["self", *(["*"] if any(entry.kw_only for entry in entries) else [])], []
    for entry in entries:
        name = value = entry.name
        if entry.default_factory is not MISSING:
            scope[f"_new_{name}"] = entry.default_factory
            value = f"_new_{name}() if {name} is _factory else {name}" if entry.init else f"_new_{name}()"
        default = "" if entry.default is MISSING else f"=_default_{name}"
        scope[f"_default_{name}"] = entry.default
        if entry.init:
            heads.append(name + ("=_factory" if value != name else default))
        lines.append(f"_assign(self, {name!r}, {value})")
    if hasattr(kind, "__post_init__"):
        lines.append("self.__post_init__()")
    exec(f"def __init__({', '.join(heads)}): {'; '.join(lines) or 'pass'}", scope)  # noqa: S102
    method: Any = scope["__init__"]
    method.__qualname__ = f"{kind.__qualname__}.__init__"
    method.__annotations__ = {**{entry.name: entry.type for entry in entries if entry.init}, "return": None}
    return method  # type: ignore[no-any-return]


def _frozen(kind: Any, names: set[str]) -> dict[str, Callable[..., None]]:
    """Returns the methods that refuse to change a field."""

    def assign(self: Any, name: str, value: Any) -> None:
        if type(self) is kind or name in names:
            raise FrozenInstanceError(f"cannot assign to field {name!r}")
        super(kind, self).__setattr__(name, value)

    def delete(self: Any, name: str) -> None:
        if type(self) is kind or name in names:
            raise FrozenInstanceError(f"cannot delete field {name!r}")
        super(kind, self).__delattr__(name)

    return {"__setattr__": assign, "__delattr__": delete}


def _state(self: Any) -> list[Any]:
    return [getattr(self, entry.name) for entry in fields(self)]


def _set_state(self: Any, state: list[Any]) -> None:
    for entry, value in zip(fields(self), state, strict=True):
        object.__setattr__(self, entry.name, value)


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
    def representation(self: Any) -> str:
        return f"{type(self).__qualname__}({', '.join(f'{name}={getattr(self, name)!r}' for name in names)})"

    return representation


@record()
class Named(Generic[Value]):
    """A named value is compared by its name alone, which contains all that the value depends on."""

    name: Hashable
    value: Value = field(compare=False)
