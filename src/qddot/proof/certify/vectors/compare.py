"""Compares a library's values with conformance vectors; it needs Python alone.

theirs: JSON such as {"ur5/fixed": [{"M": [[…], …], "frames": {"wrist": …}}, …]}: for each robot a list with a mapping
for each state, which has any of the quantities, as numbers or texts. A value is wrong if it differs from the proved one
by more than half a unit of the proved one's last place plus `tolerance` times the largest entry of the quantity.
"""

import argparse
import json
import sys
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any


def pairs(proved: Any, theirs: Any, path: str) -> Iterator[tuple[str, Decimal, Decimal]]:
    if not isinstance(theirs, dict | list):
        yield path, Decimal(proved), Decimal(theirs)
        return
    keys: Any = theirs if isinstance(theirs, dict) else range(max(len(theirs), len(proved)))
    for key in keys:
        yield from pairs(proved[key], theirs[key], f"{path} {key}")


def wrong(proved: Any, theirs: Any, path: str, tolerance: Decimal) -> Iterator[str]:
    entries = list(pairs(proved, theirs, path))
    largest = max((abs(right) for _, right, _ in entries), default=Decimal(0))
    for name, right, value in entries:
        half_unit = Decimal(5).scaleb(int(right.as_tuple().exponent) - 1)
        if not abs(value - right) <= half_unit + tolerance * largest:
            yield f"{name}: {value} instead of {right}"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("vectors", type=Path)
    parser.add_argument("theirs", type=Path)
    parser.add_argument("--convention", default="qddot")
    parser.add_argument("--tolerance", type=Decimal, default=Decimal("1e-12"))
    chosen = parser.parse_args()
    files = chosen.vectors, chosen.theirs
    suite, values = (
        json.loads(path.read_text("utf-8"), parse_float=Decimal) for path in (chosen.vectors, chosen.theirs)
    )
    robots = {robot["name"]: robot["states"] for robot in suite["robots"]}
    errors: list[str] = []
    for robot, states in values.items():
        for k, state in enumerate(states):
            own = next(part for part in robots[robot][k] if chosen.convention in part["conventions"])
            for name, array in state.items():
                errors += wrong(own[name], array, f"{robot} state {k}: {name}", chosen.tolerance)
    sys.exit("\n".join(errors) or 0)
