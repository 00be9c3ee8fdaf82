"""The recursion of articulated bodies gives the accelerations of the mass matrix, and is taken by long chains."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from physical import close, physical, states
from robots import orthogonal_robots
from shipped import robot

import qddot
from qddot.machine.compilers.batch import compiled
from qddot.machine.tracing.algorithms import ARTICULATED, BY_MASS_MATRIX, of_accelerations
from qddot.machine.tracing.ports import DRIVEN
from qddot.machine.tracing.traced import TracedArm
from qddot.physics.dynamics import SLID


@given(orthogonal_robots(), st.integers(0, 1000))
@settings(max_examples=6)
def test_articulated_bodies_give_what_the_mass_matrix_gives(arm: qddot.Robot, seed: int) -> None:
    arm = physical(arm, seed)
    q, qd, tau = states(arm, 1, seed)[:, 0]
    made = []
    for algorithm in (BY_MASS_MATRIX, ARTICULATED):
        traced = TracedArm.with_ports(arm.model, DRIVEN, arm.model.defaults())
        assert algorithm in of_accelerations(arm.model)
        made.append(compiled(traced.graph.program("f", {"qdd": algorithm.compute(traced)}))(q, qd, tau))
    close(made[0], made[1], 1e-12 * np.linalg.cond(arm.mass_matrix(q)))


@pytest.mark.parametrize(("name", "has"), [("two_link", True), ("puma560_1986", False)])
def test_equations_that_are_given_have_no_articulated_bodies(name: str, has: bool) -> None:
    model = robot(name).model
    assert (ARTICULATED in of_accelerations(model)) is has


def test_long_chains_take_articulated_bodies() -> None:
    """Composite bodies grow with n³, articulated ones with n."""
    row = {"d": 0.1, "a": 0.3, "alpha": "90deg"}
    link = {"mass": 1, "com": [0.1, 0.2, 0.3], "inertia": {"about": "com", "xx": 1, "yy": 1, "zz": 1.1, "xy": 0.1}}
    arm = qddot.from_dh([{"theta": f"q{k}", **row} for k in range(1, 19)], [link] * 18)
    values = arm.model.defaults()
    composite, articulated = (
        (lambda traced: traced.graph.program("f", {"qdd": algorithm.compute(traced)}).total_operations)(
            TracedArm.with_ports(arm.model, DRIVEN, values).in_frames(SLID)
        )
        for algorithm in (BY_MASS_MATRIX, ARTICULATED)
    )
    assert articulated < composite
    assert arm.program("forward_dynamics").total_operations <= articulated
