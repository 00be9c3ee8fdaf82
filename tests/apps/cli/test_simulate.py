"""`qddot simulate` moves an arm, accounts for its energy, compares runs, draws and saves."""

from __future__ import annotations

import json
import re
from contextlib import nullcontext
from pathlib import Path

import pytest
from commands import run

import qddot
from qddot.apps.cli import main


def test_simulate_compares_values_and_draws_a_part(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    start = ("simulate", "two_link", "--at", "1,0.5", "--duration", "1", "--step", "0.01")
    code, out, _ = run(capsys, *start, "--compare", "damping=0,1,5", "--plot-energy", "e.svg")
    assert (code, Path("e.svg").is_file()) == (0, True)
    code, out, _ = run(capsys, *start, "--compare", "damping=0,1,5", "--json")
    ends = [each["E at the end [J]"] for each in json.loads(out).values()]
    for damping, end in zip((0, 1, 5), ends, strict=True):
        alone = qddot.load("two_link").simulate([1, 0.5], duration=1, step=0.01, damping=damping)
        assert end == pytest.approx(alone.energy.E[-1], abs=1e-9)
    code, out, _ = run(capsys, *start, "--compare", "l=1,2", "--json")
    assert list(json.loads(out)) == ["l 1", "l 2"]
    film = ("--movie-start", "0.5", "--movie-duration", "0.1", "--title", "a", "--perspective")
    code, out, _ = run(capsys, *start, "--frames", "pictures", *film)
    assert (code, len(list(Path("pictures").glob("*.png")))) == (0, 4)


@pytest.mark.parametrize(
    ("compare", "says"),
    [
        (["m=1"], "two values or more"),
        (["nothing=1,2"], "no symbol 'nothing' in two_link"),
        (["damping"], "expected damping=0,1,5 or SYMBOL=V,…"),
        (["damping=1,2", "--damping", "3"], "both --damping and --compare damping=…"),
        (["damping=1,2", "--movie", "a.gif"], "--compare with --movie; expected --plot-energy"),
        (["damping=1,2", "--plot-phase", "a.svg"], "--compare with --plot-phase; expected --plot-energy"),
    ],
)
def test_mistakes_in_what_is_compared(compare: list[str], says: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(capsys, "simulate", "two_link", "--at", "1,0", "--compare", *compare)
    assert (code, says in err) == (2, True), err


def test_simulate_draws_a_phase_portrait(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "phase.svg"
    start = ("simulate", "two_link", "--at", "1,0.5", "--duration", "0.2", "--step", "0.01")
    code, out, err = run(capsys, *start, "--plot-phase", str(path), "--phase", "q2", "--starts", "3")
    assert (code, f"wrote {path}" in out) == (0, True), err


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        (["--starts", "3"], "--starts without --plot-phase; add --plot-phase, or leave --starts out"),
        (["--phase", "q1"], "--phase without --plot-phase"),
        (["--plot-phase", "a.svg", "--phase", "q3"], "a coordinate 'q3'; expected q1, q2"),
        (["--plot-phase", "a.xyz"], "the format .xyz"),
        (["--plot-phase", "a.svg", "--starts", "0"], "starts = 0"),
    ],
)
def test_mistakes_in_a_phase_portrait(
    wrong: list[str], says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    code, _, err = run(capsys, "simulate", "two_link", "--at", "1,0", "--duration", "0.1", "--step", "0.01", *wrong)
    assert (code, says in err) == (2, True), err


def test_simulate_accounts_draws_and_saves(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = [str(tmp_path / name) for name in ("e.png", "m.svg", "a.gif", "run.nc")]
    arguments = [
        "simulate",
        "spatial_2r",
        "--at",
        "180deg,0,0.1,0.1",
        "--duration",
        "0.2",
        "--step",
        "0.01",
    ]
    more = [
        "--damping",
        "5",
        "--set",
        "m1=3",
        "--plot",
        files[0],
        "--plot-energy",
        files[1],
        "--movie",
        files[2],
        "-o",
        files[3],
    ]
    assert main([*arguments, *more]) == 0
    shown = capsys.readouterr().out
    for line in (
        "total E",
        "loss: damping",
        "ΔE − work of the motors + losses",
        "reliable to the end",
        *(f"wrote {f}" for f in files),
    ):
        assert line in shown
    assert all(Path(name).stat().st_size > 1000 for name in files)
    assert main([*arguments, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["energy"]["E"][0] == pytest.approx(393.025)
    assert (told["samples"], told["complete"], told["horizon"]) == (21, True, 0.2)


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        (["--at", "1"], "expected 2 or 4 numbers, in the order q1, q2, qd1, qd2"),
        (["--at", "1,x"], "--at q2 'x'"),
        (["--at", "1,2", "--step", "0.3"], "does not divide"),
        (["--at", "1,2", "--step", "0"], "--step = 0"),
        (["--at", "1,2", "-o", "/dev/null/a.nc"], "cannot be written"),
        (["--at", "1,2", "--plot", "a.xyz"], "the format .xyz"),
        (["--at", "1,2", "--movie", "a.avi"], "the format .avi"),
        (["--at", "1,2", "--set", "m9=1"], "no symbol 'm9'"),
        (["--at", "1,2", "--set", "m1"], "NAME=VALUE"),
        (["--at", "1,2", "--damping", "1,2,3"], "--damping '1,2,3'; expected 1 or 2 numbers, in the order q1, q2"),
    ],
)
def test_mistakes_in_simulate_are_one_line(wrong: list[str], says: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "spatial_2r", *wrong]) == 2
    told = capsys.readouterr()
    assert says in told.err
    assert told.err.count("\n") == 1
    assert not told.out


def test_a_run_without_an_energy_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "simulate", "two_link", "--at", "1,0,9e99,0", "--duration", "0.1")
    assert code == 0
    assert "grew without bound" in out


def test_an_interrupted_run_says_where_it_ends(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(share: float) -> None:
        if share > 0.5:
            raise KeyboardInterrupt

    monkeypatch.setattr("qddot.apps.cli.simulate.bar", lambda _: nullcontext(interrupted))
    for name, least in (("FIRST", 1), ("PIECE", 1e-9)):  # it can be interrupted after each step
        monkeypatch.setattr(f"qddot.motion.simulate.stepping.integration.{name}", least)
    code, out, _ = run(capsys, "simulate", "two_link", "--at", "1,0", "--duration", "1", "--method", "dop853")
    assert code == 0
    said = re.search(r"interrupted; all results above end with the last sample, at t = (\S+) s", out)
    assert said
    assert 0.49 < float(said[1]) < 0.6


def test_a_payload_that_is_never_carried_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(capsys, "simulate", "two_link", "--at", "0.1,0.2", "--duration", "1", "--payload", "2,0.5,0.2")
    assert (code, "released at 0.2 s, but taken at 0.5 s" in err) == (2, True)
