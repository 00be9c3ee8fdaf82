"""Gives the joints of a model other friction, in the words of robot files, such as `damping` for viscous friction."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from qddot.algebra.expressions.parser import expression
from qddot.base.errors import ModelError, did_you_mean, shortened
from qddot.base.words.message import Either, Listed, say
from qddot.robot.bodies import Body
from qddot.robot.effects.effect import Effect
from qddot.robot.effects.kinds import KINDS
from qddot.robot.joint_tree import velocities_of_joints
from qddot.robot.model import Model
from qddot.robot.placements import listed
from qddot.robot.symbol_tables import with_declared

FRICTIONS: Mapping[str, type[Effect]] = {
    key: kind for key, kind in KINDS.items() if kind.part == "friction" and not kind.second
}


def rubbed(model: Model, joints: Any, frictions: Mapping[str, Any], symbols: Any) -> Model:
    """Returns the model with other friction in its joints; arguments and errors are those of `with_friction`."""
    if model.explicit is not None or model.lagrangian is not None:
        raise ModelError("not-possible-equations-given", where=model.name, what=say("friction-in-joints"))
    by_joint: dict[tuple[str, ...], dict[str, Any]] = {body.joint.velocities: {} for body in model.moving()}
    for key, value in frictions.items():
        for velocities, each in _of_all(model, key, value):
            by_joint[velocities][key] = each
    for velocities, table in _of_named(model, joints):
        by_joint[velocities].update(table)

    def changed(body: Body) -> Body:
        wanted = by_joint.get(body.joint.velocities) if body.joint.leads else None
        if not wanted:
            return body
        kept = [effect for effect in body.joint.effects if not any(type(effect) is FRICTIONS[key] for key in wanted)]
        own = [effect for key, value in wanted.items() if (effect := _effect(model, key, value)) is not None]
        return replace(body, joint=replace(body.joint, effects=(*kept, *own)))

    return replace(model, bodies=tuple(map(changed, model.bodies)), symbols=with_declared(model, symbols))


def _effect(model: Model, key: str, value: Any) -> Effect | None:
    """Returns the friction of a number, or of a table of its numbers where there are several; None for 0."""
    kind = FRICTIONS[key]
    names = kind.names()
    if len(names) > 1 and isinstance(value, Mapping) and set(value) == set(names):
        return kind(**value)
    if not isinstance(value, Mapping) and expression(value) == 0:
        return None
    if len(names) > 1:
        raise ModelError("friction-not-table", where=model.name, key=key, value=shortened(value), names=Listed(names))
    return kind(expression(value))  # type: ignore[call-arg]


def _of_all(model: Model, key: str, value: Any) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yields each joint of one coordinate with its coefficient, from one for all of them, or a list."""
    if value is None:
        return
    single = [body.joint.velocities for body in model.moving() if body.joint.freedoms is None]
    is_list = isinstance(value, list | tuple) or getattr(value, "ndim", 0) > 0
    values = listed(value, key) if is_list else [value] * len(single)
    if len(values) != len(single):
        names = Listed(name for (name,) in single)
        raise ModelError("friction-of-another-length", where=model.name, key=key, count=len(values), names=names)
    yield from zip(single, values, strict=True)


def _of_named(model: Model, joints: Any) -> Iterator[tuple[tuple[str, ...], Mapping[str, Any]]]:
    """Yields the velocities of each joint that a mapping names, with its coefficients by their keys."""
    if joints is None:
        return
    if not isinstance(joints, Mapping):
        raise ModelError("friction-not-mapping", where=model.name, value=shortened(joints))
    leading = [body.joint.velocities for body in model.moving()]
    by_name = {body.name: body.joint.velocities for body in model.moving()}
    by_name |= velocities_of_joints(model.bodies)
    by_name |= {name: (name,) for name in model.coordinates}
    for name, table in joints.items():
        if name not in by_name:
            remedy = did_you_mean(str(name), by_name)
            names = Listed(model.coordinates)
            raise ModelError(
                "friction-unknown-joint", where=model.name, name=shortened(name), names=names, remedy=remedy
            )
        if not isinstance(table, Mapping) or not set(table) <= set(FRICTIONS):
            raise ModelError(
                "friction-keys", where=model.name, name=repr(name), table=shortened(table), keys=Either(FRICTIONS)
            )
        for velocities in leading:
            part = set(velocities) & set(by_name[name])
            if part and part != set(velocities):
                names = Listed(velocities)
                raise ModelError("friction-of-part", where=model.name, name=repr(name), names=names)
            if part:
                yield velocities, table
