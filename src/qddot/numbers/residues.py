"""Evaluates a model modulo a prime, in one random state: what is not zero there is not zero in the exact equations.

Every number of a description has a residue: rationals exactly, √2 and √3 as roots modulo the prime; π, symbols
without a value and coordinates as random residues; an angle as a random point of the circle c² + s² = 1. A minor of
a matrix that does not vanish modulo the prime does not vanish identically, so that a rank found here is never too
high; for generic angles and symbols it is too low with a probability below 1e-15. Source: Schwartz, "Fast
probabilistic algorithms for verification of polynomial identities", JACM 27, 1980.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from flint import fmpz_mod_ctx, fmpz_mod_mat

from qddot.expressions.angles import ONCE, Angle
from qddot.expressions.circle import circle_point, multiple_of_angle
from qddot.expressions.expression import Expression, Trigonometric
from qddot.model.model import Model
from qddot.numbers.arbitrary import arbitrary
from qddot.numbers.exact import Polynomial, Ring
from qddot.numbers.generators import Generator

PRIME = 2**61 - 31  # 1 modulo 24, so that 2 and 3 have square roots
MODULO = fmpz_mod_ctx(PRIME)  # which makes residues of integers, also where a machine's words have 32 bits


class Residues:
    """This kind of number is for `Mechanism.of`: a random state of a model, with random rates, modulo a prime.

    other: the symbols that take a second random residue; a comparison of both states shows what depends on them
    """

    def __init__(self, model: Model, seed: int = 0, other: frozenset[str] = frozenset()) -> None:
        self._ring = Ring.of(model)
        self._seed = seed
        self._other = other
        values = {symbol.name: symbol.value for symbol in model.symbols.values()}
        self._defaults = {name: value for name, value in values.items() if value is not None and _algebraic(value)}
        self._known: dict[str, Any] = {}

    def rational(self, value: Fraction) -> Any:
        return MODULO(value.numerator) / MODULO(value.denominator)

    def symbol(self, name: str) -> Any:
        if name in self._defaults and name not in self._other:
            return _embedded(self._defaults[name].evaluate(self))
        return self._random(f"symbol {name}", name)

    def root(self, of: int) -> Any:
        return MODULO(of).sqrt()

    def circular(self, angle: Angle) -> tuple[Any, Any]:
        c, s = self._ring.circular(angle)
        return self._value(c), self._value(s)

    def coordinate(self, name: str) -> Any:
        return self._random(f"coordinate {name}")

    def cos_sin(self, name: str, times: Fraction = ONCE) -> tuple[Any, Any]:
        ((angle, n),) = self._ring.turning.multiple(name, times)
        return multiple_of_angle(self._circle(f"angle {angle}"), n)

    def rate(self, name: str) -> Any:
        return self._random(f"rate {name}")

    def acceleration(self, name: str) -> Any:
        return self._random(f"acceleration {name}")

    def sign(self, name: str) -> Any:
        return self._random(f"sign {name}")

    def _value(self, polynomial: Any) -> Any:
        """Returns the residue of a polynomial in √2, √3 and the cosines and sines of base angles."""
        if not isinstance(polynomial, Polynomial):
            return _embedded(polynomial)
        total = MODULO(0)
        for exponents, coefficient in polynomial.terms():
            product = self.rational(coefficient)
            for generator, exponent in zip(self._ring.generators, exponents, strict=True):
                for _ in range(exponent):
                    product = product * self._generator(generator)
            total = total + product
        return total

    def _generator(self, generator: Generator) -> Any:
        if generator.kind == "root":
            return self.root(int(generator.name))
        angle = generator.angle
        assert angle is not None, "only constant angles are split here"
        return self._circle(f"angle {angle}", *(name for name, _ in angle.symbols))[generator.kind == "sin"]

    def _circle(self, key: str, *symbols: str) -> tuple[Any, Any]:
        """Returns a random point of the circle c² + s² = 1."""
        return circle_point(self._random(key, *symbols))

    def _random(self, key: str, *symbols: str) -> Any:
        """Returns a residue that depends only on the key, the seed, and which of these symbols are in `other`."""
        text = f"{self._seed} {key} {sorted(self._other.intersection(symbols))}"
        if text not in self._known:
            self._known[text] = MODULO(arbitrary(text) % PRIME)
        return self._known[text]


def _algebraic(value: Expression) -> bool:
    """Returns whether a symbol's default has an exact residue; an expression with sines or cosines has none."""
    return not any(isinstance(atom, Trigonometric) for atom in value.atoms())


def _embedded(entry: Any) -> Any:
    return MODULO(entry) if isinstance(entry, int) else entry


def residue(entry: Any) -> int:
    """Returns an integer or a residue as an integer from 0 to PRIME − 1."""
    return int(entry) % PRIME


def null_space(M: list[list[Any]]) -> list[list[bool]]:
    """Returns which entries are not zero, for each vector in a basis of the null space of a matrix of residues."""
    n = len(M[0])
    reduced, rank = fmpz_mod_mat(len(M), n, [residue(entry) for row in M for entry in row], MODULO).rref()
    table = [[int(reduced[i, j]) for j in range(n)] for i in range(rank)]
    row_of = {next(j for j, entry in enumerate(row) if entry): row for row in table}
    free = [k for k in range(n) if k not in row_of]
    return [[j == k or (j in row_of and row_of[j][k] != 0) for j in range(n)] for k in free]
