"""Two descriptions of one arm agree whatever their conventions, and a planted confusion is named."""

from __future__ import annotations

import copy
import json
import tomllib
from collections.abc import Callable
from dataclasses import replace
from importlib import resources
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from physical import close, physical, states
from refusals import refusal
from robots import orthogonal_robots

import qddot
from qddot.algebra.spatial import Inertia
from qddot.base.errors import QddotError
from qddot.formats.confusions.of_bodies import ABOUT_CENTRE
from qddot.formats.toml import robot_file
from qddot.inspect.comparison.snapshot import Snapshot
from qddot.physics.algorithms.kinematics import poses
from qddot.robot.changes import with_fewer
from qddot.robot.effects.armature import Armature

Table = dict[str, Any]
TENSOR = ("xx", "xy", "xz", "yy", "yz", "zz")


def carried_by(arm: Snapshot) -> dict[int | None, Inertia]:
    """The inertia that moves with each coordinate, at q = 0 in the base's frame."""
    total = dict.fromkeys((joint.dof for joint in arm.home.joints), Inertia.zero())
    for link, pose in zip(arm.home.links, poses(arm.home), strict=True):
        carrier = arm.carrier(link)
        if carrier is not None:
            total[carrier.dof] += link.inertia.placed(pose)
    return total


def as_screws(arm: qddot.Robot) -> qddot.Robot:
    """The same arm by screw axes, every link's frame the base's at q = 0, inertias about the base's origin."""
    described = Snapshot.of(arm.model, arm.model.defaults())
    names = {None: "base", **{joint.dof: f"s{joint.dof}" for joint in described.home.joints}}
    links, carried = [], carried_by(described)
    for joint in sorted(described.home.joints, key=lambda joint: joint.index):
        axis, point = np.round(described.axes[joint.dof], 12)
        w, v = (axis, np.cross(point, axis)) if joint.kind.is_revolute else (np.zeros(3), axis)
        assert joint.dof is not None
        above = None if joint.parent is None else described.carrier(described.home.links[joint.parent])
        inertia = carried[joint.dof]
        link = {"name": names[joint.dof], "parent": names[None if above is None else above.dof]}
        tensor = dict(zip(TENSOR, map(float, inertia.I), strict=True))
        mass = {"mass": float(inertia.m), "first_moment": [float(x) for x in inertia.h]}
        place = {"screw": [*w.tolist(), *v.tolist()], "home": {"xyz": [0, 0, 0]}}
        each = [each for each in described.home.effects if isinstance(each.effect, Armature) and each.dof == joint.dof]
        effects: dict[str, Any] = {"armature": sum(float(armature.coefficient) for armature in each)}  # type: ignore[misc]
        limits = arm.model.moving()[joint.dof].joint.limits
        if limits:
            effects["limits"] = [limit.value(arm.model.defaults()) for limit in limits]
        tables = {"inertia": {"about": "origin", **tensor}, "partial_inertia": True, "joint": effects}
        links.append({**link, **mass, **place, **tables})
    order = [f"q{k + 1}" for k in np.argsort(np.argsort([joint.index for joint in described.home.joints]))]
    gravity = [float(entry) for entry in described.home.gravity]
    driven = [order[k] for k in arm.model.drives]
    return qddot.Robot(
        robot_file.from_mapping(
            {"convention": "screws", "gravity": gravity, "coordinates": order, "driven": driven, "link": links},
            "screws",
        )
    )


def test_an_arm_agrees_with_itself_by_screws(zoo_arm: qddot.Robot) -> None:
    model = zoo_arm.model
    names = tuple(name for body in model.links if body.joint.leads for name in body.joint.velocities)
    arm = physical(qddot.Robot(with_fewer(model, model.links, names)))  # screws have no rotors
    comparison = qddot.diff(arm, as_screws(arm))
    assert comparison, str(comparison)
    assert comparison.differences == ()


@given(orthogonal_robots(), st.integers(0, 1000))
@settings(max_examples=25)
def test_random_trees_agree_with_themselves_by_screws(tree: qddot.Robot, seed: int) -> None:
    arm = physical(tree, seed)
    comparison = qddot.diff(arm, as_screws(arm))
    assert comparison, str(comparison)


def test_the_numbers_compared_are_the_robots(zoo_arm: qddot.Robot) -> None:
    """M, C and G of the comparison against the compiled functions."""
    arm = physical(zoo_arm)
    q, qd, _ = states(arm, 3)
    M, C, G = Snapshot.of(arm.model, arm.model.defaults()).equations(q, qd)
    close(M, arm.mass_matrix(q))
    close(C, arm.coriolis_matrix(q, qd))
    close(G, arm.gravity(q))


