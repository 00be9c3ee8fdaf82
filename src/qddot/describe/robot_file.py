"""The robot file: the TOML description of docs/robot-file.md, read and written.

Reading goes through plain mappings, so that the Python constructors and saved equations take the same
path and the same checks. In the tree convention every model can be written.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import Any

from qddot.describe import dh, entries, screws
from qddot.describe.dh import Geometry
from qddot.describe.dh_table import text
from qddot.describe.rotations import pose_from_matrix, rotation, snapped
from qddot.describe.tables import pose_table, tables
from qddot.errors import FormatError, QddotError, did_you_mean, is_one_of, shortened
from qddot.expressions.names import rate_name
from qddot.expressions.parser import angle, expression
from qddot.model import tensors
from qddot.model.axes import nearly_unit
from qddot.model.bodies import (
    BASE,
    Armature,
    Body,
    Coulomb,
    Effect,
    Joint,
    Spring,
    Viscous,
    listed,
    mass_properties,
    pose,
    simplified,
    vector,
)
from qddot.model.explicit import ExplicitEquations
from qddot.model.model import Model
from qddot.spatial import Pose

CONVENTIONS = ("dh", "mdh", "screws", "body_screws", "tree")
MOST_LINKS = 500
SAID_OF_IT = ("name", "title", "source", "gravity", "convention", "coordinates", "symbols")
TOP_KEYS = (*SAID_OF_IT, "base", "link", "tool", "equations")
EFFECT_KEYS = ("damping", "coulomb", "armature", "spring", "limits")
MASS_KEYS = ("name", "mass", "com", "first_moment", "inertia", "partial_inertia")
LINK_KEYS = {
    "dh": (*MASS_KEYS, "dh", "joint"),
    "mdh": (*MASS_KEYS, "mdh", "joint"),
    "screws": (*MASS_KEYS, "parent", "screw", "home", "joint"),
    "body_screws": (*MASS_KEYS, "parent", "screw", "home", "joint"),
    "tree": (*MASS_KEYS, "parent", "frame", "joint"),
}
TREE_JOINT_KEYS = ("name", "type", "axis", "xyz", "rpy", "rotation", "coordinate", "ratio", *EFFECT_KEYS)
TENSOR_KEYS = ("xx", "xy", "xz", "yy", "yz", "zz")


def loads(text: str, where: str) -> Model:
    """The model that a robot file's text describes; decimals are read exactly."""
    if not text.strip():
        raise FormatError("the file is empty", where=where, expected="a robot file with [[link]] tables")
    try:
        data = tomllib.loads(text, parse_float=decimal)
    except (tomllib.TOMLDecodeError, ValueError, RecursionError) as error:
        raise FormatError(f"no valid TOML: {shortened(str(error), 200)}", where=where) from None
    return from_mapping(data, where)


def decimal(text: str) -> Decimal | str:
    """A float of TOML; as the text that it is where its exponent is beyond all decimals, to be refused in its place."""
    try:
        return Decimal(text)
    except InvalidOperation:
        return text


def from_mapping(data: Mapping[str, Any], where: str) -> Model:
    """The model of a robot file's content as plain mappings and lists."""
    try:
        return _Reader(_mapping(data, "the robot")).model()
    except QddotError as error:
        raise error.at(where) from None


