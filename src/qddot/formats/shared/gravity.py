"""Makes gravity of three numbers in a file: along one axis it has the symbol g, whose value may be changed."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from qddot.algebra.expressions.expression import Expression
from qddot.algebra.spatial import Vec3
from qddot.robot.bodies import Symbol
from qddot.robot.placements import vector


def gravity_of(parts: Sequence[Fraction]) -> tuple[Vec3, dict[str, Symbol]]:
    """Returns gravity [m/s²] and its symbols, none unless it is along one axis."""
    strengths = [abs(part) for part in parts if part]
    if len(strengths) != 1:
        return vector([Expression.constant(part) for part in parts]), {}
    g, value = Expression.of("g"), Expression.constant(strengths[0])
    along = vector([g * (1 if part > 0 else -1) if part else 0 for part in parts])
    return along, {"g": Symbol("g", value, "m/s^2", "acceleration of free fall")}
