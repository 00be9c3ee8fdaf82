"""A system that energies describe is read from a file, written to one, and taken by the commands."""

from __future__ import annotations

from pathlib import Path

import pytest
from commands import run

import qddot
from qddot.faces.robot import Robot

LADDER = """
name = "ladder"

[symbols]
m = { value = 1.3, unit = "kg" }
l = { value = 2.0, unit = "m" }

[lagrange]
q = ["x", "y", "theta"]
K = "m*(ẋ² + yd**2)/2 + m*l²*θ̇²/24"
P = "m*g*y"
constraints = ["x = l*sin(theta)/2", "y = l*cos(theta)/2"]
"""
CART = """
name = "cart"
[symbols]
M = 1.0
m = 0.3
l = 0.5
c = 0.1
[lagrange]
q = ["x", "theta"]
K = "M*xd**2/2"
P = "m*g*l*cos(theta) + k*exp(-x/l)"
D = "c*xd**2/2"
Q = { x = "k" }
particles = [{ mass = "m", position = ["x + l*sin(theta)", "l*cos(theta)"] }]
[symbols.k]
value = 0.2
"""


@pytest.fixture
def ladder(tmp_path: Path) -> Path:
    path = tmp_path / "ladder.toml"
    path.write_text(LADDER, encoding="utf-8")
    return path


@pytest.fixture
def cart(tmp_path: Path) -> Path:
    path = tmp_path / "cart.toml"
    path.write_text(CART, encoding="utf-8")
    return path


def test_a_written_system_is_the_same(cart: Path) -> None:
    system = qddot.load(cart)
    again = qddot.loads(system.to_toml())
    assert again.model == system.model
    assert isinstance(again, Robot)
    assert again.equations().tau == system.equations().tau


def test_constraints_make_a_closed_chain(ladder: Path) -> None:
    with pytest.raises(qddot.errors.ClosedChainError, match="constraints"):
        qddot.load(ladder)
    chain = qddot.load_closed_chain(ladder)
    assert chain.independent == ("theta",)


def test_commands_take_the_files(ladder: Path, cart: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "M11 = m*l**2/3" in run(capsys, "derive", str(ladder))[1]
    assert "7 of 7 identities proved" in run(capsys, "prove", str(ladder))[1]
    assert "kinetic energy K" in run(capsys, "show", str(cart))[1]
    assert "5 of 5 identities proved" in run(capsys, "prove", str(cart))[1]
    assert "loss: dissipation" in run(capsys, "simulate", str(cart), "--at", "0,0.1", "--duration", "0.1")[1]
    exported = run(capsys, "export", str(cart), "--functions", "forward_dynamics", "--folder", str(tmp_path))
    assert "cart.c" in exported[1]


def test_the_command_derives_proves_and_writes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pendulum = ("lagrange", "--q", "theta", "--K", "m*l**2*thetad**2/2", "--P=-m*g*l*cos(theta)")
    assert "G1 = g*l*m*sin(theta)" in run(capsys, *pendulum)[1]
    assert "5 of 5 identities proved" in run(capsys, *pendulum, "--prove")[1]
    path = tmp_path / "pendulum.toml"
    run(capsys, *pendulum, "--set", "m=2", "-o", str(path))
    assert qddot.load(path).model.defaults()["m"] == 2
    bead = ("lagrange", "--q", "x,y", "--particle", "m=x;y", "--P", "m*g*y", "--constraint", "y = x**2/2")
    assert "phi1 = " in run(capsys, *bead)[1]
