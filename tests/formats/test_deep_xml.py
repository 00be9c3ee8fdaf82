"""XML whose elements lie too deep in each other is refused at its line; what is read can be walked through."""

from __future__ import annotations

from pathlib import Path

import pytest
from refusals import refusal

import qddot
from qddot.base.errors import QddotError
from qddot.formats.xml import elements as xml

MANY = 20_000
INERTIAL = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
DEEP = (
    '<robot name="r"><link name="a"/><link name="b">{}</link>{}<joint name="j" type="continuous"><parent link="a"/>'
    '<child link="b"/></joint></robot>'
)
SDF = (
    '<sdf version="1.9"><model name="m"><link name="a"/>{}<joint name="j" type="revolute"><parent>world</parent>'
    "<child>a</child><axis/></joint></model></sdf>"
)
MJCF = '<mujoco><worldbody><body><joint/><geom size=".1"/>{}</body></worldbody></mujoco>'


def nested(tag: str, count: int, attributes: str = "") -> str:
    return f"<{tag}{attributes}>" * count + f"</{tag}>" * count


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("arm.urdf", DEEP.format(INERTIAL, nested("a", MANY))),
        ("arm.urdf", DEEP.format(INERTIAL + nested("a", MANY), "")),
        ("arm.xacro", DEEP.format(INERTIAL, nested("a", MANY))),
        ("arm.sdf", SDF.format(nested("plugin", MANY))),
        ("arm.sdf", SDF.format(nested("model", MANY, ' name="k"'))),
        ("arm.xml", MJCF.format(nested("body", MANY))),
        ("arm.urdf", "<a>" * MANY),
    ],
)
def test_deep_xml_is_refused_at_its_line(name: str, text: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text("\n" + text)
    with refusal(QddotError, "elements-too-deep", "500", name):
        qddot.load(path)


def test_what_macros_make_may_not_be_deeper(tmp_path: Path) -> None:
    inside = '<a><xacro:if value="${n > 0}"><xacro:deep n="${n - 1}"/></xacro:if></a>'
    macro = f'<xacro:macro name="deep" params="n">{inside}</xacro:macro>'
    root = f'<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">{macro}'
    path = tmp_path / "arm.xacro"
    path.write_text(DEEP.format(INERTIAL, '<xacro:deep n="600"/>').replace('<robot name="r">', root))
    with refusal(QddotError, "xacro-fails", "arm.xacro"):
        qddot.load(path)


@pytest.mark.parametrize(
    ("name", "text", "outside"),
    [("arm.urdf", DEEP.format(INERTIAL, "{}"), 1), ("arm.sdf", SDF, 2), ("arm.xml", MJCF, 3)],
)
def test_the_deepest_xml_that_is_read_can_be_walked_through(name: str, text: str, outside: int, tmp_path: Path) -> None:
    inside = {"arm.urdf": "a", "arm.sdf": "plugin", "arm.xml": "body"}[name]
    path = tmp_path / name
    path.write_text(text.format(nested(inside, xml.DEEPEST - outside)))
    if name == "arm.xml":
        # MuJoCo refuses bodies without mass
        with refusal(QddotError, "mujoco-refuses"):
            qddot.load(path)
    else:
        assert qddot.load(path).n == 1


def test_files_that_include_each_other_in_a_long_row_are_refused(tmp_path: Path) -> None:
    for k in range(1_200):
        (tmp_path / f"{k}.xml").write_text(f'<mujoco><include file="{k + 1}.xml"/></mujoco>')
    with refusal(QddotError, "too-many-included-files", "include", "200"):
        qddot.load(tmp_path / "0.xml")
