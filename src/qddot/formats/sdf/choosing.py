"""Chooses what is read of an SDF file with several models: one of them, with those that its world joins to it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from qddot.base.errors import FormatError, did_you_mean, few, shortened
from qddot.formats.sdf.frames import WORLD
from qddot.formats.sdf.models import INSIDE, Joint, Link, Parts, Scope
from qddot.formats.xml.elements import Element


class Choice(NamedTuple):
    """This is what is read of a file: moving links, joints that are not static, and models.

    names: the moving models of a world that are read; others: those that are not; still: the static ones
    """

    links: dict[str, Link]
    joints: dict[str, Joint]
    models: tuple[Element, ...]
    names: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    still: tuple[str, ...] = ()


def chosen(root: Element, name: str) -> Element:
    """Returns the model or the world of this name in a file, or the only one, in whose models the name may be.

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
    raise FormatError("models-not-one", where=models[1].where, models=listed(names))


def whole(parts: Parts) -> Choice:
    """Returns all that moves in a file."""
    return Choice(
        {name: link for name, link in parts.links.items() if not link.scope.static},
        {name: joint for name, joint in parts.joints.items() if not joint.scope.static},
        tuple(parts.models.values()),
    )


def choice(parts: Parts, world: Scope, name: str, where: str) -> Choice:
    """Returns what is read of a world: all that moves, or the model of this name and those that are joined to it.

    Joints of the world join models to each other or to the ground. Without a name each of several models must be
    joined.
    raises FormatError: no model of this name moves, or one of several is not joined
    """
    everything = whole(parts)
    moving = tuple(model for model in world.models if any(_inside(link, [model]) for link in everything.links))
    still = tuple(model for model in world.models if model not in moving)
    joins = [_joined(parts, joint, moving) for joint in everything.joints.values() if joint.scope.frame == WORLD]
    if not name:
        if len(moving) > 1 and set().union(*joins) != set(moving):
            raise FormatError("several-models-move", where=where, names=listed(moving))
        return everything._replace(names=moving, still=still)
    if name in still:
        raise FormatError("model-stands-still", where=where, name=shortened(name), remedy=did_you_mean(name, moving))
    if name not in moving:
        raise FormatError("model-unknown", where=where, name=shortened(name), remedy=did_you_mean(name, moving))
    names = _group(name, joins)
    others = tuple(model for model in moving if model not in names)
    return Choice(
        {full: link for full, link in everything.links.items() if not _inside(full, others)},
        {full: joint for full, joint in everything.joints.items() if not _is_of(parts, joint, full, others)},
        tuple(model for full, model in parts.models.items() if not _inside(full, others)),
        tuple(model for model in moving if model in names),
        others,
        still,
    )


def _joined(parts: Parts, joint: Joint, models: Iterable[str]) -> set[str]:
    """Returns the models of the links that a joint of the world joins."""
    links = [parts.frames.link(end, joint.element.where) for end in (joint.parent, joint.child)]
    return {model for model in models if any(_inside(link, [model]) for link in links)}


def _group(name: str, joins: Iterable[set[str]]) -> set[str]:
    """Returns a model and all that are joined to it, directly or through others."""
    names, size = {name}, 0
    while len(names) > size:
        size = len(names)
        names = names.union(*(joined for joined in joins if joined & names))
    return names


def _is_of(parts: Parts, joint: Joint, full: str, models: Iterable[str]) -> bool:
    """Returns whether a joint is in one of these models or joins them."""
    return _inside(full, models) or (joint.scope.frame == WORLD and bool(_joined(parts, joint, models)))


def _inside(full: str, models: Iterable[str]) -> bool:
    """Returns whether a full name is that of one of these models or of something in them."""
    return any(full == model or full.startswith(model + INSIDE) for model in models)


def listed(names: Iterable[object]) -> str:
    """Returns names for a sentence, of many only the first ones."""
    return str(few([shortened(name) for name in names]))
