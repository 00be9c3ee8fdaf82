"""Reads and writes the robot file: the TOML description of docs/reference/robot-file.md.

It is read by way of plain mappings, so that the Python constructors and saved equations pass the same checks. Every
model can be written in the tree convention.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from qddot.algebra.expressions.names import fresh, rate_name
from qddot.algebra.freedoms import FREE, SPHERICAL
from qddot.algebra.spatial import Pose
from qddot.base.errors import (
    ClosedChainError,
    FormatError,
    QddotError,
    check_one_of,
    did_you_mean,
    located,
    shortened,
)
from qddot.base.words.message import Listed, Message, say
from qddot.formats.rows import dh
from qddot.formats.rows.dh import Geometry, text
from qddot.formats.shared.rotations import placed, pose_from_matrix
from qddot.formats.toml import compound_tables, lagrange_table, symbolic_links, toml_tables
from qddot.formats.toml.link_table import (
    EFFECT_KEYS,
    check_keys,
    checked_table,
    effects,
    link_body,
    link_table,
    of_motor,
    ratio_of,
    text_in,
)
from qddot.formats.toml.symbolic_links import PARAMETERS
from qddot.formats.toml.tables import motor_tables, pose_table, rotor_tables, tables
from qddot.robot import left_out
from qddot.robot.axes import nearly_unit
from qddot.robot.bodies import BASE, COMPOUNDS, JOINT_TYPES, Body, Joint
from qddot.robot.elastic import driven_by_motors, motor
from qddot.robot.left_out import OPENS_LOOPS
from qddot.robot.model import Model
from qddot.robot.notes import note, noted
from qddot.robot.placements import listed, pose, simplified, vector
from qddot.robot.rotors import rotor
from qddot.robot.symbol_tables import symbol_table

if TYPE_CHECKING:
    from qddot.robot.explicit import ExplicitEquations

CONVENTIONS = ("dh", "mdh", "screws", "body_screws", "tree")
MOST_LINKS = 500
LEFT_OUT = "left_out"
PREVIOUS = "previous"  # as a parent, the link before in the file
MODEL_KEYS = ("name", "title", "source", "gravity", "convention", "coordinates", "driven", "symbols", LEFT_OUT)
ROTORS, MOTORS = "rotor", "motor"
ROTOR_KEYS = ("name", "carrier", "ratios", "inertia", "axis", "xyz")
MOTOR_KEYS = ("name", "coordinate", "type", "carrier", "axis", "xyz", *EFFECT_KEYS)
TOP_KEYS = (*MODEL_KEYS, PARAMETERS, "base", "link", ROTORS, MOTORS, "tool", "equations")
MASS_KEYS = ("name", "mass", "com", "first_moment", "inertia", "partial_inertia")
LINK_KEYS = {
    "dh": (*MASS_KEYS, "dh", "joint"),
    "mdh": (*MASS_KEYS, "mdh", "joint"),
    "screws": (*MASS_KEYS, "parent", "screw", "home", "joint"),
    "body_screws": (*MASS_KEYS, "parent", "screw", "home", "joint"),
    "tree": (*MASS_KEYS, "parent", "frame", "joint"),
}
FREEDOM_KEYS = {
    SPHERICAL: (*compound_tables.PLACE_KEYS, "coordinate", "damping", "armature"),
    FREE: (*compound_tables.PLACE_KEYS, "coordinate", "damping"),
}
POSE_KEYS = ("xyz", "rpy", "rotation")
TREE_JOINT_KEYS = ("name", "type", "axis", *POSE_KEYS, "coordinate", "ratio", "part_of", *EFFECT_KEYS)


def loads(text: str, where: str) -> Model:
    """Returns the model that a robot file's text describes; decimals are read exactly.

    raises FormatError: the TOML or its content is invalid; other QddotErrors also name the place in the file
    """
    if not text.strip():
        raise FormatError("file-empty", where=where)
    return from_mapping(toml_tables.read(text, where), where)


def from_mapping(data: Mapping[str, Any], where: str) -> Model:
    """Returns the model of a robot file's content, given as plain mappings and lists."""
    try:
        table = checked_table(data, say("the-robot"))
        if lagrange_table.TABLE in table:
            return _of_energies(table)
        if table.get("base") != FREE:
            model = _Reader(table).model()
            model.check_moves()
            return model
        from qddot.formats.shared.floating import floating

        standing = _Reader({key: table[key] for key in table if key not in ("base", "driven")}).model()
        return replace(floating(standing), driven=_driven(table))
    except QddotError as error:
        raise error.at(where) from None


