"""A force under a letter of its own is a torque of a joint by its exact value alone: it may be a reaction."""

from __future__ import annotations

from pathlib import Path

import pytest
from judged_texts import assert_judged

INERTIA = "(m1*l^2/3 + 4*m2*l^2/3 + m2*l^2*cos(q2))*qdd1 + (m2*l^2/3 + m2*l^2*cos(q2)/2)*qdd2"
VELOCITIES = "- m2*l^2*sin(q2)*qd1*qd2 - m2*l^2*sin(q2)*qd2^2/2"
GRAVITY = "+ m1*g*l*cos(q1)/2 + m2*g*l*cos(q1) + m2*g*l*cos(q1 + q2)/2"
TAU1 = f"tau1 = {INERTIA} {VELOCITIES} {GRAVITY}\n"
TAU2 = "(m2*l^2/3 + m2*l^2*cos(q2)/2)*qdd1 + m2*l^2/3*qdd2 + m2*l^2*sin(q2)*qd1^2/2 + m2*g*l*cos(q1 + q2)/2"
REACTIONS = {
    "R_x": "-m1*l/2*(qdd1*sin(q1) + qd1^2*cos(q1))",
    "N_y": "m1*l/2*(qdd1*cos(q1) - qd1^2*sin(q1)) + m1*g",
    "R_{1x}": "m2*l*qdd1",
    "F_{12}": "m2*l*qdd1",
    "N": "m2*l*qdd1 + m2*g",
    "N_1": "m2*l*qdd1 + m2*g",
    "P": "m2*l*qdd1 + m2*g",
    "T": "m2*l*qdd1",
}


@pytest.mark.parametrize("name", REACTIONS)
def test_a_reaction_is_listed_as_unread(name: str, tmp_path: Path) -> None:
    assert_judged(f"{TAU1}{name} = {REACTIONS[name]}", "two_link", "unread", tmp_path)


@pytest.mark.parametrize("name", ["R_x", "N", "P"])
def test_a_letter_with_the_value_of_a_torque_is_read_as_the_torque(name: str, tmp_path: Path) -> None:
    assert_judged(f"{TAU1}{name} = {TAU2}", "two_link", "right", tmp_path)
