"""Files are written whole or not at all, and through no link of another user; only ordinary ones are read."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path
from threading import Barrier, Thread
from typing import Any

import pytest

from qddot.base.system import files

posix = pytest.mark.skipif(os.name == "nt", reason="links, modes and pipes of POSIX")
NOBODY = 65534


@pytest.fixture
def open_mask() -> Any:
    before = os.umask(0o027)
    yield
    os.umask(before)


def test_a_new_file_has_its_content_and_nothing_stays_beside_it(tmp_path: Path) -> None:
    files.write({tmp_path / "a": b"1", tmp_path / "b": "τ", tmp_path / "c": lambda file: file.write(b"3")})
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"a": b"1", "b": "τ".encode(), "c": b"3"}


@posix
def test_permissions_are_those_of_a_plain_open_or_of_the_file_before(tmp_path: Path, open_mask: None) -> None:
    kept = tmp_path / "kept"
    kept.touch(0o604)
    kept.chmod(0o604)
    files.write({tmp_path / "new": b"", kept: b"2"})
    assert [stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("new", "kept")] == [0o640, 0o604]


def test_when_one_of_several_fails_all_stay_as_they_were(tmp_path: Path) -> None:
    def broken(file: Any) -> None:
        file.write(b"half")
        raise KeyboardInterrupt

    (tmp_path / "a").write_text("old")
    with pytest.raises(KeyboardInterrupt):
        files.write({tmp_path / "a": b"new", tmp_path / "b": broken})
    with pytest.raises(OSError, match="directory"):
        files.write({tmp_path / "a": b"new", tmp_path: b"a folder's place"})
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("a", "old")]


@pytest.mark.parametrize("name", ["nul\0", "n" * 300])
def test_a_name_that_cannot_be_is_an_oserror(name: str, tmp_path: Path) -> None:
    with pytest.raises(OSError, match=r"NUL|long"):
        files.write({tmp_path / name: b""})
    assert list(tmp_path.iterdir()) == []


@posix
def test_a_link_of_the_users_own_stays_and_leads_to_the_new_file(tmp_path: Path) -> None:
    (tmp_path / "far").mkdir()
    (tmp_path / "far" / "file").write_text("old")
    (tmp_path / "near").symlink_to("far/file")
    (tmp_path / "nearest").symlink_to("near")
    (tmp_path / "to_nothing").symlink_to("far/new")
    files.write({tmp_path / "nearest": b"new", tmp_path / "to_nothing": b"first"})
    assert (tmp_path / "nearest").is_symlink() and (tmp_path / "near").is_symlink()
    assert sorted((path.name, path.read_text()) for path in (tmp_path / "far").iterdir()) == [
        ("file", "new"),
        ("new", "first"),
    ]


@posix
def test_a_link_of_another_user_is_not_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "precious").write_text("mine")
    (tmp_path / "planted").symlink_to("precious")
    if os.geteuid() == 0:
        os.lchown(tmp_path / "planted", NOBODY, NOBODY)
    else:
        monkeypatch.setattr(os, "geteuid", lambda: NOBODY)
    with pytest.raises(PermissionError, match="another user"):
        files.write({tmp_path / "planted": b"theirs"})
    assert (tmp_path / "precious").read_text() == "mine"


@posix
def test_what_is_no_file_is_neither_written_nor_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "endless").symlink_to("/dev/zero")
    (tmp_path / "round").symlink_to("round")
    for name in ("pipe", "endless", "round", "."):
        with pytest.raises(OSError, match=r"ordinary|irectory|links"):
            files.write({tmp_path / name: b""})
        with pytest.raises(OSError, match=r"ordinary|irectory|links"):
            files.read(tmp_path / name, 100)


@posix
def test_a_file_that_is_protected_from_writing_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a").write_text("old")
    (tmp_path / "a").chmod(0o444)
    if os.geteuid() == 0:  # from whom nothing is protected
        monkeypatch.setattr(os, "access", lambda path, mode: mode != os.W_OK)
    with pytest.raises(PermissionError):
        files.write({tmp_path / "a": b"new"})
    assert (tmp_path / "a").read_text() == "old"


def test_a_file_is_read_up_to_a_size(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"12345")
    assert files.read(tmp_path / "a", 5) == b"12345"
    with pytest.raises(OSError, match="more than 4 bytes"):
        files.read(tmp_path / "a", 4)


@posix
def test_what_is_to_be_the_users_own_is_no_link_and_writable_by_nobody_else(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"1")
    (tmp_path / "a").chmod(0o644)
    (tmp_path / "link").symlink_to("a")
    assert files.read(tmp_path / "a", 9, own=True) == b"1"
    with pytest.raises(OSError, match="links"):
        files.read(tmp_path / "link", 9, own=True)
    for mode in (0o664, 0o646):
        (tmp_path / "a").chmod(mode)
        with pytest.raises(PermissionError):
            files.read(tmp_path / "a", 9, own=True)


def test_of_two_threads_that_write_one_file_one_wins_whole(tmp_path: Path) -> None:
    target, contents = tmp_path / "a", [bytes([k]) * 2_000_000 for k in range(4)]
    start = Barrier(len(contents))

    def write(content: bytes) -> None:
        start.wait()
        files.write({target: lambda file: [file.write(content[k : k + 9999]) for k in range(0, len(content), 9999)]})

    threads = [Thread(target=write, args=(content,)) for content in contents]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert target.read_bytes() in contents
    assert list(tmp_path.iterdir()) == [target]


def test_of_two_processes_that_write_one_file_one_wins_whole(tmp_path: Path) -> None:
    target = tmp_path / "a"
    code = "import sys; from pathlib import Path; from qddot.base.system import files\n" + (
        "for _ in range(20): files.write({Path(sys.argv[1]): sys.argv[2] * 1_000_000})"
    )
    writers = [subprocess.Popen([sys.executable, "-c", code, str(target), letter]) for letter in "ab"]
    while any(writer.poll() is None for writer in writers):
        if target.exists():
            assert target.read_text() in ("a" * 1_000_000, "b" * 1_000_000)
    assert [writer.returncode for writer in writers] == [0, 0]
    assert list(tmp_path.iterdir()) == [target]
