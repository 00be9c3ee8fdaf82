"""Measures small batches by the protocol of GRiM's published table on this CPU, and stores the times for the site.

    python bench/batches.py docs/evidence/batches.json iiwa14.urdf …     needs pin, as the tests do

The protocol: batches of 16 to 1,024 states; a call from arrays to arrays; the exact call is repeated before it is
timed; a value is the median over three repeats of a repeat's mean; of several counts of threads the best is taken.
Beside it the least of all samples is stored, since other processes may use the machine meanwhile. Damping in a file is
left out, as there.
"""

from __future__ import annotations

import json
import os
import re
import statistics
import sys
import tempfile
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from panda import pinocchio_functions
from timing import stopwatch
from validation import machine

import qddot

BATCHES = (16, 32, 64, 128, 256, 1024)
REPEATS, SAMPLES, WARM = 3, 300, 0.1  # samples are of each repeat, before which the call runs for a while [s]
SHIPPED = "franka_panda"
FUNCTIONS = ("inverse_dynamics", "inverse_dynamics_derivatives", "forward_dynamics", "forward_dynamics_derivatives")
TYPES = ("float64", "float32")
Call = Callable[[], Any]


def arms(files: list[str]) -> Iterator[tuple[str, qddot.Robot]]:
    """Yields the arm that ships, then those of the files."""
    texts = {SHIPPED: qddot.load(SHIPPED).to_urdf()}
    texts |= {file.stem: file.read_text(encoding="utf-8") for file in map(Path, files)}
    with tempfile.TemporaryDirectory() as folder:
        for name, text in texts.items():
            without = Path(folder) / f"{name}.urdf"
            without.write_text(re.sub(r"<dynamics[^>]*/>", "", text), encoding="utf-8")
            yield name, qddot.load(without)


def outputs(function: str, shape: tuple[int, int], dtype: str) -> Any:
    states, joints = shape
    if function.endswith("derivatives"):
        return [np.empty((states, joints, joints), dtype) for _ in range(3)]
    return np.empty(shape, dtype)


def ours(arm: qddot.Robot, function: str, states: Any, dtype: str, threads: int) -> Call:
    q, qd, third = (x.astype(dtype) for x in states)
    out, call = outputs(function, q.shape, dtype), getattr(arm, function)
    return lambda: call(q, qd, third, out=out, dtype=dtype, threads=threads)


def theirs(arm: qddot.Robot, function: str, states: Any) -> Call:
    """Calls Pinocchio's functions from Python, one state in each call, since they take no batches."""
    import pinocchio as pin

    peer = pinocchio_functions(pin.buildModelFromXML(arm.to_urdf()), pin)[function]
    rows = list(zip(*states, strict=True))
    if function == "inverse_dynamics":
        found = np.array([peer(*row).copy() for row in rows])
        assert np.allclose(found, arm.inverse_dynamics(*states), rtol=1e-8, atol=1e-8)
    return lambda: [peer(*row) for row in rows]


def sampled(call: Call, samples: int) -> list[float]:
    """Microseconds of single calls."""
    warming = stopwatch()
    while warming() < WARM:
        call()
    times = []
    for _ in range(samples):
        elapsed = stopwatch()
        call()
        times.append(1e6 * elapsed())
    return times


def measured(calls: list[Call], samples: int = SAMPLES) -> dict[str, float]:
    """The best of several calls: the protocol's value, and the least sample [µs]."""
    found = []
    for call in calls:
        runs = [sampled(call, samples) for _ in range(REPEATS)]
        found.append((statistics.median(map(statistics.fmean, runs)), min(map(min, runs))))
    return {"median": round(min(value for value, _ in found), 2), "least": round(min(least for _, least in found), 2)}


def rows(files: list[str]) -> Iterator[dict[str, Any]]:
    """A row for each arm, function, library and batch."""
    counts = sorted({1, len(os.sched_getaffinity(0))})
    for name, arm in arms(files):
        for function in FUNCTIONS:
            for size in BATCHES:
                states = np.random.default_rng(size).uniform(-1, 1, (3, size, arm.n))
                row = {"arm": name, "function": function, "batch": size}
                for dtype in TYPES:
                    calls = [ours(arm, function, states, dtype, threads) for threads in counts]
                    yield row | {"who": "qddot", "dtype": dtype} | measured(calls)
                peer = measured([theirs(arm, function, states)], 20)
                yield row | {"who": "Pinocchio from Python", "dtype": "float64"} | peer


def main() -> None:
    """Measures and stores, with the date, the machine and the versions."""
    head = {
        "date": datetime.now(UTC).date().isoformat(),
        "machine": f"{machine()}, {len(os.sched_getaffinity(0))} cores",
        "versions": {"qddot": qddot.__version__, "Pinocchio": version("pin")},
    }
    lines = ",\n  ".join(json.dumps(row) for row in rows(sys.argv[2:]))
    Path(sys.argv[1]).write_text(
        f'{json.dumps(head, indent=1)[:-2]},\n "rows": [\n  {lines}\n ]\n}}\n', encoding="utf-8"
    )


if __name__ == "__main__":
    main()
