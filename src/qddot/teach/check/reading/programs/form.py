"""The one form of programs in all languages: statements and expressions with their places in the text."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeAlias

from qddot.base.records import record

Span = tuple[int, int]  # offsets of the first character and of the one behind the last
NOWHERE: Span = (0, 0)


@record(slots=True)
class Number:
    """This is a number as it is written: 9.81, 1e-3, 2; is_whole tells 2 from 2.0."""

    text: str
    is_whole: bool
    span: Span = NOWHERE


@record(slots=True)
class String:
    """This is a text in quotation marks, without them."""

    text: str
    span: Span = NOWHERE


@record(slots=True)
class Name:
    """This is a variable or a function."""

    text: str
    span: Span = NOWHERE


@record(slots=True)
class Unary:
    """This is -a, +a, not a, or a transpose, whose sign is "T"."""

    sign: str
    value: Expression
    span: Span = NOWHERE


@record(slots=True)
class Binary:
    """This is a sign between two values.

    sign: one of + - * / // % ** @, of < <= > >= == !=, of "and", "or", "in", "not in", "is", "is not", of
    ".*", "./", ".^" entry by entry, or of "\\", a system solved for its unknowns
    """

    sign: str
    left: Expression
    right: Expression
    span: Span = NOWHERE


@record(slots=True)
class Choice:
    """This is a value under a condition: a if c else b, or c ? a : b."""

    condition: Expression
    value: Expression
    other: Expression
    span: Span = NOWHERE


@record(slots=True)
class Call:
    """This is a function with its arguments; by_name are those such as axis=0."""

    function: Expression
    arguments: tuple[Expression, ...]
    by_name: tuple[tuple[str, Expression], ...] = ()
    span: Span = NOWHERE


@record(slots=True)
class Index:
    """This is a value at indices: a[i], a[i, j] has two, a[i][j] is an index of an index."""

    value: Expression
    indices: tuple[Expression, ...]
    span: Span = NOWHERE


@record(slots=True)
class Slice:
    """This is a range of indices, each None where it is left out."""

    first: Expression | None
    last: Expression | None
    step: Expression | None = None
    span: Span = NOWHERE


@record(slots=True)
class Attribute:
    """This is a field of a value, such as p.m1."""

    value: Expression
    name: str
    span: Span = NOWHERE


@record(slots=True)
class Listed:
    """This is a list or a tuple; is_tuple tells which, has_rows that it is a matrix by rows, as [a, b; c, d]."""

    values: tuple[Expression, ...]
    is_tuple: bool = False
    has_rows: bool = False
    span: Span = NOWHERE


@record(slots=True)
class Starred:
    """This is *a among arguments, values or targets."""

    value: Expression
    span: Span = NOWHERE


@record(slots=True)
class Table:
    """This is a dictionary: keys with their values."""

    pairs: tuple[tuple[Expression, Expression], ...]
    span: Span = NOWHERE


@record(slots=True)
class Lambda:
    """This is a function without a name; parameters with their values by default, or None."""

    parameters: tuple[Parameter, ...]
    value: Expression
    span: Span = NOWHERE


@record(slots=True)
class Each:
    """This is one `for` of a comprehension with its conditions."""

    target: Expression
    values: Expression
    conditions: tuple[Expression, ...] = ()


@record(slots=True)
class Comprehension:
    """This is a list of values for each of others; with a key, it is a dictionary."""

    value: Expression
    each: tuple[Each, ...]
    key: Expression | None = None
    span: Span = NOWHERE


@record(slots=True)
class Parameter:
    """This is a parameter of a function with the value by default, or None."""

    name: str
    default: Expression | None = None


Expression: TypeAlias = (
    Number | String | Name | Unary | Binary | Choice | Call | Index | Slice | Attribute | Listed | Starred | Table
) | (Lambda | Comprehension)


@record(slots=True)
class Assign:
    """This is an assignment of one value to one or more targets: a = b = value; sign is + in a += value."""

    targets: tuple[Expression, ...]
    value: Expression
    sign: str = ""
    span: Span = NOWHERE


@record(slots=True)
class Equation:
    """This is an equation that a program states but does not assign: der(x) = v of Modelica, D(x) ~ v of Julia."""

    left: Expression
    right: Expression
    span: Span = NOWHERE


@record(slots=True)
class For:
    """This is a loop over values."""

    target: Expression
    values: Expression
    body: tuple[Statement, ...]
    span: Span = NOWHERE


@record(slots=True)
class While:
    """This is a loop as long as a condition holds; step is what a `for (;;)` of C does after each round."""

    condition: Expression
    body: tuple[Statement, ...]
    step: tuple[Statement, ...] = ()
    span: Span = NOWHERE


@record(slots=True)
class If:
    """This is a condition with what is done where it holds and where it does not."""

    condition: Expression
    body: tuple[Statement, ...]
    other: tuple[Statement, ...] = ()
    span: Span = NOWHERE


@record(slots=True)
class Function:
    """This is a function's definition."""

    name: str
    parameters: tuple[Parameter, ...]
    body: tuple[Statement, ...]
    span: Span = NOWHERE


