"""Runs Pinocchio on a file: its own M, C q̇ + G and inverse dynamics, and its model in qddot's form."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from qddot.algebra.expressions.parser import expression
from qddot.algebra.spatial import Pose, Rotation
from qddot.base.errors import FormatError, NotInstalledError, located
from qddot.base.words.message import say
from qddot.formats.shared.rotations import from_quaternion
from qddot.inspect.against.peer import Numbers, Peer, refused
from qddot.inspect.comparison.places import Array
from qddot.robot.axes import nearest_rational, unit
from qddot.robot.bodies import BASE, Body, Joint
from qddot.robot.effects.armature import Armature
from qddot.robot.effects.effect import Effect
from qddot.robot.model import Model
from qddot.robot.placements import vector
from qddot.robot.validity import tolerated


def read(path: Path, kind: str) -> Peer:
    """Returns Pinocchio with a file that it has read, whose root element is `kind`.

    raises FormatError: Pinocchio rejects the file; NotInstalledError: Pinocchio is missing
    """
    try:
        import pinocchio as pin
    except ImportError:
        raise NotInstalledError("pinocchio-not-installed", where=str(path)) from None
    readers = {"robot": pin.buildModelFromUrdf, "mujoco": pin.buildModelFromMJCF}
    if kind not in readers:
        raise FormatError("not-file-for-pinocchio", where=str(path), kind=kind)
    try:
        own = readers[kind](str(path))
    except Exception as error:
        # its C++ raises errors of many types
        raise refused("Pinocchio", path, error) from None
    with located(str(path)):
        model = _model_of(own, pin, path.stem)
    data = own.createData()

    def numbers(q: Array, qd: Array) -> Numbers:
        state = _configuration(own, q)
        upper = np.triu(pin.crba(own, data, state))
        M = upper + np.triu(upper, 1).T
        G = pin.computeGeneralizedGravity(own, data, state).copy()
        bias = pin.nonLinearEffects(own, data, state, qd).copy()
        torques = pin.rnea(own, data, state, qd, np.zeros(own.nv)).copy()
        return Numbers(M, bias - G, G, torques - bias)

    left_out = say("effects-of-pinocchio")
    return Peer(f"Pinocchio {pin.__version__}", model, numbers, ("M", "h", "G"), left_out)


def _configuration(own: Any, q: Array) -> Array:
    """Returns Pinocchio's configuration, in which a joint without limits has a cosine and a sine."""
    parts = (_part(own.nqs[k], q[own.idx_vs[k]]) for k in range(1, own.njoints))
    return np.concatenate([*parts])


def _part(size: int, q: float) -> Array:
    return np.array([q] if size == 1 else [np.cos(q), np.sin(q)])


def _model_of(own: Any, pin: Any, name: str) -> Model:
    """Returns Pinocchio's model in qddot's form: a body for each joint, with all links that are fixed to it."""
    names = [BASE, *_body_names(own, pin)]
    bodies = tuple(_body(own, pin, k, names) for k in range(1, own.njoints))
    return Model(name=name, bodies=bodies, gravity=vector(own.gravity.linear))


def _body_names(own: Any, pin: Any) -> Iterator[str]:
    """Yields a name for the body of each joint: that of its first link, or the joint's."""
    for k in range(1, own.njoints):
        links = (f.name for f in own.frames if f.type == pin.FrameType.BODY and f.parentJoint == k)
        yield next(links, str(own.names[k]))


def _body(own: Any, pin: Any, k: int, names: list[str]) -> Body:
    where = f"joint {str(own.names[k])!r}"
    if own.nvs[k] != 1:
        raise FormatError("joint-with-several-freedoms", where=where, nvs=own.nvs[k])
    linear, angular = np.split(_subspace(own, k), 2)
    turns = bool(angular.any())
    axis, _ = unit([Fraction(part) for part in (angular if turns else linear).tolist()])
    placement, at = own.jointPlacements[k], int(own.idx_vs[k])
    inertia = own.inertias[k]
    effects: tuple[Effect, ...] = (Armature(expression(float(own.armature[at]))),) if own.armature[at] else ()
    joint = Joint(
        type="revolute" if turns else "prismatic",
        parent=names[own.parents[k]],
        axis=axis,
        placement=Pose(_rotation(pin, placement.rotation), vector(placement.translation)),
        effects=effects,
        name=str(own.names[k]),
    )
    return tolerated(Body.of(names[k], joint, mass=float(inertia.mass), com=inertia.lever, inertia=inertia.inertia))


def _subspace(own: Any, k: int) -> Array:
    """Returns the motion of the joint's frame, linear then angular, per unit of its rate."""
    joint = own.joints[k]
    data = joint.createData()
    joint.calc(data, _part(own.nqs[k], 0.0))
    return np.asarray(data.S, dtype=float).ravel()


def _rotation(pin: Any, rotation: Array) -> Rotation:
    """Returns a rational rotation that differs only by rounding."""
    return from_quaternion(*nearest_rational(np.roll(pin.Quaternion(rotation).coeffs(), 1).tolist()))
