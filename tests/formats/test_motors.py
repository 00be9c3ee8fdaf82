"""Formats say which joints have motors, and keep it."""

from __future__ import annotations

from pathlib import Path

import pytest
from refusals import refusal

import qddot
from qddot.base.errors import QddotError
from qddot.papers import overview

BASE = ("v_x", "v_y", "v_z", "omega_x", "omega_y", "omega_z")


@pytest.mark.parametrize(
    "name", ["cart_pole", "furuta_pendulum", "satellite_arm", "quadrotor_arm", "spherical_pendulum", "solo12"]
)
def test_robot_files_and_urdf_keep_the_motors(name: str, tmp_path: Path) -> None:
    arm = qddot.load(name)
    assert arm.model.passive
    assert qddot.loads(arm.to_toml()).driven == arm.driven
    path = tmp_path / "arm.urdf"
    path.write_text(arm.to_urdf(), encoding="utf-8")
    again = qddot.load(path)
    places = arm.model.drives
    if name != "spherical_pendulum":  # q is there in the order of its joints
        assert again.model.drives == places
    assert len(again.driven) == len(arm.driven)


FILE = """convention = "tree"
coordinates = ["q2", "q1"]
driven = {driven}
[[link]]
name = "upper"
mass = 1
inertia = {{ about = "com", yy = 1, zz = 1, xx = 1 }}
joint = {{ type = "revolute", axis = [0, 0, 1], name = "shoulder", coordinate = "q1" }}
[[link]]
name = "fore"
parent = "upper"
mass = 1
inertia = {{ about = "com", yy = 1, zz = 1, xx = 1 }}
joint = {{ type = "revolute", axis = [0, 1, 0], name = "elbow", coordinate = "q2" }}
[[link]]
name = "finger"
parent = "fore"
joint = {{ type = "revolute", axis = [0, 1, 0], name = "knuckle", coordinate = "q2", ratio = 2 }}
[[link]]
name = "hand"
parent = "fore"
mass = 1
inertia = {{ about = "com", yy = 1, zz = 1, xx = 1 }}
joint = {{ type = "universal", axes = [[1, 0, 0], [0, 1, 0]], name = "wrist", coordinates = ["a", "b"] }}
"""


@pytest.mark.parametrize(
    ("driven", "velocities"),
    [
        ('["shoulder"]', ("q1",)),
        ('["q1", "elbow"]', ("q2", "q1")),
        ('["knuckle"]', ("q2",)),  # it moves with q2
        ('["wrist"]', ("a", "b")),
        ("[]", ()),
    ],
)
def test_joints_are_named_by_their_names_or_coordinates(driven: str, velocities: tuple[str, ...]) -> None:
    text = FILE.format(driven=driven).replace('["q2", "q1"]', '["q2", "q1", "a", "b"]')
    arm = qddot.loads(text)
    assert arm.driven == velocities
    passive = [name for name in ("q2", "q1", "a", "b") if name not in velocities]
    line = f"driven by motors: {', '.join(velocities) or 'none'}; passive: {', '.join(passive)}"
    assert line in overview.head(arm.model)


@pytest.mark.parametrize(
    ("driven", "message"),
    [
        ('["elbo"]', ("driven-unknown", "'elbo'", "'elbow'")),
        ("[1]", ("option-text-expected", "driven", "names-of-driven-joints")),
        ('"elbow"', ("not-list", "driven", "'elbow'")),
    ],
)
def test_other_joints_are_refused(driven: str, message: tuple[str, ...]) -> None:
    with refusal(QddotError, *message):
        qddot.loads(FILE.format(driven=driven).replace('["q2", "q1"]', '["q2", "q1", "a", "b"]'))


def test_the_velocities_of_a_free_base_may_be_driven() -> None:
    head = 'convention = "dh"\nbase = "free"\ndriven = ["v_z", "q1"]\n'
    link = '[[link]]\ndh = { theta = "q1", d = 0, a = 1, alpha = 0 }\nmass = 1\ninertia = [[1,0,0],[0,1,0],[0,0,1]]\n'
    with refusal(QddotError, "motion-without-energy"):
        qddot.loads(head + link)
    arm = qddot.load("two_link").free(mass=1, inertia=(1, 0, 0, 1, 0, 1)).with_driven("v_z", "q1")
    assert arm.model.drives == (2, 6)
    assert arm.linearize(arm.neutral())[1].shape == (16, 2)


def test_rows_take_the_motors_as_a_keyword() -> None:
    rows = [{"theta": "q1", "d": 0, "a": 1, "alpha": 0}, {"theta": "q2", "d": 0, "a": 1, "alpha": 0}]
    assert qddot.from_dh(rows, [{"mass": 1}, {"mass": 1}], driven=["q2"]).driven == ("q2",)


