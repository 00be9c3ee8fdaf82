"""Defines the contract of a kind of joint: its facts, and the laws of its motion over any kind of number.

All other rooms go through the joints by this contract: files, tables and pictures, the recursions, equations, proofs
and compiled functions.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, ClassVar

from qddot.algebra.expressions.expression import Expression
from qddot.algebra.freedoms import Brackets, Freedoms, brackets
from qddot.algebra.spatial import Inertia, Number, Pose, Twist, Vec3
from qddot.base.words.message import Message
from qddot.robot.effects.effect import Effect
from qddot.robot.joints.coordinates import Coordinates

Split = tuple[Inertia, Inertia]


class Kind:
    """A kind of joint moves a body in its parent's frame by placement · motion · offset, with the twist Σ S_a ν_a.

    `at` is what the laws need of the joint's positions: the cosine and sine of an angle, a displacement, a pose; it is
    `home` at q = 0. The axis is a unit vector of the joint's frame, or the same vector along other axes, along which
    the results are then; some kinds have none. A wrench has the torques S_a · wrench. The screw axes S_a are constant
    along the body's axes, so that constant velocities cause no acceleration except ad_V Σ S_a ν_a; all recursions rely
    on it.

    types: its names in descriptions; letter: its letter in names of arms, such as RRP
    moves, leads: whether it moves, and whether it does so by positions of its own
    is_revolute, is_prismatic: whether its motion is nothing but a rotation about, or a translation along, the axis
    is_angle, is_plain: whether the cosine and sine of its coordinate occur, and whether the coordinate itself does
    is_free: whether it leaves the body every motion
    is_rotor: whether it spins a rotor, whose frame stays with its carrier
    angular: whether each velocity is an angular one; units: of its positions, "" for those without a unit
    named: the joint in sentences; allowed: the kinds of effects that it may have, None for all
    """

    types: ClassVar[tuple[str, ...]] = ()
    letter: ClassVar[str] = ""
    moves: ClassVar[bool] = True
    leads: ClassVar[bool] = True
    is_revolute: ClassVar[bool] = False
    is_prismatic: ClassVar[bool] = False
    is_angle: ClassVar[bool] = False
    is_plain: ClassVar[bool] = False
    is_free: ClassVar[bool] = False
    is_rotor: ClassVar[bool] = False
    angular: ClassVar[tuple[bool, ...]] = ()
    units: ClassVar[tuple[str, ...]] = ()
    home: ClassVar[Any] = None
    named: ClassVar[Message | None] = None
    allowed: ClassVar[tuple[type[Effect], ...] | None] = None

    @property
    def unit_of_torque(self) -> str:
        """Returns the unit of the torque or force of a joint of one coordinate."""
        return "N m" if True in self.angular else "N"

    @property
    def unit_of_rate(self) -> str:
        """Returns the unit of the rate of a joint of one coordinate."""
        return "rad/s" if True in self.angular else "m/s"

    def freedoms(self, coordinate: str | None) -> Freedoms | None:
        """Returns the names and vector fields of its quasi-velocities; None if its velocity is a coordinate's rate."""
        return None

    def positions(self, coordinate: str | None) -> tuple[str, ...]:
        """Returns the names of its entries of q."""
        return (str(coordinate),)

    def velocities(self, coordinate: str | None) -> tuple[str, ...]:
        """Returns the names of its velocities; a rate is listed by the name of its coordinate."""
        return (str(coordinate),)

    def at(self, q: Coordinates, coordinate: str | None, ratio: Fraction | Expression | None) -> Any:
        """Returns what the laws need of its positions; ratio: of a joint that follows the coordinate, else None."""
        raise NotImplementedError

    def at_multiple(self, q: Coordinates, coordinate: str, ratio: Fraction | Expression) -> Any:
        """Returns what the laws need of ratio times a coordinate, of a joint that follows it."""
        raise NotImplementedError

    def moved(self, placement: Pose, axis: Vec3, at: Any) -> Pose:
        """Returns placement · the pose of its motion, with the fewest operations."""
        raise NotImplementedError

    def displaced(self, axis: Vec3, by: Expression) -> Pose:
        """Returns the exact pose of the motion of a joint of one coordinate by a constant."""
        raise NotImplementedError

    def exponential(self, screw: Twist, at: Any, sign: int = 1) -> Pose:
        """Returns e^(±[S] q) for the screw S of a joint of one coordinate, along the axes of any frame."""
        raise NotImplementedError

    def columns(self, axis: Vec3) -> tuple[Twist, ...]:
        """Returns the screw axis S_a of each velocity: the body's twist for a unit of it, at the joint's origin."""
        raise NotImplementedError

    def axis_kept(self, columns: Sequence[Twist]) -> int | None:
        """Returns k if the joint, with these columns, turns about axis k of the body's frame alone, else None.

        Its motion does not change column k of [ω̇] + [ω][ω], which saves operations.
        """
        return columns[0].w.unit_place() if len(columns) == 1 else None

    def brackets(self) -> Brackets:
        """Returns the constants c^l_ab of [X_a, X_b] = Σ_l c^l_ab X_l; empty if its velocity is a rate."""
        return brackets(self.columns(Vec3.zero())) if len(self.angular) > 1 else {}

    def split(self, axis: Vec3, body: Inertia) -> Split:
        """Returns the part of an inertia, in the joint's frame, that the joint feels, and the rest."""
        return body, Inertia.zero()

    def unfelt(self, axis: Vec3, offset: Pose) -> list[tuple[Inertia, Inertia]]:
        """Returns a basis of the inertias that it does not feel, each in the body's and in the joint's frame."""
        return []

    def own_inertia(self, axis: Vec3, body: Inertia) -> Inertia:
        """Returns the inertia that a body with this one has on such a joint."""
        return body

    def own_motion(self, axis: Vec3, V: Twist, height: Number, gravity: Vec3) -> tuple[Twist, Number, Vec3]:
        """Returns the twist, −g · origin, and gravity along its axes on which the energy of a body depends."""
        return V, height, gravity
