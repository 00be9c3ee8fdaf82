"""What the command line, the doctor and pictures do with closed chains, and what refuses them."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from chains import chain
from refusals import refusal

from qddot.apps.cli import main
from qddot.apps.cli.commands import takes_chains
from qddot.base.errors import ClosedChainError, QddotError
from qddot.faces import aliases
from qddot.formats.finding import CLOSED_ZOO, closed_zoo
from qddot.inspect.doctor.closed_chains import diagnose_chain

REFUSING = "page ARM"


@pytest.mark.parametrize("line", REFUSING.split(","))
def test_a_command_that_takes_no_loops_says_which_ones_do(line: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(line.replace("ARM", "five_bar").split()) == 2
    said = capsys.readouterr().err
    assert "five_bar is a closed chain" in said, said
    assert str(
        takes_chains()
    ) in said and "`qddot closed`, show, derive, report, exam, prove, base, abbreviate, " in str(takes_chains())


def test_arms_commands_derive_prove_and_report_closed_chains(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["closed", "four_bar", "--format", "latex", "--form", "textbook"]) == 0
    right = capsys.readouterr().out
    assert main(["derive", "four_bar", "--format", "latex", "--form", "textbook"]) == 0
    assert capsys.readouterr().out == right
    assert main(["prove", "four_bar", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["holds"]
    assert main(["report", "four_bar", "-o", str(tmp_path / "report.md"), "--set", "a=0.25"]) == 0
    assert "0.25" in (tmp_path / "report.md").read_text(encoding="utf-8")
    for line in ("derive four_bar --route energy", "prove four_bar --seed 3", "report four_bar --code c"):
        capsys.readouterr()
        assert main(line.split()) == 2
        assert f"{line.split()[2]} with four_bar, which has loops" in capsys.readouterr().err


def test_show_has_the_loops_and_the_freedoms(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "four_bar", "--set", "a=0.25"]) == 0
    said = capsys.readouterr().out
    assert "freedoms: 1; independent: q1" in said
    assert "conditions: 5; these follow from the others: pin, z; pin, x ⊥ z; pin, y ⊥ z" in said
    assert "pin_second" in said and "0.25" in said
    assert main(["show", "unicycle"]) == 0
    said = capsys.readouterr().out
    assert "freedoms: 2; independent: theta, phi" in said and "rolls on" in said and "conditions: 2\n" in said


def test_a_picture_is_one_of_closed_loops(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "delta", "-o", str(tmp_path / "a.svg"), "--at=-0.4,-0.4,-0.4,0,0,-0.6"]) == 0
    delta = chain("delta")
    q = delta.assemble([-0.4, -0.4, -0.4, 0, 0, -0.6]).q
    assert q[5] < -0.3
    said = "".join(text.get_text() for text in delta.plot(q).texts)
    assert f"{q[5]:.4g}".replace("-", "−") in said
    assert main(["show", "four_bar", "-o", str(tmp_path / "b.svg"), "--at", "1"]) == 2
    assert "expected 3 numbers, in the order q1, q2, q3" in capsys.readouterr().err


def test_a_simulation_begins_with_closed_loops(capsys: pytest.CaptureFixture[str]) -> None:
    line = "simulate four_bar --at 1,0,1.5,2 --duration 0.5 --step 0.01 --torque 1,0,0 --set m2=3 --json"
    assert main(line.split()) == 0
    told = json.loads(capsys.readouterr().out)
    bars = chain("four_bar").with_values(m2=3)
    q = bars.assemble([1, 0, 1.5]).q
    run = bars.simulate(q, bars.velocities(q, [2.0]), duration=0.5, step=0.01, torque=[1.0, 0, 0])
    assert told["q"] == [float(x) for x in run.q[-1]]
    assert np.abs(bars.closure(told["q"])[0]).max() < 1e-12


def test_commands_begin_within_the_limits_of_what_is_not_given(capsys: pytest.CaptureFixture[str]) -> None:
    motors = "--at q1=20deg,q2=20deg,q3=20deg"
    for line in (f"closed delta {motors} --only G", f"simulate delta {motors} --duration 0.01"):
        assert main(line.split()) == 0, line
    assert "z = -0.51908613" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("delta --at q1=20deg,q2=20deg,q3=20deg", "proved: exactly 1 within the limits of z\n"),
        ("five_bar --at q1=2,q3=1", "proved: exactly 2 in all\n"),
        ("rolling_disc --at theta=0.3", "the chain has no loops: every configuration is possible\n"),
        ("rolling_disc --at theta=0.3 --json", '"modes": null'),
    ],
)
def test_modes_say_where_they_are_all(line: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(f"closed {line} --modes".split()) == 0
    assert said in capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ("--at 1", "expected 3 or 4 numbers, in the order q1, q2, q3, qd1"),
        ("--at 1,0,1.5,1,2,3", "expected 3 or 4 numbers"),
        ("--at 1,0,1.5 --target 1,2,3 --gains 1,2", "--target for a closed chain; expected --lqr, --torque"),
        ("--at 1,0,1.5 --set a=2", "the loops cannot be closed near the guess"),
    ],
)
def test_a_simulation_that_cannot_begin_says_why(options: str, why: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(f"simulate four_bar {options} --duration 0.1".split()) == 2
    assert why in capsys.readouterr().err


@pytest.mark.parametrize("name", closed_zoo())
def test_chains_that_ship_have_no_warnings(name: str) -> None:
    diagnosis = chain(name).doctor()
    assert diagnosis.worst in ("", "hint"), diagnosis
    named = [each.found for each in diagnosis if each.check == "redundant_conditions"]
    assert named == ([f"conditions that follow from others: {'; '.join(chain(name).redundant)}"] if named else [])
    assert bool(named) is bool(chain(name).redundant)


def test_the_doctor_finds_loops_that_hold_everything_or_cannot_be_closed() -> None:
    bars = chain("four_bar")
    (far,) = [each for each in bars.with_values(a=9).doctor() if each.severity == "warning"]
    assert far.check == "closed_configuration" and "no configuration with closed loops" in far.found
    light = dict.fromkeys(("m1", "m2", "m3", "I1", "I2", "I3"), 0)
    (singular,) = [each for each in bars.with_values(**light).doctor() if each.check == "singular_mass_matrix"]
    assert singular.severity == "error" and "a motion of q1" in singular.found
    held = replace(bars.model, loops=(replace(bars.model.loops[0], type="fixed"),))
    (rigid,) = [each for each in diagnose_chain(held) if each.check == "mobility"]
    assert "leave no coordinate free" in rigid.found and "with a residual of" in rigid.found


def test_the_doctor_examines_files_with_loops(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = (CLOSED_ZOO / "four_bar.toml").read_text(encoding="utf-8")
    file = tmp_path / "bars.toml"
    file.write_text(text.replace("[symbols]", '[symbols]\nspare = { value = 1, unit = "m" }'), encoding="utf-8")
    assert main(["doctor", str(tmp_path)]) == 0
    said = capsys.readouterr().out
    assert "used nowhere: spare" in said and "conditions that follow from others" in said
    assert main(["doctor", str(file), "--set", "a=9"]) == 1
    assert "no configuration with closed loops" in capsys.readouterr().out


def test_functions_under_other_names_take_robots_alone() -> None:
    bars = chain("four_bar")
    q = bars.some_assembly().q
    for name in ("rne", "rnea", "aba", "accel"):
        with refusal(QddotError, "arm-no-robot"):
            getattr(aliases, name)(bars, q, 0 * q, 0 * q)
    for name in ("inertia", "gravload", "fkine", "jacob0", "crba"):
        with refusal(QddotError, "arm-no-robot"):
            getattr(aliases, name)(bars, q)
    with refusal(QddotError, "arm-no-robot"):
        aliases.in_convention(bars, "pinocchio", q)


def test_the_error_about_loops_is_one_about_formats() -> None:
    from qddot import load
    from qddot.base.errors import FormatError

    with pytest.raises(ClosedChainError) as raised:
        load("four_bar")
    assert isinstance(raised.value, FormatError)


def test_where_the_branch_ends_a_region_that_holds_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bounds", "delta"]) == 2
    said = capsys.readouterr().err
    (options,) = re.findall(r"such as (--region .*);", said)
    assert "--independent" in said and main(["bounds", "delta", *options.split(), "--seconds", "4"]) == 0
