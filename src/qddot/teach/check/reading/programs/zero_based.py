"""Counts indices from 0 in the form of a program that counts from 1, and tells its entries, M(1, 2), from calls."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from qddot.teach.check.reading.programs import form

LAST = "end"  # the name of the last index in brackets
# functions whose arguments may be whole numbers
OF_NUMBERS = frozenset(
    [
        "zeros",
        "ones",
        "eye",
        "sqrt",
        "sin",
        "cos",
        "tan",
        "exp",
        "log",
        "abs",
        "sym",
        "pi",
        "vpa",
        "rand",
        "diag",
        "cosd",
        "sind",
        "deg2rad",
        "atan2",
        "int",
        "float",
    ]
)


def zero_based(program: form.Program, rounds: bool) -> form.Program:
    """Returns a program whose indices count from 0, in square brackets, and with loops over ranges.

    rounds: whether entries have round brackets
    """
    names = frozenset(_variables(program.statements)) if rounds else frozenset()
    base = program.language.base
    statements = tuple(_Indices(names, rounds, base).of(each) for each in program.statements)
    return replace(program, statements=statements)


def _variables(statements: Any) -> Iterator[str]:
    """Yields the names of all variables that are assigned, and of all parameters."""
    for node in form.nodes(statements):
        if isinstance(node, form.Assign):
            if not isinstance(node.value, form.Lambda):
                for target in node.targets:
                    yield from _names(target)
        elif isinstance(node, form.For):
            yield from _names(node.target)
        elif isinstance(node, form.Function):
            yield from (each.name for each in node.parameters)


def _names(target: form.Expression) -> Iterator[str]:
    while isinstance(target, form.Index):
        target = target.value
    if isinstance(target, form.Listed):
        for each in target.values:
            yield from _names(each)
    elif isinstance(target, form.Name):
        yield target.text


class _Indices:
    """This writes the indices of one program."""

    def __init__(self, variables: frozenset[str], rounds: bool, base: int) -> None:
        self.variables, self.rounds, self.base = variables, rounds, base

    def of(self, part: Any) -> Any:
        """Returns a part of a program with indices that count from 0."""
        part = form.with_parts(part, self.of)
        if isinstance(part, form.For) and isinstance(part.values, form.Slice):
            return replace(part, values=_range(part.values))
        if isinstance(part, form.Each) and isinstance(part.values, form.Slice):
            return replace(part, values=_range(part.values))
        if isinstance(part, form.Index):
            return replace(part, indices=tuple(map(self._shifted, part.indices)))
        if self.rounds and isinstance(part, form.Call) and self._is_entry(part):
            return form.Index(part.function, tuple(map(self._shifted, part.arguments)), part.span)
        return part

    def _shifted(self, index: form.Expression) -> form.Expression:
        return _shifted(index) if self.base else index

    def _is_entry(self, call: form.Call) -> bool:
        """Returns whether a call is an entry of an array, as is M(1, 2)."""
        if call.by_name or not call.arguments:
            return False
        if isinstance(call.function, form.Name):
            if call.function.text in self.variables:
                first = call.arguments[0]
                return not (isinstance(first, form.Name) and first.text == "t")
            if call.function.text in OF_NUMBERS:
                return False
        return all(isinstance(each, form.Slice) or _whole(each) is not None for each in call.arguments)


def _whole(value: form.Expression) -> int | None:
    """Returns an index as a number, where `end` is 0."""
    match value:
        case form.Number(text=text, is_whole=True):
            return int(text)
        case form.Name(text=name) if name == LAST:
            return 0
        case form.Unary(sign="-", value=inner):
            number = _whole(inner)
            return None if number is None else -number
        case form.Binary(sign="+" | "-" as sign, left=left, right=right):
            first, second = _whole(left), _whole(right)
            if first is None or second is None:
                return None
            return first + second if sign == "+" else first - second
    return None


def _plus(value: form.Expression, number: int) -> form.Expression:
    """Returns an index plus a number."""
    known = _whole(value)
    if known is not None:
        known += number
        positive = form.Number(str(abs(known)), True, value.span)
        return positive if known >= 0 else form.Unary("-", positive, value.span)
    return form.Binary("+" if number > 0 else "-", value, form.Number("1", True, value.span), value.span)


def _shifted(index: form.Expression) -> form.Expression:
    """Returns an index that counts from 1 as one that counts from 0."""
    if not isinstance(index, form.Slice):
        return _plus(index, -1)
    last = None if isinstance(index.last, form.Name) and index.last.text == LAST else index.last
    last = _plus(last, 0) if last is not None and _whole(last) is not None else last
    return replace(index, first=None if index.first is None else _plus(index.first, -1), last=last)


def _range(values: form.Slice) -> form.Expression:
    """Returns range(1, n + 1) for 1:n."""
    assert values.first is not None and values.last is not None
    step = () if values.step is None else (values.step,)
    is_down = isinstance(values.step, form.Unary)
    arguments = (values.first, _plus(values.last, -1 if is_down else 1), *step)
    return form.Call(form.Name("range", values.span), arguments, (), values.span)
