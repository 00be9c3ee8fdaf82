"""Closed chains have the functions of arms: their values are those of the physics, and their calls those of arms."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from chains import HANGING, whipple
from refusals import refusal

import qddot
from qddot.base.errors import EvaluationError, QddotError
from qddot.faces.closed_chain import ClosedChain
from qddot.machine.tracing import reference
from qddot.machine.tracing.functions import FUNCTIONS
from qddot.physics.systems import System
from qddot.robot.symbol_values import all_values

CHAINS = ("four_bar", "delta", "bicycle", "unicycle", "robotiq_2f85", "balls")
SECOND = "inverse_dynamics_second_derivatives"  # differences of differences, which take a minute for long chains
IN_SHORT_CHAINS = ("contact", "com_", "centroidal", "centre_of_mass", SECOND)  # beginnings of names of functions
LONG = ("bicycle", "robotiq_2f85", "balls")  # all functions of one take five to ten seconds
STEP = 1e-6
GUESS = {"q1": 0.3, "e_w": 1.0, "e_y": 0.1, "e_z": -0.2, "p_2_x": 0.6, "p_2_y": 0.1, "p_2_z": 0.2, "e_2_y": -0.2}


@pytest.fixture(
    scope="module", params=[pytest.param(name, marks=[pytest.mark.thorough] * (name in LONG)) for name in CHAINS]
)
def chain(request: Any, tmp_path_factory: pytest.TempPathFactory) -> ClosedChain:
    if request.param == "bicycle":
        return whipple()
    if request.param == "balls":
        file = tmp_path_factory.mktemp("balls") / "balls.xml"
        file.write_text(HANGING, encoding="utf-8")
        return qddot.load_closed_chain(file)
    return qddot.load_closed_chain(request.param)


class Motion:
    """A motion of a chain: q, and q̇ and q̈ that its loops allow."""

    def __init__(self, chain: ClosedChain, seed: int = 1) -> None:
        rng = np.random.default_rng(seed)
        start = (chain.assemble(GUESS) if has_quasi_velocities(chain) else chain.some_assembly()).q
        moved = chain.tree.integrate(start, 0.1 * chain.velocities(start, rng.normal(size=chain.m)))
        self.q = chain.assemble(moved).q
        self.u, self.ud = rng.normal(size=(2, chain.m))
        self.qd = chain.velocities(self.q, self.u)
        self.qdd = chain.accelerations(self.q, self.qd, self.ud)
        self.tau = rng.normal(size=chain.n)
        self.R = chain.velocities(self.q[None], np.eye(chain.m)).T
        self.qd_r, self.qdd_r = rng.normal(size=(2, chain.m))


@pytest.fixture(scope="module")
def motion(chain: ClosedChain) -> Motion:
    return Motion(chain)


def arrays_of(motion: Motion, function: str) -> list[Any]:
    return [getattr(motion, name) for name in FUNCTIONS[function].arrays]


def has_quasi_velocities(chain: ClosedChain) -> bool:
    return bool(chain.model.tree.freedoms)


def test_every_function_is_that_of_recursions_in_balls(chain: ClosedChain, motion: Motion) -> None:
    """The recursion runs without a program, and its derivatives of chains are differences of 256 bits."""
    for name in FUNCTIONS:
        if name == "operational_space" or (name == "skeleton" and has_quasi_velocities(chain)):
            continue
        if (name == SECOND and chain.n > 3) or (name.startswith(IN_SHORT_CHAINS) and chain.n > 6):
            continue
        given = dict(zip(FUNCTIONS[name].arrays, map(list, arrays_of(motion, name)), strict=True))
        right = reference.values(chain.system, name, given, all_values(chain.model))
        results = getattr(chain, name)(*arrays_of(motion, name))
        for own, elements in zip(results if isinstance(results, tuple) else (results,), right, strict=False):
            scale = max(1.0, np.abs(elements).max(initial=0.0))
            assert np.ravel(own) == pytest.approx(elements, abs=1e-9 * scale), name


def test_records_have_the_shapes_of_what_is_returned(chain: ClosedChain, motion: Motion) -> None:
    arm = qddot.load("rp")
    state = np.array([0.3, 0.4])
    for name, function in FUNCTIONS.items():
        systems: list[tuple[Any, System, list[Any]]] = [(chain, chain.system, arrays_of(motion, name))]
        if not function.of_loops:
            systems.append((arm, arm.model, [state for _ in function.arrays]))
        for of, system, arrays in systems:
            if name == "operational_space" or (name == "skeleton" and system.tree.freedoms):
                continue
            if name == SECOND and chain.n > 6:
                continue
            results = getattr(of, name)(*arrays)
            for port, result in zip(
                function.outputs, results if isinstance(results, tuple) else (results,), strict=True
            ):
                assert result.ndim == len(port.axes)
                for axis, size in zip(port.axes, result.shape, strict=True):
                    assert axis == "" or size == (system.sizes[axis] if isinstance(axis, str) else axis), (name, port)


def test_the_parts_of_the_torques_add_up(chain: ClosedChain, motion: Motion) -> None:
    """Each part is that of the tree times Rᵀ, which the loops' forces leave."""
    q, qd, qdd, R, tree = motion.q, motion.qd, motion.qdd, motion.R, chain.tree
    M, C = chain.mass_matrix(q), chain.coriolis_matrix(q, qd)
    assert M == pytest.approx(R.T @ tree.mass_matrix(q) @ R)
    assert chain.gravity(q) == pytest.approx(R.T @ tree.gravity(q))
    assert chain.momentum(q, qd) == pytest.approx(M @ motion.u)
    assert chain.kinetic_energy(q, qd) == pytest.approx(motion.u @ M @ motion.u / 2)
    tau = chain.inverse_dynamics(q, qd, qdd)
    assert tau == pytest.approx(R.T @ tree.inverse_dynamics(q, qd, qdd))
    assert tau == pytest.approx(M @ motion.ud + chain.bias(q, qd))
    outside = R.T @ (tree.bias(q, qd) - tree.coriolis_matrix(q, qd) @ qd - tree.gravity(q))
    assert chain.bias(q, qd) == pytest.approx(C @ motion.u + chain.gravity(q) + outside, abs=1e-9)
    Y = chain.regressor(q, qd, qdd, True, True)
    springs = R.T @ (
        tree.inverse_dynamics(q, qd, qdd) - tree.regressor(q, qd, qdd, True, True) @ tree.dynamic_parameters(True, True)
    )
    assert Y @ chain.dynamic_parameters(True, True) + springs == pytest.approx(tau, abs=1e-9)


