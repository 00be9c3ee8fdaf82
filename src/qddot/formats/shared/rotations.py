"""Makes exact angles and rotations from the decimals in files; a note reports every change."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from math import radians
from typing import Any

from qddot.algebra.expressions.angles import TWELFTH, Angle
from qddot.algebra.expressions.expression import Expression, Trigonometric, folded
from qddot.algebra.expressions.parser import angle, expression
from qddot.algebra.spatial import Pose, Rotation, Vec3
from qddot.base.errors import FormatError, shortened
from qddot.base.words.message import Words, say
from qddot.robot.axes import nearest_rational
from qddot.robot.notes import note
from qddot.robot.placements import listed, pose, simplified, turn, vector

MOST_PLACES = 100  # decimal places of an angle; C's M_PI_4 has 21
FEWEST_PLACES, EXACT_PLACES = 2, 4  # with which a number may be a rounded multiple of 15°, and with which it is one
ORTHONORMAL = 1e-4  # how far a matrix of few decimals may be from a rotation
LONGEST_DENOMINATOR = 256  # bits; a longer product is replaced by the nearest short fraction
FINEST = Fraction(1, 10**18)  # m, to which positions are then rounded


def snapped(angle: Angle) -> tuple[Angle, str]:
    """Returns an angle and a note; a decimal that equals a multiple of 15° to its digits (1.5708) is made exact.

    Only this function makes decimal angles of robot files, URDF and SDF multiples of 15°: those of poses, rows and
    offsets of joints that follow others, but not limits and rest positions of springs.

    The note is empty if nothing was changed. A number with fewer than four decimals is not changed, since 1.57 may mean
    1.57; of a multiple of 45° to two or three decimals the note says so. Whole radians beyond one turn are not changed
    either, but the note says that they look like degrees.
    """
    if like_degrees(angle):
        in_others = f"{radians(angle.radians):.5g}"
        return angle, note("angle-without-unit", angle=angle.radians, radians=in_others)
    places = next((k for k in range(MOST_PLACES) if 10**k % angle.radians.denominator == 0), None)
    if places is None or places < FEWEST_PLACES or angle.pi or angle.symbols:
        return angle, ""
    steps = round(float(angle.radians) / (math.pi * float(TWELFTH)))
    exact = steps * math.pi * float(TWELFTH)
    if not steps or abs(exact - float(angle.radians)) > 0.51 * 10.0**-places + 1e-15:
        return angle, ""
    neat = Angle(pi=steps * TWELFTH)
    if places < EXACT_PLACES:
        written = repr(float(angle.radians))
        rounded = note("angle-rounded", angle=written, exact=f"{steps * 15}°", radians=f"{exact:.4f}")
        return angle, "" if steps % 3 else rounded
    return neat, note("angle-snapped", radians=repr(float(angle.radians)), angle=neat)


def like_degrees(angle: Angle) -> str:
    """Returns a note on whole radians beyond one turn, which look like degrees, or "" for any other angle."""
    if not angle.pi and not angle.symbols and angle.radians.denominator == 1 and abs(angle.radians) > 2 * math.pi:
        return note("angle-like-degrees", angle=angle.radians)
    return ""


def rotation(rows: Any) -> tuple[Rotation, str]:
    """Returns an exact rotation from nine numbers or expressions, and a note of any change.

    Exact orthonormal rows are kept; other numbers become the rational rotation of the nearest quaternion
    with small denominators.
    raises FormatError: the rows are not a rotation
    """
    rows = _square(rows, 3, say("the-rotation"))
    R = Rotation(*(Vec3(*(folded(expression(entry)) for entry in row)) for row in rows))
    if _is_rotation(R):
        return R, ""
    numbers = [[_number(entry) for entry in row] for row in R]
    _check_rotation(numbers, rows)
    exact = from_quaternion(*nearest_rational(quaternion(numbers)))
    change = max(
        abs(_number(a) - b) for row, old in zip(exact, numbers, strict=True) for a, b in zip(row, old, strict=True)
    )
    return exact, note("rotation-made-exact", numbers=shortened(numbers), change=f"{change:.1e}")


def angles_of_rpy(values: Any) -> tuple[list[Angle], list[str]]:
    """Returns the angles of a file's rpy, which are snapped, and notes of changes."""
    snaps = [snapped(angle(value)) for value in listed(values, "rpy")]
    return [neat for neat, _ in snaps], [change for _, change in snaps if change]


