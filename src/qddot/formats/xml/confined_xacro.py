"""Runs xacro in a process of its own, in which files outside the robot's folder cannot be opened.

A script, not a module: `python -I confined_xacro.py SEARCHED FILE name:=value …`, where SEARCHED is a JSON list of the
folders that are searched for modules. It imports nothing of this package. `$(find PACKAGE)` is the folder that ROS has
for a package, or one above FILE or beside FILE's own package whose package.xml has this name. Python's audit hooks see
every file that is opened, whichever expression opens it; they are no sandbox for expressions that mean harm.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

REFUSED = 3  # the exit code if a file outside was to be opened, whose path is then the last line of standard error
NO_PACKAGE = 4  # the exit code if a package was not found, whose name is then the last line of standard error
UNUSED = (
    5  # the exit code if the files ask for no argument of a name; that and the others are then the last line, as JSON
)
MOST_FOLDERS, LARGEST = 1000, 100_000  # beside the own package; bytes of a package.xml
NAME = re.compile(r"<name>\s*([^<\s]+)\s*</name>")
COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
MODULES = (".py", ".pyc", ".so", ".pyd")  # what Python itself opens when it imports


def main() -> None:
    searched, file = json.loads(sys.argv.pop(1)), Path(sys.argv[1])
    sys.path[:] = searched
    sys.dont_write_bytecode = True
    import xacro  # type: ignore[import-not-found,import-untyped,unused-ignore]

    process, arguments = xacro.process_doc, Arguments()

    def processed(document: Any, mappings: dict[str, str] | None = None, **options: Any) -> None:
        arguments.update(mappings or {})
        process(document, arguments, **options)

    xacro.process_doc = processed
    allowed, refused, missing = [os.path.realpath(own_package(file)), *_package_indexes()], list[str](), list[str]()
    _find_packages(_packages(file.parent), allowed, missing)
    sys.addaudithook(lambda event, details: _check_opened(event, details, allowed, refused))
    try:
        xacro.main()
    finally:
        for unread, code in ((refused, REFUSED), (missing, NO_PACKAGE)):
            if unread:
                sys.stderr.write(f"\n{unread[0]}\n")
                sys.exit(code)
    unused = [
        argument for argument in (word.partition(":=")[0] for word in sys.argv[2:]) if argument not in arguments.used
    ]
    if unused:
        sys.stderr.write(f"\n{json.dumps([unused[0], sorted(arguments.used)])}\n")
        sys.exit(UNUSED)


class Arguments(dict[str, str]):
    """These are the values of a file's arguments; used: the names of those that it declares or asks for."""

    def __init__(self) -> None:
        super().__init__()
        self.used: set[str] = set()

    def __contains__(self, name: object) -> bool:
        self.used.add(str(name))
        return super().__contains__(name)

    def __getitem__(self, name: str) -> str:
        self.used.add(name)
        return super().__getitem__(name)


def own_package(file: Path) -> Path:
    """Returns the folder of the package in which a file is, which has a package.xml, or else the file's own folder."""
    return next((folder for folder in file.parents if (folder / "package.xml").is_file()), file.parent)


def _package_indexes() -> list[str]:
    prefixes = os.environ.get("AMENT_PREFIX_PATH", "").split(os.pathsep)
    return [os.path.join(prefix, "share", "ament_index") for prefix in prefixes if os.path.isabs(prefix)]


def _packages(folder: Path) -> dict[str, str]:
    """Returns by their names the packages in which a folder is, and those beside the innermost of them."""
    above = [each for each in (folder, *folder.parents) if (each / "package.xml").is_file()]
    beside = sorted(_folders((above or [folder])[0].parent))
    found: dict[str, str] = {}
    for place in (*above, *beside[:MOST_FOLDERS]):
        name = _name(place / "package.xml")
        if name:
            found.setdefault(name, str(place))
    return found


def _folders(parent: Path) -> Iterator[Path]:
    try:
        yield from (each for each in parent.iterdir() if (each / "package.xml").is_file())
    except OSError:  # a folder that may not be listed has no packages to find
        return


def _name(description: Path) -> str:
    """Returns the name of the package that a package.xml describes, or "" if it has none."""
    try:
        with description.open("rb") as file:
            text = file.read(LARGEST).decode(errors="replace")
    except OSError:
        return ""
    name = NAME.search(COMMENT.sub("", text))
    return name[1] if name else ""


def _find_packages(near: dict[str, str], allowed: list[str], missing: list[str]) -> None:
    """Lets $(find PACKAGE) find those that ROS has and those nearby, whose files may be opened then."""
    try:
        from ament_index_python import packages  # type: ignore[import-not-found,unused-ignore]
    except ImportError:
        packages = ModuleType("ament_index_python.packages")
        sys.modules["ament_index_python"] = ModuleType("ament_index_python")
        sys.modules["ament_index_python.packages"] = packages
    find = getattr(packages, "get_package_share_directory", None)

    def found(name: str, *options: Any) -> str:
        try:
            folder = str(find(name, *options)) if find is not None else near[name]
        except LookupError:  # as ROS says of a package that it does not have
            folder = near.get(name, "")
        if not folder:
            missing.append(name)
            raise LookupError(f"package {name} not found")
        allowed.append(os.path.abspath(folder))
        return folder

    vars(packages)["get_package_share_directory"] = found


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
