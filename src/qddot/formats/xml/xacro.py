"""Expands the macros in URDF files with the program xacro."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from qddot.base.errors import FormatError, NotInstalledError, did_you_mean, shortened
from qddot.base.system import programs
from qddot.base.words.message import Message, say
from qddot.formats import registry
from qddot.formats.xml.confined_xacro import NO_PACKAGE, REFUSED, UNUSED, own_package
from qddot.formats.xml.elements import XACRO, Element

LONGEST_RUN = 60  # seconds
CONFINED = Path(__file__).with_name("confined_xacro.py")
ASSIGNED = ":="
_NAME = re.compile(r"[A-Za-z]\w*", re.ASCII)  # xacro ignores names that begin with _
DIRECTIVES = tuple(XACRO + tag for tag in ("include", "macro", "property", "arg", "if", "unless", "insert_block"))


def needed(path: Path, root: Element) -> bool:
    """Returns whether a file has xacro's suffix or elements that only xacro understands."""
    if path.suffix.lower() in registry.XACRO.suffixes:
        return True
    return any(
        element.tag in DIRECTIVES or (_is_macro(element) and _has_formulas(element)) for element in root.descendants()
    )


def leftovers(root: Element) -> list[Element]:
    """Returns the outermost macro calls that remain in an expanded file because no macro of the name exists."""
    return [each for each in root.descendants(lambda each: not _is_macro(each)) if _is_macro(each)]


def _is_macro(element: Element) -> bool:
    return element.tag.startswith(XACRO)


def _has_formulas(element: Element) -> bool:
    return any("${" in value or "$(" in value for value in element.attributes.values())


def expanded(path: Path, arguments: Mapping[str, Any] | None = None) -> str:
    """Returns the file with its macros expanded, which runs the Python expressions in it.

    It may include, and load as YAML, files in its folder, in the package to which it belongs, and in packages that it
    names by $(find PACKAGE): those that ROS has, those in whose folders the file is, and those beside its own package.
    arguments: values of its <xacro:arg>s by name
    raises NotInstalledError: xacro is not installed; FormatError: it fails, reads another file, or would not understand
    or use an argument
    """
    words = [_word(name, value) for name, value in (arguments or {}).items()]
    try:
        run = subprocess.run(  # noqa: S603
            [*_program(path), str(path.resolve()), *words],
            capture_output=True,
            timeout=LONGEST_RUN,
            check=False,
            env=programs.environment(),
        )
    except subprocess.TimeoutExpired:
        raise FormatError("xacro-too-slow", where=str(path), seconds=LONGEST_RUN) from None
    last = run.stderr.decode(errors="replace").rstrip("\n").rpartition("\n")[2]
    if run.returncode == REFUSED:
        raise FormatError("xacro-reads-outside", where=str(path), outside=shortened(last, 200))
    if run.returncode == NO_PACKAGE:
        beside = shortened(str(own_package(path.resolve()).parent), 200)
        raise FormatError("no-such-package", where=str(path), name=shortened(last), beside=beside)
    if run.returncode == UNUSED:
        name, used = json.loads(last)
        raise FormatError("no-xacro-argument", where=str(path), name=shortened(name), remedy=did_you_mean(name, used))
    if run.returncode:
        complaint = run.stderr.decode(errors="replace").strip().splitlines() or ["no reason given"]
        raise FormatError(
            "xacro-fails",
            where=str(path),
            complaint=shortened(complaint[0], 200),
            remedy=_remedy(complaint[0]),
        )
    return run.stdout.decode(errors="replace")


def argument(word: str) -> tuple[str, str]:
    """Returns the name and the value in a word name:=value, as on ROS command lines."""
    name, _, value = word.partition(ASSIGNED)
    _word(name, value)
    return name, value


def _word(name: Any, value: Any) -> str:
    """Returns name:=value for xacro; raises FormatError for values that xacro would misread."""
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise FormatError("xacro-argument-name", name=shortened(name))
    if isinstance(value, bool):
        value = str(value).lower()
    if not isinstance(value, str | int | float):
        raise FormatError("xacro-argument-value", name=repr(name), value=shortened(value))
    text = str(value).strip()
    if not text or ASSIGNED in text or not text.isprintable():
        raise FormatError("xacro-argument-line", name=repr(name), value=shortened(value))
    return f"{name}{ASSIGNED}{text}"


def _remedy(complaint: str) -> Message:
    """Returns a remedy for an error message of xacro."""
    if "Undefined substitution argument" in complaint:
        name = complaint.split()[-1].strip("'\"")
        return say("give-xacro-argument", name=name)
    return say("check-xacro")


def _program(path: Path) -> list[str]:
    """Returns the command that runs the module xacro of this Python, confined to the file's folder.

    Modules are searched in this Python's folders but not in the current one, which may contain another xacro.py.
    """
    if programs.has_module("xacro"):
        return [sys.executable, "-I", "-X", "utf8", str(CONFINED), json.dumps(programs.module_path())]
    raise NotInstalledError("xacro-not-installed", where=str(path))
