"""The state derivative as a function for reading: it computes what compiled code does, and is read back."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matlab import function as function_of_matlab
from refusals import refusal

import qddot

HOSTILE = ["t", "z", "tau", "np", "nargin", "M", "c1", "end", "qdd"]


def effects() -> qddot.Robot:
    """An arm with every effect in its joints, a sliding joint, and names that the functions use themselves."""
    rows = [{"theta": "q1", "d": 0, "a": "t", "alpha": "30deg"}, {"theta": "z", "d": "s1", "a": "M", "alpha": 0}]
    joints = [
        {"damping": "tau", "coulomb": "np", "armature": "nargin"},
        {"spring": {"stiffness": "c1", "rest": "qdd"}, "damping": "tau"},
    ]
    links = [{"mass": "end", "com": ["-t/3", 0, 0], "joint": joints[0]}, {"mass": 2, "joint": joints[1]}]
    return qddot.from_dh(rows, links, symbols={name: 0.4 + 0.1 * k for k, name in enumerate(HOSTILE)}, name="effects")


def pendulum() -> qddot.Robot:
    """An elastic pendulum whose suspension is pushed along, with a force that depends on time."""
    system = qddot.lagrange(
        ["r", "theta"],
        K="m*(rd**2 + r**2*thetad**2)/2",
        P="k*(r - l)**2/2 - m*g*r*cos(theta)",
        D="c*thetad**2/2",
        Q={"theta": "f*r*cos(theta)"},
        symbols={"m": 0.7, "k": 30, "l": 0.5, "c": 0.2, "f": 0.3, "g": 9.81},
        name="pendulum",
    )
    assert isinstance(system, qddot.Robot)
    return system


ARMS: dict[str, Callable[[], qddot.Robot]] = {"effects": effects, "pendulum": pendulum}
NAMES = ("slider", "one_link", "two_link", "rp", "spatial_2r", "spherical_pendulum", "cart_pole", "elbow_3r")


def arm_of(name: str) -> qddot.Robot:
    return ARMS[name]() if name in ARMS else qddot.load(name)


def exported(arm: qddot.Robot, language: str, folder: Path, **options: Any) -> Callable[..., Any]:
    """The exported function, with arrays in and out."""
    (path,) = arm.export(language, folder=folder, readable=True, overwrite=True, **options)
    source = path.read_text(encoding="utf-8")
    if language == "python":
        known: dict[str, Any] = {}
        exec(source, known)
        return known[path.stem]
    column = function_of_matlab(source)
    return lambda *given: np.ravel(column(*given))


@pytest.mark.parametrize("language", ["matlab", "python"])
@pytest.mark.parametrize("name", [*NAMES, *ARMS, pytest.param("puma560_1986", marks=pytest.mark.thorough)])
def test_it_is_the_rate_of_the_state(name: str, language: str, tmp_path: Path) -> None:
    arm = arm_of(name)
    derivative, n = exported(arm, language, tmp_path), arm.n
    for q, qd, tau in np.random.default_rng(1).uniform(0.5, 2, (4, 3, n)) * [[[1], [-1], [1]]]:
        z = np.concatenate([q, qd])
        torque = tau if language == "python" else tau[:, None]
        rate = derivative(0.0, z, lambda t, z: torque)  # noqa: B023
        # a few hundred operations, and the condition of M
        np.testing.assert_allclose(rate[:n], qd)
        np.testing.assert_allclose(rate[n:], arm.forward_dynamics(q, qd, tau), rtol=1e-10, atol=1e-12)
        np.testing.assert_allclose(
            derivative(0.0, z), [*qd, *arm.forward_dynamics(q, qd, np.zeros(n))], rtol=1e-10, atol=1e-12
        )


@pytest.mark.parametrize(
    ("notation", "equation"),
    [
        ("zju", "D*qdd + B*[qd1*qd2] + C*[qd1^2; qd2^2] + G = tau"),
        ("akb", "A*qdd + B*[qd1*qd2] + C*[qd1^2; qd2^2] + G = tau"),  # with S2, C2, CC2
        ("uicker", "D*qdd + B*[qd1*qd2] + E*[qd1^2; qd2^2] + C = tau"),
    ],
)
def test_its_matrices_have_the_letters_of_a_course(notation: str, equation: str, tmp_path: Path) -> None:
    arm, state = qddot.load("spatial_2r").with_notation(notation), np.array([0.3, 0.7, -0.4, 0.5])
    (path,) = arm.export("matlab", folder=tmp_path)
    assert f"%     {equation}" in path.read_text(encoding="utf-8").splitlines()
    assert arm.check(path)
    derivative = exported(arm, "python", tmp_path)
    np.testing.assert_allclose(derivative(0, state)[2:], arm.forward_dynamics(state[:2], state[2:], [0, 0]), rtol=1e-12)


@pytest.mark.parametrize("language", ["matlab", "python"])
def test_its_steps_of_runge_and_kutta_are_those_of_a_simulation(language: str, tmp_path: Path) -> None:
    arm = qddot.load("spatial_2r")
    derivative = exported(arm, language, tmp_path)
    run = arm.simulate([np.pi, 0], [0.1, 0.1], duration=0.5, step=0.01, method="rk4")
    z, dt = np.array([np.pi, 0, 0.1, 0.1]), 0.01
    for _ in range(50):
        k1 = derivative(0, z)
        k2 = derivative(0, z + dt / 2 * k1)
        k3 = derivative(0, z + dt / 2 * k2)
        z = z + dt / 6 * (k1 + 2 * k2 + 2 * k3 + derivative(0, z + dt * k3))
    np.testing.assert_allclose(z, [*run.q[-1], *run.qd[-1]], rtol=1e-9)  # errors of rounding grow tenfold


@pytest.mark.parametrize("language", ["matlab", "python"])
def test_free_symbols_are_arguments(language: str, tmp_path: Path) -> None:
    arm = qddot.load("two_link")
    derivative, z = exported(arm, language, tmp_path, free=["m2", "g"]), np.array([0.3, 0.7, -0.4, 0.5])
    right = arm.forward_dynamics(z[:2], z[2:], [0, 0], m2=0.3, g=1.62)
    np.testing.assert_allclose(derivative(0, z, 0.3, 1.62)[2:], right, rtol=1e-12)


@pytest.mark.parametrize("language", ["matlab", "python"])
@pytest.mark.parametrize("name", ["spatial_2r", "rp", "cart_pole", "elbow_3r"])
def test_it_is_read_back_as_a_right_derivation(name: str, language: str, tmp_path: Path) -> None:
    """Matrices and accelerations alike, also where the only torque of a turning joint is called tau."""
    arm = qddot.load(name)
    (path,) = arm.export(language, folder=tmp_path, readable=True)
    judgement = arm.check(path)
    assert judgement, judgement.text()
    assert {entry.name for entry in judgement.entries} >= {"M11", "M22", "C2_21", "G1", "G2", "tau1", "tau2"}


def test_a_slip_in_it_is_found_and_named(tmp_path: Path) -> None:
    arm = qddot.load("spatial_2r")
    (path,) = arm.export("matlab", folder=tmp_path)
    source = path.read_text(encoding="utf-8")
    assert source.count("m2*g*L*c1*s2/2") == 1
    path.write_text(source.replace("m2*g*L*c1*s2/2", "-m2*g*L*c1*s2/2"), encoding="utf-8")
    judgement = arm.check(path)
    assert {each.name for each in judgement.entries if each.verdict == "different"} >= {"G2"}
    assert "the sign of the whole expression" in judgement.text()


def test_it_says_what_a_reader_needs(tmp_path: Path) -> None:
    cart = qddot.load("cart_pole")
    (path,) = cart.export("matlab", folder=tmp_path, free=["mp"])
    text = path.read_text(encoding="utf-8")
    assert path.name == "cart_pole.m"
    for line in (
        "function zDot = cart_pole(t, z, mp, tau)",
        "% mp: kg, mass of the bob",
        "%     M*qdd + C2*[xd^2; thetad^2] + G = tau",
        "%     f = @(t, z) cart_pole(t, z, mp);",
        "% No motor drives theta: tau is zero there.",
        "    mc = 1;  % kg, mass of the cart",
    ):
        assert line in text.splitlines()
    assert cart.model.hash in text
    assert max(map(len, text.splitlines())) <= 110
    cart.export("matlab", folder=tmp_path)  # replaces what it made itself


def test_it_says_whether_its_numbers_are_rounded(tmp_path: Path) -> None:
    for length, is_rounded in (("0.1234567890123", True), ("0.5", False)):
        row = {"theta": "q1", "d": 0, "a": length, "alpha": 0}
        (path,) = qddot.from_dh([row], [{"mass": 1}]).export("matlab", folder=tmp_path, name="link")
        assert ("% Numbers are rounded to 12 digits." in path.read_text(encoding="utf-8").splitlines()) == is_rounded


@pytest.mark.parametrize(
    ("name", "arguments", "says"),
    [
        ("rp", {"target": "c", "readable": True}, ("none-of-these", "readable-code-in", "'c'")),
        (
            "rp",
            {"target": "matlab", "readable": True, "functions": ["gravity"]},
            ("readable-code-with-option", "functions"),
        ),
        ("rp", {"target": "python", "readable": True, "body": "tool"}, ("readable-code-with-option", "body")),
        ("rp", {"target": "matlab", "bounds": {"qd": 1}}, ("readable-code-with-option", "bounds")),
        ("rp", {"target": "matlab", "free": ["mass"]}, ("no-symbol", "'mass'")),
        ("rp", {"target": "matlab", "name": "a b"}, ("stem-no-identifier",)),
        ("satellite_arm", {"target": "matlab"}, ("quaternions-in-readable-code",)),
    ],
)
def test_what_it_cannot_be_is_refused(
    name: str, arguments: dict[str, Any], says: tuple[str, ...], tmp_path: Path
) -> None:
    with refusal(qddot.QddotError, *says):
        qddot.load(name).export(folder=tmp_path, **arguments)
    assert not [*tmp_path.iterdir()]


def test_closed_chains_and_symbols_without_values_are_refused(tmp_path: Path) -> None:
    with refusal(qddot.QddotError, "readable-code-of-chain"):
        qddot.load_closed_chain("five_bar").export("matlab", folder=tmp_path)
    arm = qddot.from_dh([{"theta": "q1", "d": 0, "a": "l", "alpha": 0}], [{"mass": "m"}], symbols=["l", "m"])
    with refusal(qddot.QddotError, "value-missing", "l", "l, m"):
        arm.export("matlab", folder=tmp_path)
