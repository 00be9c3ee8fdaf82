"""Values are read in SI units, and a number that is used in another unit is named as a mistake in the units."""

from __future__ import annotations

from pathlib import Path

import pytest

import qddot
from qddot.teach.check.checking import check
from qddot.teach.check.judging.judgement import Judgement

ARMS = Path(__file__).parents[4] / "bench/answers/arms"
UNCONVERTED = "a number in another unit is not converted: "


def judged(arm: str, answer: str, file: Path) -> Judgement:
    file.write_text(answer, encoding="utf-8")
    return check(qddot.load(str(ARMS / f"{arm}.toml")).equations().quantities, file, None, {})


@pytest.mark.parametrize(
    ("stated", "number", "mistake"),
    [
        ("e = 350 mm", "350", "e = 350 instead of e = 0.35"),
        ("e = 35 cm", "35", "e = 35 instead of e = 0.35"),
        (r"e = 350\,\mathrm{mm}", "350", "e = 350 instead of e = 0.35"),
        ("e = 350", "350", "e = 350 instead of e = 0.35"),
        ("e = 350 mm", "0.35", ""),
        ("e = 350 mm = 0.35 m", "0.35", ""),
        ("e = 500 mm", "0.5", ""),
        ("e = 0.5", "0.5", ""),
        ("e = 0.5 m3 = 4 g = 9.81", "0.5", ""),  # m3 and g are names here
    ],
)
def test_a_number_in_another_unit_is_named(stated: str, number: str, mistake: str, tmp_path: Path) -> None:
    text = f"% J = 0.12 kg m^2, m2 = 3 kg, {stated}\nM22 = 0.12 + 3*{number}^2\nG2 = 3*9.81*{number}*cos(phi)\n"
    judgement = judged("lift_arm", text, tmp_path / "answer.m")
    assert bool(judgement) == (not mistake)
    assert [str(each.likeliest).startswith(f"{UNCONVERTED}{mistake}") for each in judgement.explanations] == [
        True
    ] * bool(mistake)


def test_powers_and_products_of_units_are_converted(tmp_path: Path) -> None:
    text = "% m2 = 3000 g, e = 35 cm, J = 1200 kg cm²\nM22 = 0.12 + 3*0.35^2\n"
    assert judged("lift_arm", text, tmp_path / "answer.m")


def test_another_mass_is_no_other_unit_where_its_unit_is_stated(tmp_path: Path) -> None:
    text = "% m2 = 3000 kg, e = 0.35 m, J = 0.12 kg m^2\nM22 = 0.12 + 3000*0.35^2\n"
    assert judged("lift_arm", text, tmp_path / "answer.m")


def test_a_value_in_a_line_of_its_own_is_converted(tmp_path: Path) -> None:
    lines = "e = 350 mm\nm2 = 3 kg\nJ = 0.12 kg m^2\n"
    assert judged("lift_arm", f"{lines}M22 = 0.12 + 3*0.35^2\n", tmp_path / "right.txt")
    assert not judged("lift_arm", f"{lines}M22 = 0.12 + 3*350^2\n", tmp_path / "wrong.txt")
