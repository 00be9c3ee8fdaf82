"""SDF files that no arm can be read from are refused by a sentence that names the place."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from physical import mutated
from sdf_texts import JOINT, SDF, SWING, TWO, read

from qddot.base.errors import QddotError
from qddot.robot.model import Model

FILES = sorted(path.name for path in SDF.glob("*.sdf"))
BROKEN = {
    "another root": ("<robot/>", r"arm\.sdf:1 <robot>: the root element is <'robot'>; expected <sdf>"),
    "an unknown version": ('<sdf version="1.3"><model name="m"/></sdf>', r"SDF version '1.3'; expected 1.4 to 1.12"),
    "no version": ('<sdf><model name="m"/></sdf>', r"no version; expected version="),
    "no model": ('<sdf version="1.9"/>', r"no model; expected <model> or <world>"),
    "two models": (
        '<sdf version="1.6"><model name="m"/><model name="n"/></sdf>',
        r"the file has 'm', 'n'; expected one model or one world",
    ),
    "a model without links": ('<sdf version="1.9"><model name="m"/></sdf>', r"<model 'm'>: nothing moves"),
}
INSIDE = {
    "a spring in a ball joint": (
        TWO
        + JOINT.format("ball").replace("</axis>", "<dynamics><spring_stiffness>2</spring_stiffness></dynamics></axis>"),
        r"<joint 'k'>: a spherical joint with spring; expected viscous or armature alone",
    ),
    "a mimic in a ball joint": (
        TWO + JOINT.format("ball").replace("</axis>", "<mimic joint='j'/></axis>"),
        r"a mimic in a ball joint; expected a revolute",
    ),
    "a universal joint of one axis": (TWO + JOINT.format("universal"), r"no second axis; expected <axis2>, or another"),
    "a screw without a pitch": (TWO + JOINT.format("screw"), r"the screw has no pitch; expected <screw_thread_pitch>"),
    "a screw that does not move on": (
        TWO + JOINT.format("screw").replace("<axis>", "<thread_pitch>0</thread_pitch><axis>"),
        r"<thread_pitch> of|a thread_pitch of 0; expected another number; or give the joint the type revolute",
    ),
    "a pitch in a joint that only turns": (
        TWO + JOINT.format("revolute").replace("<axis>", "<thread_pitch>2</thread_pitch><axis>"),
        r"<thread_pitch> in a joint of type revolute; expected screw",
    ),
    "parallel axes of a universal joint": (
        TWO + JOINT.format("universal").replace("</joint>", "<axis2><xyz>-1 0 0</xyz></axis2></joint>"),
        r"<joint 'k'>: the axes of a universal joint are parallel; expected two directions",
    ),
    "a mimic in a universal joint": (
        TWO
        + JOINT.format("universal").replace("</joint>", "<axis2><xyz>0 1 0</xyz><mimic joint='j'/></axis2></joint>"),
        r"a mimic in a universal joint; expected a revolute",
    ),
    "a mimic of a universal joint": (
        TWO
        + JOINT.format("universal").replace("</joint>", "<axis2><xyz>0 1 0</xyz></axis2></joint>")
        + '<link name="c"/><joint name="l" type="revolute"><parent>b</parent><child>c</child>'
        + '<axis><xyz>1 0 0</xyz><mimic joint="k"/></axis></joint>',
        r"mimics 'k', which has two axes; expected a joint with one axis",
    ),
    "a gearbox": (TWO + JOINT.format("gearbox"), r"joint type 'gearbox'; .*; let one joint <mimic> the other"),
    "two axes, of which one is given": (TWO + JOINT.format("revolute2"), r"no second axis; expected <axis2>"),
    "a slip of the pen": (TWO + JOINT.format("revolut"), r"joint type 'revolut'; .*did you mean 'revolute'"),
    "a misspelt element": ('<link name="a"><intertial/></link>' + SWING, r"<intertial> in <link> is not read; did you"),
    "a reflected inertia": (
        TWO + JOINT.format("revolute").replace("<axis>", "<rotor_inertia>1</rotor_inertia><axis>"),
        r"<rotor_inertia> in <joint> is not read; write a robot file",
    ),
    "a joint of one link": (
        TWO + JOINT.format("revolute").replace("<child>b", "<child>a"),
        r"the joint's child is itself; expected a moving link",
    ),
    "two trees": (
        TWO,
        r"links that are not the child of a joint, besides those connected to the world: 'b'; .*<parent>world</parent>",
    ),
    "the world as a child": (
        TWO + JOINT.format("fixed").replace("<child>b", "<child>world"),
        r"the joint's child is the world; exchange parent and child",
    ),
    "a missing link": (
        TWO + JOINT.format("fixed").replace("<child>b", "<child>bb"),
        r"<joint 'k'>: no frame 'bb'; did you mean 'b'",
    ),
    "no axis": (f'<link name="a"/>{SWING}'.replace("<axis><xyz>0 0 1</xyz></axis>", ""), r"the joint has no axis"),
    "an axis without direction": (
        f'<link name="a"/>{SWING}'.replace("0 0 1", "0 0 0"),
        r"<xyz> of <joint 'j'>: axis 0 0 0 has no direction",
    ),
    "a kinematic link": (f'<link name="a"><kinematic>1</kinematic></link>{SWING}', r"the link is kinematic"),
    "an automatic inertia": (
        f'<link name="a"><inertial auto="true"/></link>{SWING}',
        r"computed from collision "
        r"shapes",
    ),
    "an inertial pose in a frame": (
        f'<link name="a"><inertial><pose relative_to="a"/></inertial></link>{SWING}',
        r"the pose is relative to another frame; expected a pose in the link's frame",
    ),
    "a pose in itself": (
        f'<frame name="f"><pose relative_to="a"/></frame><link name="a"><pose relative_to="f"/></link>{SWING}',
        r"the pose of '[af]' is relative to itself",
    ),
    "a frame attached to itself": (
        f'<frame name="f" attached_to="h"/><frame name="h" attached_to="f"/><link name="a"/>{SWING}'.replace(
            "<child>a", "<child>f"
        ),
        r"is attached to itself",
    ),
    "five numbers": (f'<link name="a"><pose>1 2 3 4 5</pose></link>{SWING}', r"<pose> is '1 2 3 4 5'; expected 6"),
    "a zero quaternion": (
        f'<link name="a"><pose rotation_format="quat_xyzw">0 0 0 0 0 0 0</pose></link>{SWING}',
        r"the quaternion is zero",
    ),
    "not a number": (f'<link name="a"><inertial><mass>nan</mass></inertial></link>{SWING}', r"<mass>: mass has 'nan'"),
    "a negative mass": (f'<link name="a"><inertial><mass>-1</mass></inertial></link>{SWING}', r"a negative mass"),
    "a reserved name": (f'<link name="__a__"/>{SWING}', r"the name '__a__'; expected one without __"),
    "a scoped name": (f'<link name="a::b"/>{SWING}', r":: in the name 'a::b'"),
    "a link named world": (f'<link name="world"/>{SWING}', r"'world' is the name of the ground"),
    "a name twice": (f'<link name="a"/><frame name="a"/>{SWING}', r"a second 'a'; see line 1"),
    "an early axis": (
        f'<link name="a"/>{SWING}'.replace("</xyz>", "</xyz><use_parent_model_frame>1</use_parent_model_frame>"),
        r'use_parent_model_frame in SDF 1.7 or later; write <xyz expressed_in="__model__">',
    ),
    "a leader that is not there": (
        f'<link name="a"/>{SWING}'.replace("</xyz>", '</xyz><mimic joint="x"><multiplier>1</multiplier></mimic>'),
        r"<mimic>: no joint 'x'",
    ),
    "a placement of elsewhere": (
        f'<link name="a"/>{SWING}<model name="n" placement_frame="x"><link name="b"/></model>'
        + JOINT.format("fixed").replace("<child>b", "<child>n::b"),
        r"no frame 'n::x'",
    ),
    "many links": ("".join(f'<link name="l{k}"/>' for k in range(501)), r"more than 500 links"),
    "deep models": ('<model name="m">' * 60 + "</model>" * 60, r"models are nested more than 50 deep"),
    "many frames": ("".join(f'<frame name="f{k}"/>' for k in range(2001)), r"more than 2000 frames"),
    "a long way": (
        "".join(f'<frame name="f{k}"><pose relative_to="f{k + 1}"/></frame>' for k in range(101))
        + f'<frame name="f101"/><link name="a"><pose relative_to="f0"/></link>{SWING}',
        r"a chain of more than 100 frames",
    ),
    "an include in a text": ("<include><uri>a.sdf</uri></include>", r"an <include> in a text, which has no folder"),
}


@pytest.mark.parametrize("name", [*BROKEN, *INSIDE])
def test_a_broken_file_is_refused(name: str) -> None:
    inside = INSIDE.get(name, ("", ""))
    text, says = BROKEN.get(name, (f'<sdf version="1.11"><model name="m">{inside[0]}</model></sdf>', inside[1]))
    with pytest.raises(QddotError, match=says) as caught:
        read(text)
    assert str(caught.value).startswith("arm.sdf")
    assert "\n" not in str(caught.value)


@given(st.sampled_from(FILES), st.integers(0, 10**9))
@settings(max_examples=150, deadline=None)
def test_a_damaged_file_is_a_model_or_our_error(name: str, seed: int) -> None:
    text = mutated((SDF / name).read_text(encoding="utf-8"), seed)
    try:
        assert isinstance(read(text), Model)
    except QddotError as error:
        assert str(error).startswith("arm.sdf")
        assert len(str(error)) < 1000
