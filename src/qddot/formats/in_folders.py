"""Finds the robot files in a folder, such as a repository, among other TOML and XML files."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

from qddot.base.errors import FormatError
from qddot.base.system.texts import raw
from qddot.formats import registry
from qddot.formats.finding import LARGEST_FILE
from qddot.formats.xml.elements import LARGEST, decoded

NOT_SEARCHED = ("node_modules", "__pycache__", "site-packages")
_ROBOT_TABLE = re.compile(r"^\s*(?:convention\s*=|\[\[\s*link\s*\]\])", re.MULTILINE)
_TAG = re.compile(r"<!--.*?(?:-->|\Z)|<(?P<name>[A-Za-z][\w.:-]*)(?P<attributes>[^<>]*)", re.DOTALL)
_NAME = re.compile(r"\bname\s*=")
_MACRO = re.compile(r"<!--.*?(?:-->|\Z)|<xacro:macro\b.*?(?:</xacro:macro\s*>|\Z)", re.DOTALL)
# a link, or an element that may expand to one: an inclusion or a macro call
_BUILT = re.compile(r"<(?:link|xacro:(?!(?:property|arg|macro)\b)\w)")


def robot_files(folder: Path) -> list[Path]:
    """Returns the files in a folder and its subfolders that describe a robot, sorted by path.

    Hidden folders, installed packages and links to folders are left out. A TOML file describes a robot if it has a
    convention or links, an XML file if its root element is that of a format. A xacro file that only defines macros or
    properties describes none. Files with a suffix that no other program uses (.urdf, .sdf) always count, so that a
    broken one is reported.
    """
    return sorted(path for path in _files(folder) if _describes_robot(path))


def _files(folder: Path) -> Iterator[Path]:
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".") and name not in NOT_SEARCHED]
        if "pyvenv.cfg" in names:
            # a virtual environment of Python, with installed packages
            folders.clear()
            continue
        yield from (Path(place, name) for name in names)


def _describes_robot(path: Path) -> bool:
    suffix = path.suffix.lower()
    form = next((form for form in registry.FORMATS if suffix in form.suffixes), None)
    if form is None:
        return False
    if form is registry.TOML:
        return _ROBOT_TABLE.search(_text(path, LARGEST_FILE)) is not None
    text = _text(path, LARGEST)
    root = next((tag for tag in _TAG.finditer(text) if tag["name"]), None)
    if form is registry.XACRO and root is not None:
        return _NAME.search(root["attributes"]) is not None and _BUILT.search(_MACRO.sub("", text)) is not None
    return suffix not in form.shared or (root is not None and root["name"] in registry.roots())


def _text(path: Path, largest: int) -> str:
    """Returns the text of a file, or "" if it is too large, not text or not readable."""
    try:
        return decoded(raw(path, largest, registry.any_file()), str(path))
    except FormatError:
        return ""
