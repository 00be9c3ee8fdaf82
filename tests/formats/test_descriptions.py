"""One arm in four conventions is the same arm; what is written is read back."""

from __future__ import annotations

import json
import re
import tomllib
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from refusals import refusal
from robots import robots
from shipped import LINKS as OF_ZOO

import qddot
from qddot.algebra.expressions.angles import Angle
from qddot.algebra.expressions.parser import angle, expression
from qddot.algebra.numbers.floats import Floats
from qddot.algebra.spatial import Rotation, Vec3
from qddot.faces.equations_of_motion import EquationsOfMotion
from qddot.formats import writing
from qddot.formats.shared.rotations import from_quaternion, rotation, snapped
from qddot.formats.toml import robot_file
from qddot.physics.algorithms.kinematics import poses
from qddot.physics.mechanism import Mechanism
from qddot.robot.model import Model

LINKS = [
    {"mass": "m1", "com": ["-l/2", 0, 0], "inertia": {"about": "com", "zz": "m1*l**2/12"}, "partial_inertia": True},
    {"mass": "m2", "com": ["-l/2", 0, 0], "inertia": {"about": "com", "zz": "m2*l**2/12"}, "partial_inertia": True},
]
# arms that branch, or whose frames are their own
IN_NO_ROWS = ("baxter", "cart_pole", "elbow_3r", "furuta_pendulum", "geared_wrist", "slider", "spherical_pendulum")
OPTIONS = {"symbols": "m1 m2 l", "gravity": [0, "-g", 0]}


def planar_arms() -> list[qddot.Robot]:
    """Two planar links of length l: standard DH, modified DH, screws, and a tree; frames differ."""
    shifted = [{**link, "com": ["l/2", 0, 0]} for link in LINKS]
    rows = [{"theta": "q1", "d": 0, "a": "l", "alpha": 0}, {"theta": "q2", "d": 0, "a": "l", "alpha": 0}]
    mrows = [{"theta": "q1", "d": 0, "a": 0, "alpha": 0}, {"theta": "q2", "d": 0, "a": "l", "alpha": 0}]
    at = lambda x: [[1, 0, 0, x], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]  # noqa: E731
    screws = [[0, 0, 1, 0, 0, 0], [0, 0, 1, 0, "-l", 0]]
    bodies = [
        qddot.Body.of(
            name,
            qddot.Joint("revolute", parent, placement=qddot.pose([x, 0, 0])),
            partial_inertia=True,
            mass=m,
            com=["l/2", 0, 0],
            inertia=(0, 0, 0, 0, 0, f"{m}*l**2/12"),
        )
        for name, parent, x, m in (("upper", "base", 0, "m1"), ("fore", "upper", "l", "m2"))
    ]
    return [
        qddot.from_dh(rows, LINKS, name="dh", **OPTIONS),
        qddot.from_mdh(mrows, shifted, name="mdh", **OPTIONS),
        qddot.from_screws([at("l"), at("2*l")], screws, LINKS, name="screws", **OPTIONS),
        qddot.Robot(qddot.Model("tree", bodies, gravity=(0, "-g", 0), symbols="m1 m2 l")),
    ]


def test_four_conventions_give_the_same_equations() -> None:
    first, *others = (arm.equations() for arm in planar_arms())
    for other in others:
        for name in ("M", "christoffel", "G"):
            assert str(getattr(first, name)) == str(getattr(other, name)), other.model.name


