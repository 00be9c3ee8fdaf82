"""What the blocks of a page show in Chinese, and the English words in it.

An English word is one of the English catalogues that no Chinese sentence has, as names and options have them.
"""

from __future__ import annotations

import ast
import io
import re
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from functools import cache
from html import unescape
from pathlib import Path
from typing import Any

import newcomer
from messages import files

from qddot.base.words.language import ENGLISH

WORD = re.compile(r"(?<![\w.\\'\"/-])[A-Za-z][a-z]+(?![\w(\[/]|\.\w|['\"-]\w)")
# code, formulas of LaTeX, citations and lists of names are the same in all languages
SAME = (r"^来源：.*", r"^[ -]*[$\\].*", "<math.*?</math>", r"^from \w+ import.*", r"(?:[A-Za-z][\w-]*、)+[A-Za-z]+")
FOREIGN = re.compile("|".join((*SAME, "`[^`]*`", r"\$[^$]*\$", "“[^”]*”")), re.MULTILINE)
CODE = re.compile(r"^\s*[{\[<(]|^\s*[\w\[\],/∂]+ = |all values are right|takes \d positional")  # or what Python says
SIGNED = "made by qddot"  # in files of other languages, whose remarks are English
OF_PLAIN_WORDS = (
    "base link tool arm robot system energy composite screw friction springs theta payload enclosure rod external"
    " across"  # a coordinate of the bicycle
)
NAMES = {*OF_PLAIN_WORDS.split()}


def words_of_page(page: Path) -> set[str]:
    """The English words that the blocks of a page show."""
    space = dict[str, Any](__name__="__main__")
    blocks = newcomer.blocks(page.read_text(encoding="utf-8"))
    return {word for block in blocks for text in shown(block, space) for word in english_in(text)}


def shown(block: str, space: dict[str, Any]) -> Iterator[str]:
    """What a block prints but for the texts that stand in it, and what a notebook shows of its values."""
    tree, known = ast.parse(block), {*map(id, space.values())}
    if isinstance(tree.body[-1], ast.Expr):
        tree.body[-1] = ast.copy_location(ast.Assign([ast.Name("_", ast.Store())], tree.body[-1].value), tree.body[-1])
    printed = io.StringIO()
    with redirect_stdout(printed), redirect_stderr(printed):
        exec(compile(ast.fix_missing_locations(tree), block, "exec"), space)
    text = printed.getvalue()
    for each in ast.walk(tree):
        if isinstance(each, ast.Constant) and isinstance(each.value, str) and len(each.value) > 1:
            for part in re.split(r"\{[^}]*\}|%\S+", each.value):
                text = text.replace(part.strip() or "·", "·")
    yield text
    for value in space.values():
        if id(value) not in known and type(value).__module__.startswith("qddot") and not isinstance(value, type):
            for show in ("_repr_html_", "_repr_markdown_", "__str__"):
                if show in {name for kind in type(value).__mro__[:-1] for name in vars(kind)}:
                    yield unescape(re.sub("<[^>]*>", "\n", getattr(value, show)() or ""))


def english_in(text: str) -> set[str]:
    """The English words in a text."""
    if SIGNED in text:
        return set()
    lines = [line for line in FOREIGN.sub(" ", text).splitlines() if not CODE.search(line)]
    return {word for line in lines for word in WORD.findall(line)} & english()


@cache
def english() -> set[str]:
    return _words(ENGLISH) - _words("zh") - NAMES


def _words(lang: str) -> set[str]:
    return {word for entries in files(lang).values() for entry in entries.values() for word in WORD.findall(str(entry))}
