"""Lagrange's equations of textbook systems are those of the textbooks, of SymPy, and of the same robot."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from lagrange_by_sympy import sympy_torques
from shipped import robot

import qddot
from qddot.faces.closed_chain import ClosedChain
from qddot.faces.robot import Robot

G = 9.81
HOOP: dict[str, Any] = {  # Taylor, Classical Mechanics, 2005, example 7.6
    "q": "theta",
    "K": "m*R**2*(thetad**2 + omega**2*sin(theta)**2)/2",
    "P": "-m*g*R*cos(theta)",
    "symbols": {"m": 0.7, "R": 0.4, "omega": 6.0},
}
ELASTIC: dict[str, Any] = {  # Goldstein, Poole, Safko, Classical Mechanics, 2002, exercise 6 of ch. 1
    "q": "r theta",
    "particles": [("m", ["r*sin(theta)", "-r*cos(theta)"])],
    "P": "-m*g*r*cos(theta) + k*(r - l)**2/2",
    "symbols": {"m": 0.3, "l": 0.8, "k": 20.0},
}
CART: dict[str, Any] = {
    "q": "x theta",
    "K": "M*xd**2/2",
    "particles": [("m", ["x + l*sin(theta)", "l*cos(theta)"])],
    "P": "m*g*l*cos(theta)",
    "symbols": {"M": 1.0, "m": 0.3, "l": 0.5},
}
ROTATING: dict[str, Any] = {  # a particle in a frame that turns; K has terms of degree 0, 1 and 2 in the rates
    "q": "x y",
    "K": "m*((xd - w*y)**2 + (yd + w*x)**2)/2",
    "P": "k*(x**2 + y**2)/2",
    "D": "c*(xd + yd)**2/2",
    "Q": {"x": "F*y"},
    "symbols": {"m": 1.2, "w": 0.7, "k": 3.0, "c": 0.2, "F": 0.4},
}
FUNCTIONS: dict[str, Any] = {  # a bead on a curve, with springs that are no polynomials
    "q": "x phi",
    "K": "m*(1 + (a*exp(-x/b)/b)**2)*xd**2/2 + J*sqrt(1 + x**2)*phid**2/2 + J*xd*phid*tanh(x)*cos(phi)",
    "P": "m*g*a*exp(-x/b) + k*tan(x/5) + k/(2 + x**2) + k*sin(w*x)",
    "symbols": {"m": 1.1, "a": 0.6, "b": 1.4, "J": 0.2, "k": 0.9, "w": 1.7},
}
GENERAL: dict[str, Any] = {  # a K of any degree, whose M depends on the rates
    "q": "x y",
    "K": "m*(xd**2 + yd**2)/2 + m*x**2*yd**4/9 + m*sin(xd/2 + y) + m*sqrt(3 + yd**2) + m*xd*y",
    "P": "k*x*y/5 + k*(x**2 + y**2)",
    "D": "c*xd**2*(2 + yd**2)",
    "Q": ["c*y", "0"],
    "symbols": {"m": 1.2, "k": 0.8, "c": 0.1},
}
FREE = {
    "hoop": HOOP,
    "elastic": ELASTIC,
    "cart": CART,
    "rotating": ROTATING,
    "functions": FUNCTIONS,
    "general": GENERAL,
}


def free(name: str) -> Robot:
    system = qddot.lagrange(**FREE[name], name=name)
    assert isinstance(system, Robot)
    return system


def held(q: str, K: str, P: str, *constraints: str, **symbols: Any) -> ClosedChain:
    system = qddot.lagrange(q, K, P, constraints=constraints, symbols=symbols)
    assert isinstance(system, ClosedChain)
    return system


def test_a_bead_on_a_rotating_hoop() -> None:
    """Its equation is θ̈ = (ω² cos θ − g/R) sin θ. Source: Taylor 2005, eq. 7.71."""
    theta = 0.9
    expected = (6.0**2 * np.cos(theta) - G / 0.4) * np.sin(theta)
    assert free("hoop").forward_dynamics([theta], [2.0], [0.0]) == pytest.approx([expected], rel=1e-13)


def test_an_elastic_pendulum() -> None:
    """r̈ = r θ̇² + g cos θ − k (r − l)/m, and r θ̈ + 2 ṙ θ̇ + g sin θ = 0."""
    (r, theta), (rd, thetad) = (0.9, 0.6), (0.3, -1.1)
    expected = [r * thetad**2 + G * np.cos(theta) - 20 * (r - 0.8) / 0.3, -(2 * rd * thetad + G * np.sin(theta)) / r]
    assert free("elastic").forward_dynamics([r, theta], [rd, thetad], [0, 0]) == pytest.approx(expected, rel=1e-13)


def test_a_cart_and_pole_is_the_robot_that_ships() -> None:
    """Its energies give the same exact equations and the same numbers as the links of the robot file."""
    arm = robot("cart_pole")
    system = qddot.lagrange(
        "x theta",
        "mc*xd**2/2",
        "-mp*g*l*cos(theta)",
        particles=[("mp", ["x + l*sin(theta)", "-l*cos(theta)"])],
        symbols={name: arm.model.symbols[name] for name in ("mc", "mp", "l", "g")},
    )
    assert isinstance(system, Robot)
    for name in ("M", "christoffel", "C", "B", "C2", "h", "G", "tau", "K", "P", "L"):
        assert system.equations().array(name) == arm.equations().array(name), name
    state = [0.2, 0.7], [0.5, -1.3], [0.3, 0.4]
    for function in ("inverse_dynamics", "forward_dynamics", "forward_dynamics_derivatives"):
        ours, theirs = system.call(function, *state), arm.call(function, *state)
        np.testing.assert_allclose(np.hstack([ours]), np.hstack([theirs]), rtol=1e-12, atol=1e-14)
    assert system.simulate(*state[:2], duration=1).q[-1] == pytest.approx(arm.simulate(*state[:2], duration=1).q[-1])


@pytest.mark.parametrize("name", FREE)
def test_equations_are_those_of_sympy(name: str) -> None:
    """The torques are d/dt ∂L/∂q̇ − ∂L/∂q + ∂D/∂q̇ − Q, as SymPy's LagrangesMethod derives them."""
    system = free(name)
    state = {"q": [0.4, 0.7], "qd": [0.3, -0.6], "qdd": [1.1, 0.8]}
    expected, n = sympy_torques(system, state), system.n
    ours = system.inverse_dynamics(*(state[key][:n] for key in state))
    assert ours == pytest.approx(expected, rel=1e-11)
    assert system.equations().at(*(state[key][:n] for key in state))["tau"] == pytest.approx(expected, rel=1e-11)


