"""Whether a mass distribution can be a body's: no negative mass, and a semidefinite pseudo-inertia.

The pseudo-inertia ∫ r̃ r̃ᵀ dm about the centre of mass is positive semidefinite for every body; that
is the same as a semidefinite tensor that keeps the triangle inequality. Source: Traversaro, Brossette,
Escande, Nori, "Identification of fully physical consistent inertial parameters using optimization on
manifolds", IROS 2016.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from itertools import combinations
from typing import Any

from qddot.errors import ModelError
from qddot.model.bodies import Body
from qddot.model.expressions import Expression

ROUNDING = 1e-9  # of the largest second moment: rods and points sit on the boundary


def check_inertia(bodies: Iterable[Body], values: Mapping[str, float]) -> list[str]:
    """Raise ModelError for a body that cannot be; return a note for each tensor called partial.

    Only what is known is judged: a body with a symbol that has no default passes.
    """
    notes = []
    for body in bodies:
        problem = _problem(body, values)
        if problem and not body.partial_inertia:
            raise ModelError(
                problem,
                where=f"link {body.name!r}",
                remedy="check signs, the point (about = ...) and units; "
                "partial_inertia = true if only some entries are known",
            )
        if problem:
            notes.append(f"link {body.name!r}: partial inertia accepted ({problem})")
    return notes


def _problem(body: Body, values: Mapping[str, float]) -> str:
    m = _known(body.inertia.m, values)
    if m is not None and m < 0:
        return f"mass {m:g} is negative"
    known = [_known(entry, values) for row in body.inertia.pseudo() for entry in row]
    entries = [entry for entry in known if entry is not None]
    if len(entries) < len(known):
        return ""
    J = [entries[4 * i : 4 * i + 4] for i in range(4)]
    if not m:
        if any(J[k][3] for k in range(3)):
            return "a first moment without mass"
        sigma = [row[:3] for row in J[:3]]
    else:
        sigma = [[J[i][k] - J[i][3] * J[k][3] / m for k in range(3)] for i in range(3)]
    scale = max(abs(J[k][k]) for k in range(3))
    if _semidefinite(sigma, scale):
        return ""
    xx, yy, zz = (sigma[k][k] if abs(sigma[k][k]) > ROUNDING * scale else 0.0 for k in range(3))
    return (
        "no body has this inertia: about the centre of mass "
        f"Ixx, Iyy, Izz = {yy + zz:.6g}, {xx + zz:.6g}, {xx + yy:.6g} "
        "break positive semidefiniteness or the triangle inequality"
    )


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
