"""Mechanisms that move only by special lengths: parallel cranks, Bennett's linkage, three links held together."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest
from chains import HEAD, link, loop
from refusals import refusal

import qddot
from qddot.apps.cli import main
from qddot.base.errors import QddotError
from qddot.faces.closed_chain import ClosedChain
from qddot.formats.toml import loop_tables
from qddot.robot.closed_model import ClosedModel


def turning(name: str, parent: str, x: float, coordinate: str, twist: str = "0deg") -> str:
    joint = f'type = "revolute", xyz = [{x}, 0, 0], rpy = ["{twist}", 0, 0], coordinate = "{coordinate}"'
    return link(name, parent, joint, 1.0, [0.1, 0, 0])


def named(name: str, text: str) -> str:
    return text.replace("[[loop]]", f'[[loop]]\nname = "{name}"')


CRANKS = "".join(
    (
        HEAD.format("cranks", '"q1", "q2", "q3", "q4"'),
        *(turning(name, "base", x, f"q{k}") for k, (name, x) in enumerate(zip("abc", (0, 1, 2.5), strict=True), 1)),
        turning("bar", "a", 0.5, "q4"),
        named("near", loop("revolute", "bar", [1, 0, 0], "b", [0.5, 0, 0])),
        named("far", loop("revolute", "bar", [2.5, 0, 0], "c", [0.5, 0, 0])),
    )
)
# sin 30° / 1 = sin 90° / 2: opposite links are equal
BENNETT = "".join(
    (
        HEAD.format("bennett", '"q1", "q2", "q3"'),
        turning("one", "base", 0, "q1"),
        turning("two", "one", 1, "q2", "30deg"),
        turning("three", "two", 2, "q3", "90deg"),
        """
