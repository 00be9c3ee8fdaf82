"""An arm in another convention is the same arm: it has the same equations and the same motion of its tool."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from robots import chains, robots
from scipy.linalg import expm
from shipped import LINKS, robot

import qddot
from qddot.algebra.expressions.expression import Expression
from qddot.algebra.numbers.floats import Floats
from qddot.algebra.spatial import Pose, Rotation
from qddot.exact.equations.quantities import Quantities
from qddot.formats.rows.dh_table import table_of
from qddot.formats.toml import robot_file
from qddot.physics.algorithms import kinematics, newton_euler
from qddot.physics.mechanism import Mechanism
from qddot.robot.model import Model

TARGETS: dict[str, Callable[[qddot.Robot], qddot.Robot]] = {
    "dh": qddot.Robot.as_dh,
    "mdh": qddot.Robot.as_mdh,
    "screws": qddot.Robot.as_screws,
    "body_screws": lambda arm: arm.as_screws(frame="body"),
    "tree": qddot.Robot.as_tree,
}
TABLES = ("dh", "mdh")


def read_back(model: Model, convention: str) -> Model:
    return robot_file.loads(robot_file.dumps(model, convention), "again")


@cache
def converted(name: str, to: str) -> qddot.Robot:
    return TARGETS[to](robot(name))


known: dict[str, Quantities] = {}


def of_original(model: Model) -> Quantities:
    """The equations of an arm that others are compared to, derived once."""
    if model.hash not in known:
        known[model.hash] = Quantities(model)
    return known[model.hash]


def assert_same_equations(first: Model, second: Model) -> None:
    one, other = of_original(first), Quantities(second)
    for name in ("M", "christoffel", "G", "springs", "friction"):
        assert getattr(one, name) == getattr(other, name), name


def motion(model: Model, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """τ of the bodies and the tool's pose at a random state."""
    rng = np.random.default_rng(seed)
    state = [dict(zip(model.coordinates, rng.uniform(-2, 2, model.n), strict=True)) for _ in range(3)]
    symbols = {name: rng.uniform(0.3, 2) for name in sorted(model.symbols)} | model.defaults()
    arm = Mechanism.of(model, Floats(symbols, *state))
    tau = np.array(newton_euler.inverse_dynamics(arm).tau, dtype=float)
    return tau, np.array(kinematics.tool_pose(arm).matrix(), dtype=float)


def assert_same_motion(first: Model, second: Model, seed: int = 3) -> None:
    for before, after in zip(motion(first, seed), motion(second, seed), strict=True):
        # a thousand operations; oblique axes put frames up to a hundred metres away
        assert np.allclose(before, after, rtol=1e-9, atol=1e-9 * max(1, np.abs(before).max()))


@pytest.mark.parametrize("zoo_arm", [name for name in LINKS if name != "puma560"], indirect=True)
@pytest.mark.parametrize("to", TARGETS)
def test_every_arm_of_the_zoo_keeps_its_equations(zoo_arm: qddot.Robot, to: str) -> None:
    made = converted(zoo_arm.name, to)
    assert made.model.coordinates == zoo_arm.model.coordinates
    assert_same_equations(zoo_arm.model, made.model)
    assert_same_motion(zoo_arm.model, made.model)
    assert read_back(made.model, to).hash == made.model.hash


# one arm by every pair, and the others by every convention to two others
WAYS = [("elbow_3r", to, back) for to in TARGETS for back in TARGETS] + [
    (name, to, [*TARGETS, *TARGETS][k + step])
    for name in ("planar_2r", "rp", "spherical_pendulum")
    for k, to in enumerate(TARGETS)
    for step in (1, 2)
]


@pytest.mark.parametrize(("name", "to", "back"), WAYS)
def test_there_and_back_is_the_same_arm(name: str, to: str, back: str) -> None:
    made = TARGETS[back](converted(name, to))
    assert_same_equations(robot(name).model, made.model)
    assert_same_motion(robot(name).model, made.model)


def rows(arm: qddot.Robot, convention: str) -> list[dict[str, str]]:
    table = table_of(arm.model, convention)
    assert table is not None
    return [row.texts() for row in table[1]]


def test_the_standard_table_of_the_panda_is_the_known_one() -> None:
    """Converted from the maker's modified table, it is as printed in the literature, up to the flange."""
    known = [
        ("q1", "d1", "0", "-90deg"),
        ("q2", "0", "0", "90deg"),
        ("q3", "d3", "a4", "90deg"),
        ("q4", "0", "-a4", "-90deg"),
        ("q5", "d5", "0", "90deg"),
        ("q6", "0", "a7", "90deg"),
        ("q7", "0", "0", "0"),
    ]
    assert [tuple(row.values()) for row in rows(robot("panda").as_dh(), "dh")] == known


