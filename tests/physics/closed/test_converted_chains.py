"""A chain keeps its closed configurations, M̄ and motion through files, and every convention that has its tree."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from chains import GUESSES, HEAD, chain, driven, link, loop, whipple
from refusals import refusal

import qddot
from qddot.apps.cli import main
from qddot.base.errors import QddotError
from qddot.faces.closed_chain import ClosedChain
from qddot.formats.finding import closed_zoo
from qddot.formats.toml import loop_tables

TURN = 'type = "revolute", coordinate = "{}"'
# a four-bar without branches, whose rocker a loop pins to the ground
IN_ROW = "".join(
    (
        HEAD.format("row", '"q1", "q2", "q3"'),
        link("crank", "base", TURN.format("q1"), 1.0, [0.1, 0, 0]),
        link("coupler", "crank", f"{TURN.format('q2')}, xyz = [0.2, 0, 0.1]", 2.0, [0.2, 0.05, 0.01]),
        link("rocker", "coupler", f"{TURN.format('q3')}, xyz = [0.5, 0, 0]", 1.5, [0.2, 0, 0]),
        loop("revolute", "rocker", [0.4, 0, 0], "base", [0.45, 0, 0.1]),
    )
)


def named(name: str) -> ClosedChain:
    if name == "row":
        return ClosedChain(loop_tables.loads(IN_ROW, name))
    return whipple() if name == "bicycle" else chain(name)


def reread(one: ClosedChain, convention: str = "tree") -> ClosedChain:
    return qddot.loads_closed_chain(one.to_toml(convention), one.independent, one._given)


def check_same(one: ClosedChain, other: ClosedChain) -> None:
    """Compares where loops are closed, M̄, q̇ = R u and the accelerations, in closed configurations and open ones."""
    rng = np.random.default_rng(3)
    start = np.array(one.some_assembly().q)
    assert other.independent == one.independent and other.conditions == one.conditions
    for _ in range(3):
        q = one.assemble(start + rng.uniform(-0.05, 0.05, one.n)).q
        open_q, u, tau = q + rng.uniform(-0.2, 0.2, one.n), rng.normal(size=one.m), rng.normal(size=one.n)
        for name in one.model.loops and ("closed", "open"):
            phi, psi = (of.closure(q if name == "closed" else open_q)[0] for of in (one, other))
            # points may be held along other axes
            assert np.linalg.norm(phi) == pytest.approx(np.linalg.norm(psi), abs=1e-13)
        qd = one.velocities(q, u)
        np.testing.assert_allclose(other.velocities(q, u), qd, atol=1e-11)
        np.testing.assert_allclose(other.mass_matrix(q), one.mass_matrix(q), rtol=1e-11, atol=1e-12)
        motion = [of.forward_dynamics(q, qd, tau) for of in (one, other)]
        np.testing.assert_allclose(motion[1], motion[0], rtol=1e-8, atol=1e-8)


@pytest.mark.parametrize("name", [*closed_zoo(), "tilted", "spatial", "bicycle"])
def test_a_file_with_loops_gives_the_same_chain_again(name: str) -> None:
    one = named(name)
    again = loop_tables.loads(one.to_toml(), name)
    assert again == one.model
    assert again.tree.notes == one.model.tree.notes


@pytest.mark.parametrize("convention", ["screws", pytest.param("body_screws", marks=pytest.mark.thorough), "tree"])
@pytest.mark.parametrize("name", ["four_bar", "unicycle", "delta", "bicycle", "tilted", "row"])
def test_screws_and_trees_hold_the_same_frames(name: str, convention: str) -> None:
    one = named(name)
    frame = {"screws": "space", "body_screws": "body"}.get(convention)
    other = one.as_tree() if frame is None else one.as_screws(frame)
    check_same(one, reread(other, convention))


@pytest.mark.parametrize("convention", ["dh", "mdh"])
@pytest.mark.parametrize("name", ["unicycle", "rolling_disc", "row"])
def test_rows_hold_the_same_frames_if_the_tree_has_no_branches(name: str, convention: str) -> None:
    one = named(name)
    check_same(one, reread(one.as_dh() if convention == "dh" else one.as_mdh(), convention))


def test_a_converted_chain_has_its_symbols_and_is_proved() -> None:
    bars = chain("four_bar").as_screws()
    assert bars.model.used_symbols == chain("four_bar").model.used_symbols
    assert bars.prove()
    assert str(bars.equations().M) == str(chain("four_bar").equations().M)


def test_a_wheel_whose_own_frame_is_the_contact_gets_one_where_the_wheels_frame_turns() -> None:
    turned = chain("unicycle").as_dh().model
    (wheel,) = turned.rolling
    assert wheel.contact == f"{wheel.name}_contact"
    assert turned.tree.body(wheel.contact).joint.parent == chain("unicycle").model.rolling[0].contact


def test_a_link_that_holds_a_rod_may_become_part_of_another() -> None:
    """The elbows of the delta have masses, and a loop holds their frames; screws have no fixed links."""
    held = {loop.links[0] for loop in chain("delta").as_screws().model.loops}
    assert held == {"rods_1_first", "rods_2_first", "rods_3_first"}


def test_numbers_replace_a_symbol_in_loops_as_in_links() -> None:
    """The distance of two joints would be √(L² + W²) in a table, so that the rod's length L has its value as well."""
    text = "".join(
        (
            HEAD.format("roots", '"q1", "q2", "q3"'),
            "[symbols]\nL = { value = 0.3 }\nW = { value = 0.4 }\n",
            link("crank", "base", TURN.format("q1"), 1.0, [0.1, 0, 0]),
            link("coupler", "crank", f"{TURN.format('q2')}, xyz = ['L', 'W', 0]", 2.0, [0.2, 0.05, 0.01]),
            link("rocker", "coupler", f"{TURN.format('q3')}, xyz = [0.5, 0, 0]", 1.5, [0.2, 0, 0]),
            '[[loop]]\ntype = "rod"\nlength = "L"\nfirst = { link = "rocker", xyz = ["L", 0, 0] }\n',
            "second = { xyz = [0.9, 0, 0.1] }\n",
        )
    )
    one = qddot.loads_closed_chain(text)
    other = one.as_dh()
    (rod,) = other.model.loops
    assert not other.model.used_symbols - {"g"} and str(rod.length) == "3/10"
    assert any("numbers replace these symbols" in note for note in other.model.tree.notes)
    check_same(one, reread(other, "dh"))


