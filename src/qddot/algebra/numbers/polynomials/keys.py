"""Defines dictionary keys for polynomials of one ring; texts could serve, too, but python-flint never frees them."""

from __future__ import annotations

from typing import Any


class PolynomialKey:
    """Keys of equal polynomials are equal. The hash is that of the number of terms, the first and the last term."""

    __slots__ = ("_hash", "_poly")

    def __init__(self, poly: Any) -> None:
        n = len(poly)
        ends = (0, n - 1) if n else ()
        self._poly = poly
        self._hash = hash((n, *((poly.monomial(k), poly.coefficient(k)) for k in ends)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PolynomialKey) and bool(self._poly == other._poly)

    def __hash__(self) -> int:
        return self._hash
