"""Reads and writes the [[loop]] and [[rolling]] tables of a robot file: frames that loops hold, and contacts of wheels.

A frame that is not a link's own becomes a massless body, which is fixed to the link.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from qddot.algebra.expressions.parser import expression
from qddot.algebra.spatial import Inertia, Pose
from qddot.base.errors import FormatError, located, shortened
from qddot.base.words.message import say
from qddot.formats.rows.dh import text
from qddot.formats.shared.closing import Chain
from qddot.formats.shared.rotations import placed
from qddot.formats.toml import lagrange_table, robot_file, toml_tables
from qddot.formats.toml.link_table import check_keys, checked_table, text_in
from qddot.formats.toml.tables import pose_table
from qddot.formats.toml.toml_text import written
from qddot.robot.bodies import BASE, Body, Joint
from qddot.robot.closed_model import ClosedModel
from qddot.robot.loops import ENDS, Loop
from qddot.robot.model import Model
from qddot.robot.notes import noted
from qddot.robot.placements import listed
from qddot.robot.rolling import Rolling

INDEPENDENT = "independent"
KEYS = ("name", "type", "length", "first", "second")
ROLLING_KEYS = ("name", "wheel", "contact", "ground", "directions")
FRAME_KEYS = ("link", *robot_file.POSE_KEYS)


def loads(text: str, where: str) -> ClosedModel:
    """Returns the closed chain that a robot file's text describes. raises QddotError: its content is invalid"""
    return chain(text, where).model


def chain(text: str, where: str) -> Chain:
    """Returns the closed chain of a robot file's text, and the independent coordinates that it names.

    raises QddotError: its content is invalid
    """
    data = dict(toml_tables.read(text, where))
    independent = listed(data.pop(INDEPENDENT, ()), INDEPENDENT)
    if lagrange_table.TABLE in data:
        return Chain(_constrained(data, where), tuple(independent))
    loops, rolling = data.pop("loop", ()), data.pop("rolling", ())
    if loops == () and rolling == ():
        raise FormatError("file-without-loop-tables", where=where)
    with located(where):
        return Chain(closed(robot_file.from_mapping(data, where), loops, rolling), tuple(independent))


def _constrained(data: Mapping[str, Any], where: str) -> ClosedModel:
    """Returns a system that energies and constraints describe. raises QddotError: it has no constraints …"""
    with located(where):
        model = lagrange_table.read(data)
        if not model.lagrangian or not model.lagrangian.constraints:
            raise FormatError("system-without-constraints")
        return ClosedModel(model, conditions=model.lagrangian.constraints)


def closed(tree: Model, loops: Any, rolling: Any = ()) -> ClosedModel:
    """Returns the tree with the conditions that tables describe.

    loops: {name, type, first, second, length}; rolling: {name, wheel, contact, ground, directions}
    raises QddotError: a table or its content is invalid
    """
    frames = _Frames([], [])
    closing = [_loop(table, k, frames) for k, table in enumerate(_tables(loops, "loop"), 1)]
    wheels = [_wheel(table, k, frames) for k, table in enumerate(_tables(rolling, "rolling"), 1)]
    bodies, notes = (*tree.bodies, *frames.bodies), (*tree.notes, *frames.notes)
    tree = replace(tree, bodies=bodies, notes=notes)
    return ClosedModel(tree, tuple(closing), tuple(wheels))


def _tables(tables: Any, key: str) -> list[Mapping[str, Any]]:
    """Returns the tables of one kind. raises FormatError: they are not a list of tables"""
    if not isinstance(tables, Sequence) or isinstance(tables, str):
        hint = say("write-tables", table=key) if isinstance(tables, Mapping) else ""
        raise FormatError("tables-wrong", key=key, tables=shortened(tables), remedy=hint)
    return [checked_table(table, f"{key} {k}") for k, table in enumerate(tables, 1)]


def _wheel(table: Mapping[str, Any], number: int, frames: _Frames) -> Rolling:
    """Returns a rolling wheel; a body for the contact is added to `frames`."""
    name = text_in(table, "name") or f"rolling{number}"
    where = f"rolling {name!r}"
    with located(where):
        check_keys(table, ROLLING_KEYS, where)
        missing = next((key for key in ("wheel", "contact") if key not in table), None)
        if missing:
            raise FormatError("key-missing", key=missing)
        contact = frames.named(table["contact"], frame_name(name, "contact"), where)
        directions: Any = table.get("directions", "xy")
        return Rolling(name, text_in(table, "wheel"), contact, text_in(table, "ground") or BASE, directions)


