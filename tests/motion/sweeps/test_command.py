"""The command `qddot sweep` runs a plan's file, says how far its store is, and explains what is wrong in one line."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest
from short_sweeps import sweep

import qddot
from qddot.apps.cli import main
from qddot.motion.sweeps import store

PLAN = """
q0 = [{ uniform = [-1, 1] }, "90deg"]
duration = 0.5
step = 0.01
draws = 200
chunk = 16
store = "s.zarr"
reduce = ["final"]
[values]
m1 = 1.0
l = 1.0
m2 = { normal = [10, 1, 5, 15] }
"""


@pytest.fixture
def plan(tmp_path: Path) -> Path:
    (tmp_path / "plan.toml").write_text(PLAN)
    return tmp_path / "plan.toml"


def test_a_plan_runs_as_the_function_does(plan: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sweep", "two_link", str(plan), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    swept = sweep(
        qddot.load("two_link"),
        [qddot.uniform(-1, 1), "90deg"],
        duration=0.5,
        step=0.01,
        draws=200,
        m1=1.0,
        l=1.0,
        m2=qddot.normal(10, 1, 5, 15),
        chunk=16,
        options=qddot.Options(store=plan.parent / "s.zarr"),
    )
    assert (told["runs_finished"], told["status"]["complete"], told["notes"]) == (200, 200, [])
    assert told["quantiles"]["q_final q2"] == np.quantile(swept.q_final[:, 1], [0.05, 0.5, 0.95]).tolist()


def test_the_status_says_how_far_a_sweep_is(
    plan: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    write = store.Store.write

    def stopping(self: store.Store, *rest: object) -> None:
        write(self, *rest)
        if self.finished.sum() == 5:
            raise KeyboardInterrupt

    monkeypatch.setattr(store.Store, "write", stopping)
    assert main(["sweep", "two_link", str(plan)]) == 130
    capsys.readouterr()
    assert main(["sweep", "two_link", str(plan), "--status"]) == 0
    assert "80 of 200 runs are finished, 5 of 13 chunks" in capsys.readouterr().out
    monkeypatch.undo()
    assert main(["sweep", "two_link", str(plan)]) == 0
    assert "200 of 200 runs are finished, 13 of 13 chunks" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("draws", "darws", "did you mean 'draws'"),
        ('q0 = [{ uniform = [-1, 1] }, "90deg"]', "", "no q0"),
        ("{ uniform = [-1, 1] }", "{ unifrom = [-1, 1] }", "did you mean 'uniform'"),
        ("{ uniform = [-1, 1] }", "{ uniform = [-1, 1], normal = [0, 1] }", "one distribution"),
        ("{ uniform = [-1, 1] }", "0", None),
        ('store = "s.zarr"', "", "names no store"),
        ('store = "s.zarr"', "store = 3", "a folder's name"),
        ("draws = 200", "samples = ", "invalid TOML"),
        ("draws = 200", "event = \"__import__('os')\"", "a key 'event'"),
        ("[values]", "[values.deep]", "deep"),
        ("m1 = 1.0", "m7 = 1.0", "m7"),
        ('"90deg"', "\"os.system('x')\"", "q0_q2"),
    ],
)
def test_a_wrong_plan_is_explained_in_one_line(
    old: str, new: str, says: str | None, plan: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plan.write_text(PLAN.replace(old, new))
    code = main(["sweep", "two_link", str(plan)])
    told = capsys.readouterr().err
    assert code == (2 if says else 0)
    assert (says or "") in told and told.count("\n") == (1 if says else 0)


def test_what_is_no_plan_and_no_store_is_explained(plan: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sweep", "two_link", str(plan.parent / "none.toml")]) == 2
    assert main(["sweep", "two_link", str(plan.parent)]) == 2
    assert main(["sweep", "two_link", str(plan), "--status"]) == 2
    assert main(["sweep", "two_link", str(plan), "--scheduler", "nowhere"]) == 2
    told = capsys.readouterr().err.splitlines()
    assert [len(told), "not a store" in told[2], "does not answer" in told[3]] == [4, True, True]


def test_the_page_on_sweeps_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its Python, and its plan by the command."""
    text = (Path(__file__).parents[3] / "docs" / "reference" / "sweep.md").read_text(encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    space: dict[str, object] = {}
    for code in re.findall(r"```py\n(.*?)```", text, re.DOTALL):
        exec(compile(code, "sweep.md", "exec"), space)
    assert (tmp_path / "ends.png").exists()
    (tmp_path / "plan.toml").write_text(re.findall(r"```toml\n(.*?)```", text, re.DOTALL)[0])
    assert main(["sweep", "two_link", "plan.toml", "--overwrite"]) == 0


def test_a_plan_that_is_missing_or_damaged_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plan = tmp_path / "plan.toml"
    assert main(["sweep", "two_link", str(plan)]) == 2
    assert capsys.readouterr().err == f"qddot: {plan}: the file does not exist; expected a plan in TOML\n"
    plan.write_text("q0 = [", encoding="utf-8")
    assert main(["sweep", "two_link", str(plan)]) == 2
    assert f"{plan}: invalid TOML" in capsys.readouterr().err
