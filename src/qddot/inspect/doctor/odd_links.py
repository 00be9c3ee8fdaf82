"""Checks for masses, centres of mass and inertias that are impossible, or that look copied, forgotten or misread."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

from qddot.algebra.expressions.parser import expression
from qddot.algebra.spatial import Inertia, SymmetricMatrix3, divided, principal
from qddot.base.words.message import Listed, Message, say
from qddot.formats.confusions.confusion import Confusion
from qddot.formats.confusions.of_bodies import ABOUT_ORIGIN, SIGN_OF_PRODUCTS, Mass, other_products, plus_offset
from qddot.inspect.doctor.diagnosis import Finding
from qddot.inspect.doctor.examined import Examined, central, centre, check, distance
from qddot.inspect.doctor.site import Site
from qddot.physics.of_model import dynamics_of
from qddot.robot.bodies import Body
from qddot.robot.validity import FROM_THE_ORIGIN, ROUNDING

# in lengths of the link; in lengths of the arm; in lengths of the arm where the link's length is unknown
FAR_SPANS, FAR_ARMS, FAR_TIP = (2, 0.5, 5)
WIDE_SPANS = 1.5  # radius of gyration in lengths of the link; that of a rod is 0.3
DENSEST = 23_000  # kg/m³, above osmium
LEAST_VOLUME = 1e-5  # m³; many a smaller shape stands for a point
SAME = 1e-6  # relative
PLANE = 2  # the dimension of thin plates


@check("The mass matrix is singular: there is a motion of the joints that no inertia resists.")
def singular_mass_matrix(case: Examined) -> Iterator[Finding]:
    """Yields findings on motions that no inertia resists in any pose: M q̇ = 0."""
    model = case.model
    M = dynamics_of(model, case.residues).mass_matrix()
    for moves in case.residues.null_space(M):
        names = [name for name, does in zip(model.coordinates, moves, strict=True) if does]
        motion = say("a-motion-of" if len(names) == 1 else "a-joint-motion-of", names=Listed(names))
        last = next(body.joint for body in model.moving() if body.joint.coordinate == names[-1])
        yield Finding("error", Site.joint(last), say("finding-singular-mass-matrix", motion=motion))


@check("No rigid body can have this inertia.", of_links=True)
def impossible_inertia(case: Examined) -> Iterator[Finding]:
    """Yields findings on impossible tensors, and whether the sign of their products explains them."""
    for body, link in case.pairs():
        moments = second_moments(central(link.inertia))
        if body.joint.kind.is_rotor or not impossible(moments, link.inertia):
            continue
        severity, remedy = "hint", say("partial-inertia-declared")
        if body.name in case.tolerated or not body.partial_inertia:
            severity, remedy = "error", say("check-the-inertia")
        for confusion, mended, tensor in _mended(link.inertia):
            if impossible(second_moments(tensor), link.inertia):
                continue
            if confusion is SIGN_OF_PRODUCTS:
                severity, remedy = "error" if severity == "error" else "warning", mended
            elif severity == "error":
                remedy = mended
            break
        told = say("finding-impossible-inertia", moment=f"{min(moments):.3g}", remedy=remedy)
        yield Finding(severity, Site.link(body.name), told)


def second_moments(tensor: SymmetricMatrix3) -> list[float]:
    """Returns the principal ∫x² dm of a tensor, the eigenvalues of ½ tr(I) 1 − I; NaN where an entry is unknown."""
    half: Any = divided(tensor.xx + tensor.yy + tensor.zz, 2)
    return sorted(principal(SymmetricMatrix3.diagonal(half, half, half) - tensor)[0])


def impossible(moments: Sequence[float], inertia: Inertia) -> bool:
    """Returns whether a moment is negative by more than rounding."""
    left_of = max(abs(float(entry)) for entry in inertia.I)
    return min(moments) < -ROUNDING * max(*map(abs, moments), FROM_THE_ORIGIN * left_of)


def _mended(inertia: Inertia) -> Iterator[tuple[Confusion[Any], Message, SymmetricMatrix3]]:
    """Yields confusions that are possible, each with the remedy and the corrected central tensor."""
    about_com, about_origin = central(inertia), inertia.I
    yield SIGN_OF_PRODUCTS, say("products-about-com-positive"), other_products(about_com)
    about_axes = about_com - about_origin + other_products(about_origin)
    yield SIGN_OF_PRODUCTS, say("products-about-origin-positive"), about_axes
    if inertia.m:
        yield ABOUT_ORIGIN, say("inertia-about-other-point"), plus_offset(Mass(inertia.m, centre(inertia), about_com)).I


@check("A moving link has neither a mass nor an inertia.", of_links=True)
def missing_inertia(case: Examined) -> Iterator[Finding]:
    """Yields findings on moving links without mass and inertia that carry no fixed body with mass or inertia."""
    for body, link in case.moving():
        fixed = [other.inertia for other in case.home.links if other.parent == link.index and other.dof is None]
        if _between(case, body) or body.joint.kind.is_rotor:
            continue
        if not any(_has_something(inertia) for inertia in (link.inertia, *fixed)):
            yield Finding("hint", Site.link(body.name), say("finding-no-inertia"))


@check("A link has an inertia and no mass.", of_links=True)
def massless(case: Examined) -> Iterator[Finding]:
    """Yields findings on inertias without mass, unless the link says that only some entries are known."""
    for body, link in case.moving():
        partial = body.partial_inertia and body.name not in case.tolerated
        if link.inertia.m == 0 and _has_something(link.inertia) and not partial:
            yield Finding("hint", Site.link(body.name), say("finding-massless"))


def _between(case: Examined, body: Body) -> bool:
    """Returns whether a body is between the coordinates of one joint, where it has no mass by design."""
    kind = body.joint.part_of
    return bool(kind) and any(b.joint.part_of == kind and b.joint.parent == body.name for b in case.model.bodies)


def _has_something(inertia: Inertia) -> bool:
    return any(entry != 0 for entry in (inertia.m, *inertia.h, *inertia.I))


@check("The centre of mass is far away from the link's joints.", of_links=True)
def far_centre(case: Examined) -> Iterator[Finding]:
    """Yields findings on centres of mass far from the link's joint, its children's joints and the tool."""
    spans = [case.span(link) for link in case.home.links]
    arm = sum(spans)
    for body, link in case.moving():
        carried = [other for other in case.home.links if other.parent == link.index]
        if not link.kind.is_revolute or any(other.dof is not None and not other.kind.is_revolute for other in carried):
            continue  # the place of a sliding joint at q = 0 does not give the link's length
        span = spans[link.index]
        limit = max(FAR_SPANS * span, FAR_ARMS * arm) if span else FAR_TIP * arm
        away = _nearest([distance(point, centre(link.inertia)) for point in case.anchors(link)])
        if arm and away > limit:
            yield Finding(
                "warning", Site.link(body.name), say("finding-far-centre", away=f"{away:.3g}", span=f"{span:.3g}")
            )


def _nearest(distances: Sequence[float]) -> float:
    """Returns the least distance, NaN where one is unknown."""
    return math.nan if any(map(math.isnan, distances)) else min(distances)


@check("A link would have to be denser than any material.", of_links=True)
def too_dense(case: Examined) -> Iterator[Finding]:
    """Yields findings on links that would have to be denser than any material.

    Of all bodies with one mass and one density, an ellipsoid has the least product of the second moments S of mass
    about its centre, each of them m a²/5 for a half-axis a: a body whose density is nowhere above ρ therefore has
    m ≤ ρ · 4/3 π Π √(5 Sᵢ/m). Points, rods and plates without thickness are idealizations and have no density.
    """
    for body, link in case.moving():
        if not link.inertia.m or body.partial_inertia:
            continue
        m, moments = float(link.inertia.m), second_moments(central(link.inertia))  # type: ignore[arg-type]
        if not min(moments) > ROUNDING * max(moments):
            continue
        density = m / (4 / 3 * math.pi * math.prod(math.sqrt(5 * moment / m) for moment in moments))
        if density > DENSEST:
            yield Finding("warning", Site.link(body.name), say("finding-too-dense", density=f"{density:.3g}"))
    yield from _too_heavy_for_shapes(case)


def _too_heavy_for_shapes(case: Examined) -> Iterator[Finding]:
    """Yields findings on links whose mass is too large for the volume of the shapes in their file."""
    for body, link in case.pairs():
        m, volume = float(link.inertia.m), body.volume  # type: ignore[arg-type]
        if volume is not None and volume >= LEAST_VOLUME and m > DENSEST * volume:
            yield Finding(
                "warning",
                Site.link(body.name),
                say(
                    "finding-too-heavy-for-shapes", mass=f"{m:.4g}", volume=f"{volume:.3g}", density=f"{m / volume:.3g}"
                ),
            )


@check("A rod lies across the way from the link's origin to its middle.", of_links=True)
def crossed_rod(case: Examined) -> Iterator[Finding]:
    """Yields findings on long shapes whose middle is half their length from the origin along another axis."""
    for body in case.model.bodies:
        parts = body.shapes.parts if body.shapes is not None else ()
        for part in parts:
            if not part.axis or part.is_turned or "length" not in part.kind.sizes or part.kind.dimension == PLANE:
                continue
            middle = dict(zip("xyz", map(case.number, map(expression, part.central.com)), strict=True))
            half = case.number(part.named_sizes["length"]) / 2
            for axis, away in middle.items():
                if axis != part.axis and abs(abs(away) - half) <= SAME * half and middle[part.axis] == 0:
                    yield Finding(
                        "warning",
                        Site.link(body.name),
                        say("finding-crossed-rod", shape=part.name, axis=part.axis, along=axis),
                    )


@check("The mass of a link is spread far beyond its joints.", of_links=True)
def too_wide(case: Examined) -> Iterator[Finding]:
    """Yields findings on turning links whose radius of gyration √(I/m) about the centre of mass is too large.

    A wheel, whose joints and centre of mass are at one point, has no known length and is not judged.
    """
    arm = sum(case.span(link) for link in case.home.links)
    for body, link in case.moving():
        if not link.inertia.m or not link.kind.is_revolute or body.partial_inertia:
            continue
        m, moments = float(link.inertia.m), second_moments(central(link.inertia))  # type: ignore[arg-type]
        radius = math.sqrt(max(0.0, moments[1] + moments[2]) / m) if not any(map(math.isnan, moments)) else math.nan
        size = max(case.span(link), *(distance(point, centre(link.inertia)) for point in case.anchors(link)))
        if arm and size and radius > max(WIDE_SPANS * size, FAR_ARMS * arm):
            yield Finding(
                "warning",
                Site.link(body.name),
                say("finding-too-wide", radius=f"{radius:.3g}", size=f"{size:.3g}", arm=f"{arm:.3g}"),
            )


@check("All moving links have the same mass and inertia, although their lengths differ.", of_links=True)
def copied_inertia(case: Examined) -> Iterator[Finding]:
    """Yields a finding if three or more moving links all have one mass and one tensor, but different lengths."""
    links = [link for _, link in case.moving()]
    if len(links) < 3 or not all(_has_something(link.inertia) for link in links):
        return
    entries: list[Any] = [[link.inertia.m, *central(link.inertia)] for link in links]
    if _all_same(entries) and not _all_same([[case.span(link)] for link in links]):
        yield Finding(
            "warning", Site(say("site-links"), "links"), say("finding-copied-inertia", mass=f"{entries[0][0]:.3g}")
        )


def _all_same(rows: Sequence[Sequence[float]]) -> bool:
    limit = SAME * max(abs(entry) for row in rows for entry in row)
    return all(abs(a - b) <= limit for row in rows for a, b in zip(row, rows[0], strict=True))
