"""Tells what functions give back in languages where parameters are outputs, arrays are filled and rates returned."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from qddot.teach.check.reading.programs import form
from qddot.teach.check.reading.programs.functions import is_result, result_of

TIME = form.Parameter("t")


def with_results(function: form.Function, language: str) -> form.Function:
    """Returns a function in the parameters of which its outputs do not stand, and that returns its rate."""
    body, span = function.body, function.span
    names = [each.name for each in function.parameters if each.name != "dt" or language != "c"]
    if language == "julia" and names[3:4] == ["t"] and function.name.endswith("!"):  # f!(du, u, p, t)
        rate, state, given = names[:3]
        zeros = _zeros(rate, body)
        kept = (each for each in body if not (isinstance(each, form.Assign) and form.is_name(each.value, given)))
        returned = (form.Return(form.Name(rate, span), span) for _ in zeros)
        of_time = (TIME, form.Parameter(state), form.Parameter(given))
        return replace(function, parameters=of_time, body=(*zeros, *kept, *returned))
    outputs = set(_outputs(names, body))
    parameters = tuple(each for each in function.parameters if each.name in names and each.name not in outputs)
    function = replace(function, parameters=parameters)
    last = body[-1] if body else None
    value = last.value if isinstance(last, form.Return) else None
    own = value.text if isinstance(value, form.Name) else ""
    is_own_assigned = any(_assigns(own, each) for each in body)
    filled = list[str]()
    if own and names[:1] != ["t"]:
        filled = [own] if _zeros(own, body) and not is_own_assigned else []
    elif not any(isinstance(each, form.Return) for each in body):
        filled = [name for name in names if not is_result(name) and _zeros(name, body)]
    result = result_of(function.name, ", ".join(names))
    if len(filled) == 1 and is_result(result) and not is_result(filled[0]):  # the array that a function fills
        name = f"{function.name}Filled" if function.name == result else function.name
        parameters = tuple(each for each in parameters if each.name != filled[0])
        body = form.with_name(body[: len(body) - isinstance(last, form.Return)], filled[0], result)
        return replace(function, name=name, parameters=parameters, body=body)
    if isinstance(value, form.Listed) and value.values and all(map(_is_result, value.values)):
        return replace(function, body=body[:-1])
    if language == "julia" and isinstance(last, form.Return) and len(body) == 1 and function.name == "f":
        return replace(function, parameters=(TIME, *parameters))  # f(x, u) = [x[2], u/m]
    return _with_rate(function, own, names, is_own_assigned) if own else function


def _with_rate(function: form.Function, rate: str, names: list[str], is_assigned: bool) -> form.Function:
    """Returns a function that returns the value of its rate, f(t, x) or f(x) with the rate dx."""
    state, body = names[0] if names else "", function.body
    is_rate = re.fullmatch(rf"d_?{re.escape(state)}(?:dt)?|{re.escape(state)}_?(?:d|dot|p|prime)", rate)
    if is_rate and re.fullmatch("[xyzXs]", state):
        function = replace(function, parameters=(TIME, *function.parameters))
    if not is_rate and state != "t":
        return function
    before = body[-2] if len(body) > 1 else None
    if isinstance(before, form.Assign) and _assigns(rate, before):
        return replace(function, body=(*body[:-2], form.Return(before.value, body[-1].span)))
    entries = _by_entries(rate, names[1] if names[:1] == ["t"] and len(names) > 1 else state, body[:-1])
    if entries is not None:
        return replace(function, body=entries)
    return function if is_assigned else replace(function, body=(*_zeros(rate, body), *body))


def _by_entries(rate: str, state: str, body: tuple[form.Statement, ...]) -> tuple[form.Statement, ...] | None:
    """Returns equations for the entries of a state's rate that is filled entry by entry, or None if it is not.

    Zeros stand in it before, dx = zeros(4, 1); dx(1) = x(3).
    """
    zeros = next((each for each in body if _assigns(rate, each)), None)
    if not isinstance(zeros, form.Assign) or not isinstance(zeros.value, form.Call) or not zeros.value.arguments:
        return None
    size = zeros.value.arguments[0]
    joints = int(size.text) // 2 if isinstance(size, form.Number) and size.is_whole else 0
    statements = list[form.Statement]()
    for each in body:
        k = _place(rate, each)
        if k is None or not isinstance(each, form.Assign) or not joints:
            statements += () if each is zeros else (each,)
            continue
        entry = form.Index(form.Name(("qd", "qdd")[k // joints], each.span), (form.counted(k % joints, each.span),))
        value = each.value
        if isinstance(value, form.Index) and form.is_name(value.value, state):
            if k < joints and _is_number(value.indices, k + joints):
                continue
            value = form.Binary("*", form.counted(1, value.span), value, value.span)
        statements.append(form.Equation(replace(entry, span=each.span), value, each.span))
    return tuple(statements) if joints else None


def _is_number(indices: tuple[form.Expression, ...], k: int) -> bool:
    return len(indices) == 1 and isinstance(indices[0], form.Number) and indices[0].text == str(k)


def _place(name: str, statement: form.Statement) -> int | None:
    """Returns the index of the entry of an array to which a statement assigns a value."""
    target = statement.targets[0] if isinstance(statement, form.Assign) else None
    if isinstance(target, form.Index) and form.is_name(target.value, name):
        index = target.indices[0]
        return int(index.text) if isinstance(index, form.Number) and index.is_whole else None
    return None


def _is_result(value: form.Expression) -> bool:
    return isinstance(value, form.Name) and is_result(value.text)


def _assigns(name: str, statement: form.Statement) -> bool:
    return isinstance(statement, form.Assign) and any(form.is_name(each, name) for each in statement.targets)


def _zeros(name: str, body: tuple[form.Statement, ...]) -> tuple[form.Statement, ...]:
    """Returns the assignment of zeros to an array of which only the entries are assigned, or nothing."""
    sizes: dict[int, int] = {}
    for statement in body:
        for target in statement.targets if isinstance(statement, form.Assign) else ():
            if isinstance(target, form.Index) and form.is_name(target.value, name):
                for axis, index in enumerate(target.indices):
                    last = index.last if isinstance(index, form.Slice) else index
                    if isinstance(last, form.Number) and last.is_whole:
                        sizes[axis] = max(sizes.get(axis, 0), int(last.text) + (last is index))
    value = form.called("zeros", tuple(form.counted(sizes.get(axis, 1)) for axis in range(2)))
    return (form.Assign((form.Name(name),), value, "", body[0].span),) if sizes else ()


def _outputs(names: list[str], body: tuple[form.Statement, ...]) -> Iterator[str]:
    """Yields the parameters to which a value is assigned before they are read."""
    read = set[Any]()
    for statement in body:
        value = statement.value if isinstance(statement, form.Assign) else statement
        read |= {node.text for node in form.nodes(value) if isinstance(node, form.Name)}
        for target in statement.targets if isinstance(statement, form.Assign) and not statement.sign else ():
            if isinstance(target, form.Name) and target.text in names and target.text not in read:
                yield target.text
