"""Counts how many planted confusions `qddot.diff` names in the arms that ship, one and two at a time.

python bench/planted.py [seed]

tests/helpers/planting.py has the confusions, and says when one counts as named.
"""

from __future__ import annotations

import sys
from itertools import combinations
from pathlib import Path
from random import Random
from time import process_time

from timing import stopwatch

import qddot

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "helpers"))
from planting import PLANTS, Plant, changes, hidden, named, planted  # type: ignore[import-not-found]

ARMS = "baxter elbow_3r franka_panda kinova_6dof panda puma560 puma560_akb spatial_2r ur5 ur10 xarm7"
PAIRS = 15  # of confusions for each arm


def main(seed: int = 1) -> None:
    useful: dict[str, list[Plant]] = {}
    for count in (1, 2):
        right, total, slowest, missed = 0, 0, 0.0, []
        for name in ARMS.split():
            chosen: list[tuple[Plant, ...]]
            if count == 1:
                chosen = [(plant,) for plant in PLANTS]
            else:
                every = [
                    (one, other)
                    for one, other in combinations(useful[name], 2)
                    if one.cause != other.cause and not hidden(one.cause, other.cause)
                ]
                chosen = [*Random(f"{name} {seed}").sample(every, min(PAIRS, len(every)))]
            for plants in chosen:
                a, b, truth = planted(name, plants, seed)
                elapsed = stopwatch(process_time)
                found = qddot.diff(qddot.Robot(a), qddot.Robot(b))
                slowest = max(slowest, elapsed())
                if not changes(found):
                    continue
                if count == 1:
                    useful.setdefault(name, []).append(plants[0])
                good = named(found, truth)
                right, total = right + good, total + 1
                if not good:
                    missed.append((name, truth, [(f.cause, f.where[:2]) for f in found.findings], len(found.remaining)))
        for each in missed:
            print("missed:", *each)
        print(f"{count} at a time: {right} of {total} named ({100 * right / total:.1f} %), slowest {slowest:.2f} s")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1)
