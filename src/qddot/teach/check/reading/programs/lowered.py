"""Writes what other languages call otherwise as the functions and statements of the form that the interpreter knows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any

from qddot.teach.check.reading.programs import form
from qddot.teach.check.reading.programs.degrees import takes_degrees
from qddot.teach.check.reading.programs.expressions import Keyword, name_in
from qddot.teach.check.reading.programs.languages import Notation
from qddot.teach.check.reading.programs.results import with_results
from qddot.teach.check.reading.programs.zero_based import is_entry, range_of, shifted, variables

SAME = "formula collect combine Simplify FullSimplify Expand ratsimp trigreduce MatrixForm"
ARRAYS = "Matrix Vector matrix array vec transpose_"
SCOPES = ("Module", "Block", "With")
SOLVERS = ("Solve", "NSolve", "DSolve", "NDSolve")
FIXED = re.compile(r"(?:\w*(?:Vector|Vec|Matrix|Mat|vec|mat)\w*?)(?P<size>\d)?[dfi]?\w*?(?:::(?P<made>\w+))?")


def lowered(program: tuple[form.Statement, ...], notation: Notation, text: str) -> tuple[form.Statement, ...]:
    """Returns a program with the functions, statements and indices from 0 that the interpreter knows."""
    names = frozenset(variables(program)) if notation.rounds else frozenset()
    statements = _Lowering(notation, text, names).block(program)
    for node in list(form.nodes(statements)):
        for target in node.targets if isinstance(node, form.Assign) else ():
            if isinstance(target, form.Name) and _is_converted(target.text, node.value):
                statements = form.with_name(statements, target.text, f"{target.text}Converted")
    return statements


def _is_converted(name: str, value: form.Expression) -> bool:
    """Returns whether a value is an entry of a coordinate times or plus a number: q(1)*180/pi for the name q1."""
    match = re.fullmatch(r"([A-Za-z]+)(\d)", name) if isinstance(value, form.Binary) else None
    nodes = list(form.nodes(value)) if match else []
    names = {node.text for node in nodes if isinstance(node, form.Name)}
    entries = [node for node in nodes if isinstance(node, form.Index) and isinstance(node.value, form.Name)]
    return match is not None and len(entries) == 1 and names <= {match[1], "pi"} and match[1] in names


class _Lowering:
    """This rewrites the form of one program."""

    def __init__(self, notation: Notation, text: str, names: frozenset[str]) -> None:
        self.notation, self.language, self.names = notation, notation.name, names
        self.takes_degrees = takes_degrees(text)
        self.differentials = "Differential(" in text

    def block(self, statements: tuple[form.Statement, ...]) -> tuple[form.Statement, ...]:
        """Returns the statements that stand for those of a block."""
        lowered = [each for statement in statements for each in self._statements(statement)]
        if self.language == "maple":  # an assignment and its output below it
            for k, (one, other) in enumerate(pairwise(lowered), 1):
                if isinstance(one, form.Assign) and isinstance(other, form.Assign):
                    target = other.targets[0]
                    if isinstance(target, form.Name) and form.is_name(one.targets[0], target.text):
                        lowered[k] = form.Equation(target, other.value, other.span)
        return tuple(lowered)

    def _statements(self, statement: form.Statement) -> Iterator[form.Statement]:
        """Yields the statements that stand for one."""
        match statement:
            case form.Assign(value=form.Call(function=form.Name(text=name)) as scope) if name in SCOPES:
                for own, value in (*_own(scope.arguments[0]), *scope.by_name):
                    yield from self._statements(form.Assign((form.Name(own, scope.span),), value, "", scope.span))
                statement = replace(statement, value=scope.arguments[-1])
        statement = self.of(statement)
        match statement:
            case form.Assign(targets=(form.Name(text="tau" | "u"),), value=form.Lambda()):
                return  # tau = @(t, z) zeros(2, 1)
            case form.Assign(targets=(form.Name(text=name),), value=form.Lambda() as value) if self.language != "c":
                body = (form.Return(value.value, value.value.span),)
                yield with_results(form.Function(name, value.parameters, body, statement.span), self.language)
            case form.Assign(targets=(form.Index(indices=(form.Slice(),)),), value=value):
                if isinstance(value, form.Binary) and value.sign == "\\":
                    yield replace(statement, targets=(form.Name("qdd", statement.span),))
                elif not isinstance(value, (form.Index, form.Name)):
                    yield statement
            case form.Assign(targets=(form.Name(),), value=form.Call(function=form.Name(text="Differential"))):
                return
            case form.Assign(value=value) | form.Stated(value=value) if stated := list(_stated(value)):
                yield from stated
            case form.Stated(value=form.Binary(sign="==", left=left, right=right)):
                yield form.Equation(left, right, statement.span)
            case form.Assign(targets=(form.Name(),), value=form.Binary(sign="==", left=left, right=right)):
                yield form.Equation(left, right, statement.span)
            case form.Function():
                yield with_results(statement, self.language)
            case form.Class():
                yield replace(statement, body=tuple(map(_method, statement.body)))
            case _:
                yield statement

    def of(self, part: Any) -> Any:
        """Returns a part of the program in which the functions of the language are those of the interpreter."""
        if isinstance(part, tuple):
            is_block = bool(part) and isinstance(part[0], form.Statement.__args__)
            return self.block(part) if is_block else tuple(map(self.of, part))
        if isinstance(part, form.Listed) and part.has_rows:
            rows = tuple(each.values if isinstance(each, form.Listed) else (each,) for each in part.values)
            return _brackets(tuple(form.Listed(self.of(row), span=part.span) for row in rows), part.span)
        part = form.with_parts(part, self.of)
        match part:
            case form.For(values=form.Slice() as values) | form.Each(values=form.Slice() as values):
                return replace(part, values=range_of(values))
            case form.Index():
                return replace(part, indices=self._indices(part.indices))
            case form.Call() if self.notation.rounds and is_entry(part, self.names):
                return form.Index(part.function, self._indices(part.arguments), part.span)
            case form.Call(function=form.Name()):
                return self._call(part)
            case form.Listed(is_tuple=False, values=values) if values and self.language == "julia":
                return _brackets(tuple(form.Listed((each,)) for each in values), part.span)
            case form.Listed(values=values) if values and self.language == "mathematica":
                return _brackets(values, part.span) if all(isinstance(e, form.Listed) for e in values) else part
        return part

    def _indices(self, indices: tuple[form.Expression, ...]) -> tuple[form.Expression, ...]:
        return tuple(map(shifted, indices)) if self.notation.base else indices

    def _call(self, call: form.Call) -> form.Expression:
        name, arguments, span = name_in(call.function) or "", call.arguments, call.span
        if name in SAME.split() and arguments:
            return arguments[0]
        if name in ("zeros", "ones", "eye") and len(arguments) == 1 and self.language in ("matlab", "julia"):
            second = arguments[0] if self.language == "matlab" else form.counted(1, span)
            return replace(call, arguments=(arguments[0], second))
        if name in ("cosd", "sind", "tand") and len(arguments) == 1:
            angle = arguments[0] if self.takes_degrees else form.called("radians", arguments, span)
            return form.called(name[:3], (angle,), span)
        if name == "sym" and arguments:
            first = arguments[0]
            is_number = isinstance(first, form.String) and first.text.strip()[:1].isdecimal()
            return (
                form.called("Rational", (first,), span)
                if is_number
                else call
                if isinstance(first, form.String)
                else first
            )
        if name == "der" or (name == "D" and self.differentials and len(arguments) == 1):
            return form.called("diff", (*arguments, form.Name("t", span)), span)
        if name in ARRAYS.split() and arguments and isinstance(arguments[-1], form.Listed):
            rows = arguments if name == "matrix" else arguments[-1].values
            rows = tuple(each if isinstance(each, form.Listed) else form.Listed((each,)) for each in rows)
            return _brackets(rows, span)
        if self.language == "c" and (fixed := FIXED.fullmatch(name)):
            return _fixed(call, fixed)
        return call


def _brackets(rows: tuple[form.Expression, ...], span: form.Span) -> form.Call:
    return form.called("brackets", (form.Listed(rows, span=span),), span)


def _stated(value: form.Expression) -> Iterator[form.Statement]:
    """Yields the equations in a list, {a == b, x'' -> c}, and in what a solver is given."""
    is_solved = (
        isinstance(value, form.Call) and isinstance(value.function, form.Name) and value.function.text in SOLVERS
    )
    listed = value.arguments[0] if isinstance(value, form.Call) and is_solved else value
    values = listed.values if isinstance(listed, form.Listed) else (listed,) if is_solved else ()
    equations = [each for each in values if isinstance(each, form.Binary) and each.sign in ("==", "->")]
    for each in equations if is_solved or len(equations) == len(values) else ():
        if isinstance(each.left, form.String):  # <|"M" -> a|>
            yield form.Assign((form.Name(each.left.text, each.span),), each.right, "", each.span)
        elif each.sign == "==" or (not is_solved and (name_in(each.left) or "").endswith("''")):
            yield form.Equation(each.left, each.right, each.span)


def _own(names: form.Expression) -> Iterator[tuple[str, form.Expression]]:
    """Yields the variables of a Module with their values."""
    for each in names.values if isinstance(names, form.Listed) else ():
        if isinstance(each, Keyword) and isinstance(each.name, form.Name):
            yield each.name.text, each.value


def _method(statement: form.Statement) -> form.Statement:
    if isinstance(statement, form.Function) and [each.name for each in statement.parameters[:1]] != ["self"]:
        return replace(statement, parameters=(form.Parameter("self"), *statement.parameters))
    return statement


def _fixed(call: form.Call, fixed: re.Match[str]) -> form.Expression:
    """Returns an array of a fixed size, such as Vector2d(a, b), Matrix2::new(a, b, c, d) and Matrix3d::Zero()."""
    size, span, is_matrix = int(fixed["size"] or 0), call.span, "at" in (name_in(call.function) or "")
    entries, made = call.arguments, (fixed["made"] or "").lower()
    if made in ("zero", "zeros", "identity") and size:
        name = "eye" if made == "identity" else "zeros"
        return form.called(name, (form.counted(size, span), form.counted(size if is_matrix else 1, span)), span)
    if len(entries) == 1 and isinstance(entries[0], form.Listed):
        entries = entries[0].values
    if not entries:
        return call
    width = size if is_matrix and size * size == len(entries) else 1
    rows = tuple(form.Listed(entries[k : k + width], span=span) for k in range(0, len(entries), width))
    return _brackets(rows, span)
