"""Finds the order in which other programs have an arm's joints.

All of them go from the base outward, and visit everything beyond a joint before the next joint of the same link. They
differ where a link carries several joints. Pinocchio sorts these by name if it reads URDF, as the parser urdfdom does,
and keeps the file's order if it reads MJCF, as MuJoCo does. Where it is not known which, or for another program, a user
has to say.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from qddot.algebra.freedoms import FREE
from qddot.base.errors import EvaluationError, did_you_mean, few, shortened
from qddot.base.words.message import say
from qddot.robot.bodies import BASE, Body
from qddot.robot.model import Model

IN_FILE = ("mujoco",)  # programs that keep the order of the file
SORTED = "pinocchio"  # sorts joints by name if it reads URDF


def order_there(model: Model, program: str, names: Any = None) -> list[int]:
    """Returns the indices of the joints, among those that have coordinates of their own, in a program's order.

    names: of the joints in that order, if it is given; a joint without a name has that of its coordinate or its link.
        A free base may be missing, and is then the first.
    raises EvaluationError: the order is not known, or the names are not those of the joints
    """
    if names is not None:
        return _by_names(model, names)
    in_file = _visited(model, list)
    forks = _forks(model)
    if not forks or program in IN_FILE:
        return in_file
    named = all(body.joint.name for children in forks.values() for body in children)
    if program == SORTED and named:
        in_urdf = _visited(model, lambda bodies: sorted(bodies, key=lambda body: body.joint.name))
        if model.from_urdf or in_urdf == in_file:
            return in_urdf
    raise EvaluationError(
        "order-of-joints-not-known",
        where=model.name,
        program=program,
        forks=few(list(forks), 3),
        remedy=say("ask-for-joints-of-pinocchio") if program == SORTED else say("ask-for-joints"),
    )


def _visited(model: Model, ordered: Callable[[Sequence[Body]], Sequence[Body]]) -> list[int]:
    """Returns the joints from the base outward. ordered: sorts those that one link carries"""
    places, children = {body.name: k for k, body in enumerate(model.moving())}, _children(model)
    stack, order = [BASE], list[int]()
    while stack:
        name = stack.pop()
        order += [places[name]] if name in places else []
        stack += [body.name for body in reversed(ordered(children.get(name, [])))]
    return order


def _children(model: Model) -> dict[str, list[Body]]:
    children: dict[str, list[Body]] = {}
    for body in model.bodies:
        children.setdefault(body.joint.parent, []).append(body)
    return children


def _forks(model: Model) -> dict[str, list[Body]]:
    """Returns by the names of links the bodies they carry, where several of these move or carry a joint that does."""
    moving = {body.name for body in model.moving()}
    for body in reversed(model.bodies):  # children come after their parents
        if body.name in moving:
            moving.add(body.joint.parent)
    carried = {name: [body for body in each if body.name in moving] for name, each in _children(model).items()}
    return {name: bodies for name, bodies in carried.items() if len(bodies) > 1}


def _by_names(model: Model, names: Any) -> list[int]:
    if isinstance(names, str) or not hasattr(names, "__len__") or not all(isinstance(name, str) for name in names):
        raise EvaluationError("joints-no-list", names=shortened(names))
    moving = model.moving()
    places = {str(each.name if each.joint.freedoms else each.joint.coordinate): k for k, each in enumerate(moving)}
    places |= {each.joint.name: k for k, each in enumerate(moving) if each.joint.name}
    for name in names:
        if name not in places:
            remedy = did_you_mean(name, places)
            raise EvaluationError("no-joint-with-coordinate", where=model.name, name=shortened(name), remedy=remedy)
    order = [places[name] for name in names]
    free = [k for k, body in enumerate(moving) if body.joint.type == FREE and body.joint.parent == BASE]
    order = [*(k for k in free if k not in order), *order]
    if sorted(order) != list(range(len(moving))):
        own = list({k: name for name, k in places.items()}.values())
        raise EvaluationError("joints-not-each-once", where=model.name, names=shortened(list(names)), own=few(own, 12))
    return order
