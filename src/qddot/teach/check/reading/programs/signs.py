"""Computes what signs between the values of programs mean: +, *, @, <, and the rest."""

from __future__ import annotations

import operator as op
from itertools import product as all_pairs
from typing import Any

from qddot.base.words.message import say
from qddot.teach.check.reading.programs.arrays import formula_of, key_of, number_of, of_each, values_of
from qddot.teach.check.reading.programs.stating import entries_of
from qddot.teach.check.reading.programs.values import (
    ATOM,
    MOST_VALUES,
    POWER,
    PRODUCT,
    SIGN,
    SUM,
    Array,
    Formula,
    Inverse,
    Stating,
    UnknownError,
    bound,
    is_listed,
    joined,
    unlisted,
    whole,
)

COMPARED: dict[str, Any] = dict(
    zip(("<", "<=", ">", ">=", "==", "!="), (op.lt, op.le, op.gt, op.ge, op.eq, op.ne), strict=True)
)
CUT = "cut/"  # the quotient of whole numbers in C, 1/2 = 0
TIMES, OVER = ("*", "@"), ("/", CUT)


def binary(sign: str, left: Any, right: Any, at: int) -> Any:
    """Returns the value of two values with a sign between them."""
    if (
        sign in COMPARED
        and isinstance(left, Formula)
        and isinstance(right, Formula)
        and None in (left.whole, right.whole)
    ):
        return joined(["(", left, f" {sign} ", right, ")"], at)
    if sign in COMPARED or sign in ("in", "not in", "is", "is not"):
        return _compared(sign, left, right)
    if isinstance(left, Inverse) and sign in TIMES:
        return Stating(left.of, formula_of(right, at), is_system=True)
    if sign == "\\":
        return Stating(formula_of(left, at), formula_of(right, at), is_system=True)
    if is_listed(left) and is_listed(right) and sign == "+":
        return [*left, *right]
    if is_listed(left) and sign == "*" and isinstance(right, Formula):
        return [*left] * min(number_of(right), MOST_VALUES)
    if isinstance(left, str) or isinstance(right, str):
        return ""
    left, right = unlisted(left), unlisted(right)
    if sign.startswith("."):
        return _entrywise(sign[1:].replace("^", "**"), left, right, at)
    if isinstance(left, Array) or isinstance(right, Array):
        return _of_arrays(sign, left, right, at)
    return _of_formulas(sign, formula_of(left, at), formula_of(right, at), at)


def unary(sign: str, value: Any, at: int) -> Any:
    """Returns the value of a sign before a value."""
    if sign == "T":
        return transposed(value, at)
    if sign == "not":
        if isinstance(value, bool):
            return not value
        raise UnknownError(say("whether-condition-holds-not"))
    if isinstance(value, Array) and value.name is None:
        return of_each(lambda entry: unary(sign, entry, at), value, at)
    value = formula_of(value, at)
    if sign == "+":
        return value
    negative = joined(["-", bound(value, PRODUCT)], at, SIGN, value.shape)
    return negative._replace(whole=None if value.whole is None else -value.whole, is_number=value.is_number)


def _compared(sign: str, left: Any, right: Any) -> bool:
    if sign in ("is", "is not") and (left is None or right is None or isinstance(left, bool)):
        return (left is right) == (sign == "is")
    if sign in ("in", "not in"):
        keys = [*right] if isinstance(right, (dict, str)) else [key_of(each) for each in right]
        return (key_of(left) in keys) == (sign == "in")
    if sign in COMPARED and isinstance(left, Formula) and isinstance(right, Formula):
        return bool(COMPARED[sign](left.whole, right.whole))
    if sign in COMPARED and isinstance(left, str) and isinstance(right, str):
        return bool(COMPARED[sign](left, right))
    raise UnknownError(say("whether-condition-holds-not"))


