"""Builds models with confusions of a body's mass, centre of mass or inertia."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace
from itertools import combinations, permutations
from typing import Any

from qddot.algebra.expressions.expression import Expression, folded
from qddot.algebra.spatial import Inertia, SymmetricMatrix3, Vec3
from qddot.base.records import record
from qddot.base.words.message import Message, Words, say
from qddot.formats.confusions.confusion import Confusion
from qddot.formats.confusions.of_bodies import BODIES, NO_MASS, PERMUTED, TENSORS, TIMES_MASS, Mass
from qddot.robot.bodies import Body
from qddot.robot.model import Model

Change = Callable[[Body], Inertia]
MOST_EXCHANGED = 4  # the most bodies whose masses are exchanged in pairs
STILL = ("T", "T_tool", "p_c", "J", "J_c", "J_tool")  # quantities that no inertia changes


@record()
class Variant:
    """A variant is a model with a mistake. kind, words: those of the mistake's sentence"""

    kind: str
    words: Mapping[str, Words]
    model: Model


def of_bodies(model: Model, links: Collection[str]) -> Iterator[Variant]:
    """Yields models with one confusion in the numbers of all bodies, or of one of these links."""
    for confusion, change in CHANGES:
        possible = [body for body in model.bodies if _is_possible(confusion, body)]
        wrong = [(body, _with(body, change(body))) for body in possible]
        changed = {body.name: other for body, other in wrong if other.inertia != body.inertia}
        if len(changed) > 1:
            words: dict[str, Words] = {**confusion.words, "link": say("every-link")}
            yield Variant(confusion.name, words, _replaced(model, changed))
        alone = {name: body for name, body in changed.items() if name in links}
        for name, body in alone.items() if confusion not in PERMUTED else ():  # these confusions concern whole files
            words = {**confusion.words, "link": link_word(model, name)}
            yield Variant(confusion.name, words, _replaced(model, {name: body}))


def _is_possible(confusion: Confusion[Any], body: Body) -> bool:
    """Returns whether a confusion can happen in this body.

    The inertia of a body without mass cannot have been multiplied by the mass by mistake.
    """
    return confusion is not TIMES_MASS or body.inertia.m != 0


def of_masses(model: Model) -> Iterator[Variant]:
    """Yields models in which a body has the mass of another; masses that are symbols are exchanged in terms instead."""
    heavy = [body for body in model.bodies if body.inertia.m != 0 and body.com is not None]
    if len(heavy) > MOST_EXCHANGED or all(
        isinstance(body.inertia.m, Expression) and body.inertia.m.rational is None for body in heavy
    ):
        return
    for a, b in permutations(heavy, 2):
        if a.inertia.m != b.inertia.m:
            words = {"link": link_word(model, a.name), "other": link_word(model, b.name)}
            yield Variant("mass of another link", words, _replaced(model, {a.name: _heavier(a, b)}))
    for a, b in combinations(heavy, 2):
        if a.inertia.m != b.inertia.m:
            words = {"link": link_word(model, a.name), "other": link_word(model, b.name)}
            both = {a.name: _heavier(a, b), b.name: _heavier(b, a)}
            yield Variant("link masses exchanged", words, _replaced(model, both))


def link_word(model: Model, name: str) -> Message:
    """Returns the name of a link in a sentence: link 2 (fore)."""
    number = [body.name for body in model.bodies].index(name) + 1
    own = {} if name in (f"link{number}", f"link_{number}") else {"name": name}
    return Message("link-numbered", {"number": number, **own})


def _of_tensor(confusion: Confusion[SymmetricMatrix3]) -> Change:
    """Returns the change of the tensor about the point for which the file gives it."""

    def change(body: Body) -> Inertia:
        if body.com is None:
            return replace(body.inertia, I=confusion.change(body.inertia.I))
        return Inertia.about_com(body.inertia.m, body.com, confusion.change(_central(body)))

    return change


def _of_body(confusion: Confusion[Mass]) -> Change:
    """Returns the change of all the numbers of a body."""

    def change(body: Body) -> Inertia:
        right = Mass(body.inertia.m, body.com or Vec3.zero(), body.inertia.I if body.com is None else _central(body))
        wrong = confusion.change(right)
        if body.com is not None:
            return Inertia.about_com(wrong.m, wrong.c, wrong.I)
        return Inertia(wrong.m, body.inertia.h if confusion is not NO_MASS else Vec3.zero(), wrong.I)

    return change


CHANGES: tuple[tuple[Confusion[Any], Change], ...] = (
    *((each, _of_tensor(each)) for each in TENSORS),
    *((each, _of_body(each)) for each in BODIES),
)


def _central(body: Body) -> SymmetricMatrix3:
    assert body.com is not None
    return body.inertia.central_tensor(body.com)


def _heavier(body: Body, other: Body) -> Body:
    centre: Vec3 = body.com  # type: ignore[assignment]
    return _with(body, Inertia.about_com(other.inertia.m, centre, _central(body)))


def _with(body: Body, inertia: Inertia) -> Body:
    """Returns a body with another inertia, which may be physically impossible."""
    return replace(body, inertia=inertia.map(_folded), partial_inertia=True)


def _folded(entry: Any) -> Any:
    return folded(entry) if isinstance(entry, Expression) else entry


def _replaced(model: Model, bodies: Mapping[str, Body]) -> Model:
    return replace(model, bodies=tuple(bodies.get(body.name, body) for body in model.bodies))
