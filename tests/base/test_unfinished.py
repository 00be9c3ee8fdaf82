"""A writer removes what a killed one has left at the same place, and never what a living one writes."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import qddot
from qddot.base.system import files, unfinished
from qddot.machine.compilers import cache

locking = pytest.mark.skipif(unfinished.fcntl is None, reason="locks of POSIX")
ELSEWHERE = ".qddot-00000000-0123456789abcdef"  # as on another machine
KILLED = "import os, signal, sys; from pathlib import Path\nkill = lambda *_: os.kill(os.getpid(), signal.SIGKILL)\n"
MOVED: dict[str, Any] = {"q0": [0.1, 0.2], "duration": 0.02, "step": 0.01}
VALUES = {"m1": 1.0, "m2": 1.0, "l": 1.0}


def left(folder: Path) -> list[str]:
    return [path.name for path in folder.rglob(".*")]


def saved() -> None:
    qddot.load("two_link").equations().save("equations.json")


def kept() -> None:
    cache.write("0" * 64 + ".o", b"code")


def simulated() -> None:
    qddot.load("two_link").simulate(options=qddot.Options(store="run.zarr", overwrite=True), **MOVED, **VALUES)


def swept() -> None:
    arm, own = qddot.load("two_link").with_values(m1=1.0, l=1.0), qddot.Options(store="swept.zarr", overwrite=True)
    qddot.sweep(arm, qddot.Motion(**MOVED), draws=4, options=own, m2=qddot.uniform(1, 2))


@locking
@pytest.mark.parametrize(
    ("save", "moment"),
    [
        (saved, "os.replace = kill"),
        (kept, "os.replace = kill"),
        (simulated, "from qddot.motion.simulate.runs import run_store; run_store.Writer._fill = kill"),
        (simulated, "from qddot.base.system import stores; stores.Path.rename = kill"),
        (swept, "from qddot.motion.sweeps import store; store._created = kill"),
    ],
)
def test_the_next_writer_removes_what_a_killed_one_has_left(
    save: Callable[[], None], moment: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("QDDOT_CACHE", str(tmp_path if save is kept else tmp_path / "cache"))
    script = f"{KILLED}import qddot, test_unfinished; {moment}; test_unfinished.{save.__name__}()"
    paths = os.pathsep.join(map(os.path.abspath, [Path(__file__).parent, *sys.path]))
    ended = subprocess.run([sys.executable, "-c", script], env={**os.environ, "PYTHONPATH": paths}, timeout=100)
    assert ended.returncode == -signal.SIGKILL
    assert len(left(tmp_path)) == 1
    save()
    assert left(tmp_path) == []


WAITING = """
import sys; from pathlib import Path; from qddot.base.system import files
def content(file):
    file.write(b"whole"); print("begun", flush=True); sys.stdin.read()
files.write({Path(sys.argv[1], "slow"): content})
"""


@locking
def test_what_a_living_process_writes_stays(tmp_path: Path) -> None:
    command = [sys.executable, "-c", WAITING, str(tmp_path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as slow:
        assert slow.stdout and slow.stdout.readline() == "begun\n"
        (own,) = left(tmp_path)
        os.utime(tmp_path / own, (0, 0))  # however long ago it was begun
        files.write({tmp_path / "quick": b""})
        assert left(tmp_path) == [own]
        slow.communicate()
    assert slow.returncode == 0
    assert (tmp_path / "slow").read_bytes() == b"whole" and left(tmp_path) == []


def test_what_the_same_process_writes_meanwhile_stays(tmp_path: Path) -> None:
    def content(file: Any) -> None:
        files.write({tmp_path / "inner": b"1"})
        file.write(b"2")

    files.write({tmp_path / "outer": content})
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"inner": b"1", "outer": b"2"}


@pytest.mark.parametrize("why", ["another machine", "no locks"])
def test_where_no_lock_tells_a_day_without_a_change_does(
    why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = ELSEWHERE if why == "another machine" else f".qddot-{unfinished._kernel()}-0123456789abcdef"
    if why == "no locks":

        def flock(*_: object) -> None:
            raise OSError(errno.ENOLCK, "no locks")

        if unfinished.fcntl is not None:
            monkeypatch.setattr(unfinished.fcntl, "flock", flock)
    (tmp_path / name).mkdir()
    (tmp_path / name / "0").write_bytes(b"half")
    os.utime(tmp_path / name, (0, 0))
    files.write({tmp_path / "a": b""})
    assert left(tmp_path) == [name], "somebody may still write its file"
    os.utime(tmp_path / name / "0", (0, 0))
    files.write({tmp_path / "a": b""})
    assert left(tmp_path) == []


@locking
def test_a_folder_that_is_cleared_away_before_it_is_locked_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mkdir, made = Path.mkdir, []

    def unlucky(self: Path, *given: Any, **options: Any) -> None:
        mkdir(self, *given, **options)
        made.append(self.name)
        if len(made) == 1:
            self.rmdir()

    monkeypatch.setattr(Path, "mkdir", unlucky)
    files.write({tmp_path / "a": b"1"})
    assert (tmp_path / "a").read_bytes() == b"1" and len(set(made)) == 2 and left(tmp_path) == []


@pytest.mark.skipif(os.name == "nt", reason="links and pipes of POSIX")
def test_what_only_looks_like_it_stays(tmp_path: Path) -> None:
    (tmp_path / "far").mkdir()
    (tmp_path / "far" / "precious").write_text("mine")
    (tmp_path / ".qddot-notes").mkdir()
    (tmp_path / ELSEWHERE).symlink_to("far")
    (tmp_path / f"{ELSEWHERE[:-1]}0").write_text("a file")
    os.mkfifo(tmp_path / f"{ELSEWHERE[:-1]}1")
    for path in tmp_path.iterdir():
        os.utime(path, (0, 0), follow_symlinks=False)
    before = sorted(left(tmp_path))
    files.write({tmp_path / "a": b""})
    assert sorted(left(tmp_path)) == before and len(before) == 4
    assert (tmp_path / "far" / "precious").read_text() == "mine"


@pytest.mark.skipif(os.name == "nt", reason="owners of POSIX")
def test_what_another_user_has_left_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    theirs = tmp_path / ELSEWHERE
    theirs.mkdir()
    os.utime(theirs, (0, 0))
    with monkeypatch.context() as as_another:
        as_another.setattr(os, "geteuid", lambda: theirs.stat().st_uid + 1)
        files.write({tmp_path / "a": b""})
    assert left(tmp_path) == [ELSEWHERE]
    files.write({tmp_path / "a": b""})
    assert left(tmp_path) == []


@pytest.mark.parametrize("error", [OSError(errno.EIO, "planted"), MemoryError(), KeyboardInterrupt()])
@pytest.mark.parametrize("call", ["open", "close", "rmdir"])
def test_an_error_while_a_folder_is_made_or_removed_leaves_nothing(
    call: str, error: BaseException, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    true, calls = getattr(os, call), []

    def planted(*given: Any, **named: Any) -> Any:
        calls.append(given)
        if call == "close":
            true(*given, **named)
        if len(calls) == 1:
            raise error
        return true(*given, **named) if call != "close" else None

    monkeypatch.setattr(os, call, planted)
    with suppress(OSError, MemoryError, KeyboardInterrupt), unfinished.folder(tmp_path) as place:
        (place / "half").write_bytes(b"half")
    assert calls
    assert left(tmp_path) == []
