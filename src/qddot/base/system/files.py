"""Writes files completely or not at all, and reads ordinary files only.

The content is first written beside the file, in a folder that nobody else can open, and moved to its place when all of
it is on the disk. A full disk, an interruption or another writer leaves the old file or the new one, never a part.
What a user asks for is signed; a file that is there is replaced only if it has the same signature, or if the user
allows it.
"""

from __future__ import annotations

import errno
import json
import os
import stat
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any, BinaryIO

from qddot.base.errors import QddotError, flag, reason_of, shortened
from qddot.base.system import signature, unfinished
from qddot.base.words.message import Words, say

Content = bytes | str | Callable[[BinaryIO], object]
LARGEST = 1 << 24  # bytes of a JSON file
MOST_LINKS = 40  # as many as Linux follows
SHARED = stat.S_IWGRP | stat.S_IWOTH
NO_WAIT, NO_LINK = getattr(os, "O_NONBLOCK", 0), getattr(os, "O_NOFOLLOW", 0)


def write(files: Mapping[Path, Content]) -> None:
    """Writes files: each content is bytes, a text to be written in UTF-8, or a function that writes into the open file.

    All are completely written before the first one is moved to its place, in folders that are made if needed. A
    replaced file keeps its permissions; a link that belongs to the user stays and leads to the new file.
    raises OSError: one of them cannot be written; each existing file is then the old or the new one, never a part of it
    """
    with ExitStack() as stack:
        folders: dict[Path, Path] = {}
        parts: list[tuple[Path, Path]] = []
        for target, content in files.items():
            place = _place(target)
            if place.parent not in folders:
                if not place.parent.is_dir():
                    place.parent.mkdir(parents=True, exist_ok=True)
                folders[place.parent] = stack.enter_context(unfinished.folder(place.parent))
            part = folders[place.parent] / str(len(parts))
            _fill(part, content, _mode(place))
            parts.append((part, place))
        for part, place in parts:
            os.replace(part, place)


def save(
    files: Mapping[Path, Content],
    what: Words,
    maker: str,
    overwrite: bool = False,
    error: type[QddotError] = QddotError,
    remedy: Words = "",
) -> None:
    """Writes files as `write` does, with the signature of the command that makes them.

    what: their name in an error; maker: the command; overwrite: whether files of others may be replaced
    raises error: one of them cannot be written, or may not be replaced; nothing is written then
    """
    check(files, maker, overwrite, error)
    try:
        write({target: _signed(content, target, maker) for target, content in files.items()})
    except OSError as problem:
        raise error("file-unwritable", what=what, reason=reason_of(problem), remedy=remedy) from problem


def save_in(
    folder: str | Path, texts: Mapping[str, str], maker: str, overwrite: bool, error: type[QddotError]
) -> list[Path]:
    """Writes texts into a folder, which is made if needed, and returns their paths; the rest is as in `save`.

    A file that has its text already keeps its time, so that `make` does not repeat what follows from it.
    """
    try:
        content = {Path(folder) / name: signature.signed(text, Path(name), maker) for name, text in texts.items()}
        check(content, maker, overwrite, error)
        write({path: text for path, text in content.items() if not (path.is_file() and path.read_bytes() == text)})
    except (OSError, TypeError, ValueError) as problem:
        reason = reason_of(problem) if isinstance(problem, OSError) else problem
        raise error("place-unwritable", where=shortened(folder), reason=reason) from None
    return list(content)


def check(targets: Iterable[Path], maker: str, overwrite: bool, error: type[QddotError] = QddotError) -> None:
    """Raises an error for the first file that a command may not replace; maker, overwrite: as in `save`."""
    if flag(overwrite, "overwrite"):
        return
    for target in targets:
        if not may_replace(target, maker):
            raise error("file-of-another-maker", target=shortened(str(target)), maker=maker)


def may_hold(folder: Path) -> bool:
    """Returns whether files can be written into a folder, which is made if it is not there."""
    there = existing(folder)
    return there.is_dir() and os.access(there, os.W_OK)


def existing(folder: Path) -> Path:
    """Returns a folder, or the nearest one above it that is there."""
    return next((each for each in (folder, *folder.parents) if each.exists()), folder)


