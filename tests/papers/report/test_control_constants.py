"""A report has proven constants for control, in both languages, if they are asked for."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from commands import run
from shipped import robot

from qddot.papers.draw import ranges as drawn
from qddot.proof.bounds.ranges import ranges

pytestmark = pytest.mark.usefixtures("derived_once")
TITLES = {"en": "Constants for control", "zh": "控制用常数"}


@pytest.mark.parametrize("name", ["two_link", "elbow_3r", "spatial_2r"])
def test_no_pose_leaves_the_proved_ranges(name: str) -> None:
    arm = robot(name)
    entries = ranges(arm.model, {"q1": (-0.7, 1.2)}, 0.05, 5.0)
    region = arm.bounds({"q1": (-0.7, 1.2)}, seconds=0).region
    q = np.random.default_rng(2).uniform(region.low, region.high, (20_000, arm.model.n))
    for letter, array in {"M": arm.mass_matrix(q), "G": arm.gravity(q)}.items():
        assert entries[letter]
        for each in entries[letter]:
            values = array[(slice(None), *each.place)]
            slack = 1e-13 * (1 + np.abs(values).max())  # of these floats
            assert each.low <= values.min() + slack and values.max() - slack <= each.high
            assert each.low <= each.least + slack and each.most - slack <= each.high
            assert each.high - each.low <= 1.2 * (each.most - each.least) + 1e-12 + 0.1 * abs(each.high)


@pytest.mark.parametrize(("lang", "level"), [("zh", "summary"), ("en", "lecture")])
def test_a_report_has_them_at_every_level_and_a_picture_except_in_a_summary(
    lang: str, level: str, tmp_path: Path
) -> None:
    arm, path = robot("two_link"), tmp_path / "report.md"
    arm.report(path, lang=lang, level=level, bounds=True)
    section = path.read_text("utf-8").split(f"{TITLES[lang]}\n")[1].split("\n## ")[0]
    bounds = arm.bounds()
    for row in bounds:
        assert row.relation() in section
    has_picture = bool(re.search(r"!\[.*ranges.*\]|!\[.*取值范围.*\]", section))
    assert has_picture == (level != "summary")
    assert has_picture or not section.rstrip().endswith((".", "。"))  # no sentence about a picture that is not there


def test_the_picture_has_the_proved_ranges_in_numbers_that_hold() -> None:
    model = robot("elbow_3r").model
    entries = ranges(model, None, 0.05, 5.0)
    figure = drawn.ranges(model, entries)
    for ax, (letter, listed) in zip(figure.axes, entries.items(), strict=True):
        shown = [each for each in listed if max(-each.low, each.high) > 1e-12]
        numbers = [re.sub(r" \\times 10\^\{(-?\d+)\}", r"e\1", text.get_text()) for text in ax.texts]
        for each, written in zip(shown, numbers, strict=True):
            low, high = map(float, written.strip("$[]").split(", "))
            assert low <= each.low and each.high <= high
            assert high - low <= 1.05 * (each.high - each.low) + 0.02 * max(abs(low), abs(high))
        names = [label.get_text() for label in ax.get_yticklabels()]
        assert names == [f"${letter}_{{{''.join(str(k + 1) for k in each.place)}}}$" for each in shown]


def test_a_report_without_the_option_has_none(tmp_path: Path) -> None:
    path = robot("two_link").report(tmp_path / "report.md", level="summary")
    assert TITLES["en"] not in path.read_text("utf-8")


def test_the_command_refuses_what_cannot_be_bounded(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(capsys, "report", "rp", "--bounds", "-o", str(tmp_path / "rp.md"))
    assert code == 2 and "the joint of 'd2' slides and has no limits" in err
    assert not (tmp_path / "rp.md").exists()
