"""Systems that are moved in a prescribed way: energies and positions that depend on the time t itself."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from commands import run
from exported_code import RUN, RUNNERS
from lagrange_by_sympy import sympy_torques
from numpy.typing import NDArray
from refusals import refusal
from scipy.integrate import solve_ivp

import qddot
from qddot.algebra.expressions.derivative import ZERO
from qddot.base.errors import QddotError
from qddot.exact.equations.proofs.modulo_primes import verify
from qddot.faces.closed_chain import ClosedChain
from qddot.faces.robot import Robot
from qddot.robot.lagrangian import Lagrangian

G = 9.81
SYSTEMS: dict[str, dict[str, Any]] = {
    "kapitza": {  # Landau, Lifshitz, Mechanics, 1976, §5 problem 3c and §30
        "q": "theta",
        "particles": [("m", ["l*sin(theta)", "A*cos(w*t) - l*cos(theta)"])],
        "P": "m*g*(A*cos(w*t) - l*cos(theta))",
        "symbols": {"m": 0.7, "l": 0.4, "A": 0.05, "w": 30.0},
    },
    "circle": {  # the pivot moves uniformly on a circle: Landau, Lifshitz 1976, §5 problem 3a
        "q": "phi",
        "particles": [("m", ["a*cos(w*t) + l*sin(phi)", "-a*sin(w*t) + l*cos(phi)"])],
        "P": "-m*g*l*cos(phi)",
        "symbols": {"m": 0.7, "a": 0.3, "l": 0.9, "w": 2.0},
    },
    "string": {  # a pendulum whose string is shortened
        "q": "theta",
        "particles": [("m", ["(l0 - v*t)*sin(theta)", "-(l0 - v*t)*cos(theta)"])],
        "P": "-m*g*(l0 - v*t)*cos(theta)",
        "symbols": {"m": 0.7, "l0": 2.0, "v": 0.3},
    },
    "incline": {  # a block on an incline that is pushed with the acceleration a
        "q": "s",
        "particles": [("m", ["s*cos(alpha) + a*t**2/2", "-s*sin(alpha)"])],
        "P": "-m*g*s*sin(alpha)",
        "symbols": {"m": 0.7, "alpha": 0.5, "a": 1.2},
    },
    "two": {  # two particles, a spring, friction and a force, each with the time in it
        "q": "x theta",
        "particles": [("m", ["x", "b*exp(-t/T)"]), ("m", ["x + l*sin(theta - w*t)", "l*cos(theta - w*t)"])],
        "P": "k*(x - A*sin(2*t))**2/2 + c*theta*x*t",
        "D": "c*(1 + t**2)*(xd + thetad)**2/2",
        "Q": {"theta": "F*tanh(t)*thetad"},
        "symbols": {"m": 1.1, "b": 0.2, "T": 1.5, "l": 0.6, "w": 1.3, "k": 4.0, "A": 0.1, "c": 0.3, "F": 0.2},
    },
    "general": {  # a K of any degree
        "q": "x",
        "K": "m*(1 + t)*xd**4/4 + m*xd**2*cos(w*t)/9 + m*xd*x*t + m*sqrt(2 + xd**2 + t)",
        "P": "k*x**2*sin(w*t)/2",
        "symbols": {"m": 0.7, "k": 1.0, "w": 0.4},
    },
}


def system_of(name: str) -> Robot:
    system = qddot.lagrange(**SYSTEMS[name], name=name)
    assert isinstance(system, Robot)
    return system


def test_a_hoop_that_is_turned_is_one_with_a_constant_rate() -> None:
    """The angle Ω t gives the same equations as the rate Ω. Source: Taylor, Classical Mechanics, 2005, example 7.6."""
    at = "R*sin(theta)*cos(Omega*t)", "R*sin(theta)*sin(Omega*t)", "-R*cos(theta)"
    K, P = "m*R**2*(thetad**2 + Omega**2*sin(theta)**2)/2", "-m*g*R*cos(theta)"
    turned, constant = qddot.lagrange("theta", particles=[("m", at)], P=P), qddot.lagrange("theta", K, P)
    assert isinstance(turned, Robot)
    assert not turned.model.time
    for name in ("tau", "M", "h", "G", "L"):
        assert turned.equations().array(name) == constant.equations().array(name), name


@pytest.mark.parametrize("turn", ["theta + Omega*t", "-Omega*t + theta"])
def test_sums_of_an_angle_and_a_prescribed_one_are_expanded(turn: str) -> None:
    """A bead on a hoop that turns in its plane about a point of it moves as a pendulum, θ̈ = −Ω² sin θ."""
    angle = "Omega*t" if turn.startswith("theta") else "-Omega*t"
    at = f"R*cos({angle}) + R*cos({turn})", f"R*sin({angle}) + R*sin({turn})"
    system = qddot.lagrange("theta", particles=[("m", at)])
    assert str(system.equations().tau) == "tau1 = R**2*m*thetadd + Omega**2*R**2*m*sin(theta)"
    assert system.prove()


def test_a_bead_on_a_turning_rod() -> None:
    """r̈ = Ω² r, so that r = r0 cosh Ω t. Source: Goldstein, Poole, Safko, Classical Mechanics, 2002, §1.6."""
    system = qddot.lagrange(
        "r", particles=[("m", ["r*cos(Omega*t)", "r*sin(Omega*t)"])], symbols={"m": 0.7, "Omega": 3.0}
    )
    assert isinstance(system, Robot)
    assert str(system.equations().tau) == "tau1 = m*rdd - m*Omega**2*r"
    assert system.simulate([0.2], [0.0], duration=1).q[-1] == pytest.approx([0.2 * np.cosh(3)], rel=1e-12)


EXPECTED: dict[str, Callable[[float, float, float, dict[str, float]], float]] = {  # q̈ of q, q̇, t and the symbols
    "kapitza": lambda q, qd, t, of: -(G - of["A"] * of["w"] ** 2 * np.cos(of["w"] * t)) * np.sin(q) / of["l"],
    "circle": lambda q, qd, t, of: (of["a"] * of["w"] ** 2 * np.cos(q - of["w"] * t) - G * np.sin(q)) / of["l"],
    "string": lambda q, qd, t, of: (2 * of["v"] * qd - G * np.sin(q)) / (of["l0"] - of["v"] * t),
    "incline": lambda q, qd, t, of: G * np.sin(of["alpha"]) - of["a"] * np.cos(of["alpha"]),
}


@pytest.mark.parametrize("name", EXPECTED)
def test_accelerations_are_those_of_textbooks(name: str) -> None:
    q, qd, t = 0.6, -0.8, 0.37
    found = system_of(name).forward_dynamics([q], [qd], [0.0], t=t)
    assert found == pytest.approx([EXPECTED[name](q, qd, t, SYSTEMS[name]["symbols"])], rel=1e-12)


@pytest.mark.parametrize("name", SYSTEMS)
def test_equations_are_those_of_sympy(name: str) -> None:
    system, t = system_of(name), 0.37
    state = {"q": [0.4, 0.7], "qd": [0.3, -0.6], "qdd": [1.1, 0.8]}
    expected, own = sympy_torques(system, state, t), [part[: system.n] for part in state.values()]
    assert system.inverse_dynamics(*own, t=t) == pytest.approx(expected, rel=1e-11)
    assert system.equations().at(*own, t=t)["tau"] == pytest.approx(expected, rel=1e-11)


@pytest.mark.parametrize("name", SYSTEMS)
def test_the_equations_and_the_power_are_proved(name: str) -> None:
    certificate = system_of(name).prove()
    assert certificate, str(certificate)
    assert "Ė = q̇ᵀ(τ − ∂D/∂q̇ + Q) − ∂L/∂t" in str(certificate)
    if name != "general":
        assert "Σ q̇_k ∂M/∂q_k = C + Cᵀ" in str(certificate)


@pytest.mark.parametrize("name", ["string", "kapitza"])
def test_a_proof_notices_that_rates_of_momenta_are_missing(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Lagrangian, "torques_of_time", [ZERO])
    certificate = system_of(name).prove()
    assert not certificate
    assert [each.name for each in certificate.identities if each.verdict == "false"]


def test_polynomials_in_the_time_are_verified_modulo_primes() -> None:
    assert verify(system_of("string").model)


@pytest.mark.parametrize("name", SYSTEMS)
def test_energy_is_accounted_for(name: str) -> None:
    """E = q̇·∂L/∂q̇ − L changes by the work of Q, the loss of D, and −∂L/∂t. Source: Landau, Lifshitz 1976, §6."""
    system = system_of(name)
    q0, qd0 = [0.4, 0.3][: system.n], [0.9, 0.1][: system.n]
    run = system.simulate(q0, qd0, duration=0.5)
    assert run.stops == ()
    assert run.energy.check(1e-9)
    assert np.abs(run.energy.external).max() > 1e-4


def moved_point(
    pivot: Callable[[float], Any], length: Callable[[float], Any], start: tuple[float, float], end: float
) -> NDArray[np.float64]:
    """The place, relative to its pivot, of a mass on a rod that is moved, by Newton's law m ẍ = m g + n in the plane.

    pivot, length: position and length with their first and second derivatives; start: the angle and its rate
    """

    def rates(t: float, state: NDArray[np.float64]) -> NDArray[np.float64]:
        (p, pd, pdd), (l, ld, ldd) = pivot(t), length(t)
        r, rd = state[:2] - p, state[2:] - pd
        weight = np.array([0.0, -G])
        # |r|² = l², twice differentiated: ṙ·ṙ + r·r̈ = l̇² + l l̈ with r̈ = g + λ r − p̈
        share = (ld**2 + l * ldd - rd @ rd - r @ (weight - pdd)) / l**2
        return np.concatenate([state[2:], weight + share * r])

    angle, rate = start
    along, across = np.array([np.sin(angle), -np.cos(angle)]), np.array([np.cos(angle), np.sin(angle)])
    (p, pd, _), (l, ld, _) = pivot(0.0), length(0.0)
    first = np.concatenate([p + l * along, pd + ld * along + l * rate * across])
    done = solve_ivp(rates, (0, end), first, method="DOP853", rtol=1e-12, atol=1e-12)
    found: NDArray[np.float64] = done.y[:2, -1] - pivot(end)[0]
    return found


def test_a_pendulum_with_a_moving_pivot_moves_as_newton_says() -> None:
    of = SYSTEMS["kapitza"]["symbols"]
    A, w, l = of["A"], of["w"], of["l"]

    def pivot(t: float) -> Any:
        up = np.array([0.0, 1.0])
        return A * np.cos(w * t) * up, -A * w * np.sin(w * t) * up, -A * w**2 * np.cos(w * t) * up

    x, y = moved_point(pivot, lambda _: (l, 0.0, 0.0), (0.8, 0.5), 2.0)
    angle = system_of("kapitza").simulate([0.8], [0.5], duration=2).q[-1, 0]
    assert (np.sin(angle), -np.cos(angle)) == pytest.approx((x / l, y / l), abs=1e-8)


def test_a_pendulum_on_a_shorter_and_shorter_string_moves_as_newton_says() -> None:
    of = SYSTEMS["string"]["symbols"]
    zero = np.zeros(2)
    x, y = moved_point(
        lambda _: (zero, zero, zero),
        lambda t: (of["l0"] - of["v"] * t, -of["v"], 0.0),
        (0.8, 0.5),
        3.0,
    )
    angle = system_of("string").simulate([0.8], [0.5], duration=3).q[-1, 0]
    assert np.arctan2(x, -y) == pytest.approx(angle, abs=1e-9)


@pytest.mark.parametrize(("w", "stays"), [(80.0, True), (40.0, False)])
def test_a_fast_pivot_holds_a_pendulum_upright(w: float, stays: bool) -> None:
    """It is stable upright if A² w² > 2 g l, here w > 56 rad/s. Source: Landau, Lifshitz 1976, §30, problem 1."""
    run = system_of("kapitza").simulate([np.pi - 0.1], [0.0], duration=3, w=w)
    assert (np.abs(run.q - np.pi).max() < 0.3) == stays


def test_small_motions_are_those_of_mathieu() -> None:
    linear = system_of("kapitza").equations().linearize([0])
    assert str(linear.stiffness) == "stiffness11 = m*l*g - m*l*A*w**2*cos(w*t)"


def test_a_law_may_ask_for_the_torques_at_its_time() -> None:
    system = system_of("two")
    run = system.simulate([0.4, 0.3], [0, 0], duration=0.2, torque=lambda t, q, qd: system.bias(q, qd, t=t))
    assert run.q[-1] == pytest.approx([0.4, 0.3], abs=1e-12)


@pytest.mark.parametrize("method", ["rk4", "dop853", "radau"])
def test_methods_agree(method: str) -> None:
    runs = [system_of("two").simulate([0.4, 0.3], [0, 0], duration=0.5, method=each) for each in ("taylor", method)]
    assert runs[0].q[-1] == pytest.approx(runs[1].q[-1], abs=1e-8)


def test_states_of_a_batch_have_their_own_times() -> None:
    system, times = system_of("circle"), np.array([0.0, 0.4, 0.9])
    alone = [system.inverse_dynamics([0.3], [0.2], [0.1], t=t) for t in times]
    batch = system.inverse_dynamics([[0.3]] * 3, [[0.2]] * 3, [[0.1]] * 3, t=times)
    np.testing.assert_allclose(batch, alone, rtol=1e-14)


@pytest.mark.parametrize("target", RUN)
def test_exported_code_takes_the_time(target: str, tmp_path: Path) -> None:
    system = system_of("two")
    state = [np.array(part) for part in ([0.4, 0.3], [0.2, 0.1], [0.5, -0.5])]
    system.export(target, ["forward_dynamics"], tmp_path)
    program = system.program("forward_dynamics", ["t"])
    (found,) = RUNNERS[target](tmp_path, "two", program, [*state, np.array(0.7)])
    np.testing.assert_allclose(found, system.forward_dynamics(*state, t=0.7), rtol=1e-13)


def test_a_driven_ladder_moves_as_its_angle_alone() -> None:
    """A ladder on a wall and a floor, which a force and a torque drive, has the equations of its angle, and λ."""
    own = {"m": 1.3, "l": 2.0, "F": 2.0, "w": 3.0, "k": 0.2, "c": 0.3}
    K, constraints = "m*(xd**2 + yd**2)/2 + m*l**2*thetad**2/24", ("x = l*sin(theta)/2", "y = l*cos(theta)/2")
    ladder = qddot.lagrange(
        "x y theta",
        f"{K} + c*t*yd",
        "m*g*y + k*theta*t",
        Q={"x": "F*sin(w*t)"},
        constraints=constraints,
        symbols=own,
    )
    alone = qddot.lagrange(
        "theta",
        "m*l**2*thetad**2/6 - c*t*l*sin(theta)*thetad/2",
        "m*g*l*cos(theta)/2 + k*theta*t",
        Q=["F*sin(w*t)*l*cos(theta)/2"],
        symbols=own,
    )
    assert isinstance(ladder, ClosedChain)
    assert isinstance(alone, Robot)
    certificate = ladder.prove()
    assert certificate, str(certificate)
    q, t = ladder.assemble({"theta": 0.5}).q, 0.3
    qd, u = ladder.velocities(q, [0.4]), [0.4]
    qdd = ladder.forward_dynamics(q, qd, [0.0] * 3, t=t)
    assert qdd[2:] == pytest.approx(alone.forward_dynamics(q[2:], u, [0.0], t=t), rel=1e-12)
    wall, floor = ladder.multipliers(q, qd, qdd, [0.0] * 3, t=t)
    assert wall == pytest.approx(1.3 * qdd[0] - 2 * np.sin(3 * t), rel=1e-12)  # m ẍ = F sin w t + wall
    assert floor == pytest.approx(1.3 * (qdd[1] + G) + 0.3, rel=1e-12)  # m ÿ + c = floor − m g
    run, same = ladder.simulate(q, qd, duration=0.4), alone.simulate(q[2:], u, duration=0.4)
    assert run.q[-1, 2:] == pytest.approx(same.q[-1], abs=1e-10)
    assert run.energy.check(1e-9)
    assert same.energy.check(1e-9)


REFUSED: list[tuple[Callable[[Robot], Any], tuple[str, ...]]] = [
    (lambda system: system.inverse_dynamics([0.3], [0.2], [0.1]), ("value-missing", "t")),
    (lambda system: system.equations().at([0.3]), ("value-missing", "t")),
    (lambda system: system.bounds({"theta": (0, 1)}), ("energies-depend-on-time", "bound-for-all-times")),
    (
        lambda system: system.equations().abbreviate(region={"theta": (0, 1)}),
        ("energies-depend-on-time", "the-abbreviated-model"),
    ),
    (lambda system: system.stepper(0.01), ("energies-depend-on-time",)),
    (lambda system: system.with_values(t=0.3), ("time-has-value", "t", "3/10")),
    (lambda system: system.simulate([0.3], duration=0.1, t=0.3), ("value-of-the-time", "t")),
    (lambda system: system.simulate([0.3], duration=0.1, method="midpoint"), ("method-does-not-take", "t")),
]


@pytest.mark.parametrize(("ask", "said"), REFUSED)
def test_what_is_impossible_is_refused(ask: Callable[[Robot], Any], said: tuple[str, ...]) -> None:
    with refusal(QddotError, *said):
        ask(system_of("kapitza"))


def test_files_and_commands_take_the_time(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    system, path = system_of("kapitza"), tmp_path / "kapitza.toml"
    path.write_text(system.to_toml(), encoding="utf-8")
    again = qddot.load(path)
    assert again.model == system.model
    assert "forces1 = -m*l*A*w**2*cos(w*t)*sin(theta)" in run(capsys, "derive", str(path))[1]
    assert "−∂L/∂t" in run(capsys, "prove", str(path))[1].replace("− ∂", "−∂")
    assert "work of external forces" in run(capsys, "simulate", str(path), "--at", "3", "--duration", "0.1")[1]
    exported = run(capsys, "export", str(path), "--code", "python", "--closed-form", "--folder", str(tmp_path))
    assert "kapitza.py" in exported[1]
    rod = ("lagrange", "--q", "r", "--particle", "m=r*cos(Omega*t);r*sin(Omega*t)")
    assert "G1 = -Omega**2*m*r" in run(capsys, *rod)[1]
