"""Keeps arrays in Zarr folders (format 3), which are created completely or not at all, and read without pickle.

Arrays with a dimension that fills up are divided into blocks along it, one file for each array and block; every other
array has one file. A block's files are written first, then its mark, a column of the array `finished`: how many of its
entries are finished, and a seal of each file, which binds its checksum to the array, the block and the store. The
store's attributes hold the checksums of the other arrays and of all metadata. Zarr writes each file under another name
and then moves it to its place, so that an interruption leaves the old file or the new one.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import zlib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import cache, cached_property, partial
from pathlib import Path
from typing import Any

from qddot.base.errors import QddotError, reason_of, shortened
from qddot.base.records import record
from qddot.base.system import files, parts, unfinished
from qddot.base.words.language import ENGLISH
from qddot.base.words.message import Following, Listed, Words, say, told

CODECS = {"bytes", "zstd", "crc32c", "gzip", "blosc", "transpose"}
TYPES = {"float64", "int16", "int32", "int64", "uint8", "bool"}
LAYOUT = 2  # of the files and attributes, which the mark of a kind names
SMALL = 1 << 28  # bytes of arrays; fewer are read completely when a store is opened
NAMED = 3  # damaged blocks that a text names
ABOUT = "zarr.json"  # the file of metadata of a store, and of each array
FINISHED = "finished"  # the array of marks
# attributes: the checksums of arrays' metadata, of arrays without blocks that change no more, and of other attributes
OWN = ("arrays", "contents", "checksum")


@record()
class Kind:
    """A kind of store is recognised by its `mark`, an attribute of the store with the number of its layout.

    holds: its content, such as "sweep"; writer: the function that writes it
    error: the error for anything else that is opened; remedy: what to do about a damaged file
    identity: the attribute by which a store differs from all others
    along: the dimensions that are divided into blocks; part, entries: what a block and its entries are called
    unread: arrays with blocks that are not checked, since they are not read
    changing: arrays without blocks whose numbers change after the store has been created
    """

    mark: str
    holds: Words
    writer: str
    error: type[QddotError]
    remedy: Words
    identity: str
    along: tuple[str, ...]
    part: Words
    entries: Words
    unread: tuple[str, ...] = ()
    changing: tuple[str, ...] = ()

    def zarr(self) -> Any:
        """Returns the package zarr. raises `error`: it is not installed"""
        try:
            import zarr
        except ModuleNotFoundError:
            raise self.error("zarr-not-installed", remedy=parts.remedy("sweep")) from None
        return zarr

    def place(self, path: str | Path) -> Path:
        """Returns the path of a folder that exists or can be created. raises `error`: no such path"""
        if not files.is_name(path) or not (place := Path(path)).name:
            raise self.error("not-store-name", path=shortened(path))
        if not files.may_hold(place.absolute().parent):
            raise self.error("file-in-no-folder", target=place)
        return place

    def check_no_link(self, place: Path) -> None:
        """Raises `error` where a path is a link, since nothing is deleted through links."""
        if place.is_symlink():
            raise self.error("store-is-a-link", place=place)

    def metadata(self, place: Path) -> tuple[dict[str, Any], dict[str, Words]]:
        """Returns the attributes of the store at a path, and why the metadata of some of its arrays cannot be read.

        raises `error`: the folder is no such store, its attributes are damaged, or an array has a data type or a codec
        that is never written, which could run code
        """
        content, why = files.read_json(place / ABOUT)
        about = content.get("attributes")
        if why or not isinstance(about, dict) or not isinstance(about.get(self.mark), int):
            if why:
                raise self.error(
                    "no-store-or-damaged", place=place, holds=self.holds, writer=self.writer, file=ABOUT, why=why
                )
            raise self.error("no-store-of", place=place, holds=self.holds, writer=self.writer)
        if about.get("checksum") != _checksum(about) or not isinstance(about.get("arrays"), dict):
            raise self.error("store-attributes-damaged", path=place / ABOUT)
        if about[self.mark] != LAYOUT:
            raise self.error("store-of-another-layout", place=place, found=about[self.mark], layout=LAYOUT)
        spoilt = dict[str, Words]()
        for name in sorted({*about["arrays"], *(path.parent.name for path in place.glob(f"*/{ABOUT}"))}):
            content, why = files.read_json(place / name / ABOUT)
            if not why and name in about["arrays"] and _checksum(content) != about["arrays"][name]:
                why = say("checksum-differs")
            if why:
                spoilt[name] = why
            else:
                self._check_array(content, place / name)
        return about, spoilt

    def _check_array(self, about: Mapping[str, Any], path: Path) -> None:
        codecs = about.get("codecs")
        entries = codecs if isinstance(codecs, list) else [None]
        names = [codec.get("name") if isinstance(codec, dict) else None for codec in entries]
        known = {*names} <= CODECS and names[-1:] == ["crc32c"] and about.get("data_type") in TYPES
        if not known or about.get("storage_transformers"):
            raise self.error("not-array-of", path=path, holds=self.holds, names=Listed(sorted(CODECS)))

    def opened(self, place: Path, mode: str) -> Any:
        """Opens the group at a path, whose metadata must have been checked."""
        zarr = self.zarr()
        from qddot.base.system.sound_store import SoundStore

        store = SoundStore(place, self.error, self.remedy, read_only=mode == "r")
        return zarr.open_group(store, mode=mode, zarr_format=3, use_consolidated=False)

    def group(self, where: Any, attributes: Mapping[str, Any]) -> Any:
        """Returns a new group at a path or in a store of Zarr's."""
        return self.zarr().create_group(where, zarr_format=3, attributes={**attributes, self.mark: LAYOUT})

    @contextmanager
    def new(self, place: Path, fill: Callable[[str], object], replaces: bool) -> Iterator[None]:
        """Creates a store completely or not at all, and keeps other processes from it.

        fill: the function that writes it at a temporary path; replaces: whether an existing folder is deleted
        raises `error`: it cannot be created, or another process creates or uses one there
        """
        with ExitStack() as lock:
            try:
                place.parent.mkdir(parents=True, exist_ok=True)
                with unfinished.folder(place.parent) as own:
                    old, new = own / "old", own / "new"
                    fill(str(new))
                    self.seal(new)
                    Store(self, self.opened(new, "r+"), new).keep(self.changing)
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
                raise self.error("store-not-creatable", place=place, reason=reason_of(error)) from error
            yield

    def seal(self, place: Path) -> None:
        """Stores the current checksums of all arrays' metadata."""
        arrays = {path.parent.name: _checksum(files.read_json(path)[0]) for path in sorted(place.glob(f"*/{ABOUT}"))}
        note(self.opened(place, "r+"), arrays=arrays)

    @contextmanager
    def alone(self, place: Path) -> Iterator[None]:
        """Locks the store, so that no other process writes it; the lock ends with this process at the latest."""
        with ExitStack() as lock:
            try:
                lock.enter_context(unfinished.locked(place.resolve()))
            except (BlockingIOError, FileNotFoundError):
                raise self._busy(place) from None
            except OSError as error:
                raise self.error("store-not-openable", place=place, reason=reason_of(error)) from error
            for path in place.rglob("*.partial"):  # unfinished files of killed processes
                with suppress(OSError):
                    path.unlink()
            yield

    def _busy(self, place: Path) -> QddotError:
        return self.error("store-in-use", place=place)


