"""Names the rules of a grammar that its parts, such as derivatives, call."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, Self

from qddot.teach.check.reading.grammar.brackets import Brackets
from qddot.teach.check.reading.grammar.cursor import Cursor
from qddot.teach.check.reading.names.vocabulary import Vocabulary
from qddot.teach.check.reading.signs.lexemes import Lexeme
from qddot.teach.check.reading.syntax import Node


class Rules(Protocol):
    """These rules parse what is at the cursor, each to a tree."""

    cursor: Cursor
    brackets: Brackets
    vocabulary: Vocabulary
    latex: bool

    def whole(self) -> Node:
        """Parses all lexemes."""

    def sum(self) -> Node:
        """Parses an expression."""

    def product(self) -> Node:
        """Parses a product."""

    def power(self) -> Node:
        """Parses one factor."""

    def atom(self) -> Node:
        """Parses a number, a name, a function or a bracket."""

    def inside(self, lexemes: Sequence[Lexeme]) -> Self:
        """Returns the rules for some of the lexemes."""
