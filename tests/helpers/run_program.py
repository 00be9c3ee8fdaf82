"""Runs a Python program and prints, as JSON, the numbers that its variables have at the end, and in its functions.

python run_program.py FILE < {"name": number, …}

Each parameter of a function has the number of its name, one with indices a list, and any other object an attribute
for each name. A symbol of SymPy has the number of its name.
"""

from __future__ import annotations

import inspect
import json
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any

NUMBERS: dict[str, float] = json.load(sys.stdin)
FILE = sys.argv[1]
shown: dict[str, list[Any]] = {}


class Constants(dict[str, float]):
    """This has the number of each name as an attribute and as an item."""

    def __getattr__(self, name: str) -> float:
        if name not in NUMBERS:
            raise AttributeError(name)
        return NUMBERS[name]

    def __missing__(self, name: str) -> float:
        return NUMBERS[name]


def argument(name: str, source: str) -> Any:
    """Returns what a parameter stands for."""
    entries = [NUMBERS[key] for k in range(9) if (key := f"{name}[{k}]") in NUMBERS]
    if entries:
        return array(entries)
    return Constants() if f"{name}." in source or f"{name}[" in source else NUMBERS.get(name, 1.0)


def array(entries: list[float]) -> Any:
    try:
        import numpy
    except ImportError:
        return entries
    return numpy.array(entries)


def number(value: Any) -> Any:
    """Returns a value as a number, or as nested lists of numbers; None for anything else."""
    if isinstance(value, (type, Constants)):
        return None
    if hasattr(value, "free_symbols") and hasattr(value, "subs"):
        if hasattr(value, "tolist"):
            return number(value.tolist())
        by_name = {each: NUMBERS[each.name] for each in value.free_symbols if each.name in NUMBERS}
        value = value.subs({**by_name, **{each: NUMBERS[name] for name, each in symbols()}})
        return float(value) if value.is_number and value.is_real else None
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, (list, tuple)):
        return [number(each) for each in value]
    return float(value) if isinstance(value, (int, float)) else None


def symbols() -> list[tuple[str, Any]]:
    """Returns the program's variables that are symbols."""
    return [(name, each) for name, each in space.items() if name in NUMBERS and getattr(each, "is_Symbol", False)]


def show(variables: dict[str, Any]) -> None:
    for name, value in variables.items():
        if not name.startswith("__") and not isinstance(value, ModuleType) and not callable(value):
            if (found := number(value)) is not None:
                shown.setdefault(name, []).append(found)
            elif hasattr(value, "__dict__") and type(value).__module__ == "__main__":
                show(vars(value))


def profiled(frame: FrameType, event: str, returned: Any) -> None:
    if event == "return" and frame.f_code.co_filename == FILE and frame.f_code.co_name != "<module>":
        show(frame.f_locals)
        if (found := number(returned)) is not None:
            shown.setdefault("returned", []).append(found)


def call(function: Callable[..., Any], *first: Any) -> Any:
    names = [*inspect.signature(function).parameters][len(first) :]
    return function(*first, *(argument(name, text) for name in names))


text = Path(FILE).read_text(encoding="utf-8")
space: dict[str, Any] = {**NUMBERS, "__name__": "__main__"}
sys.setprofile(profiled)
exec(compile(text, FILE, "exec"), space)
show(space)
for each in list(space.values()):
    if inspect.isfunction(each) and each.__code__.co_filename == FILE:
        call(each)
    elif inspect.isclass(each) and each.__module__ == "__main__" and each is not Constants:
        made = call(each) if "__init__" in vars(each) else each()
        for name, method in vars(each).items():
            if inspect.isfunction(method) and name != "__init__":
                call(method, made)
sys.setprofile(None)
sys.stdout.write(json.dumps(shown))
