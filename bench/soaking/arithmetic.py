"""Values of the arithmetic that robot files hold, in floats; shares nothing with qddot's own reader."""

from __future__ import annotations

import ast
import math
import operator
import re
from collections.abc import Callable, Mapping
from typing import Any

OPERATIONS: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
}
FUNCTIONS = {"sin": math.sin, "cos": math.cos, "sqrt": math.sqrt}


def value(text: Any, known: Mapping[str, float]) -> float:
    """Returns the number that a text such as "2*phi + 90deg" means, with the symbols' values."""
    if isinstance(text, int | float):
        return float(text)
    degrees = re.sub(r"(\d+(?:\.\d+)?(?:e-?\d+)?)deg\b", r"(\1*pi/180)", str(text))
    return _value(ast.parse(degrees.replace("^", "**").strip(), mode="eval").body, {"pi": math.pi, **known})


def _value(node: ast.expr, known: Mapping[str, float]) -> float:
    match node:
        case ast.Constant(value=int() | float() as number):
            return float(number)
        case ast.Name(id=name):
            return known[name]
        case ast.UnaryOp(op=ast.USub(), operand=part):
            return -_value(part, known)
        case ast.BinOp(left=left, op=sign, right=right):
            return float(OPERATIONS[type(sign)](_value(left, known), _value(right, known)))
        case ast.Call(func=ast.Name(id=name), args=[part]):
            return FUNCTIONS[name](_value(part, known))
    raise ValueError(f"arithmetic that the soak does not read: {ast.unparse(node)}")
