"""Reads <include>: models in other files, none of them outside the robot's folder."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from qddot.base.errors import FormatError, located, shortened
from qddot.base.records import record
from qddot.base.system.texts import content
from qddot.base.words.message import say
from qddot.formats.sdf import elements, known
from qddot.formats.xml import elements as xml
from qddot.formats.xml.elements import Element

LARGEST_CONFIG = 100_000  # bytes
MOST_INCLUDES, MOST_FOLDERS = 500, 10_000
MODEL, CONFIG = "model://", "model.config"
OLDEST, NEWEST = (1, 4), (1, 12)
FRAMES_WITH_SEMANTICS = (1, 7)  # the first version with relative_to and expressed_in
_VERSION = re.compile(r"\d{1,3}\.\d{1,3}", re.ASCII)
_OTHER_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")


@record(slots=True)
class Source:
    """A source is the file of an element, with its version of SDF and the chain of files that include it."""

    version: tuple[int, int]
    files: tuple[Path, ...]

    @property
    def early(self) -> bool:
        """Returns whether the file names frames as before SDF 1.7."""
        return self.version < FRAMES_WITH_SEMANTICS


def version(root: Element) -> tuple[int, int]:
    """Returns the version of an <sdf> element."""
    text = root.required("version").strip()
    numbers = _numbers(text)
    if numbers is None or not OLDEST <= numbers <= NEWEST:
        first, last = (f"{major}.{minor}" for major, minor in (OLDEST, NEWEST))
        raise FormatError("sdf-version-unknown", where=root.where, version=shortened(text), first=first, last=last)
    return numbers


def _numbers(text: str) -> tuple[int, int] | None:
    if not _VERSION.fullmatch(text):
        return None
    major, minor = text.split(".")
    return int(major), int(minor)


@dataclass
class Folder:
    """This is the folder of the main file; included files must lie in it or below."""

    top: Path | None
    included: int = 0
    parsed: dict[Path, Element] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def model(self, include: Element, source: Source) -> tuple[Element, Source]:
        """Returns the <model> element of an <include>, and its source."""
        self.included += 1
        if self.included > MOST_INCLUDES:
            raise FormatError("too-many-includes", where=include.where, most=MOST_INCLUDES)
        path = self._path(include, elements.word(include, "uri"), source)
        if path in source.files:
            raise FormatError("includes-itself", where=include.where, name=path.name)
        if path not in self.parsed:
            self.parsed[path] = self._read(path, xml.LARGEST, include)
        root = self.parsed[path]
        if root.tag != "sdf":
            raise FormatError("included-root-wrong", where=include.where, tag=shortened(root.tag)[1:-1])
        known.check(root)
        models = list(root.all("model"))
        if len(models) != 1:
            raise FormatError("models-in-file", where=include.where, count=len(models), name=path.name)
        return models[0], Source(version(root), (*source.files, path))

    def _path(self, include: Element, uri: str, source: Source) -> Path:
        """Returns the path of a uri; checks that it lies inside the folder before anything is read."""
        if self.top is None:
            raise FormatError("include-without-folder", where=include.where)
        if uri.startswith(MODEL):
            name, _, rest = uri.removeprefix(MODEL).partition("/")
            path = self._named(name, include) / rest
        elif _OTHER_SCHEME.match(uri):
            raise FormatError("uri-outside-robot", where=include.where, uri=shortened(uri), model=MODEL)
        else:
            path = source.files[-1].parent / uri
        path = self._inside(path, uri, include)
        return self._inside(path / self._chosen(path, include), uri, include) if os.path.isdir(path) else path

    def _inside(self, path: Path, uri: str, include: Element) -> Path:
        assert self.top is not None
        try:
            resolved = path.resolve()
        except (OSError, ValueError, RuntimeError):
            raise FormatError("uri-not-path", where=include.where, uri=shortened(uri)) from None
        if not resolved.is_relative_to(self.top.resolve()):
            raise FormatError(
                "uri-leads-outside", where=include.where, uri=shortened(uri), top=shortened(str(self.top))
            )
        return resolved

    def _named(self, name: str, include: Element) -> Path:
        """Returns the folder with this name that has a model.config."""
        folders = [folder for folder in self._folders(include) if folder.name == name]
        if len(folders) == 1:
            return folders[0]
        if folders:
            places = " and ".join(shortened(str(folder)) for folder in folders[:2])
            raise FormatError(
                "folders-of-same-name", where=include.where, count=len(folders), name=shortened(name), places=places
            )
        raise FormatError(
            "no-such-model",
            where=include.where,
            name=shortened(name),
            top=shortened(str(self.top)),
            config=CONFIG,
        )

    def _folders(self, include: Element) -> Iterator[Path]:
        """Yields the robot's folder and those below it that have a model.config; links are not followed."""
        assert self.top is not None
        for count, (folder, below, files) in enumerate(os.walk(self.top.resolve())):
            if count >= MOST_FOLDERS:
                raise FormatError("too-many-folders", where=include.where, most=MOST_FOLDERS)
            below.sort()
            if CONFIG in files:
                yield Path(folder)

    def _chosen(self, folder: Path, include: Element) -> str:
        """Returns the file that a model.config names for the newest supported version."""
        path = self._inside(folder / CONFIG, CONFIG, include)
        config = self._read(path, LARGEST_CONFIG, include)
        files = [
            (_numbers(entry.attributes.get("version", "").strip()) or (0, 0), entry.text) for entry in config.all("sdf")
        ]
        readable = [entry for entry in files if entry[0] <= NEWEST and entry[1]]
        if not readable:
            raise FormatError("no-supported-version", where=config.where)
        return max(readable)[1]

    def _read(self, path: Path, largest: int, include: Element) -> Element:
        """Returns the root element of a file, and adds notes of corrections in it."""
        with located(include.where):
            text = content(path, largest, say("file-of-sdf"))
        root = xml.parse(text, str(path))
        self.notes += root.mended
        return root
