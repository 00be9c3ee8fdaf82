"""Writes the frames of pictures and tables that the extensions put into pages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape


def picture(title: str, width: float, height: float, parts: Iterable[str], look: str = "drawing plan") -> str:
    """Returns a picture in SVG of so many pixels; its title tells what it shows to those who cannot see it."""
    size = f'viewBox="0 0 {width:g} {height:g}" width="{width:g}"'
    return f'<svg class="{look}" role="img" aria-label="{escape(title)}" {size}>{"".join(parts)}</svg>'


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Returns a table, whose cells are HTML."""
    head = "".join(f"<th>{text}</th>" for text in heads)
    body = "".join(f"<tr>{''.join(f'<td>{text}</td>' for text in row)}</tr>" for row in rows)
    return f'<table class="table"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'
