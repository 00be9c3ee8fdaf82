"""A model has what its URDF file says."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from physical import close, physical, states
from refusals import refusal
from robots import robots
from urdf_texts import ARM, changed, read

import qddot
from qddot.algebra.expressions.expression import Expression
from qddot.algebra.spatial import Rotation, Vec3
from qddot.base.errors import QddotError
from qddot.formats import urdf
from qddot.machine.compilers import kernels
from qddot.robot.effects.coulomb import Coulomb
from qddot.robot.effects.drag import Drag
from qddot.robot.effects.viscous import Viscous


def value(entry: Any) -> float:
    return float(entry) if isinstance(entry, int) else float(entry.value({}))


def test_a_file_is_read_as_it_is_written() -> None:
    model = read(ARM)
    assert (model.name, model.coordinates) == ("arm", ("q1", "q2"))
    upper, fore, plate = model.bodies
    assert [body.joint.type for body in model.bodies] == ["revolute", "prismatic", "fixed"]
    assert [body.joint.name for body in model.bodies] == ["shoulder", "slide", "bolt"]
    assert [body.joint.parent for body in model.bodies] == ["base", "upper", "fore"]
    assert upper.joint.placement.p.z == Expression.constant(Fraction(2159, 5000))
    assert upper.joint.placement.R == Rotation(Vec3(1, 0, 0), Vec3(0, 0, -1), Vec3(0, 1, 0))
    assert upper.joint.axis == Vec3(0, 0, 1)
    assert [str(limit) for limit in upper.joint.limits or ()] == ["-3/2", "9/4"]
    assert [(type(e), str(e.coefficient)) for e in upper.joint.effects] == [(Viscous, "7/10"), (Coulomb, "1/4")]  # type: ignore[attr-defined]
    half = Expression.constant(Fraction(1, 2))
    assert fore.joint.axis.dot(fore.joint.axis) == 1
    assert fore.joint.axis.x * fore.joint.axis.y == half
    # turned by 90° about y, its own x and z axes change places; then the parallel axes add m x² across x
    moved = Expression.constant(Fraction("0.048"))
    assert (fore.inertia.I.xx, fore.inertia.I.yy) == (Fraction("2.5"), 2 + moved)
    assert fore.inertia.I.zz == 1 + moved
    assert plate.inertia.m == Expression.constant(Fraction(2159, 5000))
    assert str(model.gravity) == str(Vec3(0, 0, Expression.of("g") * -1))
    assert model.defaults() == {"g": 9.81}


def test_what_was_changed_is_noted() -> None:
    notes = read(ARM).notes
    assert "joint 'shoulder': 1.57079632679 rad read as 90deg" in notes
    assert "joint 'shoulder': axis 0 0 2 is scaled to length 1" in notes
    assert "link 'fore': 1.5708 rad read as 90deg" in notes
    assert any(note.startswith("joint 'slide': 0.3 rad is made a rational rotation, and changed by") for note in notes)


@given(st.lists(st.floats(-7, 7), min_size=3, max_size=3))
@settings(max_examples=25)
def test_any_rotation_is_exact_and_near(rpy: list[float]) -> None:
    """RᵀR = 1 exactly, and R within 1e-11 of Rz Ry Rx: three turns of 1e-12 and their rounding."""
    text = " ".join(f"{angle:.17f}" for angle in rpy)
    R = read(changed("0 0 0.3", text)).bodies[1].joint.placement.R
    assert R @ R.T == Rotation.identity()
    (cr, cp, cy), (sr, sp, sy) = np.cos(rpy), np.sin(rpy)
    Rx = np.array([[1, 0, 0], [0, cr, -sr], [0, sr, cr]])
    Ry = np.array([[cp, 0, sp], [0, 1, 0], [-sp, 0, cp]])
    Rz = np.array([[cy, -sy, 0], [sy, cy, 0], [0, 0, 1]])
    close([[value(entry) for entry in row] for row in R], Rz @ Ry @ Rx, 1e-11)


@given(st.lists(st.integers(-999, 999), min_size=3, max_size=3).filter(any), st.integers(1, 1000))
@settings(max_examples=25)
def test_any_axis_is_made_a_unit_vector_along_itself(entries: list[int], divisor: int) -> None:
    v = np.array(entries) / divisor
    axis = read(changed("1 1 0", " ".join(f"{x:.15f}" for x in v))).bodies[1].joint.axis
    assert axis.dot(axis) == 1
    close([value(entry) for entry in axis], v / np.linalg.norm(v), 1e-11)


def test_links_of_a_massive_root_keep_it_and_a_link_named_base_is_renamed() -> None:
    heavy = read(changed('<link name="world"/>', '<link name="world"><inertial><mass value="9"/></inertial></link>'))
    assert (heavy.bodies[0].name, heavy.bodies[0].joint.type, heavy.bodies[1].joint.parent) == (
        "world",
        "fixed",
        "world",
    )
    renamed = read(ARM.replace('"plate"', '"base"'))
    assert renamed.bodies[2].name == "base_1"
    assert "link 'base': called 'base_1' here, since 'base' is the ground" in renamed.notes


def test_an_inertia_that_no_body_has_is_read_with_a_note() -> None:
    model = read(changed('izz="0.539"', 'izz="0.7"'))
    assert model.bodies[0].partial_inertia
    assert not model.bodies[1].partial_inertia
    assert any("link 'upper': partial inertia accepted" in note for note in model.notes)


def test_the_commands_and_the_loader_take_urdf(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from qddot.apps.cli import main

    for name in ("arm.urdf", "arm.xml", "ARM.URDF"):
        (tmp_path / name).write_text(ARM, encoding="utf-8")
        assert qddot.load(tmp_path / name).model == read(ARM)
    assert main(["show", str(tmp_path / "arm.urdf")]) == 0
    assert "1.57079632679 rad read as 90deg" in capsys.readouterr().out
    assert main(["prove", str(tmp_path / "arm.urdf")]) == 0


def test_text_between_elements_comments_and_namespaces_do_not_matter() -> None:
    assert read(ARM.replace("<robot ", '<robot xmlns="http://drake.mit.edu" ')) == read(ARM)
    assert read(ARM.replace("<link", "<!-- a link --> words <link")) == read(ARM)


HAND = """<robot name="hand">
  <link name="palm"/><link name="a"><inertial><mass value="1"/><origin xyz="0.1 0 0.2"/></inertial></link>
  <link name="b"><inertial><mass value="2"/><origin xyz="0 0.1 0.3"/></inertial></link>
  <link name="c"><inertial><mass value="3"/></inertial></link>
  <joint name="thumb" type="revolute"><parent link="palm"/><child link="a"/>
    <dynamics damping="0.5" friction="1"/></joint>
  <joint name="index" type="revolute"><parent link="a"/><child link="b"/><axis xyz="0 1 0"/>
    <mimic joint="thumb" multiplier="-2" offset="0.3"/><dynamics damping="0.25" friction="0.5"/></joint>
  <joint name="slide" type="prismatic"><parent link="b"/><child link="c"/></joint>
