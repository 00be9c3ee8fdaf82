"""`qddot diff` prints the right lines and JSON, with the right exit codes."""

from __future__ import annotations

import json
from importlib import resources
from pathlib import Path

import commands
import pytest

import qddot
from qddot.apps.cli import main
from qddot.formats.toml import robot_file

SPATIAL = (resources.files("qddot.robot") / "zoo" / "spatial_2r.toml").read_text(encoding="utf-8")


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    return commands.run(capsys, "diff", *arguments)


def changed(folder: Path, old: str, new: str) -> str:
    assert old in SPATIAL
    path = folder / "other.toml"
    path.write_text(SPATIAL.replace(old, new), encoding="utf-8")
    return str(path)


def test_an_arm_agrees_with_itself(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "panda", "panda")
    assert code == 0
    assert "the descriptions agree" in out
    assert "M, C and G agree" in out


def test_a_difference_is_shown_with_both_numbers_and_explained(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    other = changed(tmp_path, 'gravity = ["g", 0, 0]', 'gravity = ["-g", 0, 0]')
    code, out, _ = run(capsys, "spatial_2r", other, "--at", "-30deg,pi/4")
    assert code == 1
    assert "in B gravity points the other way" in out
    assert "9.81, 0, 0" in out
    assert "-9.81, 0, 0" in out
    assert "at the given q, rates 1: M 0, C 0, G 2" in out


def test_json(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    other = changed(tmp_path, "m2 = { value = 10.0", "m2 = { value = 11.0")
    code, out, _ = run(capsys, "spatial_2r", other, "--json")
    content = json.loads(out)
    assert code == 1
    assert content["equations_agree"] is False
    assert content["explanation"] is None
    assert [(each["what"], each["a"], each["b"]) for each in content["differences"]] == [("mass", [10], [11])]


def test_symbols_take_values_where_they_stand(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """A has numbers for its symbols m1, m2 and l; B, in which the first mass is called M, has the same ones."""
    other = tmp_path / "other.toml"
    other.write_text(qddot.load("two_link").to_toml().replace("m1", "M"), encoding="utf-8")
    values = ("--set", "m1=3", "--set", "M=3", "--set", "m2=2", "--set", "l=0.5")
    assert run(capsys, "two_link", str(other), *values)[0] == 0
    code, out, _ = run(capsys, "two_link", str(other), *values[:2], "--set", "M=4", *values[4:], "--json")
    first = json.loads(out)["differences"][0]
    assert (code, first["what"], first["a"], first["b"]) == (1, "mass", [3], [4])
    code, _, err = run(capsys, "two_link", str(other), "--set", "m3=1")
    assert (code, "no symbol 'm3' in two_link or " in err) == (2, True)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("slider", "panda"), "no joint of A is like one of B"),
        (("two_link", "two_link", "--at", "1"), "expected 2 numbers, in the order q1, q2"),
        (("two_link", "two_link", "--at", "1,x"), "--at q2 'x'"),
        (("two_link", "absent.toml"), "does not exist"),
    ],
    ids=str,
)
def test_mistakes_are_one_line(capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], says: str) -> None:
    code, out, err = run(capsys, *arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert says in err


def test_an_inertia_about_the_wrong_point_is_explained_though_no_body_has_it(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    text = robot_file.dumps(qddot.load("ur5").as_mdh().model, "mdh").replace('about = "com"', 'about = "origin"')
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")
    code = main(["diff", "ur5", str(path)])
    out, err = capsys.readouterr()
    assert code == 1
    assert "it is compared nevertheless" in err
    assert "they agree once one thing is corrected" in out