@pytest.mark.parametrize(
    ("name", "own", "other"),
    [
        ("puma560", "dh", "mdh"),
        ("puma560_akb", "mdh", "dh"),
        ("spatial_2r", "dh", "mdh"),
        ("two_link", "dh", "mdh"),
        ("panda", "mdh", "dh"),
        ("rp", "mdh", "dh"),
    ],
)
def test_a_table_survives_the_other_convention_symbol_by_symbol(name: str, own: str, other: str) -> None:
    arm = robot(name)
    again = TARGETS[own](converted(name, other))
    assert rows(again, own) == rows(arm, own)
    assert_same_equations(arm.model, again.model)


def test_an_arm_that_is_in_the_convention_stays_as_it_is() -> None:
    assert robot("puma560").as_dh().model == robot("puma560").model
    assert robot("panda").as_mdh().model == robot("panda").model


def test_lengths_of_an_elbow_stay_symbols() -> None:
    known = [("q1 + 90deg", "l0", "0", "-90deg"), ("q2", "0", "l1", "0"), ("q3", "0", "0", "0")]
    assert [tuple(row.values()) for row in rows(robot("elbow_3r").as_dh(), "dh")] == known


def test_seven_joints_take_less_than_a_second() -> None:
    for convert in TARGETS.values():
        started = time.process_time()
        convert(robot("panda"))
        assert time.process_time() - started < 1


@given(chains(), st.integers(0, 99))
@settings(max_examples=6)
def test_any_chain_has_both_tables(arm: qddot.Robot, seed: int) -> None:
    for to in TABLES:
        made = TARGETS[to](arm).model
        assert_same_motion(arm.model, made, seed)
        assert_same_motion(arm.model, read_back(made, to), seed)


def rotation_about(axis: str, by: float) -> np.ndarray:
    k = "xyz".index(axis)
    T, (i, j) = np.eye(4), ((k + 1) % 3, (k + 2) % 3)
    T[i, i] = T[j, j] = np.cos(by)
    T[i, j], T[j, i] = -np.sin(by), np.sin(by)
    return T


def step_along(axis: str, by: float) -> np.ndarray:
    T = np.eye(4)
    T["xyz".index(axis), 3] = by
    return T


@given(chains(), st.integers(0, 99))
@settings(max_examples=10)
def test_the_rows_multiply_to_the_tools_pose(arm: qddot.Robot, seed: int) -> None:
    """The tables are read here by their definition alone."""
    q = np.random.default_rng(seed).uniform(-2, 2, arm.n)
    state = dict(zip(arm.model.coordinates, q, strict=True))
    expected = kinematics.tool_pose(Mechanism.of(arm.model, Floats(arm.model.defaults(), state))).matrix()
    for to in TABLES:
        model = TARGETS[to](arm).model
        table = table_of(model, to)
        assert table is not None
        values = model.defaults()
        T = np.array(table[0].map(_at(values)).matrix(), dtype=float)
        for row in table[1]:
            at = {"theta": row.theta.value(values), "d": row.d.value(values)}
            at["d" if row.slides else "theta"] += row.sign * state[str(row.coordinate)]
            along_z = rotation_about("z", at["theta"]) @ step_along("z", at["d"])
            along_x = step_along("x", row.a.value(values)) @ rotation_about("x", row.alpha.value(values))
            T = T @ along_z @ along_x if to == "dh" else T @ along_x @ along_z
        T = T @ np.array(model.tool.map(_at(values)).matrix(), dtype=float)
        assert np.allclose(T, np.array(expected, dtype=float), atol=1e-9)  # as in assert_same_motion


def _at(values: dict[str, float]) -> Callable[[Any], float]:
    return lambda entry: entry.value(values) if isinstance(entry, Expression) else float(entry)


@given(robots())
@settings(max_examples=5)
def test_any_tree_has_screws_and_a_tree_at_its_joints(arm: qddot.Robot) -> None:
    for to in ("screws", "body_screws", "tree"):
        made = TARGETS[to](arm).model
        rounded = any("rounded" in note for note in made.notes)
        same = assert_same_motion if rounded else assert_same_equations
        same(arm.model, made)
        same(arm.model, read_back(made, to))


