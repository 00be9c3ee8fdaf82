"""What would not fit into memory, or on the disk, is refused before anything of it is run."""

from __future__ import annotations

import shutil
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from refusals import refusal
from short_sweeps import SHORT, sweep

import qddot
from qddot.apps.cli import main
from qddot.motion.simulate.runs import capacity
from qddot.motion.sweeps import chunks, loading


@pytest.fixture
def little(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine with 50 MB of memory and as much room on its disk, in which no chunk may run."""

    def running(*_: Any) -> None:
        raise AssertionError("a chunk was run")

    monkeypatch.setattr(capacity.psutil, "virtual_memory", lambda: SimpleNamespace(available=50_000_000))
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=50_000_000))
    monkeypatch.setattr(chunks.Engine, "chunk", running)


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        # 50 bytes a run: two draws, a status and a time, q and q̇
        ({"draws": 10**12}, ("too-large-for-memory", "1000000000000", "58 TB", "50 MB")),
        (
            {"draws": 10**12},
            ("too-large-for-memory",),
        ),
        ({"draws": 2**24, "design": "sobol"}, ("too-large-for-memory", "16777216", "973 MB")),
        ({"draws": 2**22, "design": "saltelli"}, ("too-large-for-memory", "16777216", "973 MB")),
        ({"draws": 10**5, "reduce": "whole", "record_every": 1}, ("too-large-for-memory", "100000", "166 MB")),
        (
            {"draws": 10**6, "design": "latin"},
            ("too-large-for-memory", "1000000"),
        ),
        ({"draws": 10**6, "chunk": 10**6}, ("too-large-for-memory", "1000000", "1")),
        (
            {"draws": 10**4, "duration": 1e9, "reduce": "whole", "record_every": 1},
            ("too-large-for-memory", "100000000001", "2"),
        ),
        (
            {"draws": 10**4, "duration": 5.0, "reduce": "quantiles", "record_every": 1, "chunk": 1},
            ("too-large-for-memory", "501"),
        ),
    ],
)
def test_a_sweep_that_does_not_fit_into_memory_is_refused(
    asked: dict[str, Any], says: tuple[str, ...], little: None, two_link: qddot.Robot
) -> None:
    asked = dict(asked)
    options = qddot.Options(threads=2, record_every=asked.pop("record_every", None))
    with refusal(qddot.QddotError, *says):
        sweep(two_link, options=options, **{**SHORT, "chunk": None, **asked})


def test_a_store_that_does_not_fit_on_the_disk_is_refused(little: None, two_link: qddot.Robot, tmp_path: Path) -> None:
    with refusal(qddot.QddotError, "answer-too-large-for-disk", "48 GB", "50 MB"):
        sweep(two_link, options=qddot.Options(store=tmp_path / "s.zarr"), **{**SHORT, "chunk": None, "draws": 10**9})
    assert not any(tmp_path.iterdir())


def test_the_command_refuses_it_too(little: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "plan.toml").write_text(
        'q0 = [{ uniform = [-1, 1] }, 0]\ndraws = 1000000000000\nstore = "s.zarr"\n[values]\nm1 = 1\nl = 1\nm2 = 2\n'
    )
    assert main(["sweep", "two_link", str(tmp_path / "plan.toml")]) == 2
    assert "the answer of 1000000000000 runs takes 40 TB in " in capsys.readouterr().err


def test_what_is_made_of_a_whole_answer_is_refused_where_that_does_not_fit(
    two_link: qddot.Robot, monkeypatch: pytest.MonkeyPatch
) -> None:
    swept = sweep(two_link, **{**SHORT, "reduce": ["final", "whole"], "design": "saltelli", "draws": 64})
    monkeypatch.setattr(capacity, "LITTLE", 100)
    monkeypatch.setattr(capacity.psutil, "virtual_memory", lambda: SimpleNamespace(available=1000))
    for make in (
        lambda: swept.sweep.quantiles("q"),
        lambda: swept.sweep.sensitivity("q_final"),
        lambda: swept.sweep.plot_histogram("q_final"),
        lambda: loading.values(swept.q),
    ):
        with refusal(qddot.QddotError, "too-large-for-memory"):
            make()
