"""Residues modulo a prime are a kind of number that satisfies all relations among an arm's constant angles.

The cosines and sines of constant angles are polynomials in a root of unity ζ (rational multiples of π), in e^{i/D}
(decimal radians with common denominator D) and in e^{iφ/D} of each symbol φ. ζ becomes a residue of the same order,
modulo a prime that is 1 modulo this order. e^{i/D} is transcendental (Lindemann & Weierstrass), so that it is as free
as a symbol; it and the symbols become random residues. An expression that is not zero modulo the prime is not zero in
the model's own numbers, even if these satisfy relations that the normal form does not use, such as 8x³ − 6x = 1 for x =
cos 20°. Conversely, one that is not zero in the model's own numbers is seldom zero modulo the prime: if the prime
divides all its coefficients, or if the random residues are a zero of it (Schwartz, "Fast probabilistic algorithms for
verification of polynomial identities", JACM 27, 1980). The prime and the residues are random also for whoever made the
model, since the operating system draws their seed. The probability is below 1e-20 if the coefficients, without their
common denominator, are integers (or integers of the field of ζ) of fewer than COEFFICIENT_BITS bits, if primes are as
frequent among the numbers that are 1 modulo the order as the prime number theorem says, and if SHA-512 of a random seed
acts as random.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import count
from typing import Any, Protocol

from flint import fmpz, fmpz_mod_ctx, fmpz_mod_mat

from qddot.algebra.expressions.angles import ONCE, Angle
from qddot.algebra.expressions.expression import INVERSE, MAGNITUDE, Applied, Expression
from qddot.algebra.freedoms import Freedoms
from qddot.algebra.numbers.arbitrary import arbitrary, drawn_seed
from qddot.algebra.numbers.polynomials.exact import Polynomial
from qddot.algebra.spatial.quaternion import unit_quaternion

LEAST_BITS = 100  # of a prime
SPARE_BITS = 90  # of a prime beyond twice those of the order of ζ, so that there are many such primes
COEFFICIENT_BITS = 2**20  # assumed to be more than any coefficient has
WHOLE = 24  # √2, √3 and i are sums of 24th roots of unity


class Described(Protocol):
    """This is what residues are made for: a robot's constant angles, its joints' ratios and its quaternions."""

    def constant_angles(self) -> Iterable[Angle]: ...
    @property
    def ratios(self) -> Mapping[str, Collection[Fraction]]: ...
    @property
    def freedoms(self) -> Iterable[Freedoms]: ...


class Modular:
    """This kind of number is residues modulo a prime: an arm's constants, and one random state of motion.

    angles: the constant angles that occur; ratios: for each turning coordinate, the multiples of it that occur
    seed: decides the prime and all residues; by default it is drawn
    values: the values of the symbols that are not random residues; they must have no sines and cosines
    quaternions: the four coordinates of each unit quaternion
    """

    def __init__(
        self,
        angles: Iterable[Angle],
        ratios: Mapping[str, Collection[Fraction]],
        seed: int | None = None,
        values: Mapping[str, Expression] | None = None,
        quaternions: Iterable[Sequence[str]] = (),
    ) -> None:
        angles = set(angles)
        self._order = math.lcm(WHOLE, *(2 * angle.pi.denominator for angle in angles))
        self._denominators = _denominators(angles)
        self._shares = {name: math.lcm(*(ratio.denominator for ratio in of)) for name, of in ratios.items()}
        self._power = max((1, *_powers(angles, self._denominators), *_multiples(ratios, self._shares)))
        self._order_bits = self._order.bit_length()
        self._bits = max(LEAST_BITS, 2 * self._order_bits + SPARE_BITS) - self._order_bits
        self._seed, self._state = drawn_seed() if seed is None else seed, 0
        self._values, self._changed = values or {}, ""
        self._quaternion_of = {name: tuple(names) for names in quaternions for name in names}
        self.prime = self._prime()
        self.modulo = fmpz_mod_ctx(self.prime)
        self._residues: dict[str, Any] = {}
        self._pairs: dict[Angle, tuple[Any, Any]] = {}
        self._zeta = self._root_of_unity()
        self._i = self._zeta ** (self._order // 4)

    @classmethod
    def of(
        cls,
        model: Described,
        seed: int | None = None,
        values: Mapping[str, Expression] | None = None,
    ) -> Modular:
        """Returns the numbers for a model, in which symbols are random if `values` has none for them."""
        quaternions = [freedoms.quaternion for freedoms in model.freedoms]
        return cls(model.constant_angles(), model.ratios, seed, values, quaternions)

    def in_state(self, number: int) -> Modular:
        """Returns the same constants in another random state."""
        return self._with(_state=number)

    def changed(self, symbol: str) -> Modular:
        """Returns the same numbers with another residue for one symbol; results that depend on it change."""
        return self._with(_changed=symbol, _pairs={})

    def _with(self, **attributes: Any) -> Modular:
        numbers: Modular = object.__new__(Modular)
        numbers.__dict__.update(self.__dict__, **attributes)
        return numbers

    def rational(self, value: Fraction) -> Any:
        top = self.modulo(value.numerator)
        return top if value.denominator == 1 else top / self.modulo(value.denominator)

    def symbol(self, name: str) -> Any:
        if name in self._values and name != self._changed:
            return self.modulo(self.integer(self._values[name].evaluate(self)))
        return self._of_symbol("symbol", name)

    def root(self, of: int) -> Any:
        eighth_or_twelfth = self._zeta ** (self._order // {2: 8, 3: 12}[of])
        return eighth_or_twelfth + 1 / eighth_or_twelfth

    def circular(self, angle: Angle) -> tuple[Any, Any]:
        if angle not in self._pairs:
            z = self._zeta ** int(angle.pi * self._order / 2)
            for name, part in (("", angle.radians), *angle.symbols):
                z = z * self._of_symbol("direction", name) ** int(part * self._denominators.get(name, 1))
            self._pairs[angle] = self._pair(z)
        return self._pairs[angle]

    def coordinate(self, name: str) -> Any:
        if name in self._quaternion_of:
            names = self._quaternion_of[name]
            parts = unit_quaternion([self._random(f"coordinate {part} {self._state}") for part in names])
            return parts[names.index(name)]
        return self._random(f"coordinate {name} {self._state}")

    def applied(self, atom: Applied, argument: Callable[[], Any]) -> Any:
        """Returns 1/u, cos or sin of a random angle for each u, or a random residue for each u of another function.

        The magnitude of a name has a random residue in each state, whatever the name stands for.
        """
        if atom.function == MAGNITUDE:
            return self._random(f"{atom} {self._state}")
        value = self.integer(argument())
        if atom.function in ("cos", "sin"):
            return self._pair(self._random(f"direction of {value}"))[atom.function == "sin"]
        return 1 / self.modulo(value) if atom.function == INVERSE else self._random(f"{atom.function} of {value}")

    def cos_sin(self, name: str, times: Fraction = ONCE) -> tuple[Any, Any]:
        share = self._random(f"direction of {name} {self._state}")  # e^{iq/D}, D as for symbols
        return self._pair(share ** int(times * self._shares.get(name, 1)))

    def rate(self, name: str) -> Any:
        return self._random(f"rate {name} {self._state}")

    def acceleration(self, name: str) -> Any:
        return self._random(f"acceleration {name} {self._state}")

    def sign(self, name: str) -> Any:
        return self._random(f"sign {name} {self._state}")

    def integer(self, entry: Any) -> int:
        """Returns a rational, a polynomial or a residue as an integer below the prime."""
        if isinstance(entry, Polynomial):
            return int(entry.evaluate(self))
        return int(self.rational(entry) if isinstance(entry, Fraction) else entry) % self.prime

    def echelon(self, matrix: Sequence[Sequence[Any]]) -> tuple[list[int], list[list[int]]]:
        """Returns the pivot columns and the nonzero rows of the reduced row echelon form."""
        width = len(matrix[0]) if matrix else 0
        entries = [self.integer(entry) for row in matrix for entry in row]
        if not entries:
            return [], []
        reduced, rank = fmpz_mod_mat(len(matrix), width, entries, self.modulo).rref()
        rows = [[int(reduced[i, j]) for j in range(width)] for i in range(rank)]
        return [next(j for j, entry in enumerate(row) if entry) for row in rows], rows

    def null_space(self, M: Sequence[Sequence[Any]]) -> list[list[bool]]:
        """Returns which entries are not zero, for each vector in a basis of the null space of a matrix."""
        pivots, rows = self.echelon(M)
        n, row_of = len(M[0]), dict(zip(pivots, rows, strict=True))
        free = [k for k in range(n) if k not in row_of]
        return [[j == k or (j in row_of and row_of[j][k] != 0) for j in range(n)] for k in free]

    def error(self, degree: int) -> float:
        """Returns a bound of the probability that something is zero here although it is not zero.

        degree: that of the polynomial in the coordinates' and symbols' sines, cosines and values, which residues of
        higher powers may stand for. The assumptions are those of this file's first lines.
        """
        least: int = self._order * 2 ** (self._bits - 1)
        primes: float = 2 ** (self._bits - 1) / math.log(2 * least)  # at least, among the candidates
        dividing = self._order * COEFFICIENT_BITS / math.log2(least)  # at most
        return dividing / primes + 2 * degree * self._power / least

    def _prime(self) -> int:
        """Returns a random prime that is 1 modulo the order of the root of unity."""
        half: int = 2 ** (self._bits - 1)
        factors = (half + arbitrary(f"{self._seed} prime {k}") % half for k in count())
        return next(candidate for each in factors if fmpz(candidate := self._order * each + 1).is_prime())

    def _root_of_unity(self) -> Any:
        """Returns a residue of exactly the order of ζ."""
        primes = [int(prime) for prime, _ in fmpz(self._order).factor()]
        powers = (self._random(f"root {k}") ** ((self.prime - 1) // self._order) for k in count())
        return next(root for root in powers if all(root ** (self._order // prime) != 1 for prime in primes))

    def _pair(self, z: Any) -> tuple[Any, Any]:
        """Returns (cos, sin) of the angle for z = e^{i·angle}."""
        inverse = 1 / z
        return (z + inverse) / 2, (z - inverse) / (2 * self._i)

    def _of_symbol(self, kind: str, name: str) -> Any:
        """Returns a random residue for a symbol, or its second one if it is changed."""
        return self._random(f"{kind} {name}, second" if name and name == self._changed else f"{kind} {name}")

    def _random(self, key: str) -> Any:
        """Returns a nonzero residue that depends only on the key and the seed."""
        if key not in self._residues:
            self._residues[key] = self.modulo(arbitrary(f"{self._seed} {key}") % (self.prime - 1) + 1)
        return self._residues[key]


def _denominators(angles: set[Angle]) -> dict[str, int]:
    """Returns the common denominator of each symbol's coefficients in all angles; the key "" is for plain radians."""
    common: dict[str, int] = {}
    for angle in angles:
        for name, part in (("", angle.radians), *angle.symbols):
            common[name] = math.lcm(common.get(name, 1), part.denominator)
    return common


def _powers(angles: set[Angle], denominators: Mapping[str, int]) -> Iterator[int]:
    """Yields the powers of residues that stand for constant angles."""
    for angle in angles:
        for name, part in (("", angle.radians), *angle.symbols):
            yield abs(int(part * denominators.get(name, 1)))


def _multiples(ratios: Mapping[str, Collection[Fraction]], shares: Mapping[str, int]) -> Iterator[int]:
    """Yields the powers of residues that stand for the angles of joints."""
    for name, of in ratios.items():
        for ratio in of:
            yield abs(int(ratio * shares[name]))
