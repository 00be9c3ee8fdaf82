"""A plan says what is swept, and what is wrong with it before anything runs."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from refusals import refusal
from scipy import stats
from short_sweeps import SHORT, VALUES, short_plan, sweep

import qddot
from qddot.motion.sweeps.plan import Plan
from qddot.motion.sweeps.preparing import prepared

SPRING = qddot.loads(
    """
name = "oscillator"
gravity = [0, 0, 0]
convention = "tree"
[symbols]
m = { value = 2.0, unit = "kg" }
[[link]]
name = "mass"
mass = "m"
com = [0, 0, 0]
inertia = { about = "com" }
joint = { type = "prismatic", axis = [1, 0, 0] }
"""
)


def law(t: Any, q: Any, qd: Any, k: Any, c: Any = 0.0) -> Any:
    return -k * q - c * qd


def test_gains_of_a_law_and_parameters_are_swept_as_the_theory_says() -> None:
    """x = cos(√(k/m) t) for a mass m on a spring k."""
    swept = sweep(
        SPRING,
        [1.0],
        torque=law,
        k=qddot.uniform(1, 4),
        m=qddot.uniform(1, 2),
        c=0.0,
        duration=2.0,
        step=0.01,
        draws=64,
    )
    wanted = np.cos(np.sqrt(swept.value_k / swept.value_m) * 2)
    assert np.allclose(swept.q_final[:, 0], wanted, atol=1e-8)  # RK4: (ω h)⁴ · t / 120 is 2e-9


def test_constant_torques_and_dampings_are_swept_as_the_theory_says() -> None:
    """v = (F/c)(1 − e^(−c t/m)) for a force F against a damper c."""
    swept = sweep(
        SPRING, [0], torque=[qddot.normal(3, 1)], damping=[qddot.uniform(1, 2)], duration=1.0, step=0.01, draws=64
    )
    F, c = swept.value_torque_q1, swept.value_damping_q1
    assert np.allclose(swept.qd_final[:, 0], F / c * (1 - np.exp(-c / 2)), atol=1e-10)


@pytest.mark.parametrize("force", [[3.0], (3.0,), np.array([3.0]), ([0, 1], [3.0, 3.0]), lambda t, q, qd: [3.0]])
def test_every_kind_of_torque_drives_the_arm(force: Any) -> None:
    """v = v₀ + F t/m."""
    swept = sweep(SPRING, [0], [qddot.uniform(0, 1)], torque=force, duration=1.0, step=0.1, draws=4)
    assert np.allclose(swept.qd_final[:, 0], swept.value_qd0_q1 + 1.5)


def test_a_grid_runs_every_combination() -> None:
    swept = sweep(SPRING, [qddot.grid(0, 1, 3)], [qddot.grid([5, 7])], duration=1.0, step=0.1)
    assert swept.value_q0_q1.values.tolist() == [0, 0, 0.5, 0.5, 1, 1]
    assert np.allclose(swept.q_final[:, 0], swept.value_q0_q1 + swept.value_qd0_q1)


def test_limits_and_events_stop_runs_and_say_which() -> None:
    arm = qddot.loads(SPRING.to_toml().replace("axis = [1, 0, 0]", "axis = [1, 0, 0], limits = [-1, 1]"))
    swept = sweep(
        arm,
        [qddot.grid([-2, 0, 0.5])],
        [qddot.grid([-1, 0, 1])],
        duration=2.0,
        step=0.1,
        event=lambda t, q, qd: t - 1.75,
    )
    names = swept.status.attrs["flag_meanings"].split()
    statuses = [names[k] for k in swept.status.values]
    low, high, event = "reached_q1_lower_limit", "reached_q1_upper_limit", "reached_the_event"
    assert statuses == [low] * 3 + [low, event, high] + [low, event, high]
    strict = sweep(arm, [0], [qddot.grid([-1, 1])], duration=2.0, step=0.1, strict=True)
    assert [names[k] for k in strict.status.values] == [low, high]
    # a start beyond a limit stops at once; else within the step before the limit
    assert swept.stop_time.values == pytest.approx([0, 0, 0, 1, 1.7, 1, 1.5, 1.7, 0.5], abs=0.1 + 1e-9)


def test_runs_that_no_body_can_do_are_named_and_counted_and_the_rest_goes_on() -> None:
    mass = qddot.choice([-1, 1, 2])
    swept = sweep(SPRING, [0], [1], m=mass, duration=1.0, step=0.1, draws=300)
    bad = swept.value_m.values < 0
    names = swept.status.attrs["flag_meanings"].split()
    assert 0 < bad.sum() < 300
    assert (swept.status == names.index("impossible_mass")).values.tolist() == bad.tolist()
    assert np.isnan(swept.q_final[bad]).all() and np.allclose(swept.q_final[~bad], 1)
    assert swept.attrs["notes"] == [
        f"{bad.sum()} runs left out: the mass, inertia, friction, armature or limits drawn for link 'mass' are "
        "physically impossible"
    ]
    below = sweep(
        SPRING, [0], [1], m=qddot.uniform(-2, 1), duration=1.0, step=0.1, draws=50
    )  # its median is below zero
    assert (below.status == names.index("impossible_mass")).values.tolist() == (below.value_m < 0).values.tolist()
    with refusal(qddot.QddotError, "impossible-draw", "0", "'mass'", "m = -1") as error:
        sweep(SPRING, [0], [1], m=mass, duration=1.0, step=0.1, draws=300, strict=True)
    assert bad[int(str(error.value).split(":")[0].removeprefix("run "))]


@pytest.mark.parametrize("effect", ["damping", "coulomb", "armature"])
def test_drawn_friction_and_armature_are_possible_where_the_model_accepts_them(effect: str) -> None:
    text = (
        SPRING.to_toml().replace("m = {", "c = { value = 1.0 }\nm = {").replace("axis = [", f'{effect} = "c", axis = [')
    )
    arm = qddot.loads(text)
    swept = sweep(arm, [0], [1], c=qddot.uniform(-1, 1), duration=0.1, step=0.1, draws=50)
    drawn = swept.value_c.values
    assert ((swept.status != 0).values == (drawn < 0)).all() and (drawn < 0).any()
    with refusal(qddot.QddotError, "effect-negative"):
        arm.with_values(c=float(drawn.min()))


def test_impossible_inertias_are_those_that_the_model_refuses() -> None:
    text = (
        SPRING.to_toml()
        .replace("m = {", 'I = { value = 1.0, unit = "kg m^2" }\nm = {')
        .replace("inertia = {", 'inertia = {xx = 1, yy = 2, zz = "I", ')
    )
    arm = qddot.loads(text)
    swept = sweep(arm, [0], I=qddot.uniform(0, 5), duration=0.1, step=0.1, draws=200)
    ends = swept.value_I.values
    assert ((swept.status != 0).values == ((ends > 3) | (ends < 1))).all()  # the triangle inequality
    with refusal(qddot.QddotError, "impossible-inertia"):
        arm.with_values(I=float(ends[ends > 3][0]))


def test_a_job_is_data_without_code_of_the_user(two_link: qddot.Robot) -> None:
    reduction = qddot.reductions.largest(lambda t, q, qd: q[0])
    asked = Plan(
        qddot.Motion([0.1, 0.2], torque=lambda t, q, qd, k: -k * q),
        qddot.Draws(4),
        reduce={"x": reduction},
        values={**VALUES, "m2": 2.0, "k": qddot.uniform(1, 2)},
    )
    job = prepared(two_link.model, asked)
    assert pickle.loads(pickle.dumps(job)).digest == job.digest  # a lambda in it could not be pickled


def test_the_identity_tells_sweeps_apart(two_link: qddot.Robot) -> None:
    def digest(**changed: Any) -> str:
        return prepared(two_link.model, short_plan(**changed)).digest

    others = [
        {"seed": 1},
        {"draws": 201},
        {"duration": 0.6},
        {"method": "midpoint"},
        {"q0": [qddot.uniform(-1, 1.5), 1.0]},
        {"values": {"m1": 2.0}},
        {"values": {"m2": qddot.uniform(5, 16)}},
        {"design": "sobol"},
        {"damping": 1.0},
        {"torque": lambda t, q, qd: -q},
        {"torque": [1.0, 2.0]},
        {"reduce": "extremes"},
        {"limits": False, "chunk": 8},
        {"event": lambda t, q, qd: q[0] - 9},
        {"torque": ([0, 1], [[0, 0], [1, 1]])},
    ]
    assert len({digest(), *(digest(**each) for each in others)}) == 1 + len(others)
    assert digest() == digest()


def test_sobol_indices_are_those_of_the_theory_and_scipys() -> None:
    """Var(x0 + v0 t) = Var(x0) + t² Var(v0) without interaction."""
    swept = sweep(
        SPRING,
        [qddot.uniform(0, 1)],
        [qddot.uniform(0, 3)],
        m=qddot.uniform(1, 2),
        duration=1.0,
        step=0.5,
        draws=256,
        design="saltelli",
    )
    indices = swept.sweep.sensitivity("q_final").isel(joint=0)
    for kind in ("first", "total"):
        assert np.abs(indices[kind] - [0.1, 0.9, 0.0]).max() < 4 * float(indices[f"{kind}_error"].max()) < 0.3
    rows = swept.q_final.values[:, 0].reshape(256, 5)
    f = {"f_A": rows[None, :, 0], "f_B": rows[None, :, 1], "f_AB": rows.T[2:, None]}
    theirs = stats.sobol_indices(func=f, n=256)
    assert np.allclose(indices["first"], theirs.first_order) and np.allclose(indices.total, theirs.total_order)


def test_an_answer_draws_itself() -> None:
    swept = sweep(
        SPRING,
        [0],
        [qddot.normal(1, 1)],
        m=qddot.uniform(1, 2),
        duration=1.0,
        step=0.1,
        draws=64,
        design="saltelli",
        reduce=["final", "whole"],
    )
    figures = (
        swept.sweep.plot_histogram("qd_final"),
        swept.sweep.plot_tube("q"),
        swept.sweep.plot_sensitivity("q_final", lang="en"),
    )
    for figure in figures:
        figure.draw_without_rendering()
    counts = [patch.get_height() for patch in figures[0].axes[0].patches]
    assert sum(counts) == 256
    with refusal(qddot.QddotError, "no-variable-of-histogram"):
        swept.sweep.plot_histogram("q")
    with refusal(qddot.QddotError, "no-quantiles", "'x'"):
        swept.sweep.plot_tube("x")
    assert repr(swept.sweep) == "<sweep of oscillator: 256 runs, qd0_q1, m drawn>"
    with refusal(qddot.QddotError, "dataset-of-no-sweep"):
        _ = swept.drop_attrs().sweep


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"q0": [1.0, 2.0], "m2": 5.0}, "nothing is drawn"),
        ({"q0": [1.0]}, "a list of 2 numbers or distributions"),
        ({"q0": qddot.uniform(0, 1)}, "a list of 2"),
        ({"q0": "90deg"}, "a list of 2"),
        ({"q0": [1.0, "banana"]}, "q0_q2"),
        ({"draws": None}, "give draws"),
        ({"draws": 0}, "an integer from 1"),
        ({"draws": True}, "an integer from 1"),
        ({"seed": -1}, "a nonnegative integer below"),
        ({"seed": 1.5}, "a nonnegative integer below"),
        ({"design": "sobl"}, "did you mean 'sobol'"),
        ({"design": "grid"}, "q0_q1 is not a grid"),
        ({"design": "latin", "draws": 10**9}, "cannot be drawn in parts"),
        ({"design": "sobol", "draws": 2**31}, "at most"),
        ({"design": "saltelli"}, "a power of 2, such as 128"),
        ({"m2": qddot.grid(1, 2, 3)}, "m2 is a grid"),
        ({"method": "radau"}, "rk4"),
        ({"step": 0.3}, "does not divide"),
        ({"duration": float("nan")}, "duration = nan; expected a number of seconds of at least 0"),
        ({"options": qddot.Options(record_every=7), "reduce": "whole"}, "a divisor"),
        ({"m3": qddot.uniform(1, 2)}, "m3"),
        ({"m1": qddot.uniform(1, 2), "k": 3.0}, "'k' is neither a symbol nor a gain"),
        ({"torque": law}, "k"),
        ({"torque": [1.0]}, "a list of 2"),
        ({"torque": lambda t, q, qd: q if q[0] > 0 else -q}, "cannot be compiled"),
        ({"event": lambda t, q, qd: 1.0 if t > 1 else 0.0}, "cannot be compiled"),
        ({"damping": -1.0}, "nonnegative numbers"),
        ({"damping": qddot.uniform(0, 1)}, "one for each joint"),
        ({"limits": 3}, "True or False"),
        ({"m1": [1.0, 2.0]}, "m1"),
        ({"m1": None}, "m1"),
        ({"options": qddot.Options(scheduler=3)}, "tcp://"),
        ({"options": qddot.Options(threads=2, scheduler="local")}, "one of them"),
        ({"chunk": -4}, "an integer from 1"),
    ],
)
def test_a_plan_that_cannot_be_run_is_refused(changed: Any, says: str, two_link: qddot.Robot) -> None:
    with pytest.raises(qddot.QddotError, match=says):
        sweep(two_link, **{**SHORT, **changed})


def test_what_is_no_arm_is_not_swept() -> None:
    with refusal(qddot.QddotError, "sweep-of-no-arm"):
        qddot.sweep("two_link", qddot.Motion([qddot.uniform(0, 1)]))


def test_what_belongs_to_the_motion_is_said_to(two_link: qddot.Robot) -> None:
    start = [qddot.uniform(0, 1), 0]
    with refusal(qddot.QddotError, "neither-symbol-nor-gain", "'step'", "step"):
        qddot.sweep(two_link, qddot.Motion(start), draws=2, step=0.1)
    with refusal(qddot.QddotError, "no-motion"):
        qddot.sweep(two_link, start, draws=2)
    with refusal(qddot.QddotError, "no-such-setting-of-draws", "'desing'", "'design'"):
        qddot.sweep(two_link, qddot.Motion(start), draws={"desing": "sobol"})


def test_a_chunk_of_one_run_is_refused(two_link: qddot.Robot) -> None:
    with refusal(qddot.QddotError, "option-of-sweeps", "chunk"):
        two_link.simulate([0, 0], options=qddot.Options(chunk=4), m1=1, m2=1, l=1)
