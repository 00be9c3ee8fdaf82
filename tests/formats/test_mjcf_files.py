"""MJCF in several files is found where MuJoCo finds it, and only inside the robot's folder."""

from __future__ import annotations

import os
import struct
from pathlib import Path

import mujoco
import pytest
from refusals import refusal

import qddot
from qddot.base.errors import QddotError
from qddot.formats.mjcf import files as mjcf_files
from qddot.formats.xml.elements import parse

BODY = '<body name="{0}"><joint axis="0 0 1"/><geom type="mesh" mesh="{1}"/></body>'
HELD = '<body name="holds_{0}"><joint/><geom size="0.1"/><attach model="{0}" body="b" prefix="{0}_"/></body>'
WORLD = f"<worldbody>{BODY.format('b', 'm')}</worldbody>"
CHILD = f'<mujoco>{{}}<asset><mesh name="m" file="m.stl"/></asset>{WORLD}</mujoco>'
ATTACHED = '<mujoco><asset><model name="x" file="{}"/></asset><worldbody>' + HELD.format("x") + "</worldbody></mujoco>"


def stl(size: float) -> bytes:
    """A tetrahedron."""
    corners = [(0, 0, 0), (size, 0, 0), (0, size, 0), (0, 0, size)]
    faces = [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]
    rows = b"".join(struct.pack("<12f", 0, 0, 0, *(x for k in face for x in corners[k])) + b"\0\0" for face in faces)
    return b"\0" * 80 + struct.pack("<I", 4) + rows


def laid_out(folder: Path, layout: dict[str, str | float]) -> Path:
    for name, what in layout.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(what.encode() if isinstance(what, str) else stl(what))
    return folder / "arm.xml"


LAYOUTS: dict[str, dict[str, str | float]] = {
    "beside": {"arm.xml": CHILD.format(""), "m.stl": 1},
    "in a folder of meshes": {"arm.xml": CHILD.format('<compiler meshdir="a/b"/>'), "a/b/m.stl": 1, "m.stl": 2},
    "in a folder of assets": {"arm.xml": CHILD.format('<compiler assetdir="a"/>'), "a/m.stl": 1, "m.stl": 2},
    "the folder is said twice": {
        "arm.xml": CHILD.format('<compiler meshdir="a"/><compiler assetdir="b" meshdir="c"/><compiler/>'),
        **{f"{name}/m.stl": size for name, size in (("a", 1), ("b", 2), ("c", 3))},
    },
    "the folder is said in what is included": {
        "arm.xml": '<mujoco><include file="more/all.xml"/></mujoco>',
        "more/all.xml": CHILD.format('<compiler meshdir="a"/>').replace("mujoco>", "mujocoinclude>"),
        "a/m.stl": 1,
        "more/a/m.stl": 2,
    },
    "an include that includes": {
        "arm.xml": '<mujoco><include file="more/first.xml"/></mujoco>',
        "more/first.xml": '<mujoco><include file="more/second.xml"/></mujoco>',
        "more/second.xml": CHILD.format(""),
        "m.stl": 1,
    },
    "paths are stripped": {
        "arm.xml": CHILD.format('<compiler strippath="true" meshdir="a"/>').replace("m.stl", "far/away/m.stl"),
        "a/m.stl": 1,
        "a/far/away/m.stl": 2,
    },
    "a mesh without a name": {
        "arm.xml": f'<mujoco><asset><mesh file="a/m.stl"/></asset>{WORLD}</mujoco>',
        "a/m.stl": 1,
    },
    "one mesh twice as large": {
        "arm.xml": CHILD.format("").replace('"/></asset>', '" scale="2 2 2"/></asset>'),
        "m.stl": 1,
    },
    "two attached models with meshes of one name": {
        "arm.xml": '<mujoco><compiler meshdir="own"/><asset><mesh name="m" file="m.stl"/>'
        '<model name="x" file="x/c.xml"/><model name="y" file="y/c.xml"/></asset><worldbody>'
        f"{HELD.format('x')}{HELD.format('y')}{BODY.format('o', 'm')}</worldbody></mujoco>",
        "x/c.xml": CHILD.format('<compiler meshdir="a"/>'),
        "y/c.xml": CHILD.format(""),
        "own/m.stl": 1,
        "x/a/m.stl": 2,
        "y/m.stl": 3,
        "m.stl": 4,
    },
    "pictures that are not there": {
        "arm.xml": CHILD.format("").replace(
            "<asset>",
            '<asset><texture type="cube" name="t" fileright="r.png" fileleft="l.png"/><texture type="2d" file="w.png"/>'
            '<material name="k" texture="t"/><mesh file="unused.stl"/><hfield file="h.png" size="1 1 1 1"/>',
        ),
        "m.stl": 1,
    },
}


