"""Finds the gain of a PD controller that keeps 99 % of a thousand arms inside their joints' limits.

The arms differ in their masses, and start near the pose that they hold. With a soft controller gravity pulls
many of them beyond a limit. The first of a few gains that keeps 99 % of one thousand is found by a sweep over arms and
gains, and has to keep 99 % of another thousand. The gains are so far apart that no draw of a thousand changes it.

python examples/gains.py
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

import qddot

POINT_MASS = {"inertia": {"about": "com"}, "joint": {"limits": ["-20deg", "60deg"]}}
ARMS, KEPT = 1000, 0.99
GAINS = [40, 55, 70, 85, 100]
POSE = np.radians(20)


def law(t: Any, q: Any, qd: Any, kp: Any) -> Any:
    """A spring towards the pose, and a damper that suits it."""
    return kp * (POSE - q) - 2 * qddot.sqrt(kp) * qd


def inside(arm: qddot.Robot, kp: Any, runs: int, seed: int) -> Any:
    """The sweep of arms with other masses and starts; those that stay inside their limits come to the end."""
    start = [qddot.uniform("10deg", "30deg"), qddot.uniform("10deg", "30deg")]
    return qddot.sweep(
        arm,
        qddot.Motion(start, duration=4.0, step=0.004, torque=law),
        qddot.Draws(runs, seed=seed),
        m1=qddot.normal(3.0, 0.3, 1.0, 5.0),
        m2=qddot.normal(2.0, 0.5, 0.5, 4.0),
        kp=kp,
    )


def point_masses() -> qddot.Robot:
    """Two links of half a metre with a mass at each end, which are symbols."""
    rows = [{"theta": angle, "d": 0, "a": 0.5, "alpha": 0} for angle in ("q1", "q2")]
    links = [{"mass": mass, **POINT_MASS} for mass in ("m1", "m2")]
    return qddot.from_dh(rows, links, gravity=[0, -9.81, 0], symbols=["m1", "m2"])


def main() -> int:
    """Find the gain, and try it on another thousand arms."""
    arm = point_masses()
    swept = inside(arm, qddot.choice(GAINS), ARMS * len(GAINS), seed=0)
    complete = swept.status.values == 0
    shares = {gain: complete[swept.value_kp.values == gain].mean() for gain in GAINS}
    for gain, share in shares.items():
        print(f"kp = {gain:3d} N m/rad: {100 * share:5.1f} % stay inside")
    enough = next(gain for gain, share in shares.items() if share >= KEPT)
    again = (inside(arm, float(enough), ARMS, seed=1).status.values == 0).mean()
    print(f"kp = {enough} keeps {100 * again:.1f} % of another {ARMS} arms")
    return 0 if shares[GAINS[0]] < 0.9 and again >= KEPT else 1


if __name__ == "__main__":
    sys.exit(main())
