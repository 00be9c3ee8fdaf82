"""The names of other toolboxes mean here what they mean there."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pinocchio as pin
import pytest
from physical import close, random_chain, states

import qddot
from qddot.base.errors import QddotError
from qddot.faces import aliases
from qddot.robot.effects.armature import Armature
from qddot.robot.effects.viscous import Viscous


def test_rnea_crba_and_aba_are_pinocchios_armature_included() -> None:
    arm, other = random_chain(pin, joints=6, seed=3)
    rotors = [0.1 * (k + 1) for k in range(6)]
    by_name = dict(zip(arm.model.coordinates, rotors, strict=True))
    bodies = [
        replace(body, joint=replace(body.joint, effects=(Armature(by_name[str(body.joint.coordinate)]),)))
        for body in arm.model.bodies
    ]
    arm = qddot.Robot(replace(arm.model, bodies=tuple(bodies)))
    other.armature = np.array(rotors)
    data = other.createData()
    for q, v, a in zip(*states(arm, 3), strict=True):
        tau = pin.rnea(other, data, q, v, a)
        close(aliases.rnea(arm, q, v, a), tau)
        M = np.triu(pin.crba(other, data, q))
        close(aliases.crba(arm, q), M + np.triu(M, 1).T)
        # M⁻¹ loses what M's condition takes
        close(
            aliases.aba(arm, q, v, tau), pin.aba(other, data, q, v, tau), 1e-12 * np.linalg.cond(aliases.crba(arm, q))
        )


def test_pinocchio_leaves_friction_out() -> None:
    """As the docstring of rnea says."""
    arm, other = random_chain(pin, joints=2, seed=1)
    body = arm.model.bodies[0]
    damped = replace(body, joint=replace(body.joint, effects=(Viscous("5"),)))
    with_friction = qddot.Robot(replace(arm.model, bodies=(damped, *arm.model.bodies[1:])))
    other.damping = np.array([5.0, 0])
    (q, v, a) = (part[0] for part in states(arm, 1))
    tau = pin.rnea(other, other.createData(), q, v, a)
    close(aliases.rnea(arm, q, v, a), tau)
    close(aliases.rnea(with_friction, q, v, a), tau + np.array([5.0, 0]) * v)


def test_the_toolboxs_functions_make_one_equation() -> None:
    """rne = inertia q̈ + coriolis q̇ + gravload, and accel is its inverse, for an arm without friction."""
    arm = qddot.load("puma560_akb")
    q, qd, qdd = states(arm, 4)
    tau = aliases.rne(arm, q, qd, qdd)
    inertial = np.einsum("kij,kj->ki", aliases.inertia(arm, q), qdd)
    coupling = np.einsum("kij,kj->ki", aliases.coriolis(arm, q, qd), qd)
    close(tau, inertial + coupling + aliases.gravload(arm, q))
    close(aliases.accel(arm, q, qd, tau), qdd, 1e-12 * np.linalg.cond(aliases.inertia(arm, q)).max())


def test_the_gravity_load_of_a_raised_weight_is_positive() -> None:
    """One link along x, gravity −y: m g l holds it, as in the toolbox."""
    assert aliases.gravload(qddot.load("one_link"), [0.0]) == pytest.approx([9.81])


def test_the_end_effector_is_the_tool() -> None:
    arm = qddot.load("planar_2r")
    T = aliases.fkine(arm, [0.0, np.pi / 2])
    close(T[:3, 3], [1, 0, 1])
    close(T[:3, :3] @ T[:3, :3].T, np.eye(3))


def test_jacob0_maps_rates_to_the_tools_velocity_then_its_angular_velocity() -> None:
    tilted = qddot.load("puma560_akb").model
    arm = qddot.Robot(replace(tilted, tool=qddot.pose([0.1, -0.2, 0.3], ["20deg", 0, "50deg"])))
    q, qd, _ = states(arm, 3)
    step = 1e-6
    J = aliases.jacob0(arm, q)
    before, after = aliases.fkine(arm, q - step * qd), aliases.fkine(arm, q + step * qd)
    rate = (after - before) / (2 * step)
    spin = rate[:, :3, :3] @ np.swapaxes(aliases.fkine(arm, q)[:, :3, :3], 1, 2)
    velocity = np.einsum("kij,kj->ki", J, qd)
    # central differences: the square of the step, and rounding over it
    close(velocity[:, :3], rate[:, :3, 3], 1e-8)
    close(velocity[:, 3:], np.stack([spin[:, 2, 1], spin[:, 0, 2], spin[:, 1, 0]], axis=1), 1e-8)


def test_symbols_without_a_value_are_named() -> None:
    arm = qddot.from_mdh([{"alpha": 0, "a": 0, "d": 0, "theta": "q1"}], symbols=["l"], tool={"xyz": ["l", 0, 0]})
    for function in (aliases.fkine, aliases.jacob0):
        with pytest.raises(QddotError, match="no value for l"):
            function(arm, [0.0])
