"""Mistakes with a body's mass, centre or inertia, planted in the model of an arm."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import combinations, permutations
from typing import Any

from qddot.expressions.expression import Expression, folded
from qddot.model.bodies import Body
from qddot.model.model import Model
from qddot.spatial import Inertia, SymmetricMatrix3, Vec3

Change = Callable[[Body], Inertia]
MOST_EXCHANGED = 4  # bodies whose masses are exchanged, pair by pair
STILL = ("T", "T_tool", "p_c", "J", "J_c", "J_tool")  # what no inertia changes


@dataclass(frozen=True)
class Variant:
    """A variant is the model with a mistake planted in it. kind, words: what the mistake is"""

    kind: str
    words: Mapping[str, str]
    model: Model


def of_bodies(model: Model) -> Iterator[Variant]:
    """Yields models with one mistake in all bodies, and in each of them."""
    for kind, change in CHANGES.items():
        changed = {body.name: _with(body, change(body)) for body in model.bodies if body.inertia != change(body)}
        if len(changed) > 1:
            yield Variant(kind, {}, _replaced(model, changed))
        for name, body in changed.items():
            yield Variant(kind, {"link": link_word(model, name)}, _replaced(model, {name: body}))


def of_masses(model: Model) -> Iterator[Variant]:
    """Yields models in which a body has the mass of another; symbols are exchanged in the terms, without a model."""
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


def link_word(model: Model, name: str) -> str:
    """Returns how a link is called in a sentence: link 2 (fore)."""
    number = [body.name for body in model.bodies].index(name) + 1
    return f"link {number}" if name in (f"link{number}", f"link_{number}") else f"link {number} ({name})"


def _about_origin(body: Body) -> Inertia:
    """Returns the inertia whose tensor about the centre of mass was taken for that about the origin."""
    return body.inertia if body.com is None else replace(body.inertia, I=_central(body))


def _about_centre(body: Body) -> Inertia:
    """Returns the inertia whose tensor about the origin was taken for that about the centre of mass."""
    if body.com is None:
        return body.inertia
    return Inertia.about_com(body.inertia.m, body.com, body.inertia.I)


def _point_mass(body: Body) -> Inertia:
    if body.com is None:
        return replace(body.inertia, I=SymmetricMatrix3.diagonal(0, 0, 0))
    return Inertia.point(body.inertia.m, body.com)


def _massless(body: Body) -> Inertia:
    return Inertia.zero()


def _other_products(body: Body) -> Inertia:
    """Returns the inertia whose products have the other sign, about the point for which the file gives them."""
    central = body.com is not None
    I = _central(body) if central else body.inertia.I
    turned = SymmetricMatrix3(I.xx, -I.xy, -I.xz, I.yy, -I.yz, I.zz)
    if body.com is None:
        return replace(body.inertia, I=turned)
    return Inertia.about_com(body.inertia.m, body.com, turned)


def _times_mass(body: Body) -> Inertia:
    """Returns the inertia whose tensor is multiplied by the mass once more, as if it were one of a unit mass."""
    m = body.inertia.m
    if body.com is None:
        return replace(body.inertia, I=body.inertia.I.map(lambda entry: m * entry))
    return Inertia.about_com(m, body.com, _central(body).map(lambda entry: m * entry))


CHANGES: dict[str, Change] = {
    "inertia about origin": _about_origin,
    "inertia about centre": _about_centre,
    "inertia missing": _point_mass,
    "massless": _massless,
    "products": _other_products,
    "inertia times mass": _times_mass,
}


def _central(body: Body) -> SymmetricMatrix3:
    assert body.com is not None
    return body.inertia.central_tensor(body.com)


def _heavier(body: Body, other: Body) -> Body:
    centre: Vec3 = body.com  # type: ignore[assignment]
    return _with(body, Inertia.about_com(other.inertia.m, centre, _central(body)))


def _with(body: Body, inertia: Inertia) -> Body:
    """Returns a body with another inertia, which need not be that of a body."""
    return replace(body, inertia=inertia.map(_folded), partial_inertia=True)


def _folded(entry: Any) -> Any:
    return folded(entry) if isinstance(entry, Expression) else entry


def _replaced(model: Model, bodies: Mapping[str, Body]) -> Model:
    return replace(model, bodies=tuple(bodies.get(body.name, body) for body in model.bodies))
