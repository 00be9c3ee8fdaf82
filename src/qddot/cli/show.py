"""Runs `qddot show`: it shows a robot's links, joints, symbols, source and notes, or draws it."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

from qddot.cli.drawing import options, write
from qddot.cli.output import show, table
from qddot.cli.values import loaded_model

__all__ = ["options", "run"]


def run(chosen: argparse.Namespace) -> None:
    """Runs the command."""
    from qddot.model import overview

    write(chosen)
    model = loaded_model(chosen)
    for line in overview.head(model):
        show(line)
    show("links at q = 0:")
    show(_without_empty_columns(overview.LINKS, overview.links(model.bodies)))
    if model.symbols:
        show(table(*overview.SYMBOLS, rows=overview.symbols(model.symbols)))
    for note in model.notes:
        show(f"note: {note}")


def _without_empty_columns(titles: Sequence[str], rows: Sequence[Sequence[str]]) -> Any:
    used = [k for k in range(len(titles)) if any(row[k] for row in rows)]
    return table(*(titles[k] for k in used), rows=[[row[k] for k in used] for row in rows])
