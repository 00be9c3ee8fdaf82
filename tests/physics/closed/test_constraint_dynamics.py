"""Closed chains beside Pinocchio's constraint dynamics, and a five-bar beside the formulas of two circles."""

from __future__ import annotations

from typing import Any

import numpy as np
import pinocchio as pin
import pytest
from chains import GUESSES, chain

from qddot.algebra.expressions.expression import Expression
from qddot.faces.closed_chain import ClosedChain

UPPER = {"q": 0.3, "u": 1.9}  # of a delta with parallelograms


def by_pinocchio(of: ClosedChain, q: Any, qd: Any, tau: Any) -> Any:
    """q̈ of a chain with spherical loops, in our order."""
    model = pin.buildModelFromXML(of.tree.to_urdf())
    tree = of.model.tree
    gravity = [(Expression.constant(0) + part).value(tree.defaults()) for part in tree.gravity]
    model.gravity.linear = np.array([0, 0, -np.linalg.norm(gravity)])  # the URDF's base stands upright
    places = [model.joints[model.getJointId(name)].idx_v for name in tree.coordinates]
    data, loops, each = model.createData(), pin.StdVec_RigidConstraintModel(), pin.StdVec_RigidConstraintData()
    for loop in of.model.loops:
        ends = [model.frames[model.getFrameId(name)] for name in loop.links]
        held = [part for end in ends for part in (end.parentJoint, end.placement)]
        loops.append(pin.RigidConstraintModel(pin.ContactType.CONTACT_3D, model, *held))
        each.append(loops[-1].createData())
    pin.initConstraintDynamics(model, data, loops, each)
    moved = np.empty((3, model.nv))
    moved[:, places] = q, qd, tau
    start = pin.integrate(model, pin.neutral(model), moved[0])
    return pin.constraintDynamics(model, data, start, *moved[1:], loops, each)[places]


@pytest.mark.parametrize("name", ["spatial", "delta_parallelograms"])
def test_accelerations_are_those_of_pinocchio(name: str) -> None:
    of, rng = chain(name), np.random.default_rng(4)
    names = of.model.tree.coordinates
    guess = GUESSES.get(name) or {each: UPPER.get(each[0], 0.0) for each in names} | {"z": -0.55, "x": 0.03}
    of = of if name == "spatial" else of.with_independent("x", "y", "z")
    q = of.assemble(guess).q
    for _ in range(3):
        qd, tau = of.velocities(q, rng.normal(size=of.m)), rng.normal(size=of.n)
        theirs = by_pinocchio(of, q, qd, tau)
        # its rows are factorised with a condition of 1e4 or so
        assert np.abs(of.forward_dynamics(q, qd, tau) - theirs).max() < 1e-9 * max(1.0, np.abs(theirs).max())


@pytest.mark.parametrize("motors", [(2.0, 1.0), (1.5, 0.4), (2.6, 0.7)])
def test_the_five_bars_tip_is_where_two_circles_meet_and_moves_by_its_rods(motors: tuple[float, float]) -> None:
    """(tip − elbow) · (tip's velocity − elbow's velocity) = 0 for both rods."""
    of = chain("five_bar").with_independent("q1", "q3")
    v = of.model.tree.defaults()
    elbows = np.array([[0, 0], [v["d"], 0]]) + v["a1"] * np.transpose([np.cos(motors), np.sin(motors)])
    middle, across = elbows.mean(axis=0), elbows[1] - elbows[0]
    height = np.sqrt(v["a2"] ** 2 - across @ across / 4)
    tips = [middle + way * height * np.array([-across[1], across[0]]) / np.linalg.norm(across) for way in (1, -1)]
    modes = [mode.q for mode in of.assembly_modes({"q1": motors[0], "q3": motors[1]})]
    reached = [of.tree.forward_kinematics(q, body="tip_first")[:2, 3] for q in modes]
    for tip in tips:
        (k,) = [k for k, point in enumerate(reached) if np.allclose(point, tip, atol=1e-13)]
        rods = tip - elbows
        speeds = v["a1"] * np.transpose([-np.sin(motors), np.cos(motors)])
        J = np.linalg.solve(rods, np.diag(np.sum(rods * speeds, axis=1)))
        ours = of.tree.jacobian(modes[k], body="tip_first")[:2] @ of.velocities(modes[k], np.eye(2)).T
        assert ours == pytest.approx(J, abs=1e-12)
