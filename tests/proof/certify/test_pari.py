"""PARI/GP derives the printed equations from the description, and names the entries that differ."""

from __future__ import annotations

from pathlib import Path

import pytest
from commands import run
from provers import by_pari, text_of
from screw_arm import SCREW
from shipped import robot
from tools import uses

import qddot


@uses("gp")
@pytest.mark.parametrize("name", ["two_link", "spatial_2r", "rp", "cart_pole", "furuta_pendulum", "puma560_akb", "ur5"])
def test_pari_derives_the_equations_of_an_arm(name: str, tmp_path: Path) -> None:
    result = by_pari(text_of(robot(name).certificate("pari")), tmp_path)
    assert (result.returncode, result.stdout) == (0, "these are the equations of this description\n"), result.stderr


@uses("gp")
def test_pari_derives_screws_springs_friction_trees_and_constant_angles(tmp_path: Path) -> None:
    (tmp_path / "screw.toml").write_text(SCREW, encoding="utf-8")
    result = by_pari(text_of(qddot.load(tmp_path / "screw.toml").certificate("pari")), tmp_path)
    assert (result.returncode, result.stdout) == (0, "these are the equations of this description\n"), result.stderr


MISTAKES = {  # in the script of two_link: what is wrong, the right text, the wrong one, an entry that then differs
    "coefficient of M": ("(4/3)*p2*p4^2", "(1)*p2*p4^2", "M1,1"),
    "sign of Gamma": ("(-1/2)*s2*p2*p4^2", "(1/2)*s2*p2*p4^2", "Gamma1,2,1"),
    "missing term of G": ("+(1/2)*c1*p1*p3*p4", "", "G1"),
    "swapped links": ("[[0, pose(", "[[2, pose(", ""),
    "length in the description": ("(-1/2)*p4", "(-1/3)*p4", "M1,1"),
    "sign of gravity": ("gravity = [0, (-1)*p3, 0]", "gravity = [0, (1)*p3, 0]", "G1"),
    "friction that is not printed": ("joints = [[0, 0, 0, 0, 0]", "joints = [[0, 0, 0, 1, 0]", "viscous1"),
}


@uses("gp")
@pytest.mark.parametrize("mistake", MISTAKES)
def test_pari_names_what_a_planted_mistake_changes(mistake: str, tmp_path: Path) -> None:
    text, (right, wrong, entry) = text_of(robot("two_link").certificate("pari")), MISTAKES[mistake]
    assert right in text
    result = by_pari(text.replace(right, wrong), tmp_path)
    assert result.returncode != 0
    assert f"{entry} differs" in result.stdout or not entry


def test_the_script_has_the_description_and_the_printed_terms() -> None:
    text = text_of(robot("two_link").certificate("pari"))
    assert "/* p4: l */" in text
    assert "printed_M = [[(1)*c2*p2*p4^2+(1/3)*p1*p4^2+(4/3)*p2*p4^2], [" in text
    assert text.endswith("check();\nquit(failed);\n")


def test_the_command_writes_the_script(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "prove", "two_link", "--to", "pari", "--folder", str(tmp_path))
    assert code == 0
    assert (tmp_path / "two_link.gp").exists()
    assert "gp -q two_link.gp" in out
