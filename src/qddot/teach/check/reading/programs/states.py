"""Tells the coordinates and rates in the states of functions for solvers, f(t, x)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from qddot.teach.check.reading.programs import form
from qddot.teach.check.reading.programs.arrays import listed_part, number_of
from qddot.teach.check.reading.programs.stating import entry_of as entry
from qddot.teach.check.reading.programs.values import (
    MOST_VALUES,
    Array,
    Formula,
    Frame,
    Interprets,
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
        if isinstance(node, form.Assign) and isinstance(node.value, form.Name) and node.value.text == name:
            for target in node.targets:
                if isinstance(target, form.Listed):
                    return len(target.values)
        if isinstance(node, form.Index) and isinstance(node.value, form.Name) and node.value.text == name:
            for each in node.indices:
                parts = (each.first, each.last) if isinstance(each, form.Slice) else (each,)
                ends = [_end(part, frame) for part in parts if part is not None]
                size = max(size, *ends, 0) if isinstance(each, form.Slice) else max([size, *(k + 1 for k in ends)])
                if isinstance(each, form.Slice) and each.last is None and ends:
                    size = max(size, 2 * ends[0])
    return size


def _end(part: form.Expression, frame: Frame) -> int:
    if isinstance(part, form.Number) and part.is_whole:
        return int(part.text)
    if isinstance(part, form.Name):
        try:
            return number_of(frame.find(part.text))
        except (KeyError, UnknownError):
            return 0
    return 0


def state_of(name: str, size: int, at: int) -> Any:
    """Returns a state as its coordinates and their rates, or as a name if its size is not known."""
    if size % 2 or not 0 < size <= MOST_VALUES:
        return atom(name, at, None)
    heads = [("q", "qd")[k // (size // 2)] + f"[{k % (size // 2)}]" for k in range(size)]
    return Array((size,), [atom(head, at) for head in heads])


def state_rates(interpreter: Interprets, state: Any, frame: Frame, at: int) -> bool:
    """States the rate of a state that a function returns as accelerations; returns whether it could be."""
    returned = frame.returned
    if not isinstance(state, Array) or returned is None:
        return False
    joints = len(state.entries) // 2
    if isinstance(returned, Array):
        parts: list[Any] = [entry(returned, k) for k in range(len(returned.entries))]
    elif is_listed(returned):
        parts = [each for part in returned for each in listed_part(interpreter, part, at)]
    else:
        return False
    name = interpreter.equations
    if len(parts) == 2 * joints:
        for k, part in enumerate(parts):
            head = ("qd", "qdd")[k // joints] + f"[{k % joints}]"
            match = re.fullmatch(r"(\w+\ue000-?\d+_\d+\ue001)\[\d+\]", part.text)
            if match and k >= joints:
                name.rename(match[1], "qdd")
            else:
                name.state(atom(head, part.origins[0]), part)
        return True
    last = parts[-1]
    if isinstance(last, Stating):
        name.state(joined([last.left, "*qdd"], at), last.right)
        return True
    if isinstance(last, Formula) and name.own_name(last.text):
        name.rename(last.text, "qdd")
        return True
    return False
