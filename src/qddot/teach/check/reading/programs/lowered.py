"""Writes what other languages call otherwise as the functions and statements of the form that the interpreter knows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from qddot.teach.check.reading.programs import form
from qddot.teach.check.reading.programs.degrees import takes_degrees
from qddot.teach.check.reading.programs.expressions import Keyword, name_in
from qddot.teach.check.reading.programs.functions import is_result, result_of
from qddot.teach.check.reading.programs.languages import Notation

SAME = frozenset(
    ("formula", "collect", "combine", "Simplify", "FullSimplify", "Expand", "ratsimp", "trigreduce", "MatrixForm")
)
ARRAYS = frozenset(("Matrix", "Vector", "matrix", "array", "vec", "transpose_"))
FIXED = re.compile(r"(?:\w*(?:Vector|Vec|Matrix|Mat|vec|mat)\w*?)(?P<size>\d)?[dfi]?\w*?(?:::(?P<made>\w+))?")


def lowered(program: form.Program, notation: Notation, text: str) -> form.Program:
    """Returns a program with the functions and statements that the interpreter knows."""
    lowering = _Lowering(notation, text)
    return replace(program, statements=lowering.block(_renamed(program.statements)))


def _renamed(statements: tuple[form.Statement, ...]) -> tuple[form.Statement, ...]:
    """Gives the coordinates in other units names of their own: q1 in q1 = q(1)*180/pi."""
    assignments = [node for node in form.nodes(statements) if isinstance(node, form.Assign)]
    names = {
        target.text
        for node in assignments
        for target in node.targets
        if isinstance(target, form.Name)
        and isinstance(node.value, form.Binary)
        and _is_converted(target.text, node.value)
    }

    for name in names:
        statements = _with_name(statements, name, f"{name}Converted")
    return statements


def _with_name(part: Any, name: str, new: str) -> Any:
    """Returns a part of a program in which a variable has another name."""
    if isinstance(part, form.Name):
        return replace(part, text=new) if part.text == name else part
    return form.with_parts(part, lambda own: _with_name(own, name, new))


def _is_converted(name: str, value: form.Binary) -> bool:
    """Returns whether a value is an entry of a coordinate times or plus a number: q(1)*180/pi for the name q1."""
    match = re.fullmatch(r"([A-Za-z]+)(\d)", name)
    nodes = list(form.nodes(value)) if match else []
    names = {node.text for node in nodes if isinstance(node, form.Name)}
    entries = [node for node in nodes if isinstance(node, form.Index) and isinstance(node.value, form.Name)]
    return match is not None and len(entries) == 1 and names <= {match[1], "pi"} and match[1] in names


class _Lowering:
    """This rewrites the form of one program."""

    def __init__(self, notation: Notation, text: str) -> None:
        self.notation, self.language = notation, notation.language.name
        self.takes_degrees = takes_degrees(text)
        self.differentials = "Differential(" in text

    def block(self, statements: tuple[form.Statement, ...]) -> tuple[form.Statement, ...]:
        lowered = [each for statement in statements for each in self.statements(statement)]
        if self.language == "maple":  # an assignment and its output below it
            for k in range(1, len(lowered)):
                one, other = lowered[k - 1 : k + 1]
                if isinstance(one, form.Assign) and isinstance(other, form.Assign) and _same(one, other):
                    lowered[k] = form.Equation(other.targets[0], other.value, other.span)
        return tuple(lowered)

    def statements(self, statement: form.Statement) -> Iterator[form.Statement]:
        """Yields the statements that stand for one."""
        match statement:
            case form.Assign(
                targets=targets, value=form.Call(function=form.Name(text="Module" | "Block" | "With")) as scope
            ):
                for name, value in (*_own(scope.arguments[0]), *scope.by_name):
                    yield from self.statements(form.Assign((form.Name(name, scope.span),), value, "", scope.span))
                statement = form.Assign(targets, scope.arguments[-1], "", statement.span)
        statement = self.of(statement)
        match statement:
            case form.Assign(targets=(form.Name(text="tau" | "u"),), value=form.Lambda()):
                return  # tau = @(t, z) zeros(2, 1)
            case form.Assign(targets=(form.Name(text=name),), value=form.Lambda() as value) if self.language != "c":
                body = (form.Return(value.value, value.value.span),)
                yield self._function(form.Function(name, value.parameters, body, (), statement.span))
            case form.Assign(targets=(form.Index(indices=(form.Slice(),)),), value=value):
                if isinstance(value, form.Binary) and value.sign == "\\":
                    yield replace(statement, targets=(form.Name("qdd", statement.span),))
                elif not isinstance(value, (form.Index, form.Name)):
                    yield statement
            case form.Assign(targets=(form.Name(),), value=form.Call(function=form.Name(text="Differential"))):
                return
            case form.Assign(value=form.Call() as call) | form.Stated(value=form.Call() as call) if _solves(call):
                listed = call.arguments[0]
                values = listed.values if isinstance(listed, form.Listed) else (listed,)
                for each in values:
                    if isinstance(each, form.Binary) and each.sign == "==":
                        yield form.Equation(each.left, each.right, each.span)
            case form.Stated(value=form.Binary(sign="==", left=left, right=right)):
                yield form.Equation(left, right, statement.span)
            case form.Assign(targets=(form.Name(),), value=form.Binary(sign="==", left=left, right=right)):
                yield form.Equation(left, right, statement.span)
            case form.Assign(value=form.Listed(values=values)) | form.Stated(value=form.Listed(values=values)) if (
                values and all(isinstance(each, form.Binary) and each.sign in ("==", "->") for each in values)
            ):
                for each in (own for own in values if isinstance(own, form.Binary)):
                    if isinstance(each.left, form.String):  # <|"M" -> a|>
                        yield form.Assign((form.Name(each.left.text, each.span),), each.right, "", each.span)
                    elif each.sign == "==" or _is_acceleration(each.left):
                        yield form.Equation(each.left, each.right, each.span)
            case form.Function():
                yield self._function(statement)
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
        if isinstance(part, form.Listed) and self.language == "julia" and not part.is_tuple and part.values:
            return _brackets(tuple(form.Listed((each,)) for each in part.values), part.span)
        is_list = isinstance(part, form.Listed) and self.language == "mathematica" and bool(part.values)
        if is_list and all(isinstance(each, form.Listed) for each in part.values):
            return _brackets(part.values, part.span)
        return self._call(part) if isinstance(part, form.Call) and isinstance(part.function, form.Name) else part

    def _call(self, call: form.Call) -> form.Expression:
        name, arguments, span = name_in(call.function) or "", call.arguments, call.span
        if name in SAME and arguments:
            return arguments[0]
        if name in ("zeros", "ones", "eye") and len(arguments) == 1 and self.language in ("matlab", "julia"):
            second = arguments[0] if self.language == "matlab" else form.Number("1", True, span)
            return replace(call, arguments=(arguments[0], second))
        if name in ("cosd", "sind", "tand") and len(arguments) == 1:
            angle = arguments[0] if self.takes_degrees else form.Call(form.Name("radians", span), arguments, (), span)
            return form.Call(form.Name(name[:3], span), (angle,), (), span)
        if name == "sym" and arguments:
            return _number(arguments[0]) or call
        if name == "der" or (name == "D" and self.differentials and len(arguments) == 1):
            return form.Call(form.Name("diff", span), (*arguments, form.Name("t", span)), (), span)
        if name in ARRAYS and arguments and isinstance(arguments[-1], form.Listed):
            rows = arguments if name == "matrix" else arguments[-1].values
            rows = tuple(each if isinstance(each, form.Listed) else form.Listed((each,)) for each in rows)
            return _brackets(rows, span)
        if self.language == "c" and (fixed := FIXED.fullmatch(name)):
            return _fixed(call, fixed)
        return call

    def _function(self, function: form.Function) -> form.Function:
        """Returns a function in the parameters of which its outputs do not stand, and that returns its rate."""
        names = [each.name for each in function.parameters]
        if self.language == "julia" and names[3:4] == ["t"] and function.name.endswith("!"):  # f!(du, u, p, t)
            rate, state = names[:2]
            kept = (each for each in function.body if not _unpacks(names[2], each))
            zeros = _zeros(rate, function.body)
            body = (*zeros, *kept, *(form.Return(form.Name(rate, function.span), function.span) for _ in zeros))
            return replace(
                function, parameters=tuple(form.Parameter(each) for each in ("t", state, *names[2:3])), body=body
            )
        names = [name for name in names if name != "dt" or self.language != "c"]
        outputs = set(_outputs(names, function.body))
        parameters = tuple(each for each in function.parameters if each.name in names and each.name not in outputs)
        last = function.body[-1] if function.body else None
        filled = [name for name in names if not is_result(name) and _zeros(name, function.body)]
        if isinstance(last, form.Return) and isinstance(last.value, form.Name) and names[:1] != ["t"]:
            own = last.value.text
            filled = (
                [own] if _zeros(own, function.body) and not any(_assigns(own, each) for each in function.body) else []
            )
        elif any(isinstance(each, form.Return) for each in function.body):
            filled = []
        result = result_of(function.name, ", ".join(names))
        if len(filled) == 1 and is_result(result) and not is_result(filled[0]):  # the array that a function fills
            parameters = tuple(each for each in parameters if each.name != filled[0])
            body = function.body[:-1] if isinstance(last, form.Return) else function.body
            name = f"{function.name}Filled" if function.name == result else function.name
            return replace(function, name=name, parameters=parameters, body=_with_name(body, filled[0], result))
        if isinstance(last, form.Return) and _are_results(last.value):
            return replace(function, parameters=parameters, body=function.body[:-1])
        if (
            self.language == "julia"
            and isinstance(last, form.Return)
            and len(function.body) == 1
            and function.name == "f"
        ):
            return replace(function, parameters=(form.Parameter("t"), *parameters))  # f(x, u) = [x[2], u/m]
        if isinstance(last, form.Return) and isinstance(last.value, form.Name):
            rate, state = last.value.text, names[0] if names else ""
            is_rate = re.fullmatch(rf"d_?{re.escape(state)}(?:dt)?|{re.escape(state)}_?(?:d|dot|p|prime)", rate)
            if re.fullmatch("[xyzXs]", state) and is_rate:
                parameters = (form.Parameter("t"), *parameters)
            is_state = is_rate or names[:1] == ["t"]
            before = function.body[-2] if len(function.body) > 1 else None
            if is_state and isinstance(before, form.Assign) and _assigns(rate, before):
                body = (*function.body[:-2], form.Return(before.value, last.span))
                return replace(function, parameters=parameters, body=body)
            state = names[1] if names[:1] == ["t"] and len(names) > 1 else state
            entries = _without_zeros(rate, state, function.body[:-1]) if is_state else None
            if entries is not None:
                return replace(function, parameters=parameters, body=entries)
            if is_state and not any(_assigns(rate, each) for each in function.body):
                return replace(function, parameters=parameters, body=(*_zeros(rate, function.body), *function.body))
        return replace(function, parameters=parameters)


def _brackets(rows: tuple[form.Expression, ...], span: form.Span) -> form.Call:
    return form.Call(form.Name("brackets", span), (form.Listed(rows, span=span),), (), span)


def _are_results(value: form.Expression | None) -> bool:
    """Returns whether a value is a list of variables that have the names of quantities."""
    values = value.values if isinstance(value, form.Listed) else ()
    return bool(values) and all(isinstance(each, form.Name) and is_result(each.text) for each in values)


def _solves(call: form.Call) -> bool:
    return isinstance(call.function, form.Name) and re.fullmatch("N?D?Solve", call.function.text) is not None


def _is_acceleration(value: form.Expression) -> bool:
    value = value.function if isinstance(value, form.Call) else value
    return isinstance(value, form.Name) and value.text.endswith("''")


def _without_zeros(rate: str, state: str, body: tuple[form.Statement, ...]) -> tuple[form.Statement, ...] | None:
    """Returns equations for the entries of a state's rate that is filled entry by entry, or None if it is not.

    Zeros stand in it before, dx = zeros(4, 1); dx(1) = x(3).
    """
    zeros = next((each for each in body if _assigns(rate, each)), None)
    if zeros is None or not (isinstance(zeros, form.Assign) and isinstance(zeros.value, form.Call)):
        return None
    size = zeros.value.arguments[0] if zeros.value.arguments else None
    joints = int(size.text) // 2 if isinstance(size, form.Number) and size.is_whole else 0
    if not joints:
        return None
    statements = list[form.Statement]()
    for each in body:
        k = _place(rate, each)
        if k is None or not isinstance(each, form.Assign):
            statements += () if each is zeros else (each,)
            continue
        name = form.Name(("qd", "qdd")[k // joints], each.span)
        index = form.Number(str(k % joints), True, each.span)
        value = each.value
        if isinstance(value, form.Index) and isinstance(value.value, form.Name) and value.value.text == state:
            if k < joints and value.indices == (form.Number(str(k + joints), True, value.indices[0].span),):
                continue
            value = form.Binary("*", form.Number("1", True, value.span), value, value.span)
        statements.append(form.Equation(form.Index(name, (index,), each.span), value, each.span))
    return tuple(statements)


def _place(name: str, statement: form.Statement) -> int | None:
    """Returns the index of the entry of an array to which a statement assigns a value."""
    target = statement.targets[0] if isinstance(statement, form.Assign) else None
    if isinstance(target, form.Index) and isinstance(target.value, form.Name) and target.value.text == name:
        index = target.indices[0]
        return int(index.text) if isinstance(index, form.Number) and index.is_whole else None
    return None


def _same(one: form.Assign, other: form.Assign) -> bool:
    """Returns whether two assignments have the same variable."""
    first, second = one.targets[0], other.targets[0]
    return isinstance(first, form.Name) and isinstance(second, form.Name) and first.text == second.text


def _own(names: form.Expression) -> Iterator[tuple[str, form.Expression]]:
    """Yields the variables of a Module with their values."""
    for each in names.values if isinstance(names, form.Listed) else ():
        if isinstance(each, Keyword) and isinstance(each.name, form.Name):
            yield each.name.text, each.value


def _method(statement: form.Statement) -> form.Statement:
    if isinstance(statement, form.Function) and [each.name for each in statement.parameters[:1]] != ["self"]:
        return replace(statement, parameters=(form.Parameter("self"), *statement.parameters))
    return statement


def _number(value: form.Expression) -> form.Expression | None:
    """Returns the number in sym(1) or sym('1/2')."""
    if not isinstance(value, form.String):
        return value
    numbers = re.fullmatch(r"\s*(\d+)\s*(?:/\s*(\d+))?\s*", value.text)
    if numbers is None:
        return None
    first, second = (form.Number(each or "1", True, value.span) for each in numbers.groups())
    return form.Binary("/", first, second, value.span)


def _fixed(call: form.Call, fixed: re.Match[str]) -> form.Expression:
    """Returns an array of a fixed size, such as Vector2d(a, b), Matrix2::new(a, b, c, d) and Matrix3d::Zero()."""
    size, span, is_matrix = int(fixed["size"] or 0), call.span, "at" in (name_in(call.function) or "")
    entries = call.arguments
    if fixed["made"] in ("Zero", "zeros", "Identity", "identity") and size:
        numbers = (form.Number(str(size), True, span), form.Number(str(size if is_matrix else 1), True, span))
        name = "eye" if fixed["made"].lower() == "identity" else "zeros"
        return form.Call(form.Name(name, span), numbers, (), span)
    if len(entries) == 1 and isinstance(entries[0], form.Listed):
        entries = entries[0].values
    if not entries:
        return call
    width = size if is_matrix and size * size == len(entries) else 1
    rows = tuple(form.Listed(entries[k : k + width], span=span) for k in range(0, len(entries), width))
    return _brackets(rows, span)


def _unpacks(name: str, statement: form.Statement) -> bool:
    return (
        isinstance(statement, form.Assign) and isinstance(statement.value, form.Name) and statement.value.text == name
    )


def _assigns(name: str, statement: form.Statement) -> bool:
    return isinstance(statement, form.Assign) and any(
        isinstance(each, form.Name) and each.text == name for each in statement.targets
    )


def _zeros(name: str, body: tuple[form.Statement, ...]) -> tuple[form.Statement, ...]:
    """Returns the assignment of zeros to an array of which only the entries are assigned, or nothing."""
    sizes: dict[int, int] = {}
    for statement in body:
        for target in statement.targets if isinstance(statement, form.Assign) else ():
            if isinstance(target, form.Index) and isinstance(target.value, form.Name) and target.value.text == name:
                for axis, index in enumerate(target.indices):
                    last = index.last if isinstance(index, form.Slice) else index
                    if isinstance(last, form.Number) and last.is_whole:
                        sizes[axis] = max(sizes.get(axis, 0), int(last.text) + (last is index))
    if not sizes:
        return ()
    numbers = [form.Number(str(sizes.get(axis, 1)), True, form.NOWHERE) for axis in range(2)]
    value = form.Call(form.Name("zeros"), tuple(numbers))
    return (form.Assign((form.Name(name),), value, "", body[0].span),)


def _outputs(names: list[str], body: tuple[form.Statement, ...]) -> Iterator[str]:
    """Yields the parameters to which a value is assigned before they are read."""
    read = set[str]()
    for statement in body:
        value = statement.value if isinstance(statement, form.Assign) else statement
        read |= set(_read(value))
        for target in statement.targets if isinstance(statement, form.Assign) and not statement.sign else ():
            if isinstance(target, form.Name) and target.text in names and target.text not in read:
                yield target.text


def _read(part: Any) -> Iterator[str]:
    """Yields the names in an expression."""
    return (node.text for node in form.nodes(part) if isinstance(node, form.Name))
