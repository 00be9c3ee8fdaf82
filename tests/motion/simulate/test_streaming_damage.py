"""What is damaged in the store of a run is never read as its samples: it is named, and the rest is read."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import google_crc32c
import numpy as np
import pytest
import xarray as xr
from refusals import refusal
from spoiling import SPOILT, spoil

import qddot
from qddot.base.errors import SimulationError
from qddot.base.system import stores
from qddot.base.system.sound_store import SoundStore
from qddot.faces.run import Run
from qddot.motion.simulate import simulation
from qddot.motion.simulate.runs import run_store

pytestmark = pytest.mark.usefixtures("small_blocks")
ONE, TWO = [1.0, 0.2], [[1.0, 0.2], [2.0, 0.1]]
EMPTY = {"qddot_run": stores.LAYOUT}


@pytest.fixture(scope="module")
def arm() -> qddot.Robot:
    return qddot.load("two_link").with_values(m1=1.0, m2=2.0, l=1.0)


@pytest.fixture(scope="module")
def tenth(small_blocks: None, arm: qddot.Robot, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of a tenth of a second, to be copied and damaged."""
    path = tmp_path_factory.mktemp("tenth") / "run.zarr"
    arm.simulate(ONE, method="rk4", duration=0.1, step=0.01, options=qddot.Options(store=path))
    return path


@pytest.fixture(scope="module")
def second(small_blocks: None, arm: qddot.Robot, tmp_path_factory: pytest.TempPathFactory) -> tuple[qddot.Run, Path]:
    """A run of a second in memory, and a store of the same."""
    path = tmp_path_factory.mktemp("second") / "run.zarr"
    arm.simulate(ONE, method="rk4", duration=1, step=0.01, options=qddot.Options(store=path))
    return arm.simulate(ONE, method="rk4", duration=1, step=0.01), path


@pytest.fixture(scope="module")
def two(small_blocks: None, arm: qddot.Robot, tmp_path_factory: pytest.TempPathFactory) -> tuple[qddot.Run, Path]:
    """A run of two arms with masses of their own, and its store."""
    path = tmp_path_factory.mktemp("two") / "run.zarr"
    options = qddot.Options(store=path)
    return arm.simulate(TWO, method="rk4", duration=0.1, step=0.01, m2=[1.0, 2.0], options=options), path


@pytest.mark.parametrize("sealed", [False, True])
@pytest.mark.parametrize(
    ("file", "key", "value"),
    [
        ("q/zarr.json", "codecs", [{"name": "numcodecs.pickle"}]),
        ("q/zarr.json", "data_type", "variable_length_bytes"),
        ("q/zarr.json", "shape", [1, 7, 2]),
        ("q/zarr.json", "dimension_names", 3),
        ("q/zarr.json", "chunk_grid", {"name": "regular"}),
        ("K/zarr.json", "shape", [10**15, 11]),
        ("zarr.json", "attributes", {"qddot_run": stores.LAYOUT}),
        (
            "zarr.json",
            "attributes",
            {"qddot_run": stores.LAYOUT, "joints": ["import os"] * 2, "joint_units": ["rad"] * 2},
        ),
        ("zarr.json", "stop_causes", 3),
        ("zarr.json", "record_every", "x"),
    ],
)
def test_a_damaged_store_is_an_error_of_ours(
    sealed: bool, file: str, key: str, value: Any, tenth: Path, tmp_path: Path
) -> None:
    """Also one that somebody has changed on purpose, with the checksums of what it says then."""
    path = tmp_path / "run.zarr"
    shutil.copytree(tenth, path)
    about = path / file
    content = json.loads(about.read_text())
    (content if key in content else content["attributes"])[key] = value
    about.write_text(json.dumps(content))
    if sealed:
        run_store.RUNS.seal(path)
    with pytest.raises(SimulationError, match=r"is not a(n array of a)? run" if sealed else "is damaged"):
        Run.load(path)


