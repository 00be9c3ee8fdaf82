"""Computes what signs between the values of programs mean: +, *, @, <, and the rest."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product as all_pairs
from typing import Any

from qddot.teach.check.reading.programs.arrays import formula_of, key_of, number_of, values_of
from qddot.teach.check.reading.programs.stating import entry_of as entry
from qddot.teach.check.reading.programs.values import (
    ATOM,
    MOST_VALUES,
    POWER,
    PRODUCT,
    SUM,
    Array,
    Formula,
    Interprets,
    Stating,
    UnknownError,
    array_of,
    bound,
    is_listed,
    joined,
    whole,
)

COMPARED: dict[str, Callable[[Any, Any], bool]] = {
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
}


class Inverse:
    """This is the inverse of a matrix."""

    def __init__(self, of: Formula) -> None:
        self.of = of


def binary(interpreter: Interprets, sign: str, left: Any, right: Any, at: int) -> Any:
    """Returns the value of two values with a sign between them."""
    if sign in COMPARED and isinstance(left, Formula) and isinstance(right, Formula):
        is_known = left.whole is not None and right.whole is not None
        if not is_known:
            return joined(["(", left, f" {sign} ", right, ")"], at)
    if sign in COMPARED or sign in ("in", "not in", "is", "is not"):
        return _compared(sign, left, right)
    if isinstance(left, Inverse) and sign in "*@":
        return Stating(left.of, formula_of(interpreter, right, at), is_system=True)
    if sign == "\\":
        return Stating(formula_of(interpreter, left, at), formula_of(interpreter, right, at), is_system=True)
    if is_listed(left) and is_listed(right) and sign == "+":
        return [*left, *right]
    if is_listed(left) and sign == "*" and isinstance(right, Formula):
        return [*left] * min(number_of(right), MOST_VALUES)
    left, right = (array_of(each) if is_listed(each) else each for each in (left, right))
    if isinstance(left, str) or isinstance(right, str):
        return ""
    if sign.startswith("."):
        sign = sign[1:].replace("^", "**")
        return _entrywise(interpreter, sign, left, right, at)
    if isinstance(left, Array) or isinstance(right, Array):
        return _of_arrays(interpreter, sign, left, right, at)
    if not (isinstance(left, Formula) and isinstance(right, Formula)):
        raise UnknownError("this is no formula")
    return _of_formulas(interpreter, sign, left, right, at)


def _compared(sign: str, left: Any, right: Any) -> bool:
    if sign in ("is", "is not"):
        if left is None or right is None or isinstance(left, bool):
            return (left is right) == (sign == "is")
        raise UnknownError("whether the condition holds is not known")
    if sign in ("in", "not in"):
        keys = [*right] if isinstance(right, (dict, str)) else [key_of(each) for each in right]
        return (key_of(left) in keys) == (sign == "in")
    if isinstance(left, Formula) and isinstance(right, Formula):
        return COMPARED[sign](number_of(left), number_of(right))
    if isinstance(left, str) and isinstance(right, str):
        return COMPARED[sign](left, right)
    raise UnknownError("whether the condition holds is not known")


def _of_arrays(interpreter: Interprets, sign: str, left: Any, right: Any, at: int) -> Any:
    arrays = [each for each in (left, right) if isinstance(each, Array)]
    is_matrix = any(each.is_matrix for each in arrays)
    both = isinstance(left, Array) and isinstance(right, Array)
    other = right if isinstance(left, Array) else left
    is_scalar = not both and isinstance(other, Formula) and other.shape == ()
    if both and is_matrix and sign in "*@" and left.shape[1:] == (1,) and right.shape[0] == 1:
        entries = [
            binary(interpreter, "*", entry(left, i), entry(right, j), at)
            for i, j in all_pairs(range(len(left.entries)), range(len(right.entries)))
        ]
        return Array((left.shape[0], right.shape[1]), entries, True)
    if sign == "@" or (sign == "*" and is_matrix and not is_scalar):
        return product(formula_of(interpreter, left, at), formula_of(interpreter, right, at), at)
    if sign in "*/" and is_scalar and is_matrix and any(each.name is None for each in arrays):
        return _entrywise(interpreter, sign, left, right, at)
    if sign in "+-" and not is_scalar:
        if both and left.shape == right.shape and not (left.name and right.name):
            return _entrywise(interpreter, sign, left, right, at)
        return _of_written(interpreter, sign, left, right, at)
    if both or is_scalar:
        if is_matrix and (both or sign not in "*/"):
            raise UnknownError("this sign between matrices is not read")
        if is_scalar and sign == "*" and arrays[0].name is not None:
            return _of_written(interpreter, sign, left, right, at)
        return _entrywise(interpreter, sign, left, right, at)
    return _of_written(interpreter, sign, left, right, at)


def _of_written(interpreter: Interprets, sign: str, left: Any, right: Any, at: int) -> Formula:
    """Returns two arrays as formulas with a sign between them."""
    return _of_formulas(interpreter, sign, formula_of(interpreter, left, at), formula_of(interpreter, right, at), at)


def _entrywise(interpreter: Interprets, sign: str, left: Any, right: Any, at: int) -> Any:
    """Returns an array whose entries are those of two arrays, or of one and a number, with a sign between them."""
    arrays = [each for each in (left, right) if isinstance(each, Array)]
    if not arrays:
        return _of_formulas(interpreter, sign, left, right, at)
    shape = arrays[0].shape
    if any(each.shape != shape for each in arrays):
        raise UnknownError("the shapes of two arrays differ")
    sides = (
        [entry(each, k) for k in range(len(each.entries))]
        if isinstance(each, Array)
        else [each] * len(arrays[0].entries)
        for each in (left, right)
    )
    entries = [binary(interpreter, sign, a, b, at) for a, b in zip(*sides, strict=True)]
    return Array(shape, entries, arrays[0].is_matrix)


def product(left: Formula, right: Formula, at: int) -> Formula:
    """Returns the product of two matrices, or of a matrix and a column, as a formula."""
    whole_product = joined([bound(left, PRODUCT), "*", bound(right, POWER)], at, PRODUCT)
    return whole_product._replace(shape=_shape_of_product(left.shape, right.shape))


def _shape_of_product(left: tuple[int, ...] | None, right: tuple[int, ...] | None) -> tuple[int, ...] | None:
    if left is None or right is None:
        return None
    if not left or not right:
        return left or right
    return (*left[:-1], *right[1:])


def _of_formulas(interpreter: Interprets, sign: str, left: Formula, right: Formula, at: int) -> Formula:
    a, b = left.whole, right.whole
    if sign == "^" and interpreter.program.language.caret:
        sign = "**"
    if a is not None and b is not None and sign in ("//", "%") and b:
        return whole(a // b if sign == "//" else a % b, at)
    if sign == "/" and interpreter.program.language.divides_whole and a is not None and b:
        return whole(int(a / b), at)
    if sign in ("+", "-") and left.text == "0" and sign == "+":
        return right
    if sign in ("+", "-") and right.text == "0":
        return left
    parts: list[str | Formula]
    if sign in ("+", "-"):
        behind = bound(right, PRODUCT if not right.text.startswith("-") else ATOM)
        parts, level = [left, f" {sign} ", behind], SUM
    elif sign in ("*", "/", "@"):
        parts, level = [bound(left, PRODUCT), "*" if sign == "@" else sign, bound(right, POWER)], PRODUCT
    elif sign == "**":
        parts, level = [bound(left, ATOM), "**", bound(right, ATOM)], POWER
    else:
        raise UnknownError(f"the sign {sign} is not read")
    shape = _shape_of_product(left.shape, right.shape) if sign in ("*", "@") else left.shape or right.shape
    if sign not in ("*", "@") and None in (left.shape, right.shape):
        shape = left.shape or right.shape or None
    value = joined(parts, at, level, shape)
    computed = None
    if a is not None and b is not None:
        computed = {"+": a + b, "-": a - b, "*": a * b}.get(sign)
    if computed is None and sign == "**" and a is not None and b is not None and 0 <= b <= 20 and abs(a) <= 100:
        computed = a**b
    return value._replace(whole=computed, is_number=left.is_number and right.is_number)


def transposed(interpreter: Interprets, value: Any, at: int) -> Any:
    if isinstance(value, Array) and (value.name is None or len(value.shape) == 1 or value.shape[0] == 1):
        if len(value.shape) == 1:
            return value
        rows = [[entry(value, i * value.shape[1] + j) for j in range(value.shape[1])] for i in range(value.shape[0])]
        entries = [each for turned in zip(*rows, strict=True) for each in turned]
        return Array(value.shape[::-1], entries, value.is_matrix)
    own = formula_of(interpreter, value, at)
    return joined([bound(own, ATOM), "'"], at, ATOM, own.shape[::-1] if own.shape else own.shape)


def total(interpreter: Interprets, arguments: list[Any], by_name: dict[str, Any], at: int) -> Any:
    values = list(values_of(interpreter, arguments[0], at))
    total = arguments[1] if len(arguments) > 1 and not is_listed(arguments[1]) else whole(0, at)
    for each in values:
        is_zero = isinstance(total, Formula) and total.text == "0"
        total = each if is_zero else binary(interpreter, "+", total, each, at)
    return total
