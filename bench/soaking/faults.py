"""Faults planted at writes: the old file is whole or the new one is, nothing temporary stays, and a next call works."""

from __future__ import annotations

import builtins
import contextlib
import errno
import io
import os
import random
import resource
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import qddot
from qddot.apps import cli
from soaking.trial import Finding, Kind

PATCHED: list[tuple[Any, str]] = [
    (os, "open"), (os, "write"), (os, "replace"), (os, "rename"), (os, "fsync"), (os, "fdopen"), (os, "close"),
    (os, "link"), (tempfile, "mkstemp"), (tempfile, "NamedTemporaryFile"), (builtins, "open"), (io, "open"),
    (Path, "write_text"), (Path, "write_bytes"), (Path, "open"), (Path, "mkdir"), (os, "chmod"), (os, "fchmod"),
]  # fmt: skip
ERRORS: list[Callable[[], BaseException]] = [
    lambda: OSError(errno.ENOSPC, "No space left on device"),
    lambda: OSError(errno.EIO, "Input/output error"),
    lambda: PermissionError(errno.EACCES, "Permission denied"),
    lambda: MemoryError(),
    lambda: KeyboardInterrupt(),
]


@dataclass(frozen=True)
class Writer:
    """One way of writing; `target` is the file that is looked at, `whole` whether its content is whole."""

    target: str
    write: Callable[[Path, int], Any]
    whole: Callable[[Path, bytes], bool] = lambda path, new: path.read_bytes() == new


@cache
def arm() -> Any:
    return qddot.load("two_link")


@cache
def run(variant: int) -> Any:
    return arm().simulate([0.3, variant], duration=0.1, step=0.01)


def _converted(path: Path, name: str) -> None:
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()) as said:
        code = cli.main(["convert", name, "--to", "dh", "-o", str(path)])
    if code == 2:
        raise qddot.QddotError(said.getvalue())
    if code == 130:
        raise KeyboardInterrupt


def _readable_run(path: Path, _: bytes) -> bool:
    return bool(qddot.Run.load(path).data.sizes["time"] == 11)


def _ended(path: Path, new: bytes) -> bool:
    return abs(len(path.read_bytes()) - len(new)) < 64  # dates


def _with_mass(variant: int) -> Any:
    return arm().with_values(m2=1 + variant)


WRITERS: dict[str, Writer] = {
    "run.nc": Writer("x.nc", lambda p, k: run(k).save(p / "x.nc"), _readable_run),
    "run.csv": Writer("x.csv", lambda p, k: run(k).save(p / "x.csv")),
    "equations": Writer("x.json", lambda p, k: _with_mass(k).equations().save(p / "x.json")),
    "export c": Writer("two_link.c", lambda p, k: _with_mass(k).export("c", folder=p)),
    "export python": Writer("two_link.py", lambda p, k: _with_mass(k).export("python", folder=p)),
    "convert": Writer("x.toml", lambda p, k: _converted(p / "x.toml", ["two_link", "planar_2r"][k])),
    "plot png": Writer("x.png", lambda p, k: _plotted(p / "x.png", k), _ended),
    "plot pdf": Writer("x.pdf", lambda p, k: _plotted(p / "x.pdf", k), _ended),
    "plot svg": Writer("x.svg", lambda p, k: _plotted(p / "x.svg", k), _ended),
    "movie gif": Writer("x.gif", lambda p, k: run(k).movie(p / "x.gif", size=(64, 64))),
    "movie mp4": Writer("x.mp4", lambda p, k: run(k).movie(p / "x.mp4", size=(64, 64)), _ended),
}  # fmt: skip


def _plotted(path: Path, variant: int) -> None:
    from qddot.papers.draw import plot

    plot.save(run(variant).plot(), path)


def trial(seed: int) -> Iterator[Finding]:
    r = random.Random(seed)
    name = r.choice(sorted(WRITERS))
    yield from faulted(name, WRITERS[name], r)


def faulted(name: str, writer: Writer, r: random.Random) -> Iterator[Finding]:
    place, other = Path("place"), Path("other")
    for folder in (place, other):
        folder.mkdir()
    writer.write(other, 1)
    new = (other / writer.target).read_bytes()
    writer.write(place, 0)
    old, names = (place / writer.target).read_bytes(), {path.name for path in place.iterdir()}
    fault = r.choice([full_disk, at_a_call, at_a_call])(r, max(len(new), 2))
    error: BaseException | None = None
    with fault as during:
        try:
            writer.write(place, 1)
        except BaseException as caught:
            error = caught
    where = f"{name}, {during.what}"
    allowed = qddot.QddotError, MemoryError, KeyboardInterrupt
    if error is not None and not isinstance(error, allowed):
        yield Finding.of(error, f"{name}, {during.kind}")
    extra = {path.name for path in place.iterdir()} - names
    if extra:
        yield Finding(f"{name}: leaves a temporary file", f"{where} leaves {sorted(extra)}")
    target = place / writer.target
    if not target.exists():
        yield Finding(f"{name}: the file is gone", where)
    elif target.read_bytes() != old and not is_whole(writer, target, new):
        yield Finding(f"{name}: a torn file", f"{where}: {target.stat().st_size} bytes of {len(new)}, error {error!r}")
    elif error is None and during.struck and target.read_bytes() == old and old != new:
        yield Finding(f"{name}: not written, not said", where)
    again = Path("again")
    again.mkdir()
    try:
        writer.write(again, 1)
        if not is_whole(writer, again / writer.target, new):
            yield Finding(f"{name}: torn afterwards", f"{where}, then saved elsewhere")
    except Exception as caught:
        yield Finding.of(caught, f"{name}, saved elsewhere after {during.kind}")


def is_whole(writer: Writer, path: Path, new: bytes) -> bool:
    try:
        return writer.whole(path, new)
    except (qddot.QddotError, OSError):
        return False


@dataclass
class Fault:
    """What is planted, and whether it has struck."""

    kind: str
    what: str
    struck: bool = False


@contextlib.contextmanager
def full_disk(r: random.Random, size: int) -> Iterator[Fault]:
    """No file may grow beyond a random size."""
    most = r.choice([0, r.randrange(size), r.randrange(size), size - 1])
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, resource.RLIM_INFINITY))
    try:
        yield Fault("a full disk", f"a full disk after {most} bytes")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))


@contextlib.contextmanager
def at_a_call(r: random.Random, _: int) -> Iterator[Fault]:
    """The k-th call of one function raises."""
    (owner, name), make, k = r.choice(PATCHED), r.choice(ERRORS), r.choice([1, 1, 1, 2, 2, 3, 4, 6])
    true = getattr(owner, name)
    shown = f"{make()!r} at call {k} of {getattr(owner, '__name__', owner)}.{name}"
    fault, calls = Fault(f"{type(make()).__name__} at {name}", shown), 0

    def planted(*given: Any, **named: Any) -> Any:
        nonlocal calls
        if named.get("mode", given[1] if len(given) > 1 else "r") in ("r", "rb", os.O_RDONLY) and name == "open":
            return true(*given, **named)
        calls += 1
        if calls == k:
            fault.struck = True
            if name == "close":
                true(*given, **named)
            raise make()
        return true(*given, **named)

    setattr(owner, name, planted)
    try:
        yield fault
    finally:
        setattr(owner, name, true)


KIND = Kind("faults", trial, seconds=40)