def test_a_store_without_samples_says_so(tenth: Path, tmp_path: Path) -> None:
    path = tmp_path / "run.zarr"
    shutil.copytree(tenth, path)
    stores.note(run_store.RUNS.opened(path, "r+"), samples=0)
    shutil.rmtree(path / "finished" / "c")
    with refusal(SimulationError, "not-a-run", "it has no samples yet"):
        Run.load(path)


@pytest.mark.parametrize("way", SPOILT)
def test_samples_whose_file_is_damaged_are_left_out_and_named(
    way: str, second: tuple[qddot.Run, Path], tmp_path: Path
) -> None:
    whole, path = second[0], tmp_path / "run.zarr"
    shutil.copytree(second[1], path)
    blocks = sorted(int(each.name) for each in (path / "K" / "c" / "0").iterdir())
    assert len(blocks) > 2
    spoil(path / "q" / "c" / "0" / "1" / "0", way)
    left = Run.load(path)
    size = json.loads((path / "K" / "zarr.json").read_text())["chunk_grid"]["configuration"]["chunk_shape"][1]
    lost = np.arange(101) // size == 1
    (note,) = left.notes
    assert f"damaged and left out: samples {size} to {2 * size - 1}, q/c/0/1/0: " in note
    assert np.isnan(left.q[lost]).all() and np.isnan(left.energy.K[lost]).all()
    assert np.array_equal(left.q[~lost], whole.q[~lost]) and np.array_equal(left.time, whole.time)


KINDS = ("zarr.json", "q/zarr.json", "finished/c/0/0", "time/c/0", "q/c/0/0/0", "value_m2/c/0")


@pytest.mark.parametrize("way", SPOILT)
def test_every_file_of_a_run_that_is_damaged_is_named(way: str, two: tuple[qddot.Run, Path], tmp_path: Path) -> None:
    """Every file is changed, and one of each kind is spoilt in every way."""
    (whole, kept), path = two, tmp_path / "run.zarr"
    files = sorted(each.relative_to(kept) for each in kept.rglob("*") if each.is_file())
    assert {file.parts[0] for file in files} >= {"zarr.json", "finished", "time", "q", "K"}
    assert {file.as_posix() for file in files} > {*KINDS}
    if way != "changed":
        files = [*map(Path, KINDS)]
    for file in files:
        shutil.copytree(kept, path)
        spoil(path / file, way)
        if file.name == "zarr.json":
            with pytest.raises(SimulationError, match=f"{file}.* is damaged|or its zarr.json is|no run writes"):
                Run.load(path)
        else:
            left = Run.load(path)
            assert np.array_equal(left.time, whole.time)
            assert file.parts[0] == "time" or any(f"left out: {file}" in x or f", {file}: " in x for x in left.notes)
            xr.testing.assert_identical(left.data.q, whole.data.q.where(np.isfinite(left.data.q)))
        shutil.rmtree(path)


def test_a_file_that_is_damaged_under_the_eyes_of_a_reader_is_an_error(
    second: tuple[qddot.Run, Path], tmp_path: Path
) -> None:
    shutil.copytree(second[1], tmp_path / "run.zarr")
    run = Run.load(tmp_path / "run.zarr")
    spoil(tmp_path / "run.zarr" / "q" / "c" / "0" / "1" / "0", "changed")
    with refusal(SimulationError, "file-damaged", "checksum-differs"):
        run.q  # noqa: B018
    assert np.isfinite(run.data.q.isel(time=slice(0, 5))).all()


def block_of(path: Path) -> int:
    """The number of samples in a block, which depends on how quickly the run was computed."""
    about = json.loads((path / "K" / "zarr.json").read_text())
    return int(about["chunk_grid"]["configuration"]["chunk_shape"][1])


