"""Reads numbers and arithmetic as people write them: "m1*L**2/12", "-q1 + 90deg", "0.4318".

The parser is a small recursive one and never executes code. Decimals are read exactly, and a float by the digits that
Python prints for it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection
from contextlib import suppress
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import Any

from qddot.algebra.expressions import derivative
from qddot.algebra.expressions.angles import Angle
from qddot.algebra.expressions.circle import sum_of_angles
from qddot.algebra.expressions.constant_angles import cos_sin
from qddot.algebra.expressions.expression import FUNCTIONS, MOST_PRODUCTS, PI, Expression, Monomial, Root
from qddot.algebra.expressions.roots import square_root
from qddot.algebra.expressions.signs import correction, plain
from qddot.base.errors import ExpressionError, shortened
from qddot.base.words.message import Listed, Words, say

LONGEST_TEXT = 2_000
DEEPEST_NESTING = 40
LARGEST_EXPONENT = 12
LARGEST_MAGNITUDE = 100  # decimal digits before or after the point: products of a few such numbers are still floats
LONGEST_NUMBER = 400  # the most digits of a number in a fraction

_TOKEN = re.compile(
    r"\s*(?:(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|(?P<name>[^\W\d]\w*)|(?P<sign>\*\*|[-+*/^(),]))"
)


def expression(value: Any) -> Expression:
    """Returns the exact expression that a number or a text means.

    value: int, float (by its repr), Fraction, Decimal, str, NumPy scalar, or an Expression, which is returned
    raises ExpressionError: the value is not finite, not arithmetic, too large, or divides by a symbol
    """
    if isinstance(value, Expression):
        return value
    if isinstance(value, bool) or not isinstance(value, int | float | Fraction | Decimal | str):
        return _expression_of_foreign(value)
    if isinstance(value, str):
        return _in_range(_Parser(value).whole(), value)
    if isinstance(value, int | Fraction):
        return _in_range(Expression.constant(value), value)
    if not math.isfinite(value):
        raise ExpressionError("not-finite", value=value)
    number = _decimal(repr(float(value)) if isinstance(value, float) else str(value))
    return _in_range(Expression.constant(number), value)


def with_functions(value: Any, coordinates: Collection[str] = (), no_angles: Collection[str] = ()) -> Expression:
    """Returns the expression of a number or a text in which functions of anything may occur, as exp(-x) or 1/x.

    coordinates: names whose whole multiples are angles also within sums, so that sin(theta - w*t) has the sines of
        theta and of w*t; no_angles: names that are none, those of rates and of the time
    raises ExpressionError: as in `expression`, but for divisions and functions of symbols
    """
    if not isinstance(value, str):
        return expression(value)
    return _in_range(_WithFunctions(value, coordinates, no_angles).whole(), value)


def angle(value: Any) -> Angle:
    """Returns the exact angle that a number (radians) or a text such as "90deg" or "alpha/2" means.

    raises ExpressionError: the value is not linear in π and symbols
    """
    if isinstance(value, Angle):
        return value
    turned = expression(value).as_angle()
    if turned is None:
        raise ExpressionError("not-angle", value=shortened(value))
    return turned


def _in_range(value: Expression, source: object) -> Expression:
    """Returns the expression; raises ExpressionError if a coefficient is larger or smaller than in any robot."""
    largest = Fraction(10) ** LARGEST_MAGNITUDE
    if all(1 / largest <= abs(c) <= largest for c in value.terms.values()):
        return value
    raise ExpressionError("out-of-range", source=shortened(source), largest_magnitude=LARGEST_MAGNITUDE)


def _decimal(text: str) -> Fraction:
    if len(text) > LONGEST_TEXT:
        raise ExpressionError("number-too-long", count=len(text), longest_text=LONGEST_TEXT)
    with suppress(InvalidOperation):  # an exponent that Decimal does not accept
        number = Decimal(text)
        if not number or abs(number.adjusted()) <= LONGEST_NUMBER:
            return Fraction(number)
    raise ExpressionError("out-of-range", source=shortened(text), largest_magnitude=LONGEST_NUMBER)


def _expression_of_foreign(value: Any) -> Expression:
    """Returns the expression of a NumPy number from its printed digits."""
    kind, shape = getattr(getattr(value, "dtype", None), "kind", ""), getattr(value, "shape", None)
    if kind in ("i", "u", "f") and shape == () and math.isfinite(value):
        return _Parser(str(value)).whole()
    if kind == "f" and shape == ():
        raise ExpressionError("not-finite", value=value)
    raise ExpressionError("not-number", value=shortened(value))


class _Parser:
    """A recursive-descent parser has a method for each rule of the grammar.

    sum := product (± product)*; product := unary (*|/ unary)*; unary := ± unary | power.
    """

    def __init__(self, text: str) -> None:
        if len(text) > LONGEST_TEXT:
            raise ExpressionError("expression-too-long", count=len(text), longest_text=LONGEST_TEXT)
        self.text = plain(text)
        self.tokens = self._split()
        self.next = 0
        self.depth = 0
        self.products = 0

    def whole(self) -> Expression:
        if not self.tokens:
            raise self._error("empty-text")
        value = self.sum()
        if self.next < len(self.tokens):
            corrected = correction(self.text)
            remedy = say("write-corrected", text=corrected) if corrected else ""
            raise self._error("token-after-end", token=repr(self._peek()), remedy=remedy)
        return value

    def sum(self) -> Expression:
        parts = [self.product()]
        while self._peek() in ("+", "-"):
            parts.append(self.product() if self._take() == "+" else -self.product())
        return parts[0] if len(parts) == 1 else Expression.sum(parts)

    def product(self) -> Expression:
        value = self.unary()
        while self._peek() in ("*", "/"):
            factor = self.unary() if self._take() == "*" else self._inverse()
            self._work(len(value.terms) * len(factor.terms))
            value = value * factor
        return value

    def unary(self) -> Expression:
        sign = 1
        while self._peek() in ("+", "-"):
            sign = -sign if self._take() == "-" else sign
        value = self.power()
        return value if sign > 0 else -value

    def power(self) -> Expression:
        base = self.atom()
        exponent = self._exponent()
        if exponent == 1:
            return base
        power = base**exponent
        self._work(len(power.terms) * exponent)
        return power

    def _exponent(self) -> int:
        """Returns the exponent that follows, 1 if there is none."""
        if self._peek() not in ("**", "^"):
            return 1
        self._take()
        return self.unary_exponent()

    def unary_exponent(self) -> int:
        token = self._take()
        if not token.isdecimal() or len(token) > 3 or int(token) > LARGEST_EXPONENT:
            raise self._error("exponent-not-allowed", exponent=shortened(token), largest=LARGEST_EXPONENT)
        if self._peek() in ("**", "^"):
            raise self._error("power-of-power")
        return int(token)

    def _work(self, products: int) -> None:
        """Counts products of terms; raises ExpressionError if a text would take seconds."""
        self.products += products
        if self.products > MOST_PRODUCTS:
            raise self._error("expands-too-far")

    def atom(self) -> Expression:
        token = self._take()
        if token == "(":
            return self._bracket()
        if token[0].isdigit() or token[0] == ".":
            return self._in_degrees(Expression.constant(self._number(token)))
        if token in ("sin", "cos", "sqrt") and self._peek() == "(":
            self._take()
            return self._function(token, self._bracket())
        if token.isidentifier():
            return Expression.of(token)
        raise self._error("token-not-value", token=repr(token))

    def _bracket(self) -> Expression:
        self.depth += 1
        if self.depth > DEEPEST_NESTING:
            raise self._error("nested-too-deep", deepest=DEEPEST_NESTING)
        value = self.sum()
        if self._peek() != ")":
            raise self._error("bracket-not-closed")
        self._take()
        self.depth -= 1
        return self._in_degrees(value)

    def _in_degrees(self, value: Expression) -> Expression:
        if self._peek() != "deg":
            return value
        self._take()
        return value * Expression.of(PI) / 180

    def _function(self, name: str, argument: Expression) -> Expression:
        if name == "sqrt":
            return self._square_root(argument)
        turned = argument.as_angle()
        if turned is None:
            raise self._error("function-of-no-angle", function=name, argument=shortened(str(argument)))
        return cos_sin(turned)[0 if name == "cos" else 1]

    def _square_root(self, argument: Expression) -> Expression:
        number = argument.rational
        root = None if number is None else square_root(number)
        if root is not None:
            rational, primes = root
            return math.prod((Expression.of(Root(prime)) for prime in primes), start=Expression.constant(rational))
        remedy: Words = ""
        if number is not None and number > 0:
            remedy = say("write-decimals", decimals=f"{math.sqrt(number):.16g}")
        raise self._error("root-not-exact", argument=shortened(str(argument)), remedy=remedy)

    def _inverse(self) -> Expression:
        """Returns 1 over the number that follows in the text, without roots of 2, 3 and 6 in the denominator."""
        divisor = self.unary()
        if not divisor:
            raise self._error("divided-by-zero")
        atoms = set(divisor.atoms())
        if any(isinstance(atom, str) and atom != PI for atom in atoms):
            raise self._error("divided-by-symbol")
        if not all(isinstance(atom, Root) for atom in atoms):
            decimals = "" if divisor.symbols() else f"{1 / divisor.value({}):.16g}"
            remedy = say("write-decimals", decimals=decimals) if decimals else ""
            raise self._error("divided-by", divisor=divisor, remedy=remedy)
        return inverse(divisor)

    def _number(self, token: str) -> Fraction:
        try:
            return _decimal(token)
        except ExpressionError as error:
            raise error.at(shortened(self.text)) from None

    def _split(self) -> list[str]:
        tokens, position, end = [], 0, len(self.text.rstrip())
        while position < end:
            match = _TOKEN.match(self.text, position)
            if match is None:
                raise self._error("not-arithmetic", letter=repr(self.text[position:].strip()[0]))
            tokens.append(match[match.lastgroup or 0])
            position = match.end()
        return tokens

    def _peek(self) -> str:
        return self.tokens[self.next] if self.next < len(self.tokens) else ""

    def _take(self) -> str:
        token = self._peek()
        if not token:
            raise self._error("ends-too-early")
        self.next += 1
        return token

    def _error(self, code: str, **slots: Any) -> ExpressionError:
        return ExpressionError(code, where=shortened(self.text), **slots)


class _WithFunctions(_Parser):
    """This parser also reads functions of expressions, and divisions by them."""

    def __init__(self, text: str, coordinates: Collection[str], no_angles: Collection[str]) -> None:
        super().__init__(text)
        self.coordinates, self.no_angles = coordinates, no_angles

    def atom(self) -> Expression:
        following = self.tokens[self.next + 1 : self.next + 2]
        if following == ["("] and self._peek().isidentifier():
            name = self._take()
            if name not in FUNCTIONS[:-1]:
                raise self._error("unknown-function", name=name, known=Listed(FUNCTIONS[:-1]))
            self._take()
            return self._function(name, self._bracket())
        return super().atom()

    def _function(self, name: str, argument: Expression) -> Expression:
        if name in ("sin", "cos"):
            return self._cos_sin(argument)[name == "sin"]
        number = argument.rational if name == "sqrt" else None
        is_root = number is not None and (number < 0 or square_root(number) is not None)
        return super()._function(name, argument) if is_root else derivative.applied(name, argument)

    def _cos_sin(self, argument: Expression) -> tuple[Expression, Expression]:
        """Returns cos and sin of an angle, of anything else, or of a sum of both."""
        angle = argument.as_angle()
        if angle is not None and all(
            times.denominator == 1 and symbol not in self.no_angles for symbol, times in angle.symbols
        ):
            return cos_sin(angle)
        turned = Expression({m: c for m, c in argument.terms.items() if c.denominator == 1 and self._turns(m)})
        if turned:
            return sum_of_angles(self._cos_sin(turned), self._cos_sin(argument - turned))
        return derivative.applied("cos", argument), derivative.applied("sin", argument)

    def _turns(self, monomial: Monomial) -> bool:
        """Returns whether a product is a coordinate alone."""
        return len(monomial) == 1 and monomial[0][1] == 1 and monomial[0][0] in self.coordinates

    def _inverse(self) -> Expression:
        place = self.next
        base = self.atom() if self._peek() not in ("+", "-") else Expression.constant(1)
        if not all(isinstance(atom, Root) for atom in base.atoms()):
            return derivative.inverse(base) ** self._exponent()
        self.next = place
        return super()._inverse()


def inverse(number: Expression) -> Expression:
    """Returns 1 over a nonzero a + b√2 + c√3 + d√6: its product with its conjugates is rational."""
    numerator, norm = Expression.constant(1), number
    for root in (2, 3):
        conjugate = _conjugate(norm, Root(root))
        numerator, norm = numerator * conjugate, norm * conjugate
    assert norm.rational
    return numerator / norm.rational


def _conjugate(number: Expression, root: Root) -> Expression:
    """Returns the number with −√r in place of √r."""
    return Expression({m: -c if (root, 1) in m else c for m, c in number.terms.items()})
