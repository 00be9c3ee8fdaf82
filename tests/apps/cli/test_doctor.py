"""`qddot doctor` prints the right table and JSON, with the right exit codes, also for a file that no reader accepts."""

from __future__ import annotations

import json
from pathlib import Path

import commands
import pytest

from qddot.apps.cli import main

LINK = """convention = "dh"
[[link]]
name = "rod"
dh = {{ theta = "q1", d = 0, a = 1, alpha = 0 }}
mass = 1
com = [-0.5, 0, 0]
inertia = {{ about = "com", {tensor} }}
{more}
"""
SOUND = "xx = 0.5, yy = 0.5, zz = 0.5"


def file(folder: Path, tensor: str = SOUND, more: str = "") -> str:
    path = folder / "arm.toml"
    path.write_text(LINK.format(tensor=tensor, more=more), encoding="utf-8")
    return str(path)


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    return commands.run(capsys, "doctor", *arguments)


def test_a_clean_bill(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "two_link")
    first, *proved = out.splitlines()
    assert (code, first, err) == (0, "two_link: no findings", "")
    assert [line.partition(":")[0] for line in proved] == ["proved in every pose"] * 2


def test_hints_are_no_failure(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "spherical_pendulum")
    assert code == 0
    assert "link 'swivel'" in out


def test_warnings_exit_with_1(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, out, _ = run(capsys, file(tmp_path, more="joint = { limits = [-180, 180] }"))
    assert code == 1
    assert "a limit of -180 rad" in out and "write -3.1416" in out


def test_an_inertia_that_the_readers_refuse_is_examined_and_exits_with_3(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    swapped = file(tmp_path, SOUND + ", xy = 0.2, xz = 0.2, yz = 0.2")
    code, out, _ = run(capsys, swapped, "--json")
    content = json.loads(out)
    assert code == 3
    assert content["worst"] == "error"
    assert [finding["check"] for finding in content["findings"]] == ["impossible_inertia"]
    assert 'products = "positive"' in content["findings"][0]["remedy"]
    needle = "xx = 0.2, yy = 0.2, zz = 1"
    assert run(capsys, file(tmp_path, needle), "--json")[0] == 3
    assert run(capsys, file(tmp_path, needle, "partial_inertia = true"))[0] == 0


@pytest.mark.parametrize(
    ("joint", "says"), [("limits = [1, -1]", "lower first"), ("damping = -1", "zero or more")], ids=str
)
def test_other_refusals_are_errors_too(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, joint: str, says: str
) -> None:
    code, out, _ = run(capsys, file(tmp_path, more=f"joint = {{ {joint} }}"), "--json")
    assert code == 3
    (finding,) = json.loads(out)["findings"]
    assert finding["check"] == "refused"
    assert says in finding["remedy"]
    assert "link 'rod'" in finding["place"]


def test_what_is_no_robot_is_a_mistake(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, _, err = run(capsys, "two_linc")
    assert (code, err.count("\n")) == (2, 1)
    (tmp_path / "empty.toml").write_text("", encoding="utf-8")
    assert run(capsys, str(tmp_path / "empty.toml"))[0] == 2


def test_the_help_has_the_exit_codes(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["doctor", "--help"])
    assert "1 warnings, 2 invalid input, 3 errors" in capsys.readouterr().out


def test_a_refused_file_with_nonsense_behind_the_refusal_is_still_one_finding(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "arm.toml"
    joint = "joint = { type = 'revolute', axis = [0, 0, 2] }"
    path.write_text(f"convention = 'tree'\nlink = [{{ name = 'a', {joint} }}, 3]\n", encoding="utf-8")
    code, out, _ = run(capsys, str(path), "--json")
    assert code == 3
    assert "not a unit vector" in json.loads(out)["findings"][0]["found"]


def test_a_refusal_is_a_finding_however_its_path_is_written(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bad.urdf").write_text('<robot name="x"><link/></robot>', encoding="utf-8")
    for path in ("bad.urdf", "./bad.urdf", ".//bad.urdf"):
        code, out, _ = run(capsys, path, "--json")
        assert (code, [each["check"] for each in json.loads(out)["findings"]]) == (3, ["refused"])
