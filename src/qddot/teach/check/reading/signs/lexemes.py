"""Splits text into lexemes: Python, MATLAB, LaTeX and Unicode alike."""

from __future__ import annotations

import re
import unicodedata
from fractions import Fraction
from typing import Any, NamedTuple

from qddot.algebra.expressions.parser import expression
from qddot.base.errors import ExpressionError
from qddot.teach.check.reading.signs import latex_signs as latex
from qddot.teach.check.reading.signs.characters import Characters
from qddot.teach.check.reading.signs.spelling import LONGEST_WORD, Spelling, Unit, is_letter, raised
from qddot.teach.check.reading.signs.sums import bounds
from qddot.teach.check.reading.texts.rewriting import PROSE
from qddot.teach.check.reading.texts.written import Written

LONGEST_NUMBER = 60  # characters
MOST_LEXEMES = 600_000  # of one text
SIGNS = {
    **{sign: sign for sign in "+-*/^()[]{}=,;&'"},
    **dict.fromkeys("−–‐‑‒", "-"),
    **dict.fromkeys("·×∙⋅∗•", "*"),
    **dict.fromkeys("÷∕⁄", "/"),
    **dict.fromkeys("≡≔≈≜", "="),
    **dict.fromkeys("′’ʹ`", "'"),
    "°": "degree",
}
NUMBER = re.compile(r"(?:\d+(?:\.(?![*/^'])\d*)?|\.\d+)(?:[eE][+-]?\d+(?!\w))?", re.ASCII)
BLANK = re.compile(r"(?:[ \t\r\f\v\u00a0\u2009\u202f\u200b~]|\.\.\.[^\n]{0,200}\n|\\\r?\n)+")
WORDS = re.compile(f"{PROSE}+")
MODULE = re.compile(r"(?:np|numpy|math|sp|sy|sym|sympy|me|mechanics|smp)\.(?=[A-Za-z])")
SIGNUM = re.compile(r"\(\s*\(\s*(?P<rate>[^\W\d]\w*)\s*>\s*0\s*\)\s*-\s*\(\s*(?P=rate)\s*<\s*0\s*\)\s*\)")
RAISED_FIRST = re.compile(r"(?:\s*\^\s*(?:\{[^{}]*\}|\d)|'{1,2})\s*(?=_)")


class Lexeme(NamedTuple):
    """A lexeme is the smallest part of an expression.

    kind: "number" (data: its value), "word" (data: its units), "power" (data: a raised whole number), "begin" and
    "end" (data: the environment), "function" (data: its name), "sum" (data: its bounds), "unknown", or the sign itself
    blank: whether there is a blank before it
    """

    kind: str
    start: int
    end: int
    data: Any = None
    blank: bool = False


def lexemes(written: Written, start: int = 0, end: int | None = None, comments: str = "#%") -> list[Lexeme]:
    """Returns the lexemes of a part of a text; line ends are lexemes, too.

    comments: the characters that begin a comment
    raises ExpressionError: a number or a name that is too long, or an unclosed brace
    """
    return _Scanner(Characters(written, start, len(written.text) if end is None else end)).all(comments)


def word_of(lexeme: Lexeme) -> str:
    """Returns the letters of a word, or \"\" for another lexeme."""
    return "".join(unit.text for unit in lexeme.data) if lexeme.kind == "word" else ""


def dots_of(lexeme: Lexeme) -> int:
    """Returns the number of dots above the letters of a word, and 0 for another lexeme."""
    return sum(unit.dots for unit in lexeme.data) if lexeme.kind == "word" else 0


def half_unit(digits: str) -> Fraction:
    """Returns a half unit of the last place of a decimal with two digits or more besides outer zeros, else 0."""
    match = re.fullmatch(r"(\d*)\.(\d+)(?:[eE]([+-]?\d{1,3}))?", digits)
    if match is None or len((match[1] + match[2]).strip("0")) < 2:
        return Fraction(0)
    return Fraction(10) ** (int(match[3] or 0) - len(match[2])) / 2


