"""The functions of NumPy, SymPy, CasADi and Python that programs may call, over written formulas."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields, is_dataclass
from itertools import product as all_pairs
from typing import Any

from qddot.teach.check.reading.programs import form
from qddot.teach.check.reading.programs.brackets import brackets
from qddot.teach.check.reading.programs.stating import entry_of as entry
from qddot.teach.check.reading.programs.stating import literal
from qddot.teach.check.reading.programs.values import (
    ATOM,
    POWER,
    PRODUCT,
    SUM,
    Array,
    Formula,
    Frame,
    Function,
    Interprets,
    Library,
    Object,
    Stating,
    Symbols,
    UnknownError,
    array_of,
    atom,
    bound,
    formulas,
    is_listed,
    joined,
    part_of,
    whole,
)

MOST_VALUES = 300  # of a range or an array
MODULES = {
    *("np", "numpy", "math", "sp", "sy", "sym", "sympy", "me", "mechanics", "smp", "ca", "casadi", "jnp", "jax"),
    *("linalg", "functools", "itertools", "physics", "vector"),
}
LIBRARIES = {"numpy", "math", "sympy", "scipy", "casadi", "jax", "autograd", "functools", "itertools", "types", "copy"}
COMPARED: dict[str, Callable[[Any, Any], bool]] = {
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
}
# functions that write a formula in another way
WITHOUT_EFFECT = (
    "simplify trigsimp expand factor nsimplify expand_trig radsimp S N sympify Integer evalf doit copy tolist "
    "as_mutable ravel squeeze astype asarray_chkfinite together cancel collect powsimp vpa n deepcopy atleast_1d "
    "ImmutableDenseMatrix freeze"
)
METHODS_OF_FORMULAS = (
    "T transpose diff jacobian dot inv LUsolve solve subs xreplace simplify trigsimp expand evalf doit factor copy "
    "flatten ravel reshape tolist sum cumsum shape size rows cols row col cross norm det adjugate as_mutable "
    "applyfunc is_zero n collect rewrite args func free_symbols squeeze astype append"
)


class Inverse:
    """This is the inverse of a matrix."""

    def __init__(self, of: Formula) -> None:
        self.of = of


# values as formulas


def formula_of(interpreter: Interprets, value: Any, at: int) -> Formula:
    """Returns a value as a formula: an array by its name, or by its entries if it has none."""
    if isinstance(value, Formula):
        return value
    if isinstance(value, Array):
        return interpreter.equations.named(value) or literal(value, at)
    if is_listed(value):
        return formula_of(interpreter, array_of(value), at)
    raise UnknownError("this is no formula")


def column(entries: Sequence[Formula], at: int) -> Formula:
    return literal(Array((len(entries),), list(entries)), at)


def key_of(value: Any) -> Any:
    """Returns the key of a dictionary's entry."""
    if isinstance(value, Formula):
        return value.whole if value.whole is not None else value.text
    if is_listed(value):
        return tuple(map(key_of, value))
    if isinstance(value, (str, bool)):
        return value
    raise UnknownError("the key of a dictionary is not known")


def number_of(value: Any) -> int:
    if isinstance(value, Formula) and value.whole is not None:
        return value.whole
    raise UnknownError("a whole number is not known")


def values_of(interpreter: Interprets, value: Any, at: int) -> Iterator[Any]:
    """Yields the values over which a loop goes."""
    if isinstance(value, Array):
        interpreter.equations.named(value)
        if len(value.shape) == 1 or value.is_matrix:
            yield from (entry(value, k) for k in range(len(value.entries)))
        else:
            width = len(value.entries) // max(value.shape[0], 1)
            for i in range(value.shape[0]):
                yield Array(value.shape[1:], [entry(value, i * width + j) for j in range(width)])
    elif isinstance(value, dict):
        yield from (whole(key, at) if isinstance(key, int) else key for key in value)
    elif is_listed(value) or isinstance(value, str):
        yield from value
    elif isinstance(value, Formula) and value.shape:
        yield from (part_of(value, (k,), at) for k in range(value.shape[0]))
    else:
        raise UnknownError("the values of a loop are not known")


