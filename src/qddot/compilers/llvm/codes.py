"""Keeps machine code on disk, under names that tell what it was made from and for which processor."""

from __future__ import annotations

import hashlib

from qddot.compilers import cache
from qddot.compilers.llvm import engine


def file_name(*of: str) -> str:
    """Returns the name of the file with a program's machine code for this processor."""
    host = engine.processor()
    parts = (cache.source_stamp(), *of, host.name, host.features, str(host.lanes), engine.version())
    return hashlib.sha256("\0".join(parts).encode()).hexdigest() + ".o"


def stored(file: str) -> engine.Loaded | None:
    """Returns machine code from the cache, or None."""
    code = cache.read(file)
    return None if code is None else engine.Loaded(code)


def made(file: str, assembly: str, effort: int = engine.MOST) -> engine.Loaded:
    """Returns machine code of an assembly, made now and kept in the cache; effort: as in `engine.object_code`."""
    code = engine.object_code(assembly, effort)
    cache.write(file, code)
    return engine.Loaded(code)
