"""The doctor and the comparison look at arms with free and spherical joints as at any others."""

from __future__ import annotations

import numpy as np
import pytest

import qddot
from qddot.formats.shared.compound_joints import in_coordinates

TEXT = """
name = "satellite"
convention = "tree"
gravity = [0, 0, "-g"]
symbols = { g = 9.81 }

[[link]]
name = "bus"
joint = { type = "free" }
mass = 50
com = [0, 0, 0]
inertia = { about = "com", xx = 8, yy = 8, zz = 9 }

[[link]]
name = "arm"
parent = "bus"
joint = { type = "revolute", axis = [0, 0, 1], xyz = [0.5, 0, 0], armature = 0.1 }
mass = 5
com = [0.5, 0, 0]
inertia = { about = "com", xx = 0.1, yy = 0.5, zz = 0.5 }

[[link]]
name = "pan"
parent = "arm"
joint = { type = "spherical", xyz = [1, 0, 0] }
mass = 1
com = [0, 0, -0.2]
inertia = { about = "com", xx = 0.01, yy = 0.01, zz = 0.01 }
"""
SATELLITE = qddot.loads(TEXT)


def test_one_by_one_the_same_mechanism_has_the_same_mass_matrix_at_home() -> None:
    chain = qddot.Robot(in_coordinates(SATELLITE.model))
    assert chain.model.coordinates == SATELLITE.model.coordinates and not chain.model.freedoms
    home = SATELLITE.neutral()
    np.testing.assert_allclose(chain.mass_matrix(np.zeros(chain.n)), SATELLITE.mass_matrix(home), atol=1e-14)
    np.testing.assert_allclose(chain.gravity(np.zeros(chain.n)), SATELLITE.gravity(home), atol=1e-14)
    fixed = qddot.load("two_link")
    assert in_coordinates(fixed.model) is fixed.model


def test_a_sound_satellite_has_no_findings() -> None:
    """A free base and a ball have no motor, so that nobody misses their armature."""
    assert list(SATELLITE.doctor()) == []


@pytest.mark.parametrize(
    ("right", "wrong", "check"),
    [
        ("mass = 50", "mass = 0", "missing_inertia"),
        ("com = [0.5, 0, 0]", "com = [500, 0, 0]", "far_centre"),
        ("mass = 1\ncom", "mass = 0\ncom", "singular_mass_matrix"),
    ],
)
def test_mistakes_beside_a_free_joint_are_found(right: str, wrong: str, check: str) -> None:
    text = TEXT.replace(right, wrong)
    text = text.replace("xx = 8, yy = 8, zz = 9", "xx = 0, yy = 0, zz = 0") if "50" in right else text
    text = text.replace("xx = 0.01, yy = 0.01, zz = 0.01", "xx = 0, yy = 0, zz = 0") if "mass = 1" in right else text
    assert check in {finding.check for finding in qddot.loads(text).doctor()}


@pytest.mark.parametrize(
    ("right", "wrong", "cause"),
    [
        ('gravity = [0, 0, "-g"]', 'gravity = [0, 0, "g"]', "gravity points the other way"),
        ("com = [0.5, 0, 0]", "com = [1, 0, 0]", "centre of mass"),
    ],
)
def test_two_satellites_are_compared(right: str, wrong: str, cause: str) -> None:
    assert qddot.diff(SATELLITE, SATELLITE)
    compared = qddot.diff(SATELLITE, qddot.loads(TEXT.replace(right, wrong)))
    assert not compared.equations_agree
    assert cause in str(compared)