def zoo_table(name: str) -> Table:
    return tomllib.loads((resources.files("qddot.robot") / "zoo" / f"{name}.toml").read_text(encoding="utf-8"))


def panda() -> Table:
    """The Panda with numbers: each link has products of inertia, and a centre of mass off its axes."""
    table, rng = zoo_table("panda"), np.random.default_rng(5)
    for link in table["link"]:
        A = rng.normal(size=(3, 3)) * 0.2
        tensor = np.round(A @ A.T + 0.1 * np.eye(3), 4)[np.triu_indices(3)]
        link["mass"], link["com"] = 2.5, np.round(rng.uniform(-0.1, 0.1, 3), 3).tolist()
        link["inertia"] = {"about": "com", **dict(zip(TENSOR, tensor.tolist(), strict=True))}
        link["joint"] = {"armature": 0.3}
    return table


ARMS: dict[str, Callable[[], Table]] = {
    "panda": panda,
    "puma560_akb": lambda: zoo_table("puma560_akb"),
    "spatial_2r": lambda: zoo_table("spatial_2r"),
}


def robot(table: Table) -> qddot.Robot:
    for link in table["link"]:
        link["partial_inertia"] = True
    return qddot.Robot(robot_file.from_mapping(table, table["name"]))


def about_origin(table: Table) -> None:
    for link in table["link"]:
        if "inertia" in link:
            link["inertia"]["about"] = "origin"


def other_products(table: Table) -> None:
    for link in table["link"]:
        link["inertia"]["products"] = "positive"


def no_armature(table: Table) -> None:
    for link in table["link"]:
        link.get("joint", {}).pop("armature", None)


def turned_gravity(table: Table) -> None:
    table["gravity"] = [f"-({entry})" for entry in table["gravity"]]


def plain_degrees(table: Table) -> None:
    for link in table["link"]:
        row = link[table["convention"]]
        row["alpha"] = float(str(row["alpha"]).removesuffix("deg"))


def other_convention(table: Table) -> None:
    old, new = table["convention"], {"dh": "mdh", "mdh": "dh"}[table["convention"]]
    table["convention"] = new
    for link in table["link"]:
        link[new] = link.pop(old)


PLANTED: list[tuple[str, Callable[[Table], None], tuple[str, ...]]] = [
    ("inertia about the origin", about_origin, ("panda", "spatial_2r")),
    ("sign of products", other_products, ("panda",)),
    ("missing armature", no_armature, ("puma560_akb",)),
    ("gravity sign", turned_gravity, ("puma560_akb", "spatial_2r")),
    ("angles in degrees", plain_degrees, ("panda", "spatial_2r")),
    ("standard or modified DH", other_convention, ("panda", "spatial_2r")),
]
CASES = [(arm, name, plant) for name, plant, arms in PLANTED for arm in arms]


@pytest.mark.parametrize(("arm", "name", "plant"), CASES, ids=[f"{arm}-{name}" for arm, name, _ in CASES])
def test_a_planted_confusion_is_named(arm: str, name: str, plant: Callable[[Table], None]) -> None:
    right, wrong = ARMS[arm](), ARMS[arm]()
    plant(wrong)
    comparison = qddot.diff(robot(right), robot(wrong))
    assert not comparison.equations_agree
    assert comparison.explanation is not None
    assert comparison.explanation.confusion == name
    assert "{" not in comparison.explanation.text


def test_inertias_about_the_other_point_are_told_apart() -> None:
    """A reads origin as com; B reads com as origin: the text says which."""
    right, wrong = panda(), panda()
    about_origin(right)
    comparison = qddot.diff(robot(right), robot(wrong))
    assert comparison.explanation is not None
    assert comparison.explanation.text == f"in B {ABOUT_CENTRE.said()}"


@pytest.mark.parametrize("arm", ARMS)
def test_dropped_fixed_links_are_named_on_either_side(arm: str) -> None:
    bare = robot(ARMS[arm]())
    loaded = bare.with_payload(0.7, com=[0, 0.02, 0.1], inertia=(0.01, 0, 0, 0.01, 0, 0.005))
    for a, b, lacking in ((loaded, bare, "B"), (bare, loaded, "A")):
        comparison = qddot.diff(a, b)
        assert comparison.explanation is not None
        assert comparison.explanation.confusion == "fixed links dropped"
        assert comparison.explanation.text.startswith(f"{lacking} lacks")
    same = qddot.diff(loaded, as_screws(loaded))
    assert same, str(same)


def test_two_mistakes_at_once_are_both_named() -> None:
    right, wrong = panda(), panda()
    turned_gravity(wrong)
    no_armature(wrong)
    comparison = qddot.diff(robot(right), robot(wrong))
    assert comparison.explanation is not None
    assert comparison.explanation.confusion == "gravity sign, missing armature"
    assert "these 2 things are corrected" in str(comparison)