@pytest.mark.parametrize("name", FREE)
def test_the_equations_are_proved(name: str) -> None:
    certificate = free(name).prove()
    assert certificate, str(certificate)
    assert certificate.identities[0].name == "d/dt ∂L/∂q̇ − ∂L/∂q = τ"


@pytest.mark.parametrize("name", FREE)
def test_energy_is_accounted_for(name: str) -> None:
    """E = ½ q̇ᵀ M q̇ + P − K at rest changes by the loss of D and the work of Q."""
    n = free(name).n
    assert free(name).simulate([0.4, 0.3][:n], [0.2, 0.1][:n], duration=1).energy.check()


def test_steps_are_those_of_lagrange() -> None:
    steps = free("cart").equations().steps
    assert str(steps["dL_dqd"][1]).endswith("= m*l**2*thetad + m*l*cos(theta)*xd")
    assert str(steps["dL_dq"][0]).endswith("= 0")
    assert "dp" in steps


def test_atwoods_machine() -> None:
    """ẍ = (m1 − m2) g/(m1 + m2), and the tension is 2 m1 m2 g/(m1 + m2). Source: Goldstein 2002, §1.6."""
    m1, m2 = 1.5, 1.0
    system = held("x1 x2", "m1*xd1**2/2 + m2*xd2**2/2", "-m1*g*x1 - m2*g*x2", "x1 + x2 = l", m1=m1, m2=m2, l=2)
    q, still = system.assemble({"x1": 0.7, "x2": 1.3}).q, [0.0, 0.0]
    qdd = system.forward_dynamics(q, still, still)
    assert qdd == pytest.approx([(m1 - m2) / (m1 + m2) * G, -(m1 - m2) / (m1 + m2) * G], rel=1e-13)
    assert system.multipliers(q, still, qdd, still) == pytest.approx([-2 * m1 * m2 * G / (m1 + m2)], rel=1e-13)


