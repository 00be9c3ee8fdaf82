"""Lets Zarr read only ordinary files from a folder, and only chunks whose checksums (CRC-32C) match."""

from __future__ import annotations

import asyncio
import errno
import os
import stat
from pathlib import Path
from typing import Any

import google_crc32c
from zarr.core.buffer import default_buffer_prototype
from zarr.storage import LocalStore

from qddot.base.errors import QddotError, reason_of
from qddot.base.system import files
from qddot.base.words.message import Words, say

SIZE = 4  # bytes of the checksum at the end of a chunk's file
LARGEST = 1 << 36  # the most bytes of a file


class SoundStore(LocalStore):  # type: ignore[misc]
    """This store checks what it reads, and so do its read-only copies.

    error, remedy: the error for a damaged file, and its remedy; hidden: files that are treated as missing
    """

    def __init__(self, root: Path, error: type[QddotError], remedy: Words, *, read_only: bool) -> None:
        super().__init__(root, read_only=read_only)
        self._error, self._remedy, self.hidden = error, remedy, set[str]()

    def with_read_only(self, read_only: bool = False) -> SoundStore:
        """Returns the same folder for reading, or for writing as well."""
        same = SoundStore(self.root, self._error, self._remedy, read_only=read_only)
        same.hidden = self.hidden
        return same

    async def get(self, key: str, prototype: Any = None, byte_range: Any = None) -> Any:
        """Returns what `get_sync` returns."""
        return await asyncio.to_thread(self.get_sync, key, prototype=prototype, byte_range=byte_range)

    def get_sync(self, key: str, *, prototype: Any = None, byte_range: Any = None) -> Any:
        """Returns a file's content, None where there is none. raises `error`: it is damaged"""
        assert byte_range is None  # Zarr reads only shards in parts
        if key in self.hidden:
            return None
        try:
            content = self.chunk(key) if "/c/" in key else files.read(self.root / key, LARGEST)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            path, reason = self.root / key, reason_of(error)
            raise self._error("file-damaged", path=path, reason=reason, remedy=self._remedy) from error
        return (prototype or default_buffer_prototype()).buffer.from_bytes(content)

    def chunk(self, key: str) -> bytes:
        """Returns the content of a chunk's file. raises OSError: as `end_of`, or the checksum does not match"""
        content = files.read(self.root / key, LARGEST)
        own, rest = content[-SIZE:], content[:-SIZE]
        if not rest or google_crc32c.value(rest) != int.from_bytes(own, "little"):
            raise OSError(errno.EIO, say("checksum-differs"))
        return content

    def end_of(self, key: str, in_full: bool = False) -> int:
        """Returns the checksum at the end of a chunk's file; in_full: whether the rest of the file must match it.

        raises OSError: it cannot be read, or is a pipe, a folder …
        """
        if in_full:
            return int.from_bytes(self.chunk(key)[-SIZE:], "little")
        path = self.root / key
        if not stat.S_ISREG(path.stat().st_mode):
            raise OSError(errno.EINVAL, say("not-ordinary-file"))
        with path.open("rb") as file:
            file.seek(-SIZE, os.SEEK_END)
            return int.from_bytes(file.read(), "little")

    def numbers(self, key: str) -> list[int]:
        """Returns the numbers of a chunk of int64 that is not compressed. raises OSError: as `chunk`"""
        content = self.chunk(key)[:-SIZE]
        return [int.from_bytes(content[k : k + 8], "little", signed=True) for k in range(0, len(content), 8)]
