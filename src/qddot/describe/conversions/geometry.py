"""Constants has a model's constants in normal form, with the quotients, roots and angles that geometry needs.

What has no exact form raises InexactError; inexact constants have decimals for all irrational numbers.
What depends on symbols and is not a polynomial in them raises NeedsValuesError, which names them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import chain, combinations, product
from typing import Any

from qddot.describe.conversions.decimals import Decimals
from qddot.describe.rotations import from_quaternion, quaternion
from qddot.expressions.angles import TWELFTH, Angle
from qddot.expressions.circle import multiple_of_angle, sphere_point, sum_of_angles
from qddot.expressions.expression import PI, Expression, Numbers, cos_sin, evaluator, folded
from qddot.model.model import Model
from qddot.numbers.balls import approximate, arctangent
from qddot.numbers.polynomials import division
from qddot.numbers.polynomials.angle_bases import AngleBases
from qddot.numbers.polynomials.exact import Polynomial, Ring
from qddot.numbers.polynomials.variables import Variables
from qddot.spatial import Inertia, Pose, Rotation, Vec3

INNER_DIGITS = 40  # of quotients and roots, which go into further geometry
DIGITS = 20  # of what is written
NOTHING = 1e-25  # zero among numbers of INNER_DIGITS, far below DIGITS
MOST_TERMS = 25  # of an exact entry of the geometry: products of longer ones are useless
MOST_WRITTEN = 200  # terms of an entry that is written
MULTIPLES = (-2, -1, 1, 2)  # of a declared angle that are recognised


class InexactError(Exception):
    """A root, quotient or angle of numbers has no exact form, or one that is too long to be useful."""


class NeedsValuesError(Exception):
    """A quantity is not a polynomial in the symbols, or too long to be useful: it needs their values."""

    def __init__(self, symbols: Iterable[str]) -> None:
        self.symbols = tuple(sorted(symbols))
        super().__init__(*self.symbols)


class Constants:
    """This evaluates a model's expressions as polynomials in normal form with `of`; `expression` goes back.

    exact: without approximations; otherwise numbers have INNER_DIGITS digits, and DIGITS in what is written
    """

    def __init__(self, model: Model, exact: bool = True) -> None:
        angles = model.constant_angles()
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
        """Returns a polynomial as an expression, with decimals of DIGITS digits if numbers were approximated."""
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
        """Returns a spatial object with integers for 0 and ±1, so that algorithms drop them; decimals are cut."""
        return part.map(self._tidy_entry)

    def is_zero(self, entry: Any) -> bool:
        """Returns whether an entry is zero for all values of the symbols, to the accuracy of approximated numbers."""
        p = self.ring.convert(entry)
        return not p or (not self.exact and all(abs(part.value({})) < NOTHING for part in _numbers_in(p)))

    def vanishes(self, v: Vec3) -> bool:
        return all(self.is_zero(entry) for entry in v)

    def value(self, entry: Any) -> float:
        """Returns the value at the symbols' defaults, or at positive samples; it decides between signs."""
        return division.as_expression(self.ring.convert(entry)).value(self._samples)

    def quotient(self, entry: Any, by: Any) -> Any:
        """Returns entry / by, where `by` is not zero."""
        exact = division.quotient(self.ring.convert(entry), self.ring.convert(by))
        return exact if exact is not None else entry * self._approximation(lambda ball: 1 / ball, by)

    def root(self, square: Any) -> Any:
        """Returns √square, up to its sign where it has symbols; it may be the sine of a declared angle."""
        exact = division.square_root(self.ring.convert(square))
        if exact is not None:
            return exact
        if 0 <= self.value(square) <= 1:
            for _, (_, s) in self._angles_near(math.asin(math.sqrt(self.value(square)))):
                if self.is_zero(s * s - square):
                    return s
        return self._approximation(lambda ball: ball.sqrt(), square)

    def angle(self, c: Any, s: Any) -> Angle:
        """Returns the angle with this cosine and sine: from steps of 15° and the model's angles, else in decimals."""
        for angle, pair in self._angles_near(math.atan2(self.value(s), self.value(c))):
            if self.is_zero(pair[0] - c) and self.is_zero(pair[1] - s):
                return angle
        return Angle(radians=self._approximation(arctangent, s, c, digits=DIGITS))

    def rotation(self, R: Rotation) -> Rotation:
        """Returns an exactly orthonormal rotation as expressions, by a rational quaternion if it was approximated."""
        pairs = zip(R @ R.T, Rotation.identity(), strict=True)
        if all(self.ring.convert(a) == b for row, unit in pairs for a, b in zip(row, unit, strict=True)):
            return R.map(lambda entry: folded(self._expression(entry)))
        numbers: Any = [[self._approximation(lambda ball: ball, entry) for entry in row] for row in R]
        parts: Any = quaternion(numbers)
        return from_quaternion(*map(rounded, parts))

    def direction(self, direction: Vec3) -> Vec3:
        """Returns a vector of length exactly 1 as expressions, by a rational point of the sphere if it was rounded."""
        if self.ring.convert(direction.dot(direction)) == 1:
            return direction.map(lambda entry: folded(self._expression(entry)))
        x, y, z = (self._approximation(lambda ball: ball, entry) for entry in direction)
        # stereographic projection from the pole on the other side
        a, b = rounded(x / (1 + abs(z))), rounded(y / (1 + abs(z)))
        u, v, w = sphere_point(a, b)
        return Vec3(u, v, w if z >= 0 else -w).map(lambda part: folded(Expression.constant(part)))

    def inertia(self, body: Inertia, com: Vec3 | None, moved: Pose) -> tuple[Inertia, Vec3 | None]:
        """Returns a body's inertia and centre of mass in a frame where its own frame has the pose `moved`."""
        centre = None if com is None else moved.apply(com.map(self.of)).map(self.expression)
        if com is not None and not self.exact:
            return self._about_rounded(centre, body, com, moved.R), centre
        return body.map(self.of).placed(moved).map(self.expression), centre

    def _about_rounded(self, centre: Any, body: Inertia, com: Vec3, R: Rotation) -> Inertia:
        """Returns the turned body with its centre of mass at the rounded place, so that a point mass remains one."""
        exact = evaluator(self.ring)
        about_com = body.map(exact).central_tensor(com.map(exact))
        turned = about_com.map(lambda entry: self.of(self._expression(entry))).rotated(R)
        return Inertia.about_com(body.m, centre, turned.map(self.expression)).map(_folded)

    def _expression(self, entry: Any) -> Expression:
        polynomial = self.ring.convert(entry)
        if len(polynomial) > MOST_WRITTEN:
            raise InexactError if self.exact else NeedsValuesError(_symbols_to_give(polynomial))
        return division.as_expression(polynomial)

    def _tidy_entry(self, entry: Any) -> Any:
        if self.exact and isinstance(entry, Polynomial) and len(entry) > MOST_TERMS:
            raise InexactError
        if not self.exact and isinstance(entry, Polynomial):
            # products of decimals would grow without end
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
        """Yields angles of this value with their cos and sin: 15° steps plus multiples of up to two declared angles."""
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


def _folded(entry: Any) -> Any:
    return folded(Expression.constant(0) + entry)


def _symbols_to_give(p: Polynomial) -> set[str]:
    """Returns the symbols inside the angles of a long polynomial, which make most of its terms, or else all symbols."""
    used = set(p.variables())
    generators = [generator for generator in p.ring.generators if generator.key in used]
    turning = {name for generator in generators if generator.angle for name, _ in generator.angle.symbols}
    return turning or {generator.name for generator in generators if generator.kind == "symbol"} - {PI}


def rounded(number: Fraction) -> Fraction:
    """Returns a number with DIGITS significant digits; short fractions stay as they are."""
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
