"""Tells the coordinates and rates in the states of functions for solvers, f(t, x)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from qddot.teach.check.reading.programs import form
from qddot.teach.check.reading.programs.arrays import listed, number_of
from qddot.teach.check.reading.programs.stating import Equations, entries_of, own_name
from qddot.teach.check.reading.programs.values import (
    MOST_VALUES,
    Array,
    Formula,
    Frame,
    Stating,
    UnknownError,
    atom,
    is_listed,
    joined,
)


def state_size(body: Sequence[Any], name: str, frame: Frame) -> int:
    """Returns the number of entries of a state that a function uses, 0 if it is not known."""
    size = 0
    for node in form.nodes(body):
        if isinstance(node, form.Assign) and form.is_name(node.value, name):
            for target in node.targets:
                if isinstance(target, form.Listed):
                    return len(target.values)
        for each in node.indices if isinstance(node, form.Index) and form.is_name(node.value, name) else ():
            if not isinstance(each, form.Slice):
                size = max(size, _end(each, frame) + 1)
                continue
            ends = [_end(part, frame) for part in (each.first, each.last) if part is not None]
            size = max(size, *ends, 2 * ends[0] if each.last is None and ends else 0)
    return size


def _end(part: form.Expression, frame: Frame) -> int:
    """Returns a number, or the value of a variable, as the end of a range of indices."""
    if isinstance(part, form.Number) and part.is_whole:
        return int(part.text)
    with suppress(KeyError, UnknownError):
        return number_of(frame.find(part.text)) if isinstance(part, form.Name) else 0
    return 0


def state_of(name: str, size: int, at: int) -> Any:
    """Returns a state as its coordinates and their rates, or as a name if its size is not known."""
    if size % 2 or not 0 < size <= MOST_VALUES:
        return atom(name, at, None)
    heads = [("q", "qd")[k // (size // 2)] + f"[{k % (size // 2)}]" for k in range(size)]
    return Array((size,), [atom(head, at) for head in heads])


def state_rates(equations: Equations, state: Any, returned: Any, at: int) -> bool:
    """States the rate of a state that a function returns as accelerations; returns whether it could be."""
    if not isinstance(state, Array) or not (isinstance(returned, Array) or is_listed(returned)):
        return False
    joints = len(state.entries) // 2
    own = [returned] if isinstance(returned, Array) else returned
    parts = [each for part in own for each in (entries_of(part) if part is returned else listed(part, at))]
    if len(parts) == 2 * joints:
        for k, part in enumerate(parts):
            array = re.fullmatch(r"(\w+\ue000-?\d+_\d+\ue001)\[\d+\]", part.text)
            if array and k >= joints:
                equations.rename(array[1], "qdd")
            else:
                head = ("qd", "qdd")[k // joints] + f"[{k % joints}]"
                equations.state(atom(head, part.origins[0]), part)
        return True
    last = parts[-1]
    if isinstance(last, Stating):
        equations.state(joined([last.left, "*qdd"], at), last.right)
    elif isinstance(last, Formula) and own_name(last):
        equations.rename(last.text, "qdd")
    else:
        return False
    return True
