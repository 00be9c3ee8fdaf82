"""Runs seeded trials that look for defects, in pieces; each piece continues where the last one ended.

    python bench/soak.py --minutes 10 [--jobs 2] [--kinds robots,files]   run a piece
    python bench/soak.py --report                                         what has been run and found on this source
    python bench/soak.py --again                                          every finding so far, once more
    python bench/soak.py --only robots:12345                              one trial alone; its folder is kept

robots: random robots against an independent recursion; files: real robot files, damaged; contents: files with content
that is not modelled, slips and hostile names; commands: random command lines; faults: full disks and errors planted
at writes; symbols: textbook and abbreviated models with other values of symbols; exports: source code in each
language, run; orders: arrays in Pinocchio's convention (needs the package pin); laws: torque laws that hide a state;
extremes: proven bounds against differential evolution; motions: of the grid of natural.py. Needs Linux or macOS, the
packages of the test extra, and cc; exports also runs Node where it is.
"""

from __future__ import annotations

import argparse
import os
import pkgutil
import sys
import tempfile
import time
from importlib import import_module
from pathlib import Path

os.environ.update(OPENBLAS_NUM_THREADS="1", MPLBACKEND="Agg")  # a process with threads is not forked

from soaking.state import State, default_folder
from soaking.trial import Finding, Kind, Outcome, Pool, run_alone

import qddot

KINDS = (
    *("robots", "files", "contents", "commands", "faults"),
    *("symbols", "exports", "orders", "laws", "extremes", "motions"),
)
PAUSE = 5.0  # seconds between lines of progress
LAST = 120.0  # in which the last trials of a piece must end; those that are stopped come again


def kind_of(name: str) -> Kind:
    kind: Kind = import_module(f"soaking.{name}").KIND
    return kind


def warm_up() -> None:
    """Import all that trials may need, once, before the processes part."""
    for module in pkgutil.walk_packages(qddot.__path__, "qddot."):
        if not module.name.endswith("__main__"):
            import_module(module.name)
    for name in ("h5netcdf", "PIL.Image"):
        import_module(name)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--kinds", default=",".join(KINDS))
    parser.add_argument("--state", type=Path, default=default_folder(), metavar="FOLDER")
    parser.add_argument("--report", action="store_true")
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--only", metavar="KIND:SEED")
    chosen = parser.parse_args()
    if chosen.only:
        return only(*chosen.only.split(":"))
    state = State(chosen.state)
    if chosen.report:
        print(state.report())
        return 0
    if not state.hold():
        print(f"another soak holds {chosen.state}", file=sys.stderr)
        return 2
    os.nice(10)
    print("importing all that trials need", flush=True)
    warm_up()
    kinds = {name: kind_of(name) for name in chosen.kinds.split(",")}
    return again(state, kinds) if chosen.again else piece(state, kinds, chosen.minutes, chosen.jobs)


def only(name: str, seed: str) -> int:
    folder = Path(tempfile.mkdtemp(prefix=f"soak-{name}-{seed}-"))
    findings = run_alone(kind_of(name), int(seed), folder)
    print(f"its files are in {folder}")
    for finding in findings:
        show(finding)
    print(f"{len(findings)} findings")
    return 1 if findings else 0


def show(finding: Finding) -> None:
    print(f"{finding.key}\n  {finding.message}")
    for line in finding.tail.splitlines():
        print(f"    {line}")


def again(state: State, kinds: dict[str, Kind]) -> int:
    """The findings of all sources; says which are still there."""
    first: dict[tuple[str, str], int] = {}
    for line in state.found():
        first.setdefault((line["kind"], line["key"]), line["seed"])
    open_ones = 0
    for (name, key), seed in sorted(first.items()):
        if name in kinds:
            with tempfile.TemporaryDirectory(prefix="soak-") as folder:
                there = any(finding.key == key for finding in run_alone(kinds[name], seed, Path(folder)))
            open_ones += there
            print(f"{'still there' if there else 'gone'}: {name}:{seed} {key}", flush=True)
    return 1 if open_ones else 0


def piece(state: State, kinds: dict[str, Kind], minutes: float, jobs: int) -> int:
    """Trials of the kind that had least time so far, until the time is over."""
    following = {name: state.next_seed(name) for name in kinds}
    spent = dict.fromkeys(kinds, 0.0)
    fresh: dict[str, list[Outcome]] = {name: [] for name in kinds}
    started = said = time.monotonic()
    done = found = 0

    def record() -> None:
        for name in kinds:
            at_work = [child.seed for child in pool.running.values() if child.kind.name == name]
            if fresh[name]:
                state.record(name, min([following[name], *at_work]), fresh[name])
                fresh[name] = []

    with Pool() as pool:
        try:
            while (left := 60 * minutes - (time.monotonic() - started)) > 0 or (pool.running and left > -LAST):
                while left > 0 and len(pool.running) < jobs:
                    busy = [child.kind.name for child in pool.running.values()]
                    name = min(kinds, key=lambda each: spent[each] + 5 * busy.count(each))
                    pool.start(kinds[name], following[name])
                    following[name] += 1
                for outcome in pool.outcomes(0.2):
                    spent[outcome.kind] += outcome.wall
                    fresh[outcome.kind].append(outcome)
                    done, found = done + 1, found + len(outcome.findings)
                if time.monotonic() - said > PAUSE:
                    said = time.monotonic()
                    record()
                    at = ", ".join(f"{name} {seed}" for name, seed in following.items())
                    print(f"{said - started:6.0f} s: {done} trials, {found} findings; at {at}", flush=True)
        except KeyboardInterrupt:
            print("stopped; the next piece goes on from here")
        record()
    print(state.report())
    return 1 if found else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