def _of_energies(table: Mapping[str, Any]) -> Model:
    """Returns a system that energies describe. raises ClosedChainError: it has constraints"""
    model = lagrange_table.read(table)
    if model.lagrangian and model.lagrangian.constraints:
        raise ClosedChainError("system-has-constraints", remedy=OPENS_LOOPS)
    return model


class _Reader:
    """A reader makes a Model from one robot file and collects notes of changes."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        if "loop" in data or "rolling" in data:
            raise ClosedChainError("file-has-loops", remedy=OPENS_LOOPS)
        check_keys(data, TOP_KEYS, say("the-file"))
        self.data = data = symbolic_links.filled(data)
        self.notes: list[str] = []
        self.convention = data.get("convention")
        if self.convention not in CONVENTIONS:
            problem = say("is-missing") if self.convention is None else shortened(self.convention)
            raise FormatError("convention-wrong", convention=problem, known=Listed(CONVENTIONS))
        if "base" in data and self.convention not in dh.ROWS:
            raise FormatError("base-without-rows")
        self.symbols = symbol_table(data.get("symbols", {}))
        self.declared = set(self.symbols)
        self.homes: dict[str, Pose] = {BASE: Pose.identity()}
        self.seen_from = Pose.identity()

    def model(self) -> Model:
        links = self.data.get("link")
        if not isinstance(links, Sequence) or isinstance(links, str) or not links:
            hint = say("write-tables", table="link") if isinstance(links, Mapping) else ""
            raise FormatError("no-links", remedy=hint)
        if len(links) > MOST_LINKS:
            raise FormatError("too-many-links", count=len(links), most=MOST_LINKS)
        tool, tool_body = self._tool()
        if self.convention == "body_screws":
            self.seen_from = self._tool_home(links, tool, tool_body)
        bodies, previous = [], BASE
        for number, link in enumerate(links, 1):
            bodies += self._bodies(link, number, previous)
            previous = bodies[-1].name
        tool_body = tool_body or previous
        bodies += self._motors({body.name for body in bodies})
        bodies += self._rotors(bodies)
        model = Model(
            name=text_in(self.data, "name") or "robot",
            bodies=tuple(bodies),
            gravity=vector(self.data.get("gravity", (0, 0, "-g")), "gravity"),
            symbols=self.symbols,
            coordinates=_names(self.data, "coordinates", say("names-of-coordinates")),
            driven=_driven(self.data),
            tool=tool,
            tool_body=tool_body,
            title=text_in(self.data, "title"),
            source=text_in(self.data, "source"),
            notes=tuple(self.notes),
            explicit=self._equations(bodies),
            left_out=left_out.from_table(self.data.get(LEFT_OUT, {})),
        )
        return driven_by_motors(model)

    def _equations(self, bodies: Sequence[Body]) -> ExplicitEquations | None:
        if "equations" not in self.data:
            return None
        from qddot.formats.toml import entries

        leading = [body.joint for body in bodies if body.joint.leads]
        coordinates = {joint.coordinate or f"q{k}" for k, joint in enumerate(leading, 1)}
        names_in_use = (
            self.declared | coordinates | {rate_name(q, dots) for q in coordinates for dots in (1, 2)} | {"g"}
        )
        return entries.read(checked_table(self.data["equations"], "equations"), len(leading), names_in_use, coordinates)

    def _bodies(self, link: Any, number: int, previous: str) -> list[Body]:
        """Returns the body of a link, preceded by massless bodies if its joint has several degrees of freedom."""
        link = checked_table(link, say("link-number", number=number))
        name = text_in(link, "name") or f"link{number}"
        where = f"link {name!r}"
        with located(where):
            check_keys(link, LINK_KEYS[str(self.convention)], where)
            table = checked_table(link.get("joint", {}), "joint")
            geometry, parent = self._geometry(link, table, previous, where)
            if geometry.type in COMPOUNDS:
                standing = Joint("fixed", parent, placement=geometry.placement, offset=geometry.offset)
                return compound_tables.bodies(
                    link_body(name, standing, link, self.notes), table, self._names(), self.notes
                )
            joint = Joint(
                type=geometry.type,
                parent=parent,
                axis=geometry.axis,
                placement=geometry.placement,
                offset=geometry.offset,
                coordinate=geometry.coordinate,
                limits=table.get("limits"),
                effects=tuple(effects(table)),
                name=text_in(table, "name"),
                ratio=ratio_of(table),
                part_of=text_in(table, "part_of"),
                **of_motor(table),
            )
            self.notes += geometry.notes
            if joint.axis != geometry.axis:
                self.notes.append(noted(where, nearly_unit(geometry.axis)[1]))
            return [link_body(name, joint, link, self.notes)]

    def _rotors(self, links: Sequence[Body]) -> list[Body]:
        """Returns the bodies of the file's rotors."""
        names, bodies = {link.name for link in links}, list[Body]()
        for number, given in enumerate(listed(self.data.get(ROTORS, ()), say("rotors")), 1):
            table = checked_table(given, say("rotor-number", number=number))
            name = text_in(table, "name") or f"rotor{number}"
            with located(f"rotor {name!r}"):
                check_keys(table, ROTOR_KEYS, "rotor")
                missing = next((key for key in ("carrier", "ratios", "inertia") if key not in table), None)
                if missing:
                    raise FormatError("rotor-without", key=missing)
                ratios = checked_table(table["ratios"], "ratios")
                place = table.get("axis", (0, 0, 1)), table.get("xyz", (0, 0, 0))
            own, notes = rotor(name, text_in(table, "carrier"), ratios, table["inertia"], *place, names)
            bodies, names = [*bodies, *own], names | {body.name for body in own}
            self.notes += notes
        return bodies

    def _motors(self, links: Collection[str]) -> Iterator[Body]:
        """Yields the bodies of the file's motors with coordinates of their own."""
        for number, given in enumerate(listed(self.data.get(MOTORS, ()), say("motors")), 1):
            table = checked_table(given, say("motor-number", number=number))
            name = text_in(table, "name") or fresh(f"motor{number}", {*links})
            with located(f"motor {name!r}"):
                check_keys(table, MOTOR_KEYS, "motor")
                if not text_in(table, "coordinate"):
                    raise FormatError("motor-without-coordinate")
                axis, place = (
                    nearly_unit(vector(table.get("axis", (0, 0, 1)), "axis"))[0],
                    pose(table.get("xyz", (0, 0, 0))),
                )
                kind, carrier = text_in(table, "type") or "revolute", text_in(table, "carrier") or BASE
                own = {"effects": tuple(effects(table)), "limits": table.get("limits"), **of_motor(table)}
                stands = {"type": kind, "parent": carrier, "axis": axis, "placement": place}
                yield motor(name, text_in(table, "coordinate"), **stands, **own)

    def _names(self) -> set[str]:
        """Returns the names of the file's links."""
        links = enumerate(self.data["link"], 1)
        return {str(link.get("name") or f"link{k}") for k, link in links if isinstance(link, Mapping)}

    def _geometry(
        self, link: Mapping[str, Any], joint: Mapping[str, Any], previous: str, where: str
    ) -> tuple[Geometry, str]:
        if self.convention == "tree":
            return self._tree_joint(link, joint, where), self._tree_parent(link, previous, where)
        is_screw = self.convention in ("screws", "body_screws")
        check_keys(joint, ("name", *EFFECT_KEYS, *(("coordinate",) if is_screw else ())), "joint")
        if is_screw:
            parent = str(link.get("parent", previous))
            return self._screw_joint(link, joint, parent, where), parent
        convention = str(self.convention)
        row, notes = dh.read(link.get(convention, {}), self.declared, where)
        geometry = row.geometry(convention)._replace(notes=notes)
        if previous == BASE:
            geometry = geometry._replace(placement=simplified(self._base() @ geometry.placement))
        return geometry, previous

    def _tree_parent(self, link: Mapping[str, Any], previous: str, where: str) -> str:
        if "parent" not in link and previous != BASE:
            self.notes.append(noted(where, note("no-parent-given")))
        parent = str(link.get("parent", BASE))
        return previous if parent == PREVIOUS and PREVIOUS not in self._names() else parent

    def _screw_joint(self, link: Mapping[str, Any], joint: Mapping[str, Any], parent: str, where: str) -> Geometry:
        if "screw" not in link or "home" not in link:
            raise FormatError("link-without-screw", where=where)
        if parent not in self.homes:
            raise FormatError("parent-not-earlier", parent=repr(parent), remedy=did_you_mean(parent, self.homes))
        home = self._pose(link["home"], where)
        self.homes[str(link.get("name") or f"link{len(self.homes)}")] = home
        from qddot.formats.rows import screws

        geometry = screws.joint(link["screw"], home, self.homes[parent], where, self.seen_from)
        return geometry._replace(coordinate=text_in(joint, "coordinate") or None)

    def _tool_home(self, links: Sequence[Any], tool: Pose, body: str) -> Pose:
        """Returns the tool's frame in the base frame at q = 0."""
        checked = ((checked_table(link, say("a-link")), f"link{k}") for k, link in enumerate(links, 1))
        named = [(link.get("name") or name, link) for link, name in checked]
        name, link = next(((name, link) for name, link in named if name == body), named[-1])
        if "home" not in link:
            raise FormatError("link-without-home", where=f"link {shortened(str(name))}")
        return simplified(self._pose(link["home"], f"link {name!r}") @ tool)

    def _base(self) -> Pose:
        """Returns the pose of [base], which comes before the first row."""
        return self._pose(checked_table(self.data.get("base", {}), "base"), "base")

    def _tree_joint(self, link: Mapping[str, Any], joint: Mapping[str, Any], where: str) -> Geometry:
        kinds = (*JOINT_TYPES, *COMPOUNDS)
        if "type" not in joint:
            raise FormatError("joint-without-type", types=Listed(kinds))
        kind = joint["type"]
        check_one_of(kind, kinds, say("type-of-joint"), FormatError)
        check_keys(joint, {**compound_tables.KEYS, **FREEDOM_KEYS}.get(kind, TREE_JOINT_KEYS), "joint")
        standing = {key: joint[key] for key in POSE_KEYS if key in joint}
        return Geometry(
            type=kind,
            coordinate=text_in(joint, "coordinate") or None,
            axis=vector(joint.get("axis", (0, 0, 1)), "axis"),
            placement=self._pose(standing, where),
            offset=self._pose(link.get("frame", {}), where),
        )

    def _pose(self, pose_data: Any, where: str) -> Pose:
        """Returns a pose from {xyz, rpy}, {xyz, rotation} or a 4×4 matrix."""
        if not isinstance(pose_data, Mapping):
            read, change = pose_from_matrix(listed(pose_data, say("a-pose")))
            self.notes += [noted(where, change)] if change else []
            return read
        check_keys(pose_data, POSE_KEYS, "pose")
        read, notes = placed(pose_data)
        self.notes += [noted(where, change) for change in notes]
        return read

    def _tool(self) -> tuple[Pose, str]:
        tool = dict(checked_table(self.data.get("tool", {}), "tool"))
        body = str(tool.pop("body", ""))
        return self._pose(tool.get("pose", tool), "tool"), body


