"""Gives cosines and sines of constant angles: roots at multiples of 15°, atoms elsewhere; and sin² + cos² = 1."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cache

from qddot.algebra.expressions.angles import TWELFTH, Angle
from qddot.algebra.expressions.expression import Applied, Atom, Expression, Monomial, Root, Trigonometric


def cos_sin(angle: Angle) -> tuple[Expression, Expression]:
    """Returns cos and sin of a constant angle, in terms of √2 and √3 at multiples of 15°, else as atoms."""
    if angle.symbols or angle.radians or (angle.pi / TWELFTH).denominator != 1:
        return Expression.of(Trigonometric("cos", angle)), Expression.of(Trigonometric("sin", angle))
    steps = int(angle.pi / TWELFTH) % 24
    return _cos_of_steps(steps), _cos_of_steps(6 - steps)


@cache
def _cos_of_steps(steps: int) -> Expression:
    """Returns cos(15° · steps), from a table for 0° to 90° and by symmetry elsewhere."""
    steps = min(steps % 24, -steps % 24)
    if steps > 6:
        return -_cos_of_steps(12 - steps)
    r2, r3, half = Expression.of(Root(2)), Expression.of(Root(3)), Fraction(1, 2)
    table = {
        0: Expression.constant(1),
        1: (r2 * r3 + r2) / 4,
        2: r3 * half,
        3: r2 * half,
        4: Expression.constant(half),
        5: (r2 * r3 - r2) / 4,
        6: Expression.constant(0),
    }
    return table[steps]


def reduced(expression: Expression) -> Expression:
    """Returns the expression with sin² of everything written as 1 − cos²."""
    total: dict[Monomial, Fraction] = {}
    for monomial, c in expression.terms.items():
        for reduced_monomial, factor in _without_sine_squares(monomial).terms.items():
            total[reduced_monomial] = total.get(reduced_monomial, Fraction(0)) + c * factor
    return Expression(total)


def _without_sine_squares(monomial: Monomial) -> Expression:
    exponents: dict[Atom, int] = {}
    rest = Expression.constant(1)
    for atom, e in monomial:
        is_square = isinstance(atom, Trigonometric | Applied) and atom.function == "sin" and e > 1
        if isinstance(atom, Trigonometric | Applied) and is_square:
            rest = rest * (1 - Expression.of(replace(atom, function="cos")) ** 2) ** (e // 2)
        exponents[atom] = e % 2 if is_square else e
    return rest * Expression({tuple((atom, e) for atom, e in exponents.items() if e): Fraction(1)})
