"""Finds the licence under which a robot's description is published."""

from __future__ import annotations

from importlib.metadata import distributions
from pathlib import Path

from qddot.formats.finding import closed_zoo, zoo

SHIPPED = "MIT, as qddot"
NAMES = ("LICENSE*", "LICENCE*", "COPYING*")
LONGEST = 50_000  # characters


def licence(name_or_path: str) -> str:
    """Returns the licence of a robot, or "" if none is found.

    It is the text of the nearest file LICENSE in the folders above the robot's file. If the file belongs to an
    installed package, it is the licence of that package.
    """
    if name_or_path in (*zoo(), *closed_zoo()):
        return SHIPPED
    path = Path(name_or_path).resolve()
    for folder in path.parents:
        texts = sorted(file for name in NAMES for file in folder.glob(name) if file.is_file())
        if texts:
            return texts[0].read_text("utf-8", errors="replace")[:LONGEST]
        if any(folder.glob("*.dist-info")):
            return _of_package(folder, path.relative_to(folder).as_posix())
    return ""


def _of_package(folder: Path, file: str) -> str:
    """Returns the licence of the package, in a folder of installed packages, to which a file belongs, or ""."""
    for package in distributions(path=[str(folder)]):
        if f"{file}," in (package.read_text("RECORD") or ""):
            texts = [each for each in package.files or () if any(each.match(name) for name in NAMES)]
            stated = [package.metadata[key] for key in ("License-Expression", "License") if key in package.metadata]
            return texts[0].read_text()[:LONGEST] if texts else next(iter(stated), "")
    return ""
