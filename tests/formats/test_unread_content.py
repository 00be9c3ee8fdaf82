"""What a URDF or an SDF has that its format does not know is noted, with the line and what was meant."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from commands import run

import qddot
from qddot.base.errors import QddotError
from qddot.formats.toml import robot_file
from qddot.inspect.doctor.described import diagnose_file

ARM = """<robot name="odd"><link name="ground"/><link name="bar"><inertial><origin xyz="0 0 -0.4"/><mass value="1.5"/>
<inertia ixx="0.05" ixy="0" ixz="0" iyy="0.05" iyz="0" izz="0.02"/></inertial></link>
<joint name="pin" type="continuous"><parent link="ground"/><child link="bar"/><axis xyz="0 1 0"/>
<dynamics damping="0.3"/></joint></robot>"""
SLIPS = {
    "an axis as text": ('<axis xyz="0 1 0"/>', "<axis>0 1 0</axis>", "line 3 <axis>.*the text '0 1 0'.*xyz=\"0 1 0\""),
    "an axis as an attribute": ('type="cont', 'axis="0 1 0" type="cont', "line 3 <joint 'pin'>.*'axis'.*write <axis"),
    "another case": ("izz", "Izz", "line 2 <inertia>.*'Izz'.*did you mean 'izz'"),
    "an element elsewhere": ('"bar">', '"bar"><origin xyz="1 0 0"/>', "<origin> in <link>; it belongs in <inertial>"),
    "a misspelt attribute": ("damping=", "dampening=", "'dampening' of <dynamics>; did you mean 'damping'"),
    "another format's attribute": ('xyz="0 0 -0.4"', 'position="0 0 -0.4"', "'position' of <origin>; known: xyz, rpy"),
    "a misspelt element": ("dynamics", "dynamic", "<dynamic> in <joint>; did you mean 'dynamics'"),
    "a numbered element": ("<inertia ", "<inertia1 ", "<inertia1> in <inertial>; did you mean 'inertia'"),
    "two inertials": ("<inertial>", '<inertial/><inertial><mass value="9"/></inertial><inertial>', "occurs 3 times"),
}
SDF = """<sdf version="1.9"><model name="m"><link name="a"><inertial><mass>1</mass></inertial></link>
<joint name="j" type="revolute"><parent>world</parent><child>a</child><axis><xyz>0 1 0</xyz></axis></joint></model>
</sdf>"""
IN_SDF = {
    "an axis as text": ("<xyz>0 1 0</xyz>", "0 1 0", "line 2 <axis>.*the text '0 1 0'"),
    "a misspelt attribute": ("<xyz>", '<xyz expresed_in="j">', "did you mean 'expressed_in'"),
    "two masses": ("<mass>1</mass>", "<mass>1</mass><mass>2</mass>", "<mass> occurs 2 times in <inertial>"),
}


def noted(folder: Path, name: str, text: str) -> tuple[str, ...]:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return qddot.load(path).model.notes


@pytest.mark.parametrize("slip", SLIPS)
def test_a_slip_in_urdf_is_noted_and_found_by_the_doctor(
    slip: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert noted(tmp_path, "arm.urdf", ARM) == ()
    right, wrong, said = SLIPS[slip]
    (note,) = (each for each in noted(tmp_path, "arm.urdf", ARM.replace(right, wrong)) if "not read" in each)
    assert re.search(said, note), note
    path = str(tmp_path / "arm.urdf")
    assert [each.check for each in diagnose_file(path)].count("unread_content") == 1
    for command in ("derive", "prove", "base"):
        code, out, err = run(capsys, command, path)
        assert (code, f"note: {note}" in err, note in out) == (0, True, False)


@pytest.mark.parametrize("slip", IN_SDF)
def test_a_slip_in_sdf_is_noted(slip: str, tmp_path: Path) -> None:
    before = noted(tmp_path, "arm.sdf", SDF)
    right, wrong, said = IN_SDF[slip]
    (note,) = set(noted(tmp_path, "arm.sdf", SDF.replace(right, wrong))) - set(before)
    assert re.search(said, note), note


def test_a_robot_file_says_what_it_takes_for_granted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "arm.toml"
    path.write_text('convention = "dh"\n[[link]]\nmass = 1\ndh = { theta = "q1", d = 0, a = 1, alpha = 90 }\n')
    err = run(capsys, "derive", str(path))[2]
    assert "note: link 'link1': 90 has no unit and is read as radians" in err
    assert "note: link 'link1': no com is given" in err
    assert run(capsys, "derive", "two_link")[2] == ""


TREE = """convention = "tree"
[[link]]
joint = { type = "revolute" }
mass = 1
com = [1, 0, 0]
[[link]]
%s
joint = { type = "revolute", xyz = [1, 0, 0] }
mass = 1
com = [1, 0, 0]
"""


def test_a_link_that_names_no_parent_is_told_and_may_name_the_one_before(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "arm.toml"
    path.write_text(TREE % "")
    assert (
        "note: link 'link2': no parent is given, and the link hangs on the base" in run(capsys, "derive", str(path))[2]
    )
    previous, named = (qddot.loads(TREE % f'parent = "{name}"') for name in ("previous", "link1"))
    assert previous.to_toml() == named.to_toml()
    assert not previous.model.notes
    hostile = (TREE % 'parent = "previous"').replace("[[link]]", '[[link]]\nname = "previous"', 1)
    assert qddot.loads(hostile).model.bodies[1].joint.parent == "previous", "a link may have that name"


def tables(value: object) -> list[dict[str, object]]:
    """All mappings in a mapping, itself among them."""
    if isinstance(value, list):
        return [table for part in value for table in tables(part)]
    inner = [table for part in value.values() for table in tables(part)] if isinstance(value, dict) else []
    return [value, *inner] if isinstance(value, dict) else []


def test_robot_files_refuse_unknown_keys_in_every_table() -> None:
    inertia = {"about": "com", "xx": 1, "yy": 1, "zz": 1}
    joint = {"type": "revolute", "axis": [0, 0, 1], "spring": {"stiffness": 1}}
    link = {"mass": "m", "com": [0, 0, 0], "inertia": inertia, "frame": {"xyz": [0, 0, 0]}, "joint": joint}
    arm = {"convention": "tree", "symbols": {"m": {"value": 1}}, "tool": {"xyz": [0, 0, 0]}, "link": [link]}
    names_are_free = 1  # [symbols] itself
    refused = 0
    for table in tables(arm):
        table["bogus"] = {"value": 1}
        try:
            robot_file.from_mapping(arm, "arm")
        except QddotError as error:
            refused += "unknown key 'bogus'" in str(error)
        del table["bogus"]
    assert refused == len(tables(arm)) - names_are_free
