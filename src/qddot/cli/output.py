"""Prints the commands' tables and lines for people, and shows progress where a person watches."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any


@contextmanager
def status(title: str) -> Iterator[Callable[[str], None]]:
    """Shows what is being done on standard error, if it is a terminal; yields a function that adds a step."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console

    with Console(stderr=True).status(title) as shown:
        yield lambda step: shown.update(f"{title}: {step}")


def table(*columns: str, rows: Iterable[Sequence[str]] = ()) -> Any:
    """Returns a table with these headings."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    result = Table(box=SIMPLE_HEAD, header_style="bold")
    for column in columns:
        result.add_column(column, overflow="fold")
    for row in rows:
        result.add_row(*row)
    return result


def show(what: Any) -> None:
    """Prints a text or a table."""
    from rich.console import Console

    class _Output(Console):
        def on_broken_pipe(self) -> None:
            """Leaves the exit code to `main`."""
            raise BrokenPipeError

    # a pipe has no width of its own
    width = None if sys.stdout.isatty() else 200
    _Output(width=width, highlight=False, markup=False).print(what)


def complain(text: str) -> None:
    """Prints a line on standard error, if that is open."""
    with suppress(OSError):
        print(f"qddot: {text}", file=sys.stderr, flush=True)
