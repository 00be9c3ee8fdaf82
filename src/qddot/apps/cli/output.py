"""Prints the commands' tables and lines, and shows progress on a terminal."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from io import StringIO
from typing import Any

from qddot.base.words.message import Words

# the exit codes that all commands share; `doctor`, `diff` and `check` have some of their own
DONE, FALSE, MISTAKE, INTERRUPTED, UNREAD = 0, 1, 2, 130, 141  # the last two are 128 + the signal, as in shells
WIDE = re.compile("[\u3000-\u9fff\uff00-\uff60]")  # letters of Chinese, each two columns wide
# where a line of Chinese may be broken: beside its letters, but not before a comma, and after a comma of names
BREAKS = re.compile(
    "(?<=[\u4e00-\u9fff，；：、。）])(?=[^ ，；：、。）])|(?<=[\u4e00-\u9fff] )|(?<=[^（])(?=[\u4e00-\u9fff（])|(?<=, )"
)
WITHOUT_TERMINAL, OF_SENTENCES = 200, 100  # columns of a table in a pipe, where COLUMNS does not say how many there are


@contextmanager
def status(title: str) -> Iterator[Callable[[str], None]]:
    """Shows what is being done on standard error, if it is a terminal; yields a function that adds a step."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console

    with Console(stderr=True).status(title) as display:
        yield lambda step: display.update(f"{title}: {step}")


def table(*columns: Words, rows: Iterable[Sequence[Words]] = ()) -> Any:
    """Returns a table with these headings."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    result = Table(box=SIMPLE_HEAD, header_style="bold")
    for column in columns:
        result.add_column(_cell(column), overflow="fold")
    for row in rows:
        result.add_row(*map(_cell, row))
    return result


def _cell(words: Words) -> Any:
    """Returns the text of a cell, which is broken as `wrapped` does if it is Chinese."""
    text = str(words)
    return _chinese()(text) if WIDE.search(text) else text


@cache
def _chinese() -> Any:
    """Returns the class of Chinese cells, which have no spaces at which `rich` would break them."""
    from rich.containers import Lines
    from rich.text import Text

    class Chinese(Text):
        def wrap(self, console: Any, width: int, *_: Any, **__: Any) -> Lines:
            parts = map(Text, _broken(self.plain, width))
            return Lines(line for part in parts for line in part.wrap(console, width, overflow="fold"))

    return Chinese


def show(what: Any, without_terminal: int = WITHOUT_TERMINAL) -> None:
    """Prints a text or a table; without_terminal: the columns of a table in a pipe, if COLUMNS does not say."""
    from rich.console import Console

    class _Output(Console):
        def on_broken_pipe(self) -> None:
            """Leaves the exit code to `main`."""
            raise BrokenPipeError

    look: dict[str, Any] = {"highlight": False, "markup": False}
    if sys.stdout.isatty():
        console = _Output(**look)
        is_chinese = isinstance(what, str) and WIDE.search(what)
        console.print("\n".join(_broken(what, console.width)) if is_chinese else what)
        return
    # piped tables are as wide as COLUMNS says, without trailing blanks; texts keep their lines
    piped = _Piped()
    _Output(file=piped, width=columns(without_terminal), **look).print(what, soft_wrap=isinstance(what, str))
    sys.stdout.write("".join(f"{line.rstrip()}\n" for line in piped.getvalue().splitlines()))


class _Piped(StringIO):
    """This collects piped output, in characters that standard output can encode."""

    encoding = property(lambda self: sys.stdout.encoding)


def columns(otherwise: int = 80) -> int:
    """Returns the terminal's number of columns, unless COLUMNS sets it; `otherwise` if there is no terminal."""
    setting = os.environ.get("COLUMNS", "")
    if setting.isdecimal() and int(setting):
        return int(setting)
    try:
        return os.get_terminal_size(sys.__stdout__.fileno()).columns or otherwise  # type: ignore[union-attr]
    except (AttributeError, OSError, ValueError):
        return otherwise


def wrapped(line: str, width: int) -> list[str]:
    """Returns a line as lines of at most `width` columns where it can be broken; Chinese letters take two columns."""
    if not WIDE.search(line):
        from textwrap import wrap

        return wrap(line, width, break_long_words=False, break_on_hyphens=False) or [""]
    from rich.cells import cell_len

    lines = [""]
    for part in _parts(line, width):
        if lines[-1] and cell_len(lines[-1] + part.rstrip()) > width:
            lines.append("")
        lines[-1] += part
    return [each.rstrip() for each in lines]


def _broken(text: str, width: int) -> list[str]:
    """Returns a text of several lines as lines of at most `width` columns where they can be broken."""
    return [part for line in text.split("\n") for part in wrapped(line, width)]


def _parts(line: str, width: int) -> Iterator[str]:
    """Yields the parts of a line of Chinese between which it may be broken; long formulas are broken at spaces."""
    from rich.cells import cell_len

    for part in BREAKS.split(line):
        yield from [part] if cell_len(part) <= width else re.split("(?<= )", part)


def json_text(content: Any) -> str:
    """Returns plain data as indented JSON."""
    import json

    return json.dumps(content, indent=2, ensure_ascii=False)


def complain(text: str) -> None:
    """Prints a line on standard error, if that is open."""
    with suppress(OSError):
        print(f"qddot: {text}", file=sys.stderr, flush=True)
