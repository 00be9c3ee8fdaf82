"""Defines bodies, joints and the effects in joints as frozen data whose numbers are expressions."""

from __future__ import annotations

import builtins
from dataclasses import field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from qddot.algebra.expressions.constant_angles import reduced
from qddot.algebra.expressions.expression import Expression, Scalar, folded
from qddot.algebra.expressions.parser import expression
from qddot.algebra.freedoms import SEVERAL, Freedoms
from qddot.algebra.spatial import Inertia, Pose, SymmetricMatrix3, Vec3, tensor_of
from qddot.base.errors import ModelError, check_one_of, shortened, visible
from qddot.base.records import record
from qddot.base.words.message import Either, Listed, say
from qddot.robot import tensors
from qddot.robot.axes import nearly_unit
from qddot.robot.effects.effect import Effect
from qddot.robot.joints.kind import Kind
from qddot.robot.joints.kinds import KINDS, ROTOR, kind_of
from qddot.robot.placements import exact_number, folded_entry, listed, vector

if TYPE_CHECKING:
    from qddot.robot.shapes.uniform import Shapes

OF_MOTORS = ("effort", "velocity")  # names of the limits of motors, which no equation contains
BASE = "base"
JOINT_TYPES = tuple(KINDS)
COMPOUNDS = ("helical", "universal", "cylindrical", "planar")


@record(slots=True)
class Symbol:
    """A symbol is a named quantity of a description, with a unit, a meaning, and a default value ± tolerance.

    Invisible characters in `unit` and `meaning` are replaced by codes such as \\u200b.
    formula: how it was made from other quantities, which need not be symbols of the model; no equation contains it
    raises ModelError: the value or the tolerance is not a number; ExpressionError: the formula is no expression
    """

    name: str
    value: Expression | None = None
    unit: str = ""
    meaning: str = ""
    tolerance: Expression | None = None
    formula: str = ""

    def __post_init__(self) -> None:
        if self.formula:
            expression(self.formula)
        for key in ("unit", "meaning", "formula"):
            object.__setattr__(self, key, visible(str(getattr(self, key))))
        for key in ("value", "tolerance"):
            value = getattr(self, key)
            if value is not None:
                number = expression(value)
                if number.symbols():
                    raise ModelError("symbol-not-number", where=f"symbol {self.name!r}", key=key, number=number)
                object.__setattr__(self, key, number)
        if self.tolerance is not None and (self.value is None or self.tolerance.value({}) < 0):
            raise ModelError("tolerance-wrong", where=f"symbol {self.name!r}", tolerance=self.tolerance)


