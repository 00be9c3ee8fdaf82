"""Joints that follow others have the equations of the whole tree along the coordinates that are left.

q_all = E q, and then M = Eᵀ M_all E, τ = Eᵀ τ_all, and so on, where E has the ratios.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from physical import close
from refusals import refusal

import qddot
from qddot.base.errors import QddotError
from qddot.formats.toml import robot_file
from qddot.machine.compilers import kernels


def link(name: str, parent: str, kind: str, axis: list[Any], xyz: list[Any], **joint: Any) -> dict[str, Any]:
    tensor = {"about": "com", "xx": 0.3, "yy": 0.4, "zz": 0.5, "xy": 0.05}
    given = {"type": kind, "axis": axis, "xyz": xyz, "rpy": ["30deg", 0, "90deg"], **joint}
    return {"name": name, "parent": parent, "joint": given, "mass": 1.5, "com": [0.1, 0.2, -0.3], "inertia": tensor}


LINKS = [
    link("a", "base", "revolute", [0, 0, 1], [0, 0, 0.3], coordinate="x", damping=0.3, armature=0.1),
    link("b", "a", "revolute", [0, 1, 0], [0.2, 0, 0], coordinate="x", ratio=2),
    link("c", "b", "prismatic", [1, 0, 0], [0, 0.2, 0], coordinate="y", coulomb=0.2),
    link("d", "c", "revolute", ["3/5", "4/5", 0], [0, 0.2, 0.1], coordinate="z"),
    link("e", "d", "prismatic", [0, 0, 1], [0.1, 0, 0], coordinate="y", ratio="3/2"),
    link("f", "b", "revolute", [1, 0, 0], [0.1, 0, 0.4], coordinate="z", ratio=3),
]
RATIOS = {"a": ("x", 1), "b": ("x", 2), "c": ("y", 1), "d": ("z", 1), "e": ("y", 1.5), "f": ("z", 3)}
DATA = {"convention": "tree", "coordinates": ["z", "x", "y"], "link": LINKS}


def pair() -> tuple[qddot.Robot, qddot.Robot, np.ndarray]:
    """The arm, the tree whose joints are all free, and E."""
    arm = qddot.Robot(robot_file.from_mapping(DATA, "followers"))
    bodies = [replace(b, joint=replace(b.joint, coordinate=f"q_{b.name}", ratio=None)) for b in arm.model.bodies]
    tree = qddot.Robot(replace(arm.model, bodies=tuple(bodies), coordinates=()))
    E = np.zeros((tree.n, arm.n))
    for row, body in enumerate(arm.model.bodies):
        coordinate, ratio = RATIOS[body.name]
        E[row, arm.model.coordinates.index(coordinate)] = ratio
    return arm, tree, E


ARM, TREE, E = pair()
Q, QD, QDD = np.random.default_rng(0).uniform(-2, 2, (3, 5, 3))
ALL = (Q @ E.T, QD @ E.T, QDD @ E.T)


@pytest.fixture(autouse=True)
def in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Programs run by NumPy: the laws are theirs, whichever compiler they have."""
    monkeypatch.setattr(kernels, "compiler", kernels.blocks)


@pytest.mark.slow
def test_every_number_is_the_trees_along_the_coordinates() -> None:
    q, qd, qdd = ALL
    close(ARM.mass_matrix(Q), E.T @ TREE.mass_matrix(q) @ E)
    close(ARM.gravity(Q), TREE.gravity(q) @ E)
    close(ARM.bias(Q, QD), TREE.bias(q, qd) @ E)
    close(ARM.inverse_dynamics(Q, QD, QDD), TREE.inverse_dynamics(q, qd, qdd) @ E)
    close(ARM.kinetic_energy(Q, QD), TREE.kinetic_energy(q, qd))
    close(ARM.potential_energy(Q), TREE.potential_energy(q))
    close(ARM.momentum(Q, QD), TREE.momentum(q, qd) @ E)
    close(ARM.regressor(Q, QD, QDD), E.T @ TREE.regressor(q, qd, qdd))
    close(ARM.reactions(Q, QD, QDD), TREE.reactions(q, qd, qdd))
    for body in ("b", "e", "f"):
        close(ARM.forward_kinematics(Q, body), TREE.forward_kinematics(q, body))
        for frame in ("world", "body"):
            close(ARM.jacobian(Q, body, frame), TREE.jacobian(q, body, frame) @ E)
            close(ARM.jacobian_drift(Q, QD, body, frame), TREE.jacobian_drift(q, qd, body, frame))
    close(ARM.coriolis_matrix(Q, QD), E.T @ TREE.coriolis_matrix(q, qd) @ E)


