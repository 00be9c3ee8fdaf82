"""Finds other programs and modules where the user keeps them, and never in the current folder.

A folder that came with a robot may hold a file with the name of a program: it must not run because the user works
in that folder.
"""

from __future__ import annotations

import os
import shutil
import sys
from importlib.machinery import PathFinder
from pathlib import Path


def command(name: str) -> str | None:
    """Returns the full path of a program in one of PATH's absolute folders, or None."""
    folders = _in_full(os.environ.get("PATH", os.defpath))
    found = shutil.which(name, path=os.pathsep.join(folders))
    return found if found and os.path.isabs(found) else None  # Windows looks in the current folder first


def environment() -> dict[str, str]:
    """Returns the variables of this process, without relative folders in PYTHONPATH."""
    given = dict(os.environ)
    if "PYTHONPATH" in given:
        given["PYTHONPATH"] = os.pathsep.join(_in_full(given["PYTHONPATH"]))
    return given


def module_path() -> list[str]:
    """Returns the folders where this Python looks for modules, without the current one."""
    here = Path.cwd().resolve()
    return [place for place in sys.path if os.path.isabs(place) and Path(place).resolve() != here]


def has_module(name: str) -> bool:
    return PathFinder.find_spec(name, module_path()) is not None


def package(name: str) -> Path | None:
    """Returns the folder of a package, which is not imported, or None."""
    found = PathFinder.find_spec(name, module_path())
    return Path(found.origin).parent if found is not None and found.origin else None


def _in_full(places: str) -> list[str]:
    return [place for place in places.split(os.pathsep) if os.path.isabs(place)]
