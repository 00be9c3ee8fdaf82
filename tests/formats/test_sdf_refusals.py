"""SDF files that no arm can be read from are refused by a sentence that names the place."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from physical import mutated
from refusals import refusal
from sdf_texts import JOINT, SDF, SWING, TWO, read

from qddot.base.errors import QddotError
from qddot.robot.model import Model

FILES = sorted(path.name for path in SDF.glob("*.sdf"))
BROKEN = {
    "another root": ("<robot/>", ("root-wrong", "arm.sdf:1 <robot>", "sdf", "'robot'")),
    "an unknown version": (
        '<sdf version="1.3"><model name="m"/></sdf>',
        ("sdf-version-unknown", "'1.3'", "1.4", "1.12"),
    ),
    "no version": ('<sdf><model name="m"/></sdf>', ("attribute-missing", "version")),
    "no model": ('<sdf version="1.9"/>', ("no-model-or-world",)),
    "two models": (
        '<sdf version="1.6"><model name="m"/><model name="n"/></sdf>',
        ("models-not-one", "model", "'m', 'n'"),
    ),
    "a model without links": ('<sdf version="1.9"><model name="m"/></sdf>', ("nothing-moves", "<model 'm'>")),
}
INSIDE = {
    "a spring in a ball joint": (
        TWO
        + JOINT.format("ball").replace("</axis>", "<dynamics><spring_stiffness>2</spring_stiffness></dynamics></axis>"),
        ("joint-type-effect", "<joint 'k'>", "spherical", "spring", "viscous or armature"),
    ),
    "a mimic in a ball joint": (
        TWO + JOINT.format("ball").replace("</axis>", "<mimic joint='j'/></axis>"),
        ("mimic-in-joint-type", "mimic", "ball"),
    ),
    "a universal joint of one axis": (TWO + JOINT.format("universal"), ("joint-without-second-axis", "axis2")),
    "a screw without a pitch": (TWO + JOINT.format("screw"), ("screw-joint-without-pitch",)),
    "a screw that does not move on": (
        TWO + JOINT.format("screw").replace("<axis>", "<thread_pitch>0</thread_pitch><axis>"),
        ("thread-pitch-zero", "<thread_pitch>", "thread_pitch"),
    ),
    "a pitch in a joint that only turns": (
        TWO + JOINT.format("revolute").replace("<axis>", "<thread_pitch>2</thread_pitch><axis>"),
        ("element-not-for-joint-type", "<thread_pitch>", "thread_pitch", "revolute", "screw"),
    ),
    "parallel axes of a universal joint": (
        TWO + JOINT.format("universal").replace("</joint>", "<axis2><xyz>-1 0 0</xyz></axis2></joint>"),
        ("universal-axes-parallel", "<joint 'k'>"),
    ),
    "a mimic in a universal joint": (
        TWO
        + JOINT.format("universal").replace("</joint>", "<axis2><xyz>0 1 0</xyz><mimic joint='j'/></axis2></joint>"),
        ("mimic-in-joint-type", "mimic", "universal"),
    ),
    "a mimic of a universal joint": (
        TWO
        + JOINT.format("universal").replace("</joint>", "<axis2><xyz>0 1 0</xyz></axis2></joint>")
        + '<link name="c"/><joint name="l" type="revolute"><parent>b</parent><child>c</child>'
        + '<axis><xyz>1 0 0</xyz><mimic joint="k"/></axis></joint>',
        ("leader-has-two-axes", "mimic", "'k'"),
    ),
    "a gearbox that is to carry a link": (TWO + JOINT.format("gearbox"), ("links-not-joined", "'b'")),
    "two axes, of which one is given": (TWO + JOINT.format("revolute2"), ("joint-without-second-axis", "axis2")),
    "a slip of the pen": (TWO + JOINT.format("revolut"), ("joint-type-unknown", "joint", "'revolut'", "'revolute'")),
    "a misspelt element": (
        '<link name="a"><intertial/></link>' + SWING,
        ("element-not-read", "<intertial>", "intertial", "link"),
    ),
    "a reflected inertia": (
        TWO + JOINT.format("revolute").replace("<axis>", "<rotor_inertia>1</rotor_inertia><axis>"),
        ("element-not-read", "<rotor_inertia>", "rotor_inertia", "joint"),
    ),
    "a joint of one link": (
        TWO + JOINT.format("revolute").replace("<child>b", "<child>a"),
        ("child-of-itself", "joint"),
    ),
    "two trees": (
        TWO,
        ("links-not-joined", "link", "besides-those-on-world", "world", "'b'"),
    ),
    "the world at both ends": (
        TWO + JOINT.format("fixed").replace("<child>b", "<child>world").replace("<parent>a", "<parent>world"),
        ("child-is-static", "joint"),
    ),
    "a missing link": (
        TWO + JOINT.format("fixed").replace("<child>b", "<child>bb"),
        ("no-frame", "<joint 'k'>", "'bb'", "'b'"),
    ),
    "no axis": (
        f'<link name="a"/>{SWING}'.replace("<axis><xyz>0 0 1</xyz></axis>", ""),
        ("joint-without-axis", "joint", "axis"),
    ),
    "an axis without direction": (
        f'<link name="a"/>{SWING}'.replace("0 0 1", "0 0 0"),
        ("axis-no-direction", "<xyz> of <joint 'j'>"),
    ),
    "a kinematic link": (f'<link name="a"><kinematic>1</kinematic></link>{SWING}', ("link-kinematic", "link")),
    "an automatic inertia": (
        f'<link name="a"><inertial auto="true"/></link>{SWING}',
        ("no-collision-shapes", "inertial"),
    ),
    "an inertial pose in a frame": (
        f'<link name="a"><inertial><pose relative_to="a"/></inertial></link>{SWING}',
        ("inertial-pose-relative", "link"),
    ),
    "a pose in itself": (
        f'<frame name="f"><pose relative_to="a"/></frame><link name="a"><pose relative_to="f"/></link>{SWING}',
        ("pose-relative-to-itself", "pose"),
    ),
    "a frame attached to itself": (
        f'<frame name="f" attached_to="h"/><frame name="h" attached_to="f"/><link name="a"/>{SWING}'.replace(
            "<child>a", "<child>f"
        ),
        ("frame-attached-to-itself",),
    ),
    "five numbers": (
        f'<link name="a"><pose>1 2 3 4 5</pose></link>{SWING}',
        ("decimals-wrong", "<pose>", "pose", "'1 2 3 4 5'", "6"),
    ),
    "a zero quaternion": (
        f'<link name="a"><pose rotation_format="quat_xyzw">0 0 0 0 0 0 0</pose></link>{SWING}',
        ("quaternion-zero",),
    ),
    "not a number": (
        f'<link name="a"><inertial><mass>nan</mass></inertial></link>{SWING}',
        ("decimal-wrong", "<mass>", "mass", "'nan'"),
    ),
    ("value-negative", "mass"): (
        f'<link name="a"><inertial><mass>-1</mass></inertial></link>{SWING}',
        ("value-negative", "mass"),
    ),
    "a reserved name": (f'<link name="__a__"/>{SWING}', ("name-reserved", "'__a__'")),
    "a scoped name": (f'<link name="a::b"/>{SWING}', ("name-with-separator", "::", "'a::b'")),
    "a link named world": (f'<link name="world"/>{SWING}', ("name-taken", "'world'")),
    "a name twice": (f'<link name="a"/><frame name="a"/>{SWING}', ("name-taken", "'a'", "1")),
    "an early axis": (
        f'<link name="a"/>{SWING}'.replace("</xyz>", "</xyz><use_parent_model_frame>1</use_parent_model_frame>"),
        ("parent-model-frame-late", "__model__"),
    ),
    "a leader that is not there": (
        f'<link name="a"/>{SWING}'.replace("</xyz>", '</xyz><mimic joint="x"><multiplier>1</multiplier></mimic>'),
        ("no-such-joint", "<mimic>", "'x'"),
    ),
    "a placement of elsewhere": (
        f'<link name="a"/>{SWING}<model name="n" placement_frame="x"><link name="b"/></model>'
        + JOINT.format("fixed").replace("<child>b", "<child>n::b"),
        ("no-frame", "'n::x'"),
    ),
    "many links": ("".join(f'<link name="l{k}"/>' for k in range(501)), ("too-many-links-in-models", "link", "500")),
    "deep models": ('<model name="m">' * 60 + "</model>" * 60, ("models-too-deep", "model", "50")),
    "many frames": ("".join(f'<frame name="f{k}"/>' for k in range(2001)), ("too-many-frames", "frame", "2000")),
    "a long way": (
        "".join(f'<frame name="f{k}"><pose relative_to="f{k + 1}"/></frame>' for k in range(101))
        + f'<frame name="f101"/><link name="a"><pose relative_to="f0"/></link>{SWING}',
        ("frames-too-many-between", "100"),
    ),
    "an include in a text": ("<include><uri>a.sdf</uri></include>", ("include-without-folder", "<include>")),
}


@pytest.mark.parametrize("name", [*BROKEN, *INSIDE])
def test_a_broken_file_is_refused(name: str) -> None:
    inside = INSIDE.get(name, ("", ""))
    text, says = BROKEN.get(name, (f'<sdf version="1.11"><model name="m">{inside[0]}</model></sdf>', inside[1]))
    with refusal(QddotError, *says) as caught:
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
