"""A RoundedRing has rational points of the unit circle as close approximations of its constant angles."""

from __future__ import annotations

from fractions import Fraction

from qddot.algebra.expressions.angles import Angle
from qddot.algebra.expressions.circle import circle_point
from qddot.algebra.numbers.balls import Balls, middle, precise
from qddot.algebra.numbers.polynomials.exact import Polynomial, Ring

PLACES = 320  # binary places of the tangents of half the angles


class RoundedRing(Ring):
    """This is a model's ring in which base angles without symbols are rounded by at most 2^−PLACES rad."""

    def base_pair(self, base: Angle) -> tuple[Polynomial, Polynomial]:
        """Returns the rational point of the circle for a rounded tan(base/2)."""
        if base.symbols:
            return super().base_pair(base)
        with precise(4 * PLACES):
            c, s = Balls().circular(base)
            t = Fraction(round(middle(s / (1 + c)) * 2**PLACES), 2**PLACES)
        x, y = circle_point(t)
        return self.convert(x), self.convert(y)


def rounded(value: Polynomial, bits: int) -> Polynomial:
    """Returns the polynomial with its coefficients rounded to `bits` significant bits."""

    def short(c: Fraction) -> Fraction:
        places = bits - c.numerator.bit_length() + c.denominator.bit_length()
        scale = Fraction(2**places) if places >= 0 else Fraction(1, 2**-places)
        return round(c * scale) / scale

    return value.ring.from_terms((exponents, short(c)) for exponents, c in value.terms())
