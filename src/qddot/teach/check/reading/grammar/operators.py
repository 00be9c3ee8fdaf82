"""Finds derivatives as people write them, d/dt (…), \\frac{d^2 q}{dt^2}, ∂L/∂q̇ and dL/dq, among lexemes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from qddot.teach.check.reading.signs.lexemes import Lexeme, word_of
from qddot.teach.check.reading.signs.nesting import IDLE, length_of
from qddot.teach.check.reading.syntax import Derivative, Name, Node, walk

DERIVATIVES = ("Derivative", "diff", "der", "jacobian", "gradient", "hessian")
ENERGIES = {"L": "L", "ℒ": "L", "K": "K", "T": "K", "P": "P", "U": "P", "V": "P"}
MOST_DERIVATIVES = 3  # of one expression
Signs = Sequence[Lexeme]


class Operator(NamedTuple):
    """An operator is a derivative that is written as a fraction.

    length: its number of lexemes; of: the differentiated lexemes, none if they follow the fraction
    variables: the variables of differentiation, each as often as it occurs
    """

    length: int
    of: tuple[Lexeme, ...]
    variables: tuple[Lexeme, ...]


def operator(signs: Signs) -> Operator | None:
    """Returns the derivative that begins with the first of some lexemes, or None."""
    if signs[0].kind == "function" and signs[0].data == "frac":
        top, line = _part(signs, 1)
        bottom, end = _part(signs, line)
        return _operator(top, bottom, end) if top and bottom else None
    top = _top(signs)
    line = len(top)
    if not top or line + 1 >= len(signs) or signs[line].kind != "/":
        return None
    numerator = _without_sign(top)
    bottom = _bottom(signs[line + 1 :], _power(numerator)[0] if numerator is not None else 1)
    return _operator(top, bottom, line + 1 + len(bottom))


def may_begin(lexeme: Lexeme) -> bool:
    """Returns whether a derivative may begin with a lexeme."""
    return is_sign(lexeme) or _begins_with_d(lexeme) or (lexeme.kind == "function" and lexeme.data == "frac")


def is_sign(lexeme: Lexeme) -> bool:
    """Returns whether a lexeme is the d or the ∂ of a derivative."""
    return lexeme.kind == "partial" or word_of(lexeme) == "d"


def has_energy(node: Node) -> bool:
    """Returns whether a tree has a derivative of K, P or L."""
    derivatives = (tree for tree in walk(node) if isinstance(tree, Derivative))
    return any(isinstance(each.of, Name) and each.of.text in ENERGIES for each in derivatives)


def uses_energy_of_arm(node: Node) -> bool:
    """Returns whether a tree contains an energy that the answer does not define."""
    return any(isinstance(tree, Name) and tree.meaning.kind == "energy" for tree in walk(node))


def _operator(top: Signs, bottom: Signs, length: int) -> Operator | None:
    numerator = _without_sign(top)
    variables = list(_variables(bottom))
    if numerator is None or not variables or len(variables) > MOST_DERIVATIVES:
        return None
    order, rest = _power(numerator)
    if order != len(variables):
        return None
    return Operator(length, tuple(rest), tuple(variables))


def _part(signs: Signs, at: int) -> tuple[Signs, int]:
    """Returns the lexemes in the braces at a place, and the place after them."""
    while at < len(signs) and signs[at].kind in IDLE:
        at += 1
    if at >= len(signs) or signs[at].kind != "{":
        return (), at
    end = at + length_of(signs[at:])
    return [each for each in signs[at + 1 : end - 1] if each.kind not in IDLE], end


def _top(signs: Signs) -> Signs:
    """Returns the lexemes before a slash: d, ∂, ∂², dL, ∂L, d(…) or ∂(…)."""
    if not may_begin(signs[0]):
        return ()
    end = 1
    if is_sign(signs[0]):
        end += _length_of_power(signs[1:])
        if end < len(signs) and (signs[end].kind == "word" or signs[end].kind in ("(", "[")):
            end += length_of(signs[end:])
    return signs[:end]


def _bottom(signs: Signs, order: int) -> Signs:
    """Returns the lexemes after a slash: dt, ∂q, ∂q̇1, d t, dt², ∂q1 ∂q2, perhaps in brackets.

    order: that of the derivative; in d/dt dL/dq the first denominator ends before dL
    """
    if signs and signs[0].kind == "(":
        return signs[: length_of(signs)]
    end = 0
    while end < len(signs) and order > 0:
        order -= 1
        if is_sign(signs[end]) and end + 1 < len(signs) and signs[end + 1].kind == "word":
            end += 2
        elif _begins_with_d(signs[end]):
            end += 1
        else:
            break
        while end < len(signs) and signs[end].kind == "'":
            end += 1
        end += _length_of_power(signs[end:])
    return signs[:end]


def _dotted(name: Lexeme, dots: int) -> Lexeme:
    """Returns a name with dots in place of the primes after it."""
    first, *rest = name.data
    return name._replace(data=(first._replace(dots=first.dots + dots), *rest)) if dots else name


def _length_of_power(signs: Signs) -> int:
    if signs and signs[0].kind == "power":
        return 1
    return 1 + length_of(signs[1:]) if len(signs) > 1 and signs[0].kind == "^" else 0


def _begins_with_d(lexeme: Lexeme) -> bool:
    """Returns whether a word is a d before a name, such as dt, dq1 and dL."""
    return lexeme.kind == "word" and len(lexeme.data) > 1 and lexeme.data[0].text == "d" and lexeme.data[1].text != "_"


def _without_sign(signs: Signs) -> Signs | None:
    """Returns lexemes without the d or ∂ at the beginning, or None if there is none."""
    if is_sign(signs[0]):
        return signs[1:]
    if _begins_with_d(signs[0]):
        return [signs[0]._replace(data=signs[0].data[1:]), *signs[1:]]
    return None


def _power(signs: Signs) -> tuple[int, Signs]:
    """Returns the exponent at the beginning, 1 if there is none, and the lexemes after it."""
    if signs and signs[0].kind == "power":
        return signs[0].data, signs[1:]
    if len(signs) > 1 and signs[0].kind == "^":
        number = next((each.data for each in signs[1:3] if each.kind == "number"), 0)
        return int(number), signs[1 + length_of(signs[1:]) :]
    return 1, signs


def _variables(signs: Signs) -> Iterator[Lexeme]:
    """Yields the names after each d or ∂ of a denominator, as often as the power says."""
    signs = [each for each in signs if each.kind not in IDLE]
    if signs and signs[0].kind == "(" and length_of(signs) == len(signs):
        signs = signs[1:-1]
    while signs:
        rest = _without_sign(signs)
        if not rest or rest[0].kind != "word":
            return
        primes = next((k for k, each in enumerate(rest[1:]) if each.kind != "'"), len(rest) - 1)
        times, following = _power(rest[1 + primes :]) if len(rest) > 1 + primes else (1, ())
        yield from [_dotted(rest[0], primes)] * times
        signs = following
