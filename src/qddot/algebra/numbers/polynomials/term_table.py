"""Evaluates many exact polynomials in floats, with NumPy."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from qddot.algebra.numbers.floats import Floats
from qddot.algebra.numbers.polynomials.exact import Polynomial, Ring


class TermTable:
    """A table lists the terms of many polynomials in arrays, to evaluate them repeatedly in floats."""

    def __init__(self, ring: Ring, polynomials: Sequence[Polynomial]) -> None:
        self.ring = ring
        self.count = len(polynomials)
        coefficients: list[float] = []
        owner: list[int] = []
        rows: list[NDArray[np.int64]] = []
        for k, polynomial in enumerate(polynomials):
            if len(polynomial):
                rows.append(np.array(polynomial.poly.monoms(), dtype=np.int64))
                coefficients += [int(c.p) / int(c.q) for c in polynomial.poly.coeffs()]
                owner += [k] * len(polynomial)
        exponents = np.concatenate(rows) if rows else np.zeros((0, len(ring.generators)), dtype=np.int64)
        self.coefficients = np.array(coefficients)
        self.owner = np.array(owner, dtype=np.int64)
        self.term, self.variable = np.nonzero(exponents)
        self.exponent = exponents[self.term, self.variable]
        self.used = np.unique(self.variable).tolist()

    def __call__(self, numbers: Floats) -> NDArray[np.float64]:
        """Returns each polynomial's value, from the values of symbols and a state."""
        by_index = np.zeros(len(self.ring.generators))
        for place in self.used:
            by_index[place] = self.ring.generators[place].evaluate(numbers)
        products = self.coefficients.copy()
        np.multiply.at(products, self.term, by_index[self.variable] ** self.exponent)
        return np.bincount(self.owner, weights=products, minlength=self.count).astype(np.float64)