</robot>"""


def test_a_joint_that_mimics_moves_as_its_leader_says() -> None:
    arm = qddot.Robot(read(HAND))
    free = qddot.Robot(read(HAND.replace('<mimic joint="thumb" multiplier="-2" offset="0.3"/>', "")))
    E, shift = np.array([[1, 0], [-2, 0], [0, 1]]), np.array([0, 0.3, 0])
    q, qd, qdd = states(arm, 6)
    all_q, all_qd, all_qdd = q @ E.T + shift, qd @ E.T, qdd @ E.T
    close(arm.inverse_dynamics(q, qd, qdd), free.inverse_dynamics(all_q, all_qd, all_qdd) @ E, 1e-11)
    close(arm.mass_matrix(q), E.T @ free.mass_matrix(all_q) @ E, 1e-11)
    close(arm.forward_kinematics(q), free.forward_kinematics(all_q), 1e-11)
    assert "joint 'index' moves by -2 times the coordinate of 'thumb'" in arm.model.notes
    same_torques(arm, qddot.Robot(read(arm.to_urdf())))
    assert arm.prove()


@pytest.mark.parametrize(
    ("mimic", "says"),
    [
        ('joint="thum"', ("no-such-joint", "<mimic> of", "'thum'", "'thumb'")),
        ("", ("attribute-missing", "<mimic>", "joint")),
        ('joint="index"', ("followers-in-circle", "'index' → 'index'")),
        (
            'joint="slide"',
            ("turning-mimics-sliding", "mimic", "'slide'"),
        ),
        ('joint="thumb" multiplier="0"', ("multiplier-zero",)),
        ('joint="thumb" multiplier="x"', ("decimal-wrong", "multiplier", "'x'")),
    ],
)
def test_a_joint_that_cannot_follow_is_refused(mimic: str, says: tuple[str, ...]) -> None:
    with refusal(QddotError, *says):
        read(HAND.replace('joint="thumb" multiplier="-2" offset="0.3"', mimic))


def same_torques(one: qddot.Robot, other: qddot.Robot, count: int = 5) -> None:
    """Rotations that are no multiples of 15° are read as rational ones within 1e-12, each."""
    q, qd, qdd = states(one, count)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(kernels, "compiler", kernels.blocks)  # an arm has its torques, whichever compiler it has
        close(other.inverse_dynamics(q, qd, qdd), one.inverse_dynamics(q, qd, qdd), 1e-11)


def test_every_arm_of_the_zoo_is_the_same_after_urdf(zoo_arm: qddot.Robot) -> None:
    arm = physical(zoo_arm)
    if arm.name == "flexible_2r":
        with refusal(QddotError, "urdf-of-elastic", "q1"):
            arm.to_urdf()
        return
    again = qddot.Robot(urdf.loads(arm.to_urdf(), "again.urdf"))
    assert again.n == arm.n
    same_torques(arm, again)
    q = states(arm, 4)[0]
    # the base is turned where gravity is not along −z: the tool is as far from its origin
    distances = [np.linalg.norm(each.skeleton(q)[1], axis=-1) for each in (again, arm)]
    close(distances[0], distances[1], 1e-11)


@given(robots())
@settings(max_examples=20)
def test_random_trees_are_the_same_after_urdf(arm: qddot.Robot) -> None:
    arm = physical(arm)
    same_torques(arm, qddot.Robot(urdf.loads(arm.to_urdf(), "again.urdf")), 2)


def test_a_file_written_and_read_again_has_the_same_decimals() -> None:
    model = read(ARM)
    again = urdf.loads(urdf.dumps(model), "again.urdf")
    for one, other in zip(model.bodies, again.bodies, strict=True):
        assert (one.name, one.inertia.m, one.com) == (other.name, other.inertia.m, other.com)
        assert one.inertia == other.inertia
        assert one.joint.name == other.joint.name
        assert one.joint.placement == other.joint.placement
        assert one.joint.limits == other.joint.limits
        assert one.joint.effects == other.joint.effects
    assert urdf.dumps(again) == urdf.dumps(model)


def test_gravity_rotors_and_springs_are_comments_that_are_read_back_exactly() -> None:
    effects = (qddot.Armature("0.1"), qddot.Spring("2.5", "-0.3"))
    body = qddot.Body.of("a", qddot.Joint(effects=effects), mass=1, com=(0, "0.2", 0))
    moon = qddot.Model("moon", [body], gravity=(0, 0, "-1.62"))
    text = urdf.dumps(moon)
    assert "<!-- qddot: gravity 0 0 -1.62 -->" in text
    again = urdf.loads(text, "moon.urdf")
    assert again.bodies[0].joint.effects == effects
    assert again.symbols["g"].value == qddot.Model("x", [body], gravity=(0, 0, "-1.62")).gravity.z * -1
    assert urdf.dumps(again) == text
    still = qddot.Robot(urdf.loads(urdf.dumps(replace(moon, gravity=(0, 0, 0))), "still.urdf"))
    assert not still.gravity([0.3]).any()


def test_a_comment_adds_to_the_friction_of_a_joint() -> None:
    """What the element <dynamics> says stays; a comment may not say it a second time."""
    text = urdf.dumps(qddot.load("cart_pole").with_friction(damping=0.5, drag=0.25).model)
    assert "<dynamics" in text
    assert urdf.loads(text, "a.urdf").bodies[0].joint.effects == (Viscous("1/2"), Drag("1/4"))


def test_gravity_of_the_earth_needs_no_comment() -> None:
    assert "qddot:" not in qddot.load("two_link").to_urdf()


@pytest.mark.parametrize("said", ["gravity 1 2", "gravity 0 0 x", "gravit 0 0 1", "spring 1 2", ""])
def test_a_comment_for_us_that_says_nothing_is_an_error(said: str) -> None:
    text = urdf.dumps(read(ARM)).replace("</robot>", f"<!-- qddot: {said} --></robot>")
    with pytest.raises(QddotError, match=r"gravity"):
        urdf.loads(text, "arm.urdf")


def test_a_symbol_without_a_value_is_refused_by_name() -> None:
    with refusal(QddotError, "value-needed-by-urdf", "m"):
        qddot.Robot(qddot.Model("x", [qddot.Body.of("a", qddot.Joint(), mass="m")], symbols="m")).to_urdf()
