"""A gearbox couples two angles about a reference body: θ2 = −ratio θ1, from that body to parent and child."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from refusals import refusal

import qddot
from qddot.base.errors import FormatError, NotModelledError
from qddot.formats.sdf import sdf_reader

WHEEL = """<link name="{name}"><pose>{x} 0 0 0 0 0</pose><inertial><mass>1</mass>
  <inertia><ixx>1</ixx><iyy>1</iyy><izz>{izz}</izz></inertia></inertial></link>"""
TURNS = """<joint name="{name}" type="revolute"><parent>{parent}</parent><child>{child}</child>
  <axis><xyz>0 0 {axis}</xyz></axis></joint>"""
GEARBOX = """<joint name="gear{name}" type="gearbox"><parent>{parent}</parent><child>{child}</child>
  <gearbox_reference_body>{reference}</gearbox_reference_body>{ratio}
  <axis><xyz>0 0 {first}</xyz></axis><axis2><xyz>0 0 {second}</xyz></axis2></joint>"""
A, B, C = (WHEEL.format(name=name, x=k, izz=izz) for k, (name, izz) in enumerate(zip("abc", (2, 3, 5), strict=True)))
CARRIER = WHEEL.format(name="arm", x=0, izz=7)
ON_ARM = "".join(TURNS.format(name=f"j{name}", parent="arm", child=name, axis=1) for name in "ab")


def gearbox(ratio: str = "4", first: int = 1, second: int = 1, **changes: str) -> str:
    names = {"name": "", "parent": "a", "child": "b", "reference": "arm", **changes}
    written = f"<gearbox_ratio>{ratio}</gearbox_ratio>" if ratio else ""
    return GEARBOX.format(**names, first=first, second=second, ratio=written)


def sdf(*parts: str) -> str:
    shoulder = TURNS.format(name="shoulder", parent="world", child="arm", axis=1)
    return f'<sdf version="1.9"><model name="gears">{CARRIER}{shoulder}{"".join(parts)}</model></sdf>'


def load(text: str) -> qddot.Robot:
    return qddot.Robot(sdf_reader.loads(text, "gears.sdf"))


def wheels(ratio: float) -> np.ndarray:
    """M of the shoulder and of wheel a, whose other wheel turns by `ratio` times a's angle on the arm."""
    along, of_a = np.array([[1, 1], [1, ratio]]), np.diag([2, 3])
    M = along.T @ of_a @ along
    M[0, 0] += 7 + 1  # the arm's own inertia, and the second wheel, a metre from the shoulder
    return M


def test_the_ratio_is_that_of_the_angles_on_the_reference_body() -> None:
    arm = load(sdf(A, B, ON_ARM, gearbox()))
    assert arm.model.coordinates == ("q1", "q2")
    assert np.allclose(arm.mass_matrix([0.3, 0.7]), wheels(-4), atol=1e-14)
    assert arm.prove()
    assert any("'jb'" in note and "-4" in note for note in arm.model.notes)


@pytest.mark.parametrize(
    ("first", "second", "ratio"), [(1, 1, -4), (-1, 1, 4), (1, -1, 4), (-1, -1, -4)]
)  # fmt: skip
def test_axes_may_be_opposite_to_those_of_the_joints(first: int, second: int, ratio: int) -> None:
    arm = load(sdf(A, B, ON_ARM, gearbox(first=first, second=second)))
    assert np.allclose(arm.mass_matrix([0, 0]), wheels(ratio), atol=1e-14)


