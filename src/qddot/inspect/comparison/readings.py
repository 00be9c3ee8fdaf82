"""Reads a description in other ways: constant angles in degrees, or Denavit–Hartenberg rows of the other convention."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import cos, sin

from qddot.algebra.expressions.angles import Angle
from qddot.algebra.numbers.floats import Floats, constant_pair
from qddot.formats.confusions.of_arms import DEGREES, OTHER_ROWS, other_rows, rows_of
from qddot.inspect.comparison.findings import Finding, in_a, in_b
from qddot.inspect.comparison.snapshot import Snapshot


class Degrees(Floats):
    """This kind of number takes constant angles that were written as plain numbers, or symbols, as degrees."""

    def circular(self, angle: Angle) -> tuple[float, float]:
        written = Angle(Fraction(0), angle.radians, angle.symbols).value(self.symbols)
        radians = DEGREES.undone(written)
        (c, s), (u, v) = constant_pair(Angle(angle.pi), {}), (cos(radians), sin(radians))
        return c * u - s * v, c * v + s * u


def in_degrees(arm: Snapshot) -> Snapshot | None:
    """Returns the arm with its constant angles read as degrees, or None where it has no constant angle."""
    if not any(angle.radians or angle.symbols for angle in arm.model.constant_angles()):
        return None
    return arm.read(arm.model, Degrees)


def in_other_rows(arm: Snapshot) -> Snapshot | None:
    """Returns the arm read by the other Denavit–Hartenberg convention, or None where its frames follow no table."""
    model = other_rows(arm.model)
    return None if model is arm.model else arm.read(model)


def _in_degrees_and_other_rows(arm: Snapshot) -> Snapshot | None:
    other = in_other_rows(arm)
    return None if other is None or in_degrees(arm) is None else arm.read(other.model, Degrees)


READINGS = (
    ((DEGREES,), in_degrees),
    ((OTHER_ROWS,), in_other_rows),
    ((DEGREES, OTHER_ROWS), _in_degrees_and_other_rows),
)


def readings(a: Snapshot, b: Snapshot) -> Iterator[tuple[tuple[Finding, ...], Snapshot, Snapshot]]:
    """Yields both arms as they are, then with one of them read in each of the other ways, B before A."""
    yield (), a, b
    for it, arm, sentence in (("B", b, in_b), ("A", a, in_a)):
        for confusions, read in READINGS:
            if (other := read(arm)) is not None:
                words = {"wrong": rows_of(arm.model), "right": rows_of(other.model)}
                named = tuple(Finding(each.name, sentence(each, **words)) for each in confusions)
                yield named, (other if it == "A" else a), (other if it == "B" else b)
