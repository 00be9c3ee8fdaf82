"""Turns programs into code. Each language for export is a module that is a `Target`, and is listed here."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from qddot.compilers.printer import Target

TARGETS = {"c": "qddot.compilers.c", "python": "qddot.compilers.python", "js": "qddot.compilers.javascript"}


def target(name: str) -> Target:
    """Returns the module of a language."""
    return cast("Target", import_module(TARGETS[name]))
