"""Collects all links, joints and frames of an SDF file, with nested and included models, by their full names."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from qddot.base.errors import FormatError, QddotError, shortened
from qddot.base.records import record
from qddot.base.words.message import say
from qddot.formats.sdf import elements, known
from qddot.formats.sdf.frames import INSIDE, ITSELF, NO_LINK, WORLD, Frame, Frames
from qddot.formats.sdf.includes import Folder, Source
from qddot.formats.xml.elements import Element
from qddot.robot.notes import noted

MODEL_FRAME = "__model__"
MOST_LINKS, DEEPEST = 500, 50


@record(slots=True)
class Scope:
    """A scope resolves names inside one model: the full name of x is prefix + x, and that of __model__ is frame."""

    prefix: str
    frame: str
    source: Source
    static: bool = False
    depth: int = 0
    links: list[str] = field(default_factory=list)
    models: list[str] = field(default_factory=list)

    def full(self, name: str) -> str:
        """Returns the full name of an element that is called `name` in this model."""
        if name == MODEL_FRAME:
            return self.frame
        return (self.prefix + name).removesuffix(INSIDE + MODEL_FRAME)


@record(slots=True)
class Link:
    """This is a link of the file; the links of a static model are fixed to the world."""

    element: Element
    scope: Scope


@record(slots=True)
class Joint:
    """This is a joint of the file, with the full names of its frame, its parent and its child."""

    element: Element
    scope: Scope
    frame: str
    parent: str
    child: str


@dataclass
class Parts:
    """These are all links, joints and frames of a file, and its models by their frames, in its order."""

    folder: Folder
    frames: Frames = field(default_factory=Frames)
    links: dict[str, Link] = field(default_factory=dict)
    joints: dict[str, Joint] = field(default_factory=dict)
    models: dict[str, Element] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    notes_of: dict[str, list[str]] = field(default_factory=dict)  # of the models of a world, by their names
    _names: dict[str, Element] = field(default_factory=dict)

    def world(self, element: Element, source: Source) -> Scope:
        """Adds the content of a world, and returns a scope with the names of its models."""
        scope = Scope("", WORLD, source)
        known.check(element)
        self._children(element, scope)
        return scope

    def model(self, element: Element, source: Source) -> Scope:
        """Adds the content of a model that is alone in the world, and returns its scope."""
        outside = Scope("", WORLD, source)
        inside = replace(outside, frame=MODEL_FRAME, static=elements.truth(element, "static"))
        _check_alone(element, source)
        self._fill(element, inside, self._model_frame(element, outside, inside))
        return inside

    def _children(self, element: Element, scope: Scope) -> None:
        readers = {
            "link": self._link,
            "joint": self._joint,
            "frame": self._frame,
            "model": self._nested,
            "include": self._include,
        }
        # before SDF 1.7 a joint may have the name of a later link
        last = "joint" if scope.source.early else ""
        for child in sorted(element.children, key=lambda child: child.tag == last):
            if child.tag in ("model", "include") and scope.frame == WORLD:
                self._apart(readers[child.tag], child, scope)
            elif child.tag in readers:
                readers[child.tag](child, scope)

    def _apart(self, reader: Callable[[Element, Scope], None], element: Element, world: Scope) -> None:
        """Adds a model of a world, or only its error if it cannot be read, since another model may be chosen."""
        tables: tuple[dict[str, Any], ...] = (self.frames.known, self.links, self.joints, self.models, self._names)
        sizes, notes = [len(table) for table in tables], len(self.notes)
        own = element.child("name")
        name = element.attributes.get("name", "" if own is None else own.text)
        try:
            reader(element, world)
        except QddotError as error:
            for table, size in zip(tables, sizes, strict=True):
                for added in list(table)[size:]:
                    table.pop(added)
            self.frames.refused.setdefault(name, error)
        else:
            self.notes_of[world.models[-1]] = self.notes[notes:]
        del self.notes[notes:]

    def _nested(self, element: Element, outside: Scope) -> None:
        name = self._new(element, outside)
        static = outside.static or elements.truth(element, "static")
        inside = self._within(outside, outside.source, name + INSIDE, name, static, element)
        self._fill(element, inside, self._model_frame(element, outside, inside))
        outside.models.append(name)

    def _include(self, include: Element, outside: Scope) -> None:
        """Adds a model from another file, with the name, pose and placement of the include."""
        known.check(include)
        element, source = self.folder.model(include, outside.source)
        own_name = include.child("name")
        name = own_name.text if own_name is not None and own_name.text else element.required("name")
        _check_name(name, include, outside)
        own = elements.truth(element, "static")
        static = outside.static or (elements.truth(include, "static") if include.child("static") else own)
        merge = elements.attribute_truth(include, "merge")
        if merge and outside.frame == WORLD:
            raise FormatError("include-merges", where=include.where)
        # a merged model's names, except that of its frame, belong to the enclosing model
        frame = f"{outside.prefix}_merged__{name}__model__" if merge else self._new(include, outside, name)
        prefix = outside.prefix if merge else frame + INSIDE
        inside = self._within(outside, source, prefix, frame, static, include)
        placed = self._included_frame(include, element, outside, inside)
        self._fill(element, inside, placed)
        if merge:
            outside.links.extend(inside.links)
            outside.models.extend(inside.models)
        else:
            outside.models.append(frame)

    def _within(self, outside: Scope, source: Source, prefix: str, frame: str, static: bool, element: Element) -> Scope:
        if outside.depth == DEEPEST:
            raise FormatError("models-too-deep", where=element.where, deepest=DEEPEST)
        return Scope(prefix, frame, source, static, outside.depth + 1)

    def _included_frame(self, include: Element, element: Element, outside: Scope, inside: Scope) -> Frame:
        """Returns the model's frame, with the include's pose and placement frame if it has a pose, else its own."""
        if include.child("pose") is None:
            if include.child("placement_frame") is not None:
                raise FormatError("placement-frame-without-pose", where=include.where)
            _check_alone(element, inside.source)
            return self._model_frame(element, replace(outside, source=inside.source), inside)
        placement = include.child("placement_frame")
        name = placement.text if placement is not None else element.attributes.get("placement_frame", "")
        return self._placed(include, outside, inside, name)

    def _model_frame(self, element: Element, outside: Scope, inside: Scope) -> Frame:
        return self._placed(element, outside, inside, element.attributes.get("placement_frame", ""))

    def _placed(self, element: Element, outside: Scope, inside: Scope, placement: str) -> Frame:
        frame = self._standing(element, outside, outside.frame, NO_LINK)
        return replace(frame, placement=inside.full(placement)) if placement else frame

    def _fill(self, element: Element, scope: Scope, frame: Frame) -> None:
        """Adds a model's parts and its frame, which is attached to the canonical link (by default the first)."""
        known.check(element)
        self.frames.add(scope.frame, frame, element.where)
        self.models[scope.frame] = element
        self._children(element, scope)
        named = element.attributes.get("canonical_link", "")
        canonical = [scope.full(named)] if named else scope.links + scope.models
        attached_to = canonical[0] if canonical else NO_LINK
        self.frames.known[scope.frame] = replace(frame, attached_to=attached_to)

    def _link(self, element: Element, scope: Scope) -> None:
        known.check(element)
        if len(self.links) == MOST_LINKS:
            raise FormatError("too-many-links-in-models", where=element.where, most=MOST_LINKS)
        name = self._new(element, scope)
        self.frames.add(name, self._standing(element, scope, scope.frame, ITSELF), element.where)
        self.links[name] = Link(element, scope)
        scope.links.append(name)

    def _frame(self, element: Element, scope: Scope) -> None:
        known.check(element)
        name = self._new(element, scope)
        attached_to = element.attributes.get("attached_to", "")
        anchor = scope.full(attached_to) if attached_to else scope.frame
        self.frames.add(name, self._standing(element, scope, anchor, anchor), element.where)

    def _joint(self, element: Element, scope: Scope) -> None:
        known.check(element)
        ends = [_end(element, scope, end) for end in ("parent", "child")]
        name = scope.prefix + _check_name(element.required("name"), element, scope)
        if name in self.joints:
            raise FormatError("joint-name-taken", where=element.where, line=self.joints[name].element.line)
        frame = name
        while scope.source.early and frame in self._names:
            frame += "_joint"  # before SDF 1.7, a link and a joint could have the same name
        self._claim(frame, element)
        self.frames.add(frame, self._standing(element, scope, ends[1], ends[1]), element.where)
        self.joints[name] = Joint(element, scope, frame, *ends)

    def _standing(self, element: Element, scope: Scope, anchor: str, attached_to: str) -> Frame:
        """Returns a frame with an element's pose, which is relative to the anchor unless it names another frame."""
        pose = element.child("pose")
        standing, notes = elements.pose(pose)
        label = element.label if element.tag != "include" else say("include-of-line", line=element.line)
        self.notes += [noted(label, change) for change in notes]
        name = "" if pose is None else relative(pose, scope.source)
        where = element.where if pose is None or not name else f"{element.file}:{pose.line} <pose> of {element.label}"
        return Frame(standing, scope.full(name) if name else anchor, attached_to, where)

    def _new(self, element: Element, scope: Scope, name: str = "") -> str:
        """Returns the full name of a new part; raises FormatError if it is taken."""
        full = scope.prefix + (name or _check_name(element.required("name"), element, scope))
        self._claim(full, element)
        return full

    def _claim(self, name: str, element: Element) -> None:
        if name in self._names or name == WORLD:
            ground = say("name-of-the-ground", name=repr(WORLD))
            taken = say("see-line", line=self._names[name].line) if name in self._names else ground
            raise FormatError("name-taken", where=element.where, name=shortened(name), taken=taken)
        self._names[name] = element


