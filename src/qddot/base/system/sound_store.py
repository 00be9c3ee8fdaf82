"""Lets Zarr read only ordinary files from a folder, and only chunks whose checksums match."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from pathlib import Path
from typing import Any

from zarr.core.buffer import default_buffer_prototype
from zarr.storage import LocalStore

from qddot.base.errors import QddotError
from qddot.base.system import checksums


class SoundStore(LocalStore):  # type: ignore[misc]
    """This store checks what it reads, and so do its read-only copies.

    error, remedy: the error for a damaged file, and its remedy; hidden: files that are treated as missing
    """

    def __init__(
        self,
        root: Path | str,
        *,
        read_only: bool = False,
        error: type[QddotError] = QddotError,
        remedy: str = "",
        hidden: Collection[str] = (),
    ) -> None:
        super().__init__(root, read_only=read_only)
        self._error, self._remedy = error, remedy
        self.hidden = set(hidden)

    def with_read_only(self, read_only: bool = False) -> SoundStore:
        """Returns the same folder for reading, or for writing as well."""
        return SoundStore(self.root, read_only=read_only, error=self._error, remedy=self._remedy, hidden=self.hidden)

    async def get(self, key: str, prototype: Any = None, byte_range: Any = None) -> Any:
        """Returns a file's content, None where there is none. raises `error`: it is damaged"""
        if byte_range is not None:
            return await super().get(key, prototype, byte_range)
        return await asyncio.to_thread(self._content, key, prototype)

    def get_sync(self, key: str, *, prototype: Any = None, byte_range: Any = None) -> Any:
        """Returns what `get` returns."""
        if byte_range is not None:
            return super().get_sync(key, prototype=prototype, byte_range=byte_range)
        return self._content(key, prototype)

    def _content(self, key: str, prototype: Any) -> Any:
        if key in self.hidden:
            return None
        path = self.root / key
        try:
            content = checksums.read(path) if "/c/" in key else checksums.ordinary(path)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            raise self._error(f"{path} is damaged: {error.strerror}", remedy=self._remedy) from error
        return (prototype or default_buffer_prototype()).buffer.from_bytes(content)
