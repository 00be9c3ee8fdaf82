"""Evaluates many exact polynomials in floats, with NumPy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from qddot.numbers.exact import Polynomial, Ring


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
        self.used = [ring.generators[k] for k in np.unique(self.variable)]

    def __call__(self, values: Mapping[str, float]) -> NDArray[np.float64]:
        """Returns each polynomial's value, from the values of its generators by their keys."""
        by_index = np.zeros(len(self.ring.generators))
        for generator in self.used:
            by_index[self.ring.index[generator.key]] = values[generator.key]
        products = self.coefficients.copy()
        np.multiply.at(products, self.term, by_index[self.variable] ** self.exponent)
        return np.bincount(self.owner, weights=products, minlength=self.count).astype(np.float64)
