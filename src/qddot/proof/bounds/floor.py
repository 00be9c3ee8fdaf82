"""Proves a constant matrix below the mass matrix in every pose, from the links' inertias alone.

The rate of a joint is the power of unit wrenches along its axis on its two bodies: q̇ = A v, where v has the twists of
all bodies, each along its own axes, and A does not depend on q. Energies of bodies and rotors are
½ vᵀ W v + ½ q̇ᵀ J q̇. Of all twists with the same A v, those of least energy have ½ q̇ᵀ (A W⁻¹ Aᵀ)⁻¹ q̇, so that
M ⪰ (A W⁻¹ Aᵀ)⁻¹ + J. Source: Boyd & Vandenberghe, *Convex Optimization*, 2004, §10.1.1 (least norm).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from flint import arb, arb_mat

from qddot.algebra.numbers.balls import Balls, ball, ends, precise
from qddot.algebra.spatial import Force, Inertia, Vec3
from qddot.base.words.message import say
from qddot.physics.mechanism import Link, Mechanism
from qddot.proof.bounds.eigenvalues import of_floats
from qddot.robot.joints.refused import refuse_several
from qddot.robot.model import Model
from qddot.robot.symbol_values import refuse_missing

SIZE = 6


def least_eigenvalue(model: Model) -> float:
    """Returns a number that the least eigenvalue of M exceeds in every pose; 0 where the links prove none.

    They prove none if a moving body's inertia is singular, like that of a point mass or a rod, or is given only in
    part, or if the equations are given entry by entry.
    raises QddotError: a symbol without a value, or a joint with quasi-velocities
    """
    refuse_several(model, say("a-proof-of-bounds"))
    defaults = {name: symbol.value for name, symbol in model.symbols.items() if symbol.value is not None}
    refuse_missing(model.symbols.keys() - defaults.keys(), model.name)
    if model.explicit is not None or any(body.partial_inertia for body in model.bodies):
        return 0.0
    with precise():
        values = {name: value.evaluate(Balls()) for name, value in defaults.items()}
        still: dict[str, Any] = dict.fromkeys(model.coordinates, 0)
        mechanism = Mechanism.of(model, Balls(values, still, still, still))
        bodies = _rigid(mechanism)
        if not all(_is_definite(matrix) for matrix in bodies.values()):
            return 0.0
        floor = _compliance(mechanism, bodies).inv()
        for each in mechanism.effects:
            floor[each.dof, each.dof] += ball(each.effect.own_inertia())
        return max(0.0, _least(floor))


def _rigid(mechanism: Mechanism) -> dict[int, arb_mat]:
    """Returns the inertia of each moving body with all that is fixed to it, by the index of its link."""
    inertias = [link.inertia for link in mechanism.links]
    for link in reversed(mechanism.links):
        if link.dof is None and link.parent is not None:
            inertias[link.parent] += link.X.inertia_to_parent(inertias[link.index])
    return {link.index: _matrix(inertias[link.index]) for _, link in mechanism.moving}


def _matrix(inertia: Inertia) -> arb_mat:
    return arb_mat([[ball(entry) for entry in row] for row in inertia.spatial_matrix()])


def _is_definite(matrix: arb_mat) -> bool:
    """Returns whether all leading minors of a symmetric matrix are positive."""
    rows = matrix.tolist()
    return all(arb_mat([row[:k] for row in rows[:k]]).det() > 0 for k in range(1, len(rows) + 1))


def _compliance(mechanism: Mechanism, bodies: dict[int, arb_mat]) -> arb_mat:
    """Returns A W⁻¹ Aᵀ, the sum of each body's share, which concerns the joints at the body alone."""
    n = mechanism.n
    at_body: dict[int, dict[int, list[arb]]] = {}
    for j, joint in enumerate(mechanism.joints):
        for body, wrench in _ends(mechanism, joint):
            row = at_body.setdefault(body, {}).setdefault(j, [arb(0)] * SIZE)
            at_body[body][j] = [a + ball(b) for a, b in zip(row, (*wrench.n, *wrench.f), strict=True)]
    total = arb_mat(n, n)
    for body, rows in at_body.items():
        A = arb_mat(list(rows.values()))
        share = A * bodies[body].inv() * A.transpose()
        for a, i in enumerate(rows):
            for b, j in enumerate(rows):
                total[i, j] += share[a, b]
    return total


def _ends(mechanism: Mechanism, joint: Link) -> Iterator[tuple[int, Force]]:
    """Yields the two bodies at a joint, each with the wrench whose power is the body's part of the joint's rate.

    The wrench is a couple or a force along the joint's axis, which the joint's motion does not change.
    """
    along = joint.offset.R.T.apply(joint.axis)
    wrench = Force(along, Vec3.zero()) if joint.kind.is_angle else Force(Vec3.zero(), along)
    yield joint.index, wrench
    link, wrench = joint, -joint.X.to_parent(wrench)
    while link.parent is not None:
        link = mechanism.links[link.parent]
        if link.dof is not None:
            yield link.index, wrench
            return
        wrench = link.X.to_parent(wrench)


def _least(matrix: arb_mat) -> float:
    """Returns a lower bound of the least eigenvalue of a symmetric matrix."""
    middles = np.array([[float(entry) for entry in row] for row in matrix.mid().tolist()])
    middles = (middles + middles.T) / 2
    wrong = sum(map(abs, (matrix - arb_mat(middles.tolist())).entries()), start=arb(0))
    return ends(arb(-float(of_floats(-middles[None])[0])) - wrong)[0]
