"""xacro files go through the program xacro; without it, the error says what to run."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import pytest

import qddot
from qddot.cli import main
from qddot.describe import xacro
from qddot.errors import QddotError

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
    monkeypatch.setattr(xacro.programs, "command", lambda _: None)
    monkeypatch.setattr(xacro.programs, "has_module", lambda _: False)
    with pytest.raises(QddotError, match=r"pip install xacro; or run elsewhere: xacro FILE > FILE\.urdf"):
        qddot.load(tmp_path / "arm.xacro")


@pytest.mark.parametrize("way", ["the command", "the module"])
@pytest.mark.parametrize("place", ["", "."])
def test_nothing_in_the_folder_at_hand_runs(
    way: str, place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither a module nor a program, whatever PATH, PYTHONPATH and sys.path say of the current folder."""
    (tmp_path / "arm.urdf").write_text(ARM, encoding="utf-8")
    for name in ("xacro", "yaml", "json", "math", "sitecustomize"):
        (tmp_path / f"{name}.py").write_text("open('it_ran', 'w').close()")
    (tmp_path / "xacro").write_text("#!/bin/sh\ntouch it_ran\n")
    (tmp_path / "xacro").chmod(0o755)
    monkeypatch.chdir(tmp_path)
    folders = [] if way == "the module" else [str(Path(sys.executable).parent), os.environ["PATH"]]
    monkeypatch.setenv("PATH", os.pathsep.join([place, *folders]))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([place, os.environ.get("PYTHONPATH", "")]))
    for entry in ("", ".", str(tmp_path)):
        monkeypatch.syspath_prepend(entry)
    assert qddot.load("arm.urdf").model.bodies[0].inertia.m == 3
    assert not (tmp_path / "it_ran").exists()


WITH_ARGUMENT = ARM.replace('<xacro:property name="mass" value="1.5"/>', '<xacro:arg name="m" default="1"/>').replace(
    "mass}", "$(arg m)}"
)


def test_arguments_reach_the_macros(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "arm.xacro"
    path.write_text(WITH_ARGUMENT, encoding="utf-8")
    assert qddot.load(path).model.bodies[0].inertia.m == 2
    assert qddot.load(path, arguments={"m": 2.5}).model.bodies[0].inertia.m == 5
    assert main(["convert", str(path), "m:=7", "--to", "tree"]) == 0
    assert "mass = 14" in capsys.readouterr().out
    assert main(["diff", str(path), str(path), "m:=7"]) == 0


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"n": 1}, r"arm\.xacro: no xacro argument 'n'; did you mean 'm'|known: m"),
        ({"--output=x": 1}, "no xacro argument '--output=x'; known: m"),
        ({"_m": 1}, "no xacro argument '_m'; did you mean 'm'"),
        ({"m": ""}, "xacro argument 'm' is ''; expected a text"),
        ({"m": "1 n:=2"}, "expected a text"),
        ({"m": [1]}, "expected a text or a number"),
        (["m"], "arguments are .*; expected a mapping"),
    ],
)
def test_arguments_that_xacro_would_misunderstand_are_refused(arguments: Any, says: str, tmp_path: Path) -> None:
    (tmp_path / "arm.xacro").write_text(WITH_ARGUMENT, encoding="utf-8")
    with pytest.raises(QddotError, match=says):
        qddot.load(tmp_path / "arm.xacro", arguments=arguments)


def test_arguments_belong_to_a_file_with_macros(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(QddotError, match="the arguments m for a robot without xacro macros"):
        qddot.load("two_link", arguments={"m": 1})
    assert main(["show", "two_link", "m:=1"]) == 2
    assert main(["show", "two_link", "--m:=1"]) == 2
    assert "the xacro argument '--m'; expected a name" in capsys.readouterr().err
    assert main(["list", "m:=1"]) == 2
    assert "without a robot" in capsys.readouterr().err


def test_a_missing_argument_is_named_with_the_way_to_give_it(tmp_path: Path) -> None:
    (tmp_path / "arm.xacro").write_text(
        WITH_ARGUMENT.replace('<xacro:arg name="m" default="1"/>', ""), encoding="utf-8"
    )
    with pytest.raises(QddotError, match=r"Undefined substitution argument m.*give it a value: qddot … FILE m:=VALUE"):
        qddot.load(tmp_path / "arm.xacro")
