"""Proves how far the sines and cosines that compiled code computes are from the exact ones.

The angle is reduced by k π/2 in parts. Up to π/4 and a little more, in short pieces, the polynomials are compared with
Taylor's series in exact arithmetic, and every operation's rounding is followed (Higham, *Accuracy and Stability of
Numerical Algorithms*, 2002, §3.1). A bound for two roundings, of a product and a sum, also holds for a fused one.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from flint import arb, fmpq, fmpq_poly

from qddot.algebra.numbers.balls import ends, precise
from qddot.base.errors import EvaluationError
from qddot.machine.compilers.polynomials import DOUBLE, LARGEST_SPLIT, SINGLE, SPLIT_HALF_PI, Circular
from qddot.proof.bounds.precision import Precision

PIECES = 48
DEGREE = 14  # of Taylor's series in r²; what is left out is below 1e-30
WIDER = 1 + 1e-9  # exceeds the relative error of this file's own floats


class CircularError(NamedTuple):
    """These are bounds of the errors of a sine or a cosine, and of the length of the error of both."""

    one: float
    pair: float


@cache
def circular_error(precision: Precision, reach: float, split: bool = False) -> CircularError:
    """Returns the bounds for angles up to `reach`.

    split: whether π/2 is subtracted in four parts without fused multiply-add, as C does where there is none
    raises EvaluationError: the angle may be so large that the C library computes its sine
    """
    numbers = DOUBLE if precision.name == "float64" else SINGLE
    parts, largest = (SPLIT_HALF_PI, LARGEST_SPLIT) if split else (numbers.half_pi, numbers.largest)
    if not reach <= largest:
        raise EvaluationError("angle-too-large", reach=f"{reach:.3g}", largest=f"{largest:g}")
    rounded = tuple(map(precision.nearest, parts))
    k = reach * 0.64 + 1
    with precise():
        left = ends(abs(arb.pi() / 2 - sum(map(arb, rounded), arb(0))))[1]
        turn = ends(abs(2 / arb.pi() - arb(precision.nearest(2 / math.pi))))[1]
    top = (math.pi / 2 * (0.5 + reach * turn) + 4 * precision.unit * k) * WIDER
    edges = [top * i / PIECES for i in range(PIECES + 1)]
    pieces = [_piece(precision, numbers, rounded, k, left, a, b) for a, b in pairwise(edges)]
    return CircularError(max(one for one, _ in pieces) * WIDER, max(pair for _, pair in pieces) * WIDER)


def _piece(
    precision: Precision, numbers: Circular, parts: Sequence[float], k: float, left: float, a: float, b: float
) -> tuple[float, float]:
    """Returns the errors for reduced angles between a and b.

    The first difference x − k P₁ is exact: it is a multiple of the last place of P₁ or x, and its size is less than 1.
    """
    half, u = precision.half_ulp, precision.unit
    moved = k * left
    for j, part in enumerate(parts[1:], start=1):
        behind = k * sum(abs(p) for p in parts[j + 1 :])
        moved += half(b + behind + k * left + 8 * u) + (u * k * abs(part) if j == len(parts) - 1 else 0.0)
    low, high = max(a - moved, 0.0), b + moved
    z = high * high
    square = half(z)  # the rounding of r²
    wrong_sine, size_sine = _horner(precision, numbers.sin, z)
    cube = z * high
    product = size_sine * cube
    sine = high * _difference(precision, numbers.sin, 1, low, high)
    sine += wrong_sine * cube + product * 3 * u + size_sine * high * square + _slope(numbers.sin, z) * square * cube
    sine += half(math.sin(min(high, 1.5)) + 8 * u)
    wrong_cosine, size_cosine = _horner(precision, numbers.cos, z)
    cosine = _difference(precision, numbers.cos, 0, low, high)
    cosine += square / 2 + half(1 - 1e-9)
    cosine += (wrong_cosine + _slope(numbers.cos, z) * square) * z * z + size_cosine * (2 * z * z * u + 2 * z * square)
    cosine += half(math.cos(low) + 8 * u)
    one = max(math.cos(low) * moved + sine, math.sin(min(high, 1.5)) * moved + cosine)
    return one, moved + math.hypot(sine, cosine)


def _horner(precision: Precision, coefficients: Sequence[float], z: float) -> tuple[float, float]:
    """Returns bounds of the rounding error and of the size of a polynomial up to z, each step of two roundings."""
    error, size = 0.0, abs(precision.nearest(coefficients[0]))
    for coefficient in coefficients[1:]:
        product = size * z
        size = product + abs(precision.nearest(coefficient))
        error = error * z + precision.unit * (product + size + error) * (1 + precision.unit)
    return error, size


def _slope(coefficients: Sequence[float], z: float) -> float:
    """Returns a bound of a polynomial's derivative up to z."""
    degree = len(coefficients) - 1
    return sum(abs(c) * (degree - i) * z ** max(degree - i - 1, 0) for i, c in enumerate(coefficients)) * 2


def _difference(precision: Precision, coefficients: Sequence[float], odd: int, low: float, high: float) -> float:
    """Returns a bound of |p(r²) − t(r²)| for r from low to high, where t is the series of (sin r)/r or cos r.

    p is 1 + z s(z), or 1 − z/2 + z² c(z). Around the middle of the range of r², their exact difference is a polynomial
    whose coefficients are small.
    """
    own = [fmpq(*Fraction(precision.nearest(c)).as_integer_ratio()) for c in reversed(coefficients)]
    head = [fmpq(1)] if odd else [fmpq(1), fmpq(-1, 2)]
    difference = fmpq_poly(head + own) - fmpq_poly(list(_series(odd)))
    first, last = Fraction(low) ** 2, Fraction(high) ** 2
    middle, radius = (first + last) / 2, (last - first) / 2
    around = difference(fmpq_poly([fmpq(middle.numerator, middle.denominator), fmpq(1)]))
    total = sum(abs(Fraction(int(c.p), int(c.q))) * radius**i for i, c in enumerate(around.coeffs()))
    tail = last ** (DEGREE + 1) / math.factorial(2 * DEGREE + 2)
    return float(total + tail) * WIDER


def _series(odd: int) -> Iterator[fmpq]:
    for i in range(DEGREE + 1):
        yield fmpq((-1) ** i, math.factorial(2 * i + odd))