def item(interpreter: Interprets, value: Any, indices: tuple[form.Expression, ...], frame: Frame, at: int) -> Any:
    """Returns the value at indices, or the part of an array at slices."""
    if isinstance(value, dict):
        key = key_of(interpreter.value(indices[0], frame) if len(indices) == 1 else _keys(interpreter, indices, frame))
        if key not in value:
            raise UnknownError(f"the dictionary has no {key!r}")
        found = value[key]
        is_symbol = isinstance(found, Formula) and found.is_number and isinstance(key, str)
        return atom(key, at) if is_symbol else found
    if isinstance(value, Object):
        return atom(str(key_of(interpreter.value(indices[0], frame))), at)
    if isinstance(value, Formula) and len(indices) == 1 and isinstance(indices[0], form.String):
        return atom(indices[0].text, at)
    if is_listed(value):
        first = indices[0]
        if isinstance(first, form.Slice):
            return value[_slice(interpreter, first, frame)]
        found = _at(value, interpreter.number(first, frame))
        return item(interpreter, found, indices[1:], frame, at) if indices[1:] else found
    if isinstance(value, Array):
        return _part(interpreter, value, indices, frame)
    if isinstance(value, Formula) and value.shape and len(value.shape) == 2 and any(map(_is_slice, indices)):
        by_row = value.shape[1] == 1
        cells: list[tuple[int, ...]] = [(i,) if by_row else (i, j) for i, j in all_pairs(*map(range, value.shape))]
        entries = Array(value.shape, [part_of(value, cell, at) for cell in cells], True)
        return _part(interpreter, entries, indices, frame)
    if isinstance(value, Formula):
        if len(indices) == 1 and isinstance(indices[0], form.Slice):
            if not value.shape and indices[0].last is None:
                raise UnknownError("the length of a slice is not known")
            own = _slice(interpreter, indices[0], frame)
            places = range(*own.indices(value.shape[0] if value.shape else own.stop))
            return Array((len(places),), [part_of(value, (k,), at) for k in places])
        return part_of(value, tuple(interpreter.number(each, frame) for each in indices), at)
    raise UnknownError("this has no entries")


def _is_slice(index: form.Expression) -> bool:
    return isinstance(index, form.Slice)


def _keys(interpreter: Interprets, indices: Sequence[form.Expression], frame: Frame) -> tuple[Any, ...]:
    return tuple(interpreter.value(each, frame) for each in indices)


def _at(values: Sequence[Any], k: int) -> Any:
    if not -len(values) <= k < len(values):
        raise UnknownError(f"there is no entry {k}")
    return values[k]


def _slice(interpreter: Interprets, part: form.Slice, frame: Frame) -> slice:
    return slice(
        *(None if each is None else interpreter.number(each, frame) for each in (part.first, part.last, part.step))
    )


def _places(interpreter: Interprets, array: Array, indices: Sequence[form.Expression], frame: Frame) -> list[Any]:
    """Returns for each axis the index, or the range of indices of a slice."""
    sizes = array.shape if len(indices) > 1 or not array.is_matrix else (len(array.entries),)
    if len(indices) > len(sizes):
        raise UnknownError("an array has fewer indices")
    places: list[Any] = []
    for each, size in zip(indices, sizes, strict=False):
        if isinstance(each, form.Slice):
            places.append(range(size)[_slice(interpreter, each, frame)])
        else:
            places.append(_at(range(size), interpreter.number(each, frame)))
    return [*places, *(range(size) for size in sizes[len(indices) :])]


def _offsets(array: Array, spans: Sequence[Sequence[int]]) -> list[int]:
    """Returns the places among an array's entries of those in ranges of indices."""
    steps = [1] * len(spans)
    for axis in reversed(range(len(spans) - 1)):
        steps[axis] = steps[axis + 1] * array.shape[axis + 1]
    return [sum(k * step for k, step in zip(each, steps, strict=True)) for each in all_pairs(*spans)]


def _part(interpreter: Interprets, array: Array, indices: Sequence[form.Expression], frame: Frame) -> Any:
    places = _places(interpreter, array, indices, frame)
    spans = [each if isinstance(each, range) else (each,) for each in places]
    offsets = _offsets(array, spans)
    entries = [entry(array, k) for k in offsets]
    if not any(isinstance(each, range) for each in places):
        return entries[0]
    shape = tuple(len(each) for each in spans)
    if not array.is_matrix:
        shape = tuple(len(each) for each in places if isinstance(each, range))
    elif len(shape) == 1:
        shape = (*shape, 1)
    return Array(shape, entries, array.is_matrix)


