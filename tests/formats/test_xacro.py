"""xacro files go through the program xacro; where there is none, the error says what to run."""

from __future__ import annotations

from pathlib import Path

import pytest

import qddot
from qddot.errors import QddotError
from qddot.formats import xacro

ARM = """<robot name="arm" xmlns:xacro="http://ros.org/wiki/xacro">
  <xacro:property name="mass" value="1.5"/>
  <link name="world"/>
  <link name="a"><inertial><mass value="${2*mass}"/></inertial></link>
  <joint name="j" type="revolute"><parent link="world"/><child link="a"/></joint>
</robot>
"""


@pytest.mark.parametrize("name", ["arm.xacro", "arm.urdf.xacro", "arm.urdf"])
def test_macros_are_expanded(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(ARM, encoding="utf-8")
    assert qddot.load(tmp_path / name).model.bodies[0].inertia.m == 3


def test_the_error_says_what_xacro_says(tmp_path: Path) -> None:
    (tmp_path / "arm.xacro").write_text(ARM.replace("2*mass", "2*weight"), encoding="utf-8")
    with pytest.raises(QddotError, match=r"arm\.xacro: xacro: .*weight") as caught:
        qddot.load(tmp_path / "arm.xacro")
    assert "\n" not in str(caught.value)


def test_without_xacro_the_remedy_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "arm.xacro").write_text(ARM, encoding="utf-8")
    monkeypatch.setattr(xacro.shutil, "which", lambda _: None)
    monkeypatch.setattr(xacro, "find_spec", lambda _: None)
    with pytest.raises(QddotError, match=r"run elsewhere: xacro FILE > FILE\.urdf; or pip install xacro"):
        qddot.load(tmp_path / "arm.xacro")
