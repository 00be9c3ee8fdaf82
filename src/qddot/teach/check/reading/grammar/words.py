"""Parses words: names, runs of names, and calls such as diag(a, b), eye(2), D(1,2) and diff(q1, t)."""

from __future__ import annotations

import re
from fractions import Fraction

from qddot.teach.check.reading.grammar.arguments import end_of_arguments, indices_after, skip_arguments
from qddot.teach.check.reading.grammar.derivatives import Derivatives
from qddot.teach.check.reading.grammar.functions import Functions
from qddot.teach.check.reading.grammar.operators import DERIVATIVES
from qddot.teach.check.reading.grammar.rules import Rules
from qddot.teach.check.reading.names.arm_names import plain
from qddot.teach.check.reading.names.letters import LETTERS
from qddot.teach.check.reading.signs.lexemes import Lexeme, dots_of, word_of
from qddot.teach.check.reading.syntax import (
    MOTIONS,
    Call,
    Meaning,
    Name,
    Node,
    Number,
    Part,
    Reference,
    Table,
    Zeros,
    children,
    diagonal,
)

WRAPPERS_IN_A_ROW = (
    "list tuple vec vector vcat hcat Vector Matrix ImmutableMatrix MutableDenseMatrix Array array asarray "
    "matrix sym vertcat horzcat block stack hstack col"
)
WRAPPERS = frozenset(WRAPPERS_IN_A_ROW.split())
FILLED = ("zeros", "empty")  # arrays whose entries are assigned elsewhere, or zero
IDENTITIES = ("eye", "identity", "IdentityMatrix", "Identity")
SUBSCRIPT = re.compile(r"(?P<letter>[^\W\d_]+)_?(?P<row>[1-9]),?(?P<column>[1-9])?")
TRACES = ("Tr", "tr", "trace", "Spur")
MOST_ROWS = 30  # of an identity matrix


