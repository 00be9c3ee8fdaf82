"""Chooses what is read of an SDF file with several models: one of them, with those that its world joins to it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from qddot.base.errors import FormatError, did_you_mean, few, shortened
from qddot.base.words.message import REMEDY, Following, Message, Part, say
from qddot.formats.sdf.frames import INSIDE, WORLD
from qddot.formats.sdf.models import Joint, Link, Parts, Scope
from qddot.formats.xml.elements import Element


class Choice(NamedTuple):
    """This is what is read of a file: moving links, joints that are not static, and models.

    names: the moving models of a world that are read; still: the static ones
    others: those that are not read, which may have errors
    """

    links: dict[str, Link]
    joints: dict[str, Joint]
    models: tuple[Element, ...]
    names: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    still: tuple[str, ...] = ()


def chosen(root: Element, name: str, can_be_read: Callable[[str], bool] = bool) -> Element:
    """Returns the model or the world of this name in a file, or the only one, in whose models the name may be.

    can_be_read: whether the model of a name has no errors
    raises FormatError: there is no such model, or there are several and no name
    """
    models = [child for child in root.children if child.tag in ("model", "world")]
    if not models:
        raise FormatError("no-model-or-world", where=root.where)
    names = [child.attributes.get("name", child.tag) for child in models]
    if name in names:
        return models[names.index(name)]
    if len(models) == 1 and (not name or models[0].tag == "world"):
        return models[0]
    if name:
        raise FormatError("model-unknown", where=root.where, name=shortened(name), remedy=did_you_mean(name, names))
    raise FormatError("models-not-one", where=models[1].where, models=listed(names), remedy=_remedy(names, can_be_read))


def whole(parts: Parts) -> Choice:
    """Returns all that moves in a file."""
    return Choice(
        {name: link for name, link in parts.links.items() if not link.scope.static},
        {name: joint for name, joint in parts.joints.items() if not joint.scope.static},
        tuple(parts.models.values()),
    )


def _remedy(names: Sequence[str], can_be_read: Callable[[str], bool]) -> Message:
    """Returns what an error says that expects the name of a model: how to give it, and which models can be read."""
    good = [name for name in names if can_be_read(name)]
    return _those(good) if good and len(good) < len(names) else say("model-reads-one")


def _those(names: Sequence[str]) -> Message:
    return say("model-reads-those", names=listed(names))


def choice(parts: Parts, world: Scope, name: str, where: str, can_be_read: Callable[[str], bool]) -> Choice:
    """Returns what is read of a world: all that moves, or the model of this name and those that are joined to it.

    Joints of the world join models to each other or to the ground. Without a name each of several models must be
    joined.
    can_be_read: whether the model of a name has no errors
    raises FormatError: no model of this name moves, or one of several is not joined
    raises QddotError: the model of this name has an error, or one that is joined to it; without a name, any has
    """
    everything = whole(parts)
    moving = tuple(model for model in world.models if any(inside(link, [model]) for link in everything.links))
    still = tuple(model for model in world.models if model not in moving)
    refused = parts.frames.refused
    joints = [joint for joint in everything.joints.values() if joint.scope.frame == WORLD]
    joins = [_joined(parts, joint, (*moving, *refused)) for joint in joints]
    if not name:
        _check_all_read(parts, moving, can_be_read)
        if len(moving) > 1 and set().union(*joins) != set(moving):
            remedy = _remedy(moving, can_be_read)
            raise FormatError("several-models-move", where=where, names=listed(moving), remedy=remedy)
        return everything._replace(names=moving, still=still)
    names = _group(name, joins)
    for other, error in refused.items():
        if other in names or (not other and name not in world.models):
            raise error
    if name in still:
        raise FormatError("model-stands-still", where=where, name=shortened(name), remedy=did_you_mean(name, moving))
    if name not in moving:
        raise FormatError("model-unknown", where=where, name=shortened(name), remedy=did_you_mean(name, moving))
    others = tuple(model for model in (*moving, *refused) if model not in names)
    return Choice(
        {full: link for full, link in everything.links.items() if not inside(full, others)},
        {full: joint for full, joint in everything.joints.items() if not _is_of(parts, joint, full, others)},
        tuple(model for full, model in parts.models.items() if not inside(full, others)),
        tuple(model for model in moving if model in names),
        others,
        still,
    )


def _check_all_read(parts: Parts, moving: Sequence[str], can_be_read: Callable[[str], bool]) -> None:
    """Raises the error of the first model that has one, with a remedy that names those which have none."""
    for error in parts.frames.refused.values():
        good = [name for name in moving if can_be_read(name)]
        if not good:
            raise error
        own = [Part(error.message, REMEDY)] if error.remedy else []
        raise error.to(type(error), remedy=Following([*own, _those(good)]))


def _joined(parts: Parts, joint: Joint, models: Iterable[str]) -> set[str]:
    """Returns the models of the links that a joint of the world joins."""
    links = [
        parts.frames.link(end, joint.element.where) if end in parts.frames.known else end
        for end in (joint.parent, joint.child)
    ]
    return {model for model in models if any(inside(link, [model]) for link in links)}


def _group(name: str, joins: Iterable[set[str]]) -> set[str]:
    """Returns a model and all that are joined to it, directly or through others."""
    names, size = {name}, 0
    while len(names) > size:
        size = len(names)
        names = names.union(*(joined for joined in joins if joined & names))
    return names


def _is_of(parts: Parts, joint: Joint, full: str, models: Iterable[str]) -> bool:
    """Returns whether a joint is in one of these models or joins them."""
    return inside(full, models) or (joint.scope.frame == WORLD and bool(_joined(parts, joint, models)))


def inside(full: str, models: Iterable[str]) -> bool:
    """Returns whether a full name is that of one of these models or of something in them."""
    return any(full == model or full.startswith(model + INSIDE) for model in models)


def listed(names: Iterable[object]) -> str:
    """Returns names for a sentence, of many only the first ones."""
    return str(few([shortened(name) for name in names]))
