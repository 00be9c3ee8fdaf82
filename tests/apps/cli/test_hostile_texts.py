"""Texts of a file reach terminals, pictures and code as readable letters, and do nothing else."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import defusedxml.ElementTree
import pytest
from refusals import refusal

import qddot
from qddot.apps import cli
from qddot.base.errors import QddotError, visible
from qddot.faces import posed_picture
from qddot.machine.compilers import TARGETS
from qddot.papers.draw import plot
from qddot.papers.report import report_file
from qddot.papers.report.arm_report import ReportContents, report
from qddot.papers.report.finished_parts import FinishedParts
from qddot.papers.report.report_file import FORMATS
from qddot.robot.bodies import Body, Joint
from qddot.robot.model import Model

HARMFUL = (
    *map(chr, [*range(32), *range(0x7F, 0xA0)]),
    *"\u00ad\u061c\u200b\u200c\u200d\u200e\u200f\u2028\u2029\u2060\u2066\u2067\u2068\u2069\ufeff",
    *"\u202a\u202b\u202c\u202d\u202e",
    *"\ufdd0\ufffe\uffff",
    "\U0010ffff",
    "\ud800",
)
TEXT = (
    "a"
    + "".join(letter for letter in HARMFUL if letter not in "\U0010ffff\ud800")
    + "b */ ??/ \\input{x} $\\frac$ % <i> \\"
)
ARM = f"""
name = "arm"
title = {json.dumps(TEXT)}
source = {json.dumps(TEXT)}
convention = "dh"
[symbols]
L = {{ value = 1.0, unit = {json.dumps(TEXT)}, meaning = {json.dumps(TEXT)} }}
[[link]]
name = "one"
dh = {{ theta = "q1", d = 0, a = "L", alpha = 0 }}
mass = 1
com = ["-L/2", 0, 0]
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "arm.toml"
    path.write_text(ARM, encoding="utf-8")
    return path


def harmless(text: str, breaks: str = "\n") -> bool:
    return not set(text) & set(HARMFUL) - set(breaks)


def test_every_harmful_character_is_written_as_its_code_or_a_blank() -> None:
    for letter in HARMFUL:
        assert harmless(visible(letter), ""), hex(ord(letter))
    assert visible("\x1b]0;x\x07 \x9b \u202e \ud800") == "\\x1b]0;x\\x07 \\x9b \\u202e \\ud800"
    assert visible("two\nlines\tand\u2028three") == "two lines and three"
    assert visible("τ = M q̈, 机器人, é, \u00a0, 🤖") == "τ = M q̈, 机器人, é, \u00a0, 🤖"


