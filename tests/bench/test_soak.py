"""The soak test finds planted mistakes, and goes on where it stopped."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
if os.name != "posix" or not (ROOT / "bench").is_dir():
    pytest.skip("the soak forks, and is not shipped", allow_module_level=True)
sys.path.append(str(ROOT / "bench"))

from soaking import case, commands, contents, faults, files, names, numbers, random_robots, robots  # noqa: E402
from soaking.state import State  # noqa: E402
from soaking.trial import Finding, Kind, Outcome, findings_of  # noqa: E402


def outside(*arguments: str) -> str:
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT / "bench")]),
        "TMPDIR": os.getcwd(),
    }
    done = subprocess.run([sys.executable, *arguments], capture_output=True, text=True, env=environment, check=False)
    return done.stdout + done.stderr


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_gravity_that_pulls_the_other_way_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    mapping = next(m for seed in range(99) if "-g" in str((m := random_robots.robot(seed, 2))["gravity"]))
    monkeypatch.setattr(random_robots, "robot", lambda seed: mapping)
    monkeypatch.setattr(robots, "CHECKS", [("torques", numbers.torques, 1.0)])
    assert findings_of(robots.KIND, 1) == []
    true = case.judge_of

    def upside_down(mapping: Any) -> Any:
        judge = true(mapping)
        judge.gravity = -judge.gravity
        return judge

    monkeypatch.setattr(case, "judge_of", upside_down)
    assert [finding.key for finding in findings_of(robots.KIND, 1)] == ["inverse_dynamics: wrong"]


def test_content_that_is_left_out_without_a_word_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    seeds = range(12)
    assert [finding for seed in seeds for finding in in_own_folder(f"sound{seed}", contents.KIND, seed)] == []
    monkeypatch.setattr("qddot.robot.left_out.refuse", lambda parts, without, where: None)
    monkeypatch.setattr("qddot.formats.urdf.urdf_reader.unread", lambda root, formats: [])
    findings = {finding.key for seed in seeds for finding in in_own_folder(f"{seed}", contents.KIND, seed)}
    assert findings == {"read without a word", "a slip without a note"}


def test_names_of_files_that_are_written_as_they_are_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    assert keys(range(10)) == set()
    for place in ("apps.cli.doctor.visible", "inspect.doctor.annotations.without_commands"):
        monkeypatch.setattr(f"qddot.{place}", lambda text: text)
    monkeypatch.setattr("qddot.inspect.doctor.annotations._property", lambda text: "elsewhere")
    monkeypatch.setattr("qddot.inspect.doctor.sarif.quote", os.fsdecode)
    assert keys(range(10, 25)) == {
        "a name is written raw",
        "a name begins a line",
        "an order to a pipeline",
        "other names by --format=github",
        "other names by --format=sarif",
    }


def keys(seeds: range) -> set[str]:
    kind = Kind("names", lambda seed: names.trial(random.Random(seed)))
    return {finding.key for seed in seeds for finding in in_own_folder(f"{seed}", kind, seed)}


def test_a_reader_that_lets_a_foreign_exception_out_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(path: Path, without: Any = ()) -> Any:
        raise ZeroDivisionError

    monkeypatch.setattr(files.qddot, "load", broken)
    (finding,) = findings_of(files.KIND, 1)
    assert finding.key.startswith("ZeroDivisionError")


def test_a_command_that_raises_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(line: list[str]) -> int:
        raise KeyError("planted")

    monkeypatch.setattr(commands.cli, "main", broken)
    monkeypatch.setattr(commands, "called_outside", lambda line, stream: commands.called(line))
    assert "KeyError" in findings_of(commands.KIND, 1)[0].key


def test_a_file_that_is_written_in_place_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def in_place(folder: Path, variant: int) -> None:
        (folder / "x").write_bytes(bytes([variant]) * 10_000)

    monkeypatch.setattr(faults, "WRITERS", {"in place": faults.Writer("x", in_place)})
    findings = {finding.key for seed in range(20) for finding in in_own_folder(f"{seed}", faults.KIND, seed)}
    assert "in place: a torn file" in findings


def in_own_folder(folder: str, kind: Kind, seed: int) -> list[Finding]:
    Path(folder).mkdir()
    os.chdir(folder)
    findings = findings_of(kind, seed)
    os.chdir("..")
    return findings


def test_a_trial_that_dies_hangs_or_raises_is_a_finding_of_its_own() -> None:
    script = """
import os
from pathlib import Path
from soaking.trial import Kind, run_alone
trials = [lambda seed: os.abort(), lambda seed: iter(int, 1), lambda seed: 1 / 0, lambda seed: [0][:0]]
for trial in trials:
    print([finding.key for finding in run_alone(Kind("planted", trial, seconds=1), 0, Path.cwd())])
"""
    died, hung, raised, nothing = outside("-c", script).splitlines()
    assert (died, nothing) == ("['died with signal 6']", "[]")
    assert "too slow" in hung and "ZeroDivisionError" in raised


def test_a_piece_goes_on_where_the_last_one_ended(tmp_path: Path) -> None:
    state = State(tmp_path)
    state.record("robots", 7, [Outcome("robots", k, (), 1.0, 0.5) for k in range(7)])
    assert State(tmp_path).next_seed("robots") == 7
    assert "robots: 7 trials, 7 s, 4 s of CPU" in State(tmp_path).report()
    state.tree = "another source"
    assert "robots" not in state.report() and state.next_seed("robots") == 7


def test_one_trial_runs_alone() -> None:
    assert "0 findings" in outside(str(ROOT / "bench" / "soak.py"), "--only", "files:1")
