"""Reads files that are opened in the page, and makes robots from the descriptions that are edited in it.

The page holds a robot as the content of a robot file, as plain data. It can also hold an impossible description, so
that mistakes can be corrected in place.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import lru_cache
from typing import Any

from qddot.algebra.expressions.parser import expression
from qddot.algebra.expressions.signs import correction
from qddot.base.errors import ClosedChainError, FormatError, QddotError, check_one_of
from qddot.base.words.message import Either, say
from qddot.faces.robot import Robot
from qddot.formats import registry
from qddot.formats.finding import LARGEST_FILE, doubts, load
from qddot.formats.toml import robot_file, toml_tables
from qddot.formats.toml.toml_text import TEXT_KEYS, written
from qddot.formats.xml import elements as xml
from qddot.robot import left_out
from qddot.robot.joints.refused import refuse_other_kinds
from qddot.robot.model import Model
from qddot.robot.own_texts import ZOO

KEPT = 4  # robots whose equations are kept
LARGEST_INTEGER = 2**53  # the largest integer that a browser's numbers hold exactly
NO_EXPRESSIONS = (*(TEXT_KEYS - {"link"}), "driven", "partial_inertia", "equations", "left_out")

UNDECLARED = {
    "symbols-undeclared": "names",
    "two-coordinates-in-row": "sliding",
}  # codes of errors, each with the slot of the symbol

Path = tuple[str | int, ...]
Description = Mapping[str, Any]


def read(text: str, name: str) -> tuple[dict[str, Any], list[str]]:
    """Returns the description in a text of a format that needs no other file, and notes of likely mistakes in XML.

    name: what errors call the text
    raises FormatError: another format, or a text that is too long; QddotError: a robot that the page cannot show
    """
    if len(text.encode()) > (xml.LARGEST if text.lstrip().startswith("<") else LARGEST_FILE):
        raise FormatError("characters-most-mb-mb", where=name, count=f"{len(text):,}")
    if not text.lstrip("\ufeff \t\r\n").startswith("<"):
        description = _of_toml(text.lstrip("\ufeff"), name)
        _refuse(description)
        return description, []
    root = xml.parse(text.lstrip("\ufeff"), name)
    form = registry.of_root(root.tag, root.where)
    if form.loads is None:
        formats = Either(each.title for each in registry.FORMATS if each.loads)
        raise FormatError("format-not-in-page", where=name, title=form.title, formats=formats)
    model = form.loads(text.lstrip("\ufeff"), name)
    left_out.refuse(model.left_out, (), name)
    check_shown(model)
    return robot_file.to_mapping(model), doubts(model.notes)


def _refuse(description: Description) -> None:
    """Raises the error for a robot that the page cannot show; mistakes that can be corrected in its cells are left."""
    try:
        model = robot_of(description).model
    except ClosedChainError:
        raise
    except QddotError:
        return
    check_shown(model)


def check_shown(model: Model) -> None:
    """Raises ModelError for a robot with quasi-velocities, which the page does not show."""
    refuse_other_kinds(model, say("this-page"), remedy=say("derive-on-own-machine"))


def _of_toml(text: str, name: str) -> dict[str, Any]:
    data = toml_tables.read(text, name)
    if not isinstance(data.get("link"), list):
        robot_file.from_mapping(data, name)
    plain: dict[str, Any] = _plain(data)
    return plain


def _plain(value: Any) -> Any:
    """Returns the same data; numbers other than short integers become texts, so that JSON keeps all digits."""
    if isinstance(value, Mapping):
        return {key: _plain(part) for key, part in value.items()}
    if isinstance(value, list):
        return [_plain(part) for part in value]
    return value if isinstance(value, str) or (isinstance(value, int) and abs(value) < LARGEST_INTEGER) else str(value)


def shipped(name: str) -> dict[str, Any]:
    """Returns a robot of the zoo as its own file describes it. raises FormatError: no such robot"""
    load(name)
    return _of_toml((ZOO / f"{name}.toml").read_text(encoding="utf-8"), name)


def robot_of(description: Description, notation: str = "") -> Robot:
    """Returns the robot of a description; the last ones are kept with their equations.

    notation: that in which its equations are written, "" for our letters
    raises QddotError: the description is impossible, or there is no such notation
    """
    return _robot_of_text(json.dumps(description), notation)


@lru_cache(KEPT)
def _robot_of_text(text: str, notation: str) -> Robot:
    description = json.loads(text)
    name = description.get("name")
    model = robot_file.from_mapping(description, name if isinstance(name, str) and name else "robot")
    return Robot(model).with_notation(notation)


def forget() -> None:
    """Forgets the robots that are kept."""
    _robot_of_text.cache_clear()


def file_of(description: Description, form: str) -> tuple[str, str]:
    """Returns the name and the text of a file in a format of `qddot convert`, or in its present form ("as it is")."""
    model = robot_of(description).model
    if form == "as it is":
        return f"{model.name}.toml", written(description, model.notes)
    choices = registry.choices()
    check_one_of(form, choices, say("a-format"), FormatError)
    return f"{model.name}{choices[form].suffixes[0]}", choices[form].write[form](model)


def converted(description: Description, convention: str) -> dict[str, Any]:
    """Returns the same arm in another convention of the robot file."""
    name, text = file_of(description, convention)
    return _of_toml(text, name)


def place_of(description: Description, error: QddotError) -> Path:
    """Returns the path of the cell that an error is about, as exactly as possible, else an empty path."""
    for path, value in _cells(description):
        try:
            expression(value)
        except QddotError:
            return path
    for k, link in enumerate(description.get("link", ())):
        name = link.get("name") or f"link{k + 1}"
        if f"link {name!r}" in error.where:
            return ("link", k)
    named = (("symbols", name) for name in description.get("symbols", ()) if f"symbol {name!r}" in error.where)
    return next(named, ())


def correction_at(description: Description, place: Path) -> str:
    """Returns the probable correction of the cell with a mistake, or ""."""
    value: Any = description
    for key in place:
        value = value[key]
    if not place or not isinstance(value, str):
        return ""
    return correction(value, description.get("symbols", ()))


def undeclared_in(description: Description, error: QddotError) -> str:
    """Returns the symbol that is used and not declared according to an error, or "".

    It is none if it is the coordinate of a joint, which would no longer move if it were declared.
    """
    # in the row of a revolute joint an undeclared name in d is read as a second coordinate
    slots = error.message.slots
    name = str(slots.get(UNDECLARED.get(error.code, ""), "")) if slots.get("count", 1) == 1 else ""
    return "" if name in _angles_of_joints(description) else name


def _angles_of_joints(description: Description) -> set[str]:
    """Returns the names in the angles θ of Denavit–Hartenberg rows, which are coordinates unless they are declared."""
    rows = [row for link in description.get("link", ()) for row in (link.get("dh"), link.get("mdh")) if row]
    names = set[str]()
    for row in rows:
        with suppress(QddotError):
            names |= expression(row.get("theta", 0)).symbols()
    return names


def _cells(value: Any, path: Path = ()) -> Iterator[tuple[Path, str]]:
    """Yields the path and the text of every cell that has to be an expression."""
    if isinstance(value, Mapping):
        for key, part in value.items():
            if key not in NO_EXPRESSIONS:
                yield from _cells(part, (*path, key))
    elif isinstance(value, list):
        for k, part in enumerate(value):
            yield from _cells(part, (*path, k))
    elif isinstance(value, str | int) and not isinstance(value, bool):
        yield path, str(value)
