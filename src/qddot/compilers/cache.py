"""Machine code and interfaces of programs on disk, so that an arm is compiled once on a computer.

A file is named by what it was made from (program, processor, versions) and begins with a digest of its
content: a damaged one is noticed and made again. Writers do not meet: each writes a file of its own and
renames it. `QDDOT_CACHE` names another folder.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
from functools import cache
from pathlib import Path

import platformdirs

DIGEST = 32  # bytes of SHA-256


def folder() -> Path:
    """Where the files are."""
    return Path(os.environ.get("QDDOT_CACHE") or platformdirs.user_cache_dir("qddot"))


@cache
def source_stamp() -> str:
    """Of the library's own files: what an edited library made before is not what it makes now."""
    root = Path(__file__).parent.parent
    seen = [(str(path), path.stat().st_mtime_ns, path.stat().st_size) for path in sorted(root.rglob("*.py"))]
    return hashlib.sha256(repr(seen).encode()).hexdigest()[:16]


def read(key: str) -> bytes | None:
    """The content under a key, or None if there is none or it is damaged."""
    try:
        stored = (folder() / key).read_bytes()
    except OSError:
        return None
    content = stored[DIGEST:]
    return content if stored[:DIGEST] == hashlib.sha256(content).digest() else None


def write(key: str, content: bytes) -> None:
    """Keep content under a key; a folder that cannot be written to keeps nothing."""
    with contextlib.suppress(OSError):
        folder().mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=folder())
        with os.fdopen(handle, "wb") as file:
            file.write(hashlib.sha256(content).digest() + content)
        os.replace(name, folder() / key)
