"""Writes tables and lines as HTML, as notebooks show them; no text in them is read as HTML."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from qddot.base.errors import visible
from qddot.base.words.message import Words, say

MOST_ROWS = 40
LONGEST_CELL = 400  # letters
SHORT_CELL = 30  # letters of a cell that stays on one line
# pages typeset mathematics between dollar signs and after backslashes, unless the sign is alone in an element
SIGNS = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&quot;",
    "'": "&#x27;",
    "$": "<span>$</span>",
    "\\": "<span>\\</span>",
}
NUMBER = re.compile(r"[-+]?\d[\d.,]*(e[-+]?\d+)?( ?(%|[µm]?s|J))?")
CELL = "padding:0.2em 0.8em;vertical-align:top;"
LINE = "border-bottom:1px solid rgba(128,128,128,0.4);"


def escaped(text: str) -> str:
    """Returns a text as HTML in which nothing is read as a tag, a formula or a control character."""
    return "".join(SIGNS.get(letter, letter) for letter in visible(text))


def comment(text: str) -> str:
    """Returns a text as it may stand in a comment of XML or HTML, which it cannot end."""
    return re.sub("-(?=-)", "- ", visible(text)).rstrip("-")


def block(*parts: str) -> str:
    """Returns pieces of HTML, one below the other; a piece that is too wide can be scrolled, also by keyboard."""
    label = say("a-result")
    return f'<div style="overflow-x:auto" tabindex="0" role="group" aria-label="{label}">{"".join(parts)}</div>'


def lines(texts: Iterable[Words]) -> str:
    """Returns texts, one a line; the first one is bold."""
    first, *others = map(_cut, texts)
    return f"<div><b>{first}</b>{''.join(f'<br>{line}' for line in others)}</div>"


def notes(texts: Iterable[Words]) -> str:
    """Returns texts in small print, one a line."""
    return "".join(f'<div style="font-size:90%;opacity:0.8">{_cut(text)}</div>' for text in texts)


def table(titles: Sequence[Words], rows: Sequence[Sequence[Words]], rest: Words = "") -> str:
    """Returns a table of texts without its empty columns, with numbers on the right; nothing if it has no rows.

    rest: how to get the rows that a long table leaves out, by default by printing it
    """
    used = [k for k in range(len(titles)) if any(row[k] for row in rows)]
    body_rows = [[str(row[k]) for k in used] for row in rows[:MOST_ROWS]]
    sides = [
        "right" if all(NUMBER.fullmatch(cell) for cell in column if cell) else "left"
        for column in zip(*body_rows, strict=True)
    ]
    flows = ["normal" if max(map(len, column)) > SHORT_CELL else "nowrap" for column in zip(*body_rows, strict=True)]
    styles = [f"text-align:{side};white-space:{flow};{CELL}" for side, flow in zip(sides, flows, strict=True)]
    head = _row([str(titles[k]) for k in used], [style + LINE for style in styles], "th") if any(titles) else ""
    body = "".join(_row(cells, styles) for cells in body_rows)
    text = f'<table style="border-collapse:collapse;margin:0.5em 0">{head}{body}</table>' if body_rows else ""
    left_out = len(rows) - len(body_rows)
    return text + (notes([str(say("more-rows", count=left_out, rest=rest or say("print-it")))]) if left_out else "")


def _row(cells: Iterable[str], styles: Iterable[str], tag: str = "td") -> str:
    """Returns a row; a column without a title has an empty cell in place of a heading."""
    tagged = ((tag if cell else "td", cell, style) for cell, style in zip(cells, styles, strict=True))
    written = (f'<{each} style="{style}">{_cut(cell)}</{each}>' for each, cell, style in tagged)
    return f"<tr>{''.join(written)}</tr>"


def _cut(words: Words) -> str:
    text = str(words)
    return escaped(text if len(text) <= LONGEST_CELL else f"{text[: LONGEST_CELL - 1]}…")
