"""Checks whether the numbers of bodies and joints are physically possible, for values of the symbols.

Mass, friction, what holds a joint at rest, and armature must not be negative, and a lower limit must be below the upper
one. The pseudo-inertia of a body, ∫ r̃ r̃ᵀ dm about the centre of mass, must be positive semidefinite; this is
equivalent to a semidefinite tensor that satisfies the triangle inequality. Source: Traversaro, Brossette, Escande,
Nori, "Identification of fully physical consistent inertial parameters using optimization on manifolds", IROS 2016.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import combinations
from typing import Any, NamedTuple

from qddot.algebra.expressions.constant_angles import reduced
from qddot.algebra.expressions.expression import Expression, evaluator, folded
from qddot.algebra.expressions.in_fractions import Fractions
from qddot.algebra.spatial import Inertia, Vec3
from qddot.base.errors import ModelError, located
from qddot.base.words.message import Listed, Message, say
from qddot.robot.bodies import Body
from qddot.robot.effects.bristles import Bristles
from qddot.robot.effects.coulomb import Coulomb
from qddot.robot.effects.load import LoadFriction
from qddot.robot.joints.rotor import about_axis
from qddot.robot.notes import note, noted
from qddot.robot.planar import DIAGONAL, given_entries, lone_entry, may_be_lone, tensors, turning_axes
from qddot.robot.rotors import axial_moment

ROUNDING = 1e-9  # relative to the largest second moment: rods and points lie on the boundary
# times ROUNDING, relative to the largest entry about the origin, where poses were rounded
FROM_THE_ORIGIN = Fraction(1, 10_000)
SAMPLES = (Fraction(17, 19), Fraction(29, 23))  # if both give the same result, it does not depend on the symbols
# by the code of the error beyond a limit: which numbers of an effect have it, and whether a number is beyond it
LIMITS: Mapping[str, tuple[str, Callable[[float], bool]]] = {
    "effect-negative": ("not_negative", lambda x: x < 0),
    "effect-not-positive": ("positive", lambda x: x <= 0),
    "effect-locks": ("below_one", lambda x: x >= 1),
}


def check_values(bodies: Iterable[Body], values: Mapping[str, float]) -> list[str]:
    """Returns a note for each tensor accepted as partial; raises ModelError for what no robot has.

    This is the one rule for numbers, whether they stand in the description or are values of symbols. What depends on a
    symbol that is not in `values` is not checked.
    """
    bodies = marked(tuple(bodies), values)
    for name, value in values.items():
        if not math.isfinite(value):
            raise ModelError("value-not-finite", name=name, value=value)
    for body in bodies:
        for effect in body.joint.effects:
            for code, (limited, _) in LIMITS.items():
                for field_name, what in getattr(effect, limited).items():
                    _check_number(code, getattr(effect, field_name), what, body, values)
        _check_holding(body, values)
        _check_limits(body, values)
        if body.shapes is not None:
            with located(f"link {body.name!r}"):
                body.shapes.check(values)
    return check_inertia(bodies, values)


def _check_number(code: str, entry: Expression, what: Message, body: Body, values: Mapping[str, float]) -> None:
    """Raises ModelError with the code of a limit if a number is beyond it."""
    number = _value(entry, values)
    if number is not None and LIMITS[code][1](number):
        of_symbols = f" = {number:g}" if entry.symbols() else ""
        raise ModelError(code, where=f"link {body.name!r}", what=what, entry=entry, of_symbols=of_symbols)


def _check_holding(body: Body, values: Mapping[str, float]) -> None:
    """Raises ModelError if friction would push a joint at the begin of its motion."""
    entry = body.joint.holding
    number = _value(entry, values)
    dry = sum((each.coefficient for each in body.joint.effects if isinstance(each, Coulomb)), Expression.constant(0))
    if body.joint.has(Bristles) and (number == 0 or _value(dry, values) == 0):
        raise ModelError("bristles-without-friction", where=f"link {body.name!r}")
    if body.joint.has(Bristles) and body.joint.has(LoadFriction):
        raise ModelError("bristles-with-load", where=f"link {body.name!r}")
    if number is not None and number < 0:
        of_symbols = f" = {number:g}" if entry.symbols() else ""
        raise ModelError("friction-pushes", where=f"link {body.name!r}", entry=entry, of_symbols=of_symbols)


def _check_limits(body: Body, values: Mapping[str, float]) -> None:
    limits = body.joint.limits or ()
    ends = [end for limit in limits if (end := _value(limit, values)) is not None]
    if len(ends) == len(limits) and ends != sorted(ends):
        raise ModelError("limits-reversed", where=f"link {body.name!r}", lower=limits[0], upper=limits[1])


def check_inertia(bodies: Iterable[Body], values: Mapping[str, float]) -> list[str]:
    """Returns a note for each tensor accepted as partial; raises ModelError for a physically impossible inertia.

    A body whose moments depend on a symbol without a default is not checked.
    """
    notes = []
    bodies = tuple(bodies)
    for body in bodies:
        where = f"link {body.name!r}"
        m = _value(body.inertia.m, values)
        if m is not None and m < 0:
            raise ModelError("mass-negative", where=where, mass=f"{m:g}")
        if body.inertia.m == 0 and any(entry != 0 for entry in body.inertia.h):
            raise ModelError("link-first-moment-no-mass", where=where)
        if body.joint.kind.is_rotor:
            _check_rotor(body, values, where)
            continue
        problem = _problem(body, values) or _lone_in_symbols(body, bodies, values)
        if problem and not body.partial_inertia:
            raise ModelError(
                problem,
                where=where,
                remedy=say("check-inertia", zeros=_zeros(body)),
            )
        if problem:
            lone = lone_entry(body, turning_axes(bodies)[body.name]) if may_be_lone(body) else ""
            why = say("lone-entry-given", entry=lone) if lone else problem
            notes.append(noted(where, note("partial-inertia-accepted", why=why)))
    return notes


def _check_rotor(body: Body, values: Mapping[str, float], where: str) -> None:
    """Raises ModelError unless the body resists turning about its joint's axis alone."""
    J = axial_moment(body)
    rest = body.inertia.I - about_axis(J, body.joint.axis).I
    if body.inertia.m != 0 or any(folded(reduced(Expression.constant(0) + entry)) != 0 for entry in rest):
        raise ModelError("rotor-not-about-axis", where=where)
    number = _value(J, values)
    if number is not None and number < 0:
        raise ModelError("rotor-inertia-negative", where=where, inertia=J)