def set_entry(interpreter: Interprets, value: Any, target: form.Index, new: Any, frame: Frame) -> None:
    """Changes an entry of a list, a dictionary or an array."""
    indices = target.indices
    if isinstance(value, dict):
        value[
            key_of(interpreter.value(indices[0], frame) if len(indices) == 1 else _keys(interpreter, indices, frame))
        ] = new
    elif isinstance(value, list) and len(indices) == 1 and not isinstance(indices[0], form.Slice):
        k = interpreter.number(indices[0], frame)
        _at(value, k)
        value[k] = new
    elif isinstance(value, Array):
        places = _places(interpreter, value, indices, frame)
        interpreter.equations.change(value, target.span[0])
        offsets = _offsets(value, [each if isinstance(each, range) else (each,) for each in places])
        if any(isinstance(each, range) for each in places) and not (isinstance(new, Formula) and new.shape == ()):
            news = list(formulas(new if not isinstance(new, Formula) else list(values_of(interpreter, new, 0))))
        else:
            news = [formula_of(interpreter, new, target.span[0])] * len(offsets)
        if len(news) != len(offsets):
            raise UnknownError("the shapes do not fit")
        for k, each in zip(offsets, news, strict=True):
            value.entries[k] = each
    elif isinstance(value, Formula) and value.shape is None and frame.is_stated:
        left = part_of(value, tuple(interpreter.number(each, frame) for each in indices), target.span[0])
        interpreter.equations.state(left, formula_of(interpreter, new, target.span[0]))
    else:
        raise UnknownError("this has no entries")


def attribute(interpreter: Interprets, value: Any, name: str, expression: form.Attribute) -> Any:
    """Returns a field of an object, a method, or a function of a module."""
    at = expression.span[0]
    if isinstance(value, Object):
        if name in value.fields:
            return value.fields[name]
        return value.functions.get(name) or atom(name, at, None)
    if isinstance(value, Library) and value.of is None:
        if name in ("pi", "_t", "t"):
            return atom("pi" if name == "pi" else "t", at)
        return Library(name)
    if name in ("T", "mT"):
        return transposed(interpreter, value, at)
    if name == "shape" and isinstance(value, Array):
        return tuple(whole(k, at) for k in value.shape)
    if name in ("rows", "cols", "size") and isinstance(value, Array):
        return whole({"rows": value.shape[0], "cols": (*value.shape, 1)[1], "size": len(value.entries)}[name], at)
    if isinstance(value, Formula) and name not in METHODS_OF_FORMULAS.split():
        return atom(name, at, None)
    return Library(name, of=value)


# signs


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


# functions


def call(interpreter: Interprets, function: Library, arguments: list[Any], by_name: dict[str, Any], at: int) -> Any:
    """Returns the value of a function of a library, or of a method."""
    if function.of is not None:
        arguments = [function.of, *arguments]
    known = FUNCTIONS.get(function.name)
    if known is None:
        raise UnknownError(f"the function {function.name} is not known")
    try:
        return known(interpreter, arguments, by_name, at)
    except (IndexError, TypeError, ValueError, AttributeError, KeyError) as error:
        raise UnknownError(f"these arguments of {function.name} are not read") from error


Known = Callable[[Interprets, list[Any], dict[str, Any], int], Any]


def _same(interpreter: Interprets, arguments: list[Any], by_name: dict[str, Any], at: int) -> Any:
    return arguments[0]


def _of_entries(name: str) -> Known:
    """Returns a function such as the cosine, of a number or of each entry of an array."""

    def function(interpreter: Interprets, arguments: list[Any], by_name: dict[str, Any], at: int) -> Any:
        value = array_of(arguments[0]) if is_listed(arguments[0]) else arguments[0]
        if isinstance(value, Array):
            own = [function(interpreter, [entry(value, k)], {}, at) for k in range(len(value.entries))]
            return Array(value.shape, own, value.is_matrix)
        inside = [formula_of(interpreter, each, at) for each in (value, *arguments[1:])]
        parts = [part for each in inside for part in (", ", each)][1:]
        return joined([f"{name}(", *parts, ")"], at, ATOM, inside[0].shape)

    return function


