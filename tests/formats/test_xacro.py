"""xacro files go through the program xacro; without it, the error says what to run."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from refusals import refusal

import qddot
from qddot.apps.cli import main
from qddot.base.errors import QddotError
from qddot.formats.xml import xacro

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
    with refusal(QddotError, "xacro-fails", "arm.xacro") as caught:
        qddot.load(tmp_path / "arm.xacro")
    assert "\n" not in str(caught.value)


def test_without_xacro_the_remedy_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "arm.xacro").write_text(ARM, encoding="utf-8")
    monkeypatch.setattr(xacro.programs, "has_module", lambda _: False)
    with refusal(QddotError, "xacro-not-installed", "xacro"):
        qddot.load(tmp_path / "arm.xacro")


@pytest.mark.parametrize("place", ["", "."])
def test_nothing_in_the_folder_at_hand_runs(place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither a module nor a program, whatever PATH, PYTHONPATH and sys.path say of the current folder."""
    (tmp_path / "arm.urdf").write_text(ARM, encoding="utf-8")
    for name in ("xacro", "yaml", "json", "math", "sitecustomize"):
        (tmp_path / f"{name}.py").write_text("open('it_ran', 'w').close()")
    (tmp_path / "xacro").write_text("#!/bin/sh\ntouch it_ran\n")
    (tmp_path / "xacro").chmod(0o755)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", place)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([place, os.environ.get("PYTHONPATH", "")]))
    for entry in ("", ".", str(tmp_path)):
        monkeypatch.syspath_prepend(entry)
    assert qddot.load("arm.urdf").model.bodies[0].inertia.m == 3
    assert not (tmp_path / "it_ran").exists()


ROOT_TAG = '<robot name="arm" xmlns:xacro="http://ros.org/wiki/xacro">'
LOADED = ARM.replace("2*mass", "xacro.load_yaml('PATH')['m']")
INCLUDED = ARM.replace('<xacro:property name="mass" value="1.5"/>', '<xacro:include filename="PATH"/>')
LINKED = ARM.replace("2*mass", "xacro.load_yaml('linked.yaml')['m']")
OPENED = ARM.replace(
    "2*mass",
    "(lambda: [c for c in ().__class__.__base__.__subclasses__() if c.__name__ == '_wrap_close'][0]"
    ".close.__globals__['open']('PATH', 0))()",
)


def written(folder: Path, text: str) -> Path:
    """An arm in a folder below the given one, which has the files that it reads."""
    (folder / "robot").mkdir(parents=True, exist_ok=True)
    for place in (folder, folder / "robot"):
        (place / "numbers.yaml").write_text("m: 3")
        (place / "mass.xacro").write_text(f'{ROOT_TAG}<xacro:property name="mass" value="1.5"/></robot>')
    path = folder / "robot" / "arm.xacro"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("text", [LOADED.replace("PATH", "numbers.yaml"), INCLUDED.replace("PATH", "mass.xacro")])
def test_files_in_its_folder_are_read(text: str, tmp_path: Path) -> None:
    assert qddot.load(written(tmp_path, text)).model.bodies[0].inertia.m == 3


