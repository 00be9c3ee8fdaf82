"""This script builds the distributions in a folder and tries them in environments that have nothing else.

    python try_distributions.py FOLDER

It prints a row for each try, with its seconds, those of a processor, and the MB on disk, and a row for each Python
that is not there.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import threading
import time
import zipfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import floors

ROOT = Path(__file__).resolve().parents[2]
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
OLDEST = "3.11"  # whose wheels the oldest versions are
EXTRAS = ("report", "sweep", "sympy")
SPENT = threading.local()  # the seconds that the commands of this thread have taken of a processor
CORE_MB, IMPORT_MS = 60, 40  # what the core may take on disk, and importing it of a processor's time


class Environment:
    """This is a fresh environment of one Python, with what is installed into it."""

    def __init__(self, folder: Path, python: str) -> None:
        self.folder = folder
        run(python, "-m", "venv", "--without-pip", str(folder))
        self.python = str(folder / "bin" / "python")

    def install(self, *what: str) -> None:
        run(
            sys.executable,
            "-m",
            "pip",
            "--python",
            self.python,
            "install",
            "-q",
            "--no-compile",
            "--disable-pip-version-check",
            *what,
        )

    def runs(self, *arguments: str, folder: Path | None = None) -> str:
        return run(self.python, *arguments, folder=folder or self.folder)

    @property
    def megabytes(self) -> float:
        """Returns the size of what is installed, compiled bytecode included."""
        files = (path for path in self.folder.glob("lib/*/site-packages/**/*") if path.is_file())
        return sum(path.lstat().st_size for path in files) / 1e6


def run(*command: str, folder: Path = ROOT) -> str:
    """Runs a command with no way to this checkout; raises SystemExit with what it said if it fails."""
    variables = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    with tempfile.TemporaryFile("w+") as output, tempfile.TemporaryFile("w+") as errors:
        process = subprocess.Popen(command, cwd=folder, env=variables, stdout=output, stderr=errors)
        _, status, usage = os.wait4(process.pid, 0)  # which says, as subprocess does not, what the command took
        process.returncode = os.waitstatus_to_exitcode(status)
        SPENT.seconds = getattr(SPENT, "seconds", 0.0) + usage.ru_utime + usage.ru_stime
        for file in (output, errors):
            file.seek(0)
        said, complaint = output.read(), errors.read()
    if process.returncode:
        raise SystemExit(f"{' '.join(command)} failed:\n{said[-4000:]}\n{complaint[-4000:]}")
    return said


def pythons() -> dict[str, str]:
    """Returns the command of each supported Python that runs here, by its version."""
    commands: dict[str, str] = {}
    for version in PYTHONS:
        for command in (sys.executable, f"python{version}"):
            asked = [command, "-c", "import sys, venv; print('%d.%d' % sys.version_info[:2])"]
            try:
                said = subprocess.run(asked, capture_output=True, text=True, check=False).stdout.strip()
            except OSError:
                continue
            if said == version:
                commands.setdefault(version, command)
    return commands


@contextmanager
def row(what: str) -> Iterator[list[str]]:
    """Prints a row when the block is done; what the block adds to the list stands behind the seconds."""
    start, spent, more = time.perf_counter(), getattr(SPENT, "seconds", 0.0), list[str]()
    yield more
    seconds, own = time.perf_counter() - start, getattr(SPENT, "seconds", 0.0) - spent
    print(f"{what:<44}{seconds:6.0f} s {own:6.0f} s CPU  {'  '.join(more)}", flush=True)  # noqa: T201


def build(folder: Path) -> tuple[str, str]:
    """Builds both wheels and both source distributions, and returns the paths of the wheels, the core's first."""
    with row("wheels and source distributions"):
        builder = Environment(folder / "tried" / "builder", sys.executable)
        builder.install("hatchling")
        for project in (ROOT, ROOT / "full"):
            builder.runs("-m", "hatchling", "build", "-d", str(folder), folder=project)
        for archive in sorted(folder.glob("*.tar.gz")):
            _rebuilt_alike(builder, archive, folder)
    (core,), (full,) = (sorted(folder.glob(f"{name}-*.whl")) for name in ("qddot_core", "qddot"))
    return str(core), str(full)