class _Reader:
    """One robot file on its way to a Model; keeps the notes of what was changed."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        _check_keys(data, TOP_KEYS, "the file")
        self.data = data
        self.notes: list[str] = []
        self.convention = data.get("convention")
        if self.convention not in CONVENTIONS:
            found = "missing" if self.convention is None else shortened(self.convention)
            raise FormatError(f"convention is {found}", expected=", ".join(CONVENTIONS))
        if "base" in data and self.convention not in dh.ROWS:
            raise FormatError("[base] stands before the first row", expected="convention dh or mdh")
        self.symbols = _mapping(data.get("symbols", {}), "symbols")
        self.declared = set(self.symbols)
        self.homes: dict[str, Pose] = {BASE: Pose.identity()}
        self.seen_from = Pose.identity()

    def model(self) -> Model:
        links = self.data.get("link")
        if not isinstance(links, Sequence) or isinstance(links, str) or not links:
            hint = "write [[link]], not [link]" if isinstance(links, Mapping) else ""
            raise FormatError("no links", expected="at least one [[link]] table", remedy=hint)
        if len(links) > MOST_LINKS:
            raise FormatError(f"{len(links)} links", expected=f"at most {MOST_LINKS}")
        tool, tool_body = self._tool()
        if self.convention == "body_screws":
            self.seen_from = self._tool_home(links, tool, tool_body)
        bodies, previous = [], BASE
        for number, link in enumerate(links, 1):
            bodies.append(self._body(link, number, previous))
            previous = bodies[-1].name
        return Model(
            name=_text(self.data, "name") or "robot",
            bodies=tuple(bodies),
            gravity=vector(self.data.get("gravity", (0, 0, "-g")), "gravity"),
            symbols=self.symbols,
            coordinates=self._coordinates(),
            tool=tool,
            tool_body=tool_body,
            title=_text(self.data, "title"),
            source=_text(self.data, "source"),
            notes=tuple(self.notes),
            explicit=self._equations(bodies),
        )

    def _equations(self, bodies: Sequence[Body]) -> ExplicitEquations | None:
        if "equations" not in self.data:
            return None
        leading = [body.joint for body in bodies if body.joint.leads]
        coordinates = {joint.coordinate or f"q{k}" for k, joint in enumerate(leading, 1)}
        taken = self.declared | coordinates | {rate_name(q, dots) for q in coordinates for dots in (1, 2)} | {"g"}
        return entries.read(_mapping(self.data["equations"], "equations"), len(leading), taken)

    def _coordinates(self) -> tuple[str, ...]:
        names = listed(self.data.get("coordinates", ()), "coordinates")
        if not all(isinstance(name, str) for name in names):
            raise FormatError(f"coordinates {shortened(names)}", expected="names of joints' coordinates")
        return tuple(names)

    def _body(self, link: Any, number: int, previous: str) -> Body:
        link = _mapping(link, f"link {number}")
        name = _text(link, "name") or f"link{number}"
        where = f"link {name!r}"
        try:
            _check_keys(link, LINK_KEYS[str(self.convention)], where)
            geometry, parent = self._geometry(link, previous, where)
            table = _mapping(link.get("joint", {}), "joint")
            joint = Joint(
                type=geometry.type,
                parent=parent,
                axis=geometry.axis,
                placement=geometry.placement,
                offset=geometry.offset,
                coordinate=geometry.coordinate,
                limits=table.get("limits"),
                effects=tuple(_effects(table)),
                name=_text(table, "name"),
                ratio=_ratio(table),
            )
            self.notes += geometry.notes
            if joint.axis != geometry.axis:
                self.notes.append(f"{where}: {nearly_unit(geometry.axis)[1]}")
            inertia, com = _mass(link)
            partial = link.get("partial_inertia", False)
            if not isinstance(partial, bool):
                raise FormatError(f"partial_inertia is {shortened(partial)}", expected="true or false")
            return Body(name, joint, inertia, com, partial)
        except QddotError as error:
            raise (error if error.where.startswith(where) else error.at(where)) from None

    def _geometry(self, link: Mapping[str, Any], previous: str, where: str) -> tuple[Geometry, str]:
        joint = _mapping(link.get("joint", {}), "joint")
        if self.convention == "tree":
            return self._tree_joint(link, joint, where), str(link.get("parent", BASE))
        is_screw = self.convention in ("screws", "body_screws")
        _check_keys(joint, ("name", *EFFECT_KEYS, *(("coordinate",) if is_screw else ())), "joint")
        if is_screw:
            parent = str(link.get("parent", previous))
            return self._screw_joint(link, parent, where), parent
        row = dh.ROWS[str(self.convention)](link.get(str(self.convention), {}), self.declared, where)
        if previous == BASE:
            row = replace(row, placement=simplified(self._base() @ row.placement))
        return row, previous

    def _screw_joint(self, link: Mapping[str, Any], parent: str, where: str) -> Geometry:
        if "screw" not in link or "home" not in link:
            raise FormatError("the link lacks its screw or its home", where=where, expected="both")
        if parent not in self.homes:
            raise FormatError(f"parent {parent!r} does not stand above", remedy=did_you_mean(parent, self.homes))
        home = self._pose(link["home"], where)
        self.homes[str(link.get("name") or f"link{len(self.homes)}")] = home
        made = screws.joint(link["screw"], home, self.homes[parent], where, self.seen_from)
        return replace(made, coordinate=_text(_mapping(link.get("joint", {}), "joint"), "coordinate") or None)

    def _tool_home(self, links: Sequence[Any], tool: Pose, body: str) -> Pose:
        """The tool's frame at q = 0."""
        named = [(_mapping(link, "a link").get("name") or f"link{k}", link) for k, link in enumerate(links, 1)]
        name, link = next(((name, link) for name, link in named if name == body), named[-1])
        if "home" not in link:
            raise FormatError("the link lacks its home", where=f"link {shortened(str(name))}")
        return simplified(self._pose(link["home"], f"link {name!r}") @ tool)

    def _base(self) -> Pose:
        """What stands before the first row."""
        return self._pose(_mapping(self.data.get("base", {}), "base"), "base")

    def _tree_joint(self, link: Mapping[str, Any], joint: Mapping[str, Any], where: str) -> Geometry:
        _check_keys(joint, TREE_JOINT_KEYS, "joint")
        if "type" not in joint:
            raise FormatError("the joint has no type", expected="revolute, continuous, prismatic or fixed")
        standing = {key: joint[key] for key in ("xyz", "rpy", "rotation") if key in joint}
        return Geometry(
            type=str(joint["type"]),
            coordinate=_text(joint, "coordinate") or None,
            axis=vector(joint.get("axis", (0, 0, 1)), "axis"),
            placement=self._pose(standing, where),
            offset=self._pose(link.get("frame", {}), where),
            notes=(),
        )

    def _pose(self, given: Any, where: str) -> Pose:
        """A pose from {xyz, rpy}, {xyz, rotation} or a 4×4 matrix."""
        if not isinstance(given, Mapping):
            placed, note = pose_from_matrix(listed(given, "a pose"))
            self.notes += [f"{where}: {note}"] if note else []
            return placed
        _check_keys(given, ("xyz", "rpy", "rotation"), "pose")
        if "rotation" in given and "rpy" in given:
            raise FormatError("both rpy and rotation are given", expected="one of them")
        position = vector(given.get("xyz", (0, 0, 0)), "xyz")
        if "rotation" in given:
            R, note = rotation(listed(given["rotation"], "rotation"))
            self.notes += [f"{where}: {note}"] if note else []
            return Pose(R, position)
        angles = []
        for value in listed(given.get("rpy", (0, 0, 0)), "rpy"):
            neat, note = snapped(angle(value))
            self.notes += [f"{where}: {note}"] if note else []
            angles.append(neat)
        return pose(position, angles)

    def _tool(self) -> tuple[Pose, str]:
        tool = dict(_mapping(self.data.get("tool", {}), "tool"))
        body = str(tool.pop("body", ""))
        if "pose" in tool:
            return self._pose(tool["pose"], "tool"), body
        return self._pose(tool, "tool"), body


