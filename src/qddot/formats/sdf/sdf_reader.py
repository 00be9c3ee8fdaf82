"""Reads SDF into a model: the tree of the links and joints of one model, or of several that a world joins.

Elements for looks, contacts, sensors and control do not affect the motion and are ignored; any other unknown element is
an error. Source: the specification of SDFormat, sdformat.org/spec, and its documents on the semantics of frames.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

from qddot.algebra.freedoms import SPHERICAL, Freedoms
from qddot.base.errors import FormatError, ModelError, QddotError, located, shortened
from qddot.base.words.message import say
from qddot.formats.sdf import elements, gears, known
from qddot.formats.sdf.choosing import Choice, choice, chosen, inside, listed, whole
from qddot.formats.sdf.frames import INSIDE, WORLD
from qddot.formats.sdf.includes import Folder, Source, version
from qddot.formats.sdf.joints import expanded, followed, mimics, motion
from qddot.formats.sdf.links import body, unmodelled
from qddot.formats.sdf.models import Joint, Parts
from qddot.formats.shared.carrying import Carrier, carriers
from qddot.formats.shared.couplings import Coupling
from qddot.formats.shared.gravity import gravity_of
from qddot.formats.xml.elements import Element, parse
from qddot.formats.xml.unread import unread
from qddot.robot import bodies
from qddot.robot.bodies import BASE, Body
from qddot.robot.left_out import LOOPS, left_out
from qddot.robot.model import Model
from qddot.robot.notes import note, noted

ACTING = ("population", "state")  # ignored elements of worlds that might change an arm
WORLD_GRAVITY = (Fraction(0), Fraction(0), Fraction("-9.8"))  # the default in SDF


def loads(text: str, where: str) -> Model:
    """Returns the model of an SDF text without includes; raises QddotError with the line and the element."""
    root = parse(text, where)
    with located(root.file):
        reader = _reader(root, Folder(None), ())
        return reader.tree()


def read(path: Path, root: Element, name: str = "") -> Model:
    """Returns the model of the file whose root element is `root`; included files lie in its folder or below.

    name: that of the model to read, where the file has several
    """
    with located(root.file):
        reader = opened(path, root, name)
        return reader.tree()


def opened(path: Path, root: Element, name: str = "") -> Reader:
    """Returns a reader of the file whose root element is `root`, or of the model of this name in it.

    raises QddotError: there is no such model, or its links and joints are invalid
    """
    folder = path.parent.resolve()
    return _reader(root, Folder(folder), (folder / path.name,), name)


def _reader(root: Element, folder: Folder, files: tuple[Path, ...], name: str = "") -> Reader:
    root.check_tag("sdf")
    known.check(root)
    folder.notes.extend(root.mended)
    source = Source(version(root), files)
    element = chosen(root, name, lambda model: _can_be_read(folder, source, chosen(root, model), model))
    reader = Reader(Parts(folder), source, element, name)
    beside = [child.required("name") for child in root.all("model") if child is not element]
    if beside:
        reader.notes.append(note("models-not-chosen", names=listed(beside)))
    return reader


def _can_be_read(folder: Folder, source: Source, element: Element, name: str) -> bool:
    """Returns whether the model of this name, which is the element or in it, has no errors."""
    try:
        Reader(Parts(Folder(folder.top)), source, element, name).model()
    except QddotError:
        return False
    return True


class Closing(NamedTuple):
    """This is a joint that closes a loop, with its full name, its parent link or the world, and its child link."""

    name: str
    joint: Joint
    parent: str
    child: str


class Reader:
    """A reader makes a Model from one file and collects notes of changes.

    closing: the joints that close loops, in the order of the file
    """

    def __init__(self, parts: Parts, source: Source, element: Element, chosen: str = "") -> None:
        self.parts = parts
        self.source = source
        self.element = element
        self.notes: list[str] = []
        self.name, self.prefix = "", ""  # the prefix of the only model in a world
        self.called: dict[str, str] = {}  # the links of the model, by their full names
        self.gravity: dict[str, Any] = {}
        self.closing: list[Closing] = []
        if element.tag == "world":
            self.read = self._world(element, chosen)
        else:
            self.parts.model(element, self.source)
            self.name = element.required("name")
            self.read = whole(self.parts)
        self.links = self.read.links
        if not self.links:
            raise FormatError("nothing-moves", where=element.where)
        self.carried = self._carried()
        self._check_tree()

    def tree(self) -> Model:
        """Returns the model without the joints that close loops, which it names."""
        model = self.model()
        return replace(model, left_out=(*model.left_out, *left_out(LOOPS, map(self._closes, self.closing))))

    def _closes(self, closing: Closing) -> str:
        child = closing.child
        why = (
            say("link-of-two-joints", name=shortened(self.short(child)))
            if child in self.carried
            else say("links-in-cycle")
        )
        element = closing.joint.element
        return noted(note("line-of-element", line=element.line, label=element.label), why)

    def model(self) -> Model:
        coupled, notes = followed(self._bodies(), self.in_tree, self.geared)
        bodies = [part for full, each in zip(self.links, coupled, strict=True) for part in self._expanded(full, each)]
        return Model(
            name=self.name or "robot",
            bodies=tuple(replace(b, joint=replace(b.joint, name=self.short(b.joint.name))) for b in bodies),
            coordinates=tuple(name for each in self.coordinates for name in self._velocities(each)),
            notes=(
                *self._unread(),
                *self.parts.folder.notes,
                *self.parts.notes,
                *(note for name, own in self.parts.notes_of.items() if name not in self.read.others for note in own),
                *self.parts.frames.notes,
                *self.notes,
                *notes,
            ),
            left_out=tuple(unmodelled(self.element, self.links.values(), self.read.models)),
            **self.gravity,
        )

    @cached_property
    def in_tree(self) -> dict[str, Joint]:
        """Returns the joints that carry links, by their full names."""
        return {each.joint: self.read.joints[each.joint] for each in self.carried.values()}

    @cached_property
    def geared(self) -> list[Coupling]:
        """Returns which joints follow others by gearboxes, and adds notes."""
        every = {name: joint for name, joint in self.read.joints.items() if _is_gearbox(joint)}
        ends = {name: self._ends(joint) for name, joint in self.in_tree.items()}
        couplings, notes = gears.couplings(every, self.in_tree, ends, self.parts.frames)
        self.notes += notes
        return couplings

    def _unread(self) -> list[str]:
        """Returns notes of what is not read of the models that are read, in the file and in those that it includes."""
        formats, others = known.formats(), self.read.others
        links = (link for name, link in self.parts.links.items() if not inside(name, others))
        used = {path for link in links for path in link.scope.source.files}
        included = {path: root for path, root in self.parts.folder.parsed.items() if path in used or not others}
        read = [child for child in self.element.children if child.attributes.get("name") not in others]
        of_included = (note for path, root in included.items() for note in unread(root, formats, path.name))
        return [*unread(replace(self.element, children=read), formats), *of_included]

    def _world(self, world: Element, chosen: str) -> Choice:
        """Reads a world in which one model moves, or several that joints of the world connect, or the chosen one."""
        scope, name = self.parts.world(world, self.source), world.attributes.get("name", "")
        model = "" if chosen == name and chosen not in scope.models else chosen
        read = choice(
            self.parts,
            scope,
            model,
            world.where,
            lambda other: _can_be_read(self.parts.folder, self.source, world, other),
        )
        only = read.names[0] if len(read.names) == 1 else ""
        self.name = model or only or name
        self.prefix = only + INSIDE if only else ""
        if read.still:
            self.notes.append(note("static-models", names=listed(read.still)))
        if read.others:
            self.notes.append(note("models-not-chosen", names=listed(read.others)))
        self.notes += [note("world-unread", tag=tag) for tag in ACTING if world.child(tag) is not None]
        own = world.child("gravity")
        gravity, symbols = gravity_of(WORLD_GRAVITY if own is None else elements.decimals(own, 3))
        self.gravity = {"gravity": gravity, "symbols": symbols}
        return read

    def _carried(self) -> dict[str, Carrier]:
        """Returns by link the joint that carries it, by its full name, and the other end: a link or the world.

        A joint closes a loop if an earlier one of the file carries its child, or if its child carries its parent.
        """
        ends = {name: self._ends(joint) for name, joint in self.read.joints.items() if not _is_gearbox(joint)}
        carried, loops = carriers(self.links, ends, WORLD)
        self.closing = [Closing(name, self.read.joints[name], *ends[name]) for name in loops]
        exchanged = [self.short(each.joint) for each in carried.values() if each.exchanged]
        if exchanged:
            self.notes.append(note("joints-exchanged", names=listed(exchanged)))
        return carried

    def _ends(self, joint: Joint) -> tuple[str, str]:
        """Returns the links at the ends of a joint, parent and child, one of which may be the world."""
        parent, child = (self._link(end, joint) for end in (joint.parent, joint.child))
        if child == parent:
            key = "child-of-itself" if child != WORLD else "child-is-static"
            raise FormatError(key, where=joint.element.where)
        return parent, child

    def _link(self, frame: str, joint: Joint) -> str:
        """Returns the link that a frame is attached to, or the world if that link is static."""
        name = self.parts.frames.link(frame, joint.element.where)
        return name if name in self.links else WORLD

    def _check_tree(self) -> None:
        """Checks that all links are connected to the world; a model that would float is fixed to it."""
        free = [name for name in self.links if name not in self.carried]
        grounded = any(each.link == WORLD for each in self.carried.values())
        if len(free) + grounded > 1:
            besides = say("besides-those-on-world") if grounded else ""
            raise FormatError(
                "links-not-joined",
                where=self.links[free[-1]].element.where,
                besides=besides,
                names=listed(map(self.short, free)),
                world=WORLD,
            )
        if free:
            self.notes.append(note("link-fixed-to-ground", name=repr(self.short(free[0]))))

    def _bodies(self) -> list[Body]:
        self.called = self._body_names()
        bodies = []
        for full, link in self.links.items():
            joint = self._joint(full) if full in self.carried else self._fixed(full)
            try:
                bodies.append(body(self.called[full], full, link, joint, self.parts.frames, self.notes))
            except ModelError as error:
                raise error.at(link.element.where) from None
        return bodies

    def _expanded(self, full: str, body: Body) -> list[Body]:
        """Returns the body of a link, preceded by the massless bodies that its joint needs."""
        if full not in self.carried:
            return [body]
        carrier = self.carried[full]
        joint = self.read.joints[carrier.joint]
        names, names_in_use = self.coordinates.get(carrier.joint, []), set(self.called.values())
        try:
            return expanded(body, joint, carrier.exchanged, self.parts.frames, names, names_in_use, self.notes)
        except ModelError as error:
            raise error.at(joint.element.where) from None

    def _joint(self, carried: str) -> bodies.Joint:
        """Returns the joint that carries a link, with its placement in both links and its full name."""
        name, link, exchanged = self.carried[carried]
        joint = self.read.joints[name]
        frames, where = self.parts.frames, joint.element.where
        try:
            return replace(
                motion(joint, exchanged, frames, self.notes),
                parent=self.called.get(link, BASE),
                placement=frames.between(link, joint.frame, where),
                offset=frames.between(joint.frame, carried, where),
                coordinate=self.coordinates[name][-1] if name in self.coordinates and not self._is_ball(name) else None,
                name=name,
            )
        except ModelError as error:
            raise error.at(where) from None

    def _fixed(self, link: str) -> bodies.Joint:
        """Returns the joint that fixes a link to the ground where it is."""
        where = self.links[link].element.where
        return bodies.Joint("fixed", placement=self.parts.frames.between(WORLD, link, where))

    @cached_property
    def coordinates(self) -> dict[str, list[str]]:
        """Returns q1, q2 … for the joints that do not follow another, by name, in the order of the file.

        A ball has a label in their place: none for the first, then 2, 3 …
        """
        moving = {name for name, joint in self.in_tree.items() if known.joint_type(joint.element) != "fixed"}
        moving -= {each.follower for each in self.geared}
        leading = [n for n, joint in self.read.joints.items() if n in moving and not mimics(joint.element)]
        numbers, balls = count(1), count(1)

        def names(joint: str) -> list[str]:
            if self._is_ball(joint):
                return [str(k) if (k := next(balls)) > 1 else ""]
            return [f"q{next(numbers)}" for _ in known.axes(self.parts.joints[joint].element)]

        return {name: names(name) for name in leading}

    def _is_ball(self, joint: str) -> bool:
        return known.joint_type(self.parts.joints[joint].element) == known.BALL

    def _velocities(self, joint: str) -> tuple[str, ...]:
        names = self.coordinates[joint]
        return Freedoms(SPHERICAL, names[0]).velocities if self._is_ball(joint) else tuple(names)

    def _body_names(self) -> dict[str, str]:
        """Returns the links' names in the model, none equal to the ground's."""
        names = {full: self.short(full) for full in self.links}
        names_in_use = set(names.values())
        for full in [full for full, name in names.items() if name == BASE]:
            names[full] = next(
                name for k in range(1, len(names_in_use) + 2) if (name := f"{BASE}_{k}") not in names_in_use
            )
            self.notes.append(note("link-called-otherwise", base=repr(BASE), name=repr(names[full])))
        return names

    def short(self, full: str) -> str:
        """Returns a full name without that of the only model in a world."""
        return full.removeprefix(self.prefix)


def _is_gearbox(joint: Joint) -> bool:
    return joint.element.attributes.get("type") == known.GEARBOX
