"""Mistakes that are planted in the model of an arm, whose equations then show what the mistake would give."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from qddot.check.judging.body_variants import STILL, Variant, link_word, of_bodies, of_masses
from qddot.describe import dh, dh_table
from qddot.errors import QddotError
from qddot.model.bodies import Armature, Body, Coulomb, Spring, Viscous
from qddot.model.model import Model
from qddot.spatial import Vec3

INERTIAL = ("M", "christoffel", "C", "B", "C2", "h", "K")  # what neither gravity nor friction changes
ROWS = {"dh": "standard", "mdh": "modified"}
EFFECTS = {"armature": (Armature,), "springs": (Spring,), "friction": (Viscous, Coulomb)}


def variants(model: Model, quantities: set[str]) -> Iterator[Variant]:
    """Yields the models with one mistake that can change some of these quantities."""
    if model.explicit is not None:
        return
    ways: list[Callable[[Model], Iterator[Variant]]] = [other_rows]
    if quantities - set(STILL):
        ways += [of_bodies, of_masses, without_effects]
    if quantities - {*STILL, *INERTIAL}:
        ways.append(other_gravity)
    for way in ways:
        try:
            yield from way(model)
        except QddotError:  # a model that cannot be is no hypothesis
            continue


def other_gravity(model: Model) -> Iterator[Variant]:
    """Yields gravity reversed, left out, and along the other axes."""
    gravity = model.gravity
    if not any(entry != 0 for entry in gravity):
        return
    yield Variant("gravity reversed", {}, replace(model, gravity=-gravity))
    yield Variant("gravity missing", {}, replace(model, gravity=Vec3.zero()))
    size = [entry for entry in gravity if entry != 0]
    if len(size) > 1:
        return
    for axis in range(3):
        for sign in (1, -1):
            other = Vec3(*(size[0] * sign if k == axis else 0 for k in range(3)))
            if other not in (gravity, -gravity):
                words = {"right": _shown(gravity), "wrong": _shown(other)}
                yield Variant("gravity axis", words, replace(model, gravity=other))


def without_effects(model: Model) -> Iterator[Variant]:
    """Yields models without armatures, springs or friction, in all joints or in one."""
    found = [name for name, kinds in EFFECTS.items() if any(body.joint.has(k) for body in model.bodies for k in kinds)]
    for name in found:
        kinds = EFFECTS[name]
        having = [body.name for body in model.bodies if any(body.joint.has(kind) for kind in kinds)]
        yield Variant(name, {}, _without(model, having, kinds))
        if len(having) > 1:
            for body in having:
                yield Variant(name, {"link": link_word(model, body)}, _without(model, [body], kinds))
    if {"springs", "friction"} <= set(found):
        kinds = (*EFFECTS["springs"], *EFFECTS["friction"])
        yield Variant("springs and friction", {}, _without(model, [body.name for body in model.bodies], kinds))


def other_rows(model: Model) -> Iterator[Variant]:
    """Yields the standard Denavit–Hartenberg table read as a modified one, or the other way round."""
    for convention, other in (("dh", "mdh"), ("mdh", "dh")):
        table = dh_table.table_of(model, convention)
        if table is None:
            continue
        base, rows = table
        bodies = [_read_as(other, body, row) for body, row in zip(model.bodies, rows, strict=True)]
        first = bodies[0].joint
        bodies[0] = replace(bodies[0], joint=replace(first, placement=base @ first.placement))
        words = {"right": ROWS[convention], "wrong": ROWS[other]}
        yield Variant("rows", words, replace(model, bodies=tuple(bodies)))
        return


def _read_as(convention: str, body: Body, row: dh_table.Row) -> Body:
    geometry = dh.ROWS[convention](row.expressions(), row.symbols(), "")
    joint = replace(body.joint, placement=geometry.placement, offset=geometry.offset, axis=geometry.axis)
    return replace(body, joint=joint)


def _without(model: Model, names: list[str], kinds: tuple[Any, ...]) -> Model:
    def bare(body: Body) -> Body:
        left = tuple(effect for effect in body.joint.effects if not isinstance(effect, kinds))
        return replace(body, joint=replace(body.joint, effects=left)) if body.name in names else body

    return replace(model, bodies=tuple(map(bare, model.bodies)))


def _shown(vector: Vec3) -> str:
    return ", ".join(map(str, vector))
