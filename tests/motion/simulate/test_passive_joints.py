"""Joints without motors get no torque: laws hold an arm by its motors alone, or refuse it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.linalg import eigvals
from refusals import refusal
from scipy.linalg import solve_continuous_are, solve_discrete_are
from scipy.signal import cont2discrete

import qddot
from qddot import laws
from qddot.base.errors import ModelError, QddotError, SimulationError

UPRIGHT: dict[str, tuple[qddot.Robot, list[float]]] = {
    "cart_pole": (qddot.load("cart_pole"), [0.2, np.pi]),
    "furuta_pendulum": (qddot.load("furuta_pendulum"), [-0.4, np.pi]),
    "acrobot": (qddot.load("acrobot"), [np.pi / 2, 0.0]),
    "pendubot": (qddot.load("pendubot"), [np.pi / 2, 0.0]),
}
Q, R = np.diag([10.0, 10.0, 1.0, 1.0]), np.array([[0.5]])


def linearized(arm: qddot.Robot, q0: Any) -> tuple[Any, Any]:
    """A and B of the state (q, q̇) by central differences of the forward dynamics; B for the motors alone."""
    u0 = arm.gravity(q0)

    def rate(x: Any) -> Any:
        return np.concatenate([x[2:4], arm.forward_dynamics(x[:2], x[2:4], u0 + x[4:])])

    x0, h = np.concatenate([q0, np.zeros(4)]), 1e-5
    columns = [(rate(x0 + h * e) - rate(x0 - h * e)) / (2 * h) for e in np.eye(6)]
    every = np.array(columns).T
    return every[:, :4], every[:, [4 + arm.model.coordinates.index(name) for name in arm.driven]]


@pytest.mark.parametrize("name", UPRIGHT)
def test_a_regulator_holds_an_underactuated_arm_upright_by_its_motor_alone(name: str) -> None:
    """It holds from a push, with 0 exactly in the other joint; its poles are those of SciPy's Riccati equation."""
    arm, q0 = UPRIGHT[name]
    A, B = linearized(arm, np.array(q0))
    K = np.linalg.solve(R, B.T @ solve_continuous_are(A, B, Q, R))
    law: Any = laws.lqr(arm, q0, Q, R)
    assert law.K.shape == (1, 4)
    np.testing.assert_allclose(law.K, K, rtol=1e-4)  # differences of step 1e-5 have errors of about 1e-9
    ours = np.sort_complex(eigvals(A - B @ law.K))
    np.testing.assert_allclose(ours, np.sort_complex(eigvals(A - B @ K)), rtol=1e-4)
    assert ours.real.max() < 0
    run = arm.simulate(np.add(q0, [0.0, 0.02]), [0.0, -0.03], float(np.ceil(12.0 / -ours.real.max())), 0.01, torque=law)
    np.testing.assert_allclose(run.q[-1], q0, atol=1e-3)
    passive = arm.model.coordinates.index(arm.model.passive[0])
    assert (run.tau[:, passive] == 0).all() and run.tau[:, 1 - passive].any()
    assert run.notes == ()
    assert law(0.0, np.array(q0) + 0.1, np.zeros(2))[passive] == 0


@pytest.mark.parametrize("name", UPRIGHT)
def test_the_input_matrix_has_the_columns_of_the_motors(name: str) -> None:
    arm, q0 = UPRIGHT[name]
    every = arm.with_driven(*arm.model.coordinates)
    column = [arm.model.coordinates.index(arm.driven[0])]
    for ours, whole in (
        (arm.linearize(q0), every.linearize(q0)),
        (arm.equations().linearize(arm.model.coordinates).at(dict(zip(arm.model.coordinates, q0, strict=True))),) * 2,
    ):
        B = whole[1] if whole[1].shape == (4, 1) else whole[1][:, column]
        np.testing.assert_array_equal(ours[1], B)
    exact = arm.equations().linearize(arm.model.coordinates)
    assert exact.input.shape == (4, 1)
    np.testing.assert_allclose(
        exact.at(dict(zip(arm.model.coordinates, q0, strict=True)))[1], arm.linearize(q0)[1], atol=1e-12
    )


def test_an_arm_that_does_not_say_is_driven_in_all_joints() -> None:
    arm = qddot.load("two_link")
    assert arm.driven == ("q1", "q2") and arm.model.driven is None and arm.model.passive == ()
    assert arm.linearize([0, 0])[1].shape == (4, 2)
    assert "driven" not in arm.to_toml()


@pytest.mark.parametrize(
    "law",
    [laws.computed_torque, laws.pd_gravity, laws.pd_desired_gravity, laws.impedance, laws.operational_space],
    ids=lambda law: law.__name__,
)
def test_a_law_that_needs_all_torques_refuses_a_passive_joint_by_its_name(law: Any) -> None:
    arm, target = (
        qddot.load("cart_pole"),
        [0.0, 0.0, 0.0] if law.__name__ in ("impedance", "operational_space") else [0, 0],
    )
    with refusal(SimulationError, "law-needs-motors", "theta"):
        law(arm, target, 1e3, 1.0)
    if law is not laws.pd_desired_gravity:
        assert law(arm.with_driven("x", "theta"), target, 1e3, 1.0) is not None


