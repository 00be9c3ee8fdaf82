"""Turns the library's docstrings, which are plain sentences, into what Sphinx reads."""

from __future__ import annotations

import re
from itertools import zip_longest
from typing import Any

from sphinx.application import Sphinx

SIGNS = re.compile(r"[\\|*]|_(?!\w)")  # what would be a command
MARKED = re.compile(r"(`[^`]*`|\*\w[^*]*\w\*)")  # a name, or a title
BEGINS = re.compile(r"(raises \w+|[A-Za-z_]\w*(?:, \w+)*):")  # of a sentence about an argument, an error or a book


def read(_app: Sphinx, _what: str, _name: str, _of: Any, _options: Any, lines: list[str]) -> None:
    """Gives what is said of each argument a paragraph of its own, and escapes signs."""
    written: list[str] = []
    for line in lines:
        begins = BEGINS.match(line)
        if begins:
            written += ["", f"**{begins[1]}** {_plain(line[begins.end() :].strip())}"]
        else:
            written.append(_plain(line))
    lines[:] = written


def _plain(text: str) -> str:
    """Returns a text in which nothing is a command but names and titles."""
    parts = MARKED.split(text)
    marked = (f"`{part}`" if part.startswith("`") else part for part in parts[1::2])
    plain = (SIGNS.sub(r"\\\g<0>", part) for part in parts[::2])
    return "".join(part for pair in zip_longest(plain, marked, fillvalue="") for part in pair)


def setup(app: Sphinx) -> dict[str, Any]:
    """Reads each docstring before it is set."""
    app.connect("autodoc-process-docstring", read)
    return {"parallel_read_safe": True}
