"""A Memory is what a law remembers: the places where a call can leave something for the next one, and their contents.

A function keeps values in its closure, its defaults, its attributes and the globals that it names, an object in
its attributes and its class's, all of them in lists, dictionaries, sets, arrays and random generators. Contents are
restored in place, so that identities, classes and closures stay the same.
"""

from __future__ import annotations

import functools
import inspect
import logging
import random
import struct
import sys
import threading
import types
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from qddot.simulate.namespaces import CellName, ClassNames, Names, SlotNames

MOST = 50_000  # objects that are searched
POINTER = struct.calcsize("P")
ATOMS = (type(None), bool, int, float, complex, str, bytes, np.generic)
WITHOUT_MEMORY = (
    *(*ATOMS, types.ModuleType, types.EllipsisType, logging.Logger),
    *(type(threading.Lock()), type(threading.RLock())),
)
LAWS = ("qddot.simulate.laws.ready", "qddot.simulate.laws.trajectories")  # whose objects hold what users give
GENERATORS = (np.random.Generator, np.random.RandomState, random.Random)


@dataclass(frozen=True)
class _Place:
    """A place has the name of its owner and its content, by name if `named`."""

    name: str
    read: Callable[[], Any]
    write: Callable[[Any], None]
    content: Any
    named: bool = False

    def changed(self) -> str:
        """Returns the name of the first content that has changed since, or "" if none has."""
        now = self.read()
        if _same(self.content, now):
            return ""
        if not self.named:
            return self.name
        keys = {**self.content, **now}
        key = next(key for key in keys if not _same(self.content.get(key, keys), now.get(key, keys)))
        return _joined(self.name, key)


class Memory:
    """This has all places that a law leads to, with their present contents.

    unseen: a thing in it that cannot be searched, such as a generator or an open file; "" if there is none
    """

    def __init__(self, law: Any, with_random: bool = True) -> None:
        """with_random: whether random generators are among the places"""
        self.unseen = ""
        self._places: list[_Place] = []
        self._seen: dict[int, Any] = {}
        self._with_random = with_random
        self._waiting: list[tuple[str, Any]] = [("" if inspect.isroutine(law) else type(law).__name__, law)]
        if with_random:
            self._add("the random module", random.getstate, random.setstate)
            self._add("numpy.random", np.random.get_state, np.random.set_state)
        while self._waiting and not self.unseen:
            self._look(*self._waiting.pop())

    @property
    def seen(self) -> Iterable[int]:
        """Returns the identities of the objects that were looked into, in order."""
        return self._seen

    def contents(self) -> Iterator[tuple[str, Any]]:
        """Yields each place's name and what was in it."""
        return ((place.name, place.content) for place in self._places)

    def changed(self) -> str:
        """Returns the name of the first place whose content has changed since, or "" if none has."""
        return next(filter(None, (place.changed() for place in self._places)), "")

    def restore(self) -> None:
        """Restores the contents; what has not changed is not touched."""
        for place in self._places:
            if place.changed():
                place.write(place.content)

    def _add(self, name: str, read: Callable[[], Any], write: Callable[[Any], None], named: bool = False) -> Any:
        content = read()
        self._places.append(_Place(name or ("" if named else "what it holds"), read, write, content, named))
        return content

    def _names(self, name: str, owner: Names, only: Iterable[str] | None = None) -> None:
        """Adds all names of a mapping, or those of `only`, which need not exist yet."""

        def read() -> dict[str, Any]:
            return {key: owner[key] for key in (list(owner) if only is None else only) if key in owner}

        def write(content: dict[str, Any]) -> None:
            for key in read().keys() - content.keys():
                del owner[key]
            for key, value in content.items():
                if key not in owner or owner[key] is not value:
                    owner[key] = value

        content = self._add(name, read, write, named=True)
        self._waiting += [(_joined(name, key), value) for key, value in content.items()]

    def _look(self, name: str, x: Any) -> None:
        """Adds the places of an object, and the things that it refers to."""
        if isinstance(x, WITHOUT_MEMORY) or id(x) in self._seen:
            return
        self._seen[id(x)] = x
        parts = _parts(x)
        if len(self._seen) > MOST:
            self.unseen = f"more than {MOST} objects"
        elif isinstance(x, types.FunctionType):
            self._function(x)
        elif isinstance(x, type):
            for base in x.__mro__:
                if not _is_library(base.__module__):
                    self._names(base.__name__, ClassNames(base))
        elif isinstance(x, GENERATORS):
            self._random(name, x)
        elif parts is not None:
            self._waiting += [(name, part) for part in parts]
        elif not _is_value(x):
            self._object(name, x)

    def _function(self, law: types.FunctionType) -> None:
        for free, cell in zip(law.__code__.co_freevars, law.__closure__ or (), strict=True):
            self._names("", CellName(free, cell))
        arguments = law.__code__.co_varnames[: law.__code__.co_argcount]
        defaults = law.__defaults__ or ()
        self._waiting += zip(arguments[len(arguments) - len(defaults) :], defaults, strict=True)
        self._waiting += (law.__kwdefaults__ or {}).items()
        self._names(law.__name__, law.__dict__)
        if _is_library(law.__module__):
            return
        names = sorted(set(_named(law.__code__)))
        self._names("", law.__globals__, names)
        for key in names:
            module = law.__globals__.get(key)
            if isinstance(module, types.ModuleType) and not _is_library(module.__name__):
                self._names(key, vars(module), names)

    def _random(self, name: str, x: Any) -> None:
        if isinstance(x, random.SystemRandom):
            self.unseen = f"{name}, a SystemRandom"
        elif self._with_random and isinstance(x, np.random.Generator):
            bits = x.bit_generator
            self._add(name, lambda: bits.state, functools.partial(setattr, bits, "state"))
        elif self._with_random:
            numpys = isinstance(x, np.random.RandomState)
            self._add(name, x.get_state if numpys else x.getstate, x.set_state if numpys else x.setstate)

    def _object(self, name: str, x: Any) -> None:
        """Adds a container, or an object that has nothing but its attributes."""
        kind = type(x)
        slots = [
            slot for base in kind.__mro__ if "__slots__" in vars(base) for slot in vars(base) if _is_slot(base, slot)
        ]
        container = next((each for each in CONTAINERS if isinstance(x, each)), None)
        if container:
            read, write, inside = CONTAINERS[container]
            self._add(name, functools.partial(read, x), functools.partial(write, x))
            self._waiting += [(name, part) for part in inside(x)]
        elif not _is_all_in_attributes(kind, len(slots)):
            self.unseen = f"{name}, a {kind.__name__}" if name else f"a {kind.__name__}"
            return
        self._waiting.append((name, kind))
        if hasattr(x, "__dict__"):
            self._names(name, vars(x))
        if slots:
            self._names(name, SlotNames(x, slots))


