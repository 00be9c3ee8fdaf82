"""Whatever is wrong in a URDF file is one error of ours, which names the line."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from physical import mutated
from refusals import refusal
from urdf_texts import ARM, changed, read

import qddot
from qddot.base.errors import QddotError
from qddot.robot.model import Model

BROKEN = {
    "truncated": (ARM[:400], r"arm\.urdf:13: invalid XML: the text ends too early"),
    "no XML": ("{}", r"arm\.urdf:1: invalid XML"),
    "empty": ("", r"invalid XML: the text ends too early"),
    "another root": ("<sdf/>", r"arm\.urdf:1 <sdf>: the root element is <'sdf'>; expected <robot>"),
    "no links": ("<robot/>", r"arm\.urdf:1 <robot>: no links"),
    "a link twice": (
        changed('"plate"', '"fore"'),
        r"arm\.urdf:\d+ <link 'fore'>: there is already a link of this name",
    ),
    "a joint twice": (
        changed('"slide"', '"shoulder"'),
        r":\d+ <joint 'shoulder'>: there is already a joint of this "
        r"name; see",
    ),
    "a nameless link": (changed('link name="plate"', "link"), r"<link>: no name; expected name="),
    "an empty name": (changed('link name="plate"', 'link name=""'), r"an empty name"),
    "a cycle": (
        changed('parent link="upper"', 'parent link="plate"'),
        r"arm\.urdf: the links fore, plate are not connected to the base: some of them form a cycle",
    ),
    "all in a cycle": (
        '<robot><link name="a"/><joint name="j" type="fixed"><parent link="a"/><child link="a"/></joint></robot>',
        r"the links form a cycle; expected one link without a parent",
    ),
    "two roots": (changed("</robot>", '<link name="lost"/></robot>'), r"<link 'lost'>: 2 links without a parent"),
    "two parents": (
        changed(
            "<transmission",
            '<joint name="x" type="fixed"><parent link="upper"/><child link="plate"/></joint><transmission',
        ),
        r"<joint 'x'>: link 'plate' is the child of two joints: a closed loop; expected a tree; cut",
    ),
    "a missing link": (
        changed('child link="fore"', 'child link="four"'),
        r":\d+ <child>: no link 'four'; did you mean",
    ),
    "no parent": (changed('<parent link="upper"/>', ""), r"<joint 'slide'>: the joint has no parent"),
    "no type": (changed('type="prismatic"', ""), r"<joint 'slide'>: no type"),
    "a joint of another kind": (changed("prismatic", "free"), r"<joint 'slide'>: joint type 'free'; expected revolute"),
    "a planar joint with friction": (
        changed('type="prismatic">', 'type="planar"><dynamics damping="1"/>'),
        r"<dynamics>.*: friction in a planar joint; expected a joint with one coordinate; write two prismatic joints",
    ),
    "an axis of length 0": (changed("1 1 0", "0 0 0"), r"<axis> of joint 'slide': axis 0 0 0 has no direction"),
    "two axis entries": (changed("1 1 0", "1 1"), r"<axis>: xyz is '1 1'; expected three numbers"),
    "not a number": (changed("17.4", "nan"), r":\d+ <mass>: value has 'nan'; expected a finite decimal"),
    "infinite": (changed("17.4", "inf"), r"<mass>: value has 'inf'"),
    "a comma": (changed("17.4", "1,5"), r"<mass>: value has '1,5'"),
    "a fraction": (changed("17.4", "1/2"), r"<mass>: value has '1/2'"),
    "an expression": (changed("17.4", "${m}"), r"<mass>: value has"),
    "too large": (changed("17.4", "1e31"), r"<mass>: value has 1e31; expected at most 1e30"),
    "far too large": (changed("17.4", "1e9999999"), r"<mass>: value has '1e9999999'"),
    "too long": (changed("17.4", "1" * 101), r"<mass>: value has"),
    "other digits": (changed("17.4", "١٢"), r"<mass>: value has"),
    "a negative mass": (changed("17.4", "-1"), r"<mass>: a negative mass"),
    "no mass": (changed('value="17.4"', ""), r"<mass>: no value"),
    "negative damping": (changed("0.7", "-0.7"), r"<dynamics>: a negative damping"),
    "an entity bomb": (
        '<!DOCTYPE r [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;">]><robot name="&b;"/>',
        r"arm\.urdf:1: the document has a document type or an entity",
    ),
    "an external entity": (
        '<!DOCTYPE r [\n<!ENTITY x SYSTEM "file:///etc/passwd">]><robot name="&x;"/>',
        r"arm\.urdf:1: the document has a document type or an entity",
    ),
    "an external document type": ('<!DOCTYPE r SYSTEM "http://x/y.dtd"><robot/>', r"a document type"),
    "a lone surrogate": ("<robot name='\ud800'/>", r"invalid XML"),
    "nothing that moves": ('<robot><link name="a"/></robot>', r"arm\.urdf: .*(no joint moves|has no link)"),
    "many links": ("<robot>" + "".join(f'<link name="l{k}"/>' for k in range(501)) + "</robot>", r"501 links"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_file_is_refused(name: str) -> None:
    text, says = BROKEN[name]
    with pytest.raises(QddotError, match=says) as caught:
        read(text)
    assert str(caught.value).startswith("arm.urdf")
    assert "\n" not in str(caught.value)


def test_paths_that_are_no_urdf(tmp_path: Path) -> None:
    (tmp_path / "folder.urdf").mkdir()
    (tmp_path / "latin.urdf").write_bytes(ARM.replace('"arm"', '"Armé"').encode("latin-1"))
    with (tmp_path / "huge.urdf").open("wb") as file:
        file.truncate(200_000_000)
    for name, says in {
        "folder.urdf": "a folder",
        "latin.urdf": "binary data; expected a robot file in UTF-8",
        "huge.urdf": "200000000 bytes; expected at most",
        "absent.urdf": "does not exist",
    }.items():
        started = time.process_time()
        with pytest.raises(QddotError, match=says):
            qddot.load(tmp_path / name)
        assert time.process_time() - started < 1


@given(st.integers(0, 10**9))
@settings(max_examples=250)
def test_a_damaged_file_is_a_model_or_our_error(seed: int) -> None:
    started = time.process_time()
    try:
        model = read(mutated(ARM, seed))
    except QddotError as error:
        assert str(error).startswith("arm.urdf")
        assert len(str(error)) < 1000
    else:
        assert isinstance(model, Model)
        arm = qddot.Robot(model)
        arm.program("bias")
    assert time.process_time() - started < 5


@given(st.binary(max_size=200))
def test_any_bytes_are_our_error(data: bytes) -> None:
    with refusal(QddotError, "invalid-xml", "arm.urdf"):
        read(data.decode("utf-8", "replace"))
