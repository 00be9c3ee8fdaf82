"""Reads programs in other languages than Python as equations, by a grammar of languages with braces or with words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from lark import Lark, Token, Tree, UnexpectedToken
from lark.lexer import Lexer

from qddot.teach.check.reading.programs.braces import Braces
from qddot.teach.check.reading.programs.interpreter import Interpreter
from qddot.teach.check.reading.programs.keywords import Keywords
from qddot.teach.check.reading.programs.languages import NOTATIONS
from qddot.teach.check.reading.programs.layout import laid_out
from qddot.teach.check.reading.programs.lowered import lowered
from qddot.teach.check.reading.programs.tokens import mark
from qddot.teach.check.reading.programs.untyped import untyped
from qddot.teach.check.reading.texts.rewriting import Rewriting
from qddot.teach.check.reading.texts.written import Written

TYPES = re.compile(r"\b(?:double|float|int|long|f64|f32|auto)\b")
OF_SCRIPTS = re.compile(r"\b(?:function|const|let|var)\b|=>")
# what a session of Julia prints besides values
DISPLAY = re.compile(r"^(?:julia>[ \t]*\w*[ \t]*$|\d+-element[^\n]*:[ \t]*$)", re.MULTILINE)
MOST_UNREAD = 40  # statements of a program that cannot be read


def of_language(language: str, written: Written) -> Written:
    """Returns the equations of a program; its indices count from 0."""
    notation = NOTATIONS[language]
    if language == "julia" and DISPLAY.search(written.text):
        written = Rewriting(written).blank(DISPLAY).sub("~", "=").done()
        return Rewriting(written).sub(r"Differential\(t\)(?=\()", "der").sub(r"(?<=\w)\(t\)", "").done()
    if language == "c" and OF_SCRIPTS.search(written.text) and not TYPES.search(written.text):  # 1/2 is 0.5
        notation = notation._replace(operators={"^": "xor"})
    text = written.text
    if notation.has_braces:
        tokens, types = untyped(text, notation)
        program = Braces(text, notation, types).transform(_parsed(tokens, "braces.lark"))
    else:
        program = Keywords(text, notation).transform(_parsed(laid_out(text, notation), "keywords.lark"))
    return Interpreter(written).run(lowered(program, notation, text))


class _Tokens(Lexer):
    """This passes tokens to a parser, in place of a text."""

    def __init__(self, lexer_conf: Any) -> None:
        pass

    def lex(self, data: Any) -> Iterator[Token]:  # type: ignore[override]
        return iter(data)


@cache
def _parser(grammar: str) -> Lark:
    return Lark.open(grammar, rel_to=__file__, parser="lalr", lexer=_Tokens, propagate_positions=True)


def _parsed(tokens: list[Token], grammar: str) -> Tree[Token]:
    """Returns the tree of a program; UNREAD takes the place of statements that the grammar does not know.

    tokens: with SEP at the end of each statement
    """
    parser = _parser(grammar)
    for _ in range(MOST_UNREAD):
        try:
            return parser.parse(tokens)
        except UnexpectedToken as fault:
            tokens = _without(tokens, fault.token)
    return parser.parse([])


def _without(tokens: list[Token], fault: Token) -> list[Token]:
    """Returns tokens with UNREAD in place of the statement that a token is in; END is added at the end of the text."""
    if fault.type == "$END":
        at = (tokens[-1].end_pos or 0) if tokens else 0
        return [*tokens, mark("END", at), mark("SEP", at)]
    at = next(k for k, token in enumerate(tokens) if token is fault)
    first = next((k + 1 for k in range(at - 1, -1, -1) if tokens[k].type == "SEP"), 0)
    last = next((k for k in range(at, len(tokens)) if tokens[k].type == "SEP"), len(tokens))
    if first == last:
        return [*tokens[:first], *tokens[last + 1 :]]
    unread = Token("UNREAD", "", tokens[first].start_pos, end_pos=tokens[last - 1].end_pos)
    return [*tokens[:first], unread, *tokens[last:]]
