"""<include> in SDF finds models of other files by path or model.config, and never outside the robot's folder."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from refusals import refusal

import qddot
from qddot.algebra.spatial import Vec3
from qddot.base.errors import QddotError
from qddot.formats.sdf.includes import MOST_INCLUDES

PART = """<sdf version="1.8"><model name="part"><pose>0 0 1 0 0 0</pose><link name="b"/>
<frame name="top"><pose>0 0 3 0 0 0</pose></frame></model></sdf>"""
CONFIG = (
    '<model><sdf version="1.4">old.sdf</sdf><sdf version="1.8">part.sdf</sdf><sdf version="9.9">new.sdf</sdf></model>'
)


def arm(include: str, joint: str = "part::b") -> str:
    return f"""<sdf version="1.9"><model name="arm"><link name="a"/>
    <joint name="j" type="revolute"><parent>world</parent><child>a</child><axis/></joint>{include}
    <joint name="k" type="fixed"><parent>a</parent><child>{joint}</child></joint></model></sdf>"""


def included(uri: str, inside: str = "") -> str:
    return arm(f"<include><uri>{uri}</uri>{inside}</include>")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """arm.sdf is to be written beside parts/part/{model.config, part.sdf}; secret.sdf lies outside."""
    (tmp_path / "secret.sdf").write_text(PART, encoding="utf-8")
    part = tmp_path / "robot" / "parts" / "part"
    part.mkdir(parents=True)
    (part / "part.sdf").write_text(PART, encoding="utf-8")
    (part / "old.sdf").write_text("broken", encoding="utf-8")
    (part / "model.config").write_text(CONFIG, encoding="utf-8")
    return tmp_path / "robot"


def load(folder: Path, text: str) -> qddot.Robot:
    (folder / "arm.sdf").write_text(text, encoding="utf-8")
    return qddot.load(folder / "arm.sdf")


@pytest.mark.parametrize(
    "uri", ["parts/part/part.sdf", "parts/part", "model://part", "model://part/part.sdf", "./parts/../parts/part"]
)
def test_a_model_is_found_by_its_path_or_by_its_config(folder: Path, uri: str) -> None:
    part = load(folder, included(uri)).model.bodies[1]
    assert (part.name, part.joint.placement.p) == ("part::b", Vec3(0, 0, 1))


def test_an_include_gives_name_pose_and_placement(folder: Path) -> None:
    given = "<name>hand</name><pose>0 0 5 0 0 0</pose>"
    text = arm(f"<include><uri>model://part</uri>{given}</include>", "hand::b")
    assert load(folder, text).model.bodies[1].joint.placement.p == Vec3(0, 0, 5)
    placed = text.replace("</pose>", "</pose><placement_frame>top</placement_frame>")
    assert load(folder, placed).model.bodies[1].joint.placement.p == Vec3(0, 0, 2)
    with refusal(QddotError, "placement-frame-without-pose"):
        load(folder, placed.replace("<pose>0 0 5 0 0 0</pose>", ""))


def test_a_merged_model_gives_its_parts_to_its_surroundings(folder: Path) -> None:
    merged = load(folder, arm('<include merge="true"><uri>model://part</uri></include>', "b")).model
    assert [body.name for body in merged.bodies] == ["a", "b"]
    assert merged.bodies[1].joint.placement.p == Vec3(0, 0, 1)
    with refusal(QddotError, "name-taken", "'b'"):
        load(folder, arm('<link name="b"/><include merge="true"><uri>model://part</uri></include>', "b"))


@pytest.mark.parametrize(
    "uri", ["../secret.sdf", "parts/../../secret.sdf", "/etc/passwd", "model://part/../../../secret.sdf", "model://.."]
)
def test_no_path_leads_outside_the_folder(folder: Path, uri: str) -> None:
    with pytest.raises(QddotError, match=r"arm\.sdf:\d+ <include>: (the uri .* leads outside the folder|no model)"):
        load(folder, included(uri))


def test_no_link_and_no_config_leads_outside_the_folder(folder: Path) -> None:
    (folder / "link.sdf").symlink_to(folder.parent / "secret.sdf")
    (folder / "up").symlink_to(folder.parent)
    (folder / "parts" / "bad").mkdir()
    (folder / "parts" / "bad" / "model.config").write_text(
        "<model><sdf>../../../secret.sdf</sdf></model>", encoding="utf-8"
    )
    (folder / "parts" / "worse").mkdir()
    (folder.parent / "model.config").write_text(CONFIG, encoding="utf-8")
    (folder / "parts" / "worse" / "model.config").symlink_to(folder.parent / "model.config")
    for uri in ("link.sdf", "up/secret.sdf", "up", "model://bad", "model://worse"):
        with refusal(QddotError, "uri-leads-outside"):
            load(folder, included(uri))


def test_what_is_included_lies_below_the_first_file_not_below_its_own(folder: Path) -> None:
    """A part may include what lies beside it, or elsewhere in the robot's folder, but nothing above that."""
    inner = '<sdf version="1.8"><model name="mid"><include><uri>{}</uri></include></model></sdf>'
    for uri, good in (("../part", True), ("model://part", True), ("../../../secret.sdf", False)):
        (folder / "parts" / "mid").mkdir(exist_ok=True)
        (folder / "parts" / "mid" / "mid.sdf").write_text(inner.format(uri), encoding="utf-8")
        text = arm("<include><uri>parts/mid/mid.sdf</uri></include>", "mid::part::b")
        if good:
            assert load(folder, text).model.bodies[1].name == "mid::part::b"
        else:
            with refusal(QddotError, "uri-leads-outside", "mid.sdf:1 <include>"):
                load(folder, text)


