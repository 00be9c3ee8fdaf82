"""`<inertial auto="true">`: the inertia follows from collision shapes as MuJoCo and textbooks have it."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import mujoco
import numpy as np
import pytest
from refusals import refusal
from sdf_texts import SWING, model

import qddot
from qddot.algebra.expressions.parser import expression
from qddot.algebra.spatial import Vec3
from qddot.base.errors import QddotError
from qddot.robot.bodies import Body

SHAPES = {  # each in SDF, and with its half sizes in MuJoCo
    "box": ("<box><size>0.2 0.4 0.6</size></box>", "0.1 0.2 0.3"),
    "sphere": ("<sphere><radius>0.3</radius></sphere>", "0.3"),
    "cylinder": ("<cylinder><radius>0.1</radius><length>0.5</length></cylinder>", "0.1 0.25"),
    "capsule": ("<capsule><radius>0.1</radius><length>0.5</length></capsule>", "0.1 0.25"),
    "ellipsoid": ("<ellipsoid><radii>0.1 0.2 0.3</radii></ellipsoid>", "0.1 0.2 0.3"),
}
CONE = "<cone><radius>0.3</radius><length>0.8</length></cone>"


def collision(shape: str, inside: str = "", name: str = "c") -> str:
    return f'<collision name="{name}">{inside}<geometry>{shape}</geometry></collision>'


def link(collisions: str, inertial: str = "") -> Body:
    arm = model(f'<link name="a"><inertial auto="true">{inertial}</inertial>{collisions}</link>{SWING}', "1.11")
    return arm.bodies[0]


def numbers(body: Body) -> Any:
    """The pseudo-inertia: ∫p pᵀ dm of p = (x, y, z, 1)."""
    return np.array([[expression(entry).value({}) for entry in row] for row in body.inertia.pseudo()])


def in_mujoco(geoms: str) -> Any:
    """The pseudo-inertia that MuJoCo computes for a body with these geoms."""
    text = f"<mujoco><worldbody><body><freejoint/>{geoms}</body></worldbody></mujoco>"
    peer = mujoco.MjModel.from_xml_string(text)
    flat = np.zeros(9)
    mujoco.mju_quat2Mat(flat, peer.body_iquat[1])
    R, com, m = flat.reshape(3, 3), peer.body_ipos[1], peer.body_mass[1]
    tensor = R @ np.diag(peer.body_inertia[1]) @ R.T
    second = np.trace(tensor) / 2 * np.eye(3) - tensor + m * np.outer(com, com)
    return np.block([[second, m * com[:, None]], [m * com[None], np.array([[m]])]])


@pytest.mark.parametrize("name", SHAPES)
def test_a_shape_at_its_pose_is_that_of_mujoco(name: str) -> None:
    shape, size = SHAPES[name]
    body = link(collision(shape, "<pose>0.1 -0.2 0.3 0.3 0 1.5707963267948966</pose><density>2700</density>"))
    text = f'<geom type="{name}" size="{size}" density="2700" pos="0.1 -0.2 0.3" axisangle="{axis_angle(0.3)}"/>'
    assert numbers(body) == pytest.approx(in_mujoco(text), rel=1e-9, abs=1e-9)


def axis_angle(roll: float) -> str:
    """Rz(90°) Rx(roll) as MuJoCo's axis and angle in degrees, by quaternions."""
    c, s, h = np.cos(roll / 2), np.sin(roll / 2), np.sqrt(0.5)
    w, x, y, z = h * c, h * s, h * s, h * c  # (h, 0, 0, h)·(c, s, 0, 0)
    sine = np.sqrt(1 - w * w)
    return f"{x / sine} {y / sine} {z / sine} {np.degrees(2 * np.arccos(w))}"


def test_the_density_is_that_of_the_collision_of_the_link_or_of_water() -> None:
    """A cube of 0.1 m has 1 l."""
    cube = "<box><size>0.1 0.1 0.1</size></box>"
    assert link(collision(cube)).inertia.m == 1
    assert link(collision(cube), "<density>7850</density>").inertia.m == Fraction(157, 20)
    assert link(collision(cube, "<density>500</density>"), "<density>7850</density>").inertia.m == Fraction(1, 2)
    assert link(collision(cube)).inertia.I.xx == Fraction(1, 600)  # m a²/6


