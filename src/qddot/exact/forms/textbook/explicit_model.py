"""Turns a written form into a model with explicit equations, which computes and exports."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction

from qddot.algebra.expressions.expression import Expression
from qddot.algebra.numbers.polynomials.division import as_expression
from qddot.algebra.numbers.polynomials.exact import Terms
from qddot.exact.equations.arrays.printed import Printed
from qddot.robot.bodies import Body
from qddot.robot.effects.armature import Armature
from qddot.robot.explicit import ExplicitEquations
from qddot.robot.model import Model


def explicit_model(
    model: Model,
    array: Callable[[str], Printed],
    P: Terms,
    names: Mapping[str, Terms] | None = None,
    inserted: Mapping[str, Fraction] | None = None,
) -> Model:
    """Returns a model with explicit equations and the same geometry, springs and friction; M contains the armature.

    array: returns M, B, C2 and G by name
    names, inserted: the definitions of names in the entries, and the symbols that numbers have replaced in them
    """
    explicit = ExplicitEquations(
        **{name: _matrix(array(name)) for name in ("M", "B", "C2")},
        G=tuple(map(as_expression, array("G").entries)),
        P=as_expression(P),
        names={name: as_expression(definition) for name, definition in (names or {}).items()},
        inserted=inserted or {},
        lagrangian=model.lagrangian,
    )
    return replace(model, bodies=tuple(map(_without_inertia, model.bodies)), explicit=explicit, notes=())


def _matrix(array: Printed) -> tuple[tuple[Expression, ...], ...]:
    rows, width = array.shape
    cells = tuple(map(as_expression, array.entries))
    return tuple(cells[i * width : (i + 1) * width] for i in range(rows))


def _without_inertia(body: Body) -> Body:
    """Returns the body with only its geometry, springs and friction."""
    joint = replace(body.joint, effects=tuple(e for e in body.joint.effects if not isinstance(e, Armature)))
    return Body(body.name, joint)
