"""Compares MJCF files that have free and ball joints with MuJoCo: M and τ at a random state.

    python bench/free_mjcf.py dm-control gymnasium-robotics robosuite …     names of installed packages, or folders

τ has gravity, armature, damping and springs, and no dry friction, which is a constraint in MuJoCo, as equalities,
contacts and limits are. Content that is not modelled is left out, here and in MuJoCo's model, and counted. A difference
is relative to the largest entry.
"""

from __future__ import annotations

import re
import sys
import warnings
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
from read_files import Reading, lessen
from rich.console import Console
from rich.table import Table
from robots import files

import qddot
from qddot.faces import aliases

CLOSE = 1e-10


def without_friction(arm: qddot.Robot) -> qddot.Robot:
    bodies = (
        replace(body, joint=replace(body.joint, effects=tuple(x for x in body.joint.effects if not _is_dry(x))))
        for body in arm.model.bodies
    )
    return qddot.Robot(replace(arm.model, bodies=tuple(bodies)))


def _is_dry(effect: Any) -> bool:
    return isinstance(effect, qddot.Coulomb)


def theirs(path: Path, q: Any, qd: Any, qdd: Any) -> tuple[Any, Any]:
    model = mujoco.MjModel.from_xml_path(str(path))
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
    lessen(model)
    data = mujoco.MjData(model)
    data.qpos[:], data.qvel[:], data.qacc[:] = q, qd, qdd
    mujoco.mj_inverse(model, data)
    M = np.zeros((model.nv, model.nv))
    mujoco.mj_fullM(model, data, M)
    return M, data.qfrc_inverse.copy()


def compared(path: Path, reading: Reading) -> tuple[str, float]:
    """What is found, and the largest difference; '' where the file has no such joint."""
    try:
        arm = without_friction(reading.robot(path))
    except qddot.QddotError as error:
        return f"refused: {str(error).replace(str(path), path.name)[:110]}", np.nan
    if not arm.model.freedoms:
        return "", np.nan
    rng = np.random.default_rng(0)
    q = arm.integrate(arm.neutral(), rng.uniform(-1, 1, arm.n))
    qd, qdd = rng.uniform(-1, 1, (2, arm.n))
    own = {"qd": qd, "qdd": qdd, "M": arm.mass_matrix(q), "tau": arm.inverse_dynamics(q, qd, qdd)}
    own = dict(aliases.in_convention(arm, "mujoco", q, **own))
    other = theirs(path, own["q"], own["qd"], own["qdd"])
    pairs = zip((own["M"], own["tau"]), other, strict=True)
    largest = max(float(np.abs(a - b).max() / np.abs(b).max()) for a, b in pairs)
    return "agrees" if largest < CLOSE else "DIFFERS", largest


def main() -> None:
    warnings.simplefilter("ignore")
    table, counts, reading = Table("file", "outcome", "largest difference"), Counter[str](), Reading()
    for source in sys.argv[1:]:
        for path in files(source):
            text = path.read_text(encoding="utf-8", errors="replace")
            if not re.search(r"<mujoco\b", text):
                continue
            outcome, largest = compared(path, reading)
            refused = outcome.startswith("refused")
            if not outcome or (refused and not re.search(r"<freejoint|type=.(free|ball)", text)):
                continue
            counts[outcome.partition(":")[0]] += 1
            table.add_row("/".join(path.parts[-3:]), outcome, f"{largest:.1e}")
    console = Console(width=180)
    console.print(table)
    console.print(dict(counts))
    print(reading)


if __name__ == "__main__":
    main()