def _mass(link: Mapping[str, Any]) -> tuple[Any, Any]:
    tensor = link.get("inertia")
    if tensor is None:
        about = "com" if link.get("first_moment") is None else "origin"
        return mass_properties(link.get("mass", 0), link.get("com"), link.get("first_moment"), about)
    if isinstance(tensor, list | tuple) or hasattr(tensor, "tolist"):
        # three rows without a word are meant as in URDF and MJCF
        tensor = {"about": "com", "matrix": tensor}
    tensor = _mapping(tensor, "inertia")
    _check_keys(tensor, ("about", "products", "matrix", *TENSOR_KEYS), "inertia")
    if "about" not in tensor:
        raise FormatError("the inertia does not say about which point", expected='about = "com", "origin" or "pseudo"')
    products = tensor.get("products", "tensor")
    if products not in ("tensor", "positive"):
        raise FormatError(f"products {shortened(products)}", expected='"tensor" (Ixy = −∫xy dm) or "positive"')
    six = _tensor_entries(tensor)
    if products == "positive":
        six.update({key: -vector((six[key], 0, 0)).x for key in ("xy", "xz", "yz")})
    return mass_properties(
        link.get("mass", 0),
        link.get("com"),
        link.get("first_moment"),
        str(tensor["about"]),
        tuple(six.values()),
    )


def _tensor_entries(tensor: Mapping[str, Any]) -> dict[str, Any]:
    """xx, xy … of a table that has them, or a matrix."""
    if "matrix" not in tensor:
        return {key: tensor.get(key, 0) for key in TENSOR_KEYS}
    for key in TENSOR_KEYS:
        if key in tensor:
            raise FormatError(f"both a matrix and {key}", where="inertia", expected="one of them")
    return dict(zip(TENSOR_KEYS, tensors.entries(tensor["matrix"]), strict=True))


def _ratio(joint: Mapping[str, Any]) -> Fraction | None:
    if "ratio" not in joint:
        return None
    ratio = expression(joint["ratio"]).rational
    if ratio is None:
        raise FormatError(f"ratio is {shortened(joint['ratio'])}", expected="a number")
    return ratio


