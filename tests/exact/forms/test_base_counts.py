"""There are as many base parameters as the regressor's rank, computed with 600 bits, for all kinds of trees."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from flint import arb
from free_trees import TREES, UNITS
from hypothesis import given, settings
from hypothesis import strategies as st
from physical import close, physical, states
from refusals import refusal

import qddot
from qddot.algebra.numbers.balls import Balls, ball, precise
from qddot.base.errors import EvaluationError
from qddot.exact.forms.base import base_parameters
from qddot.formats.toml import robot_file
from qddot.physics.algorithms.regressor import regressor
from qddot.physics.mechanism import Mechanism
from qddot.robot.model import Model
from qddot.robot.placements import vector

GRAVITIES = {"none": (0, 0, 0), "along z": (0, 0, "-9.81"), "along x": ("9.81", 0, 0), "oblique": (1, 2, "-9")}
BITS = 600
NOTHING = 1e-60  # what is left of about 600 bits, of which random states of size 1 cost a few dozen


def rank_of_regressor(model: Model, seed: int = 0) -> int:
    """Returns the rank of the regressor of Newton and Euler's recursion, stacked over random states."""
    rng = random.Random(seed)
    with precise(BITS):
        values = {
            name: ball(_drawn(rng) + 3) if symbol.value is None else symbol.value.evaluate(Balls())
            for name, symbol in model.symbols.items()
        }
        states = 10 * len(model.bodies) // model.n + 6
        rows = [row for _ in range(states) for row in regressor(Mechanism.of(model, _state(model, values, rng)))]
        return _rank([[ball(entry) for entry in row] for row in rows])


def _drawn(rng: random.Random) -> Fraction:
    return Fraction(rng.randint(1, 2000), 1000) * rng.choice((-1, 1))


def _state(model: Model, values: dict[str, Any], rng: random.Random) -> Balls:
    q: dict[str, Any] = {name: ball(_drawn(rng)) for name in (*model.coordinates, *model.positions)}
    for names, _ in model.quaternions:
        norm = sum((q[name] ** 2 for name in names), start=arb(0)).sqrt()
        q |= {name: q[name] / norm for name in names}
    return Balls(values, q, *({name: ball(_drawn(rng)) for name in model.coordinates} for _ in range(2)))


def _rank(rows: list[list[Any]]) -> int:
    """Eliminates with the largest pivot of all that are left, until there is nothing above NOTHING."""
    rank = 0
    while rows and rows[0]:
        places = ((i, j) for i in range(len(rows)) for j in range(len(rows[0])))
        i, j = max(places, key=lambda place: float(abs(rows[place[0]][place[1]])))
        if float(abs(rows[i][j])) < NOTHING:
            break
        pivot_row = rows.pop(i)
        rows = [
            [x - row[j] / pivot_row[j] * y for k, (x, y) in enumerate(zip(row, pivot_row, strict=True)) if k != j]
            for row in rows
        ]
        rank += 1
    return rank


@st.composite
def trees(draw: st.DrawFn) -> Model:
    """Two or three links of general inertia on joints of all kinds, along axes or askew, with gravity or without."""
    axes = ([0, 0, 1], [1, 0, 0], ["3/5", 0, "4/5"])
    count = draw(st.integers(2, 3))
    links = list[dict[str, Any]]()
    for k in range(count):
        kind = draw(st.sampled_from(["revolute", "prismatic", "spherical", "free", "helical", "universal", "fixed"]))
        kind = "revolute" if k == 0 and kind == "fixed" else kind
        joint: dict[str, Any] = {"type": kind, "xyz": draw(st.sampled_from([["a", 0, "d"], [0, 0, 0], ["1/3", 0, 0]]))}
        joint["rpy"] = draw(st.sampled_from([[0, 0, 0], ["90deg", 0, 0], ["20deg", "0.3", 0]]))
        if kind in ("revolute", "prismatic", "helical"):
            joint["axis"] = draw(st.sampled_from(axes))
        joint |= {"pitch": "1/7"} if kind == "helical" else {}
        joint |= {"axes": [[1, 0, 0], [0, 1, 0]]} if kind == "universal" else {}
        parent = draw(st.sampled_from(["base", *(link["name"] for link in links)]))
        m, x, y, z, *tensor = (f"{name}{k}" for name in UNITS)
        inertia = {"about": "origin", **dict(zip(("xx", "xy", "xz", "yy", "yz", "zz"), tensor, strict=True))}
        links.append({"name": f"l{k}", "parent": parent, "joint": joint, "mass": m, "first_moment": [x, y, z]})
        links[-1]["inertia"] = inertia
    symbols: dict[str, Any] = {f"{name}{k}": {} for k in range(count) for name in UNITS}
    lengths: dict[str, Any] = draw(
        st.sampled_from([{"a": None, "d": None}, {"a": "0.4", "d": "0.3"}, {"a": 0, "d": "0.3"}])
    )
    gravity = draw(st.sampled_from([*map(list, GRAVITIES.values()), [0, "g", 0], ["g/2", 0, "-g"]]))
    symbols |= {**lengths, "g": draw(st.sampled_from([None, "9.81", 0]))}
    data = {"convention": "tree", "symbols": symbols, "link": links, "gravity": gravity}
    return robot_file.from_mapping(data, "tree")


