"""Lists the options of functions: their defaults, and how a caller's values become plain ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from operator import index
from typing import Any, TypeAlias

from qddot.base.errors import EvaluationError, flag, shortened
from qddot.base.records import record

Bodies: TypeAlias = "tuple[int | str | None, ...] | None"  # None: the link that carries the tool
FRAMES = ("world", "body")
TASK = ("x", "y", "z", "rx", "ry", "rz")  # the rows of a Jacobian
LARGEST_INDEX = 1_000_000


@record()
class Option:
    """An option of functions has a default and a function that converts a caller's value to a plain one."""

    usual: int | str | bool | Bodies
    plain: Callable[[Any], Any]


def rows_of(task: str) -> list[int]:
    """Returns the rows of a Jacobian that a text such as "x y rz" names. raises EvaluationError: the text is invalid"""
    names = task.split() if isinstance(task, str) else []
    if not names or len(set(names)) < len(names) or not set(names) <= set(TASK):
        raise EvaluationError("no-such-task", task=shortened(task), names=" ".join(TASK))
    return [TASK.index(name) for name in names]


def _body(value: Any) -> int | str | None:
    """Returns a body's name or index, or None. raises EvaluationError: another type"""
    if value is None or isinstance(value, str):
        return value
    try:
        place = index(value)
    except TypeError:
        place = LARGEST_INDEX
    if abs(place) >= LARGEST_INDEX:
        raise EvaluationError("body-no-name", body=shortened(value))
    return place


def _bodies(value: Any) -> Bodies:
    """Returns the names or indices of several bodies, or None. raises EvaluationError: another type, or none of them"""
    if value is None:
        return None
    bodies = tuple(map(_body, value if isinstance(value, list | tuple) else [value]))
    if not bodies or None in bodies:
        raise EvaluationError("body-no-name", body=shortened(value))
    return bodies


def _frame(value: Any) -> str:
    if not isinstance(value, str) or value not in FRAMES:
        raise EvaluationError("no-such-frame", frame=shortened(value))
    return value


OPTIONS: Mapping[str, Option] = {
    "body": Option(None, _body),
    "bodies": Option(None, _bodies),
    "frame": Option("world", _frame),
    "task": Option(None, lambda task: task if task is None or rows_of(task) else None),
    **{columns: Option(False, partial(flag, what=columns)) for columns in ("armature", "friction")},
}
