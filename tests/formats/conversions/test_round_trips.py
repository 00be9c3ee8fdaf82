"""An arm keeps its torques through every convention and back to its file."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np
import pytest

import qddot
from qddot.formats.toml import robot_file
from qddot.machine.compilers import kernels

CHAINS = ("franka_panda", "ur5", "kinova_6dof")


@pytest.fixture
def in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Programs run by NumPy: an arm has its torques, whichever compiler it has."""
    monkeypatch.setattr(kernels, "compiler", kernels.blocks)


@pytest.mark.usefixtures("in_blocks")
@pytest.mark.parametrize("name", CHAINS)
def test_from_urdf_by_rows_and_screws_to_urdf(name: str, tmp_path: Path) -> None:
    start = qddot.load(name).as_tree()
    (tmp_path / "arm.urdf").write_text(start.to_urdf(), encoding="utf-8")
    arm = qddot.load(tmp_path / "arm.urdf")
    q, qd, qdd = np.random.default_rng(0).uniform(-2, 2, (3, 50, arm.n))
    expected = qddot.load(name).inverse_dynamics(q, qd, qdd)
    for convention in ("mdh", "screws", "dh", "body_screws", "tree"):
        arm = {  # type: ignore[operator]
            "mdh": arm.as_mdh,
            "dh": arm.as_dh,
            "screws": arm.as_screws,
            "body_screws": partial(arm.as_screws, "body"),
            "tree": arm.as_tree,
        }[convention]()
        path = tmp_path / f"{convention}.toml"
        path.write_text(robot_file.dumps(arm.model, convention), encoding="utf-8")
        arm = qddot.load(path)
        tau = arm.inverse_dynamics(q, qd, qdd)
        # sixteen digits of a few rotations on the way
        assert np.abs(tau - expected).max() <= 1e-11 * np.abs(expected).max(), convention
    (tmp_path / "again.urdf").write_text(arm.to_urdf(), encoding="utf-8")
    tau = qddot.load(tmp_path / "again.urdf").inverse_dynamics(q, qd, qdd)
    assert np.abs(tau - expected).max() <= 1e-11 * np.abs(expected).max()


def test_a_mimic_joint_has_no_row(tmp_path: Path) -> None:
    ends = '<parent link="{1}"/><child link="{0}l"/><limit lower="-1" upper="1"/>'
    joint = f'<joint name="{{0}}" type="revolute">{ends}{{2}}</joint>'
    links = "".join(f'<link name="{name}"/>' for name in ("ground", "al", "bl"))
    joints = joint.format("a", "ground", "") + joint.format("b", "al", '<mimic joint="a"/>')
    path = tmp_path / "hand.urdf"
    path.write_text(f'<robot name="hand">{links}{joints}</robot>', encoding="utf-8")
    with pytest.raises(qddot.QddotError, match="a joint's coordinate follows that of another"):
        qddot.load(path).as_mdh()
    with pytest.raises(qddot.QddotError, match="screws has no joints that follow another"):
        robot_file.dumps(qddot.load(path).as_screws().model, "screws")


@pytest.mark.usefixtures("in_blocks")
def test_a_branch_has_no_row() -> None:
    with pytest.raises(qddot.QddotError, match="the arm branches"):
        qddot.load("baxter").as_dh()
    arm = qddot.load("baxter").as_screws()
    q, qd, qdd = np.random.default_rng(0).uniform(-1, 1, (3, 5, 14))
    np.testing.assert_allclose(
        arm.inverse_dynamics(q, qd, qdd), qddot.load("baxter").inverse_dynamics(q, qd, qdd), rtol=1e-10, atol=1e-11
    )


def test_given_equations_keep_their_coordinates() -> None:
    arm = qddot.load("puma560_1986")
    q, qd, qdd = np.random.default_rng(0).uniform(-1, 1, (3, 6))
    made = arm.as_dh()
    np.testing.assert_allclose(made.inverse_dynamics(q, qd, qdd), arm.inverse_dynamics(q, qd, qdd), rtol=1e-12)
    with pytest.raises(qddot.QddotError, match="entry by entry"):
        arm.to_urdf()


def test_an_arm_writes_itself_as_a_robot_file(tmp_path: Path) -> None:
    arm = qddot.load("two_link").as_mdh()
    file = tmp_path / "two_link.toml"
    file.write_text(arm.to_toml("mdh"), encoding="utf-8")
    q = [0.3, -0.4]
    assert np.allclose(qddot.load(file).gravity(q), arm.gravity(q), rtol=1e-12)
    with pytest.raises(qddot.QddotError, match="convention"):
        arm.to_toml("nonsense")
