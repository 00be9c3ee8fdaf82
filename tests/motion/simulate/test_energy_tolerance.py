"""The energy of a run is held against what its method allows: half the digits of a tolerance, or a hundredth."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import qddot
from qddot import forces
from qddot.apps.cli import main
from qddot.faces.run import Run


@pytest.mark.parametrize(
    ("method", "fraction"),
    [
        ("taylor", 1e-7),
        (("taylor", 1e-8), 1e-4),
        ("dop853", 1e-5),
        (("radau", 1e-6), 1e-3),
        (("dop853", 0.1), 0.1),
        ("rk4", 1e-2),
        ("midpoint", 1e-2),
        ("semi-implicit", 0.1),
    ],
)
def test_a_fraction_of_the_exchanged_energy_may_be_missing(method: Any, fraction: float) -> None:
    arm = qddot.load("two_link").with_values(m1=1.0, m2=1.0, l=1.0)
    run = arm.simulate([0.0, 0.5], duration=1, step=0.001, method=method)
    exchanged = max(np.abs(run.energy.K).max(), np.abs(run.energy.P - run.energy.P[0]).max())
    assert run.energy.allowed == pytest.approx([fraction * exchanged], rel=1e-4)  # and a rounding of 1e-12
    assert run.energy.check() and run.energy.check().tolerance == run.energy.allowed[0]


def test_work_and_losses_are_exchanged_energy() -> None:
    arm = qddot.load("slider").with_values(m=2.0)
    push = forces.Wrench("tool", (3.0, 0, 0))
    run = arm.simulate([0], duration=1, step=0.01, method="rk4", torque=[-1.0], forces=push, damping=0.1)
    accounts = [run.energy.work, run.energy.external, run.energy.losses["damping"], run.energy.K]
    assert run.energy.allowed == pytest.approx([0.01 * max(np.abs(each).max() for each in accounts)], rel=1e-6)
    assert run.energy.check()


def test_energies_may_round_where_nothing_is_exchanged() -> None:
    arm = qddot.load("two_link").with_values(m1=1.0, m2=1.0, l=1.0)
    run = arm.simulate([-np.pi / 2, 0.0], duration=1, step=0.01, method="dop853")
    assert run.energy.check() and run.energy.allowed == pytest.approx([1e-12 * abs(run.energy.P[0])])


def test_each_arm_of_a_batch_has_its_own_measure() -> None:
    arm = qddot.load("two_link").with_values(m1=1.0, m2=1.0, l=1.0)
    run = arm.simulate([[1.0, 0.0], [-np.pi / 2, 1e-3]], [[0, 0], [0, 0]], 20, 0.1, method="rk4")
    allowed, check = run.energy.allowed, run.energy.check()
    assert allowed[1] < 1e-4 * allowed[0]
    assert not check and check.arm == 0 and check.tolerance == allowed[0]


def test_a_wrong_motion_is_an_error_of_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["simulate", "two_link", "--at", "1,0", "--duration", "20", "--method", "rk4"]
    assert main([*arguments, "--step", "0.01"]) == 0
    assert not capsys.readouterr().err
    assert main([*arguments, "--step", "0.1"]) == 1
    said = capsys.readouterr()
    assert "energy: ΔE − work of the motors + losses reaches 34.7 J" in said.out
    assert "energy is out of balance: ΔE − work of the motors + losses reaches 34.7 J" in said.err
    assert "take a smaller --step or another --method" in said.err
    assert main([*arguments, "--step", "0.1", "--json"]) == 1


def test_a_file_keeps_the_measure_of_its_run(tmp_path: Path) -> None:
    arm = qddot.load("two_link").with_values(m1=1.0, m2=1.0, l=1.0)
    run = arm.simulate([0.0, 0.5], duration=0.1, step=0.01, method=("dop853", 1e-6))
    assert Run.load(run.save(tmp_path / "a.nc")).energy.allowed == run.energy.allowed
    more = arm.simulate(run.q[-1], run.qd[-1], 0.1, 0.01, method="rk4")
    joined = run.followed_by(more)
    assert joined.arrays.attrs["energy_tolerance"] == 0.01