def placed(table: Mapping[str, Any], place: str = "xyz") -> tuple[Pose, list[str]]:
    """Returns the pose of a table with `place` and rpy or rotation, each of which may be missing, and notes of changes.

    raises FormatError: it has both rpy and rotation
    """
    if "rotation" in table and "rpy" in table:
        raise FormatError("rotation-given-twice")
    position = vector(table.get(place, (0, 0, 0)), place)
    if "rotation" in table:
        R, change = rotation(listed(table["rotation"], "rotation"))
        return Pose(R, position), [change] if change else []
    angles, notes = angles_of_rpy(table.get("rpy", (0, 0, 0)))
    return pose(position, angles), notes


def about(axis: Vec3, angle: Angle) -> tuple[Rotation, str]:
    """Returns the rotation about a unit axis by an angle from a file, which is snapped, and a note of any change."""
    neat, reading = snapped(angle)
    R, change = turned(axis, neat)
    return R, reading or change


def turned(axis: Vec3, angle: Angle) -> tuple[Rotation, str]:
    """Returns the rotation about a unit axis and a note of any change: exact at multiples of 15°, else rational.

    The rational rotation comes from the nearest (cos, sin) of half the angle with small denominators; zeros and ones
    are kept. About an axis that contains roots, every angle is kept as a pair (cos, sin).
    """
    entries = [Expression.constant(0) + entry for entry in axis]
    if not angle.radians or any(entry.rational is None for entry in entries):
        return turn(axis, angle), ""
    radians = angle.value({})
    w, s = nearest_rational((math.cos(radians / 2), math.sin(radians / 2)))
    change = abs(math.remainder(2 * math.atan2(s, w) - radians, math.tau))
    made = note("rotation-made-rational", radians=repr(radians), change=f"{change:.1e}") if change else ""
    return from_quaternion(w, *(s * (entry.rational or 0) for entry in entries)), made


def from_quaternion(w: Any, x: Any, y: Any, z: Any) -> Rotation:
    """Returns the rotation of a rational quaternion of any length; RᵀR = 1 holds exactly."""
    w, x, y, z = (Fraction(part) for part in (w, x, y, z))
    n = w * w + x * x + y * y + z * z
    if not n:
        raise FormatError("quaternion-zero")

    def entry(value: Fraction) -> Any:
        return folded(Expression.constant(value / n))

    return Rotation(
        Vec3(entry(w * w + x * x - y * y - z * z), entry(2 * (x * y - w * z)), entry(2 * (x * z + w * y))),
        Vec3(entry(2 * (x * y + w * z)), entry(w * w - x * x + y * y - z * z), entry(2 * (y * z - w * x))),
        Vec3(entry(2 * (x * z - w * y)), entry(2 * (y * z + w * x)), entry(w * w - x * x - y * y + z * z)),
    )


def quaternion(R: list[list[float]]) -> tuple[float, float, float, float]:
    """Returns the quaternion (w, x, y, z) of a rotation matrix, up to a factor (Shepperd 1978)."""
    trace = R[0][0] + R[1][1] + R[2][2]
    squares = [trace, R[0][0], R[1][1], R[2][2]]
    k = squares.index(max(squares))
    if k == 0:
        return 1 + trace, R[2][1] - R[1][2], R[0][2] - R[2][0], R[1][0] - R[0][1]
    i, j, m = k - 1, k % 3, (k + 1) % 3
    parts = [0.0, 0.0, 0.0]
    parts[i] = 1 + 2 * R[i][i] - trace
    parts[j], parts[m] = R[i][j] + R[j][i], R[i][m] + R[m][i]
    return R[m][j] - R[j][m], parts[0], parts[1], parts[2]


