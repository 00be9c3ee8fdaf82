"""Shows progress on standard error where a person watches: in a terminal or a notebook."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from qddot.base.system import notebook

Progress = Callable[[float], None]


@contextmanager
def bar(title: str, progress: Progress | None = None) -> Iterator[Progress]:
    """Yields a function that takes the completed fraction: `progress` if it is given, else one that draws a bar."""
    if progress is not None or not _watched():
        yield progress or (lambda _: None)
        return
    if notebook.is_there():
        with notebook.bar(title) as update:
            yield update
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn(title), BarColumn(), TextColumn("{task.percentage:.0f} %"), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as display:
        task = display.add_task("", total=1.0)
        yield lambda done: display.update(task, completed=done)


def _watched() -> bool:
    stream = sys.stderr
    return stream is not None and (stream.isatty() or notebook.is_there())
