"""Measures how fast motions are integrated to a tolerance, compared with heyoka's series and SciPy in the same run.

    python bench/motion.py       needs the package heyoka for the peer it shows
    python bench/motion.py --arms 10000

Times are the best of several runs in turns, on one core unless stated otherwise. The overhead of `arm.simulate` is
shown separately.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from panda import panda
from rich.console import Console
from rich.table import Table
from timing import stopwatch

import qddot
from qddot.algebra.program.interpreter import Walk
from qddot.algebra.program.operations import column
from qddot.motion.simulate import simulation
from qddot.motion.simulate.motion import Motion
from qddot.motion.simulate.setup import RunRequest, checked
from qddot.motion.simulate.stepping import scipys
from qddot.motion.simulate.stepping.calling import LawCalls
from qddot.motion.simulate.stepping.machine import machine
from qddot.motion.simulate.stepping.runge_kutta import RungeKuttaSolver
from qddot.motion.simulate.stepping.taylor.expansion import TaylorSolver

TOLERANCES = (1e-14, 1e-9)
START = {
    "two_link": [1.0, 0.5, 0, 0],
    "spatial_2r": [np.pi, 0, 0.1, 0.1],
    "7R": [0.3, -0.5, 0.2, -1.5, 0.1, 1.2, 0.4, *[0] * 7],
}


Work = Callable[[], Callable[[], Any]]  # makes ready what is then timed


def best(works: dict[str, Work], repeats: int = 15) -> dict[str, float]:
    """The shortest time of each of several pieces of work, which take turns."""
    times: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(repeats):
        for name, ready in works.items():
            work = ready()
            elapsed = stopwatch()
            work()
            times[name].append(elapsed())
    return {name: min(each) for name, each in times.items()}


def asked(
    arm: qddot.Robot,
    x0: Any,
    duration: float,
    tolerance: float,
    method: str = "taylor",
    damping: Any = None,
    **values: Any,
) -> Any:
    """The setup of a run with samples at its ends alone."""
    n, x = arm.n, np.asarray(x0, float)
    start: Any = x[..., :n], x[..., n:]
    motion = Motion(start[0], start[1], duration, duration, (method, tolerance), damping=damping, limits=False)
    return checked(arm.model, RunRequest(motion, values=values))


def stepping(setup: Any, threads: int = 1) -> Work:
    """The steps alone, of arms without switches."""

    def ready() -> Callable[[], Any]:
        kind = TaylorSolver if setup.method.series else RungeKuttaSolver
        run = kind(setup, machine(setup.plant, setup.method), LawCalls(setup), threads)
        run.make_room(setup.records - 1)
        return partial(run.integrator.advance, run.stretch(float(run.times[-1])), 10**9, threads)

    return ready


def by_scipy(setup: Any) -> Work:
    """SciPy's solver over compiled right-hand sides and Jacobians."""
    kernels = machine(setup.plant, setup.method)
    return lambda: partial(scipys.ScipySolver(setup, kernels, LawCalls(setup)).until, setup.records - 1)


def by_radau(arm: qddot.Robot, x0: Any, duration: float, tolerance: float, damping: float) -> Work:
    """SciPy's Radau over compiled forward dynamics, of an arm with the same damping at each joint."""
    from scipy.integrate import solve_ivp

    def rate(_: float, x: Any) -> Any:
        q, qd = np.split(x, 2)
        return np.concatenate([qd, arm.forward_dynamics(q, qd, -damping * qd)])

    return lambda: partial(solve_ivp, rate, (0.0, duration), x0, method="Radau", rtol=tolerance, atol=tolerance)


def heyoka_system(arm: qddot.Robot, free: tuple[str, ...] = ()) -> Any:
    """The forward dynamics of an arm, node by node, as heyoka's expressions."""
    import heyoka as hy

    program = arm.program("forward_dynamics", free=free)
    n = arm.n
    x = hy.make_vars(*[f"x{k}" for k in range(2 * n)])
    inputs = [x[:n], x[n:], [hy.expression(0.0)] * n, *([hy.par[k]] for k in range(len(program.inputs) - 3))]
    operations = {**column("value"), "sin": hy.sin, "cos": hy.cos}
    values = Walk(program, operations, hy.expression)(inputs)
    return [(x[k], x[n + k]) for k in range(n)] + [(x[n + k], values[p]) for k, p in enumerate(program.results)]


def heyoka_alone(arm: qddot.Robot, x0: Any, duration: float, tolerance: float) -> Work:
    import heyoka as hy

    peer = hy.taylor_adaptive(heyoka_system(arm), list(map(float, x0)), tol=tolerance, compact_mode=arm.n > 2)

    def ready() -> Callable[[], Any]:
        peer.time, peer.state[:] = 0.0, x0
        return lambda: peer.propagate_until(duration)

    return ready


def heyoka_batch(arm: qddot.Robot, x0: Any, values: dict[str, Any], tolerance: float) -> Work:
    import heyoka as hy

    system, wide = heyoka_system(arm, tuple(values)), hy.recommended_simd_size()
    peer = hy.taylor_adaptive_batch(system, np.zeros((4, wide)), tol=tolerance, pars=np.ones((len(values), wide)))

    def run() -> None:
        for first in range(0, len(x0), wide):
            peer.set_time(0.0)
            peer.state[:] = np.resize(x0[first : first + wide], (wide, 4)).T
            peer.pars[:] = [np.resize(each[first : first + wide], wide) for each in values.values()]
            peer.propagate_until(10.0)

    return lambda: run


