"""Reads all files of an MJCF description, so that MuJoCo gets texts and meshes and opens no file itself.

Every file that a description names (included texts, attached models, meshes) is found here by MuJoCo's rules. Once
`meshdir`, links and `..` are resolved, it has to be an ordinary file inside the robot's folder. The texts for MuJoCo
contain new names for the files, so that it finds them in memory and never searches the disk.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import escape
from pathlib import Path, PurePosixPath

from qddot.base.errors import FormatError, reason_of, shortened
from qddot.base.system import files
from qddot.formats.xml.elements import Element, read

MOST_TEXTS = 200  # included files and attached models
LARGEST_MESH = 200_000_000  # bytes; MuJoCo takes meshes of 200,000 faces, which have ten million
COPIES = ("replicate", "composite", "flexcomp")  # these elements may make a thousand bodies, which no arm has
NAMES, ENDLESS = ("name", "class", "file"), ("nan", "inf", "infinity")
FOLDERS = ("assetdir", "meshdir", "texturedir")


@dataclass
class Bundle:
    """A bundle contains all that MuJoCo reads: the main text, other texts by name, and the paths of meshes by name.

    notes: the corrections that were made in the texts
    """

    folder: Path
    main: str = ""
    texts: dict[str, bytes] = field(default_factory=dict)
    meshes: dict[str, tuple[Path, str]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    count: int = 0
    texts_read: int = 0

    def read(self, path: Path, where: str) -> Element:
        """Returns the root element of a text that the description refers to."""
        self.texts_read += 1
        if self.texts_read > MOST_TEXTS:
            raise FormatError("too-many-included-files", where=where, most=MOST_TEXTS)
        root = read(path)
        self.notes += root.mended
        return root

    def mesh(self, name: str) -> bytes:
        """Returns a mesh's content.

        raises FormatError: the file is absent, too large, not an ordinary file, or outside the folder
        """
        path, where = self.meshes[name]
        check_inside(self.folder, path, where)
        try:
            return files.read(path, LARGEST_MESH)
        except OSError as error:
            raise FormatError(
                "mesh-unreadable", where=where, path=shortened(str(path), 200), reason=reason_of(error)
            ) from None

    def named(self, file: str) -> str:
        """Returns a new name for a file, by which the file is still recognisable in MuJoCo's messages."""
        self.count += 1
        return f"{self.count}_{re.sub(r'[^A-Za-z0-9._-]', '_', PurePosixPath(file).name)}"


def bundle(path: Path, root: Element) -> Bundle:
    """Returns all files that a description refers to.

    raises FormatError: a text is not XML or lies outside the folder of the description, a number is not finite, or an
        element copies bodies
    """
    files = Bundle(path.parent, notes=list(root.mended))
    _Description(files, path, (path.resolve(),)).rewrite(root)
    files.main = written(root)
    return files


def check_inside(folder: Path, path: Path, where: str) -> None:
    if not path.resolve().is_relative_to(folder.resolve()):
        raise FormatError("file-outside-folder", where=where, path=shortened(str(path), 200))


class _Description:
    """A description is the main model or an attached one; its files are relative to its folder."""

    def __init__(self, files: Bundle, path: Path, chain: tuple[Path, ...]) -> None:
        self.bundle = files
        self.folder = path.parent
        self.chain = chain
        self.included: dict[Path, str] = {}

    def rewrite(self, root: Element) -> None:
        """Replaces the names of files in a text, and in all texts that it includes."""
        waiting: list[tuple[str, Element]] = []
        elements = list(self._elements(root, self.folder, waiting))
        meshes = self._mesh_folder(elements)
        for element in elements:
            if element.tag == "model" and "file" in element.attributes:
                self._attach(element)
            elif element.tag != "include":
                self._rename(element, meshes)
        for name, text in waiting:
            self.bundle.texts[name] = written(text).encode()

    def _elements(self, root: Element, beside: Path, waiting: list[tuple[str, Element]]) -> Iterator[Element]:
        """Yields every element in order, with those of included texts in place; adds included texts to `waiting`."""
        for element in root.descendants():
            _check(element)
            yield element
            if element.tag == "include" and "file" in element.attributes:
                path = self._text(element, beside)
                if path.resolve() not in self.included:
                    name = self.included[path.resolve()] = self.bundle.named(path.name)
                    text = self.bundle.read(path, element.where)
                    waiting.append((name, text))
                    yield from self._elements(text, path.parent, waiting)
                element.attributes["file"] = self.included[path.resolve()]

    def _text(self, element: Element, beside: Path) -> Path:
        """Returns the path of a text, relative to the description, as in MuJoCo, or to the text that includes it."""
        places = [folder / element.attributes["file"] for folder in (self.folder, beside)]
        path = next((place for place in places if os.path.exists(place)), places[0])
        check_inside(self.bundle.folder, path, element.where)
        return path

    def _mesh_folder(self, elements: list[Element]) -> tuple[Path, bool]:
        """Returns the folder of meshes, and whether folders are stripped from names; the last <compiler> counts."""
        folder, bare = "", False
        for element in elements:
            if element.tag == "compiler":
                folders = {key: element.attributes.pop(key) for key in FOLDERS if key in element.attributes}
                folder = folders.get("meshdir", folders.get("assetdir", folder))
                bare = element.attributes.pop("strippath", str(bare)).lower() == "true"
        return self.folder / folder, bare

    def _attach(self, element: Element) -> None:
        path = self._text(element, self.folder)
        if path.resolve() in self.chain:
            raise FormatError("model-attached-to-itself", where=element.where)
        root = self.bundle.read(path, element.where)
        root.check_tag("mujoco")
        _Description(self.bundle, path, (*self.chain, path.resolve())).rewrite(root)
        name = element.attributes["file"] = self.bundle.named(path.name)
        self.bundle.texts[name] = written(root).encode()

    def _rename(self, element: Element, meshes: tuple[Path, bool]) -> None:
        for key in [key for key in element.attributes if key.startswith("file")]:
            file = element.attributes[key]
            element.attributes[key] = name = self.bundle.named(file)
            if key == "file":
                element.attributes.setdefault("name", PurePosixPath(file).stem)
            if element.tag == "mesh":
                folder, bare = meshes
                self.bundle.meshes[name] = (folder / (PurePosixPath(file).name if bare else file), element.where)


def _check(element: Element) -> None:
    if element.tag in COPIES:
        raise FormatError("body-not-written-out", where=element.where, tag=element.tag)
    for name, value in element.attributes.items():
        if name not in NAMES and any(part.lower().lstrip("+-") in ENDLESS for part in value.split()):
            raise FormatError("numbers-not-finite", where=element.where, name=name, value=shortened(value))


def written(root: Element) -> str:
    """Returns XML with every element on its original line, so that line numbers in MuJoCo's errors are right."""
    lines: dict[int, list[str]] = {}
    line, waiting = 1, [(root, False)]
    while waiting:
        element, ends = waiting.pop()
        line = max(line, element.line)
        attributes = "".join(f' {key}="{escape(value)}"' for key, value in element.attributes.items())
        if ends:
            tag = f"</{element.tag}>"
        elif element.children:
            tag = f"<{element.tag}{attributes}>"
            waiting.append((element, True))
            waiting.extend((child, False) for child in reversed(element.children))
        else:
            tag = f"<{element.tag}{attributes}/>"
        lines.setdefault(line, []).append(tag)
    return "\n".join("".join(lines.get(k, ())) for k in range(1, line + 1))
