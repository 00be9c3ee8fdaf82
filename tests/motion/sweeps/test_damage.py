"""What is damaged in a sweep's store is never read as numbers: it is named, and a sweep that goes on runs it again."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import google_crc32c
import numpy as np
import pytest
from refusals import refusal
from short_sweeps import SHORT, digest, sweep
from spoiling import SPOILT, spoil

import qddot
from qddot.apps.cli import main
from qddot.base.system import stores
from qddot.motion.sweeps import answering, chunks, store

KEPT: dict[str, Any] = {
    **SHORT,
    "duration": 0.1,
    "draws": 44,
    "reduce": ["final", "quantiles"],
}
FIXED = ("time", "q_edges", "qd_edges")  # arrays that belong to no chunk
# every kind of file spoilt in every way, and one file of each array, and of its metadata, changed
CASES = [(way, f) for way in SPOILT for f in ("q_final/c/1/0", "finished/c/0/1", "q_edges/c/0/0/0", "status/zarr.json")]
ARRAYS = ("finished", "status", "stop_time", "value_q0_q1", "value_m2", "q_final", "qd_final", "q_counts", "q_ends")
CHANGED = [
    *(f"{name}/c/1" if name != "finished" else "finished/c/0/1" for name in ARRAYS),
    "time/c/0",
    "qd_edges/c/0/0/0",
    *(f"{name}/zarr.json" for name in FIXED),
]
CHANGED += [f"{name}/zarr.json" for name in ARRAYS]


@pytest.fixture(scope="module")
def whole(two_link: qddot.Robot, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of three chunks."""
    path = tmp_path_factory.mktemp("sweep") / "whole.zarr"
    sweep(two_link, options=qddot.Options(record_every=5, store=path), **KEPT)
    return path


@pytest.fixture(scope="module")
def unharmed(whole: Path) -> Any:
    return qddot.load_sweep(whole)


def spoilt(whole: Path, path: Path, file: str, way: str) -> Path:
    """Copies a store and spoils the one file at a path of the copy, or below it; returns the file's name."""
    shutil.copytree(whole, path)
    (target,) = [each for each in (path / file, *(path / file).rglob("*")) if each.is_file()]
    spoil(target, way)
    return target.relative_to(path)


def test_every_array_is_among_the_cases(whole: Path) -> None:
    arrays = {each.parent.name for each in whole.glob("*/zarr.json")}
    assert arrays == {*ARRAYS, *FIXED, "qd_counts", "qd_ends"}


@pytest.mark.parametrize(("way", "file"), [*CASES, *(("changed", file) for file in CHANGED)])
def test_a_damaged_file_is_named_and_its_runs_are_left_out(
    way: str, file: str, whole: Path, unharmed: Any, tmp_path: Path
) -> None:
    path = tmp_path / "s.zarr"
    name = spoilt(whole, path, file, way)
    if name.name == "zarr.json":
        with pytest.raises(qddot.QddotError, match=f"{name} is damaged: "):
            qddot.load_sweep(path)
        return
    left = qddot.load_sweep(path)
    there, notes = left.status.values == 0, left.attrs["notes"]
    if (way, name.parts[0]) == ("lost", "finished"):
        assert notes == []  # a chunk without its mark counts as unfinished, not as damaged
        return
    assert f"{name}: " in notes[0] and "qddot.sweep with the same arguments and store repairs this" in notes[0]
    assert there.tolist() == [name.parts[0] in FIXED or not 16 <= k < 32 for k in range(44)]
    assert np.array_equal(left.q_final[there], unharmed.q_final[there])
    assert np.isnan(left.q_final[~there]).all()


