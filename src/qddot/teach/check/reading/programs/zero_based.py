"""Counts indices from 0 in the form of a program that counts from 1, and tells its entries, M(1, 2), from calls."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from qddot.teach.check.reading.programs import form

LAST = "end"  # the name of the last index in brackets
# functions whose arguments may be whole numbers
OF_NUMBERS = "zeros ones eye sqrt sin cos tan exp log abs sym pi vpa rand diag cosd sind deg2rad atan2 int float double"


def variables(statements: Any) -> Iterator[str]:
    """Yields the names of all variables that are assigned, and of all parameters."""
    for node in form.nodes(statements):
        targets: tuple[form.Expression, ...] = ()
        if isinstance(node, form.Assign) and not isinstance(node.value, form.Lambda):
            targets = node.targets
        elif isinstance(node, form.For):
            targets = (node.target,)
        elif isinstance(node, form.Function):
            yield from (each.name for each in node.parameters)
        yield from (name for target in targets for name in _names(target))


def _names(target: form.Expression) -> Iterator[str]:
    while isinstance(target, form.Index):
        target = target.value
    if isinstance(target, form.Listed):
        yield from (name for each in target.values for name in _names(each))
    elif isinstance(target, form.Name):
        yield target.text


def is_entry(call: form.Call, names: frozenset[str]) -> bool:
    """Returns whether a call is an entry of an array, as is M(1, 2). names: those of variables"""
    if call.by_name or not call.arguments:
        return False
    if isinstance(call.function, form.Name):
        if call.function.text in names:
            return not form.is_name(call.arguments[0], "t")
        if call.function.text in OF_NUMBERS.split():
            return False
    return all(isinstance(each, form.Slice) or _whole(each) is not None for each in call.arguments)


def shifted(index: form.Expression) -> form.Expression:
    """Returns an index that counts from 1 as one that counts from 0."""
    if not isinstance(index, form.Slice):
        return _plus(index, -1)
    last = None if index.last is None or form.is_name(index.last, LAST) else index.last
    last = last if last is None or _whole(last) is None else _plus(last, 0)
    return replace(index, first=None if index.first is None else _plus(index.first, -1), last=last)


def range_of(values: form.Slice) -> form.Expression:
    """Returns range(1, n + 1) for 1:n."""
    assert values.first is not None and values.last is not None
    step = () if values.step is None else (values.step,)
    last = _plus(values.last, -1 if isinstance(values.step, form.Unary) else 1)
    return form.called("range", (values.first, last, *step), values.span)


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
            if first is not None and second is not None:
                return first + second if sign == "+" else first - second
    return None


def _plus(value: form.Expression, number: int) -> form.Expression:
    """Returns an index plus a number."""
    known = _whole(value)
    if known is not None:
        return form.counted(known + number, value.span)
    return form.Binary("+" if number > 0 else "-", value, form.counted(1, value.span), value.span)
