"""Defines vectors, 3×3 matrices and rotations."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import product
from typing import Any, Protocol, Self

from qddot.base.records import record


class Number(Protocol):
    """A number is anything that adds, subtracts and multiplies, and is divided by plain integers other than zero.

    Laws: addition and multiplication are associative and commutative, multiplication distributes over addition,
    a + −a = 0, a − b = a + −b, and (a / n) n = a. Plain integers may stand on either side, and 0 and 1 are neutral.
    """

    def __add__(self, other: Any, /) -> Number: ...
    def __radd__(self, other: Any, /) -> Number: ...
    def __sub__(self, other: Any, /) -> Number: ...
    def __rsub__(self, other: Any, /) -> Number: ...
    def __mul__(self, other: Any, /) -> Number: ...
    def __rmul__(self, other: Any, /) -> Number: ...
    def __neg__(self) -> Number: ...
    def __truediv__(self, other: Any, /) -> Number: ...


def divided(number: Any, by: int) -> Any:
    """Returns number / by; a plain integer gives an exact integer or fraction."""
    if not isinstance(number, int):
        return number / by
    return Fraction(number, by) if number % by else number // by


def inner(a: Iterable[Any], b: Iterable[Any]) -> Any:
    """Returns Σ a_k b_k of two sequences of the same length."""
    return sum((x * y for x, y in zip(a, b, strict=True)), start=0)


def summed(numbers: Iterable[Any]) -> Any:
    """Returns a sum by pairwise addition, so that long numbers are not copied for each term."""
    terms = list(numbers)
    while len(terms) > 1:
        terms = [sum(terms[k + 1 : k + 2], start=terms[k]) for k in range(0, len(terms), 2)]
    return terms[0] if terms else 0


@record(slots=True)
class Vec3:
    """A vector has three coordinates along the axes of one frame."""

    x: Number
    y: Number
    z: Number

    @classmethod
    def zero(cls) -> Vec3:
        return cls(0, 0, 0)

    def __iter__(self) -> Any:
        return iter((self.x, self.y, self.z))

    def __add__(self, other: Vec3) -> Vec3:
        return Vec3(self.x + other.x, self.y + other.y, self.z + other.z)

    def __sub__(self, other: Vec3) -> Vec3:
        return Vec3(self.x - other.x, self.y - other.y, self.z - other.z)

    def __neg__(self) -> Vec3:
        return Vec3(-self.x, -self.y, -self.z)

    def __mul__(self, scale: Number) -> Vec3:
        return Vec3(self.x * scale, self.y * scale, self.z * scale)

    def dot(self, other: Vec3) -> Number:
        return self.x * other.x + self.y * other.y + self.z * other.z

    def cross(self, other: Vec3) -> Vec3:
        a, b = self, other
        return Vec3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)

    def unit_place(self) -> int | None:
        """Returns 0, 1 or 2 if the vector is structurally ±x, ±y or ±z, else None."""
        entries = list(self)
        for place, sign in product(range(3), (1, -1)):
            if entries == [sign * (k == place) for k in range(3)]:
                return place
        return None

    def map(self, change: Callable[[Any], Any]) -> Vec3:
        return Vec3(change(self.x), change(self.y), change(self.z))


@record(slots=True)
class Rows:
    """Three rows x, y and z are what a 3×3 matrix and a rotation have."""

    x: Vec3
    y: Vec3
    z: Vec3

    def __iter__(self) -> Any:
        return iter((self.x, self.y, self.z))

    @property
    def T(self) -> Self:
        return type(self)(*map(Vec3, self.x, self.y, self.z))

    def apply(self, v: Vec3) -> Vec3:
        return Vec3(self.x.dot(v), self.y.dot(v), self.z.dot(v))

    def times(self, other: Self) -> Self:
        """Returns the product of two matrices."""
        columns = other.T
        return type(self)(*(Vec3(*(row.dot(column) for column in columns)) for row in self))

    def map(self, change: Callable[[Any], Any]) -> Self:
        return type(self)(self.x.map(change), self.y.map(change), self.z.map(change))


@record(slots=True)
class Matrix3(Rows):
    """A 3×3 matrix has three rows x, y and z."""

    __matmul__ = Rows.apply

    def __add__(self, other: Matrix3) -> Matrix3:
        return Matrix3(self.x + other.x, self.y + other.y, self.z + other.z)

    def __neg__(self) -> Matrix3:
        return Matrix3(-self.x, -self.y, -self.z)


def skew(w: Vec3) -> Matrix3:
    """Returns the matrix [w] with [w] u = w × u."""
    return Matrix3(Vec3(0, -w.z, w.y), Vec3(w.z, 0, -w.x), Vec3(-w.y, w.x, 0))


@record(slots=True)
class Rotation(Rows):
    """A rotation R_ab converts coordinates in frame b to coordinates in frame a; x, y, z are its rows."""

    __matmul__ = Rows.times

    @classmethod
    def identity(cls) -> Rotation:
        return cls(Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1))

    @classmethod
    def about(cls, axis: Vec3, c: Number, s: Number) -> Rotation:
        """Returns the rotation by the angle with cosine c and sine s about a unit axis (Rodrigues' formula).

        R = w wᵀ + c (1 − w wᵀ) + s [w], written so that integer axes give integer zeros and ones.
        """
        x, y, z = axis.x, axis.y, axis.z
        xy, xz, yz = x * y, x * z, y * z
        return cls(
            Vec3(x * x + c * (1 - x * x), xy - c * xy - s * z, xz - c * xz + s * y),
            Vec3(xy - c * xy + s * z, y * y + c * (1 - y * y), yz - c * yz - s * x),
            Vec3(xz - c * xz - s * y, yz - c * yz + s * x, z * z + c * (1 - z * z)),
        )