@pytest.mark.parametrize(
    "text",
    [
        LOADED.replace("PATH", "../numbers.yaml"),
        INCLUDED.replace("PATH", "../mass.xacro"),
        INCLUDED.replace("PATH", "../mass.xacro").replace("filename=", 'optional="true" filename='),
        INCLUDED.replace("PATH", "../*.xacro"),
        LINKED,
        OPENED.replace("PATH", "../numbers.yaml"),
    ],
)
def test_files_outside_its_folder_are_refused(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(tmp_path, text)
    (path.parent / "linked.yaml").symlink_to(tmp_path / "numbers.yaml")
    monkeypatch.chdir(path.parent)
    with refusal(QddotError, "xacro-reads-outside", "arm.xacro"):
        qddot.load(path)


@pytest.mark.parametrize("text", [LOADED.replace("PATH", "../numbers.yaml"), INCLUDED.replace("PATH", "../mass.xacro")])
def test_files_of_its_package_are_read(text: str, tmp_path: Path) -> None:
    path = written(tmp_path, text)
    (tmp_path / "package.xml").write_text("<package/>")
    assert qddot.load(path).model.bodies[0].inertia.m == 3


def test_files_of_packages_that_it_names_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where the package is installed as links to its sources; those of no other package."""
    modules, share = tmp_path / "modules" / "ament_index_python", tmp_path / "share"
    for name in ("arms", "others"):
        (share / name).mkdir(parents=True)
    modules.mkdir(parents=True)
    (modules / "__init__.py").write_text("")
    (modules / "packages.py").write_text(f"def get_package_share_directory(name): return {str(share)!r} + '/' + name")
    path = written(tmp_path / "work", INCLUDED.replace("PATH", "$(find arms)/mass.xacro"))
    for name in ("arms", "others"):
        (share / name / "mass.xacro").symlink_to(tmp_path / "work" / "mass.xacro")
    monkeypatch.syspath_prepend(str(tmp_path / "modules"))
    assert qddot.load(path).model.bodies[0].inertia.m == 3
    path.write_text(INCLUDED.replace("PATH", "$(find arms)/../others/mass.xacro"), encoding="utf-8")
    with refusal(QddotError, "xacro-reads-outside"):
        qddot.load(path)


def package(folder: Path, name: str) -> Path:
    """A folder with a package.xml of this name, whatever the folder is called."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "package.xml").write_text(
        f'<?xml version="1.0"?><package format="3"><!-- <name>no</name> -->\n<name> {name} </name></package>'
    )
    (folder / "mass.xacro").write_text(f'{ROOT_TAG}<xacro:property name="mass" value="1.5"/></robot>')
    return folder


FOUND = INCLUDED.replace("PATH", "$(find arms)/mass.xacro")


def test_a_package_is_found_above_the_file_and_beside_its_own_package(tmp_path: Path) -> None:
    for own, of_arms in ((package(tmp_path / "one", "arms"), None), (package(tmp_path / "ws/a", "robots"), "ws/b")):
        if of_arms is not None:
            package(tmp_path / of_arms, "arms")
        path = own / "urdf" / "arm.xacro"
        path.parent.mkdir()
        path.write_text(FOUND, encoding="utf-8")
        assert qddot.load(path).model.bodies[0].inertia.m == 3


def test_files_of_packages_that_it_does_not_name_are_refused(tmp_path: Path) -> None:
    path = package(tmp_path / "ws/a", "robots") / "arm.xacro"
    package(tmp_path / "ws/b", "arms")
    package(tmp_path / "ws/c", "others")
    path.write_text(FOUND.replace("/mass.xacro", "/../c/mass.xacro"), encoding="utf-8")
    with refusal(QddotError, "xacro-reads-outside"):
        qddot.load(path)


def test_the_error_says_where_a_package_was_looked_for(tmp_path: Path) -> None:
    path = package(tmp_path / "ws/a", "robots") / "arm.xacro"
    package(tmp_path / "elsewhere/b", "arms")
    path.write_text(FOUND, encoding="utf-8")
    with refusal(QddotError, "no-such-package", "'arms'", repr(str(tmp_path / "ws"))):
        qddot.load(path)


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
    assert main(["diff", str(path), "m:=7", str(path), "m:=7"]) == 0
    assert main(["vectors", "two_link", str(path), "m:=7", "--states", "1", "--folder", str(tmp_path)]) == 0
    described = json.loads((tmp_path / "vectors.json").read_text())["robots"][1]["description"]
    assert float(described["bodies"][0]["mass"]) == 14


