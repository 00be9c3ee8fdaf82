"""Defines the model of a robot: a tree of bodies with symbols, gravity and a tool frame, checked when it is made."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import field, fields, is_dataclass, replace
from fractions import Fraction
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any

from qddot.algebra.expressions.angles import Angle
from qddot.algebra.expressions.expression import Applied, Atom, Expression, Trigonometric
from qddot.algebra.expressions.names import check_names, check_visible
from qddot.algebra.expressions.turning import Combination, turning_angles
from qddot.algebra.freedoms import Freedoms
from qddot.algebra.spatial import Pose, Vec3
from qddot.base.errors import ModelError, did_you_mean, located, number_of, shortened, visible
from qddot.base.records import record
from qddot.base.words.message import Listed, Told, Words, say
from qddot.robot.bodies import Body, Symbol
from qddot.robot.effects.effect import Effect
from qddot.robot.joint_tree import driven_velocities, in_order, parents_first, with_coordinates
from qddot.robot.joints.refused import refuse_several
from qddot.robot.left_out import LeftOut
from qddot.robot.placements import vector
from qddot.robot.symbol_tables import declared_symbols
from qddot.robot.validity import check_values, marked

if TYPE_CHECKING:
    from qddot.robot.explicit import ExplicitEquations
    from qddot.robot.lagrangian import Lagrangian


@record()
class Model:
    """A model is a tree of bodies; all its numbers are exact expressions in its symbols.

    bodies: in any order; they are sorted parents first
    gravity: acceleration of free fall in the base frame [m/s²], (0, 0, "-g") by default
    symbols: a mapping from name to a Symbol, a value, a mapping {value, unit, meaning} or None
    explicit: equations that are given entry by entry, for a model whose links have no inertias
    tool: the tool's pose in the frame of `tool_body` (the last body by default)
    coordinates: the names of the velocities in the order of q̇, by default in that of the bodies; they are the names of
        the joints' coordinates, except for joints with quasi-velocities
    original: the model of links from which explicit equations were derived, if they are exactly its own
    left_out: content of the file that would change the equations, and is not in this model
    from_urdf: whether it was read from URDF, by which other programs order joints; equal models may differ in it
    notation: the name of the notation in which its equations are written; equal models may differ in it, too
    title, source, notes: free texts, in which invisible characters are written as codes; names must not contain any
    raises ModelError: the links form a cycle, a parent is missing, a symbol is undeclared, an inertia is physically
        impossible …
    """

    name: str
    bodies: tuple[Body, ...]
    gravity: Vec3 = field(default_factory=lambda: vector((0, 0, "-g")))
    symbols: Mapping[str, Symbol] = field(default_factory=dict)
    coordinates: tuple[str, ...] = ()
    tool: Pose = field(default_factory=Pose.identity)
    tool_body: str = ""
    title: str = ""
    source: str = ""
    notes: tuple[str, ...] = ()
    explicit: ExplicitEquations | None = None
    left_out: tuple[LeftOut, ...] = ()
    driven: tuple[str, ...] | None = None
    original: Model | None = field(default=None, repr=False, compare=False)
    from_urdf: bool = field(default=False, compare=False)
    notation: str = field(default="", repr=False, compare=False)

    def __post_init__(self) -> None:
        self._check_types()
        bodies = parents_first(tuple(self.bodies))
        self._put("bodies", with_coordinates(bodies))
        self._put("gravity", vector(self.gravity, "gravity"))
        self._put("coordinates", in_order(self.coordinates, self.bodies))
        if self.driven is not None:
            self._put("driven", driven_velocities(self.driven, self.bodies, self.coordinates))
        self._put("symbols", declared_symbols(self.symbols, self.gravity))
        self._put("tool_body", self.tool_body or (self.links or self.bodies)[-1].name)
        if self.body(self.tool_body).joint.kind.is_rotor:
            raise ModelError("link-on-rotor", where="tool", rotor=repr(self.tool_body))
        self._put("title", visible(self.title))
        self._put("source", visible(self.source))
        self._check_names()
        self._check_explicit()
        self._put("bodies", marked(self.bodies, self.defaults()))
        notes = (*self.notes, *check_values(self.bodies, self.defaults()))
        self._put("notes", tuple(dict.fromkeys(map(visible, notes))))

    def __repr__(self) -> str:
        links = number_of(len(self.bodies), "link")
        return f"<Model {self.name}: {links}, coordinates {', '.join(self.coordinates)}>"

    def _check_types(self) -> None:
        if not isinstance(self.name, str) or not self.name:
            raise ModelError("robot-name-not-text", name=shortened(self.name))
        check_visible(self.name, say("name-of-robot"))
        if not isinstance(self.bodies, list | tuple) or not all(isinstance(b, Body) for b in self.bodies):
            raise ModelError("bodies-not-list", where=self.name, bodies=shortened(self.bodies))
        if not isinstance(self.tool, Pose):
            raise ModelError("tool-not-pose", where=self.name, tool=shortened(self.tool))
        for key, text in (("title", self.title), ("source", self.source)):
            if not isinstance(text, str):
                raise ModelError("attribute-not-text", where=self.name, what=key, text=shortened(text))
        lists: tuple[tuple[Words, Any], ...] = (
            ("coordinates", self.coordinates),
            ("notes", self.notes),
            (say("driven-joints"), self.driven or ()),
        )
        for what, names in lists:
            if not isinstance(names, list | tuple) or not all(isinstance(name, str) for name in names):
                raise ModelError("list-not-texts", where=self.name, what=what, names=shortened(names))

    def _put(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)

    def check_moves(self, where: str = "") -> None:
        """Raises ModelError if no joint moves, as in a file of one body, which `load(…, base="free")` lets move."""
        if not self.coordinates:
            raise ModelError("no-joint-moves", where=f"{where} {self.name}".strip())

    @property
    def n(self) -> int:
        """Returns the number of velocities, which is the number of entries of q unless a joint has a quaternion."""
        return len(self.coordinates)

    @property
    def tree(self) -> Model:
        """Returns the links and joints without loops, which this model has not: itself."""
        return self

    def with_tree(self, tree: Model) -> Model:
        """Returns the model with other links and joints, which are all it has."""
        return tree

    @property
    def rates(self) -> tuple[str, ...]:
        """Returns the names of the velocities along which the equations are written: all of them."""
        return self.coordinates

    @cached_property
    def sizes(self) -> Mapping[str, int]:
        """Returns how many positions, velocities, rates and so on there are, by name."""
        count = dict.fromkeys(("velocities", "rates", "directions"), self.n)
        positions = len(self.positions)
        return {**count, "positions": positions, "states": positions + self.n, "bodies": len(self.bodies)}

    @cached_property
    def positions(self) -> tuple[str, ...]:
        """Returns the names of the entries of q: coordinates, and positions of joints with quasi-velocities."""
        return tuple(name for body in self._moving for name in body.joint.positions)

    @property
    def quasi_positions(self) -> tuple[str, ...]:
        """Returns the names of those entries of q that belong to joints with quasi-velocities."""
        return tuple(name for freedoms in self.freedoms for name in freedoms.positions)

    @cached_property
    def turning(self) -> tuple[bool, ...]:
        """Returns whether each velocity, in the order of q̇, is an angular one."""
        return tuple(each for body in self._moving for each in body.joint.kind.angular)

    @cached_property
    def drives(self) -> tuple[int, ...]:
        """Returns the places in q̇ of the velocities that motors drive."""
        return tuple(k for k, name in enumerate(self.coordinates) if self.driven is None or name in self.driven)

    @property
    def passive(self) -> tuple[str, ...]:
        """Returns the names of the velocities that no motor drives."""
        return tuple(name for name in self.coordinates if self.driven is not None and name not in self.driven)

    @property
    def sticking(self) -> tuple[str, ...]:
        """Returns the coordinates whose joints have friction without a slope at rest."""
        return self._coordinates_with(lambda effect: effect.sticks or effect.steep)

    @property
    def loaded(self) -> tuple[str, ...]:
        """Returns the coordinates whose joints have friction that grows with the torque which they transmit."""
        return self._coordinates_with(lambda effect: effect.of_load)

    def _coordinates_with(self, is_wanted: Callable[[Effect], bool]) -> tuple[str, ...]:
        """Returns the coordinates whose joints have an effect that is wanted."""
        joints = (body.joint for body in self._moving if any(map(is_wanted, body.joint.effects)))
        return tuple(name for joint in joints for name in joint.velocities)

    @cached_property
    def freedoms(self) -> tuple[Freedoms, ...]:
        """Returns the freedoms of each joint with quasi-velocities, in the order of q."""
        return tuple(freedoms for body in self._moving if (freedoms := body.joint.freedoms) is not None)

    @cached_property
    def quaternions(self) -> tuple[tuple[tuple[str, ...], int], ...]:
        """Returns the names of each quaternion's parts, and the place of the first one in q."""
        return tuple((each.quaternion, self.positions.index(each.quaternion[0])) for each in self.freedoms)

    def body(self, name: str) -> Body:
        for body in self.bodies:
            if body.name == name:
                return body
        names = [body.name for body in self.bodies]
        raise ModelError("no-body-name", where=self.name, name=shortened(name), remedy=did_you_mean(name, names))

    def moving(self) -> list[Body]:
        """Returns the bodies whose joints have coordinates of their own, in the order of q."""
        return list(self._moving)

    @cached_property
    def _moving(self) -> tuple[Body, ...]:
        by_first = {body.joint.velocities[0]: body for body in self.bodies if body.joint.leads}
        return tuple(by_first[name] for name in self.coordinates if name in by_first)

    @property
    def links(self) -> list[Body]:
        """Returns the bodies that are no rotors."""
        return [body for body in self.bodies if not body.joint.kind.is_rotor]

    @cached_property
    def ratios(self) -> dict[str, set[Fraction]]:
        """Returns for each revolute coordinate the ratios of all joints that rotate with it."""
        turning = [body.joint for body in self.bodies if body.joint.kind.is_angle and not body.joint.kind.is_rotor]
        ratios: dict[str, set[Fraction]] = {str(b.joint.coordinate): set() for b in self.moving() if b.joint in turning}
        for joint in turning:
            assert not isinstance(joint.ratio, Expression)  # joints check it
            ratios[str(joint.coordinate)].add(Fraction(1) if joint.ratio is None else joint.ratio)
        return ratios

    @property
    def turning_coordinates(self) -> tuple[str, ...]:
        """Returns the coordinates of joints that turn."""
        return tuple(self.ratios)

    @cached_property
    def turning_angles(self) -> dict[str, Combination]:
        """Returns the angles by which the joints turn, each by its name: a coordinate, or a multiple such as q1/2."""
        return turning_angles(self.ratios)

    @property
    def has_followers(self) -> bool:
        """Returns whether some link's joint follows another."""
        return any(body.joint.ratio is not None for body in self.links)

    def expressions(self) -> Iterator[Expression]:
        """Yields every expression in the bodies, gravity and the tool."""
        yield from expressions_in((self.bodies, self.gravity, self.tool))

    @cached_property
    def used_symbols(self) -> frozenset[str]:
        """Returns the names of the symbols that occur anywhere in the description."""
        entries = set() if self.explicit is None else self.explicit.symbols() - set(self.coordinates)
        return frozenset(entries).union(*(part.symbols() for part in self.expressions())) - {"pi"}

    def geometry(self) -> Iterator[Expression]:
        """Yields the expressions in the poses of the bodies and the tool."""
        joints = tuple((body.joint.placement, body.joint.axis, body.joint.offset) for body in self.bodies)
        yield from expressions_in((joints, self.tool))

    @cached_property
    def unvalued_geometry(self) -> tuple[str, ...]:
        """Returns the names of the lengths and angles without values, each of which counts as 1 in pictures."""
        used = {name for part in self.geometry() for name in part.symbols()}
        return tuple(name for name in self.symbols if name in used and name not in self.defaults())

    def constant_angles(self) -> set[Angle]:
        """Returns the constant angles whose cosines or sines occur."""
        turned = [atom.angle for atom in self.atoms() if isinstance(atom, Trigonometric)]
        still = (tuple(part for part in angle.symbols if part[0] not in self.coordinates) for angle in turned)
        angles = (Angle(angle.pi, angle.radians, parts) for angle, parts in zip(turned, still, strict=True))
        return {angle for angle in angles if angle}

    def atoms(self) -> Iterator[Atom]:
        """Yields every atom of the description and of the explicit equations."""
        entries = () if self.explicit is None else self.explicit.entries()
        for entry in (*self.expressions(), *entries):
            yield from entry.atoms()

    def plain_coordinates(self) -> set[str]:
        """Returns the coordinates that occur outside sines and cosines: of sliding joints, springs and motors."""
        named = {atom for atom in self.atoms() if isinstance(atom, str)} & set(self.coordinates)
        named |= {getattr(e, e.second) for body in self.bodies for e in body.joint.effects if e.second}
        return named | {
            str(body.joint.coordinate)
            for body in self.bodies
            if body.joint.kind.is_plain or body.joint.uses("coordinate")
        }

    def exact_defaults(self) -> dict[str, Fraction]:
        """Returns the default values of the symbols that have a rational one."""
        values = ((name, symbol.value) for name, symbol in self.symbols.items())
        return {name: value.rational for name, value in values if value is not None and value.rational is not None}

    def defaults(self) -> dict[str, float]:
        """Returns the default value of each symbol that has one."""
        return self._defaults.copy()

    @cached_property
    def _defaults(self) -> dict[str, float]:
        return {symbol.name: symbol.value.value({}) for symbol in self.symbols.values() if symbol.value is not None}

    def with_values(self, values: Mapping[str, Any]) -> Model:
        """Returns the same model with other default values for some of its symbols, or names of constants."""
        model = self.with_given(values)
        changed = {name: replace(model.symbols[name], value=value) for name, value in values.items()}
        return replace(model, symbols={**model.symbols, **changed})

    def functions(self) -> set[Applied]:
        """Returns the functions of coordinates that occur in a Lagrangian, and those of the motion in friction."""
        parts = (body.joint.functions_of_motion() for body in self._moving)
        atoms = (atom for part in parts for each in part for atom in each.atoms())
        return {atom for atom in (*self.atoms(), *atoms) if isinstance(atom, Applied)}

    @property
    def lagrangian(self) -> Lagrangian | None:
        """Returns the energies of a system without links, whose bodies only carry the names of its coordinates."""
        return None if self.explicit is None else self.explicit.lagrangian

    @property
    def time(self) -> str:
        """Returns the name of the symbol that is the time, if the energies contain it, else an empty text."""
        return "" if self.lagrangian is None else self.lagrangian.time

    @property
    def constants(self) -> Mapping[str, Expression]:
        """Returns the definitions of names for constants in equations that are given entry by entry."""
        return {} if self.explicit is None else self.explicit.names

    def with_given(self, names: Iterable[str]) -> Model:
        """Returns the model in which those names of constants that are given values are symbols of their own."""
        given = {name: Symbol(name) for name in names if name in self.constants}
        if self.explicit is None or not given:
            return self
        explicit = replace(self.explicit, names={n: entry for n, entry in self.constants.items() if n not in given})
        return replace(self, symbols={**self.symbols, **given}, explicit=explicit, original=None)

    def check_values(self, values: Mapping[str, float]) -> None:
        """Raises ModelError if no robot has these values of some symbols, where the others have their defaults."""
        check_values(self.bodies, {**self._defaults, **values})

    @cached_property
    def hash(self) -> str:
        """Returns a short fingerprint of the tree, its numbers and its names, without its title, source or notes."""
        from hashlib import sha256

        parts = [repr((body.name, body.joint, body.inertia, body.com)) for body in self.bodies]
        symbols = {name: str(symbol.value) for name, symbol in self.symbols.items()}
        entries = () if self.explicit is None else (*map(str, self.explicit.entries()), *self.constants)
        text = repr((parts, self.gravity, self.coordinates, self.tool, self.tool_body, symbols, *entries))
        return sha256(text.encode()).hexdigest()[:16]

    def _check_explicit(self) -> None:
        if self.explicit is None:
            return
        from qddot.robot.explicit import ExplicitEquations

        if not isinstance(self.explicit, ExplicitEquations):
            raise ModelError("explicit-wrong", where=self.name, explicit=shortened(self.explicit))
        if any(body.inertia.m or any(body.inertia.I) for body in self.bodies):
            raise ModelError("equations-beside-links", where=self.name)
        refuse_several(self, say("a-model-of-entries"))
        self.explicit.check(self.n, self.turning_angles, self.coordinates)
        for name in self.constants:
            if name in self.symbols:
                raise ModelError("symbol-name-constant", where=self.name, name=repr(name))
        self._check_known(self.explicit.symbols() - set(self.coordinates) - {"pi"}, "equations")
        if self.time and self.symbols[self.time].value is not None:
            raise ModelError("time-has-value", where=self.name, time=self.time, value=self.symbols[self.time].value)

    def _check_names(self) -> None:
        with located(self.name):
            check_names(self.symbols, *self._names(), self.loaded)
        for body in self.bodies:
            check_visible(body.name, say("name-of-link"))
            check_visible(body.joint.name, say("name-of-joint"))
            self._check_declared(body, f"link {body.name!r}")
        self._check_declared((self.gravity, self.tool), Told(say("gravity-or-tool")))

    def _names(self) -> tuple[list[str], list[str], list[str]]:
        """Returns the names of coordinates, and of the positions and velocities of joints with quasi-velocities."""
        quasi = {name for freedoms in self.freedoms for name in freedoms.velocities}
        coordinates = [name for name in self.coordinates if name not in quasi]
        return coordinates, [name for name in self.positions if name not in coordinates], sorted(quasi)

    def _check_declared(self, part: object, where: str) -> None:
        self._check_known(set().union(*(each.symbols() for each in expressions_in(part))), where)

    def _check_known(self, used: set[str], where: str) -> None:
        missing = sorted(used - set(self.symbols))
        moving = [name for name in missing if name in (*self.coordinates, *self.positions)]
        if moving:
            raise ModelError("coordinate-as-constant", where=f"{self.name}: {where}", moving=moving[0])
        if missing:
            raise ModelError(
                "symbols-undeclared",
                where=f"{self.name}: {where}",
                count=len(missing),
                names=Listed(missing),
                known=did_you_mean(missing[0], self.symbols),
            )


def expressions_in(part: object) -> Iterator[Expression]:
    """Yields every expression in a body, a vector, an effect or a tuple of such parts."""
    if isinstance(part, Expression):
        yield part
    elif isinstance(part, tuple):
        for entry in part:
            yield from expressions_in(entry)
    else:
        kind: Any = type(part)
        for name in _fields_of(kind):
            yield from expressions_in(getattr(part, name))


@cache
def _fields_of(kind: type) -> tuple[str, ...]:
    """Returns the names of a record's fields, in which expressions may be; other objects and angles have none."""
    return tuple(entry.name for entry in fields(kind)) if is_dataclass(kind) and kind is not Angle else ()
