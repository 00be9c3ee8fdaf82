"""Numbers of an exam that are exactly zero are printed as 0, and small ones as they are."""

from __future__ import annotations

from math import radians
from pathlib import Path

import pytest
from shipped import robot

import qddot
from qddot.teach.exam.exams import Asked, exam
from qddot.teach.exam.states import DrawnState

ARM = """name = "double"
convention = "dh"
gravity = [0, "-g", 0]
symbols = { l = 1, m = 0.3, e = 1e-9, g = 9.81 }
[[link]]
dh = { theta = "q1", d = 0, a = "l", alpha = 0 }
mass = "m"
com = [0, 0, 0]
[[link]]
dh = { theta = "q2", d = 0, a = "e", alpha = 0 }
mass = "m"
com = [0, 0, 0]
"""


def numbers(arm: qddot.Robot, questions: str, *degrees: float) -> tuple[dict[str, float], str]:
    q = dict(zip(arm.model.coordinates, map(radians, degrees), strict=True))
    state = DrawnState((q, dict.fromkeys(q, 1.0), dict.fromkeys(q, 0.0)), (("",) * len(q),) * 3)
    paper = exam(arm.model, 1, Asked(questions), "en", state)
    return {name: each.value for name, each in paper.numbers.items()}, paper.answers() + paper.rubric()


@pytest.mark.parametrize("degrees", [(90, 0), (30, 60), (-150, 60), (120, 150), (45, 45)])
def test_weights_above_their_joint_have_no_torque(degrees: tuple[float, float]) -> None:
    found, text = numbers(robot("planar_2r"), "G@", *degrees)
    assert sum(degrees) % 180 == 90 and found["G2@"] == 0.0  # G2 = m2 g lc2 cos(q1 + q2)
    assert "G2@ = 0\n" in text and "e-" not in text and "-0" not in text


def test_a_small_number_is_no_zero() -> None:
    found, _ = numbers(qddot.loads(ARM), "G@", 90, 0 - 30)
    assert found["G2@"] == pytest.approx(0.3 * 9.81e-9 * 0.5, rel=1e-9)  # m g e cos 60°


def test_the_solution_of_variant_15_has_no_rounded_zero(tmp_path: Path) -> None:
    robot("two_link").exam(tmp_path / "exam.md", 15)
    assert "10^{-1" not in (tmp_path / "exam-solution.md").read_text(encoding="utf-8")
