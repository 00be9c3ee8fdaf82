"""Python answers the page's questions in plain data, and names the cell that a mistake is about."""

from __future__ import annotations

import base64
import json
import math
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from page_questions import result, shipped, told
from shipped import ZOO

import qddot
from qddot.algebra.numbers.floats import Floats
from qddot.algebra.program.interpreter import evaluated
from qddot.algebra.spatial import SymmetricMatrix3, principal
from qddot.apps.page import answers, live_values
from qddot.apps.page.answers import ANSWERS, answer
from qddot.apps.page.links import fragment_of
from qddot.apps.page.warming import warm
from qddot.exact.forms.textbook.textbook import Textbook
from qddot.physics.algorithms import kinematics
from qddot.physics.mechanism import Mechanism
from qddot.robot import own_texts


def quantity(name: str, robot: str = "two_link", form: str = "sums", route: str = "composite") -> dict[str, Any]:
    return {"robot": shipped(robot), "route": route, "form": form, "name": name}


@pytest.mark.slow
@pytest.mark.parametrize("name", ZOO)
def test_a_robot_that_ships_is_read_and_written_as_the_same(name: str) -> None:
    robot = shipped(name)
    text = result("file", robot=robot, format="as it is")["text"]
    assert qddot.loads(text).model.hash == qddot.load(name).model.hash
    again = result("read", text=text, name="again")["robot"]
    assert result("file", robot=again, format="as it is")["text"] == text


def test_the_doctor_finds_what_is_unused_in_an_edited_robot() -> None:
    robot = shipped("spatial_2r")
    assert result("diagnose", robot=robot) == []
    robot["symbols"]["unused"] = 1
    (diagnosis,) = result("diagnose", robot=robot)
    assert diagnosis["place"] == "symbols"
    assert "unused" in diagnosis["found"]


