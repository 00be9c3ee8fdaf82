"""Reads the [[loop]] tables of a robot file: which frames of two links a loop holds, and how.

A frame that is not a link's own becomes a massless body, which is fixed to the link.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from qddot.describe import robot_file, toml_tables
from qddot.describe.link_table import check_keys, checked_table, text_in
from qddot.errors import FormatError, QddotError
from qddot.expressions.parser import angle, expression
from qddot.model.bodies import BASE, Body, Joint, listed, pose, vector
from qddot.model.loops import ClosedModel, Loop
from qddot.model.model import Model
from qddot.spatial import Pose

KEYS = ("name", "type", "length", "first", "second")
FRAME_KEYS = ("link", "xyz", "rpy")


def loads(text: str, where: str) -> ClosedModel:
    """Returns the closed chain that a robot file's text describes. raises QddotError: its content is invalid"""
    data = dict(toml_tables.read(text, where))
    tables = data.pop("loop", None)
    if tables is None:
        raise FormatError(
            "the file has no loops", where=where, expected="[[loop]] tables", remedy="qddot.load opens it"
        )
    try:
        return closed(robot_file.from_mapping(data, where), tables)
    except QddotError as error:
        raise (error if error.where.startswith(where) else error.at(where)) from None


def closed(tree: Model, tables: Any) -> ClosedModel:
    """Returns the tree with the loops that tables {name, type, first, second, length} describe.

    raises QddotError: a table or its content is invalid
    """
    if not isinstance(tables, Sequence) or isinstance(tables, str) or not tables:
        hint = "write [[loop]], not [loop]" if isinstance(tables, Mapping) else ""
        raise FormatError("no loops", expected="at least one [[loop]] table", remedy=hint)
    frames: list[Body] = []
    loops = [_loop(checked_table(table, f"loop {k}"), k, frames) for k, table in enumerate(tables, 1)]
    bodies = (*tree.bodies, *frames)
    return ClosedModel(replace(tree, bodies=bodies, tool_body=tree.tool_body), tuple(loops))


def _loop(table: Mapping[str, Any], number: int, frames: list[Body]) -> Loop:
    """Returns a loop; bodies for its frames are added to `frames`."""
    name = text_in(table, "name") or f"loop{number}"
    where = f"loop {name!r}"
    try:
        check_keys(table, KEYS, where)
        ends = [_frame(table.get(end), f"{name}_{end}", frames) for end in ("first", "second")]
        length = expression(table["length"]) if "length" in table else None
        return Loop(name, (ends[0], ends[1]), text_in(table, "type") or "revolute", length)
    except QddotError as error:
        raise (error if error.where.startswith(where) else error.at(where)) from None


def _frame(data: Any, name: str, frames: list[Body]) -> str:
    """Returns the name of the body with the frame that a table {link, xyz, rpy} describes; that may be the link."""
    table = checked_table({} if data is None else data, name)
    check_keys(table, FRAME_KEYS, name)
    link = text_in(table, "link") or BASE
    angles = [angle(value) for value in listed(table.get("rpy", (0, 0, 0)), "rpy")]
    placement = pose(vector(table.get("xyz", (0, 0, 0)), "xyz"), angles)
    if placement == Pose.identity() and link != BASE:
        return link
    frames.append(Body(name, Joint("fixed", link, placement=placement)))
    return name