def _of_arrays(sign: str, left: Any, right: Any, at: int) -> Any:
    arrays = [each for each in (left, right) if isinstance(each, Array)]
    is_matrix = any(each.is_matrix for each in arrays)
    both = len(arrays) == 2
    other = right if isinstance(left, Array) else left
    is_scalar = not both and isinstance(other, Formula) and other.shape == ()
    if both and is_matrix and sign in TIMES and left.shape[1:] == (1,) and right.shape[0] == 1:
        pairs = all_pairs(entries_of(left), entries_of(right))
        return Array((left.shape[0], right.shape[1]), [binary("*", a, b, at) for a, b in pairs], True)
    if sign == "@" or (sign == "*" and is_matrix and not is_scalar):
        return product(formula_of(left, at), formula_of(right, at), at)
    if sign in ("+", "-") and not is_scalar:
        is_written = not both or left.shape != right.shape or (left.name and right.name)
    elif is_scalar and is_matrix and (sign in OVER or sign == "*"):
        is_written = sign == "*" and arrays[0].name is not None
    elif is_matrix and (both or is_scalar):
        raise UnknownError(say("sign-between-matrices-not"))
    else:
        is_written = not both and (not is_scalar or (sign == "*" and arrays[0].name is not None))
    if is_written:
        return _of_formulas(sign, formula_of(left, at), formula_of(right, at), at)
    return _entrywise(sign, left, right, at)


def _entrywise(sign: str, left: Any, right: Any, at: int) -> Any:
    """Returns an array whose entries are those of two arrays, or of one and a number, with a sign between them."""
    arrays = [each for each in (left, right) if isinstance(each, Array)]
    if not arrays:
        return _of_formulas(sign, left, right, at)
    if any(each.shape != arrays[0].shape for each in arrays):
        raise UnknownError(say("shapes-two-arrays-differ"))
    size = len(arrays[0].entries)
    sides = (entries_of(each) if isinstance(each, Array) else [each] * size for each in (left, right))
    entries = [binary(sign, a, b, at) for a, b in zip(*sides, strict=True)]
    return Array(arrays[0].shape, entries, arrays[0].is_matrix)


def product(left: Formula, right: Formula, at: int) -> Formula:
    """Returns the product of two matrices, or of a matrix and a column, as a formula."""
    shape = None
    if left.shape is not None and right.shape is not None:
        is_inner = bool(left.shape and right.shape)
        shape = (*left.shape[:-1], *right.shape[1:]) if is_inner else left.shape or right.shape
    return joined([bound(left, PRODUCT), "*", bound(right, POWER)], at, PRODUCT, shape)


def _of_formulas(sign: str, left: Formula, right: Formula, at: int) -> Formula:
    a, b = left.whole, right.whole
    if a is not None and b and sign in ("//", "%", CUT):
        return whole(int(a / b) if sign == CUT else a // b if sign == "//" else a % b, at)
    if sign == "+" and left.text == "0":
        return right
    if sign in ("+", "-") and right.text == "0":
        return left
    shape = left.shape or right.shape or (None if None in (left.shape, right.shape) else ())
    if sign in ("+", "-"):
        behind = bound(right, PRODUCT if not right.text.startswith("-") else ATOM)
        value = joined([left, f" {sign} ", behind], at, SUM, shape)
    elif sign in TIMES:
        value = product(left, right, at)
    elif sign in OVER:
        value = joined([bound(left, PRODUCT), "/", bound(right, POWER)], at, PRODUCT, shape)
    elif sign == "**":
        value = joined([bound(left, ATOM), "**", bound(right, ATOM)], at, POWER, shape)
    else:
        raise UnknownError(say("sign-not-read", sign=sign))
    computed = None
    if a is not None and b is not None:
        computed = {"+": a + b, "-": a - b, "*": a * b}.get(sign)
        if sign == "**" and 0 <= b <= 20 and abs(a) <= 100:
            computed = a**b
    return value._replace(whole=computed, is_number=left.is_number and right.is_number)


def transposed(value: Any, at: int) -> Any:
    """Returns a matrix whose rows are the columns of another."""
    if isinstance(value, Array) and (value.name is None or len(value.shape) == 1 or value.shape[0] == 1):
        if len(value.shape) == 1:
            return value
        entries, width = entries_of(value), value.shape[1]
        return Array(value.shape[::-1], [each for j in range(width) for each in entries[j::width]], value.is_matrix)
    own = formula_of(value, at)
    return joined([bound(own, ATOM), "'"], at, ATOM, own.shape[::-1] if own.shape else own.shape)


def total(values: Any, at: int, first: Any = None) -> Any:
    """Returns the sum of the values of a list or an array."""
    result = whole(0, at) if first is None else first
    for each in values_of(values, at):
        is_zero = isinstance(result, Formula) and result.text == "0"
        result = each if is_zero else binary("+", result, each, at)
    return result
