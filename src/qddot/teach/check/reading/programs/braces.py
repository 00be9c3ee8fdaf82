"""Turns the trees of languages with braces, such as C and Rust, into the form of programs."""

from __future__ import annotations

from collections.abc import Mapping
from math import isqrt
from typing import Any

from lark import Token, v_args

from qddot.teach.check.reading.programs import form
from qddot.teach.check.reading.programs.expressions import (
    Expressions,
    Keyword,
    fields_of,
    name_in,
    parameters_in,
    parameters_of,
    parts_of,
    span_of,
    statements_of,
)
from qddot.teach.check.reading.programs.languages import Notation
from qddot.teach.check.reading.programs.untyped import OF_TYPE

MODULES = frozenset(("Math", "math", "libm", "std"))
METHODS = ("sin", "cos", "tan", "asin", "acos", "atan", "sqrt", "abs", "exp")  # of numbers, in Rust
POWERS = ("powi", "powf", "pow")
MOST_REPEATED = 12  # entries of [0.0; 2]


class _Pair(Keyword):
    """This is a key with its value, as in {M: a}."""


class _Stream(Keyword):
    """This is the first of the values with which an array is filled, as in M << a, b."""


@v_args(meta=True)
class Braces(Expressions):
    """This turns programs into their form.

    assigned: the functions that the values of variables go through by their types, by the places of the variables
    """

    def __init__(self, text: str, notation: Notation, assigned: Mapping[int, str]) -> None:
        super().__init__(text, notation)
        self.cuts = notation.operators.get("/") == "cut/"
        self.assigned = assigned if self.cuts else {}

    def return_(self, meta: Any, children: list[Any]) -> form.Return:
        return form.Return(next(iter(parts_of(children)), None), span_of(meta))

    value = return_

    def sequence(self, meta: Any, children: list[Any]) -> list[Any]:
        first, *others = parts_of(children)
        if isinstance(first, _Stream):
            return [form.Assign((first.name,), _array([first.value, *others], first.value.span), "", span_of(meta))]
        return [first, *others]

    def equation(self, meta: Any, children: list[Any]) -> Any:
        *targets, value = parts_of(children)
        first, name, span = targets[0], name_in(targets[0]) or "", span_of(meta)
        sign = next(str(each) for each in children if isinstance(each, Token))
        if sign == "<<":
            return _Stream(first, value)
        if isinstance(value, form.Function):
            return form.Function(name, value.parameters, value.body, span)
        if isinstance(first, form.Call) and len(targets) == 1 and sign == "=" and self._is_macro(first):
            macro = form.Lambda(parameters_of(first.arguments), value, value.span)
            return form.Assign((form.Name(name, first.span),), macro, "", span)
        if isinstance(value, form.Listed) and isinstance(first, form.Index):  # M[2][2] = {{a, b}, {c, d}}
            targets[0] = form.Name(name, first.span)
        if isinstance(value, form.Name) and value.text in MODULES:  # const { cos, sin } = Math
            return []
        if kind := self.assigned.get(targets[-1].span[0]):  # int k = 7/2.0 is 3
            if sign[0] in "+-*/":
                operator = self.notation.operators.get(sign[0], sign[0])
                value, sign = form.Binary(operator, targets[-1], value, value.span), "="
            value = form.called(kind, (value,), value.span)
        return self._fields(targets[0], value) or self._assigned(targets, value, sign, meta)

    def function(self, meta: Any, children: list[Any]) -> form.Statement:
        header, body = children
        name = name_in(header) or ""
        if isinstance(header, form.Call):
            return form.Function(name, parameters_in(header), body, span_of(meta))
        return form.Class(name, body, span_of(meta))

    def loop(self, meta: Any, children: list[Any]) -> Any:
        (first, condition, step), *body = parts_of(children)
        loop = form.While(condition, statements_of(body), statements_of(step), span_of(meta))
        return [*statements_of(first), loop]

    def for_(self, meta: Any, children: list[Any]) -> Any:
        return parts_of(children)

    def condition(self, meta: Any, children: list[Any]) -> form.If:
        condition, body, *other = parts_of(children)
        return form.If(condition, statements_of([body]), statements_of(other), span_of(meta))

    def body(self, meta: Any, children: list[Any]) -> tuple[form.Statement, ...]:
        return statements_of(children)

    def cast(self, meta: Any, children: list[Any]) -> form.Expression:
        kind = next(str(each) for each in children if isinstance(each, Token))
        (value,) = parts_of(children)
        return form.called(kind, (value,), span_of(meta)) if self.cuts else value

    def lambda_(self, meta: Any, children: list[Any]) -> form.Function:
        *parameters, body = parts_of(children)
        body = body if isinstance(body, tuple) else (form.Return(body, body.span),)
        return form.Function("", parameters_of(parameters), body, span_of(meta))

    closure = lambda_

    def pair(self, meta: Any, children: list[Any]) -> _Pair:
        return _Pair(*parts_of(children))

    def stream(self, meta: Any, children: list[Any]) -> _Stream:
        return _Stream(*parts_of(children))

    def repeat(self, meta: Any, children: list[Any]) -> form.Listed:
        value, number = parts_of(children)
        count = int(number.text) if isinstance(number, form.Number) and number.is_whole else 0
        return form.Listed((value,) * min(count, MOST_REPEATED), span=span_of(meta))

    def group(self, meta: Any, children: list[Any]) -> Any:
        parts = parts_of(children)
        if parts and isinstance(parts[0], _Stream):
            return _array([parts[0].value, *parts[1:]], span_of(meta))
        return super().group(meta, children)

    def list_(self, meta: Any, children: list[Any]) -> Any:
        parts = parts_of(children)
        if parts and all(isinstance(each, _Pair) for each in parts):
            return form.Table(tuple((each.name, each.value) for each in parts), span_of(meta))
        return parts[0] if len(parts) == 1 and ";" in children else form.Listed(tuple(parts), span=span_of(meta))

    def field(self, meta: Any, children: list[Any]) -> form.Expression:
        value, name = children[0], str(children[-1])
        if isinstance(value, form.Name) and value.text in MODULES:
            return form.Name(self.notation.functions.get(name, name), span_of(meta))
        return form.Attribute(value, name, span_of(meta))

    def call(self, meta: Any, children: list[Any]) -> Any:
        function, *arguments = parts_of(children)
        if isinstance(function, form.Name) and function.text in OF_TYPE and len(arguments) == 1:
            return self.cast(meta, [Token("CAST", OF_TYPE[function.text]), *arguments])
        if isinstance(function, form.Attribute):
            own, name, span = function.value, function.name, span_of(meta)
            if name == "finished":
                return own
            if name in POWERS and len(arguments) == 1:
                return form.Binary("**", own, arguments[0], span)
            if name in METHODS and not arguments:
                return form.called(name, (own,), span)
            if name == "sin_cos":
                return form.Listed(
                    (form.called("sin", (own,), span), form.called("cos", (own,), span)), True, span=span
                )
        return super().call(meta, children)

    def _fields(self, target: form.Expression, value: form.Expression) -> list[form.Statement]:
        """Returns the assignments of {a, b} = p, which names fields of p."""
        names = target.arguments if isinstance(target, form.Call) else getattr(target, "values", ())
        start = target.function.span[1] if isinstance(target, form.Call) else target.span[0]
        is_braced = self.text[start : start + 2].strip().startswith("{")
        return fields_of(value, names) if is_braced and isinstance(value, (form.Name, form.Attribute)) else []

    def _is_macro(self, header: form.Call) -> bool:
        return self.text.rfind("define", 0, header.span[0]) > self.text.rfind("\n", 0, header.span[0])


def _array(entries: list[Any], span: form.Span) -> form.Listed:
    """Returns an array of as many rows as columns, or else a column, from its entries row by row."""
    n = isqrt(len(entries))
    if n**2 != len(entries):
        return form.Listed(tuple(entries), span=span)
    rows = (form.Listed(tuple(entries[k : k + n]), span=span) for k in range(0, n * n, n))
    return form.Listed(tuple(rows), has_rows=True, span=span)
