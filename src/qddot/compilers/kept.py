"""The compiled functions of one arm, by request: in memory as long as the arm is, on disk from process to process."""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Hashable

from qddot.compilers import cache, kernels
from qddot.compilers.batch import BatchFunction, compiled
from qddot.program.program import Interface, Program


class Kept:
    """Functions under the requests that they answer, each in one dtype.

    A request is a frozen dataclass of plain values, so that its repr names it on disk. There is kept what a caller
    sees of its program, and under the program's hash the machine code: programs that are alike share it.
    """

    def __init__(self) -> None:
        self._functions: dict[tuple[Hashable, str], BatchFunction] = {}

    def find(self, request: Hashable, dtype: str) -> BatchFunction | None:
        """The function of a request, from memory or else from disk; None where it has to be compiled."""
        return self._functions.get((request, dtype)) or self._stored(request, dtype)

    def add(self, request: Hashable, dtype: str, program: Program) -> BatchFunction:
        """The function of a request, compiled from its program and kept."""
        cache.write(_file(request), program.interface.to_json().encode())
        return self._functions.setdefault((request, dtype), compiled(program, dtype))

    def _stored(self, request: Hashable, dtype: str) -> BatchFunction | None:
        """From disk, if both files are there, undamaged."""
        interface = _interface(cache.read(_file(request)))
        kernel = None if interface is None else kernels.compiler().stored(interface, dtype)
        if interface is None or kernel is None:
            return None
        return self._functions.setdefault((request, dtype), BatchFunction(interface, kernel, dtype))


def _interface(text: bytes | None) -> Interface | None:
    """What a caller sees of a program, as it was written; None where it is missing or damaged."""
    with contextlib.suppress(ValueError, KeyError, TypeError):
        return Interface.parsed(text.decode()) if text is not None else None
    return None


def _file(request: Hashable) -> str:
    """The name of the file with the interface: of a request to the library as it is now."""
    return hashlib.sha256(repr((cache.source_stamp(), request)).encode()).hexdigest() + ".json"
