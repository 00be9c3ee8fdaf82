"""A rubric asks for numbers beside formulas: they count to three digits, in each format, and are told from formulas."""

from __future__ import annotations

import json
from pathlib import Path
from time import process_time

import commands
import pytest

import qddot
from qddot.base.errors import QddotError
from qddot.teach.check.asked_numbers import AskedNumber, marked

M = "M11 = m1*l^2/3 + 4*m2*l^2/3 + m2*l^2*c2\nM12 = m2*l^2/3 + m2*l^2*c2/2\nM22 = m2*l^2/3\n"
NUMBERS = '[numbers]\n"tau1@" = { value = 12.34, points = 2 }\n"tau2@" = { value = -0.0521, points = 3 }\n'
ASKED = {"tau1@": AskedNumber(12.34, 2), "tau2@": AskedNumber(-0.0521, 3)}


def checked(folder: Path, answer: str, name: str, rubric: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    (folder / "rubric.toml").write_text(rubric, encoding="utf-8")
    (folder / name).write_text(answer, encoding="utf-8")
    code, out, _ = commands.run(
        capsys, "check", "two_link", str(folder / name), "--rubric", str(folder / "rubric.toml")
    )
    return code, out


@pytest.mark.parametrize("written", [
    "tau1@ = 12.3", "tau1@: 12.3 N m", "- `tau1@ = 12.30`", "tau1@ = 1.23e1", "tau1@ = 1.23 × 10^1", "tau1@=12.3;",
    '"tau1@" = 12.3', "$tau1@ = 1.23 \\times 10^{1}$", "% tau1@ = 12.36", "tau1@ = 15, no: tau1@ = 12.3",
])  # fmt: skip
def test_a_number_is_read_as_it_is_written(written: str) -> None:
    assert [bool(number) for number in marked(ASKED, written)] == [True, False]


@pytest.mark.parametrize("written", [
    "tau1@ = 12.2", "tau1@ = -12.3", "dtau1@ = 12.3", "tau1@ = 123", "dtau1 = 12.3", "tau1 = 12.3*cos(q1)",
    "tau1 = 12.3 - 4", "tau1 = 12.3*m", "tau1 = 12.3/2", "tau11 = 12.3", "tau1 = m1 = 12.3", "tau1 = 12.3\ntau1@ = 5",
])  # fmt: skip
def test_another_number_does_not_count(written: str) -> None:
    assert not any(marked(ASKED, written))


@pytest.mark.parametrize("written", [
    "tau1 = 12.3", "tau_1 = 12.3 N m", "τ₁ = 12.3 N·m", "$\\tau_1 = 12.3\\,\\mathrm{N\\,m}$.",
    "tau_1 = 12.3, tau_2 = 5 Nm",
    "\\tau_{1} &= 12.3 \\\\", '{"tau1": 12.3, "tau2": 5}', "tau_2 = 5 N m and tau_1 ≈ 12,3 N m", "τ_1 = 1,23e1 N m。",
])  # fmt: skip
def test_a_plain_number_is_that_of_a_state_where_no_formula_is_asked(written: str) -> None:
    assert [bool(number) for number in marked(ASKED, written)] == [True, False]
    assert marked(ASKED, written, ["M", "G1"])[0]
    assert not any(marked(ASKED, written, ["tau"])) and not any(marked(ASKED, written, ["tau2"]))


@pytest.mark.parametrize(("written", "first", "second"), [
    ("tau1@ = 12,34\ntau2@ = -0,0521", True, True), ("tau1@ = 12{,}34", True, False), ("tau1@ = 1,234e1", None, False),
    ("tau1@ = 1,234e1\ntau2@ = -0,0521", True, True), ("tau1@ = 12.34\ntau2@ = -0,0521", True, True),
    ("tau1@ = 1.234,5", None, False), ("tau1@ = 1,234,567", None, False), ("tau1@ = 12, tau2@ = 3", False, False),
    ("tau1@ = 12.3.4", None, False), ("tau2@ = -,0521", False, True),
])  # fmt: skip
def test_a_decimal_comma_is_read_or_listed(written: str, first: bool | None, second: bool) -> None:
    one, two = marked(ASKED, written)
    assert (bool(one), bool(one.unread), bool(two)) == (bool(first), first is None, second)


def test_what_is_not_read_is_marked_by_hand_and_listed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out = checked(tmp_path, "tau1@ = 1,234\ntau2@ = -.0521\n", "mine.txt", NUMBERS, capsys)
    assert (code, "points: 3 of 5" in out, "missing" in out) == (3, True, False)
    assert "the number '1,234'" in out and "mine.txt:1" in out
    code, out = checked(
        tmp_path, f"{M}tau_1 = 12,3 N m\nτ_2 = −0,0521 N m", "mine.txt", f"[points]\nM = 6\n{NUMBERS}", capsys
    )
    assert (code, "points: 11 of 11" in out) == (0, True)


@pytest.mark.parametrize("part", [" ", "$", "1,", "tau1 = 1 ", "tau ", "\\,", "tau1 = 12.3 N", "%", "·"])
def test_long_texts_take_no_time(part: str) -> None:
    start = process_time()
    marked(ASKED, f"tau1 = 1{part * 20_000}x")
    assert process_time() - start < 2


def test_minus_signs_of_both_kinds_are_read() -> None:
    assert all(marked(ASKED, "tau1@ = 12.3\ntau2@ = −0.0521"))
    assert marked(ASKED, "tau2@ = - 5.21e-2")[1]


@pytest.mark.parametrize(("tau1", "code", "points"), [("12.3", 0, "11 of 11"), ("12.9", 1, "9 of 11")])
def test_numbers_have_points_beside_formulas(
    tau1: str, code: int, points: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    answer, rubric = f"{M}tau1@ = {tau1}\ntau2@ = -0.0521 N m\n", f"[points]\nM = 6\n{NUMBERS}"
    outcome = checked(tmp_path, answer, "mine.txt", rubric, capsys)
    assert outcome[0] == code
    assert f"points: {points}" in outcome[1]
    assert ("tau1@ is 12.9, which differs from 12.34" in outcome[1]) == bool(code)
    values = dict(line.split(" = ") for line in M.splitlines()) | {"tau1@": float(tau1), "tau2@": -0.0521}
    assert checked(tmp_path, json.dumps(values), "mine.json", rubric, capsys)[0] == code


def test_numbers_alone_need_no_formula(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out = checked(tmp_path, "tau1@ = 12.3", "mine.txt", NUMBERS, capsys)
    assert code == 1
    assert "tau2@ is missing" in out
    assert "points: 2 of 5" in out


def test_numbers_alone_that_are_wrong_are_not_called_right(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, said = checked(tmp_path, "tau1@ = 99.9", "mine.txt", NUMBERS, capsys)
    assert code == 1
    assert "there is no formula to judge" in said
    assert "right" not in said.splitlines()[0]


def test_a_class_has_the_numbers_in_its_table_and_its_notes(tmp_path: Path) -> None:
    answers = tmp_path / "class"
    answers.mkdir()
    (answers / "ada.txt").write_text("tau1@ = 12.3\ntau2@ = -0.0521", encoding="utf-8")
    (answers / "bo.txt").write_text("tau1@ = 12.9\ntau2@ = -0.0521", encoding="utf-8")
    (tmp_path / "rubric.toml").write_text(NUMBERS, encoding="utf-8")
    ada, bo = qddot.load("two_link").check_all(answers, rubric=tmp_path / "rubric.toml")
    assert (bool(ada), bool(bo)) == (True, False)
    assert bo.marks
    assert (bo.right, bo.total, bo.marks.points, bo.mistake) == (1, 2, 3, "tau1@ is 12.9, which differs from 12.34")
    assert "Numbers that are wrong or missing: tau1@." in bo.note(1)
    assert "12.34" not in bo.note(2)
    assert "数值有误或缺少：tau1@ = 12.34" in bo.note(3)
    assert "Everything is right." in ada.note(1)


def test_without_a_rubric_that_asks_it_a_number_is_not_passed_over() -> None:
    assert not qddot.load("two_link").check(f"{M}tau1@ = 12.3")


@pytest.mark.parametrize("table", [
    "numbers = 3", '[numbers]\n"tau1" = { value = 1, points = 2 }', '[numbers]\n"tau1@" = 2',
    '[numbers]\n"tau1@" = { value = "a", points = 2 }', '[numbers]\n"tau1@" = { value = 1, points = 0 }',
    '[numbers]\n"tau1@" = { value = inf, points = 1 }',
])  # fmt: skip
def test_tables_that_ask_no_numbers_are_refused(table: str, tmp_path: Path) -> None:
    (tmp_path / "rubric.toml").write_text(table, encoding="utf-8")
    with pytest.raises(QddotError, match=r"rubric\.toml.*(number|points)"):
        qddot.load("two_link").check_all(tmp_path, rubric=tmp_path / "rubric.toml")
