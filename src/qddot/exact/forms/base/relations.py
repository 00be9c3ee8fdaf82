"""Decides which columns of the regressor depend on which, modulo primes, at the model's exact angles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any

from qddot.algebra.numbers.modular import Modular
from qddot.algebra.spatial import Inertia, divided
from qddot.base.records import record
from qddot.physics.algorithms.energies import parameter_energies
from qddot.physics.algorithms.regressor import PARAMETERS
from qddot.physics.mechanism import Link, Mechanism
from qddot.robot.model import Model

# a body's parameters, those to keep first: the axial moment, then those that a turning joint feels across its axis
ORDER = ("Izz", "Ixx", "Ixy", "Ixz", "Iyz", "mx", "my", "mz", "Iyy", "m")
SPARE_STATES = 4  # rows beyond the largest rank, which a false relation would have to satisfy by chance
TENSOR = PARAMETERS.index("Ixx")  # where the tensor's entries begin


@record()
class Relations:
    """These are the linear relations between columns of the regressor: ten per body, then those of the armature.

    stay: columns that do not depend on those before them
    support: for each column that does not stay, the columns in its combination, which stay
    unfelt: by link, for each column that its joint does not feel, the columns of link and parent that replace it
    numbers, mechanism: the residues modulo a prime that decided this, and the links in them
    """

    stay: tuple[int, ...]
    support: Mapping[int, tuple[int, ...]]
    unfelt: Mapping[int, Mapping[int, tuple[int, ...]]]
    numbers: Modular = field(compare=False)
    mechanism: Mechanism = field(compare=False)


def relations(model: Model, armature: bool) -> Relations:
    """Returns the relations between columns, modulo a random prime: no rank is too high, and one is rarely too low."""
    numbers = Modular.of(model)
    mechanism = Mechanism.of(model, numbers)
    unfelt_columns = {link.index: _unfelt(mechanism, link.index, numbers) for link in mechanism.links}
    order = elimination_order(len(mechanism.links))
    columns = [*order, *range(len(order), len(order) + (mechanism.n if armature else 0))]
    states = len(columns) - sum(map(len, unfelt_columns.values())) + SPARE_STATES
    zero, matrix = energies(mechanism, armature), []
    for k in range(1, states + 1):
        here = energies(mechanism.in_state(model, numbers.in_state(k)), armature)
        matrix.append([here[column] - zero[column] for column in columns])
    pivots, rows = numbers.echelon(matrix)
    stay = [columns[place] for place in pivots]
    support = {
        column: tuple(stay[i] for i, row in enumerate(rows) if row[place])
        for place, column in enumerate(columns)
        if column not in stay
    }
    return Relations(tuple(stay), support, unfelt_columns, numbers, mechanism)


def elimination_order(bodies: int) -> list[int]:
    """Returns the columns of the bodies in the order of preference: earlier ones stay if possible."""
    return [len(PARAMETERS) * k + PARAMETERS.index(name) for k in range(bodies) for name in ORDER]


def energies(mechanism: Mechanism, armature: bool) -> list[Any]:
    """Returns K + P for a unit of each parameter, in the order of the columns: bodies, then armature."""
    columns = [kinetic + potential for body in parameter_energies(mechanism) for kinetic, potential in body]
    return columns + [divided(rate * rate, 2) for rate in mechanism.qd] if armature else columns


def unfelt_rows(mechanism: Mechanism, link: int) -> list[dict[int, Any]]:
    """Returns relations Σ coefficient · column = 0, as coefficients by column: the parent can take unfelt inertia."""
    rows = []
    for own, above in unfelt(mechanism.links[link]):
        row = {len(PARAMETERS) * link + k: x for k, x in enumerate(entries(own))}
        parent = mechanism.links[link].parent
        if parent is not None:
            row.update({len(PARAMETERS) * parent + k: -x for k, x in enumerate(entries(above))})
        rows.append(row)
    return rows


def _unfelt(mechanism: Mechanism, link: int, numbers: Modular) -> dict[int, tuple[int, ...]]:
    """Returns the columns that a link's joint does not feel, each with the columns that replace it."""
    rows = unfelt_rows(mechanism, link)
    if not rows:
        return {}
    own = elimination_order(link + 1)[len(PARAMETERS) * link :][::-1]
    columns = [*own, *sorted(set(rows[0]) - set(own))]
    pivots, reduced = numbers.echelon([[row[column] for column in columns] for row in rows])
    return {
        columns[place]: tuple(columns[j] for j, entry in enumerate(row) if entry and j != place)
        for place, row in zip(pivots, reduced, strict=True)
    }


def simplest_rows(matrix: Sequence[Sequence[int]], prime: int) -> list[int]:
    """Returns, for each column of residues, the first row that can eliminate it."""
    rows = {k: list(row) for k, row in enumerate(matrix)}
    chosen = []
    for column in range(len(matrix[0])):
        pivot = next(k for k, row in rows.items() if row[column])
        own = rows.pop(pivot)
        chosen.append(pivot)
        inverse = pow(own[column], -1, prime)
        for row in rows.values():
            if row[column]:
                factor = row[column] * inverse
                row[:] = [(a - factor * b) % prime for a, b in zip(row, own, strict=True)]
    return chosen


def unfelt(link: Link) -> list[tuple[Inertia, Inertia]]:
    """Returns a basis of the inertias that a link's joint does not feel, each in the link's and the parent's frame.

    Source: Gautier & Khalil, "Direct calculation of minimum set of inertial parameters of serial robots", IEEE T-RA 6,
    1990.
    """
    return [(own, each.placed(link.placement)) for own, each in link.kind.unfelt(link.axis, link.offset)]


def entries(inertia: Inertia) -> tuple[Any, ...]:
    """Returns the ten parameters of an inertia, in the order of the regressor's columns."""
    return (inertia.m, *inertia.h, *inertia.I)