@pytest.mark.parametrize("sign", ["q1", "-q1", "q1 + 90deg", "-q1 - 30deg", "90deg - q1", "q1 + phi"])
@pytest.mark.parametrize("convention", ["dh", "mdh"])
def test_rows_mean_the_product_of_their_four_moves(sign: str, convention: str) -> None:
    row = {"theta": sign, "d": "d", "a": "a", "alpha": "beta"}
    make = qddot.from_dh if convention == "dh" else qddot.from_mdh
    model = make([row], symbols={"a": 0.4, "d": -0.3, "phi": 0.2, "beta": 1.1}).model
    q = 0.83
    numbers = {"a": 0.4, "d": -0.3, "phi": 0.2, "beta": 1.1, "g": 9.81, "q1": q, "pi": np.pi}
    arm = Mechanism.of(model, Floats(numbers, {"q1": q}))
    theta = expression(sign).value(numbers)

    def turn(axis: str, by: float) -> np.ndarray:
        c, s = np.cos(by), np.sin(by)
        return np.array(
            [[c, -s, 0, 0], [s, c, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]
            if axis == "z"
            else [[1, 0, 0, 0], [0, c, -s, 0], [0, s, c, 0], [0, 0, 0, 1]]
        )

    def move(x: float, z: float) -> np.ndarray:
        T = np.eye(4)
        T[:3, 3] = x, 0, z
        return T

    ends = turn("z", theta) @ move(0, -0.3), move(0.4, 0) @ turn("x", 1.1)
    expected = ends[0] @ ends[1] if convention == "dh" else ends[1] @ ends[0]
    matrix = np.array(poses(arm)[0].matrix(), dtype=float)
    assert np.allclose(matrix, expected, atol=1e-15)


def test_a_prismatic_row_moves_along_z() -> None:
    arm = qddot.from_dh([{"theta": "90deg", "d": "q1 + h", "a": 0, "alpha": "90deg"}], [{"mass": "m"}], symbols="h m")
    assert arm.model.bodies[0].joint.type == "prismatic"
    eq = arm.equations()
    assert str(eq.M) == "M11 = m"
    assert str(eq.G) == "G1 = m*g"


@given(robots())
@settings(max_examples=20)
def test_a_model_survives_being_written(arm: qddot.Robot) -> None:
    again = robot_file.loads(robot_file.dumps(arm.model), "again")
    first, second = arm.equations(), qddot.Robot(again).equations()
    for name in ("M", "christoffel", "G", "springs", "friction"):
        assert str(getattr(first, name)) == str(getattr(second, name))


@pytest.mark.parametrize("zoo_arm", [name for name in OF_ZOO if name not in ("panda", "puma560")], indirect=True)
def test_the_zoo_survives_being_written(zoo_arm: qddot.Robot, tmp_path: Path) -> None:
    path = tmp_path / "arm.toml"
    path.write_text(robot_file.dumps(zoo_arm.model), encoding="utf-8")
    again = qddot.load(path)
    assert str(again.equations().M) == str(zoo_arm.equations().M)
    assert again.model.coordinates == zoo_arm.model.coordinates
    assert again.model.defaults() == zoo_arm.model.defaults()


def test_an_arm_in_its_own_frames_is_read_from_its_text(zoo_arm: qddot.Robot) -> None:
    text = writing.in_its_frames(zoo_arm.model)
    assert qddot.loads(text).model == zoo_arm.model
    assert ('convention = "tree"' in text) == (zoo_arm.name in IN_NO_ROWS)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["spatial_2r", "puma560_akb"])
def test_equations_survive_being_saved(name: str, tmp_path: Path) -> None:
    eq = qddot.load(name).equations()
    eq.save(tmp_path / "eq.json")
    again = EquationsOfMotion.load(tmp_path / "eq.json")
    for quantity in ("M", "christoffel", "G"):
        assert str(getattr(eq, quantity)) == str(getattr(again, quantity))
    assert again.prove(routes=["screw"])
    assert str(again.steps["Phi"]) == str(eq.steps["Phi"])


@pytest.mark.parametrize(
    "damage",
    [
        lambda c: c.update(format="other"),
        lambda c: c.update(version=99),
        lambda c: c["M"].pop(),
        lambda c: c["G"][0][0].__setitem__(0, "1/0"),
        lambda c: c["G"][0][0].__setitem__(1, 10**6),
        lambda c: c["G"][0][0].__setitem__(2, -1),
        lambda c: c["generators"].reverse(),
        lambda c: c["model"].update(link=[]),
        lambda c: c.pop("route"),
        lambda c: c["M"][0][0][0].__setitem__(0, "999"),
        lambda c: c["model"].update(gravity=["g", 0, 0]),
        lambda c: c.update(model=[]),
    ],
)
def test_a_damaged_file_of_equations_is_refused(damage: Any, tmp_path: Path) -> None:
    path = tmp_path / "eq.json"
    qddot.load("two_link").equations().save(path)
    content = json.loads(path.read_text(encoding="utf-8"))
    damage(content)
    path.write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(qddot.QddotError, match=r"eq\.json"):
        EquationsOfMotion.load(path)


