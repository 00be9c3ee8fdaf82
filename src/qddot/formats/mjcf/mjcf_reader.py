"""Reads MJCF into a model through MuJoCo's own compiler, which resolves defaults, includes, frames and densities.

If a body has several joints, all but the last carry massless bodies; so does a ball joint whose centre is not at the
body's origin. `unmodelled` lists what would change the equations and is left out; `actuators` reads motors, `tendons`
what tendons do to single joints, `equalities` and `loops` read equalities. Source: MuJoCo's XML reference,
mujoco.readthedocs.io.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from qddot.algebra.expressions.angles import Angle
from qddot.algebra.expressions.expression import Expression
from qddot.algebra.expressions.names import fresh
from qddot.algebra.expressions.parser import expression
from qddot.algebra.freedoms import FREE, SPHERICAL
from qddot.algebra.spatial import Pose, Rotation, SymmetricMatrix3, Vec3
from qddot.base.errors import FormatError, NotInstalledError, NotModelledError, shortened
from qddot.base.system import parts
from qddot.formats.mjcf import tendons
from qddot.formats.mjcf.actuators import Motors, motors
from qddot.formats.mjcf.files import Bundle, bundle
from qddot.formats.mjcf.unmodelled import of_joints, unmodelled, without_what_is_off
from qddot.formats.shared.gravity import gravity_of
from qddot.formats.shared.rotations import from_quaternion, turned
from qddot.formats.urdf.numbers import motor_limit
from qddot.formats.xml.elements import Element
from qddot.robot.axes import nearest_rational, unit
from qddot.robot.bodies import BASE, Body, Joint, Symbol
from qddot.robot.effects.armature import Armature
from qddot.robot.effects.coulomb import Coulomb
from qddot.robot.effects.effect import Effect
from qddot.robot.effects.spring import Spring
from qddot.robot.effects.viscous import Viscous
from qddot.robot.left_out import LeftOut
from qddot.robot.model import Model
from qddot.robot.notes import note, noted
from qddot.robot.placements import simplified, vector
from qddot.robot.validity import tolerated

APART = ("sensors", "actuators", "pairs", "excludes", "keys", "tuples", "skins", "flexes")
LOOKS = ("textures", "materials", "hfields", "cameras", "lights")


class Compiled(NamedTuple):
    """This is a description that MuJoCo has compiled.

    spec: the description, with new names of files and without visual elements
    arrays: MuJoCo's model; notes: of changes; motors: the motors of the joints
    left_out: content that would change the equations
    """

    spec: Any
    arrays: Any
    mujoco: Any
    notes: list[str]
    motors: Motors
    left_out: tuple[LeftOut, ...]


def compiled(path: Path, root: Element, prepare: Callable[[Any], tuple[list[str], list[LeftOut]]]) -> Compiled:
    """Returns what MuJoCo makes of a file.

    prepare: a function that changes the description, and returns notes and what it leaves out
    raises NotInstalledError: MuJoCo is not installed
    raises FormatError: MuJoCo rejects the file, or it refers to files outside its folder
    """
    files = bundle(path, root)
    try:
        import mujoco
    except ImportError:
        raise NotInstalledError("mjcf-needs-mujoco", where=str(path), remedy=parts.remedy("mjcf")) from None
    try:
        spec = mujoco.MjSpec.from_string(files.main, files.texts)
        of_flags = without_what_is_off(spec, mujoco)
        of_actuators, of_motors = motors(spec)
        left_out = unmodelled(spec)
        changes, removed = prepare(spec)
        notes = [*files.notes, *of_flags, *of_motors, *changes]
        _strip(files, spec, mujoco)
        with warnings.catch_warnings(record=True) as complaints:
            warnings.simplefilter("always")
            arrays = spec.compile()
    except (ValueError, mujoco.FatalError) as error:
        raise FormatError(
            "mujoco-refuses", where=str(path), complaint=shortened(" ".join(str(error).split()), 200)
        ) from None
    notes += [f"MuJoCo: {complaint.message}" for complaint in complaints]
    return Compiled(spec, arrays, mujoco, notes, of_actuators, (*removed, *left_out, *of_joints(arrays, mujoco)))


def model_of(arrays: Any, mujoco: Any, name: str) -> Model:
    """Returns the model of an arm that MuJoCo has compiled, for a comparison with MuJoCo's numbers.

    raises NotModelledError: a joint is free or a ball joint, which this comparison does not support
    """
    readable = [int(kind) for kind in (mujoco.mjtJoint.mjJNT_HINGE, mujoco.mjtJoint.mjJNT_SLIDE)]
    for k in range(arrays.njnt):
        if int(arrays.jnt_type[k]) not in readable:
            raise NotModelledError("joint-free-or-ball", where=f"joint {arrays.joint(k).name!r}")
    return Reader(arrays, mujoco).model(name)


def _strip(files: Bundle, spec: Any, mujoco: Any) -> None:
    """Removes all but the tree, what gives it inertia, and tendons that are read."""
    used = {name for each in spec.equalities if each.type.name == "mjEQ_TENDON" for name in (each.name1, each.name2)}
    for tendon in list(spec.tendons):
        if tendon.name in used or tendons.acts_on_one(tendon):
            tendon.material = ""
        else:
            spec.delete(tendon)
    for kind in (*APART, *LOOKS):
        for element in list(getattr(spec, kind)):
            spec.delete(element)
    always = spec.compiler.inertiafromgeom == mujoco.mjtInertiaFromGeom.mjINERTIAFROMGEOM_TRUE
    for body in spec.bodies:
        for geom in list(body.geoms):
            if body is spec.worldbody or body.id == 0 or (body.explicitinertial and not always):
                spec.delete(geom)
            else:
                geom.material = ""
    used = {geom.meshname for geom in spec.geoms}
    meshes: dict[str, bytes] = {}
    for mesh in list(spec.meshes):
        if mesh.name in used:
            if mesh.file:
                meshes[mesh.file] = files.mesh(mesh.file)
        else:
            spec.delete(mesh)
    spec.assets = meshes


@dataclass
class Reader:
    """A reader converts a model that MuJoCo has compiled."""

    compiled: Any
    mujoco: Any
    notes: list[str] = field(default_factory=list)
    motors: Motors = field(default_factory=Motors)
    carriers: dict[int, str] = field(default_factory=dict)  # the body on each of MuJoCo's joints

    def model(self, name: str) -> Model:
        m = self.compiled
        self.names = self._body_names()
        gravity, symbols = self._gravity()
        bodies = tuple(body for k in range(1, m.nbody) for body in self._bodies(k))
        return Model(name=name or "robot", bodies=bodies, gravity=gravity, symbols=symbols, notes=tuple(self.notes))

    def _body_names(self) -> list[str]:
        """Returns a unique name for every body, none equal to the ground's."""
        own_names = [self.compiled.body(k).name for k in range(self.compiled.nbody)]
        names, names_in_use = [BASE], {BASE, *own_names}
        for k, name in enumerate(own_names[1:], 1):
            names.append(name if name not in ("", BASE) else fresh(name or f"body{k}", names_in_use))
            if name == BASE:
                self.notes.append(noted(f"body {name!r}", note("called-otherwise", name=repr(names[-1]))))
        return names

    def _gravity(self) -> tuple[Vec3, dict[str, Symbol]]:
        off = self.compiled.opt.disableflags & self.mujoco.mjtDisableBit.mjDSBL_GRAVITY
        return gravity_of([fraction(0.0 if off else part) for part in self.compiled.opt.gravity])

    def _bodies(self, k: int) -> Iterator[Body]:
        """Yields a body for each joint of MuJoCo's body k; the last has the mass, the others have none."""
        m, name, home = self.compiled, self.names[k], self.home(k)
        parent, joints = self.names[m.body_parentid[k]], range(m.body_jntadr[k], m.body_jntadr[k] + m.body_jntnum[k])
        for j in joints:
            joint = self._joint(j, parent, home, f"joint {m.joint(j).name!r}")
            centre = doubles(m.jnt_pos[j]) if joint.type == SPHERICAL else Vec3.zero()
            if j == joints[-1] and centre == Vec3.zero():
                self.carriers[j] = name
                break
            parent, home = self._between(name, j), Pose(Rotation.identity(), -centre)
            self.carriers[j] = parent
            yield Body(parent, joint)
        else:
            joint = Joint("fixed", parent, placement=simplified(home))
        yield self._massive(k, name, joint)

    def home(self, k: int) -> Pose:
        """Returns the pose of MuJoCo's body k in its parent in the initial configuration."""
        m = self.compiled
        return Pose(self.rotation(m.body_quat[k], f"body {self.names[k]!r}"), doubles(m.body_pos[k]))

    def _between(self, name: str, j: int) -> str:
        return fresh(f"{name}_{self.compiled.joint(j).name or f'joint{j}'}", {*self.names})

    def _joint(self, j: int, parent: str, home: Pose, where: str) -> Joint:
        """Returns MuJoCo's joint j as a Joint.

        The body's pose is home · translation to the joint's anchor · motion by q − ref · translation back.
        """
        m = self.compiled
        if m.jnt_type[j] == self.mujoco.mjtJoint.mjJNT_FREE or m.jnt_type[j] == self.mujoco.mjtJoint.mjJNT_BALL:
            return self._with_freedoms(j, parent, home, where)
        turns = m.jnt_type[j] == self.mujoco.mjtJoint.mjJNT_HINGE
        axis, change = unit([fraction(part) for part in m.jnt_axis[j]])
        self.notes += [noted(where, change)] if change else []
        anchor, reference = doubles(m.jnt_pos[j]), float(m.qpos0[m.jnt_qposadr[j]])
        if turns:
            R, change = turned(axis, Angle.of_double(-reference))
            self.notes += [noted(where, change)] if change else []
            back = Pose(R, anchor)
        else:
            back = Pose(Rotation.identity(), anchor - axis * expression(reference))
        return Joint(
            type="revolute" if turns else "prismatic",
            parent=parent,
            axis=axis,
            placement=simplified(home @ back),
            offset=simplified(Pose(Rotation.identity(), -anchor)),
            limits=tuple(_value(end, turns) for end in m.jnt_range[j]) if m.jnt_limited[j] else None,
            effects=tuple(self._of_all(j, turns)),
            name=m.joint(j).name,
            effort=self._effort(j),
        )

    def _with_freedoms(self, j: int, parent: str, home: Pose, where: str) -> Joint:
        """Returns a free joint, with its position in the world, or a ball joint, with that in the home of its body."""
        m = self.compiled
        free = m.jnt_type[j] == self.mujoco.mjtJoint.mjJNT_FREE
        if m.jnt_limited[j]:
            self.notes.append(noted(where, note("ball-limit-unread")))
        placement = Pose.identity() if free else simplified(home @ Pose(Rotation.identity(), doubles(m.jnt_pos[j])))
        effects = tuple(self._effects(j))
        return Joint(FREE if free else SPHERICAL, parent, placement=placement, effects=effects, name=m.joint(j).name)

    def _effort(self, j: int) -> float | None:
        """Returns the largest torque or force of a joint's actuators: that of all, or to which the joint limits it."""
        m = self.compiled
        ends = [self.motors.efforts.get(m.joint(j).name, math.inf)]
        if m.jnt_actfrclimited[j]:
            ends.append(max(abs(float(end)) for end in m.jnt_actfrcrange[j]))
        return motor_limit(min(ends))

    def _of_all(self, j: int, turns: bool) -> Iterator[Effect]:
        """Yields the effects of a hinge or a slide, of its actuators and of tendons on it alone."""
        of_motors = self.motors.effects.get(self.compiled.joint(j).name, ())
        of_tendons = list(tendons.effects(self.compiled, j))
        springs = [*self._springs(j, turns), *(each for each in of_tendons if isinstance(each, Spring))]
        yield from (*self._effects(j), *of_motors, *(each for each in of_tendons if not isinstance(each, Spring)))
        yield from tendons.joined(springs)

    def _effects(self, j: int) -> Iterator[Effect]:
        m, dof = self.compiled, self.compiled.jnt_dofadr[j]
        kinds: Iterable[tuple[type[Armature] | type[Viscous] | type[Coulomb], Any]] = (
            (Armature, m.dof_armature),
            (Viscous, m.dof_damping),
            (Coulomb, m.dof_frictionloss),
        )
        for kind, values in kinds:
            if values[dof]:
                yield kind(expression(float(values[dof])))

    def _springs(self, j: int, turns: bool) -> Iterator[Spring]:
        m = self.compiled
        if m.jnt_stiffness[j]:
            rest = _value(m.qpos_spring[m.jnt_qposadr[j]], turns)
            yield Spring(expression(float(m.jnt_stiffness[j])), rest)

    def _massive(self, k: int, name: str, joint: Joint) -> Body:
        m, where = self.compiled, f"body {name!r}"
        diagonal = SymmetricMatrix3.diagonal(*(expression(float(part)) for part in m.body_inertia[k]))
        tensor = diagonal.rotated(self.rotation(m.body_iquat[k], where))
        mass = expression(float(m.body_mass[k]))
        return tolerated(Body.of(name, joint, mass=mass, com=doubles(m.body_ipos[k]), inertia=tuple(tensor)))

    def rotation(self, quaternion: Any, where: str) -> Rotation:
        """Returns the rotation of a quaternion of doubles, made rational."""
        parts = [float(part) for part in quaternion]
        if not any(parts) or not all(map(math.isfinite, parts)):
            raise FormatError("quaternion-wrong", where=where, parts=parts)
        exact = nearest_rational(parts)
        length = sum(part * part for part in exact)
        change = max(abs(abs(float(a)) / float(length) ** 0.5 - abs(b)) for a, b in zip(exact, parts, strict=True))
        if change > 1e-15:
            self.notes.append(noted(where, note("quaternion-made-rational", change=f"{change:.1e}")))
        return from_quaternion(*exact)


def _value(value: float, turns: bool) -> Expression:
    """Returns a coordinate's value; a double next to a multiple of 15° becomes that multiple."""
    if not turns:
        return expression(float(value))
    angle = Angle.of_double(float(value))
    return Expression.of("pi") * angle.pi + angle.radians


def fraction(value: Any) -> Any:
    """Returns a double as the shortest decimal that names it."""
    return expression(float(value)).rational


def doubles(values: Any) -> Vec3:
    """Returns a vector of doubles as decimals."""
    return vector([float(part) for part in values])
