"""Finds where the lines, statements, values, bodies and operands of programs begin and end."""

from __future__ import annotations

import re
from collections.abc import Iterator

from qddot.teach.check.reading.texts.rewriting import opening

LINE = re.compile(r"^(?P<indent>[ \t]*)\S", re.MULTILINE)


def end_of_line(text: str, at: int) -> int:
    """Returns the end of a line of Python, outside of brackets; a backslash continues a line."""
    ends = (k for k, depth in _depths(text, at) if depth <= 0 and text[k] == "\n" and text[k - 1 : k] != "\\")
    return next(ends, len(text))


def end_of_statement(text: str, at: int) -> int:
    """Returns where a statement ends: at the end of its line or at its semicolon, outside brackets.

    An operator that begins the next line continues the statement.
    """
    for k, depth in _depths(text, at):
        goes_on = text[k] == "\n" and re.match(r"\s*[-+*/]", text[k:]) and not text[k:].lstrip().startswith("//")
        if depth < 0 or (depth <= 0 and text[k] in ";\n" and not goes_on):
            return k
    return len(text)


def end_of_value(text: str, at: int) -> int:
    """Returns where a value ends in C: at its semicolon, or at the end of the bracket around it."""
    return next((k for k, depth in _depths(text, at) if depth < 0 or (not depth and text[k] == ";")), len(text))


def end_of_indented(text: str, header: re.Match[str]) -> int:
    """Returns the start of the first line after a header of Python that is not indented further than it."""
    indent = len(header["indent"].expandtabs())
    lines = LINE.finditer(text, header.end())
    return next((line.start() for line in lines if len(line["indent"].expandtabs()) <= indent), len(text))


def start_of_operand(text: str, end: int) -> int:
    """Returns where the name, the call or the bracket that ends at a place begins."""
    at = end
    while at and text[at - 1] in ")]":
        at = opening(text, at - 1, "()" if text[at - 1] == ")" else "[]")
    while at > 0 and (text[at - 1].isalnum() or text[at - 1] in "_."):
        at -= 1
    return max(at, 0)


def _depths(text: str, at: int) -> Iterator[tuple[int, int]]:
    """Yields each place from one on, with the number of brackets that are open after it."""
    depth = 0
    for k in range(at, len(text)):
        depth += (text[k] in "([{") - (text[k] in ")]}")
        yield k, depth
