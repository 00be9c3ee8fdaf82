"""An Expression is a number in a robot's description: an exact polynomial in the description's symbols.

An expression is a sum of products of atoms with rational coefficients. Atoms are symbols, π, the
cosine or sine of a constant angle, √2 and √3. Division is possible by numbers only, so that every expression has a
value in every kind of number, which `evaluate` computes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any, Protocol, TypeAlias, runtime_checkable

from qddot.algebra.expressions.angles import Angle
from qddot.algebra.spatial import Number
from qddot.base.errors import ExpressionError, shortened
from qddot.base.records import record

LARGEST_EXPANSION = 5_000  # terms: far more than in any description, and still fast
LARGEST_COEFFICIENT = 4096  # bits
LARGEST_POWER = 100
MOST_PRODUCTS = 50_000  # products of terms in one multiplication, which take about a second
PI = "pi"
INVERSE, MAGNITUDE = "inverse", "abs"  # 1/u and |u|, which descriptions do not write
FUNCTIONS = ("sin", "cos", "tan", "exp", "tanh", "sqrt", INVERSE)  # those of expressions with coordinates


@record(slots=True)
class Trigonometric:
    """A trigonometric atom is cos or sin of a constant angle, if √2 and √3 do not express it."""

    function: str
    angle: Angle

    def __str__(self) -> str:
        return f"{self.function}({self.angle})"


@record(slots=True)
class Root:
    """A root is the atom √2 or √3."""

    of: int

    def __str__(self) -> str:
        return f"sqrt({self.of})"


@record(slots=True)
class Applied:
    """An applied function is the atom f(u) of an expression u, as exp(u) or sin(u) where u is no angle.

    function: a name of FUNCTIONS; INVERSE is 1/u
    """

    function: str
    argument: Expression

    def __str__(self) -> str:
        return f"(1/({self.argument}))" if self.function == INVERSE else f"{self.function}({self.argument})"


Atom: TypeAlias = str | Trigonometric | Root | Applied
Monomial: TypeAlias = tuple[tuple[Atom, int], ...]


class Numbers(Protocol):
    """A kind of number gives the value of each atom of an expression."""

    def rational(self, value: Fraction) -> Number: ...
    def symbol(self, name: str) -> Number: ...
    def circular(self, angle: Angle) -> tuple[Number, Number]: ...
    def root(self, of: int) -> Number: ...


@runtime_checkable
class OfFunctions(Protocol):
    """A kind of number with this method also gives the values of functions."""

    def applied(self, atom: Applied) -> Number: ...


class Expression:
    """An expression is an immutable exact polynomial in a description's symbols; it equals another with the same
    terms."""

    __slots__ = ("terms",)
    terms: Mapping[Monomial, Fraction]

    def __init__(self, terms: Mapping[Monomial, Fraction]) -> None:
        if len(terms) > LARGEST_EXPANSION:
            raise _too_long()
        nonzero = {m: c for m, c in terms.items() if c}
        if any(_bits(c) > LARGEST_COEFFICIENT for c in nonzero.values()):
            raise _too_large()
        object.__setattr__(self, "terms", nonzero)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("an Expression is immutable")

    def __reduce__(self) -> tuple[Any, ...]:
        return Expression, (dict(self.terms),)

    @classmethod
    def of(cls, atom: Atom) -> Expression:
        return cls({((atom, 1),): Fraction(1)})

    @classmethod
    def constant(cls, value: Fraction | int) -> Expression:
        return cls({(): Fraction(value)})

    @classmethod
    def of_terms(cls, terms: Iterable[tuple[Iterable[tuple[Atom, int]], Fraction]]) -> Expression:
        """Returns the sum of different terms (factors, coefficient); the factors of a term may be in any order."""
        return cls({tuple(sorted(factors, key=_name)): c for factors, c in terms})

    @classmethod
    def sum(cls, parts: Iterable[Expression]) -> Expression:
        """Returns the sum of many expressions, in one pass."""
        total: dict[Monomial, Fraction] = {}
        for part in parts:
            for monomial, c in part.terms.items():
                total[monomial] = total.get(monomial, Fraction(0)) + c
            if len(total) > LARGEST_EXPANSION:
                raise _too_long()
        return cls(total)

    def __add__(self, other: Any) -> Expression:
        right = _coerced(other)
        return NotImplemented if right is None else Expression.sum((self, right))

    __radd__ = __add__

    def __neg__(self) -> Expression:
        return Expression({m: -c for m, c in self.terms.items()})

    def __sub__(self, other: Any) -> Expression:
        right = _coerced(other)
        return NotImplemented if right is None else self + -right

    def __rsub__(self, other: Any) -> Expression:
        return (-self).__add__(other)

    def __mul__(self, other: Any) -> Expression:
        right = _coerced(other)
        if right is None:
            return NotImplemented
        for factor, rest in ((self.rational, right), (right.rational, self)):
            if factor is not None:
                return Expression({m: c * factor for m, c in rest.terms.items()})
        if len(self.terms) * len(right.terms) > MOST_PRODUCTS:
            raise _too_long()
        total: dict[Monomial, Fraction] = {}
        for m1, c1 in self.terms.items():
            for m2, c2 in right.terms.items():
                monomial, c = _product(m1, m2)
                total[monomial] = total.get(monomial, Fraction(0)) + c1 * c2 * c
        return Expression(total)

    __rmul__ = __mul__

    def __truediv__(self, other: Fraction | int) -> Expression:
        return self * (Fraction(1) / other)

    def __pow__(self, exponent: int) -> Expression:
        if not isinstance(exponent, int) or exponent < 0:
            raise ExpressionError("exponent-not-natural", exponent=shortened(exponent))
        number = self.rational
        if number is not None:
            if (_bits(number) - 1) * exponent > LARGEST_COEFFICIENT:
                raise _too_large()
            return Expression.constant(number**exponent)
        if exponent > LARGEST_POWER:
            raise _too_high(exponent)
        if self._most_terms_of_power(exponent) > LARGEST_EXPANSION:
            raise _too_long()
        power = Expression.constant(1)
        for _ in range(exponent):
            power = power * self
        return power

    def _most_terms_of_power(self, exponent: int) -> int:
        """Returns an upper bound of the number of terms of a power.

        The bound is the smaller of the number of choices of factors and the number of monomials within the power's
        degrees.
        """
        highest: dict[Atom, int] = {}
        for monomial in self.terms:
            for atom, e in monomial:
                highest[atom] = max(e, highest.get(atom, 0))
        choices = math.comb(len(self.terms) + exponent - 1, exponent)
        return min(choices, math.prod(e * exponent + 1 for e in highest.values()))

    def __eq__(self, other: object) -> bool:
        right = _coerced(other)
        return NotImplemented if right is None else self.terms == right.terms

    def __hash__(self) -> int:
        return hash(frozenset(self.terms.items()))

    def __bool__(self) -> bool:
        return bool(self.terms)

    @property
    def rational(self) -> Fraction | None:
        """Returns the value of a rational constant, or None if the expression contains an atom."""
        if not self.terms:
            return Fraction(0)
        return self.terms.get(()) if len(self.terms) == 1 else None

    def atoms(self) -> Iterator[Atom]:
        """Yields all atoms, those in the arguments of functions included."""
        for monomial in self.terms:
            for atom, _ in monomial:
                yield atom
                if isinstance(atom, Applied):
                    yield from atom.argument.atoms()

    def symbols(self) -> set[str]:
        """Returns the names of the symbols, including those inside angles but not π."""
        names: set[str] = set()
        for atom in self.atoms():
            if isinstance(atom, str):
                names.add(atom)
            elif isinstance(atom, Trigonometric):
                names.update(name for name, _ in atom.angle.symbols)
        return names - {PI}

    def evaluate(self, numbers: Numbers) -> Number:
        """Returns the value of this expression in a kind of number; 0 and ±1 are plain integers."""
        constant = self.rational
        if constant is not None:
            return int(constant) if constant in (0, 1, -1) else numbers.rational(constant)
        total: Number = 0
        for monomial, coefficient in self.terms.items():
            product: Number = 1 if coefficient == 1 else numbers.rational(coefficient)
            for atom, exponent in monomial:
                factor = _atom_in(numbers, atom)
                for _ in range(exponent):
                    product = product * factor
            total = total + product
        return total

    def value(self, symbols: Mapping[str, float]) -> float:
        """Returns the value as a float for given values of the symbols."""

        def number(atom: Atom) -> float:
            if isinstance(atom, Root):
                return math.sqrt(atom.of)
            if isinstance(atom, Applied):
                argument = atom.argument.value(symbols)
                return 1 / argument if atom.function == INVERSE else float(getattr(math, atom.function)(argument))
            if isinstance(atom, Trigonometric):
                return float(getattr(math, atom.function)(atom.angle.value(symbols)))
            return math.pi if atom == PI else symbols[atom]

        return math.fsum(float(c) * math.prod(number(atom) ** e for atom, e in m) for m, c in self.terms.items())

    def as_angle(self) -> Angle | None:
        """Returns the expression as an angle, or None if it is not linear in π and symbols."""
        angle = Angle()
        for monomial, c in self.terms.items():
            if not monomial:
                angle += Angle(radians=c)
            elif len(monomial) == 1 and monomial[0][1] == 1 and isinstance(monomial[0][0], str):
                name = monomial[0][0]
                angle += Angle(pi=c) if name == PI else Angle(symbols=((name, c),))
            else:
                return None
        return angle

    def __str__(self) -> str:
        text = " + ".join(_term_text(m, c) for m, c in sorted(self.terms.items(), key=str))
        return text.replace("+ -", "- ") or "0"

    def __repr__(self) -> str:
        return f"Expression({str(self)!r})"


def _coerced(value: object) -> Expression | None:
    if isinstance(value, Expression):
        return value
    return Expression.constant(value) if isinstance(value, int | Fraction) else None


def _bits(number: Fraction) -> int:
    return max(number.numerator.bit_length(), number.denominator.bit_length())


def _too_long() -> ExpressionError:
    return ExpressionError("expansion-too-long", largest_expansion=LARGEST_EXPANSION)


def _too_large() -> ExpressionError:
    return ExpressionError("number-too-large", largest_coefficient=LARGEST_COEFFICIENT)


def _too_high(exponent: int) -> ExpressionError:
    return ExpressionError("exponent-too-large", exponent=shortened(exponent), largest_power=LARGEST_POWER)


def _product(left: Monomial, right: Monomial) -> tuple[Monomial, int]:
    """Returns the product of two monomials with its integer coefficient, which follows from √2² = 2 and √3² = 3."""
    if not left or not right:
        return left or right, 1
    exponents = dict(left)
    for atom, e in right:
        exponents[atom] = exponents.get(atom, 0) + e
    highest = max(exponents.values())
    if highest > LARGEST_POWER:
        raise _too_high(highest)
    coefficient = 1
    for atom, e in list(exponents.items()):
        if isinstance(atom, Root) and e > 1:
            coefficient *= atom.of ** (e // 2)
            exponents[atom] = e % 2
    factors_left = [(atom, e) for atom, e in exponents.items() if e]
    factors_left.sort(key=_name)
    return tuple(factors_left), coefficient


def _name(factor: tuple[Atom, int]) -> str:
    atom = factor[0]
    return atom if isinstance(atom, str) else str(atom)


def _atom_in(numbers: Numbers, atom: Atom) -> Number:
    if isinstance(atom, Root):
        return numbers.root(atom.of)
    if isinstance(atom, Applied):
        assert isinstance(numbers, OfFunctions), "functions occur only where coordinates may"
        return numbers.applied(atom)
    if isinstance(atom, Trigonometric):
        return numbers.circular(atom.angle)[0 if atom.function == "cos" else 1]
    return numbers.symbol(atom)


def _term_text(monomial: Monomial, coefficient: Fraction) -> str:
    below = [(atom.argument, e) for atom, e in monomial if isinstance(atom, Applied) and atom.function == INVERSE]
    above = [(atom, e) for atom, e in monomial if not isinstance(atom, Applied) or atom.function != INVERSE]
    factors = [f"{atom}**{e}" if e > 1 else f"{atom}" for atom, e in above]
    if not factors or abs(coefficient.numerator) != 1:
        factors.insert(0, str(abs(coefficient.numerator)))
    text = "*".join(factors) + (f"/{coefficient.denominator}" if coefficient.denominator > 1 else "")
    for divisor, e in below:
        plain = str(divisor)
        text += f"/{plain if plain.isidentifier() else f'({plain})'}" + (f"**{e}" if e > 1 else "")
    return text if coefficient > 0 else f"-{text}"


Scalar: TypeAlias = "Expression | str | int | float | Fraction | Decimal"


def folded(expression: Expression) -> Expression | int:
    """Returns a constant 0 or ±1 as a plain integer, and any other expression unchanged."""
    constant = expression.rational
    return int(constant) if constant in (0, 1, -1) else expression


def evaluator(numbers: Numbers) -> Callable[[Any], Number]:
    """Returns a function that evaluates one entry in a kind of number, to be mapped over a spatial object."""

    def evaluate(entry: Any) -> Number:
        return entry.evaluate(numbers) if isinstance(entry, Expression) else _integer(entry, numbers)

    return evaluate


def _integer(entry: int | Fraction, numbers: Numbers) -> Number:
    return int(entry) if entry in (0, 1, -1) else numbers.rational(Fraction(entry))
