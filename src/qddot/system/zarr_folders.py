"""Keeps arrays in Zarr folders (format 3), which are created whole and are read without pickle.

Zarr writes each file under another name and then moves it to its place, so that an interruption leaves the old file or
the new one. An array's metadata is checked before Zarr opens it. Each chunk ends with a checksum, and the store's
attributes hold the checksums of all metadata, so that damage is never read as numbers.
"""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from qddot.errors import QddotError, shortened
from qddot.system import checksums, files, unfinished

CODECS = {"bytes", "zstd", "crc32c", "gzip", "blosc", "transpose"}
TYPES = {"float64", "int16", "int32", "int64", "uint8", "bool"}
LARGEST = 1 << 24  # bytes of metadata
ABOUT = "zarr.json"  # the file of metadata of a store, and of each array
OWN = ("arrays", "checksum")  # attributes: the checksum of each array's metadata, and that of all other attributes
SMALL = 1 << 28  # bytes that are read at once to look for damage


@dataclass(frozen=True)
class Metadata:
    """This is what a store says of itself: its attributes, and the metadata of each array by its name.

    spoilt: why those of other arrays cannot be read
    """

    about: dict[str, Any]
    arrays: dict[str, dict[str, Any]]
    spoilt: dict[str, str]


@dataclass(frozen=True)
class Kind:
    """A kind of store is recognised by its `mark`, an attribute of the store with the value 1.

    holds: what is in it, "sweep"; writer: the function that makes it; error: what is raised for another folder
    remedy: what is to be done where a file is damaged
    """

    mark: str
    holds: str
    writer: str
    error: type[QddotError]
    remedy: str

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

    def metadata(self, place: Path) -> Metadata:
        """Returns what the store at a path says of itself.

        raises `error`: another folder, attributes that are damaged, types and codecs that could run code or that are
        never written
        """
        content, why = _json(place / ABOUT)
        about = content.get("attributes")
        if why or not isinstance(about, dict) or about.get(self.mark) != 1:
            found = f"{place} is no store of a {self.holds}" + (f", or its {ABOUT} is damaged: {why}" if why else "")
            raise self.error(found, expected=f"a folder that {self.writer} has written")
        known, own = (about.get(name) for name in OWN)
        if own != _checksum(about) or not isinstance(known, dict):
            raise self.error(
                f"{place / ABOUT} is damaged: its checksum does not match",
                remedy="name another store, or delete it and call again",
            )
        arrays, spoilt = dict[str, dict[str, Any]](), dict[str, str]()
        for name in sorted({*known, *(path.parent.name for path in place.glob(f"*/{ABOUT}"))}):
            content, why = _json(place / name / ABOUT)
            if not why and name in known and checksums.of_json(content) != known[name]:
                why = "its checksum does not match"
            if why:
                spoilt[name] = why
                continue
            self._check_array(content, place / name)
            if name in known:
                arrays[name] = content
        return Metadata(about, arrays, spoilt)

    def check_no_link(self, place: Path) -> None:
        """Raises `error` where a link stands at a path, behind which nothing is deleted."""
        if place.is_symlink():
            raise self.error(f"{place} is a link", remedy="name the folder itself to overwrite it")

    def opened(self, place: Path, mode: str, hidden: Collection[str] = ()) -> Any:
        """Returns the group at a path, whose metadata has been checked; files that are `hidden` are not read."""
        zarr = self.zarr()
        from qddot.system.sound_store import SoundStore

        store = SoundStore(place, read_only=mode == "r", error=self.error, remedy=self.remedy, hidden=hidden)
        return zarr.open_group(store, mode=mode, zarr_format=3, use_consolidated=False)

    @contextmanager
    def made(self, place: Path, fill: Callable[[str], object], replaces: bool) -> Iterator[None]:
        """Makes a folder, whole or not at all, and keeps other processes from it.

        fill: the function that makes it at another path; replaces: whether one that lies there is deleted
        raises `error`: it cannot be made, or another process makes or runs one there
        """
        with ExitStack() as lock:
            try:
                with unfinished.folder(place.parent) as own:
                    old, new = own / "old", own / "new"
                    fill(str(new))
                    self.seal(new)
                    # before it is in its place, so that nobody else is there first
                    lock.enter_context(self.alone(new))
                    try:
                        if replaces and place.exists():
                            with self.alone(place):
                                place.rename(old)
                        new.rename(place)
                    except BaseException:
                        with suppress(OSError):
                            old.rename(place)
                        raise
            except OSError as error:
                if error.errno in (errno.ENOTEMPTY, errno.EEXIST):
                    raise self._busy(place) from error
                raise self.error(f"{place} cannot be made: {error.strerror or error}") from error
            yield

    def seal(self, place: Path) -> None:
        """Notes the checksums of all metadata, as they now are."""
        known = {path.parent.name: checksums.of_json(_json(path)[0]) for path in sorted(place.glob(f"*/{ABOUT}"))}
        note(self.opened(place, "r+"), arrays=known)

    @contextmanager
    def alone(self, place: Path) -> Iterator[None]:
        """Keeps other processes from writing the same store; the system ends that with the process."""
        if os.name == "nt":
            yield
            return
        import fcntl

        # the folder itself, since files in it are replaced, and their locks with them
        try:
            handle = os.open(place, os.O_RDONLY)
        except FileNotFoundError:
            raise self._busy(place) from None
        except OSError as error:
            raise self.error(f"{place} cannot be opened: {error.strerror}") from error
        try:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise self._busy(place) from None
            except OSError:
                pass  # a file system without locks
            if not (place.exists() and os.path.samestat(os.fstat(handle), place.stat())):
                raise self._busy(place)
            _clean(place)
            yield
        finally:
            os.close(handle)

    def _busy(self, place: Path) -> QddotError:
        return self.error(f"{place}: another process runs it", remedy="wait for it")

    def _check_array(self, about: Mapping[str, Any], path: Path) -> None:
        codecs = about.get("codecs")
        named = codecs if isinstance(codecs, list) else [None]
        names = [codec.get("name") if isinstance(codec, dict) else None for codec in named]
        sealed = names[-1:] == ["crc32c"]
        if (
            not sealed
            or not {*names} <= CODECS
            or about.get("data_type") not in TYPES
            or about.get("storage_transformers")
        ):
            raise self.error(
                f"{path}: an array that no {self.holds} writes",
                expected=f"codecs of {', '.join(sorted(CODECS))}, crc32c last",
            )


