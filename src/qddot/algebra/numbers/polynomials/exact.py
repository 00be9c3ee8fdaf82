"""Exact polynomials in sines, cosines, coordinates, rates and symbols are always kept in normal form.

The ring is ℚ[s, c, q, q̇, q̈, symbols] modulo s² + c² = 1 for every angle, modulo r2² = 2 and r3² = 3, and modulo
w² + x² + y² + z² = 1 for every quaternion. In lexicographic order with the w and s first, the remainder after division
by these relations is a normal form: for independent angles two polynomials are equal if and only if their normal forms
are, so that a comparison with zero is a proof. (The relations have coprime leading terms w², s², r², hence are
a Gröbner basis: Cox, Little, O'Shea, *Ideals, Varieties, and Algorithms*, ch. 2 §9.)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cached_property, reduce
from heapq import nlargest
from itertools import compress
from operator import or_
from typing import Any, TypeAlias

from flint import Ordering, fmpq_mpoly, fmpq_mpoly_ctx

from qddot.algebra.expressions.angles import ONCE, Angle
from qddot.algebra.expressions.derivative import derivative
from qddot.algebra.expressions.expression import Expression
from qddot.algebra.expressions.names import rate_name
from qddot.algebra.expressions.turning import Combination
from qddot.algebra.numbers.in_motion import InMotion
from qddot.algebra.numbers.polynomials.evaluation import Evaluation
from qddot.algebra.numbers.polynomials.generators import Generator, key_of
from qddot.algebra.numbers.polynomials.quantities import QuantitiesOfRing
from qddot.algebra.numbers.polynomials.relations import Relations
from qddot.algebra.numbers.polynomials.variables import Variables
from qddot.algebra.numbers.rationals import fraction, in_flint, moved, sum_of_terms
from qddot.algebra.numbers.state_numbers import StateNumbers
from qddot.algebra.spatial import summed
from qddot.base.errors import ExactnessError, did_you_mean

Term: TypeAlias = tuple[tuple[int, ...], Fraction]
Powers: TypeAlias = dict[int, int]  # exponents by the generators' places
NUMBERS = (int, Fraction)  # those that occur beside polynomials
MANY = 6  # if the masks of two factors share more generators, the masks are made exact first


class Ring(QuantitiesOfRing):
    """A ring has variables of one model and the relations among them, and is a kind of number.

    collapses: whether a sum that reduces to 0 or 1 becomes this Python integer, so that nothing is multiplied by it
    """

    def __init__(self, variables: Variables, collapses: bool = False) -> None:
        super().__init__(variables)
        self.coordinates, self.plain = variables.coordinates, variables.plain
        self.symbols, self.extra, self.signs = variables.symbols, variables.extra, variables.signs
        self.angles, self.roots = variables.angles, variables.roots
        self.quasi = tuple(name for freedoms in variables.freedoms for name in freedoms.velocities)
        self.quasi_positions = tuple(name for freedoms in variables.freedoms for name in freedoms.positions)
        self.collapses = collapses
        self.generators = variables.generators
        self.index = {generator.key: k for k, generator in enumerate(self.generators)}
        assert len(self.index) == len(self.generators), "two generators of one name"
        ascii_names = (key.encode("ascii", "backslashreplace").decode() for key in self.index)
        self.context = fmpq_mpoly_ctx.get(tuple(ascii_names), Ordering.lex)
        self._gens = self.context.gens()
        self.relations = Relations(self.generators, self._gens)
        self.quadratic = sum(1 << k for k in self.relations.of)
        # a sine's bits include its cosine's, which replaces the sine's square
        self._bits = [_bits(self.relations.of[k]) if k in self.relations.of else 1 << k for k in range(len(self._gens))]
        self.zero = Polynomial(self, self.context.constant(0), 0)
        self._known_slopes: dict[str, dict[str, Any]] = {}

    @classmethod
    def of(cls, model: Any) -> Ring:
        """Returns the ring of a model's equations, in the angles of its joints."""
        return cls(Variables.of(model))

    def extended(self, extra: Iterable[str] = (), roots: bool = False, angles: Iterable[Angle] = ()) -> Ring:
        """Returns this ring with further variables."""
        new = (*self.extra, *(name for name in extra if name not in self.extra))
        angles = (*self.angles, *angles)
        return Ring(self.variables.with_(angles=angles, roots=self.roots or roots, extra=new), self.collapses)

    def with_turning(self, turning: Mapping[str, Combination], collapses: bool = False) -> Ring:
        """Returns this ring with other angles whose sines and cosines are variables."""
        return Ring(self.variables.with_(turning=turning), collapses)

    @cached_property
    def of_joints(self) -> Ring:
        """Returns the same ring in the joints' own angles: each sum of angles is replaced by its last joint's angle."""
        if all(len(of) == 1 for of in self.turning.values()):
            return self
        own = ((name, of) if len(of) == 1 else (of[-1][0], ((of[-1][0], ONCE),)) for name, of in self.turning.items())
        return self.with_turning(dict(own))

    def joined(self, other: Ring) -> Ring:
        """Returns a ring that contains the polynomials of both."""
        if other is self or set(other.index) <= set(self.index):
            return self
        return Ring(self.variables.joined(other.variables))

    def generator(self, key: str) -> Polynomial:
        """Returns the variable with a key such as "m1", "sin(q1)" or "qd(q1)"."""
        if key not in self.index:
            raise ExactnessError("key-not-in-equations", key=repr(key), remedy=did_you_mean(key, self.index))
        k = self.index[key]
        return Polynomial(self, self._gens[k], self._bits[k])

    def wrap(self, poly: fmpq_mpoly) -> Polynomial:
        """Returns the normal form of a flint polynomial in this ring's context."""
        if poly.is_zero():
            return self.zero
        return Polynomial(self, self.relations.reduced(poly, _bits(poly, 2) & self.quadratic), self.mask(poly))

    def convert(self, value: Any) -> Polynomial:
        """Returns a number, or a polynomial of another ring, as a polynomial of this ring.

        raises ExactnessError: the polynomial has a variable that this ring lacks
        """
        if not isinstance(value, Terms):
            if isinstance(value, int) and not value:
                return self.zero
            return Polynomial(self, self.context.constant(in_flint(value)), 0)
        if value.ring is self and isinstance(value, Polynomial):
            return value
        if not value:
            return self.zero
        used = value.generators()
        if not all(map(self._has, used)):
            return self.composed(value, {})
        places = [self.index[generator.key] for generator in used]
        images = {value.ring.index[generator.key]: self._gens[k] for generator, k in zip(used, places, strict=True)}
        poly = moved(value.poly, self.context, images)
        if isinstance(value, Polynomial):  # a normal form stays one
            return Polynomial(self, poly, reduce(or_, (self._bits[k] for k in places), 0))
        return self.wrap(poly)

    def composed(self, value: Terms, images: Mapping[str, Polynomial]) -> Polynomial:
        """Returns terms of any ring in this one; images: polynomials that replace variables, by the variables' keys"""
        if not value:
            return self.zero
        used = set(value.variables())
        parts = [
            (images[g.key] if g.key in images else self.image(g)).poly if g.key in used else self.zero.poly
            for g in value.ring.generators
        ]
        return self.wrap(value.poly.compose(*parts, ctx=self.context))

    def renamed(self, value: Any) -> Any:
        """Returns the same terms as a polynomial of this ring; the variables of both rings must have the same names."""
        return Polynomial(self, value.poly, value.mask) if isinstance(value, Polynomial) else value

    def _has(self, generator: Generator) -> bool:
        place = self.index.get(generator.key)
        if place is None:
            return False
        own = self.generators[place]
        return own.of == generator.of and own.quadratic == generator.quadratic

    def image(self, generator: Generator) -> Polynomial:
        """Returns another ring's generator in this ring: itself, or a sine or cosine in this ring's angles."""
        return self.generator(generator.key) if self._has(generator) else self.convert(generator.evaluate(self))

    def from_terms(self, terms: Iterable[Term]) -> Polynomial:
        """Returns the polynomial with these exponents and coefficients."""
        return self.wrap(self.poly_of(terms))

    def poly_of(self, terms: Iterable[Term]) -> fmpq_mpoly:
        """Returns FLINT's polynomial with these exponents and coefficients; no relation is applied."""
        return sum_of_terms(self.context, dict(terms))

    def mask(self, poly: fmpq_mpoly) -> int:
        """Returns the bits of the generators that occur, and of those in their relations."""
        # flint's degrees of zero are no degrees
        return reduce(or_, compress(self._bits, poly.degrees()), 0) if poly else 0

    # derivatives

    def differentiate(self, value: Any, name: str) -> Any:
        """Returns the derivative with respect to a coordinate, also of its sines and cosines; 0 if none occurs.

        For a quasi-velocity it is the derivative along the velocity's vector field.
        """
        if value.__class__ in NUMBERS or not value.mask & self._moving[name]:
            return 0
        if name in self._fields:
            slopes = ((value.derivative(f"q({position})"), image) for position, image in self._fields[name].items())
            return summed(slope * image for slope, image in slopes if slope)
        total: Any = value.derivative(f"q({name})") if f"q({name})" in self.index else 0
        for angle, times in self.turning.turned_by.get(name, ()):
            cosine, sine = self.turned(angle)
            slope = value.derivative(f"sin({angle})") * cosine - value.derivative(f"cos({angle})") * sine
            total = total + (slope if times == 1 else slope * times)
        return total + self._within_functions(value, name)

    @cached_property
    def _moving(self) -> dict[str, int]:
        """Returns the bits of the generators that change with each coordinate."""
        moving = dict.fromkeys(self.coordinates, 0)
        for name in self.coordinates:
            angles = (f"sin({angle})" for angle, _ in self.turning.turned_by.get(name, ()))
            for key in (*angles, f"q({name})"):
                moving[name] |= self._bits[self.index[key]] if key in self.index else 0
            for key in self._slopes_of_functions(name):
                moving[name] |= self._bits[self.index[key]]
            for position in self._fields.get(name, ()):
                moving[name] |= 1 << self.index[f"q({position})"]
        return moving

    def _within_functions(self, value: Polynomial, name: str) -> Any:
        """Returns the part of a derivative that comes from functions which contain a name."""
        if not self.variables.functions:
            return 0
        return summed(value.derivative(key) * slope for key, slope in self._slopes_of_functions(name).items())

    def _slopes_of_functions(self, name: str) -> dict[str, Any]:
        """Returns the derivatives of the functions that contain a name, by the functions' keys."""
        if name not in self._known_slopes:
            numbers = InMotion(self, self.coordinates, self.turning.coordinates)
            slopes = {key_of(atom): derivative(Expression.of(atom), name) for atom in self.variables.functions}
            self._known_slopes[name] = {key: slope.evaluate(numbers) for key, slope in slopes.items() if slope}
        return self._known_slopes[name]

    @cached_property
    def _fields(self) -> dict[str, dict[str, Any]]:
        """Returns the rates of the positions per unit of each quasi-velocity."""
        fields: dict[str, dict[str, Any]] = {}
        for freedoms in self.variables.freedoms:
            fields |= freedoms.fields({name: self.coordinate(name) for name in freedoms.positions})
        return fields

    def by_rate(self, value: Any, name: str) -> Any:
        """Returns the derivative with respect to a coordinate's rate."""
        if not isinstance(value, Polynomial):
            return 0
        return self.partial(value, rate_name(name) if self.variables.functions else "", f"qd({name})")

    def by_time(self, value: Polynomial) -> Any:
        """Returns ∂/∂t at fixed coordinates and rates; 0 if no symbol is the time."""
        time = self.variables.time
        return self.partial(value, time, time) if time else 0

    def partial(self, value: Polynomial, name: str, key: str) -> Any:
        """Returns the derivative with respect to a rate or a symbol, also within functions; key: of its variable"""
        return value.derivative(key) + self._within_functions(value, name)

    def time_derivative(self, value: Any) -> Any:
        """Returns d/dt along the motion, by the chain rule over coordinates, rates and the time."""
        if value.__class__ in NUMBERS:
            return 0
        parts = [self.by_time(value)]
        for name in self.coordinates:
            if by_q := self.differentiate(value, name):
                parts.append(by_q * self.rate(name))
            if by_qd := self.by_rate(value, name):
                parts.append(by_qd * self.acceleration(name))
        return summed(parts)


