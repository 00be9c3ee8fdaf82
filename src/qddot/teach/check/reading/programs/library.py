"""The functions of NumPy, SymPy, CasADi and Python that programs may call, over written formulas."""

from __future__ import annotations

import re
from typing import Any

from qddot.algebra.expressions.parser import expression
from qddot.teach.check.reading.programs import form
from qddot.teach.check.reading.programs.arrays import formula_of, key_of, number_of, values_of
from qddot.teach.check.reading.programs.brackets import brackets
from qddot.teach.check.reading.programs.calculus import (
    derivative,
    function,
    gradient,
    jacobian,
    lagrange,
    substituted,
    symbol,
    symbols,
)
from qddot.teach.check.reading.programs.making import array, concatenated, diagonal, filled, flat, reshaped, stacked
from qddot.teach.check.reading.programs.signs import Inverse, binary, product, total, transposed
from qddot.teach.check.reading.programs.stating import entry_of as entry
from qddot.teach.check.reading.programs.values import (
    ATOM,
    MOST_VALUES,
    Array,
    Formula,
    Interprets,
    Known,
    Library,
    Object,
    Stating,
    UnknownError,
    array_of,
    atom,
    bound,
    is_listed,
    joined,
    part_of,
    whole,
)

MODULES = {
    *("np", "numpy", "math", "sp", "sy", "sym", "sympy", "me", "mechanics", "smp", "ca", "casadi", "jnp", "jax"),
    *("linalg", "functools", "itertools", "physics", "vector"),
}


LIBRARIES = {"numpy", "math", "sympy", "scipy", "casadi", "jax", "autograd", "functools", "itertools", "types", "copy"}


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


def _range(interpreter: Interprets, arguments: list[Any], by_name: dict[str, Any], at: int) -> Any:
    numbers = range(*map(number_of, arguments))
    if len(numbers) > MOST_VALUES:
        raise UnknownError("the range is too long")
    return [whole(k, at) for k in numbers]


def _cumsum(interpreter: Interprets, arguments: list[Any], by_name: dict[str, Any], at: int) -> Any:
    values = list(values_of(interpreter, arguments[0], at))
    if isinstance(arguments[0], Formula) and not arguments[0].shape:
        raise UnknownError("the length is not known")
    sums = [total(interpreter, [values[: k + 1]], {}, at) for k in range(len(values))]
    return Array((len(sums),), sums)


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
        return total(interpreter, [[binary(interpreter, "*", a, b, at) for a, b in pairs]], {}, at)
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


def _float(interpreter: Interprets, arguments: list[Any], by_name: dict[str, Any], at: int) -> Any:
    if isinstance(arguments[0], str):
        return Formula(arguments[0], (at,) * len(arguments[0]), is_number=True)
    value = arguments[0]
    cuts = interpreter.program.language.divides_whole
    return value._replace(whole=None) if cuts and isinstance(value, Formula) else value


def _int(interpreter: Interprets, arguments: list[Any], by_name: dict[str, Any], at: int) -> Any:
    """Returns a number without its decimals. raises UnknownError: that of symbols is not known"""
    value = _float(interpreter, arguments, by_name, at) if isinstance(arguments[0], str) else arguments[0]
    if not isinstance(value, Formula) or value.whole is not None:
        return value
    number = expression(value.text).rational if value.is_number else None
    if number is None:
        raise UnknownError("the whole part of a formula is not known")
    return whole(int(number), at)


FUNCTIONS: dict[str, Known] = {
    "brackets": brackets,
    **{name: _of_entries(name) for name in ("cos", "sin", "tan", "sqrt", "exp", "log", "acos", "asin", "atan", "sign")},
    **{name: _of_entries("abs") for name in ("abs", "Abs", "fabs")},
    **{name: _of_entries("a" + name[3:]) for name in ("arccos", "arcsin", "arctan")},
    **dict.fromkeys(WITHOUT_EFFECT.split(), _same),
    **dict.fromkeys(("Float", "float", "double"), _float),
    "int": _int,
    **dict.fromkeys(("array", "asarray", "vector"), array(is_matrix=False)),
    **dict.fromkeys(("Matrix", "matrix", "ImmutableMatrix", "MutableDenseMatrix", "Array"), array(is_matrix=True)),
    **{name: filled(name) for name in ("zeros", "ones", "eye", "empty")},
    "identity": filled("eye"),
    "range": _range,
    "arange": _range,
    "sum": total,
    "Add": total,
    "cumsum": _cumsum,
    **dict.fromkeys(("symbols", "dynamicsymbols", "var"), symbols),
    **dict.fromkeys(("Symbol", "sym"), symbol),
    "Function": function,
    "diff": derivative,
    "Derivative": derivative,
    "Eq": _equation,
    "Rational": _rational,
    **{name: jacobian(name) for name in ("gradient", "hessian")},
    **dict.fromkeys(("jacobian", "grad", "jacfwd", "jacrev"), gradient),
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
    **dict.fromkeys(("concatenate", "hstack", "r_"), stacked(is_below=False)),
    **dict.fromkeys(("vstack", "col_join", "block"), stacked(is_below=True)),
    "row_join": stacked(is_below=False),
    "vertcat": concatenated,
    "column_stack": stacked(is_below=False),
    **dict.fromkeys(("diag", "diagflat"), diagonal),
    "dict": _dictionary,
    "SimpleNamespace": _object,
    "extend": _extend,
    "square": _square,
    **{name: _of_dictionary(name) for name in ("get", "keys", "values", "items")},
    **dict.fromkeys(("power", "pow", "Pow"), _power),
    **dict.fromkeys(("radians", "deg2rad", "rad"), _radians),
    **dict.fromkeys(("degrees", "rad2deg"), _degrees),
    **dict.fromkeys(("transpose",), _transpose),
    **dict.fromkeys(("subs", "xreplace"), substituted),
    "reshape": reshaped,
    "flatten": flat,
    "LagrangesMethod": lagrange,
    "euler_equations": lagrange,
}
