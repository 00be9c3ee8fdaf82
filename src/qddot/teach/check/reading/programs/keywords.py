"""Turns the trees of languages with key words, such as MATLAB and Julia, into the form of programs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from lark import Token, v_args

from qddot.teach.check.reading.programs import form
from qddot.teach.check.reading.programs.expressions import (
    Expressions,
    Keyword,
    fields_of,
    parameters_in,
    parameters_of,
    parts_of,
    span_of,
)

UNUSED = "_"  # the name of a value that is not used, [~, G] = …
LAST = "end"  # the name of the last index


@v_args(meta=True)
class Keywords(Expressions):
    """This turns programs into their form."""

    def value(self, meta: Any, children: list[Any]) -> form.Stated:
        return form.Stated(children[0], span_of(meta))

    def tuple_(self, meta: Any, children: list[Any]) -> form.Listed:
        return form.Listed(tuple(parts_of(children)), is_tuple=True, span=span_of(meta))

    def equation(self, meta: Any, children: list[Any]) -> Any:
        *targets, value = parts_of(children)
        first, span = targets[0], span_of(meta)
        signs = [str(each) for each in children if isinstance(each, Token)]
        if signs[0] == "~":
            return form.Equation(first, value, span)
        stated: list[Any] = [each for each in getattr(value, "values", ()) if isinstance(each, Keyword)]
        if stated:
            return [form.Equation(each.name, each.value, each.span) for each in stated]
        if isinstance(first, form.Listed) and self.text.startswith("(;", first.span[0]):  # (; a, b) = p
            return fields_of(value, first.values)
        if isinstance(value, form.Function):
            return replace(value, name=first.text if isinstance(first, form.Name) else "", span=span)
        if self.notation.states and signs[-1] == "=":  # eq := a = b
            return form.Equation(_declared(targets[-1]), value, span)
        if isinstance(first, form.Call) and not self.notation.rounds:
            return _function(first, (form.Return(value, value.span),), span)
        return self._assigned(targets, value, signs[0], meta)

    def return_(self, meta: Any, children: list[Any]) -> form.Return:
        parts = [each for each in parts_of(children) if not form.is_name(each, "nothing")]
        return form.Return(parts[0] if parts else None, span_of(meta))

    def scope(self, meta: Any, children: list[Any]) -> Any:
        return parts_of(children)[-1]

    def function(self, meta: Any, children: list[Any]) -> form.Function:
        *results, header, body = parts_of(children)
        return _function(header, self._returning(header, results, body), span_of(meta))

    def function_of_result(self, meta: Any, children: list[Any]) -> form.Function:
        header, result, body = parts_of(children)
        return _function(header, self._returning(header, [result], body), span_of(meta))

    def proc(self, meta: Any, children: list[Any]) -> form.Function:
        *parameters, body = parts_of(children)
        return form.Function("", parameters_of(parameters), _with_return(body), span_of(meta))

    def _returning(self, header: Any, results: list[Any], body: tuple[form.Statement, ...]) -> tuple[Any, ...]:
        """Returns the body of a function with the return of its results at its end."""
        names = tuple(form.Name(each.name, results[0].span) for each in parameters_of(results))
        if not names and self.notation.last_is_returned:
            return _with_return(body)
        if not names and isinstance(header, form.Call) and self.text.startswith("function", header.span[0] - 9):
            names = (header.function,) if isinstance(header.function, form.Name) else ()
        value = names[0] if len(names) == 1 else form.Listed(names, is_tuple=True)
        return (*body, form.Return(value, value.span)) if names else body

    def loop(self, meta: Any, children: list[Any]) -> form.For:
        *header, body = parts_of(children)
        if len(header) == 1 and isinstance(header[0], Keyword):
            header = [header[0].name, header[0].value]
        target, values = header[0], header[-1]
        if self.notation.rounds and isinstance(values, form.Listed) and values.is_tuple:  # do i = 1, n
            values = form.Slice(values.values[0], values.values[1], None, values.span)
        return form.For(target, values, body, span_of(meta))

    def condition(self, meta: Any, children: list[Any]) -> form.Statement:
        parts = parts_of(children)
        other = parts.pop() if len(parts) % 2 else ()
        while len(parts) > 2:
            body, condition = parts.pop(), parts.pop()
            other = (form.If(condition, body, other, condition.span),)
        return form.If(parts[0], parts[1], other, span_of(meta))

    def all_(self, meta: Any, children: list[Any]) -> form.Slice:
        return form.Slice(None, None, None, span_of(meta))

    def range_(self, meta: Any, children: list[Any]) -> form.Slice:
        first, *middle, last = parts_of(children)
        return form.Slice(first, last, middle[0] if middle else None, span_of(meta))

    def comprehension(self, meta: Any, children: list[Any]) -> form.Comprehension:
        value, *parts = parts_of(children)
        each = tuple(map(form.Each, parts[::2], parts[1::2]))
        return form.Comprehension(value, each, None, span_of(meta))

    def last(self, meta: Any, children: list[Any]) -> form.Name:
        return form.Name(LAST, span_of(meta))

    def unused(self, meta: Any, children: list[Any]) -> form.Name:
        return form.Name(UNUSED, span_of(meta))

    def handle(self, meta: Any, children: list[Token]) -> form.Name:
        return form.Name(str(children[-1]), span_of(meta))

    def transposed(self, meta: Any, children: list[Any]) -> form.Unary:
        return form.Unary("T", children[0], span_of(meta))

    def lambda_(self, meta: Any, children: list[Any]) -> form.Expression:
        *parameters, value = parts_of(children)
        if self.notation.blank_multiplies:  # a -> b
            return form.Binary("->", parameters[0], value, span_of(meta))
        return form.Lambda(parameters_of(parameters), value, span_of(meta))

    def row(self, meta: Any, children: list[Any]) -> tuple[bool, form.Listed]:
        are_parted = all(str(each) == "," for each in children if isinstance(each, Token))
        return are_parted, form.Listed(tuple(parts_of(children)), span=span_of(meta))

    def matrix(self, meta: Any, children: list[Any]) -> form.Expression:
        rows = parts_of(children)
        if len(rows) == 1:
            are_parted, only = rows[0]
            if isinstance(only.values[0], form.Comprehension):
                return only.values[0]
            if are_parted and self.notation.name != "matlab":
                return form.Listed(only.values, span=span_of(meta))
        return form.Listed(tuple(row for _, row in rows), has_rows=True, span=span_of(meta))


def _with_return(body: tuple[form.Statement, ...]) -> tuple[form.Statement, ...]:
    """Returns a body whose last expression is returned."""
    if body and isinstance(body[-1], form.Stated):
        return (*body[:-1], form.Return(body[-1].value, body[-1].span))
    return body


def _declared(value: form.Expression) -> form.Expression:
    """Returns x for x(start = 0)."""
    return value.function if isinstance(value, form.Call) and value.by_name and not value.arguments else value


def _function(header: form.Expression, body: Sequence[form.Statement], span: form.Span) -> form.Function:
    """Returns a function with the name and the parameters in its header."""
    parameters: tuple[form.Parameter, ...] = ()
    while isinstance(header, (form.Call, form.Binary)):  # f(x)::Float64 where T
        parameters = parameters_in(header) if isinstance(header, form.Call) else parameters
        header = header.function if isinstance(header, form.Call) else header.left
    name = header.text if isinstance(header, form.Name) else header.name if isinstance(header, form.Attribute) else ""
    return form.Function(name, parameters, tuple(body), span)
