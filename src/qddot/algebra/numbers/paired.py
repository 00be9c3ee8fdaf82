"""Defines paired rates, with which every function that is quadratic in the rates becomes its bilinear form.

Where h(q̇) is quadratic, its bilinear form is ½ (h(q̇ + q̇_r) − h(q̇) − h(q̇_r)): that of h = C q̇ is C(q, q̇) q̇_r with
Christoffel's C. An algorithm multiplies rates by numbers, adds them, and in the end multiplies two of them; so it
computes the bilinear form if its rates are pairs whose product is ½ (a b_r + a_r b).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from qddot.algebra.spatial import divided


class PairedRate:
    """This is a rate a together with half of that of a reference motion, a_r / 2."""

    __slots__ = ("half", "own")
    __array_ufunc__ = None  # so that arrays and nodes leave a product with a pair to it

    def __init__(self, own: Any, half: Any) -> None:
        self.own, self.half = own, half

    def __add__(self, other: Any) -> PairedRate:
        """Returns the sum with another pair, or with the structural zero."""
        return self if isinstance(other, int) else PairedRate(self.own + other.own, self.half + other.half)

    __radd__ = __add__

    def __neg__(self) -> PairedRate:
        return PairedRate(-self.own, -self.half)

    def __sub__(self, other: Any) -> Any:
        return self + -other

    def __rsub__(self, other: Any) -> Any:
        return -self + other

    def __mul__(self, other: Any) -> Any:
        """Returns the number ½ (a b_r + a_r b) for another pair, else the pair times a number."""
        if not isinstance(other, PairedRate):
            return 0 if isinstance(other, int) and other == 0 else PairedRate(self.own * other, self.half * other)
        if other is self:
            return self.own * self.half * 2
        return self.own * other.half + self.half * other.own

    __rmul__ = __mul__


def paired(rates: Sequence[Any], reference: Sequence[Any]) -> tuple[Any, ...]:
    """Returns the pairs of rates with those of a reference motion."""
    return tuple(PairedRate(own, divided(other, 2)) for own, other in zip(rates, reference, strict=True))