def with_heyoka(works: dict[str, Work], peer: Callable[[], Work]) -> str:
    """Adds heyoka's work, and returns how long it took to compile, or that it is missing."""
    elapsed = stopwatch()
    try:
        works["heyoka"] = peer()
    except ImportError:
        return "heyoka is missing"
    return f"heyoka's in {elapsed():.2f} s"


def compiled(setup: Any) -> str:
    elapsed = stopwatch()
    stepping(setup)()()
    return f"compiled in {elapsed():.2f} s"


def single(table: Table, label: str, arm: qddot.Robot, duration: float) -> None:
    x0 = START[label]
    for tolerance in TOLERANCES:
        setup = asked(arm, x0, duration, tolerance)
        notes = [compiled(setup)]
        works: dict[str, Work] = {"qddot": stepping(setup), "whole": partial(partial, simulation.run, setup)}
        notes.append(with_heyoka(works, partial(heyoka_alone, arm, x0, duration, tolerance)))
        found = best(works)
        _row(table, f"{label}, {duration:g} s, {tolerance:g}", found, "; ".join(notes))
        table.add_row("", "a second run beside its steps", f"{1e3 * (found['whole'] - found['qddot']):.2f} ms", "", "")


def batch(table: Table, arms: int) -> None:
    arm, rng = qddot.load("two_link"), np.random.default_rng(1)
    m1, m2 = rng.uniform(0.5, 2, (2, arms))
    x0 = np.tile(START["two_link"], (arms, 1))
    for tolerance in TOLERANCES:
        setup = asked(arm, x0, 10.0, tolerance, m1=m1, m2=m2)
        notes = [compiled(asked(arm, x0[:2], 0.1, tolerance, m1=m1[:2], m2=m2[:2]))]
        works: dict[str, Work] = {"qddot": stepping(setup), "two": stepping(setup, 2)}
        notes.append(with_heyoka(works, partial(heyoka_batch, arm, x0, {"m1": m1, "m2": m2}, tolerance)))
        found = best(works, 3)
        _row(table, f"{arms:,} different 2R arms, 10 s, {tolerance:g}", found, "; ".join(notes))
        table.add_row("", "on two threads", f"{1e3 * found['two']:.1f} ms", "", "")


def beside_scipy(table: Table, label: str, setups: list[Any], repeats: int, peer: Work | None = None) -> None:
    """A row of a Runge-Kutta method beside SciPy's, and beside series of the same tolerance: the second setup."""
    setup, series = setups
    note = compiled(setup)
    works = {"qddot": stepping(setup), "series": stepping(series)}
    found = best(works) | best({"scipy": peer or by_scipy(setup)}, repeats)
    own, theirs, taylor = (1e3 * found[name] for name in ("qddot", "scipy", "series"))
    table.add_row(label, note, f"{own:.3f} ms", f"{theirs:.1f} ms", f"{theirs / own:.0f} ×", f"{taylor:.3f} ms")


def runge_kutta(table: Table) -> None:
    for label, arm, duration in (("two_link", qddot.load("two_link"), 10.0), ("7R", panda(), 2.0)):
        for tolerance in (1e-13, 1e-9, 1e-6):
            setups = [asked(arm, START[label], duration, tolerance, method) for method in ("dop853", "taylor")]
            beside_scipy(table, f"{label}, {duration:g} s, dop853, {tolerance:g}", setups, 3)
    arm, x0 = qddot.load("two_link"), [1.0, 0.5, 1.0, -2.0]
    stiff = [asked(arm, x0, 1.0, 1e-8, method, damping=1e6) for method in ("radau", "taylor")]
    beside_scipy(table, "two_link with damping 1e6, 1 s, radau, 1e-8", stiff, 3, by_radau(arm, x0, 1.0, 1e-8, 1e6))
    rng = np.random.default_rng(1)
    m1, m2 = rng.uniform(0.5, 2, (2, 64))
    many = np.tile(START["two_link"], (64, 1))
    batches = [asked(arm, many, 10.0, 1e-9, method, m1=m1, m2=m2) for method in ("dop853", "taylor")]
    beside_scipy(table, "64 different 2R arms, 10 s, dop853, 1e-9", batches, 1)


def _row(table: Table, label: str, found: dict[str, float], note: str) -> None:
    theirs = found.get("heyoka")
    shown = ("–", "–") if theirs is None else (f"{1e3 * theirs:.3f} ms", f"{theirs / found['qddot']:.2f} ×")
    table.add_row(label, note, f"{1e3 * found['qddot']:.3f} ms", *shown)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--arms", type=int, default=1000, help="arms of the batch")
    chosen = parser.parse_args()
    table = Table("what", "", "qddot", "heyoka", "ratio", title="Motion to a tolerance; the best of several, one core")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["QDDOT_CACHE"] = folder  # so that compiling is seen
        single(table, "two_link", qddot.load("two_link"), 10.0)
        single(table, "spatial_2r", qddot.load("spatial_2r"), 10.0)
        single(table, "7R", panda(), 2.0)
        batch(table, chosen.arms)
        titles = ("what", "", "qddot", "SciPy", "ratio", "taylor")
        other = Table(*titles, title="Runge-Kutta methods to a tolerance; the best of several, one core")
        runge_kutta(other)
    console = Console(width=150, file=sys.stdout)
    console.print(table)
    console.print(other)


if __name__ == "__main__":
    main()
