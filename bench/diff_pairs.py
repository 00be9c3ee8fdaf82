"""Compares pairs of real descriptions of one robot by `qddot.diff`, and prints what reading the files shows.

python bench/diff_pairs.py FOLDER [word …]

FOLDER holds the packages, each installed by `pip install --no-deps --target FOLDER/NAME NAME`: robosuite, dm_control,
pybullet, gymnasium-robotics, rtb-data, example-robot-data. Words choose pairs whose paths have one of them.
Content that is not modelled is left out, and counted.
"""

from __future__ import annotations

import sys
from pathlib import Path
from time import process_time

from read_files import Reading
from timing import stopwatch

import qddot

HOMES = {
    "erd": ("example-robot-data", "cmeel.prefix/share/example-robot-data/robots"),
    "suite": ("robosuite", "robosuite/models/assets"),
    "bullet": ("pybullet", "pybullet_data"),
    "rtb": ("rtb-data", "rtbdata/xacro"),
    "dm": ("dm_control", "dm_control"),
}
ROWS = 12  # of what is left, at most
# two files, ./ for the folder of the first, and what reading both says
PAIRS = """
erd:so_arm_description/urdf/so100.urdf ./so101.urdf
    newly drawn, base turned by 90°, pan axis up instead of down; zeros in the middle of the limits (mid 1.75 rad is
    q_B = -0.05), roll by the 0.0487 rad of its rpy; all bodies anew
bullet:kuka_iiwa/model.urdf suite:robots/iiwa/robot.xml
    0.36 to the shoulder against 0.34, 0.42 against 0.40 to the elbow; the same com in frames at 0.1575 and 0.15;
    damping 0.5 against 0.1; other masses and tensors
bullet:kuka_iiwa/model.urdf rtb:kuka_description/kuka_lbr_iiwa/urdf/lbr_iiwa_14_r820.urdf
    no inertial and no dynamics in B, offsets of 0.00043624, limits 2.9668 for 2.96706
bullet:kuka_iiwa/model.urdf ./model_vr_limits.urdf
    limits of joints 1 and 4 alone
bullet:kuka_iiwa/model.urdf ./model_free_base.urdf
    the base's mass alone, which no joint feels
bullet:kuka_iiwa/model.urdf ./model_for_sdf.urdf
    colours, and the base's mass
erd:xarm_description/urdf/xarm7.urdf suite:robots/xarm7/robot.xml
    rpy 1.5708 for a quarter turn, principal axes by quaternions of six digits, 2π as 6.28319; damping 10 … 2
    against 0.1 and 0.01
bullet:xarm/xarm6_robot.urdf ./xarm6_with_gripper.urdf
    a gripper of six joints
bullet:xarm/xarm6_robot.urdf ./xarm6_robot_white.urdf
    colours
suite:bullet_data/sawyer_description/urdf/sawyer_arm.urdf suite:robots/sawyer/robot.xml
    head, screen and small frames of B are not in A; links l2 to l5 have other masses (1.7251, 1.745); damping in B
suite:bullet_data/baxter_description/urdf/baxter_arm.urdf suite:robots/baxter/robot.xml
    fixed head in B, arms 0.062 lower, no hands, armature 0.01, damping 0 for 0.7, quaternions of six digits
suite:bullet_data/baxter_description/urdf/baxter_arm.urdf erd:baxter_description/urdf/baxter.urdf
    grippers with fingers in B, dummies of 0.1 g in A; head limits
erd:ur_description/urdf/ur5_robot.urdf ./ur5_gripper.urdf
    rpy 1.570796325 for 1.57079632679; limits π for 2π
erd:ur_description/urdf/ur5_robot.urdf ./ur5_joint_limited_robot.urdf
    limits π for 2π
erd:ur_description/urdf/ur3_robot.urdf ./ur3_gripper.urdf
    as ur5_gripper
erd:ur_description/urdf/ur10_robot.urdf ./ur10_joint_limited_robot.urdf
    limits π for 2π
erd:ur_description/urdf/ur5_robot.urdf suite:robots/ur5e/robot.xml
    UR5 and UR5e: shoulder 0.0892 and 0.163, 0.39225 and 0.392, wrist 0.093 and 0.127; damping and friction in B
erd:panda_description/urdf/panda.urdf ./panda_collision.urdf
    shapes for collisions alone
erd:panda_description/urdf/panda.urdf bullet:franka_panda/panda.urdf
    all bodies anew: tensors 0.1 · 1 in B, fingers of 0.1 kg for 0.015; damping in A
suite:bullet_data/panda_description/urdf/panda_arm.urdf suite:robots/panda/robot.xml
    link8 (5 g) in A, right_hand (0.5 kg) in B; damping in B
suite:bullet_data/panda_description/urdf/panda_arm_hand.urdf suite:robots/panda/robot.xml
    fingers, hand and link8 in A, right_hand in B; damping in B
suite:bullet_data/panda_description/urdf/panda_arm.urdf ./panda_arm_hand.urdf
    hand and fingers in B
erd:tiago_description/robots/tiago.urdf ./tiago_no_hand.urdf
    the hand
rtb:abb_irb140_description/urdf/irb140.urdf ./irb140QT.urdf
    shapes alone
rtb:trossen_descriptions/urdf/wx250.urdf.xacro ./wx250s.urdf.xacro
    a forearm in two parts with a roll joint between in B
rtb:unimation_puma560_description/urdf/puma560_robot.urdf ./puma560_robot.urdf.xacro
    no bodies; shoulder at 0.6718 and 0.62357; elbow rpy -90° and +90°; 0.0203 and 0, 0.1501 and 0.12954, 0.4331 and
    0.43209
erd:double_pendulum_description/urdf/double_pendulum.urdf ./double_pendulum_simple.urdf
    base 0.035 lower in B, bodies of round numbers
erd:double_pendulum_description/urdf/double_pendulum.urdf ./double_pendulum_continuous.urdf
    continuous joints in B
erd:simple_humanoid_description/urdf/simple_humanoid.urdf ./simple_humanoid_classical.urdf
    hips roll, pitch, yaw in A; yaw, roll, pitch in B
erd:talos_data/robots/talos_reduced.urdf ./talos_reduced_corrected.urdf
    nothing of the dynamics
erd:icub_description/robots/icub.urdf ./icub_reduced.urdf
    three neck joints, fixed in B
erd:solo_description/robots/solo.urdf ./solo12.urdf
    four hip joints more in B; legs at ±0.1946 for ±0.19 and 3.1 mm inward; the same bodies
erd:g1_description/urdf/g1_29dof_rev_1_0.urdf ./g1_29dof_with_hand_rev_1_0.urdf
    rubber hands in A, hands with fingers in B
"""


