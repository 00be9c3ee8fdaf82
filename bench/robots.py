"""Tries to open robot files of other packages, and compares torques with Pinocchio and MuJoCo.

    python bench/robots.py example-robot-data robosuite FOLDER …     names of installed packages, or folders

Every .urdf and .xacro file counts, and every .sdf, .world, .xml and .mjcf file with <robot>, <mujoco> or <sdf> in it.
Where Pinocchio or MuJoCo is installed, the mass matrix and gravity at a random state are compared with theirs. Content
that is not modelled is left out, here and there, and counted.
"""

from __future__ import annotations

import re
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

import numpy as np
from read_files import Reading, lessen
from rich.console import Console
from rich.table import Table
from timing import stopwatch

import qddot
from qddot.faces import aliases
from qddot.formats.xml import xacro

SUFFIXES = (".urdf", ".xacro", ".sdf", ".world", ".xml", ".mjcf")
CLOSE = 1e-4  # of the largest entry: 1.5708 is read as a right angle here, and as 1.5708 there


def files(name: str) -> Iterator[Path]:
    """The robot files of an installed package, or below a folder."""
    folder = Path(name)
    if folder.is_dir():
        candidates = sorted(folder.rglob("*"))
    else:
        candidates = sorted(Path(str(file.locate())) for file in distribution(name).files or ())
    for path in candidates:
        if path.suffix.lower() in SUFFIXES and path.is_file():
            text = path.read_text(encoding="utf-8", errors="replace")
            if path.suffix in (".urdf", ".xacro") or re.search(r"<(robot|mujoco|sdf)\b", text):
                yield path


def peer(path: Path) -> Callable[[qddot.Robot, Any], tuple[Any, Any]] | None:
    """Mass matrix and gravity as another library has them, or None where it cannot read the file or is not there."""
    text = path.read_text(encoding="utf-8", errors="replace")
    try:
        if re.search(r"<mujoco\b", text):
            return of_mujoco(path)
        return None if re.search(r"<sdf\b", text) else of_pinocchio(path)
    except (ImportError, ValueError, RuntimeError):
        return None


def of_pinocchio(path: Path) -> Callable[[qddot.Robot, Any], tuple[Any, Any]]:
    import pinocchio as pin

    text = xacro.expanded(path) if path.suffix == ".xacro" else path.read_text(encoding="utf-8-sig").lstrip()
    with tempfile.NamedTemporaryFile("w", suffix=".urdf") as copy:
        copy.write(text)
        copy.flush()
        model = pin.buildModelFromUrdf(copy.name, mimic=True)
    data = model.createData()

    def state(arm: qddot.Robot, q: Any) -> tuple[Any, Any]:
        joints = [model.joints[model.getJointId(body.joint.name)] for body in arm.model.moving()]
        places, theirs = [joint.idx_v for joint in joints], pin.neutral(model)
        for joint, value in zip(joints, q, strict=True):
            pair = (value,) if joint.nq == 1 else (np.cos(value), np.sin(value))
            theirs[joint.idx_q : joint.idx_q + joint.nq] = pair
        M = pin.crba(model, data, theirs)
        M = (np.triu(M) + np.triu(M, 1).T)[np.ix_(places, places)]
        return M, pin.computeGeneralizedGravity(model, data, theirs)[places]

    return state


def of_mujoco(path: Path) -> Callable[[qddot.Robot, Any], tuple[Any, Any]]:
    import mujoco

    model = mujoco.MjModel.from_xml_path(str(path))
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
    lessen(model)
    data = mujoco.MjData(model)

    def state(arm: qddot.Robot, q: Any) -> tuple[Any, Any]:
        at = aliases.in_convention(arm, "mujoco", q)["q"]
        data.qpos[:] = at
        mujoco.mj_forward(model, data)
        M = np.zeros((model.nv, model.nv))
        mujoco.mj_fullM(model, data, M)
        ours = aliases.from_convention(arm, "mujoco", at, M=M, tau=data.qfrc_bias.copy())
        return ours["M"], ours["tau"]

    return state


def compared(path: Path, arm: qddot.Robot) -> str:
    """What a comparison says: agrees, differs, or that there is none."""
    other = peer(path)
    if other is None or (arm.model.freedoms and path.suffix in (".urdf", ".xacro")):  # bench/free_robots.py has these
        return "alone"
    q = arm.integrate(arm.neutral(), np.random.default_rng(0).uniform(-1, 1, arm.n))
    M, G = other(arm, q)
    mine = arm.mass_matrix(q), arm.gravity(q)
    differences = (np.abs(a - b).max() / max(np.abs(b).max(), 1e-3) for a, b in zip(mine, (M, G), strict=True))
    return "agrees" if max(differences) < CLOSE else "DIFFERS"


def cause(error: qddot.QddotError) -> str:
    """A refusal without its names and numbers."""
    text = re.sub(r"'[^']*'?|\"[^\"]*\"?|\([^)]*\)", "…", error.found)
    return re.sub(r"-?\d[\d.e-]*", "#", text)[:90]


def main() -> None:
    opened: Counter[tuple[str, str]] = Counter()
    refused: dict[str, list[Path]] = {}
    reading = Reading()
    for name in sys.argv[1:]:
        for path in files(name):
            elapsed = stopwatch()
            try:
                arm = reading.robot(path)
            except qddot.QddotError as error:
                opened[name, "refused"] += 1
                refused.setdefault(cause(error), []).append(path)
                continue
            outcome = compared(path, arm)
            opened[name, outcome] += 1
            if outcome == "DIFFERS" or elapsed() > 20:
                print(outcome, path, f"{elapsed():.0f} s")
    report(opened, refused)
    print(reading)


def report(opened: Counter[tuple[str, str]], refused: dict[str, list[Path]]) -> None:
    outcomes = ("agrees", "DIFFERS", "alone", "refused")
    table = Table("source", *outcomes, title="robot files")
    for name in dict.fromkeys(name for name, _ in opened):
        table.add_row(name, *(str(opened[name, outcome]) for outcome in outcomes))
    Console(width=150).print(table)
    causes = Table("files", "refused because of", "for example", title="refusals")
    for reason, paths in sorted(refused.items(), key=lambda item: -len(item[1])):
        causes.add_row(str(len(paths)), reason, "/".join(paths[0].parts[-3:]))
    Console(width=200).print(causes)


if __name__ == "__main__":
    main()
