"""Ways to spoil a file."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path


def _rewritten(change: Callable[[bytes], bytes]) -> Callable[[Path], object]:
    return lambda path: path.write_bytes(change(path.read_bytes()))


def _flipped(content: bytes) -> bytes:
    middle = len(content) // 2
    return content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :]


def _in_place(make: Callable[[Path], object]) -> Callable[[Path], object]:
    def spoiling(path: Path) -> None:
        path.unlink()
        make(path)

    return spoiling


_WAYS: dict[str, Callable[[Path], object]] = {
    "lost": Path.unlink,
    "changed": _rewritten(_flipped),
    "cut short": _rewritten(lambda content: content[: len(content) // 2]),
    "empty": _rewritten(lambda content: b""),
    "zeros": _rewritten(lambda content: bytes(len(content))),
    "a folder": _in_place(Path.mkdir),
    "a link to nothing": _in_place(lambda path: path.symlink_to(path.with_name("nothing"))),
}
if sys.platform != "win32":
    _WAYS |= {"a pipe": _in_place(os.mkfifo), "a device": _in_place(lambda path: path.symlink_to("/dev/zero"))}
SPOILT = tuple(_WAYS)


def spoil(path: Path, way: str) -> None:
    """Spoils a file in one of the ways SPOILT."""
    _WAYS[way](path)