def beside(chain: ClosedChain, q: Any, velocity: Any, time: float) -> Any:
    """The closed configuration that the chain reaches."""
    moved = chain.tree.integrate(q, velocity, time)
    return chain.assemble(moved).q if chain.model.loops else moved


def test_the_rate_of_the_mass_matrix_less_twice_the_coriolis_matrix_is_skew(chain: ClosedChain, motion: Motion) -> None:
    ends = [chain.mass_matrix(beside(chain, motion.q, motion.qd, step)) for step in (STEP, -STEP)]
    rate, C = (ends[0] - ends[1]) / (2 * STEP), chain.coriolis_matrix(motion.q, motion.qd)
    assert rate - C - C.T == pytest.approx(np.zeros_like(rate), abs=1e-6 * max(1, np.abs(C).max()))


def test_reference_rates_take_the_place_of_the_right_ones(chain: ClosedChain, motion: Motion) -> None:
    q, qd, u_r, ud_r = motion.q, motion.qd, motion.qd_r, motion.qdd_r
    M, C = chain.mass_matrix(q), chain.coriolis_matrix(q, qd)
    scale = 1 + np.abs(C).max()
    assert chain.coriolis_torque(q, qd, u_r) == pytest.approx(C @ u_r, abs=1e-9 * scale)
    right = M @ ud_r + C @ (u_r - motion.u) + chain.bias(q, qd)
    torque = chain.slotine_torque(q, qd, u_r, ud_r)
    assert torque == pytest.approx(right, abs=1e-9 * scale)
    change = chain.slotine_regressor(q, qd, u_r, ud_r, True, True) - chain.regressor(q, qd, motion.qdd, True, True)
    without = torque - chain.inverse_dynamics(q, qd, motion.qdd)
    assert change @ chain.dynamic_parameters(True, True) == pytest.approx(without, abs=1e-9 * scale)


def test_gravity_is_the_slope_of_the_potential_energy(chain: ClosedChain, motion: Motion) -> None:
    energies = [chain.potential_energy(beside(chain, motion.q, motion.qd, step)) for step in (STEP, -STEP)]
    assert (energies[0] - energies[1]) / (2 * STEP) == pytest.approx(chain.gravity(motion.q) @ motion.u, abs=1e-6)


