"""Decides whether a polynomial is zero by the relations among cosines and sines of rational multiples of π.

Let ξ = 2 cos(2π/N), where 4 divides N. The cosines and sines of all multiples of 2π/N are polynomials in ξ, and so are
√2 and √3 if 24 divides N. The minimal polynomial of ξ is known. A polynomial in other variables over this field is zero
if and only if, once it is written in ξ, each coefficient is a multiple of the minimal polynomial; the quotients are the
certificate.
Source: Watkins & Zeitlin, *The minimal polynomial of cos(2π/n)*, American Mathematical Monthly 100, 1993.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from math import lcm
from typing import Any, NamedTuple

from flint import fmpq_poly, fmpz_poly

from qddot.algebra.numbers.polynomials.exact import Polynomial
from qddot.algebra.numbers.polynomials.generators import Generator
from qddot.base.words.message import Message, say

QUARTER, WHOLE = 4, 24  # sines are cosines of a quarter turn less; √2 and √3 are those of multiples of 2π/24
LONGEST = 6  # the largest degree of a minimal polynomial that is written out


class Membership(NamedTuple):
    """This certificate says that a polynomial is zero: written in ξ, it is Σ monomial · cofactor(ξ) · minimal(ξ).

    order: N; minimal: the minimal polynomial of ξ = 2 cos(2π/N); cofactors: by the exponents of the other variables
    value: the polynomial; images: its roots and its cosines and sines of constant angles as polynomials in ξ
    """

    order: int
    minimal: fmpz_poly
    cofactors: Mapping[tuple[int, ...], fmpq_poly]
    value: Polynomial
    images: Mapping[str, fmpq_poly]

    def data(self) -> dict[str, Any]:
        """Returns all as plain data, from which anybody can multiply out what the certificate says.

        A term is (coefficient, {variable: power}); a polynomial in ξ is its coefficients, that of ξ⁰ first.
        """
        keys = [generator.key for generator in self.value.ring.generators]

        def powers(exponents: Sequence[int]) -> dict[str, int]:
            return {key: int(power) for key, power in zip(keys, exponents, strict=True) if power}

        return {
            "terms": [(str(number), powers(each)) for each, number in self.value.poly.to_dict().items()],
            "order": self.order,
            "minimal": _coefficients(self.minimal),
            "images": {key: _coefficients(image) for key, image in self.images.items()},
            "cofactors": [(powers(each), _coefficients(cofactor)) for each, cofactor in self.cofactors.items()],
        }

    @property
    def message(self) -> Message:
        """Returns why the polynomial is zero."""
        degree = self.minimal.degree()
        plain = str(self.minimal).replace("*", "").replace("+ (-", "− ").replace(")", "")
        relation = f"{plain} = 0" if degree <= LONGEST else say("minimal-polynomial", degree=degree)
        return say("zero-by-cosine", order=self.order, relation=relation)

    def __str__(self) -> str:
        return str(self.message)


def membership(value: Polynomial) -> Membership | None:
    """Returns the certificate that a polynomial is zero, or None if it is not."""
    present = {generator.key for generator in value.generators()}
    rational = {k: each for k, each in enumerate(value.ring.generators) if each.key in present and _is_rational(each)}
    order = lcm(*(2 * each.angle.pi.denominator if each.angle else WHOLE for each in rational.values()), QUARTER)
    images = {place: _image(generator, order) for place, generator in rational.items()}
    coefficients: dict[tuple[int, ...], fmpq_poly] = {}
    for exponents, number in value.poly.to_dict().items():
        others = tuple(0 if place in rational else exponent for place, exponent in enumerate(exponents))
        product = fmpq_poly([number])
        for place, image in images.items():
            product *= image ** exponents[place]
        coefficients[others] = coefficients.get(others, fmpq_poly()) + product
    minimal = fmpz_poly.cos_minpoly(order)
    divided = {others: divmod(sum_, fmpq_poly(minimal)) for others, sum_ in coefficients.items()}
    if any(remainder for _, remainder in divided.values()):
        return None
    cofactors = {others: cofactor for others, (cofactor, _) in divided.items()}
    return Membership(order, minimal, cofactors, value, {rational[place].key: each for place, each in images.items()})


def _coefficients(polynomial: fmpz_poly | fmpq_poly) -> list[str]:
    return [str(coefficient) for coefficient in polynomial.coeffs()]


def _is_rational(generator: Generator) -> bool:
    return generator.kind == "root" or (generator.angle is not None and generator.angle.pi != 0)


def _image(generator: Generator, order: int) -> fmpq_poly:
    """Returns a root, a cosine or a sine as a polynomial in ξ."""
    if generator.angle is None:
        return _doubled_cosine(order // {"2": 8, "3": 12}[generator.name], order)
    turns = int(generator.angle.pi * order / 2)
    return _doubled_cosine(turns - order // 4 if generator.kind == "sin" else turns, order) / 2


@cache
def _doubled_cosine(k: int, order: int) -> fmpq_poly:
    """Returns 2 cos(2πk/N) as a remainder modulo the minimal polynomial, by the cosine of the double angle."""
    k = abs(k) % order
    if k < 2:
        return fmpq_poly([0, 1]) if k else fmpq_poly([2])
    half, odd = divmod(k, 2)
    product = _doubled_cosine(half, order) * _doubled_cosine(half + odd, order)
    result: fmpq_poly = (product - _doubled_cosine(odd, order)) % fmpq_poly(fmpz_poly.cos_minpoly(order))
    return result
