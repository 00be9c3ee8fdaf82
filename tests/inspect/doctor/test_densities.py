"""A link is too dense if its shapes could not be of osmium, in whatever format they stand."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from test_findings import PART

import qddot

BOX, CAN = '<box size="0.05 0.05 0.4"/>', '<cylinder radius="0.03" length="0.3"/>'
BALL, PILL = '<sphere radius="0.05"/>', '<capsule radius="0.02" length="0.3"/>'
MESH, POINT = '<mesh filename="bar.stl"/>', '<box size="0.01 0.01 0.01"/>'
OSMIUM = 22_600  # kg/m³


def with_shapes(tmp_path: Path, mass: float, **shapes: str) -> qddot.Robot:
    """A bar with collision and visual shapes, one below the other."""
    kinds = "".join(
        f"<{kind}><geometry>{one}/></geometry></{kind}>" for kind in shapes for one in shapes[kind].split("/>")[:-1]
    )
    text = PART.replace("-0.001", "200").replace("0.0003", "200").replace("</inertial>", f"</inertial>{kinds}")
    (tmp_path / "bar.urdf").write_text(text.replace('mass value="0.5"', f'mass value="{mass!r}"'), encoding="utf-8")
    return qddot.load(tmp_path / "bar.urdf")


def dense(robot: qddot.Robot) -> list[str]:
    return [finding.found for finding in robot.doctor() if finding.check == "too_dense"]


@pytest.mark.parametrize(
    ("shapes", "volume"),
    [
        ({"collision": BOX}, 0.05 * 0.05 * 0.4),
        ({"visual": CAN}, np.pi * 0.03**2 * 0.3),
        ({"collision": PILL, "visual": POINT}, np.pi * 0.02**2 * 0.3 + 4 / 3 * np.pi * 0.02**3),
        ({"collision": POINT, "visual": BALL + BOX}, 4 / 3 * np.pi * 0.05**3 + 0.05 * 0.05 * 0.4),
    ],
)
def test_a_link_is_too_dense_if_its_shapes_could_not_be_of_osmium(
    shapes: dict[str, str], volume: float, tmp_path: Path
) -> None:
    assert dense(with_shapes(tmp_path, OSMIUM * volume, **shapes)) == []
    (message,) = dense(with_shapes(tmp_path, 1.1 * OSMIUM * volume, **shapes))
    assert message == f"{1.1 * OSMIUM * volume:.4g} kg in shapes of {volume:.3g} m³ are {1.1 * OSMIUM:.3g} kg/m³"


@pytest.mark.parametrize(
    "shapes",
    [
        {"collision": BOX + MESH},
        {"collision": BOX, "visual": MESH},  # such a box may be far smaller than the link
        {"collision": POINT, "visual": POINT},
        {"collision": '<plane normal="0 0 1"/>'},
        {"collision": '<box size="0.05 0.05"/>'},
        {"visual": '<sphere radius="r"/>'},
        {"visual": '<cylinder radius="0.03" length="0"/>'},
        {},
    ],
)
def test_the_density_of_other_shapes_is_not_judged(shapes: dict[str, str], tmp_path: Path) -> None:
    assert dense(with_shapes(tmp_path, 2000, **shapes)) == []


def test_grams_for_kilograms_in_other_frames_and_in_sdf(tmp_path: Path) -> None:
    arm = with_shapes(tmp_path, 2000.0, collision=BOX)
    assert len(dense(arm)) == len(dense(arm.as_tree())) == len(dense(arm.as_dh())) == 1
    box = "<collision name='c'><geometry><box><size>0.05 0.05 0.4</size></box></geometry></collision>"
    moments = "<inertia><ixx>200</ixx><iyy>200</iyy><izz>200</izz></inertia>"
    link = f"<link name='a'><inertial><mass>2000</mass>{moments}</inertial>{box}</link>"
    joint = "<joint name='j' type='revolute'><parent>world</parent><child>a</child><axis/></joint>"
    text = f"<sdf version='1.9'><model name='m'>{link}{joint}</model></sdf>"
    (tmp_path / "bar.sdf").write_text(text, encoding="utf-8")
    assert dense(qddot.load(tmp_path / "bar.sdf")) == ["2000 kg in shapes of 0.001 m³ are 2e+06 kg/m³"]


def test_shapes_of_one_part_do_not_judge_the_mass_of_two(tmp_path: Path) -> None:
    """A convention of chains has one link for a bar and the load that is fixed to it."""
    arm = with_shapes(tmp_path, 1.0, collision=BOX).with_payload(2000)
    assert dense(arm) == dense(arm.as_dh()) == []
