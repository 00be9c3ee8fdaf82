"""A sweep with forces has the numbers of single runs with the same forces."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from refusals import refusal
from short_sweeps import SHORT, VALUES, short_plan, sweep

import qddot
from qddot import forces
from qddot.motion.sweeps import plan_file
from qddot.motion.sweeps.preparing import prepared

START: dict[str, Any] = {"duration": 0.5, "step": 0.01}


def push(t: Any, q: Any, qd: Any) -> Any:
    return [qddot.sin(3 * t), 0.0, q[0]]


def test_a_swept_wrench_gives_the_numbers_of_single_runs(two_link: qddot.Robot) -> None:
    force = (qddot.uniform(-5, 5), qddot.normal(-20, 3), 0.0)
    acting = [forces.Wrench("tool", force, (0, 0, 1)), forces.SpringDamper("upper", (1, 0, 0), 5.0)]
    drawn: dict[str, Any] = {"m2": qddot.uniform(5, 15), "draws": 2, "reduce": ["final", "energy"]}
    swept = sweep(two_link, [0.2, 0.1], **START, **VALUES, forces=acting, **drawn)
    assert swept.value_wrench1_force_x.attrs["units"] == "N"
    x, y, m2 = (float(swept[f"value_{name}"][1]) for name in ("wrench1_force_x", "wrench1_force_y", "m2"))
    own = [forces.Wrench("tool", (x, y, 0), (0, 0, 1)), acting[1]]
    one = two_link.simulate([0.2, 0.1], method="rk4", **START, **VALUES, m2=m2, forces=own)
    # a number that is folded into the code is rounded at other places
    assert np.allclose(swept.q_final[1], one.q[-1], rtol=1e-11)
    assert float(swept.external[1]) == pytest.approx(one.energy.external[-1], rel=1e-11)


def test_a_swept_spring_gives_the_numbers_of_single_runs(two_link: qddot.Robot) -> None:
    low, high = qddot.uniform(50, 100), qddot.uniform(0.1, 0.2)
    drawn = forces.SpringDamper(0, (1, qddot.uniform(0, 1), 0), low, qddot.choice([0, 2]), (high, 0, 0), rest=high)
    values = {**VALUES, "m2": 10.0}
    swept = sweep(two_link, [0.2, 0.1], **START, **values, forces=drawn, draws=2, method="midpoint")
    names = ("anchor_y", "stiffness", "damping", "at_x", "rest")
    y, k, c, at, rest = (float(swept[f"value_spring1_{name}"][1]) for name in names)
    own = forces.SpringDamper(0, (1, y, 0), k, c, (at, 0, 0), rest)
    one = two_link.simulate([0.2, 0.1], **START, **values, forces=own, method="midpoint")
    assert np.allclose(swept.q_final[1], one.q[-1], rtol=1e-10)


def test_forces_over_time_and_by_functions_act_in_every_run(two_link: qddot.Robot) -> None:
    times = np.linspace(0, 1, 5)
    acting = [forces.Wrench("tool", (times, np.outer(times, [1, -9, 0])), push, (qddot.uniform(0, 1), 0, 0), "body")]
    plan = short_plan(forces=acting)
    job = prepared(two_link.model, plan)
    assert pickle.loads(pickle.dumps(job)).digest == job.digest  # without the function
    swept = sweep(two_link, **{**SHORT, "draws": 2}, forces=acting)
    at, m2, q1 = (float(swept[f"value_{name}"][1]) for name in ("wrench1_at_x", "m2", "q0_q1"))
    own = forces.Wrench("tool", acting[0].force, push, (at, 0, 0), "body")
    one = two_link.simulate([q1, "90deg"], method="rk4", **START, **VALUES, m2=m2, forces=own)
    assert np.allclose(swept.q_final[1], one.q[-1], rtol=1e-10)


def test_other_forces_are_another_sweep(two_link: qddot.Robot, tmp_path: Path) -> None:
    times = [0.0, 1.0]
    each: list[Any] = [None, forces.SpringDamper(0, (1, 0, 0), 5.0)]
    each += [forces.Wrench("tool", (times, [[0, 0, 0], [0, end, 0]])) for end in (1.0, 2.0)]
    digests = {prepared(two_link.model, short_plan(forces=acting)).digest for acting in each}
    assert len(digests) == 4


PLAN = """
q0 = [0.2, 0.1]
duration = 0.5
step = 0.01
draws = 8

