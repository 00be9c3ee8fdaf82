"""Programs and modules of others, looked for where the user keeps them and never in the folder at hand.

A folder that came with a robot may hold a file called like a program: it must not run because somebody stands there.
"""

from __future__ import annotations

import os
import shutil
import sys
from importlib.machinery import PathFinder
from pathlib import Path


def command(name: str) -> str | None:
    """The full path of a program in one of the folders that PATH gives in full, or None."""
    folders = _in_full(os.environ.get("PATH", os.defpath))
    found = shutil.which(name, path=os.pathsep.join(folders))
    return found if found and os.path.isabs(found) else None  # Windows looks here first


def environment() -> dict[str, str]:
    """The variables of this process, of which PYTHONPATH names no folder by where one stands."""
    given = dict(os.environ)
    if "PYTHONPATH" in given:
        given["PYTHONPATH"] = os.pathsep.join(_in_full(given["PYTHONPATH"]))
    return given


def module_path() -> list[str]:
    """Where this Python looks for modules, without the folder at hand."""
    here = Path.cwd().resolve()
    return [place for place in sys.path if os.path.isabs(place) and Path(place).resolve() != here]


def has_module(name: str) -> bool:
    return PathFinder.find_spec(name, module_path()) is not None


def _in_full(places: str) -> list[str]:
    return [place for place in places.split(os.pathsep) if os.path.isabs(place)]
