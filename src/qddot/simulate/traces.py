"""Traces of torque laws, kept from run to run for as long as the function lives and leads to the same things.

What a function gives is told by its code and by the places that `Memory` finds: what is in its closure, its globals
and the objects they lead to. A print of them is kept beside the trace; it refers to no object that would hold the
function alive, but for those to which no weak reference can be made.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import lru_cache
from typing import Any

import numpy as np

from qddot.compilers.batch import BatchFunction, compiled
from qddot.program.program import Program
from qddot.simulate.memory import ATOMS, CONTAINERS, Memory

MOST = 64  # functions of which traces are kept
Sizes = tuple[int, int]  # of coordinates, and of states that the law declares
Trace = Callable[[Any, Sizes], Program]
_kept: weakref.WeakKeyDictionary[Any, tuple[Any, Program]] = weakref.WeakKeyDictionary()


def kept(law: Any, sizes: Sizes, trace: Trace) -> Program:
    """Returns the trace of a law, traced again where it may be another by now."""
    with suppress(TypeError, KeyError):
        before, program = _kept[law]
        if before == _print_of(law, sizes):
            return program
    return renewed(law, sizes, trace)


def renewed(law: Any, sizes: Sizes, trace: Trace) -> Program:
    """Returns the trace of a function as it is now, and keeps it unless tracing changes the function."""
    before, program = _print_of(law, sizes), trace(law, sizes)
    if before is not None and _print_of(law, sizes) == before:
        if len(_kept) >= MOST:
            _kept.clear()
        with suppress(TypeError):  # of what has no hash, or no weak references
            _kept[law] = before, program
    return program


@lru_cache(maxsize=32)
def _function(key: _ByHash) -> BatchFunction:
    return compiled(key.program)


def function_of(program: Program) -> BatchFunction:
    """Returns a program compiled, the same for the same program."""
    return _function(_ByHash(program))


class _ByHash:
    """A program as a key."""

    def __init__(self, program: Program) -> None:
        self.program = program

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _ByHash) and self.program.hash == other.program.hash

    def __hash__(self) -> int:
        return hash(self.program.hash)


class _Reference:
    """One object, which may be gone since, and its code if it is a function; equal to itself alone."""

    def __init__(self, x: Any) -> None:
        self._code = getattr(x, "__code__", None)
        try:
            self._target: Callable[[], Any] = weakref.ref(x)
        except TypeError:
            self._target = lambda: x

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _Reference):
            return False
        x = self._target()
        return x is not None and x is other._target() and self._code is other._code

    __hash__ = object.__hash__


def _print_of(law: Any, sizes: Sizes) -> Any:
    """Returns what tells whether a function is the same; None where it leads to what cannot be looked into."""
    memory = Memory(law, with_random=False)
    if memory.unseen:
        return None
    order = {place: k for k, place in enumerate(memory.seen)}
    return [sizes, _Reference(law), *((name, _content(x, order)) for name, x in memory.contents())]


def _content(x: Any, order: Mapping[int, int]) -> Any:
    """Returns what a place holds: the things in a list, by name in a mapping, the numbers of an array."""
    if isinstance(x, np.ndarray):
        inside = [_thing(part, order) for part in x.ravel()] if x.dtype.hasobject else x.tobytes()
        return str(x.dtype), x.shape, inside
    if isinstance(x, dict):
        return [(_thing(key, order), _thing(value, order)) for key, value in x.items()]
    if isinstance(x, list | set):
        return [_thing(part, order) for part in x]
    return _thing(x, order)


def _thing(x: Any, order: Mapping[int, int]) -> Any:
    """Returns an atom by type and value, a container, which is a place too, by its turn, all else by identity."""
    if isinstance(x, ATOMS):
        return type(x), repr(x)
    if type(x) is tuple:
        return [_thing(part, order) for part in x]
    if type(x) in CONTAINERS and id(x) in order:
        return type(x), order[id(x)]
    return _Reference(x)
