"""Offers the names of other toolboxes to those who know them: `qddot.aliases.rnea(arm, q, qd, qdd)`.

`rne`, `inertia`, `coriolis`, `gravload`, `accel`, `fkine`, `jacob0` are names of Corke's Robotics Toolbox, `rnea`,
`crba`, `aba`, `computeCentroidalMap`, `jacobianCenterOfMass`, `centerOfMass` of Pinocchio. Each takes a Robot first and
arrays with any leading batch dimensions; each docstring says what is different there. In all of them q is in the order
of `arm.model.positions`, rates and torques in that of `arm.model.coordinates`, which is not Pinocchio's order where a
link carries several joints. `in_convention` and `from_convention` convert arrays to the orders and conventions of other
programs, and back.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from qddot.base.errors import ModelError, shortened
from qddot.faces.robot import Robot
from qddot.robot.symbol_values import refuse_unknown

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray


def rne(arm: Robot, q: ArrayLike, qd: ArrayLike, qdd: ArrayLike) -> NDArray[np.float64]:
    """Returns inverse dynamics, shape (…, n): `Robot.inverse_dynamics`.

    As in the toolbox, armature and friction are included; so are springs, which the toolbox does not have. In MATLAB
    the gravity vector is the base's upward acceleration (default (0, 0, 9.81)); here it is the acceleration of free
    fall (0, 0, −g). GRAV is not an argument: gravity is the model's. Nor is FEXT: use with_payload, or `wrenches` of
    inverse_dynamics (force, then moment, on each body). In the toolbox a link's I is about the centre of mass, and its
    motor inertia Jm is before the gears; the armature here is Jm G².
    """
    return _robot(arm).inverse_dynamics(q, qd, qdd)


def inertia(arm: Robot, q: ArrayLike) -> NDArray[np.float64]:
    """Returns M(q) with armature, shape (…, n, n): `Robot.mass_matrix`. A batch comes first here, last in MATLAB."""
    return _robot(arm).mass_matrix(q)


def coriolis(arm: Robot, q: ArrayLike, qd: ArrayLike) -> NDArray[np.float64]:
    """Returns C(q, q̇) without friction, shape (…, n, n): `Robot.coriolis_matrix`.

    C_ij = Σ_k Γ_ijk q̇_k, for which Ṁ − 2C is skew. Recent toolboxes have the same; old ones put each product
    q̇_j q̇_k in one column, so that C q̇ agrees and C does not.
    """
    return _robot(arm).coriolis_matrix(q, qd)


def gravload(arm: Robot, q: ArrayLike) -> NDArray[np.float64]:
    """Returns G(q), the torques that hold the arm up, shape (…, n): `Robot.gravity`. The sign is the toolbox's."""
    return _robot(arm).gravity(q)


def accel(arm: Robot, q: ArrayLike, qd: ArrayLike, torque: ArrayLike) -> NDArray[np.float64]:
    """Returns forward dynamics, shape (…, n): `Robot.forward_dynamics`. Friction is included, as in the toolbox."""
    return _robot(arm).forward_dynamics(q, qd, torque)


def fkine(arm: Robot, q: ArrayLike) -> NDArray[np.float64]:
    """Returns the tool's pose in the base, shape (…, 4, 4); `Robot.forward_kinematics` takes a link's frame, too.

    The toolbox returns an SE3 object, and has a base transform besides, which is part of the first joint here.
    """
    return _robot(arm).forward_kinematics(q, body="tool")


def jacob0(arm: Robot, q: ArrayLike) -> NDArray[np.float64]:
    """Returns the geometric Jacobian at the tool's point, world axes, rows linear then angular, shape (…, 6, n).

    The rows are those of the toolbox; `Robot.jacobian` is at the origin of a link's frame by default.
    """
    return _robot(arm).jacobian(q, body="tool")


def rnea(arm: Robot, q: ArrayLike, v: ArrayLike, a: ArrayLike) -> NDArray[np.float64]:
    """Returns inverse dynamics, shape (…, n): `Robot.inverse_dynamics`.

    Pinocchio's adds the armature, too, but neither damping nor dry friction; here friction and springs are included.
    A pin.Inertia takes the tensor about the centre of mass, and external forces are spatial forces in joint frames.
    """
    return _robot(arm).inverse_dynamics(q, v, a)


def crba(arm: Robot, q: ArrayLike) -> NDArray[np.float64]:
    """Returns M(q) with the armature, shape (…, n, n), both triangles filled: `Robot.mass_matrix`.

    Pinocchio adds the armature, too; in some releases only the upper triangle of its result is filled.
    """
    return _robot(arm).mass_matrix(q)