def relative(pose: Element, source: Source) -> str:
    """Returns the name of the frame that a pose is relative to, or "" if the file does not name one."""
    return by_version(pose, source, "frame", "relative_to")


def by_version(element: Element, source: Source, early: str, late: str) -> str:
    """Returns the value of an attribute that SDF 1.7 renamed; raises FormatError for the wrong version's name."""
    name, other = (early, late) if source.early else (late, early)
    if other and other in element.attributes:
        written = ".".join(map(str, source.version))
        instead = say("attribute-or-version", name=name) if name else say("later-version")
        raise FormatError(
            "attribute-of-other-version", where=element.where, attribute=other, version=written, instead=instead
        )
    return element.attributes.get(name, "").strip() if name else ""


def _end(joint: Element, scope: Scope, end: str) -> str:
    name = elements.word(joint, end)
    return WORLD if name == WORLD else scope.full(name)


def _check_name(name: str, element: Element, scope: Scope) -> str:
    """Returns the name; raises FormatError for one that SDF reserves."""
    if not name or (name.startswith("__") and name.endswith("__")):
        raise FormatError("name-reserved", where=element.where, name=shortened(name))
    if INSIDE in name and not scope.source.early:
        raise FormatError("name-with-separator", where=element.where, inside=INSIDE, name=shortened(name))
    return name


def _check_alone(model: Element, source: Source) -> None:
    """Raises FormatError if the pose of a model at the root of its file is relative to a frame."""
    pose = model.child("pose")
    if pose is not None and relative(pose, source) not in ("", WORLD):
        raise FormatError("model-pose-relative", where=model.where)
