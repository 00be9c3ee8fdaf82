"""Holds arrays in Drake's and in iDynTree's conventions against what these programs compute.

python bench/convention_peers.py     needs the packages drake and idyntree
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np

import qddot
from qddot.algebra.spatial.quaternion import rotation_of
from qddot.faces import aliases
from qddot.formats.toml import robot_file

BODIES: dict[str, tuple[float, list[float], list[list[float]]]] = {
    "trunk": (4, [0.1, 0.2, 0.3], [[1, 0.1, 0.05], [0.1, 1.1, 0.02], [0.05, 0.02, 1.2]]),
    "leg": (2, [0, 0.1, -0.3], [[0.1, 0, 0], [0, 0.2, 0], [0, 0, 0.25]]),
    "shin": (1.5, [0, 0.1, -0.3], [[0.1, 0, 0], [0, 0.2, 0], [0, 0, 0.25]]),
}
PLACES = {"trunk": [0, 0, 0], "leg": [0.3, 0, -0.2], "shin": [0, 0, -0.5]}


@cache
def walker(leg: str) -> qddot.Robot:
    """A trunk that moves freely, a leg in a joint of this type, and a shin that turns about y."""
    kinds: dict[str, dict[str, Any]] = {
        "trunk": {"type": "free"},
        "leg": {"type": leg, "axis": [1, 0, 0]},
        "shin": {"axis": [0, 1, 0]},
    }
    if leg == "spherical":
        del kinds["leg"]["axis"]
    links, parent = [], "base"
    for name, kind in kinds.items():
        joint = {"type": "revolute", **kind, "xyz": PLACES[name]}
        mass, com, tensor = BODIES[name]
        links.append({"name": name, "parent": parent, "joint": joint, "mass": mass, "com": com, "inertia": tensor})
        parent = name
    return qddot.Robot(robot_file.from_mapping({"convention": "tree", "link": links}, "walker"))


def theirs(arm: qddot.Robot, program: str) -> Mapping[str, Any]:
    rng = np.random.default_rng(3)
    q = arm.integrate(arm.neutral(), rng.uniform(-0.8, 0.8, arm.n))
    qd, qdd = rng.normal(size=(2, arm.n))
    own = {"qd": qd, "qdd": qdd, "M": arm.mass_matrix(q), "tau": arm.inverse_dynamics(q, qd, qdd)}
    return aliases.in_convention(arm, program, q, **own)


def compare_with_drake(leg: str) -> None:
    from pydrake.math import RigidTransform
    from pydrake.multibody.plant import MultibodyPlant
    from pydrake.multibody.tree import BallRpyJoint, FixedOffsetFrame, RevoluteJoint, RotationalInertia, SpatialInertia

    plant: Any = MultibodyPlant(0.0)
    bodies = {}
    for name, (mass, com, tensor) in BODIES.items():
        (xx, xy, xz), (_, yy, yz), (_, _, zz) = tensor
        central = RotationalInertia(xx, yy, zz, xy, xz, yz)
        bodies[name] = plant.AddRigidBody(name, SpatialInertia.MakeFromCentralInertia(mass, com, central))
    for parent, name in (("trunk", "leg"), ("leg", "shin")):
        place = FixedOffsetFrame(f"{name}_place", bodies[parent].body_frame(), RigidTransform(PLACES[name]))
        ends = (name, plant.AddFrame(place), bodies[name].body_frame())
        axis = [0, 1, 0] if name == "shin" else [1, 0, 0]
        is_ball = name == "leg" and leg == "spherical"
        plant.AddJoint(BallRpyJoint(*ends) if is_ball else RevoluteJoint(*ends, axis))
    plant.Finalize()
    context, expected = plant.CreateDefaultContext(), theirs(walker(leg), "drake")
    plant.SetPositions(context, expected["q"])
    plant.SetVelocities(context, expected["qd"])
    np.testing.assert_allclose(expected["M"], plant.CalcMassMatrixViaInverseDynamics(context), atol=1e-12)
    bias = plant.CalcBiasTerm(context) - plant.CalcGravityGeneralizedForces(context)
    np.testing.assert_allclose(expected["tau"], expected["M"] @ expected["qdd"] + bias, atol=1e-11)


URDF = """<robot name="walker">{links}
<joint name="hip" type="continuous"><parent link="trunk"/><child link="leg"/><origin xyz="0.3 0 -0.2"/>
  <axis xyz="1 0 0"/></joint>
<joint name="knee" type="continuous"><parent link="leg"/><child link="shin"/><origin xyz="0 0 -0.5"/>
  <axis xyz="0 1 0"/></joint></robot>"""


def compare_with_idyntree() -> None:
    import idyntree.bindings as tree

    links = ""
    for name, (mass, com, tensor) in BODIES.items():
        (xx, xy, xz), (_, yy, yz), (_, _, zz) = tensor
        links += (
            f'<link name="{name}"><inertial><origin xyz="{com[0]} {com[1]} {com[2]}"/><mass value="{mass}"/><inertia '
            f'ixx="{xx}" ixy="{xy}" ixz="{xz}" iyy="{yy}" iyz="{yz}" izz="{zz}"/></inertial></link>'
        )
    loader, kinematics = tree.ModelLoader(), tree.KinDynComputations()
    assert loader.loadReducedModelFromString(URDF.format(links=links), ["hip", "knee"], "urdf")
    assert kinematics.loadRobotModel(loader.model())
    kinematics.setFrameVelocityRepresentation(tree.MIXED_REPRESENTATION)
    arm = walker("revolute")
    expected = theirs(arm, "idyntree")
    q, qd = np.array(expected["q"]), np.array(expected["qd"])
    R = [list(row) for row in rotation_of(q[3:7].tolist())]
    pose = np.block([[np.array(R, dtype=float), q[:3, None]], [np.zeros((1, 3)), np.ones((1, 1))]])
    assert kinematics.setRobotState(pose, q[7:], qd[:6], qd[6:], np.array([0, 0, -9.81]))
    matrix = tree.MatrixDynSize(arm.n, arm.n)
    assert kinematics.getFreeFloatingMassMatrix(matrix)
    M = matrix.toNumPy()
    np.testing.assert_allclose(expected["M"], M, atol=1e-12)
    forces = tree.FreeFloatingGeneralizedTorques(kinematics.model())
    assert kinematics.generalizedBiasForces(forces)
    bias = np.concatenate([forces.baseWrench().toNumPy(), forces.jointTorques().toNumPy()])
    np.testing.assert_allclose(expected["tau"], M @ expected["qdd"] + bias, atol=1e-11)


if __name__ == "__main__":
    for kind in ("spherical", "revolute"):
        compare_with_drake(kind)
    compare_with_idyntree()
    print("M and tau agree with Drake's to 1e-12 and 1e-11, and with iDynTree's")
