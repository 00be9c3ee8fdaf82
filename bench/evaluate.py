"""Measures how fast numbers are computed, compared with Pinocchio, MuJoCo and CasADi-generated C in the same run.

    python bench/evaluate.py     needs the packages pin, mujoco and casadi, and gcc, for the peers it shows

One core pinned, medians. Panda geometry with full random inertias; random states in row-major arrays.
"""

from __future__ import annotations

import ctypes
import json
import math
import os
import shutil
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import numpy as np
import peers
from panda import panda
from rich.console import Console
from rich.table import Table
from timing import in_turns, seconds

import qddot

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "helpers"))
from robots_by_size import chain_in_numbers  # type: ignore[import-not-found]

SINGLES = """#include "panda.c"
void singles(size_t states, const double *q, const double *qd, const double *qdd, double *tau) {
    for (size_t i = 0; i < states; i++)
        panda_inverse_dynamics(q + 7 * i, qd + 7 * i, qdd + 7 * i, tau + 7 * i);
}
"""
PEAK = """
#ifdef __AVX512F__
enum { lanes = 8, chained = 24 };
#else
enum { lanes = 4, chained = 12 };
#endif
typedef double vector __attribute__((vector_size(8 * lanes)));
int chains(long steps) {
    vector x[chained], half = {0.5, 0.5, 0.5, 0.5}, one = half + half;
    for (int k = 0; k < chained; k++) x[k] = k * one; /* else they were one chain */
    for (long i = 0; i < steps; i++) {
#pragma GCC unroll 32
        for (int k = 0; k < chained; k++) x[k] = x[k] * half + one;
    }
    for (int k = 0; k < chained; k++) __asm__ volatile("" : : "v"(x[k]));
    return 2 * lanes * chained;
}
"""
STATES = 16_384
CACHED = 1024  # states whose arrays the first caches hold, nearly
FROM_MEMORY = 224_000_000  # bytes of arrays that no cache holds: a million states of the inverse dynamics
MOST_OF_DOUBLE = 0.7  # what float32 shall take at most


def peak(table: Table) -> float:
    """Returns the GFLOP/s of the core without memory: chains of multiplications and additions in registers."""
    steps = 1_000_000
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "peak.c"
        source.write_text(PEAK)
        flags = ["-O3", "-march=native", "-mprefer-vector-width=512", "-shared", "-fPIC"]
        subprocess.run(["gcc", *flags, str(source), "-o", f"{folder}/peak.so"], check=True)
        chains = ctypes.CDLL(f"{folder}/peak.so").chains
    flops = int(chains(ctypes.c_long(steps)))
    rate = flops * steps / seconds(lambda: chains(ctypes.c_long(steps)), 15) / 1e9
    table.add_row("this core", "chains of multiply-add in registers", f"{rate:.0f} GFLOP/s", "the peak below")
    return rate


def ours(table: Table, arm: qddot.Robot, most: float) -> dict[str, float]:
    """ns a state of each function in a large batch; the table gets operations and rates."""
    found = {}
    rng = np.random.default_rng(1)
    q, qd, qdd = rng.uniform(-3, 3, (3, STATES, arm.n))
    for name, arrays, out in (
        ("inverse_dynamics", (q, qd, qdd), np.empty((STATES, arm.n))),
        ("mass_matrix", (q,), np.empty((STATES, arm.n, arm.n))),
        ("forward_dynamics", (q, qd, qdd), np.empty((STATES, arm.n))),
        ("inverse_dynamics_derivatives", (q, qd, qdd), [np.empty((STATES, arm.n, arm.n)) for _ in range(3)]),
        ("forward_dynamics_derivatives", (q, qd, qdd), [np.empty((STATES, arm.n, arm.n)) for _ in range(3)]),
    ):
        function, operations = getattr(arm, name), arm.program(name).total_operations
        found[name] = 1e9 * seconds(lambda f=function, a=arrays, o=out: f(*a, out=o), 25) / STATES  # type: ignore[misc]
        rate = operations / found[name]
        table.add_row(
            "qddot",
            name,
            f"{found[name]:.1f} ns",
            f"{operations} operations, {rate:.1f} GFLOP/s ({rate / most:.0%} of peak)",
        )
    return found


