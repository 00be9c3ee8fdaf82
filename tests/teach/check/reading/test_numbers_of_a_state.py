"""An answer in one state has angles in radians or degrees, columns of numbers, and calculations."""

from __future__ import annotations

from pathlib import Path

import pytest
from judged_texts import assert_judged, judged

from qddot.formats.confusions.of_arms import DEGREES

SCRIPT = "{}\nG1 = (m1/2 + m2)*g*l*{cos}({a}) + m2*g*l/2*{cos}({ab})\nG2 = m2*g*l/2*{cos}({ab})\n"
OF_JOINTS = {"a": "q1", "ab": "q1 + q2"}
OF_MATLAB = {"a": "q(1)", "ab": "q(1) + q(2)"}
OF_PYTHON = {"a": "q[0]", "ab": "q[0] + q[1]"}
RIGHT = [
    ("q1 = 30; q2 = 60;", "cosd", OF_JOINTS, ".m"),
    ("q1 = deg2rad(30); q2 = deg2rad(60);", "cos", OF_JOINTS, ".m"),
    ("q1 = 30*pi/180; q2 = pi/3;", "cos", OF_JOINTS, ".m"),
    ("q1 = 30; q2 = 60;", "cos", {"a": "q1*pi/180", "ab": "(q1 + q2)*pi/180"}, ".m"),
    ("q1 = 30; q2 = 60; q1 = deg2rad(q1); q2 = deg2rad(q2);", "cos", OF_JOINTS, ".m"),
    ("q = [30; 60];", "cosd", OF_MATLAB, ".m"),
    ("q = [0.5 1.0]'; qd = [0 0]';", "cos", OF_MATLAB, ".m"),
    ("import numpy as np\nq = np.deg2rad([30, 60])", "np.cos", OF_PYTHON, ".py"),
    ("import numpy as np\nq = np.array([0.5, 1.0])", "np.cos", OF_PYTHON, ".py"),
    ("q1, q2 = 30, 60", "cosd", OF_JOINTS, ".jl"),
]
IN_DEGREES = [
    ("q1 = 30; q2 = 60;", "cos", OF_JOINTS, ".m"),
    ("q = [30; 60];", "cos", OF_MATLAB, ".m"),
    ("import numpy as np\nq1, q2 = 30, 60", "np.cos", OF_JOINTS, ".py"),
    ("import numpy as np\nq = np.array([30, 60])", "np.cos", OF_PYTHON, ".py"),
]


@pytest.mark.parametrize(("state", "cos", "angles", "suffix"), RIGHT)
def test_a_program_may_compute_in_one_state(
    state: str, cos: str, angles: dict[str, str], suffix: str, tmp_path: Path
) -> None:
    judgement = judged(SCRIPT.format(state, cos=cos, **angles), "two_link", tmp_path, suffix)
    assert judgement, judgement
    assert len(judgement.entries) == 2


@pytest.mark.parametrize(("state", "cos", "angles", "suffix"), IN_DEGREES)
def test_degrees_that_a_cosine_takes_as_radians_are_named(
    state: str, cos: str, angles: dict[str, str], suffix: str, tmp_path: Path
) -> None:
    judgement = judged(SCRIPT.format(state, cos=cos, **angles), "two_link", tmp_path, suffix)
    assert [entry.name for entry in judgement.wrong] == ["G1", "G2"]
    assert [mistake.kind for mistake in judgement.mistakes] == [DEGREES.name]


IN_TYPST = """$ q_1 = 0.5, q_2 = 1.0 $
$ G_1 = (m_1/2 + m_2) g l cos(q_1) + m_2 g l/2 cos(q_1 + q_2) $
$ G_2 = m_2 g l/2 cos(q_1 + q_2) $
$ G = mat(delim: "[", {}, 0.346966)^T $
"""


def test_numbers_may_be_a_transposed_row(tmp_path: Path) -> None:
    right = judged(IN_TYPST.format(13.2606), "two_link", tmp_path, ".typ")
    assert right and not right.unread, right
    assert not (false := judged(IN_TYPST.format(14.2606), "two_link", tmp_path, ".typ")) or false.unread


NUMBERS = """q = (0, 90 deg), qd = (2, -1) rad/s, qdd = (0, 0) with m1 = 1, m2 = 1, l = 1, g = 9.81
m2*l = {} m
tau1 = 14.715 + 0.5*4 - 0.5 = 14.715 + 1.5 = 16.215 N m
tau2 = 0.5*4 = {} N m
"""


@pytest.mark.parametrize(("product", "torque", "is_right"), [("1", "2", True), ("2", "2", False), ("1", "3", False)])
def test_an_answer_of_numbers_alone_is_held_against_its_state(
    product: str, torque: str, is_right: bool, tmp_path: Path
) -> None:
    judgement = judged(NUMBERS.format(product, torque), "two_link", tmp_path)
    assert bool(judgement) == is_right, judgement
    if is_right:
        assert "the numbers in the given state are right" in judgement.summary()[0]


@pytest.mark.parametrize(("number", "is_right"), [("19.62", True), ("14.715", False)])
def test_all_coordinates_may_be_zero_in_one_equation(number: str, is_right: bool, tmp_path: Path) -> None:
    text = f"G1 = (m1/2 + m2)*g*l*cos(q1) + m2*g*l/2*cos(q1 + q2)\nq = 0\nG1 = {number}\n"
    judgement = judged(text, "two_link", tmp_path, ".txt")
    assert (bool(judgement) and not judgement.unread) == is_right, judgement


HEADING = "Gravity torques at q1 = 30 deg, q2 = 60 deg:\n\n"
ELBOW = str(Path(__file__).parents[4] / "bench/answers/arms/elbow_com.toml")


@pytest.mark.parametrize(
    ("numbers", "verdict"),
    [
        ("G1 = 16.1865 cos 30 + 2.943 cos 90 = 14.018\n\nG2 = 0.0", "right"),  # the numbers are those of degrees
        ("$G_1 = 16.1865\\cos 30^\\circ + 2.943\\cos 90^\\circ = 14.02$\n\n$G_2 = 0.00$", "right"),
        ("G = [14.018; 0.0]", "right"),
        ("G = [14.018; 2.943]", "wrong"),
        ("We find $G = (14.018,\\ 2.943)^T$", "wrong"),
        ("G1 = 14.018 N m\nG2 = -2.943 N m", "wrong"),
        ("G1 = 1401.8 N cm\nG2 = 0.0", "unread"),  # right in another unit
        ("G1 = 14.3\nG2 = 0.0", "unread"),  # perhaps with g = 10
    ],
)
def test_a_number_in_a_state_is_wrong_only_if_no_rounding_explains_it(
    numbers: str, verdict: str, tmp_path: Path
) -> None:
    assert_judged(HEADING + numbers, ELBOW, verdict, tmp_path, ".md")


@pytest.mark.parametrize(
    ("number", "kind"), [("1.178", DEGREES.name), ("-14.018", "sign"), ("28.036", "double"), ("7.009", "half")]
)
def test_the_mistake_in_a_number_is_named(number: str, kind: str, tmp_path: Path) -> None:
    judgement = judged(f"{HEADING}G1 = {number}\nG2 = 0.0", ELBOW, tmp_path)
    assert [(each.likeliest.kind, each.likeliest.complete) for each in judgement.explanations] == [(kind, True)]
    (wrong,) = judgement.wrong
    assert any("at q1 = 0.523599, q2 = 1.0472: yours" in line for line in wrong.lines())
