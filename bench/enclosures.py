"""Counts how many enclosed runs of random small arms contain the motion that is integrated with sixty digits.

    python bench/enclosures.py --arms 300     needs the package pin, whose models the random chains share

Each arm begins in a box; corners of it are integrated by Taylor series over balls of 200 bits, whose own error is far
below the box's. Then it measures the widths and times of two arms, and compares how wide uncertain symbols make the
bounds of one of them with how far 1,000 motions spread whose symbols are drawn from the same intervals.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
import pinocchio as pin
from flint import arb, arb_series, ctx
from rich.console import Console
from rich.progress import track
from rich.table import Table
from timing import stopwatch

import qddot
from qddot.algebra.program.interpreter import Walk
from qddot.algebra.program.operations import column
from qddot.algebra.program.program import Program
from qddot.motion.enclosing.variations import coefficient

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "helpers"))
from physical import random_chain  # type: ignore[import-not-found]

RADIUS, DURATION, STEPS, ORDER = 1e-6, 0.25, 8, 40
WIDE = {"two_link": (3.0, [1.0, 0.5]), "elbow_3r": (1.0, [1.0, 0.5, 0.2])}  # s, rad
SYMBOLS: dict[str, Any] = {"m1": 1.0, "l": 1.0, "m2": 10.0}
UNCERTAIN, SAMPLES = 1e-4, 1000


def ends(program: Program, q: Any, qd: Any) -> list[Any]:
    """Returns the motion's end as balls, by Taylor series of the forward dynamics without torques."""
    n, h = len(q), arb(DURATION) / STEPS
    walk = Walk(program, column("ball"), arb, {2: [arb(0)] * n})
    x = [arb(float(v)) for v in (*q, *qd)]
    for _ in range(STEPS):
        found = [[v] for v in x]
        for k in range(1, ORDER + 1):
            series = [arb_series(each, prec=k) for each in found]
            values = walk((series[:n], series[n:]))
            rates = [*series[n:], *(values[place] for place in program.results)]
            for each, rate in zip(found, rates, strict=True):
                each.append(coefficient(rate, k - 1) / k)
        x = [sum((c * h**j for j, c in enumerate(each)), arb(0)) for each in found]
    return x


def holds(seed: int) -> bool:
    """Returns whether the ends of three starts in the box lie within the bounds of a random chain's enclosed run."""
    rng = np.random.default_rng(seed)
    arm, _ = random_chain(pin, int(rng.integers(1, 3)), seed)
    q, qd = rng.uniform(-1, 1, (2, arm.n))
    run = arm.enclose(q, qd, DURATION, DURATION, radius=RADIUS)
    program = arm.program("forward_dynamics")
    inside = True
    for _ in range(3):
        corner = RADIUS * 0.999 * rng.choice([-1, 1], 2 * arm.n)
        bounds = zip(
            run.lower[-1], run.upper[-1], ends(program, q + corner[: arm.n], qd + corner[arm.n :]), strict=True
        )
        inside &= all(float(low) <= float(x.mid()) <= float(high) for low, high, x in bounds)
    return inside


def uncertain(table: Table, names: tuple[str, ...]) -> None:
    """A row of the two-link arm whose symbols are known to 1e-4, after 0.5 s."""
    arm, q0, rng = qddot.load("two_link"), [0.3, 0.4], np.random.default_rng(0)
    drawn: dict[str, Any] = {name: SYMBOLS[name] + rng.uniform(-UNCERTAIN, UNCERTAIN, SAMPLES) for name in names}
    runs = arm.simulate(np.tile(q0, (SAMPLES, 1)), None, 0.5, 0.5, "taylor", limits=False, **{**SYMBOLS, **drawn})
    spread = np.ptp(np.concatenate([runs.q, runs.qd], axis=2)[:, -1], axis=0)
    elapsed = stopwatch(process_time)
    run = arm.enclose(q0, None, 0.5, 0.5, radius=dict.fromkeys(names, UNCERTAIN), **SYMBOLS)
    width, spent = (run.upper - run.lower)[-1], elapsed()
    told = f"{width.max():.2g} wide, at most {(width / spread).max():.3f} × the spread; {spent:.1f} s of CPU"
    table.add_row(f"two_link, 0.5 s, {' and '.join(names)} to {UNCERTAIN:g}", told)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--arms", type=int, default=300, help="random arms")
    chosen = parser.parse_args()
    table = Table("what", "found", title="Certified runs")
    before = ctx.cap, ctx.prec
    ctx.cap, ctx.prec = ORDER + 2, 200
    held = [holds(seed) for seed in track(range(chosen.arms), "random arms")]
    ctx.cap, ctx.prec = before
    outside = [seed for seed, inside in enumerate(held) if not inside]
    table.add_row("random arms of one or two joints", f"{sum(held)} of {len(held)} hold; outside: {outside or 'none'}")
    for name, (duration, q0) in WIDE.items():
        arm = qddot.load(name)
        arm = arm.with_values(**{**dict.fromkeys(arm.model.symbols, 1.0), "g": 9.81})
        elapsed = stopwatch(process_time)
        run = arm.enclose(q0, None, duration, duration, radius=0.5e-10)
        spent, width = elapsed(), (run.upper - run.lower)[-1].max()
        table.add_row(f"{name}, {duration:g} s from 1e-10 wide", f"{width:.2g} wide at the end, {spent:.1f} s of CPU")
    for names in (("m2",), ("l",), ("m2", "l")):
        uncertain(table, names)
    Console(width=120).print(table)


if __name__ == "__main__":
    main()