@pytest.mark.slow
def test_derivatives_and_forward_dynamics_are_the_trees_along_the_coordinates() -> None:
    q, qd, qdd = ALL
    for derivative, full in zip(
        ARM.inverse_dynamics_derivatives(Q, QD, QDD), TREE.inverse_dynamics_derivatives(q, qd, qdd), strict=True
    ):
        close(derivative, E.T @ full @ E)
    tau = ARM.inverse_dynamics(Q, QD, QDD)
    scale = 1e-12 * np.linalg.cond(ARM.mass_matrix(Q)).max()
    close(ARM.forward_dynamics(Q, QD, tau), QDD, scale)
    close(ARM.state_derivative(Q, QD, tau)[:, 3:], QDD, scale)
    by_q, by_qd, inverse = ARM.forward_dynamics_derivatives(Q, QD, tau)
    slope_q, slope_qd, M = ARM.inverse_dynamics_derivatives(Q, QD, QDD)
    close(M @ by_q, -slope_q, 1e-10)
    close(M @ by_qd, -slope_qd, 1e-10)
    close(M @ inverse, np.broadcast_to(np.eye(3), M.shape), scale)
    wrenches = np.random.default_rng(1).normal(size=(5, 6, 6))
    close(ARM.inverse_dynamics(Q, QD, QDD, wrenches), TREE.inverse_dynamics(q, qd, qdd, wrenches) @ E)


def small(ratio: Any = 2) -> qddot.Robot:
    """Short enough to prove by every route: two turning joints of one coordinate with a slide between."""
    links = [
        link("a", "base", "revolute", [0, 0, 1], [0, 0, 0.3], coordinate="x"),
        link("c", "a", "prismatic", [1, 0, 0], [0, 0.2, 0], coordinate="y"),
        link("b", "c", "revolute", [0, 1, 0], [0.2, 0, 0], coordinate="x", ratio=ratio),
        link("e", "b", "prismatic", [0, 0, 1], [0.1, 0, 0], coordinate="y", ratio="3/2"),
    ]
    for entry in links:
        entry["joint"]["rpy"] = ["90deg", 0, 0]
    return qddot.Robot(robot_file.from_mapping({"convention": "tree", "link": links}, "small"))


@pytest.mark.parametrize(
    ("ratio", "angles"),
    [
        (2, ["x"]),
        ("1/2", ["x/2"]),
        ("3/2", ["x/2"]),
        ("0.676", ["0.676*x", "x"]),
        ("1/13", ["x/13", "x"]),
        (25, ["x", "25*x"]),
    ],
)
def test_every_route_proves_the_same_exact_equations(ratio: Any, angles: list[str]) -> None:
    """Ratios with a common divisor share its angle; others have an angle of their own."""
    arm = small(ratio)
    assert list(arm.equations().quantities.ring.turning) == angles
    certificate = arm.prove()
    assert certificate, str(certificate)
    at = arm.equations().at(Q[0, :2], QD[0, :2], QDD[0, :2])
    close(arm.inverse_dynamics(Q[0, :2], QD[0, :2], QDD[0, :2]), at["tau"])
    close(arm.mass_matrix(Q[0, :2]), at["M"])


def in_numbers(entry: Any) -> float:
    """An exact entry in the first state, by SymPy."""
    values, exact = {"x": Q[0, 0], "y": Q[0, 1], "g": 9.81}, entry.sympy()
    return float(exact.subs({symbol: values[symbol.name] for symbol in exact.free_symbols}))


