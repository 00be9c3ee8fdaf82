"""The classic confusions: what a reader of an arm's data gets wrong, undone one at a time.

Each takes the arm to be corrected, the other one, and the coordinates whose links have different inertias; it returns
the corrected arm, or None where there is nothing to correct.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Set
from dataclasses import dataclass, replace
from fractions import Fraction
from math import cos, radians, sin
from typing import Any

from qddot.comparison.described import Described
from qddot.model.angles import Angle
from qddot.model.mechanism import Link
from qddot.numbers.floats import Floats, constant_pair
from qddot.spatial import Inertia, Pose, Rotation, SymmetricMatrix3, Vec3, point_tensor

STRAIGHT = 1e-9  # how far a pose may be from a Denavit–Hartenberg row's
Correction = Callable[[Described, Described, Set[int]], "Described | None"]


@dataclass(frozen=True)
class Confusion:
    """name: short and stable; text: what happened, with {it} for the arm that was corrected, {other} for the other."""

    name: str
    text: str
    corrected: Correction


def _inertias(arm: Described, joints: Set[int], change: Callable[[Inertia], Inertia]) -> Described | None:
    """The arm with the inertias of all links changed that the joints carry rigidly."""
    links, changed = [], False
    for link in arm.home.links:
        carrier = arm.carrier(link)
        new = change(link.inertia) if carrier is not None and carrier.dof in joints else link.inertia
        changed = changed or new != link.inertia
        links.append(replace(link, inertia=new))
    return arm.with_links(links) if changed else None


def _offset(body: Inertia) -> SymmetricMatrix3:
    """m (cᵀc 1 − c cᵀ): what the tensor about the origin has besides that about the centre of mass."""
    m: Any = body.m
    if not m:
        return SymmetricMatrix3.diagonal(0, 0, 0)
    return point_tensor(body.h).map(lambda entry: entry / m)


def read_about_origin(arm: Described, other: Described, joints: Set[int]) -> Described | None:
    return _inertias(arm, joints, lambda body: Inertia(body.m, body.h, body.I + _offset(body)))


def read_about_com(arm: Described, other: Described, joints: Set[int]) -> Described | None:
    return _inertias(arm, joints, lambda body: Inertia(body.m, body.h, body.I - _offset(body)))


def _flipped(I: SymmetricMatrix3) -> SymmetricMatrix3:
    return SymmetricMatrix3(I.xx, -I.xy, -I.xz, I.yy, -I.yz, I.zz)


def products_about_com(arm: Described, other: Described, joints: Set[int]) -> Described | None:
    def change(body: Inertia) -> Inertia:
        return Inertia(body.m, body.h, _flipped(body.I - _offset(body)) + _offset(body))

    return _inertias(arm, joints, change)


def products_about_origin(arm: Described, other: Described, joints: Set[int]) -> Described | None:
    return _inertias(arm, joints, lambda body: Inertia(body.m, body.h, _flipped(body.I)))


def without_fixed_links(arm: Described, other: Described, joints: Set[int]) -> Described | None:
    links = [replace(link, inertia=Inertia.zero()) if link.dof is None else link for link in arm.home.links]
    return arm.with_links(links) if links != list(arm.home.links) else None


def with_the_others_armature(arm: Described, other: Described, joints: Set[int]) -> Described | None:
    """Where this arm has no rotor at all, and the other has."""
    if any(arm.armature) or not any(other.armature):
        return None
    return replace(arm, armature=other.armature)


def gravity_turned_round(arm: Described, other: Described, joints: Set[int]) -> Described | None:
    return replace(arm, home=replace(arm.home, gravity=-arm.home.gravity))


class Degrees(Floats):
    """Constant angles that were written as plain numbers, or symbols, taken as degrees."""

    def circular(self, angle: Angle) -> tuple[float, float]:
        written = Angle(Fraction(0), angle.radians, angle.symbols).value(self.symbols)
        (c, s), (u, v) = constant_pair(Angle(angle.pi), {}), (cos(radians(written)), sin(radians(written)))
        return c * u - s * v, c * v + s * u


def in_degrees(arm: Described, other: Described, joints: Set[int]) -> Described | None:
    if not any(angle.radians or angle.symbols for angle in arm.model.constant_angles()):
        return None
    return Described.of(arm.model, arm.values, Degrees)


def other_rows(arm: Described, other: Described, joints: Set[int]) -> Described | None:
    """The same Denavit–Hartenberg rows in the other convention, where the links stand as such rows make them."""
    read = _as_modified if any(link.offset != Pose.identity() for link in arm.home.links) else _as_standard
    links = [read(link) for link in arm.home.links]
    chain = all(link.parent == (link.index - 1 if link.index else None) for link in arm.home.links)
    return arm.with_links([link for link in links if link is not None]) if chain and None not in links else None


def _as_modified(link: Link) -> Link | None:
    """Placement Rz(θ) Tz(d'), offset Tz(d) Tx(a) Rx(α) of a standard row as Rx(α) Tx(a) Rz(θ) Tz(d' + d)."""
    z, x = link.placement, link.offset
    if not _zero(z.R.z.x, z.R.z.y, z.R.x.z, z.R.y.z, z.p.x, z.p.y, x.R.x.y, x.R.x.z, x.p.y, link.axis.x, link.axis.y):
        return None
    along_z = Pose(z.R, Vec3(0, 0, z.p.z + x.p.z))
    return replace(link, placement=Pose(x.R, Vec3(x.p.x, 0, 0)) @ along_z, offset=Pose.identity())


def _as_standard(link: Link) -> Link | None:
    """Placement Rx(α) Tx(a) Rz(θ) Tz(d) of a modified row as Rz(θ) and Tz(d) Tx(a) Rx(α)."""
    R, p = link.placement.R, link.placement.p
    c, s = R.z.z, -R.y.z
    if not _zero(R.x.z, c * p.y + s * p.z, link.axis.x, link.axis.y):
        return None
    about_x = Rotation(Vec3(1, 0, 0), Vec3(0, c, -s), Vec3(0, s, c))
    d = c * p.z - s * p.y
    placement = Pose(about_x.T @ R, Vec3.zero())
    return replace(link, placement=placement, offset=Pose(about_x, Vec3(p.x, 0, d)))


def _zero(*entries: Any) -> bool:
    return all(abs(entry) < STRAIGHT for entry in entries)


CONFUSIONS = (
    Confusion("gravity sign", "gravity points the other way in {it}", gravity_turned_round),
    Confusion("missing armature", "{it} lacks the armature that {other} has", with_the_others_armature),
    Confusion("fixed links dropped", "{other} lacks the inertia of the fixed links of {it}", without_fixed_links),
    Confusion(
        "inertia about the origin",
        "{it} takes inertias about the centres of mass as inertias about the links' origins",
        read_about_origin,
    ),
    Confusion(
        "inertia about the centre of mass",
        "{it} takes inertias about the links' origins as inertias about the centres of mass",
        read_about_com,
    ),
    Confusion(
        "sign of products",
        "the products of inertia about the centres of mass have the other sign in {it} (+∫xy dm or −∫xy dm)",
        products_about_com,
    ),
    Confusion(
        "sign of products",
        "the products of inertia about the links' origins have the other sign in {it} (+∫xy dm or −∫xy dm)",
        products_about_origin,
    ),
    Confusion("angles in degrees", "{it} takes constant angles in degrees as radians", in_degrees),
    Confusion(
        "standard or modified DH",
        "{it} takes Denavit–Hartenberg rows of the one convention (standard, modified) for rows of the other",
        other_rows,
    ),
)


def corrections(a: Described, b: Described, joints: tuple[Set[int], Set[int]]) -> Iterator[tuple[Any, ...]]:
    """(confusion, text, corrected a, corrected b): every confusion undone in b, then in a."""
    for confusion in CONFUSIONS:
        if (changed := confusion.corrected(b, a, joints[1])) is not None:
            yield confusion.name, confusion.text.format(it="B", other="A"), a, changed
    for confusion in CONFUSIONS:
        if (changed := confusion.corrected(a, b, joints[0])) is not None:
            yield confusion.name, confusion.text.format(it="A", other="B"), changed, b