def note(group: Any, **attributes: Any) -> None:
    """Changes attributes of a store, and their checksum."""
    group.attrs.update({**attributes, OWN[1]: _checksum({**group.attrs, **attributes})})


def _checksum(about: Mapping[str, Any]) -> int:
    return checksums.of_json({name: value for name, value in about.items() if name != OWN[1]})


def _json(path: Path) -> tuple[dict[str, Any], str]:
    """Returns what a file of metadata says, and why it cannot be read, "" where it can."""
    try:
        content = json.loads(files.read(path, LARGEST))
    except FileNotFoundError:
        return {}, "it is lost"
    except OSError as error:
        return {}, error.strerror or str(error)
    except (ValueError, RecursionError):
        return {}, "it is no JSON"
    return (content, "") if isinstance(content, dict) else ({}, "it is no JSON of metadata")


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
    packed: bool = False,
) -> Any:
    """Adds an array without any chunk yet, and returns it. Empty attributes are left out.

    packed: whether chunks are compressed, which takes longer than computing drawn or integrated numbers
    """
    from zarr.codecs import Crc32cCodec, ZstdCodec

    group.create_array(
        name,
        shape=tuple(shape),
        chunks=tuple(chunks),
        dtype=dtype,
        fill_value=fill,
        compressors=[*([ZstdCodec()] if packed else []), Crc32cCodec()],
        dimension_names=tuple(dims),
        attributes={key: value for key, value in (attrs or {}).items() if value != ""},
    )
    return array(group, name)


def array(group: Any, name: str) -> Any:
    """Returns an array that writes a file for every chunk, even for one that holds nothing but the fill value."""
    import zarr

    with zarr.config.set({"array.write_empty_chunks": True}):
        return group[name]