def pairs() -> list[tuple[str, str, str]]:
    """This has two files and their true differences."""
    found: list[tuple[str, str, str]] = []
    for line in PAIRS.strip().splitlines():
        if line.startswith(" "):
            a, b, truth = found[-1]
            found[-1] = a, b, f"{truth} {line.strip()}".strip()
        else:
            a, b = line.split()
            b = b.replace("./", a.rpartition("/")[0] + "/") if b.startswith("./") else b
            found.append((a, b, ""))
    return found


def path_of(folder: Path, name: str) -> Path:
    home, path = name.split(":")
    return folder / "/".join(HOMES[home]) / path


def main(folder: Path, words: list[str]) -> None:
    reading = Reading()
    for a, b, truth in pairs():
        if words and not any(word in a + b for word in words):
            continue
        print(f"\n{a}\n{b}\n  read: {truth}")
        try:
            arms = [reading.robot(path_of(folder, name)) for name in (a, b)]
            elapsed = stopwatch(process_time)
            found = qddot.diff(*arms)
        except qddot.QddotError as error:
            print(f"  refused: {error}")
            continue
        rows = ["  ".join(each.row()) for each in found.remaining[:ROWS]]
        lines = [*found.summary()[1:], f"{len(found.remaining)} quantities left", *rows]
        print("\n".join(f"  {line}" for line in lines), f"\n  {elapsed():.2f} s", flush=True)
    print(reading)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
