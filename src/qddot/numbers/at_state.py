"""Evaluates the variables of a ring, and polynomials in them, at one state in plain floats."""

from __future__ import annotations

import math
from collections.abc import Mapping

from qddot.numbers.exact import Polynomial, Ring
from qddot.numbers.floats import constant_pair
from qddot.numbers.generators import Generator


def generator_values(
    ring: Ring,
    q: Mapping[str, float],
    qd: Mapping[str, float],
    qdd: Mapping[str, float],
    symbols: Mapping[str, float],
) -> dict[str, float]:
    """Returns the value of every generator at a state, by its key; those that need a missing symbol are left out."""

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
            return float((qd[name] > 0) - (qd[name] < 0))
        return {"q": q, "qd": qd, "qdd": qdd}[kind][name]

    found = {generator.key: value(generator) for generator in ring.generators}
    return {key: number for key, number in found.items() if number is not None}


def value_of(polynomial: Polynomial, values: Mapping[str, float]) -> float:
    """Returns a polynomial's value, from the values of its generators by their keys."""
    keys, total = [generator.key for generator in polynomial.ring.generators], 0.0
    for exponents, c in polynomial.terms():
        factors = (values[key] for key, e in zip(keys, exponents, strict=True) for _ in range(e))
        total += math.prod(factors, start=float(c))
    return total
