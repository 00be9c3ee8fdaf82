"""Compares every URDF of the package example-robot-data on a free base with Pinocchio: M and τ at a random state.

The arrays go to Pinocchio's order of the joints and back, by `aliases.in_convention` and `from_convention`.

    python bench/free_robots.py [PART OF A PATH …]     needs the package pin with its example-robot-data

Here both are computed over floats by the recursions. A difference is relative to the largest entry. Where a file has
1.5708 for a right angle, which is read as such here, Pinocchio reads a copy of the file that has it with all digits,
too: both results are shown. Content that is not modelled is not read by Pinocchio either; it is left out, and counted.
"""

from __future__ import annotations

import re
import sys
import tempfile
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pinocchio as pin
from read_files import Reading
from rich.console import Console
from rich.table import Table

import qddot
from qddot.algebra.expressions.angles import Angle
from qddot.algebra.numbers.floats import Floats
from qddot.faces import aliases
from qddot.formats.shared.rotations import snapped
from qddot.physics.of_model import dynamics_of

ROBOTS = Path(pin.__file__).parents[4] / "share" / "example-robot-data" / "robots"
CLOSE = 1e-10


def ours(arm: qddot.Robot, q: Any, qd: Any, qdd: Any) -> tuple[Any, Any]:
    """M and τ of the bodies, without friction and armature, which Pinocchio's recursion has not."""
    parts = zip((arm.model.positions, arm.model.coordinates, arm.model.coordinates), (q, qd, qdd), strict=True)
    state = (dict(zip(names, part, strict=True)) for names, part in parts)
    dynamics = dynamics_of(arm.model, Floats(arm.model.defaults(), *state))
    return np.array(dynamics.body_mass_matrix(), dtype=float), np.array(dynamics.body_torques(), dtype=float)


def with_exact_angles(text: str) -> str:
    """A URDF in which angles that are a multiple of 15° to their digits have all digits."""

    def exact(rpy: re.Match[str]) -> str:
        try:
            angles = [Angle(radians=Fraction(part)) for part in rpy[1].split()]
        except ValueError:  # an expression in a comment
            return rpy[0]
        return f'rpy="{" ".join(repr(snapped(angle)[0].value({})) for angle in angles)}"'

    return re.sub(r"rpy\s*=\s*[\"']([^\"']*)[\"']", exact, text)


def theirs(path: Path, arm: qddot.Robot, q: Any, qd: Any, qdd: Any) -> tuple[Any, Any]:
    """The same of Pinocchio, whose order of the joints and positions `aliases` know."""
    model = pin.buildModelFromUrdf(str(path), pin.JointModelFreeFlyer(), mimic=True)
    data, there = model.createData(), aliases.in_convention(arm, "pinocchio", q, qd, qdd)
    at, *rates = (np.ascontiguousarray(there[name]) for name in ("q", "qd", "qdd"))
    M, tau = pin.crba(model, data, at), pin.rnea(model, data, at, *rates)
    back = aliases.from_convention(arm, "pinocchio", at, M=np.triu(M) + np.triu(M, 1).T, tau=tau)
    return back["M"], back["tau"]


def compared(path: Path, reading: Reading) -> tuple[str, float]:
    """What is found, and the largest difference."""
    try:
        arm = reading.robot(path, base="free")
    except qddot.QddotError as error:
        return f"refused: {error.found[:90]}", np.nan
    rng = np.random.default_rng(0)
    q = arm.integrate(arm.neutral(), rng.uniform(-1, 1, arm.n))
    state = q, *rng.uniform(-1, 1, (2, arm.n))
    own = ours(arm, *state)

    def difference(file: Path) -> float:
        pairs = zip(own, theirs(file, arm, *state), strict=True)
        return max(float(np.abs(a - b).max() / np.abs(b).max()) for a, b in pairs)

    try:
        largest = difference(path)
    except (ValueError, RuntimeError, IndexError) as error:
        return f"Pinocchio: {str(error).splitlines()[0][:90]}", np.nan
    if largest < CLOSE:
        return "agrees", largest
    with tempfile.NamedTemporaryFile("w", suffix=".urdf") as copy:
        copy.write(with_exact_angles(path.read_text()))
        copy.flush()
        exact = difference(Path(copy.name))
    return (
        f"agrees with exact angles: {exact:.1e}" if exact < CLOSE else f"DIFFERS with exact angles: {exact:.1e}",
        largest,
    )


def main() -> None:
    table, counts, reading = Table("file", "outcome", "largest difference"), Counter[str](), Reading()
    for path in sorted(ROBOTS.rglob("*.urdf")):
        name = str(path.relative_to(ROBOTS))
        if sys.argv[1:] and not any(part in name for part in sys.argv[1:]):
            continue
        outcome, largest = compared(path, reading)
        counts[outcome.partition(":")[0]] += 1
        if outcome != "agrees":
            table.add_row(name, outcome, f"{largest:.1e}")
    console = Console(width=150)
    console.print(table if table.rows else "all agree")
    console.print(dict(counts))
    print(reading)


if __name__ == "__main__":
    main()
