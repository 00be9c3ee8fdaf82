"""Evaluates polynomials in balls, whose radius covers every rounding error and tolerance, so that they prove bounds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flint import arb, fmpq

from qddot.expressions.angles import Angle
from qddot.numbers.exact import Polynomial
from qddot.numbers.generators import Generator


def ball(middle: float, radius: float = 0.0) -> arb:
    """Returns the ball of all numbers within a radius of a float."""
    return arb(middle, radius)


def ends(value: arb) -> tuple[float, float]:
    """Returns floats below and above all of a ball."""
    return float(value.lower()), float(value.upper())


def evaluated(polynomial: Polynomial, value: Callable[[str], Any]) -> arb:
    """Returns the ball of a polynomial, from values by name: coordinates, symbols and keys such as "qd(q1)".

    Each term is multiplied factor by factor; the ball does not use that terms share variables.
    """
    used, generators = set(polynomial.variables()), polynomial.ring.generators
    balls = {k: generator_ball(g, value) for k, g in enumerate(generators) if g.key in used}
    total = arb(0)
    for exponents, c in polynomial.terms():
        product = arb(fmpq(c.numerator, c.denominator))
        for k, factor in balls.items():
            if exponents[k]:
                product *= factor ** exponents[k]
        total += product
    return total


def generator_ball(generator: Generator, value: Callable[[str], Any]) -> arb:
    """Returns the ball of one variable of a ring; a sine's or a cosine's comes from its angle's."""
    if generator.kind in ("sin", "cos"):
        turned = angle_ball(generator.angle or Angle(symbols=generator.of), value)
        return turned.sin() if generator.kind == "sin" else turned.cos()
    if generator.kind == "root":
        return arb(int(generator.name)).sqrt()
    if generator.key == "pi":
        return arb.pi()
    if generator.kind == "sgn":
        return arb(1)
    return arb(value(generator.name if generator.kind in ("q", "symbol") else generator.key))


def angle_ball(angle: Angle, value: Callable[[str], Any]) -> arb:
    """Returns the ball of an angle that is a combination of names."""
    total = arb.pi() * arb(fmpq(angle.pi.numerator, angle.pi.denominator))
    total += arb(fmpq(angle.radians.numerator, angle.radians.denominator))
    for name, n in angle.symbols:
        total += arb(value(name)) * arb(fmpq(n.numerator, n.denominator))
    return total
