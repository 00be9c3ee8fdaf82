"""Impossible loops are refused by a sentence that says what was found and what is expected."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from chains import TILTED, assembled, chain, loop
from refusals import refusal

import qddot
from qddot.base.errors import EvaluationError, QddotError
from qddot.faces.closed_chain import ClosedChain
from qddot.formats.toml import loop_tables
from qddot.robot import loops

TREE = TILTED[: TILTED.index("[[loop]]")]


def closed(*parts: str) -> ClosedChain:
    return ClosedChain(loop_tables.loads("".join((TREE, *parts)), "file"))


AT = ([0.5, 0, 0], [0.4, 0, 0])


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (
            loop("revolut", "coupler", AT[0], "rocker", AT[1]),
            ("none-of-these", "type-of-loop", "'revolut'", "'revolute'"),
        ),
        (loop("revolute", "couple", AT[0], "rocker", AT[1]), ("parent-not-exist",)),
        (loop("revolute", "coupler", AT[0], "coupler", AT[1]), ("loop-within-one-link",)),
        (loop("revolute", "stand", AT[0], "base", AT[1]), ("loop-within-one-link",)),
        (
            loop("revolute", "coupler", AT[0], "rocker", [0.4, 0, 0.1]),
            ("condition-never-holds", "loop 'loop1'", "z", "1/10"),
        ),
        (loop("revolute", "coupler", AT[0], "rocker", AT[1]) + "kind = 3\n", ("unknown-key",)),
        (loop("fixed", "coupler", AT[0], "rocker", AT[1]), ("conditions-leave-no-coordinate",)),
        (
            loop("revolute", "coupler", AT[0], "rocker", AT[1]).replace("[[loop]]", '[[loop]]\nname = "a"')
            + loop("spherical", "rocker", [0.1, 0, 0], "coupler", AT[1]).replace("[[loop]]", '[[loop]]\nname = "b"'),
            ("loop-of-same-links", "loop '", "'a'"),
        ),
        (loop("rod", "coupler", AT[0], "rocker", AT[1]), ("rod-without-length", "rod")),
        (loop("planar", "coupler", AT[0], "rocker", AT[1]) + "length = 1\n", ("loop-with-length", "loop", "planar")),
        (loop("rod", "coupler", AT[0], "rocker", AT[1]) + 'length = "k"\n', ("loop-symbol-undeclared", "k")),
        (loop("rod", "coupler", AT[0], "rocker", AT[1]) + "length = -1\n", ("rod-length", "-1")),
        ('[loop]\nfirst = "x"\n', ("tables-wrong", "loop")),
    ],
)
def test_odd_loops_are_refused(text: str, says: tuple[str, ...]) -> None:
    with refusal(QddotError, *says):
        closed(text).equations()


WHEEL = '\n[[rolling]]\nname = "tread"\nwheel = "{}"\ncontact = {{ link = "{}" }}\n'


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (WHEEL.format("crnk", "stand"), ("no-such-link", "'crnk'", "'crank'")),
        (WHEEL.format("crank", "stnd"), ("no-such-link", "'stnd'", "'stand'")),
        (WHEEL.format("crank", "stand") + 'ground = "crank"\n', ("wheel-on-its-own-link",)),
        (WHEEL.format("stand", "crank"), ("wheel-on-its-own-link",)),
        (WHEEL.format("crank", "stand") + 'directions = "z"\n', ("directions-unknown", "'z'", "xy, x, y")),
        (WHEEL.format("crank", "stand") + "slip = 0\n", ("unknown-key",)),
        (WHEEL.format("crank", "stand") * 2, ("condition-name-twice", "rolling 'tread'")),
        ('\n[[rolling]]\nwheel = "crank"\n', ("key-missing", "rolling 'rolling1'", "contact")),
        ('\n[[rolling]]\ncontact = { link = "stand" }\n', ("key-missing", "rolling 'rolling1'", "wheel")),
        ('[rolling]\nwheel = "crank"\n', ("tables-wrong", "rolling")),
    ],
)
def test_odd_wheels_are_refused(text: str, says: tuple[str, ...]) -> None:
    with refusal(QddotError, *says):
        closed(text)


def test_a_file_with_loops_is_no_robot_and_one_without_is_no_chain(tmp_path: Path) -> None:
    file = tmp_path / "a.toml"
    file.write_text(TILTED)
    with refusal(QddotError, "file-has-loops", "opens-loops"):
        qddot.load(file)
    file.write_text(TREE)
    with refusal(QddotError, "file-without-loop-tables", "loops"):
        qddot.load_closed_chain(file)
    with refusal(QddotError, "no-closed-chain", "'four_bar'"):
        qddot.load_closed_chain("four_ba")
    with refusal(QddotError, "robot-is-closed-chain", "four_bar"):
        qddot.load("four_bar")
    with refusal(QddotError, "has-no-loops", "puma560"):
        qddot.load_closed_chain("puma560")


@pytest.mark.parametrize(
    ("of_arms", "of_chains"),
    [(qddot.Robot, qddot.ClosedChain), (qddot.EquationsOfMotion, qddot.ClosedEquations)],
)
def test_closed_chains_have_whatever_arms_have(of_arms: type, of_chains: type) -> None:
    assert [name for name in dir(of_arms) if not name.startswith("_") and not hasattr(of_chains, name)] == []


def test_a_right_angle_with_few_decimals_in_a_frame_of_a_loop_is_made_exact() -> None:
    frame = '{{ link = "{}", xyz = [{}, 0, 0], rpy = [0, 0, {}] }}'
    ends = frame.format("coupler", 0.5, 1.5708), frame.format("rocker", 0.4, '"90deg"')
    model = closed(f'[[loop]]\nname = "pin"\ntype = "revolute"\nfirst = {ends[0]}\nsecond = {ends[1]}\n').model
    first, second = (model.tree.body(name).joint.placement.R for name in model.loops[0].links)
    assert first == second
    assert any(note.startswith("loop 'pin': ") and "1.5708" in note for note in model.tree.notes), model.tree.notes


def test_lengths_that_cannot_close_name_the_residual_and_the_nearest_configuration() -> None:
    with refusal(EvaluationError, "loops-not-closed-near", "q1"):
        chain("four_bar").with_values(a=2).assemble({"q1": 1.0, "q3": 1.0})


def test_links_that_reach_each_other_nowhere_name_the_nearest_configuration_of_a_search() -> None:
    with refusal(EvaluationError, "no-configuration-found", "40"):
        chain("four_bar").with_values(a=5).some_assembly()


def test_a_singular_configuration_names_the_coordinates() -> None:
    # the rocker and the coupler are in one line: the crank does not determine them
    of = chain("four_bar").with_values(a=0.3, b=0.25, c=0.25, d=0.2)
    with refusal(EvaluationError, "undetermined-at-all", "q2, q3"):
        of.assemble({"q1": np.pi, "q2": np.pi, "q3": np.pi})


@pytest.mark.parametrize("guess", [[1, 2], [1, 2, np.nan], {"q9": 1}, "x", None])
def test_odd_guesses_are_refused(guess: Any) -> None:
    with pytest.raises(EvaluationError, match=r"3 finite numbers|no coordinate"):
        chain("four_bar").assemble(guess)


@pytest.mark.parametrize("names", [("q1", "q2"), ("q4",), ("q1", "q1"), ()])
def test_independent_coordinates_determine_the_others(names: tuple[str, ...]) -> None:
    with pytest.raises(QddotError, match="independent"):
        chain("four_bar").with_independent(*names)


def test_a_symbol_without_a_value_is_named() -> None:
    text = TILTED.replace("xyz = [0.5, 0, 0]", 'xyz = ["b", 0, 0]').replace(
        'coordinates = ["q1"', 'symbols = {b = {}}\ncoordinates = ["q1"'
    )
    of = ClosedChain(loop_tables.loads(text, "file"))
    assert of.prove()
    with refusal(EvaluationError, "value-missing", "b"):
        of.closure(np.zeros(3))
    assert of.with_values(b=0.5).closure(assembled("tilted").q)[0] == pytest.approx(0, abs=1e-14)


def test_a_coordinate_that_is_listed_twice_is_not_taken_for_a_slip() -> None:
    with refusal(QddotError, "independent-unknown", "'q1'", "list-it-once"):
        chain("four_bar").with_independent("q1", "q1")


def test_a_tree_alone_is_no_closed_chain() -> None:
    with refusal(QddotError, "chain-without-model"):
        ClosedChain(qddot.load("two_link").model)


@pytest.mark.parametrize("kind", loops.CONDITIONS)
def test_every_type_has_the_freedoms_of_its_joint(kind: str) -> None:
    freedoms = {
        "revolute": 1,
        "prismatic": 1,
        "cylindrical": 2,
        "planar": 3,
        "universal": 2,
        "spherical": 3,
        "fixed": 0,
        "rod": 5,
    }
    conditions = loops.CONDITIONS[kind]
    assert 6 - conditions.number == freedoms[kind]


@pytest.mark.parametrize("far", [1e7, 1e300])
def test_an_angle_that_doubles_do_not_resolve_is_refused(far: float) -> None:
    model = chain("delta").model
    with refusal(EvaluationError, "coordinate-too-far", "delta", "q1", "1e+06"):
        ClosedChain(model, None, [far] * 6)
    with refusal(EvaluationError, "coordinate-too-far", "y"):
        chain("delta").assemble({"y": far})