def _lone_in_symbols(body: Body, bodies: Sequence[Body], values: Mapping[str, float]) -> Message | None:
    """Returns what is wrong if a symbol is the only moment of inertia, and not the one that affects the motion."""
    if body.partial_inertia or _moments(body, values) is not None or not may_be_lone(body):
        return None
    if lone_entry(body, turning_axes(bodies)[body.name]):
        return None
    return say("lone-inertia-of-another-axis")


def marked(bodies: tuple[Body, ...], values: Mapping[str, float]) -> tuple[Body, ...]:
    """Returns the bodies, with partial_inertia set if only the entry that affects the motion is given."""
    suspects = [b for b in bodies if not b.partial_inertia and _problem(b, values) and may_be_lone(b)]
    axes = turning_axes(bodies) if suspects else {}
    lone = {body.name for body in suspects if _has_lone_entry(body, axes[body.name], values)}
    return tuple(replace(body, partial_inertia=True) if body.name in lone else body for body in bodies)


def _has_lone_entry(body: Body, axis: Vec3 | None, values: Mapping[str, float]) -> bool:
    """Returns whether the only given entry is the one that matters, and is not negative about the centre of mass."""
    entry = lone_entry(body, axis)
    moments = _moments(body, values)
    if not entry or moments is None:
        return False
    i, j = (k for k in range(3) if DIAGONAL[k] != entry)
    return moments.central[i][i] + moments.central[j][j] >= -ROUNDING


