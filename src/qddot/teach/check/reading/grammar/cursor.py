"""Walks along the lexemes of an expression, and parses signs and exponents."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from qddot.base.errors import ExpressionError
from qddot.base.words.message import say
from qddot.teach.check.reading.signs.lexemes import Lexeme, word_of
from qddot.teach.check.reading.syntax import Name
from qddot.teach.check.reading.texts.written import Written

DEEPEST_NESTING = 40
LARGEST_EXPONENT = 60
BETWEEN = (",", ";", "(", "[", ")", "]")  # signs beside which a gap is no comma
CLOSING = {"(": ")", "[": "]", "{": "}"}


class Cursor:
    """A cursor is a place among lexemes, with the number of open brackets.

    next: the index of the next lexeme; depth: the number of open brackets
    pieces: the names of a run that are still to be parsed
    rows: 1 if blanks separate the columns of the innermost open bracket, else 0
    """

    def __init__(self, lexemes: Sequence[Lexeme], written: Written) -> None:
        self.lexemes, self.written = list(lexemes), written
        self.next = self.depth = self.rows = 0
        self.pieces: list[Name] = []

    @property
    def ahead(self) -> Sequence[Lexeme]:
        """Returns the next lexemes, at most five."""
        return self.lexemes[self.next : self.next + 5]

    def go_deeper(self) -> None:
        self.depth += 1
        if self.depth > DEEPEST_NESTING:
            raise self.error("brackets-too-deep", most=DEEPEST_NESTING)

    # exponents

    def exponent(self) -> int:
        if self.kind() == "power":
            return self._bounded(self.take().data)
        self.next += 1
        closing = CLOSING.get(self.kind())
        self.next += 1 if closing else 0
        sign = self.signs()
        if self.kind() != "number" or self.lexemes[self.next].data.denominator != 1:
            raise self.error("exponent-not-whole", exponent=self.shown())
        exponent = sign * int(self.take().data)
        if closing and self.kind() != closing:
            raise self.error("sign-in-exponent", sign=self.shown())
        self.next += 1 if closing else 0
        return self._bounded(exponent)

    def _bounded(self, exponent: int) -> int:
        if abs(exponent) > LARGEST_EXPONENT:
            self.next -= 1
            raise self.error("answer-exponent-too-large", exponent=exponent, most=LARGEST_EXPONENT)
        return exponent

    def length_of_transposition(self) -> int:
        """Returns the number of lexemes of ^T or ^{\\top}, or 0."""
        return self._raised(lambda lexeme: lexeme.kind == "transpose" or word_of(lexeme) == "T")

    def length_of_degree(self) -> int:
        """Returns the number of lexemes of ^\\circ, or 0."""
        return self._raised(lambda lexeme: lexeme.kind == "degree")

    def _raised(self, is_sign: Callable[[Lexeme], bool]) -> int:
        inner = self.ahead[:4]
        if len(inner) > 1 and inner[0].kind == "^":
            if is_sign(inner[1]):
                return 2
            if len(inner) == 4 and inner[1].kind == "{" and inner[3].kind == "}" and is_sign(inner[2]):
                return 4
        return 0

    def signs(self) -> int:
        sign = 1
        self.skip_lines()
        while self.kind() in ("+", "-"):
            sign = -sign if self.take().kind == "-" else sign
            self.skip_lines()
        return sign

    def kind(self) -> str:
        if not self.rows:
            self.skip_lines()
        return self.lexemes[self.next].kind if self.next < len(self.lexemes) else ""

    def skip_lines(self) -> None:
        """Skips line ends and empty braces."""
        while self.next < len(self.lexemes):
            kind = self.lexemes[self.next].kind
            if kind == "newline":
                self.next += 1
            elif kind == "{" and self.next + 1 < len(self.lexemes) and self.lexemes[self.next + 1].kind == "}":
                self.next += 2
            else:
                return

    def take(self) -> Lexeme:
        self.next += 1
        return self.lexemes[self.next - 1]

    def offset(self) -> int:
        if self.pieces:
            return self.pieces[0].span[0]
        self.kind()
        return self.lexemes[self.next].start if self.next < len(self.lexemes) else self.end()

    def end(self) -> int:
        return self.lexemes[self.next - 1].end if self.next else 0

    def shown(self) -> Any:
        if not self.kind():
            return say("end-of-expression")
        lexeme = self.lexemes[self.next]
        return repr(self.written.text[lexeme.start : lexeme.end][:30])

    def error(self, code: str, **slots: Any) -> ExpressionError:
        return self.written.error(self.offset(), code, **slots)


def without_gaps(lexemes: Sequence[Lexeme]) -> list[Lexeme]:
    """Returns the lexemes without wide gaps, which become commas in a row that is transposed: [a \\quad b]^T.

    Between two numbers in brackets, as in [0 \\; 1], there is a comma, too.
    """
    kept, opened = list[Lexeme](), list[list[int]]()
    for k, lexeme in enumerate(lexemes):
        if lexeme.kind in ("(", "["):
            opened.append([])
        elif lexeme.kind in (")", "]") and opened:
            gaps = opened.pop()
            following = lexemes[k + 1 : k + 4]
            is_raised = len(following) > 1 and following[0].kind == "^"
            if is_raised and any(each.kind == "transpose" or word_of(each) == "T" for each in following[1:]):
                for gap in gaps:
                    kept[gap] = kept[gap]._replace(kind=",")
        elif lexeme.kind == "wide" and opened and not {each.kind for each in lexemes[k - 1 : k + 2]} & {*BETWEEN}:
            opened[-1].append(len(kept))
        elif lexeme.kind == "number" and opened and kept[-1].kind == "number":
            kept.append(lexeme._replace(kind=",", data=None))
        kept.append(lexeme)
    return [lexeme for lexeme in kept if lexeme.kind != "wide"]