@pytest.mark.parametrize("ratio", ["0.676", "3/2"])
def test_every_form_of_the_equations_knows_the_angles_of_a_ratio(ratio: str) -> None:
    arm = small(ratio)
    eq = arm.equations()
    state = Q[:, :2], QD[:, :2], QDD[:, :2]
    tau = arm.inverse_dynamics(*state)
    for form in ("sums", "multiple-angle"):
        close(qddot.Robot(eq.textbook(form).model).inverse_dynamics(*state), tau, 1e-12)
    still = eq.M.subs(x=0, y="1/2", g=9.81)
    close(float(still[1, 1].sympy()), arm.mass_matrix([0, 0.5])[1, 1])
    close(in_numbers(eq.M[0, 0]), arm.mass_matrix(Q[0, :2])[0, 0], 1e-12)
    close(in_numbers(eq.G[0].diff("x")), arm.inverse_dynamics_derivatives(Q[0, :2], [0, 0], [0, 0])[0][0, 0], 1e-12)


def test_an_abbreviation_holds_its_bounds_where_a_joint_follows() -> None:
    arm = small("0.676")
    short = arm.equations().abbreviate(significance=0.05, region={"x": (-1, 1), "y": (0, 1)})
    inside = np.random.default_rng(2).uniform([-1, 0], [1, 1], (200, 2))
    wrong = np.abs(short.numeric.mass_matrix(inside) - arm.mass_matrix(inside)).max(axis=0)
    assert 0 < wrong.max()
    assert np.all(wrong <= short.errors["M"] + 1e-12)  # the last is rounding of the two evaluations


@pytest.mark.parametrize("ratio", [2, "0.676"])
def test_base_parameters_give_the_same_torques(ratio: Any) -> None:
    arm = small(ratio)
    parameters = arm.base_parameters()
    Y = arm.regressor(Q[:, :2], QD[:, :2], QDD[:, :2])
    assert np.linalg.matrix_rank(Y.transpose(1, 0, 2).reshape(-1, Y.shape[-1])) <= len(parameters)


def test_energy_is_kept_in_motion() -> None:
    bodies = tuple(replace(body, joint=replace(body.joint, effects=())) for body in ARM.model.bodies)
    arm = qddot.Robot(replace(ARM.model, bodies=bodies))
    for method in ("rk4", "midpoint"):
        run = arm.simulate([0.3, -0.2, 0.1], [0.5, 0.1, -0.2], duration=0.5, step=1e-3, method=method)
        total = arm.kinetic_energy(run.q, run.qd) + arm.potential_energy(run.q)
        assert np.ptp(total) < 1e-4 * np.abs(total).max()


@pytest.mark.parametrize(
    ("joint", "says"),
    [
        ({"ratio": -1}, ("ratio-positive-number", "'-1'")),
        ({"ratio": "k"}, ("turning-ratio-symbolic", "k")),
        ({"ratio": 1, "coordinate": "w"}, ("leader-unknown", "link 'b'", "'w'")),
        (
            {"ratio": 1, "coordinate": "y"},
            ("turning-follows-sliding", "link 'b'", "y"),
        ),
        ({"ratio": 1, "damping": 1}, ("ratio-with-effects",)),
        ({"ratio": 1, "type": "fixed"}, ("fixed-joint-moves", "link 'b'")),
    ],
)
def test_what_cannot_follow_is_refused(joint: dict[str, Any], says: tuple[str, ...]) -> None:
    changed = [*LINKS[:1], {**LINKS[1], "joint": {**LINKS[1]["joint"], **joint}}, *LINKS[2:]]
    with refusal(QddotError, *says):
        robot_file.from_mapping({**DATA, "link": changed}, "x")


def test_a_robot_file_keeps_ratios() -> None:
    again = robot_file.from_mapping(robot_file.to_mapping(ARM.model), "followers")
    assert again.bodies == ARM.model.bodies
    assert again.bodies[4].joint.ratio == Fraction(3, 2)