class _Scanner:
    """This divides characters into lexemes.

    unset: for each open \\left, whether its bracket is invisible
    dangling: the number of visible brackets that end with \\right., and go on after \\left. in the next line
    """

    def __init__(self, text: Characters) -> None:
        self.text, self.spelling = text, Spelling(text)
        self.lexemes: list[Lexeme] = []
        self.unset: list[bool] = []
        self.dangling = 0

    def all(self, comments: str) -> list[Lexeme]:
        while self.text.at < self.text.end:
            blank, count = self.text.match(BLANK), len(self.lexemes)
            self.text.at = blank.end() if blank else self.text.at
            if self.text.here and self.text.here in comments:
                line_end = self.text.written.text.find("\n", self.text.at, self.text.end)
                self.text.at = self.text.end if line_end < 0 else line_end
            elif self.text.here:
                self._next()
            if len(self.lexemes) > MOST_LEXEMES:
                raise self.text.error("answer-of-too-many-signs", most=MOST_LEXEMES)
            if blank and len(self.lexemes) > count:
                self.lexemes[count] = self.lexemes[count]._replace(blank=True)
        return self.lexemes

    def _next(self) -> None:
        letter, following = self.text.here, self.text.following
        if letter == "\n":
            self._add("newline", 1)
        elif number := self.text.match(NUMBER):
            self._add("number", len(number[0]), self._number(number[0]))
        elif letter == "*" and following == "*":
            self._add("^", 2)
        elif letter == "." and following and following in "*/^'":
            self._add(following, 2)
        elif (letter in ":=" and following == "=") or (letter == "=" and following == ":"):
            self._add("=", 2)
        elif letter in "ᵀ⊤":
            self._add("^", 0)
            self._add("transpose", 1)
        elif letter == "″":
            self._add("'", 0)
            self._add("'", 1)
        elif signum := self.text.match(SIGNUM):
            self._signum(signum)
        elif words := self.text.match(WORDS):
            self._add("prose", len(words[0]))
        elif letter in SIGNS:
            self._add(SIGNS[letter], 1)
        elif letter == "∂":
            self._add("partial", 1, "\\partial")
        elif letter == "√":
            self._add("function", 1, "sqrt")
        elif letter == "∑":
            self._add("unknown", 1, letter)
            self._read_bounds()
        elif letter == "\\":
            self._command()
        elif raised(letter):
            self._raised_number()
        elif is_letter(letter) and letter.isalpha():
            self._name()
        elif (value := unicodedata.numeric(letter, -1)) > 0:
            self._add("number", 1, Fraction(value).limit_denominator(100))  # ½
        else:
            self._add("unknown", 1, letter)

    def _add(self, kind: str, length: int, data: Any = None) -> None:
        self.lexemes.append(Lexeme(kind, self.text.at, self.text.at + length, data))
        self.text.at += length

    def _signum(self, signum: re.Match[str]) -> None:
        """Reads ((x > 0) − (x < 0)), which is Python for the sign of x, as a function of x."""
        self._add("function", 0, "sgn")
        self._add("(", signum.start("rate") - self.text.at)
        self.lexemes += _Scanner(Characters(self.text.written, self.text.at, signum.end("rate"))).all("")
        self.text.at = signum.end("rate")
        self._add(")", signum.end() - self.text.at)

    def _read_bounds(self) -> None:
        """Reads the bounds of a sum; a sum over other sets of numbers stays unknown."""
        if (read := bounds(self.text)) is not None:
            self.lexemes[-1] = self.lexemes[-1]._replace(kind="sum", end=self.text.at, data=read)

    def _number(self, text: str) -> Fraction:
        if len(text) > LONGEST_NUMBER:
            raise self.text.error("answer-number-too-long", length=len(text), most=LONGEST_NUMBER)
        if text.isdecimal():
            return Fraction(int(text))
        try:
            value = expression(text).rational
        except ExpressionError as error:
            raise error.to(ExpressionError, where=self.text.written.where(self.text.at)) from None
        assert value is not None
        return value

    def _raised_number(self) -> None:
        """Reads superscript digits such as ⁻² as an exponent."""
        start, digits = self.text.at, ""
        while (digit := raised(self.text.here)) and len(digits) < 4:
            digits += digit
            self.text.at += 1
        whole = re.fullmatch(r"-?\d+", digits)
        kind, data = ("power", int(digits)) if whole else ("unknown", self.text.since(start))
        self.lexemes.append(Lexeme(kind, start, self.text.at, data))

    def _name(self) -> None:
        module = self.text.match(MODULE)
        self.text.at = module.end() if module else self.text.at
        start, units = self.text.at, list[Unit]()
        if self.text.here == "T" and self.lexemes and self.lexemes[-1].kind == "^":  # J^TJ is J^T J
            self._add("transpose", 1)
            return
        self.spelling.word(units)
        self._end_word(start, units)

    def _end_word(self, start: int, units: list[Unit]) -> None:
        behind, before_index = self.text.at, self.text.match(RAISED_FIRST)
        power: list[Lexeme] = []
        if before_index:  # l^2_1 is l_1^2
            power = _Scanner(Characters(self.text.written, behind, before_index.end())).all("")
            self.text.at = before_index.end()
            self.spelling.word(units)
        if len(units) > LONGEST_WORD:
            raise self.text.written.error(start, "answer-name-too-long", length=len(units), most=LONGEST_WORD)
        self.lexemes += [Lexeme("word", start, behind, tuple(units)), *power]

    def _command(self) -> None:
        """Reads a LaTeX command; commands that only set type are skipped."""
        if self.text.match(latex.WIDE_FIRST):
            wide = self.text.match(latex.WIDE)
            self._add("wide", len(wide[0]) if wide else 1)
        elif space := self.text.match(latex.SPACE):
            self.text.at = space.end()
        elif row := self.text.match(latex.ROW):
            self._add("row", len(row[0]))
        elif environment := self.text.match(latex.ENVIRONMENT):
            self._environment(environment)
        elif sized := self.text.match(latex.SIZED):
            kind = latex.BRACKETS.get(sized[1], sized[1])
            self._add(kind, len(sized[0]))
            self._sized(sized[0], kind)
        elif command := self.text.match(latex.COMMAND):
            start, self.text.at = self.text.at, command.end()
            self._named(command[1], start)
        else:
            sign = self.text.written.text[self.text.at : self.text.at + 2]
            self._add({"\\{": "(", "\\}": ")"}.get(sign, "unknown"), len(sign), sign)

    def _sized(self, command: str, kind: str) -> None:
        """Omits invisible brackets and those that close them: \\left. … \\right\\}."""
        if command.startswith("\\left"):
            self.unset.append(kind == ".")
        is_right = command.startswith("\\right") and bool(self.unset)
        is_unset = is_right and self.unset.pop()
        self.dangling += is_right and not is_unset and kind == "."
        is_alone = is_unset and kind == ")" and not self.dangling
        self.dangling -= is_unset and kind == ")" and not is_alone
        if kind == "." or is_alone:
            self.lexemes.pop()

    def _environment(self, environment: re.Match[str]) -> None:
        self._add(environment[1], len(environment[0]), environment[2])
        if environment[1] == "begin" and environment[2].rstrip("*") in latex.WITH_OPTIONS:
            options = self.text.match(latex.OPTIONS)
            self.text.at = options.end() if options else self.text.at

    def _named(self, name: str, start: int) -> None:
        if name in latex.FUNCTIONS:
            self.lexemes.append(Lexeme("function", start, self.text.at, latex.FUNCTIONS[name]))
        elif name in latex.PIS and (units := [Unit("pi")]) and self.spelling.to_index(units):  # a parameter π_1
            self.spelling.after_command(units)
            self._end_word(start, units)
        elif name in latex.SIGNS:
            self.lexemes.append(Lexeme(latex.SIGNS[name], start, self.text.at, f"\\{name}"))
        elif name in latex.GREEK or name in latex.ACCENTS or name in latex.FONTS:
            units = self.spelling.of_command(name)
            word = "".join(unit.text for unit in units)
            if word in latex.FUNCTIONS:
                self.lexemes.append(Lexeme("function", start, self.text.at, latex.FUNCTIONS[word]))
            elif word.isdecimal() and name in latex.FONTS:
                self.lexemes.append(Lexeme("number", start, self.text.at, Fraction(int(word))))
            elif units:
                self.spelling.after_command(units)
                self._end_word(start, units)
        elif name in latex.LEFT_OUT_WITH_ARGUMENT:
            if BLANK.sub("", self.text.written.text[self.text.at : self.text.at + 20]).startswith("{"):
                self.text.at = self.text.written.text.index("{", self.text.at)
                self.text.at = self.spelling.closing() + 1
        elif name not in latex.LEFT_OUT:
            self.lexemes.append(Lexeme("unknown", start, self.text.at, f"\\{name}"))
            if name == "sum":
                self._read_bounds()
