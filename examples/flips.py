"""Finds the initial angles from which double pendulums flip, which gives a well-known picture.

A link flips when it passes the upright position. Near the equilibrium none can: the energy of a pendulum that starts at
rest has to reach the least potential energy with a link upright. The sweep has to agree for every start, and mirror
images have to flip alike, except a few in which chaos makes differences of errors of rounding.

python examples/flips.py            100 × 100 starts
python examples/flips.py 1000       a million, half a minute; writes flips.png
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

import qddot

DURATION, STEP = 10.0, 0.01
DOWN = -np.pi / 2  # q1 of an arm that hangs


def first_flip(half_angle: Any) -> dict[str, Any]:
    """The first times when cos(φ/2) falls below 0, and when it rises above: a link is upright where it is 0."""
    return {
        "falls": qddot.reductions.first_time(lambda t, q, qd: -qddot.cos(half_angle(q))),
        "rises": qddot.reductions.first_time(lambda t, q, qd: qddot.cos(half_angle(q))),
    }


def main() -> int:
    """Sweep the starts, and compare those that flip with those that have the energy for it."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    arm = qddot.load("two_link").with_values(m1=1.0, m2=1.0, l=1.0)
    # both angles lie in the middles of cells, since at the edge of one a link would begin upright
    cell = 2 * np.pi / count
    edge = np.pi - cell / 2
    upper = qddot.grid(DOWN - edge, DOWN + edge, count)
    outer = qddot.grid(cell / 2 - edge, cell / 2 + edge, count)
    swept = qddot.sweep(
        arm,
        qddot.Motion([upper, outer], duration=DURATION, step=STEP),
        reduce={
            **{f"upper_{name}": each for name, each in first_flip(lambda q: (q[0] - DOWN) * 0.5).items()},
            **{f"outer_{name}": each for name, each in first_flip(lambda q: (q[0] + q[1] - DOWN) * 0.5).items()},
        },
    )
    q = np.stack([swept.value_q0_q1, swept.value_q0_q2], axis=1)
    angles = np.stack([q[:, 0] - DOWN, q.sum(axis=1) - DOWN])  # of both links, from hanging
    # an outer link that begins beyond ±180° has cos(φ/2) < 0
    outer = np.where(np.cos(angles[1] / 2) > 0, swept.outer_falls, swept.outer_rises)
    time = np.fmin(swept.upper_falls.values, outer)

    least = min(arm.potential_energy(np.array([DOWN, np.pi])), arm.potential_energy(np.array([DOWN + np.pi, np.pi])))
    can = arm.potential_energy(q) >= least
    flips = np.isfinite(time)
    print(f"{len(q):,} pendulums: {100 * flips.mean():.1f} % flip within {DURATION:g} s, half of them after")
    print(f"{np.median(time[flips]):.2f} s; {100 * can.mean():.1f} % have the energy for it")
    picture = np.empty((count, count))
    picture[tuple(((angles / (2 * np.pi) + 0.5) % 1 * count).astype(int))] = time
    differ = np.isfinite(picture) != np.isfinite(picture[::-1, ::-1])
    if count >= 500:
        draw(picture)
    print(f"{differ.sum():,} of {differ.size:,} starts differ from their mirror images in whether they flip")
    print(f"{int((flips & ~can).sum())} flip without the energy")
    return 0 if not (flips & ~can).any() and 0.3 < flips.mean() < can.mean() and differ.mean() < 0.05 else 1


def draw(time: Any) -> None:
    """Write the picture: the time of the first flip over both starting angles."""
    from matplotlib.colors import LogNorm
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 6), layout="constrained")
    ax = figure.subplots()
    shown = ax.imshow(
        time.T, origin="lower", extent=(-180, 180, -180, 180), cmap="viridis_r", norm=LogNorm(0.3, DURATION)
    )
    ax.set_xlabel("upper link [deg]")
    ax.set_ylabel("outer link [deg]")
    figure.colorbar(shown, label="first flip [s]")
    figure.savefig("flips.png", dpi=150)
    print("wrote flips.png")


if __name__ == "__main__":
    sys.exit(main())