def _zeros(body: Body) -> Message | str:
    """Returns the part of a message that names diagonal entries that are zero, or "" if all or none are."""
    least = min((given_entries(tensor) for tensor in tensors(body)), key=len)
    zero = [f"I{name}" for name in DIAGONAL if name not in least]
    return say("moments-are-zero", count=len(zero), first=zero[0], last=zero[-1]) if 0 < len(zero) < 3 else ""


def tolerated(body: Body) -> Body:
    """Returns the body; partial_inertia is set if its inertia is impossible: files have rounded or guessed numbers."""
    try:
        check_inertia((body,), {})
    except ModelError:
        return replace(body, partial_inertia=True, tolerated=True)
    return body


class _Moments(NamedTuple):
    """These are the second moments about the centre of mass, divided by their scale."""

    central: list[list[float]]
    scale: Fraction

    @classmethod
    def at(cls, body: Body, values: Mapping[str, Fraction]) -> _Moments:
        """Returns the moments for values of all symbols, rounded at the end, so that terms that cancel are zero."""
        number = evaluator(Fractions(values.__getitem__))
        inertia: Any = body.inertia.map(number)
        if body.com is not None:
            # the mass cancels here, so that a numeric tensor is checked even if the mass is a symbol
            J = Inertia(0, Vec3.zero(), inertia.central_tensor(body.com.map(number))).pseudo()
        else:
            J = inertia.pseudo()
        m = J[3][3]
        central = [[J[i][k] - (Fraction(J[i][3] * J[k][3]) / m if m else 0) for k in range(3)] for i in range(3)]
        far = FROM_THE_ORIGIN * max(abs(entry) for entry in inertia.I)
        scale = Fraction(max(far, *(abs(entry) for row in central for entry in row)) or 1)
        return cls([[float(entry / scale) for entry in row] for row in central], scale)


def _problem(body: Body, values: Mapping[str, float]) -> Message | None:
    """Returns what is wrong with the second moments about the centre of mass, or None if no fault is found."""
    moments = _moments(body, values)
    if moments is None or _semidefinite(moments.central):
        return None
    diagonal = (moments.central[k][k] for k in range(3))
    xx, yy, zz = (entry if abs(entry) > ROUNDING else 0.0 for entry in diagonal)
    principal = Listed(_six_digits(Fraction(entry) * moments.scale) for entry in (yy + zz, xx + zz, xx + yy))
    return say("impossible-inertia", principal=principal)


def _six_digits(number: Fraction) -> str:
    """Returns a number with six digits, even if it is too large or too small for a float."""
    with localcontext(prec=6):
        return f"{(Decimal(number.numerator) / Decimal(number.denominator)).normalize():g}"


def _moments(body: Body, values: Mapping[str, float]) -> _Moments | None:
    """Returns the second moments, or None if they depend on a symbol without a value."""
    parts = (*body.inertia.I, *body.inertia.h, body.inertia.m, *(body.com or ()))
    used = set().union(*(part.symbols() for part in parts if isinstance(part, Expression)))
    numbers = {name: Fraction(values[name]) for name in used & set(values)}
    unknown = used - set(values)
    first = _Moments.at(body, dict.fromkeys(unknown, SAMPLES[0]) | numbers)
    if not unknown:
        return first
    other = _Moments.at(body, dict.fromkeys(unknown, SAMPLES[1]) | numbers)
    return first if (first.central, float(first.scale / other.scale)) == (other.central, 1.0) else None


def _value(entry: Any, values: Mapping[str, float]) -> float | None:
    if not isinstance(entry, Expression):
        return float(entry)
    return entry.value(values) if entry.symbols() <= set(values) else None


def _semidefinite(S: list[list[float]]) -> bool:
    """Returns whether no principal minor of a symmetric matrix with entries of about 1 is negative, up to rounding."""
    for size in (1, 2, 3):
        for keep in combinations(range(3), size):
            minor = [[S[i][j] for j in keep] for i in keep]
            if _determinant(minor) < -ROUNDING:
                return False
    return True


def _determinant(A: list[list[Any]]) -> float:
    if len(A) == 1:
        return float(A[0][0])
    return math.fsum(
        (-1) ** j * A[0][j] * _determinant([row[:j] + row[j + 1 :] for row in A[1:]]) for j in range(len(A))
    )
