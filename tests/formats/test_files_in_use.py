"""Files as people and their tools leave them can be opened here, with a note."""

from __future__ import annotations

from pathlib import Path

import pytest
from refusals import refusal

import qddot
from qddot.base.errors import QddotError

INERTIAL = """<inertial><mass value="1"/><origin xyz="0 0 .1"/>
  <inertia ixx=".1" iyy=".1" izz=".1" ixy="0" ixz="0" iyz="0"/></inertial>"""
ARM = f"""<robot name="arm">
  <link name="ground"/>
  <link name="arm">{INERTIAL}</link>
  <joint name="elbow" type="revolute"><parent link="ground"/><child link="arm"/>
    <origin xyz="0 0 1"/><axis xyz="0 1 0"/><limit lower="-1" upper="2" effort="1" velocity="1"/></joint>
</robot>"""
MJCF = """<mujoco><worldbody><body><joint name="a" axis="0 1 0"/><geom size=".1" pos="0 0 .5"/></body></worldbody>
</mujoco>"""


def loaded(folder: Path, text: str | bytes, name: str = "arm.urdf") -> qddot.Robot:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return qddot.load(path)


@pytest.mark.parametrize(
    "before", ["\n", "  \n\n", "<!-- made by hand -->\n", "\ufeff", "\ufeff\n<!-- a --> <!-- b -->"]
)
def test_a_declaration_may_stand_below_blank_lines_and_comments(before: str, tmp_path: Path) -> None:
    text = f'{before}<?xml version="1.0"?>\n{ARM}'
    assert loaded(tmp_path, text).model == loaded(tmp_path, ARM).model


def test_a_zero_byte_at_the_end_is_passed_over(tmp_path: Path) -> None:
    assert loaded(tmp_path, ARM + "\n\0").model == loaded(tmp_path, ARM).model


def test_lines_are_counted_from_the_top_of_the_file(tmp_path: Path) -> None:
    wrong = ARM.replace('"0 0 1"', '"0 0"')
    with refusal(QddotError, "three-numbers", "arm.urdf:8 <origin>"):
        loaded(tmp_path, f'\n\n<?xml version="1.0"?>{wrong}')


def test_many_comments_without_a_declaration_are_passed_over_once(tmp_path: Path) -> None:
    # each once doubled the time that it took
    assert loaded(tmp_path, "<!-- a --> <!-- b -->" * 100 + ARM).model == loaded(tmp_path, ARM).model


@pytest.mark.parametrize(
    ("encoding", "said"),
    [
        ("iso-8859-1", "ISO-8859-1"),
        ("cp1252", "windows-1252"),
        ("ascii", "us-ascii"),
        ("utf-16", "UTF-16"),
        ("utf-16", ""),
    ],
)
def test_the_encoding_is_that_of_the_declaration_or_the_mark(encoding: str, said: str, tmp_path: Path) -> None:
    declared = f'<?xml version="1.0" encoding="{said}"?>' if said else ""
    name = "arm" if encoding == "ascii" else "brazo_ñ"
    text = declared + ARM.replace('robot name="arm"', f'robot name="{name}"')
    assert loaded(tmp_path, text.encode(encoding)).model.name == name


def test_an_encoding_that_is_not_the_declared_one_is_an_error(tmp_path: Path) -> None:
    text = '<?xml version="1.0" encoding="us-ascii"?>' + ARM.replace("elbow", "codo_ñ")
    with refusal(QddotError, "bytes-not-in-encoding", "ytes", "us-ascii"):
        loaded(tmp_path, text)
    with refusal(QddotError, "encoding-unknown", "encoding", "'utf-7'"):
        loaded(tmp_path, f'<?xml version="1.0" encoding="utf-7"?>{ARM}')


def test_limits_the_wrong_way_round_are_exchanged_with_a_note(tmp_path: Path) -> None:
    arm = loaded(tmp_path, ARM.replace('lower="-1" upper="2"', 'lower="2" upper="-1"'))
    limits = arm.model.bodies[0].joint.limits
    assert limits is not None
    assert [float(limit.value({})) for limit in limits] == [-1, 2]
    assert "joint 'elbow': the lower limit 2 is above the upper limit; they are exchanged" in arm.model.notes


def test_vectors_may_have_commas(tmp_path: Path) -> None:
    assert loaded(tmp_path, ARM.replace('"0 0 1"', '"0, 0,1"')).model == loaded(tmp_path, ARM).model
    with refusal(QddotError, "decimal-wrong", "xyz", "'0,5'"):
        loaded(tmp_path, ARM.replace('"0 0 1"', '"0,5 0 1"'))


def test_a_macro_left_over_in_an_expanded_file_is_a_note(tmp_path: Path) -> None:
    text = ARM.replace("<robot", '<robot xmlns:xacro="http://www.ros.org/wiki/xacro"', 1)
    arm = loaded(tmp_path, text.replace("</robot>", '<xacro:camera name="c"><link name="eye"/></xacro:camera></robot>'))
    assert arm.mass_matrix([0.3]) == loaded(tmp_path, ARM).mass_matrix([0.3])
    assert "line 7: not read: <xacro:camera>, an unexpanded macro" in arm.model.notes


def test_a_closed_loop_is_named(tmp_path: Path) -> None:
    joint = '<joint name="k" type="fixed"><parent link="ground"/><child link="arm"/></joint></robot>'
    with refusal(QddotError, "link-child-twice", "closed", "loop"):
        loaded(tmp_path, ARM.replace("</robot>", joint))


def test_a_file_called_mjcf_is_read_with_what_it_includes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "more.xml").write_text(MJCF, encoding="utf-8")
    (tmp_path / "parts" / "solid.obj").write_text(
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n", encoding="utf-8"
    )
    text = """<mujoco><compiler meshdir="parts"/><asset><mesh name="solid" file="solid.obj"/></asset>
      <include file="parts/more.xml"/><worldbody><body><joint/><geom type="mesh" mesh="solid"/></body></worldbody>
      </mujoco>"""
    one = loaded(tmp_path, text, "arm.xml").model
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    other = loaded(tmp_path, text, "arm.mjcf").model
    assert other.bodies == one.bodies
    assert len(one.bodies) == 2
