"""Parses programs with the grammars of their languages, statement by statement where one cannot be read."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from lark import Lark, Token, Tree, UnexpectedToken
from lark.lexer import Lexer

from qddot.teach.check.reading.programs.braces import Braces
from qddot.teach.check.reading.programs.form import Program
from qddot.teach.check.reading.programs.keywords import Keywords
from qddot.teach.check.reading.programs.languages import Notation
from qddot.teach.check.reading.programs.layout import laid_out
from qddot.teach.check.reading.programs.untyped import untyped

BRACES = "braces.lark"
MOST_UNREAD = 40  # statements of a program that cannot be read


class _Tokens(Lexer):
    """This passes tokens to a parser, in place of a text."""

    def __init__(self, lexer_conf: Any) -> None:
        pass

    def lex(self, data: Any) -> Iterator[Token]:  # type: ignore[override]
        return iter(data)


@cache
def _parser(grammar: str) -> Lark:
    return Lark.open(grammar, rel_to=__file__, parser="lalr", lexer=_Tokens, propagate_positions=True)


def parsed(tokens: list[Token], grammar: str) -> Tree[Token]:
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
        at = tokens[-1].end_pos if tokens else 0
        return [*tokens, Token("END", "", at, end_pos=at), Token("SEP", "", at, end_pos=at)]
    at = next(k for k, token in enumerate(tokens) if token is fault)
    first = next((k + 1 for k in range(at - 1, -1, -1) if tokens[k].type == "SEP"), 0)
    last = next((k for k in range(at, len(tokens)) if tokens[k].type == "SEP"), len(tokens))
    if first == last:
        return [*tokens[:first], *tokens[last + 1 :]]
    unread = Token("UNREAD", "", tokens[first].start_pos, end_pos=tokens[last - 1].end_pos)
    return [*tokens[:first], unread, *tokens[last:]]


def program_of(text: str, notation: Notation) -> Program:
    """Returns a program in the form that all languages share."""
    if notation.grammar == BRACES:
        tokens, types = untyped(text, notation)
        program = Braces(text, notation, types).transform(parsed(tokens, BRACES))
    else:
        program = Keywords(text, notation).transform(parsed(laid_out(text, notation), notation.grammar))
    assert isinstance(program, Program)
    return program