@record(slots=True)
class Joint:
    """A joint determines how a body moves in its parent's frame.

    T_parent_body = placement · motion(q) · offset. The motion is a rotation about, or a translation along, a unit axis
    of the joint's frame. The offset is the identity unless the body's frame differs from the joint's, as in standard
    DH. The name is the joint's name in other programs: `to_urdf` writes it, `diff` pairs joints by it, and no equation
    depends on it. A spherical or free joint has no axis and no offset. Its position has a unit quaternion, its
    velocities ν are not derivatives of coordinates, and the names of both contain its coordinate. A joint with a ratio
    follows another joint: it moves by ratio times that joint's coordinate. A prismatic joint may follow a revolute one,
    as in a screw; its ratio is a length per radian and may contain symbols.

    type: "revolute", "continuous", "prismatic", "spherical", "free" or "fixed"
    part_of: the kind of compound joint ("helical", "universal", "cylindrical", "planar", "spherical" or "free") that
        this joint and its neighbours form; a follower in a compound joint needs no coordinate, since it follows the
        joint before it; or "rotor" if it spins a rotor, whose frame stays with the link that carries it
    effort, velocity: the largest torque [N m] or force [N] of its motor, and its largest rate [rad/s or m/s], if the
        file gives them; no equation contains them
    raises ModelError: the type is unknown, the axis is not a unit vector, there are not two limits, or a fixed joint
        has effects
    """

    type: str = "revolute"
    parent: str = BASE
    axis: Vec3 = Vec3(0, 0, 1)
    placement: Pose = Pose.identity()
    offset: Pose = Pose.identity()
    coordinate: str | None = None
    limits: tuple[Expression, ...] | None = None
    effects: tuple[Effect, ...] = ()
    name: str = ""
    ratio: Fraction | Expression | None = None
    part_of: str = field(default="", repr=False)
    effort: float | None = field(default=None, repr=False, compare=False)
    velocity: float | None = field(default=None, repr=False, compare=False)

    def __post_init__(self) -> None:
        check_one_of(self.type, JOINT_TYPES, say("type-of-joint"), ModelError)
        for name, kind in (("placement", Pose), ("offset", Pose), ("parent", str), ("name", str)):
            if not isinstance(getattr(self, name), kind):
                value = shortened(getattr(self, name))
                raise ModelError("joint-part-wrong", name=name, value=value, kind=kind.__name__)
        if self.part_of not in (kinds := ("", *COMPOUNDS, *SEVERAL, ROTOR)):
            kinds = Listed(kinds[1:])
            raise ModelError("part-of-unknown", part_of=shortened(self.part_of), kinds=kinds)
        for name in ("placement", "offset"):
            object.__setattr__(self, name, getattr(self, name).map(exact_number))
        object.__setattr__(self, "axis", nearly_unit(vector(self.axis, "axis"))[0])
        self._check_effects()
        if self.limits is not None:
            if len(listed(self.limits, "limits")) != 2:
                raise ModelError("limits-not-two", limits=shortened(self.limits))
            object.__setattr__(self, "limits", tuple(expression(limit) for limit in self.limits))
        if self.freedoms is not None:
            self._check_freedoms()
        elif self.type != "fixed":
            check_unit(self.axis)
        if self.part_of == ROTOR and (not self.kind.is_rotor or self.offset != Pose.identity()):
            raise ModelError("rotor-joint-wrong", type=self.type)
        if self.ratio is not None:
            self._check_ratio(self.ratio)

    def _check_ratio(self, ratio: Fraction | Expression) -> None:
        if isinstance(ratio, Expression) and ratio.rational is not None:
            ratio = ratio.rational
        if isinstance(ratio, Expression) and self.kind.is_angle and not self.kind.is_rotor:
            raise ModelError("turning-ratio-symbolic", ratio=ratio)
        is_wrong = not isinstance(ratio, Expression) and not (isinstance(ratio, Fraction | int) and ratio > 0)
        if is_wrong and not (self.kind.is_rotor and ratio):
            raise ModelError("ratio-positive-number", ratio=shortened(str(ratio)))
        has_leader = self.coordinate is not None or self.part_of
        if not self.moves:
            raise ModelError("fixed-joint-ratio")
        if not has_leader:
            raise ModelError("ratio-without-coordinate")
        if self.effects:
            raise ModelError("ratio-with-effects")
        object.__setattr__(self, "ratio", ratio if isinstance(ratio, Expression) else Fraction(ratio))

    def _check_freedoms(self) -> None:
        """Raises ModelError for properties that a joint with quasi-velocities cannot have."""
        if self.offset != Pose.identity():
            raise ModelError("joint-type-offset", type=self.type)
        if self.limits is not None:
            raise ModelError("joint-type-limits", type=self.type)
        if self.ratio is not None or self.part_of:
            raise ModelError("joint-type-follows", type=self.type)
        allowed = self.kind.allowed or ()
        for effect in self.effects:
            if not isinstance(effect, allowed):
                kinds = Either(kind.__name__.lower() for kind in allowed)
                raise ModelError("joint-type-effect", type=self.type, kind=type(effect).__name__.lower(), kinds=kinds)

    def _check_effects(self) -> None:
        for effect in listed(self.effects, "effects"):
            if not isinstance(effect, Effect):
                kinds = Listed(kind.__name__ for kind in Effect.__subclasses__())
                raise ModelError("effect-unknown", effect=shortened(effect), kinds=kinds)
        frictions = [type(effect) for effect in self.effects if effect.part == "friction" and len(effect.names()) > 1]
        if twice := next((kind for kind in frictions if frictions.count(kind) > 1), None):
            raise ModelError("effect-twice", kind=twice.key)
        of_motion = (self.effects or None, self.limits, self.effort, self.velocity, self.coordinate)
        if self.type == "fixed" and any(each is not None for each in of_motion):
            raise ModelError("fixed-joint-moves")
        object.__setattr__(self, "effects", tuple(self.effects))

    def has(self, kind: builtins.type[Effect]) -> bool:
        """Returns whether the joint has an effect of this kind."""
        return any(isinstance(effect, kind) for effect in self.effects)

    def uses(self, what: str) -> bool:
        """Returns whether an effect's torque depends on the "coordinate" of the joint, or on the "sign" of its rate."""
        return any(effect.uses == what for effect in self.effects)

    @property
    def kind(self) -> Kind:
        """Returns the kind of the joint, which has its facts and laws."""
        return kind_of(self.type, self.ratio is not None, self.part_of)

    @property
    def holding(self) -> Expression:
        """Returns the largest torque with which friction may hold the joint at rest."""
        return Expression.sum(
            getattr(effect, effect.linear) for effect in self.effects if effect.sticks and not effect.of_load
        )

    def functions_of_motion(self) -> list[Expression]:
        """Returns the functions of its motion that are in the laws of its effects."""
        every = (effect.function(name) for effect in self.effects for name in self.velocities)
        return [function for function in every if function is not None]

    @property
    def moves(self) -> bool:
        return self.kind.moves

    @property
    def leads(self) -> bool:
        """Returns whether the joint moves by a coordinate of its own."""
        return self.kind.leads

    @property
    def freedoms(self) -> Freedoms | None:
        """Returns the joint's freedoms if its velocities are not rates of coordinates, else None."""
        return self.kind.freedoms(self.coordinate)

    @property
    def velocities(self) -> tuple[str, ...]:
        """Returns the names of a leading joint's velocities; a rate is listed by the name of its coordinate."""
        return self.kind.velocities(self.coordinate)

    @property
    def positions(self) -> tuple[str, ...]:
        """Returns the names of the entries of q that belong to a leading joint."""
        return self.kind.positions(self.coordinate)


