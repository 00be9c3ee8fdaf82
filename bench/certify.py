"""Measures proofs: constants of controllers and bounds of rounding errors, beside the targets that they must reach.

python bench/certify.py bounds            constants of controllers, each with its gap and processor time
python bench/certify.py rounding          bounds of rounding errors ÷ the largest errors found
python bench/certify.py coq               Coq's proofs of equations (apt install coq)
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import tempfile
from pathlib import Path
from time import process_time

from rich.console import Console
from rich.table import Table
from timing import stopwatch

import qddot

MOTION = {"qd": 2, "qdd": 5}
CONSTANTS = {"two_link": (0.01, 0.1), "elbow_3r": (0.01, 0.5), "puma560_akb": (0.01, 1.0)}  # gap, seconds of four rows
ROUNDED = {"two_link": 5, "puma560_akb": 8, "franka_panda": 50}  # largest ratio
PROVED = {  # with the most seconds of coqc
    "two_link": "2",
    "spatial_2r": "",
    "rp": "",
    "elbow_3r": "",
    "ur5": "",
    "kinova_6dof": "",
    "puma560": "60",
    "franka_panda": "120",
    "xarm7": "",
    "baxter": "",
}
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
    """Returns the table of rounding errors of inverse and forward dynamics, |q̇| ≤ 2, |q̈| ≤ 5, |τ| ≤ 10."""
    table = Table("arm", "precision", "largest bound", "bound / found", "seconds", "target")
    for name, most in ROUNDED.items():
        arm = qddot.load(name)
        for dtype in ("float32", "float64"):
            elapsed = stopwatch(process_time)
            bounds = arm.rounding("inverse_dynamics", MOTION, dtype)
            seconds, ratio = elapsed(), bounds.ratio
            shown = f"{ratio.min():.1f} to {ratio.max():.1f}"
            table.add_row(name, dtype, f"{bounds.bound.max():.2e}", shown, f"{seconds:.3f}", f"≤ {most}, 1 s")
    for name in ("two_link", "elbow_3r", "puma560_akb"):
        elapsed = stopwatch(process_time)
        bounds = qddot.load(name).rounding("forward_dynamics", {"qd": 2, "tau": 10}, "float32")
        seconds, shown = elapsed(), ", ".join(f"{x:.0f}" for x in bounds.ratio)
        table.add_row(f"{name}, q̈", "float32", f"{bounds.bound.max():.2e}", shown, f"{seconds:.1f}", "most ≤ 50, 5 s")
    return table


def coq() -> Table:
    """Returns the table of Coq's proofs; the memory is that of the largest process so far."""
    table = Table("arm", "write s", "file kB", "coqc s", "memory MB", "target s")
    with tempfile.TemporaryDirectory() as folder:
        qddot.load("two_link").certificate("coq").export(folder)
        used = _of_children()
        subprocess.run(["make", "theory/Correctness.vo"], cwd=folder, check=True, capture_output=True)
        table.add_row("theory", "", "", f"{_of_children()[0] - used[0]:.1f}", f"{_of_children()[1]:.0f}", "")
        for name, most in PROVED.items():
            arm, elapsed = qddot.load(name), stopwatch(process_time)
            file = arm.certificate("coq").export(folder)[0]
            written, used = elapsed(), _of_children()
            subprocess.run(["coqc", "-Q", "theory", "Qddot", file.name], cwd=folder, check=True, capture_output=True)
            seconds, memory = _of_children()
            size = Path(file).stat().st_size / 1e3
            table.add_row(name, f"{written:.2f}", f"{size:.0f}", f"{seconds - used[0]:.1f}", f"{memory:.0f}", most)
    return table


def _of_children() -> tuple[float, float]:
    """Returns the processor time of all processes that were run, in seconds, and the largest memory of one, in MB."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1e3


PARTS = {"bounds": constants, "rounding": rounding, "coq": coq}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", choices=PARTS)
    Console(width=140).print(PARTS[parser.parse_args().part]())


if __name__ == "__main__":
    main()
