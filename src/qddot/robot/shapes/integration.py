"""Integrates polynomials over bodies exactly, one variable after the other, as on paper."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import NamedTuple

from qddot.algebra.expressions.angles import Angle
from qddot.algebra.expressions.constant_angles import cos_sin
from qddot.algebra.expressions.expression import PI, Expression, Monomial, Trigonometric
from qddot.algebra.expressions.parser import angle, expression

ANGLES = ("theta", "phi")  # variables that occur in sines and cosines alone
FULL_TURN = Angle(pi=Fraction(2))


class Variable(NamedTuple):
    """A variable of integration goes from a lower to an upper limit, in which outer variables may occur."""

    name: str
    lower: Expression
    upper: Expression


class Region(NamedTuple):
    """A region is a body, or a part of one, whose points are polynomials in variables.

    variables: from the outermost to the innermost; element: the volume per dx dy … of the variables, such as s for
    ds dφ; point: x, y, z of the body's own frame
    """

    variables: tuple[Variable, ...]
    element: Expression
    point: tuple[Expression, Expression, Expression]

    @classmethod
    def of(cls, limits: dict[str, tuple[str, str]], element: str, point: tuple[str, str, str]) -> Region:
        """Returns a region from texts; limits: those of each variable, the outermost first."""
        variables = (Variable(name, *map(expression, ends)) for name, ends in limits.items())
        x, y, z = map(expression, point)
        return cls(tuple(variables), expression(element), (x, y, z))

    def integral(self, of: Expression) -> Expression:
        """Returns ∫ of dV, the polynomial in the sizes that is left when every variable is integrated."""
        value = of * self.element
        for variable in reversed(self.variables):
            parts = (_of_term(monomial, variable) * c for monomial, c in value.terms.items())
            value = Expression.sum(parts)
        return value


def _of_term(monomial: Monomial, over: Variable) -> Expression:
    """Returns the integral of a product of powers over one variable."""
    exponents = {"": 0, "sin": 0, "cos": 0}  # of the variable, its sine and its cosine
    rest = []
    for atom, e in monomial:
        if atom == over.name:
            exponents[""] = e
        elif isinstance(atom, Trigonometric) and atom.angle == angle(over.name):
            exponents[atom.function] = e
        else:
            rest.append((atom, e))
    if over.name in ANGLES:
        integral = _of_turn(exponents["sin"], exponents["cos"], angle(over.lower), angle(over.upper))
    else:
        integral = _of_power(exponents[""], over.lower, over.upper)
    return Expression.of_terms([(rest, Fraction(1))]) * integral


def _of_power(k: int, lower: Expression, upper: Expression) -> Expression:
    """Returns ∫ x^k dx = (b^(k+1) − a^(k+1)) / (k + 1)."""
    return (upper ** (k + 1) - lower ** (k + 1)) / (k + 1)


def _of_turn(a: int, b: int, lower: Angle, upper: Angle) -> Expression:
    """Returns ∫ sin^a φ cos^b φ dφ.

    One odd exponent leaves a polynomial in the other function, by sin² + cos² = 1; two even ones are integrated over a
    full turn, where ∫ = 2π (a−1)!! (b−1)!! / (a+b)!!.
    """
    if not (a or b):
        return Expression.of(PI) * (upper.pi - lower.pi)
    (cos_lower, sin_lower), (cos_upper, sin_upper) = cos_sin(lower), cos_sin(upper)
    if a % 2:
        return -_of_rest((a - 1) // 2, b, cos_lower, cos_upper)
    if b % 2:
        return _of_rest((b - 1) // 2, a, sin_lower, sin_upper)
    assert upper - lower == FULL_TURN
    return Expression.of(PI) * Fraction(2 * _double(a - 1) * _double(b - 1), _double(a + b))


def _of_rest(pairs: int, k: int, lower: Expression, upper: Expression) -> Expression:
    """Returns ∫ (1 − u²)^pairs u^k du."""
    terms = (_of_power(2 * j + k, lower, upper) * ((-1) ** j * math.comb(pairs, j)) for j in range(pairs + 1))
    return Expression.sum(terms)


def _double(k: int) -> int:
    """Returns k!! = k (k − 2) …, which is 1 for −1 and 0."""
    return math.prod(range(k, 0, -2))
