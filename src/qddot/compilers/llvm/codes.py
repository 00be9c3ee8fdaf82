"""Keeps machine code on disk, under names that tell what it was made from and for which processor."""

from __future__ import annotations

import hashlib
from collections.abc import Callable

from qddot.compilers import cache
from qddot.compilers.llvm import engine


def stored(*facts: str) -> engine.Loaded | None:
    """Returns machine code from the cache, or None; facts: all that it depends on, but for the processor."""
    code = cache.read(_file(facts))
    return None if code is None else engine.Loaded(code)


def code(facts: tuple[str, ...], module: Callable[[], tuple[str, int]]) -> engine.Loaded:
    """Returns machine code from the cache; where it has none, a module is written and compiled now, and kept there.

    facts: as in `stored`; module: its text, and how hard LLVM shall work on it
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
