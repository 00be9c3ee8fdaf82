"""Reads URDF into a model: the tree of links and joints, inertias, limits, damping and friction.

`transmissions` reads rotors of motors. The couplings of URDF+ are read, too; `loops` reads its loops. Meshes,
calibration, safety limits, and limits of speed do not affect the motion and are ignored; nor do those of effort, which
act at the joint and with which the doctor compares gravity. `unmodelled` lists what does and is left out. Source: the
XML specification of URDF, wiki.ros.org/urdf/XML.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from qddot.algebra.expressions.expression import Expression
from qddot.algebra.freedoms import FREE, SPHERICAL
from qddot.algebra.spatial import Inertia, Pose, SymmetricMatrix3, Vec3
from qddot.base.errors import FormatError, ModelError, check_one_of, did_you_mean, located, shortened
from qddot.base.words.message import Listed, say
from qddot.formats.shared.compound_joints import Freedom, planar
from qddot.formats.shared.shapes import volume
from qddot.formats.urdf import comments
from qddot.formats.urdf.coupling import coupled, couplings
from qddot.formats.urdf.known import FORMATS, unmodelled
from qddot.formats.urdf.numbers import Limits, bound, limits, motor_limit, number, numbers, origin
from qddot.formats.urdf.transmissions import armatures
from qddot.formats.xml.elements import Element, parse
from qddot.formats.xml.unread import unread
from qddot.formats.xml.xacro import leftovers
from qddot.robot.axes import unit
from qddot.robot.bodies import BASE, Body, Joint, mass_properties
from qddot.robot.effects.armature import Armature
from qddot.robot.effects.coulomb import Coulomb
from qddot.robot.effects.effect import Effect
from qddot.robot.effects.viscous import Viscous
from qddot.robot.left_out import LOOPS, left_out
from qddot.robot.model import Model
from qddot.robot.notes import note, noted
from qddot.robot.validity import tolerated

MOST_LINKS = 500
SEVERAL = {"floating": FREE, "spherical": SPHERICAL, "ball": SPHERICAL}  # URDF itself defines only the first
PLANAR = "planar"
LOOP = "loop"  # of URDF+
OTHER_LOOPS = ("loop_joint", "loop_constraint", "rolling_constraint")  # Drake's and Isaac Sim's, and early URDF+
KINDS = ("revolute", "continuous", "prismatic", "fixed", PLANAR, *SEVERAL)


def loads(text: str, where: str) -> Model:
    """Returns the model that a URDF text describes; raises QddotError with the line and the element."""
    return read(Path(where), parse(text, where))


def read(_: Path, root: Element) -> Model:
    """Returns the model of a <robot> element, which lacks loops; the path is not used."""
    root.check_tag("robot")
    with located(root.file):
        tree = Reader(root).model()
        places = (note("line-of-element", line=loop.line, label=loop.label) for loop in root.all(LOOP))
        return replace(tree, left_out=(*tree.left_out, *left_out(LOOPS, places)))


class Reader:
    """A reader makes a Model from one robot and collects notes of changes."""

    def __init__(self, root: Element) -> None:
        self.root = root
        self.notes: list[str] = []
        self.moving = self.several = 0
        _check_loops(root)
        self.links = _by_name(root.all("link"))
        self.joints = _by_name(root.all("joint"))
        if not self.links:
            raise FormatError("no-link-elements", where=root.where)
        if len(self.links) > MOST_LINKS:
            raise FormatError("too-many-links", where=root.where, count=len(self.links), most=MOST_LINKS)
        self.carried: dict[str, Element] = {}  # the joint that carries each link
        self.top = self._top()
        self.couplings = list(couplings(root, self.carried, self.end))
        self.followers = {coupling.follower for coupling in self.couplings}
        self.armatures, self.of_transmissions = armatures(root, self.joints)

    def model(self) -> Model:
        ground = self._body(self.top, Joint("fixed"))
        massive = ground.inertia != Inertia.zero()
        self.base = ground.name if massive else BASE
        if not massive:
            self.notes.clear()
        for left in leftovers(self.root):
            self.notes.append(noted(say("in-line", line=left.line), note("macro-unread", tag=left.tag)))
        self.notes += unread(self.root, FORMATS)
        self.notes += self.of_transmissions
        rows = [self._carried(joint) for joint in self.joints.values()]
        behind = {row[-1].name: row[:-1] for row in rows}
        ends, notes = coupled([row[-1] for row in rows], self.joints, self.couplings)
        bodies = [body for end in ends for body in (*behind[end.name], end)]
        gravity, symbols = comments.gravity(self.root)
        coordinates = tuple(name for body in bodies if body.joint.leads for name in body.joint.velocities)
        driven = tuple(self._driven(rows, bodies))
        return Model(
            gravity=gravity,
            symbols=symbols,
            name=self.root.attributes.get("name") or "robot",
            bodies=(ground, *bodies) if massive else tuple(bodies),
            coordinates=coordinates,
            driven=None if len(driven) == len(coordinates) else driven,
            notes=(*self.root.mended, *self.notes, *notes),
            left_out=tuple(unmodelled(self.root)),
            from_urdf=True,
        )

    def _driven(self, rows: Iterable[Sequence[Body]], bodies: Iterable[Body]) -> Iterator[str]:
        """Yields the velocities that have motors. rows: the bodies of each joint; bodies: with their coordinates"""
        own = {body.name: body.joint.velocities for body in bodies if body.joint.leads}
        for element, row in zip(self.joints.values(), rows, strict=True):
            yield from comments.driven(element, [name for body in row for name in own.get(body.name, ())])

    def _top(self) -> Element:
        """Returns the only link that is not the child of a joint; every other link must be the child of one joint."""
        for joint in self.joints.values():
            _, child = (self.end(joint, end) for end in ("parent", "child"))
            if child in self.carried:
                raise FormatError(
                    "link-child-twice",
                    where=joint.where,
                    child=repr(child),
                    line=self.carried[child].line,
                    loop=LOOP,
                )
            self.carried[child] = joint
        tops = [link for name, link in self.links.items() if name not in self.carried]
        if not tops:
            raise FormatError("links-form-cycle", where=self.root.where)
        if len(tops) > 1:
            names = Listed(shortened(link.attributes["name"]) for link in tops[:8])
            raise FormatError("links-without-parent", where=tops[1].where, count=len(tops), names=names)
        return tops[0]

    def end(self, joint: Element, end: str) -> str:
        """Returns the link that the child element `end` of a joint, a loop or a coupling names."""
        element = joint.child(end)
        if element is None:
            raise FormatError("end-missing", where=joint.where, tag=joint.tag, end=end)
        link = element.required("link")
        if link not in self.links:
            raise FormatError(
                "no-such-link", where=element.where, name=shortened(link), remedy=did_you_mean(link, self.links)
            )
        return link

    def _carried(self, element: Element) -> list[Body]:
        """Returns the body on a joint, preceded by two massless bodies if the joint is planar."""
        try:
            link = self.links[self.end(element, "child")]
            if element.attributes.get("type") != PLANAR:
                return [self._body(link, self._joint(element))]
            return self._on_plane(link, element)
        except ModelError as error:
            raise error.at(element.where) from None

    def _on_plane(self, link: Element, element: Element) -> list[Body]:
        for tag, key in (("mimic", "planar-joint-mimics"), ("dynamics", "planar-joint-friction")):
            if (part := element.child(tag)) is not None:
                raise FormatError(key, where=part.where)
        if element.child("limit") is not None:
            self.note(f"joint {element.attributes['name']!r}", [note("planar-limits-unread")])
        joint = self._joint(element)
        freedoms = [Freedom(joint.coordinate), Freedom(self._coordinate()), Freedom(self._coordinate())]
        body = self._body(link, replace(joint, type="fixed", coordinate=None))
        bodies, change = planar(body, joint.axis, freedoms, set(self.links))
        self.note(f"joint {element.attributes['name']!r}", [change])
        return bodies

    def _joint(self, element: Element) -> Joint:
        kind, name = element.required("type"), element.attributes["name"]
        check_one_of(kind, KINDS, say("type-of-joint"), FormatError, element.where)
        placement, notes = origin(element.child("origin"))
        if kind in SEVERAL:
            return self._with_freedoms(element, SEVERAL[kind], placement, notes)
        axis, change = self._axis(element, kind)
        self.note(f"joint {name!r}", [*notes, change])
        parent = self.end(element, "parent")
        follows = element.child("mimic") is not None or name in self.followers
        ends, change = _limits(element) if kind in ("revolute", "prismatic") else (None, "")
        self.note(f"joint {name!r}", [change])
        return Joint(
            type=kind if kind != PLANAR else "revolute",
            parent=self.carrier(parent),
            axis=axis,
            placement=placement,
            limits=ends,
            coordinate=self._coordinate() if kind != "fixed" and not follows else None,
            effects=tuple(self._effects(element)) if kind != "fixed" else (),
            name=name,
            effort=_of_motor(element, "effort") if kind not in ("fixed", PLANAR) else None,
            velocity=_of_motor(element, "velocity") if kind not in ("fixed", PLANAR) else None,
        )

    def _with_freedoms(self, element: Element, kind: str, placement: Pose, notes: Iterable[str]) -> Joint:
        """Returns a floating or a spherical joint; comments on its effects are not read."""
        name, parent = element.attributes["name"], self.end(element, "parent")
        unread = note("limits-unread", type=kind) if element.child("limit") is not None else ""
        self.note(f"joint {name!r}", [*notes, unread])
        self.several += 1
        return Joint(
            type=kind,
            parent=self.carrier(parent),
            placement=placement,
            coordinate="" if self.several == 1 else str(self.several),
            effects=tuple(_effects(element)),
            name=name,
        )

    def _effects(self, element: Element) -> Iterator[Effect]:
        """Yields the effects in a joint; an armature in a comment stands for those of transmissions."""
        said, name = list(comments.effects(element)), element.attributes["name"]
        yield from (*_effects(element), *said)
        if name in self.armatures:
            if any(isinstance(effect, Armature) for effect in said):
                self.note(f"joint {name!r}", [note("armature-of-comment")])
            else:
                yield Armature(Expression.constant(self.armatures[name]))

    def carrier(self, link: str) -> str:
        """Returns the name in the model of a link that carries others; the root may be the ground."""
        return self.base if link == self.top.attributes["name"] else self._name(link)

    def _coordinate(self) -> str:
        """Returns the next name of q1, q2 …, in the order of the file."""
        self.moving += 1
        return f"q{self.moving}"

    def _axis(self, joint: Element, kind: str) -> tuple[Vec3, str]:
        axis = joint.child("axis")
        if kind == "fixed" or axis is None:
            return Vec3(1, 0, 0), ""
        entries = numbers(axis, "xyz", "1 0 0")
        with located(f"{axis.where} of joint {joint.attributes['name']!r}"):
            return unit(entries)

    def _body(self, link: Element, joint: Joint) -> Body:
        name = self._name(link.attributes["name"])
        inertial = link.child("inertial")
        if inertial is None:
            return Body(name, joint)
        pose, notes = origin(inertial.child("origin"))
        self.note(f"link {name!r}", notes)
        inertia, com = mass_properties(_mass(inertial), pose.p, inertia=tuple(_tensor(inertial, pose)))
        return tolerated(Body(name, joint, inertia, com, volume=volume(link)))

    def _name(self, link: str) -> str:
        """Returns the link's name, or a new name if it equals the ground's."""
        if link != BASE:
            return link
        free = next(name for k in range(1, MOST_LINKS + 2) if (name := f"{BASE}_{k}") not in self.links)
        self.note(f"link {BASE!r}", [note("called-since-ground", name=repr(free), base=repr(BASE))])
        return free

    def note(self, where: str, notes: Iterable[str]) -> None:
        """Adds notes of changes at a place; empty ones are left out."""
        self.notes += [noted(where, each) for each in notes if each]


def _check_loops(root: Element) -> None:
    """Raises FormatError for an element that closes a loop in another dialect, which would otherwise be ignored."""
    for element in root.children:
        if element.tag in OTHER_LOOPS:
            raise FormatError("loop-of-other-dialect", where=element.where, tag=element.tag, loop=LOOP)


def _by_name(elements: Iterable[Element]) -> dict[str, Element]:
    by_name: dict[str, Element] = {}
    for element in elements:
        name = element.required("name")
        if not name:
            raise FormatError("name-empty", where=element.where)
        if name in by_name:
            line = by_name[name].line
            raise FormatError("element-name-taken", where=element.where, tag=element.tag, line=line)
        by_name[name] = element
    return by_name


def _mass(inertial: Element) -> Expression:
    mass = inertial.child("mass")
    value = number(mass, "value") if mass is not None else 0
    if value < 0:
        raise FormatError("negative-mass", where=mass.where if mass else "")
    return Expression.constant(value)


def _tensor(inertial: Element, pose: Pose) -> SymmetricMatrix3:
    """Returns the tensor about the centre of mass, along the link's axes."""
    moments = inertial.child("inertia")
    if moments is None:
        return Inertia.zero().I
    entries = [number(moments, name, "0") for name in ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")]
    return SymmetricMatrix3(*(Expression.constant(entry) for entry in entries)).rotated(pose.R)


def _of_motor(joint: Element, name: str) -> float | None:
    limit = joint.child("limit")
    return None if limit is None else motor_limit(limit.attributes.get(name, ""))


def _limits(joint: Element) -> tuple[Limits | None, str]:
    """Returns the limits (0 by default) if both are finite, else None, and a note of a change."""
    limit = joint.child("limit")
    if limit is None or not {"lower", "upper"} & set(limit.attributes):
        return None, ""
    lower, upper = (limit.attributes.get(end, "0") for end in ("lower", "upper"))
    return limits(bound(lower, "lower", limit), bound(upper, "upper", limit), f" {lower}")


def _effects(joint: Element) -> Iterable[Effect]:
    dynamics = joint.child("dynamics")
    if dynamics is None:
        return
    kinds: dict[str, type[Viscous] | type[Coulomb]] = {"damping": Viscous, "friction": Coulomb}
    for attribute, kind in kinds.items():
        value = number(dynamics, attribute, "0")
        if value < 0:
            raise FormatError("value-negative", where=dynamics.where, tag=attribute)
        if value:
            yield kind(Expression.constant(value))