def test_what_a_regulator_cannot_hold_is_refused() -> None:
    arm = qddot.load("cart_pole")
    for make, message in (
        (lambda: laws.lqr(arm, [0, np.pi / 2], 1, 1), ("no-rest-without-motor", "theta", "0.981", "N m")),
        (
            lambda: laws.lqr(arm, [0, np.pi], 1, [1, 1]),
            ("weight-misshapen", "R", "(2,)", "1"),
        ),
        (lambda: laws.lqr(arm.with_driven(), [0, np.pi], 1, 1), ("no-motors",)),
        (
            lambda: laws.lqr(arm, np.zeros((1, 2)), 1, 1),
            ("of-another-shape", "q0", "(1, 2)", "2", "x, theta"),
        ),
        (lambda: laws.lqr(arm.with_driven("pole"), [0, np.pi], 1, 1), ("driven-unknown", "'pole'", "x, theta")),
    ):
        with refusal(QddotError, *message):
            make()
    laws.lqr(arm, [0, 3.1416], 1, 1)  # an equilibrium in five digits


def test_weights_whose_integral_has_no_least_value_are_refused() -> None:
    """Q ≥ 0 and R > 0; a singular Q that sees the motions, such as CᵀC with rounded entries, is allowed."""
    arm, q0 = qddot.load("cart_pole"), [0, np.pi]
    for Q, R, message in (
        (1, -0.1, ("weight-not-positive", "R", "-0.1")),
        (1, -1, ("weight-not-positive", "R", "-1")),
        (1, 0, ("weight-not-positive", "R", "0")),
        ([1, -1, 1, 1], 1, ("weight-negative", "Q", "-1")),
        (np.eye(4) + 2 * np.fliplr(np.eye(4)), 1, ("weight-negative", "Q", "-1")),
        (np.triu(np.ones((4, 4))), 1, ("weight-not-symmetric", "Q")),
    ):
        for discrete in (None, 0.05):
            with refusal(SimulationError, *message):
                laws.lqr(arm, q0, Q, R, discrete)
    seen = np.array([[1.0, 0.1, 0.0, 0.3]])
    assert np.linalg.matrix_rank(seen.T @ seen) == 1
    law: Any = laws.lqr(arm, q0, seen.T @ seen, 1)
    assert law.K.shape == (1, 4)


def test_a_sampled_regulator_holds_the_pole_by_the_gain_of_time_steps() -> None:
    """K is that of SciPy's discrete Riccati equation with SciPy's zero-order hold; the pole comes to rest."""
    arm, q0 = UPRIGHT["cart_pole"]
    A, B = linearized(arm, np.array(q0))
    A, B, *_ = cont2discrete((A, B, np.eye(4), np.zeros((4, 1))), 0.05)
    P = solve_discrete_are(A, B, Q, R)
    law: Any = laws.lqr(arm, q0, Q, R, discrete=0.05)
    np.testing.assert_allclose(law.K, np.linalg.solve(R + B.T @ P @ B, B.T @ P @ A), rtol=1e-4)
    held = laws.sampled(law, every=0.05)
    run = arm.simulate(np.add(q0, [0.0, 0.1]), duration=20.0, step=0.025, method="rk4", torque=held)
    np.testing.assert_allclose(run.q[-1], q0, atol=1e-3)
    continuous: Any = laws.lqr(arm, q0, Q, R)
    assert np.abs(continuous.K - law.K).max() > 1


@pytest.mark.parametrize("name", ["four_bar", pytest.param("five_bar", marks=pytest.mark.thorough)])
def test_a_regulator_holds_a_closed_chain_by_its_motors(name: str) -> None:
    """Its u0 and K are those of the compiled equations of the independent coordinates, and it holds from a push."""
    chain = qddot.load_closed_chain(name)
    q0 = np.array(chain.assemble({"five_bar": [2.0, -1.2, 1.0, 1.2], "four_bar": [1.0, -0.55, 1.3]}[name]).q)
    law: Any = laws.lqr(chain, q0, 10.0, 0.5)
    still, motors = np.zeros(chain.n), [chain.model.tree.coordinates.index(each) for each in chain.driven]
    torques = law(0.0, q0, still)
    np.testing.assert_allclose(chain.forward_dynamics(q0, still, torques), still, atol=1e-9)
    assert set(np.flatnonzero(torques)) <= set(motors)
    A, B = chain.linearize(q0, tau0=torques)
    P = solve_continuous_are(A, B, 10 * np.eye(len(A)), 0.5 * np.eye(len(motors)))
    np.testing.assert_allclose(law.K, 2 * B.T @ P, rtol=1e-7, atol=1e-9)
    pushed = chain.integrate(q0, chain.velocities(q0, np.full(chain.m, 0.1)))
    run = chain.simulate(pushed, duration=12.0, step=0.02, method="rk4", torque=law)
    np.testing.assert_allclose(run.q[-1], q0, atol=1e-4)