def test_jacobians_move_the_tool(chain: ClosedChain, motion: Motion) -> None:
    T = [chain.forward_kinematics(beside(chain, motion.q, motion.qd, step), "tool") for step in (STEP, -STEP)]
    speed = (T[0] - T[1])[:3, 3] / (2 * STEP)
    assert chain.jacobian(motion.q, "tool")[:3] @ motion.u == pytest.approx(speed, abs=1e-6)
    ends = [chain.jacobian(beside(chain, motion.q, motion.qd, step), "tool") @ motion.u for step in (STEP, -STEP)]
    drift = chain.jacobian_drift(motion.q, motion.qd, "tool")
    assert drift == pytest.approx((ends[0] - ends[1]) / (2 * STEP), abs=1e-5)


def test_reactions_do_the_work_of_motors_along_each_joint(chain: ClosedChain, motion: Motion) -> None:
    """Along a joint's own motion its parent's wrench is the motor's torque less friction, springs and armature."""
    q, qd, qdd, tree = motion.q, motion.qd, motion.qdd, chain.tree
    wrenches, motors = chain.reactions(q, qd, qdd), np.zeros(chain.n)
    motors[list(chain._choice.independent)] = chain.inverse_dynamics(q, qd, qdd)
    effects = tree.inverse_dynamics(q, qd, qdd) - tree.regressor(q, qd, qdd) @ tree.dynamic_parameters()
    names, bodies = tree.model.coordinates, tree.model.bodies
    for body, wrench in zip(bodies, wrenches, strict=True):
        joint = body.joint
        own = joint.freedoms.velocities if joint.freedoms else [str(joint.coordinate)] if joint.moves else []
        own = [name for name in own if sum(each.joint.coordinate == name for each in bodies) <= 1]
        for k in map(names.index, own):
            along = tree.jacobian(q, body.name, "body")[:, k]
            assert along @ wrench == pytest.approx(motors[k] - effects[k], abs=1e-8 * (1 + np.abs(wrench).max()))


def test_calls_take_what_those_of_arms_take(chain: ClosedChain, motion: Motion) -> None:
    q, qd, tau = motion.q, motion.qd, motion.tau
    right = chain.forward_dynamics(q, qd, tau)
    out = np.empty(chain.n)
    assert chain.forward_dynamics(q, qd, tau, out=out) is out
    assert np.array_equal(out, right)
    assert chain.forward_dynamics(q, qd, tau, check=True) == pytest.approx(right, rel=1e-12)
    single = chain.forward_dynamics(q, qd, tau, dtype="float32")
    assert single.dtype == np.float32
    assert single == pytest.approx(right, rel=1e-2, abs=1e-2 * np.abs(right).max())
    many = [np.tile(x, (2, 300, 1)) for x in (q, qd, tau)]
    filled = np.empty((2, 300, chain.n))
    for results in (
        chain.forward_dynamics(*many),
        chain.forward_dynamics(*many, threads=2),
        chain.forward_dynamics(*many, out=filled),
    ):
        assert results == pytest.approx(np.tile(right, (2, 300, 1)), rel=1e-9)
    wrenches = np.random.default_rng(2).normal(size=(len(chain.model.tree.bodies), 6))
    pushed = chain.inverse_dynamics(q, qd, motion.qdd, wrenches)
    assert pushed == pytest.approx(motion.R.T @ chain.tree.inverse_dynamics(q, qd, motion.qdd, wrenches))
    with refusal(EvaluationError, "argument-misshapen", "tau"):
        chain.forward_dynamics(q, qd, np.zeros(chain.n + 1))


def test_operational_space_is_that_of_the_reduced_equations(chain: ClosedChain, motion: Motion) -> None:
    J = chain.jacobian(motion.q, "tool")
    rows = [k for k in range(3) if np.linalg.norm(J[k]) > 0.05][: min(chain.m, 1)]
    if not rows:
        pytest.skip("the tool stays where it is")
    M, drift = chain.mass_matrix(motion.q), chain.jacobian_drift(motion.q, motion.qd, "tool")
    h = chain.coriolis_matrix(motion.q, motion.qd) @ motion.u
    inertia, mu, p = chain.operational_space(motion.q, motion.qd, "tool", "xyz"[rows[0]])
    right = np.linalg.inv(J[rows] @ np.linalg.solve(M, J[rows].T))
    assert inertia == pytest.approx(right)
    assert mu == pytest.approx(right @ (J[rows] @ np.linalg.solve(M, h) - drift[rows]), rel=1e-7, abs=1e-9)
    assert p == pytest.approx(right @ (J[rows] @ np.linalg.solve(M, chain.gravity(motion.q))), rel=1e-9, abs=1e-9)