def test_the_frame_of_a_cone_is_in_the_middle_of_its_height() -> None:
    """m = ρπr²h/3, 3h/4 from the tip; about the centre 3/80 m (4r² + h²) across, 3/10 m r² along."""
    body, m = link(collision(CONE)), 1000 * np.pi * 0.3**2 * 0.8 / 3
    assert body.com == Vec3(0, 0, Fraction(-1, 5))
    across, along = 3 / 80 * m * (4 * 0.09 + 0.64), 3 / 10 * m * 0.09
    second = np.diag([along / 2, along / 2, across - along / 2 + m * 0.04])
    assert numbers(body)[:3, :3] == pytest.approx(second, rel=1e-14)
    assert (body.volume, numbers(body)[3, 3]) == (pytest.approx(m / 1000), pytest.approx(m))


def test_several_shapes_make_one_body_with_a_centre() -> None:
    """A ball at the end of a box: π stands in one mass only, so that the masses are rounded, with a note."""
    ball, box = (
        collision(SHAPES["sphere"][0], "<pose>0 0 1 0 0 0</pose>", "ball"),
        collision(SHAPES["box"][0], "<density>400</density>"),
    )
    geoms = '<geom type="sphere" size="0.3" pos="0 0 1"/><geom type="box" size="0.1 0.2 0.3" density="400"/>'
    body = link(ball + box)
    assert numbers(body) == pytest.approx(in_mujoco(geoms), rel=1e-12, abs=1e-12)
    assert body.com is not None
    with_mass = link(ball + box, "<mass>3</mass>")
    assert with_mass.inertia.m == 3
    assert numbers(with_mass) == pytest.approx(in_mujoco(geoms) * 3 / in_mujoco(geoms)[3, 3], rel=1e-12, abs=1e-12)


def test_a_mass_scales_the_densities_and_an_inertia_is_replaced_with_a_note() -> None:
    arm = model(
        f'<link name="a"><inertial auto="true"><mass>5</mass><inertia><ixx>7</ixx></inertia></inertial>'
        f"{collision(SHAPES['sphere'][0])}</link>{SWING}",
        "1.11",
    )
    assert arm.bodies[0].inertia.I.xx == 5 * Fraction(2, 5) * Fraction(9, 100)
    assert any("inertia is not read" in note for note in arm.notes)


def test_poses_relative_to_frames_and_empty_shapes() -> None:
    inside = "<frame name='f'><pose>1 0 0 0 0 0</pose></frame>"
    box = collision(SHAPES["box"][0], '<pose relative_to="f">0 2 0 0 0 0</pose>')
    arm = model(
        f'{inside}<link name="a"><inertial auto="1"/>{box}{collision("<empty/>", "", "e")}</link>{SWING}', "1.11"
    )
    assert arm.bodies[0].com == Vec3(1, 2, 0)
    assert qddot.Robot(arm).equations().M is not None


@pytest.mark.parametrize(
    ("collisions", "inertial", "code", "named"),
    [
        ("", "", "no-collision-shapes", "inertial"),
        (collision("<mesh><uri>a.stl</uri></mesh>"), "", "inertia-of-shape-unknown", "mesh"),
        (collision("<plane/>"), "", "inertia-of-shape-unknown", "plane"),
        ('<collision name="c"/>', "", "inertia-of-shape-unknown", "box, sphere, cylinder, capsule, ellipsoid, cone"),
        (collision("<empty/>"), "", "no-collision-shapes", "inertial"),
        (collision("<box/>"), "", "element-missing", "size"),
        (collision("<box><size>1 1</size></box>"), "", "decimals-wrong", "size"),
        (collision("<sphere><radius>-1</radius></sphere>"), "", "size-not-above-zero", "radius"),
        (collision(CONE, "<density>0</density>"), "", "density-not-above-zero", "collision"),
        (collision(CONE), "<mass>0</mass>", "automatic-mass-not-above-zero", "inertial"),
        (collision(CONE, '<pose relative_to="x"/>'), "", "no-frame", "'x'"),
    ],
)
def test_what_has_no_inertia_is_refused_by_its_name(collisions: str, inertial: str, code: str, named: str) -> None:
    with refusal(QddotError, code, named):
        link(collisions, inertial)