def from_memory(table: Table, arm: qddot.Robot) -> None:
    """Each function in the cache and from memory, in turns with a plain copy of as many bytes."""
    n = arm.n
    for name, count, sizes in (
        ("inverse_dynamics", 3, [(n,)]),
        ("forward_dynamics", 3, [(n,)]),
        ("mass_matrix", 1, [(n, n)]),
        ("inverse_dynamics_derivatives", 3, [(n, n)] * 3),
        ("forward_dynamics_derivatives", 3, [(n, n)] * 3),
    ):
        function, row = getattr(arm, name), 8 * (count * n + sum(math.prod(size) for size in sizes))
        many = FROM_MEMORY // row
        arrays = np.random.default_rng(1).uniform(-3, 3, (count, many, n))
        out = [np.ones((many, *size)) for size in sizes]
        few, first = [array[:CACHED].copy() for array in arrays], [array[:CACHED].copy() for array in out]
        source, target = np.ones((2, FROM_MEMORY // 16))
        works = (
            lambda f=function, a=few, o=first: [f(*a, out=o) for _ in range(50)],
            lambda f=function, a=arrays, o=out: f(*a, out=o),
            lambda f=function, a=arrays: f(*a),
            lambda s=source, t=target: np.copyto(t, s),
        )
        cached, filled, fresh, copied = in_turns(*works, repeats=9)
        cached, filled, fresh = 1e9 * cached / (50 * CACHED), 1e9 * filled / many, 1e9 * fresh / many
        pace = 1e9 * copied / many
        share = f"{row} B, {pace / filled:.0%} of the memory's pace, {row / pace:.1f} GB/s"
        what = f"in the cache {cached:.1f} ns; fresh {fresh:.1f} ns; {share}"
        table.add_row("qddot", f"{name}, {many:,} states from memory", f"{filled:.1f} ns", what)


def in_floats(table: Table, arm: qddot.Robot) -> None:
    """Measures batches of float32 in the cache: a vector holds twice as many states, in half the memory.

    Both precisions are measured in turns, by the processor's time: a ratio of times that are minutes apart says more
    about what else the machine does.
    """
    states = np.random.default_rng(1).uniform(-3, 3, (3, CACHED, arm.n))
    for name, count, size in (
        ("inverse_dynamics", 3, (arm.n,)),
        ("forward_dynamics", 3, (arm.n,)),
        ("mass_matrix", 1, (arm.n, arm.n)),
    ):
        works = []
        for dtype in ("float32", "float64"):
            arrays, out = states.astype(dtype)[:count], np.empty((CACHED, *size), dtype=dtype)
            call = partial(getattr(arm, name), *arrays, out=out, dtype=dtype)
            works.append(lambda c=call: [c() for _ in range(20)])
        single, double = (1e9 * took / (20 * CACHED) for took in in_turns(*works))
        what = f"{single / double:.2f} × double, {double:.1f} ns; at most {MOST_OF_DOUBLE}"
        table.add_row("qddot", f"{name}, float32, {CACHED:,} states", f"{single:.1f} ns", what)


def long_chain(table: Table) -> None:
    """CPU time to trace and compile the derivatives of twenty joints, and their time in a batch."""
    joints = 20
    arm = chain_in_numbers(joints)
    states = np.random.default_rng(0).uniform(-1, 1, (3, 256, joints))
    with tempfile.TemporaryDirectory() as folder:
        os.environ["QDDOT_CACHE"] = folder
        for name in ("inverse_dynamics_derivatives", "forward_dynamics_derivatives"):
            started, function = process_time(), getattr(arm, name)
            function(*states)
            compiled = process_time() - started
            took = 1e6 * seconds(lambda f=function: f(*states)) / states.shape[1]  # type: ignore[misc]
            table.add_row("qddot", f"{name}, 20 joints, first call", f"{compiled:.1f} s", f"then {took:.2f} µs a state")
        del os.environ["QDDOT_CACHE"]


def compile_times(table: Table, arm: qddot.Robot) -> None:
    with tempfile.TemporaryDirectory() as folder:
        os.environ["QDDOT_CACHE"] = folder
        q = np.zeros(arm.n)
        for name in ("inverse_dynamics", "inverse_dynamics_derivatives", "forward_dynamics_derivatives"):
            for label in ("compiled afresh", "from the cache"):
                started = perf_counter()
                getattr(qddot.Robot(arm.model), name)(q, q, q)
                table.add_row("qddot", f"first {name}, {label}", f"{1e3 * (perf_counter() - started):.0f} ms", "")
        del os.environ["QDDOT_CACHE"]


def single(table: Table, arm: qddot.Robot) -> None:
    """One state a call, in every way to call a function."""
    q, qd, qdd = np.random.default_rng(2).uniform(-3, 3, (3, arm.n))
    lists, narrow = ([x.tolist() for x in (q, qd, qdd)], [x.astype(np.float32) for x in (q, qd, qdd)])
    out, tau = np.empty(arm.n), arm.inverse_dynamics
    for way, call in (
        ("", lambda: tau(q, qd, qdd)),
        (", out=", lambda: tau(q, qd, qdd, out=out)),
        (", m7=2.0", lambda: tau(q, qd, qdd, m7=2.0)),
        (", m7=2.0, out=", lambda: tau(q, qd, qdd, m7=2.0, out=out)),
        (", lists", lambda: tau(*lists)),
        (", float32 arrays", lambda: tau(*narrow)),
        (', dtype="float32"', lambda: tau(*narrow, dtype="float32")),
        (", threads=1", lambda: tau(q, qd, qdd, threads=1)),
    ):
        one = seconds(lambda c=call: [c() for _ in range(1000)], 15) / 1000  # type: ignore[misc]
        table.add_row("qddot", f"inverse_dynamics, one state a call{way}", f"{1e9 * one:.0f} ns", "")


def symbols(table: Table, arm: qddot.Robot) -> None:
    """75 symbols as arrays with one value a state, and as numbers, in the cache and from memory."""
    rng, values = np.random.default_rng(3), arm.model.defaults()
    names = sorted(arm.model.used_symbols)[:75]
    numbers: dict[str, Any] = {name: values[name] for name in names}
    for states in (CACHED, FROM_MEMORY // (8 * (4 * arm.n + len(names)))):
        q, qd, qdd = rng.uniform(-3, 3, (3, states, arm.n))
        out = np.empty_like(q)
        arrays = {name: value * rng.uniform(0.9, 1.1, states) for name, value in numbers.items()}
        kinds = {"arrays": arrays, "numbers": numbers}
        works = [partial(arm.inverse_dynamics, q, qd, qdd, out=out, **given) for given in kinds.values()]
        for what, took in zip(kinds, in_turns(*works, repeats=15), strict=True):
            label = f"inverse_dynamics, {len(names)} symbols as {what}, {states:,} states"
            table.add_row("qddot", label, f"{1e9 * took / states:.1f} ns", "")


def laws(table: Table, arm: qddot.Robot) -> None:
    """Measures the second run of a law, whose trace is kept from the first, beside a run without a law."""
    motion = qddot.laws.quintic(np.zeros(arm.n), np.full(arm.n, 0.3), 0.05)
    for name, law in (("no torque", None), ("computed torque", qddot.laws.computed_torque(arm, motion, 100.0, 20.0))):
        run = 1e3 * seconds(lambda t=law: arm.simulate(np.zeros(arm.n), duration=0.05, step=0.001, torque=t), 7)  # type: ignore[misc]
        table.add_row("qddot", f"50 steps once more, {name}", f"{run:.1f} ms", "")


def exported_c(table: Table, arm: qddot.Robot) -> None:
    """Measures the exported C of inverse dynamics: a loop of calls, and a batch, with gcc and clang if installed."""
    q, qd, qdd = np.random.default_rng(1).uniform(-3, 3, (3, STATES, arm.n))
    right = arm.inverse_dynamics(q, qd, qdd)
    for compiler in filter(shutil.which, ("gcc", "clang")):
        with tempfile.TemporaryDirectory() as folder:
            arm.export("c", ["inverse_dynamics"], folder, name="panda")
            loop = Path(folder) / "singles.c"
            loop.write_text(SINGLES)
            flags = ["-O3", "-march=native", "-shared", "-fPIC", f"-I{folder}"]
            subprocess.run([compiler, *flags, str(loop), "-o", f"{folder}/panda.so", "-lm"], check=True)
            library = ctypes.CDLL(f"{folder}/panda.so")
        for what, function in (("one state a call", library.singles), ("batch", library.panda_inverse_dynamics_batch)):
            out = np.empty((STATES, arm.n))
            arguments = [ctypes.c_size_t(STATES), *(ctypes.c_void_p(array.ctypes.data) for array in (q, qd, qdd, out))]
            took = 1e9 * seconds(lambda f=function, a=arguments: f(*a), 51) / STATES  # type: ignore[misc]
            assert np.allclose(out, right)
            table.add_row("qddot's C", f"inverse_dynamics, {what}, {compiler} -O3 -march=native", f"{took:.1f} ns", "")


TIMED = """
import { readFileSync } from "node:fs";
const [file, name] = process.argv.slice(1);
const call = (await import(file))[name];
const states = JSON.parse(readFileSync(0, "utf8")).map((state) => state.map((x) => Float64Array.from(x)));
const times = [];
for (let k = 0; k < 300; k++) {
  const out = states.map(([q]) => new Float64Array(q.length));
  const started = performance.now();
  for (let i = 0; i < states.length; i++) call(states[i][0], states[i][1], states[i][2], out[i]);
  times.push((performance.now() - started) / states.length);
}
console.log(1e6 * times.slice(100).sort((a, b) => a - b)[100]);
"""


def exported_js(table: Table, arm: qddot.Robot) -> None:
    """Measures the exported JavaScript in Node, one state in each call, for seven joints and for two."""
    if not (node := shutil.which("node")):
        return
    for who in (arm, qddot.load("two_link")):
        states = np.random.default_rng(1).uniform(-3, 3, (1000, 3, who.n)).tolist()
        with tempfile.TemporaryDirectory() as folder:
            for name in ("inverse_dynamics", "forward_dynamics"):
                file, _ = who.export("js", [name], folder)
                command = [node, "--input-type=module", "-e", TIMED, str(file), name]
                done = subprocess.run(command, input=json.dumps(states), capture_output=True, text=True, check=True)
                what = f"{name}, {who.n} joints, one state a call"
                table.add_row("qddot's JavaScript", what, f"{float(done.stdout):.0f} ns", "")


def threads(table: Table, arm: qddot.Robot, cores: set[int]) -> None:
    if len(cores) < 2:
        return
    os.sched_setaffinity(0, cores)
    q, qd, qdd = np.random.default_rng(1).uniform(-3, 3, (3, 1_000_000, arm.n))
    out = np.empty_like(q)
    one, two = (seconds(lambda n=n: arm.inverse_dynamics(q, qd, qdd, out=out, threads=n), 7) for n in (1, 2))  # type: ignore[misc]
    table.add_row("qddot", "inverse_dynamics of 1,000,000, two threads", f"{one / two:.2f} × one", "")


def operations(table: Table) -> None:
    akb = qddot.load("puma560_akb").with_values(**{f"Jm{k}": 0 for k in range(1, 7)})
    count = akb.program("inverse_dynamics").operations
    total = akb.program("inverse_dynamics").total_operations
    table.add_row("qddot", "puma560_akb (Jm = 0) inverse_dynamics", f"{total} operations", str(dict(count)))


def main() -> None:
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(cores)})
    table = Table("who", "what", "time", "", title="Panda geometry, full inertias; one core, medians")
    arm = panda()
    found = ours(table, arm, peak(table))
    from_memory(table, arm)
    single(table, arm)
    symbols(table, arm)
    laws(table, arm)
    exported_c(table, arm)
    exported_js(table, arm)
    in_floats(table, arm)
    compile_times(table, arm)
    long_chain(table)
    operations(table)
    for peer, arguments in ((peers.pinocchio, (arm, found)), (peers.casadi_c, (arm, found)), (peers.mujoco, ())):
        try:
            peer(table, *arguments)
        except ImportError as error:
            table.add_row("missing", str(error), "", "")
    threads(table, arm, cores)
    Console(width=150, file=sys.stdout).print(table)


if __name__ == "__main__":
    main()
