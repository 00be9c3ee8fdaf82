"""Keeps the compiled functions of one arm by request, in memory with the arm and on disk between processes."""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Hashable

from qddot.algebra.program.program import Interface, Program
from qddot.machine.compilers import cache, kernels
from qddot.machine.compilers.batch import BatchFunction, compiled


class FunctionStore:
    """This keeps functions by their request and dtype.

    A request is a frozen dataclass of plain values, so that its repr determines the file's name. The file holds the
    program's interface; the machine code is kept under the program's hash, so that equal programs share it.
    """

    def __init__(self) -> None:
        self._functions: dict[tuple[Hashable, str], BatchFunction] = {}

    def find(self, request: Hashable, dtype: str) -> BatchFunction | None:
        """Returns the function for a request from memory or disk, or None if it has to be compiled."""
        return self._functions.get((request, dtype)) or self._stored(request, dtype)

    def add(self, request: Hashable, dtype: str, program: Program) -> BatchFunction:
        """Compiles the function for a request from its program, keeps it and returns it."""
        cache.write(_file(request), program.interface.to_json().encode())
        return self._functions.setdefault((request, dtype), compiled(program, dtype))

    def _stored(self, request: Hashable, dtype: str) -> BatchFunction | None:
        """Returns the function from disk if both files are there and undamaged, else None."""
        interface = _interface(cache.read(_file(request)))
        kernel = None if interface is None else kernels.compiler().stored(interface, dtype)
        if interface is None or kernel is None:
            return None
        return self._functions.setdefault((request, dtype), BatchFunction(interface, kernel, dtype))


def _interface(text: bytes | None) -> Interface | None:
    """Returns the interface in a text, or None if it is missing or damaged."""
    with contextlib.suppress(ValueError, KeyError, TypeError):
        return Interface.parsed(text.decode()) if text is not None else None
    return None


def _file(request: Hashable) -> str:
    """Returns the name of the file for a request, which also depends on the library's source."""
    return hashlib.sha256(repr((cache.source_stamp(), request)).encode()).hexdigest() + ".json"