def test_a_ladder_slides() -> None:
    """A ladder of length l between a wall and a floor has θ̈ = 3 g sin θ/(2 l). Source: Taylor 2005, problem 7.30 ff."""
    K = "m*(xd**2 + yd**2)/2 + m*l**2*thetad**2/24"
    system = held("x y theta", K, "m*g*y", "x = l*sin(theta)/2", "y = l*cos(theta)/2", m=1.3, l=2)
    assert system.independent == ("theta",)
    assert str(system.equations().M) == "M11 = m*l**2/3"
    q = system.assemble({"theta": 0.5, "x": 0.5, "y": 0.9}).q
    qdd = system.forward_dynamics(q, [0.0] * 3, [0.0] * 3)
    assert qdd[2] == pytest.approx(3 * G * np.sin(q[2]) / (2 * 2), rel=1e-13)
    assert system.simulate(q, [0.0] * 3, duration=0.3).energy.check()


def test_a_hoop_rolls_down_an_incline() -> None:
    """ẍ = g sin φ/2, and friction is m g sin φ/2. Source: Goldstein 2002, §2.4."""
    m, r, slope = 0.8, 0.3, 0.4
    K, P = "m*xd**2/2 + m*r**2*thetad**2/2", "-m*g*x*s"
    system = held("x theta", K, P, "r*thetad - xd", m=m, r=r, s=np.sin(slope))
    still = [0.0, 0.0]
    qdd = system.forward_dynamics(still, still, still)
    assert qdd == pytest.approx([G * np.sin(slope) / 2, G * np.sin(slope) / 2 / r], rel=1e-13)
    assert system.multipliers(still, still, qdd, still) == pytest.approx([m * G * np.sin(slope) / 2], rel=1e-13)


def test_a_disk_rolls_on_a_plane() -> None:
    """An upright disk that rolls and turns keeps both rates. Source: Neĭmark, Fufaev 1972, ch. 1."""
    K = "m*(xd**2 + yd**2)/2 + I*phid**2/2 + J*thetad**2/2"
    rolls = "xd = R*phid*cos(theta)", "yd = R*phid*sin(theta)"
    system = held("x y phi theta", K, "0", *rolls, m=1, R=0.5, I=0.125, J=0.0625)
    assert system.independent == ("phi", "theta")
    qd = system.velocities([0, 0, 0.2, 0.7], [2.0, 0.5])
    assert qd[:2] == pytest.approx([np.cos(0.7), np.sin(0.7)], rel=1e-13)
    qdd = system.forward_dynamics([0, 0, 0.2, 0.7], qd, [0] * 4)
    assert qdd == pytest.approx([-np.sin(0.7) * 0.5, np.cos(0.7) * 0.5, 0, 0], abs=1e-13)
    certificate = system.prove()
    assert certificate, str(certificate)


def test_constraints_may_contain_functions() -> None:
    """A bead on y = exp(x/2) moves as one with the coordinate x alone."""
    bead = held("x y", "m*(xd**2 + yd**2)/2", "m*g*y", "y = exp(x/2)", m=1.4)
    alone = qddot.lagrange("x", particles=[("m", ["x", "exp(x/2)"])], P="m*g*exp(x/2)", symbols={"m": 1.4})
    q = bead.assemble({"x": 0.4, "y": 1.2}).q
    qd = bead.velocities(q, [0.7])
    expected = alone.forward_dynamics(q[:1], [0.7], [0.0])
    assert bead.forward_dynamics(q, qd, [0.0, 0.0])[:1] == pytest.approx(expected, rel=1e-12)
    assert bead.prove()


def test_the_lagrangian_is_the_one_that_is_given() -> None:
    """The terms of K that are linear in the rates are in L, although K is its quadratic part."""
    eq = free("rotating").equations()
    assert "m*w*x*yd" in str(eq.L)
    assert "w*" not in str(eq.K)
    held_on_line = qddot.lagrange("x y", ROTATING["K"], constraints=["y = x/2"], symbols={"m": 1.2, "w": 0.7})
    assert isinstance(held_on_line, ClosedChain)
    assert held_on_line.prove()