def lost_samples(path: Path, whole: qddot.Run) -> str:
    """Loads a run whose second block is damaged, compares the rest with the whole run, and returns the last note."""
    left, size = Run.load(path), block_of(path)
    lost = np.arange(101) // size == 1
    assert f"damaged and left out: samples {size} to {2 * size - 1}, " in left.notes[-1]
    assert np.isnan(left.q[lost]).all()
    assert np.array_equal(left.q[~lost], whole.q[~lost])
    return left.notes[-1]


@pytest.mark.parametrize("source", ["another block", "another run"])
@pytest.mark.parametrize("names", [["q"], ["K"], ["q", "qd"], ["finished"], ["q", "finished"], "all"])
def test_a_block_is_not_taken_for_another(
    names: Any, source: str, second: tuple[qddot.Run, Path], tmp_path: Path
) -> None:
    """Each file alone, and all files of a block: their own checksums match wherever they lie."""
    whole, path, other = second[0], tmp_path / "run.zarr", tmp_path / "other.zarr"
    shutil.copytree(second[1], path)
    shutil.copytree(second[1], other)
    dims = {each.parent.name: json.loads(each.read_text())["dimension_names"] for each in path.glob("*/zarr.json")}
    over_time = sorted(name for name, own in dims.items() if "time" in own or "block" in own)

    def file(name: str, block: int) -> str:
        return "/".join([name, "c", *(str(block if dim in ("time", "block") else 0) for dim in dims[name])])

    if source == "another run":  # the same samples under another identity, as of a run that was made twice
        for name in over_time:
            content = bytearray((other / file(name, 1)).read_bytes())
            content[8 if name == "finished" else 0] ^= 1  # the first seal, or a sample
            content[-4:] = google_crc32c.value(bytes(content[:-4])).to_bytes(4, "little")
            (other / file(name, 1)).write_bytes(content)
    for name in over_time if names == "all" else names:
        shutil.copy(other / file(name, 2 if source == "another block" else 1), path / file(name, 1))
    # a mark that was moved fits no file, of which the first in the order of the alphabet is named
    named = names[0] if names in (["q"], ["q", "qd"]) else "K"
    note = lost_samples(path, whole)
    assert f", {file(named, 1)}: it does not fit its seal: one of them is that of another array, block or run" in note


def test_an_array_is_not_taken_for_another(second: tuple[qddot.Run, Path], tmp_path: Path) -> None:
    """Two files that are swapped in one block have the same shapes and right checksums."""
    whole, path = second[0], tmp_path / "run.zarr"
    shutil.copytree(second[1], path)
    q, qd = (path / name / "c" / "0" / "1" / "0" for name in ("q", "qd"))
    q.rename(tmp_path / "q")
    qd.rename(q)
    (tmp_path / "q").rename(qd)
    assert ", q/c/0/1/0: it does not fit its seal" in lost_samples(path, whole)


def test_a_chunk_that_is_half_written_is_not_seen(second: tuple[qddot.Run, Path], tmp_path: Path) -> None:
    """Zarr moves a file to its place when all of it is written; a copy by other means may end in the middle."""
    whole, path = second[0], tmp_path / "run.zarr"
    shutil.copytree(second[1], path)
    chunk = path / "q" / "c" / "0" / "1" / "0"
    chunk.with_name("0.123.partial").write_bytes(chunk.read_bytes()[:100])
    assert Run.load(path).notes == whole.notes
    chunk.write_bytes(chunk.read_bytes()[:100])
    assert ", q/c/0/1/0: its checksum does not match" in lost_samples(path, whole)


