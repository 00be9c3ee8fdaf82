"""Exported MATLAB: packages whose functions Octave runs, joints as data, and a script that simulates by ode45."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import Any

import matlab_packages
import numpy as np
import pytest
from physical import physical
from refusals import refusal
from tools import OCTAVE, command, uses

import qddot
from qddot.base.errors import FormatError, QddotError
from qddot.machine.numeric.source_code import USUAL
from qddot.machine.tracing.functions import FUNCTIONS

SYSTEMS = ("rp", "elbow_3r", "quadrotor_arm", "four_bar")
OF_CHAINS = ("inverse_dynamics", "forward_dynamics", "mass_matrix", "jacobian", "reactions", "closure", "multipliers")
WILD = ("end", "zeros", "round", "reshape", "M", "tau", "t5", "_x", "x_x", "θ1", "pi2", "abs", "q", "parfor")


def system(name: str) -> qddot.Robot | qddot.ClosedChain:
    return qddot.load_closed_chain(name) if name in ("four_bar", "five_bar") else physical(qddot.load(name))


def functions_of(arm: qddot.Robot | qddot.ClosedChain) -> list[str]:
    """All functions that the system has."""
    names = []
    for name in FUNCTIONS:
        try:
            arm.program(name, **({"task": "x y"} if name == "operational_space" else {}))
        except QddotError:
            continue
        names.append(name)
    return names


def exported(arm: qddot.Robot | qddot.ClosedChain, folder: Path) -> None:
    functions = functions_of(arm) if isinstance(arm, qddot.Robot) else list(OF_CHAINS)
    assert {"inverse_dynamics", "jacobian", "mass_matrix"} <= {*functions}
    arm.export("matlab", functions, folder, **({"task": "x y"} if "operational_space" in functions else {}))


def octave(folder: Path, code: str) -> str:
    arguments = ["--quiet", "--no-history", "--no-init-file", "--eval", code]
    done = subprocess.run([command(*OCTAVE), *arguments], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def script(folder: Path, name: str) -> str:
    """The script without what draws, for which Octave needs a display."""
    return (folder / f"simulate_{name}.m").read_text(encoding="utf-8").split("\nif exist(")[0]


@pytest.mark.parametrize("name", SYSTEMS)
def test_all_functions_have_right_values(name: str, tmp_path: Path) -> None:
    exported(system(name), tmp_path)
    assert matlab_packages.self_tested(tmp_path / f"+{name}") > 100


@uses("octave")
@pytest.mark.parametrize("name", SYSTEMS)
def test_octave_passes_the_self_test_which_can_fail(name: str, tmp_path: Path) -> None:
    exported(system(name), tmp_path)
    assert octave(tmp_path, f"{name}.self_test()") == f"{name}: all values are right\n"
    wrong = tmp_path / f"+{name}" / "mass_matrix.m"
    wrong.write_text(re.sub(r"\nM = \[", r"\nM = 1.001*[", wrong.read_text(encoding="utf-8")), encoding="utf-8")
    with pytest.raises(AssertionError, match="values are wrong"):
        octave(tmp_path, f"{name}.self_test()")


@uses("octave")
def test_octave_takes_columns_and_rows_and_any_names(tmp_path: Path) -> None:
    rows = [
        {"theta": f"q{k}", "d": a, "a": b, "alpha": 0}
        for k, (a, b) in enumerate(zip(WILD[::2], WILD[1::2], strict=True))
    ]
    links = [{"mass": 1, "joint": {"damping": name}} for name in WILD[::2]]
    arm = qddot.from_dh(rows, links, symbols=dict.fromkeys(WILD, 0.5), name="wild")
    arm.export("matlab", ["forward_dynamics", "mass_matrix"], tmp_path, free=WILD)
    assert "right" in octave(tmp_path, "wild.self_test()")
    arm.export("matlab", ["gravity"], tmp_path, name="plain", overwrite=True)
    q = np.arange(arm.n) / 3
    for text in (str(q.tolist()), f"{q.tolist()}'"):
        printed = octave(tmp_path, f"printf('%.17g ', plain.gravity({text}))")
        np.testing.assert_allclose(np.fromstring(printed, sep=" "), arm.gravity(q), rtol=1e-12, atol=1e-12)


def test_the_joints_are_data(tmp_path: Path) -> None:
    qddot.load("ur5").export("matlab", ["gravity"], tmp_path)
    text = (tmp_path / "+ur5" / "joints.m").read_text(encoding="utf-8")
    assert "list.positions(3) = struct('name', 'q3', 'unit', 'rad', 'joint', 'elbow_joint', 'lower', -3.14159" in text
    head = (tmp_path / "+ur5" / "gravity.m").read_text(encoding="utf-8").splitlines()
    assert head[:2] == ["function G = gravity(q)", "%GRAVITY G = ur5.gravity(q) in one state"]
    assert "%     q(3)  q3  rad  -3.14159265 to 3.14159265  tau in N m  elbow_joint" in head


@uses("octave")
def test_octave_has_the_joints(tmp_path: Path) -> None:
    for name in ("five_bar", "quadrotor_arm", "ur5"):
        system(name).export("matlab", ["gravity"], tmp_path)
    show = "printf('%d ', {0}); disp({{j.positions.name, j.velocities.torque_unit}})"
    said = octave(tmp_path, "j = five_bar.joints(); " + show.format("j.independent - 1, [j.velocities.driven]"))
    assert said.startswith("0 2 1 0 1 0 ")
    said = octave(tmp_path, "j = quadrotor_arm.joints(); " + show.format("size(j.positions), [j.velocities.driven]"))
    assert said.startswith("1 9 0 0 1 1 1 1 1 1 ")
    assert octave(tmp_path, "j = ur5.joints(); printf('%.6f', j.positions(3).upper)") == "3.141593"


@uses("octave")
@pytest.mark.parametrize("name", ["two_link", "quadrotor_arm", "five_bar"])
def test_the_script_moves_as_a_simulation_does(name: str, tmp_path: Path) -> None:
    arm = system(name) if name != "two_link" else qddot.load(name)
    arm.export("matlab", ["state_derivative"], tmp_path)
    code = script(tmp_path, name).replace("times = [0 5];", "times = [0 1];")
    assert "times = [0 1];" in code
    end = np.fromstring(octave(tmp_path, f"{code}\nprintf('%.17g ', states(end, :));"), sep=" ")
    start = re.search(r"q0 = \[(.*)\];", code)
    assert start is not None
    q0 = [float(x) for x in start[1].split(";")]
    if isinstance(arm, qddot.ClosedChain):
        assert np.abs(arm.closure(q0)[0]).max() < 1e-12
    run = arm.simulate(q0, duration=1, step=0.1, method=("taylor", 1e-12))
    # ode45's tolerance of 1e-8 in each of some dozen steps; nothing keeps the loops closed there
    np.testing.assert_allclose(end, [*run.q[-1], *run.qd[-1]], rtol=1e-5, atol=1e-5)


@uses("octave")
def test_the_script_has_time_and_free_symbols(tmp_path: Path) -> None:
    energies: dict[str, Any] = {"K": "m*l**2*thd**2/2", "P": "-m*l*cos(th)*(g + a*sin(w*t))"}
    system = qddot.lagrange(["th"], **energies, symbols={"m": 2, "l": 0.5, "a": 3, "w": 4, "g": 9.81}, name="shaken")
    assert isinstance(system, qddot.Robot)
    system.export("matlab", ["state_derivative"], tmp_path, free=["a", "m"])
    code = script(tmp_path, "shaken").replace("q0 = [0.0];", "q0 = [0.7];")
    assert "value_of.a = 3.0;" in code
    end = np.fromstring(octave(tmp_path, f"{code}\nprintf('%.17g ', states(end, :));"), sep=" ")
    run = system.simulate([0.7], duration=5, step=0.1, method=("taylor", 1e-12))
    np.testing.assert_allclose(end, [*run.q[-1], *run.qd[-1]], rtol=1e-5, atol=1e-5)


def test_there_is_a_script_where_a_motion_can_start(tmp_path: Path) -> None:
    arm, chain = qddot.load("two_link"), qddot.load_closed_chain("five_bar")
    own = {"self_test.m", "joints.m", "state_derivative.m"}
    assert {path.name for path in arm.export("matlab", ["state_derivative"], tmp_path)} == {*own, "simulate_two_link.m"}
    assert "simulate_two_link.m" not in {path.name for path in arm.export("matlab", ["gravity"], tmp_path)}
    assert {path.name for path in chain.export("matlab", ["state_derivative"], tmp_path)} == {
        *own,
        "simulate_five_bar.m",
    }


@pytest.mark.parametrize("name", ["_arm", "end", "while", "a" * 60])
def test_a_package_has_a_name_of_matlab(name: str, tmp_path: Path) -> None:
    with refusal(FormatError, "stem-no-matlab-name", repr(name)):
        qddot.load("rp").export("matlab", ["gravity"], tmp_path, name=name)
    assert not list(tmp_path.iterdir())


def test_options_of_functions_are_exported(tmp_path: Path) -> None:
    arm = physical(qddot.load("elbow_3r"))
    assert {*USUAL} == {"body", "bodies", "frame", "task", "armature", "friction", "wrenches"}
    arm.export("matlab", ["operational_space", "regressor"], tmp_path, task="x z", friction=True)
    package, rng = tmp_path / "+elbow_3r", np.random.default_rng(5)
    q, qd, qdd = rng.uniform(-1, 1, (3, 3))
    inertia = matlab_packages.function(package, "operational_space")(q, qd)[0]
    np.testing.assert_allclose(inertia, arm.operational_space(q, qd, task="x z")[0], rtol=1e-10)
    (Y,) = matlab_packages.function(package, "regressor")(q, qd, qdd)
    np.testing.assert_allclose(Y, arm.regressor(q, qd, qdd, friction=True), rtol=1e-12, atol=1e-12)
    with refusal(FormatError, "option-of-no-function", "task"):
        arm.export("c", ["gravity"], tmp_path, task="x")
