"""Runs function files of MATLAB that are exported, statement by statement, in Python."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np

MATRIX = re.compile(r"\[([^\[\]]*)\]")
KNOWN: dict[str, Any] = {name: getattr(np, name) for name in ("cos", "sin", "tan", "exp", "sqrt", "tanh", "sign", "pi")}


def function(source: str) -> Callable[..., Any]:
    """Returns the function of a file: numbers, and columns as arrays of shape (n, 1)."""
    code = "\n".join(line.partition("%")[0] for line in re.sub(r"\.\.\.\n\s*", "", source).splitlines())
    header, body = code.strip().removesuffix("end").split("\n", 1)
    head = re.fullmatch(r"function (\w+) = \w+\(([\w, ]+)\)", header.strip())
    assert head is not None
    result, names = head[1], head[2].split(", ")
    optional = re.search(r"if nargin < (\d+)\n(.*)\n\s*end\n", body)
    assert optional is not None
    assert int(optional[1]) == len(names)
    statements = [each.strip() for each in re.split(r";\s*$|;  ", body.replace(optional[0], ""), flags=re.MULTILINE)]

    def run(*given: Any) -> Any:
        known = {**KNOWN, "zeros": lambda *sizes: np.zeros(sizes), "block": block, "solve": np.linalg.solve}
        known |= dict(zip(names, given, strict=False))
        if len(given) < len(names):
            _assign(optional[2].strip(" ;"), known)
        for statement in filter(None, statements):
            _assign(statement, known)
        return known[result]

    return run


def block(text: str, known: dict[str, Any]) -> Any:
    """Returns a matrix whose rows stand between semicolons."""
    return np.block([[eval(_python(cell), known) for cell in row.split(",")] for row in text.split(";")])


def _assign(statement: str, known: dict[str, Any]) -> None:
    left, right = statement.split(" = ", 1)
    for k, matrix in enumerate(MATRIX.findall(right)):
        known[f"matrix{k}"] = np.atleast_2d(block(matrix, known))
        right = right.replace(f"*[{matrix}]", f" @ matrix{k}").replace(f"[{matrix}]", f"matrix{k}")
    right = re.sub(r"^(\w+) \\ (.*)$", r"solve(\1, \2)", right, flags=re.DOTALL)
    value = eval(re.sub(r"^@\((.*?)\)", r"lambda \1:", _python(right)), known)
    place = re.fullmatch(r"(\w+)\((\d+), (\d+)\)", left)
    if place is None:
        known[left] = value
    else:
        known[place[1]][int(place[2]) - 1, int(place[3]) - 1] = value


def _python(expression: str) -> str:
    """Returns an expression in Python: z(1) is z[0]."""
    plain = re.sub(r"\bz\((\d+)\)", lambda match: f"z[{int(match[1]) - 1}]", expression)
    return plain.strip().replace("^", "**").replace("\n", " ")
