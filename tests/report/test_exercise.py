"""An exercise has every task and no result; its solution has all of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import qddot
from qddot.cli import main
from qddot.equations.routes import ROUTES
from qddot.printing.text import Text
from qddot.printing.tree import UNNAMED, Matrix, Sum
from qddot.report.arm_report import Derivation, report
from qddot.report.document import Blank, Document, Equations, Numbered, Table
from qddot.report.exercise import exercise
from qddot.report.formats.html_mathematics import equations
from qddot.report.formats.html_page import page
from qddot.report.wording import Words

NUMBER = re.compile(r"−?\d+\.\d{2,}")


def derivation(name: str, route: str, lang: str) -> Document:
    arm = qddot.load(name)
    eq = arm.equations(route)
    return report(Derivation([eq.textbook()], eq.prove([]), arm.base_parameters()), lang)


def results(document: Document) -> Iterator[Numbered]:
    for block in document.blocks():
        if isinstance(block, Equations):
            yield from block.listed


def text_of(page: str) -> str:
    """All that can be read on a page, without its tags and blanks, and without the shares behind its terms."""
    shares = r'<span class="shares">(?:<span>.*?</span>)*</span>'
    return re.sub(rf"{shares}|<style>.*?</style>|<svg.*?</svg>|<[^>]*>|\s", "", page, flags=re.DOTALL)


def mathematics(right: Sum | Matrix | Blank) -> str:
    """A right side as it can be read on a page."""
    return text_of(re.sub(r"<a class=.*", "", equations(Equations("", (Numbered(UNNAMED, right),)), 1)))


@pytest.mark.slow
@pytest.mark.parametrize(("name", "route"), [("spatial_2r", "dh4x4"), ("rp", "energy"), ("elbow_3r", "newton_euler")])
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_no_result_is_in_the_exercise(name: str, route: str, lang: str) -> None:
    solved = derivation(name, route, lang)
    text = text_of(page(exercise(solved, Words(lang))))
    told = text_of(page(solved))
    searched = 0
    for result in results(solved):
        written = mathematics(result.right)
        assert written in told
        # a 0 or an l1 stands in the data, too
        if isinstance(result.right, Matrix) or Text().write(result.right).count("*") + len(result.right.products) > 2:  # type: ignore[union-attr]
            assert written not in text
            searched += 1
    assert searched > 20


def test_no_number_of_the_worked_state_is_in_the_exercise() -> None:
    solved = derivation("spatial_2r", "composite", "en")
    state = next(section for section in solved.sections if section.key == "state")
    numbers = [
        cell
        for block in state.blocks
        if isinstance(block, Table) and not block.given
        for row in block.rows
        for cell in row
        if isinstance(cell, str) and NUMBER.fullmatch(cell)
    ]
    text = text_of(page(exercise(solved, Words("en"))))
    assert len(numbers) == 8
    assert not [number for number in numbers if number in text]


def test_every_left_side_stays_with_room_for_the_result() -> None:
    solved = derivation("elbow_3r", "com_jacobian", "en")
    emptied = exercise(solved, Words("en"))
    assert [result.left for result in results(solved)] == [result.left for result in results(emptied)]
    for result, blank in zip(results(solved), results(emptied), strict=True):
        assert isinstance(blank.right, Blank)
        assert blank.right.lines >= (len(result.right.rows) if isinstance(result.right, Matrix) else 1)
    assert emptied.title == f"Exercise: {solved.title}"


@pytest.mark.slow
def test_the_command_writes_exercise_and_solution(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "task.html"
    assert main(["report", "rp", "--routes", "energy,newton_euler", "--exercise", "--lang", "zh", "-o", str(out)]) == 0
    assert str(out) in capsys.readouterr().out.replace("\n", "")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["task-solution.html", "task.html"]
    task, solved = out.read_text(encoding="utf-8"), (tmp_path / "task-solution.html").read_text(encoding="utf-8")
    assert "习题：" in task
    assert "解答：" in solved
    assert 'class="blank"' in task
    assert 'class="blank"' not in solved
    for name in ("能量的拉格朗日法", "牛顿–欧拉递推法"):
        assert name in task
        assert name in solved


def test_all_routes_are_one_word(tmp_path: Path) -> None:
    path = qddot.load("rp").report(tmp_path / "all.html", "all")
    text = path.read_text(encoding="utf-8")
    assert text.count("<h3>") == len(ROUTES)