@given(trees())
@settings(max_examples=25, deadline=None)
def test_as_many_as_the_rank_of_the_regressor(model: Model) -> None:
    assert len(base_parameters(model)) == rank_of_regressor(model)


@pytest.mark.parametrize("gravity", GRAVITIES.values(), ids=GRAVITIES)
@pytest.mark.parametrize("name", TREES)
def test_trees_on_balls_and_free_bases_have_the_rank(name: str, gravity: tuple[Any, ...]) -> None:
    model = replace(TREES[name].model, gravity=vector(gravity))
    assert len(base_parameters(model)) == rank_of_regressor(model)


@pytest.mark.parametrize(
    ("name", "count"), [("one_link", 1), ("two_link", 4), ("rp", 4), ("elbow_3r", 13), ("puma560", 34), ("panda", 39)]
)
def test_without_gravity_there_are_fewer_however_it_is_said(name: str, count: int) -> None:
    """Gravity shows first moments of the first links that no motion of a turning joint shows: Gautier & Khalil 1990."""
    arm = qddot.load(name)
    still = arm.with_values(g=0).base_parameters()
    assert len(still) == count
    assert still.special == ("g",)
    assert "at g = 0" in str(still)
    assert len(base_parameters(replace(arm.model, gravity=vector((0, 0, 0))))) == count
    assert not arm.base_parameters().special


def test_they_give_the_torques_without_gravity() -> None:
    arm = physical(qddot.load("elbow_3r")).with_values(g=0)
    base = arm.base_parameters()
    q, qd, qdd = states(arm, 20)
    close(arm.regressor(q, qd, qdd)[..., base.columns] @ base.values(), arm.inverse_dynamics(q, qd, qdd), 1e-11)
    with refusal(EvaluationError, "base-parameters-of-defaults", "g", "9.81", "0"):
        base.values(g=9.81)


@pytest.mark.parametrize(
    ("values", "special"),
    [
        ({"l": 0, "g": 0}, {"l", "g"}),
        ({"l": 0}, set()),  # gravity shows both links' first moments
        ({"g": 0}, {"g"}),
        ({"l": 2}, set()),
    ],
)
def test_defaults_count_where_they_are_special(values: dict[str, Any], special: set[str]) -> None:
    arm = qddot.load("two_link").with_values(**values)
    base = arm.base_parameters()
    assert set(base.special) == special
    assert len(base) == rank_of_regressor(arm.model)


@pytest.mark.parametrize(("twist", "special"), [("0", ("phi",)), ("90deg", ()), ("0.7", ()), ("sqrt(2)", ())])
def test_an_angle_counts_where_it_makes_axes_parallel(twist: str, special: tuple[str, ...]) -> None:
    rows = [{"theta": f"q{k}", "d": 0, "a": "L", "alpha": "phi"} for k in (1, 2)]
    arm = qddot.from_dh(rows, [{"mass": 1, "com": [0.1, 0, 0]}] * 2, symbols={"phi": twist, "L": 1})
    base = arm.base_parameters()
    assert base.special == special
    assert len(base) == rank_of_regressor(arm.model)


@pytest.mark.parametrize(
    ("lang", "sentence"), [("en", "These combinations are for $g = 0$"), ("zh", "以上组合对应于 $g = 0$")]
)
def test_a_report_says_for_which_values_they_are(lang: str, sentence: str, tmp_path: Path) -> None:
    arm = qddot.load("slider").with_values(g=0)
    inclined = qddot.Robot(replace(arm.model, gravity=vector(("-g", 0, 0))))
    text = qddot.load("one_link").with_values(g=0).report(tmp_path / "arm.md", lang=lang).read_text(encoding="utf-8")
    assert sentence in text
    assert not inclined.base_parameters().special  # one mass, with gravity or without