def test_stops_and_the_number_of_samples_are_those_of_this_run(second: tuple[qddot.Run, Path], tmp_path: Path) -> None:
    path, content = tmp_path / "run.zarr", np.full(2, 7.0).tobytes()
    shutil.copytree(second[1], path)
    (path / "stop_q" / "c" / "0" / "0").write_bytes(content + google_crc32c.value(content).to_bytes(4, "little"))
    assert "stop_q/c/0/0: it does not fit its seal" in Run.load(path).notes[-1]
    last, first = divmod(100, block_of(path))
    run_store.RUNS.opened(path, "r+")["finished"][0, last] = first + 2
    says = f"samples {100 - first} to 100, finished/c/0/{last}: it is not the mark of {first + 1} finished samples"
    assert says in Run.load(path).notes[-1]


def written_in_parts(path: Path, arm: qddot.Robot, patch: pytest.MonkeyPatch, killed_at: int) -> list[Path]:
    """Streams a run in small writes, copies the store before each mark, and breaks before one of them."""
    states, mark = list[Path](), stores.Store.mark

    def marked(self: stores.Store, *arguments: Any, **more: Any) -> None:
        states.append(Path(shutil.copytree(path, path.with_name(f"state{len(states)}"))))
        if len(states) > killed_at:
            raise MemoryError
        mark(self, *arguments, **more)

    patch.setattr(run_store, "LARGEST", 10_000)
    patch.setattr(stores.Store, "mark", marked)
    patch.setattr(simulation, "FIRST", 10)
    patch.setattr(simulation, "PAUSE", 1e-9)  # no write has many samples
    patch.setattr(run_store.Writer, "fit", lambda *_: None)
    with pytest.raises(MemoryError):
        arm.simulate(ONE, method="rk4", duration=1, step=0.01, options=qddot.Options(store=path))
    return states


def test_a_run_that_is_killed_between_any_two_writes_is_read(
    arm: qddot.Robot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every file that was moved into the unfinished block is found; only one killed in a write has no seals there."""
    whole = arm.simulate(ONE, method="rk4", duration=1, step=0.01)
    states = written_in_parts(tmp_path / "run.zarr", arm, monkeypatch, 8)
    counts = []
    for state in states[1:]:
        left = Run.load(state)
        assert left.notes == whole.notes and not left.complete
        assert np.array_equal(left.q, whole.q[: len(left.time)])
        counts.append(len(left.time))
    assert counts == sorted(counts) and counts[0] < counts[-1] < 101
    sealed = states[3]  # before the next write begins
    shutil.copy(states[1] / "q" / "c" / "0" / "0" / "0", sealed / "q" / "c" / "0" / "0" / "0")
    assert "q/c/0/0/0: it does not fit its seal" in Run.load(sealed).notes[-1]
    # all files of the block as they were before are a run that was killed earlier: this cannot be found
    for name in ("q", "qd", "tau", "K", "P", "finished"):
        shutil.rmtree(sealed / name)
        shutil.copytree(states[1] / name, sealed / name)
    assert len(Run.load(sealed).time) == counts[0]


def test_a_run_is_read_while_its_writer_begins_the_next_write(
    second: tuple[qddot.Run, Path], arm: qddot.Robot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A reader that has read a mark finds newer files than it seals, and looks at the mark again."""
    states = written_in_parts(tmp_path / "run.zarr", arm, monkeypatch, 8)
    path, later, read, rows = states[3], states[4], SoundStore.numbers, list[list[int]]()

    def overtaken(self: SoundStore, key: str) -> list[int]:
        row = read(self, key)
        rows.append(row)
        if len(rows) == 2:  # the first is read for the number of samples
            shutil.copytree(later, path, dirs_exist_ok=True)
        return row

    monkeypatch.setattr(SoundStore, "numbers", overtaken)
    left = Run.load(path)
    assert left.notes == second[0].notes and np.isfinite(left.q).all()


def test_a_store_of_another_layout_is_named(tenth: Path, tmp_path: Path) -> None:
    path = tmp_path / "run.zarr"
    shutil.copytree(tenth, path)
    stores.note(run_store.RUNS.opened(path, "r+"), qddot_run=1)
    with refusal(SimulationError, "store-of-another-layout", "1", "2"):
        Run.load(path)