def _array(is_matrix: bool) -> Known:
    def function(interpreter: Interprets, arguments: list[Any], by_name: dict[str, Any], at: int) -> Any:
        if is_matrix and len(arguments) == 3:
            rows, columns = map(number_of, arguments[:2])
            if is_listed(arguments[2]):
                return Array((rows, columns), list(arguments[2]), True)
            pairs = all_pairs(range(rows), range(columns))
            entries = [interpreter.apply(arguments[2], [whole(i, at), whole(j, at)], at) for i, j in pairs]
            return Array((rows, columns), entries, True)
        value = arguments[0]
        if isinstance(value, Formula):
            return value if value.shape != () else Array((1, 1), [value], True) if is_matrix else value
        if is_listed(value) and any(isinstance(each, Formula) and each.shape for each in value):
            return array_of(
                [list(values_of(interpreter, each, at)) if each.shape else each for each in value], is_matrix
            )
        if is_listed(value) and any(isinstance(each, Stating) for each in value):
            return value
        return array_of(value, is_matrix)

    return function


def _filled(text: str) -> Known:
    def function(interpreter: Interprets, arguments: list[Any], by_name: dict[str, Any], at: int) -> Any:
        sizes = list(map(number_of, arguments[0] if is_listed(arguments[0]) else arguments[:2]))
        is_of_numpy = is_listed(arguments[0])
        is_matrix = not is_of_numpy and len(sizes) == 2
        if text == "eye" and len(sizes) == 1:
            sizes *= 2
        if (
            len(sizes) == 1
            and not is_of_numpy
            and text != "eye"
            and by_name.get("dtype") is None
            and is_symbolic(interpreter)
        ):
            sizes, is_matrix = sizes * 2, True
        if any(size > MOST_VALUES for size in sizes) or len(sizes) > 2:
            raise UnknownError("the array is too large")
        places = list(all_pairs(*map(range, sizes)))
        one = {"zeros": 0, "ones": 1}.get(text)
        entries = [whole(one if one is not None else int(place[0] == place[-1]), at) for place in places]
        entries = [atom("unread", at) for _ in entries] if text == "empty" else entries
        filled_at = at if text in ("zeros", "empty") else None
        return Array(tuple(sizes), entries, is_matrix or is_symbolic(interpreter), filled_at=filled_at)

    return function


def is_symbolic(interpreter: Interprets) -> bool:
    """Returns whether a program uses SymPy, in which * multiplies matrices."""
    return re.search(r"\bsympy\b", interpreter.equations.written.text) is not None


def _range(interpreter: Interprets, arguments: list[Any], by_name: dict[str, Any], at: int) -> Any:
    numbers = range(*map(number_of, arguments))
    if len(numbers) > MOST_VALUES:
        raise UnknownError("the range is too long")
    return [whole(k, at) for k in numbers]


def _sum(interpreter: Interprets, arguments: list[Any], by_name: dict[str, Any], at: int) -> Any:
    values = list(values_of(interpreter, arguments[0], at))
    total = arguments[1] if len(arguments) > 1 and not is_listed(arguments[1]) else whole(0, at)
    for each in values:
        is_zero = isinstance(total, Formula) and total.text == "0"
        total = each if is_zero else binary(interpreter, "+", total, each, at)
    return total


def _cumsum(interpreter: Interprets, arguments: list[Any], by_name: dict[str, Any], at: int) -> Any:
    values = list(values_of(interpreter, arguments[0], at))
    if isinstance(arguments[0], Formula) and not arguments[0].shape:
        raise UnknownError("the length is not known")
    sums = [_sum(interpreter, [values[: k + 1]], {}, at) for k in range(len(values))]
    return Array((len(sums),), sums)


def _symbols(interpreter: Interprets, arguments: list[Any], by_name: dict[str, Any], at: int) -> Any:
    listed = arguments[0] if isinstance(arguments[0], str) else " ".join(arguments[0])
    names = [name for each in re.findall(r"[^\s,]+", listed) for name in _counted(each)]
    dots = ("", "\u0307", "\u0308")[number_of(arguments[1])] if len(arguments) > 1 else ""
    own: list[Any] = [atom(name + dots, at) for name in names]
    kind = by_name.get("cls")
    if isinstance(kind, Library) and kind.name in ("Function", "UndefinedFunction"):
        own = [Symbols(each) for each in own]
    is_one = len(own) == 1 and "," not in listed and ":" not in listed and isinstance(arguments[0], str)
    return own[0] if is_one else tuple(own)


def _counted(name: str) -> list[str]:
    """Returns the names in q1:4."""
    match = re.fullmatch(r"(.*?)\(?(\d*):(\d+)\)?", name)
    if match is None:
        return [name]
    return [f"{match[1]}{k}" for k in range(int(match[2] or 0), min(int(match[3]), MOST_VALUES))]


