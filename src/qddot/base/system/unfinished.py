"""Makes temporary folders for files that are being written, and removes those that killed writers have left.

A writer locks its folder, and the system ends the lock with the process. Only processes on the same kernel are sure to
see a lock, and a network drive has writers on other machines, so the folder's name identifies its kernel. A folder of
another kernel, or on a disk without locks, is removed when it has not changed for a day by the disk's clock.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from pathlib import Path
from secrets import token_hex

try:
    import fcntl
except ImportError:  # Windows, browsers
    fcntl = None  # type: ignore[assignment]

NAME = re.compile(r"\.qddot-([0-9a-f]{8})-[0-9a-f]{16}")
BOOT = Path("/proc/sys/kernel/random/boot_id")  # Linux writes a new identifier at each boot
DAY = 86_400.0  # seconds


@contextmanager
def folder(beside: Path) -> Iterator[Path]:
    """Yields a new folder within another, and removes it at the end; folders of dead writers are removed first.

    raises OSError: it cannot be created
    """
    with ExitStack() as lock:
        place = _new_folder(beside, lock)
        try:
            _remove_leftovers(beside, place)
            yield place
        finally:
            _remove(place)


def _new_folder(beside: Path, lock: ExitStack) -> Path:
    """Returns a new folder that is locked."""
    while True:
        place = beside / f".qddot-{_kernel()}-{token_hex(8)}"
        place.mkdir(mode=0o700)
        try:
            lock.enter_context(locked(place))
            return place
        except (BlockingIOError, FileNotFoundError):
            continue  # another process that was cleaning up locked it first
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


@contextmanager
def locked(place: Path) -> Iterator[bool]:
    """Locks a folder; yields whether it could, which is false on systems and disks without locks.

    raises BlockingIOError: another process has locked it; FileNotFoundError: it is gone, or another is in its place
    """
    if fcntl is None:
        yield False
        return
    handle = os.open(place, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        yield _is_locked(handle, place)
    finally:
        os.close(handle)


def _is_locked(handle: int, place: Path) -> bool:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise
    except OSError:
        return False
    if not os.path.samestat(os.fstat(handle), place.lstat()):
        raise FileNotFoundError
    return True


def _remove_leftovers(beside: Path, own: Path) -> None:
    """Removes what dead writers have left in a folder; `own` was just made in it, so its time is the disk's clock."""
    with suppress(OSError):
        now = own.stat().st_mtime
        for name in os.listdir(beside):
            if name != own.name and (match := NAME.fullmatch(name)):
                with suppress(OSError):
                    _remove_dead(beside / name, match[1] == _kernel(), now)


def _remove_dead(place: Path, is_near: bool, now: float) -> None:
    """Removes this user's folder if its writer is dead.

    is_near: whether the writer ran on this kernel
    raises OSError: the writer lives, or another process is removing the folder
    """
    if hasattr(os, "geteuid") and place.lstat().st_uid != os.geteuid():
        return
    with locked(place) as is_locked:
        if (is_near and is_locked) or now - _last_change(place) > DAY:
            shutil.rmtree(place)


def _last_change(place: Path) -> float:
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
