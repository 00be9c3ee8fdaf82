"""Programs to code. A language is one module with a function `files`, named here."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from qddot.compilers.exported import Origin
    from qddot.program.program import Program

TARGETS = {"c": "qddot.compilers.c", "python": "qddot.compilers.python"}


def target_files(target: str, programs: Sequence[Program], origin: Origin, name: str, real: str) -> dict[str, str]:
    """The files of one target, by name."""
    found: dict[str, str] = import_module(TARGETS[target]).files(programs, origin, name, real)
    return found