class Terms:
    """These are the terms of a polynomial over a ring."""

    __slots__ = ("poly", "ring")
    ring: Ring
    poly: fmpq_mpoly

    def __init__(self, ring: Ring, poly: fmpq_mpoly) -> None:
        self.ring = ring
        self.poly = poly

    def __bool__(self) -> bool:
        return not self.poly.is_zero()

    def __len__(self) -> int:
        return len(self.poly)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.poly})"

    def terms(self) -> Iterator[Term]:
        """Yields (exponents of the ring's generators, coefficient) of each term, the leading term first."""
        for exponents, c in zip(self.poly.monoms(), self.poly.coeffs(), strict=True):
            yield tuple(map(int, exponents)), fraction(c)

    def largest_terms(self, number: int) -> Iterator[Term]:
        """Yields as many terms, those with the largest coefficients; of equal ones the leading terms come first."""
        sizes = list(map(abs, self.poly.coeffs()))
        for k in nlargest(number, range(len(sizes)), key=sizes.__getitem__):
            yield tuple(map(int, self.poly.monomial(k))), fraction(self.poly.coefficient(k))

    def powers(self) -> Iterator[tuple[Powers, Fraction]]:
        """Yields ({place of a generator: its exponent}, coefficient) of each term, the leading term first."""
        used = [k for k, degree in enumerate(self.poly.degrees()) if degree] if self else []
        for exponents, c in zip(self.poly.monoms(), self.poly.coeffs(), strict=True):
            yield {k: int(exponents[k]) for k in used if exponents[k]}, fraction(c)

    def variables(self) -> list[str]:
        """Returns the keys of the generators that occur."""
        return [generator.key for generator in self.generators()]

    def generators(self) -> list[Generator]:
        """Returns the generators that occur."""
        if not self:
            return []  # flint's degrees of zero are no degrees
        return [g for g, degree in zip(self.ring.generators, self.poly.degrees(), strict=True) if degree]

    def evaluate(self, numbers: StateNumbers) -> Any:
        """Returns the value in a kind of number, which gives the values of the variables."""
        return Evaluation(self.ring.generators, numbers)(self)


