"""`--base free` puts an arm on a free base, as `qddot.load(path, base="free")` does, and `linearize` prints numbers."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from commands import run

import qddot

BODY = """<inertial><origin xyz="{}"/><mass value="{}"/>
<inertia ixx="1" iyy="1" izz="1.5" ixy="0" ixz="0" iyz="0"/></inertial>"""
BUS = f"""<robot name="bus"><link name="bus">{BODY.format("0 0 0", 50)}</link>
<link name="arm">{BODY.format("0.4 0 0", 3)}</link>
<joint name="shoulder" type="revolute"><parent link="bus"/><child link="arm"/><origin xyz="0.5 0 0"/><axis xyz="0 0 1"/>
<limit lower="-2" upper="2" effort="20" velocity="2"/></joint></robot>"""


@pytest.fixture
def bus(tmp_path: Path) -> str:
    path = tmp_path / "bus.urdf"
    path.write_text(BUS)
    return str(path)


def test_a_free_base_is_that_of_load(bus: str, capsys: pytest.CaptureFixture[str]) -> None:
    arm = qddot.load(bus, base="free")
    code, out, _ = run(capsys, "derive", bus, "--base", "free", "--only", "G")
    assert code == 0 and str(arm.equations().G) in out
    assert run(capsys, "show", bus, "--base", "free")[1].count("omega_x") == 2
    assert "omega_x" not in run(capsys, "show", bus, "--base", "fixed")[1] + run(capsys, "show", bus)[1]


@pytest.mark.thorough
def test_an_arm_on_a_free_base_is_proved_falls_and_is_exported(
    bus: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert run(capsys, "prove", bus, "--base", "free")[0] == 0
    start = "0,0,0,1,0,0,0,0.5"
    code, out, _ = run(capsys, "simulate", bus, "--base", "free", "--at", start, "--duration", "0.1", "--json")
    fall = json.loads(out)["q"][2]
    assert code == 0 and fall == pytest.approx(-9.81 * 0.1**2 / 2, rel=1e-9)  # nothing holds it
    folder = tmp_path / "out"
    command = ("export", bus, "--base", "free", "--code", "python", "--functions", "gravity", "--folder", str(folder))
    assert run(capsys, *command)[0] == 0 and "omega_x" in (folder / "bus.py").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["four_bar"], "--base free of the closed chain four_bar; expected --base fixed"),
        (["two_link"], "give the base a mass and an inertia: --base-mass M,IXX"),
        (["two_link", "--base-mass", "3"], "--base-mass '3'; expected M,IXX"),
        (["two_link", "--base-mass", "3,1,x,1"], "--base-mass 'x'; expected a number"),
        (["satellite_arm"], "the base is free already"),
    ],
)
def test_what_has_no_free_base_is_refused(arguments: list[str], says: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, errors = run(capsys, "derive", *arguments, "--base", "free")
    assert code == 2 and says in errors and errors.count("\n") == 1


def test_a_mass_frees_a_base_that_has_none(capsys: pytest.CaptureFixture[str]) -> None:
    arm = qddot.load("two_link").free(2.5, inertia=(1, "0.1", 0, 2, 0, 3))
    free = ("two_link", "--base", "free", "--base-mass", "2.5,1,0.1,0,2,0,3")
    assert str(arm.equations().M) in run(capsys, "derive", *free, "--only", "M")[1]
    start = "0,0,0,1,0,0,0,0.3,-0.2"
    command = ("simulate", *free, "--at", start, "--duration", "0.1", "--json")
    q0 = [float(x) for x in start.split(",")]
    assert json.loads(run(capsys, *command)[1])["q"] == arm.simulate(q0, duration=0.1).q[-1].tolist()


def test_a_mass_without_a_free_base_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    for command in ("show", "vectors"):
        code, _, errors = run(capsys, command, "two_link", "--base-mass", "1,1,1,1")
        assert code == 2 and "--base-mass without --base free" in errors


def test_a_linear_model_is_printed_with_its_eigenvalues(capsys: pytest.CaptureFixture[str]) -> None:
    """An upright pendulum falls like e^(√(3g/2l) t) where its cart is held, m l²/3 about the pivot of a rod."""
    code, out, _ = run(capsys, "linearize", "cart_pole", "--at", "0,180deg")
    assert code == 0 and "u = (tau_x)" in out and "eigenvalues of A: 4.8522" in out
    arm = qddot.load("cart_pole")
    held = arm.linearize([0, np.pi], discrete=0.01)
    code, out, _ = run(capsys, "linearize", "cart_pole", "--at", "0,180deg", "--discrete", "0.01", "--json")
    data = json.loads(out)
    np.testing.assert_allclose(data["A"], held.A, rtol=1e-12)
    assert (data["step"], data["inputs"], len(data["eigenvalues"])) == (0.01, ["tau_x"], 4)
    code, out, _ = run(capsys, "linearize", "five_bar", "--at", "2,-1.2,1,1.2,1,0", "--driven", "q1")
    assert code == 0 and "x = (q1, q3, qd1, qd3), u = (tau1)" in out


@pytest.mark.parametrize("step", [(), ("--discrete", "0.02")])
def test_the_gain_of_a_regulator_solves_riccatis_equation(
    step: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    """P follows from K by Lyapunov's equation of the closed loop, in closed form; then K is the gain of this P."""
    command = ("linearize", "cart_pole", "--at", "0,180deg", "--lqr", "1,10,1,1,0.1", *step)
    data = json.loads(run(capsys, *command, "--json")[1])
    A, B, K = (np.array(data[name]) for name in "ABK")
    Q, R, closed, unit = np.diag([1.0, 10, 1, 1]), np.array([[0.1]]), A - B @ K, np.eye(4)
    cost = (Q + K.T @ R @ K).ravel()
    if step:
        P = np.linalg.solve(np.eye(16) - np.kron(closed.T, closed.T), cost).reshape(4, 4)
        gain = np.linalg.solve(R + B.T @ P @ B, B.T @ P @ A)
    else:
        P = np.linalg.solve(np.kron(closed.T, unit) + np.kron(unit, closed.T), -cost).reshape(4, 4)
        gain = np.linalg.solve(R, B.T @ P)
    np.testing.assert_allclose(K, gain, rtol=1e-6)  # the equations lose some digits
    told = np.array(data["closed_eigenvalues"]) @ [1, 1j]
    np.testing.assert_allclose(np.poly(closed), np.poly(told), rtol=1e-9)
    rows = [line.split(",") for line in run(capsys, *command, "--csv")[1].splitlines()]
    assert rows[0] == ["K", *data["states"]] and [float(x) for x in rows[1][1:]] == data["K"][0]
    text = run(capsys, *command)[1]
    assert f"{data['K'][0][1]:.6g}" in text and "eigenvalues of A − B K" in text and "u0: tau_x = 0" in text


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--at", "0,0,1,0", "--lqr", "1,1"], "--at '0,0,1,0' with --lqr; expected a state at rest"),
        (["--at", "0,0", "--lqr", "1,1", "--tau0", "1,1"], "--lqr with --tau0"),
        (["--at", "0,0", "--csv"], "--csv without --lqr"),
        (["--at", "0"], "--at"),
        (["--at", "0,0", "--driven", "q9"], "no driven joint 'q9'"),
        (["--at", "0,0", "--discrete", "0"], "--discrete = 0.0; expected a number above 0"),
        (["--at", "0,0", "--discrete", "x"], "--discrete"),
        (["--at", "0,0", "--tau0", "1"], "--tau0 '1'; expected 2 numbers, in the order q1, q2"),
    ],
)
def test_mistakes_in_linearize_are_one_line(options: list[str], says: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, errors = run(capsys, "linearize", "two_link", *options)
    assert code == 2 and says in errors


@pytest.mark.parametrize("named", ["arm", "shoulder", "q1", "1", "-1", "tool"])
def test_a_body_is_named_by_its_link_its_joint_or_its_place(
    named: str, bus: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Every name of the arm, whose frame is that of the tool, gives the same code; a place is said to count from 0."""
    command = ("export", bus, "--code", "python", "--functions", "jacobian", "--folder", str(tmp_path), "--overwrite")
    run(capsys, *command, "--body", "arm")
    wanted = (tmp_path / "bus.py").read_text(encoding="utf-8")
    code, _, errors = run(capsys, *command, "--body", named)
    written = (tmp_path / "bus.py").read_text(encoding="utf-8")
    assert code == 0 and [line for line in written.splitlines() if "body" not in line] == [
        line for line in wanted.splitlines() if "body" not in line
    ]
    assert ("'arm', counted from 0" in errors) == (named in ("1", "-1"))


def test_a_push_is_on_the_link_of_a_joint(bus: str, capsys: pytest.CaptureFixture[str]) -> None:
    command = ("simulate", bus, "--at", "0.3", "--duration", "0.05", "--json", "--wrench")
    by_link, by_joint = (
        json.loads(run(capsys, *command, f"{name}=0,0,0,0,0,1")[1])["q"] for name in ("arm", "shoulder")
    )
    assert by_link == by_joint != [0.3]
    for wrong in ("7=0,1,0", "elbow=0,1,0", f"{'9' * 5000}=0,1,0"):
        code, _, errors = run(capsys, *command, wrong)
        assert code == 2 and "an index from 0 or 'tool'" in errors


def test_the_bounds_of_a_report_ask_for_limits_alone(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, _, errors = run(capsys, "report", "slider", "--bounds", "-o", str(tmp_path / "a.md"))
    assert code == 2 and "give its limits in the description" in errors and "--region" not in errors


def test_a_wide_linear_model_is_printed_in_parts_that_break_no_number(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    out = run(capsys, "linearize", "ur5", "--at", "0,-1,1,0.5,0.3,0", "--discrete", "0.001")[1]
    linear = qddot.load("ur5").linearize([0, -1, 1, 0.5, 0.3, 0], discrete=0.001)
    titles, rows = linear.rows()
    words = out.split()
    assert max(map(len, out.splitlines()[1:-2])) <= 80
    assert {*titles[1:]} <= {*words}
    assert all(cell in words for row in rows for cell in row)


def test_torques_that_no_motor_gives_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    moving = run(capsys, "linearize", "cart_pole", "--at", "0.1,170deg,0.5,1")[1]
    assert "held by torques where no motor is: tau_theta = 0.17" in moving
    assert "no motor" not in run(capsys, "linearize", "cart_pole", "--at", "0,180deg")[1]
