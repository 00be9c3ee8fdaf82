"""Keeps machine code and interfaces of programs on disk, so that a computer compiles an arm once.

The name of a file identifies its sources (program, processor, versions). The file begins with a digest of its name and
content, so that damage is noticed and the file is made again. The digest is not secret: foreign code is kept out since
folder and files must belong to the user (or root), and nobody else may write them. Writers do not collide: each writes
a file in its own folder and moves it. The least recently read files are deleted when all together take too much space.
`QDDOT_CACHE` names another folder.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import warnings
from functools import cache
from pathlib import Path

import platformdirs

from qddot.base.errors import reason_of, shortened
from qddot.base.system import files, unfinished
from qddot.base.words.message import Message, say

DIGEST = 32  # bytes of SHA-256
MOST_BYTES = 512 << 20
LARGEST = 64 << 20  # bytes of one file; machine code of an arm has 10 to 100 thousand
OURS = re.compile(r"[0-9a-f]{64}\.(o|json)")
UNFINISHED = "unfinished"  # the folder of files that are being written, so that what is left there is found soon


def folder() -> Path:
    """Returns the folder of the cached files."""
    return Path(os.path.expanduser(os.environ.get("QDDOT_CACHE") or platformdirs.user_cache_dir("qddot")))


@cache
def source_stamp() -> str:
    """Returns a digest of this library's source files, so that code cached before an edit is not used."""
    root = Path(__file__).parents[2]
    stamps = [(str(path), path.stat().st_mtime_ns, path.stat().st_size) for path in sorted(root.rglob("*.py"))]
    return hashlib.sha256(repr(stamps).encode()).hexdigest()[:16]


def read(key: str) -> bytes | None:
    """Returns the content of a key, or None if it is missing or damaged, or if others could have written it."""
    place = folder()
    try:
        if not _is_ours(place):
            return None
        data = files.read(place / key, LARGEST, own=True)
    except FileNotFoundError:
        return None
    except OSError as error:
        _say(place / key, say("cache-unreadable", reason=reason_of(error)))
        return None
    content = data[DIGEST:]
    if data[:DIGEST] != _digest(key, content):
        return None
    with contextlib.suppress(OSError):
        os.utime(place / key)
    return content


def write(key: str, content: bytes) -> None:
    """Stores content under a key; does nothing if the folder cannot be written to."""
    place = folder()
    with contextlib.suppress(OSError):
        place.parent.mkdir(parents=True, exist_ok=True)
        place.mkdir(mode=0o700, exist_ok=True)
        if not _is_ours(place):
            return
        _make_room(place)
        written = place / UNFINISHED
        written.mkdir(mode=0o700, exist_ok=True)
        with unfinished.folder(written) as own:
            part = own / key
            part.touch(mode=0o600)
            part.write_bytes(_digest(key, content) + content)
            os.replace(part, place / key)


def _is_ours(place: Path) -> bool:
    """Returns whether only the user can have written into the folder. raises OSError: it does not exist"""
    if files.is_own(place.stat()):
        return True
    _say(place, say("cache-of-others"))
    return False


@cache
def _say(place: Path, what: Message) -> None:
    """Warns the user, once per process about one place and fact."""
    warnings.warn(str(say("cache-not-used", place=shortened(str(place), 200), why=what)), stacklevel=2)


def _digest(key: str, content: bytes) -> bytes:
    return hashlib.sha256(key.encode() + b"\0" + content).digest()


@cache
def _make_room(of: Path) -> None:
    """Deletes our files that were read least recently, once per process; of MOST_BYTES three quarters remain."""
    files = []
    for path in of.iterdir():
        if OURS.fullmatch(path.name):
            with contextlib.suppress(OSError):
                files.append((path, path.stat()))
    size = sum(about.st_size for _, about in files)
    if size <= MOST_BYTES:
        return
    for path, about in sorted(files, key=lambda item: item[1].st_mtime):
        if size <= 3 * MOST_BYTES // 4:
            return
        path.unlink(missing_ok=True)
        size -= about.st_size
