"""Reads pages that are plain Markdown, as they are read in a clone, and makes of them what the site shows.

A block of `python` runs when the site is built. What it printed and drew stands below it in a clone, written by
`docs/outputs.py`; the site shows the real thing in its place. A block of `py` is only shown; a test runs it.
Directives stand in comments, `<!-- {evidence} speeds speeds.json motion -->`, and a picture of the page with an arm in
it becomes the arm to play with.
"""

from __future__ import annotations

import re
from typing import Any

from sphinx.application import Sphinx

RUN = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
OUTPUT = r"(?P<output>\n```output\n.*?^```$)?"
DRAWN = r"(?:\n\n!\[[^\]]*\]\((?:\.\./)*_static/shown/[^)]*\))*"
WITH_OUTPUT = re.compile(rf"(?P<block>{RUN.pattern}){OUTPUT}{DRAWN}", RUN.flags)
COMMENT = re.compile(r"^<!-- (\{[a-z-]+\}[^\n]*?)(?: -->|\n(.*?)-->)$", re.MULTILINE | re.DOTALL)
PLAYED = re.compile(r"^!\[[^\]]*\]\((?:\.\./)*_static/page/(\w+)-light\.webp\)$", re.MULTILINE)
FRONT = ("index", "zh/index")
HEAD = "---\nfile_format: mystnb\nkernelspec:\n  name: python3\nmystnb:\n  execution_mode: {mode}\n---\n"


def without_outputs(text: str) -> str:
    """Returns a page without what its blocks have printed and drawn."""
    return WITH_OUTPUT.sub(r"\g<block>", text)


def for_the_site(text: str, front: bool = False, mode: str = "cache") -> str:
    """Returns a page with directives in place of comments, of pictures and of blocks that run.

    mode: when they run, as MyST-NB calls it
    """
    text = COMMENT.sub(_directive, without_outputs(text))
    text = PLAYED.sub("::::{div} front\n```{play} \\1\n:front:\n```\n::::" if front else "```{play} \\1\n```", text)
    runs = RUN.sub("```{code-cell} ipython3\n\\1```", text)
    return HEAD.format(mode=f"'{mode}'") + runs if runs != text else text


def _directive(match: re.Match[str]) -> str:
    body = (match[2] or "").replace("--&gt;", "-->")
    return f"```{match[1]}\n{body}```"


def read(app: Sphinx, page: str, source: list[str]) -> None:
    """Changes a page before it is parsed; those of the gallery are written for the site alone."""
    if not page.startswith("gallery/"):
        only = app.config.only_run.split()
        mode = "off" if only and page.rpartition("/")[2] not in only else "cache"
        source[0] = for_the_site(source[0], page in FRONT, mode)


def setup(app: Sphinx) -> dict[str, Any]:
    """Reads each page of Markdown.

    only_run: the names of pages whose blocks run; without names all do
    """
    app.add_config_value("only_run", "", "env", str)
    app.connect("source-read", read)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
