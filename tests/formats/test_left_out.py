"""Content that would change the equations and is not modelled is refused, or every result says what is left out."""

from __future__ import annotations

import json
from pathlib import Path

import mujoco
import numpy as np
import pytest
from commands import run
from refusals import refusal

import qddot
from qddot.base.errors import ClosedChainError, FormatError, NotModelledError

ARM = """<mujoco model="cam">{option}<worldbody>
  <body name="crank"><joint name="a" axis="0 1 0"/>
    <inertial pos="0.1 0 0" mass="1" diaginertia="0.01 0.01 0.01"/></body>
  <body name="cam" pos="0.5 0 0" {body}><joint name="b" axis="0 1 0" {joint}/>
    <inertial pos="0.1 0 0" mass="2" diaginertia="0.01 0.02 0.02"/></body>
</worldbody>{rest}</mujoco>"""
TENDON = '<tendon><fixed name="t" {}><joint joint="a" coef="1"/><joint joint="b" coef="-1"/></fixed></tendon>'
ACTING = {  # by the kind of content: what is put where
    "tendons": {"rest": TENDON.format('stiffness="5" armature="0.5"')},
    "actuators": {"rest": f'{TENDON.format("")}<actuator><motor tendon="t" armature="0.3"/></actuator>'},
    "equalities": {"rest": '<equality><joint joint1="b" joint2="a" polycoef="0 1 0.5 0 0"/></equality>'},
    "gravcomp": {"body": 'gravcomp="1"'},
    "fluid": {"option": '<option density="1000"/>'},
    "polynomials": {"joint": 'stiffness="1 2 3"'},
    "springs": {"rest": "", "joint": 'type="ball" stiffness="2"'},
}
HARMLESS = {
    "a tendon that only transmits": TENDON.format('range="-1 1" limited="true"')
    + '<actuator><motor tendon="t"/></actuator>',
    "a sensor": '<sensor><jointpos joint="a"/></sensor>',
    "an equality that is not active": '<equality><joint joint1="b" joint2="a" polycoef="0 1 2 0 0" active="false"/>'
    "</equality>",
}


