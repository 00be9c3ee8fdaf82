"""Computes exact quantities by name, to compare answers with them, and names their entries."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import Any

from qddot.algebra.spatial import Inertia, SymmetricMatrix3, Vec3
from qddot.base.errors import QddotError
from qddot.exact.equations.arrays.exact_array import ExactArray
from qddot.exact.equations.quantities import Quantities
from qddot.exact.equations.quantity_names import matrix_axes
from qddot.exact.printing.text import Text
from qddot.robot.bodies import Body
from qddot.robot.model import Model

SUMS = {"bias": ("h", "G"), "E": ("K", "P")}
OF_LINKS = {"K_links": "K", "P_links": "P"}


def exact_array(eq: Quantities, name: str) -> ExactArray:
    """Returns a quantity in the joints' own angles, or a step of any route. raises QddotError: no such name"""
    eq = eq.in_joint_angles
    if name in SUMS:
        one, other = (eq.array(part) for part in SUMS[name])
        return replace(one + other, name=name)
    if name in ("products", "squares"):
        return _of_rates(eq, name)
    if name == "minus_G":
        return replace(-eq.array("G"), name="tau_g")
    if name in OF_LINKS:
        return _of_links(eq, OF_LINKS[name])
    *others, last = eq.by_routes.values()
    for each in others:
        with suppress(QddotError):  # it may be a step of another route
            return each.array(name)
    return last.array(name)


def _of_rates(eq: Quantities, name: str) -> ExactArray:
    """Returns the torques of products of rates, B [q̇q̇], or of squares of rates, C2 [q̇²]."""
    rates = [eq.ring.rate(coordinate) for coordinate in eq.velocities]
    squares = [
        sum((eq.C2[i, j].entries[0] * rate * rate for j, rate in enumerate(rates)), eq.ring.zero) for i in range(eq.n)
    ]
    products = [entry - square for entry, square in zip(eq.h.entries, squares, strict=True)]
    entries = [eq.ring.convert(entry) for entry in (squares if name == "squares" else products)]
    return replace(eq.h, entries=tuple(entries), name=name)


def _of_links(eq: Quantities, name: str) -> ExactArray:
    """Returns the energy of each link, without its rotor: the arm's energy if nothing else had mass."""
    entries = []
    for k in range(len(eq.model.bodies)):
        alone = Quantities(_alone(eq.model, k), "composite", eq.ring)
        entries.append(eq.ring.convert(alone.in_joint_angles.array(name).entries[0]))
    return ExactArray.of(eq.ring, entries, name)


def _alone(model: Model, k: int) -> Model:
    bodies = (body if j == k else _massless(body) for j, body in enumerate(model.bodies))
    return replace(model, bodies=tuple(replace(body, joint=replace(body.joint, effects=())) for body in bodies))


def _massless(body: Body) -> Body:
    nothing = Inertia(0, Vec3.zero(), SymmetricMatrix3(*(0,) * 6))
    return replace(body, inertia=nothing, com=None, partial_inertia=True)


def entry_name(array: ExactArray, place: tuple[int, ...]) -> str:
    """Returns the name of an entry as it is printed: M12, T2[1,4]."""
    axes = matrix_axes(array.name)
    outer = place[: len(place) - axes]
    return Text().write(array.named(outer, place[len(place) - axes :] if axes else ()))


def part_of(array: ExactArray, place: tuple[int, ...]) -> dict[tuple[int, ...], Any]:
    """Returns the entries of an array by their places, which begin with a place such as (1,), a row."""
    pairs = zip(array.places, array.entries, strict=True)
    return {at: entry for at, entry in pairs if at[: len(place)] == place}


def canonical(place: tuple[int, ...], symmetric: tuple[int, int] | None) -> tuple[int, ...]:
    """Returns the place that represents a symmetric pair of places."""
    if symmetric is None:
        return place
    turned = list(place)
    a, b = symmetric
    turned[a], turned[b] = turned[b], turned[a]
    return min(place, tuple(turned))
