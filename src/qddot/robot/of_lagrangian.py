"""Makes models of systems that are no robots from their Lagrangians: coordinates without links, and equations."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import combinations
from typing import Any

from qddot.algebra.expressions.constant_angles import reduced
from qddot.algebra.expressions.derivative import ZERO, derivative
from qddot.algebra.expressions.expression import Expression, Trigonometric
from qddot.base.errors import ModelError, located
from qddot.base.words.message import Listed, say
from qddot.robot.bodies import BASE, Body, Joint
from qddot.robot.explicit import ExplicitEquations
from qddot.robot.lagrangian import Lagrangian
from qddot.robot.model import Model

RATE_MARKS = ("dot", "Dot", "d", "D", "p")  # of rates in names


def model_of(
    lagrangian: Lagrangian,
    name: str,
    symbols: Any,
    angles: Collection[str] = (),
    title: str = "",
    source: str = "",
) -> Model:
    """Returns the model of a system; each coordinate is that of a joint of a massless body, which has no meaning.

    angles: coordinates that are angles besides those in sines and cosines
    raises ModelError: a coordinate does not occur in K, or a symbol is not declared
    """
    turning = _in_angles(lagrangian.entries) | set(angles)
    for coordinate, rate, row in zip(lagrangian.coordinates, lagrangian.rates, lagrangian.M, strict=True):
        if not any(row):
            error = ModelError(
                "rate-not-in-k", where=name, rate=rate, names=Listed(lagrangian.rates), coordinate=coordinate
            )
            meant = [each for each in sorted(lagrangian.K.symbols()) if _means_rate(each, coordinate)]
            raise error.to(ModelError, remedy=say("rate-by-name", name=meant[0], rate=rate)) if meant else error
    q = lagrangian.coordinates
    kinds = ["revolute" if each in turning else "prismatic" for each in q]
    # one body after the other, since M is taken to be sparse where joints are on different branches
    joints = [Joint(kind, above, coordinate=each) for kind, above, each in zip(kinds, (BASE, *q), q, strict=False)]
    with located(name):
        equations = equations_of(lagrangian)
    return Model(
        name=name,
        bodies=tuple(Body(str(joint.coordinate), joint) for joint in joints),
        gravity=(0, 0, 0),  # type: ignore[arg-type]  # models read it as a vector
        symbols=symbols,
        coordinates=lagrangian.coordinates,
        explicit=equations,
        title=title,
        source=source,
    )


def _means_rate(name: str, coordinate: str) -> bool:
    """Returns whether a name is like those which other programs give the rate of a coordinate: theta_dot, dtheta."""
    letters = name.replace("_", "")
    return coordinate.replace("_", "") in (letters.replace(mark, "", 1) for mark in RATE_MARKS if mark in letters)


def _in_angles(parts: Iterable[Expression]) -> set[str]:
    """Returns the names in angles of sines and cosines."""
    atoms = {atom for part in parts for atom in part.atoms() if isinstance(atom, Trigonometric)}
    return {name for atom in atoms for name, _ in atom.angle.symbols}


def equations_of(lagrangian: Lagrangian) -> ExplicitEquations:
    """Returns M, B, C2 and G entry by entry, with P − K at rest as the potential energy."""
    n, q, M = range(len(lagrangian.coordinates)), lagrangian.coordinates, lagrangian.M
    slopes = [[[derivative(M[i][j], name) for name in q] for j in n] for i in n]

    def twice(i: int, j: int, k: int) -> Expression:
        """Returns 2 Γ_ijk, which only a quadratic K has."""
        return ZERO if not lagrangian.is_quadratic else reduced(slopes[i][j][k] + slopes[i][k][j] - slopes[j][k][i])

    return ExplicitEquations(
        M=tuple(map(tuple, M)),
        B=tuple(tuple(twice(i, j, k) for j, k in combinations(n, 2)) for i in n),
        C2=tuple(tuple(twice(i, j, j) / 2 for j in n) for i in n),
        G=tuple(reduced(derivative(lagrangian.rest, name)) for name in q),
        P=lagrangian.rest,
        lagrangian=lagrangian,
    )
