"""Machine code is taken only from the user: folders and files of others are ignored, with a warning."""

from __future__ import annotations

import os
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import pytest

from qddot.machine.compilers import cache

pytestmark = pytest.mark.skipif(os.name == "nt", reason="owners, modes and pipes of POSIX")
KEY = "0" * 64 + ".o"
NOBODY = 65534


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache with one entry."""
    place = tmp_path / "cache"
    monkeypatch.setenv("QDDOT_CACHE", str(place))
    cache.write(KEY, b"code")
    assert cache.read(KEY) == b"code"
    return place


def test_the_folder_that_is_made_is_closed_to_others(folder: Path) -> None:
    assert folder.stat().st_mode & 0o777 == 0o700
    assert (folder / KEY).stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("mode", [0o770, 0o707, 0o1777])
def test_a_folder_that_others_can_write_is_neither_read_nor_written(mode: int, folder: Path) -> None:
    folder.chmod(mode)
    with pytest.warns(UserWarning, match=r"cache '.*cache' is not used: it is not yours, or others .*chmod go-w"):
        assert cache.read(KEY) is None
    with warnings.catch_warnings(record=True) as said:
        cache.write("1" * 64 + ".o", b"more")
        assert cache.read(KEY) is None
    assert not said, "said once"
    assert {*os.listdir(folder)} == {KEY, cache.UNFINISHED}
    folder.chmod(0o700)
    assert cache.read(KEY) == b"code"


@pytest.mark.parametrize("mode", [0o660, 0o606])
def test_a_file_that_others_can_write_is_made_again(mode: int, folder: Path) -> None:
    (folder / KEY).chmod(mode)
    with pytest.warns(UserWarning, match="others can write it"):
        assert cache.read(KEY) is None
    cache.write(KEY, b"code")
    assert cache.read(KEY) == b"code"


@pytest.mark.parametrize("part", ["folder", "file"])
def test_what_belongs_to_another_user_is_not_used(part: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = folder if part == "folder" else folder / KEY
    if os.geteuid() == 0:
        os.chown(place, NOBODY, NOBODY)
    else:
        monkeypatch.setattr(os, "geteuid", lambda: NOBODY)
    with pytest.warns(UserWarning, match="others can write it"):
        assert cache.read(KEY) is None


def test_pipes_links_folders_and_huge_files_are_passed_over(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def entry(make: Any) -> None:
        (folder / KEY).unlink()
        make(folder / KEY)
        cache._say.cache_clear()
        with pytest.warns(UserWarning, match="is not used"):
            assert cache.read(KEY) is None

    entry(os.mkfifo)
    entry(lambda place: place.symlink_to("/dev/zero"))
    entry(lambda place: place.write_bytes(b"0" * 2000) and monkeypatch.setattr(cache, "LARGEST", 1000))
    monkeypatch.undo()
    (folder / KEY).unlink()
    monkeypatch.setenv("QDDOT_CACHE", str(folder))
    (folder / KEY).mkdir()
    cache._say.cache_clear()
    with pytest.warns(UserWarning, match="is not used"):
        assert cache.read(KEY) is None


@pytest.mark.thorough
def test_code_of_another_user_does_not_run(tmp_path: Path) -> None:
    """The object of a heavier arm under this arm's name, in a folder that everybody can write."""

    def M11(folder: Path, **values: float) -> tuple[float, str]:
        code = f"import qddot; print(qddot.load('two_link').with_values(**{values}).mass_matrix([.3, .4])[0, 0])"
        env = {**os.environ, "QDDOT_CACHE": str(folder)}
        ran = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True)
        return float(ran.stdout), ran.stderr

    right, _ = M11(tmp_path / "right")
    heavy, _ = M11(tmp_path / "heavy", m1=100.0)
    files = [{path.name: path for path in (tmp_path / name).glob("*.o")} for name in ("right", "heavy")]
    # that of the entry is in both
    ((own,), (other,)) = ([here[name] for name in here.keys() - there] for here, there in (files, files[::-1]))
    content = other.read_bytes()[cache.DIGEST :]
    own.write_bytes(cache._digest(own.name, content) + content)
    assert M11(tmp_path / "right") == (heavy, "")  # the digest alone does not tell
    own.parent.chmod(0o777)
    value, said = M11(tmp_path / "right")
    assert value == right
    assert "others can write it" in said


def test_a_tilde_is_the_users_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("QDDOT_CACHE", "~/code")
    assert cache.folder() == tmp_path / "code"