def aba(arm: Robot, q: ArrayLike, v: ArrayLike, tau: ArrayLike) -> NDArray[np.float64]:
    """Returns forward dynamics, shape (…, n): `Robot.forward_dynamics`.

    Pinocchio's has the armature, too, but no friction; here friction and springs are included.
    """
    return _robot(arm).forward_dynamics(q, v, tau)


def computeCentroidalMap(arm: Robot, q: ArrayLike) -> NDArray[np.float64]:
    """Returns A_G, shape (…, 6, n): `Robot.centroidal_momentum_matrix`.

    Pinocchio's has the same rows, the linear ones first, the same point and the same axes.
    """
    return _robot(arm).centroidal_momentum_matrix(q)


def jacobianCenterOfMass(arm: Robot, q: ArrayLike) -> NDArray[np.float64]:
    """Returns J_com, shape (…, 3, n): `Robot.com_jacobian`."""
    return _robot(arm).com_jacobian(q)


def centerOfMass(arm: Robot, q: ArrayLike) -> NDArray[np.float64]:
    """Returns the centre of mass of all links in the base frame, shape (…, 3): `Robot.centre_of_mass`."""
    return _robot(arm).centre_of_mass(q)


def in_convention(
    arm: Robot,
    program: str,
    q: ArrayLike,
    qd: ArrayLike | None = None,
    qdd: ArrayLike | None = None,
    *,
    M: ArrayLike | None = None,
    C: ArrayLike | None = None,
    J: ArrayLike | None = None,
    tau: ArrayLike | None = None,
    joints: Sequence[str] | None = None,
    **values: float,
) -> Mapping[str, NDArray[np.float64]]:
    """Returns, by name, q and those of qd, qdd, M, C, J and tau that are given, in another program's convention.

    program: "pinocchio", "mujoco", "drake", "idyntree" (its mixed representation) or "newton" (whose v is that of the
    child's centre of mass). Quaternions, v and ω of free and spherical joints are converted. Drake has roll, pitch and
    yaw as the positions of a ball joint, and Pinocchio (cos q, sin q) as that of a continuous joint of URDF. J is that
    of `Robot.jacobian`, (…, 6, n): its columns are converted, its rows are kept.
    joints: the names of the joints in the program's order, in Pinocchio `model.names[1:]`. By default they go from the
    base outward, each branch to its end. Where a link carries several joints, MuJoCo keeps the file's order, and
    Pinocchio sorts them by name if it reads URDF, as it is done here for an arm that was read from URDF. Where another
    order is possible, and for other programs, `joints` is needed. A free base may be left out, and is the first. Joints
    that follow others (mimic) have no entries.
    values: numbers for symbols, from which the links' inertial parameters are computed
    raises EvaluationError: an unknown program, wrong shapes, qdd or C without qd, a joint that the program lacks, or an
    order that is not known
    """
    from qddot.machine.numeric import conventions

    arrays = {"qd": qd, "qdd": qdd, "M": M, "C": C, "J": J, "tau": tau}
    own = _robot(arm)
    refuse_unknown(own.model, values, in_convention)
    return conventions.in_convention(own, program, q, arrays, values, joints)


def from_convention(
    arm: Robot,
    program: str,
    q: ArrayLike,
    qd: ArrayLike | None = None,
    qdd: ArrayLike | None = None,
    *,
    M: ArrayLike | None = None,
    C: ArrayLike | None = None,
    J: ArrayLike | None = None,
    tau: ArrayLike | None = None,
    joints: Sequence[str] | None = None,
    **values: float,
) -> Mapping[str, NDArray[np.float64]]:
    """Returns, by name, q and those of qd, qdd, M, C, J and tau that are given, from another program's convention.

    It takes what `in_convention` returns, and raises the same errors.
    """
    from qddot.machine.numeric import conventions

    arrays = {"qd": qd, "qdd": qdd, "M": M, "C": C, "J": J, "tau": tau}
    own = _robot(arm)
    refuse_unknown(own.model, values, from_convention)
    return conventions.from_convention(own, program, q, arrays, values, joints)


def _robot(arm: object) -> Robot:
    """Returns a robot. raises ModelError: anything else, such as a closed chain, whose functions have other shapes"""
    if not isinstance(arm, Robot):
        raise ModelError("arm-no-robot", arm=shortened(arm))
    return arm