def test_decimals_are_read_exactly() -> None:
    assert expression("0.4318").rational == Fraction(2159, 5000)
    assert expression(0.4318).rational == Fraction(2159, 5000)
    assert expression("1.8e-3").rational == Fraction(9, 5000)
    assert expression(0.1).rational == Fraction(1, 10)
    assert expression(np.float64(0.1)).rational == Fraction(1, 10)
    assert expression(np.int64(3)).rational == 3


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1 - 2 - 3", "-4"),
        ("2*3**2", "18"),
        ("-2**2", "-4"),
        ("(a + b)**2 - a^2 - b^2", "2*a*b"),
        ("6/3/2", "1"),
        ("--a", "a"),
        ("sqrt(1/2)**2", "1/2"),
        ("cos(60deg)", "1/2"),
        ("sin(90deg + 30deg)**2", "3/4"),
        ("1e2*.5", "50"),
        ("(45 + 45)deg - pi/2", "0"),
    ],
)
def test_arithmetic_means_what_it_says(text: str, value: str) -> None:
    assert expression(text) == expression(value)


def test_decimals_of_known_angles_are_snapped_and_reported() -> None:
    assert snapped(angle("1.5708"))[0] == Angle(pi=Fraction(1, 2))
    assert snapped(angle(-3.14159))[0] == Angle(pi=Fraction(-1))
    assert snapped(angle(np.pi / 4))[0] == Angle(pi=Fraction(1, 4))
    kept, said = snapped(angle("1.57"))
    assert kept == angle("1.57") and said.startswith("1.57 is read as 1.57 rad, not as 90°")
    assert snapped(angle("1.58")) == (angle("1.58"), "")
    assert snapped(angle("1.5709")) == (angle("1.5709"), "")
    arm = qddot.from_dh([{"theta": "q1", "d": 0, "a": 1, "alpha": 1.5708}])
    assert arm.model.notes == ("link 'link1': 1.5708 rad read as 90deg",)


def test_decimal_rotations_become_rational_ones_and_are_reported() -> None:
    h = 0.70710678
    exact: Any
    exact, note = rotation([[h, -h, 0], [h, h, 0], [0, 0, 1]])
    assert exact @ exact.T == Rotation.identity()
    assert "made exact" in note
    assert abs(float(exact.x.x.value({})) - np.sqrt(0.5)) < 1e-8
    kept, note = rotation([["cos(phi)", "-sin(phi)", 0], ["sin(phi)", "cos(phi)", 0], [0, 0, 1]])
    assert note == ""
    assert str(kept.x.x) == "cos(phi)"
    assert rotation([[0, 0, 1], [1, 0, 0], [0, 1, 0]]) == (
        Rotation(Vec3(0, 0, 1), Vec3(1, 0, 0), Vec3(0, 1, 0)),
        "",
    )
    for bad, says in (
        ([[1, 0, 0], [0, 1, 0], [0, 0, -1]], ("rows-reflect",)),
        ([[1, 0, 0], [0, 1, 0], [0, 0.1, 1]], ("rows-not-orthonormal",)),
        ([[2, 0, 0], [0, 1, 0], [0, 0, 1]], ("rows-not-orthonormal",)),
    ):
        with refusal(qddot.QddotError, *says):
            rotation(bad)


@given(*[st.integers(-9, 9)] * 3)
def test_rational_quaternions_are_rotations(x: int, y: int, z: int) -> None:
    R = from_quaternion(1, x, y, z)
    assert R @ R.T == Rotation.identity()
    assert R.x.cross(R.y) == R.z


def test_positive_products_are_turned_to_the_tensors_sign() -> None:
    make = lambda **inertia: qddot.from_dh(  # noqa: E731
        [{"theta": "q1", "d": 0, "a": 0, "alpha": 0}],
        [{"mass": 1, "inertia": {"about": "com", "xx": 3, "yy": 3, "zz": 3, **inertia}}],
    )
    assert make(xy="1/2", products="positive").model.bodies[0].inertia == make(xy="-1/2").model.bodies[0].inertia


def test_files_of_the_zoo_name_their_source_and_are_plain_toml() -> None:
    for name in qddot.zoo():
        model = qddot.load(name).model
        assert model.source, name
        assert model.title, name
        assert model.name == name
        assert isinstance(model, Model)
        assert tomllib.loads(robot_file.dumps(model))["name"] == name


