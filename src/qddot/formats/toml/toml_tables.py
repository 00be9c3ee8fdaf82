"""Reads the tables of a TOML file after a check of their depth, since a parser's time grows with its square."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from decimal import Decimal, InvalidOperation
from typing import Any

from qddot.base.errors import FormatError, shortened

DEEPEST = 16  # levels of nested arrays and tables, and parts of a key; robot files and plans have four
_PART = r"""(?:[^\s.=#,\[\]{}"']++|"(?:[^"\\\n]|\\.)*+"?|'[^'\n]*+'?)"""
_TOKEN = re.compile(
    r"""\#[^\n]*+                                   # a comment
    | \"\"\"(?:[^"\\]|\\.|"(?!""))*+(?:\"\"\"|\Z)   # texts of several lines; an unclosed one extends to the last line
    | '''(?:[^']|'(?!''))*+(?:'''|\Z)
    | (?P<key>PART(?:[ \t]*+\.[ \t]*+PART)*+)
    | (?P<open>[\[{]) | (?P<close>[\]}])""".replace("PART", _PART),
    re.VERBOSE | re.DOTALL,
)
_KEY_PART = re.compile(_PART, re.DOTALL)


def decimal(text: str) -> Decimal | str:
    """Returns the Decimal of a TOML float, or its text if the exponent is too large; such a text is an error later."""
    try:
        return Decimal(text)
    except InvalidOperation:
        return text


def read(text: str, where: str, real: Callable[[str], Any] = decimal) -> dict[str, Any]:
    """Returns the content of a TOML text; `real` makes a number from a float's text.

    raises FormatError: the text is not TOML, or tables, arrays or a dotted key are more than DEEPEST deep
    """
    _check_depth(text, where)
    try:
        return tomllib.loads(text, parse_float=real)
    except ValueError as error:
        raise FormatError("invalid-toml", where=where, problem=shortened(str(error), 200)) from None


def _check_depth(text: str, where: str) -> None:
    """Raises FormatError at the first place that is too deep; text after invalid TOML may be misread."""
    depth = 0
    for token in _TOKEN.finditer(text):
        kind = token.lastgroup
        if kind == "key":
            deep = token[0].count(".") >= DEEPEST and len(_KEY_PART.findall(token[0])) > DEEPEST
        else:
            depth += (kind == "open") - (kind == "close" and depth > 0)
            deep = depth > DEEPEST
        if deep:
            line = text.count("\n", 0, token.start()) + 1
            raise FormatError(
                "key-too-deep" if kind == "key" else "tables-too-deep", where=f"{where}:{line}", deepest=DEEPEST
            )
