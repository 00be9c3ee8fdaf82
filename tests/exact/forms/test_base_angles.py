"""Base parameters are right for arbitrary constant angles: as many as the rank at exactly these angles."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from flint import arb
from hypothesis import given, settings
from hypothesis import strategies as st
from physical import states
from refusals import refusal
from robots import ANGLES, AXES

import qddot
from qddot.algebra.expressions.angles import Angle
from qddot.algebra.numbers.balls import Balls, ball, precise
from qddot.algebra.numbers.modular import Modular
from qddot.base.errors import ExactnessError
from qddot.exact.forms.base import BaseParameters, ParameterShare, base_parameters, find
from qddot.exact.forms.base.parameters import BaseParameter
from qddot.exact.forms.base.relations import relations
from qddot.exact.forms.base.verify_base import check
from qddot.formats.toml import robot_file
from qddot.physics.algorithms.regressor import regressor
from qddot.physics.mechanism import Mechanism

TENSOR = {"about": "com", "xx": 0.3, "yy": 0.4, "zz": 0.5, "xy": 0.02, "xz": 0.01, "yz": -0.03}
BODY = {"mass": 2, "com": [-0.2, 0.05, 0.02], "inertia": TENSOR}


def tree(joints: list[dict[str, object]], **more: object) -> qddot.Robot:
    """A chain of joints, a body on each."""
    names = ["base", *(f"link{k}" for k in range(len(joints)))]
    links = [{"parent": names[k], "name": names[k + 1], "joint": joint, **BODY} for k, joint in enumerate(joints)]
    return qddot.Robot(robot_file.from_mapping({"convention": "tree", "link": links, **more}, "tree"))


def nearly_parallel(eps: float) -> qddot.Robot:
    """Three axes that a calibration found a little off parallel."""
    rows = [
        {"theta": f"q{k + 1} + {k / 10}", "d": 0.1, "a": 0.4, "alpha": repr(eps * part)}
        for k, part in enumerate((1, -0.7, 1.3))
    ]
    return qddot.from_mdh(rows, [BODY] * 3, gravity=[0, "-g", 0])


def six_odd_angles(lengths: bool) -> qddot.Robot:
    angles = (17, 23, 31, 41, 53, 67)
    rows = [
        {"theta": f"q{k}", "d": f"d{k}" if lengths else 0.1, "a": f"a{k}" if lengths else 0.2, "alpha": f"{angle}deg"}
        for k, angle in enumerate(angles, 1)
    ]
    symbols = {f"{name}{k}": 0.2 + 0.07 * k for name in "ad" for k in range(1, 7)} if lengths else {}
    return qddot.from_dh(rows, [BODY] * 6, symbols=symbols)


def skew_tree() -> qddot.Robot:
    """Angles of all kinds, a millionth of a radian among them, which no rational with a small denominator is near."""
    turns = [["1e-6", 0, "17deg"], ["0.3", "-163deg", "1e-6"], ["123.456", 0, "0.1"], ["17deg", "0.3", "-0.1"]]
    kinds = ("revolute", "prismatic", "revolute", "revolute")
    axes = [(0, 0, 1), ("3/5", "4/5", 0), ("2/3", "-1/3", "2/3"), ("cos(17deg)", "sin(17deg)", 0)]
    places = [[0.1, 0, 0.2], [0, "0.123456789", 0], ["0.001", 0.3, 0], [0, 0.2, -0.1]]
    return tree(
        [
            {"type": kind, "axis": list(axis), "xyz": place, "rpy": turn}
            for kind, axis, place, turn in zip(kinds, axes, places, turns, strict=True)
        ],
        gravity=["4.9", 0, "-8.5"],
    )


def off_in_balls(arm: qddot.Robot, parameters: BaseParameters) -> float:
    """The largest difference that base parameters make to a column of Y, in balls, at the angles as they are."""
    symbols = {name: Fraction(value) for name, value in arm.model.defaults().items()}
    state = [{q: Fraction(3 + k + 7 * j, 5 + 2 * k) for k, q in enumerate(arm.model.coordinates)} for j in range(3)]
    worst = arb(0)
    with precise(1024):
        for row in regressor(Mechanism.of(arm.model, Balls(symbols, *state))):
            left = {k: ball(entry) for k, entry in enumerate(row) if k not in parameters.columns}
            for each in parameters:
                for share in each.shares:
                    left[share.parameter] -= parameters.factor(share, symbols) * ball(row[each.parameter])
            for rest in left.values():
                worst = worst.max(abs(rest).upper())
    return float(worst.upper())


def rank_in_balls(arm: qddot.Robot) -> int:
    """The rank of Y in many states, by elimination with the largest pivot; 1024 bits tell 0 from other numbers."""
    symbols = {name: Fraction(value) for name, value in arm.model.defaults().items()}
    columns = 10 * len(arm.model.bodies)
    rows: list[list[arb]] = []
    with precise(1024):
        for j in range(columns // arm.n + 2):
            state = [
                {q: Fraction((11 * j + 5 * k + 3 * i) % 17 - 8, 7 + k) for k, q in enumerate(arm.model.coordinates)}
                for i in range(3)
            ]
            rows += [[ball(x) for x in row] for row in regressor(Mechanism.of(arm.model, Balls(symbols, *state)))]
        matrix, rank = np.array([[x.mid() for x in row] for row in rows], dtype=object), 0
        while matrix.size:
            sizes = abs(matrix)
            i, j = map(int, np.unravel_index(np.argmax(sizes), matrix.shape))
            if sizes[i, j] < arb(2) ** -600:
                break
            rank += 1
            others = np.delete(np.arange(len(matrix)), i)
            factors = matrix[others, j] / matrix[i, j]
            matrix = matrix[others] - np.outer(factors, matrix[i])
    return rank


@pytest.mark.slow
@pytest.mark.parametrize("eps", [1e-2, 1e-4, 3e-7])
def test_nearly_parallel_axes_are_not_parallel(eps: float) -> None:
    arm = nearly_parallel(eps)
    parameters = arm.base_parameters()
    assert len(parameters) == rank_in_balls(arm) == 17
    assert parameters.exact
    q, qd, qdd = states(arm, 50)
    torques = arm.inverse_dynamics(q, qd, qdd)
    in_base = arm.regressor(q, qd, qdd)[..., parameters.columns] @ parameters.values()
    assert np.abs(in_base - torques).max() < 1e-12 * np.abs(torques).max()  # about a thousand roundings


def test_tiny_angles_among_odd_ones_keep_their_weight() -> None:
    arm = skew_tree()
    parameters = arm.base_parameters()
    assert len(parameters) == rank_in_balls(arm)
    assert off_in_balls(arm, parameters) < 1e-60


@pytest.mark.parametrize("lengths", [False, True])
def test_six_odd_angles_are_exact(lengths: bool) -> None:
    arm = six_odd_angles(lengths)
    parameters = arm.base_parameters()
    assert parameters.exact
    assert len(parameters) == 36
    assert off_in_balls(arm, parameters) < 1e-60
    assert "cos(17deg)" in str(parameters)


def test_relations_of_rational_angles_are_seen_although_the_ring_misses_them() -> None:
    """17° + 23° + 31° − 71° = 0: axes are parallel that look skew where these angles count as independent."""
    turns = ["17deg", "23deg", "31deg", "-71deg"]
    fixed = [{"type": "fixed", "rpy": [turn, 0, 0], "xyz": [0, 0, 0]} for turn in turns]
    hinge: dict[str, Any] = {"type": "revolute", "axis": [0, 0, 1], "xyz": [0.3, 0, 0]}
    twisted, plain = tree([hinge, *fixed, hinge]), tree([hinge, hinge])  # type: ignore[list-item]
    parameters = twisted.base_parameters()
    assert len(parameters) == len(plain.base_parameters()) == rank_in_balls(twisted)
    assert off_in_balls(twisted, parameters) < 1e-60


def test_residues_keep_the_relations_of_constant_angles() -> None:
    arm = tree([{"type": "revolute", "axis": [0, 0, 1], "rpy": ["20deg", "0.3", "phi"]}], symbols={"phi": 0.7})
    numbers = Modular.of(arm.model, 5)
    c, s = numbers.circular(Angle.degrees(20))
    assert c * c + s * s == 1
    assert 8 * c**3 - 6 * c == 1
    assert numbers.root(2) ** 2 == 2
    assert numbers.root(3) ** 2 == 3


def test_what_is_rounded_is_bounded_and_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(find, "READABLE_TERMS", 1)
    arm = skew_tree()
    parameters = arm.base_parameters()
    assert not parameters.exact
    assert 0 < parameters.error_bound < 2**-100
    assert "rounded" in str(parameters)
    assert off_in_balls(arm, parameters) < 1e-60
    monkeypatch.undo()
    exact = arm.base_parameters()
    assert exact.columns == parameters.columns
    np.testing.assert_allclose(exact.values(), parameters.values(), rtol=1e-15)  # both right to the last digit


def test_a_wrong_share_is_no_answer() -> None:
    arm = qddot.load("puma560")
    parameters = list(base_parameters(arm.model))
    went = relations(arm.model, armature=False).support
    check(arm.model, parameters, went, armature=False)
    k = next(k for k, each in enumerate(parameters) if each.shares)
    first, *others = parameters[k].shares
    wrong = ParameterShare(first.parameter, first.numerator * 1 + Fraction(1, 10**9), first.denominator)
    parameters[k] = BaseParameter(parameters[k].parameter, (wrong, *others))
    with refusal(ExactnessError, "wrong-base-parameters"):
        check(arm.model, parameters, went, armature=False)


def test_a_wrong_rounded_share_is_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(find, "READABLE_TERMS", 1)
    monkeypatch.setattr(find, "KEPT_BITS", 40)
    with refusal(ExactnessError, "wrong-base-parameters"):
        skew_tree().base_parameters()


@st.composite
def odd_chains(draw: st.DrawFn) -> qddot.Robot:
    """Chains of two or three joints with any axes and constant angles, all numbers."""
    turns = st.sampled_from([angle for angle in ANGLES if "phi" not in angle] + ["17deg", "1e-6", "400deg", "123.456"])
    joints = [
        {
            "type": draw(st.sampled_from(["revolute", "revolute", "prismatic"])),
            "axis": list(draw(st.sampled_from(AXES))),
            "xyz": draw(st.permutations([0, "0.1", "-1/3"])),
            "rpy": [draw(turns), draw(turns), draw(turns)],
        }
        for _ in range(draw(st.integers(2, 3)))
    ]
    return tree(joints)


@given(odd_chains())
@settings(max_examples=12, deadline=None)
def test_random_angles(arm: qddot.Robot) -> None:
    parameters = arm.base_parameters()
    assert len(parameters) == rank_in_balls(arm)
    assert off_in_balls(arm, parameters) < 1e-60