def arm_file(folder: Path, **parts: str) -> str:
    path = folder / "cam.xml"
    path.write_text(ARM.format(**{"option": "", "body": "", "joint": "", "rest": "", **parts}), encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("kind", ACTING)
def test_content_that_changes_the_equations_is_refused_by_its_name(kind: str, tmp_path: Path) -> None:
    path = arm_file(tmp_path, **ACTING[kind])
    with pytest.raises(NotModelledError, match=f"not modelled.*--without {kind} "):
        qddot.load(path)
    arm = qddot.load(path, without=[kind])
    assert [part.name for part in arm.model.left_out] == [kind]
    assert qddot.load(path, without=kind).model == arm.model
    with pytest.raises(NotModelledError):
        qddot.load(path, without="flexes")


@pytest.mark.parametrize("rest", HARMLESS.values(), ids=list(HARMLESS))
def test_what_does_not_enter_the_equations_is_not_mentioned(rest: str, tmp_path: Path) -> None:
    assert qddot.load(arm_file(tmp_path, rest=rest)).model.left_out == ()


def test_what_is_refused_does_change_the_mass_matrix_and_gravity_of_mujoco(tmp_path: Path) -> None:
    def theirs(**parts: str) -> tuple[np.ndarray, np.ndarray]:
        model = mujoco.MjModel.from_xml_path(arm_file(tmp_path, **parts))
        data, M = mujoco.MjData(model), np.zeros((2, 2))
        mujoco.mj_forward(model, data)
        mujoco.mj_fullM(model, data, M)
        return M, data.qfrc_bias - data.qfrc_passive

    plain = theirs()
    for kind in ("tendons", "actuators"):
        assert np.abs(theirs(**ACTING[kind])[0] - plain[0]).max() > 0.2
    assert np.abs(theirs(**ACTING["gravcomp"])[1] - plain[1]).max() > 1


def test_an_unknown_kind_is_an_error(tmp_path: Path) -> None:
    path = arm_file(tmp_path)
    with refusal(FormatError, "left-out-unknown", "'tendon'", "'tendons'"):
        qddot.load(path, without="tendon")
    with refusal(FormatError, "without-wrong", "3"):
        qddot.load(path, without=3)


def test_a_loop_needs_load_closed_chain_unless_it_is_left_out(tmp_path: Path) -> None:
    weld = '<equality><weld body1="crank" body2="cam"/></equality>'
    path = arm_file(tmp_path, rest=weld)
    with refusal(ClosedChainError, "held-in-loops", "load_closed_"):
        qddot.load(path)
    assert [part.name for part in qddot.load(path, without=["loops"]).model.left_out] == ["loops"]


def test_every_result_says_what_the_model_lacks(tmp_path: Path) -> None:
    path = arm_file(tmp_path, **ACTING["gravcomp"])
    arm = qddot.load(path, without="gravcomp")
    line = "left out: gravity that is compensated or switched off for single links (body 'cam')"
    certificate = arm.prove()
    assert line in str(certificate)
    assert line in json.loads(certificate.to_json())["left_out"][0]
    assert line in str(arm.bounds(region={"qd": 1}, seconds=1))
    assert line in str(arm.equations().abbreviate())
    run_of_arm = arm.simulate([0.1, 0.2], duration=0.01, step=0.01)
    assert any(line in note for note in run_of_arm.notes)
    assert line in next(p for p in arm.export("c", ["mass_matrix"], tmp_path) if p.suffix == ".c").read_text()
    assert line in arm.to_urdf()
    assert qddot.loads(arm.to_toml()).model.left_out == arm.model.left_out
    assert qddot.loads(arm.as_tree().to_toml()).model.left_out == arm.model.left_out
    document = arm.report(tmp_path / "r.md").read_text(encoding="utf-8")
    assert "would change the equations is left out" in document
    assert "未计入模型" in arm.report(tmp_path / "r.md", lang="zh").read_text(encoding="utf-8")


def test_commands_refuse_the_file_and_tell_with_the_option(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = arm_file(tmp_path, **ACTING["tendons"])
    for name, *more in (["derive"], ["prove"], ["bounds", "--region", "qd=1"], ["base"], ["convert", "--to", "tree"]):
        code, out, err = run(capsys, name, path, *more)
        assert (code, out) == (2, "")
        assert "--without tendons" in err
        code, _, err = run(capsys, name, path, *more, "--without", "tendons")
        assert (code, "left out: tendons" in err) == (0, True)
    assert "left out: tendons" in run(capsys, "derive", path, "--without", "tendons")[1]
    code, out, err = run(capsys, "show", path)
    assert (code, err) == (0, "")
    assert "left out: tendons" in out


def test_the_doctor_lists_it_as_a_finding(tmp_path: Path) -> None:
    from qddot.inspect.doctor.described import diagnose_file

    findings = [each for each in diagnose_file(arm_file(tmp_path, **ACTING["tendons"])) if each.check == "not_modelled"]
    assert [each.place for each in findings] == ["tendon 't' with stiffness, armature"]


SDF = """<sdf version="1.9"><world name="w">{world}<model name="m">
  <link name="a"><inertial><mass>1</mass>{inertial}</inertial>{link}</link>
  <joint name="j" type="revolute"><parent>world</parent><child>a</child><axis><xyz>0 1 0</xyz></axis></joint>
</model></world></sdf>"""
IN_SDF = {
    "gravcomp": {"link": "<gravity>0</gravity>"},
    "decay": {"link": "<velocity_decay><linear>0.1</linear></velocity_decay>"},
    "fluid": {"inertial": "<fluid_added_mass/>"},
    "wind": {"world": "<wind/>", "link": "<enable_wind>true</enable_wind>"},
}
URDF = """<robot name="m"><link name="ground"/><link name="bar"><inertial><mass value="1"/>
  <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="pin" type="continuous"><parent link="ground"/><child link="bar"/></joint>{}</robot>"""
IN_URDF = {
    "rotors": '<transmission name="t" type="transmission_interface/DifferentialTransmission"><joint name="pin"/>'
    "<actuator name='m'><motorInertia>1e-4</motorInertia></actuator></transmission>",
    "springs": '<gazebo reference="pin"><springStiffness>3</springStiffness></gazebo>',
    "gravcomp": '<gazebo reference="bar"><turnGravityOff>true</turnGravityOff></gazebo>',
    "decay": '<gazebo reference="bar"><dampingFactor>0.2</dampingFactor></gazebo>',
}
MORE_IN_URDF = {  # what a <gazebo> has of SDF
    '<gazebo reference="bar"><velocity_decay><angular>0.1</angular></velocity_decay></gazebo>': "decay",
    '<gazebo reference="bar"><inertial><fluid_added_mass/></inertial></gazebo>': "fluid",
    '<gazebo reference="bar"><kinematic>true</kinematic></gazebo>': "extensions",
    "<gazebo><static>true</static></gazebo>": "extensions",
    "<gazebo><enable_wind>1</enable_wind></gazebo>": "wind",
    '<gazebo><joint name="l" type="revolute"><parent>ground</parent><child>bar</child></joint></gazebo>': "extensions",
    '<gazebo><plugin name="p"><joint>pin</joint><mimicJoint>other</mimicJoint></plugin></gazebo>': "extensions",
}


@pytest.mark.parametrize("kind", IN_SDF)
def test_sdf_is_refused_by_the_same_names(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "m.sdf"
    path.write_text(SDF.format(**{"world": "", "link": "", "inertial": "", **IN_SDF[kind]}), encoding="utf-8")
    with pytest.raises(NotModelledError, match=f"--without {kind} "):
        qddot.load(path)
    assert [part.name for part in qddot.load(path, without=kind).model.left_out] == [kind]


@pytest.mark.parametrize("kind", IN_URDF)
def test_urdf_is_refused_by_the_same_names(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "m.urdf"
    path.write_text(URDF.format(IN_URDF[kind]), encoding="utf-8")
    with pytest.raises(NotModelledError, match=f"line 3 .*--without {kind} "):
        qddot.load(path)
    assert [part.name for part in qddot.load(path, without=kind).model.left_out] == [kind]


@pytest.mark.parametrize("text", MORE_IN_URDF)
def test_what_gazebo_acts_on_is_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "m.urdf"
    path.write_text(URDF.format(text), encoding="utf-8")
    with pytest.raises(NotModelledError, match=f"line 3 .*--without {MORE_IN_URDF[text]} "):
        qddot.load(path)


def test_wind_on_an_included_model_is_refused(tmp_path: Path) -> None:
    world = SDF.format(world="<wind/><include><uri>inner.sdf</uri></include>", link="", inertial="")
    (tmp_path / "w.sdf").write_text(world, encoding="utf-8")
    inner = '<sdf version="1.9"><model name="i"><static>true</static>{}<link name="x"/></model></sdf>'
    for wind, kinds in (("", []), ("<enable_wind>true</enable_wind>", ["wind"])):
        (tmp_path / "inner.sdf").write_text(inner.format(wind), encoding="utf-8")
        assert [part.name for part in qddot.load(tmp_path / "w.sdf", without="wind").model.left_out] == kinds


@pytest.mark.parametrize("flags", ['spring="disable"', 'damper="disable"', 'spring="disable" damper="disable"'])
def test_what_a_file_switches_off_does_not_act(flags: str, tmp_path: Path) -> None:
    """Accelerations are those of MuJoCo, which reads the flags itself."""
    parts = {"option": f"<option><flag {flags}/></option>", "joint": 'stiffness="5" damping="3"'}
    path = arm_file(tmp_path, **parts, body='gravcomp="1"' if "damper" in flags and "spring" in flags else "")
    model = mujoco.MjModel.from_xml_path(path)
    data = mujoco.MjData(model)
    data.qpos[:], data.qvel[:] = [0.3, 0.2], [0.5, -0.4]
    mujoco.mj_forward(model, data)
    arm = qddot.load(path)
    np.testing.assert_allclose(arm.forward_dynamics([0.3, 0.2], [0.5, -0.4], [0, 0]), data.qacc, rtol=1e-9)
    assert any("flags of the file switch off" in note for note in arm.model.notes)


def test_equalities_that_a_file_switches_off_do_not_hold(tmp_path: Path) -> None:
    for flag in ("equality", "constraint"):
        option = f'<option><flag {flag}="disable"/></option>'
        for equality in ('<joint joint1="a" joint2="b"/>', '<weld body1="crank" body2="cam"/>'):
            path = arm_file(tmp_path, option=option, rest=f"<equality>{equality}</equality>")
            assert qddot.load(path).model.coordinates == ("q1", "q2")


def test_every_printed_head_says_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, line = arm_file(tmp_path, **ACTING["gravcomp"]), "left out: gravity that is compensated"
    arm = qddot.load(path, without="gravcomp")
    heads = (
        arm.equations(),
        arm.equations().textbook(),
        arm.base_parameters(),
        arm.equations().linearize([0, 0]),
        qddot.diff(arm, arm),
    )
    assert [line in str(head) for head in heads] == [True] * len(heads)
    for form in ("latex", "mathml", "typst", "sympy", "python", "matlab"):
        assert line in run(capsys, "derive", path, "--without", "gravcomp", "--format", form)[1].splitlines()[0]
    assert line in run(capsys, "base", path, "--without", "gravcomp")[1]


def test_texts_of_a_table_cannot_write_anything_else(tmp_path: Path) -> None:
    name = "a---><link name='zz'/><!--\x1b[31m\n5"
    arm = qddot.load("two_link")
    arm = qddot.loads(f"{arm.to_toml()}\n[left_out]\nplugins = {json.dumps(name)}\n")
    ((_, where),) = [(part.name, part.where) for part in arm.model.left_out]
    assert where.isprintable()
    files = tmp_path / "m.urdf", tmp_path / "plain.urdf"
    for file, written in zip(files, (arm, qddot.load("two_link")), strict=True):
        file.write_text(written.to_urdf(), encoding="utf-8")
    assert qddot.load(files[0]).model.bodies == qddot.load(files[1]).model.bodies
    arm = qddot.loads(f'{qddot.load("two_link").to_toml()}\n[left_out]\nplugins = "5"\n')
    assert qddot.loads(arm.to_toml()).model.left_out == arm.model.left_out


def test_one_rule_for_the_names_of_kinds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for way in (qddot.load, qddot.load_closed_chain):
        with refusal(FormatError, "left-out-unknown", "'nonsense'"):
            way("four_bar" if way == qddot.load_closed_chain else "two_link", without="nonsense")
    assert qddot.load("two_link", without="").n == 2
    path = arm_file(tmp_path, rest='<equality><weld body1="crank" body2="cam"/></equality>', body='gravcomp="1"')
    assert run(capsys, "show", path, "--without", "nonsense")[0] == 2
    assert "left out: connections that close loops" in run(capsys, "show", path, "--without", "loops")[1]
    code, _, err = run(capsys, "page", path)
    assert (code, "`qddot closed`, show, derive" in err, "--without loops,gravcomp" in err) == (2, True, True)


def test_usual_extensions_are_silent(tmp_path: Path) -> None:
    usual = (
        '<transmission name="t"><type>transmission_interface/SimpleTransmission</type><joint name="pin"/>'
        '<actuator name="m"><mechanicalReduction>50</mechanicalReduction></actuator></transmission>'
        '<gazebo reference="bar"><mu1>0.2</mu1><turnGravityOff>false</turnGravityOff><plugin filename="x.so"/></gazebo>'
        '<gazebo><joint name="f" type="fixed"><parent>world</parent><child>ground</child></joint></gazebo>'
    )
    path = tmp_path / "m.urdf"
    path.write_text(URDF.format(usual), encoding="utf-8")
    model = qddot.load(path).model
    assert (model.left_out, model.notes) == ((), ())
    path = tmp_path / "m.sdf"
    path.write_text(SDF.format(world="<wind/>", link="", inertial=""), encoding="utf-8")
    assert qddot.load(path).model.left_out == ()
