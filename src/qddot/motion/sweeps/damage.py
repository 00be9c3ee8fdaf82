"""Finds damage in a sweep's store: files that are lost, cut short or changed, or that are not files."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from qddot.base.errors import SweepError, number_of
from qddot.base.system import checksums, zarr_folders
from qddot.base.system.zarr_folders import ABOUT, Metadata
from qddot.motion.sweeps import store_layout as layout

NAMED = 3  # damaged chunks that a note names


@dataclass(frozen=True)
class Damage:
    """This is the damage in a sweep's store.

    chunks: what is wrong with each damaged chunk that was finished; arrays: what is wrong with unreadable arrays
    files: the files of the damaged chunks, each with its mark, and of the arrays
    """

    chunks: Mapping[int, str] = field(default_factory=dict)
    arrays: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[int | str, list[str]] = field(default_factory=dict)

    @property
    def hidden(self) -> list[str]:
        """Returns all files that must not be read."""
        return [file for files in self.files.values() for file in files]

    def check_room(self, place: Path) -> None:
        """Raises SweepError if a folder has the name of a chunk's file, so that the file cannot be written."""
        for file in self.hidden:
            if (place / file).is_dir():
                raise SweepError(
                    f"{place / file} is a folder", expected="the file of a chunk", remedy="move the folder away"
                )

    def text(self) -> str:
        """Returns a text with the damaged chunks; of the first ones it says what is wrong."""
        reasons = list(self.chunks.values())[:NAMED]
        return "; ".join(reasons) + (
            f"; and {number_of(len(self.chunks) - NAMED, 'more chunk')}" if len(self.chunks) > NAMED else ""
        )


def survey(place: Path, store: Metadata, in_full: bool | None = None) -> Damage:
    """Returns the damage in the store at a path.

    in_full: whether the content of files is checked rather than their size alone; None checks that of small stores
    raises SweepError: metadata that no sweep writes, marks that cannot be listed
    """
    try:
        return _survey(place, store, in_full)
    except (KeyError, TypeError, ValueError) as error:
        raise SweepError(f"{place}: damaged metadata: {error}", remedy="delete it and run the sweep again") from error


def _survey(place: Path, store: Metadata, in_full: bool | None) -> Damage:
    about, arrays = store.about, store.arrays
    if in_full is None:
        in_full = checksums.size(arrays.values()) <= zarr_folders.SMALL
    by_chunk = {name: arrays[name] for name in (layout.FINISHED, *about["variables"]) if name in arrays}
    chunks, files = dict[int, str](), dict[int | str, list[str]]()
    unread = {name: f"{name}/{ABOUT}: {why}" for name, why in store.spoilt.items()}
    for name, array in arrays.items():
        if name not in by_chunk:
            file = checksums.chunk_file(name, [0] * len(array["shape"]))
            try:
                why = checksums.problem(place / file, checksums.sizes_of(array), in_full)
                why = why or zarr_folders.of_another(about, name, place / file)
            except OSError as error:
                why = error.strerror or str(error)
            if why:
                unread[name], files[name] = f"{file}: {why}", [file]
    sizes_of = {name: checksums.sizes_of(array) for name, array in by_chunk.items()}
    rest = {name: [0] * (len(array["shape"]) - 1) for name, array in by_chunk.items()}
    for k in _marked(place, -(-about["runs"] // about["chunk"])):
        own = {name: checksums.chunk_file(name, [k, *rest[name]]) for name in by_chunk}
        problems = (
            f"{file}: {why}"
            for name, file in own.items()
            if (why := checksums.problem(place / file, sizes_of[name], in_full))
        )
        why = next(problems, "") or ("" if store.spoilt else _moved(place, about["digest"], k, own))
        if why:
            last = min((k + 1) * about["chunk"], about["runs"]) - 1
            chunks[k] = f"runs {k * about['chunk']} to {last}, {why}"
            files[k] = list(own.values())
    return Damage(chunks, unread, files)


def _moved(place: Path, digest: str, k: int, files: Mapping[str, str]) -> str:
    """Returns what is wrong with a chunk whose files are whole, but not all its own, or ""."""
    paths = {name: place / file for name, file in files.items()}
    try:
        if checksums.number_in(paths.pop(layout.FINISHED)) == checksums.seal(digest, k, paths):
            return ""
    except OSError as error:
        return f"{files[layout.FINISHED]}: {error.strerror or error}"
    return f"{files[layout.FINISHED]}: it does not fit the other files of the chunk, some of which are those of another"


def _marked(place: Path, chunks: int) -> Iterator[int]:
    """Yields the chunks that have a mark, in order. raises SweepError: the folder of marks cannot be read"""
    folder = place / layout.FINISHED / "c"
    try:
        names = os.listdir(folder)
    except FileNotFoundError:
        return
    except OSError as error:
        raise SweepError(f"{folder} is damaged: {error.strerror}", expected="a folder of marks") from error
    yield from sorted(k for name in names if name.isascii() and name.isdigit() and (k := int(name)) < chunks)
