"""A request says which function of an arm is called, and names its compiled code."""

from __future__ import annotations

from dataclasses import dataclass
from operator import index
from typing import Any, TypeAlias

from qddot.errors import EvaluationError, flag, shortened
from qddot.model.bodies import listed

Option: TypeAlias = int | str | bool | None
USUAL: dict[str, Option] = {"body": None, "frame": "world", "wrenches": False, "armature": False, "friction": False}
LARGEST_INDEX = 1_000_000


@dataclass(frozen=True, slots=True)
class Request:
    """A request is one function of one model, with all that its code depends on.

    model: the model's fingerprint
    free: symbols whose values come with each call, sorted
    options: those of the function that are not the usual ones
    """

    function: str
    model: str
    free: tuple[str, ...] = ()
    options: tuple[tuple[str, Option], ...] = ()


def place(body: Any, frame: Any = "world") -> dict[str, Option]:
    """Returns the options for a frame of a body, without the usual ones. raises EvaluationError: wrong types"""
    if not isinstance(frame, str):
        raise EvaluationError(f"frame {shortened(frame)}", expected='"world" or "body"')
    options: dict[str, Option] = {} if body is None else {"body": _body(body)}
    if frame != USUAL["frame"]:
        options["frame"] = frame
    return options


def columns(armature: Any, friction: Any) -> dict[str, bool]:
    """Returns which columns the regressor has besides those of the bodies."""
    return {"armature": flag(armature, "armature"), "friction": flag(friction, "friction")}


def names_of(values: Any, what: str) -> list[str]:
    """Returns a list of names; a single name becomes a list of one."""
    names = [values] if isinstance(values, str) else listed(values, what)
    for name in names:
        if not isinstance(name, str):
            raise EvaluationError(f"{what} has {shortened(name)}", expected="names")
    return list(names)


def _body(value: Any) -> int | str:
    """Returns a body's name or index. raises EvaluationError: neither"""
    try:
        found = value if isinstance(value, str) else index(value)
    except TypeError:
        found = LARGEST_INDEX
    if isinstance(found, int) and abs(found) >= LARGEST_INDEX:
        raise EvaluationError(f"body {shortened(value)}", expected="a name or an index")
    return found
