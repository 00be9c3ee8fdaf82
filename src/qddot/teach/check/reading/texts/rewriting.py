"""Rewrites a text piece by piece, and keeps each character's offset in its file."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from qddot.base.errors import ExpressionError
from qddot.teach.check.reading.texts.written import Written

PROSE = "\x1f"  # a separator in place of words between formulas
LONGEST_REWRITTEN = 1_000_000  # characters
New = str | Callable[[re.Match[str]], str]


class Rewriting:
    """This is a text that is rewritten in place, with the offset of each of its characters in its file."""

    def __init__(self, written: Written) -> None:
        self.written, self.text = written, written.text
        self.origins = list(written.origins[: len(self.text)]) if written.origins else list(range(len(self.text)))
        self.end = written.origins[-1] if written.origins else len(self.text)

    def sub(self, pattern: str | re.Pattern[str], new: New, flags: int = 0) -> Rewriting:
        """Replaces every match; `new` is a text, or a function that returns it for a match."""
        pieces, origins, behind = list[str](), list[int](), 0
        for match in re.finditer(pattern, self.text, flags):
            piece = new if isinstance(new, str) else new(match)
            self._keep(pieces, origins, behind, match.start())
            pieces.append(piece)
            last = max(match.end() - 1, match.start())
            origins += [self._origin(min(match.start() + k, last)) for k in range(len(piece))]
            behind = match.end()
        if pieces:
            self._keep(pieces, origins, behind, len(self.text))
            self.text, self.origins = "".join(pieces), origins
        return self

    def replace(self, start: int, end: int, new: str) -> None:
        """Replaces the characters from `start` to `end` by a text."""
        if len(self.text) + len(new) > LONGEST_REWRITTEN:
            raise ExpressionError("text-grows-long", where=self.written.where(start), most=LONGEST_REWRITTEN)
        at = self._origin(start)
        self.text = self.text[:start] + new + self.text[end:]
        self.origins[start:end] = [at] * len(new)

    def append(self, new: str, at: int) -> None:
        """Adds a text at the end, with the origin of the character at a place."""
        if len(self.text) + len(new) > LONGEST_REWRITTEN:
            raise ExpressionError("text-grows-long", where=self.written.where(at), most=LONGEST_REWRITTEN)
        self.origins += [self._origin(at)] * len(new)
        self.text += new

    def blank(self, pattern: str | re.Pattern[str], flags: int = 0) -> Rewriting:
        """Replaces every match by blanks; line ends stay."""
        return self.sub(pattern, lambda match: re.sub(r"[^\n]", " ", match[0]), flags)

    def done(self) -> Written:
        """Returns the rewritten text."""
        if self.text == self.written.text:
            return self.written
        file = self.written.file or self.written.text
        return replace(self.written, text=self.text, file=file, origins=(*self.origins, self.end))

    def _origin(self, k: int) -> int:
        return self.origins[k] if k < len(self.origins) else self.end

    def _keep(self, pieces: list[str], origins: list[int], start: int, end: int) -> None:
        pieces.append(self.text[start:end])
        origins += self.origins[start:end]


def closing(text: str, at: int, pairs: str = "{}") -> int:
    """Returns the place of the bracket that closes the one at a place, or −1."""
    depth = 0
    for k in range(at, len(text)):
        depth += (text[k] == pairs[0]) - (text[k] == pairs[1])
        if not depth:
            return k
    return -1


def opening(text: str, at: int, pairs: str) -> int:
    """Returns the place of the bracket that the one at a place closes, or −1."""
    depth = 0
    for k in range(at, -1, -1):
        depth += (text[k] == pairs[1]) - (text[k] == pairs[0])
        if not depth:
            return k
    return -1


def parted(text: str, sign: str = ",", brackets: str = "()[]{}") -> list[str]:
    """Returns the parts between commas, or other signs, outside of pairs of brackets."""
    depth, parts = 0, [""]
    for letter in text:
        depth += (letter in brackets[::2]) - (letter in brackets[1::2])
        if letter == sign and not depth:
            parts.append("")
        else:
            parts[-1] += letter
    return [part for part in parts if part.strip()]
