"""Enclosed runs of bodies with quaternions hold every motion that begins in their box."""

from __future__ import annotations

import numpy as np
import pytest

import qddot
from qddot.formats.toml import robot_file

LINK = {"name": "top", "mass": 5, "com": [0, 0, 0.1], "inertia": {"about": "com", "xx": 0.8, "yy": 0.7, "zz": 0.9}}
TOP = qddot.Robot(
    robot_file.from_mapping({"convention": "tree", "link": [{**LINK, "joint": {"type": "spherical"}}]}, "top")
).with_values(g=9.81)
START, RATES = TOP.integrate(TOP.neutral(), [0.4, 0.5, -0.6]), [0.1, 0.5, -0.4]


def inside(run: qddot.Run, bounds: qddot.Run, by: float = 0.0) -> bool:
    pairs = ((run.data[name], bounds.data[f"{name}_lower"], bounds.data[f"{name}_upper"]) for name in ("q", "qd"))
    return all(bool(((x >= lower - by) & (x <= upper + by)).all()) for x, lower, upper in pairs)


def test_bounds_hold_every_start_of_the_box() -> None:
    bounds = TOP.enclose(START, RATES, 0.3, 0.1, radius=1e-4)
    assert bounds.data.q_lower.dims == ("arm", "time", "position")
    for seed in range(3):
        q0 = TOP.integrate(START, np.random.default_rng(seed).uniform(-1, 1, 3) * 1e-4)
        assert inside(TOP.simulate(q0, RATES, 0.3, 0.1, ("taylor", 1e-14)), bounds)
    assert not inside(TOP.simulate(START, [0.1, 0.501, -0.4], 0.3, 0.1, ("taylor", 1e-14)), bounds)


def test_bounds_of_an_exact_start_contain_the_unit_quaternion() -> None:
    """A rounded unit quaternion lies in a box of 1e-14, in which the exact one lies, too."""
    bounds = TOP.enclose(START, RATES, 0.3, 0.1)
    width = float((bounds.data.q_upper - bounds.data.q_lower).max())
    assert 1e-14 < width < 2e-13
    assert inside(TOP.simulate(START, RATES, 0.3, 0.1, ("taylor", 1e-14)), bounds, by=1e-14)
    with pytest.raises(qddot.QddotError, match="expected a unit quaternion"):
        TOP.enclose(2 * START, RATES, 0.3, 0.1)
