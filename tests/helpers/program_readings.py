"""Evaluates the equations that the interpreter reads in a program, with a drawn number for each name."""

from __future__ import annotations

import ast
import math
import random
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from qddot.teach.check.reading import answer_files
from qddot.teach.check.reading.texts.written import Written

FUNCTIONS: dict[str, Any] = {"sin": math.sin, "cos": math.cos, "sqrt": math.sqrt, "tan": math.tan, "abs": abs}
OF_SCOPE = re.compile(r"In\d+$")


class UnreadError(Exception):
    """An equation has something that is not evaluated here, such as a product of matrices."""


def drawn(name: str) -> float:
    return random.Random(name).uniform(0.4, 1.6)


def equations(path: Path) -> list[tuple[str, str]]:
    text, form = answer_files.text_of(path)
    assert form.rewritten is not None
    lines = form.rewritten(Written(text, str(path), text)).text.splitlines()
    return [(left.strip(), right.strip()) for line in lines for left, sign, right in [line.partition(" = ")] if sign]


def free_names(stated: list[tuple[str, str]]) -> set[str]:
    """Returns the names, with a single index, that the equations use and do not define."""
    own = {left for left, _ in stated}
    used = set()
    for _, right in stated:
        for name, index in re.findall(r"(?<![\w.])([^\W\d]\w*)(\[\d+\])?", right):
            used.add(name + index)
    return {name for name in used if name not in own and name.split("[")[0] not in (*FUNCTIONS, "unread", "pi")}


def values(stated: list[tuple[str, str]]) -> dict[str, Any]:
    """Returns the values of all names that can be computed."""
    found: dict[str, Any] = {}
    for left, right in stated:
        try:
            found[left] = _value(ast.parse(right.replace("^", "**"), mode="eval").body, found)
        except (SyntaxError, UnreadError, ZeroDivisionError, OverflowError):
            found[left] = None
    return {name: value for name, value in found.items() if value is not None}


def _value(node: ast.expr, known: dict[str, Any]) -> Any:
    match node:
        case ast.Constant(value=int() | float() as number):
            return float(number)
        case ast.List():
            return [_value(each, known) for each in node.elts]
        case ast.UnaryOp(op=ast.USub()):
            return -_number(node.operand, known)
        case ast.UnaryOp(op=ast.UAdd()):
            return _number(node.operand, known)
        case ast.BinOp():
            left, right = _number(node.left, known), _number(node.right, known)
            match node.op:
                case ast.Add():
                    return left + right
                case ast.Sub():
                    return left - right
                case ast.Mult():
                    return left * right
                case ast.Div():
                    return left / right
                case ast.Pow():
                    return left**right
        case ast.Call(func=ast.Name(id=name), args=[argument]) if name in FUNCTIONS:
            return FUNCTIONS[name](_number(argument, known))
        case ast.Name(id="pi" | "M_PI"):
            return math.pi
        case ast.Name(id=name):
            if (name in known and known[name] is None) or name == "unread":
                raise UnreadError
            return known.get(name, drawn(name))
        case ast.Subscript() if isinstance(_root(node), ast.Name):
            text = re.sub(r"[ ()]", "", ast.unparse(node)).replace("][", ",")
            if text in known:
                if known[text] is None:
                    raise UnreadError
                return known[text]
            whole = known.get(text.partition("[")[0])
            indices = [int(k) for k in re.findall(r"\d+", text.partition("[")[2])]
            if whole is None:
                return drawn(text)
            for k in indices:
                whole = whole[k]
            return whole
    raise UnreadError


def _root(node: ast.expr) -> ast.expr:
    while isinstance(node, ast.Subscript):
        node = node.value
    return node


def _number(node: ast.expr, known: dict[str, Any]) -> float:
    value = _value(node, known)
    if not isinstance(value, float):
        raise UnreadError
    return value


def differing(stated: list[tuple[str, str]], shown: dict[str, list[Any]]) -> tuple[int, list[str]]:
    """Returns how many values of the reading a run has, and those that it has otherwise.

    shown: the values of each name in a run, and what its functions return under their names
    """
    by_name: dict[str, list[Any]] = {}
    for name, some in shown.items():
        by_name.setdefault(_plain(name), []).extend(some)
    count, others = 0, []
    for name, value in values(stated).items():
        whole, _, indices = OF_SCOPE.sub("", name).partition("[")
        parts = [*by_name.get(_plain(name), ()), *_parts(by_name.get(whole, ()), re.findall(r"\d+", indices))]
        if any(_same(value, part) for part in parts):
            count += 1
        elif parts and "Before" not in name:
            others.append(f"{name}: read as {value}, in fact {parts}")
    return count, others


def _plain(name: str) -> str:
    """Returns M_0_1 for M[0,1], M[0][1] and M(0, 1)."""
    return re.sub(r"[\[\](),\s]+", "_", OF_SCOPE.sub("", name)).strip("_")


def _parts(arrays: Iterable[Any], indices: Sequence[str]) -> Iterator[Any]:
    for array in arrays if indices else ():
        with suppress(IndexError, TypeError):
            for index in indices:
                array = array[int(index)]
            yield array


def _same(one: Any, other: Any) -> bool:
    a, b = _flat(one), _flat(other)
    return len(a) == len(b) and all(
        y is not None and math.isclose(x, y, abs_tol=1e-9) for x, y in zip(a, b, strict=True)
    )


def _flat(value: Any) -> list[Any]:
    return [each for part in value for each in _flat(part)] if isinstance(value, list) else [value]