def test_other_schemes_missing_and_doubled_models_are_refused(folder: Path) -> None:
    (folder / "spare" / "part").mkdir(parents=True)
    for uri, says in {
        "https://fuel.gazebosim.org/x": ("uri-outside-robot", "robot", "model://"),
        "file:///etc/passwd": ("uri-outside-robot", "robot"),
        "package://part/part.sdf": ("uri-outside-robot", "robot"),
        "model://nobody": ("no-such-model", "'nobody'", "model.config"),
        "nobody.sdf": ("file-missing", "arm.sdf:"),
        "parts": ("file-missing", "model.config"),
        "x" * 5000: ("file-missing",),
    }.items():
        with refusal(QddotError, *says):
            load(folder, included(uri))
    (folder / "spare" / "part" / "model.config").write_text(CONFIG, encoding="utf-8")
    with refusal(QddotError, "folders-of-same-name", "2", "'part'"):
        load(folder, included("model://part"))


def test_a_pipe_is_not_waited_for(folder: Path) -> None:
    os.mkfifo(folder / "pipe.sdf")
    with refusal(QddotError, "not-ordinary-path"):
        load(folder, included("pipe.sdf"))


def test_circles_and_avalanches_of_includes_end(folder: Path) -> None:
    with refusal(QddotError, "includes-itself", "arm.sdf"):
        load(folder, included("arm.sdf"))
    for k in range(12):
        two = "".join(f"<include><uri>b{k + 1}.sdf</uri><name>n{i}</name></include>" for i in range(2))
        text = f'<sdf version="1.8"><model name="m">{two}</model></sdf>'
        (folder / f"b{k}.sdf").write_text(text, encoding="utf-8")
    (folder / "b12.sdf").write_text('<sdf version="1.8"><model name="m"/></sdf>', encoding="utf-8")
    with refusal(QddotError, "too-many-includes", "include", str(MOST_INCLUDES)):
        load(folder, included("b0.sdf"))


def test_an_included_pose_is_relative_to_nothing_around_it(folder: Path) -> None:
    part = folder / "parts" / "part" / "part.sdf"
    part.write_text(PART.replace("<pose>0 0 1", '<pose relative_to="a">0 0 1', 1), encoding="utf-8")
    with refusal(QddotError, "model-pose-relative", "part.sdf:1 <model 'part'>"):
        load(folder, included("model://part"))


@pytest.mark.parametrize(
    ("version", "relative", "axis"),
    [("1.4", "", Vec3(0, 1, 0)), ("1.6", ' frame="b"', Vec3(0, 0, 1)), ("1.9", ' relative_to="b"', Vec3(0, 0, 1))],
)
@pytest.mark.parametrize("around", ["1.4", "1.11"])
def test_an_included_file_is_read_by_its_own_version(
    folder: Path, version: str, relative: str, axis: Vec3, around: str
) -> None:
    """The link c is turned by 90° about x, so that its y axis is the model's z axis."""
    (folder / "parts" / "part" / "part.sdf").write_text(
        f"""<sdf version="{version}"><model name="part"><link name="b"/>
        <link name="c"><pose{relative}>0 0 0 1.5708 0 0</pose></link><joint name="bc" type="prismatic">
        <parent>b</parent><child>c</child><axis><xyz>0 0 1</xyz></axis></joint></model></sdf>""",
        encoding="utf-8",
    )
    arm = load(folder, included("model://part").replace('"1.9"', f'"{around}"'))
    assert arm.model.body("part::c").joint.axis == axis
