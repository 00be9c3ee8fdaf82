"""One trial: a child process of its own, with limits of time and memory, that sends its findings to its parent."""

from __future__ import annotations

import contextlib
import ctypes
import faulthandler
import json
import os
import re
import resource
import selectors
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

TAIL = 12  # lines of a traceback
WAITED = 4  # times the CPU's seconds: the machine may have other work


@dataclass(frozen=True)
class Finding:
    """What a trial found; findings with one key are taken for one defect."""

    key: str
    message: str
    tail: str = ""

    @classmethod
    def of(cls, error: BaseException, during: str = "") -> Finding:
        """An exception that should not have come out, known by its type and by the place that raised it."""
        frames = traceback.extract_tb(error.__traceback__)
        ours = [f for f in frames if "/qddot/" in f.filename] or frames
        place = f"{Path(ours[-1].filename).name}:{ours[-1].name}" if ours else "nowhere"
        lines = "".join(traceback.format_exception(error)).splitlines()
        text = " ".join(str(error).split())[:300]
        head = f"{during}: " if during else ""
        return cls(
            f"{head}{type(error).__name__} in {place}",
            f"{head}{type(error).__name__}: {text}",
            "\n".join(lines[-TAIL:]),
        )


@dataclass(frozen=True)
class Kind:
    """A kind of trials: what one does with its seed, in a folder of its own, and what it may use."""

    name: str
    trial: Callable[[int], Iterable[Finding]]
    seconds: float = 60.0
    memory: int = 8 << 30


@dataclass(frozen=True)
class Outcome:
    kind: str
    seed: int
    findings: tuple[Finding, ...]
    wall: float
    cpu: float


@dataclass
class Running:
    kind: Kind
    seed: int
    pid: int
    pipe: int
    folder: Path
    kept: bool
    started: float
    said: bytes = b""


class Pool:
    """The children that are at work; on leaving, none is left."""

    def __init__(self) -> None:
        self.running: dict[int, Running] = {}
        self.ready = selectors.DefaultSelector()

    def __enter__(self) -> Pool:
        return self

    def __exit__(self, *_: object) -> None:
        for child in list(self.running.values()):
            self._end(child)

    def start(self, kind: Kind, seed: int, folder: Path | None = None) -> None:
        """Begin one trial, in a folder that is made and removed, or in one that is kept."""
        place = folder or Path(tempfile.mkdtemp(prefix="soak-"))
        reading, writing = os.pipe()
        sys.stdout.flush()
        sys.stderr.flush()
        pid = os.fork()
        if not pid:
            os.close(reading)
            _child(kind, seed, place, writing)
        os.close(writing)
        child = Running(kind, seed, pid, reading, place, folder is not None, time.monotonic())
        self.running[reading] = child
        self.ready.register(reading, selectors.EVENT_READ)

    def outcomes(self, wait: float) -> Iterator[Outcome]:
        """Trials that ended within the next `wait` seconds."""
        for key, _ in self.ready.select(wait):
            child = self.running[key.fd]
            said = os.read(child.pipe, 1 << 20)
            child.said += said
            if not said:
                yield self._end(child)
        for child in list(self.running.values()):
            if time.monotonic() - child.started > WAITED * child.kind.seconds:
                yield self._end(child, late=True)

    def _end(self, child: Running, late: bool = False) -> Outcome:
        wall = time.monotonic() - child.started
        # the process group: what a trial started goes, too
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(child.pid, signal.SIGKILL)
        _, status, used = os.wait4(child.pid, 0)
        self.ready.unregister(child.pipe)
        os.close(child.pipe)
        del self.running[child.pipe]
        findings = _received(child, status, late)
        if not child.kept:
            shutil.rmtree(child.folder, ignore_errors=True)
        return Outcome(child.kind.name, child.seed, findings, wall, used.ru_utime + used.ru_stime)


def _received(child: Running, status: int, late: bool) -> tuple[Finding, ...]:
    if late or (os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGXCPU):
        stack = _stacks(child)
        place = re.search(r'/qddot/(.*?)", line \d+ in (\w+)', stack)
        where = f"{place[1]}:{place[2]}" if place else "nowhere"
        return (Finding(f"too slow in {where}", f"took more than {child.kind.seconds:g} s", stack),)
    with contextlib.suppress(ValueError):
        found = tuple(Finding(**each) for each in json.loads(child.said))
        if os.WIFSIGNALED(status):
            found += (Finding("dies at its end", f"signal {os.WTERMSIG(status)} at the process's end", _stacks(child)),)
        return found
    how = f"signal {os.WTERMSIG(status)}" if os.WIFSIGNALED(status) else f"code {os.WEXITSTATUS(status)}"
    return (Finding(f"died with {how}", f"the process died with {how}", _stacks(child)),)


def _stacks(child: Running) -> str:
    """What faulthandler wrote when the time was nearly over, or at the process's death."""
    with contextlib.suppress(OSError):
        return "\n".join((child.folder / ".stacks").read_text().splitlines()[:TAIL])
    return ""


def _child(kind: Kind, seed: int, folder: Path, pipe: int) -> None:
    """The trial itself, which never returns."""
    try:
        os.setsid()
        os.chdir(folder)
        os.environ["QDDOT_CACHE"] = str(folder / ".cache")
        resource.setrlimit(resource.RLIMIT_AS, (kind.memory, kind.memory))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        stacks = open(folder / ".stacks", "w")  # noqa: SIM115
        said = os.open(folder / ".said", os.O_WRONLY | os.O_CREAT, 0o600)
        os.dup2(said, 1)
        os.dup2(said, 2)
        faulthandler.enable(stacks)
        faulthandler.register(signal.SIGXCPU, stacks, chain=True)
        faulthandler.dump_traceback_later(0.9 * WAITED * kind.seconds, file=stacks)
        limit = int(kind.seconds)
        resource.setrlimit(resource.RLIMIT_CPU, (limit + int(time.process_time()), resource.RLIM_INFINITY))
        findings = findings_of(kind, seed)
        message = json.dumps([asdict(each) for each in findings]).encode()
        while message:
            message = message[os.write(pipe, message) :]
        ctypes.CDLL(None).exit(0)  # as a process ends: libraries in C may fail there
    finally:
        os._exit(1)


def findings_of(kind: Kind, seed: int) -> list[Finding]:
    """What one trial finds, in this process and in its current folder; an exception is a finding."""
    try:
        return list(kind.trial(seed))
    except Exception as error:
        return [Finding.of(error)]


def run_alone(kind: Kind, seed: int, folder: Path) -> tuple[Finding, ...]:
    """One trial in a folder that is kept."""
    with Pool() as pool:
        pool.start(kind, seed, folder)
        while True:
            for outcome in pool.outcomes(0.2):
                return outcome.findings
