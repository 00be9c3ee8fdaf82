"""Shows figures, films and the progress of a computation in a notebook, without using widgets."""

from __future__ import annotations

import html
import os
import sys
from base64 import b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import Any

SELDOM = 0.1  # the least seconds between two updates of a bar
FILM = '<video controls loop src="{}" style="max-width:100%"></video>'
PICTURE = '<img src="{}" style="max-width:100%">'
KINDS = {".mp4": ("video/mp4", FILM), ".gif": ("image/gif", PICTURE)}


def is_there() -> bool:
    """Returns whether this process is the kernel of a notebook."""
    return type(sys.stderr).__module__.startswith("ipykernel")


def show(what: object) -> bool:
    """Shows something below the cell; returns whether there is a notebook to show it."""
    if not is_there():
        return False
    _display(what)
    return True


def film(path: Path, largest: float) -> str:
    """Returns HTML that plays a film: embedded in the notebook up to `largest` bytes, otherwise from its file."""
    kind, element = KINDS[path.suffix]
    if path.stat().st_size <= largest:
        source = f"data:{kind};base64,{b64encode(path.read_bytes()).decode()}"
    else:
        source = html.escape(Path(os.path.relpath(path)).as_posix())
    return element.format(source)


@contextmanager
def bar(title: str) -> Iterator[Callable[[float], None]]:
    """Shows a progress bar below the cell, and yields a function that takes the completed fraction."""
    handle = _display(_Bar(title, 0.0), display_id=True)
    last = monotonic()

    def update(done: float) -> None:
        nonlocal last
        if monotonic() - last > SELDOM:
            last = monotonic()
            handle.update(_Bar(title, done))

    try:
        yield update
    finally:
        handle.update(_Nothing())


class _Bar:
    def __init__(self, title: str, done: float) -> None:
        self.title, self.percent = title, 100 * done

    def __repr__(self) -> str:
        return f"{self.title}: {self.percent:.0f} %"

    def _repr_html_(self) -> str:
        return (
            f'{html.escape(self.title)} <progress max="100" value="{self.percent:.0f}"></progress> {self.percent:.0f} %'
        )


class _Nothing:
    def __repr__(self) -> str:
        return ""

    def _repr_html_(self) -> str:
        return "<span></span>"


def _display(what: object, **options: Any) -> Any:
    from IPython.display import display

    return display(what, **options)
