"""Keeps arrays in Zarr folders (format 3), which are created completely or not at all, and read without pickle.

Zarr writes each file under another name and then moves it to its place, so that an interruption leaves the old file or
the new one. An array's metadata is checked before Zarr opens it. Each chunk ends with a checksum, and the store's
attributes hold the checksums of all metadata, so that damage is never read as numbers.
"""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from qddot.base.errors import QddotError, shortened
from qddot.base.system import checksums, files, parts, unfinished

CODECS = {"bytes", "zstd", "crc32c", "gzip", "blosc", "transpose"}
TYPES = {"float64", "int16", "int32", "int64", "uint8", "bool"}
LARGEST = 1 << 24  # bytes of metadata
ABOUT = "zarr.json"  # the file of metadata of a store, and of each array
# attributes: the checksum of each array's metadata, that of all other attributes, and those of arrays that stay as they
# were made, which say that their files are not another store's
OWN = ("arrays", "checksum", "contents")
SMALL = 1 << 28  # bytes of arrays; fewer are read completely when a store is opened


@dataclass(frozen=True)
class Metadata:
    """This is a store's metadata: its attributes, and the metadata of each array by its name.

    spoilt: the arrays whose metadata cannot be read, each with the reason
    """

    about: dict[str, Any]
    arrays: dict[str, dict[str, Any]]
    spoilt: dict[str, str]


@dataclass(frozen=True)
class Kind:
    """A kind of store is recognised by its `mark`, an attribute of the store with the value 1.

    holds: its content, such as "sweep"; writer: the function that writes it
    error: the error for anything else that is opened; remedy: what to do about a damaged file
    changing: the arrays of a new store with numbers that change later
    """

    mark: str
    holds: str
    writer: str
    error: type[QddotError]
    remedy: str
    changing: tuple[str, ...] = ()

    def zarr(self) -> Any:
        """Returns the package zarr. raises `error`: it is not installed"""
        try:
            import zarr
        except ModuleNotFoundError:
            raise self.error("zarr is not installed", remedy=parts.remedy("sweep")) from None
        return zarr

    def place(self, path: str | Path) -> Path:
        """Returns the path of a folder that exists or can be created. raises `error`: no such path"""
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
        """Returns the metadata of the store at a path.

        raises `error`: the folder is no such store, its attributes are damaged, or an array has a data type or a codec
        that is never written, which could run code
        """
        content, why = _json(place / ABOUT)
        about = content.get("attributes")
        if why or not isinstance(about, dict) or about.get(self.mark) != 1:
            problem = f"{place} is not a store of a {self.holds}"
            problem += f", or its {ABOUT} is damaged: {why}" if why else ""
            raise self.error(problem, expected=f"a folder that {self.writer} has written")
        checksum_of, own = about.get(OWN[0]), about.get(OWN[1])
        if own != _checksum(about) or not isinstance(checksum_of, dict):
            raise self.error(
                f"{place / ABOUT} is damaged: its checksum does not match",
                remedy="name another store, or delete the folder of this one and call again",
            )
        arrays, spoilt = dict[str, dict[str, Any]](), dict[str, str]()
        for name in sorted({*checksum_of, *(path.parent.name for path in place.glob(f"*/{ABOUT}"))}):
            content, why = _json(place / name / ABOUT)
            if not why and name in checksum_of and checksums.of_json(content) != checksum_of[name]:
                why = "its checksum does not match"
            if why:
                spoilt[name] = why
                continue
            self._check_array(content, place / name)
            if name in checksum_of:
                arrays[name] = content
        return Metadata(about, arrays, spoilt)

    def check_no_link(self, place: Path) -> None:
        """Raises `error` where a path is a link, since nothing is deleted through links."""
        if place.is_symlink():
            raise self.error(f"{place} is a link", remedy="name the folder itself to overwrite it")

    def opened(self, place: Path, mode: str, hidden: Collection[str] = ()) -> Any:
        """Opens the group at a path, whose metadata must have been checked; files that are `hidden` are not read."""
        zarr = self.zarr()
        from qddot.base.system.sound_store import SoundStore

        store = SoundStore(place, read_only=mode == "r", error=self.error, remedy=self.remedy, hidden=hidden)
        return zarr.open_group(store, mode=mode, zarr_format=3, use_consolidated=False)

    @contextmanager
    def new(self, place: Path, fill: Callable[[str], object], replaces: bool) -> Iterator[None]:
        """Creates a store completely or not at all, and keeps other processes from it.

        fill: the function that writes it at a temporary path; replaces: whether an existing folder is deleted
        raises `error`: it cannot be created, or another process creates or uses one there
        """
        with ExitStack() as lock:
            try:
                with unfinished.folder(place.parent) as own:
                    old, new = own / "old", own / "new"
                    fill(str(new))
                    self.seal(new)
                    self.keep(new, {path.parent.name for path in new.glob("*/c")}.difference(self.changing))
                    # locked before it is moved, so that no other process can lock it first
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
                raise self.error(f"{place} cannot be created: {error.strerror or error}") from error
            yield

    def seal(self, place: Path) -> None:
        """Stores the current checksums of all arrays' metadata."""
        arrays = {path.parent.name: checksums.of_json(_json(path)[0]) for path in sorted(place.glob(f"*/{ABOUT}"))}
        note(self.opened(place, "r+"), arrays=arrays)

    def keep(self, place: Path, names: Iterable[str]) -> None:
        """Stores the checksums of arrays with a single chunk, which will not change."""
        group = self.opened(place, "r+")
        ends = {name: checksums.end_of(_only_file(place / name)) for name in sorted(names)}
        note(group, contents={**group.attrs.get(OWN[2], {}), **ends})

    @contextmanager
    def alone(self, place: Path) -> Iterator[None]:
        """Locks the store, so that no other process writes it; the lock ends with this process at the latest."""
        if os.name == "nt":
            yield
            return
        import fcntl

        # the folder itself is locked, since a lock on a file is lost when the file is replaced
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
        return self.error(f"{place}: another process is using it", remedy="wait until it has ended")

    def _check_array(self, about: Mapping[str, Any], path: Path) -> None:
        codecs = about.get("codecs")
        entries = codecs if isinstance(codecs, list) else [None]
        names = [codec.get("name") if isinstance(codec, dict) else None for codec in entries]
        sealed = names[-1:] == ["crc32c"]
        if (
            not sealed
            or not {*names} <= CODECS
            or about.get("data_type") not in TYPES
            or about.get("storage_transformers")
        ):
            raise self.error(
                f"{path} is not an array of a {self.holds}",
                expected=f"codecs of {', '.join(sorted(CODECS))}, crc32c last",
            )


