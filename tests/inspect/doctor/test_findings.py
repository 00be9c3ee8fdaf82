"""Each finding appears for an arm that has the mistake, and not for a similar arm without it."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from physical import physical
from robots import robots

import qddot
from qddot.algebra.numbers.modular import Modular
from qddot.algebra.spatial import SymmetricMatrix3, principal
from qddot.formats.toml import robot_file
from qddot.inspect.doctor.described import diagnose_file
from qddot.inspect.doctor.diagnosis import Diagnosis
from qddot.inspect.doctor.examined import Examined
from qddot.inspect.doctor.odd_symbols import symbols_without_effect
from qddot.physics.mechanism import Mechanism
from qddot.physics.of_model import dynamics_of

SOUND = {"about": "com", "xx": 0.02, "yy": 0.03, "zz": 0.04}
LENGTHS = (0.4, 0.3, 0.2)


def arm(*changes: dict[str, Any], **options: Any) -> qddot.Robot:
    """Three turning links of different lengths and weights in space, changed link by link."""
    links = []
    for k, length in enumerate(LENGTHS):
        change = dict(changes[k]) if k < len(changes) else {}
        own = {"mass": 3 - k, "com": [-length / 2, 0, 0], "inertia": dict(SOUND)}
        links.append({**own, **change})
    rows = [
        {"theta": f"q{k + 1}", "d": 0, "a": length, "alpha": "90deg" if k == 0 else 0}
        for k, length in enumerate(LENGTHS)
    ]
    return qddot.from_dh(options.pop("rows", rows), links, **options)


@cache
def examined(robot: qddot.Robot) -> Diagnosis:
    """What the doctor says of an arm that ships."""
    return robot.doctor()


def checks(robot: qddot.Robot) -> dict[str, str]:
    """The severity by the check that found something."""
    return {finding.check: finding.severity for finding in robot.doctor()}


def test_a_sound_arm_has_a_clean_bill() -> None:
    diagnosis = arm().doctor()
    assert len(diagnosis) == 0
    assert diagnosis.worst == ""
    assert str(diagnosis).splitlines() == ["robot: no findings", *diagnosis.proved]


def test_the_zoo_has_hints_at_most(zoo_arm: qddot.Robot) -> None:
    assert examined(zoo_arm).worst in ("", "hint")


def test_a_finding_says_where_what_why_and_how_to_mend() -> None:
    (finding,) = arm(gravity=[0, 0, "-9810"]).doctor()
    assert (finding.severity, finding.place, finding.check) == ("warning", "gravity", "unusual_gravity")
    assert "9810 m/s²" in finding.found
    assert finding.why
    assert finding.remedy
    content = json.loads(arm(gravity=[0, 0, "-9810"]).doctor().to_json())
    assert content["worst"] == "warning"
    assert content["findings"][0]["place"] == "gravity"


@given(st.tuples(*[st.decimals(-1, 1, places=3)] * 3), st.decimals("0.1", 20, places=2))
@settings(max_examples=20)
def test_a_point_mass_may_stand_anywhere(com: tuple[Any, ...], mass: Any) -> None:
    """About its own centre nothing but rounding is left of its inertia."""
    link = {"mass": str(mass), "com": [str(x) for x in com]}
    diagnosis = qddot.from_dh([{"theta": "q1", "d": 0, "a": 1, "alpha": "90deg"}], [link]).doctor()
    assert "impossible_inertia" not in {finding.check for finding in diagnosis}


@given(st.lists(st.floats(-1e3, 1e3), min_size=6, max_size=6))
def test_principal_values_are_eigenvalues(entries: list[float]) -> None:
    A = SymmetricMatrix3(*entries)
    rows = np.array([list(row) for row in A.rows()])
    tolerance = 1e-14 * max(map(abs, entries))  # some ten turns, each right to rounding of the largest
    np.testing.assert_allclose(sorted(principal(A)[0]), np.linalg.eigvalsh(rows), rtol=0, atol=tolerance)


NOTHING: dict[str, Any] = {"mass": 0, "com": [0, 0, 0], "inertia": None}
PLANTED: list[Any] = [
    ("missing_inertia", "hint", {}, NOTHING, {}),
    ("massless", "hint", {}, {"mass": 0}, {}),
    ("far_centre", "warning", {}, {"com": [-150, 0, 0]}, {"com": [-0.1, 0, 0]}),
    ("limits_in_degrees", "warning", {}, {"joint": {"limits": [-180, 180]}}, {"joint": {"limits": ["-180deg", 3]}}),
    ("empty_travel", "warning", {}, {"joint": {"limits": [1, 1]}}, {"joint": {"limits": [0, 1]}}),
    ("missing_armature", "hint", {}, {"joint": {"armature": 1}}, {"joint": {"damping": 1}}),
]


@pytest.mark.parametrize(("check", "severity", "first", "sick", "sound"), PLANTED, ids=[row[0] for row in PLANTED])
def test_a_link_with_the_mistake_and_one_without(
    check: str, severity: str, first: dict[str, Any], sick: dict[str, Any], sound: dict[str, Any]
) -> None:
    assert checks(arm(first, sick)).get(check) == severity
    assert check not in checks(arm(first, sound))


def test_the_joints_without_an_armature_are_named_as_such() -> None:
    finding = next(each for each in arm({"joint": {"armature": 1}}).doctor() if each.check == "missing_armature")
    assert finding.found == "without an armature, which other joints have: q2, q3"


def test_a_tip_without_mass_makes_the_mass_matrix_singular_until_its_joint_has_a_rotor() -> None:
    diagnosis = arm({}, {}, NOTHING).doctor()
    assert diagnosis.worst == "error"
    assert diagnosis[0].check == "singular_mass_matrix"
    assert diagnosis[0].place == "joint 'q3'"
    assert np.linalg.matrix_rank(arm({}, {}, NOTHING).mass_matrix([0.3, -1, 0.8])) == 2
    with_rotor = checks(arm(*({**change, "joint": {"armature": 1}} for change in ({}, {}, NOTHING))))
    assert "singular_mass_matrix" not in with_rotor
    assert with_rotor["joints_without_load"] == "hint"


def test_joints_on_one_axis_without_mass_between_are_singular_together() -> None:
    rows = [{"theta": f"q{k}", "d": 0, "a": 0, "alpha": 0} for k in (1, 2)]
    ball = {"mass": 1, "com": [1, 0, 0], "inertia": SOUND}
    (finding,) = (f for f in qddot.from_dh(rows, [{}, ball]).doctor() if f.severity == "error")
    assert "a joint motion of q1, q2" in finding.found
    bent = [{**rows[0], "alpha": "90deg"}, rows[1]]
    assert "singular_mass_matrix" not in checks(qddot.from_dh(bent, [{}, ball]))


def test_a_point_on_three_axes_is_turned_by_none() -> None:
    rows = [{"theta": f"q{k}", "d": 0, "a": 0, "alpha": "90deg"} for k in (1, 2, 3)]
    singular = qddot.from_dh(rows, [{}, {}, {"mass": 1, "com": [0, 0, 0]}]).doctor()
    assert sum(finding.check == "singular_mass_matrix" for finding in singular) == 3
    assert "singular_mass_matrix" not in checks(qddot.from_dh(rows, [{}, {}, {"mass": 1, "inertia": SOUND}]))


@pytest.mark.slow
@given(robots(), st.integers(0, 1000))
@settings(max_examples=20)
def test_the_rank_modulo_a_prime_is_the_rank_in_a_random_pose(robot: qddot.Robot, seed: int) -> None:
    model, numbers = robot.model, Modular.of(robot.model, seed)
    M = dynamics_of(model, numbers).mass_matrix()
    q = np.random.default_rng(seed).uniform(-3, 3, robot.n)
    # singular values of random arms are far above or at rounding
    assert robot.n - len(numbers.null_space(M)) == np.linalg.matrix_rank(robot.mass_matrix(q), tol=1e-10)


def test_what_no_torque_contains_is_not_in_the_exact_equations(zoo_arm: qddot.Robot) -> None:
    eq = zoo_arm.equations()
    felt = set().union(*(part.free_symbols for part in (eq.M, eq.G, eq.springs, eq.friction)))
    silent = [name for name in zoo_arm.model.symbols if name not in felt and name != "g"]
    said = [f.found for f in examined(zoo_arm) if f.check == "symbols_without_effect"]
    assert said == ([f"no joint torque depends on {', '.join(silent)}"] if silent else [])


def test_a_symbol_matters_even_if_what_it_multiplies_is_zero_by_default() -> None:
    robot = arm({}, {}, {"com": ["a*b", 0, 0]}, symbols={"a": 0.1, "b": 0})
    assert len(robot.doctor()) == 0


def test_a_symbol_that_is_used_nowhere_is_named() -> None:
    (finding,) = arm(symbols={"m2": 1.0}).doctor()
    assert finding.found == "used nowhere: m2"


TENSOR = {"about": "com", "xx": 0.5, "yy": 0.5, "zz": 0.5}


def test_products_with_the_other_sign_are_recognised() -> None:
    """With ∫x² dm of 0.25 along each axis, a body may have three products of 0.2, but not three of −0.2."""
    right, wrong = ({**TENSOR, **dict.fromkeys(("xy", "xz", "yz"), value)} for value in (-0.2, 0.2))
    assert "impossible_inertia" not in checks(arm({}, {"inertia": right}))
    sick = arm({}, {"inertia": wrong, "partial_inertia": True}).doctor()
    assert sick.worst == "warning"
    assert 'products = "positive"' in sick[0].remedy
    hopeless = {"inertia": {"about": "com", "zz": 1}, "partial_inertia": True}
    assert checks(arm({}, hopeless)) == {"impossible_inertia": "hint"}


def test_one_inertia_for_links_of_different_lengths_looks_copied() -> None:
    copied = {"mass": 1, "inertia": {"about": "com", "xx": 0.01, "yy": 0.01, "zz": 0.01}}
    assert checks(arm(copied, copied, copied)) == {"copied_inertia": "warning"}
    assert checks(arm(copied, copied)) == {}
    equal = [{"theta": f"q{k}", "d": 0, "a": 0.3, "alpha": 0} for k in (1, 2, 3)]
    rods = {"mass": 1, "com": [-0.15, 0, 0], "inertia": SOUND}
    assert "copied_inertia" not in checks(qddot.from_dh(equal, [rods] * 3))
    unequal = [{**row, "a": 0.3 + k / 10} for k, row in enumerate(equal)]
    assert "copied_inertia" in checks(qddot.from_dh(unequal, [rods] * 3))
    assert "copied_inertia" not in checks(qddot.from_dh(unequal[:2], [rods] * 2))  # two may well be alike


def test_an_arm_with_limits_and_weight_but_without_rotors_gets_a_hint() -> None:
    rows = [{"theta": f"q{k}", "d": 0, "a": 0.3 + k / 10, "alpha": "90deg"} for k in range(4)]
    limited = {"mass": 4, "com": [-0.1, 0, 0], "inertia": SOUND, "joint": {"limits": [-1, 1]}}
    lengths_apart = [{**limited, "mass": 4 + k} for k in range(4)]
    assert checks(qddot.from_dh(rows, lengths_apart)) == {"missing_armature": "hint"}
    light = [{**link, "mass": 0.1} for link in lengths_apart]
    assert "missing_armature" not in checks(qddot.from_dh(rows, light))


def test_lengths_in_millimetres_and_angles_in_degrees() -> None:
    def row(a: float, alpha: Any) -> list[dict[str, Any]]:
        return [{"theta": "q1", "d": 0, "a": a, "alpha": alpha}]

    link = [{"mass": 1, "com": [0, 0, 0], "inertia": SOUND}]
    assert checks(qddot.from_dh(row(431.8, 0), link)) == {"millimetres": "warning"}
    assert checks(qddot.from_dh(row(0.4318, 90), link)) == {"angles_in_degrees": "warning"}
    assert checks(qddot.from_dh(row(0.4318, "90deg"), link)) == {}


@pytest.mark.parametrize(
    ("gravity", "severity", "says"),
    [
        ([0, 0, 0], "hint", "no gravity"),
        ([0, 0, "-1.62"], "hint", "1.62 m/s²"),
        ([0, 0, "-9810"], "warning", "9810 m/s²"),
        ([0, 0, "g"], "hint", "toward +z"),
        ([0, "-g*sqrt(2)/2", "-g*sqrt(2)/2"], "hint", "along none of the base's axes"),
    ],
)
def test_gravity_that_is_not_the_earths(gravity: list[Any], severity: str, says: str) -> None:
    (finding,) = (f for f in arm(gravity=gravity).doctor() if f.check == "unusual_gravity")
    assert finding.severity == severity
    assert says in finding.found


def test_what_has_no_value_is_not_judged() -> None:
    robot = arm({}, {"mass": "m", "com": ["c", 0, 0]}, symbols=["m", "c"])
    assert len(robot.doctor()) == 0
    assert len(physical(robot).doctor()) == 0


def test_given_equations_are_examined_too() -> None:
    diagnosis = qddot.load("puma560_1986").doctor()
    assert diagnosis.worst == "hint"
    assert [finding.found for finding in diagnosis] == ["no joint torque depends on a2, a3, d2, d3, d4"]


URDF = """<robot name="arm">
<link name="base"/>
<link name="upper"><inertial><mass value="1"/><inertia ixx="0.02" iyy="0.03" izz="0.2"/></inertial></link>
<joint name="j" type="revolute"><parent link="base"/><child link="upper"/><limit lower="-1" upper="1"/></joint>
</robot>
"""


def test_an_impossible_inertia_in_a_urdf_is_an_error(tmp_path: Path) -> None:
    """URDF has no word for an inertia of which only some entries are known."""
    (tmp_path / "arm.urdf").write_text(URDF, encoding="utf-8")
    diagnosis = diagnose_file(str(tmp_path / "arm.urdf"))
    assert diagnosis.worst == "error"
    assert any(finding.check == "impossible_inertia" for finding in diagnosis)


@pytest.mark.parametrize("wrong", [('lower="-1"', 'lower="x"'), ('mass value="1"', 'mass value="-1"')])
def test_a_urdf_that_is_refused_is_a_finding(tmp_path: Path, wrong: tuple[str, str]) -> None:
    (tmp_path / "arm.urdf").write_text(URDF.replace(*wrong), encoding="utf-8")
    (finding,) = diagnose_file(str(tmp_path / "arm.urdf"))
    assert (finding.severity, finding.check, finding.why) == ("error", "refused", "the robot cannot be loaded")
    assert finding.place.count("arm.urdf") == 1


@pytest.mark.thorough
def test_eight_hundred_bodies_take_seconds(tmp_path: Path) -> None:
    """A file of forty kilobytes does not keep a pipeline busy for minutes."""
    body = "<body pos='0 0 1'><joint/><geom size='.1'/></body>"
    (tmp_path / "wide.xml").write_text(f"<mujoco><worldbody>{body * 800}</worldbody></mujoco>", encoding="utf-8")
    robot = qddot.load(tmp_path / "wide.xml")
    begin = process_time()
    diagnosis = robot.doctor()
    assert process_time() - begin < 10  # s; five in most runs
    assert diagnosis.worst in ("", "hint")
    assert diagnosis.proved == ("no bounds are proved: 800 coordinates, expected at most 200",)


PART = """<robot name="part"><link name="ground"/><link name="bar"><inertial><origin xyz="0 0 -0.4"/><mass value="0.5"/>
<inertia ixx="-0.001" ixy="0" ixz="0" iyy="-0.001" iyz="0" izz="0.0003"/></inertial></link>
<joint name="pin" type="revolute"><origin xyz="0 0 1" rpy="0 90 0"/><parent link="ground"/><child link="bar"/>
<axis xyz="0 1 0"/><limit lower="-90" upper="90" effort="1" velocity="1"/></joint></robot>"""


def test_python_and_the_command_line_say_the_same(tmp_path: Path) -> None:
    """A URDF cannot declare that a tensor is partial, so that an impossible one is an error in both."""
    (tmp_path / "part.urdf").write_text(PART, encoding="utf-8")
    robot = qddot.load(tmp_path / "part.urdf")
    assert tuple(robot.doctor()) == tuple(diagnose_file(str(tmp_path / "part.urdf"), bounded=True))
    assert checks(robot)["impossible_inertia"] == "error"
    assert checks(robot.as_tree())["impossible_inertia"] == "error"


def test_remedies_can_be_followed_in_every_format(tmp_path: Path) -> None:
    """What only a robot file has is said to be of a robot file."""
    (tmp_path / "part.urdf").write_text(PART, encoding="utf-8")
    diagnosis = diagnose_file(str(tmp_path / "part.urdf"))
    of_robot_files = ("partial_inertia", "deg", "about =", "products =", "armature =")
    for finding in diagnosis:
        before = finding.remedy.partition("robot file")[0].replace("degrees", "")
        assert not any(word in before for word in of_robot_files), finding
    assert {"impossible_inertia", "limits_in_degrees", "angles_in_degrees"} <= {finding.check for finding in diagnosis}


def test_degrees_in_the_rpy_of_a_urdf(tmp_path: Path) -> None:
    (tmp_path / "part.urdf").write_text(PART, encoding="utf-8")
    (finding,) = (f for f in qddot.load(tmp_path / "part.urdf").doctor() if f.check == "angles_in_degrees")
    assert (finding.place, finding.found) == ("joint 'pin'", "a constant angle of 90 rad")
    assert finding.remedy == "write 1.5708: 90 degrees in radians"
    (tmp_path / "part.urdf").write_text(PART.replace("0 90 0", "0 1.5708 0"), encoding="utf-8")
    assert "angles_in_degrees" not in checks(qddot.load(tmp_path / "part.urdf"))


@pytest.mark.parametrize(
    ("written", "exact", "radians"),
    [("1.57", "90°", "1.5708"), ("-0.785", "-45°", "-0.7854"), ("3.14", "180°", "3.1416")],
)
def test_a_rounded_angle_is_named_with_what_it_may_mean(tmp_path: Path, written: str, exact: str, radians: str) -> None:
    path = tmp_path / "part.urdf"
    path.write_text(PART.replace("0 90 0", f"0 {written} 0"), encoding="utf-8")
    (finding,) = (f for f in qddot.load(path).doctor() if f.check == "rounded_angles")
    assert (finding.severity, finding.place, finding.found) == ("hint", "joint 'pin'", f"the angle {written} rad")
    assert finding.remedy == f"if {exact} is meant, write {radians}"
    path.write_text(PART.replace("0 90 0", f"0 {radians} 0"), encoding="utf-8")
    assert "rounded_angles" not in checks(qddot.load(path))


@pytest.mark.parametrize("written", ["1.58", "1.5", "0.26", "0", "1.571234"])
def test_other_angles_are_not_called_rounded(tmp_path: Path, written: str) -> None:
    (tmp_path / "part.urdf").write_text(PART.replace("0 90 0", f"0 {written} 0"), encoding="utf-8")
    assert "rounded_angles" not in checks(qddot.load(tmp_path / "part.urdf"))


def ellipsoid(density: float, *half_axes: float) -> dict[str, Any]:
    """A solid ellipsoid of one density: m = 4/3 π a b c ρ, Ixx = m (b² + c²)/5."""
    a, b, c = half_axes
    m = 4 / 3 * np.pi * a * b * c * density
    tensor = {"xx": m * (b * b + c * c) / 5, "yy": m * (a * a + c * c) / 5, "zz": m * (a * a + b * b) / 5}
    return {
        "mass": float(m),
        "com": [-0.15, 0, 0],
        "inertia": {"about": "com", **{k: float(v) for k, v in tensor.items()}},
    }


@given(st.lists(st.floats(0.01, 0.2), min_size=3, max_size=3), st.floats(100, 1e5))
@settings(max_examples=20)
def test_a_solid_ellipsoid_is_too_dense_if_no_material_is_so_dense(half_axes: list[float], density: float) -> None:
    findings = arm({}, ellipsoid(density, *half_axes)).doctor()
    said = [finding.found for finding in findings if finding.check == "too_dense"]
    assert len(said) == (density > 23_000)
    assert all(f"less dense than {density:.3g} kg/m³" in message for message in said)


def test_a_hollow_body_is_less_dense_than_its_material() -> None:
    """A shell of steel is judged by the ellipsoid with its moments, which has more room; a rod is not judged."""
    shell = {"mass": 20, "inertia": {"about": "com", **dict.fromkeys(("xx", "yy", "zz"), 20 * 0.1**2 * 2 / 3)}}
    rod = {"mass": 2, "com": [-0.15, 0, 0], "inertia": {"about": "com", "xx": 0, "yy": 0.015, "zz": 0.015}}
    assert checks(arm({}, shell)) == {}
    assert "too_dense" not in checks(arm({}, rod))


def test_an_inertia_far_beyond_the_joints_is_too_wide() -> None:
    """A dumbbell whose masses are at both ends of a link has the radius ½ l; one three times as long has 1.5 l."""
    for wide, length in ((False, 0.3), (True, 3 * 0.3 * 1.05)):
        moment = 7 * (length / 2) ** 2
        link = {"mass": 7, "com": [-0.15, 0, 0], "inertia": {"about": "com", "xx": 0.01, "yy": moment, "zz": moment}}
        assert ("too_wide" in checks(arm({}, link))) == wide


def test_a_wheel_is_not_too_wide_for_its_axle() -> None:
    """Its joints and its centre of mass are at one point, whatever its radius."""
    row = {"theta": "q1", "d": 0.1, "a": 0, "alpha": 0}
    disc = {"mass": 2, "com": [0, 0, 0], "inertia": {"about": "com", "xx": 0.25, "yy": 0.25, "zz": 0.5}}
    assert "too_wide" not in checks(qddot.from_mdh([row], [disc]))


def loaded(tmp_path: Path, effort: str) -> qddot.Robot:
    text = PART.replace("-0.001", "0.02").replace("0.0003", "0.002").replace('effort="1"', f'effort="{effort}"')
    (tmp_path / "arm.urdf").write_text(text.replace("0 90 0", "0 0 0").replace("90", "1.6"), encoding="utf-8")
    return qddot.load(tmp_path / "arm.urdf")


@pytest.mark.parametrize(
    ("effort", "weak"), [("0.1", True), ("0.2", False), ("5", False), ("0", False), ("", False), ("much", False)]
)
def test_gravity_against_the_effort_limit(effort: str, weak: bool, tmp_path: Path) -> None:
    """m g l = 0.5 · 9.81 · 0.4 = 1.96 N m, more than ten times 0.1, in a horizontal pose; 0 is a placeholder."""
    messages = [finding.found for finding in loaded(tmp_path, effort).doctor() if finding.check == "weak_motor"]
    assert len(messages) == weak
    if weak:
        load = float(messages[0].split("up to ")[1].split()[0])
        assert 0.9 * 1.962 < load <= 1.962 * (1 + 1e-9)


def test_an_effort_limit_counts_in_every_format(tmp_path: Path) -> None:
    """The robot file of a URDF has the same findings, and so has the URDF that is written from it."""
    arm = loaded(tmp_path, "0.1")
    for again in (arm, qddot.loads(arm.to_toml()), arm.as_dh()):
        assert checks(again)["weak_motor"] == "warning"
    (tmp_path / "again.urdf").write_text(arm.to_urdf(), encoding="utf-8")
    assert checks(qddot.load(tmp_path / "again.urdf"))["weak_motor"] == "warning"


@pytest.mark.parametrize(("rpy", "felt"), [(["phi", 0, 0], True), ([0, 0, "phi"], False)])
def test_a_tilt_is_felt_by_gravity_alone(rpy: list[Any], felt: bool) -> None:
    """A slide has the same M however it is mounted, and its weight depends on the tilt, but not on a turn about it."""
    joint = {"type": "prismatic", "axis": [0, 0, 1], "rpy": rpy}
    link = {"name": "slide", "mass": 2, "com": [0, 0, 0], "inertia": SOUND, "joint": joint}
    data = {"name": "r", "convention": "tree", "symbols": {"phi": 0.3}, "link": [link]}
    said = [f.found for f in qddot.Robot(robot_file.from_mapping(data, "r")).doctor() if "symbols" in f.check]
    assert said == ([] if felt else ["no joint torque depends on phi"])


def long_arm(links: int) -> qddot.Robot:
    """An arm with ten symbols in each link, whose joints turn about y, x and z in turn."""
    symbols, tables = dict[str, Any](), list[dict[str, Any]]()
    for k in range(1, links + 1):
        symbols |= {f"{name}{k}": 0.1 for name in ("m", "x", "y", "z", "a", "b", "c", "l", "u", "w")}
        joint = {"type": "revolute", "axis": [int(k % 3 == j) for j in (2, 1, 0)], "xyz": [f"l{k}", f"u{k}", f"w{k}"]}
        inertia = {"about": "com", "xx": f"a{k}", "yy": f"b{k}", "zz": f"c{k}"}
        link = {"name": f"link{k}", "mass": f"m{k}", "com": [f"x{k}", f"y{k}", f"z{k}"], "inertia": inertia}
        tables.append({**link, "parent": tables[-1]["name"] if tables else "base", "joint": joint})
    data = {"name": "long", "convention": "tree", "symbols": symbols, "link": tables}
    return qddot.Robot(robot_file.from_mapping(data, "long"))


def test_three_hundred_symbols_are_judged_in_a_second_or_two() -> None:
    """The first joint turns about y: what is along y, or of the base, is in no torque."""
    case = Examined(long_arm(30).model)
    begin = process_time()
    (finding,) = symbols_without_effect(case)
    assert process_time() - begin < 4  # s; one in most runs, and nine if each symbol took all of M
    assert finding.found == "no joint torque depends on y1, a1, c1, l1, u1, w1, u2"


def test_few_bodies_in_other_numbers_are_the_arm_in_other_numbers() -> None:
    model = long_arm(4).model
    numbers = Modular.of(model)
    for symbol in ("m2", "l3", "c4"):
        others = numbers.changed(symbol)
        changed = [body for body in model.bodies if body.name.endswith(symbol[1])]
        assert (
            Mechanism.of(model, numbers).with_bodies(model, others, changed).links == Mechanism.of(model, others).links
        )
        assert Mechanism.of(model, numbers).links != Mechanism.of(model, others).links