class Polynomial(Terms):
    """A polynomial is an element of a ring, in normal form; `mask` has the bits of all generators that occur in it.

    A product is reduced only by the relations of generators that both factors contain. A generator whose terms have
    cancelled may keep its bit until `look` is called.
    """

    __slots__ = ("looked", "mask")
    mask: int
    looked: bool

    def __init__(self, ring: Ring, poly: fmpq_mpoly, mask: int) -> None:
        self.ring = ring
        self.poly = poly
        self.mask = mask
        self.looked = False

    def look(self) -> None:
        """Removes the bits of generators that have cancelled: in products of long arms they would cost more time."""
        if not self.looked:
            self.mask, self.looked = self.ring.mask(self.poly), True

    def __add__(self, other: Any) -> Any:
        if other.__class__ is Polynomial:
            return _sum(self.ring, self.poly + other.poly, self.mask | other.mask)
        if other.__class__ is int and other == 0:
            return self
        return Polynomial(self.ring, self.poly + in_flint(other), self.mask)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        if other.__class__ is Polynomial:
            return _sum(self.ring, self.poly - other.poly, self.mask | other.mask)
        if other.__class__ is int and other == 0:
            return self
        return Polynomial(self.ring, self.poly - in_flint(other), self.mask)

    def __rsub__(self, other: Any) -> Any:
        return -self + other

    def __neg__(self) -> Polynomial:
        return Polynomial(self.ring, -self.poly, self.mask)

    def __mul__(self, other: Any) -> Any:
        if other.__class__ is Polynomial:
            common = self.mask & other.mask & self.ring.quadratic
            if common.bit_count() > MANY:
                self.look()
                other.look()
                common &= self.mask & other.mask
            product = self.ring.relations.product(self.poly, other.poly, common) if common else self.poly * other.poly
            return Polynomial(self.ring, product, self.mask | other.mask)
        if other.__class__ is int:
            if other == 0:
                return 0
            if other == 1:
                return self
        if getattr(other, "__array_ufunc__", other) is None:
            return NotImplemented
        return Polynomial(self.ring, self.poly * in_flint(other), self.mask)

    __rmul__ = __mul__

    def __truediv__(self, other: int | Fraction) -> Polynomial:
        if isinstance(other, Polynomial):
            raise ExactnessError("divided-by-polynomial")
        return Polynomial(self.ring, self.poly / in_flint(other), self.mask)

    def __pow__(self, exponent: int) -> Any:
        power: Any = 1
        for _ in range(exponent):
            power = power * self
        return power

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Polynomial):
            if self.ring is not other.ring:
                ring = self.ring.joined(other.ring)
                return bool(ring.convert(self).poly == ring.convert(other).poly)
            return bool(self.poly == other.poly)
        if isinstance(other, int | Fraction):
            return bool(self.poly == in_flint(other))
        return NotImplemented

    def __hash__(self) -> int:
        return hash(str(self.poly))

    def derivative(self, key: str) -> Any:
        """Returns the partial derivative with respect to one generator; 0 where it does not occur."""
        k = self.ring.index[key]
        if not self.mask >> k & 1:
            return 0
        slope = self.poly.derivative(k)
        if not slope:
            self.look()
        return _sum(self.ring, slope, self.mask)

    def without(self, keys: Iterable[str]) -> Polynomial:
        """Returns the terms in which none of these generators occurs."""
        return Polynomial(self.ring, self.poly.subs({self.ring.index[key]: 0 for key in keys}), self.mask)


def _sum(ring: Ring, poly: fmpq_mpoly, mask: int) -> Any:
    """Returns a sum as a polynomial, or as the integer 0 or 1 if it reduces to that in a ring that collapses."""
    if ring.collapses and len(poly) < 2 and (poly.is_zero() or poly.is_one()):
        return len(poly)
    return Polynomial(ring, poly, mask)


def _bits(poly: fmpq_mpoly, least: int = 1) -> int:
    """Returns the bits of the generators of at least this degree in a polynomial other than zero."""
    return sum(1 << k for k, degree in enumerate(poly.degrees()) if degree >= least)
