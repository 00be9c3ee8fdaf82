"""Gives a model's numbers symbols whose values they are, so that equations of a file from CAD can be read.

Link k has the mass mk, its centre rxk, ryk, rzk and the inertia Ixxk … Izzk about the centre of mass; without a centre
the first moment mxk, myk, mzk and the inertia about the origin of its frame. Coordinate j has friction fvj (viscous),
fcj (dry), fdj (drag) and foj (constant). Zeros stay zeros, and what has symbols already stays as it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields, replace
from typing import Any

from qddot.algebra.expressions.expression import Expression
from qddot.algebra.expressions.names import fresh
from qddot.algebra.spatial import Inertia, SymmetricMatrix3, Vec3
from qddot.base.errors import ModelError, near, shortened
from qddot.base.words.message import Listed, say
from qddot.robot.bodies import Body, Symbol
from qddot.robot.effects.effect import Effect
from qddot.robot.model import Model
from qddot.robot.units import of_effect

MASS, COM, INERTIA, FRICTION = KINDS = ("mass", "com", "inertia", "friction")
ALL = "all"
TENSOR = [entry.name for entry in fields(SymmetricMatrix3)]


def with_symbols(model: Model, kinds: Iterable[str]) -> Model:
    """Returns the model with symbols for its numbers of some kinds: "mass", "com", "inertia", "friction", or "all".

    raises ModelError: another kind, or equations that are given entry by entry
    """
    wanted = [kinds] if isinstance(kinds, str) else list(kinds)
    unknown = next((kind for kind in wanted if kind not in (*KINDS, ALL)), None)
    if unknown is not None:
        remedy = near(str(unknown), (*KINDS, ALL))
        raise ModelError("symbolic-unknown", kind=shortened(unknown), kinds=Listed((*KINDS, ALL)), remedy=remedy)
    if model.explicit is not None:
        raise ModelError("not-possible-equations-given", where=model.name, what=say("symbols-for-numbers"))
    naming = _Naming(model, set(KINDS) if ALL in wanted else set(wanted))
    bodies = [naming.body(k, body) for k, body in enumerate(model.bodies, 1)]
    return replace(model, bodies=tuple(bodies), symbols={**model.symbols, **naming.symbols})


class _Naming:
    """The symbols that replace numbers of some kinds."""

    def __init__(self, model: Model, kinds: set[str]) -> None:
        self.kinds, self.places = kinds, {name: k for k, name in enumerate(model.coordinates, 1)}
        self.symbols: dict[str, Symbol] = {}
        self.taken = {*model.symbols, *model.coordinates, *model.positions}

    def named(self, kind: str, name: str, value: Any, unit: str, meaning: str) -> Any:
        """Returns a symbol for a number of a kind that is asked for, else the number."""
        number = Expression.constant(0) + value
        if kind not in self.kinds or number.symbols() or number == 0:
            return value
        label = fresh(name, self.taken)
        self.symbols[label] = Symbol(label, number, unit, meaning)
        return Expression.of(label)

    def body(self, k: int, body: Body) -> Body:
        joint = replace(body.joint, effects=tuple(self._effects(body))) if body.joint.leads else body.joint
        if body.joint.kind.is_rotor or not self.kinds & {MASS, COM, INERTIA}:
            return replace(body, joint=joint)
        inertia, com = self._inertia(k, body)
        return replace(body, joint=joint, inertia=inertia, com=com)

    def _inertia(self, k: int, body: Body) -> tuple[Inertia, Vec3 | None]:
        m = self.named(MASS, f"m{k}", body.inertia.m, "kg", f"mass of link {k}")
        tensor = body.inertia.I if body.com is None else body.inertia.central_tensor(body.com)
        about = "the origin of its frame" if body.com is None else "the centre of mass"
        meaning = f"inertia of link {k} about {about}"
        I = SymmetricMatrix3(
            *(self.named(INERTIA, f"I{name}{k}", getattr(tensor, name), "kg m^2", meaning) for name in TENSOR)
        )
        stem, unit, of = ("m", "kg m", "first moment") if body.com is None else ("r", "m", "centre of mass")
        first = body.inertia.h if body.com is None else body.com
        axes = zip("xyz", first, strict=True)
        centre = Vec3(*(self.named(COM, f"{stem}{axis}{k}", x, unit, f"{of} of link {k}") for axis, x in axes))
        if body.com is None:
            return Inertia(m, centre, I), None
        return Inertia.about_com(m, centre, I), centre

    def _effects(self, body: Body) -> Iterator[Effect]:
        joint, j = body.joint, self.places[body.joint.velocities[0]]
        for effect in joint.effects:
            if effect.part != FRICTION or not effect.linear:
                yield effect
                continue
            value, unit = getattr(effect, effect.linear), of_effect(joint, effect)[0]
            name, meaning = f"{effect.parameter.lower()}{j}", f"{effect.heat} of {joint.velocities[0]}"
            yield replace(effect, **{effect.linear: self.named(FRICTION, name, value, unit, meaning)})
