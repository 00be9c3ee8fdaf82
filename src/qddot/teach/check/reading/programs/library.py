"""The functions of NumPy, SymPy, CasADi and Python that programs may call, over written formulas."""

from __future__ import annotations

from typing import Any

from qddot.algebra.expressions.parser import expression
from qddot.base.words.message import say
from qddot.teach.check.reading.programs.arrays import formula_of, key_of, number_of, of_each, values_of
from qddot.teach.check.reading.programs.calculus import derivative, gradient, jacobian, lagrange, substituted, symbols
from qddot.teach.check.reading.programs.calls import Call, Known
from qddot.teach.check.reading.programs.matrices import (
    array,
    brackets,
    concatenated,
    diagonal,
    filled,
    flat,
    reshaped,
    stacked,
)
from qddot.teach.check.reading.programs.signs import binary, product, total, transposed
from qddot.teach.check.reading.programs.values import (
    ATOM,
    MOST_VALUES,
    Array,
    Formula,
    Inverse,
    Library,
    Object,
    Stating,
    Symbols,
    UnknownError,
    atom,
    bound,
    is_listed,
    joined,
    part_of,
    unlisted,
    whole,
)

LIBRARIES = "numpy math sympy scipy casadi jax autograd functools itertools types copy"
MODULES = "np numpy math sp sy sym sympy me mechanics smp ca casadi jnp jax linalg functools itertools physics vector"
ELEMENTARY = "cos sin tan sqrt exp log acos asin atan sign"
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


def attribute(value: Any, name: str, at: int) -> Any:
    """Returns a field of an object, a method, or a function of a module."""
    if isinstance(value, Object):
        own = value.functions | value.fields
        return own[name] if name in own else atom(name, at, None)
    if isinstance(value, Library) and value.of is None:
        symbol = {"pi": "pi", "_t": "t", "t": "t"}.get(name)
        return atom(symbol, at) if symbol else Library(name)
    if name in ("T", "mT"):
        return transposed(value, at)
    if isinstance(value, Array) and name in ("shape", "rows", "cols", "size"):
        sizes = tuple(whole(k, at) for k in (*value.shape, 1, len(value.entries)))
        return sizes[:-2] if name == "shape" else sizes[{"rows": 0, "cols": 1, "size": -1}[name]]
    if isinstance(value, Formula) and name not in METHODS_OF_FORMULAS.split():
        return atom(name, at, None)
    return Library(name, of=value)


def call_of(call: Call, function: Library) -> Any:
    """Returns the value of a function of a library, or of a method."""
    known = FUNCTIONS.get(function.name)
    if known is None:
        raise UnknownError(say("function-not-known", name=function.name))
    if function.of is not None:
        call.values.insert(0, function.of)
    try:
        return known(call)
    except (IndexError, TypeError, ValueError, AttributeError, KeyError) as error:
        raise UnknownError(say("these-arguments-not-read", name=function.name)) from error


def _of_entries(name: str) -> Known:
    """Returns a function such as the cosine, of a number or of each entry of an array."""

    def function(call: Call) -> Any:
        others = [part for each in call.values[1:] for part in (", ", formula_of(each, call.at))]

        def of_formula(inside: Any) -> Formula:
            value = formula_of(inside, call.at)
            return joined([f"{name}(", value, *others, ")"], call.at, ATOM, value.shape)

        return of_each(of_formula, call[0], call.at)

    return function


def _sign(sign: str, right: int | None = None) -> Known:
    """Returns the function that puts a sign between two arguments, or between one and a number."""
    return lambda call: binary(sign, call[0], call[1] if right is None else whole(right, call.at), call.at)


def _times(number: str) -> Known:
    """Returns the function that converts an angle to another unit."""
    return lambda call: joined(["(", bound(call.formula(), ATOM), f"{number})"], call.at)


def _range(call: Call) -> Any:
    numbers = range(*map(number_of, call.values))
    if len(numbers) > MOST_VALUES:
        raise UnknownError(say("range-too-long"))
    return [whole(k, call.at) for k in numbers]


def _sum(call: Call) -> Any:
    return total(call[0], call.at, call[1] if len(call) > 1 and not is_listed(call[1]) else None)


def _cumsum(call: Call) -> Any:
    values = call.listed()
    return Array((len(values),), [total(values[: k + 1], call.at) for k in range(len(values))])


def _equation(call: Call) -> Any:
    return Stating(call.formula(), call.formula(1) if len(call) > 1 else whole(0, call.at))


def _rational(call: Call) -> Any:
    values = call.values
    if isinstance(values[0], str):
        values = [whole(int(each), call.at) for each in values[0].split("/", 1)]
    return values[0] if len(values) == 1 else joined(["((", values[0], ")/(", values[1], "))"], call.at, ATOM)


def _dot(call: Call) -> Any:
    pair = [unlisted(each) for each in call.values[:2]]
    if all(isinstance(each, Array) and each.shape[1:] in ((), (1,)) for each in pair):
        sides = (values_of(each.copy(is_matrix=True, name=each.name), call.at) for each in pair)
        return total([binary("*", a, b, call.at) for a, b in zip(*sides, strict=True)], call.at)
    return product(formula_of(pair[0], call.at), formula_of(pair[1], call.at), call.at)


def _cross(call: Call) -> Any:
    a, b = call.listed(), call.listed(1)

    def entry(i: int, j: int) -> Any:
        one, other = (binary("*", a[m], b[n], call.at) for m, n in ((i, j), (j, i)))
        return binary("-", one, other, call.at)

    shape, is_matrix = (call[0].shape, call[0].is_matrix) if isinstance(call[0], Array) else ((3,), False)
    return Array(shape, [entry(1, 2), entry(2, 0), entry(0, 1)], is_matrix)