def of_another(about: Mapping[str, Any], name: str, path: Path) -> str:
    """Returns what is wrong with the file of an array that stays as it was made, or "".

    about: the store's attributes
    """
    own = about.get(OWN[2], {}).get(name)
    return "it is that of another store or array" if own not in (None, checksums.end_of(path)) else ""


def _only_file(folder: Path) -> Path:
    (path,) = (path for path in (folder / "c").rglob("*") if path.is_file())
    return path


def note(group: Any, **attributes: Any) -> None:
    """Changes attributes of a store, and updates their checksum."""
    group.attrs.update({**attributes, OWN[1]: _checksum({**group.attrs, **attributes})})


def _checksum(about: Mapping[str, Any]) -> int:
    return checksums.of_json({name: value for name, value in about.items() if name != OWN[1]})


def _json(path: Path) -> tuple[dict[str, Any], str]:
    """Returns the content of a metadata file, and why it cannot be read, or ""."""
    try:
        content = json.loads(files.read(path, LARGEST))
    except FileNotFoundError:
        return {}, "it is missing"
    except OSError as error:
        return {}, error.strerror or str(error)
    except (ValueError, RecursionError):
        return {}, "it is not JSON"
    return (content, "") if isinstance(content, dict) else ({}, "it is not a JSON object")


def _clean(place: Path) -> None:
    """Removes unfinished files of killed processes."""
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
    """Adds an array, which has no chunks yet, and returns it. Empty attributes are left out.

    packed: whether chunks are compressed; for drawn or integrated numbers this takes longer than computing them
    """
    from zarr.codecs import Crc32cCodec, ZstdCodec

    return group.create_array(
        name,
        shape=tuple(shape),
        chunks=tuple(chunks),
        dtype=dtype,
        fill_value=fill,
        compressors=[*([ZstdCodec()] if packed else []), Crc32cCodec()],
        dimension_names=tuple(dims),
        attributes={key: value for key, value in (attrs or {}).items() if value != ""},
        config={"write_empty_chunks": True},
    )


def array(group: Any, name: str) -> Any:
    """Returns an array that writes a file for every chunk, even for one that contains only the fill value."""
    import zarr

    with zarr.config.set({"array.write_empty_chunks": True}):
        return group[name]