class Store:
    """This is an open store with a group of arrays; `place` is None for one in memory.

    damaged, lost: what is wrong with each damaged block, and with each damaged array without blocks, when surveyed
    """

    def __init__(self, kind: Kind, group: Any, place: Path | None) -> None:
        self.kind, self.group, self.place = kind, group, place
        self.damaged, self.lost = dict[int, Words](), dict[str, Words]()
        # looking up an array costs as much as writing to it
        self._array = cache(partial(_array, group))

    @property
    def about(self) -> dict[str, Any]:
        """Returns the attributes."""
        return dict(self.group.attrs)

    @cached_property
    def _dims(self) -> dict[str, Sequence[str]]:
        """Returns the dimensions of each array that is checked, in the order of their seals."""
        arrays = dict(self.group.arrays())
        names = {*self.group.attrs.get("arrays", arrays)}.difference((FINISHED, *self.kind.unread))
        return {name: arrays[name].metadata.dimension_names for name in sorted(names)}

    @cached_property
    def _divided(self) -> list[str]:
        """Returns the names of the arrays that are divided into blocks."""
        return [name for name, dims in self._dims.items() if not {*self.kind.along}.isdisjoint(dims)]

    def _file(self, name: str, k: int = 0) -> str:
        """Returns an array's file for a block, or its only file if it is not divided."""
        return "/".join((name, "c", *(str(k if dim in self.kind.along else 0) for dim in self._dims[name])))

    def _files(self, k: int) -> list[str]:
        """Returns the files of a block, the mark first."""
        return [mark_of(k), *(self._file(name, k) for name in self._divided)]

    def add_marks(self, blocks: int) -> None:
        """Adds the marks of blocks to a new store that has all other arrays."""
        rows = 1 + len(self._divided)
        add(self.group, FINISHED, (rows, blocks), (rows, 1), ("seal", told(self.kind.part, ENGLISH)), "int64", 0)

    def keep(self, changing: Collection[str] = (), **attributes: Any) -> None:
        """Stores attributes, and the seals of all arrays that are not divided, but for those that change later."""
        names = self._dims.keys() - {*self._divided, *changing, *self.group.attrs.get("contents", ())}
        seals = {name: self._sealed(self._file(name)) for name in sorted(names)}
        note(self.group, **attributes, contents={**self.group.attrs.get("contents", {}), **seals})

    def set(self, name: str, values: Any) -> None:
        """Writes an array without blocks. raises OSError: it cannot be written"""
        self._array(name)[...] = values

    def write(self, k: int, arrays: Mapping[str, Any], offset: int = 0) -> None:
        """Writes entries of a block, the first at `offset` in it. raises OSError: they cannot be written"""
        for name, values in arrays.items():
            array = self._array(name)
            axis = next(i for i, dim in enumerate(array.metadata.dimension_names) if dim in self.kind.along)
            first = k * array.chunks[axis] + offset
            array[(*[slice(None)] * axis, slice(first, first + values.shape[axis]))] = values

    def mark(self, k: int, count: int, is_sealed: bool = True) -> None:
        """Marks how many entries of a block are finished. raises OSError: this cannot be written

        is_sealed: whether its files are sealed, or will be written again
        """
        mark, *own = self._files(k)
        is_sealed = is_sealed and self.place is not None
        seals = [self._sealed(file) if is_sealed else 0 for file in own]
        self._array(FINISHED)[:, k] = [count, *seals]
        if k in self.damaged:
            self.group.store.hidden.difference_update([mark, *own])

    def marked(self, most: int) -> list[int]:
        """Returns which of so many blocks have a mark. raises OSError: the folder of marks cannot be read"""
        try:
            names = os.listdir(Path(self.group.store.root, mark_of(0)).parent)
        except FileNotFoundError:
            return []
        return sorted(k for name in names if name.isascii() and name.isdigit() and (k := int(name)) < most)

    def survey(self, blocks: Mapping[int, range], in_full: bool | None = None, is_open: bool = False) -> None:
        """Finds the damage in a store on a disk, and hides the damaged files.

        blocks: the entries that must be finished in each; is_open: whether the last block may have no seals yet
        in_full: whether the content of files is checked, or only its checksum; None checks the content of small stores
        """
        if in_full is None:
            in_full = sum(array.nbytes for _, array in self.group.arrays()) <= SMALL
        for name in self._dims.keys() - {*self._divided}:
            if why := self._why(self._file(name), self.about["contents"].get(name), in_full=True):
                self.lost[name] = say("file-because", file=self._file(name), why=why)
                self.group.store.hidden.add(self._file(name))
        last = max(blocks) if is_open else None
        for k, entries in blocks.items():
            if why := self._problem(k, len(entries), in_full, k == last):
                self.damaged[k] = say(
                    "block-because", entries=self.kind.entries, first=entries[0], last=entries[-1], why=why
                )
                self.group.store.hidden.update(self._files(k))

    def damage(self) -> Words:
        """Returns a text with the damaged blocks; of the first ones it says what is wrong."""
        more = len(self.damaged) - NAMED
        reasons = Following(list(self.damaged.values())[:NAMED])
        return say("and-more-blocks", reasons=reasons, part=self.kind.part, count=more) if more > 0 else reasons

    def _problem(self, k: int, count: int, in_full: bool, is_open: bool) -> Words:
        """Returns what is wrong with a block of which so many entries must be finished, or ""."""
        mark, *own = self._files(k)
        try:
            finished, *seals = self.group.store.numbers(mark)
        except OSError as error:
            return say("file-because", file=mark, why=files.reason(error))
        if len(seals) != len(own) or finished < count or (finished > count and not is_open):
            why = say("not-mark-of-entries", entries=self.kind.entries, count=count)
            return say("file-because", file=mark, why=why)
        known = [None if is_open and not seal else seal for seal in seals]
        problems = ((file, self._why(file, seal, in_full)) for file, seal in zip(own, known, strict=True))
        problem = next((say("file-because", file=file, why=why) for file, why in problems if why), "")
        # a living writer changes the mark before it changes other files
        if problem and is_open and self.group.store.numbers(mark) != [finished, *seals]:
            return self._problem(k, count, in_full, is_open)
        return problem

    def _why(self, file: str, seal: int | None, in_full: bool) -> Words:
        """Returns what is wrong with a file, or ""; seal: None if it has none yet."""
        try:
            end = self.group.store.end_of(file, in_full)
        except OSError as error:
            return files.reason(error)
        if seal in (None, self._seal(file, end)):
            return ""
        told = say("seal-does-not-fit", part=self.kind.part, holds=self.kind.holds)
        return told if in_full else self._why(file, seal, True)

    def _sealed(self, file: str) -> int:
        return self._seal(file, self.group.store.end_of(file))

    def _seal(self, file: str, end: int) -> int:
        """Returns a positive fingerprint of a file's name, of the checksum at its end, and of the store."""
        text = json.dumps([self.group.attrs[self.kind.identity], file, end])
        return 1 + int.from_bytes(hashlib.sha256(text.encode()).digest()[:7], "little")


def mark_of(k: int) -> str:
    """Returns the file with the mark of a block."""
    return f"{FINISHED}/c/0/{k}"


def note(group: Any, **attributes: Any) -> None:
    """Changes attributes of a store, and updates their checksum."""
    group.attrs.update({**attributes, "checksum": _checksum({**group.attrs, **attributes})})


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


def add_whole(group: Any, name: str, values: Any, dims: Sequence[str], attrs: Mapping[str, Any] | None = None) -> None:
    """Adds an array without blocks, with its values."""
    fill = float("nan") if values.dtype.kind == "f" else 0
    add(group, name, values.shape, values.shape, dims, str(values.dtype), fill, attrs)[...] = values


def _array(group: Any, name: str) -> Any:
    """Returns an array that writes a file for every chunk, even for one that contains only the fill value."""
    import zarr

    with zarr.config.set({"array.write_empty_chunks": True}):
        return group[name]


def _checksum(content: Mapping[str, Any]) -> int:
    """Returns the CRC-32 of metadata, but for the entry that keeps it; −1 if they are nested too deeply."""
    own = {name: value for name, value in content.items() if name != "checksum"}
    try:
        return zlib.crc32(json.dumps(own, sort_keys=True).encode())
    except RecursionError:
        return -1