class Words:
    """This parses words by the rules of a grammar."""

    def __init__(self, rules: Rules, functions: Functions, derivatives: Derivatives) -> None:
        self.rules, self.cursor, self.vocabulary = rules, rules.cursor, rules.vocabulary
        self.functions, self.derivatives = functions, derivatives

    def word(self) -> Node:
        """Parses the word at the cursor: a call, an indexed name, or the names that a run consists of."""
        lexeme = self.cursor.take()
        text = word_of(lexeme)
        if text in WRAPPERS and self.cursor.kind() == "(":
            return self.rules.brackets.bracket()
        if text == "diag" and self.cursor.kind() == "(":
            return diagonal(self.rules.brackets.bracket())
        if text in IDENTITIES and self.cursor.kind() == "(":
            return self._identity()
        if text in FILLED and self.cursor.kind() == "(":
            is_whole, node = self.cursor.next == 1, self.rules.brackets.bracket()
            sizes = [int(each.value) for each in children(node) if isinstance(each, Number)]
            if is_whole or len(sizes) != len(("rows", "columns")) or not 0 < max(sizes) <= MOST_ROWS:
                return Zeros((lexeme.start, node.span[1]))
            row = Table(node.span, (Number(node.span, Fraction(0)),) * sizes[1])
            return Table(node.span, (row,) * sizes[0])
        if text in DERIVATIVES and self.cursor.kind() == "(":
            return self.derivatives.call(lexeme)
        if text in TRACES and self.cursor.kind() in ("(", "[", "{") and not self.vocabulary.names.readings(text):
            return Call((lexeme.start, self.cursor.end()), "trace", self.rules.brackets.bracket())
        if text == "cross" and self.cursor.kind() == "(":
            return Call((lexeme.start, self.cursor.end()), "cross", self.rules.brackets.bracket())
        is_function = f"{plain(text)}()" in self.vocabulary.own
        if is_function and (end := end_of_arguments(self.cursor.lexemes, self.cursor.next, self.vocabulary.names)):
            self.cursor.next = end
            return Name((lexeme.start, self.cursor.end()), text, Meaning("own", f"{plain(text)}()"))
        indexed = self._indexed(lexeme, text)
        if indexed is not None:
            return indexed
        if (entry := self._entry_by_subscript(lexeme, text)) is not None:
            return entry
        if text in ("c", "s", "C", "S") and (call := self.functions.short(lexeme, text)):
            return call
        self.cursor.pieces = self.vocabulary.pieces(lexeme, self.cursor.written, self.rules.latex)
        if self.cursor.pieces[-1].meaning.kind in MOTIONS:
            self._skip_time()
        elif self.cursor.pieces[-1].meaning.kind == "own":
            skip_arguments(self.cursor, self.vocabulary.names)
        return self.named(self.cursor.pieces.pop(0))

    def _identity(self) -> Node:
        """Parses eye(2), a diagonal matrix of ones."""
        size = self.rules.brackets.bracket()
        if not isinstance(size, Number) or size.value.denominator != 1 or not 0 < size.value <= MOST_ROWS:
            raise self.cursor.written.error(size.span[0], "identity-size", most=MOST_ROWS)
        return diagonal(Table(size.span, (Number(size.span, Fraction(1)),) * int(size.value)))

    def _skip_time(self) -> None:
        """Skips the (t) of q1(t)."""
        following = self.cursor.ahead[:3]
        if [lexeme.kind for lexeme in following] == ["(", "word", ")"] and word_of(following[1]) == "t":
            self.cursor.next += 3

    def _indexed(self, lexeme: Lexeme, text: str) -> Node | None:
        """Parses q(1), q[0] or D(1,2), which MATLAB and Python write for q1 and D12; returns None for anything else."""
        opening = self.cursor.kind()
        if opening not in ("(", "[") or self.cursor.ahead[0].blank:
            return None
        from_zero = opening == "[" and self.vocabulary.zero_based
        numbers, k = indices_after(self.cursor.lexemes, self.cursor.next, 0 if from_zero else 1)
        if not numbers:
            return None
        joined = f"{text}{''.join(map(str, numbers))}"
        span = (lexeme.start, self.cursor.lexemes[k - 1].end)
        if plain(joined) in self.vocabulary.own and not dots_of(lexeme):
            self.cursor.next = k
            return Reference(span, plain(joined))
        readings, dots = self.vocabulary.names.readings(joined), dots_of(lexeme)
        if plain(text) in self.vocabulary.own and not dots:
            self.cursor.next = k
            array = Name((lexeme.start, lexeme.end), text, Meaning("own", plain(text)))
            return Part(span, array, tuple(numbers), opening == "(")
        if dots:  # q̇[1]
            name = self.vocabulary.names.coordinate(joined)
            readings = [Meaning(MOTIONS[dots], name)] if name and dots < len(MOTIONS) else []
        if len(numbers) != 1 or len(readings) != 1 or text in self.vocabulary.names.symbols:
            return None
        self.cursor.next = k
        return Name(span, joined, readings[0])

    def _entry_by_subscript(self, lexeme: Lexeme, text: str) -> Node | None:
        """Parses H_{12}, an entry of the answer's own matrix H, and M_{21} where only M_{12} is defined."""
        match, own, names = SUBSCRIPT.fullmatch(text), self.vocabulary.own, self.vocabulary.names
        if match is None or plain(text) in own or names.readings(text) or dots_of(lexeme) > 0:
            return None
        span, (row, column) = (lexeme.start, lexeme.end), (match["row"], match["column"] or "")
        across = f"{plain(match['letter'])}{column}{row}"
        if column and across in own and [each.quantity for each in LETTERS.get(match["letter"], ())[:1]] == ["M"]:
            return Reference(span, across)
        if plain(match["letter"]) not in self.vocabulary.arrays or names.drive(text):
            return None
        array = Name(span, match["letter"], Meaning("own", plain(match["letter"])))
        return Part(span, array, (int(row), *map(int, column)), by_columns=True)

    def named(self, name: Name) -> Node:
        """Returns a name, or the call if the name is that of a function."""
        if name.meaning.kind == "function":
            return self.functions.function(Lexeme("function", *name.span, name.meaning.name))
        return name
