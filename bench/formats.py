"""Measures reading, compiling and converting files of the package example-robot-data, compared with Pinocchio.

    python bench/formats.py     needs the packages pin and example-robot-data

Inverse dynamics is compiled afresh, without the cache.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import numpy as np
import pinocchio as pin
from rich.console import Console
from rich.table import Table
from timing import milliseconds

import qddot

FOLDER = Path(pin.__file__).parents[4] / "share" / "example-robot-data" / "robots"
FILES = {
    "xArm 7": "xarm_description/urdf/xarm7.urdf",
    "humanoid": "simple_humanoid_description/urdf/simple_humanoid.urdf",
    "iCub": "icub_description/robots/icub.urdf",
}
CONVERSIONS = ("as_dh", "as_mdh", "as_screws", "as_tree")


def first_torques(path: Path) -> None:
    """Read, trace, compile and call."""
    with tempfile.TemporaryDirectory() as empty:
        os.environ["QDDOT_CACHE"] = empty
        arm = qddot.load(path)
        arm.inverse_dynamics(*np.zeros((3, arm.n)))


def main() -> None:
    table = Table(title="URDF: medians")
    for column in (
        "file",
        "bodies, joints",
        "reading",
        "Pinocchio reads it",
        "reading and first torques, compiled afresh",
    ):
        table.add_column(column)
    for name, file in FILES.items():
        path = FOLDER / file
        arm = qddot.load(path)
        table.add_row(
            name,
            f"{len(arm.model.bodies)}, {arm.n}",
            f"{milliseconds(lambda path=path: qddot.load(path)):.0f} ms",  # type: ignore[misc]
            f"{milliseconds(lambda path=path: pin.buildModelFromUrdf(str(path))):.0f} ms",  # type: ignore[misc]
            f"{milliseconds(lambda path=path: first_torques(path)):.0f} ms",  # type: ignore[misc]
        )
    Console(width=150).print(table)
    made = Table(title="conversions, checked: medians")
    for column in ("arm", *CONVERSIONS, "to_urdf"):
        made.add_column(column)
    for name in ("xarm7", "franka_panda", "panda", "puma560"):
        arm = qddot.load(name)
        cells = [f"{milliseconds(getattr(arm, way)):.0f} ms" for way in CONVERSIONS]
        urdf = f"{milliseconds(arm.to_urdf):.0f} ms" if arm.model.defaults().keys() >= arm.model.symbols.keys() else "-"
        made.add_row(name, *cells, urdf)
    Console(width=150).print(made)


if __name__ == "__main__":
    main()
