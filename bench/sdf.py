"""Compares mass matrices, gravity and torques of SDF files with Drake's: the tests' fixtures and random files.

    python bench/sdf.py [FILES]     needs the package drake

Random files are trees of nested models whose poses, joints and axes refer to other elements, and models
of the versions before 1.7. A model that would float in Drake is fixed to the world, as in qddot.
"""

from __future__ import annotations

import logging
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from pydrake.multibody.parsing import Parser
from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import MultibodyForces
from random_sdf import random_file
from rich.console import Console
from rich.table import Table

import qddot

FIXTURES = Path(__file__).parent.parent / "tests" / "formats" / "sdf"
FOLLOWING = "mimic.sdf"  # Drake keeps a coordinate for each joint
STATES = 20
RANDOM_FILES = 100
LEAST = 1e-3  # kg m², N·m: gravity has no torque about an upright axis, nothing to divide by
WHAT = ("M", "G", "τ")


def drake_plant(path: Path, gravity: np.ndarray, fixed: dict[tuple[str, str], Any]) -> Any:
    """The file as Drake reads it; fixed: poses of what is held in the world, by link and model."""
    plant = MultibodyPlant(0.0)
    parser = Parser(plant)
    for config in path.parent.rglob("model.config"):
        parser.package_map().Add(config.parent.name, str(config.parent))
    parser.AddModels(str(path))
    for (name, model), pose in fixed.items():
        body = plant.GetBodyByName(name, plant.GetModelInstanceByName(model))
        plant.WeldFrames(plant.world_frame(), body.body_frame(), pose)
    plant.mutable_gravity_field().set_gravity_vector(gravity)
    plant.Finalize()
    return plant


def grounded(path: Path, gravity: np.ndarray) -> Any:
    """The plant with what floats in it fixed where it stands."""
    plant = drake_plant(path, gravity, {})
    context = plant.CreateDefaultContext()
    floating = [plant.get_body(index) for index in plant.GetFloatingBaseBodies()]
    standing = {place(plant, body): plant.EvalBodyPoseInWorld(context, body) for body in floating}
    return drake_plant(path, gravity, standing)


def place(plant: Any, body: Any) -> tuple[str, str]:
    return body.name(), plant.GetModelInstanceName(body.model_instance())


def joints_by_link(plant: Any) -> dict[str, Any]:
    """The joints that move by the links that they carry, called as in qddot: without the outermost model."""
    found = {}
    for index in plant.GetJointIndices():
        joint = plant.get_joint(index)
        if joint.num_velocities():
            name, model = place(plant, joint.child_body())
            inner = model.partition("::")[2]
            found[f"{inner}::{name}" if inner else name] = joint
    return found


def differences(path: Path) -> tuple[int, list[float]]:
    """Joints, and the largest differences of M, G and τ over random states, relative to their largest entries."""
    arm = qddot.load(path)
    values = arm.model.defaults()
    gravity = np.array([float(e) if isinstance(e, int) else e.value(values) for e in arm.model.gravity])
    plant = grounded(path, gravity)
    context = plant.CreateDefaultContext()
    joints = joints_by_link(plant)
    order = [joints[body.name.replace("base_1", "base")].velocity_start() for body in arm.model.moving()]
    assert len(order) == plant.num_velocities() == arm.n, path
    apart, largest = np.zeros(len(WHAT)), np.zeros(len(WHAT))
    for q, qd, qdd in np.random.default_rng(1).uniform(-2, 2, (STATES, 3, arm.n)):
        there, forces = [np.zeros(arm.n) for _ in range(3)], MultibodyForces(plant)
        for vector, given in zip(there, (q, qd, qdd), strict=True):
            vector[order] = given
        plant.SetPositions(context, there[0])
        plant.SetVelocities(context, there[1])
        plant.CalcForceElementsContribution(context, forces)
        theirs = (
            plant.CalcMassMatrix(context)[np.ix_(order, order)],
            -plant.CalcGravityGeneralizedForces(context)[order],
            plant.CalcInverseDynamics(context, there[2], forces)[order],
        )
        ours = (arm.mass_matrix(q), arm.gravity(q), arm.inverse_dynamics(q, qd, qdd))
        for k, (a, b) in enumerate(zip(ours, theirs, strict=True)):
            apart[k] = max(apart[k], np.abs(a - b).max())
            largest[k] = max(largest[k], np.abs(b).max())
    return arm.n, list(apart / np.maximum(largest, LEAST))


def main() -> None:
    logging.getLogger("drake").setLevel(logging.ERROR)
    table = Table(title=f"largest differences from Drake over {STATES} random states, relative")
    for column in ("file", "joints", *WHAT):
        table.add_column(column)
    given = [Path(file) for file in sys.argv[1:]]
    for path in given or sorted(file for file in FIXTURES.glob("*.sdf") if file.name != FOLLOWING):
        n, worst = differences(path)
        table.add_row(path.name, str(n), *(f"{part:.1e}" for part in worst))
    if not given:
        n, worst = random_differences()
        table.add_row(f"{RANDOM_FILES} random files", f"1 to {n}", *(f"{part:.1e}" for part in worst))
    Console(width=120).print(table)


def random_differences() -> tuple[int, list[float]]:
    """The most joints and the largest differences in random files."""
    most, worst = 0, [0.0] * len(WHAT)
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(RANDOM_FILES):
            path = Path(folder) / f"random{seed}.sdf"
            path.write_text(random_file(seed), encoding="utf-8")
            n, found = differences(path)
            most, worst = max(most, n), [max(pair) for pair in zip(worst, found, strict=True)]
    return most, worst


if __name__ == "__main__":
    main()
