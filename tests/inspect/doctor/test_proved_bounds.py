"""The doctor says which bounds of M and G are proved over the joint limits, and where M is singular."""

from __future__ import annotations

import re
from decimal import Decimal

import numpy as np
import pytest

import qddot
from qddot.inspect.doctor.described import diagnose_file
from qddot.inspect.doctor.examine import diagnose

BOUND = re.compile(r"([λ‖]\S+) ([≤≥]) (\S+)")


def said(arm: qddot.Robot) -> dict[str, tuple[str, Decimal]]:
    """The bounds in the doctor's sentences, by quantity."""
    sentences = arm.doctor().proved
    return {name: (sign, Decimal(number)) for text in sentences for name, sign, number in BOUND.findall(text)}


@pytest.mark.parametrize("name", ["two_link", "elbow_3r", "ur5"])
def test_no_pose_is_beyond_what_is_said(name: str) -> None:
    arm = qddot.load(name)
    bounds = said(arm)
    limits = arm.bounds(seconds=0).region
    q = np.random.default_rng(5).uniform(limits.low, limits.high, (20_000, arm.model.n))
    values = np.linalg.eigvalsh(arm.mass_matrix(q))
    assert bounds["λmin(M)"][0] == "≥" and 0 < bounds["λmin(M)"][1] <= values.min()
    assert bounds["λmax(M)"][0] == "≤" and bounds["λmax(M)"][1] >= values.max()
    assert bounds["‖G‖"][0] == "≤" and bounds["‖G‖"][1] >= np.linalg.norm(arm.gravity(q), axis=1).max()


def test_a_printed_bound_is_rounded_to_the_safe_side() -> None:
    for row in qddot.load("elbow_3r").bounds(seconds=0.5):
        for digits in (1, 2, 4):
            printed, exact = Decimal(row.text(digits)), Decimal(row.proven)
            assert printed <= exact if row.name == "lambda_min" else printed >= exact
            assert abs(printed - exact) <= abs(exact) * Decimal(10) ** (1 - digits)


def test_a_long_arm_is_definite_by_its_inertias() -> None:
    first, second = qddot.load("franka_panda").doctor().proved
    assert first == "proved in every pose: M is positive definite, λmin(M) ≥ 0.001309"
    assert second == "no other bounds are searched: 7 coordinates take longer than 2 s; use `qddot bounds`"


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("rp", "the joint of 'd2' slides and has no limits"),
        ("puma560", "no value for Ixx1"),
        ("satellite_arm", "quasi-velocities"),
    ],
)
def test_a_reason_is_said_where_nothing_is_proved(name: str, reason: str) -> None:
    (sentence,) = qddot.load(name).doctor().proved
    assert sentence.startswith("no bounds are proved: ") and reason in sentence


def test_a_pose_in_which_the_mass_matrix_is_singular_is_a_hint() -> None:
    diagnosis = qddot.load("spherical_pendulum").doctor()
    (finding,) = (finding for finding in diagnosis if finding.check == "singular_pose")
    assert finding.severity == "hint"
    theta = float(re.search(r"theta = (\S+),", finding.found)[1])  # type: ignore[index]
    assert abs(np.sin(theta)) < 1e-3
    assert not any("positive definite" in sentence for sentence in diagnosis.proved)


def test_an_arm_that_is_singular_everywhere_has_no_bounds() -> None:
    arm = qddot.from_dh([{"theta": "q1", "d": 0, "a": 1, "alpha": 0}], [{"mass": 0}])
    assert arm.doctor().worst == "error" and arm.doctor().proved == ()


def test_folders_and_the_page_wait_for_no_bounds() -> None:
    assert diagnose(qddot.load("two_link").model).proved == ()
    assert diagnose_file("two_link").proved == ()
    assert diagnose_file("two_link", bounded=True).proved != ()