def test_a_linear_model_predicts_the_motion_beside_rest(chain: ClosedChain, motion: Motion) -> None:
    q, rng = motion.q, np.random.default_rng(3)
    try:
        A, B = chain.linearize(q)
    except EvaluationError as error:
        assert "cannot hold the chain still" in str(error)
        return
    p = len(A) - chain.m
    rest = np.zeros(chain.n)
    tau0 = np.zeros(chain.n)
    motors = list(chain._choice.independent if chain.model.tree.driven is None else chain.model.tree.drives)
    tau0[motors] = np.linalg.pinv(motion.R.T[:, motors]) @ chain.bias(q, rest)
    assert chain.forward_dynamics(q, rest, tau0) == pytest.approx(rest, abs=1e-7)
    change, u = 1e-6 * rng.normal(size=chain.m), 1e-6 * rng.normal(size=chain.m)
    there = beside(chain, q, chain.velocities(q, change), 1.0)
    push = 1e-6 * rng.normal(size=len(chain.driven))
    tau = tau0.copy()
    tau[list(chain.model.tree.drives)] += push
    ahead = chain.forward_dynamics(there, chain.velocities(there, u), tau)[list(chain._choice.independent)]
    predicted = A[p:] @ np.concatenate([A[:p, p:] @ change, u]) + B[p:] @ push
    assert ahead == pytest.approx(predicted, abs=1e-4 * max(1e-6, np.abs(predicted).max()))


def test_code_is_kept_between_processes(tmp_path: Path) -> None:
    """A second process finds the code of a chain, in whose request its independent coordinates stand."""
    script = (
        "import numpy as np, qddot\n"
        "from qddot.machine.tracing import trace\n"
        "traced, of = [], trace.trace\n"
        "trace.trace = lambda *given, **options: traced.append(given[1]) or of(*given, **options)\n"
        "for names in (('q1',), ('q3',)):\n"
        "    chain = qddot.load_closed_chain('four_bar', names)\n"
        "    print(*chain.mass_matrix(np.array([-0.54, -0.03351254, -1.20910704])).ravel())\n"
        "print(traced.count('mass_matrix'))\n"
    )
    environment = {"QDDOT_CACHE": str(tmp_path / "cache"), "PYTHONPATH": ":".join(sys.path)}
    runs = [
        subprocess.run(
            [sys.executable, "-c", script], capture_output=True, text=True, check=True, env=environment
        ).stdout
        for _ in range(2)
    ]
    first, second = (run.splitlines() for run in runs)
    assert first[:2] == second[:2]
    assert first[0] != first[1]
    assert (first[2], second[2]) == ("2", "0")


def test_programs_are_the_same_in_every_process() -> None:
    """Their hashes, by which code is kept, must not depend on the order of sets of names."""
    script = (
        "import qddot\n"
        "chains = map(qddot.load_closed_chain, ('robotiq_2f85', 'unicycle'))\n"
        "print([chain.program(name).hash for chain in chains for name in ('closure', 'forward_dynamics')])\n"
    )
    environments = [{"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)} for seed in "123"]
    command = [sys.executable, "-c", script]
    runs = [subprocess.run(command, capture_output=True, text=True, check=True, env=each) for each in environments]
    assert len({run.stdout for run in runs}) == 1


def test_arms_have_no_functions_of_loops() -> None:
    arm = qddot.load("two_link")
    assert not hasattr(arm, "closure")
    with refusal(QddotError, "function-of-chains", "closure", "two_link"):
        arm.program("closure")


def test_where_coordinates_determine_nothing_more_fast_calls_refuse_as_others_do() -> None:
    chain = qddot.load_closed_chain("slider_crank", "x")
    q = chain.some_assembly().q
    good = chain.mass_matrix(q)
    singular = qddot.load_closed_chain("slider_crank", "q1").assemble([0.0, 0.0, 0.5]).q
    for _ in range(2):
        with refusal(EvaluationError, "undetermined-here"):
            chain.mass_matrix(singular)
        with refusal(EvaluationError, "undetermined-here"):
            chain.mass_matrix(np.stack([q, singular]), out=np.empty((2, 1, 1)))
        assert np.array_equal(chain.mass_matrix(q), good)
    assert np.isfinite(chain.forward_dynamics(singular, np.zeros(3), np.ones(3))).all()
