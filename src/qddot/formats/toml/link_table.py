"""Reads and writes the mass, the inertia and the joint effects in a [[link]] table of the robot file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Any

from qddot.algebra.expressions.expression import Expression
from qddot.algebra.expressions.parser import expression
from qddot.algebra.spatial import Vec3
from qddot.base.errors import FormatError, ModelError, Where, did_you_mean, shortened
from qddot.base.words.message import Words, say
from qddot.formats.rows.dh import text
from qddot.robot import tensors
from qddot.robot.bodies import OF_MOTORS, Body, Joint
from qddot.robot.effects.effect import Effect
from qddot.robot.effects.kinds import KINDS
from qddot.robot.notes import note, noted
from qddot.robot.placements import listed, vector

NOT_POSITIVE = dict(zip(OF_MOTORS, ("effort-not-positive", "velocity-not-positive"), strict=True))
EFFECT_KEYS = (*KINDS, "limits", *OF_MOTORS)
TENSOR_KEYS = ("xx", "xy", "xz", "yy", "yz", "zz")
PSEUDO = 4  # rows of a whole pseudo-inertia


def link_body(name: str, joint: Joint, link: Mapping[str, Any], notes: list[str]) -> Body:
    """Returns the body of a link on its joint; notes of what is taken for granted are added."""
    partial = link.get("partial_inertia", False)
    if not isinstance(partial, bool):
        raise FormatError("partial-inertia-wrong", value=shortened(partial))
    changes: list[str] = []
    body = Body.of(name, joint, partial, **_mass(link, changes))
    if body.inertia.m != 0 and not {"com", "first_moment"} & set(link) and body.com == Vec3.zero():
        changes.append(note("no-centre-given"))
    notes += [noted(f"link {name!r}", change) for change in changes]
    return body


def inertial(link: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """Returns the arguments of `mass_properties` for `mass`, `com` and `inertia` of a link, and notes of changes."""
    changes: list[str] = []
    return _mass(link, changes), changes


def _mass(link: Mapping[str, Any], notes: list[str]) -> dict[str, Any]:
    """Returns the arguments of `mass_properties`; without an inertia the link is a point mass."""
    moments = {"mass": link.get("mass", 0), "com": link.get("com"), "first_moment": link.get("first_moment")}
    tensor = link.get("inertia")
    if tensor is None:
        return {**moments, "about": "com" if moments["first_moment"] is None else "origin"}
    if isinstance(tensor, list | tuple) or hasattr(tensor, "tolist"):
        # a bare matrix is about the centre of mass, as in URDF and MJCF
        tensor = {"about": "com", "matrix": tensor}
    if hasattr(tensor, "of_link"):
        return {**moments, "inertia": tensor}
    tensor = checked_table(tensor, "inertia")
    if tensor.get("about") == "pseudo" and len(listed(tensor.get("matrix", ()), "matrix")) == PSEUDO:
        return _mass(_parted(link, tensor), notes)
    if {"shape", "shapes"} & set(tensor):
        from qddot.formats.toml.shape_tables import shapes

        return {**moments, "inertia": shapes(tensor, notes)}
    check_keys(tensor, ("about", "products", "matrix", *TENSOR_KEYS), "inertia")
    if "about" not in tensor:
        raise FormatError("inertia-about-missing")
    products = tensor.get("products", "tensor")
    if products not in ("tensor", "positive"):
        raise FormatError("products-wrong", products=shortened(products))
    six = _tensor_entries(tensor)
    if products == "positive":
        six.update({key: -vector((six[key], 0, 0)).x for key in ("xy", "xz", "yz")})
    return {**moments, "about": str(tensor["about"]), "inertia": tuple(six.values())}


def _parted(link: Mapping[str, Any], tensor: Mapping[str, Any]) -> dict[str, Any]:
    """Returns a link in which a whole pseudo-inertia ∫p pᵀ dm, p = (x, y, z, 1), is mass, first and second moments."""
    if given := {"mass", "com", "first_moment"} & set(link):
        raise FormatError("pseudo-inertia-beside", given=sorted(given)[0])
    rows = [listed(row, say("row-of-matrix")) for row in listed(tensor["matrix"], "matrix")]
    if any(len(row) != PSEUDO for row in rows):
        raise FormatError("pseudo-inertia-not-four", value=shortened(tensor["matrix"]))
    last = [row[3] for row in rows]
    if any(expression(a) != expression(b) for a, b in zip(last, rows[3], strict=True)):
        raise FormatError("pseudo-inertia-asymmetric")
    second = {**tensor, "matrix": [row[:3] for row in rows[:3]]}
    return {**link, "mass": last[3], "first_moment": last[:3], "inertia": second}


def _tensor_entries(tensor: Mapping[str, Any]) -> dict[str, Any]:
    """Returns xx, xy … of a table, which lists them one by one or as a matrix."""
    if "matrix" not in tensor:
        return {key: tensor.get(key, 0) for key in TENSOR_KEYS}
    for key in TENSOR_KEYS:
        if key in tensor:
            raise FormatError("inertia-given-twice", where="inertia", key=key)
    return dict(zip(TENSOR_KEYS, tensors.entries(tensor["matrix"]), strict=True))


def ratio_of(joint: Mapping[str, Any]) -> Expression | None:
    """Returns the joint's motion per unit of its coordinate, or None if it does not follow another joint."""
    return expression(joint["ratio"]) if "ratio" in joint else None


