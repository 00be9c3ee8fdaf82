"""Writes lines of Markdown: a user's text in which no sign is a command, and mathematics that Markdown does not change.

Some programs take the mathematics out of a file before they read its Markdown (JupyterLab, VS Code, pandoc, MyST), and
GitHub reads the Markdown first. The text between dollar signs here means the same to both: it has no backslash
before a sign, and no underscore that could begin an emphasis.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from qddot.base.errors import visible

ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "`": "&#96;", "|": "&#124;"}
# in an element of its own, neither sign begins a formula for a program that searches the finished page for formulas
ENTITIES |= {"\\": "<span>&#92;</span>", "$": "<span>&#36;</span>"}
SIGN = re.compile(r"[&<>`|\\$]|[*_\[\]{}~#!^@]")
# the beginning of a line that Markdown could read as an item of a list, a rule, a definition, a comment or a target
BEGINNING = re.compile(r"([^\W_]*)[.)](?=\s|$)|[-+=](?=[-+=\s]|$)|[:%]|\((?=[\w-]*\)|[^)]*\)=)")
TOKEN = re.compile(r"\\operatorname\{sgn\}|\\(?:[A-Za-z]+|.)|[^\\]")
INERT = {  # the same mathematics in letters only
    "\\\\": "\\cr ",
    "\\,": "\\thinspace ",
    "\\{": "\\lbrace ",
    "\\}": "\\rbrace ",
    "\\_": "\\rule[-0.15em]{0.5em}{0.05em}",
    "\\operatorname{sgn}": "\\mathrm{sgn}\\thinspace ",  # GitHub forbids the command
    "[": "\\lbrack ",
    "]": "\\rbrack ",
    "<": "\\lt ",
    ">": "\\gt ",
    "|": "\\vert ",
    "*": "\\ast ",
}
BEFORE, AFTER = " (", " .,;:?)"  # characters that may be next to a dollar sign


def text(content: str) -> str:
    """Returns a text within a line, in which no letter is Markdown, HTML or mathematics, or invisible."""
    return SIGN.sub(lambda sign: ENTITIES.get(sign[0], f"\\{sign[0]}"), visible(content))


def within_html(content: str) -> str:
    """Returns a text to stand between HTML tags, with Markdown's signs escaped, since pandoc reads them even there."""
    return SIGN.sub(lambda sign: ENTITIES.get(sign[0], f"&#{ord(sign[0])};"), visible(content))


def joined(parts: Iterable[str]) -> str:
    """Returns a line of texts and formulas, with gaps where a program would otherwise not find the mathematics."""
    written = ""
    for part in parts:
        # GitHub finds no mathematics between letters, or beside the signs of Chinese sentences
        begins = part.startswith("$") and written[-1:] not in BEFORE
        ends = written.endswith("$") and part[:1] not in AFTER
        written += f" {part}" if begins or ends else part
    written = written.strip()
    beginning = BEGINNING.match(written)
    return f"{beginning[1] or ''}\\{written[len(beginning[1] or '') :]}" if beginning else written


def place(number: int) -> str:
    """Returns the name of the target of an equation."""
    return f"equation-{number}"


def inert(latex: str) -> str:
    """Returns the same mathematics in one line, without anything that Markdown would change."""
    letters = "".join(INERT.get(token, token) for token in TOKEN.findall(" ".join(latex.split())))
    # after a letter or a digit an index is not an emphasis; elsewhere a space prevents it
    return " ".join(re.sub(r"(?<![A-Za-z0-9])_(?=\S)", "_ ", letters).split())
