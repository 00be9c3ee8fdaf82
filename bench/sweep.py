"""Measures sweeps of a million two-link runs of 10 s at 0.01 s, reduced and whole, on threads and on Dask.

    python bench/sweep.py              all of it: 7 GB of disk, ten minutes
    python bench/sweep.py --runs 50000

It also kills a sweep twenty times at random, has it finished each time, and compares the bytes.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table
from timing import stopwatch

import qddot
from qddot.motion.sweeps.cluster import local_cluster

CORES, KILLS, SAMPLES = 2, 20, 100
DURATION, STEP = 10.0, 0.01
REDUCED = {"final": "final", "final and energy": ("final", "energy"), "final and extremes": ("final", "extremes")}


def settings(runs: int, reduce: Any) -> dict[str, Any]:
    """The sweep of every figure: the start and the mass of the second link are drawn."""
    motion = qddot.Motion([qddot.uniform(-1, 1), "90deg"], duration=DURATION, step=STEP)
    values = {"m1": 1.0, "l": 1.0, "m2": qddot.uniform(5, 15)}
    return {"motion": motion, "draws": runs, "reduce": reduce, "values": values}


def seconds(runs: int, reduce: Any, store: Path, **how: Any) -> float:
    """The time of a sweep that writes a new store, machine code included if it is not kept yet."""
    elapsed = stopwatch()
    options = qddot.Options(store=store, record_every=10, **how)
    qddot.sweep(qddot.load("two_link"), options=options, **settings(runs, reduce))
    return elapsed()


def peak() -> str:
    """The most memory that this process has had."""
    return f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB at most"


def digest(store: Path) -> str:
    found = hashlib.sha256()
    for path in sorted(path for path in store.rglob("*") if path.is_file()):
        found.update(str(path.relative_to(store)).encode() + path.read_bytes())
    return found.hexdigest()


def disk(folder: Path, count: int) -> float:
    """Seconds that plain files of as many bytes take."""
    block, elapsed = np.random.default_rng(0).bytes(1 << 23), stopwatch()
    for k in range(-(-count // len(block))):
        (folder / f"plain{k}").write_bytes(block)
    return elapsed()


def reduced(table: Table, runs: int, folder: Path) -> None:
    for name, reduce in REDUCED.items():
        computing = stopwatch(process_time)
        took = seconds(runs, reduce, folder / f"{name}.zarr", threads=CORES)
        computed = computing()
        step = 1e9 * computed / runs / (DURATION / STEP)
        each = f"{computed:.1f} s of computing, {step:.0f} ns a step; {peak()}"
        table.add_row(f"{runs:,} runs, {name}, {CORES} threads", f"{took:.1f} s", each)


def whole(table: Table, runs: int, folder: Path) -> None:
    computing = stopwatch(process_time)
    took = seconds(runs, "whole", folder / "whole.zarr", threads=CORES)
    computed = computing()
    size = sum(path.stat().st_size for path in (folder / "whole.zarr").rglob("*") if path.is_file())
    plain = disk(folder, size)
    note = f"{computed:.1f} s of computing; {size / 1e9:.1f} GB, which plain files take {plain:.1f} s to write"
    table.add_row(f"{runs:,} runs, whole at {SAMPLES} samples each", f"{took:.1f} s", note)


def on_dask(table: Table, runs: int, folder: Path) -> None:
    """Times threads and Dask in turns, since other work on the machine comes and goes; both have run once before."""
    from distributed import Client

    reduce = REDUCED["final and energy"]
    times, computed = {"threads": list[float](), "dask": list[float]()}, {"threads": 0.0, "dask": 0.0}
    with local_cluster(CORES) as cluster, Client(cluster, set_as_default=False) as client:

        def computing() -> float:
            return process_time() + float(sum(client.run(process_time).values()))

        seconds(10_000, reduce, folder / "warm.zarr", scheduler=client)
        for k in range(3):
            for name, how in (("threads", {"threads": CORES}), ("dask", {"scheduler": client})):
                before = computing()
                times[name].append(seconds(runs, reduce, folder / f"{name}{k}.zarr", **how))
                computed[name] += (computing() - before) / 3
        same = digest(folder / "threads0.zarr") == digest(folder / "dask0.zarr")
    more = 100 * (computed["dask"] / computed["threads"] - 1)
    notes = {"threads": "", "dask": f" ({more:+.0f} %); {'the same bytes' if same else 'OTHER BYTES'}"}
    for name, what in (("threads", f"{CORES} threads"), ("dask", f"Dask, {CORES} workers (processes)")):
        note = f"{computed[name]:.1f} s of computing{notes[name]}"
        table.add_row(f"{runs:,} runs on {what}, the best of 3", f"{min(times[name]):.1f} s", note)


def killed(table: Table, runs: int, folder: Path) -> None:
    """Kills a process at random until the sweep has been killed KILLS times; the last call finishes it."""
    names = {name: folder / f"{name}.zarr" for name in ("killed", "unharmed")}
    elapsed = stopwatch()
    subprocess.run([sys.executable, __file__, "--only-write", str(names["unharmed"]), "--runs", str(runs)], check=True)
    alone, times, rng = elapsed(), 0, random.Random(0)
    while times < KILLS:
        command = [sys.executable, __file__, "--only-write", str(names["killed"]), "--runs", str(runs)]
        process = subprocess.Popen(command)
        time.sleep(rng.uniform(0, alone / 4))
        if process.poll() is not None:
            break
        process.send_signal(signal.SIGKILL)
        process.wait()
        times += 1
    subprocess.run([sys.executable, __file__, "--only-write", str(names["killed"]), "--runs", str(runs)], check=True)
    same = digest(names["killed"]) == digest(names["unharmed"])
    table.add_row(f"{runs:,} runs, killed {times} times and resumed", "", "the same bytes" if same else "OTHER BYTES")


PARTS = {"reduced": reduced, "whole": whole, "dask": on_dask, "killed": killed}


def main() -> None:
    asked = argparse.ArgumentParser()
    asked.add_argument("--runs", type=int, default=1_000_000)
    asked.add_argument("--only", choices=PARTS, help="one part alone")
    asked.add_argument("--only-write", help="a store: run one sweep into it and end")
    chosen = asked.parse_args()
    if chosen.only_write:
        seconds(chosen.runs, ("final", "energy"), Path(chosen.only_write), threads=CORES)
        return
    table = Table("what", "time", "")
    for part in [PARTS[chosen.only]] if chosen.only else PARTS.values():
        with tempfile.TemporaryDirectory() as folder:
            seconds(1000, "final", Path(folder) / "first.zarr", threads=CORES)  # loads packages
            part(table, chosen.runs, Path(folder))
    Console(width=120).print(table)
    Console().print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} at the end")


if __name__ == "__main__":
    main()
