"""Signs files with the command that made them, so that only these are replaced without being asked.

The signature is a comment at the head of a text, a key of JSON, and in a picture, a film or a PDF what its format keeps
for comments, near the end. A CSV table has no comments: it is recognized by the names of its first columns.
"""

from __future__ import annotations

import json
import os
import re
import struct
import zlib
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import BinaryIO

ENDS = 4096  # bytes at both ends of a file, in which the signature is
COLUMNS = {"simulate": b"arm,time,", "exam": b"seed,student,sheet\n"}
COMMENTS = {  # how a text says something to its readers
    **dict.fromkeys((".html", ".md", ".svg"), "<!-- {} -->"),
    **dict.fromkeys(("", ".py", ".toml", ".txt"), "# {}"),
    **dict.fromkeys((".js", ".mjs", ".ts", ".typ"), "// {}"),
    **dict.fromkeys((".c", ".h", ".hpp"), "/* {} */"),
    ".gp": "\\\\ {}",
    **dict.fromkeys((".m", ".tex"), "% {}"),
    ".v": "(* {} *)",
}
FIRST = re.compile(rb"(?:<\?xml[^>]*>|<!doctype[^>]*>)\n?", re.IGNORECASE)  # what has to begin a text


def of(maker: str) -> str:
    """Returns the signature of a command, such as report."""
    return f"made by qddot {maker}"


def sign(file: BinaryIO, suffix: str, maker: str) -> None:
    """Adds the signature to a complete, open file, unless the file has it."""
    if is_in(file, suffix, maker):
        return
    file.seek(0)
    kind = ".html" if suffix not in (*COMMENTS, *OTHERS) and file.read(1) == b"<" else suffix  # of any XML
    if kind in COMMENTS:
        _into_text(file, COMMENTS[kind].format(of(maker)).encode())
    elif kind in OTHERS:
        OTHERS[kind](file, of(maker).encode())


def signed(text: str, name: Path, maker: str) -> bytes:
    """Returns a text with the signature, in UTF-8; name: that of its file."""
    file = BytesIO()
    file.write(text.encode())
    sign(file, name.suffix.lower(), maker)
    return file.getvalue()


def is_in(file: BinaryIO, suffix: str, maker: str) -> bool:
    """Returns whether an open file has the signature of a command."""
    file.seek(0)
    head = file.read(ENDS)
    if suffix == ".csv":
        return head.startswith(COLUMNS.get(maker, b"\n"))
    own = of(maker).encode()
    return own in head or own in _tail(file, ENDS)


def _tail(file: BinaryIO, count: int) -> bytes:
    """Returns the last bytes, at most `count`, and leaves the file where they begin."""
    size = file.seek(0, os.SEEK_END)
    file.seek(max(0, size - count))
    tail = file.read()
    file.seek(max(0, size - count))
    return tail


def _into_text(file: BinaryIO, comment: bytes) -> None:
    file.seek(0)
    text = file.read()
    first = FIRST.match(text)
    place = first.end() if first else 0
    file.seek(place)
    file.write((b"\n" if first and text[place - 1 : place] != b"\n" else b"") + comment + b"\n" + text[place:])


def _into_json(file: BinaryIO, own: bytes) -> None:
    """Adds a first key to an object."""
    file.seek(0)
    text = file.read()
    file.seek(0)
    file.write(text.replace(b"{", b'{"$comment": "' + own + b'", ', 1))


def _into_notebook(file: BinaryIO, own: bytes) -> None:
    file.seek(0)
    notebook = json.load(file)
    notebook["metadata"]["about"] = own.decode()
    file.seek(0)
    file.write(json.dumps(notebook, indent=1, ensure_ascii=False).encode() + b"\n")


def _into_pdf(file: BinaryIO, own: bytes) -> None:
    """Adds a comment before the place of the table of objects, which is given as a number of bytes from the start."""
    tail = _tail(file, ENDS)
    file.write((b"% " + own + b"\nstartxref").join(tail.rsplit(b"startxref", 1)))


def _into_webp(file: BinaryIO, own: bytes) -> None:
    """Adds a chunk of a name that readers skip; the file begins with its own length."""
    _tail(file, 0)
    file.write(b"note" + struct.pack("<I", len(own)) + own + b"\0" * (len(own) % 2))
    size = file.tell() - 8
    file.seek(4)
    file.write(struct.pack("<I", size))


def _before(count: int, piece: Callable[[bytes], bytes]) -> Callable[[BinaryIO, bytes], None]:
    """Returns a function that adds a piece with the signature to a file, before its last bytes; count: how many"""

    def add(file: BinaryIO, own: bytes) -> None:
        last = _tail(file, count)
        file.write(piece(own) + last)

    return add


def _chunk(own: bytes) -> bytes:
    """Returns a text chunk of PNG."""
    chunk = b"tEXtComment\0" + own
    return struct.pack(">I", len(chunk) - 4) + chunk + struct.pack(">I", zlib.crc32(chunk))


OTHERS: dict[str, Callable[[BinaryIO, bytes], None]] = {
    ".gif": _before(1, lambda own: b"!\xfe" + bytes([len(own)]) + own + b"\0"),  # a comment before the trailer
    ".ipynb": _into_notebook,
    ".json": _into_json,
    ".mp4": _before(0, lambda own: struct.pack(">I", 8 + len(own)) + b"free" + own),  # a box that readers skip
    ".nc": _before(0, bytes),  # HDF5 says itself how long it is
    ".pdf": _into_pdf,
    ".png": _before(12, _chunk),  # before the last chunk
    ".webp": _into_webp,
}