def _symbol(interpreter: Interprets, arguments: list[Any], by_name: dict[str, Any], at: int) -> Any:
    return atom(arguments[0], at, () if len(arguments) == 1 else None)


def _function(interpreter: Interprets, arguments: list[Any], by_name: dict[str, Any], at: int) -> Any:
    return Symbols(atom(arguments[0], at))


def _diff(interpreter: Interprets, arguments: list[Any], by_name: dict[str, Any], at: int) -> Any:
    value, *variables = arguments
    if isinstance(value, Function):
        raise UnknownError("this derivative is not read")
    if not variables:
        variables = [atom("t", at)]
    if isinstance(value, Array):
        own = [_diff(interpreter, [entry(value, k), *variables], by_name, at) for k in range(len(value.entries))]
        return Array(value.shape, own, value.is_matrix)
    value = formula_of(interpreter, value, at)
    own_names: list[Any] = []
    for each in variables:
        if isinstance(each, Formula) and each.whole is not None:
            own_names += own_names[-1:] * (each.whole - 1)
        elif is_listed(each):
            own_names += [each[0]] * (number_of(each[1]) if len(each) > 1 else 1)
        else:
            own_names.append(each)
    if value.is_number:
        return whole(0, at)
    for each in own_names:
        by = formula_of(interpreter, each, at)
        value = joined(["diff(", value, ", ", by, ")"], at, ATOM, value.shape)
    return value


def _jacobian(name: str) -> Known:
    def function(interpreter: Interprets, arguments: list[Any], by_name: dict[str, Any], at: int) -> Any:
        value, by = (formula_of(interpreter, each, at) for each in arguments[:2])
        size = by.shape[0] if by.shape else None
        rows = size if name == "hessian" else (value.shape or (1,))[0] if value.shape is not None else None
        shape = (rows, size) if rows and size else None
        return joined([f"{name}(", value, ", ", by, ")"], at, ATOM, shape)

    return function


def _gradient(interpreter: Interprets, arguments: list[Any], by_name: dict[str, Any], at: int) -> Any:
    """Returns the gradient of a function by its first argument, such as jax.grad(potential)."""
    if not isinstance(arguments[0], Function):
        return _jacobian("jacobian")(interpreter, arguments, by_name, at)
    function = arguments[0]
    result = interpreter.state(function) if function.state == "new" else function.result
    return joined(["gradient(", formula_of(interpreter, result, at), ", q)"], at, ATOM, None)


def _equation(interpreter: Interprets, arguments: list[Any], by_name: dict[str, Any], at: int) -> Any:
    right = arguments[1] if len(arguments) > 1 else whole(0, at)
    return Stating(formula_of(interpreter, arguments[0], at), formula_of(interpreter, right, at))


def _rational(interpreter: Interprets, arguments: list[Any], by_name: dict[str, Any], at: int) -> Any:
    if isinstance(arguments[0], str):
        match = re.fullmatch(r"\s*(-?\d+)\s*(?:/\s*(\d+))?\s*", arguments[0])
        if match is None:
            raise UnknownError("this fraction is not read")
        arguments = [whole(int(each), at) for each in match.groups() if each]
    if len(arguments) == 1:
        return arguments[0]
    return joined(["((", arguments[0], ")/(", arguments[1], "))"], at, ATOM)


def _inverse(interpreter: Interprets, arguments: list[Any], by_name: dict[str, Any], at: int) -> Any:
    return Inverse(formula_of(interpreter, arguments[0], at))


def _solve(interpreter: Interprets, arguments: list[Any], by_name: dict[str, Any], at: int) -> Any:
    left, right = (formula_of(interpreter, each, at) for each in arguments[:2])
    return Stating(left, right, is_system=True)


def _dot(interpreter: Interprets, arguments: list[Any], by_name: dict[str, Any], at: int) -> Any:
    left, right = (array_of(each) if is_listed(each) else each for each in arguments[:2])
    is_pair = isinstance(left, Array) and isinstance(right, Array)
    if is_pair and all(len(each.shape) == 1 or each.shape[1] == 1 for each in (left, right)):
        pairs = zip(
            *(values_of(interpreter, each.copy(is_matrix=True, name=each.name), at) for each in (left, right)),
            strict=True,
        )
        return _sum(interpreter, [[binary(interpreter, "*", a, b, at) for a, b in pairs]], {}, at)
    return product(formula_of(interpreter, left, at), formula_of(interpreter, right, at), at)