@pytest.mark.parametrize(("way", "file"), [*CASES[::3], *(("changed", file) for file in CHANGED[::2])])
def test_a_sweep_that_goes_on_runs_again_what_is_damaged(
    way: str, file: str, whole: Path, two_link: qddot.Robot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It ends with the bytes of an undisturbed sweep."""
    run, path, done = chunks.Engine.chunk, tmp_path / "s.zarr", list[int]()

    def counted(self: chunks.Engine, k: int, *given_up: Any) -> Any:
        done.extend([] if "pilot" in self.job.facts else [k])
        return run(self, k, *given_up)

    monkeypatch.setattr(chunks.Engine, "chunk", counted)
    name = spoilt(whole, path, file, way)
    if way == "a folder":
        with pytest.raises(qddot.QddotError, match=f"{name} is (a folder|damaged).*move (the folder|it) away"):
            sweep(two_link, options=qddot.Options(record_every=5, store=path), **KEPT)
        return
    notes = sweep(two_link, options=qddot.Options(record_every=5, store=path), **KEPT).attrs["notes"]
    assert digest(path) == digest(whole)
    if name.name == "zarr.json" or name.parts[0] in FIXED:
        assert done == [] and notes[0].startswith(f"damaged and written again: {name}: ")
    else:
        told = [] if (way, name.parts[0]) == ("lost", "finished") else [f"damaged and run again: runs 16 to 31, {name}"]
        assert done == [1] and [note.rpartition(": ")[0] for note in notes] == told


def test_several_damaged_chunks_are_run_again_at_once(whole: Path, two_link: qddot.Robot, tmp_path: Path) -> None:
    path = tmp_path / "s.zarr"
    shutil.copytree(whole, path)
    for k in range(3):
        spoil(path / "q_final" / "c" / str(k) / "0", "changed")
    shutil.rmtree(path / "time")
    assert (sweep(two_link, options=qddot.Options(record_every=5, store=path), **KEPT).status == 0).all()
    assert digest(path) == digest(whole)


@pytest.mark.parametrize("way", SPOILT)
def test_what_does_not_say_what_it_is_is_refused_and_stays(
    way: str, whole: Path, two_link: qddot.Robot, tmp_path: Path
) -> None:
    path = tmp_path / "s.zarr"
    shutil.copytree(whole, path)
    spoil(path / "zarr.json", way)
    for call in (
        qddot.load_sweep,
        lambda path: sweep(two_link, options=qddot.Options(record_every=5, store=path), **KEPT),
    ):
        with refusal(qddot.QddotError, "no-store-or-damaged", "zarr.json"):
            call(path)
    assert len(list(path.rglob("*"))) >= len(list(whole.rglob("*"))) - 1


def test_an_attribute_that_was_changed_is_no_fact(whole: Path, tmp_path: Path) -> None:
    path = tmp_path / "s.zarr"
    shutil.copytree(whole, path)
    about = path / "zarr.json"
    about.write_text(about.read_text().replace('"rad"', '"deg"'))
    with refusal(qddot.QddotError, "store-attributes-damaged"):
        qddot.load_sweep(path)


def test_a_large_store_is_read_when_it_is_asked_for(
    whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Then a file whose size is right and whose content is not is an error that names it."""
    monkeypatch.setattr(stores, "SMALL", 100)
    path = tmp_path / "s.zarr"
    shutil.copytree(whole, path)
    spoil(path / "q_final" / "c" / "1" / "0", "changed")
    spoil(path / "qd_final" / "c" / "2" / "0", "cut short")
    left = qddot.load_sweep(path)
    assert "runs 32 to 43, qd_final/c/2/0: its checksum does not match" in left.attrs["notes"][0]
    assert np.isfinite(left.q_final[:16]).all() and np.isnan(left.q_final[32:]).all()
    with refusal(qddot.QddotError, "file-damaged", "checksum-differs"):
        left.q_final[16:32].load()


@pytest.mark.parametrize("file", ["finished/c/0/1", "q_edges/c/0/0/0"])
def test_damage_in_a_large_store_is_a_note(
    file: str, whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not all files of a large store are read in full when it is opened, but marks and arrays of no chunk are."""
    name = spoilt(whole, tmp_path / "s.zarr", file, "changed")
    monkeypatch.setattr(stores, "SMALL", 0)
    (note,) = qddot.load_sweep(tmp_path / "s.zarr").attrs["notes"]
    assert f"{name}: its checksum does not match" in note


def test_xarray_alone_does_not_read_what_was_changed(whole: Path, tmp_path: Path) -> None:
    import xarray as xr

    path = tmp_path / "s.zarr"
    shutil.copytree(whole, path)
    spoil(path / "q_final" / "c" / "1" / "0", "changed")
    data = xr.open_zarr(path, chunks=None, consolidated=False)
    with pytest.raises(ValueError, match="checksum do not match"):
        data.q_final.load()


def test_the_command_says_what_was_damaged(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "plan.toml").write_text(
        'q0 = [{ uniform = [-1, 1] }, 0]\nduration = 0.1\nstep = 0.01\ndraws = 40\nchunk = 16\nstore = "s.zarr"\n'
        "[values]\nm1 = 1.0\nl = 1.0\nm2 = 2.0\n"
    )
    asked, lost = (
        ["sweep", "two_link", str(tmp_path / "plan.toml"), "--json"],
        tmp_path / "s.zarr" / "status" / "c" / "1",
    )
    assert main(asked) == 0 and json.loads(capsys.readouterr().out)["notes"] == []
    lost.unlink()
    assert main([*asked, "--status"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["runs_finished"] == 24 and "runs 16 to 31, status/c/1: it is missing" in told["notes"][0]
    assert main(asked) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["runs_finished"] == 40 and told["notes"] == [
        "damaged and run again: runs 16 to 31, status/c/1: it is missing"
    ]
    assert answering.stored_results(tmp_path / "s.zarr")[1]["notes"] == []


MOVED = (*(name for name in ARRAYS if name not in ("status", "stop_time")), "qd_counts", "qd_ends")  # not all alike
DIVIDED = sorted(name for name in (*ARRAYS, "qd_counts", "qd_ends") if name != "finished")


def chunk_of(store: Path, name: str, k: int) -> Path:
    """The file of an array for a chunk of runs."""
    dims = json.loads((store / name / "zarr.json").read_text())["dimension_names"]
    return store / name / "c" / "/".join(str(k if dim in ("run", "chunk") else 0) for dim in dims)


@pytest.mark.parametrize("names", [*((name,) for name in MOVED), MOVED], ids="+".join)
@pytest.mark.parametrize("source", ["another chunk", "another sweep"])
def test_a_chunk_is_not_taken_for_another(
    names: tuple[str, ...], source: str, whole: Path, two_link: qddot.Robot, tmp_path: Path
) -> None:
    """Each file alone, and all of a chunk: their own checksums match wherever they lie."""
    path, other = tmp_path / "s.zarr", tmp_path / "other.zarr"
    shutil.copytree(whole, path)
    if source == "another sweep":
        sweep(two_link, options=qddot.Options(record_every=5, store=other), **{**KEPT, "seed": 9})
    for name in names:
        mine = chunk_of(path, name, 1)
        there = chunk_of(path, name, 0) if source == "another chunk" else chunk_of(other, name, 1)
        assert mine.read_bytes() != there.read_bytes()
        shutil.copy(there, mine)
    # a mark that was moved fits no file, of which the first is named
    named = chunk_of(path, DIVIDED[0] if "finished" in names else names[0], 1).relative_to(path)
    left = qddot.load_sweep(path)
    says = f"runs 16 to 31, {named}: it does not fit its seal: one of them is that of another array, chunk or sweep"
    assert says in left.attrs["notes"][0]
    assert np.isnan(left.q_final[16:32]).all()
    sweep(two_link, options=qddot.Options(record_every=5, store=path), **KEPT)
    assert digest(path) == digest(whole)


def test_an_array_is_not_taken_for_another(whole: Path, tmp_path: Path) -> None:
    """Two files that are swapped in one chunk have the same shapes and right checksums."""
    path = tmp_path / "s.zarr"
    shutil.copytree(whole, path)
    files = [chunk_of(path, name, 1) for name in ("q_final", "qd_final")]
    for target, content in zip(files, [file.read_bytes() for file in reversed(files)], strict=True):
        target.write_bytes(content)
    left = qddot.load_sweep(path)
    assert "runs 16 to 31, q_final/c/1/0: it does not fit its seal" in left.attrs["notes"][0]
    assert np.isnan(left.q_final[16:32]).all() and np.isfinite(left.q_final[:16]).all()


def test_an_array_that_somebody_adds_is_left_alone(whole: Path, unharmed: Any, tmp_path: Path) -> None:
    path = tmp_path / "s.zarr"
    shutil.copytree(whole, path)
    stores.add(store.SWEEPS.opened(path, "r+"), "mine", (44,), (16,), ("run",))
    left = qddot.load_sweep(path)
    assert left.attrs["notes"] == [] and left.equals(unharmed)


def test_a_store_of_another_layout_is_named(whole: Path, two_link: qddot.Robot, tmp_path: Path) -> None:
    path = tmp_path / "s.zarr"
    shutil.copytree(whole, path)
    stores.note(store.SWEEPS.opened(path, "r+"), qddot_sweep=1)
    for call in (
        qddot.load_sweep,
        lambda path: sweep(two_link, options=qddot.Options(record_every=5, store=path), **KEPT),
    ):
        with refusal(qddot.QddotError, "store-of-another-layout", "1", "2"):
            call(path)


@pytest.mark.parametrize("name", FIXED)
def test_arrays_of_no_chunk_are_those_of_this_sweep(name: str, whole: Path, tmp_path: Path) -> None:
    """Another file with a checksum of its own, as another sweep has."""
    path = tmp_path / "s.zarr"
    shutil.copytree(whole, path)
    (mine,) = [each for each in (path / name / "c").rglob("*") if each.is_file()]
    content = bytes([mine.read_bytes()[0] ^ 1]) + mine.read_bytes()[1:-4]
    mine.write_bytes(content + google_crc32c.value(content).to_bytes(4, "little"))
    assert (
        f"{mine.relative_to(path)}: it does not fit its seal: one of them is that of another"
        in qddot.load_sweep(path).attrs["notes"][0]
    )
