"""Keeps arrays in folders, in Zarr's format 3, which are made whole and read without pickle.

Zarr writes each file beside its place and moves it there, so that whatever is interrupted leaves an old file or a new
one. Every array's metadata is looked at before Zarr opens it.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from secrets import token_hex
from typing import Any

from qddot.errors import QddotError, shortened
from qddot.system import files

CODECS = {"bytes", "zstd", "crc32c", "gzip", "blosc", "transpose"}
TYPES = {"float64", "int16", "int32", "int64", "uint8", "bool"}
LARGEST = 1 << 24  # bytes of metadata


@dataclass(frozen=True)
class Kind:
    """A kind of store is known by its `mark`, an attribute of the whole that is 1.

    holds: what is in it, "sweep"; writer: the function that makes it; error: what is raised for another folder
    """

    mark: str
    holds: str
    writer: str
    error: type[QddotError]

    def zarr(self) -> Any:
        """Returns the package. raises `error`: it is not installed"""
        try:
            import zarr
        except ModuleNotFoundError:
            raise self.error("zarr is not installed", remedy="pip install 'qddot[sweep]'") from None
        return zarr

    def place(self, path: str | Path) -> Path:
        """Returns the path of a folder that is there or can be made. raises `error`: no such path"""
        try:
            place = Path(path)
            bad = b"\0" in os.fsencode(place) or not place.name
        except (TypeError, ValueError):
            bad = True
        if bad:
            raise self.error(f"a store {shortened(path)}", expected="a folder's name")
        if not place.absolute().parent.is_dir():
            raise self.error(f"{place}: the folder {place.parent} does not exist", remedy="make it first")
        return place

    def metadata(self, place: Path) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
        """Returns the attributes of the store at a path, and the metadata of each array by its name.

        raises `error`: another folder, or types and codecs that could run code or that are never written
        """
        about = self._json(place / "zarr.json", place).get("attributes")
        if not isinstance(about, dict) or about.get(self.mark) != 1:
            raise self._other(place)
        arrays = {path.parent.name: self._json(path, place) for path in sorted(place.glob("*/zarr.json"))}
        for name, array in arrays.items():
            self._check_array(array, place / name)
        return about, arrays

    def check_no_link(self, place: Path) -> None:
        """Raises `error` where a link stands at a path, behind which nothing is deleted."""
        if place.is_symlink():
            raise self.error(f"{place} is a link", remedy="name the folder itself to overwrite it")

    def opened(self, place: Path, mode: str) -> Any:
        """Returns the group at a path, whose metadata has been checked."""
        return self.zarr().open_group(str(place), mode=mode, zarr_format=3, use_consolidated=False)

    def made(self, place: Path, fill: Callable[[str], object]) -> None:
        """Makes a folder, whole or not at all, in the place of one that lies there; `fill` makes it at another path.

        raises `error`: it cannot be made
        """
        old, new = (place.with_name(f"{files.UNFINISHED}{token_hex(8)}") for _ in range(2))
        try:
            if place.exists():
                place.rename(old)
                shutil.rmtree(old)
            fill(str(new))
            new.rename(place)
        except BaseException as error:
            shutil.rmtree(new, ignore_errors=True)
            if isinstance(error, OSError):
                raise self.error(f"{place} cannot be made: {error.strerror or error}") from error
            raise

    @contextmanager
    def alone(self, place: Path) -> Iterator[None]:
        """Keeps other processes from writing the same store; the system ends that with the process."""
        if os.name == "nt":
            yield
            return
        import fcntl

        with open(place / "zarr.json", "rb") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise self.error(f"{place}: another process runs it", remedy="wait for it") from None
            except OSError:
                pass  # a file system without locks
            _clean(place)
            yield

    def _other(self, place: Path) -> QddotError:
        return self.error(f"{place} is no store of a {self.holds}", expected=f"a folder that {self.writer} has written")

    def _json(self, path: Path, place: Path) -> dict[str, Any]:
        try:
            content = json.loads(files.read(path, LARGEST))
        except (OSError, ValueError, RecursionError):
            content = None
        if not isinstance(content, dict):
            raise self._other(place)
        return content

    def _check_array(self, about: Mapping[str, Any], path: Path) -> None:
        codecs = about.get("codecs")
        named = codecs if isinstance(codecs, list) else [None]
        names = {codec.get("name") if isinstance(codec, dict) else None for codec in named}
        if not names <= CODECS or about.get("data_type") not in TYPES or about.get("storage_transformers"):
            raise self.error(
                f"{path}: an array that no {self.holds} writes", expected=f"codecs of {', '.join(sorted(CODECS))}"
            )


def _clean(place: Path) -> None:
    """Removes files that a killed process had not finished."""
    for path in place.rglob("*.partial"):
        with suppress(OSError):
            path.unlink()


def add(
    group: Any,
    name: str,
    shape: Sequence[int],
    chunks: Sequence[int],
    dims: Sequence[str],
    dtype: str = "float64",
    fill: float = float("nan"),
    attrs: Mapping[str, Any] | None = None,
) -> Any:
    """Adds an array without any chunk yet, and returns it. Empty attributes are left out."""
    # numbers that are drawn or integrated hardly get smaller, and packing them costs more than running them
    packed = None if dtype == "float64" else "auto"
    return group.create_array(
        name,
        shape=tuple(shape),
        chunks=tuple(chunks),
        dtype=dtype,
        fill_value=fill,
        compressors=packed,
        dimension_names=tuple(dims),
        attributes={key: value for key, value in (attrs or {}).items() if value != ""},
    )