def _cross(interpreter: Interprets, arguments: list[Any], by_name: dict[str, Any], at: int) -> Any:
    (a, b, c), (x, y, z) = (list(values_of(interpreter, each, at)) for each in arguments[:2])

    def entry_(p: Any, q: Any, r: Any, s: Any) -> Any:
        one, other = (binary(interpreter, "*", *pair, at) for pair in ((p, s), (r, q)))
        return binary(interpreter, "-", one, other, at)

    shape = arguments[0].shape if isinstance(arguments[0], Array) else (3,)
    is_matrix = isinstance(arguments[0], Array) and arguments[0].is_matrix
    return Array(shape, [entry_(b, y, c, z), entry_(c, z, a, x), entry_(a, x, b, y)], is_matrix)


def _zip(interpreter: Interprets, arguments: list[Any], by_name: dict[str, Any], at: int) -> Any:
    lists = []
    lengths = {len(each) for each in arguments if is_listed(each)} | {
        len(e.entries) for e in arguments if isinstance(e, Array)
    }
    for each in arguments:
        if isinstance(each, Formula) and not each.shape and lengths:
            lists.append([part_of(each, (k,), at) for k in range(min(lengths))])
        else:
            lists.append(list(values_of(interpreter, each, at)))
    return list(zip(*lists, strict=False))


def _enumerate(interpreter: Interprets, arguments: list[Any], by_name: dict[str, Any], at: int) -> Any:
    first = number_of(arguments[1]) if len(arguments) > 1 else 0
    return [(whole(k, at), each) for k, each in enumerate(values_of(interpreter, arguments[0], at), first)]


def _len(interpreter: Interprets, arguments: list[Any], by_name: dict[str, Any], at: int) -> Any:
    value = arguments[0]
    if isinstance(value, Array):
        return whole(len(value.entries) if value.is_matrix else value.shape[0], at)
    return whole(len(list(values_of(interpreter, value, at))), at)


def _list(interpreter: Interprets, arguments: list[Any], by_name: dict[str, Any], at: int) -> Any:
    return list(values_of(interpreter, arguments[0], at)) if arguments else []


def _listed_part(interpreter: Interprets, value: Any, at: int) -> Any:
    if isinstance(value, Formula) and value.shape == ():
        return [value]
    if isinstance(value, Stating) or (isinstance(value, Formula) and value.shape is None):
        return [value]
    return list(formulas(value)) if not isinstance(value, Formula) else list(values_of(interpreter, value, at))


def _concatenated(interpreter: Interprets, arguments: list[Any], by_name: dict[str, Any], at: int) -> Any:
    parts = arguments[0] if len(arguments) == 1 and is_listed(arguments[0]) else arguments
    entries = [each for part in parts for each in _listed_part(interpreter, part, at)]
    if any(isinstance(each, Stating) or each.shape is None for each in entries):
        return entries
    return Array((len(entries),), entries)


def _stacked(is_below: bool) -> Known:
    def function(interpreter: Interprets, arguments: list[Any], by_name: dict[str, Any], at: int) -> Any:
        parts = arguments[0] if len(arguments) == 1 and is_listed(arguments[0]) else arguments
        if not all(isinstance(each, Array) and len(each.shape) == 2 for each in parts):
            return _concatenated(interpreter, list(parts), by_name, at)
        if is_below:
            rows = sum(each.shape[0] for each in parts)
            return Array(
                (rows, parts[0].shape[1]), [each for part in parts for each in part.entries], parts[0].is_matrix
            )
        rows_ = [[e for part in parts for e in part.rows()[i]] for i in range(parts[0].shape[0])]
        return Array((len(rows_), len(rows_[0])), [each for row in rows_ for each in row], parts[0].is_matrix)

    return function


def _diagonal(interpreter: Interprets, arguments: list[Any], by_name: dict[str, Any], at: int) -> Any:
    parts = arguments[0] if len(arguments) == 1 else arguments
    values = list(values_of(interpreter, parts, at))
    size = len(values)
    entries = [values[i] if i == j else whole(0, at) for i, j in all_pairs(range(size), repeat=2)]
    return Array((size, size), entries, is_symbolic(interpreter))


def _dictionary(interpreter: Interprets, arguments: list[Any], by_name: dict[str, Any], at: int) -> Any:
    pairs = arguments[0].items() if arguments and isinstance(arguments[0], dict) else arguments[0] if arguments else ()
    return {key if isinstance(key, str) else key_of(key): value for key, value in pairs} | by_name


