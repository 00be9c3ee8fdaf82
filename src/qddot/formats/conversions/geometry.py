"""Computes with a model's constants in normal form, with the quotients, roots and angles that geometry needs.

A result without an exact form raises InexactError, unless the Constants are inexact, which use decimals for all
irrational numbers. A result that depends on symbols but is no polynomial in them raises NeedsValuesError, which names
the symbols.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import chain, combinations, product
from typing import Any

from qddot.algebra.expressions.angles import TWELFTH, Angle
from qddot.algebra.expressions.circle import multiple_of_angle, sphere_point, sum_of_angles
from qddot.algebra.expressions.constant_angles import cos_sin
from qddot.algebra.expressions.expression import PI, Expression, Numbers, Root, evaluator, folded
from qddot.algebra.numbers.balls import approximate, arctangent
from qddot.algebra.numbers.polynomials import division
from qddot.algebra.numbers.polynomials.angle_bases import AngleBases
from qddot.algebra.numbers.polynomials.exact import Polynomial, Ring
from qddot.algebra.numbers.polynomials.variables import Variables
from qddot.algebra.spatial import Inertia, Pose, Rotation, Vec3
from qddot.formats.shared.rotations import from_quaternion, quaternion
from qddot.robot.model import Model

INNER_DIGITS = 40  # digits of quotients and roots, which are used in further geometry
DIGITS = 20  # digits of what is written
NOTHING = 1e-25  # numbers of INNER_DIGITS below this are zero; far below DIGITS
MOST_TERMS = 25  # terms of an exact entry; products of longer entries would be useless
MOST_WRITTEN = 200  # terms of an entry that is written
MULTIPLES = (-2, -1, 1, 2)  # multiples of a declared angle that are recognised


class Decimals:
    """Constants of this kind are polynomials in symbols, and in cosines and sines of angles that contain symbols."""

    def __init__(self, ring: Ring, digits: int) -> None:
        self.ring, self.digits = ring, digits

    def rational(self, value: Fraction) -> Polynomial:
        rational: Polynomial = self.ring.rational(value)
        return rational

    def symbol(self, name: str) -> Polynomial:
        return self._decimal(Expression.of(PI)) if name == PI else self.ring.symbol(name)

    def root(self, of: int) -> Polynomial:
        return self._decimal(Expression.of(Root(of)))

    def circular(self, angle: Angle) -> tuple[Any, Any]:
        c, s = cos_sin(Angle(angle.pi, angle.radians))
        pair: tuple[Any, Any] = self._decimal(c), self._decimal(s)
        for part in angle.symbols:
            pair = sum_of_angles(pair, self.ring.circular(Angle(symbols=(part,))))
        return pair

    def _decimal(self, value: Expression) -> Polynomial:
        return self.ring.convert(approximate(lambda ball: ball, value, digits=self.digits))


class InexactError(Exception):
    """A root, quotient or angle of numbers has no exact form, or too long a one."""


class NeedsValuesError(Exception):
    """A quantity is not a polynomial in the symbols, or is too long, so that values of the symbols are needed."""

    def __init__(self, symbols: Iterable[str]) -> None:
        self.symbols = tuple(sorted(symbols))
        super().__init__(*self.symbols)


class Constants:
    """`of` evaluates a model's expressions to polynomials in normal form, and `expression` does the reverse.

    exact: nothing is approximated; otherwise numbers are computed to INNER_DIGITS digits and written with DIGITS
    more_angles: constant angles of another model, whose expressions are evaluated, too
    """

    def __init__(self, model: Model, exact: bool = True, more_angles: Iterable[Angle] = ()) -> None:
        angles = model.constant_angles().union(more_angles)
        self.ring = Ring(Variables((), symbols=(*model.symbols, PI), angles=angles, roots=True))
        self.exact = exact
        self._numbers: Numbers = self.ring if exact else Decimals(self.ring, INNER_DIGITS)
        self.of = evaluator(self._numbers)
        self._bases = AngleBases(angles).bases
        self._samples = {name: 0.31 + 0.2 / (3 + k) for k, name in enumerate(model.symbols)}
        self._samples.update({name: value for name, value in model.defaults().items() if value})
        self._samples[PI] = math.pi

    def pose(self, pose: Pose) -> Pose:
        """Returns a pose with its expressions evaluated."""
        return pose.map(self.of)

    def expression(self, entry: Any) -> Any:
        """Returns a polynomial as an expression, with numbers of DIGITS digits if approximation is allowed."""
        value = self._expression(entry)
        if not self.exact:
            value = Expression({m: rounded(c) for m, c in value.terms.items()})
        return folded(value)

    def standing(self, pose: Pose) -> Pose:
        """Returns a pose as expressions; its rotation is exactly orthonormal even if numbers were approximated."""
        R = pose.R.map(self.expression) if self.exact else self.rotation(pose.R)
        return Pose(R, pose.p.map(self.expression))

    def entire(self, pose: Pose) -> Pose:
        """Returns a pose as expressions with all their digits, so that its rotation stays orthonormal."""
        return pose.map(lambda entry: folded(self._expression(entry)))

    def tidy(self, part: Any) -> Any:
        """Returns a spatial object with integers for 0 and ±1, which algorithms drop, and with rounded decimals."""
        return part.map(self._tidy_entry)

    def is_zero(self, entry: Any) -> bool:
        """Returns whether an entry is zero for all values of the symbols, within the accuracy of the approximation."""
        p = self.ring.convert(entry)
        return not p or (not self.exact and all(abs(part.value({})) < NOTHING for part in _numbers_in(p)))

    def vanishes(self, v: Vec3) -> bool:
        return all(self.is_zero(entry) for entry in v)

    def value(self, entry: Any) -> float:
        """Returns the value at the symbols' defaults, or at positive samples; it serves to choose a sign."""
        return division.as_expression(self.ring.convert(entry)).value(self._samples)

    def quotient(self, entry: Any, by: Any) -> Any:
        """Returns entry / by, where `by` is not zero."""
        exact = division.quotient(self.ring.convert(entry), self.ring.convert(by))
        return exact if exact is not None else entry * self._approximation(lambda ball: 1 / ball, by)

    def root(self, square: Any) -> Any:
        """Returns √square, which may be the sine of a declared angle; with symbols, its sign is arbitrary."""
        exact = division.square_root(self.ring.convert(square))
        if exact is not None:
            return exact
        if 0 <= self.value(square) <= 1:
            for _, (_, s) in self._angles_near(math.asin(math.sqrt(self.value(square)))):
                if self.is_zero(s * s - square):
                    return s
        return self._approximation(lambda ball: ball.sqrt(), square)

    def angle(self, c: Any, s: Any) -> Angle:
        """Returns the angle with this cosine and sine: a multiple of 15° plus angles of the model, else a decimal."""
        for angle, pair in self._angles_near(math.atan2(self.value(s), self.value(c))):
            if self.is_zero(pair[0] - c) and self.is_zero(pair[1] - s):
                return angle
        return Angle(radians=self._approximation(arctangent, s, c, digits=DIGITS))

    def rotation(self, R: Rotation) -> Rotation:
        """Returns an exactly orthonormal rotation as expressions, from a rational quaternion if R was approximated."""
        pairs = zip(R @ R.T, Rotation.identity(), strict=True)
        if all(self.ring.convert(a) == b for row, unit in pairs for a, b in zip(row, unit, strict=True)):
            return R.map(lambda entry: folded(self._expression(entry)))
        numbers: Any = [[self._approximation(lambda ball: ball, entry) for entry in row] for row in R]
        parts: Any = quaternion(numbers)
        return from_quaternion(*map(rounded, parts))

    def direction(self, direction: Vec3) -> Vec3:
        """Returns a unit vector as expressions: a rational point of the unit sphere if the direction was rounded."""
        if self.ring.convert(direction.dot(direction)) == 1:
            return direction.map(lambda entry: folded(self._expression(entry)))
        x, y, z = (self._approximation(lambda ball: ball, entry) for entry in direction)
        # stereographic projection from the opposite pole
        a, b = rounded(x / (1 + abs(z))), rounded(y / (1 + abs(z)))
        u, v, w = sphere_point(a, b)
        return Vec3(u, v, w if z >= 0 else -w).map(lambda part: folded(Expression.constant(part)))

    def inertia(self, body: Inertia, com: Vec3 | None, moved: Pose) -> tuple[Inertia, Vec3 | None]:
        """Returns a body's inertia and centre of mass in the frame in which its own frame has the pose `moved`."""
        centre = None if com is None else moved.apply(com.map(self.of)).map(self.expression)
        if com is not None and not self.exact:
            return self._about_rounded(centre, body, com, moved.R), centre
        return body.map(self.of).placed(moved).map(self.expression), centre

    def _about_rounded(self, centre: Any, body: Inertia, com: Vec3, R: Rotation) -> Inertia:
        """Returns the rotated body with its rounded centre of mass, so that a point mass remains one."""
        exact = evaluator(self.ring)
        about_com = body.map(exact).central_tensor(com.map(exact))
        turned = about_com.map(lambda entry: self.of(self._expression(entry))).rotated(R)
        return Inertia.about_com(body.m, centre, turned.map(self.expression)).map(
            lambda entry: folded(Expression.constant(0) + entry)
        )

    def _expression(self, entry: Any) -> Expression:
        polynomial = self.ring.convert(entry)
        if len(polynomial) > MOST_WRITTEN:
            raise InexactError if self.exact else NeedsValuesError(_symbols_to_give(polynomial))
        return division.as_expression(polynomial)

    def _tidy_entry(self, entry: Any) -> Any:
        if self.exact and isinstance(entry, Polynomial) and len(entry) > MOST_TERMS:
            raise InexactError
        if not self.exact and isinstance(entry, Polynomial):
            # each product of decimals would have more digits
            entry = self.ring.from_terms((e, round(c, INNER_DIGITS)) for e, c in entry.terms())
        return next((n for n in (0, 1, -1) if entry == n), entry)

    def _approximation(self, function: Callable[..., Any], *entries: Any, digits: int = INNER_DIGITS) -> Fraction:
        constants = [self._expression(entry) for entry in entries]
        symbols = set().union(*(constant.symbols() for constant in constants))
        if symbols:
            raise NeedsValuesError(symbols)
        if self.exact:
            raise InexactError
        return approximate(function, *constants, digits=digits)

    def _angles_near(self, turned: float) -> Iterator[tuple[Angle, tuple[Any, Any]]]:
        """Yields angles of this value with (cos, sin): multiples of 15° plus multiples of up to two declared angles."""
        for some in chain.from_iterable(combinations(self._bases, count) for count in (0, 1, 2)):
            for multiples in product(MULTIPLES, repeat=len(some)):
                declared = sum((base * n for base, n in zip(some, multiples, strict=True)), Angle())
                steps = (turned - declared.value(self._samples)) / (math.pi * TWELFTH)
                if abs(steps - round(steps)) < 1e-6:
                    rest = Angle(pi=round(steps) * TWELFTH)
                    yield declared + rest, self._circular(rest, some, multiples)

    def _circular(self, rest: Angle, some: Sequence[Angle], multiples: Sequence[int]) -> tuple[Any, Any]:
        """Returns cos and sin of rest + Σ n · base."""
        c, s = cos_sin(rest)
        pair = c.evaluate(self._numbers), s.evaluate(self._numbers)
        for base, n in zip(some, multiples, strict=True):
            pair = sum_of_angles(pair, multiple_of_angle(self._numbers.circular(base), n))
        return pair


def _symbols_to_give(p: Polynomial) -> set[str]:
    """Returns the symbols in the angles of a long polynomial, which cause most of its terms; if none, all symbols."""
    used = set(p.variables())
    generators = [generator for generator in p.ring.generators if generator.key in used]
    turning = {name for generator in generators if generator.angle for name, _ in generator.angle.symbols}
    return turning or {generator.name for generator in generators if generator.kind == "symbol"} - {PI}


def rounded(number: Fraction) -> Fraction:
    """Returns a number with DIGITS digits after the first significant one; short fractions stay as they are."""
    if number.denominator <= 10**DIGITS:
        return number
    places = DIGITS - math.floor(math.log10(abs(number)))
    return Fraction(round(number * 10**places), 10**places)


def _numbers_in(p: Polynomial) -> Iterable[Expression]:
    """Returns the numeric coefficient of each product of symbols in a polynomial."""
    factors: dict[Any, Expression] = {}
    for monomial, c in division.as_expression(p).terms.items():
        symbolic = tuple(factor for factor in monomial if Expression.of(factor[0]).symbols())
        number = tuple(factor for factor in monomial if factor not in symbolic)
        factors[symbolic] = factors.get(symbolic, Expression({})) + Expression({number: c})
    return factors.values()
