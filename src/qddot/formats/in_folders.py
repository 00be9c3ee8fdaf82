"""Finds the robot files in a folder, such as a repository, among other TOML and XML files."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

from qddot.base.errors import FormatError
from qddot.base.system.texts import raw
from qddot.formats.finding import LARGEST_FILE, LARGEST_XML, XML
from qddot.formats.xml.elements import decoded

ANY_ROBOT = "robot files (.toml), URDF, xacro, SDF and MJCF"
ROBOT_ROOTS = ("robot", "mujoco", "sdf")
MANY_PURPOSES = (".xml", ".world")  # suffixes that other programs use, too
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
    convention or links, an XML file if its root is <robot>, <mujoco> or <sdf>. A xacro file that only defines macros or
    properties describes none. Files with the suffixes .urdf, .sdf and .mjcf always count, so that a broken one is
    reported.
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
    if suffix == ".toml":
        return _ROBOT_TABLE.search(_text(path, LARGEST_FILE)) is not None
    if suffix not in XML:
        return False
    text = _text(path, LARGEST_XML)
    root = next((tag for tag in _TAG.finditer(text) if tag["name"]), None)
    if suffix == ".xacro" and root is not None:
        return _NAME.search(root["attributes"]) is not None and _BUILT.search(_MACRO.sub("", text)) is not None
    return suffix not in MANY_PURPOSES or (root is not None and root["name"] in ROBOT_ROOTS)


def _text(path: Path, largest: int) -> str:
    """Returns the text of a file, or "" if it is too large, not text or not readable."""
    try:
        return decoded(raw(path, largest), str(path))
    except FormatError:
        return ""
