"""Finds the ends of statements and of rows in the tokens of a language with key words."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile

from lark import Token

from qddot.teach.check.reading.programs.languages import Notation
from qddot.teach.check.reading.programs.tokens import CLOSING, ENDS, OPENING, STARTS, made, mark, tokens

CONTINUES = frozenset(("SUM", "PRODUCT", "POWER", "EQUAL", "COMMA", "LOGICAL", "COMPARED"))
OPERANDS = frozenset(("NAME", "NUMBER", *OPENING))
OPENERS = frozenset(("FUNCTION", "FOR", "WHILE", "IF", "SWITCH", "BEGIN", "PROC"))


def laid_out(text: str, notation: Notation) -> list[Token]:
    """Returns the tokens of a program: SEP ends a statement, ROW a row, and a COMMA stands between entries."""
    layout = _Layout(text, notation)
    for token in tokens(text, notation):
        layout.add(token)
    layout.end_statement(len(text))
    return list(_closed(layout.tokens))


class _Layout:
    """This is a list of tokens to which one is added after the other."""

    def __init__(self, text: str, notation: Notation) -> None:
        self.text, self.notation = text, notation
        self.tokens: list[Token] = []
        self.open: list[str] = []
        self.line: Token | None = None  # an end of line whose meaning the next token decides
        self.is_idle = False

    @property
    def last(self) -> str:
        return self.tokens[-1].type if self.tokens else "SEP"

    def add(self, token: Token) -> None:
        """Adds a token with the separators that blanks and ends of lines before it stand for."""
        if token.type == "LINE":
            self.line = self.line or token
            return
        if self.line is not None:
            self._end_line(token)
        if self.is_idle and token.type == "FUNCTION" and not self.open:
            self.is_idle = False
        if self.is_idle and not (token.type == "SEMI" and not self.open):
            self._nest(token)
            return
        if token.type == "SHOWN":
            self._assign_shown()
            return
        if self.last == "END" and not self.open and token.type not in ("SEMI", "COMMA", "SEP"):
            return  # end function
        if self.last == "SEP" and token.type == "NAME" and token.value in self.notation.idle.split():
            self.is_idle = True
            return
        bracket = self._bracket(token)
        if bracket is not None:
            self._add_in_brackets(bracket) if self.open else self._add(bracket)

    def end_statement(self, at: int) -> None:
        """Ends a statement, if one is open."""
        self.is_idle = False
        if self.last != "SEP":
            self.tokens.append(mark("SEP", at))

    def _end_line(self, token: Token) -> None:
        """Decides what an end of line means: nothing, the end of a row, or that of a statement."""
        line, self.line = self.line, None
        assert line is not None
        if self.open:
            if self.open[-1] == "LSQB" and self.notation.spaced and not self.is_idle:
                self._end_row(line)
        elif self.is_idle or (self.notation.lines and self.last not in CONTINUES and token.type not in CONTINUES):
            self.end_statement(line.start_pos or 0)

    def _add(self, token: Token) -> None:
        if token.type in ("SEMI", "SEP") or (token.type == "COMMA" and self.notation.commas):
            self.end_statement(token.start_pos or 0)
            return
        self._multiply(token)
        self._append(token)

    def _add_in_brackets(self, token: Token) -> None:
        in_matrix = self.open[-1] == "LSQB"
        if token.type == "SEMI":
            if in_matrix:
                self._end_row(token)
            elif self.last != "LPAR":
                self._append(made("COMMA", token))
            return
        if token.type in CLOSING:
            while self.last in ("ROW", "COMMA"):
                self.tokens.pop()
        elif token.type == "END":
            token = made("LAST", token)
        if in_matrix and self.notation.spaced and self._is_next_entry(token):
            self.tokens.append(mark("COMMA", token.start_pos or 0))
        self._multiply(token)
        self._append(token)

    def _bracket(self, token: Token) -> Token | None:
        """Returns a bracket of Mathematica or Maple, f[x], M[[1, 2]] or <a, b>, as that of other languages, or None."""
        kind, last = token.type, self.tokens[-1] if self.tokens else token
        if kind == "CALL":
            if last.value != "[" or last.end_pos != token.start_pos:
                return made("LPAR", token)
            self.tokens[-1], self.open[-1] = made("LSQB", last), "PART"
            return None
        if kind == "CALLED":
            if not self.open or self.open[-1] not in ("PART", "PARTED"):
                return made("RPAR", token)
            if self.open[-1] == "PART":
                self.tokens.append(made("RSQB", token))
                self.open[-1] = "PARTED"
            else:
                self.open.pop()
            return None
        if kind == "QUOTE" and self.notation.blank_multiplies and last.type == "NAME":
            self.tokens[-1] = made("NAME", last, f"{last.value}'")
            self.tokens[-1].end_pos = token.end_pos
            return None
        if self.notation.angled:
            is_angle = bool(self.open) and self.open[-1] == "ANGLE"
            if token.value == "<" and self.last not in ENDS:
                self.open.append("ANGLE")
                self.tokens.append(made("LSQB", token))
                return None
            if token.value == ">" and is_angle:
                self.open.pop()
                self.tokens.append(made("RSQB", token))
                return None
            if is_angle and kind in ("BAR", "COMMA"):
                return made("COMMA" if kind == "BAR" else "ROW", token)
        return token

    def _assign_shown(self) -> None:
        """Begins an assignment of an output to the variable that its input assigned or named."""
        statement = list[Token]()
        for token in reversed(self.tokens[:-1]):
            if token.type == "SEP":
                break
            statement.insert(0, token)
        target = list(takewhile(lambda token: token.type != "EQUAL", statement))
        if target and target[0].type == "NAME" and (len(target) == 1 or target[-1].type in CLOSING):
            self.tokens += [*target, made("EQUAL", target[-1], "~")]

    def _append(self, token: Token) -> None:
        self._nest(token)
        self.tokens.append(token)

    def _nest(self, token: Token) -> None:
        if token.type in OPENING:
            self.open.append(token.type)
        elif token.type in CLOSING and self.open:
            self.open.pop()

    def _end_row(self, token: Token) -> None:
        while self.last == "COMMA" and (self.notation.commas or token.type == "SEMI"):
            self.tokens.pop()
        if self.last not in ("ROW", "LSQB") and self.last not in CONTINUES:
            self.tokens.append(made("ROW", token))

    def _is_next_entry(self, token: Token) -> bool:
        """Returns whether a token after a blank begins an entry, as -b in [a -b], where [a - b] has one entry."""
        last = self.tokens[-1]
        if (last.type not in ENDS and last.type != "LAST") or last.end_pos == token.start_pos:
            return False
        return token.type in STARTS or (token.type == "SUM" and not self._is_spaced_after(token))

    def _is_spaced_after(self, token: Token) -> bool:
        return self.text[token.end_pos : (token.end_pos or 0) + 1].isspace()

    def _multiply(self, token: Token) -> None:
        """Adds the sign of multiplication in 2x and 2(a + b), and in a b of Mathematica."""
        if (self.notation.blank_multiplies and self.last in ENDS and token.type in OPERANDS and token.value != "[") or (
            self.last == "NUMBER" and token.type in ("NAME", "LPAR") and self.tokens[-1].end_pos == token.start_pos
        ):
            self.tokens.append(made("PRODUCT", token, "*"))


def _closed(all_tokens: list[Token]) -> Iterator[Token]:
    """Yields tokens, with an END for each function that the next one or the end of the program ends, as in MATLAB."""
    kinds = [token.type for token in all_tokens]
    are_open = sum(kinds.count(kind) for kind in OPENERS) > kinds.count("END")
    at, is_inside = (all_tokens[-1].end_pos or 0) if all_tokens else 0, False
    end = [mark("END", at), mark("SEP", at)]
    for token in all_tokens:
        if are_open and token.type == "FUNCTION":
            yield from end if is_inside else ()
            is_inside = True
        yield token
    yield from end if is_inside else ()
