"""Converts documents of Org mode to Markdown."""

from __future__ import annotations

import re

from qddot.teach.check.reading.texts.rewriting import Rewriting
from qddot.teach.check.reading.texts.written import Written

LINE = re.MULTILINE | re.IGNORECASE
BLOCK = re.compile(r"^[ \t]*#\+begin_src[ \t]+([\w+-]+)[^\n]*", LINE)
END_OF_BLOCK = re.compile(r"^[ \t]*#\+end_src[ \t]*$", LINE)
HIDDEN = re.compile(  # comments, drawers and settings
    r"^[ \t]*#\+begin_comment.*?^[ \t]*#\+end_comment[ \t]*$|^[ \t]*:properties:[ \t]*$.*?^[ \t]*:end:[ \t]*$|"
    r"^[ \t]*#(?:\+\w+|[ \t])[^\n]*",
    LINE | re.DOTALL,
)
HEADING = re.compile(r"^\*+(?=[ \t])", re.MULTILINE)
TYPED = re.compile(r"^[ \t]*:(?=[ \t])", re.MULTILINE)
STRUCK = re.compile(r"(?<![^\s(])\+(?=\S)([^+\n]+)(?<=\S)\+(?![^\s.,;:)])")
BOLD = re.compile(r"(?<![^\s(])\*(?=[^\s*])([^*\n]+)(?<=\S)\*(?![^\s.,;:)])")
CODE = re.compile(r"(?<![^\s(])([=~])(?=[^\s=~])([^\n]+?)(?<=[^\s=~])\1(?![^\s.,;:)])")
CHECKBOX = re.compile(r"^([ \t]*[-+])[ \t]+\[[ X-]\](?=[ \t])", re.MULTILINE)


def of_org(written: Written) -> Written:
    """Returns a document of Org mode with the headings, blocks, code and struck-out text of Markdown."""
    text = Rewriting(written).sub(BLOCK, lambda block: f"```{block[1].lower()}").sub(END_OF_BLOCK, "```")
    text.blank(HIDDEN).sub(HEADING, lambda mark: "#" * len(mark[0])).blank(TYPED)
    text.sub(BOLD, lambda bold: f"**{bold[1]}**")
    text.sub(STRUCK, lambda struck: f"~~{struck[1]}~~").sub(CODE, lambda code: f"`{code[2]}`")
    return text.sub(CHECKBOX, lambda box: box[1]).sub(r"[ \t]::[ \t]", " = ").done()