def test_a_python_is_warm_after_what_people_ask_first(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def remembered(question: str, *rest: Any) -> Any:
        asked.append(question)
        return answer(question, *rest)

    monkeypatch.setattr(answers, "answer", remembered)
    warm()
    assert {*asked} == {*ANSWERS} - {"report"}
    assert "hits=0, misses=0" in str(answers._short.cache_info()), "it keeps none of the robots that it asked about"


@pytest.mark.parametrize("form", ["dh", "mdh", "screws", "body_screws", "tree"])
def test_a_robot_is_converted(form: str) -> None:
    robot = result("convert", robot=shipped("elbow_3r"), to=form)
    assert robot["convention"] == form
    assert result("examine", robot=robot)["coordinates"] == ["q1", "q2", "q3"]


def test_a_urdf_is_read() -> None:
    text = result("file", robot=shipped("ur5"), format="urdf")["text"]
    read = result("read", text=text, name="ur5.urdf")
    robot = read["robot"]
    assert (robot["convention"], read["doubts"]) == ("tree", [])
    assert result("examine", robot=robot)["coordinates"] == list(qddot.load("ur5").model.coordinates)


@pytest.mark.parametrize(
    ("place", "value", "cell", "found"),
    [
        (("link", 1, "mass"), "m2 +* 3", ["link", 1, "mass"], "where a value is expected"),
        (("link", 1, "com", 2), "(", ["link", 1, "com", 2], ""),
        (("link", 0, "dh", "theta"), "__import__('os')", ["link", 0, "dh", "theta"], ""),
        (("link", 1, "mass"), "-3", ["link", 1], "negative"),
        (("link", 1, "mass"), "load", ["link", 1], "not declared"),
        (("symbols", "l"), {"value": "7 m"}, ["symbols", "l", "value"], ""),
        (("gravity", 1), "9.81.1", ["gravity", 1], ""),
        (("link", 0, "colour"), "red", ["link", 0, "colour"], "unknown key"),
    ],
)
def test_a_mistake_is_told_of_its_cell(place: tuple[Any, ...], value: Any, cell: list[Any], found: str) -> None:
    robot = shipped("two_link")
    part: Any = robot
    for key in place[:-1]:
        part = part[key]
    part[place[-1]] = value
    error = told("examine", robot=robot)["error"]
    assert error["cell"][: len(cell)] == cell or error["cell"] == cell[:2]
    assert found in error["found"]


@pytest.mark.parametrize(
    "text", ["", "<robot", "<mujoco/>", "link = 3", "[[link]]", "a = [" * 400, "\0", "x" * 2_000_000, "<a>" * 5000]
)
def test_a_text_that_is_no_robot_is_told_as_a_mistake(text: str) -> None:
    reply = told("read", text=text, name="pasted")
    error = reply.get("error") or told("examine", robot=reply["result"]["robot"])["error"]
    assert error["text"]


@pytest.mark.parametrize("kind", ["free", "spherical"])
def test_a_joint_of_several_freedoms_is_refused_in_either_language(kind: str) -> None:
    body = {"name": "body", "mass": 2, "inertia": {"about": "com", "xx": 1, "yy": 1, "zz": 1}, "joint": {"type": kind}}
    robot = {"name": "satellite", "convention": "tree", "link": [body]}
    english, chinese = (told("examine", robot=robot, lang=lang)["error"]["text"] for lang in ("en", "zh"))
    assert f"the {kind} joint of link 'body'" in english and "which this page does not support yet" in english
    assert english.endswith("use qddot derive on your own machine")
    assert "本页尚不支持" in chinese and not any(word in chinese for word in ("joint", "page", "expected"))


def test_what_symbols_and_links_mean_comes_in_the_language() -> None:
    assert result("examine", robot=shipped("two_link"))["texts"] == {}
    meanings = result("examine", robot=shipped("two_link"), lang="zh")["texts"]
    assert meanings["mass of link 1"] == "连杆 1 的质量" and meanings["fore"] == "前臂"


def test_equations_come_a_term_at_a_time() -> None:
    content = result("equations", **quantity("M"))
    assert [each["name"] for each in content["equations"]] == ["M11", "M12", "M22"]
    for each in content["equations"]:
        assert len(each["terms"]) == each["length"]
        assert all(term.startswith("<math>") for term in each["terms"])
    assert content["proved"]
    assert content["counts"]["after"]["terms"] < content["counts"]["before"]["terms"]


def test_what_is_not_written_at_first_comes_when_it_is_asked_for() -> None:
    asked = quantity("M", "puma560", "normal")
    listed = result("equations", **asked)["equations"]
    waiting = [k for k, each in enumerate(listed) if "terms" not in each]
    assert waiting
    later = result("more", **asked, numbers=waiting)
    assert [each["length"] for each in later] == [len(each["terms"]) for each in later]
    assert [each["name"] for each in later] == [listed[k]["name"] for k in waiting]


@pytest.mark.parametrize("form", ["sums", "normal"])
@pytest.mark.parametrize("robot", ["two_link", "elbow_3r"])  # elbow_3r reads best in q2 + q3
def test_every_term_comes_from_some_links(robot: str, form: str) -> None:
    asked = quantity("G", robot, form)
    listed = {each["name"]: each for each in result("equations", **asked)["equations"]}
    links = result("links", **asked)
    for name, each in listed.items():
        assert [bool(term) for term in links[name]] == [True] * each["length"]
    last = max(listed)
    assert {share["link"] for term in links[last] for share in term} == {int(last[1:]) - 1}


@pytest.mark.parametrize("route", ["newton_euler", "energy"])
def test_the_steps_of_a_route_are_told(route: str) -> None:
    steps = result("steps", robot=shipped("two_link"), route=route, lang="zh")
    assert any("html" in step for step in steps)
    assert any("equations" in step for step in steps)


@pytest.mark.parametrize("language", result("examine", robot=shipped("two_link"))["languages"])
def test_a_quantity_is_copied_in_every_language(language: str) -> None:
    assert result("copy", **quantity("M"), language=language).strip()


@pytest.mark.parametrize("name", ["M", "G", "T", "tau", "K"])
def test_what_is_copied_for_sympy_is_the_same_in_sympy(name: str) -> None:
    import sympy

    known: dict[str, Any] = {}
    exec(result("copy", **quantity(name), language="sympy"), known)
    exact = getattr(qddot.load("two_link").equations(), name).sympy()
    given = known[name]
    real = {symbol: sympy.Symbol(symbol.name, real=True) for symbol in exact.free_symbols}
    difference = (
        sympy.simplify(sympy.Array(given) - sympy.Array(exact.subs(real))) if name != "K" else given - exact.subs(real)
    )
    assert all(sympy.simplify(sympy.expand_trig(entry)) == 0 for entry in sympy.flatten([difference]))


def test_a_proof_is_told() -> None:
    certificate = result("prove", robot=shipped("two_link"), routes=None, lang="en")
    assert certificate["holds"]
    assert {each["verdict"] for each in certificate["identities"]} == {"proved"}


@pytest.mark.parametrize("form", [".html", ".md", ".tex", ".ipynb"])
def test_a_report_is_written(form: str) -> None:
    asked = {"robot": shipped("one_link"), "routes": ["composite"], "format": form, "lang": "zh", "exam": True}
    names = [file["name"] for file in result("report", **asked)]
    assert f"one_link-exam{form}" in names
    assert f"one_link-exam-solution{form}" in names


def test_names_stay_texts() -> None:
    robot = shipped("two_link")
    evil = "<img src=x onerror=alert(1)>"
    robot["title"] = robot["link"][0]["name"] = evil
    for text in (
        json.dumps(result("steps", robot=robot, route="energy", lang="en")),
        result("report", robot=robot, routes=["composite"], format=".html", lang="en", exam=False)[0]["text"],
    ):
        assert "<img" not in text


@pytest.mark.parametrize("name", ["spatial_2r", "puma560", "rp", "ur5", "baxter"])
def test_the_drawn_arm_is_the_arm_at_home(name: str) -> None:
    """The poses that the view multiplies together are those of the exact core."""
    drawn = result("examine", robot=shipped(name))["arm"]
    model = qddot.load(name).model
    values = {**dict.fromkeys(model.symbols, 1.0), **model.defaults()}
    home = Mechanism.of(model, Floats(values, dict.fromkeys(model.coordinates, 0.0)))
    for link, pose in zip(drawn["links"], kinematics.poses(home), strict=True):
        above = link["parent"]
        own = _times(link["placement"], link["offset"])
        link["at"] = own if above < 0 else _times(drawn["links"][above]["at"], own)
        exact = [float(entry) for row, x in zip(pose.R, pose.p, strict=True) for entry in (*row, x)]
        assert link["at"][:12] == pytest.approx(exact, abs=1e-12)


def _times(a: list[float], b: list[float]) -> list[float]:
    return [sum(a[4 * i + k] * b[4 * k + j] for k in range(4)) for i in range(4) for j in range(4)]


def test_the_ellipsoid_of_a_rod_has_its_moments() -> None:
    """A solid ellipsoid has I_x = m (b² + c²)/5."""
    drawn = result("examine", robot=shipped("spatial_2r"))["arm"]["links"][0]
    a, b, c = drawn["ellipsoid"]["radii"]
    moments = sorted(10.0 * pair / 5 for pair in (b * b + c * c, a * a + c * c, a * a + b * b))
    assert moments == pytest.approx([2.5, 5.0, 5.0])
    assert drawn["centre"] == pytest.approx([-1.0, 0.0, 0.0])


def test_principal_axes_diagonalize() -> None:
    tensor = [[2.0, 0.3, -0.1], [0.3, 1.0, 0.2], [-0.1, 0.2, 3.0]]
    moments, V = principal(SymmetricMatrix3(2.0, 0.3, -0.1, 1.0, 0.2, 3.0))
    for i in range(3):
        for j in range(3):
            again = sum(V[i][k] * moments[k] * V[j][k] for k in range(3))
            assert again == pytest.approx(tensor[i][j], abs=1e-12)
            assert sum(V[k][i] * V[k][j] for k in range(3)) == pytest.approx(float(i == j), abs=1e-12)
    assert math.prod(moments) > 0


def test_a_link_holds_the_whole_robot() -> None:
    model = qddot.load("puma560").model
    fragment = fragment_of(model)
    text = zlib.decompress(base64.urlsafe_b64decode(fragment + "=" * (-len(fragment) % 4)), wbits=-15)
    assert result("examine", robot=json.loads(text))["hash"] == model.hash


def test_every_question_has_a_place_in_the_messages() -> None:

    messages = (Path(__file__).parents[3] / "page" / "src" / "messages.ts").read_text(encoding="utf-8")
    for question in ANSWERS:
        assert f"\n  {question}: {{" in messages, question


@pytest.mark.parametrize("notation", ["", "akb"])  # akb has SC23 for a product
@pytest.mark.parametrize("form", ["sums", "multiple-angle", "normal"])
@pytest.mark.parametrize("name", ["M", "tau", "K"])
def test_the_terms_in_numbers_add_up_to_the_compiled_functions(name: str, form: str, notation: str) -> None:
    """What a slider shows of each term is computed by the page's JavaScript; here the same program is interpreted."""
    arm, asked = qddot.load("elbow_3r").with_notation(notation), quantity(name, "elbow_3r", form)
    eq = arm.equations() if form == "normal" else arm.equations().textbook(form)
    constants = eq.constants if isinstance(eq, Textbook) else {}
    program, entries = live_values.program(arm.model, eq.array(name), constants)
    state = [[0.3, -0.7, 1.1], [0.5, 0.2, -0.4], [1.0, -2.0, 0.6]]
    (terms,) = evaluated(program, state)
    sums = {}
    for entry in entries:
        own, terms = terms[: entry["values"]], terms[entry["values"] :]
        sums[entry["name"]] = sum(own)
    listed = result("equations", **asked, notation=notation)["equations"]
    assert [(each["name"], each["values"]) for each in entries] == [(each["name"], each["length"]) for each in listed]
    assert {each["unit"] for each in entries} == {{"M": "kg m²", "tau": "N m", "K": "J"}[name]}
    numbers = dict.fromkeys(arm.model.symbols, 1.0) | arm.model.defaults()
    exact = {
        "M": lambda: arm.mass_matrix(state[0], **numbers),
        "tau": lambda: arm.inverse_dynamics(*state, **numbers),
        "K": lambda: arm.kinetic_energy(*state[:2], **numbers),
    }[name]()
    for key, value in sums.items():
        place = tuple(int(digit) - 1 for digit in key if digit.isdigit())
        assert value == pytest.approx(np.asarray(exact)[place], rel=1e-12)


def test_the_torques_at_rest_hold_the_arm() -> None:
    module = result("torques", robot=shipped("two_link"))["module"]
    assert "export function values(q, qd, qdd, out" in module


@pytest.mark.parametrize("name", ["T", "T_tool", "J_tool"])
def test_matrices_are_shown_in_numbers_entry_by_entry(name: str) -> None:
    arm = qddot.load("elbow_3r")
    program, entries = live_values.program(arm.model, arm.equations().array(name), {})
    q = [0.3, -0.7, 1.1]
    (values,) = evaluated(program, [q, [0.0] * 3, [0.0] * 3])
    numbers = dict.fromkeys(arm.model.symbols, 1.0) | arm.model.defaults()
    poses: dict[str, Callable[[], Any]] = {
        "T": lambda: [arm.forward_kinematics(q, body.name, **numbers) for body in arm.model.bodies],
        "T_tool": lambda: arm.forward_kinematics(q, "tool", **numbers),
        "J_tool": lambda: arm.jacobian(q, "tool", **numbers),
    }
    exact = np.asarray(poses[name]())
    assert [each["columns"] for each in entries] == [np.shape(exact)[-1]] * len(entries)
    assert values == pytest.approx(np.ravel(exact), abs=1e-14)


def test_the_numbers_have_the_units_of_their_entries() -> None:
    """Of a joint that turns, then one that slides: forces over accelerations, rates, and squares of rates."""
    arm = qddot.load("rp")
    units: dict[str, str] = {}
    for name in ("M", "christoffel", "C", "B", "G"):
        _, entries = live_values.program(arm.model, arm.equations().array(name), {})
        units |= {each["name"]: each["unit"] for each in entries}
    wanted = {"M11": "kg m²", "M22": "kg", "C11": "kg m²/s", "C12": "kg m/s", "C21": "kg m/s", "G1": "N m", "G2": "N"}
    assert {name: units[name] for name in wanted} == wanted
    assert {unit for name, unit in units.items() if name[0] in "ΓB"} == {"kg m"}


def test_very_long_equations_stay_without_numbers() -> None:
    assert "terms in numbers" in told("values", **quantity("tau", "puma560", "normal"))["error"]["found"]


ROLLER = """
name = "roller"
convention = "tree"
[[link]]
name = "axle"
joint = { type = "prismatic", axis = [1, 0, 0], xyz = [0, 0, 0.2], coordinate = "x" }
mass = 1
[[link]]
name = "wheel"
parent = "axle"
joint = { type = "revolute", axis = [0, 1, 0], coordinate = "turn" }
mass = 2
inertia = { about = "com", yy = 0.04 }
[[rolling]]
wheel = "wheel"
contact = { link = "axle", xyz = [0, 0, -0.2] }
"""


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (ROLLER, "the file has loops or rolling wheels"),
        ((own_texts.ZOO / "satellite_arm.toml").read_text(encoding="utf-8"), "quasi-velocities"),
    ],
)
def test_a_robot_that_the_page_cannot_show_is_refused_before_it_is_opened(text: str, says: str) -> None:
    assert says in told("read", text=text, name="a.toml")["error"]["text"]
    tree = ROLLER.partition("[[rolling]]")[0]
    assert result("read", text=tree, name="a.toml")["robot"]["name"] == "roller"
    wrong = tree.replace("mass = 2", "mass = -2")
    assert result("read", text=wrong, name="a.toml")["robot"]["name"] == "roller"  # a mistake is corrected in its cell


