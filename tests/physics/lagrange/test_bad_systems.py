"""Energies and constraints that describe no system are refused by a sentence that names what was found."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from commands import run
from refusals import refusal

import qddot
from qddot.base.errors import QddotError
from qddot.faces.closed_chain import ClosedChain

K, FREE = "m*xd**2/2", "m*(xd**2 + yd**2)/2"
BAD: list[tuple[dict[str, Any], str]] = [
    ({"q": "x y", "K": "m*(xd**4 + yd**2)", "constraints": ["x = y"]}, "constraints beside a K that is not quadratic"),
    ({"q": "x", "K": "m*qd2*xd", "symbols": "m"}, "the rate xd does not occur in K"),
    ({"q": "x y", "K": K}, "the rate yd does not occur in K"),
    ({"q": "x", "K": K, "P": "c*xd"}, "P contains the rate xd"),
    ({"q": "x", "K": K, "P": "foo(x)"}, "the function foo"),
    ({"q": "x", "K": K, "P": "k*x*t", "symbols": {"m": 1, "k": 2, "t": 3}}, "the time t has the value 3"),
    (
        {"q": "x y", "K": "m*(xd**2 + t*yd**2)", "constraints": ["x = y"]},
        "constraints beside a mass matrix with the time t",
    ),
    ({"q": "x y", "K": FREE, "constraints": ["x = y*cos(w*t)"]}, "the time t occurs in a constraint"),
    ({"q": "x y", "K": FREE, "constraints": ["xd = t*yd"]}, "the time t occurs in a constraint"),
    ({"q": "x", "K": K, "P": "k*xdd"}, "the acceleration xdd occurs"),
    ({"q": "x", "K": K, "P": "k*x", "symbols": "m"}, "the symbol k is used but not declared"),
    ({"q": "x", "K": K, "P": "k*/x"}, "where a value is expected"),
    ({"q": "x x", "K": K}, "each once"),
    ({"q": "", "K": K}, "no coordinates"),
    ({"q": "x"}, "does not occur in K"),
    ({"q": 3, "K": K}, "expected a list"),
    ({"q": "x", "K": K, "Q": [1, 2]}, "Q has 2 entries"),
    ({"q": "x", "K": K, "Q": {"z": 1}}, "a force Q of 'z'"),
    ({"q": "x", "K": K, "angles": "z"}, "the angle z is not in q"),
    ({"q": "x", "particles": [("m",)]}, "particle 1"),
    ({"q": "x", "particles": [("m", ["xd"])]}, "contains the rate xd"),
    ({"q": "x", "particles": 5}, "expected a list"),
    ({"q": "x y", "K": FREE, "constraints": ["l = 1"]}, "contains no coordinate"),
    ({"q": "x y", "K": FREE, "constraints": ["xd**2 = yd"]}, "not linear in the rates"),
    ({"q": "x y", "K": FREE, "constraints": ["xd = yd + 1"]}, "not linear in the rates"),
    ({"q": "x y", "K": FREE, "constraints": ["x = 1", "x = 2"]}, "contradict"),
    ({"q": "x y", "K": FREE, "constraints": ["x = y = 1"]}, "one equation"),
    ({"q": "x y", "K": FREE, "constraints": ["x = 1", "y = 2"]}, "leave no coordinate free"),
]


@pytest.mark.parametrize(("arguments", "said"), BAD)
def test_what_is_no_system_is_refused(arguments: dict[str, Any], said: str) -> None:
    with pytest.raises(QddotError) as refused:
        qddot.lagrange(**arguments)
    assert said in str(refused.value)


def test_constraints_that_no_configuration_satisfies_are_refused() -> None:
    system = qddot.lagrange("x y", FREE, constraints=["x**2 + y**2 = -1"], symbols={"m": 1})
    with refusal(QddotError, "no-configuration-found"):
        system.some_assembly()  # type: ignore[union-attr]


def test_a_system_without_links_has_no_poses() -> None:
    system = qddot.lagrange("x", K, symbols={"m": 1})
    assert isinstance(system, qddot.Robot)
    for ask in (lambda: system.forward_kinematics([0.0]), lambda: system.plot(), lambda: system.report("a.html")):
        with refusal(QddotError, "needs-links", "describe-links"):
            ask()
    for name in ("T", "I_c"):
        with refusal(QddotError, "none-of-these", "no-quantity"):
            system.equations().array(name)
    chain = qddot.lagrange("x y", FREE, constraints=["x = y"], symbols={"m": 1})
    assert isinstance(chain, ClosedChain)
    for refused in (lambda: chain.exam("a.md"), lambda: chain.plot()):
        with refusal(QddotError, "needs-links", "describe-links"):
            refused()


@pytest.mark.parametrize("constraints", [(), ("x = y",)])
def test_only_a_robot_file_holds_energies(
    constraints: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    system = qddot.lagrange("x y", FREE, constraints=constraints, symbols={"m": 1}, name="wire")
    for to in (system.as_dh, system.as_mdh, system.as_screws, system.as_tree, system.to_urdf):
        with refusal(QddotError, "needs-links", "energies-in-robot-file"):
            to()
    with refusal(QddotError, "needs-links", "another-convention"):
        system.to_toml("dh")
    path = tmp_path / "wire.toml"
    path.write_text(system.to_toml())
    for form in ("dh", "tree", "urdf"):
        code, out, reason = run(capsys, "convert", str(path), "--to", form)
        assert (code, out) == (2, "") and "qddot lagrange … -o FILE" in reason


@pytest.mark.parametrize(
    "ask",
    [
        lambda system: system.mass_matrix([0.3]),
        lambda system: system.coriolis_matrix([0.3], [0.2]),
        lambda system: system.bounds({"x": (0, 1)}),
        lambda system: system.simulate([0.3], [0.2], duration=0.1, method="semi-implicit"),
        lambda system: system.equations().textbook(),
        lambda system: system.equations().linearize([0]),
        lambda system: system.equations().abbreviate(region={"x": (0, 1)}),
    ],
)
def test_a_mass_matrix_that_depends_on_rates_is_refused_where_there_are_none(ask: Any) -> None:
    system = qddot.lagrange("x", "m*xd**4/4", "k*x**2/2", symbols={"m": 1, "k": 2})
    with pytest.raises(QddotError, match="K is not quadratic"):
        ask(system)
    with refusal(QddotError, "none-of-these", "no-quantity"):
        system.equations().array("christoffel")


@pytest.mark.parametrize(
    ("q", "K", "meant"),
    [
        ("theta", "m*l**2*theta_dot**2/2", "did you mean thetad by theta_dot?"),
        ("theta", "m*l**2*thetadot**2/2", "did you mean thetad by thetadot?"),
        ("q1 q2", "m*(qd1**2 + q2_dot**2)/2", "did you mean qd2 by q2_dot?"),
        ("q1", "m*q_dot_1**2/2", "did you mean qd1 by q_dot_1?"),
        ("x", "m*dx**2/2", "did you mean xd by dx?"),
        ("x", "m*l**2", "leave x out of q, or give it a mass"),
    ],
)
def test_a_rate_with_the_name_of_another_program_is_recognized(q: str, K: str, meant: str) -> None:
    with refusal(QddotError, "rate-not-in-k") as caught:
        qddot.lagrange(q, K)
    assert str(caught.value).endswith(meant)