@pytest.mark.parametrize("name", LAYOUTS)
def test_meshes_are_those_that_mujoco_finds(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The current folder changes nothing, although MuJoCo itself would look for attached models there first."""
    path = laid_out(tmp_path / "robot", LAYOUTS[name])
    elsewhere = tmp_path / "elsewhere"
    for file, what in LAYOUTS[name].items():
        laid_out(elsewhere, {file: what.replace("0 0 1", "0 1 0") if isinstance(what, str) else 9})
    if name == "pictures that are not there":
        expected = [1000 / 6]
    else:
        monkeypatch.chdir(tmp_path)
        expected = list(mujoco.MjModel.from_xml_path(str(path)).body_mass[1:])
    monkeypatch.chdir(elsewhere)
    bodies = qddot.load(path).model.bodies
    assert [float(body.inertia.m.rational) for body in bodies] == pytest.approx(expected, rel=1e-6)  # type: ignore[attr-defined]  # floats in STL
    assert {str(body.joint.axis.z) for body in bodies if body.joint.moves} == {"1"}


def outside(folder: Path, way: str) -> Path:
    """A description whose mesh or text lies in the folder beside, by one of many ways."""
    (folder / "robot").mkdir()
    laid_out(folder / "out", {"m.stl": 1, "c.xml": CHILD.format("")})
    attached = (
        f'<mujoco><asset><model name="x" file="c.xml"/></asset><worldbody>{HELD.format("x")}</worldbody></mujoco>'
    )
    main = {
        "meshdir": CHILD.format('<compiler meshdir="../out"/>'),
        "assetdir": CHILD.format('<compiler assetdir="../out"/>'),
        "a full meshdir": CHILD.format(f'<compiler meshdir="{folder}/out"/>'),
        "up": CHILD.format("").replace("m.stl", "../out/m.stl"),
        "a full name": CHILD.format("").replace("m.stl", f"{folder}/out/m.stl"),
        "up out of a folder of meshes": CHILD.format('<compiler meshdir="a"/>').replace("m.stl", "../../out/m.stl"),
        "a link": CHILD.format(""),
        "a link to a folder": CHILD.format('<compiler meshdir="d"/>'),
        "an attached model": attached.replace("c.xml", "../out/c.xml"),
        "a link to an attached model": attached,
    }
    robot = folder / "robot"
    if way == "a link":
        (robot / "m.stl").symlink_to(folder / "out" / "m.stl")
    if way == "a link to a folder":
        (robot / "d").symlink_to(folder / "out")
    if way == "a link to an attached model":
        (robot / "c.xml").symlink_to(folder / "out" / "c.xml")
    inner = way.removeprefix("attached: ")
    if inner != way:
        main["attached: " + inner] = attached
        (robot / "c.xml").write_text(main[inner])
    inner = way.removeprefix("included: ")
    if inner != way:
        main["included: " + inner] = '<mujoco><include file="i.xml"/></mujoco>'
        (robot / "i.xml").write_text(main[inner])
    return laid_out(robot, {"arm.xml": main[way]})


@pytest.mark.parametrize(
    "way",
    [
        *("meshdir", "assetdir", "a full meshdir", "up", "a full name", "up out of a folder of meshes"),
        *("a link", "a link to a folder", "an attached model", "a link to an attached model"),
        *("attached: meshdir", "attached: assetdir", "attached: up", "attached: a full name"),
        *("included: meshdir", "included: up", "included: an attached model"),
    ],
)
def test_nothing_outside_the_folder_is_read(way: str, tmp_path: Path) -> None:
    with refusal(QddotError, "file-outside-folder", "outside"):
        qddot.load(outside(tmp_path, way))


@pytest.mark.skipif(os.name == "nt", reason="pipes")
def test_a_mesh_that_is_no_ordinary_file_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = laid_out(tmp_path, {"arm.xml": CHILD.format("")})
    with refusal(QddotError, "mesh-unreadable", "arm.xml:1 <mesh 'm'>"):
        qddot.load(path)
    os.mkfifo(tmp_path / "m.stl")
    with refusal(QddotError, "mesh-unreadable", "not-ordinary-file"):
        qddot.load(path)
    (tmp_path / "m.stl").unlink()
    (tmp_path / "m.stl").write_bytes(stl(1))
    monkeypatch.setattr(mjcf_files, "LARGEST_MESH", 100)
    with refusal(QddotError, "mesh-unreadable", "ytes", "100"):
        qddot.load(path)


def test_a_model_that_is_attached_to_itself_is_refused(tmp_path: Path) -> None:
    with refusal(QddotError, "model-attached-to-itself", "attached"):
        qddot.load(laid_out(tmp_path, {"arm.xml": ATTACHED.format("arm.xml")}))


def test_elements_stay_on_their_lines() -> None:
    text = '<a>\n\n<b x="1 &lt; &quot;2&quot;"\n y="2"/><c>\n<d/>\n</c></a>'
    assert mjcf_files.written(parse(text, "")) == '<a>\n\n<b x="1 &lt; &quot;2&quot;" y="2"/>\n<c>\n<d/></c></a>'