def test_arguments_follow_the_file_that_they_set(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The mass is twice the argument m, whose default is 1."""
    path = tmp_path / "arm.xacro"
    path.write_text(WITH_ARGUMENT, encoding="utf-8")
    for words, masses in (
        ([path, "m:=3", "--at", "0", path, "m:=5"], (6, 10)),
        ([path, "m:=3", path], (6, 2)),
        ([path, path, "--at=0", "m:=3"], (2, 6)),
    ):
        assert main(["diff", *map(str, words), "--json"]) == 1
        differences = json.loads(capsys.readouterr().out)["differences"]
        assert next((each["a"][0], each["b"][0]) for each in differences if each["what"] == "mass") == masses
    (other := tmp_path / "other.xacro").write_text(WITH_ARGUMENT.replace('name="arm"', 'name="other"'))
    assert main(["vectors", str(path), "m:=4", str(other), "--states", "1", "--folder", str(tmp_path)]) == 0
    robots = json.loads((tmp_path / "vectors.json").read_text())["robots"]
    assert [float(robot["description"]["bodies"][0]["mass"]) for robot in robots] == [8, 2]
    capsys.readouterr()
    for words, told in (
        (["diff", path, "m:=3", "two_link", "m:=5"], "two_link: the arguments m for a robot without xacro"),
        (["diff", path, "m:=3", "m:=5", path], "arm.xacro gives m twice"),
        (["diff", path, "--against", "pinocchio", "arm.urdf", "m:=5"], "arm.urdf: the arguments m for a robot"),
    ):
        assert main(list(map(str, words))) == 2
        assert told in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"n": 1}, ("no-xacro-argument", "arm.xacro", "'n'", "m")),
        ({"--output=x": 1}, ("xacro-argument-name", "'--output=x'")),
        ({"_m": 1}, ("xacro-argument-name", "'_m'")),
        ({"m": ""}, ("xacro-argument-line", "'m'", "''")),
        ({"m": "1 n:=2"}, ("xacro-argument-line",)),
        ({"m": [1]}, ("xacro-argument-value",)),
        (["m"], ("arguments-not-mapping",)),
    ],
)
def test_arguments_that_xacro_would_misunderstand_are_refused(
    arguments: Any, says: tuple[str, ...], tmp_path: Path
) -> None:
    (tmp_path / "arm.xacro").write_text(WITH_ARGUMENT, encoding="utf-8")
    with refusal(QddotError, *says):
        qddot.load(tmp_path / "arm.xacro", arguments=arguments)


def test_a_misspelt_argument_of_a_file_with_includes_is_refused(tmp_path: Path) -> None:
    """An argument is used by any file that declares it, and by a formula that asks for it."""
    path = written(
        tmp_path, INCLUDED.replace("PATH", "numbers.xacro").replace("2*mass", "2*mass+float(xacro.arg('n'))")
    )
    asked = '<xacro:arg name="m" default="1"/><xacro:property name="mass" value="$(arg m)"/>'
    (path.parent / "numbers.xacro").write_text(f"{ROOT_TAG}{asked}</robot>")
    assert qddot.load(path, arguments={"m": 2, "n": 1}).model.bodies[0].inertia.m == 5
    with refusal(QddotError, "no-xacro-argument", "arm.xacro", "'mas'", "known-names", "m, n"):
        qddot.load(path, arguments={"mas": 2, "n": 1})


def test_arguments_belong_to_a_file_with_macros(capsys: pytest.CaptureFixture[str]) -> None:
    with refusal(QddotError, "arguments-without-macros", "m"):
        qddot.load("two_link", arguments={"m": 1})
    assert main(["show", "two_link", "m:=1"]) == 2
    assert main(["show", "two_link", "--m:=1"]) == 2
    assert "the xacro argument '--m'; expected a name" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["show", "two_link", "m=1"])
    assert "an argument of a xacro file is written m:=1" in capsys.readouterr().err
    assert main(["list", "m:=1"]) == 2
    assert "without a robot" in capsys.readouterr().err


def test_a_missing_argument_is_named_with_the_way_to_give_it(tmp_path: Path) -> None:
    (tmp_path / "arm.xacro").write_text(
        WITH_ARGUMENT.replace('<xacro:arg name="m" default="1"/>', ""), encoding="utf-8"
    )
    with refusal(QddotError, "xacro-fails", "argument", "m"):
        qddot.load(tmp_path / "arm.xacro")
