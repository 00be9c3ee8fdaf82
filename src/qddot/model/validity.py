"""Whether a mass distribution can be a body's: no negative mass, and a semidefinite pseudo-inertia.

The pseudo-inertia ∫ r̃ r̃ᵀ dm about the centre of mass is positive semidefinite for every body; that
is the same as a semidefinite tensor that keeps the triangle inequality. Source: Traversaro, Brossette,
Escande, Nori, "Identification of fully physical consistent inertial parameters using optimization on
manifolds", IROS 2016.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import combinations
from typing import Any

from qddot.errors import ModelError
from qddot.model.bodies import Body
from qddot.model.expressions import Expression
from qddot.model.planar import DIAGONAL, given_entries, lone_entry, tensors, turning_axes
from qddot.spatial import Inertia, Vec3, point_tensor

ROUNDING = 1e-9  # of the largest second moment: rods and points sit on the boundary


def check_inertia(bodies: Iterable[Body], values: Mapping[str, float]) -> list[str]:
    """Raise ModelError for a body that cannot be; return a note for each tensor called partial.

    Only what is known is judged: a body with a symbol that has no default passes.
    """
    notes = []
    bodies = tuple(bodies)
    for body in bodies:
        where = f"link {body.name!r}"
        m = _known(body.inertia.m, values)
        if m is not None and m < 0:
            raise ModelError(f"mass {m:g} is negative", where=where, expected="zero or more")
        if body.inertia.m == 0 and any(entry != 0 for entry in body.inertia.h):
            raise ModelError("a first moment without mass", where=where, remedy="give its mass")
        problem = _problem(body, m, values)
        if problem and not body.partial_inertia:
            raise ModelError(
                problem,
                where=where,
                remedy=f"{_missing(body)}check signs, the point (about = ...) and units; "
                "partial_inertia = true if only some entries are known",
            )
        if problem:
            lone = lone_entry(body, turning_axes(bodies)[body.name])
            why = f"I{lone} alone is given, and no motion feels another entry" if lone else problem
            notes.append(f"{where}: partial inertia accepted ({why})")
    return notes


def marked(bodies: tuple[Body, ...], values: Mapping[str, float]) -> tuple[Body, ...]:
    """The bodies; one that cannot be because one entry alone is given, and no motion feels another, as of partial
    inertia."""
    suspects = [b for b in bodies if not b.partial_inertia and _problem(b, _known(b.inertia.m, values), values)]
    axes = turning_axes(bodies) if suspects else {}
    lone = {body.name for body in suspects if _has_lone_entry(body, axes[body.name], values)}
    return tuple(replace(body, partial_inertia=True) if body.name in lone else body for body in bodies)


def _has_lone_entry(body: Body, axis: Vec3 | None, values: Mapping[str, float]) -> bool:
    """Whether one entry alone is given and felt, and is not negative about the centre of mass."""
    entry = lone_entry(body, axis)
    central = _central_moments(body, _known(body.inertia.m, values), values)
    if not entry or central is None:
        return False
    i, j = (k for k in range(3) if DIAGONAL[k] != entry)
    scale = max(abs(central[k][k]) for k in range(3))
    return central[i][i] + central[j][j] >= -ROUNDING * scale


def _missing(body: Body) -> str:
    """What is not given of the diagonal, where some of it is."""
    least = min((given_entries(tensor) for tensor in tensors(body)), key=len)
    zero = [f"I{name}" for name in DIAGONAL if name not in least]
    return f"{' and '.join(zero)} missing: give what the motion feels; " if 0 < len(zero) < 3 else ""


def tolerated(body: Body) -> Body:
    """The body, marked as of partial inertia where its numbers are no body's: files are rounded and guessed."""
    try:
        check_inertia((body,), {})
    except ModelError:
        return replace(body, partial_inertia=True)
    return body


def _problem(body: Body, m: float | None, values: Mapping[str, float]) -> str:
    """What is wrong with the second moments about the centre of mass, as far as they are known."""
    central = _central_moments(body, m, values)
    if central is None:
        return ""
    scale = max(abs(central[k][k]) for k in range(3))
    if _semidefinite(central, scale):
        return ""
    xx, yy, zz = (central[k][k] if abs(central[k][k]) > ROUNDING * scale else 0.0 for k in range(3))
    return (
        "no body has this inertia: about the centre of mass "
        f"Ixx, Iyy, Izz = {yy + zz:.6g}, {xx + zz:.6g}, {xx + yy:.6g} "
        "break positive semidefiniteness or the triangle inequality"
    )


def _central_moments(body: Body, m: float | None, values: Mapping[str, float]) -> list[list[float]] | None:
    if body.com is not None:
        # the mass cancels here, so that a numeric tensor is judged even if the mass is a symbol
        mass, offset = body.inertia.m, point_tensor(body.com)
        about_com = body.inertia.I - offset.map(lambda entry: mass * entry)
        pseudo = Inertia(0, Vec3.zero(), about_com).pseudo()
    else:
        pseudo = body.inertia.pseudo()
    known = [_known(entry, values) for row in pseudo for entry in row]
    entries = [entry for entry in known if entry is not None]
    if len(entries) < len(known):
        return None
    J = [entries[4 * i : 4 * i + 4] for i in range(4)]
    if body.com is not None or not m:
        return [row[:3] for row in J[:3]]
    return [[J[i][k] - J[i][3] * J[k][3] / m for k in range(3)] for i in range(3)]


def _known(entry: Any, values: Mapping[str, float]) -> float | None:
    if not isinstance(entry, Expression):
        return float(entry)
    return entry.value(values) if entry.symbols() <= set(values) else None


def _semidefinite(S: list[list[Any]], scale: float) -> bool:
    """Every principal minor of a symmetric 3×3 matrix is zero or more, up to rounding."""
    for size in (1, 2, 3):
        for keep in combinations(range(3), size):
            minor = [[S[i][j] for j in keep] for i in keep]
            if _determinant(minor) < -ROUNDING * scale**size:
                return False
    return True


def _determinant(A: list[list[Any]]) -> float:
    if len(A) == 1:
        return float(A[0][0])
    return math.fsum(
        (-1) ** j * A[0][j] * _determinant([row[:j] + row[j + 1 :] for row in A[1:]]) for j in range(len(A))
    )