def may_replace(target: Path, maker: str) -> bool:
    """Returns whether a command may write a file without being asked: there is none, or the same command made it.

    It is also true of what no file can replace, such as a folder, which `write` refuses.
    """
    if not os.path.isfile(target):
        return True
    try:
        with target.open("rb") as file:
            return signature.is_in(file, target.suffix.lower(), maker)
    except OSError:
        return False


def _signed(content: Content, target: Path, maker: str) -> Content:
    def fill(file: BinaryIO) -> None:
        if callable(content):
            content(file)
        else:
            file.write(content.encode() if isinstance(content, str) else content)
        signature.sign(file, target.suffix.lower(), maker)

    return fill


def read(path: Path, largest: int, own: bool = False) -> bytes:
    """Returns the content of an ordinary file.

    largest: the most bytes that it may have
    own: whether it must be a file that only the user can write, and no link
    raises OSError: a folder, a pipe, a device or a larger file; with `own`, a file that somebody else could write
    """
    more_flags = NO_WAIT | (NO_LINK if own else 0)
    with open(path, "rb", opener=lambda name, flags: os.open(name, flags | more_flags)) as file:
        about = os.fstat(file.fileno())
        if not stat.S_ISREG(about.st_mode):
            raise OSError(errno.EINVAL, say("not-ordinary-file"))
        if own and not is_own(about):
            raise PermissionError(errno.EPERM, say("writable-by-others"))
        content = file.read(min(about.st_size, largest) + 1)
    if len(content) > largest:
        raise OSError(errno.EFBIG, say("more-bytes-than", largest=largest))
    return content


def read_json(path: Path) -> tuple[dict[str, Any], Words]:
    """Returns the object in an ordinary JSON file, and why it cannot be read, or ""."""
    try:
        content = json.loads(read(path, LARGEST))
    except OSError as error:
        return {}, reason(error)
    except (ValueError, RecursionError):
        return {}, say("not-of-json")
    return (content, "") if isinstance(content, dict) else ({}, say("not-a-json-object"))


def reason(error: OSError) -> Words:
    """Returns why a file cannot be read."""
    return say("file-is-missing") if isinstance(error, FileNotFoundError) else reason_of(error)


def is_name(path: Any) -> bool:
    """Returns whether a file can have this name."""
    try:
        return b"\0" not in os.fsencode(Path(path))
    except (TypeError, ValueError):
        return False


def is_own(about: os.stat_result) -> bool:
    """Returns whether a file or a folder belongs to the user or to root, and nobody else may write it."""
    return _belongs(about) and (os.name == "nt" or not about.st_mode & SHARED)


def _belongs(about: os.stat_result) -> bool:
    """Returns whether the user or root owns it; always true on Windows, where users' folders are closed to others."""
    return not hasattr(os, "geteuid") or about.st_uid in (os.geteuid(), 0)


def _place(target: Path) -> Path:
    """Returns where a file is to be written, after following the user's own links.

    raises OSError: another user's link, a folder, a device, a file that is protected from writing
    """
    place = target
    for _ in range(MOST_LINKS):
        if "\0" in str(place):
            raise OSError(errno.EINVAL, say("name-with-nul"))
        if not place.is_symlink():
            break
        if not _belongs(place.lstat()):
            raise PermissionError(errno.EPERM, say("link-of-another-user"))
        place = place.parent / place.readlink()
    else:
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
    if place.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if place.exists() and not place.is_file():
        raise OSError(errno.EINVAL, say("not-ordinary-file"))
    if place.exists() and not os.access(place, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    return place


def _mode(place: Path) -> int | None:
    """Returns the permissions of the file that is replaced, or None where there is none."""
    try:
        return place.stat().st_mode & 0o777
    except FileNotFoundError:
        return None


def _fill(part: Path, content: Content, mode: int | None) -> None:
    """Writes a new file and flushes it to the disk; its permissions are `mode`, or the usual ones for None."""

    def opener(name: str, flags: int) -> int:
        return os.open(name, flags, 0o666 if mode is None else mode)

    with open(part, "x+b", opener=opener) as file:
        if mode is not None and hasattr(os, "fchmod"):
            os.fchmod(file.fileno(), mode)
        if callable(content):
            content(file)
        else:
            file.write(content.encode() if isinstance(content, str) else content)
        file.flush()
        os.fsync(file.fileno())
