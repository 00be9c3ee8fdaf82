"""Turns the trees of languages with braces, such as C and Rust, into the form of programs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import isqrt
from typing import Any

from lark import Token, v_args

from qddot.teach.check.reading.programs.expressions import (
    Expressions,
    Keyword,
    name_in,
    parameters_of,
    parts_of,
    span_of,
)
from qddot.teach.check.reading.programs.form import (
    Assign,
    Attribute,
    Binary,
    Call,
    Choice,
    Class,
    Expression,
    Function,
    If,
    Index,
    Lambda,
    Listed,
    Name,
    Number,
    Return,
    Stated,
    Statement,
    Table,
    While,
)
from qddot.teach.check.reading.programs.keywords import assigned, fields_of
from qddot.teach.check.reading.programs.languages import Notation
from qddot.teach.check.reading.programs.untyped import OF_TYPE

MODULES = frozenset(("Math", "math", "libm", "std"))
FUNCTIONS = frozenset(
    ["sin", "cos", "tan", "asin", "acos", "atan", "sqrt", "abs", "exp"]
)  # which are methods of numbers in Rust
POWERS = frozenset(("powi", "powf", "pow"))


class _Pair:
    """This is a key with its value, as in {M: a}."""

    def __init__(self, key: Expression, value: Expression) -> None:
        self.key, self.value = key, value


class _Stream(_Pair):
    """This is the first of the values with which an array is filled, as in M << a, b."""


@v_args(meta=True)
class Braces(Expressions):
    """This turns programs into their form.

    assigned: the functions that the values of variables go through by their types, by the places of the variables
    """

    def __init__(self, text: str, notation: Notation, assigned: Mapping[int, str]) -> None:
        super().__init__(text, notation)
        self.assigned = assigned if notation.language.divides_whole else {}

    def _statements(self, children: Iterable[Any]) -> tuple[Statement, ...]:
        return _statements(children)

    def value(self, meta: Any, children: list[Any]) -> Return:
        return Return(children[0], span_of(meta))

    def return_(self, meta: Any, children: list[Any]) -> Return:
        parts = parts_of(children)
        return Return(parts[0] if parts else None, span_of(meta))

    def sequence(self, meta: Any, children: list[Any]) -> list[Any]:
        first, *others = parts_of(children)
        if isinstance(first, _Stream):
            return [Assign((first.key,), _array([first.value, *others], first.value.span), "", span_of(meta))]
        return [first, *others]

    def equation(self, meta: Any, children: list[Any]) -> Any:
        *targets, value = parts_of(children)
        sign = next(str(each) for each in children if isinstance(each, Token))
        if sign == "<<":
            return _Stream(targets[0], value)
        if isinstance(value, Function):
            return Function(name_in(targets[0]) or "", value.parameters, value.body, (), span_of(meta))
        if isinstance(targets[0], Call) and len(targets) == 1 and sign == "=" and self._is_macro(targets[0]):
            header = targets[0]
            macro = Lambda(parameters_of(header.arguments), value, value.span)
            return Assign((Name(name_in(header) or "", header.span),), macro, "", span_of(meta))
        if isinstance(value, Listed) and isinstance(targets[0], Index):  # M[2][2] = {{a, b}, {c, d}}
            targets[0] = Name(name_in(targets[0]) or "", targets[0].span)
        if isinstance(value, Name) and value.text in MODULES:  # const { cos, sin } = Math
            return []
        if kind := self.assigned.get(targets[-1].span[0], ""):  # int k = 7/2.0 is 3
            if sign[0] in "+-*/":
                value, sign = Binary(sign[0], targets[-1], value, value.span), "="
            value = _cast(kind, value)
        fields = self._fields(targets[0], value)
        return fields or assigned(targets, value, sign, span_of(meta))

    def function(self, meta: Any, children: list[Any]) -> Statement:
        header, body = children
        if isinstance(header, Call):
            return Function(name_in(header) or "", parameters_of(_arguments(header)), body, (), span_of(meta))
        return Class(name_in(header) or "", body, span_of(meta))

    def loop(self, meta: Any, children: list[Any]) -> Any:
        (first, condition, step), *body = parts_of(children)
        return [*_statements(first), While(condition, _statements(body), _statements(step), span_of(meta))]

    def repeated(self, meta: Any, children: list[Any]) -> While:
        condition, *body = parts_of(children)
        return While(condition, _statements(body), (), span_of(meta))

    def for_(self, meta: Any, children: list[Any]) -> Any:
        return parts_of(children)

    def condition(self, meta: Any, children: list[Any]) -> If:
        condition, body, *other = parts_of(children)
        return If(condition, _statements([body]), _statements(other), span_of(meta))

    def body(self, meta: Any, children: list[Any]) -> tuple[Statement, ...]:
        return _statements(children)

    def cast(self, meta: Any, children: list[Any]) -> Expression:
        kind = next(str(each) for each in children if isinstance(each, Token))
        (value,) = parts_of(children)
        return _cast(kind, value) if self.notation.language.divides_whole else value

    def choice(self, meta: Any, children: list[Any]) -> Choice:
        condition, value, other = parts_of(children)
        return Choice(condition, value, other, span_of(meta))

    def lambda_(self, meta: Any, children: list[Any]) -> Any:
        header, body = parts_of(children)
        return self._closure([header], body, span_of(meta))

    def closure(self, meta: Any, children: list[Any]) -> Any:
        *parameters, body = parts_of(children)
        return self._closure(parameters, body, span_of(meta))

    def pair(self, meta: Any, children: list[Any]) -> _Pair:
        return _Pair(*parts_of(children))

    def stream(self, meta: Any, children: list[Any]) -> _Stream:
        return _Stream(*parts_of(children))

    def repeat(self, meta: Any, children: list[Any]) -> Expression:
        value, number = parts_of(children)
        count = int(number.text) if isinstance(number, Number) and number.is_whole else 0
        return Listed((value,) * min(count, 12), span=span_of(meta))

    def group(self, meta: Any, children: list[Any]) -> Any:
        parts = parts_of(children)
        if parts and isinstance(parts[0], _Stream):
            return _array([parts[0].value, *parts[1:]], span_of(meta))
        return parts[0] if len(parts) == 1 else Listed(tuple(parts), is_tuple=True, span=span_of(meta))

    def list_(self, meta: Any, children: list[Any]) -> Any:
        parts = parts_of(children)
        if parts and all(isinstance(each, _Pair) for each in parts):
            return Table(tuple((each.key, each.value) for each in parts), span_of(meta))
        if len(parts) == 1 and ";" in children:
            return parts[0]
        return Listed(tuple(parts), span=span_of(meta))

    def field(self, meta: Any, children: list[Any]) -> Expression:
        value, name = children[0], str(children[-1])
        if isinstance(value, Name) and value.text in MODULES:
            return Name(self.notation.functions.get(name, name), span_of(meta))
        return Attribute(value, name, span_of(meta))

    def call(self, meta: Any, children: list[Any]) -> Any:
        function, *arguments = parts_of(children)
        span = span_of(meta)
        if isinstance(function, Name) and function.text in OF_TYPE and len(arguments) == 1:
            return self.cast(meta, [Token("CAST", OF_TYPE[function.text]), *arguments])
        if isinstance(function, Attribute):
            if function.name == "finished":
                return function.value
            if function.name in POWERS and len(arguments) == 1:
                return Binary("**", function.value, arguments[0], span)
            if function.name in FUNCTIONS and not arguments:
                return Call(Name(function.name, function.span), (function.value,), (), span)
            if function.name == "sin_cos":
                both = (Call(Name(name, function.span), (function.value,), (), span) for name in ("sin", "cos"))
                return Listed(tuple(both), is_tuple=True, span=span)
        return super().call(meta, children)

    def _closure(self, parameters: list[Any], body: Any, span: tuple[int, int]) -> Any:
        """Returns a function without a name."""
        own = parameters_of(parameters)
        return Function("", own, body if isinstance(body, tuple) else (Return(body, body.span),), (), span)

    def _fields(self, target: Expression, value: Expression) -> list[Statement]:
        """Returns the assignments of {a, b} = p, which names fields of p."""
        names = target.arguments if isinstance(target, Call) else target.values if isinstance(target, Listed) else ()
        start = target.function.span[1] if isinstance(target, Call) else target.span[0]
        if not isinstance(value, (Name, Attribute)) or not self.text[start : start + 2].strip().startswith("{"):
            return []
        return fields_of(value, names)

    def _is_macro(self, header: Call) -> bool:
        return self.text.rfind("define", 0, header.span[0]) > self.text.rfind("\n", 0, header.span[0])


def _cast(kind: str, value: Expression) -> Call:
    return Call(Name(kind, value.span), (value,), (), value.span)


def _arguments(header: Call) -> list[Any]:
    return [*header.arguments, *(Keyword(Name(name), value) for name, value in header.by_name)]


def _statements(children: Iterable[Any]) -> tuple[Statement, ...]:
    """Returns the statements of a block; those that only declare a variable are left out."""
    statements = list[Statement]()
    for each in children:
        if isinstance(each, (list, tuple)):
            statements += _statements(each)
        elif isinstance(each, (Name, Index, Token)) or each is None:
            continue
        else:
            statements.append(each if _is_statement(each) else Stated(each, each.span))
    return tuple(statements)


def _is_statement(value: Any) -> bool:
    return isinstance(value, Statement.__args__)


def _array(entries: list[Any], span: tuple[int, int]) -> Listed:
    """Returns an array of as many rows as columns, or else a column, from its entries row by row."""
    n = isqrt(len(entries))
    if n**2 != len(entries):
        return Listed(tuple(entries), span=span)
    rows = (Listed(tuple(entries[k : k + n]), span=span) for k in range(0, n * n, n))
    return Listed(tuple(rows), has_rows=True, span=span)