def test_a_tree_stands_at_its_joints_and_screws_along_the_base() -> None:
    tree, screws = robot("puma560").as_tree().model, robot("panda").as_screws().model
    assert all(body.joint.offset == Pose.identity() for body in tree.bodies)
    homes = kinematics.poses(
        Mechanism.of(
            screws,
            Floats(screws.defaults() | dict.fromkeys(screws.symbols, 1.0), dict.fromkeys(screws.coordinates, 0.0)),
        )
    )
    for before, body in zip(homes, screws.bodies[1:], strict=False):
        turned = before.R @ body.joint.placement.map(_at(dict.fromkeys(screws.symbols, 1.0))).R
        assert turned == Rotation.identity()


def bracket(S: np.ndarray) -> np.ndarray:
    """[S] of a screw (ω, v)."""
    w, v = S[:3], S[3:]
    return np.array([[0, -w[2], w[1], v[0]], [w[2], 0, -w[0], v[1]], [-w[1], w[0], 0, v[2]], [0, 0, 0, 0]])


@pytest.mark.parametrize("name", ["elbow_3r", "puma560_akb", "rp", "spherical_pendulum"])
def test_written_screws_make_the_product_of_exponentials(name: str) -> None:
    """Space: T = Π e^[S]q · M, body: T = M · Π e^[B]q, in the order of the joints (Lynch & Park 2017, §4.1)."""
    arm = robot(name)
    values = arm.model.defaults() | {"pi": np.pi}
    q = np.linspace(0.4, -1.3, arm.n)
    state = dict(zip(arm.model.coordinates, q, strict=True))

    def tool(at: dict[str, float]) -> np.ndarray:
        return np.array(kinematics.tool_pose(Mechanism.of(arm.model, Floats(values, at))).matrix(), dtype=float)

    M = tool(dict.fromkeys(state, 0.0))
    product = {}
    for to in ("screws", "body_screws"):
        product[to] = np.eye(4)
        for link in robot_file.to_mapping(TARGETS[to](arm).model, to)["link"]:
            S = np.array([qddot.algebra.expressions.parser.expression(text).value(values) for text in link["screw"]])
            product[to] = product[to] @ expm(bracket(S) * state[link["joint"]["coordinate"]])
    assert np.allclose(product["screws"] @ M, tool(state), atol=1e-12)
    assert np.allclose(M @ product["body_screws"], tool(state), atol=1e-12)


def test_what_is_fixed_becomes_part_of_its_link() -> None:
    arm = robot("two_link").with_payload("m1/2", com=["l/3", 0, 0], inertia=("m1*l**2", 0, 0, "m1*l**2", 0, 0))
    for to in ("dh", "mdh", "screws", "body_screws"):
        made = TARGETS[to](arm)
        assert len(made.model.bodies) == 2
        assert_same_equations(arm.model, made.model)
        assert "link 'payload' is fixed to 'fore' and becomes part of it" in made.model.notes
    assert len(arm.as_tree().model.bodies) == 3


def test_joints_keep_their_names_limits_and_effects() -> None:
    arm = robot("puma560_akb")
    for convert in TARGETS.values():
        for old, new in zip(arm.model.bodies, convert(arm).model.bodies, strict=True):
            assert (old.name, old.joint.coordinate) == (new.name, new.joint.coordinate)
            assert (old.joint.limits, old.joint.effects) == (new.joint.limits, new.joint.effects)


def test_a_coordinate_that_turns_backwards_stays_as_it_is() -> None:
    row = {"theta": "-q1 + 30deg", "d": 0, "a": "l", "alpha": "90deg"}
    more = {"theta": "q2 - beta", "d": "l", "a": 0, "alpha": "beta"}
    arm = qddot.from_dh([row, more, row | {"theta": "q3"}], [{"mass": "m"}] * 3, symbols="m l beta")
    assert [row["theta"] for row in rows(arm.as_dh(), "dh")] == ["-q1 + 30deg", "q2 - beta", "q3"]
    there = arm.as_mdh()
    assert_same_equations(arm.model, there.model)
    assert [row["theta"] for row in rows(there.as_dh(), "dh")] == ["-q1 + 30deg", "q2 - beta", "q3"]


def test_a_base_placement_is_read_and_written() -> None:
    row = {"theta": "q1", "d": 0, "a": 1, "alpha": 0}
    base = {"xyz": [0, "h", 0], "rpy": [0, "90deg", 0]}
    arm = qddot.from_dh([row], [{"mass": 1}], base=base, symbols={"h": 0.5})
    assert arm.model.bodies[0].joint.placement == qddot.pose(**base)
    assert robot_file.to_mapping(arm.model, "dh")["base"]["xyz"] == ["0", "h", "0"]
    assert read_back(arm.model, "dh").hash == arm.model.hash
    assert rows(arm, "dh") == [{"theta": "q1", "d": "0", "a": "1", "alpha": "0"}]
