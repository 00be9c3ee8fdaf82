"""M and C of arms in which many joints carry a joint: products along the base's axes, in code of bounded length."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pinocchio as pin
import pytest
from physical import close, physical, random_chain, states
from robots_by_size import chain_in_numbers, chain_of_equals, pendulum
from shipped import robot

import qddot
from qddot.algebra.numbers.floats import Floats
from qddot.algebra.program.program import Program
from qddot.formats.toml import robot_file
from qddot.machine.compilers.llvm import ir, vectors
from qddot.machine.tracing.algorithms import (
    C_ALONG_BASE,
    COMPOSITE_C,
    COMPOSITE_M,
    M_ALONG_BASE,
    Algorithm,
    of_coriolis_matrix,
    of_mass_matrix,
)
from qddot.machine.tracing.ports import STATE
from qddot.machine.tracing.traced import TracedArm
from qddot.physics.algorithms import base_axes, composite
from qddot.physics.frames.regrouped import at_joints
from qddot.physics.of_model import dynamics_of

EQUAL = {"m": 1.0, "x": 0.1, "y": 0.1, "z": 0.1, "a": 2.0, "b": 2.5, "l": 0.3}  # a link of chain_of_equals


def tree(joints: int, seed: int = 0) -> qddot.Robot:
    return random_chain(pin, joints, seed)[0]


def with_followers() -> qddot.Robot:
    """A chain of turning and sliding joints with a fixed link, in which two joints follow earlier ones."""
    kinds: list[dict[str, Any]] = [
        {"type": "revolute", "coordinate": "q1"},
        {"type": "revolute", "coordinate": "q1", "ratio": 2},
        {"type": "prismatic", "coordinate": "q3"},
        {"type": "fixed"},
        {"type": "prismatic", "coordinate": "q3", "ratio": 0.5},
        {"type": "revolute", "coordinate": "q6"},
    ]
    links = []
    for k, kind in enumerate(kinds, 1):
        joint = {**kind, "xyz": [0.1, 0.2 * k, 0.3], "rpy": [0.3 * k, -0.5, 0.2]}
        joint |= {} if kind["type"] == "fixed" else {"axis": [0, 0, 1]}
        body = {"mass": k, "com": [0.1, 0.05 * k, -0.1], "inertia": {"about": "com", "xx": 1, "yy": 1.2, "zz": 0.9}}
        links.append({"name": f"l{k}", "parent": f"l{k - 1}" if k > 1 else "base", "joint": joint, **body})
    return qddot.Robot(robot_file.from_mapping({"convention": "tree", "link": links}, "followers"))


def of_zoo(name: str) -> qddot.Robot:
    return physical(robot(name))


ARMS: dict[str, Callable[[], qddot.Robot]] = {
    **{name: partial(of_zoo, name) for name in ("two_link", "rp", "puma560", "panda", "ur5", "baxter")},
    "tree": partial(tree, 14),
    "chain": partial(chain_in_numbers, 12),
    "followers": with_followers,
}


@pytest.mark.parametrize("name", ARMS)
def test_products_along_the_base_are_the_matrices_of_composite_bodies(name: str) -> None:
    arm = ARMS[name]()
    for q, qd in states(arm, 3)[:2].transpose(1, 0, 2):
        named = [dict(zip(arm.model.coordinates, x.tolist(), strict=True)) for x in (q, qd)]
        dynamics = dynamics_of(arm.model, Floats(arm.model.defaults(), *named))
        moving = at_joints(dynamics.mechanism)
        close(
            np.array(base_axes.mass_matrix(moving), float), np.array(composite.mass_matrix(dynamics.mechanism), float)
        )
        close(np.array(base_axes.coriolis_matrix(moving), float), np.array(dynamics.coriolis_matrix(), float))


def counted(arm: qddot.Robot, algorithm: Algorithm) -> int:
    """The operations of M or C by one algorithm, with the links' frames as they are."""
    traced = TracedArm.with_ports(arm.model, STATE, arm.model.defaults())
    return traced.graph.program("f", {"A": algorithm.compute(traced)}).total_operations


SHAPES: dict[str, Callable[[], qddot.Robot]] = {
    **{name: ARMS[name] for name in ("panda", "ur5", "baxter", "puma560")},
    **{f"chain of {n}": partial(chain_in_numbers, n) for n in (9, 12)},
    "tree of 10": partial(tree, 10),
    "tree of 16": partial(tree, 16, 2),
    "pendulum": lambda: physical(pendulum(12)),
    "equal links": lambda: chain_of_equals(12).with_values(**EQUAL),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_the_algorithm_for_m_and_c_is_the_shorter_one(shape: str) -> None:
    """The choice is made by the arm's shape alone, since to write both takes long where it matters."""
    arm = SHAPES[shape]()
    dynamics = TracedArm.with_ports(arm.model, STATE, arm.model.defaults()).dynamics
    for (chosen,), both in (
        (of_mass_matrix(dynamics), (COMPOSITE_M, M_ALONG_BASE)),
        (of_coriolis_matrix(dynamics), (COMPOSITE_C, C_ALONG_BASE)),
    ):
        counts = {algorithm: counted(arm, algorithm) for algorithm in both}
        assert counts[chosen] <= 1.1 * min(counts.values())  # near the border either will do


def pairs(arm: qddot.Robot) -> int:
    """The pairs of joints of which one carries the other."""
    mechanism = TracedArm.with_ports(arm.model, STATE[:1], arm.model.defaults()).links
    return sum(len(mechanism.moving_path(joint.index)) - 1 for _, joint in mechanism.moving)


@pytest.mark.parametrize(("shape", "n"), [(chain_in_numbers, 20), (chain_in_numbers, 40), (tree, 70)])
def test_operations_grow_with_the_joints_and_the_pairs(shape: Callable[[int], qddot.Robot], n: int) -> None:
    arm = shape(n)
    assert arm.program("mass_matrix").total_operations <= 11 * pairs(arm) + 300 * arm.n
    assert arm.program("coriolis_matrix").total_operations <= 28 * pairs(arm) + 550 * arm.n


def lines(program: Program) -> int:
    """The lines of LLVM's assembly."""
    return ir.module(program, vectors(program, "float64"))[0].count("\n")


def test_code_of_c_grows_with_the_joints_and_not_with_their_pairs() -> None:
    """Twice the joints of a chain are four times the pairs of them."""
    short, long = (chain_in_numbers(n).program("coriolis_matrix") for n in (30, 60))
    assert long.total_operations > 2.8 * short.total_operations
    assert lines(long) < 2.3 * lines(short)


@pytest.mark.parametrize(("dtype", "scale"), [("float64", 1e-12), ("float32", 3e-6)])
@pytest.mark.thorough
def test_long_trees_have_the_matrices_of_pinocchio(dtype: str, scale: float) -> None:
    """Code of C is written in parts for thirty joints."""
    for joints, name in ((14, "M"), (30, "C")):
        arm, model = random_chain(pin, joints, seed=0)
        data = model.createData()
        q, qd = states(arm, 9)[:2].astype(dtype)
        matrices = arm.mass_matrix(q, dtype=dtype) if name == "M" else arm.coriolis_matrix(q, qd, dtype=dtype)
        for k in range(9):
            if name == "M":
                right = pin.crba(model, data, q[k].astype(float))
                close(matrices[k], np.triu(right) + np.triu(right, 1).T, scale)
            else:
                close(
                    matrices[k], pin.computeCoriolisMatrix(model, data, q[k].astype(float), qd[k].astype(float)), scale
                )
