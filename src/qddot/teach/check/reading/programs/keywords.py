"""Turns the trees of languages with key words, such as MATLAB and Julia, into the form of programs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from lark import Token, v_args

from qddot.teach.check.reading.programs.expressions import Expressions, Keyword, parameters_of, parts_of, span_of
from qddot.teach.check.reading.programs.form import (
    Assign,
    Attribute,
    Binary,
    Call,
    Choice,
    Comprehension,
    Each,
    Equation,
    Expression,
    For,
    Function,
    If,
    Index,
    Lambda,
    Listed,
    Name,
    Return,
    Slice,
    Stated,
    Statement,
    Unary,
    While,
)

UNUSED = "_"  # the name of a value that is not used, [~, G] = …
LAST = "end"  # the name of the last index


@v_args(meta=True)
class Keywords(Expressions):
    """This turns programs into their form."""

    def _statements(self, children: Iterable[Any]) -> tuple[Statement, ...]:
        return _statements(children)

    def value(self, meta: Any, children: list[Any]) -> Stated:
        return Stated(children[0], span_of(meta))

    def tuple_(self, meta: Any, children: list[Any]) -> Listed:
        return Listed(tuple(parts_of(children)), is_tuple=True, span=span_of(meta))

    def equation(self, meta: Any, children: list[Any]) -> Any:
        *targets, value = parts_of(children)
        sign = next(str(each) for each in children if isinstance(each, Token))
        if sign == "~":
            return Equation(targets[0], value, span_of(meta))
        if isinstance(value, Listed) and any(isinstance(each, Keyword) for each in value.values):
            return [_equation(each, span_of(meta)) for each in value.values]
        if isinstance(targets[0], Listed) and self.text.startswith("(;", targets[0].span[0]):  # (; a, b) = p
            return fields_of(value, targets[0].values)
        if isinstance(value, Function):
            name = targets[0].text if isinstance(targets[0], Name) else ""
            return replace(value, name=name, span=span_of(meta))
        signs = [str(each) for each in children if isinstance(each, Token)]
        if self.notation.states and signs[-1] == "=":  # eq := a = b
            return Equation(_declared(targets[-1]), value, span_of(meta))
        if not self.notation.rounds and sign != "~" and isinstance(targets[0], Call):
            return _function(targets[0], (Return(value, value.span),), span_of(meta))
        return assigned(targets, value, sign, span_of(meta))

    def return_(self, meta: Any, children: list[Any]) -> Return:
        parts = [each for each in parts_of(children) if not isinstance(each, Name) or each.text != "nothing"]
        return Return(parts[0] if parts else None, span_of(meta))

    def scope(self, meta: Any, children: list[Any]) -> Any:
        return parts_of(children)[-1]

    def function(self, meta: Any, children: list[Any]) -> Statement:
        *results, header, body = parts_of(children)
        return _function(header, self._returning(header, results, body), span_of(meta))

    def function_of_result(self, meta: Any, children: list[Any]) -> Statement:
        header, result, body = parts_of(children)
        return _function(header, self._returning(header, [result], body), span_of(meta))

    def proc(self, meta: Any, children: list[Any]) -> Function:
        *parameters, body = parts_of(children)
        return Function("", parameters_of(parameters), _with_return(body), (), span_of(meta))

    def _returning(self, header: Expression, results: list[Any], body: tuple[Statement, ...]) -> tuple[Statement, ...]:
        """Returns the body of a function with the return of its results at its end."""
        names = tuple(Name(each.name, results[0].span) for each in parameters_of(results))
        if not names and self.notation.language.last_is_returned:
            return _with_return(body)
        if not names and isinstance(header, Call) and self.text.startswith("function", header.span[0] - 9):
            names = (header.function,) if isinstance(header.function, Name) else ()
        value = names[0] if len(names) == 1 else Listed(names, is_tuple=True)
        return (*body, Return(value, value.span)) if names else body

    def loop(self, meta: Any, children: list[Any]) -> Statement:
        *header, body = parts_of(children)
        if len(header) == 2 and self.notation.rounds and isinstance(header[1], Listed) and header[1].is_tuple:
            header[1] = Slice(header[1].values[0], header[1].values[1], None, header[1].span)  # do i = 1, n
        if len(header) == 1 and isinstance(header[0], Keyword):
            header = [header[0].name, header[0].value]
        return For(header[0], header[-1], body, span_of(meta))

    def repeated(self, meta: Any, children: list[Any]) -> While:
        condition, body = parts_of(children)
        return While(condition, body, (), span_of(meta))

    def condition(self, meta: Any, children: list[Any]) -> Statement:
        parts = parts_of(children)
        other = parts.pop() if len(parts) % 2 else ()
        while len(parts) > 2:
            body, condition = parts.pop(), parts.pop()
            other = (If(condition, body, other, condition.span),)
        return If(parts[0], parts[1], other, span_of(meta))

    def choice(self, meta: Any, children: list[Any]) -> Choice:
        condition, value, other = parts_of(children)
        return Choice(condition, value, other, span_of(meta))

    def comprehension(self, meta: Any, children: list[Any]) -> Comprehension:
        value, *parts = parts_of(children)
        pairs = zip(parts[::2], parts[1::2], strict=True)
        return Comprehension(value, tuple(Each(target, values) for target, values in pairs), None, span_of(meta))

    def last(self, meta: Any, children: list[Any]) -> Name:
        return Name(LAST, span_of(meta))

    def unused(self, meta: Any, children: list[Any]) -> Name:
        return Name(UNUSED, span_of(meta))

    def handle(self, meta: Any, children: list[Token]) -> Name:
        return Name(str(children[-1]), span_of(meta))

    def transposed(self, meta: Any, children: list[Any]) -> Unary:
        return Unary("T", children[0], span_of(meta))

    def lambda_(self, meta: Any, children: list[Any]) -> Expression:
        *parameters, value = parts_of(children)
        if self.notation.blank_multiplies:  # a -> b
            return Binary("->", parameters[0], value, span_of(meta))
        return Lambda(parameters_of(parameters), value, span_of(meta))

    def keyword(self, meta: Any, children: list[Any]) -> Keyword:
        name, value = parts_of(children)
        return Keyword(name, value, span_of(meta))

    def row(self, meta: Any, children: list[Any]) -> tuple[bool, Listed]:
        are_parted = all(str(each) == "," for each in children if isinstance(each, Token))
        return are_parted, Listed(tuple(parts_of(children)), span=span_of(meta))

    def matrix(self, meta: Any, children: list[Any]) -> Expression:
        rows = parts_of(children)
        if len(rows) == 1 and isinstance(rows[0][1].values[0], Comprehension):
            return rows[0][1].values[0]
        if len(rows) == 1 and rows[0][0] and self.notation.language.name != "matlab":
            return Listed(rows[0][1].values, span=span_of(meta))
        return Listed(tuple(row for _, row in rows), has_rows=True, span=span_of(meta))


def _statements(children: Iterable[Any]) -> tuple[Statement, ...]:
    """Returns the statements of a block, of which some stand for several."""
    statements = list[Statement]()
    for each in parts_of(children):
        statements += each if isinstance(each, (list, tuple)) else [each]
    return tuple(statements)


def _with_return(body: tuple[Statement, ...]) -> tuple[Statement, ...]:
    """Returns a body whose last expression is returned."""
    if body and isinstance(body[-1], Stated):
        return (*body[:-1], Return(body[-1].value, body[-1].span))
    return body


def _declared(value: Expression) -> Expression:
    """Returns x for x(start = 0)."""
    return value.function if isinstance(value, Call) and value.by_name and not value.arguments else value


def fields_of(value: Expression, names: Iterable[Expression]) -> list[Statement]:
    """Returns the assignments of the fields of a value to variables with their names."""
    own = (each for each in names if isinstance(each, Name))
    return [Assign((each,), Attribute(value, each.text, each.span), "", each.span) for each in own]


def assigned(targets: list[Expression], value: Expression, sign: str, span: tuple[int, int]) -> Statement:
    """Returns an assignment, or an equation where no variable, entry or field stands on the left."""
    targets = [_target(each) for each in targets]
    if all(isinstance(each, (Name, Index, Attribute, Listed)) for each in targets):
        return Assign(tuple(targets), value, sign[0] if sign[0] in "+-*/" else "", span)
    return Equation(targets[0], value, span)


def _target(value: Expression) -> Expression:
    """Returns a target of an assignment, where M(1, 2) is an entry and [a, b] are two targets."""
    if isinstance(value, Call):
        return Index(value.function, value.arguments, value.span)
    if isinstance(value, Listed):
        values = value.values[0].values if value.has_rows and isinstance(value.values[0], Listed) else value.values
        return Listed(tuple(map(_target, values)), is_tuple=True, span=value.span)
    return value


def _function(header: Expression, body: tuple[Statement, ...], span: Any) -> Function:
    """Returns a function with the name and the parameters in its header."""
    arguments: tuple[Any, ...] = ()
    while isinstance(header, (Call, Binary)):  # f(x)::Float64 where T
        if isinstance(header, Call):
            arguments = (*header.arguments, *(Keyword(Name(name), value) for name, value in header.by_name))
            header = header.function
        else:
            header = header.left
    name = header.text if isinstance(header, Name) else header.name if isinstance(header, Attribute) else ""
    return Function(name, parameters_of(arguments), body, (), span)


def _equation(value: Any, span: Any) -> Statement:
    """Returns an equation in a list of equations."""
    return Equation(value.name, value.value, value.name.span) if isinstance(value, Keyword) else Stated(value, span)