def _zip(call: Call, first: int = 0) -> list[tuple[Any, ...]]:
    values = call.values[first:]
    lengths = [len(e.entries if isinstance(e, Array) else e) for e in values if isinstance(e, Array) or is_listed(e)]
    lists = list[list[Any]]()
    for each in values:
        is_unknown = isinstance(each, Formula) and not each.shape and lengths
        places = range(min(lengths)) if is_unknown else ()
        lists.append([part_of(each, (k,), call.at) for k in places] if is_unknown else list(values_of(each, call.at)))
    return list(zip(*lists, strict=False))


def _enumerate(call: Call) -> Any:
    first = number_of(call[1]) if len(call) > 1 else 0
    return [(whole(k, call.at), each) for k, each in enumerate(call.listed(), first)]


def _length(call: Call) -> Any:
    own = call[0]
    is_table = isinstance(own, Array) and not own.is_matrix
    return whole(own.shape[0] if is_table else len(call.listed()), call.at)


def _dictionary(call: Call) -> Any:
    first = call[0] if call.values else ()
    pairs = first.items() if isinstance(first, dict) else first
    return {key if isinstance(key, str) else key_of(key): value for key, value in pairs} | call.by_name


def _object(call: Call) -> Any:
    return Object({k: v for k, v in call.by_name.items() if not (isinstance(v, Formula) and v.is_number)})


def _of_dictionary(name: str) -> Known:
    def function(call: Call) -> Any:
        values = {
            key: atom(key, call.at) if isinstance(key, str) and isinstance(each, Formula) and each.is_number else each
            for key, each in call[0].items()
        }
        keys = [whole(key, call.at) if isinstance(key, int) else key for key in values]
        if name == "get":
            return values.get(key_of(call[1]), call[2] if len(call) > 2 else None)
        lists = {"keys": keys, "values": list(values.values()), "items": list(zip(keys, values.values(), strict=True))}
        return lists[name]

    return function


def _append(call: Call) -> None:
    if len(call[0]) > MOST_VALUES:
        raise UnknownError(say("list-of-program-too-long"))
    call[0].append(call[1])


def _extend(call: Call) -> None:
    for each in call.listed(1):
        _append(Call(call.program, [call[0], each], {}, call.at))


def _map(call: Call) -> Any:
    return [call.program.apply(call[0], row, call.at) for row in _zip(call, 1)]


def _float(call: Call) -> Any:
    text = call[0]
    return Formula(text, (call.at,) * len(text), is_number=True) if isinstance(text, str) else text


def _double(call: Call) -> Any:
    """Returns a number that is not divided as a whole one."""
    return call[0]._replace(whole=None) if isinstance(call[0], Formula) else call[0]


def _int(call: Call) -> Any:
    """Returns a number without its decimals. raises UnknownError: that of symbols is not known"""
    value = _float(call)
    if not isinstance(value, Formula) or value.whole is not None:
        return value
    number = expression(value.text).rational if value.is_number else None
    if number is None:
        raise UnknownError(say("whole-part-formula-not"))
    return whole(int(number), call.at)


FUNCTIONS: dict[str, Known] = {
    alias: function
    for names, function in (
        ("brackets", brackets),
        *((name, _of_entries(name)) for name in ELEMENTARY.split()),
        *(("arc" + name, _of_entries("a" + name)) for name in ("cos", "sin", "tan")),
        ("abs Abs fabs", _of_entries("abs")),
        (WITHOUT_EFFECT, lambda call: call[0]),
        ("Float float", _float),
        ("double", _double),
        ("int", _int),
        ("array asarray vector", array(is_matrix=False)),
        ("Matrix matrix ImmutableMatrix MutableDenseMatrix Array", array(is_matrix=True)),
        *((name, filled(name)) for name in ("zeros", "ones", "eye", "empty")),
        ("identity", filled("eye")),
        ("range arange", _range),
        ("sum Add", _sum),
        ("cumsum", _cumsum),
        ("symbols dynamicsymbols var", symbols),
        ("Symbol sym", lambda call: atom(call[0], call.at, () if len(call) == 1 else None)),
        ("Function", lambda call: Symbols(atom(call[0], call.at))),
        ("diff Derivative", derivative),
        ("Eq", _equation),
        ("Rational", _rational),
        *((name, jacobian(name)) for name in ("gradient", "hessian")),
        ("jacobian grad jacfwd jacrev", gradient),
        ("inv pinv inverse", lambda call: Inverse(call.formula())),
        ("solve LUsolve", lambda call: Stating(call.formula(), call.formula(1), is_system=True)),
        ("dot matmul mtimes inner", _dot),
        ("cross", _cross),
        ("zip", _zip),
        ("enumerate", _enumerate),
        ("len", _length),
        ("map", _map),
        ("append", _append),
        ("extend", _extend),
        ("list tuple sorted", lambda call: call.listed() if call.values else []),
        ("concatenate hstack r_ row_join column_stack", stacked(is_below=False)),
        ("vstack col_join block", stacked(is_below=True)),
        ("vertcat", concatenated),
        ("diag diagflat", diagonal),
        ("dict", _dictionary),
        ("SimpleNamespace", _object),
        *((name, _of_dictionary(name)) for name in ("get", "keys", "values", "items")),
        ("square", _sign("**", 2)),
        ("power pow Pow", _sign("**")),
        ("radians deg2rad rad", _times("*pi/180")),
        ("degrees rad2deg", _times("*180/pi")),
        ("transpose", lambda call: transposed(call[0], call.at)),
        ("subs xreplace", substituted),
        ("reshape", reshaped),
        ("flatten", flat),
        ("LagrangesMethod euler_equations", lagrange),
    )
    for alias in names.split()
}