@pytest.mark.parametrize(
    "command",
    [
        ["show"],
        ["doctor"],
        ["derive"],
        ["derive", "--format", "latex"],
        ["derive", "--json"],
        ["prove", "--json"],
        ["base", "--json"],
        ["convert", "--to", "tree"],
        ["convert", "--to", "urdf"],
        ["simulate", "--at", "1", "--duration", "0.1", "--json"],
    ],
    ids=" ".join,
)
def test_commands_print_nothing_that_a_terminal_obeys(
    command: list[str], file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main([command[0], str(file), *command[1:]]) == 0
    assert harmless(capsys.readouterr().out)


def test_comparisons_print_nothing_that_a_terminal_obeys(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (file.parent / "other.toml").write_text(file.read_text(encoding="utf-8").replace("mass = 1", "mass = 2"))
    cli.main(["diff", str(file), str(file.parent / "other.toml")])
    assert harmless(capsys.readouterr().out)


@pytest.mark.parametrize("form", [[], ["--json"]])
def test_answers_print_nothing_that_a_terminal_obeys(
    form: list[str], file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mine = file.parent / "mine\x1b[2J.toml"
    mine.write_text(f"G1 = {json.dumps('g*L')}\nM11 = {json.dumps('L**2 ' + TEXT)}", encoding="utf-8")
    cli.main(["check", str(file), str(mine), *form])
    said = capsys.readouterr()
    assert harmless(said.out)
    assert harmless(said.err)


def test_errors_print_nothing_that_a_terminal_obeys(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad = tmp_path / "arm\x1b[2J\u202e\n.toml"
    for text in (ARM + f"{json.dumps(TEXT)} = 1\n", f'name = {json.dumps(TEXT)}\nconvention = "dh"', ARM + "mass = 2"):
        bad.write_text(text, encoding="utf-8")
        assert cli.main(["show", str(bad)]) == 2
        said = capsys.readouterr().err
        assert harmless(said)
        assert said.count("\n") == 1
        assert "arm\\x1b[2J\\u202e .toml" in said


def test_code_that_is_exported_is_code(file: Path, tmp_path: Path) -> None:
    arm = qddot.load(file)
    for target in TARGETS:
        for path in arm.export(target, ["gravity"], tmp_path, free=["L"]):
            text = path.read_text(encoding="utf-8")
            assert harmless(text)
            assert text.count("/*") == text.count("*/")
            assert "??" not in text
    subprocess.run([sys.executable, "arm.py"], cwd=tmp_path, check=True, capture_output=True)
    for target in ("matlab", "python"):
        (path,) = arm.export(target, folder=tmp_path, free=["L"], readable=True)
        assert harmless(path.read_text(encoding="utf-8"))
    exec(path.read_text(encoding="utf-8"), {})


def test_pictures_show_dollars_as_dollars(file: Path, tmp_path: Path) -> None:
    """Matplotlib would read them as mathematics, and fail."""
    text = file.read_text(encoding="utf-8").replace('name = "arm"', r"name = 'arm $\frac$'")
    file.write_text(text, encoding="utf-8")
    arm = qddot.load(file)
    run = arm.simulate([1], duration=0.2, step=0.1)
    for figure in (run.plot(), run.plot_energy(), run.plot_phase(), run.plot_path(), arm.plot([0.3])):
        plot.save(figure, tmp_path / "a.svg")
        # the date and the metadata are Matplotlib's own
        assert harmless((tmp_path / "a.svg").read_text(encoding="utf-8"))
    run.movie(tmp_path / "a.gif", fps=5, size=(160, 90))


def test_every_report_and_picture_holds_what_its_format_may(file: Path, tmp_path: Path) -> None:
    """XML has no room for controls, U+FFFE, U+FFFF and halves of letters, not even as references."""
    arm = qddot.load(file)
    shown = posed_picture.pose(arm, [0.3], "en")
    derivation = ReportContents([arm.equations().textbook()], arm.prove([]), arm.base_parameters())
    report_file.write({tmp_path / f"a{suffix}": report(derivation, "en", FinishedParts(shown)) for suffix in FORMATS})
    plot.save(arm.plot([0.3]), tmp_path / "arm.svg")
    for picture in ("arm.svg", "a-picture-1.svg"):
        defusedxml.ElementTree.parse(tmp_path / picture)
    assert qddot.loads(file.read_text(encoding="utf-8").replace('title = "', 'title = "\ud800')).model.title[0] == "\\"


def made(**given: Any) -> Model:
    return Model(**{"name": "arm", "bodies": (Body("one", Joint()),), **given})


def test_names_that_do_not_read_as_what_they_are_are_refused() -> None:
    for letter in HARMFUL:
        for model in (
            lambda name: made(name=name),
            lambda name: made(bodies=(Body(name, Joint()),)),
            lambda name: made(bodies=(Body("one", Joint(name=name)),)),
        ):
            with refusal(QddotError, "invisible-characters") as caught:
                model(f"a{letter}b")
            assert harmless(str(caught.value), "")
    assert made(name="机器人 één").name == "机器人 één"
    urdf = '<robot name="r"><link name="a&#x202e;b"/><link name="c"/><joint name="j" type="revolute">{}</joint></robot>'
    with refusal(QddotError, "invisible-characters"):
        qddot.Robot(urdf_model(urdf.format('<parent link="c"/><child link="a&#x202e;b"/>')))


def urdf_model(text: str) -> Model:
    from qddot.formats import urdf

    return urdf.loads(text, "arm.urdf")


def test_a_run_from_a_file_says_nothing_that_a_terminal_obeys(tmp_path: Path) -> None:
    run = qddot.load("two_link").simulate([1, 0], duration=0.1, step=0.01)
    text = TEXT.replace("\0", "")  # which HDF5 does not write
    hostile = run.data.assign_attrs(model=text, method=text, notes=f"{text}\ntwo")
    hostile["q"].attrs["units"] = "$\\frac$\x1b"
    run.data = hostile
    run.save(tmp_path / "a.nc")
    again = qddot.Run.load(tmp_path / "a.nc")
    assert harmless(repr(again), "")
    assert all(harmless(note, "") for note in again.notes)
    assert again.notes[-1] == "two"
    plot.save(again.plot(), tmp_path / "a.png")
    run.data = hostile.assign_coords(joint=["q1", "q\x1b2"])
    run.save(tmp_path / "b.nc")
    with refusal(QddotError, "not-a-run", "a joint 'q\\x1b2'"):
        qddot.Run.load(tmp_path / "b.nc")


def test_what_is_read_again_stays_the_same(file: Path) -> None:
    from qddot.formats.toml import robot_file

    model = qddot.load(file).model
    again = robot_file.loads(robot_file.dumps(model), "again")
    assert (again.title, again.source, again.symbols) == (model.title, model.source, model.symbols)
