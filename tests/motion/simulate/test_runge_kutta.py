"""Compiled methods with steps of their own move arms as series and SciPy do, in lanes that do not feel one another."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from physical import physical
from refusals import refusal
from scipy.integrate import solve_ivp

import qddot
from qddot import forces
from qddot.algebra.program.status import STEPS
from qddot.base.errors import SimulationError
from qddot.machine.compilers.llvm import engine
from qddot.machine.compilers.llvm.registers import Vectors
from qddot.machine.compilers.llvm.runge_kutta import elimination
from qddot.machine.compilers.llvm.runge_kutta.elimination import COMPLEX, REAL
from qddot.motion.simulate import setup
from qddot.motion.simulate.stepping.calling import LawCalls
from qddot.motion.simulate.stepping.machine import machine
from qddot.motion.simulate.stepping.runge_kutta import RungeKuttaSolver

METHODS = ("dop853", "radau")
KNOTS = np.linspace(0, 1, 6)


@pytest.mark.parametrize(("method", "theirs"), [("dop853", "DOP853"), ("radau", "Radau")])
def test_it_moves_as_scipys_does(method: str, theirs: str) -> None:
    """Both have the same formulas: their errors, and that of the ledger, are as small as the tolerance."""
    arm = qddot.load("spatial_2r")
    given = setup.RunRequest(qddot.Motion([2.0, 0.3], [0.1, 0.1], 1.0, 0.1, (method, 1e-9), damping=0.3))
    asked = setup.checked(arm.model, given)
    run = arm.simulate([2.0, 0.3], [0.1, 0.1], 1.0, 0.1, (method, 1e-9), damping=0.3)
    slopes, (parameters,) = machine(asked.plant, asked.method).slopes, asked.parameters
    solution = solve_ivp(
        lambda t, x: slopes(x, [t], parameters), (0, 1), asked.beginning[0], theirs, run.time, rtol=1e-9, atol=1e-11
    )
    assert np.abs(run.q - solution.y[:2].T).max() < 1e-7
    assert np.abs(run.energy.losses["damping"] - solution.y[4]).max() < 1e-6


@pytest.mark.parametrize("method", METHODS)
def test_the_error_falls_with_the_tolerance(method: str) -> None:
    arm = qddot.load("two_link")
    right = arm.simulate([1.0, 0.5], None, 2.0, 0.25, "taylor", limits=False, damping=0.1)
    for tolerance in (1e-5, 1e-8, 1e-11):
        run = arm.simulate([1.0, 0.5], None, 2.0, 0.25, (method, tolerance), limits=False, damping=0.1)
        assert np.abs(run.q - right.q).max() < 300 * tolerance
        assert run.energy.check(1e5 * tolerance)


def test_the_tightest_tolerance_is_that_of_rounding() -> None:
    arm = qddot.load("two_link")
    start = ([1.0, 0.5], None, 1.0, 0.5)
    right, usual = (arm.simulate(*start, method, limits=False, damping=0.1) for method in ("taylor", "dop853"))
    tight = arm.simulate(*start, ("dop853", 2.3e-14), limits=False, damping=0.1)
    assert np.abs(right.q - tight.q).max() < 1e-12 < np.abs(right.q - usual.q).max()


@pytest.mark.parametrize("method", METHODS)
def test_no_lane_depends_on_its_neighbours(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    arm = qddot.load("one_link")
    rng = np.random.default_rng(4)
    q0, lengths = rng.uniform(-2, 2, (21, 1)), rng.uniform(0.5, 2, 21)

    def moved(rows: slice, **options: Any) -> Any:
        return arm.simulate(q0[rows], None, 1.0, 0.25, method, l=lengths[rows], limits=False, **options).q

    whole = moved(slice(None))
    assert np.array_equal(whole[5:8], moved(slice(5, 8)))
    assert np.array_equal(whole, moved(slice(None), options=qddot.Options(threads=3)))
    monkeypatch.setattr("qddot.motion.simulate.stepping.integration.FIRST", 3)  # steps before a pause
    assert np.array_equal(whole, moved(slice(None)))
    alone = arm.simulate(q0[7], None, 1.0, 0.25, method, l=float(lengths[7]), limits=False)
    # here the length is a constant of the code: the first errors are only rounding, so that the steps differ
    assert np.abs(whole[7] - alone.q).max() < 1e-8


@pytest.mark.parametrize("method", METHODS)
def test_samples_do_not_change_the_steps(method: str) -> None:
    arm = qddot.load("two_link")

    def moved(step: float, method: str) -> Any:
        return arm.simulate([1.0, 0.5], None, 1.0, step, method, limits=False, damping=0.1).q

    many = moved(0.001, method)
    assert np.array_equal(many[-1], moved(1.0, method)[-1])
    assert np.abs(many - moved(0.001, "taylor")).max() < {"dop853": 1e-9, "radau": 1e-6}[method]


@pytest.mark.parametrize("method", METHODS)
def test_torques_and_forces_as_samples_end_a_step_at_each(method: str) -> None:
    """Between two of them all is smooth, so that the tolerance is kept."""
    arm = qddot.load("spatial_2r")
    tau = (KNOTS, np.sin(np.arange(12.0)).reshape(6, 2))
    pushed = forces.Wrench(1, (KNOTS, np.cos(np.arange(18.0)).reshape(6, 3)), at=(0.1, 0.2, 0))
    run, right = (
        arm.simulate([2.0, 0.3], [0.1, 0.1], 1.0, step, m, torque=tau, forces=pushed)
        for m, step in ((method, 0.05), ("rk4", 2e-4))
    )
    assert np.abs(run.q[-1] - right.q[-1]).max() < 1e-10
    assert np.abs(run.energy.external[-1] - right.energy.external[-1]) < 1e-9
    assert run.energy.check(1e-8)


@pytest.mark.parametrize("method", METHODS)
def test_an_event_ends_each_arm_at_its_zero(method: str) -> None:
    arm = qddot.load("one_link")
    q0 = np.array([[1.0], [0.2], [-0.4], [0.9], [0.1]])

    def event(t: Any, q: Any, qd: Any) -> Any:
        return qd[0] * qd[0] - 4.0 * qddot.cos(t)

    ours, exact = (arm.simulate(q0, None, 3.0, 0.25, m, event=event, limits=False) for m in (method, "taylor"))
    assert len(ours.stops) == len(exact.stops) == 5
    for stop, right in zip(*(sorted(run.stops, key=lambda stop: stop.arm) for run in (ours, exact)), strict=True):
        assert stop.reason == right.reason
        assert stop.time == pytest.approx(right.time, abs=1e-7)
        assert abs(event(stop.time, stop.q, stop.qd)) < 1e-13
        assert np.isfinite(ours.q[stop.arm, ours.time <= stop.time]).all()
        assert np.isnan(ours.q[stop.arm, ours.time > stop.time]).all()


@pytest.mark.parametrize("method", METHODS)
def test_of_several_guards_the_first_one_counts(method: str) -> None:
    """A block flies 1 m to a limit at 2 m/s, in one step of the solver; an event is 0.1 m before one of the limits."""
    joint = qddot.Joint("prismatic", axis=(1, 0, 0), coordinate="q1", limits=(-1, 1))
    body = qddot.Body.of("block", joint, mass=1, com=(0, 0, 0), about="com", inertia=(1, 0, 0, 1, 0, 1))
    arm = qddot.Robot(qddot.Model("block", (body,), gravity=(0, 0, -9.81)))
    event = lambda t, q, qd: q[0] + 0.05 * qd[0] - 1  # noqa: E731
    for rate, reason, when in ((2.0, "the event", 0.45), (-2.0, "q1's lower limit", 0.5)):
        (stop,) = arm.simulate([0.0], [rate], 1.0, 0.1, method, event=event).stops
        assert stop.reason == f"it reached {reason}"
        assert stop.time == pytest.approx(when, abs=1e-14)


def test_an_interrupt_leaves_what_was_computed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("qddot.motion.simulate.stepping.integration.FIRST", 10)
    seen: list[float] = []

    def progress(share: float) -> None:
        seen.append(share)
        if len(seen) == 2:
            raise KeyboardInterrupt

    q0 = np.random.default_rng(1).uniform(-1, 1, (30, 2))
    run = qddot.load("two_link").simulate(
        q0, None, 10.0, 0.01, "dop853", limits=False, options=qddot.Options(progress=progress)
    )
    assert not run.complete
    assert 0 < seen[0] < seen[1] < 1
    assert {stop.reason for stop in run.stops} == {"the run was interrupted"}
    for stop in run.stops:
        assert np.isfinite(run.q[stop.arm, run.time <= stop.time]).all()
        assert np.isnan(run.q[stop.arm, run.time > stop.time]).all()


def test_a_singular_mass_matrix_is_named() -> None:
    run = qddot.load("spherical_pendulum").simulate([0.0, 0.0], [0.1, 0.1], 1.0, 0.1, "dop853", limits=False)
    assert "mass matrix is singular" in run.stops[0].reason
    assert run.stops[0].time == 0


def test_what_dry_friction_holds_rests_as_with_series() -> None:
    """The first axis is vertical, so that nothing turns it."""
    text = physical(qddot.load("elbow_3r")).to_toml()
    for joint, torque in (("q1", 0.1), ("q2", 0.3), ("q3", 0.2)):
        text = text.replace(f'coordinate = "{joint}"', f'coulomb = {torque}, coordinate = "{joint}"')
    arm = qddot.loads(text)
    right, run = (
        arm.simulate(np.full(3, 0.3), None, 0.5, 0.1, method, limits=False) for method in ("taylor", ("dop853", 1e-8))
    )
    assert run.stops == ()
    assert np.abs(run.q - right.q).max() < 1e-7
    assert np.array_equal(run.qd == 0, right.qd == 0)
    assert (run.qd[-1] == 0).tolist() == [True, False, False]


def steps_of(arm: qddot.Robot, method: str, tolerance: Any = None, **asked: Any) -> tuple[Any, int]:
    """The last state of a run, and how many steps were tried, 10,000 at most."""
    values = asked.pop("values", {})
    motion = qddot.Motion(method=(method, tolerance), limits=False, **asked)
    given = setup.checked(arm.model, setup.RunRequest(motion, values=values))
    run = RungeKuttaSolver(given, machine(given.plant, given.method), LawCalls(given))
    run.make_room(given.records - 1)
    run.integrator.advance(run.stretch(given.times[-1]), 10_000)
    return run.state[0], int(run.log[0, STEPS])


def test_strong_damping_does_not_shorten_the_steps_of_radau() -> None:
    """Motion that dies within a microsecond, then creeps: with a wrong Jacobian it would take many steps."""
    arm = qddot.load("two_link")
    start = {"q0": [1.0, 0.5], "qd0": [1.0, -2.0], "duration": 1.0, "step": 1.0, "damping": 1e6}
    (x, steps), (right, _) = (steps_of(arm, "radau", tolerance=tolerance, **start) for tolerance in (1e-8, 1e-11))
    assert steps < 450
    assert np.abs(x[:4] - right[:4]).max() < 1e-12
    # what it had of kinetic energy has gone into damping; gravity moves it by 1e-5 rad
    K = arm.kinetic_energy([1.0, 0.5], [1.0, -2.0])
    assert x[4] == pytest.approx(float(K), rel=1e-3)


def test_a_damped_block_comes_to_its_speed_as_textbooks_say() -> None:
    """m v' = F − c v: v = F/c + (v₀ − F/c) e^(−c t / m), an equation that Newton's iteration solves at once."""
    arm = qddot.load("slider")
    m, c, F, v0, t = 2.0, 1e5, 30.0, 1.0, 0.5
    start = {"q0": [0.0], "qd0": [v0], "duration": t, "step": t, "damping": c, "torque": [F], "values": {"m": m}}
    (x, steps), (_, others) = (steps_of(arm, method, tolerance=1e-8, **start) for method in ("radau", "dop853"))
    assert x[1] == pytest.approx(F / c, rel=1e-9)
    assert x[0] == pytest.approx(F / c * t + (v0 - F / c) * m / c, abs=1e-11)
    assert steps < 400 < 2000 < others


@pytest.mark.parametrize("parts", [REAL, COMPLEX])
def test_lanes_solve_their_own_equations(parts: int) -> None:
    """Random matrices with a strong diagonal, one in each lane."""
    lanes, size = 2, 5
    lines = elimination.functions(Vectors(lanes), size)
    code = engine.Loaded(engine.object_code("\n".join(lines).replace("define private", "define"), engine.LOOPS))
    rng = np.random.default_rng(7)
    A = rng.normal(size=(size, size, parts, lanes))
    A[range(size), range(size), 0] += 5
    b = rng.normal(size=(size, parts, lanes))
    factors, x = A.copy(), b.copy()
    code.function(f"factorise.{parts}", 1, 0)(factors.ctypes.data)
    code.function(f"solve.{parts}", 2, 0)(factors.ctypes.data, x.ctypes.data)
    numbers = (lambda a: a[..., 0, :] + 1j * a[..., 1, :]) if parts == COMPLEX else (lambda a: a[..., 0, :])
    for lane in range(lanes):
        right = np.linalg.solve(numbers(A)[..., lane], numbers(b)[..., lane])
        assert np.abs(numbers(x)[..., lane] - right).max() < 1e-14


def test_scipy_serves_where_nothing_can_be_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    arm = qddot.load("two_link")
    start = ([1.0, 0.5], None, 0.5, 0.1, "dop853")
    compiled = arm.simulate(*start, limits=False, damping=0.1)
    monkeypatch.setattr("qddot.machine.compilers.integrators.are_there", lambda: False)
    monkeypatch.setattr(RungeKuttaSolver, "__init__", lambda *_: pytest.fail("it was compiled"))
    assert np.abs(compiled.q - arm.simulate(*start, limits=False, damping=0.1).q).max() < 1e-8
    with refusal(SimulationError, "method-cannot-run", "radau", '"rk4" or "dop853"'):
        arm.simulate(*start[:-1], "radau", limits=False)