def test_a_regulator_that_cannot_stabilize_says_which_motion() -> None:
    arm, five_bar = qddot.load("cart_pole"), qddot.load_closed_chain("five_bar")
    q0 = five_bar.assemble([2.0, -1.2, 1.0, 1.2]).q
    wheel = qddot.load_closed_chain("unicycle")
    for make, message in (
        (lambda: laws.lqr(arm.with_driven("theta"), [0, np.pi], 1, 1), ("motion-without-motor", "xd", "0")),
        (lambda: laws.lqr(arm.with_values(g=0), [0, np.pi], 1, 1), ("motion-without-motor", "0")),
        (lambda: laws.lqr(arm, [0, np.pi], 0, 1), ("not-stabilizable", "weights-let-a-motion-stay")),
        (lambda: laws.lqr(arm, [0, np.pi], 1, 1, discrete=0), ("number-not-allowed", "discrete")),
        (lambda: laws.lqr(wheel, [0, 0, 0, 0], 1, 1), ("motion-without-motor", "0")),
        (lambda: laws.lqr(five_bar, q0 + 0.1, 1, 1), ("target-opens-the-loops",)),
        (lambda: laws.lqr(five_bar.with_driven("q1"), q0, 1, 1), ("chain-not-held", "N m")),
        (lambda: laws.lqr(five_bar, q0, [1, 2, 3], 1), ("weight-misshapen", "Q", "(3,)", "4")),
        (lambda: laws.lqr("two_link", [0, 0], 1, 1), ("law-without-arm",)),
    ):
        with refusal(QddotError, *message):
            make()


def test_a_run_says_that_a_torque_acts_where_no_motor_is() -> None:
    arm, start = qddot.load("cart_pole"), [0.0, 3.0]
    note = ("the torque acts in theta, where no motor is",)
    assert arm.simulate(start, duration=0.1, torque=[1.0, 0.5]).notes == note
    assert arm.simulate(start, duration=0.1, torque=laws.pd([0, np.pi], 5.0, 1.0)).notes == note
    assert arm.simulate(start, duration=0.1, torque=laws.pd([0, np.pi], [5.0, 0], [1.0, 0])).notes == ()
    assert arm.simulate(start, duration=0.1, torque=[1.0, 0.0]).notes == ()


def test_a_limited_regulator_leaves_passive_joints_alone(tmp_path: Path) -> None:
    arm = qddot.load("cart_pole")
    law = laws.limited(laws.lqr(arm, [0, np.pi], Q, R), 1.5)
    run = arm.simulate([0.0, np.pi - 0.1], None, 1.0, 0.001, torque=law)
    assert np.abs(run.tau[:, 0]).max() == 1.5 and (run.tau[:, 1] == 0).all()
    sampled = laws.sampled(laws.filtered(laws.lqr(arm, [0, np.pi], Q, R), 0.01), 0.01)
    options = qddot.Options(store=str(tmp_path / "run.zarr"))
    run = arm.simulate([0.0, np.pi - 0.1], None, 1.0, 0.001, torque=sampled, options=options)
    assert (run.tau[:, 1] == 0).all() and run.notes == ()


def test_changes_keep_the_motors() -> None:
    arm = qddot.load("satellite_arm")
    assert arm.driven == ("q1", "q2", "phi1", "phi2", "phi3")
    assert arm.with_locked(q1=0.1).driven == ("q2", "phi1", "phi2", "phi3")
    assert arm.with_payload(1.0).driven == arm.driven == arm.with_values(m1=2).driven
    pendubot = UPRIGHT["pendubot"][0]
    freed = pendubot.free(mass=1, inertia=(1, 0, 0, 1, 0, 1))
    assert freed.driven == ("q1",) and len(freed.model.passive) == 7
    assert qddot.load("two_link").free(mass=1, inertia=(1, 0, 0, 1, 0, 1)).model.passive == ()
    for changed in (
        pendubot.as_mdh(),
        pendubot.as_screws(),
        pendubot.with_base((0, 0, 1)),
        pendubot.with_tool((1, 0, 0)),
    ):
        assert changed.driven == ("q1",)
    assert qddot.Robot(pendubot.equations().textbook().model).driven == ("q1",)
    with refusal(ModelError, "list-not-texts", "driven-joints", "'q1'"):
        qddot.Robot(qddot.Model("arm", pendubot.model.bodies, symbols=pendubot.model.symbols, driven="q1"))
