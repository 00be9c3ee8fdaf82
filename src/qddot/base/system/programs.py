"""Finds programs and modules in the user's search paths, but never in the current folder.

A folder that was downloaded with a robot may contain a file with a program's name. It must not run just because the
user works in that folder.
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
    path = shutil.which(name, path=os.pathsep.join(folders))
    return path if path and os.path.isabs(path) else None  # Windows looks in the current folder first


def environment() -> dict[str, str]:
    """Returns the environment variables of this process, without relative folders in PYTHONPATH."""
    variables = dict(os.environ)
    if "PYTHONPATH" in variables:
        variables["PYTHONPATH"] = os.pathsep.join(_in_full(variables["PYTHONPATH"]))
    return variables


def module_path() -> list[str]:
    """Returns the folders where this Python looks for modules, without the current one."""
    here = Path.cwd().resolve()
    return [place for place in sys.path if os.path.isabs(place) and Path(place).resolve() != here]


def has_module(name: str) -> bool:
    return PathFinder.find_spec(name, module_path()) is not None


def package(name: str) -> Path | None:
    """Returns the folder of a package, without importing it, or None if it is not installed."""
    spec = PathFinder.find_spec(name, module_path())
    return Path(spec.origin).parent if spec is not None and spec.origin else None


def _in_full(places: str) -> list[str]:
    return [place for place in places.split(os.pathsep) if os.path.isabs(place)]
