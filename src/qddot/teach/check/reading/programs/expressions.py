"""Turns what the trees of all languages share into the form of programs: expressions, assignments and blocks."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from lark import Token, Transformer, v_args

from qddot.teach.check.reading.programs import form
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
    "!": "not",
} | {"++": "+", "--": "+", ".+": "+", ".-": "-", "&&": "and", "&": "and", "||": "or", "|": "or", "~": "not"}
GREEK = re.compile(r"\\\[(?:Curly)?(?:Capital)?(\w+)\]")


class Keyword:
    """This is an argument with its name, as m=1, or a key with its value, as {M: a}."""

    def __init__(self, name: form.Expression, value: form.Expression) -> None:
        self.name, self.value, self.span = name, value, name.span


def span_of(meta: Any) -> form.Span:
    """Returns the place of a tree in the text."""
    return form.NOWHERE if meta.empty else (meta.start_pos, meta.end_pos)


def parts_of(children: Iterable[Any]) -> list[Any]:
    """Returns the parts of a tree without its signs and without optional parts that are missing."""
    return [each for each in children if each is not None and not isinstance(each, Token)]


def parameters_of(arguments: Iterable[Any]) -> tuple[form.Parameter, ...]:
    """Returns the parameters of a function from what stands in its brackets."""
    parameters = list[form.Parameter]()
    for each in arguments:
        if isinstance(each, Keyword):
            parameters += [form.Parameter(own.name, each.value) for own in parameters_of([each.name])]
        elif isinstance(each, form.Listed):
            parameters += parameters_of(each.values)
        elif (name := name_in(each)) is not None:
            parameters.append(form.Parameter(name))
    return tuple(parameters)


def parameters_in(header: form.Call) -> tuple[form.Parameter, ...]:
    """Returns the parameters in the header of a function."""
    return parameters_of([*header.arguments, *(Keyword(form.Name(name), value) for name, value in header.by_name)])


def name_in(value: Any) -> str | None:
    """Returns the name of a variable in its declaration, where brackets or stars may stand beside it."""
    while isinstance(value, (form.Index, form.Call)):
        value = value.value if isinstance(value, form.Index) else value.function
    if isinstance(value, form.Binary):
        return name_in(value.right)
    return value.text if isinstance(value, form.Name) else None


def statements_of(children: Iterable[Any]) -> tuple[form.Statement, ...]:
    """Returns the statements of a block; those that only declare a variable are left out."""
    statements = list[form.Statement]()
    for each in parts_of(children):
        if isinstance(each, (list, tuple)):
            statements += statements_of(each)
        elif not isinstance(each, (form.Name, form.Index)):
            statements.append(each if isinstance(each, form.Statement.__args__) else form.Stated(each, each.span))
    return tuple(statements)


def fields_of(value: form.Expression, names: Iterable[form.Expression]) -> list[form.Statement]:
    """Returns the assignments of the fields of a value to variables with their names."""
    own = (each for each in names if isinstance(each, form.Name))
    return [form.Assign((each,), form.Attribute(value, each.text, each.span), "", each.span) for each in own]


def _target(value: form.Expression) -> form.Expression:
    """Returns a target of an assignment, where M(1, 2) is an entry and [a, b] are two targets."""
    if isinstance(value, form.Call):
        return form.Index(value.function, value.arguments, value.span)
    if isinstance(value, form.Listed):
        values = value.values[0].values if value.has_rows and isinstance(value.values[0], form.Listed) else value.values
        return form.Listed(tuple(map(_target, values)), is_tuple=True, span=value.span)
    return value


@v_args(meta=True)
class Expressions(Transformer[Token, Any]):
    """This turns expressions into the form of programs."""

    def __init__(self, text: str, notation: Notation) -> None:
        super().__init__()
        self.text, self.notation = text, notation

    def start(self, meta: Any, children: list[Any]) -> tuple[form.Statement, ...]:
        return statements_of(children)

    block = start

    def unread(self, meta: Any, children: list[Any]) -> form.Unparsed:
        return form.Unparsed(span_of(meta))

    def repeated(self, meta: Any, children: list[Any]) -> form.While:
        condition, *body = parts_of(children)
        return form.While(condition, statements_of(body), (), span_of(meta))

    def _assigned(self, targets: list[form.Expression], value: form.Expression, sign: str, meta: Any) -> form.Statement:
        """Returns an assignment, or an equation where no variable, entry or field stands on the left."""
        targets = [_target(each) for each in targets]
        if all(isinstance(each, (form.Name, form.Index, form.Attribute, form.Listed)) for each in targets):
            sign = self.notation.operators.get(sign[0], sign[0]) if sign[0] in "+-*/" else ""
            return form.Assign(tuple(targets), value, sign, span_of(meta))
        return form.Equation(targets[0], value, span_of(meta))

    def choice(self, meta: Any, children: list[Any]) -> form.Choice:
        condition, value, other = parts_of(children)
        return form.Choice(condition, value, other, span_of(meta))

    def number(self, meta: Any, children: list[Token]) -> form.Number:
        text = children[0].lower().replace("d", "e")
        return form.Number(text, text.isdecimal(), span_of(meta))

    def name(self, meta: Any, children: list[Token]) -> form.Name:
        text = GREEK.sub(lambda match: match[1].lower(), str(children[0])).removesuffix("_rad").removesuffix("_")
        return form.Name(self.notation.functions.get(text, text), span_of(meta))

    def string(self, meta: Any, children: list[Token]) -> form.String:
        return form.String(children[0][1:-1], span_of(meta))

    def group(self, meta: Any, children: list[Any]) -> Any:
        parts = parts_of(children)
        return parts[0] if len(parts) == 1 else form.Listed(tuple(parts), is_tuple=True, span=span_of(meta))

    def unary(self, meta: Any, children: list[Any]) -> form.Unary:
        sign = str(children[0])
        return form.Unary(SIGNS.get(sign, sign), children[1], span_of(meta))

    def binary(self, meta: Any, children: list[Any]) -> form.Binary:
        left, sign, right = children
        sign = self.notation.operators.get(sign) or SIGNS.get(sign, str(sign))
        return form.Binary(sign, left, right, span_of(meta))

    def call(self, meta: Any, children: list[Any]) -> Any:
        function, *parts = parts_of(children)
        by_name = tuple((name_in(each.name) or "", each.value) for each in parts if isinstance(each, Keyword))
        arguments = tuple(each for each in parts if not isinstance(each, Keyword))
        return form.Call(function, arguments, by_name, span_of(meta))

    def index(self, meta: Any, children: list[Any]) -> form.Index:
        value, *indices = parts_of(children)
        return form.Index(value, tuple(indices), span_of(meta))

    def field(self, meta: Any, children: list[Any]) -> form.Expression:
        return form.Attribute(children[0], str(children[-1]), span_of(meta))

    def keyword(self, meta: Any, children: list[Any]) -> Keyword:
        return Keyword(*parts_of(children))