def test_a_joint_may_have_the_reference_body_as_its_child() -> None:
    """Its coordinate is then the angle from the wheel to the body, the opposite one."""
    # b hangs on the world, and the arm on b
    parts = (
        TURNS.format(name="jb", parent="b", child="arm", axis=1),
        TURNS.format(name="ja", parent="arm", child="a", axis=1),
    )
    text = sdf(A, B, *parts, gearbox()).replace("<child>arm</child>", "<child>b</child>", 1)
    follower = load(text)
    # speeds of the arm and of a about z, for the angle of b and that of a on the arm: jb = −θ2 = 4 θ1
    along = np.array([[1, 0], [1, 4], [1, 5]])
    M = along.T @ np.diag([3, 7, 2]) @ along
    rest = follower.mass_matrix([0, 0]) - M
    assert np.allclose(rest, [[2, 0], [0, 0]], atol=1e-12)  # the masses of a and the arm, a metre from the shoulder


def test_a_train_of_gears_multiplies_its_ratios() -> None:
    third = C + TURNS.format(name="jc", parent="arm", child="c", axis=1)
    train = gearbox("2", name="1"), gearbox("3", name="2", parent="b", child="c")
    by_mimic = load(sdf(A, B, ON_ARM, third, *train))
    direct = load(sdf(A, B, ON_ARM, third, gearbox("2", name="1"), gearbox("-6", name="2", child="c")))
    assert by_mimic.model.bodies == direct.model.bodies


def test_the_ratio_is_1_by_default() -> None:
    assert np.allclose(load(sdf(A, B, ON_ARM, gearbox(""))).mass_matrix([0, 0]), wheels(-1), atol=1e-14)


def test_the_same_wheels_with_a_mimic_are_the_same_arm() -> None:
    followed = TURNS.format(name="jb", parent="arm", child="b", axis=1).replace(
        "</axis>", '<mimic joint="ja"><multiplier>-4</multiplier></mimic></axis>'
    )
    mimic = load(sdf(A, B, TURNS.format(name="ja", parent="arm", child="a", axis=1), followed))
    assert load(sdf(A, B, ON_ARM, gearbox())).model.bodies == mimic.model.bodies


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (("<gearbox_ratio>4", "<gearbox_ratio>0"), (FormatError, "gearbox-ratio-zero")),
        (("<gearbox_reference_body>arm</gearbox_reference_body>", ""), (FormatError, "element-missing")),
        (("<gearbox_reference_body>arm", "<gearbox_reference_body>hand"), (FormatError, "no-frame", "'hand'")),
        (("<gearbox_reference_body>arm", "<gearbox_reference_body>world"), (NotModelledError, "gearbox-without-joint")),
        (("<gearbox_reference_body>arm", "<gearbox_reference_body>a"), (NotModelledError, "gearbox-without-joint")),
        (("<axis2><xyz>0 0 1", "<axis2><xyz>1 0 0"), (NotModelledError, "gearbox-axis-differs", "axis2")),
        (("<axis2><xyz>0 0 1</xyz></axis2>", ""), (FormatError, "joint-without-second-axis")),
        (
            ("</xyz></axis2>", "</xyz><dynamics><damping>1</damping></dynamics></axis2>"),
            (FormatError, "effects-in-gearbox"),
        ),
    ],
)
def test_gearboxes_without_a_meaning_are_refused(change: tuple[str, str], expected: Any) -> None:
    text = sdf(A, B, ON_ARM, gearbox())
    assert change[0] in text
    with refusal(*expected):
        load(text.replace(*change))


def test_two_gearboxes_may_not_drive_one_wheel() -> None:
    third = C + TURNS.format(name="jc", parent="arm", child="c", axis=1)
    with refusal(FormatError, "follower-twice", "'jb'"):
        load(sdf(A, B, ON_ARM, third, gearbox(name="1"), gearbox(name="2", parent="c")))
    with refusal(FormatError, "element-not-for-joint-type", "gearbox_ratio"):
        load(sdf(A, B, ON_ARM.replace("</axis>", "</axis><gearbox_ratio>2</gearbox_ratio>", 1)))


def test_a_file_is_read_and_shown(tmp_path: Path) -> None:
    path = tmp_path / "gears.sdf"
    path.write_text(sdf(A, B, ON_ARM, gearbox()))
    assert qddot.load(path).model.bodies == load(path.read_text()).model.bodies
