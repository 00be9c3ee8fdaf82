"""Computes the accelerations of a random linkage by Pinocchio's constraintDynamics, in a model built body by body."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pinocchio as pin
from linkages.random_planar import Body, Linkage

# planar loops have redundant rows, which a proximal term makes regular
MOST_STEPS, REGULARISING, CLOSE = 200, 1e-8, 1e-13


def joint(body: Body) -> Any:
    axis = np.array(body.axis, dtype=float) / np.linalg.norm(np.array(body.axis or [1], dtype=float))
    if body.joint in ("hinge", "slide"):
        return (pin.JointModelRevoluteUnaligned if body.joint == "hinge" else pin.JointModelPrismaticUnaligned)(axis)
    return pin.JointModelSpherical() if body.joint == "ball" else pin.JointModelFreeFlyer()


def placement(body: Body) -> Any:
    """That of the joint; the coordinates of a free body are those of its frame in the world."""
    if body.joint == "free":
        return pin.SE3.Identity()
    quat = np.array(body.quat, dtype=float)
    turn = pin.Quaternion(*(quat / np.linalg.norm(quat))).toRotationMatrix()
    return pin.SE3(turn, np.array(body.xyz, dtype=float))


def inertia(body: Body) -> Any:
    xx, yy, zz, xy, xz, yz = map(float, body.inertia)
    tensor = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    return pin.Inertia(float(body.mass), np.array(body.com, dtype=float), tensor)


def built(linkage: Linkage) -> tuple[Any, list[Any], Any]:
    """The model, a constraint for each pin and the damping of all velocities."""
    model = pin.Model()
    model.gravity.linear = np.array(linkage.gravity, dtype=float)
    where: dict[int | None, tuple[int, Any]] = {
        None: (0, pin.SE3.Identity())
    }  # a joint, and the body's frame in its own
    damping = list[float]()
    armature = list[float]()
    for k in map(int, re.findall(r'<body name="b(\d+)"', linkage.mjcf())):
        body = linkage.bodies[k]
        carrier, frame = where[body.parent]
        frame = frame * placement(body)
        if body.joint != "fixed":
            carrier = model.addJoint(carrier, joint(body), frame, f"b{k}")
            frame, width = pin.SE3.Identity(), model.joints[carrier].nv
            dissipates = body.joint != "free"
            damping += [float(body.damping) * dissipates] * width
            armature += [float(body.armature) * dissipates] * width
        model.appendBodyToJoint(carrier, inertia(body), frame)
        where[k] = carrier, frame
    model.armature = np.array(armature)
    data = model.createData()
    pin.forwardKinematics(model, data, pin.neutral(model))
    constraints = pin.StdVec_RigidConstraintModel()
    for pinned in linkage.pins:
        (one, frame), (other, _) = where[pinned.first], where[pinned.second]
        for anchor in pinned.anchors:
            first = frame * pin.SE3(np.eye(3), np.array(anchor, dtype=float))
            second = data.oMi[other].inverse() * data.oMi[one] * first
            constraints.append(pin.RigidConstraintModel(pin.ContactType.CONTACT_3D, model, one, first, other, second))
    return model, constraints, np.array(damping)


def accelerations(linkage: Linkage, q: Any, qd: Any, tau: Any) -> Any:
    model, constraints, damping = built(linkage)
    q, data = np.array(q), model.createData()
    for joint_model in model.joints[1:]:
        if joint_model.nq > 3:  # a quaternion is (x, y, z, w) there
            at = joint_model.idx_q + joint_model.nq - 4
            q[at : at + 4] = np.roll(q[at : at + 4], -1)
    each = pin.StdVec_RigidConstraintData()
    for constraint in constraints:
        each.append(constraint.createData())
    pin.initConstraintDynamics(model, data, constraints, each)
    settings = pin.ProximalSettings(CLOSE, REGULARISING, MOST_STEPS)
    return pin.constraintDynamics(model, data, q, qd, tau - damping * qd, constraints, each, settings).copy()