URDF = """<robot name="r"><link name="a"/><link name="b"><inertial><mass value="1"/>
<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link><joint name="j" type="continuous">
<parent link="a"/><child link="b"/><axis>0 1 0</axis></joint>{}</robot>"""


def test_what_a_file_has_and_the_robot_lacks_is_told_or_refused() -> None:
    (doubt,) = result("read", text=URDF.format(""), name="r.urdf")["doubts"]
    assert "not read: the text '0 1 0' in <axis>" in doubt
    for content in ('<gazebo reference="b"><gravity>0</gravity></gazebo>', '<loop name="l" type="fixed"/>'):
        error = told("read", text=URDF.format(content), name="r.urdf")["error"]["text"]
        assert "not modelled" in error or "held together in loops" in error


def test_a_mistake_is_shown_in_its_cell_where_something_is_left_out() -> None:
    robot = {**shipped("two_link"), "left_out": {"gravcomp": "body 'a b'"}}
    robot["link"] = [{**robot["link"][0], "mass": "q q"}, *robot["link"][1:]]
    assert told("examine", robot=robot)["error"]["cell"] == ["link", 0, "mass"]


def test_no_coordinate_is_offered_as_a_symbol() -> None:
    """If q2 were declared, the second joint would be fixed, and nothing would be wrong."""
    for cell, value in (("a", "q2"), ("d", "q2"), ("d", "l*q2")):
        robot = shipped("two_link")
        robot["link"][0]["dh"][cell] = value
        error = told("examine", robot=robot)["error"]
        assert error["undeclared"] == "" and "q2" in error["text"]
    robot = shipped("two_link")
    robot["link"][0]["mass"] = "q2"
    error = told("examine", robot=robot, lang="zh")["error"]
    assert error["undeclared"] == "" and "坐标 q2 被用作常数" in error["text"]
    for cell in ("a", "d"):
        robot["link"][0] |= {"mass": "m1", "dh": {"theta": "q1", "d": 0, "a": "l", "alpha": 0, cell: "offset"}}
        assert told("examine", robot=robot)["error"]["undeclared"] == "offset"