def _object(interpreter: Interprets, arguments: list[Any], by_name: dict[str, Any], at: int) -> Any:
    own = {k: v for k, v in by_name.items() if not (isinstance(v, Formula) and v.is_number)}
    return Object(own)


def _of_dictionary(name: str) -> Known:
    def function(interpreter: Interprets, arguments: list[Any], by_name: dict[str, Any], at: int) -> Any:
        own = arguments[0]
        values = {
            key: atom(key, at) if isinstance(key, str) and isinstance(each, Formula) and each.is_number else each
            for key, each in own.items()
        }
        keys = [whole(key, at) if isinstance(key, int) else key for key in values]
        if name == "get":
            return values.get(key_of(arguments[1]), arguments[2] if len(arguments) > 2 else None)
        if name == "keys":
            return keys
        return list(values.values()) if name == "values" else list(zip(keys, values.values(), strict=True))

    return function


def _append(interpreter: Interprets, arguments: list[Any], by_name: dict[str, Any], at: int) -> Any:
    if len(arguments[0]) > MOST_VALUES:
        raise UnknownError("the list is too long")
    arguments[0].append(arguments[1])


def _extend(interpreter: Interprets, arguments: list[Any], by_name: dict[str, Any], at: int) -> Any:
    if len(arguments[0]) > MOST_VALUES:
        raise UnknownError("the list is too long")
    arguments[0].extend(values_of(interpreter, arguments[1], at))


def _map(interpreter: Interprets, arguments: list[Any], by_name: dict[str, Any], at: int) -> Any:
    rows = _zip(interpreter, arguments[1:], {}, at)
    return [interpreter.apply(arguments[0], row, at) for row in rows]


def _square(interpreter: Interprets, arguments: list[Any], by_name: dict[str, Any], at: int) -> Any:
    return binary(interpreter, "**", arguments[0], whole(2, at), at)


def _power(interpreter: Interprets, arguments: list[Any], by_name: dict[str, Any], at: int) -> Any:
    return binary(interpreter, "**", arguments[0], arguments[1], at)


def _radians(interpreter: Interprets, arguments: list[Any], by_name: dict[str, Any], at: int) -> Any:
    return joined(["(", bound(formula_of(interpreter, arguments[0], at), ATOM), "*pi/180)"], at)


def _degrees(interpreter: Interprets, arguments: list[Any], by_name: dict[str, Any], at: int) -> Any:
    return joined(["(", bound(formula_of(interpreter, arguments[0], at), ATOM), "*180/pi)"], at)


def _transpose(interpreter: Interprets, arguments: list[Any], by_name: dict[str, Any], at: int) -> Any:
    return transposed(interpreter, arguments[0], at)


def _substituted(interpreter: Interprets, arguments: list[Any], by_name: dict[str, Any], at: int) -> Any:
    """Names derivatives by the symbols that take their places: th.diff(t) → w is the equation w = diff(th, t)."""
    pairs = arguments[1].items() if isinstance(arguments[1], dict) else [arguments[1:3]]
    pairs = arguments[1] if is_listed(arguments[1]) and len(arguments) == 2 else pairs
    for old, new in pairs:
        text = old.text if isinstance(old, Formula) else str(old)
        if not isinstance(new, Formula) or not text.startswith("diff(") or not new.text.isidentifier():
            raise UnknownError("a substitution is not read")
        interpreter.equations.state(new, atom(text, at))
    return arguments[0]


