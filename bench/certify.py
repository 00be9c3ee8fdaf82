"""Measures proofs: constants of controllers and bounds of rounding errors, beside the targets that they must reach.

python bench/certify.py bounds            constants of controllers, each with its gap and processor time
python bench/certify.py rounding          bounds of rounding errors ÷ the largest errors found
"""

from __future__ import annotations

import argparse
from time import process_time

from rich.console import Console
from rich.table import Table
from timing import stopwatch

import qddot

MOTION = {"qd": 2, "qdd": 5}
CONSTANTS = {"two_link": (0.01, 0.1), "elbow_3r": (0.01, 0.5), "puma560_akb": (0.01, 1.0)}  # gap, seconds of four rows
ROUNDED = {"two_link": 5, "puma560_akb": 8, "franka_panda": 50}  # largest ratio
ROWS = ("lambda_min", "lambda_max", "G", "dG")


def constants() -> Table:
    """Returns the table of constants of controllers; the Panda has a minute and no target."""
    table = Table("arm", "quantity", "proven", "found", "gap", "boxes", "target")
    for name, (gap, most) in CONSTANTS.items():
        elapsed = stopwatch(process_time)
        qddot.load(name).bounds(gap=gap, seconds=100)
        total = elapsed()
        bounds = qddot.load(name).bounds(MOTION, gap=0.02, seconds=200)
        for row in bounds:
            table.add_row(name, *row.texts()[:5], "")
        table.add_row(name, f"five constants within {gap:.0%}: {total:.2f} s", "", "", "", "", f"{most} s for four")
    for row in qddot.load("franka_panda").bounds(gap=0.01, seconds=60):
        table.add_row("franka_panda", *row.texts()[:5], row.note)
    return table


def rounding() -> Table:
    """Returns the table of rounding errors of the inverse dynamics, |q̇| ≤ 2, |q̈| ≤ 5."""
    table = Table("arm", "precision", "largest bound", "bound / found", "seconds", "target")
    for name, most in ROUNDED.items():
        arm = qddot.load(name)
        for dtype in ("float32", "float64"):
            elapsed = stopwatch(process_time)
            bounds = arm.rounding("inverse_dynamics", MOTION, dtype)
            seconds, ratio = elapsed(), bounds.ratio
            shown = f"{ratio.min():.1f} to {ratio.max():.1f}"
            table.add_row(name, dtype, f"{bounds.bound.max():.2e}", shown, f"{seconds:.3f}", f"≤ {most}, 1 s")
    return table


PARTS = {"bounds": constants, "rounding": rounding}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", choices=PARTS)
    Console(width=140).print(PARTS[parser.parse_args().part]())


if __name__ == "__main__":
    main()
