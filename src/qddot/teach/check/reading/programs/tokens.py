"""Splits programs of all languages into tokens: names, numbers, signs, and the ends of rows and of statements."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lark import Token

from qddot.teach.check.reading.programs.languages import Notation

NAME = r"(?:\\\[[A-Z]\w*\]|[^\W\d][\w\u0300-\u036f]*)(?:!(?=\())?"
NUMBER = r"(?:\d+(?:\.(?![*/^'\\.])\d*)?|\.\d+)(?:[eEdD][-+]?\d+)?"
SIGN = r"\.[-+*/^]?=|<\||\|>|\*\*=?|\+\+|--|[-+*/:~=!<>]=|\.[*/^\\'+-]|&&|\|\||->|=>|::|<<|>>|//|[^\w\s]"
KINDS = {
    sign: kind
    for kind, signs in (
        ("SUM", "+ - ++ -- .+ .- ±"),
        ("PRODUCT", "* / \\ .* ./ .\\ // × · ⋅ ÷ %"),
        ("POWER", "^ .^ **"),
        ("COMPARED", "== <= >= != ~= < > ≤ ≥"),
        ("LOGICAL", "&& || & |"),
        ("AUGMENTED", "+= -= *= /= .+= .-= .*= ./="),
        ("EQUAL", "= := .="),
        ("QUOTE", "' .'"),
        ("NOT", "~ !"),
        ("ARROW", "-> =>"),
        ("LSQB", "[ {"),
        ("RSQB", "] }"),
        *(("LPAR", "("), ("RPAR", ")"), ("COMMA", ","), ("SEMI", ";"), ("COLON", ":"), ("DOT", "."), ("AT", "@")),
        *(("QUESTION", "?"), ("STREAM", "<<")),
    )
    for sign in signs.split()
}
OPENING, CLOSING = frozenset(("LPAR", "LSQB")), frozenset(("RPAR", "RSQB"))
ENDS = frozenset(("NAME", "NUMBER", "STRING", "QUOTE", "END", *CLOSING))  # tokens with which an operand may end
STARTS = frozenset(("NAME", "NUMBER", "STRING", "AT", "NOT", *OPENING))  # tokens with which one may begin
OTHER = "OTHER"  # a sign without meaning in formulas


def made(kind: str, at: Token, value: str | None = None) -> Token:
    """Returns a token of another kind at the place of one."""
    return Token(kind, at.value if value is None else value, at.start_pos, end_pos=at.end_pos)


def mark(kind: str, at: int, value: str = "") -> Token:
    """Returns a token that stands for nothing in the text, at a place."""
    return Token(kind, value, at, end_pos=at)


def tokens(text: str, notation: Notation) -> Iterator[Token]:
    """Yields the tokens of a program with their places; blanks and comments are left out, LINE is the end of a line."""
    quoted = "|".join(rf"{mark}[^{mark}\n]*{mark}" for mark in notation.quotes)
    sign = SIGN.replace("<<|>>|", "") if notation.angled else SIGN
    pattern = re.compile(
        rf"(?P<blank>{notation.comments}|{notation.prompts}|[^\S\n]+)|(?P<SHOWN>{notation.shown})|(?P<LINE>\n)|"
        rf"(?P<STRING>{quoted})|(?P<number>{NUMBER})(?:{notation.suffixes})?|"
        rf"(?P<NAME>{NAME})|(?P<sign>{sign})",
        re.MULTILINE,
    )
    at, last = 0, Token("LINE", "", 0)
    while at < len(text):
        match = pattern.match(text, at)
        if match is None:  # a combining mark by itself
            at += 1
            continue
        kind, value = match.lastgroup or "LINE", match[0]
        if kind == "STRING" and value[0] == "'" and notation.transposes and last.type in ENDS and last.end_pos == at:
            kind, value = "sign", "'"
        start, at = at, at + len(value)
        if kind == "blank":
            continue
        if kind == "sign":
            kind = notation.signs.get(value) or KINDS.get(value, OTHER)
        elif kind == "number":
            kind, value = "NUMBER", match["number"]
        elif kind == "NAME":
            word = value if notation.cased else value.lower()
            kind = notation.words.get(word, kind) if last.type != "DOT" else kind
        if kind == "BLANK":
            continue
        last = Token(kind, value, start, end_pos=at)
        yield last
