"""Finds formulas in the texts of answers, and evaluates them at drawn numbers, without the checker or its reader.

A formula is the longest run of numbers, names, operators and brackets between the marks that divide a text: signs of
equality, commas, separators of columns, ends of lines. What the names mean plays no part: each has its own number.
"""

from __future__ import annotations

import math
import random
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

COMMENTS = {
    "# ": ".py .jl .mpl",
    "%": ".m .tex",
    "//": ".c .cpp .js .rs .typ .mo .java",
    "!": ".f90",
}
BLOCKS = {
    r'"""[\s\S]*?"""|\'\'\'[\s\S]*?\'\'\'': ".py .jl",
    r"/\*[\s\S]*?\*/": ".c .cpp .js .rs .mac .mo .java .typ",
    r"\(\*[\s\S]*?\*\)": ".wl .nb .mpl",
    r"~~.*?~~|\\(?:sout|cancel)\{[^\n]*": ".md .tex",
    r"<!--[\s\S]*?-->|<(?P<struck>s|del)>[\s\S]*?</(?P=struck)>|<(?!/?su[bp]>)[A-Za-z/!][^>]*>": ".html .md",
    r"%\{[\s\S]*?%\}": ".m",
}
GREEK = "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau phi chi psi omega"
SPOKEN = frozenset(GREEK.split()) | {"varphi", "vartheta", "ell", "dot", "ddot", "frac", "sqrt"}
FUNCTIONS: dict[str, Any] = {"sin": math.sin, "cos": math.cos, "sqrt": lambda x: abs(x) ** 0.5}
FRACTIONS = ("\\frac", "\\tfrac", "\\dfrac")
SPACES = (
    "\\,",
    "\\;",
    "\\!",
    "\\ ",
    "\\:",
    "\\quad",
    "\\left",
    "\\right",
    "\\bigl",
    "\\bigr",
    "\\big",
    "\\Big",
    "\\bigg",
)
TIMES = ("*", "·", "×", "⋅", "\\cdot", "\\times", "\\,", ".*")
MINUS = ("-", "−", "–", "&minus;")
TOKEN = re.compile(
    r"(?P<number>\d+\.\d+|\d+)"
    r"|(?P<tag></?su[bp]>)"
    r"|(?P<entity>&(?!minus)\w+;|&\#\d+;)"
    r"|(?P<command>\\(?:[A-Za-z]+|[,;!: ]))"
    r"|(?P<name>(?:(?:np|sp|sym|sympy|math|Math|numpy|std)(?:\.|::))?[^\W\d_](?:\w*[^\W_])?(?:\.[^\W\d]\w*)*'*)"
    r"|(?P<operator>\*\*|\.\*|&minus;|[-−–+*·×⋅/^_(){}\[\]])"
    r"|(?P<space>[ \t]+)"
)
ENVIRONMENT = re.compile(r"\\(?:begin|end)\{\w+\*?\}")
CLOSING = {"(": ")", "[": "]", "{": "}"}


class Token(NamedTuple):
    """This is a token of a text, with its place."""

    kind: str
    text: str
    start: int

    @property
    def end(self) -> int:
        return self.start + len(self.text)

    @property
    def function(self) -> str:
        """Returns the name of the function that it is, or nothing."""
        word = re.split(r"\\|\.|::", self.text)[-1].lower()
        return word if self.kind in ("name", "command") and word in FUNCTIONS else ""


class Formula(NamedTuple):
    """This is a formula of a text: its tokens, without spaces."""

    tokens: tuple[Token, ...]

    @property
    def start(self) -> int:
        return self.tokens[0].start

    @property
    def end(self) -> int:
        return self.tokens[-1].end


class NotArithmeticError(Exception):
    """A run of tokens is not arithmetic."""


def formulas(text: str, suffix: str) -> list[Formula]:
    """Returns the formulas of a text that can be evaluated, in their order."""
    found = []
    for run in _runs(_without_comments(text, suffix)):
        for piece in _pieces(run):
            try:
                evaluate(piece)
            except (NotArithmeticError, OverflowError, ZeroDivisionError):
                continue
            found.append(Formula(tuple(piece)))
    return found


def value_of(text: str) -> complex | None:
    """Returns the value of a formula at the drawn numbers, or None if it is not arithmetic."""
    try:
        return evaluate([token for run in _runs(text) for token in run])
    except (NotArithmeticError, OverflowError, ZeroDivisionError):
        return None


def _without_comments(text: str, suffix: str) -> str:
    """Returns a text of the same length with a mark for each character of its comments."""
    blocks = [block for block, suffixes in BLOCKS.items() if suffix in suffixes.split()]
    lines = [re.escape(mark) + ".*" for mark, suffixes in COMMENTS.items() if suffix in suffixes.split()]
    pattern = "|".join((*blocks, *lines))
    return re.sub(pattern, lambda comment: re.sub(r"[^\n]", "\0", comment[0]), text) if pattern else text


def _runs(text: str) -> Iterator[list[Token]]:
    """Yields the runs of tokens between marks that are none."""
    run: list[Token] = []
    place = 0
    while place < len(text):
        mark = ENVIRONMENT.match(text, place)
        match = None if mark else TOKEN.match(text, place)
        if match is None or match.lastgroup is None:
            yield run
            run, place = [], mark.end() if mark else place + 1
            continue
        if match.lastgroup != "space" and match[0] not in SPACES:
            run.append(Token(match.lastgroup, match[0], place))
        place = match.end()
    yield run


