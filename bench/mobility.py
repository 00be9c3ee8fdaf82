"""Compares the mobility of some eighty mechanisms with that of NumPy alone: how many coordinates are independent.

    python bench/mobility.py             all of them; takes some minutes, of which most are compilers' for near=
    python bench/mobility.py bicycle     those whose names have one of the words

Prints a row for each mechanism: the n velocities of its tree; m by `chain.m` as it opens by default, or – where it is
refused; m with `near=`, a guess of a configuration, if its lengths are special or the default differs; and m by
`twists.py`, n less the rank at five closed configurations. The gap is that of the singular values on both sides of this
rank, the least of the five. Seconds are those to open it by default, and with `near=`. The last lines count those that
agree, by default and, if their lengths are special, with `near=`, too; and name those that open with a wrong m or are
refused.
"""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from linkages import mechanisms
from linkages.parts import Mechanism
from rich.console import Console
from rich.table import Table
from timing import stopwatch
from twists import mobility

import qddot
from qddot.base.errors import QddotError


class Opened(NamedTuple):
    """m: None if the mechanism is refused"""

    m: int | None
    seconds: float
    message: str = ""


def opened(file: Path, near: dict[str, float] | None = None) -> Opened:
    """Opens a mechanism as a user does."""
    elapsed = stopwatch()
    try:
        return Opened(qddot.load_closed_chain(file, near=near).m, elapsed())
    except QddotError as error:
        return Opened(None, elapsed(), str(error))


def cell(m: int | None) -> str:
    return "–" if m is None else str(m)


def compared(table: Table, mechanism: Mechanism, file: Path) -> tuple[bool, list[str]]:
    """Adds a row; returns whether qddot's m is right, and what else there is to say."""
    file.write_text(mechanism.text, encoding="utf-8")
    right = mobility(mechanism.tables, mechanism.guess)
    wanted = set(right.m)
    default, near = opened(file), None
    if mechanism.near or {default.m} != wanted:
        near = opened(file, dict(mechanism.guess))
    columns = [cell(default.m), cell(near.m) if near else "", "/".join(map(str, sorted(wanted)))]
    seconds = [f"{each.seconds:.2f}" if each else "" for each in (default, near)]
    agrees = all({each.m} == wanted for each in (default, near) if each)
    table.add_row(mechanism.name, str(right.n), *columns, f"{right.gap:.0e}", *seconds, "" if agrees else "differs")
    remarks = [f"{mechanism.name}: opens by default with m = {default.m}, not {columns[2]}"]
    if default.m is None:
        remarks = [f"{mechanism.name}: by default: {default.message}"]
    if near and near.m is None:
        remarks.append(f"{mechanism.name}: near=: {near.message}")
    return agrees, [] if agrees else remarks


def main() -> None:
    columns = ("", "n", "m", "m near=", "m right", "gap", "s", "s near=", "")
    table, words, agreed, remarks = Table(*columns, title="mobility"), sys.argv[1:], list[bool](), list[str]()
    with TemporaryDirectory() as folder:
        for mechanism in mechanisms():
            if not words or any(word in mechanism.name for word in words):
                agrees, more = compared(table, mechanism, Path(folder) / "mechanism.toml")
                agreed.append(agrees)
                remarks += more
    console = Console(width=140)
    console.print(table)
    console.print(f"{sum(agreed)} of {len(agreed)} agree", *remarks, sep="\n", markup=False)


if __name__ == "__main__":
    main()
