"""Builds models with a mistake, whose equations then show the result of the mistake."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from typing import Any

from qddot.algebra.spatial import Vec3
from qddot.base.errors import QddotError
from qddot.base.records import Named
from qddot.formats.confusions.of_arms import (
    EFFECTS,
    GRAVITIES,
    OTHER_ROWS,
    REVERSED_AXIS,
    TOGETHER,
    other_rows,
    rows_of,
)
from qddot.robot.bodies import Body
from qddot.robot.model import Model
from qddot.teach.check.judging.body_variants import STILL, Variant, link_word, of_bodies, of_masses

Way = tuple[Any, ...]  # a function from a model to variants, and its other arguments
INERTIAL = ("M", "christoffel", "C", "B", "C2", "h", "K")  # quantities that neither gravity nor friction changes


def variants(
    model: Model, quantities: set[str], links: frozenset[str] | None = None, with_reversed: bool = True
) -> Iterator[Variant]:
    """Yields the models with one mistake that can change some of these quantities.

    links: each of these alone may have a wrong inertia or wrong effects; by default all
    with_reversed: whether a joint's axis may be reversed
    """
    if model.explicit is not None:
        return
    names = frozenset(body.name for body in model.bodies) if links is None else links
    ways: list[Way] = [(in_other_rows,), (reversed_axes,)] if with_reversed else [(in_other_rows,)]
    if quantities - set(STILL):
        ways += [(of_bodies, names), (of_masses,), (of_effects, names)]
    if quantities - {*STILL, *INERTIAL}:
        ways.append((other_gravity,))
    for way in ways:
        yield from _kept(Named((way, model.hash), (way, model)))


@lru_cache(maxsize=64)
def _kept(key: Named[tuple[Way, Model]]) -> tuple[Variant, ...]:
    """Returns the models with one mistake of a kind; they are cached, since all answers about an arm need the same."""
    (way, *names), model = key.value
    possible = list[Variant]()
    with suppress(QddotError):  # an impossible model is not a hypothesis
        for variant in way(model, *names):
            possible.append(variant)
    return tuple(possible)


def other_gravity(model: Model) -> Iterator[Variant]:
    """Yields gravity reversed, left out, and along the other axes."""
    for confusion in GRAVITIES:
        wrong = confusion.change(model.gravity)
        if wrong != model.gravity:
            words = {"right": _shown(model.gravity), "wrong": _shown(wrong)}
            yield Variant(confusion.name, words, replace(model, gravity=wrong))


def of_effects(model: Model, links: Collection[str]) -> Iterator[Variant]:
    """Yields models without armatures, springs or friction, in all joints or in the joint of one of these links."""
    seen = set[tuple[Body, ...]]()
    for confusion in (*EFFECTS, *TOGETHER):
        wrong = {body.name: replace(body, joint=confusion.change(body.joint)) for body in model.bodies}
        affected = [body.name for body in model.bodies if wrong[body.name] != body]
        every = tuple(wrong.values())
        if not affected or every in seen:
            continue
        seen.add(every)
        yield Variant(confusion.name, {}, replace(model, bodies=every))
        alone = [name for name in affected if name in links]
        for name in alone if len(affected) > 1 and confusion in EFFECTS else ():
            bodies = tuple(wrong[name] if body.name == name else body for body in model.bodies)
            yield Variant(confusion.name, {"link": link_word(model, name)}, replace(model, bodies=bodies))


def reversed_axes(model: Model) -> Iterator[Variant]:
    """Yields models with one joint whose axis is reversed."""
    for k, body in enumerate(model.bodies):
        if body.joint.leads:
            wrong = replace(body, joint=REVERSED_AXIS.change(body.joint))
            bodies = (*model.bodies[:k], wrong, *model.bodies[k + 1 :])
            yield Variant(REVERSED_AXIS.name, {"link": link_word(model, body.name)}, replace(model, bodies=bodies))


def in_other_rows(model: Model) -> Iterator[Variant]:
    """Yields the standard Denavit–Hartenberg table read as a modified one, or the reverse."""
    wrong = other_rows(model)
    if wrong is not model:
        yield Variant(OTHER_ROWS.name, {"right": rows_of(model), "wrong": rows_of(wrong)}, wrong)


def _shown(vector: Vec3) -> str:
    return ", ".join(map(str, vector))