def _loop(table: Mapping[str, Any], number: int, frames: _Frames) -> Loop:
    """Returns a loop; bodies for its frames are added to `frames`."""
    name = text_in(table, "name") or f"loop{number}"
    where = f"loop {name!r}"
    with located(where):
        check_keys(table, KEYS, where)
        ends = [frames.named(table.get(end), frame_name(name, end), where) for end in ENDS]
        length = expression(table["length"]) if "length" in table else None
        return Loop(name, (ends[0], ends[1]), text_in(table, "type") or "revolute", length)


class _Frames(NamedTuple):
    """These are the bodies that tables of frames add, and notes of angles that were made exact."""

    bodies: list[Body]
    notes: list[str]

    def named(self, data: Any, name: str, where: str) -> str:
        """Returns the name of the body with the frame that a table {link, xyz, rpy} describes; that may be the link."""
        table = checked_table({} if data is None else data, name)
        check_keys(table, FRAME_KEYS, name)
        link = text_in(table, "link") or BASE
        placement, notes = placed(table)
        self.notes.extend(noted(where, note) for note in notes)
        if placement == Pose.identity() and link != BASE:
            return link
        self.bodies.append(Body(name, Joint("fixed", link, placement=placement)))
        return name


def frame_name(name: str, end: str) -> str:
    """Returns the name of the body with the frame of a loop or wheel; end: one of ENDS, or "contact"."""
    return f"{name}_{end}"


def dumps(model: ClosedModel, convention: str = "tree", independent: Sequence[str] = ()) -> str:
    """Returns a closed chain as the text of a robot file, with its notes as comments.

    independent: the names of the coordinates that a reader takes as independent, by default none
    raises FormatError: the links' frames do not follow the convention
    """
    tree, frames = _apart(model)
    mapping = robot_file.to_mapping(tree, convention)
    mapping |= {INDEPENDENT: list(independent)} if independent else {}

    def table(link: str) -> dict[str, Any]:
        return {"link": frames[link].parent, **pose_table(frames[link].placement)} if link in frames else {"link": link}

    for loop in model.loops:
        length = {} if loop.length is None else {"length": text(loop.length)}
        ends = {end: table(link) for end, link in zip(ENDS, loop.links, strict=True)}
        mapping.setdefault("loop", []).append({"name": loop.name, "type": loop.type, **length, **ends})
    for each in model.rolling:
        own = {"name": each.name, "wheel": each.wheel, "contact": table(each.contact), "ground": each.ground}
        mapping.setdefault("rolling", []).append({**own, "directions": each.directions})
    return written(mapping, tree.notes)


def held_frames(model: ClosedModel) -> list[tuple[str, str]]:
    """Returns the links whose frames loops and wheels hold, each with the name of a body for its frame alone."""
    ends = [
        (link, frame_name(loop.name, end)) for loop in model.loops for end, link in zip(ENDS, loop.links, strict=True)
    ]
    return [*ends, *((each.contact, frame_name(each.name, "contact")) for each in model.rolling)]


def _apart(model: ClosedModel) -> tuple[Model, dict[str, Joint]]:
    """Returns the tree without the bodies that reading adds for frames, and the joints that fix them, by name."""
    tree = model.tree
    frames = [link for link, name in held_frames(model) if link == name and is_frame(tree, link)]
    first = len(tree.bodies) - len(frames)
    if [body.name for body in tree.bodies[first:]] != frames:
        return tree, {}
    return replace(tree, bodies=tree.bodies[:first]), {body.name: body.joint for body in tree.bodies[first:]}


def is_frame(tree: Model, link: str) -> bool:
    """Returns whether a link is nothing but a frame: massless, fixed to another one, and without children or tool."""
    body = tree.body(link)
    bare = body.inertia == Inertia.zero() and body.joint.type == "fixed" and body.joint.offset == Pose.identity()
    return bare and tree.tool_body != link and all(other.joint.parent != link for other in tree.bodies)
