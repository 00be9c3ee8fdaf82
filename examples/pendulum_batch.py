"""Simulates ten thousand two-link arms at once, each with its own start and its own mass.

python examples/pendulum_batch.py
"""

from __future__ import annotations

import sys
from time import perf_counter

import numpy as np

import qddot

ARMS = 10_000


def main() -> int:
    """Run all arms for twenty seconds and look at their energies."""
    rng = np.random.default_rng(0)
    arm = qddot.load("spatial_2r")
    started = perf_counter()
    run = arm.simulate(
        rng.uniform(-3, 3, (ARMS, 2)),
        duration=20.0,
        step=0.01,
        damping=rng.uniform(0, 5, (ARMS, 2)),
        m2=rng.uniform(5, 15, ARMS),
        options=qddot.Options(record_every=20),
    )
    took = perf_counter() - started
    check = run.energy.check(0.1)
    E = run.energy.E
    print(f"{run!r} in {took:.2f} s, {run.data.nbytes / 1e6:.0f} MB of samples")
    print(f"total energy: {E[:, 0].mean():.1f} J on average at the start, {E[:, -1].mean():.1f} J at the end")
    print(f"three arms in four have lost at least {np.percentile(E[:, 0] - E[:, -1], 25):.0f} J")
    print(check)
    return 0 if check else 1


if __name__ == "__main__":
    sys.exit(main())