BODIES = """<worldbody><body><joint name="hinge" axis="0 1 0"/><geom size=".1"/>
  <body name="b" pos="0 0 1"><joint name="slide" type="slide"/><geom size=".1"/><site name="tip"/>
    <body pos="0 0 1"><joint name="ball" type="ball"/><geom size=".1"/></body></body></body></worldbody>
<tendon><fixed name="cord"><joint joint="hinge" coef="1"/><joint joint="slide" coef="2"/></fixed></tendon>"""
ALL = ("q1", "q2", "omega_x", "omega_y", "omega_z")


@pytest.mark.parametrize(
    ("actuators", "driven"),
    [
        ("", ALL),
        ('<motor joint="slide"/>', ("q2",)),
        ('<position joint="ball" kp="1"/>', ALL[2:]),
        ('<motor jointinparent="hinge"/>', ("q1",)),
        ('<motor tendon="cord"/>', ("q1", "q2")),
        ('<motor joint="hinge"/><adhesion body="b" ctrlrange="0 1"/>', ("q1",)),
        ('<motor joint="hinge"/><motor name="jet" site="tip" gear="0 0 1 0 0 0"/>', ALL),
    ],
)
def test_actuators_of_mjcf_are_motors(actuators: str, driven: tuple[str, ...], tmp_path: Path) -> None:
    path = tmp_path / "arm.xml"
    path.write_text(f"<mujoco>{BODIES}<actuator>{actuators}</actuator></mujoco>", encoding="utf-8")
    arm = qddot.load(path)
    assert arm.driven == driven
    note = "actuator 'jet' does not act on joints: all joints count as driven"
    assert (note in arm.model.notes) == ("site" in actuators)


@pytest.mark.parametrize(("names", "motor", "driven"), [(("q0", "q1"), "q1", ("q2",)), (("q2", "q1"), "q2", ("q1",))])
def test_a_joint_named_like_a_coordinate_is_meant_by_its_name(
    names: tuple[str, str], motor: str, driven: tuple[str, ...], tmp_path: Path
) -> None:
    path = tmp_path / "arm.xml"
    bodies = BODIES.replace('"hinge"', f'"{names[0]}"').replace('"slide"', f'"{names[1]}"', 1)
    bodies = bodies.replace('joint="slide"', f'joint="{names[1]}"')
    path.write_text(f'<mujoco>{bodies}<actuator><motor joint="{motor}"/></actuator></mujoco>', encoding="utf-8")
    assert qddot.load(path).driven == driven


def test_an_actuator_on_a_joint_that_follows_drives_the_one_that_leads(tmp_path: Path) -> None:
    equality = '<equality><joint joint1="slide" joint2="hinge" polycoef="0 2 0 0 0"/></equality>'
    path = tmp_path / "arm.xml"
    path.write_text(f'<mujoco>{BODIES}{equality}<actuator><motor joint="slide"/></actuator></mujoco>', encoding="utf-8")
    assert qddot.load(path).driven == ("q1",)


def test_a_comment_in_urdf_has_a_number_for_each_velocity(tmp_path: Path) -> None:
    text = qddot.load("cart_pole").to_urdf()
    assert text.count("<!-- qddot: driven 0 -->") == 1
    path = tmp_path / "arm.urdf"
    path.write_text(text.replace("driven 0", "driven 0 1"), encoding="utf-8")
    with refusal(QddotError, "driven-comment-wrong", "comment", "driven 0 1", "1"):
        qddot.load(path)
    path.write_text(text.replace("driven 0", "driven"), encoding="utf-8")
    with refusal(QddotError, "driven-comment-wrong", "comment", "driven", "1"):
        qddot.load(path)


def test_closed_chains_have_motors() -> None:
    assert {name: qddot.load_closed_chain(name).driven for name in ("four_bar", "five_bar", "delta")} == {
        "four_bar": ("q1",),
        "five_bar": ("q1", "q3"),
        "delta": ("q1", "q2", "q3"),
    }


def test_a_difference_in_motors_is_a_difference() -> None:
    arm = qddot.load("cart_pole")
    comparison = qddot.diff(arm, arm.with_driven("x", "theta"))
    assert not comparison and comparison.equations_agree
    assert [each.row()[:4] for each in comparison.differences] == [("2 pole", "motor", "none", "one")]
    assert qddot.diff(arm, qddot.loads(arm.to_toml()))
    free = qddot.load("satellite_arm")
    moved = qddot.diff(free, free.with_driven("v_x", *free.driven))
    assert [(each.what, each.a, each.b) for each in moved.differences] == [("motor", "none", "one")]


def test_a_report_says_which_joints_have_motors(tmp_path: Path) -> None:
    arm = qddot.load("cart_pole")
    for lang, sentence in (("en", "No motor drives $\\theta$."), ("zh", "$\\theta$ 无电机驱动。")):
        text = arm.report(tmp_path / f"{lang}.md", level="summary", lang=lang).read_text(encoding="utf-8")
        assert sentence in text
    every = qddot.load("two_link").report(tmp_path / "all.md", level="summary")
    assert "otor" not in every.read_text(encoding="utf-8")