[[loop]]
name = "last"
first = { link = "three", xyz = [1, 0, 0], rpy = ["30deg", 0, 0] }
second = { link = "base", xyz = [-2, 0, 0], rpy = ["-90deg", 0, 0] }
""",
    )
)
CLOSE = {"cranks": {"q1": 1.0, "q2": 1.1, "q3": 0.9, "q4": -1.0}, "bennett": {"q1": 1.0, "q2": 2.0, "q3": -1.0}}
TEXTS = {"cranks": CRANKS, "bennett": BENNETT}


def model(name: str, text: str = "") -> ClosedModel:
    return loop_tables.loads(text or TEXTS[name], name)


@cache
def mechanism(name: str) -> ClosedChain:
    return ClosedChain(model(name), "q1", CLOSE[name])


@pytest.mark.parametrize("name", TEXTS)
def test_one_freedom_is_found_and_proved(name: str) -> None:
    of = mechanism(name)
    assert (of.m, of.dependent) == (1, of.model.tree.coordinates[1:])
    assert len(of.redundant) == len(of.conditions) - (of.n - 1)
    assert of.prove()


def test_redundant_conditions_are_named() -> None:
    planar = ("z", "x ⊥ z", "y ⊥ z")
    assert mechanism("cranks").redundant[:3] == tuple(f"near, {each}" for each in planar)
    assert len([each for each in mechanism("cranks").redundant if each.startswith("far")]) == 4


@pytest.mark.parametrize("name", TEXTS)
def test_all_conditions_stay_closed_along_the_motion(name: str) -> None:
    of = mechanism(name)
    for angle in np.linspace(0.6, 1.4, 5):
        assembly = of.assemble({**CLOSE[name], "q1": angle})
        phi, A = of.closure(assembly.q)
        assert np.abs(phi).max() < 1e-15
        assert np.abs(A @ of.velocities(assembly.q, [1.0])).max() < 1e-14
    q = of.assemble(CLOSE[name]).q
    run = of.simulate(q, of.velocities(q, [0.4]), duration=0.2, step=0.002)
    assert np.abs(of.closure(run.q)[0]).max() < 1e-12
    run.energy.check(1e-6)


def test_parallel_cranks_turn_alike() -> None:
    of = mechanism("cranks")
    q = of.assemble(CLOSE["cranks"]).q
    assert q == pytest.approx([1, 1, 1, -1], abs=1e-15)
    assert of.velocities(q, [2.0]) == pytest.approx([2, 2, 2, -2], abs=1e-14)


def test_bennetts_linkage_obeys_his_relation() -> None:
    of = mechanism("bennett")
    q = of.assemble(CLOSE["bennett"]).q
    half = np.tan(q / 2)
    # tan(θ1/2) tan(θ2/2) is the same for all angles: its size is sin ½(β + α) / sin ½(β − α)
    assert abs(half[0] * half[1]) == pytest.approx(np.sin(np.pi / 3) / np.sin(np.pi / 6), rel=1e-12)


def test_accelerations_are_those_of_the_least_constraint() -> None:
    """M q̈ − τ + bias is a combination of all rows of A, and A q̈ + Ȧ q̇ = 0 for all rows, also those left out."""
    of = mechanism("bennett")
    q = of.assemble(CLOSE["bennett"]).q
    qd, tau, step = of.velocities(q, [0.7]), np.array([1.0, 0.2, -0.3]), 1e-6
    qdd = of.forward_dynamics(q, qd, tau)
    A = of.closure(q)[1]
    slope = (of.closure(q + step * qd)[1] - of.closure(q - step * qd)[1]) / (2 * step)
    assert np.abs(A @ qdd + slope @ qd).max() < 1e-8  # differences have ten digits
    forces = of.tree.inverse_dynamics(q, qd, qdd) - tau
    multipliers = np.linalg.lstsq(A.T, forces, rcond=1e-9)[0]
    assert np.abs(A.T @ multipliers - forces).max() < 1e-11


def test_modes_that_violate_the_conditions_left_out_are_none() -> None:
    modes = mechanism("cranks").assembly_modes({"q1": 1.0})
    assert [mode.q.tolist() for mode in modes] == [pytest.approx([1, 1, 1, -1], abs=1e-12)]


def test_contradictory_loops_have_no_closed_configuration() -> None:
    far = CRANKS.replace("[2.5, 0, 0] }\nsecond", "[4.5, 0, 0] }\nsecond")
    with refusal(QddotError, "loops-not-closed-near", "far, x"):
        ClosedChain(model("cranks", far), None, CLOSE["cranks"])


def test_what_cannot_move_is_refused() -> None:
    longer = CRANKS.replace("[2.5, 0, 0] }\nsecond", "[2.6, 0, 0] }\nsecond")
    with refusal(QddotError, "nearly-movable-configuration"):
        ClosedChain(model("cranks", longer), None, CLOSE["cranks"])


def test_a_dead_point_is_singular() -> None:
    """The bar turns with the third crank, and stays parallel to the ground: it can only tremble."""
    held = 'type = "{}"\nfirst = {{ link = "bar", xyz = [2.5'
    text = CRANKS.replace(held.format("revolute"), held.format("fixed"))
    with refusal(QddotError, "singular-configuration", "1"):
        ClosedChain(model("cranks", text), None, [0, 0, 0, 0])


def test_the_command_takes_a_configuration(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "cranks.toml"
    file.write_text(CRANKS)
    near = "q1=1,q2=1.1,q3=0.9,q4=-1"
    assert main(["closed", str(file), "--near", near, "--independent", "q1", "--prove"]) == 0
    assert "proved" in capsys.readouterr().out
    assert qddot.load_closed_chain(file, "q2", CLOSE["cranks"]).independent == ("q2",)
    with refusal(QddotError, "not-independent-coordinates", "1"):
        qddot.load_closed_chain(file, ("q1", "q2"), CLOSE["cranks"])


def test_a_report_says_what_is_not_proved(tmp_path: Path) -> None:
    chain = mechanism("cranks")
    told = chain.report(tmp_path / "cranks.md").read_text(encoding="utf-8")
    assert "that the other conditions stay fulfilled, was computed in floating-point numbers: it is not proved" in told
    assert "| verified |" in told
    assert "the others follow" not in told
    assert "\n| $q_{1}$ | 1\u00a0rad |" in told  # the report takes the configuration near which the chain was chosen
    told = chain.report(tmp_path / "cranks_zh.md", lang="zh").read_text(encoding="utf-8")
    assert "由浮点计算得到，未经证明" in told and "| 已验证 |" in told


@pytest.mark.parametrize("method", ["taylor", "dop853", "radau", "rk4"])
@pytest.mark.parametrize("name", ["bennett", "cranks"])
def test_which_conditions_are_left_out_may_change_in_a_turn(name: str, method: str) -> None:
    """Those that were kept cease to be independent at 180° in Bennett's linkage; the cranks come into line there."""
    of = mechanism(name)
    q = of.assemble(CLOSE[name]).q
    run = of.simulate(q, of.velocities(q, [8.0]), duration=1.5, step=2e-3, method=method)
    assert not run.stops
    assert np.ptp(run.q[:, 0]) > 2 * np.pi
    assert np.abs(of.closure(run.q)[0]).max() < 1e-13
    energy = np.asarray(run.arrays["K"] + run.arrays["P"]).ravel()
    assert np.abs(energy - energy[0]).max() < {"taylor": 1e-10, "rk4": 1e-6}.get(method, 1e-6)
    if name == "cranks":
        assert np.abs(run.q - run.q[:, :1] * [1, 1, 1, -1]).max() < 1e-9
        return
    # opposite angles of the linkage are equal
    assert np.abs(np.sin((run.q[:, 0] + run.q[:, 2]) / 2)).max() < 1e-9


def test_motors_of_a_mechanism_with_special_lengths_are_independent() -> None:
    driven = CRANKS.replace("[[link]]", 'driven = ["q2"]\n[[link]]', 1)
    assert ClosedChain(model("cranks", driven)).independent == ("q2",)
    assert ClosedChain(model("cranks"), near=CLOSE["cranks"]).independent == ("q1",)