[values]
m1 = 1.0
m2 = 10.0
l = 1.0

[[forces]]
wrench = "tool"
force = [0, { uniform = [-20, 0] }, 0]
frame = "body"

[[forces]]
spring = "upper"
anchor = [1, 0, 0]
stiffness = { normal = [100, 10, 50, 150] }
damping = 3.0
"""


def test_a_plan_has_forces(two_link: qddot.Robot, tmp_path: Path) -> None:
    (tmp_path / "plan.toml").write_text(PLAN)
    read = prepared(two_link.model, plan_file.read(tmp_path / "plan.toml").plan)
    acting = [
        forces.Wrench("tool", (0, qddot.uniform(-20, 0), 0), frame="body"),
        forces.SpringDamper("upper", (1, 0, 0), qddot.normal(100, 10, 50, 150), 3.0),
    ]
    plan = short_plan({"m2": 10.0}, q0=[0.2, 0.1], draws=8, chunk=None, forces=acting)
    assert read.digest == prepared(two_link.model, plan).digest
    assert read.drawn.labels == ["wrench1_force_y", "spring2_stiffness"]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("forces = 3", "expected tables"),
        ("forces = [{ push = 3 }]", 'expected wrench = "tool"'),
        ('forces = [{ wrench = "tool", spring = "tool" }]', 'expected wrench = "tool"'),
        ('forces = [{ wrench = "tool", fore = [1, 2, 3] }]', "did you mean 'force'"),
        ('forces = [{ wrench = "tool", force = [1, 2] }]', "expected three numbers"),
        ('forces = [{ spring = "tool" }]', "a spring without anchor"),
        ('forces = [{ wrench = "tool", force = [{ even = [1] }, 2, 3] }]', "no distribution"),
    ],
)
def test_a_wrong_force_in_a_plan_is_named(text: str, says: str, tmp_path: Path) -> None:
    path = tmp_path / "plan.toml"
    path.write_text(f"q0 = [0, 0]\n{text}\n")
    with pytest.raises(qddot.QddotError, match=rf"plan\.toml.*{says}"):
        plan_file.read(path)


@pytest.mark.parametrize(
    ("acting", "says"),
    [
        (3, ("not-forces-of-a-plan", "3")),
        ([3], ("not-forces",)),
        (forces.Payload(1.0), ("payload-in-a-sweep",)),
        (forces.Wrench("nobody", (1, 0, 0)), ("no-body", "'nobody'")),
        (forces.SpringDamper(0, (1, 0, 0), qddot.normal(100, 10)), ("drawn-below-zero", "spring1_stiffness", "-inf")),
        (forces.SpringDamper(0, (1, 0, 0), 3.0, qddot.grid([1, -1])), ("drawn-below-zero", "spring1_damping", "-1")),
    ],
)
def test_forces_that_cannot_be_swept_are_refused(acting: Any, says: tuple[str, ...], two_link: qddot.Robot) -> None:
    with refusal(qddot.QddotError, *says):
        prepared(two_link.model, short_plan(forces=acting))


def test_a_single_run_does_not_draw(two_link: qddot.Robot) -> None:
    acting = forces.Wrench("tool", (0, qddot.uniform(-1, 1), 0))
    with refusal(qddot.QddotError, "distribution-in-force"):
        two_link.simulate([0, 0], method="rk4", **START, **VALUES, m2=1.0, forces=acting)
