"""Motions from natural states, a random one of the grid of bench/natural.py in each trial."""

from __future__ import annotations

import random
from collections.abc import Iterator

from naturals import grid
from naturals.verdict import judged

import qddot
from soaking.trial import Finding, Kind

LARGEST = 7  # joints: longer arms take minutes to compile


def trial(seed: int) -> Iterator[Finding]:
    r = random.Random(f"motions {seed}")
    arm = r.choice([name for name in grid.arms() if name in grid.CLOSED[:4] or short(name)])
    seconds = r.choices(grid.SECONDS, [3, 1])[0]
    scenario = r.choice(list(grid.scenarios([arm], (seconds,))))
    method = r.choice(grid.METHODS)
    if grid.start(scenario.arm, scenario.pose, scenario.moving) is None:
        return
    verdict = judged(scenario, method)
    if verdict.outcome == "wrong":
        again = f"python bench/natural.py --only {scenario.key}:{method}"
        yield Finding(f"{method} under {scenario.law}", f"{again}: ratio {verdict.ratio:.3g}, {verdict.about}")


def short(name: str) -> bool:
    return name not in grid.CLOSED and qddot.load(name).n <= LARGEST


KIND = Kind("motions", trial, seconds=600)
