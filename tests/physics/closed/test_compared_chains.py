"""Two descriptions of one closed chain agree whatever their conventions, and what is planted in a loop is named."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from chains import chain, whipple
from refusals import refusal

import qddot
from qddot.apps.cli import main
from qddot.base.errors import EvaluationError
from qddot.faces.closed_chain import ClosedChain
from qddot.inspect.comparison.comparison import Comparison, diff
from qddot.robot.closed_model import ClosedModel

WHEELED = "unicycle"
NAMES = ("four_bar", pytest.param("delta", marks=pytest.mark.thorough), "slider_crank", WHEELED, "robotiq_2f85")


def rewritten(name: str, old: str, new: str) -> ClosedChain:
    """The chain after a change in the text of its file."""
    text = chain(name).to_toml()
    assert text.count(old) == 1, text
    return qddot.loads_closed_chain(text.replace(old, new))


def remade(name: str, change: Callable[[ClosedModel], ClosedModel]) -> ClosedChain:
    return ClosedChain(change(chain(name).model))


def causes(comparison: Comparison) -> list[str]:
    return [finding.cause for finding in comparison.findings]


@pytest.mark.parametrize("name", NAMES)
def test_a_chain_agrees_with_itself_in_every_convention(name: str) -> None:
    one = chain(name)
    others = [one.as_tree()] if name == "robotiq_2f85" else [one.as_tree(), one.as_screws()]
    others += [one.as_mdh()] if name == WHEELED else []
    for other in [one, *others]:
        comparison = diff(one, other)
        assert comparison and not comparison.findings, comparison


def test_the_order_of_loops_of_their_ends_and_of_the_axes_that_do_not_matter_changes_nothing() -> None:
    turned = rewritten("four_bar", 'xyz = ["b", 0, 0]', 'xyz = ["b", 0, 0], rpy = [0, "180deg", "30deg"]')
    assert diff(chain("four_bar"), turned)
    assert diff(chain("delta"), remade("delta", lambda model: replace(model, loops=model.loops[::-1])))

    def backward(model: ClosedModel) -> ClosedModel:
        return replace(model, loops=tuple(replace(loop, links=loop.links[::-1]) for loop in model.loops))

    assert diff(chain("delta"), remade("delta", backward))


def test_a_frame_of_a_loop_that_was_moved_is_named_with_its_displacement() -> None:
    comparison = diff(chain("four_bar"), rewritten("four_bar", 'xyz = ["c", 0, 0]', 'xyz = ["c", 0.125, 0]'))
    assert not comparison and comparison.equations_agree
    (found,) = comparison.findings
    assert str(found) == (
        "loop pin: its second frame in B is moved by (0, 0.125, 0) m relative to A's, along the axes of A's frame"
    )
    assert not comparison.left
    (row,) = comparison.differences
    assert (row.place, row.what) == ("loop pin", "second point")
    np.testing.assert_allclose(np.array(row.b) - np.array(row.a), [0, 0.125, 0], atol=1e-15)


def test_an_axis_that_was_tilted_and_a_rounded_frame() -> None:
    tilted = rewritten("four_bar", 'xyz = ["b", 0, 0]', 'xyz = ["b", 0, 0], rpy = [0, "5deg", 0]')
    (found,) = diff(chain("four_bar"), tilted).findings
    assert found.cause == "loop moved" and "first frame in B is turned by 5° about (0, 1, 0)" in found.text
    rounded = rewritten("delta", '"-r/2", "r*sqrt(3)/2", 0', '"-r/2", 0.0433, 0')
    (found,) = diff(chain("delta"), rounded).findings
    assert (found.cause, found.where) == ("rounding", ("loop rods_2",))


def test_a_loop_that_was_dropped_is_named_with_its_links() -> None:
    fewer = remade("delta", lambda model: replace(model, loops=model.loops[:2]))
    for pair, who, lacking in (((chain("delta"), fewer), "A", "B"), ((fewer, chain("delta")), "B", "A")):
        comparison = diff(*pair)
        assert not comparison
        (found,) = comparison.findings
        assert str(found) == f"{who} has the loop rods_3 (rod) between arm_3 and platform, which {lacking} lacks"
        assert any("independent coordinates" in note for note in comparison.notes)


def test_another_type_is_listed() -> None:
    (row,) = diff(chain("four_bar"), rewritten("four_bar", '"revolute"\nfirst', '"spherical"\nfirst')).left
    assert row.row()[:4] == ("loop pin", "type", "revolute", "spherical")


def test_rods_of_other_lengths_are_listed_and_changed_units_named() -> None:
    def longer(factor: int) -> Comparison:
        def change(model: ClosedModel) -> ClosedModel:
            (first, *rest) = model.loops
            assert first.length is not None
            return replace(model, loops=(replace(first, length=first.length * factor), *rest))

        return diff(chain("delta"), remade("delta", change))

    (row,) = longer(2).left
    assert row.row()[:4] == ("loop rods_1", "length", "0.6", "1.2")
    (found,) = longer(1000).findings
    assert str(found) == "loop rods_1: its length in B is 1000 times that in A (mm for m)"


def test_a_loop_that_holds_another_link_is_listed() -> None:
    exchanged = rewritten("delta", '{link = "elbow_1"}', '{link = "motor_1", xyz = [0.5, 0, 0]}')
    comparison = diff(chain("delta"), exchanged)
    assert ("loop rods_1", "first link", "arm_1", "base") in [each.row()[:4] for each in comparison.left]


def test_a_wheel_that_slides_or_is_elsewhere() -> None:
    (row,) = diff(chain(WHEELED), rewritten(WHEELED, 'directions = "xy"', 'directions = "y"')).left
    assert row.row()[:4] == ("wheel tread", "type", "no sliding along x and y", "no sliding along y")
    lifted = rewritten(WHEELED, 'contact = {link = "body"}', 'contact = {link = "body", xyz = [0, 0, 0.1]}')
    (found,) = diff(chain(WHEELED), lifted).findings
    assert "wheel tread: its contact frame in B is moved by (0, 0, 0.1) m" in str(found)


def test_a_bicycle_whose_tread_and_mass_differ() -> None:
    bicycle = whipple()
    assert diff(bicycle, bicycle.as_tree())
    text = bicycle.to_toml()
    aside = text.replace('contact = {link = "patch"}', 'contact = {link = "patch", xyz = [0, 0.125, 0]}')
    heavier = aside.replace("mass = 85", "mass = 86")
    assert len({text, aside, heavier}) == 3
    (found,) = diff(bicycle, qddot.loads_closed_chain(aside)).findings
    assert str(found).startswith("wheel tread of spin_f: its contact frame in B is moved by (0, 0.125, 0) m")
    comparison = diff(bicycle, qddot.loads_closed_chain(heavier))
    assert causes(comparison) == ["loop moved"]
    assert [row.row()[:4] for row in comparison.left] == [("3 pitch", "mass", "85", "86")]
    (held,) = diff(bicycle, bicycle.with_locked(delta=0)).findings
    assert str(held) == "A has the joint delta, which B lacks; held at zero"


def test_a_mass_in_a_link_is_found_as_in_an_arm() -> None:
    (row,) = diff(chain("delta"), chain("delta").with_payload(0.25, body="platform")).differences
    assert (row.place, row.what) == ("6 platform", "mass")
    grams = rewritten("four_bar", "m2 = {value = 2", "m2 = {value = 2000")
    comparison = diff(chain("four_bar"), grams)
    assert "scaled mass" in causes(comparison) and comparison.explanation is not None


def test_other_zeros_and_directions_move_no_loop() -> None:
    """B's q2 is 0.3 where A's is 0, and its q3 counts the other way: the loop is where it was."""
    turned = rewritten(
        "four_bar", 'xyz = ["a", 0, 0], axis = [0, 0, 1]', 'xyz = ["a", 0, 0], rpy = [0, 0, 0.3], axis = [0, 0, 1]'
    )
    comparison = diff(chain("four_bar"), turned)
    assert causes(comparison) == ["zero shifted"] and not comparison.left


def test_lengths_in_another_unit_are_those_of_loops_and_rods_too() -> None:
    metres = {name: chain("delta").model.tree.defaults()[name] for name in ("R", "r", "a", "l")}
    comparison = diff(chain("delta"), chain("delta").with_values(**{k: 1000 * v for k, v in metres.items()}))
    assert "scaled lengths" in causes(comparison) and "loop moved" not in causes(comparison)
    assert not [row for row in comparison.left if row.place.startswith("loop")]


def test_independent_coordinates_are_no_difference() -> None:
    comparison = diff(chain("four_bar"), chain("four_bar").with_independent("q3"))
    assert comparison
    assert "independent coordinates: q1 in A, q3 in B" in comparison.notes
    assert json.loads(comparison.to_json())["agree"]


def test_a_tree_is_no_chain() -> None:
    with refusal(EvaluationError, "chain-against-tree", "four_bar", "rp"):
        diff(qddot.load("rp"), chain("four_bar"))


def test_the_command_compares_chains(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "bars.toml"
    assert main(["convert", "four_bar", "--to", "screws", "-o", str(file)]) == 0
    assert main(["diff", "four_bar", str(file), "--at", "0,0,1"]) == 0
    assert "M, C and G are those of the links without their loops" in capsys.readouterr().out
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace('xyz = ["b", 0, 0]', 'xyz = ["b", 0, 0.125]'), encoding="utf-8")
    assert main(["diff", "four_bar", str(file), "--set", "b=0.55"]) == 1
    assert "loop pin: its first frame in B is moved by (0, 0, 0.125) m" in capsys.readouterr().out
    for line, said in (
        ("diff four_bar rp", "four_bar is a closed chain, and rp is a tree of links"),
        ("diff four_bar panda.urdf --against mujoco", "--against with four_bar, which has loops"),
    ):
        assert main(line.split()) == 2
        assert said in capsys.readouterr().err
