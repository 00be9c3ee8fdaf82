"""Walks along the characters of a text."""

from __future__ import annotations

import re
from typing import Any

from qddot.base.errors import ExpressionError
from qddot.teach.check.reading.texts.written import Written


class Characters:
    """These are the characters of a text from a place `at` to an `end`."""

    def __init__(self, written: Written, start: int, end: int) -> None:
        self.written, self.at, self.end = written, start, end

    @property
    def here(self) -> str:
        """Returns the next character, or ""."""
        return self.written.text[self.at] if self.at < self.end else ""

    @property
    def following(self) -> str:
        """Returns the character after the next one, or ""."""
        return self.written.text[self.at + 1 : min(self.at + 2, self.end)]

    def since(self, start: int) -> str:
        """Returns the characters from a place to this one."""
        return self.written.text[start : self.at]

    def match(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """Returns the match of a pattern that begins here, or None."""
        return pattern.match(self.written.text, self.at, self.end)

    def error(self, code: str, **slots: Any) -> ExpressionError:
        """Returns an error with this place."""
        return self.written.error(self.at, code, **slots)