def _reshape(interpreter: Interprets, arguments: list[Any], by_name: dict[str, Any], at: int) -> Any:
    sizes = list(map(number_of, arguments[1] if is_listed(arguments[1]) else arguments[1:]))
    own = arguments[0]
    if not isinstance(own, Array):
        raise UnknownError("this array is not reshaped")
    sizes = [len(own.entries) // max(-max_product(sizes), 1) if size == -1 else size for size in sizes]
    return Array(tuple(sizes), [entry(own, k) for k in range(len(own.entries))], own.is_matrix)


def max_product(sizes: Sequence[int]) -> int:
    total = 1
    for size in sizes:
        total *= size
    return total


def _flat(interpreter: Interprets, arguments: list[Any], by_name: dict[str, Any], at: int) -> Any:
    own = arguments[0]
    if isinstance(own, Array):
        return Array((len(own.entries),), [entry(own, k) for k in range(len(own.entries))])
    return own


def _lagrange(interpreter: Interprets, arguments: list[Any], by_name: dict[str, Any], at: int) -> Any:
    """States d/dt ∂L/∂q̇ − ∂L/∂q = τ with Jacobians."""
    L = formula_of(interpreter, arguments[0], at)
    rates: list[str | Formula] = ["jacobian(", L, ", qd)"]
    whole_equation = ["jacobian(", *rates, ", q)*qd + jacobian(", *rates, ", qd)*qdd - jacobian(", L, ", q)'"]
    interpreter.equations.state(atom("tau", at), joined(whole_equation, at, SUM))
    raise UnknownError("the equations are stated")


def _float(interpreter: Interprets, arguments: list[Any], by_name: dict[str, Any], at: int) -> Any:
    if isinstance(arguments[0], str):
        return Formula(arguments[0], (at,) * len(arguments[0]), is_number=True)
    return arguments[0]


FUNCTIONS: dict[str, Known] = {
    "brackets": brackets,
    **{name: _of_entries(name) for name in ("cos", "sin", "tan", "sqrt", "exp", "log", "acos", "asin", "atan", "sign")},
    **{name: _of_entries("abs") for name in ("abs", "Abs", "fabs")},
    **{name: _of_entries("a" + name[3:]) for name in ("arccos", "arcsin", "arctan")},
    **dict.fromkeys(WITHOUT_EFFECT.split(), _same),
    **dict.fromkeys(("Float", "float", "int"), _float),
    **dict.fromkeys(("array", "asarray", "vector"), _array(is_matrix=False)),
    **dict.fromkeys(("Matrix", "matrix", "ImmutableMatrix", "MutableDenseMatrix", "Array"), _array(is_matrix=True)),
    **{name: _filled(name) for name in ("zeros", "ones", "eye", "empty")},
    "identity": _filled("eye"),
    "range": _range,
    "arange": _range,
    "sum": _sum,
    "Add": _sum,
    "cumsum": _cumsum,
    **dict.fromkeys(("symbols", "dynamicsymbols", "var"), _symbols),
    **dict.fromkeys(("Symbol", "sym"), _symbol),
    "Function": _function,
    "diff": _diff,
    "Derivative": _diff,
    "Eq": _equation,
    "Rational": _rational,
    **{name: _jacobian(name) for name in ("gradient", "hessian")},
    **dict.fromkeys(("jacobian", "grad", "jacfwd", "jacrev"), _gradient),
    **dict.fromkeys(("inv", "pinv", "inverse"), _inverse),
    **dict.fromkeys(("solve", "LUsolve"), _solve),
    **dict.fromkeys(("dot", "matmul", "mtimes", "inner"), _dot),
    "cross": _cross,
    "zip": _zip,
    "enumerate": _enumerate,
    "len": _len,
    "map": _map,
    "append": _append,
    **dict.fromkeys(("list", "tuple", "sorted", "tuple"), _list),
    **dict.fromkeys(("concatenate", "hstack", "r_"), _stacked(is_below=False)),
    **dict.fromkeys(("vstack", "col_join", "block"), _stacked(is_below=True)),
    "row_join": _stacked(is_below=False),
    "vertcat": _concatenated,
    "column_stack": _stacked(is_below=False),
    **dict.fromkeys(("diag", "diagflat"), _diagonal),
    "dict": _dictionary,
    "SimpleNamespace": _object,
    "extend": _extend,
    "square": _square,
    **{name: _of_dictionary(name) for name in ("get", "keys", "values", "items")},
    **dict.fromkeys(("power", "pow", "Pow"), _power),
    **dict.fromkeys(("radians", "deg2rad", "rad"), _radians),
    **dict.fromkeys(("degrees", "rad2deg"), _degrees),
    **dict.fromkeys(("transpose",), _transpose),
    **dict.fromkeys(("subs", "xreplace"), _substituted),
    "reshape": _reshape,
    "flatten": _flat,
    "LagrangesMethod": _lagrange,
    "euler_equations": _lagrange,
}


# states


def state_size(body: Sequence[Any], name: str, frame: Frame) -> int:
    """Returns the number of entries of a state that a function uses, 0 if it is not known."""
    size = 0
    for node in _nodes(body):
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


def _nodes(node: Any) -> Iterator[Any]:
    if isinstance(node, tuple):
        for each in node:
            yield from _nodes(each)
    elif is_dataclass(node):
        yield node
        for each in fields(node):
            yield from _nodes(getattr(node, each.name))


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
        parts = [each for part in returned for each in _listed_part(interpreter, part, at)]
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