def test_numpy_arrays_are_numbers_vectors_and_poses() -> None:
    arm = qddot.from_screws(
        np.array([np.eye(4), np.eye(4)]),
        np.array([[0, 0, 1, 0, 0, 0]]),
        [{"mass": np.float32(0.1), "com": np.array([0.5, 0, 0])}],
    )
    assert str(arm.equations().M) == "M11 = 0.025" or str(arm.equations().M) == "M11 = 1/40"
    mixed = qddot.from_screws([np.eye(4), np.eye(4)], [[0, 0, 1, 0, 0, 0]], [{"mass": np.array(2.0)}])
    assert mixed.model.bodies[0].inertia.m == 2


BODY = qddot.Body("a", qddot.Joint())
ROW: dict[str, Any] = {"theta": "q1", "d": 0, "a": 0, "alpha": 0}
WRONG = [
    ("link 'a': its joint is 5", lambda: qddot.Body("a", 5)),
    ("link 'a': its inertia is '(Inertia(m=1, h=Ve", lambda: qddot.Body("a", qddot.Joint(), qddot.mass_properties(1))),
    ("a body's name is ''", lambda: qddot.Body("", qddot.Joint())),
    ("link 'a': unknown 'foo'", lambda: qddot.Body.of("a", qddot.Joint(), foo=1)),
    ("a joint's placement is '[[1. 0. 0. 0.]\\n [0.", lambda: qddot.Joint(placement=np.eye(4))),
    ("a joint's placement is 'None'", lambda: qddot.Joint(placement=None)),
    ("limits is 5", lambda: qddot.Joint(limits=5)),
    ("limits '(1,)'", lambda: qddot.Joint(limits=(1,))),
    ("effects is \"Viscous(coefficient=Expression('", lambda: qddot.Joint(effects=qddot.Viscous(1))),
    ("effects is \"{'damping': 1}\"", lambda: qddot.Joint(effects={"damping": 1})),
    ("an effect is \"<class 'qddot.robot.effects.viscous.V", lambda: qddot.Joint(effects=(qddot.Viscous,))),
    ("effects is 'abc'", lambda: qddot.Joint(effects="abc")),
    ("a joint's parent is 'None'", lambda: qddot.Joint(parent=None)),
    ("a fixed joint has effects, limits or a coordin", lambda: qddot.Joint("fixed", effects=(qddot.Viscous(1),))),
    ("joint type 'rotary'", lambda: qddot.Joint("rotary")),
    ("x: bodies are 5", lambda: qddot.Model("x", 5)),
    ("x: bodies are \"Body(name='a', joint=Joint(ty", lambda: qddot.Model("x", BODY)),
    ("a robot's name is 5", lambda: qddot.Model(5, [BODY])),
    ("x: bodies are \"{'a': Body(name='a', joint=Jo", lambda: qddot.Model("x", {"a": BODY})),
    ("symbols are 5", lambda: qddot.Model("x", [BODY], symbols=5)),
    ("x: coordinates are 'None'", lambda: qddot.Model("x", [BODY], coordinates=None)),
    ("x: coordinates are '[5]'", lambda: qddot.Model("x", [BODY], coordinates=[5])),
    ("x: the tool is '[[1. 0. 0. 0.]\\n [0. 1. 0. 0", lambda: qddot.Model("x", [BODY], tool=np.eye(4))),
    ("x: no body 5", lambda: qddot.Model("x", [BODY], tool_body=5)),
    ("x: notes are 5", lambda: qddot.Model("x", [BODY], notes=5)),
    ("the model of a robot is 'two_link'", lambda: qddot.Robot("two_link")),
    ("a robot 5", lambda: qddot.load(5)),
    ("no route 'newton'", lambda: qddot.load("two_link").equations("newton")),
    ("routes 5", lambda: qddot.load("two_link").equations().prove(5)),
    ("no 5 to differentiate with respect to", lambda: qddot.load("two_link").equations().M.diff(5)),
    ("subs of 5", lambda: qddot.load("two_link").equations().M.subs(5)),
    ("no quantity 'ZZ'", lambda: qddot.load("two_link").equations().text(("ZZ",))),
    ("a\\x00b cannot be written: its name contains a ", lambda: qddot.load("two_link").equations().save("a\0b")),
    ("'None': cannot be read: expected str, bytes ", lambda: EquationsOfMotion.load(None)),
    ("rpy is \"['0', '0']\"", lambda: qddot.pose(rpy=[0, 0])),
    ("rpy is '{1, 2, 3}'", lambda: qddot.pose(rpy={1, 2, 3})),
    ("inertia is 5", lambda: qddot.mass_properties(1, inertia=5)),
    ("inertia is 'abcdef'", lambda: qddot.mass_properties(1, inertia="abcdef")),
    ("com is '{1, 2, 3}'", lambda: qddot.mass_properties(1, com={1, 2, 3})),
    ("a robot 5", lambda: qddot.loads(5)),
    ("a robot 'b\"name = \\'arm\\'\"'", lambda: qddot.loads(b"name = 'arm'")),
    ("the text: the file is empty", lambda: qddot.loads("")),
    ("the text: invalid TOML: \"Expected '=' after", lambda: qddot.loads("two_link")),
    ("the text: invalid TOML: 'Invalid statement ", lambda: qddot.loads("<robot name='arm'/>")),
    ("rows is 5", lambda: qddot.from_dh(5)),
    ("rows is 'None'", lambda: qddot.from_dh(None)),
    ("links is 5", lambda: qddot.from_dh([{}], 5)),
    ("link 1 is 'None'", lambda: qddot.from_dh([{}], [None])),  # type: ignore[list-item]
    (
        "unknown option 'convention'",
        lambda: qddot.from_dh([ROW], convention="tree"),  # type: ignore[call-arg]
    ),
    ("symbols are 5", lambda: qddot.from_dh([ROW], symbols=5)),
    ("M_home is 'None'", lambda: qddot.from_screws(None, [[0, 0, 1, 0, 0, 0]])),
    ("screws link 'link1': a pose is 5", lambda: qddot.from_screws([5], [[0, 0, 1, 0, 0, 0]])),
]


