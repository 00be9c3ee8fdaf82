"""Makes temporary folders for files that are being written, and removes those that killed writers have left.

A writer locks its folder, and the system ends the lock with the process. Only processes on the same kernel are sure to
see a lock, and a network's disk has writers on other machines; so the folder's name tells its kernel. A folder of
another kernel, or on a disk without locks, is removed when it has not changed for a day by the disk's clock.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from secrets import token_hex

try:
    import fcntl
except ImportError:  # Windows, browsers
    fcntl = None  # type: ignore[assignment]

NAME = re.compile(r"\.qddot-([0-9a-f]{8})-[0-9a-f]{16}")
BOOT = Path("/proc/sys/kernel/random/boot_id")  # another one whenever a kernel of Linux starts
DAY = 86_400.0  # seconds


@contextmanager
def folder(beside: Path) -> Iterator[Path]:
    """Yields a new folder in another, and removes it in the end; those of dead writers are removed first.

    raises OSError: it cannot be made
    """
    place, lock = _made(beside)
    try:
        _clear(beside, place)
        yield place
    finally:
        try:
            _remove(place)
        finally:
            if lock is not None:
                os.close(lock)


def _made(beside: Path) -> tuple[Path, int | None]:
    """Returns a new folder and its lock, None where nothing can be locked."""
    while True:
        place = beside / f".qddot-{_kernel()}-{token_hex(8)}"
        place.mkdir(mode=0o700)
        try:
            return place, _locked(place)
        except (BlockingIOError, FileNotFoundError):
            continue  # somebody who clears took it before it was locked
        except BaseException:
            _remove(place)
            raise


def _remove(place: Path) -> None:
    """Removes a folder, and tries again once if that fails or is interrupted by Ctrl-C."""
    try:
        shutil.rmtree(place)
    except OSError:
        shutil.rmtree(place, ignore_errors=True)
    except BaseException:
        shutil.rmtree(place, ignore_errors=True)
        raise


def _locked(place: Path) -> int | None:
    """Returns a descriptor of a folder that is locked now, None where nothing can be locked.

    raises BlockingIOError: somebody else has locked it; FileNotFoundError: it is gone
    """
    if fcntl is None:
        return None
    handle = os.open(place, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        place.lstat()
    except (BlockingIOError, FileNotFoundError):
        os.close(handle)
        raise
    except OSError:
        os.close(handle)
        return None
    return handle


def _clear(beside: Path, own: Path) -> None:
    """Removes what dead writers have left in a folder; `own` is new in it and knows the time there."""
    with suppress(OSError):
        now = own.stat().st_mtime
        for name in os.listdir(beside):
            if name != own.name and (found := NAME.fullmatch(name)):
                with suppress(OSError):
                    _remove_dead(beside / name, found[1] == _kernel(), now)


def _remove_dead(place: Path, is_near: bool, now: float) -> None:
    """Removes a folder of the user's own whose writer is dead. raises OSError: it lives, or somebody else removes it"""
    if hasattr(os, "geteuid") and place.lstat().st_uid != os.geteuid():
        return
    lock = _locked(place)
    try:
        if (is_near and lock is not None) or now - _changed(place) > DAY:
            shutil.rmtree(place)
    finally:
        if lock is not None:
            os.close(lock)


def _changed(place: Path) -> float:
    """Returns when a folder or something in it was last changed."""
    return max(path.lstat().st_mtime for path in (place, *place.rglob("*")))


@cache
def _kernel() -> str:
    """Returns eight digits that identify the running kernel, or the machine where the kernel has no identifier."""
    try:
        name = BOOT.read_text()
    except OSError:
        name = os.uname().nodename if hasattr(os, "uname") else os.environ.get("COMPUTERNAME", "")
    return hashlib.sha256(name.encode()).hexdigest()[:8]
