"""Described is a part of robots and closed chains: it writes the model, changes it, or sets it in other frames."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, Self

from qddot.base.errors import FormatError, ModelError, is_one_of, shortened
from qddot.machine.numeric.calls import named_as_written
from qddot.robot.symbol_values import symbols_of

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from qddot.algebra.expressions.expression import Scalar
    from qddot.robot.closed_model import ClosedModel
    from qddot.robot.model import Model
    from qddot.robot.shapes.uniform import Shapes


@named_as_written
class Described(ABC):
    """This is an arm or a closed chain whose description can be written, changed and converted.

    Each change is a new arm, or a new chain with the same loops and wheels.
    """

    model: Model | ClosedModel

    @abstractmethod
    def _with_model(self, model: Any) -> Self:
        """Returns the same arm or chain with another model."""

    def _with_tree(self, tree: Model) -> Self:
        """Returns the same arm or chain with other links and joints."""
        return self._with_model(self.model.with_tree(tree))

    def _in_convention(self, convention: str) -> Self:
        """Returns the same arm or chain in frames of a convention of robot files."""
        from qddot.formats.writing import converted

        return self._with_model(converted(self.model, convention))

    def to_toml(self, convention: str = "tree") -> str:
        """Returns the arm as the text of a robot file; its notes are comments.

        `qddot.loads` reads it, and `qddot.loads_closed_chain` that of a chain, which has its loops and wheels, too.
        convention: "tree", or "dh", "mdh", "screws", "body_screws" for an arm in such frames (`as_dh` and others)
        raises FormatError: an arm that the convention cannot describe; EvaluationError: a system without links, whose
        energies are in a table of their own, in another convention than the default one
        """
        from qddot.formats.writing import dumps

        return dumps(self.model, convention)

    def to_urdf(self) -> str:
        """Returns the arm as the text of a URDF file, with its symbols' values in SI units.

        URDF cannot express armature, springs, joints without motors, or gravity other than 9.81 m/s²: these are written
        as comments (<!-- qddot: gravity 0 0 -1.62 -->), which `qddot.load` reads back and other programs ignore.
        raises FormatError: a symbol without a value, a spherical joint, equations that are given entry by entry, a
        name that XML does not allow, or a closed chain, whose loops and wheels would be lost; EvaluationError: a
        system that has energies in place of links
        """
        from qddot.formats import urdf

        return urdf.dumps(self.model)

    def with_values(self, /, **values: Scalar) -> Self:
        """Returns the same arm with new default values of symbols. raises QddotError: no such symbol, or no number"""
        symbols_of(self.model.tree, tuple(values))
        return self._with_model(self.model.with_values(values))

    def with_symbols(self, *kinds: str) -> Self:
        """Returns the same arm with symbols for its numbers: `qddot.load("ur5").with_symbols("mass")`.

        The equations of an arm whose file has numbers then show what each term comes from; the numbers are the values
        of the symbols, so that all functions return what they returned. Link k has mk, rxk, ryk, rzk (centre of mass)
        and Ixxk … Izzk (about it), coordinate j fvj and fcj (friction). Zeros stay zeros.

        kinds: of "mass", "com", "inertia" and "friction"; "all" for all of them, also without an argument
        raises ModelError: another kind, or equations that are given entry by entry
        """
        from qddot.robot.symbolic import ALL, with_symbols

        return self._with_tree(with_symbols(self.model.tree, kinds or (ALL,)))

    def with_notation(self, notation: str) -> Self:
        """Returns the same arm, whose equations are written with the letters of a book, a course or a paper.

        notation: that of a book ("craig", "murray", "siciliano", "spong") or of a course or paper ("uicker", "khatib",
        "zju", "akb"), or "" for the letters of this library, which stay the names in Python:
        `arm.with_notation("uicker").equations().M` prints D. Books also have their equation of motion, M q̈ + h + G or
        M q̈ + C q̇ + G, and the order of the indices of their Christoffel symbols.
        raises QddotError: no such notation
        """
        from qddot.exact.equations.notations import notation_of

        tree, name = self.model.tree, notation_of(notation).name
        return self if name == tree.notation else self._with_tree(replace(tree, notation=name))

    def with_friction(
        self,
        joints: Mapping[str, Mapping[str, Scalar | Mapping[str, Scalar]]] | None = None,
        *,
        damping: Scalar | Sequence[Scalar] | ArrayLike | None = None,
        coulomb: Scalar | Sequence[Scalar] | ArrayLike | None = None,
        stribeck: Mapping[str, Scalar] | Sequence[Mapping[str, Scalar] | Literal[0]] | None = None,
        bristles: Mapping[str, Scalar] | Sequence[Mapping[str, Scalar] | Literal[0]] | None = None,
        load: Scalar | Sequence[Scalar] | ArrayLike | None = None,
        square_root: Scalar | Sequence[Scalar] | ArrayLike | None = None,
        drag: Scalar | Sequence[Scalar] | ArrayLike | None = None,
        offset: Scalar | Sequence[Scalar] | ArrayLike | None = None,
        symbols: Iterable[str] | Mapping[str, Any] = (),
    ) -> Self:
        """Returns the arm with other friction in its joints: `arm.with_friction({"q1": {"damping": 1}}, coulomb=0.2)`.

        The torque is c q̇ + (f + s e^{−(q̇/v)²} + μ |L| + r √|q̇| + d q̇²) sgn q̇ + o with c = `damping` [N·m·s/rad or
        N·s/m], which is viscous, f = `coulomb` [N·m or N], {"excess": s, "velocity": v} = `stribeck` [N·m or N, rad/s
        or m/s], by which friction is f + s at rest, μ = `load`, below 1, the share of L, which is the joint's torque
        without friction, r = `square_root` [N·m·(s/rad)^½ or N·(s/m)^½], d = `drag` [N·m·s²/rad² or N·s²/m²] and o =
        `offset` [N·m or N], as in a robot file; f and o together are friction that differs by direction, f ± o. What is
        given replaces the joint's own friction of this kind, and 0 removes it.
        {"stiffness": k, "damping": b} = `bristles` [N·m/rad or N/m, N·m·s/rad or N·s/m] give dry friction a state in
        simulations, as in the model of LuGre.
        joints: tables of these by the names of coordinates, joints or links; a spherical or free joint, whose
        damping acts on each of its velocities, has the name of its joint or link
        damping, coulomb, stribeck, bristles, load, square_root, drag, offset: numbers for all other joints of one
        coordinate, one for all or a list in the order of q
        symbols: names of new symbols in these numbers, or a mapping from these names to values
        raises ModelError: no such joint, a negative number, friction that creates energy, or equations that are given
        entry by entry or by energies
        """
        from qddot.robot import friction

        of_rates = {"damping": damping, "coulomb": coulomb, "stribeck": stribeck, "square_root": square_root}
        frictions = {**of_rates, "load": load, "drag": drag, "offset": offset, "bristles": bristles}
        return self._with_tree(friction.rubbed(self.model.tree, joints, frictions, symbols))

    def with_payload(
        self,
        mass: Scalar | None = None,
        com: Sequence[Scalar] | ArrayLike | None = None,
        inertia: Sequence[Scalar] | ArrayLike | Shapes | Mapping[str, Any] = (0, 0, 0, 0, 0, 0),
        about: str = "com",
        name: str = "",
        body: int | str | None = None,
        symbols: Iterable[str] | Mapping[str, Any] = (),
    ) -> Self:
        """Returns the arm with one more body, which is fixed at the tool's frame.

        mass [kg], which only an inertia with a mass of its own may leave out; com [m], by default the origin; inertia
        (xx, xy, xz, yy, yz, zz) [kg·m²], one of `qddot.shapes`, or a table as in a robot file, {"about": "com", "xx":
        0.1, …} or {"shape": "box", …}: all are along that frame.
        about: the point of the inertia, "com" or "origin"; or "pseudo" for second moments ∫x² dm, ∫xy dm … about the
        origin
        body: the link that carries the payload, by index or name; the payload is then at that link's frame
        name: that of the new body, by default "payload"
        symbols: names of new symbols in the other arguments, or a mapping from these names to values
        The new body is the last one in wrenches, reactions and the regressor; the default of `body` elsewhere is still
        the link that carries the tool.
        raises ModelError: no such link, no mass, or a physically impossible inertia
        """
        from qddot.robot import changes

        own, notes = _inertial(0 if mass is None else mass, com, inertia, about)
        tree = changes.loaded(self.model.tree, own, name, body, symbols, notes)
        if mass is None and not tree.bodies[-1].inertia.m:
            raise ModelError("payload-without-mass", where=self.model.name)
        return self._with_tree(tree)

    def with_rotor(
        self,
        carrier: str,
        ratios: Mapping[str, Scalar],
        inertia: Scalar,
        axis: Sequence[Scalar] | ArrayLike = (0, 0, 1),
        name: str = "",
        xyz: Sequence[Scalar] | ArrayLike = (0, 0, 0),
        symbols: Iterable[str] | Mapping[str, Any] = (),
    ) -> Self:
        """Returns the arm with the rotor of a motor, which spins on a link: K = ½ J (Σ n_j q̇_j + a · ω)².

        `arm.with_rotor("link2", {"q3": 100}, "Jm", symbols=["Jm"])` drives joint 3 by a gear of 100. Unlike `armature`,
        which is n² J in the joint alone, it also has the torques between the rotor's spin and the motion of its
        carrier. Mass and other moments of the motor belong to the carrier; friction, limits and torques are those of
        the joint, behind the gear.

        carrier: the name of the link, or "base"; ω is its angular velocity
        ratios: n_j by coordinate, numbers of any sign or texts with symbols; Σ n_j q_j is the angle by which the rotor
            turns in its carrier, so that two coordinates describe a differential
        inertia: J about the axis [kg·m²]; axis: a, a unit vector in the carrier's frame; xyz: its place there [m], for
            pictures; name: that of the new body, by default rotor1, rotor2 …
        symbols: names of new symbols, or a mapping from these names to values
        raises ModelError: no such link or coordinate, a ratio of zero, or J below zero
        Source: Siciliano et al., *Robotics*, 2009, §7.2.
        """
        from qddot.robot import changes

        return self._with_tree(changes.geared(self.model.tree, carrier, ratios, inertia, axis, xyz, name, symbols))

    def with_elastic(
        self,
        joint: str,
        stiffness: Scalar,
        damping: Scalar = 0,
        cubic: Scalar = 0,
        armature: Scalar | None = None,
        motor: str = "",
        name: str = "",
        symbols: Iterable[str] | Mapping[str, Any] = (),
    ) -> Self:
        """Returns the arm with an elastic joint: a spring between its link, at q, and its motor, at θ, behind the gear.

        `arm.with_elastic("q1", 1e4, armature=0.2)` adds the coordinate theta1 with B θ̈ = τ + k (q − θ), and the torque
        k (q − θ) in the equation of q. The motor's torque then acts on θ, and its limits are those of θ. Friction
        that the joint has stays at the link: `arm.with_friction({"theta1": {"damping": 0.1}})` gives the motor its own.

        joint: its name, that of its coordinate or of its link; stiffness: k [N·m/rad or N/m], cubic: c of a torque
            k δ + c δ³ with δ = q − θ; damping: d of d δ̇
        armature: B = n² J of a rotor with the gear ratio n, by default what the joint has, which moves to the motor;
            0 where `with_rotor` adds the rotor on its carrier, with the torques that B neglects:
            `arm.with_elastic("q1", 1e4, armature=0).with_rotor("base", {"theta1": 100}, 2e-5)`
        motor: the new coordinate, by default theta1 of q1; name: that of the motor
        symbols: names of new symbols, or a mapping from these names to values
        raises ModelError: no such joint, one that is elastic already, a follower, a ball or a free joint, no stiffness,
            or a number below zero
        Source: Spong, "Modeling and control of elastic joint robots", 1987.
        """
        from qddot.robot import elastic

        laws = {"stiffness": stiffness, "cubic": cubic, "damping": damping}
        return self._with_tree(elastic.elastic(self.model.tree, joint, laws, armature, motor, name, symbols))

    def with_locked(self, /, **positions: Scalar) -> Self:
        """Returns the arm with some joints held: `arm.with_locked(q4=0.3, q5="90deg")` has two coordinates fewer.

        A closed chain has less mobility then; it keeps its independent coordinates if only independent ones are held.
        positions: by coordinate, numbers [rad or m] or texts; joints that move by a ratio of a locked one are
            held, too
        raises ModelError: no such coordinate, no joint left that moves, a structure that cannot move because of its
            loops, or equations that are given entry by entry
        """
        from qddot.robot import changes

        return self._with_tree(changes.locked(self.model.tree, positions))

    def with_driven(self, *names: str) -> Self:
        """Returns the arm with motors in these joints alone: `arm.with_driven("q2")`, and in none without a name.

        names: of coordinates or velocities, or of joints, which stand for all of theirs
        raises ModelError: no such joint, or one that does not move
        """
        return self._with_tree(replace(self.model.tree, driven=names))

    def with_base(
        self, xyz: Sequence[Scalar] | ArrayLike = (0, 0, 0), rpy: Sequence[Scalar] | ArrayLike = (0, 0, 0)
    ) -> Self:
        """Returns the arm with its base moved by xyz [m] and turned by roll, pitch and yaw: on a wall, from a ceiling.

        Gravity stays as it was; poses and Jacobians are given in the old base frame, which is now the world's.
        raises ModelError: not three numbers, or equations that are given entry by entry
        """
        from qddot.robot import changes

        return self._with_tree(changes.mounted(self.model.tree, xyz, rpy))

    def free(
        self,
        mass: Scalar = 0,
        com: Sequence[Scalar] | ArrayLike | None = None,
        inertia: Sequence[Scalar] | ArrayLike | Shapes | Mapping[str, Any] = (0, 0, 0, 0, 0, 0),
        about: str = "com",
        name: str = "free_base",
        symbols: Iterable[str] | Mapping[str, Any] = (),
    ) -> Self:
        """Returns the arm on a base that moves freely; its inertia is given as that of a load in `with_payload`.

        The base has q = (p, quaternion): p [m] is the position of its origin along the world's axes, and the unit
        quaternion (w, x, y, z) is its attitude. Its velocities are ν = (v, ω), both along its own axes. Its frame is
        the arm's old base frame. Without a mass the base is the link that is fixed in that frame, such as a URDF's
        root, if it is the only one.
        raises ModelError: a base that is free already, or one without enough inertia, which leaves M singular
        """
        from qddot.formats.shared.floating import floating
        from qddot.robot.symbol_tables import symbol_table

        declared = {**symbol_table(symbols), **self.model.tree.symbols}
        own, _ = _inertial(mass, com, inertia, about)
        return self._with_tree(floating(self.model.tree, **own, name=name, symbols=declared))

    def with_tool(
        self,
        xyz: Sequence[Scalar] | ArrayLike = (0, 0, 0),
        rpy: Sequence[Scalar] | ArrayLike = (0, 0, 0),
        body: str | None = None,
    ) -> Self:
        """Returns the arm with its tool's frame at xyz [m], rpy in a link's frame.

        body: the link that carries the tool, by default the one that does now
        raises ModelError: not three numbers, or no such link
        """
        from qddot.robot import changes

        return self._with_tree(changes.tooled(self.model.tree, xyz, rpy, body))

    def as_dh(self) -> Self:
        """Returns the same arm in standard Denavit–Hartenberg frames, T = Rz(θ) Tz(d) Tx(a) Rx(α).

        The coordinates, torques and motion stay the same, and what the loops and wheels of a closed chain hold; the
        notes of its model say what was rounded.
        raises QddotError: an arm that branches, or a symbol without a value under a square root
        """
        return self._in_convention("dh")

    def as_mdh(self) -> Self:
        """Returns the same arm in modified Denavit–Hartenberg frames, T = Rx(α) Tx(a) Rz(θ) Tz(d).

        Notes and errors are as in `as_dh`.
        """
        return self._in_convention("mdh")

    def as_screws(self, frame: str = "space") -> Self:
        """Returns the same arm by its joints' screws (ω, v) at q = 0; its links keep their frames.

        frame: "space" for screws in the base frame, "body" for the tool's
        raises FormatError: no such frame, or an arm that screws cannot describe
        """
        conventions = {"space": "screws", "body": "body_screws"}
        if not is_one_of(frame, conventions):
            raise FormatError("twist-in-no-frame", frame=shortened(frame))
        return self._in_convention(conventions[frame])

    def as_tree(self) -> Self:
        """Returns the same arm as a tree in which every link's frame is at its joint."""
        return self._in_convention("tree")


def _inertial(mass: Any, com: Any, inertia: Any, about: Any) -> tuple[dict[str, Any], list[str]]:
    """Returns the arguments of `mass_properties`, and notes; a mapping is the table `inertia` of a robot file."""
    given = {"mass": mass, "com": com, "inertia": inertia, "about": about}
    if not isinstance(inertia, Mapping):
        return given, []
    from qddot.formats.toml.link_table import inertial

    if about != "com":
        raise ModelError("about-beside-table", about=shortened(about))
    table = {"inertia": inertia} | ({} if com is None else {"com": com})
    without_mass = isinstance(mass, int | float) and mass == 0
    return inertial(table if without_mass else {**table, "mass": mass})
