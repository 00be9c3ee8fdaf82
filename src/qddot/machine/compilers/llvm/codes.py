"""Keeps machine code on disk, under names that identify its sources and the processor."""

from __future__ import annotations

import hashlib
from collections.abc import Callable

from qddot.machine.compilers import cache
from qddot.machine.compilers.llvm import engine


def stored(*facts: str) -> engine.Loaded | None:
    """Returns machine code from the cache, or None; facts: everything that it depends on, except the processor"""
    code = cache.read(_file(facts))
    return None if code is None else engine.Loaded(code)


def code(facts: tuple[str, ...], module: Callable[[], tuple[str, int]]) -> engine.Loaded:
    """Returns machine code from the cache; if it is missing, a module is written, compiled and cached.

    facts: as in `stored`; module: returns the module's text, and LLVM's effort for it
    """
    loaded = stored(*facts)
    if loaded is not None:
        return loaded
    machine_code = engine.object_code(*module())
    cache.write(_file(facts), machine_code)
    return engine.Loaded(machine_code)


def _file(facts: tuple[str, ...]) -> str:
    """Returns the name of a file for this processor."""
    host = engine.processor()
    parts = (cache.source_stamp(), *facts, host.name, host.features, str(host.lanes), engine.version())
    return hashlib.sha256("\0".join(parts).encode()).hexdigest() + ".o"