def test_a_relativistic_oscillator() -> None:
    """With L = −m c² √(1 − v²/c²) − k x²/2 the force is m γ³ a + k x, and the energy m c² (γ − 1). Source: Goldstein
    2002, §7.9.
    """
    m, c, k = 1.3, 2.0, 3.0
    system = qddot.lagrange("x", "-m*c**2*sqrt(1 - xd**2/c**2)", "k*x**2/2", symbols={"m": m, "c": c, "k": k})
    assert isinstance(system, Robot)
    x, v, a = 0.4, 1.1, 0.7
    gamma = 1 / np.sqrt(1 - v**2 / c**2)
    assert system.inverse_dynamics([x], [v], [a]) == pytest.approx([m * gamma**3 * a + k * x], rel=1e-13)
    assert system.forward_dynamics([x], [v], [0.5]) == pytest.approx([(0.5 - k * x) / (m * gamma**3)], rel=1e-13)
    assert system.kinetic_energy([x], [v]) == pytest.approx(m * c**2 * (gamma - 1), rel=1e-13)
    assert system.momentum([x], [v]) == pytest.approx([m * gamma * v], rel=1e-13)
    assert system.equations().at([x], [v])["M"] == pytest.approx(np.array([[m * gamma**3]]), rel=1e-13)
    certificate = system.prove()
    assert certificate, str(certificate)
    assert system.simulate([x], [v], duration=2).energy.check()


def test_a_k_of_any_degree_is_derived_and_proved() -> None:
    system = qddot.lagrange("x y", "m*(xd**2 + yd**2)**2/4 + x*xd**3 + y*xd*yd", "k*x*y", Q=["F", 0])
    assert isinstance(system, Robot)
    assert system.equations().law == "M q̈ + G + forces = τ"
    assert system.prove()


@pytest.mark.parametrize("name", ["cart", "rotating", "functions"])
def test_linear_equations_are_those_of_small_motions(name: str) -> None:
    """Stiffness and damping are the derivatives of the torques at rest, those of D and Q included."""
    system, q0, still = free(name), [0.3, -0.2], [0.0, 0.0]
    A, B = system.equations().linearize(q0).at()
    by_q, by_qd, inverse = system.forward_dynamics_derivatives(q0, still, system.bias(q0, still))
    np.testing.assert_allclose(A[2:], np.hstack([by_q, by_qd]), rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(B[2:], inverse, rtol=1e-10, atol=1e-12)


def test_a_constrained_system_near_rest() -> None:
    """The linear equations of a ladder with a force and friction are those of its angle alone."""
    K, own = "m*(xd**2 + yd**2)/2 + m*l**2*thetad**2/24", {"m": 1.3, "l": 2, "c": 0.4, "F": 2}
    constraints = "x = l*sin(theta)/2", "y = l*cos(theta)/2"
    more: dict[str, Any] = {"D": "c*thetad**2/2", "Q": {"x": "F*theta"}, "symbols": own}
    ladder = qddot.lagrange("x y theta", K, "m*g*y", constraints=constraints, **more)
    more |= {"Q": ["F*theta*l*cos(theta)/2"]}
    alone = qddot.lagrange("theta", "m*l**2*thetad**2/6", "m*g*l*cos(theta)/2", **more)
    assert isinstance(ladder, ClosedChain)
    assert isinstance(alone, Robot)
    q = ladder.assemble({"theta": 0.5}).q
    theirs = alone.equations().linearize([float(q[2])]).at()
    np.testing.assert_allclose(ladder.equations().linearize().at(q)[0], theirs[0], rtol=1e-9, atol=1e-12)


def test_coefficients_are_in_lowest_terms() -> None:
    """Particles on a sphere, and on the rods of a double pendulum: ∂y1/∂x1 = −x1/y1, however many rods follow."""
    on_sphere = qddot.lagrange(
        "x y z", P="m*g*z", particles=[("m", ["x", "y", "z"])], constraints=["x^2 + y^2 + z^2 = l^2"]
    )
    assert "r31 = -x/z\nr32 = -y/z" in on_sphere.equations().text(["M"])
    rods = ["x1^2 + y1^2 = l^2", "(x2 - x1)^2 + (y2 - y1)^2 = l^2"]
    twice = qddot.lagrange(
        "x1 y1 x2 y2", P="g*(y1 + y2)", particles=[(1, ["x1", "y1"]), (1, ["x2", "y2"])], constraints=rods
    )
    assert "r21 = -x1/y1\n" in twice.equations().text(["M"]) and twice.prove()