@pytest.mark.parametrize(("says", "make"), WRONG, ids=range(len(WRONG)))
def test_wrong_arguments_are_our_errors(says: str, make: Any) -> None:
    with pytest.raises(qddot.QddotError, match=re.escape(says)):
        make()


@pytest.mark.parametrize("alpha", [90, -45, 270, "7"])
def test_whole_radians_beyond_a_turn_get_a_note(alpha: Any) -> None:
    row = {"theta": "q1", "d": 0, "a": 1, "alpha": alpha}
    (note,) = qddot.from_dh([row], [{"mass": 1, "com": [0, 0, 0]}]).model.notes
    assert f'{alpha} has no unit and is read as radians; {alpha} degrees are "{alpha}deg" in a robot file' in note
    for other in (6, "90deg", "90.5", "pi/2"):
        assert qddot.from_dh([{**row, "alpha": other}], [{"mass": 1, "com": [0, 0, 0]}]).model.notes == ()


PSEUDO = """
convention = "dh"
symbols = "m l"
link = [{ dh = { theta = "q1", d = 0, a = "l", alpha = 0 }, inertia = { about = "pseudo", matrix = [
  ["m*l^2/3", 0, 0, "-m*l/2"], [0, 0, 0, 0], [0, 0, 0, 0], ["-m*l/2", 0, 0, "m"]] } }]
"""


def test_a_whole_pseudo_inertia_has_the_mass_and_the_first_moment() -> None:
    """J of a uniform rod whose frame is at its far end, as a course with 4×4 matrices prints it."""
    eq = qddot.loads(PSEUDO).equations()
    assert str(eq.M) == "M11 = m*l**2/3" and str(eq.pseudo_inertia[0, 0, 3]).endswith("-m*l/2")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"m"]]', '"m", 0]]', ("pseudo-inertia-not-four",)),
        ('["-m*l/2", 0, 0, "m"]', '["m*l/2", 0, 0, "m"]', ("pseudo-inertia-asymmetric",)),
        ("inertia = {", 'mass = "m", inertia = {', ("pseudo-inertia-beside", "mass")),
    ],
)
def test_a_wrong_whole_pseudo_inertia(old: str, new: str, message: tuple[str, ...]) -> None:
    with refusal(qddot.QddotError, *message):
        qddot.loads(PSEUDO.replace(old, new))
