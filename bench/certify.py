"""Measures proofs: constants of controllers and bounds of rounding errors, beside the targets that they must reach.

python bench/certify.py bounds            constants of controllers, each with its gap and processor time
python bench/certify.py rounding          bounds of rounding errors ÷ the largest errors found
python bench/certify.py coq               Coq's proofs of equations (apt install coq)
python bench/certify.py vectors           proved values of forty public URDF files beside Pinocchio's and MuJoCo's
"""

from __future__ import annotations

import argparse
import re
import resource
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path
from time import process_time
from typing import Any

import mujoco
import numpy as np
import pinocchio as pin
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
PUBLIC = Path(pin.__file__).parents[4] / "share" / "example-robot-data" / "robots"
FILES = [  # of the package example-robot-data
    "a1_description/urdf/a1.urdf",
    "alex_description/urdf/alex_nub_hands.urdf",
    "alexander_description/urdf/alexander_v1.lowerBodyOnly.urdf",
    "allegro_hand_description/urdf/allegro_left_hand.urdf",
    "allegro_hand_description/urdf/allegro_right_hand.urdf",
    "anymal_b_simple_description/robots/anymal.urdf",
    "anymal_b_simple_description/robots/anymal-kinova.urdf",
    "anymal_c_simple_description/urdf/anymal.urdf",
    "asr_twodof_description/urdf/TwoDofs.urdf",
    "b1_description/urdf/b1.urdf",
    "b1_description/urdf/b1-z1.urdf",
    "baxter_description/urdf/baxter.urdf",
    "bolt_description/robots/bolt.urdf",
    "borinot_description/urdf/borinot_flying_arm_2.urdf",
    "double_pendulum_description/urdf/double_pendulum.urdf",
    "double_pendulum_description/urdf/double_pendulum_simple.urdf",
    "finger_edu_description/robots/finger_edu.urdf",
    "go1_description/urdf/go1.urdf",
    "go2_description/urdf/go2.urdf",
    "hextilt_description/urdf/hextilt_flying_arm_5.urdf",
    "hyq_description/robots/hyq_no_sensors.urdf",
    "iris_description/robots/iris.urdf",
    "kinova_description/robots/kinova.urdf",
    "laikago_description/urdf/laikago.urdf",
    "panda_description/urdf/panda.urdf",
    "quadruped_description/urdf/quadruped.urdf",
    "simple_humanoid_description/urdf/simple_humanoid.urdf",
    "so_arm_description/urdf/so100.urdf",
    "so_arm_description/urdf/so101.urdf",
    "solo_description/robots/solo.urdf",
    "solo_description/robots/solo12.urdf",
    "talos_data/robots/talos_left_arm.urdf",
    "talos_data/robots/talos_reduced.urdf",
    "tiago_description/robots/tiago_no_hand.urdf",
    "tiago_pro_description/robots/tiago_pro.urdf",
    "ur_description/urdf/ur3_robot.urdf",
    "ur_description/urdf/ur5_robot.urdf",
    "ur_description/urdf/ur10_robot.urdf",
    "xarm_description/urdf/xarm7.urdf",
    "z1_description/urdf/z1.urdf",
]
FREE = 6  # velocities
ROWS = ("lambda_min", "lambda_max", "G", "dG")


def constants() -> Table:
    """Returns the table of constants of controllers; the Panda has a minute and no target."""
    table = Table("arm", "quantity", "proven", "found", "gap", "boxes", "target")
    for name, (gap, most) in CONSTANTS.items():
        four = qddot.load(name).bounds(gap=gap, seconds=100)
        total = sum(four[row].seconds for row in ROWS)
        bounds = qddot.load(name).bounds(MOTION, gap=0.02, seconds=200)
        for row in bounds:
            table.add_row(name, *row.texts()[:5], "")
        table.add_row(name, f"the first four within {gap:.0%}: {total:.2f} s", "", "", "", "", f"{most} s")
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


def vectors() -> Table:
    """Returns the table of conformance vectors of public files, with what Pinocchio and MuJoCo compute.

    The differences are relative to the largest entry. MuJoCo reads the files without shapes, on fixed bases. An
    angle such as 1.5708 is read as 90° here, which is a difference of up to 1e-5.
    """
    table = Table("file", "base", "n", "digits s", "Pinocchio M", "h + G", "frames", "J", "MuJoCo M", "h + G")
    for path in (PUBLIC / file for file in FILES):
        for base in ("fixed", "free"):
            try:
                arm, elapsed = qddot.load(path, base=base), stopwatch()
                (robot,) = arm.vectors(1).robots
            except qddot.QddotError as error:
                table.add_row(path.stem, base, "", "", str(error)[-60:])
                continue
            row = [path.stem, base, str(arm.n), f"{elapsed():.1f}", *_beside_pinocchio(path, arm, robot)]
            table.add_row(*row, *(_beside_mujoco(path, arm, robot) if base == "fixed" else ()))
    return table


