"""A written text knows the line and the column of each of its characters in its file."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import field
from typing import Any

from qddot.base.errors import ExpressionError
from qddot.base.records import record
from qddot.base.words.message import Message

UNREAD = "unread"  # stands in equations of a program for a value that it does not tell


@record()
class Written:
    """This is a text to be read: a whole file, a part of one, or a text without a file.

    name: the file's name, or "" without a file; part: the name of the text, such as "M"
    notes: about how it is read
    file: the whole file's text; origins: the offset in it of each character; by default the text is the file
    """

    text: str
    name: str = ""
    file: str = ""
    origins: tuple[int, ...] = ()
    part: str = ""
    notes: tuple[Message, ...] = ()
    _lines: list[int] = field(default_factory=list, init=False, repr=False, compare=False)

    def where(self, offset: int) -> str:
        """Returns a place such as answers.toml:3:17, or "line 3, column 17" without a file; both count from 1."""
        line, column = self._place(offset)
        if self.name:
            return f"{self.name}:{line}:{column}"
        return f"{self.part}, line {line}, column {column}".removeprefix(", ")

    def line(self, offset: int) -> int:
        """Returns the number of a line, from 1."""
        return self._place(offset)[0]

    def _place(self, offset: int) -> tuple[int, int]:
        if not self._lines:
            whole = self.file or self.text
            self._lines.extend([0, *(k + 1 for k, letter in enumerate(whole) if letter == "\n")])
        offset = min(offset, len(self.text))
        if self.origins:
            offset = self.origins[min(offset, len(self.origins) - 1)]
        line = bisect_right(self._lines, offset)
        return line, offset - self._lines[line - 1] + 1

    def error(self, offset: int, code: str, **slots: Any) -> ExpressionError:
        """Returns the error to raise for the text at an offset."""
        return ExpressionError(code, where=self.where(offset), **slots)