def _refill(x: Any, content: dict[Any, Any]) -> None:
    x.clear()
    for key, value in content.items():
        x[key] = value


def _extend(x: Any, content: list[Any]) -> None:
    x.clear()
    x.extend(content)


def _update(x: Any, content: set[Any]) -> None:
    x.clear()
    x.update(content)


# by type: how to read and write the content, and the things in it
CONTAINERS: dict[type, tuple[Callable[[Any], Any], Callable[[Any, Any], None], Callable[[Any], Iterable[Any]]]] = {
    list: (list, _extend, list),
    dict: (dict, _refill, lambda x: list(x.values())),
    set: (set, _update, list),
    deque: (list, _extend, list),
    bytearray: (bytes, _extend, lambda _: ()),
    np.ndarray: (
        np.array,
        lambda x, content: np.copyto(x, content),
        lambda x: x.ravel().tolist() if x.dtype.hasobject else (),
    ),
}


def _parts(x: Any) -> Iterable[Any] | None:
    """Returns the things that an immutable object refers to, or None for any other object."""
    if isinstance(x, tuple | frozenset):
        return x
    if isinstance(x, types.MethodType):
        return x.__func__, x.__self__
    if isinstance(x, types.BuiltinFunctionType | types.MethodWrapperType):
        return (x.__self__,)
    if isinstance(x, functools.partial):
        return x.func, x.args, x.keywords
    if isinstance(x, staticmethod | classmethod):
        return (x.__func__,)
    if isinstance(x, property):
        return x.fget, x.fset
    return (x.__wrapped__,) if isinstance(x, functools._lru_cache_wrapper) else None


def _is_value(x: Any) -> bool:
    """Returns whether an object is a value or belongs to a library, so that no call changes it."""
    kind: Any = type(x)
    if any(base.__module__.startswith("qddot.") and base.__module__ not in LAWS for base in kind.__mro__):
        return True
    if not _is_library(kind.__module__):
        return False
    if kind.__hash__ not in (object.__hash__, None) or hasattr(kind, "__get__"):
        return True
    try:
        return isinstance(x.__reduce_ex__(4), str)
    except TypeError:
        return False


def _is_all_in_attributes(kind: type, slots: int) -> bool:
    """Returns whether objects of a type have nothing but their attributes, by the rule of object.__reduce_ex__."""
    pointers = slots + (kind.__dictoffset__ > 0) + (kind.__weakrefoffset__ > 0)
    return not kind.__itemsize__ and kind.__basicsize__ <= object.__basicsize__ + POINTER * pointers


def _is_slot(base: type, name: str) -> bool:
    return isinstance(vars(base)[name], types.MemberDescriptorType)


@functools.cache
def _is_library(module: str | None) -> bool:
    """Returns whether a module is Python's or installed: its globals are assumed to have no memory."""
    top = (module or "").partition(".")[0]
    if top in sys.stdlib_module_names or top == "qddot":
        return True
    file = getattr(sys.modules.get(module or ""), "__file__", None) or ""
    return "site-packages" in file or "dist-packages" in file


def _named(code: types.CodeType) -> Iterator[str]:
    """Yields the names of globals and attributes in a function and in those inside it."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _named(constant)


def _joined(name: str, key: Any) -> str:
    return f"{name}.{key}" if name else str(key)


def _same(a: Any, b: Any) -> bool:
    """Returns whether two contents are the same objects, or equal numbers and texts."""
    if a is b:
        return True
    if type(a) is not type(b):
        return False
    if isinstance(a, np.ndarray):
        if a.dtype != b.dtype or a.shape != b.shape:
            return False
        return all(map(_same, a.ravel(), b.ravel())) if a.dtype.hasobject else bool(a.tobytes() == b.tobytes())
    if type(a) is dict:
        return a.keys() == b.keys() and all(_same(a[key], b[key]) for key in a)
    if type(a) in (list, tuple):
        return len(a) == len(b) and all(map(_same, a, b))
    if type(a) is set:
        return bool(a == b)
    return isinstance(a, ATOMS) and bool(a == b or a != a)