def pose_from_matrix(rows: Any) -> tuple[Pose, str]:
    """Returns the exact pose of a homogeneous 4×4 matrix, and a note of any change."""
    rows = _square(rows, 4, say("the-pose"))
    if [folded(expression(entry)) for entry in rows[3]] != [0, 0, 0, 1]:
        raise FormatError("pose-last-row", row=shortened(rows[3]))
    R, change = rotation([row[:3] for row in rows[:3]])
    return simplified(Pose(R, Vec3(*(folded(expression(row[3])) for row in rows[:3])))), change


def _number(entry: Any) -> float:
    if isinstance(entry, Expression):
        if entry.symbols():
            raise FormatError("rotation-with-symbols", entry=entry)
        return entry.value({})
    return float(entry)


def _square(rows: Any, size: int, what: Words) -> list[list[Any]]:
    """Returns a square array as lists of lists; raises FormatError for another shape. NumPy arrays are accepted."""
    listed = rows.tolist() if hasattr(rows, "tolist") else rows
    whole = isinstance(listed, list | tuple) and all(isinstance(row, list | tuple) for row in listed)
    if not whole or [len(row) for row in listed] != [size] * size:
        raise FormatError("matrix-not-square", what=what, rows=shortened(rows), size=size)
    return [list(row) for row in listed]


def _is_rotation(R: Rotation) -> bool:
    """Returns whether RᵀR = 1 and det R = 1, exactly, or to 1e-12 at two sets of values where cosines remain."""
    product, third = R @ R.T, R.x.cross(R.y)
    pairs = [(e, int(i == j)) for i, row in enumerate(product) for j, e in enumerate(row)]
    pairs += list(zip(third, R.z, strict=True))
    differences = [Expression.constant(0) + a - b for a, b in pairs]
    if not any(isinstance(atom, Trigonometric) for e in differences for atom in e.atoms()):
        return not any(differences)
    names = sorted(set().union(*(e.symbols() for e in differences)))
    trials = [{name: start + 0.37 * k for k, name in enumerate(names)} for start in (0.3, 1.9)]
    return all(abs(e.value(trial)) < 1e-12 for e in differences for trial in trials)


def _check_rotation(R: list[list[float]], rows: object) -> None:
    x, y, z = (Vec3(*row) for row in R)
    products: Any = (x.dot(x) - 1, y.dot(y) - 1, z.dot(z) - 1, x.dot(y), x.dot(z), y.dot(z))
    if not all(abs(product) <= ORTHONORMAL for product in products):
        raise FormatError("rows-not-orthonormal", rows=shortened(rows))
    if x.cross(y).dot(z) < 0:  # type: ignore[operator]
        raise FormatError("rows-reflect", rows=shortened(rows))


def short(pose: Pose) -> tuple[Pose, str]:
    """Returns the pose with long fractions replaced by the nearest short ones, and a note if the rotation changed."""
    pose = simplified(pose)
    R, p, change = pose.R, pose.p, ""
    if any(_long(entry) for row in R for entry in row):
        R = from_quaternion(*nearest_rational(quaternion([[_value(entry) for entry in row] for row in R])))
        change = note("rotations-rounded")
    if any(_long(entry) for entry in p):
        p = p.map(_rounded)
    return Pose(R, p), change


def _long(entry: Any) -> bool:
    terms = entry.terms.values() if isinstance(entry, Expression) else ()
    return any(c.denominator.bit_length() > LONGEST_DENOMINATOR for c in terms)


def _rounded(entry: Any) -> Any:
    if not isinstance(entry, Expression):
        return entry
    return folded(Expression({monomial: Fraction(round(c / FINEST)) * FINEST for monomial, c in entry.terms.items()}))


def _value(entry: Any) -> float:
    return entry.value({}) if isinstance(entry, Expression) else float(entry)
