"""Walks along the lexemes of an expression, and parses signs and exponents."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from qddot.check.reading.lexemes import Lexeme, word_of
from qddot.check.reading.syntax import Name
from qddot.check.reading.written import Written
from qddot.errors import ExpressionError

DEEPEST_NESTING = 40
LARGEST_EXPONENT = 60
BETWEEN = (",", ";", "(", "[", ")", "]")  # signs beside which a gap is no comma
CLOSING = {"(": ")", "[": "]", "{": "}"}


class Cursor:
    """A cursor is a place among lexemes, with the number of open brackets."""

    def __init__(self, lexemes: Sequence[Lexeme], written: Written) -> None:
        self.lexemes, self.written = _without_gaps(lexemes), written
        self.next, self.depth = 0, 0
        self.pieces: list[Name] = []  # names of a run that are still to be parsed
        self.rows = 0  # number of open matrices whose columns are separated by blanks

    def _go_deeper(self) -> None:
        self.depth += 1
        if self.depth > DEEPEST_NESTING:
            raise self._error("brackets nested too deep", f"at most {DEEPEST_NESTING} levels")

    # exponents

    def _exponent(self) -> int:
        if self._kind() == "power":
            return self._bounded(self._take().data)
        self.next += 1
        closing = CLOSING.get(self._kind())
        self.next += 1 if closing else 0
        sign = self._signs()
        if self._kind() != "number" or self.lexemes[self.next].data.denominator != 1:
            raise self._error(f"the exponent {self._shown()}", "a whole number", "write sqrt(…) for a root")
        exponent = sign * int(self._take().data)
        if closing and self._kind() != closing:
            raise self._error(f"{self._shown()} in an exponent", "a whole number")
        self.next += 1 if closing else 0
        return self._bounded(exponent)

    def _bounded(self, exponent: int) -> int:
        if abs(exponent) > LARGEST_EXPONENT:
            self.next -= 1
            raise self._error(f"the exponent {exponent}", f"at most {LARGEST_EXPONENT}")
        return exponent

    def _is_transposition(self) -> int:
        """Returns the number of lexemes of ^T or ^{\\top}, or 0."""
        return self._raised(lambda lexeme: lexeme.kind == "transpose" or word_of(lexeme) == "T")

    def _is_degree(self) -> int:
        """Returns the number of lexemes of ^\\circ, or 0."""
        return self._raised(lambda lexeme: lexeme.kind == "degree")

    def _raised(self, is_sign: Callable[[Lexeme], bool]) -> int:
        inner = self.lexemes[self.next : self.next + 4]
        if len(inner) > 1 and inner[0].kind == "^":
            if is_sign(inner[1]):
                return 2
            if len(inner) == 4 and inner[1].kind == "{" and inner[3].kind == "}" and is_sign(inner[2]):
                return 4
        return 0

    def _signs(self) -> int:
        sign = 1
        self._skip_lines()
        while self._kind() in ("+", "-"):
            sign = -sign if self._take().kind == "-" else sign
            self._skip_lines()
        return sign

    def _kind(self) -> str:
        if not self.rows:
            self._skip_lines()
        return self.lexemes[self.next].kind if self.next < len(self.lexemes) else ""

    def _skip_lines(self) -> None:
        """Skips line ends and empty braces."""
        while self.next < len(self.lexemes):
            kind = self.lexemes[self.next].kind
            if kind == "newline":
                self.next += 1
            elif kind == "{" and self.next + 1 < len(self.lexemes) and self.lexemes[self.next + 1].kind == "}":
                self.next += 2
            else:
                return

    def _take(self) -> Lexeme:
        self.next += 1
        return self.lexemes[self.next - 1]

    def _offset(self) -> int:
        if self.pieces:
            return self.pieces[0].span[0]
        self._kind()
        return self.lexemes[self.next].start if self.next < len(self.lexemes) else self._end()

    def _end(self) -> int:
        return self.lexemes[self.next - 1].end if self.next else 0

    def _shown(self) -> str:
        if not self._kind():
            return "the end"
        lexeme = self.lexemes[self.next]
        return repr(self.written.text[lexeme.start : lexeme.end][:30])

    def _error(self, found: str, expected: str, remedy: str = "") -> ExpressionError:
        return self.written.error(self._offset(), found, expected, remedy)


def _without_gaps(lexemes: Sequence[Lexeme]) -> list[Lexeme]:
    """Returns the lexemes without wide gaps; in a row that is transposed they are commas: [a \\quad b]^T."""
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
        kept.append(lexeme)
    return [lexeme for lexeme in kept if lexeme.kind != "wide"]