def test_what_is_no_confusion_is_called_none() -> None:
    right, wrong = panda(), panda()
    wrong["link"][3]["mass"] = 2.75
    comparison = qddot.diff(robot(right), robot(wrong))
    assert not comparison.equations_agree
    assert comparison.explanation is None
    assert "no known confusion explains the difference" in str(comparison)


def test_limits_of_motors_are_compared_as_those_of_positions() -> None:
    """They are in no equation; an arm whose description has none differs from one that has some."""
    bare, limited = panda(), panda()
    for link in [*bare["link"], *limited["link"]]:
        for name in ("effort", "velocity"):
            link["joint"].pop(name, None)
    limited["link"][3]["joint"].update({"effort": 87, "velocity": 2})
    other = copy.deepcopy(limited)
    other["link"][3]["joint"]["effort"] = 80
    assert qddot.diff(robot(limited), robot(copy.deepcopy(limited)))
    comparison = qddot.diff(robot(limited), robot(other))
    assert not comparison and comparison.equations_agree
    assert [each.row() for each in comparison.differences] == [("4 link4", "effort limit", "87", "80", "")]
    assert [each.row()[1:4] for each in qddot.diff(robot(bare), robot(limited)).differences] == [
        ("effort limit", "none", "87"),
        ("velocity limit", "none", "2"),
    ]


def test_the_table_has_both_numbers() -> None:
    right, wrong = panda(), copy.deepcopy(panda())
    wrong["link"][3]["mass"] = 2.75
    wrong["link"][6]["joint"].update({"damping": 0.5, "limits": [-1, 1]})
    comparison = qddot.diff(robot(right), robot(wrong), at=[0.1] * 7)
    assert [each.row() for each in comparison.differences] == [
        ("4 link4", "mass", "2.5", "2.75", ""),
        ("7 link7", "viscous friction", "0", "0.5", ""),
        ("7 link7", "limits", "none", "-1, 1", ""),
    ]
    assert comparison.at is not None
    assert comparison.at["M"] > 1e-4
    content = json.loads(comparison.to_json())
    assert content["agree"] is False
    first = {"place": "4 link4", "what": "mass", "a": [2.5], "b": [2.75], "entries": [], "drawn": [False, False]}
    assert content["differences"][0] == first


@pytest.mark.parametrize(("factor", "are_degrees"), [(180 / np.pi, True), (57.0, False)])
def test_limits_are_called_degrees_only_if_all_of_them_are(factor: float, are_degrees: bool) -> None:
    right, wrong = panda(), panda()
    for k, limits in ((3, (-1, 1.5)), (6, (-0.25, 2))):
        right["link"][k]["joint"]["limits"] = list(limits)
        wrong["link"][k]["joint"]["limits"] = [factor * limit for limit in limits]
    comparison = qddot.diff(robot(right), robot(wrong))
    assert ("in B the limits are in degrees" in str(comparison)) == are_degrees
    assert [each.what for each in comparison.differences] == ["limits"] * 2


def test_what_no_torque_feels_leaves_the_equations_equal_and_the_descriptions_not() -> None:
    right, wrong = zoo_table("spatial_2r"), zoo_table("spatial_2r")
    wrong["link"][1]["joint"] = {"limits": [-1, 1]}
    comparison = qddot.diff(robot(right), robot(wrong))
    assert comparison.equations_agree
    assert not comparison
    assert len(comparison.differences) == 1


def test_joints_are_matched_by_their_links_names() -> None:
    """A tree of two branches, listed in either order."""

    def branch(name: str, x: float, mass: float) -> Table:
        joint = {"type": "revolute", "axis": [0, 1, 0], "xyz": [x, 0, 0]}
        return {"name": name, "joint": joint, "mass": mass, "com": [0, 0, 0.3]}

    left, right = branch("left", -0.5, 1), branch("right", 0.5, 2)
    one, other = (
        qddot.Robot(robot_file.from_mapping({"convention": "tree", "link": links}, "tree"))
        for links in ([left, right], [right, left])
    )
    comparison = qddot.diff(one, other)
    assert comparison, str(comparison)


def test_symbols_without_a_value_are_the_same_number_in_both() -> None:
    comparison = qddot.diff(qddot.load("puma560"), qddot.load("puma560"), at=np.ones(6))
    assert comparison
    assert f"m1 = {comparison.drawn['m1']:.6g}, mx1" in comparison.notes[0]