def _pieces(run: list[Token]) -> Iterator[list[Token]]:
    """Yields the parts of a run outside of brackets that do not close in it, and of square ones."""
    opened: list[int] = []
    loose = set()
    for place, token in enumerate(run):
        if token.text in CLOSING:
            opened.append(place)
        elif token.text in CLOSING.values():
            if opened and CLOSING[run[opened[-1]].text] == token.text:
                opened.pop()
            else:
                loose.add(place)
    loose |= set(opened)
    piece: list[Token] = []
    for place, token in enumerate(run):
        if place in loose:
            if piece:
                yield piece
            piece = []
        else:
            piece.append(token)
    if piece:
        yield piece


def evaluate(tokens: list[Token]) -> complex:
    """Returns the value of a run of tokens, each name with its own number."""
    evaluation = _Evaluation(tokens)
    total = evaluation.sum()
    if evaluation.rest:
        raise NotArithmeticError
    return total


def _drawn(name: str) -> float:
    return random.Random(name).uniform(0.3, 1.7)


class _Evaluation:
    """This evaluates tokens from left to right: sums of products of powers; a product needs no sign."""

    def __init__(self, tokens: list[Token]) -> None:
        self.rest = list(reversed(tokens))

    def sum(self) -> complex:
        total = self._signed_product()
        while self._next in ("+", *MINUS):
            total += self._signed_product()
        return total

    @property
    def _next(self) -> str:
        return self.rest[-1].text if self.rest else ""

    def _take(self, *expected: str) -> Token:
        if not self.rest or (expected and self._next not in expected):
            raise NotArithmeticError
        return self.rest.pop()

    def _signed_product(self) -> complex:
        sign = 1
        while self._next in ("+", *MINUS):
            sign *= -1 if self._take().text in MINUS else 1
        return sign * self._product()

    def _product(self) -> complex:
        product = self._power()
        while self.rest and self._next not in ("+", *MINUS, *CLOSING.values(), "</sub>", "</sup>"):
            if self._next == "/":
                self._take()
                product /= self._signed_power()
            else:
                if self._next in TIMES:
                    self._take()
                product *= self._signed_power()
        return product

    def _signed_power(self) -> complex:
        if self._next in MINUS:
            self._take()
            return -self._signed_power()
        return self._power()

    def _power(self) -> complex:
        base = self._atom()
        while self._next in ("^", "**", "<sup>"):
            base = _power_of(base, self._exponent())
        return base

    def _exponent(self) -> complex:
        if self._take("^", "**", "<sup>").text == "<sup>":
            exponent = self.sum()
            self._take("</sup>")
            return exponent
        if self._next in MINUS:
            self._take()
            return -self._atom()
        return self._atom()

    def _atom(self) -> complex:
        token = self._take()
        if token.kind == "number":
            return float(token.text)
        if token.text in CLOSING:
            inside = self.sum()
            self._take(CLOSING[token.text])
            return inside
        if token.text in FRACTIONS:
            return self._fraction_part() / self._fraction_part()
        if token.function:
            return self._call(token.function)
        if token.text in ("\\dot", "\\ddot"):
            return self._atom() * _drawn(token.text)
        if token.kind in ("name", "command", "entity"):
            return _drawn(self._named(token))
        raise NotArithmeticError

    def _fraction_part(self) -> complex:
        if self.rest and self.rest[-1].kind == "number" and len(self._next) > 1:  # \frac12
            whole = self.rest.pop()
            self.rest.append(Token("number", whole.text[1:], whole.start + 1))
            return float(whole.text[0])
        return self._atom()

    def _named(self, name: Token) -> str:
        """Returns a name with its index, which stands behind a sign _ or in brackets."""
        whole = name.text
        while self._next in ("_", "<sub>"):
            closing = {"_": "", "<sub>": "</sub>"}[self._take().text]
            if closing or self._next == "{":
                closing = closing or CLOSING[self._take().text]
                while self._next != closing:
                    whole += self._take().text
                self._take()
            else:
                whole += self._take().text
        is_index = len(self.rest) > 2 and self.rest[-2].kind == "number"
        if is_index and self._next in ("(", "[") and self.rest[-3].text == CLOSING[self._next]:
            whole += "".join(self._take().text for _ in range(3))
        return whole

    def _call(self, function: str) -> complex:
        """Returns the value of a function; without brackets its argument is the product that follows it."""
        exponent = self._exponent() if self._next in ("^", "<sup>") else 1
        if self._next in CLOSING:
            return _power_of(_applied(function, self._atom()), exponent)
        argument = self._power()
        while (
            self.rest and self.rest[-1].kind in ("number", "name", "command", "entity") and not self.rest[-1].function
        ):
            if self._next in TIMES or self._next in FRACTIONS:
                break
            argument *= self._power()
        return _power_of(_applied(function, argument), exponent)


def _applied(function: str, argument: complex) -> complex:
    return complex(FUNCTIONS[function](argument.real if isinstance(argument, complex) else argument))


def _power_of(base: complex, exponent: complex) -> complex:
    if abs(exponent) > 20:
        raise NotArithmeticError
    return complex(base) ** exponent