def of_motor(joint: Mapping[str, Any]) -> dict[str, float]:
    """Returns the largest torque or force of the joint's motor and its largest rate, those that the table gives."""
    limits = {name: expression(joint[name]) for name in OF_MOTORS if name in joint}
    for name, limit in limits.items():
        if limit.symbols() or limit.value({}) <= 0:
            raise FormatError(NOT_POSITIVE[name], **{name: shortened(joint[name])})
    return {name: limit.value({}) for name, limit in limits.items()}


def effects(joint: Mapping[str, Any]) -> Iterable[Effect]:
    """Yields the effects in the joint. Those of one number are numbers, others tables; later numbers may be missing."""
    for key, kind in KINDS.items():
        names = kind.names()
        if len(names) == 1 and not kind.second:
            if joint.get(key, 0) != 0:
                yield kind(joint[key])  # type: ignore[call-arg]
        elif key in joint:
            table = checked_table(joint[key], key)
            check_keys(table, (*names, *filter(None, (kind.second,))), key)
            if not {names[0], *kind.positive} <= set(table):
                raise FormatError(kind.incomplete)
            yield kind(**{name: table.get(name, 0) for name in names}, **_second(kind, table))


def _second(kind: type[Effect], table: Mapping[str, Any]) -> dict[str, str]:
    """Returns the second coordinate of an effect between two. raises FormatError: there is none"""
    if not kind.second:
        return {}
    name = text_in(table, kind.second)
    if not name:
        raise FormatError("effect-without-second", kind=kind.key, key=kind.second)
    return {kind.second: name}


def checked_table(value: Any, what: Words) -> Mapping[str, Any]:
    """Returns the value if it is a table; raises FormatError otherwise."""
    if not isinstance(value, Mapping):
        raise FormatError("not-table", what=what, value=shortened(value))
    return value


def text_in(table: Mapping[str, Any], key: str) -> str:
    """Returns the text under a key, or "" if there is none; raises FormatError if the value is not a text."""
    value = table.get(key, "")
    if not isinstance(value, str):
        raise FormatError("key-not-text", key=key, value=shortened(value))
    return value


def check_keys(table: Mapping[str, Any], allowed: Sequence[str], where: Words) -> None:
    """Raises FormatError for a key that is not allowed."""
    for key in table:
        if key not in allowed:
            raise FormatError(
                "unknown-key", key=shortened(str(key)), place=Where(where), remedy=did_you_mean(str(key), allowed)
            )


def link_table(body: Body, geometry: dict[str, Any]) -> dict[str, Any]:
    """Returns the whole [[link]] table of a body; `geometry` is the part that places it."""
    joint, inertia = body.joint, body.inertia
    table: dict[str, Any] = {"name": body.name, **geometry, "mass": text(inertia.m)}
    if body.com is not None:
        table["com"] = [text(entry) for entry in body.com]
    elif body.shapes is None:
        table["first_moment"] = [text(entry) for entry in inertia.h]
    table["inertia"] = _inertia_table(body)
    if body.partial_inertia:
        table["partial_inertia"] = True
    own = {**({"name": joint.name} if joint.name else {}), **acts(joint)}
    if own or "joint" in geometry:
        table["joint"] = {**geometry.get("joint", {}), **own}
    return table


def acts(joint: Joint) -> dict[str, Any]:
    """Returns the effects in a joint, its limits and those of its motor, as they stand in its table."""
    table = _effect_table(joint)
    if joint.limits:
        table["limits"] = [text(limit) for limit in joint.limits]
    for name in OF_MOTORS:
        if (limit := getattr(joint, name)) is not None:
            table[name] = text(expression(limit))
    return table


def _inertia_table(body: Body) -> dict[str, Any]:
    """Returns the shapes, or the tensor about the centre of mass if that is known and gives shorter entries, else that
    about the origin, without zero entries.
    """
    if body.shapes is not None:
        from qddot.formats.toml.shape_tables import shape_table

        return shape_table(body.shapes, body.com)
    choices = {"origin": body.inertia.I}
    if body.com is not None:
        choices["com"] = body.inertia.central_tensor(body.com)
    tables = [
        {"about": about, **{key: text(entry) for key, entry in zip(TENSOR_KEYS, tensor, strict=True) if entry != 0}}
        for about, tensor in choices.items()
    ]
    return min(tables, key=lambda table: len(str(table)))


def _effect_table(joint: Joint) -> dict[str, Any]:
    table: dict[str, Any] = {}
    for key, effects in groupby(sorted(joint.effects, key=attrgetter("key")), key=attrgetter("key")):
        first, *others = effects
        if others and not first.linear:
            raise ModelError("effects-kind", where=f"joint {joint.name!r}", count=1 + len(others), kind=key)
        totals = {name: sum((each.numbers[name] for each in others), own) for name, own in first.numbers.items()}
        numbers = {name: text(total) for name, total in totals.items()}
        numbers |= {first.second: getattr(first, first.second)} if first.second else {}
        table[key] = numbers if len(numbers) > 1 else next(iter(numbers.values()))
    return table
