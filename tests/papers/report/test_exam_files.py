"""The files of an exam: the command that the solution prints accepts its answers and refuses a planted mistake."""

from __future__ import annotations

import csv
import json
import re
import shlex
from pathlib import Path

import pytest
from commands import run
from refusals import refusal
from shipped import robot

import qddot
from qddot.apps.cli import main
from qddot.papers.report.report_file import FORMATS

pytestmark = pytest.mark.usefixtures("derived_once")
FORMS = ("txt", "tex", "py", "m", "md", "json", "toml", "ipynb")


def answers(arm: qddot.Robot, form: str, numbers: list[str]) -> str:
    """The right M, G and C in a format that `qddot check` reads, with lines such as tau1@ = 12.3."""
    short, names = arm.equations().textbook(lumped=False), ("M", "G", "C")
    if form in ("tex", "txt", "md", "ipynb"):
        # LaTeX lists no zeros
        text = short.text(names) if form == "txt" else f"{short.latex(names)}\n\n$$C_{{22}} = 0$$"
        text += "\n\n" + "\n".join(f"% {line}" if form == "tex" else line for line in numbers)
        cell = {"cell_type": "markdown", "metadata": {}, "source": text}
        whole = {"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
        return json.dumps(whole) if form == "ipynb" else text
    if form in ("py", "m"):
        lines = [getattr(short.array(name), "python" if form == "py" else "matlab")() for name in names]
        return "\n".join([*lines, *(f"{'#' if form == 'py' else '%'} {line}" for line in numbers)])
    values = {name: line.partition(" = ")[2] for name in names for line in [short.array(name).python()]}
    values |= {name: value for line in numbers for name, _, value in [line.partition(" = ")]}
    if form == "json":
        return json.dumps(values)
    return "\n".join(f'"{name}" = {json.dumps(value)}' for name, value in values.items())


@pytest.fixture(scope="module", params=[0, 5])
def final(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of an exam of one of two seeds."""
    folder = tmp_path_factory.mktemp("final")
    robot("planar_2r").exam(folder / "final.md", request.param, vary=["lengths", "gravity", "numbers"])
    return folder


def printed_command(file: str) -> list[str]:
    """The command that a solution prints, for one file of answers."""
    (command,) = re.findall(r"qddot (check .*)", Path("final-solution.md").read_text(encoding="utf-8"))
    return shlex.split(command.replace("ANSWERS", file))


def test_the_printed_command_accepts_the_answers_beside_the_solution(
    final: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(final)
    assert main(printed_command("final-answers.txt")) == 0


@pytest.mark.parametrize(("final", "form"), [(5 * (k % 2), form) for k, form in enumerate(FORMS)], indirect=["final"])
def test_the_printed_command_accepts_the_solution_and_refuses_a_mistake(
    form: str, final: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(final)
    numbers = [line for line in Path("final-answers.txt").read_text(encoding="utf-8").splitlines() if "@" in line]
    right, mine = answers(qddot.load("final-arm.toml"), form, numbers), Path(f"mine.{form}")
    mine.write_text(right, encoding="utf-8")
    words = printed_command(mine.name)
    assert main(words) == 0
    wrong = right.replace("+", "-", 1)
    assert wrong != right
    mine.write_text(wrong, encoding="utf-8")
    assert main(words) == 1


@pytest.mark.parametrize(
    ("suffix", "lang"),
    [(".md", "en"), (".tex", "zh"), (".html", "zh"), (".typ", "en"), (".ipynb", "zh")],
)
def test_the_solution_itself_is_accepted_in_each_format_and_with_a_wrong_number_it_is_not(
    suffix: str, lang: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    robot("two_link").exam(f"final{suffix}", 7, lang=lang)
    solution = Path(f"final-solution{suffix}")
    words = ["check", "final-arm.toml", solution.name, "--rubric", "final-rubric.toml"]
    assert main(words) == 0
    text = solution.read_text(encoding="utf-8")
    assert "259" in text  # M11 has 259/108 m2 l²
    solution.write_text(text.replace("259", "257"), encoding="utf-8")
    assert main(words) == 1


@pytest.mark.parametrize("suffix", [".html", ".typ"])  # below, Markdown has the laws in LaTeX
def test_the_solution_of_laws_to_be_shown_is_accepted(
    suffix: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    robot("two_link").exam(f"final{suffix}", 3, "skew,power,velocity,christoffel,potential,h,C@")
    assert main(["check", "final-arm.toml", f"final-solution{suffix}", "--rubric", "final-rubric.toml"]) == 0


@pytest.mark.parametrize(("name", "suffix", "questions"), [
    ("two_link", ".md", "linear,power,velocity,christoffel,potential,definite"),
    ("spatial_2r", ".tex", "definite,tau@,equilibrium"),
    ("spatial_2r", ".typ", "equilibrium,linear,definite"),
    ("spatial_2r", ".html", "C@,definite,equilibrium"),
])  # fmt: skip
def test_solutions_with_positions_regressors_and_three_joints_are_accepted(
    name: str, suffix: str, questions: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    robot(name).exam(f"final{suffix}", 7, questions)
    assert main(["check", "final-arm.toml", f"final-solution{suffix}", "--rubric", "final-rubric.toml"]) == 0


@pytest.mark.parametrize(("value", "wrong"), [("351.198", "315.198"), ("51.012", "-51.012")])
def test_a_stiffness_with_a_wrong_number_is_not_accepted(
    value: str, wrong: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    robot("spatial_2r").exam("final.md", 7, "equilibrium")
    solution = Path("final-solution.md")
    text = solution.read_text(encoding="utf-8")
    at = text.rindex("kappa")
    assert value in text[at : at + 200]
    solution.write_text(text[:at] + text[at:].replace(value, wrong, 1), encoding="utf-8")
    assert main(["check", "final-arm.toml", solution.name, "--rubric", "final-rubric.toml"]) == 1


@pytest.mark.parametrize(("name", "questions"), [
    ("spatial_2r", "M,G,power"),
    ("rp", "C,Gamma,h,tau,P,M12,tau@"),
    ("spatial_2r", "velocity,M@"),
    ("rp", "G@"),
])  # fmt: skip
def test_the_answers_beside_an_exam_have_all_marks(name: str, questions: str, tmp_path: Path) -> None:
    robot(name).exam(tmp_path / "exam.md", 3, questions)
    arm, mine = (str(tmp_path / f"exam-{part}") for part in ("arm.toml", "answers.txt"))
    assert main(["check", arm, mine, "--rubric", str(tmp_path / "exam-rubric.toml")]) == 0


@pytest.mark.parametrize(("suffix", "lang"), [(".html", "en"), (".md", "zh"), (".tex", "en"), (".ipynb", "en")])
def test_sheet_and_solution_are_written_in_each_format(suffix: str, lang: str, tmp_path: Path) -> None:
    path = robot("rp").exam(tmp_path / f"exam{suffix}", 3, lang=lang)
    sheet = path.read_text(encoding="utf-8")
    solution = (tmp_path / f"exam-solution{suffix}").read_text(encoding="utf-8")
    assert ("Question 4 (" if lang == "en" else "第 4 题（") in sheet
    assert "qddot check" in solution
    assert "qddot check" not in sheet
    assert len(solution) > len(sheet)


def test_the_command_line_has_the_same_exam_as_python(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "exam.md"
    assert (
        run(capsys, "exam", "two_link", "--seed", "7", "--questions", "M=40,G@", "--lang", "zh", "-o", str(out))[0] == 0
    )
    text = out.read_text(encoding="utf-8")
    robot("two_link").exam(out, 7, "M=40,G@", "zh")
    assert text == out.read_text(encoding="utf-8")


def test_a_class_has_a_variant_each_and_a_table_of_seeds(tmp_path: Path) -> None:
    names = tmp_path / "names.txt"
    names.write_text("Ada\n\n李雷\n=1+1\n", encoding="utf-8")
    table = robot("two_link").exam(tmp_path / "exam.md", 10, "M,G", students=names)
    rows = list(csv.reader(table.read_text(encoding="utf-8").splitlines()))
    assert rows[:3] == [["seed", "student", "sheet"], ["10", "Ada", "exam-010.md"], ["11", "李雷", "exam-011.md"]]
    assert rows[3][1] == "'=1+1"  # which no table program takes for a formula
    arms = [qddot.load(tmp_path / f"exam-{k:03d}-arm.toml").model.hash for k in (10, 11, 12)]
    assert len(set(arms)) == 3
    assert (tmp_path / "exam-012-solution.md").exists()
    assert "Variant 12" in (tmp_path / "exam-012.md").read_text(encoding="utf-8")


def test_numbers_stand_for_students(tmp_path: Path) -> None:
    robot("two_link").exam(tmp_path / "exam.md", 1, "M", students="2")
    assert (tmp_path / "exam-002.md").exists()
    for students in ("0", tmp_path / "none.txt", 5000):
        with pytest.raises(qddot.QddotError, match="students"):
            robot("two_link").exam(tmp_path / "exam.md", 1, "M", students=students)


def test_mistakes_in_paths_and_fonts_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    arm = robot("two_link")
    with refusal(qddot.QddotError, "wrong-kind-of-file"):
        arm.exam(tmp_path / "exam.doc")
    for suffix in (".xml", *FORMATS):
        with refusal(qddot.QddotError, "file-in-no-folder"):
            arm.exam(Path("/dev/null") / f"exam{suffix}")
    monkeypatch.setattr("qddot.papers.report.formats.typst_file.CHINESE", ())
    with refusal(qddot.QddotError, "no-chinese-font"):
        arm.exam(tmp_path / "exam.pdf", lang="zh")
    assert list(tmp_path.iterdir()) == []
