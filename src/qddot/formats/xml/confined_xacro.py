"""Runs xacro in a process of its own, in which files outside the robot's folder cannot be opened.

A script, not a module: `python -I confined_xacro.py SEARCHED FILE name:=value …`, where SEARCHED is a JSON list of the
folders that are searched for modules. It imports nothing of this package. Python's audit hooks see every file that is
opened, whichever expression opens it; they are no sandbox for expressions that mean harm.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

REFUSED = 3  # the exit code if a file outside was to be opened, whose path is then the last line of standard error
MODULES = (".py", ".pyc", ".so", ".pyd")  # what Python itself opens when it imports


def main() -> None:
    searched, file = json.loads(sys.argv.pop(1)), Path(sys.argv[1])
    sys.path[:] = searched
    sys.dont_write_bytecode = True
    import xacro  # type: ignore[import-not-found,import-untyped,unused-ignore]

    allowed, refused = [_own(file), *_package_indexes()], list[str]()
    _allow_named_packages(allowed)
    sys.addaudithook(lambda event, details: _check_opened(event, details, allowed, refused))
    try:
        xacro.main()
    finally:
        if refused:
            sys.stderr.write(f"\n{refused[0]}\n")
            sys.exit(REFUSED)


def _own(file: Path) -> str:
    """Returns the folder of the package in which a file is, which has a package.xml, or else the file's own folder."""
    package = next((folder for folder in file.parents if (folder / "package.xml").is_file()), file.parent)
    return os.path.realpath(package)


def _package_indexes() -> list[str]:
    prefixes = os.environ.get("AMENT_PREFIX_PATH", "").split(os.pathsep)
    return [os.path.join(prefix, "share", "ament_index") for prefix in prefixes if os.path.isabs(prefix)]


def _allow_named_packages(allowed: list[str]) -> None:
    """Lets $(find PACKAGE) add the package's folder to those whose files may be opened."""
    try:
        from ament_index_python import packages  # type: ignore[import-not-found,unused-ignore]
    except ImportError:
        return
    find = packages.get_package_share_directory

    def found(name: str, *options: Any) -> str:
        folder = str(find(name, *options))
        allowed.append(os.path.abspath(folder))
        return folder

    packages.get_package_share_directory = found


def _check_opened(event: str, details: tuple[Any, ...], allowed: list[str], refused: list[str]) -> None:
    """Raises an exception for a file outside the allowed folders; xacro takes an OSError for an optional file."""
    if event != "open" or isinstance(details[0], int):
        return
    path = os.path.abspath(os.fsdecode(details[0]))
    # a package may be installed as links to its source, so that its files are allowed by either path
    if any(_is_inside(place, folder) for place in (os.path.realpath(path), path) for folder in allowed[1:]):
        return
    if _is_inside(os.path.realpath(path), allowed[0]) or _is_module(path):
        return
    refused.append(path)
    raise RuntimeError(f"{path} is outside the robot's folder")


def _is_module(path: str) -> bool:
    return path.endswith(MODULES) and any(_is_inside(path, place) for place in sys.path)


def _is_inside(path: str, folder: str) -> bool:
    return path == folder or path.startswith(os.path.join(folder, ""))


if __name__ == "__main__":
    main()