@record(slots=True)
class Class:
    """This is a class with its fields, which are assigned in its body, and its functions."""

    name: str
    body: tuple[Statement, ...]
    span: Span = NOWHERE


@record(slots=True)
class Return:
    """This is the end of a function with the value that it returns, or None."""

    value: Expression | None
    span: Span = NOWHERE


@record(slots=True)
class Jump:
    """This is `break` or `continue` in a loop."""

    word: str
    span: Span = NOWHERE


@record(slots=True)
class Import:
    """This is a module or what is taken from it, by the names in the program: {"np": "numpy", "cos": "math.cos"}."""

    names: tuple[tuple[str, str], ...]
    span: Span = NOWHERE


@record(slots=True)
class Stated:
    """This is an expression by itself, whose value is shown, or a call for its effect."""

    value: Expression
    span: Span = NOWHERE


@record(slots=True)
class Unparsed:
    """This is a piece of a program that is not understood."""

    span: Span = NOWHERE


Statement: TypeAlias = (
    Assign | Equation | For | While | If | Function | Class | Return | Jump | Import | Stated | Unparsed
)


def nodes(part: Any) -> Iterator[Any]:
    """Yields a part of a program, or of several in a tuple, and all parts in it."""
    if isinstance(part, tuple):
        for each in part:
            yield from nodes(each)
    elif is_dataclass(part):
        yield part
        for own in fields(part):
            yield from nodes(getattr(part, own.name))


def with_parts(part: Any, change: Callable[[Any], Any]) -> Any:
    """Returns a part of a program with each of the parts in it changed; a tuple has its members changed."""
    if isinstance(part, tuple):
        return tuple(map(change, part))
    if not is_dataclass(part):
        return part
    changed = {own.name: change(getattr(part, own.name)) for own in fields(part) if own.name != "span"}
    return replace(part, **changed)  # type: ignore[type-var]


def with_name(part: Any, name: str, new: str) -> Any:
    """Returns a part of a program in which a variable has another name."""
    if isinstance(part, Name):
        return replace(part, text=new) if part.text == name else part
    return with_parts(part, lambda own: with_name(own, name, new))


def is_name(value: Any, name: str) -> bool:
    """Returns whether an expression is a variable with a name."""
    return isinstance(value, Name) and value.text == name


def called(name: str, arguments: tuple[Expression, ...], span: Span = NOWHERE) -> Call:
    """Returns a call of a function of a name."""
    return Call(Name(name, span), arguments, (), span)


def counted(number: int, span: Span = NOWHERE) -> Expression:
    """Returns a whole number."""
    positive = Number(str(abs(number)), True, span)
    return positive if number >= 0 else Unary("-", positive, span)