def rods(length: str, zz: str = "1") -> qddot.Robot:
    """Two equal rods in a plane, whose length is a number or the symbol l without a value."""
    link = {"mass": 2, "com": [f"-({length})/2", 0, 0], "inertia": {"about": "com", "xx": 0.5, "yy": zz, "zz": zz}}
    rows = [{"theta": f"q{k}", "d": 0, "a": length, "alpha": 0} for k in (1, 2)]
    mapping = {"convention": "dh", "gravity": [0, "-9.81", 0], "symbols": {"l": {}} if "l" in length else {}}
    links = [{**link, "name": name, "dh": row} for name, row in zip("ab", rows, strict=True)]
    return qddot.Robot(robot_file.from_mapping({**mapping, "link": links}, "rods"))


def test_a_ratio_of_lengths_is_no_finding_where_one_of_them_is_drawn() -> None:
    comparison = qddot.diff(rods("l"), rods("0.8"))
    assert not comparison.findings and not comparison.explanation and not comparison.equations_agree
    assert "--set NAME=VALUE" in str(comparison)
    (length,) = comparison.drawn.values()
    places = [each for each in comparison.left if each.what == "centre of mass"]
    assert [(each.a[0], each.b[0], each.drawn) for each in places] == [
        (length / 2, 0.4, (True, False)),
        (length * 1.5, 1.2000000000000002, (True, False)),
    ]
    assert f"  {length / 2:.6g}, 0, 0 *  0.4, 0, 0\n" in str(comparison)
    assert json.loads(comparison.to_json())["drawn"] == {"l": length}
    known = qddot.diff(rods("1"), rods("0.8"))
    assert [each.cause for each in known.findings] == ["scaled lengths"] and not known.drawn


def test_a_finding_that_holds_for_all_lengths_stays() -> None:
    """The parallel-axis term is there, whatever length is drawn for both."""
    comparison = qddot.diff(rods("l"), rods("l", "1 + 2*l**2/4"))
    assert [each.cause for each in comparison.findings] == [ABOUT_CENTRE.name]
    assert comparison.explanation is not None and not comparison.left


def test_unlike_arms_and_bad_states_are_errors() -> None:
    with refusal(QddotError, "no-joint-alike"):
        qddot.diff(qddot.load("slider"), qddot.load("panda"))
    with refusal(QddotError, "entries-of-other-size"):
        qddot.diff(qddot.load("puma560_1986"), qddot.load("panda"))
    arm = qddot.load("two_link")
    for q in ([1, 2, 3], "q", [1, float("nan")]):
        with pytest.raises(QddotError, match=r"2 .*numbers"):
            qddot.diff(arm, arm, at=q)
    with refusal(QddotError, "not-a-robot"):
        qddot.diff("two_link", arm)


@pytest.mark.parametrize("name", ["puma560_akb", "spatial_2r", "rp"])
def test_links_agree_with_their_own_equations_written_out(name: str) -> None:
    arm = qddot.load(name)
    comparison = qddot.diff(arm, qddot.Robot(arm.equations().textbook().model))
    assert comparison.equations_agree
    assert comparison.differences == ()


def test_the_two_pumas_of_1986_are_two_models() -> None:
    """I1 and I3 of the published constants do not come out of the link table: 5 % of M."""
    comparison = qddot.diff(qddot.load("puma560_akb"), qddot.load("puma560_1986"), np.zeros(6))
    assert comparison.differences == ()
    assert not comparison.equations_agree
    assert comparison.at is not None
    # M11 at q = 0 is 1.43 + 1.38 in one, 1.5533 + 1.6019 in the other; the largest entry is M22 = 6.79
    assert comparison.at["M"] == pytest.approx(0.345 / 6.79, rel=0.02)


def test_entries_that_differ_are_named_with_their_terms() -> None:
    arm = qddot.load("planar_2r")
    turned = qddot.Robot(replace(arm.model, gravity=-arm.model.gravity))
    comparison = qddot.diff(arm, turned)
    assert [str(each) for each in comparison.entries] == [
        "G1: B − A = -g*(l1*c1*(m1 + 2*m2) + m2*l2*c12)",
        "G2: B − A = -m2*g*l2*c12",
    ]
    assert "G2: B − A = -m2*g*l2*c12" in str(comparison)
    assert not qddot.diff(arm, arm).entries
    assert not qddot.diff(arm, arm.with_values(m2=3)).entries  # the same symbols, with other values


def test_stiffer_springs_are_said_in_the_singular() -> None:
    rows = [{"theta": name, "d": 0, "a": 1, "alpha": 0} for name in ("q1", "q2")]
    soft, stiff = (
        qddot.from_dh(rows, [{"mass": 1, "com": [-0.5, 0, 0], "joint": {"spring": {"stiffness": k}}} for k in springs])
        for springs in ((3, 4), (6, 8))
    )
    assert "the spring stiffness in B is 2 times that in A" in str(qddot.diff(soft, stiff))