def _rebuilt_alike(builder: Environment, archive: Path, folder: Path) -> None:
    """Raises SystemExit if the wheel that is built from a source distribution differs from the one of the tree."""
    place = folder / "tried" / archive.name
    with tarfile.open(archive) as packed:
        packed.extractall(place, filter="data")
    (source,) = place.iterdir()
    builder.runs("-m", "hatchling", "build", "-t", "wheel", "-d", str(place), folder=source)
    (again,) = place.glob("*.whl")
    contents = [
        {name: z.read(name) for name in z.namelist()} for z in map(zipfile.ZipFile, (again, folder / again.name))
    ]
    if contents[0] != contents[1]:
        raise SystemExit(f"{archive.name} gives a wheel that differs from the tree's")


def try_core(folder: Path, python: str, version: str, core: str) -> None:
    """Tries the core alone: what it derives, proves, checks, converts and exports, its size, and its import."""
    with row(f"qddot-core, Python {version}") as more:
        environment = Environment(folder / f"core{version}", python)
        environment.install(core)
        environment.runs(str(ROOT / "tests" / "distributions" / "smoke.py"), "light")
        code = "import time; start = time.process_time(); import qddot; print(1e3 * (time.process_time() - start))"
        milliseconds = min(float(environment.runs("-c", code)) for _ in range(5))
        size = environment.megabytes
        more += [f"{size:.0f} MB", f"import {milliseconds:.0f} ms"]
        if size > CORE_MB or milliseconds > IMPORT_MS:
            raise SystemExit(
                f"the core takes {size:.0f} of {CORE_MB} MB, its import {milliseconds:.0f} of {IMPORT_MS} ms"
            )


def try_full(folder: Path, python: str, version: str, wheels: Sequence[str], tutorials: bool) -> None:
    """Tries the full distribution; tutorials: also every page of the docs as a newcomer follows it, and the extras."""
    with row(f"qddot, Python {version}") as more:
        environment = Environment(folder / f"full{version}", python)
        environment.install(*wheels)
        more.append(f"{environment.megabytes:.0f} MB")
        environment.runs(str(ROOT / "tests" / "distributions" / "smoke.py"))
    if not tutorials:
        return
    with row(f"qddot[report,sympy] and every tutorial, {version}"):
        environment.install(*_with(wheels, ("report", "sympy")), "ziglang")
        pages = [str(path) for path in sorted((ROOT / "docs" / "learn").glob("*.md"))]
        environment.runs(str(ROOT / "tests" / "helpers" / "newcomer.py"), *pages)
    with row(f"qddot[{','.join(EXTRAS)}], Python {version}"):
        environment.install(*_with(wheels, EXTRAS))
        environment.runs(str(ROOT / "tests" / "distributions" / "smoke.py"), "extras")


def try_oldest(folder: Path, python: str, wheels: Sequence[str]) -> None:
    """Tries everything with the oldest versions that pyproject.toml allows."""
    with row(f"the oldest dependencies, Python {OLDEST}"):
        constraints = folder / "oldest.txt"
        constraints.write_text("\n".join(floors.floors(["full", *EXTRAS])), encoding="utf-8")
        environment = Environment(folder / "oldest", python)
        environment.install("-c", str(constraints), *_with(wheels, EXTRAS))
        environment.runs(str(ROOT / "tests" / "distributions" / "smoke.py"))
        environment.runs(str(ROOT / "tests" / "distributions" / "smoke.py"), "extras")


def _with(wheels: Sequence[str], extras: Sequence[str]) -> list[str]:
    core, full = wheels
    return [core, f"{full}[{','.join(extras)}]"]


def main() -> None:
    """Builds and tries all of it; two tries at a time."""
    folder = Path(sys.argv[1]).resolve()
    shutil.rmtree(folder, ignore_errors=True)
    tried = folder / "tried"
    tried.mkdir(parents=True)
    wheels, here = build(folder), pythons()
    newest = max(here, key=PYTHONS.index)
    with ThreadPoolExecutor(max_workers=2) as pool:
        tries = [pool.submit(try_full, tried, here[newest], newest, wheels, True)]
        if OLDEST in here:
            tries.append(pool.submit(try_oldest, tried, here[OLDEST], wheels))
        tries += [pool.submit(try_core, tried, command, version, wheels[0]) for version, command in here.items()]
        others = [version for version in here if version != newest]
        tries += [pool.submit(try_full, tried, here[version], version, wheels, False) for version in others]
        for each in tries:
            each.result()
    for version in PYTHONS:
        if version not in here:
            print(f"Python {version} is not here: not tried{', nor the oldest' if version == OLDEST else ''}")  # noqa: T201
    shutil.rmtree(tried)
    print(*sorted(path.name for path in folder.iterdir()), sep="\n")  # noqa: T201


if __name__ == "__main__":
    main()