def test_independent_coordinates_and_the_guess_stay() -> None:
    assert driven("five_bar", "q1", "q3").as_screws().independent == ("q1", "q3")
    near = ClosedChain(chain("four_bar").model, "q3", GUESSES["four_bar"])
    assert near.as_tree()._given == pytest.approx(GUESSES["four_bar"])


@pytest.mark.parametrize("name", ["four_bar", "delta", "bicycle"])
def test_what_a_convention_lacks_is_said(name: str) -> None:
    with refusal(QddotError, "arm-branches"):
        named(name).as_dh()
    with refusal(QddotError, "frames-not-of-convention", "mdh"):
        named(name).to_toml("mdh")
    model = named(name).model
    lost = ", ".join(each.name for each in model.closures)
    with refusal(QddotError, "urdf-of-loops", lost):
        named(name).to_urdf()


def test_a_frame_that_is_turned_in_its_link_is_read_as_a_matrix() -> None:
    text = IN_ROW.replace(
        '"rocker", xyz = [0.4, 0, 0]', '"rocker", xyz = [0.4, 0, 0], rotation = [[0,1,0],[1,0,0],[0,0,-1]]'
    )
    assert text != IN_ROW
    check_same(named("row"), ClosedChain(loop_tables.loads(text, "row")))
    with refusal(QddotError, "no-robot-text", "3"):
        qddot.loads_closed_chain(3)
    with refusal(QddotError, "rotation-given-twice"):
        loop_tables.loads(text.replace("rotation =", "rpy = [0, 0, 0], rotation ="), "row")


def test_a_loop_that_holds_the_base_holds_a_link_that_is_fixed_to_it() -> None:
    bars = chain("four_bar").model
    held = replace(bars, loops=(replace(bars.loops[0], links=("pin_first", "base"), type="spherical"),))
    assert held.loops[0].links == ("pin_first", "pin_second_") and held.tree.bodies[-1].joint.parent == "base"
    moved = ClosedChain(held, "q3").with_base((0, 0, 2), ("20deg", 0, 0))
    np.testing.assert_allclose(moved.closure([1.0, 2.0, 3.0])[0], ClosedChain(held, "q3").closure([1.0, 2.0, 3.0])[0])


def test_the_command_converts_chains(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "delta.toml"
    assert main(["convert", "delta", "--to", "screws", "--set", "a=0.25", "-o", str(file)]) == 0
    again = qddot.load_closed_chain(file).model
    assert again.tree.defaults()["a"] == 0.25 and again.loops == chain("delta").as_screws().model.loops
    assert main(["convert", str(file), "--to", "tree"]) == 0
    assert capsys.readouterr().out.count("[[loop]]") == 3
    assert main(["convert", "delta", "--to", "urdf"]) == 2
    assert "rods_1, rods_2, rods_3 would be lost" in capsys.readouterr().err
