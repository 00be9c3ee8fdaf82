"""The description of an arm as numbers of one ring, as the provers take it: links with transforms and inertias."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from math import lcm
from typing import Any

from qddot.algebra.expressions.expression import evaluator
from qddot.algebra.numbers.polynomials.exact import Ring
from qddot.base.errors import ModelError
from qddot.base.records import record
from qddot.base.words.message import Message, say
from qddot.exact.equations.quantities import Quantities
from qddot.robot.bodies import BASE, Body, Joint
from qddot.robot.effects.armature import Armature
from qddot.robot.effects.coulomb import Coulomb
from qddot.robot.effects.spring import Spring
from qddot.robot.effects.viscous import Viscous
from qddot.robot.joints.refused import refuse_other_kinds
from qddot.robot.model import Model

EFFECTS = {Armature: ("inertia",), Spring: ("stiffness", "rest"), Viscous: ("coefficient",), Coulomb: ("coefficient",)}
LONGEST = 9  # revolute joints in a row
Matrix = Sequence[Sequence[Any]]


@record()
class Turning:
    """A joint turns about a unit axis by a multiple of an angle. angle: its number, from 1; times: the factor"""

    axis: Sequence[Any]
    angle: int
    times: int


@record()
class Sliding:
    """A joint slides along a unit axis by a distance."""

    axis: Sequence[Any]
    by: Any


@record()
class DescribedLink:
    """A link has its pose in its parent's frame, placement · motion · offset, and its inertia.

    parent: its index, None for the base; placement, offset: three rows of four; motion: None for a fixed joint
    about_com: whether `first` is the centre of mass and `tensor` (xx, xy, xz, yy, yz, zz) is about it; otherwise
        `first` is the first moment, and the tensor is about the frame's origin
    """

    name: str
    parent: int | None
    placement: Matrix
    motion: Turning | Sliding | None
    offset: Matrix
    mass: Any
    first: Sequence[Any]
    tensor: Sequence[Any]
    about_com: bool


@record()
class DescribedArm:
    """A described arm has its links, parents first, gravity, and for each coordinate the numbers of its effects.

    turning: (place of a coordinate, whole number) for each angle, which is the coordinate times the number / `per`
    effects: armature, stiffness, rest, viscous and dry friction
    """

    model: Model
    ring: Ring
    turning: Sequence[tuple[int, int]]
    per: int
    gravity: Sequence[Any]
    links: Sequence[DescribedLink]
    effects: Sequence[tuple[Any, ...]]


def described(eq: Quantities, prover: Message) -> DescribedArm:
    """Returns the description in the ring of equations in the joints' own angles; prover: its name, for errors.

    raises ModelError: equations without links, joints with quasi-velocities, two springs in one joint, long chains
    """
    model = eq.model
    refuse_other_kinds(model, prover, remedy=say("prove-without-to"))
    if model.explicit is not None:
        raise ModelError("entries-without-links", where=model.name)
    if len(model.links) < len(model.bodies):
        raise ModelError("rotors-in-certificate", where=model.name, prover=prover, remedy=say("prove-without-to"))
    _refuse_long(model)
    ring = eq.ring
    number = evaluator(ring)
    place = {name: k for k, name in enumerate(model.coordinates, start=1)}
    per = lcm(*(of[0][1].denominator for of in ring.turning.values()), 1)
    index = {body.name: k for k, body in enumerate(model.bodies)}
    return DescribedArm(
        model,
        ring,
        [(place[of[0][0]], int(of[0][1] * per)) for of in ring.turning.values()],
        per,
        [number(part) for part in model.gravity],
        [_link(body, index.get(body.joint.parent), ring, number) for body in model.bodies],
        [_effects(body, number) for body in model.moving()],
    )


def numbered(ring: Ring) -> list[tuple[str, int | str]]:
    """Returns the kind and the number of each generator of a ring.

    Symbols, coordinates and angles are counted from 1, the angles that do not move after the others; a root has the
    number of which it is one. Rates, which are in no description, have their names.
    """
    angles, symbols = (*ring.turning, *ring.variables.bases.bases), (*ring.symbols, *ring.extra)
    names: dict[str, Sequence[Any]] = {"sin": angles, "cos": angles, "symbol": symbols, "q": ring.coordinates}
    places = {kind: {name: k for k, name in enumerate(own, start=1)} for kind, own in names.items()}
    return [(each.kind, places.get(each.kind, {}).get(each.angle or each.name, each.name)) for each in ring.generators]


def _refuse_long(model: Model) -> None:
    """Raises ModelError if the equations are too long to be expanded in the joints' own angles."""
    turning: dict[str, int] = {BASE: 0}
    for body in model.bodies:
        turning[body.name] = turning[body.joint.parent] + any(body.joint.kind.angular)
        if turning[body.name] > LONGEST:
            raise ModelError(
                "too-many-revolute-joints",
                where=model.name,
                turning=turning[body.name],
                name=repr(body.name),
                longest=LONGEST,
            )


def _link(body: Body, parent: int | None, ring: Ring, number: Callable[[Any], Any]) -> DescribedLink:
    joint = body.joint
    assert (parent is None) == (joint.parent == BASE)
    first, tensor, about_com = body.inertia.h, body.inertia.I, False
    if body.com is not None and _size(of_com := body.inertia.central_tensor(body.com)) <= _size(tensor):
        first, tensor, about_com = body.com, of_com, True
    return DescribedLink(
        body.name,
        parent,
        _rows(joint.placement, number),
        _motion(joint, ring, number),
        _rows(joint.offset, number),
        number(body.inertia.m),
        [number(part) for part in first],
        [number(part) for part in tensor],
        about_com,
    )


def _rows(pose: Any, number: Callable[[Any], Any]) -> Matrix:
    return [[number(entry) for entry in row] for row in pose.matrix()[:3]]


def _motion(joint: Joint, ring: Ring, number: Callable[[Any], Any]) -> Turning | Sliding | None:
    if not joint.moves:
        return None
    axis, name = [number(part) for part in joint.axis], str(joint.coordinate)
    if joint.kind.is_prismatic:
        way = ring.coordinate(name)
        return Sliding(axis, way if joint.ratio is None else way * number(joint.ratio))
    ratio = Fraction(1) if joint.ratio is None else joint.ratio
    assert isinstance(ratio, Fraction)  # only ratios of sliding joints contain symbols
    ((angle, times),) = ring.turning.multiple(name, ratio)
    return Turning(axis, list(ring.turning).index(angle) + 1, times)


def _size(entries: Iterable[Any]) -> int:
    return sum(len(getattr(entry, "terms", "?")) for entry in entries)


def _effects(body: Body, number: Callable[[Any], Any]) -> tuple[Any, ...]:
    """Returns armature, stiffness, rest, viscous and dry friction of a joint; zeros for those that it lacks."""
    values: list[Any] = []
    unknown = next((effect for effect in body.joint.effects if type(effect) not in EFFECTS), None)
    if unknown is not None:
        raise ModelError("effect-in-certificate", where=f"link {body.name!r}", kind=unknown.key)
    for kind, fields in EFFECTS.items():
        own = [effect for effect in body.joint.effects if isinstance(effect, kind)]
        if len(own) > 1:
            raise ModelError("effects-kind", where=f"link {body.name!r}", count=len(own), kind=kind.__name__.lower())
        values += [number(getattr(own[0], field)) if own else 0 for field in fields]
    return tuple(values)
