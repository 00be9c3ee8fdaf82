"""Reads the letters of a name, with its dots and its index: m1, θ̇₁, I_{zz,1}, \\dot{\\theta}_{1}, q1_dot."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from qddot.algebra.expressions.identifiers import spelled
from qddot.teach.check.reading.signs import latex_signs as latex
from qddot.teach.check.reading.signs.characters import Characters

LONGEST_WORD = 80
DEEPEST_INDEX = 5
KEPT = 1_000  # most letters whose kind is cached
DOTS = {"\u0307": 1, "\u0308": 2}  # combining marks above a letter
TO_INDEX = re.compile(r"[ \t]*_[ \t]*(?=[{\\])|[ \t]+_(?=\w)|_")


class Unit(NamedTuple):
    """A unit of a word is one letter (spelled out if Greek) with its dots, a digit, or the underscore of an index.

    glued: whether it is inside the braces of an index
    """

    text: str
    dots: int = 0
    glued: bool = False


class Spelling:
    """This reads words from a place in a text. depth: the number of open braces"""

    def __init__(self, text: Characters, depth: int = 0) -> None:
        self.text, self.depth = text, depth

    def word(self, units: list[Unit]) -> None:
        """Adds letters, digits and indices to a word; an index in braces or of subscript letters ends it."""
        while self.text.here:
            letter = self.text.here
            if to_index := self.to_index(units):
                self.text.at = to_index.end()
                units.append(Unit("_", glued=self.text.here in ("{", "\\")))
                if self.text.here in ("{", "\\"):
                    units += [unit._replace(glued=True) for unit in self.argument()]
                    return
            elif lowered(letter):
                self._lowered_index(units)
                return
            elif is_letter(letter):
                units.append(unit_of(letter))
                self.text.at += 1
            elif letter in DOTS and units:
                self._dot(units)
            else:
                return

    def after_command(self, units: list[Unit]) -> None:
        """Adds the index after a letter from a command, and the characters directly after it."""
        if self.to_index(units) or self.text.here.isdecimal() or lowered(self.text.here) or self.text.here in DOTS:
            self.word(units)

    def to_index(self, units: list[Unit]) -> re.Match[str] | None:
        """Returns the sign that begins the index of a word, or None."""
        return self.text.match(TO_INDEX) if units else None

    def _lowered_index(self, units: list[Unit]) -> None:
        units.append(Unit("_", glued=True))
        while letter := lowered(self.text.here):
            units.append(Unit(spelled(letter), glued=True))
            self.text.at += 1

    def _dot(self, units: list[Unit]) -> None:
        units[-1] = units[-1]._replace(dots=units[-1].dots + DOTS[self.text.here])
        self.text.at += 1

    def argument(self) -> list[Unit]:
        """Reads the argument of an accent, a font or an index, {…} or one sign, and returns its letters."""
        while self.text.here and self.text.here in " \t":
            self.text.at += 1
        if self.text.here == "{":
            close = self.closing()
            inner = Characters(self.text.written, self.text.at + 1, close)
            self.text.at = close + 1
            return Spelling(inner, self.depth + 1).all_letters()
        if command := self.text.match(latex.COMMAND):
            self.text.at = command.end()
            return self.of_command(command[1])
        if self.text.here.isalnum():
            self.text.at += 1
            return [unit_of(self.text.since(self.text.at - 1))]
        raise self.text.error("accent-or-index-empty")

    def all_letters(self) -> list[Unit]:
        """Returns the remaining letters; commas, brackets and blanks separate them."""
        if self.depth > DEEPEST_INDEX:
            raise self.text.error("braces-too-deep", most=DEEPEST_INDEX)
        units: list[Unit] = []
        while self.text.here:
            if space := self.text.match(latex.SPACE):
                self.text.at = space.end()
            elif command := self.text.match(latex.COMMAND):
                self.text.at = command.end()
                units += self.of_command(command[1])
            elif self.text.here in ",{}()" or self.text.here.isspace() or self._is_sum_of_digits(units):
                units += [Unit(",")] if self.text.here in ",+" else []
                self.text.at += 1
            elif is_letter(self.text.here) or lowered(self.text.here) or (self.text.here == "_" and units):
                self.word(units)
            else:
                units.append(Unit(self.text.here))  # T_{i-1}, which no arm has
                self.text.at += 1
        return units

    def _is_sum_of_digits(self, units: list[Unit]) -> bool:
        """Returns whether a plus is between numbers of joints, as in s_{1+2}."""
        is_behind_digit = bool(units) and units[-1].text.isdecimal()
        return self.text.here == "+" and is_behind_digit and self.text.following.isdecimal()

    def of_command(self, name: str) -> list[Unit]:
        """Returns the letters of a command: a Greek letter, or its argument with dots or in a font.

        A script L is the Lagrangian, since an arm may have a length L.
        """
        if name in latex.GREEK:
            return [Unit(latex.GREEK[name])]
        if name in latex.FONTS:
            units = self.argument()
            return [Unit("ℒ")] if name in latex.SCRIPTS and units == [Unit("L")] else units
        if name not in latex.ACCENTS:
            return [Unit(f"\\{name}")]  # which no arm has
        units = self.argument()
        if units:
            units[0] = units[0]._replace(dots=units[0].dots + latex.ACCENTS[name])
        return units

    def closing(self) -> int:
        """Returns the place of the brace that closes the next one."""
        depth = 0
        for brace in re.compile(r"\\.|[{}]").finditer(self.text.written.text, self.text.at, self.text.end):
            depth += {"{": 1, "}": -1}.get(brace[0], 0)
            if not depth:
                return brace.start()
        raise self.text.error("brace-left-open")


@lru_cache(KEPT)
def is_letter(letter: str) -> bool:
    """Returns whether a character is a letter or a digit, but no superscript such as ᵀ, and no subscript."""
    is_small = bool(raised(letter) or lowered(letter)) or letter == "ᵀ"
    return letter.isalnum() and (letter.isascii() or (letter.isalpha() and not is_small))


@lru_cache(KEPT)
def unit_of(letter: str) -> Unit:
    """Returns the unit of a letter, in which the dots of a letter such as ẋ are counted."""
    is_variant = "\u03d0" <= letter <= "\u03f5" or letter >= "\U0001d400" or letter == "ℓ"  # ϕ, ϑ and 𝜃
    parts = unicodedata.normalize("NFKD" if is_variant else "NFD", letter)
    return Unit(spelled(parts[0]), sum(DOTS.get(mark, 0) for mark in parts[1:]))


@lru_cache(KEPT)
def raised(letter: str) -> str:
    """Returns the digit or the sign of a superscript, else ""."""
    return "-" if letter == "⁻" else _compatible(letter, "<super>", str.isdecimal)


@lru_cache(KEPT)
def lowered(letter: str) -> str:
    """Returns the letter or the digit of a subscript, else ""."""
    return _compatible(letter, "<sub>", str.isalnum)


def _compatible(letter: str, how: str, is_kept: Callable[[str], bool]) -> str:
    parts = unicodedata.decomposition(letter).split() if letter else []
    plain = chr(int(parts[1], 16)) if parts[:1] == [how] and len(parts) == 2 else ""
    return plain if plain and is_kept(plain) else ""
