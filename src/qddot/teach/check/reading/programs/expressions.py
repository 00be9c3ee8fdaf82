"""Turns the trees of expressions, which the grammars of all languages share, into the form of programs."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from lark import Token, Transformer, v_args

from qddot.teach.check.reading.programs.form import (
    NOWHERE,
    Attribute,
    Binary,
    Call,
    Expression,
    Index,
    Listed,
    Name,
    Number,
    Parameter,
    Program,
    Slice,
    Span,
    Statement,
    String,
    Unary,
    Unparsed,
)
from qddot.teach.check.reading.programs.languages import Notation

SIGNS = {
    "^": "**",
    "~=": "!=",
    "≤": "<=",
    "≥": ">=",
    "<>": "!=",
    "×": "*",
    "·": "*",
    "⋅": "*",
    "÷": "//",
    "++": "+",
    "--": "+",
    ".+": "+",
    ".-": "-",
    "&&": "and",
    "&": "and",
    "||": "or",
    "|": "or",
    "~": "not",
    "!": "not",
}


GREEK = re.compile(r"\\\[(?:Curly)?(?:Capital)?(\w+)\]")


class Keyword:
    """This is an argument with its name, as m=1."""

    def __init__(self, name: Expression, value: Expression, span: Span = NOWHERE) -> None:
        self.name, self.value, self.span = name, value, span


def span_of(meta: Any) -> Span:
    """Returns the place of a tree in the text."""
    return NOWHERE if meta.empty else (meta.start_pos, meta.end_pos)


def parts_of(children: Iterable[Any]) -> list[Any]:
    """Returns the parts of a tree without its signs and without optional parts that are missing."""
    return [each for each in children if each is not None and not isinstance(each, Token)]


def parameters_of(arguments: Iterable[Any]) -> tuple[Parameter, ...]:
    """Returns the parameters of a function from what stands in its brackets."""
    parameters = list[Parameter]()
    for each in arguments:
        if isinstance(each, Keyword):
            parameters += [Parameter(own.name, each.value) for own in parameters_of([each.name])]
        elif isinstance(each, Listed):
            parameters += parameters_of(each.values)
        elif (name := name_in(each)) is not None:
            parameters.append(Parameter(name))
    return tuple(parameters)


def name_in(value: Any) -> str | None:
    """Returns the name of a variable in its declaration, where brackets or stars may stand beside it."""
    while isinstance(value, (Index, Call)):
        value = value.value if isinstance(value, Index) else value.function
    if isinstance(value, Binary):
        return name_in(value.right)
    return value.text if isinstance(value, Name) else None


@v_args(meta=True)
class Expressions(Transformer[Token, Any]):
    """This turns expressions into the form of programs."""

    def __init__(self, text: str, notation: Notation) -> None:
        super().__init__()
        self.text, self.notation = text, notation

    def _statements(self, children: Iterable[Any]) -> tuple[Statement, ...]:
        """Returns the statements of a block."""
        raise NotImplementedError

    def start(self, meta: Any, children: list[Any]) -> Program:
        return Program(self.notation.language, self._statements(children))

    def block(self, meta: Any, children: list[Any]) -> tuple[Statement, ...]:
        return self._statements(children)

    def number(self, meta: Any, children: list[Token]) -> Number:
        text = children[0].lower().replace("d", "e")
        return Number(text, text.isdecimal(), span_of(meta))

    def name(self, meta: Any, children: list[Token]) -> Name:
        text = GREEK.sub(lambda match: match[1].lower(), str(children[0]))
        text = re.sub(r"_(?:rad)?$", "", text)
        return Name(self.notation.functions.get(text, text), span_of(meta))

    def string(self, meta: Any, children: list[Token]) -> String:
        return String(children[0][1:-1], span_of(meta))

    def group(self, meta: Any, children: list[Any]) -> Any:
        parts = parts_of(children)
        return parts[0] if len(parts) == 1 else Listed(tuple(parts), is_tuple=True, span=span_of(meta))

    def unary(self, meta: Any, children: list[Any]) -> Unary:
        sign = str(children[0])
        return Unary(SIGNS.get(sign, sign), children[1], span_of(meta))

    def binary(self, meta: Any, children: list[Any]) -> Binary:
        left, sign, right = children
        sign = self.notation.operators.get(sign) or SIGNS.get(sign, str(sign))
        return Binary(sign, left, right, span_of(meta))

    def call(self, meta: Any, children: list[Any]) -> Expression:
        function, *parts = parts_of(children)
        by_name = tuple((name_in(each.name) or "", each.value) for each in parts if isinstance(each, Keyword))
        arguments = tuple(each for each in parts if not isinstance(each, Keyword))
        return Call(function, arguments, by_name, span_of(meta))

    def index(self, meta: Any, children: list[Any]) -> Expression:
        value, *indices = parts_of(children)
        return Index(value, tuple(indices), span_of(meta))

    def field(self, meta: Any, children: list[Any]) -> Expression:
        return Attribute(children[0], str(children[-1]), span_of(meta))

    def all_(self, meta: Any, children: list[Any]) -> Slice:
        return Slice(None, None, None, span_of(meta))

    def range_(self, meta: Any, children: list[Any]) -> Slice:
        first, *middle, last = parts_of(children)
        return Slice(first, last, middle[0] if middle else None, span_of(meta))

    def keyword(self, meta: Any, children: list[Any]) -> Keyword:
        name, value = parts_of(children)
        return Keyword(name, value)

    def unread(self, meta: Any, children: list[Any]) -> Unparsed:
        start, end = span_of(meta)
        return Unparsed(self.text[start:end], f"this is not {self.notation.language.name}", (start, end))
