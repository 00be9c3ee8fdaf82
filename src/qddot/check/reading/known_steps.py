"""Recognizes arrays on the way of a derivation by their values: poses, axes, Jacobians and parts of M and G."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from qddot.equations.arrays.exact_array import ExactArray
from qddot.equations.quantities import Quantities
from qddot.errors import QddotError
from qddot.numbers.polynomials.exact import Polynomial, Ring

SMALLEST = 3  # entries of an array that is known by its values alone
Entries = list[Any]


def known_step(values: Sequence[Polynomial], indices: Sequence[int], eq: Quantities, ring: Ring) -> str:
    """Returns what an array is on the way of a derivation, or what ∂M_ij/∂q_k with three indices is, or ""."""
    exact = eq.in_joint_angles
    if len(values) == 1 and len(indices) == SMALLEST and max(indices) <= eq.n:
        i, j, k = (index - 1 for index in indices)
        slope = ring.differentiate(ring.convert(exact.M[i, j].entries[0]), eq.model.coordinates[k])
        return f"the derivative of M{i + 1}{j + 1} by {eq.model.coordinates[k]}" if not values[0] - slope else ""
    if len(values) < SMALLEST or not any(values):
        return ""
    for what, entries in _steps(exact, ring):
        if len(entries) == len(values) and not any(a - b for a, b in zip(values, entries, strict=True)):
            return what
    return ""


def _steps(eq: Quantities, ring: Ring) -> Iterator[tuple[str, Entries]]:
    """Yields the arrays of each link, with what they are."""
    T, J_c = eq.array("T"), eq.array("J_c")
    before: Entries = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
    for k, body in enumerate(eq.model.bodies):
        pose = _entries(T, k, ring)
        yield f"the pose of {body.name} in the preceding link", _relative(before, pose)
        before = pose
        yield f"the third axis of {body.name}", pose[2:12:4]
        jacobian = _entries(J_c, k, ring)
        half = 3 * eq.n
        yield f"the linear Jacobian of the centre of mass of {body.name}", jacobian[:half]
        yield f"the angular Jacobian of {body.name}", jacobian[half:]
        yield from _parts_of_mass(eq, ring, k, jacobian[:half])
    yield "the acceleration of gravity", [ring.convert(_value(part, ring)) for part in eq.model.gravity]
    turning = eq.array("J_tool")
    for j, name in enumerate(eq.model.coordinates):
        yield f"the axis of {name}", [ring.convert(turning[i, j].entries[0]) for i in range(3, 6)]


def _parts_of_mass(eq: Quantities, ring: Ring, k: int, linear: Entries) -> Iterator[tuple[str, Entries]]:
    """Yields m JᵀJ, the rest of a link's mass matrix, and its gravity torques."""
    from qddot.check.judging.exact_arrays import exact_array

    body, n = eq.model.bodies[k], eq.n
    try:
        mass = ring.convert(_value(body.inertia.m, ring))
        K, P = (ring.convert(exact_array(eq, name).entries[k]) for name in ("K_links", "P_links"))
    except (QddotError, AttributeError, KeyError):
        return
    rates = [f"qd({name})" for name in eq.model.coordinates]
    whole = [ring.convert(ring.convert(K.derivative(a)).derivative(b)) for a in rates for b in rates]
    columns = [linear[j::n] for j in range(n)]
    moving = [mass * sum((a * b for a, b in zip(x, y, strict=True)), ring.zero) for x in columns for y in columns]
    yield f"the part of M from the translation of {body.name}", moving
    yield f"the part of M from the rotation of {body.name}", [a - b for a, b in zip(whole, moving, strict=True)]
    yield f"the part of M from {body.name}", whole
    yield f"the gravity torques of {body.name}", [ring.differentiate(P, name) for name in eq.model.coordinates]


def _value(number: Any, ring: Ring) -> Any:
    return number.evaluate(ring) if hasattr(number, "evaluate") else number


def _entries(array: ExactArray, k: int, ring: Ring) -> Entries:
    return [ring.convert(entry) for at, entry in zip(array.places, array.entries, strict=True) if at[0] == k]


def _relative(before: Entries, pose: Entries) -> Entries:
    """Returns the pose of a frame in another one, by the transpose of the other's rotation."""
    moved = [[pose[4 * i + j] - (before[4 * i + 3] if j == 3 else 0) for j in range(4)] for i in range(3)]
    rows = [[sum(before[4 * m + i] * moved[m][j] for m in range(3)) for j in range(4)] for i in range(3)]
    return [*(entry for row in rows for entry in row), *pose[12:]]
