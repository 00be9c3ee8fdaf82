"""Converts closed chains: their links as those of an arm, and the frames of loops and wheels into the new links.

All frames are compared at q = 0, where both descriptions have each link in the same place.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from qddot.algebra.expressions.expression import Expression
from qddot.algebra.expressions.names import fresh
from qddot.algebra.spatial import Pose
from qddot.formats.conversions.chains import placed
from qddot.formats.conversions.geometry import Constants
from qddot.formats.conversions.merging import own_notes
from qddot.formats.conversions.substitute import in_numbers, replaced
from qddot.formats.conversions.verify import checked_frame, converted
from qddot.formats.toml.loop_tables import held_frames, is_frame
from qddot.robot.bodies import BASE, Body, Joint
from qddot.robot.closed_model import ClosedModel
from qddot.robot.model import Model


def in_frames(model: ClosedModel, convert: Callable[[Model], Model]) -> ClosedModel:
    """Returns a closed chain whose links are converted, with the same loops and wheels.

    A frame that is not a link's own becomes a massless body again, which is fixed to the link.
    convert: returns an arm in other frames; fixed links may be merged in it
    raises QddotError: the links cannot be converted
    """
    held = held_frames(model)
    frames = {link for link, _ in held if is_frame(model.tree, link)}
    links = convert(replace(model.tree, bodies=tuple(body for body in model.tree.bodies if body.name not in frames)))
    ends: list[str] = []

    def with_frames(old: Model, exact: bool) -> Model:
        new = in_numbers(links, _replaced(links, old))
        bodies, ends[:] = _framed(old, new, held, exact)
        return replace(new, bodies=(*new.bodies, *bodies), notes=(*new.notes, *own_notes(old)))

    def checked(old: Model, new: Model) -> Model:
        for (link, _), end in zip(held, ends, strict=True):
            checked_frame(old, link, new, end)
        return new

    tree = converted(in_numbers(model.tree, _replaced(model.tree, links)), with_frames, checked)
    new, values = iter(ends), _replaced(model.tree, tree)
    loops = [replace(loop, links=(next(new), next(new)), length=replaced(loop.length, values)) for loop in model.loops]
    on = {name: _carrier(model.tree, links, name) for each in model.rolling for name in (each.wheel, each.ground)}
    wheels = [replace(each, wheel=on[each.wheel], contact=next(new), ground=on[each.ground]) for each in model.rolling]
    return ClosedModel(tree, tuple(loops), tuple(wheels))


def _replaced(one: Model, other: Model) -> dict[str, Expression]:
    """Returns the values of the symbols that numbers have replaced in the other model."""
    gone = ((name, symbol.value) for name, symbol in one.symbols.items() if name not in other.symbols)
    return {name: value for name, value in gone if value is not None}


def _framed(old: Model, links: Model, held: list[tuple[str, str]], exact: bool) -> tuple[list[Body], list[str]]:
    """Returns bodies for the frames that are not those of new links, and the new names of all frames."""
    k = Constants(links, exact, old.constant_angles())
    before, after = _frames(old, k), _frames(links, k)
    names, bodies, ends = set(after), list[Body](), list[str]()
    for link, name in held:
        carrier = _carrier(old, links, link)
        there = k.tidy(after[carrier].inverse() @ before[link])
        if there == Pose.identity() and carrier != BASE:
            ends.append(carrier)
            continue
        ends.append(fresh(name, names))
        bodies.append(Body(ends[-1], Joint("fixed", carrier, placement=k.standing(there))))
    return bodies, ends


def _frames(model: Model, k: Constants) -> dict[str, Pose]:
    """Returns every link's frame at q = 0 by its name."""
    return {BASE: Pose.identity()} | {name: part.frame for name, part in placed(model, k).items()}


def _carrier(old: Model, new: Model, link: str) -> str:
    """Returns the nearest link, from this one inward, that the new description has."""
    there = {BASE, *(body.name for body in new.bodies)}
    while link not in there:
        link = old.body(link).joint.parent
    return link