def to_mapping(model: Model, convention: str = "tree") -> dict[str, Any]:
    """Returns a model as the content of a robot file.

    raises FormatError: the links' frames do not follow the convention; "tree" is possible for every model
    """
    check_one_of(convention, CONVENTIONS, say("convention-is"), FormatError)
    mapping: dict[str, Any] = {"name": model.name}
    mapping.update({key: getattr(model, key) for key in ("title", "source") if getattr(model, key)})
    if model.lagrangian is not None:
        if convention != "tree":
            from qddot.physics.of_model import check_form

            check_form(model, say("another-convention"))
        return {**mapping, "symbols": _symbols(model), lagrange_table.TABLE: lagrange_table.content(model)}
    top, geometry = tables(model, convention)
    mapping["convention"] = convention
    mapping["gravity"] = [text(entry) for entry in model.gravity]
    mapping["coordinates"] = list(model.coordinates)
    mapping |= {} if model.driven is None else {"driven": list(model.driven)}
    mapping |= {LEFT_OUT: left_out.as_table(model.left_out)} if model.left_out else {}
    mapping["symbols"] = _symbols(model)
    mapping.update(top)
    mapping["link"] = [link_table(body, table) for body, table in zip(model.links, geometry, strict=True)]
    mapping |= {MOTORS: motors} if (motors := motor_tables(model)) else {}
    mapping |= {ROTORS: rotors} if (rotors := rotor_tables(model)) else {}
    mapping["tool"] = {"body": model.tool_body, **pose_table(model.tool)}
    if model.explicit is not None:
        from qddot.formats.toml import entries

        mapping["equations"] = entries.table(model.explicit)
    return mapping


def dumps(model: Model, convention: str = "tree") -> str:
    """Returns a model as the text of a robot file, with its notes as comments."""
    from qddot.formats.toml.toml_text import written

    return written(to_mapping(model, convention), model.notes)


def _driven(data: Mapping[str, Any]) -> tuple[str, ...] | None:
    """Returns the names of the joints that have motors, or None if the file does not say which."""
    return _names(data, "driven", say("names-of-driven-joints")) if "driven" in data else None


def _names(data: Mapping[str, Any], key: str, expected: Message) -> tuple[str, ...]:
    names = listed(data.get(key, ()), key)
    if not all(isinstance(name, str) for name in names):
        raise FormatError("option-text-expected", option=key, text=shortened(names), expected=expected)
    return tuple(names)


def _symbols(model: Model) -> dict[str, dict[str, str]]:
    return {name: _symbol_table(symbol) for name, symbol in model.symbols.items()}


def _symbol_table(symbol: Any) -> dict[str, str]:
    numbers = {key: getattr(symbol, key) for key in ("value", "tolerance")}
    table = {key: text(number) for key, number in numbers.items() if number is not None}
    table.update({key: getattr(symbol, key) for key in ("unit", "meaning", "formula") if getattr(symbol, key)})
    return table