def check_unit(axis: Vec3) -> None:
    """Raises ModelError for an axis whose length is not exactly 1."""
    entries = "(" + ", ".join(str(entry) for entry in axis) + ")"
    square: Any = folded(reduced(Expression.constant(0) + axis.dot(axis)))
    if square == 0:
        raise ModelError("joint-axis-no-direction", entries=entries)
    if square == 1:
        return
    if square.rational is None:
        raise ModelError("axis-length-unproved", entries=entries)
    raise ModelError("axis-not-unit-vector", entries=entries, square=square)


@record(slots=True)
class Body:
    """A body is rigid and moves with its joint; its inertia is expressed in its own frame.

    inertia: mass, first moment and tensor about the frame's origin. com: the centre of mass if the description gives
        it, else None. partial_inertia: whether only those entries of the tensor are known that affect the motion, so
        that the tensor need not be physically possible. tolerated: whether a reader has set this because the file has
        an impossible tensor, without saying that it is partial. volume: that of its shapes [m³], if the file gives them
        as simple solids; no equation contains it. shapes: those over which its inertia was integrated, if it was; where
        the inertia is changed they are dropped.
    """

    name: str
    joint: Joint = Joint()
    inertia: Inertia = Inertia.zero()
    com: Vec3 | None = None
    partial_inertia: bool = False
    tolerated: bool = field(default=False, repr=False, compare=False)
    volume: float | None = field(default=None, repr=False, compare=False)
    shapes: Shapes | None = field(default=None, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not self.name:
            raise ModelError("body-name-not-text", name=shortened(self.name))
        for name, kind in (("joint", Joint), ("inertia", Inertia)):
            if not isinstance(getattr(self, name), kind):
                value = shortened(getattr(self, name))
                raise ModelError(
                    "body-part-wrong", where=f"link {self.name!r}", name=name, value=value, kind=kind.__name__
                )
        object.__setattr__(self, "inertia", self.inertia.map(exact_number))
        if self.com is not None:
            object.__setattr__(self, "com", vector(self.com, "com"))
        if self.shapes is not None and self.shapes.inertia != self.inertia:
            object.__setattr__(self, "shapes", None)

    @classmethod
    def of(cls, name: str, joint: Joint, partial_inertia: bool = False, **mass: Any) -> Body:
        """Returns a body from the arguments of `mass_properties`: mass, com or first_moment, inertia, about."""
        unknown = set(mass) - {"mass", "com", "first_moment", "inertia", "about"}
        if unknown:
            raise ModelError("mass-argument-unknown", where=f"link {name!r}", name=repr(sorted(unknown)[0]))
        about_origin, com = mass_properties(**mass)
        return cls(name, joint, about_origin, com, partial_inertia, shapes=shapes_of(**mass))


def shapes_of(
    mass: Scalar = 0, com: Any = None, first_moment: Any = None, about: str = "com", inertia: Any = None
) -> Shapes | None:
    """Returns the shapes of a body whose inertia is given by them, with its mass and at its centre of mass, else None.

    raises ModelError: these are not those of the shapes, or a first moment is given
    """
    if not hasattr(inertia, "of_link"):
        return None
    if first_moment is not None:
        raise ModelError("first-moment-beside-shapes")
    shapes: Shapes = inertia.of_link(mass if mass != 0 else None, None if com is None else vector(com, "com"))
    return shapes


def mass_properties(
    mass: Scalar = 0,
    com: Any = None,
    first_moment: Any = None,
    about: str = "com",
    inertia: Any = (0, 0, 0, 0, 0, 0),
) -> tuple[Inertia, Vec3 | None]:
    """Returns the inertia about the frame's origin, and the centre of mass, in SI units.

    The centre is `com` (0 by default), or None if `first_moment` is given.

    inertia: xx, xy, xz, yy, yz, zz or a 3×3 matrix about `about`: "com", "origin", or "pseudo" for the second
    moments ∫x² dm, ∫xy dm … about the origin; or shapes, such as `qddot.shapes.rod(length="l")`. Axes are parallel to
    the body's frame, Ixy = −∫xy dm.
    raises ModelError: both com and first_moment are given, the inertia has another shape, or `about` is unknown
    """
    shapes = shapes_of(mass, com, first_moment, about, inertia)
    if shapes is not None:
        return shapes.inertia, shapes.com
    if com is not None and first_moment is not None:
        raise ModelError("both-com-first-moment")
    m = folded(expression(mass))
    if tensors.is_matrix(inertia):
        inertia = tensors.entries(inertia)
    if len(listed(inertia, "inertia")) != 6:
        raise ModelError("inertia-not-six", inertia=shortened(inertia))
    entries = SymmetricMatrix3(*(folded(expression(entry)) for entry in inertia))
    centre = vector(com, "com") if com is not None else None
    if first_moment is None:
        centre = centre or Vec3.zero()
        moment = (centre * m).map(folded_entry)
    else:
        moment = vector(first_moment, "first_moment")
    if about == "com":
        if centre is None:
            raise ModelError("about-com-with-first-moment")
        return Inertia.about_com(m, centre, entries).map(folded_entry), centre
    if about == "pseudo":
        entries = tensor_of(entries)
    elif about != "origin":
        raise ModelError("inertia-about-unknown", about=shortened(about))
    return Inertia(m, moment, entries).map(folded_entry), centre


def coordinate_of(text: Any, declared: set[str], where: str) -> tuple[str | None, int, Expression]:
    """Returns the name and the sign of the coordinate, and the constant, of a DH entry "±q + constant".

    The coordinate is the only name in the entry that is not a declared symbol; a constant entry gives None and 1.
    """
    value = expression(text)
    free = sorted(value.symbols() - declared)
    if len(free) > 1:
        raise ModelError("undeclared-names", where=where, text=shortened(str(text)), names=Listed(free))
    if not free:
        return None, 1, value
    name = free[0]
    sign = value.terms.get(((name, 1),))
    rest = value - Expression.of(name) * (sign or 0)
    if sign not in (1, -1) or name in rest.symbols():
        raise ModelError("entry-not-coordinate", where=where, text=shortened(str(text)), name=name)
    return name, int(sign), rest