def _effects(joint: Mapping[str, Any]) -> Iterable[Effect]:
    kinds: dict[str, Callable[[Any], Effect]] = {"damping": Viscous, "coulomb": Coulomb, "armature": Armature}
    for key, kind in kinds.items():
        if joint.get(key, 0) != 0:
            yield kind(joint[key])
    if "spring" in joint:
        spring = _mapping(joint["spring"], "spring")
        _check_keys(spring, ("stiffness", "rest"), "spring")
        if "stiffness" not in spring:
            raise FormatError("the spring has no stiffness", expected="stiffness, and rest if it is not 0")
        yield Spring(spring["stiffness"], spring.get("rest", 0))


def _mapping(value: Any, what: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise FormatError(f"{what} is {shortened(value)}", expected="a table of keys and values")
    return value


def _text(table: Mapping[str, Any], key: str) -> str:
    value = table.get(key, "")
    if not isinstance(value, str):
        raise FormatError(f"{key} is {shortened(value)}", expected="a text")
    return value


def _check_keys(table: Mapping[str, Any], known: Sequence[str], where: str) -> None:
    for key in table:
        if key not in known:
            raise FormatError(f"unknown key {shortened(str(key))} in {where}", remedy=did_you_mean(str(key), known))


def to_mapping(model: Model, convention: str = "tree") -> dict[str, Any]:
    """A model as the content of a robot file.

    raises FormatError where its links' frames are not those of the convention; every model is a tree
    """
    if not is_one_of(convention, CONVENTIONS):
        raise FormatError(f"convention is {shortened(convention)}", expected=", ".join(CONVENTIONS))
    top, geometry = tables(model, convention)
    mapping: dict[str, Any] = {"name": model.name}
    mapping.update({key: getattr(model, key) for key in ("title", "source") if getattr(model, key)})
    mapping["convention"] = convention
    mapping["gravity"] = [text(entry) for entry in model.gravity]
    mapping["coordinates"] = list(model.coordinates)
    mapping["symbols"] = {name: _symbol_table(symbol) for name, symbol in model.symbols.items()}
    mapping.update(top)
    mapping["link"] = [_link_table(body, table) for body, table in zip(model.bodies, geometry, strict=True)]
    mapping["tool"] = {"body": model.tool_body, **pose_table(model.tool)}
    if model.explicit is not None:
        mapping["equations"] = entries.table(model.explicit)
    return mapping


def dumps(model: Model, convention: str = "tree") -> str:
    """A model as the text of a robot file, its notes as comments."""
    from qddot.describe.toml_text import written

    return written(to_mapping(model, convention), model.notes)


def _symbol_table(symbol: Any) -> dict[str, str]:
    numbers = {key: getattr(symbol, key) for key in ("value", "tolerance")}
    table = {key: text(number) for key, number in numbers.items() if number is not None}
    table.update({key: getattr(symbol, key) for key in ("unit", "meaning") if getattr(symbol, key)})
    return table


def _link_table(body: Body, geometry: dict[str, Any]) -> dict[str, Any]:
    joint, inertia = body.joint, body.inertia
    table: dict[str, Any] = {"name": body.name, **geometry, "mass": text(inertia.m)}
    if body.com is not None:
        table["com"] = [text(entry) for entry in body.com]
    else:
        table["first_moment"] = [text(entry) for entry in inertia.h]
    table["inertia"] = _inertia_table(body)
    if body.partial_inertia:
        table["partial_inertia"] = True
    acts: dict[str, Any] = {"name": joint.name} if joint.name else {}
    acts |= _effect_table(joint)
    if joint.limits:
        acts["limits"] = [text(limit) for limit in joint.limits]
    if acts or "joint" in geometry:
        table["joint"] = {**geometry.get("joint", {}), **acts}
    return table


def _inertia_table(body: Body) -> dict[str, str]:
    """About the centre of mass where that is known and shorter, else about the origin; zeros left out."""
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
    for effect in joint.effects:
        if isinstance(effect, Viscous):
            table["damping"] = text(effect.coefficient)
        elif isinstance(effect, Coulomb):
            table["coulomb"] = text(effect.coefficient)
        elif isinstance(effect, Armature):
            table["armature"] = text(effect.inertia)
        else:
            table["spring"] = {"stiffness": text(effect.stiffness), "rest": text(effect.rest)}
    return table
