"""Numbers out of exact polynomials: fast floats, and a state that proves a difference."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from flint import ctx, fmpq
from numpy.typing import NDArray

from qddot.numbers.enclosures import evaluated
from qddot.numbers.exact import Generator, Polynomial, Ring
from qddot.numbers.floats import constant_pair

WITNESS_BITS = 128


class TermTable:
    """Many polynomials laid out as one list of terms, to be evaluated again and again in floats."""

    def __init__(self, ring: Ring, polynomials: Sequence[Polynomial]) -> None:
        self.ring = ring
        self.count = len(polynomials)
        coefficients: list[float] = []
        owner: list[int] = []
        rows: list[NDArray[np.int64]] = []
        for k, polynomial in enumerate(polynomials):
            if len(polynomial):
                rows.append(np.array(polynomial.poly.monoms(), dtype=np.int64))
                coefficients += [_quotient(c) for c in polynomial.poly.coeffs()]
                owner += [k] * len(polynomial)
        exponents = np.concatenate(rows) if rows else np.zeros((0, len(ring.generators)), dtype=np.int64)
        self.coefficients = np.array(coefficients)
        self.owner = np.array(owner, dtype=np.int64)
        self.term, self.variable = np.nonzero(exponents)
        self.exponent = exponents[self.term, self.variable]
        self.used = [ring.generators[k] for k in np.unique(self.variable)]

    def __call__(self, values: Mapping[str, float]) -> NDArray[np.float64]:
        """Each polynomial's value, from the values of the generators that occur, by their keys."""
        by_index = np.zeros(len(self.ring.generators))
        for generator in self.used:
            by_index[self.ring.index[generator.key]] = values[generator.key]
        products = self.coefficients.copy()
        np.multiply.at(products, self.term, by_index[self.variable] ** self.exponent)
        return np.bincount(self.owner, weights=products, minlength=self.count).astype(np.float64)


def _quotient(c: Any) -> float:
    return int(c.p) / int(c.q)


def generator_values(
    ring: Ring,
    q: Mapping[str, float],
    qd: Mapping[str, float],
    qdd: Mapping[str, float],
    symbols: Mapping[str, float],
) -> dict[str, float]:
    """The value of every generator in a state, by its key; symbols without a value are left out."""

    def value(generator: Generator) -> float | None:
        name, kind = generator.name, generator.kind
        if kind in ("sin", "cos"):
            if generator.angle is None:
                return getattr(math, kind)(sum(q[of] * float(n) for of, n in generator.of))  # type: ignore[no-any-return]
            if not {used for used, _ in generator.angle.symbols} <= set(symbols):
                return None
            return constant_pair(generator.angle, symbols)[0 if kind == "cos" else 1]
        if kind == "symbol":
            return math.pi if name == "pi" else symbols.get(name)
        if kind == "root":
            return math.sqrt(int(name))
        if kind == "sgn":
            return float(np.sign(qd[name]))
        return {"q": q, "qd": qd, "qdd": qdd}[kind][name]

    found = {generator.key: value(generator) for generator in ring.generators}
    return {key: number for key, number in found.items() if number is not None}


def witness(difference: Polynomial, seed: int = 1) -> tuple[dict[str, str], float] | None:
    """A state in which a polynomial is certainly not zero, and its value there; None if none is found.

    Coordinates and symbols take small rational values, angles their true sines and cosines; the value
    is a ball that excludes zero.
    """
    precision, ctx.prec = ctx.prec, WITNESS_BITS
    try:
        for attempt in range(seed, seed + 5):
            names: dict[str, fmpq] = {}
            value = evaluated(difference, _choice(names, attempt))
            if not value.contains(0):
                return {name: str(number) for name, number in sorted(names.items())}, float(value.mid())
        return None
    finally:
        ctx.prec = precision


def _choice(names: dict[str, fmpq], attempt: int) -> Callable[[str], fmpq]:
    """Rational values that differ from name to name, remembered in `names`."""

    def value(name: str) -> fmpq:
        if name not in names:
            names[name] = fmpq(7 * len(names) + 3 + attempt, 5 + 2 * attempt + 3 * len(names))
        return names[name]

    return value