def _beside_pinocchio(path: Path, arm: qddot.Robot, robot: Mapping[str, Any]) -> list[str]:
    """Returns the differences of M, bias, frames and Jacobians; joints have the order of Pinocchio's model."""
    own, free = _values(robot, "pinocchio"), robot["name"].endswith("free")
    theirs = pin.buildModelFromUrdf(str(path), *([pin.JointModelFreeFlyer()] if free else []))
    data, joints = theirs.createData(), _places(arm)
    if theirs.nv != arm.n:
        return ["other joints", "", "", ""]  # followers are free in Pinocchio
    q, v = pin.neutral(theirs), np.zeros(theirs.nv)
    order = np.zeros(theirs.nv, dtype=int)
    for k in range(1, theirs.njoints):
        at, to = int(theirs.idx_vs[k]), int(theirs.idx_qs[k])
        places, positions = joints["" if theirs.nvs[k] == 6 else theirs.names[k]]
        order[at : at + theirs.nvs[k]] = np.arange(arm.n)[places]
        value = own["q"][positions]
        q[to : to + theirs.nqs[k]] = value if theirs.nqs[k] in (1, 7) else [np.cos(value[0]), np.sin(value[0])]
    v[:] = own["qd"][order]
    upper = np.triu(pin.crba(theirs, data, q))
    bias = pin.rnea(theirs, data, q, v, np.zeros(theirs.nv))
    pin.computeJointJacobians(theirs, data, q)
    pin.updateFramePlacements(theirs, data)
    frames, jacobians = 0.0, 0.0
    for body, frame in own["frames"].items():
        place = theirs.getFrameId(body, pin.FrameType.BODY)
        if place < theirs.nframes:
            J = pin.getFrameJacobian(theirs, data, place, pin.ReferenceFrame.LOCAL_WORLD_ALIGNED)
            frames = max(frames, np.abs(data.oMf[place].homogeneous[:3] - frame).max())
            jacobians = max(jacobians, np.abs(J - own["jacobians"][body][:, order]).max())
    M, torques = own["M"][np.ix_(order, order)], (own["h"] + own["G"])[order]
    return [_apart(upper, np.triu(M)), _apart(bias, torques), f"{frames:.0e}", f"{jacobians:.0e}"]


def _beside_mujoco(path: Path, arm: qddot.Robot, robot: Mapping[str, Any]) -> list[str]:
    """Returns the differences of M and bias."""
    text = re.sub(
        r"<(visual|collision|transmission)\b.*?(</\1>)", "", path.read_text(encoding="utf-8"), flags=re.DOTALL
    )
    text = re.sub(r"<mimic\b.*?(/>|</mimic>)", "", text)
    try:
        theirs = mujoco.MjModel.from_xml_string(text)
    except ValueError:
        return ["refused"]  # for its inertias
    own, joints = _values(robot, "mujoco"), _places(arm)
    names = [theirs.joint(k).name for k in range(theirs.njnt)]
    if sorted(names) != sorted(joints) or theirs.nv != arm.n:
        return ["other joints"]
    order = [joints[name][0].start for name in names]
    data = mujoco.MjData(theirs)
    data.qpos[:], data.qvel[:] = own["q"][order], own["qd"][order]
    mujoco.mj_forward(theirs, data)
    M = np.zeros((theirs.nv, theirs.nv))
    mujoco.mj_fullM(theirs, data, M)
    return [_apart(M, own["M"][np.ix_(order, order)]), _apart(data.qfrc_bias, (own["h"] + own["G"])[order])]


def _values(robot: Mapping[str, Any], program: str) -> dict[str, Any]:
    """Returns the first state in a program's convention in floats."""
    part = next(part for part in robot["states"][0] if program in part["conventions"])
    arrays = {key: np.array(part[key], dtype=float) for key in ("q", "qd", "M", "h", "G")}
    return arrays | {
        key: {body: np.array(rows, dtype=float) for body, rows in part[key].items()} for key in ("frames", "jacobians")
    }


def _places(arm: qddot.Robot) -> dict[str, tuple[slice, slice]]:
    """Returns the places in the velocities and in q of each joint that leads, by its name in the file."""
    places, v, q = {}, 0, 0
    for body in arm.model.moving():
        joint = body.joint
        n, m = len(joint.velocities), len(joint.positions)
        places["" if n == FREE else joint.name] = slice(v, v + n), slice(q, q + m)
        v, q = v + n, q + m
    return places


def _apart(theirs: Any, ours: Any) -> str:
    return f"{np.abs(theirs - ours).max() / (np.abs(ours).max() or 1.0):.0e}"


def _of_children() -> tuple[float, float]:
    """Returns the processor time of all processes that were run, in seconds, and the largest memory of one, in MB."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1e3


PARTS = {"bounds": constants, "rounding": rounding, "coq": coq, "vectors": vectors}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", choices=PARTS)
    Console(width=140).print(PARTS[parser.parse_args().part]())


if __name__ == "__main__":
    main()
