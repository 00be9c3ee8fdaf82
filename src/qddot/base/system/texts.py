"""Reads the text of a file that a user names; any failure is a FormatError."""

from __future__ import annotations

import os
from pathlib import Path

from qddot.base.errors import FormatError, reason_of
from qddot.base.words.message import Words

LONGEST_PATH = 300  # the most characters of a path in an error


def content(path: Path, largest: int, expected: Words) -> str:
    """Returns the text of a file of at most `largest` bytes. expected: the kind of file, for error messages

    raises FormatError: the file does not exist, is a folder, too large, not readable, or not UTF-8
    """
    try:
        # utf-8-sig: some editors put a byte order mark at the front
        return raw(path, largest, expected).decode("utf-8-sig")
    except UnicodeDecodeError:
        kind = expected.partition(" (")[0] if isinstance(expected, str) else expected
        raise FormatError("binary-data", where=_place(path), kind=kind) from None


def raw(path: Path, largest: int, expected: Words) -> bytes:
    """Returns the bytes of a file of at most `largest` bytes.

    raises FormatError: the file does not exist, is a folder, too large or not readable
    """
    where = _place(path)
    if not os.path.exists(path):  # false where the system refuses the name
        raise FormatError("file-missing", where=where, expected=expected)
    if not path.is_file():
        raise FormatError("path-of-folder" if path.is_dir() else "not-ordinary-path", where=where, expected=expected)
    try:
        if path.stat().st_size > largest:
            raise FormatError("file-too-large", where=where, size=path.stat().st_size, largest=largest)
        return path.read_bytes()
    except OSError as error:
        raise FormatError("file-unreadable", where=where, reason=reason_of(error)) from None


def _place(path: Path) -> str:
    return str(path) if len(str(path)) < LONGEST_PATH else str(path)[:LONGEST_PATH] + "…"
