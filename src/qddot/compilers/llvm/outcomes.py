"""Writes what becomes of a step in each lane, by any method: a state that is not finite, a guard that has risen."""

from __future__ import annotations

from collections.abc import Sequence

from qddot.compilers.llvm.writer import Writer
from qddot.program.status import GUARDED


def finite(w: Writer, numbers: Sequence[str]) -> str:
    """Returns the lanes in which all numbers are finite: the others have x − x that is not zero."""
    total = "zeroinitializer"
    for x in numbers:
        total = w.let(f"fadd {w.v} {total}, {w.let(f'fsub {w.v} {x}, {x}')}")
    return w.let(f"fcmp oeq {w.v} {total}, zeroinitializer")


def guarded(w: Writer, guards: Sequence[str], status: str) -> tuple[str, str]:
    """Returns the status of the first guard above zero, where there is none the given one; and the lanes with one."""
    mask, some = w.of.mask, "zeroinitializer"
    for which, guard in reversed(list(enumerate(guards))):
        above = w.let(f"fcmp ogt {w.v} {guard}, zeroinitializer")
        status = w.let(f"select {mask} {above}, {w.v} {w.number(GUARDED + which)}, {w.v} {status}")
        some = w.let(f"or {mask} {some}, {above}")
    return status, some
