"""A Writer turns the written form into a model with equations entry by entry, so that it computes and exports."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from qddot.equations.arrays.printed import Printed
from qddot.expressions.angles import Angle
from qddot.expressions.expression import Expression, Root, Trigonometric
from qddot.forms.textbook.rewriting.angle_sums import AngleSums
from qddot.model.bodies import Armature, Body
from qddot.numbers.polynomials.exact import Terms
from qddot.numbers.polynomials.generators import Generator


class Writer:
    """This turns sums over a ring with sums of angles into expressions of a description."""

    def __init__(self, sums: AngleSums) -> None:
        self._sums = sums

    def __call__(self, entry: Terms) -> Expression:
        atoms = [self._atom(generator) for generator in entry.ring.generators]
        return Expression.of_terms(
            ([(atom, e) for atom, e in zip(atoms, exponents, strict=True) if e], c) for exponents, c in entry.terms()
        )

    def matrix(self, array: Printed) -> tuple[tuple[Expression, ...], ...]:
        width = array.shape[1]
        cells = [self(entry) for entry in array.entries]
        return tuple(tuple(cells[i * width : (i + 1) * width]) for i in range(array.shape[0]))

    def _atom(self, generator: Generator) -> Any:
        if generator.kind in ("sin", "cos"):
            return Trigonometric(generator.kind, self._angle(generator))
        return Root(int(generator.name)) if generator.kind == "root" else generator.name

    def _angle(self, generator: Generator) -> Angle:
        return self._sums.angle(generator.name) if generator.angle is None else generator.angle


def without_inertia(body: Body) -> Body:
    """Returns the body with only its geometry, springs and friction; M has the rotors."""
    joint = replace(body.joint, effects=tuple(e for e in body.joint.effects if not isinstance(e, Armature)))
    return Body(body.name, joint)
