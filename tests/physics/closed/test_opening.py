"""Mechanisms whose lengths are special open where their loops are closed; what cannot move says why."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from refusals import refusal
from test_over_constrained import BENNETT, CLOSE, CRANKS, TEXTS, model
from test_undetermined import DOOR

import qddot
from qddot.apps.cli import main
from qddot.base.errors import QddotError
from qddot.faces.closed_chain import ClosedChain
from qddot.formats.toml import loop_tables
from qddot.inspect.doctor import described

DATA = Path(__file__).parents[2] / "data"
ZOO = Path(qddot.__file__).parent / "robot" / "zoo" / "closed"
OTHER = {"cranks": "q2", "bennett": "q3"}


@cache
def opened(name: str) -> ClosedChain:
    return ClosedChain(model(name))


@pytest.mark.parametrize("name", TEXTS)
def test_a_chain_opens_without_a_guess_and_says_where(name: str) -> None:
    chain = opened(name)
    assert chain.m == 1
    note, *more = chain.notes
    assert "the loops leave 1 coordinate free, and where they are open none" in note
    assert not more if name == "bennett" else "nearest to the neutral one is singular" in more[0]
    assert "not everywhere" in note and "floating-point" in note
    assert not qddot.load_closed_chain("four_bar").notes


@pytest.mark.parametrize("name", TEXTS)
def test_other_coordinates_and_values_keep_the_configuration(name: str) -> None:
    chain = opened(name)
    other = chain.with_independent(OTHER[name])
    assert (other.independent, other.redundant, other.notes) == ((OTHER[name],), chain.redundant, chain.notes)
    assert other.with_values().m == 1


@pytest.mark.parametrize("name", TEXTS)
def test_its_mass_matrix_is_that_of_velocities_that_nothing_hinders(name: str) -> None:
    """M̄ = Rᵀ M R with R from the null space of all rows of A, which NumPy finds."""
    chain = opened(name)
    q = chain.some_assembly().q
    phi, A = chain.closure(q)
    (motion,) = np.linalg.svd(A)[2][chain.n - 1 :]
    R = motion / motion[chain.model.tree.coordinates.index(chain.independent[0])]
    assert np.abs(phi).max() < 1e-14
    assert chain.mass_matrix(q).item() == pytest.approx(R @ chain.tree.mass_matrix(q) @ R, rel=1e-12)


@pytest.mark.parametrize("name", TEXTS)
def test_the_same_equations_follow_from_a_guess(name: str) -> None:
    q = ClosedChain(model(name), "q1", CLOSE[name]).assemble(CLOSE[name]).q
    guessed = ClosedChain(model(name), "q1", q).mass_matrix(q)
    assert ClosedChain(model(name), "q1").mass_matrix(q) == pytest.approx(guessed, rel=1e-13)


def test_what_cannot_move_is_isolated() -> None:
    longer = CRANKS.replace("[2.5, 0, 0] }\nsecond", "[2.6, 0, 0] }\nsecond")
    with refusal(QddotError, "nearly-movable-configuration"):
        ClosedChain(model("cranks", longer))


def test_loops_that_cannot_close_name_the_nearest_configuration() -> None:
    far = CRANKS.replace("[2.5, 0, 0] }\nsecond", "[4.5, 0, 0] }\nsecond")
    # in line, cranks of 0.5 reach from 2.5 of the ground to 3.5 of 4.5 of the bar
    with refusal(QddotError, "conditions-leave-no-coordinate", "40", "1.0e+00", "far, x"):
        ClosedChain(model("cranks", far))


def test_lengths_without_values_are_asked_for() -> None:
    text = BENNETT.replace('convention = "tree"', 'convention = "tree"\nsymbols = { a = {} }').replace(
        "xyz = [-2, 0, 0]", 'xyz = ["-2*a", 0, 0]'
    )
    with refusal(QddotError, "no-coordinate-free", "3", "5"):
        ClosedChain(model("bennett", text))


def test_commands_tell_how_it_was_opened(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "cranks.toml"
    file.write_text(CRANKS)
    assert main(["closed", str(file), "--assemble", "--at", "q1=1,q2=1,q3=1,q4=-1"]) == 0
    assert "note: near q1 = " in capsys.readouterr().err
    (redundant,) = [each.found for each in described.diagnose_file(str(file)) if each.check == "redundant_conditions"]
    assert redundant.startswith("conditions that follow from others, where the loops are closed: near, z; ")


@pytest.mark.parametrize("near", [None, True])
@pytest.mark.parametrize(
    ("name", "exact", "rounded"),
    [
        ("bennett", "xyz = [-2, 0, 0]", 'xyz = ["-2 - 1e-10", 0, 0]'),
        ("bennett", 'rpy = ["-90deg", 0, 0]', 'rpy = ["-90deg + 1e-10", 0, 0]'),
        ("cranks", "[2.5, 0, 0] }\nsecond", '["2.5 + 1e-10", 0, 0] }\nsecond'),
    ],
)
def test_lengths_that_are_special_only_to_ten_digits_are_refused_with_their_misfit(
    name: str, exact: str, rounded: str, near: bool | None
) -> None:
    text = TEXTS[name].replace(exact, rounded)
    assert text != TEXTS[name]
    with refusal(QddotError, "lengths-nearly-special", "1"):
        ClosedChain(model(name, text), None, CLOSE[name] if near else None)


def test_loops_that_cannot_close_are_noted() -> None:
    (note,) = qddot.load_closed_chain("four_bar").with_values(a=9).notes
    assert "no configuration with closed loops was found: the nearest" in note and "(pin, " in note


def test_a_coordinate_that_moves_the_loops_by_rounding_is_free_and_named() -> None:
    text = (DATA / "robots_with_mistakes" / "arms" / "hardly_moving.toml").read_text(encoding="utf-8")
    chain = ClosedChain(loop_tables.loads(text, "ankle"))
    assert chain.independent == ("foot", "omega_z")
    (note,) = chain.notes
    assert note.startswith("omega_z moves the loops by 4e-08 of what other coordinates do")
    assert chain.mass_matrix(chain.tree.neutral())[1, 1] == pytest.approx(5e-7, rel=1e-6)  # the rod's own about z
    exact = ClosedChain(loop_tables.loads(text.replace("1e-8, 0, 0.2", "0, 0, 0.2").replace("5999999", "6"), "ankle"))
    assert (exact.independent, exact.notes) == (chain.independent, ())


SKATE = """
[[rolling]]
name = "blade"
wheel = "trailer"
directions = "y"
contact = { link = "trailer", xyz = [-0.5, 0, 0] }
"""


@pytest.mark.parametrize("near", [None, {"hinge": 0.3}])
def test_rolling_wheels_on_a_plane_that_two_links_share(near: dict[str, float] | None) -> None:
    """Of x, y, yaw and the hinge, the blade takes one."""
    chain = ClosedChain(loop_tables.loads(DOOR + SKATE, "skate"), None, near)
    q = chain.assemble({"p_x": 0.1, "p_z": 0.01, "hinge": 0.4}).q
    phi, A = chain.closure(q)
    assert (np.abs(phi).max(), chain.m) == (pytest.approx(0, abs=1e-15), 3)
    assert q[[0, 7]] == pytest.approx([0.1, 0.4], abs=1e-15)
    R = chain.velocities(q, np.eye(3)).T
    assert np.abs(A @ R).max() < 1e-15 and np.linalg.matrix_rank(A) == 4
    assert chain.mass_matrix(q) == pytest.approx(R.T @ chain.tree.mass_matrix(q) @ R, rel=1e-12, abs=1e-14)


def test_wheels_alone_take_a_guess() -> None:
    unicycle = qddot.load_closed_chain("unicycle")
    near = ClosedChain(unicycle.model, None, [0, 0, 0.5, 0])
    assert (near.independent, near.redundant) == (unicycle.independent, ())
    q = [0.1, 0.2, 0.3, 0.4]
    assert near.mass_matrix(q) == pytest.approx(unicycle.mass_matrix(q), rel=1e-14)


def test_branches_that_meet_are_named() -> None:
    """Cranks in line with the bar: all may turn alike, and the middle one may turn the other way."""
    with refusal(QddotError, "singular-configuration", "2", "1"):
        ClosedChain(model("cranks"), None, [0, 0, 0, 0])


def test_another_branch_of_other_mobility_is_named() -> None:
    """Bricard's linkage of right angles moves with one freedom; folded, two pairs of its hinges coincide."""
    hinge = 'joint = {{ type = "revolute", xyz = [{}, 0, 0], rpy = ["{}deg", 0, 0], coordinate = "j{}" }}'
    text = 'name = "bricard"\nconvention = "tree"\n'
    for k in range(1, 6):
        parent = f'parent = "{k - 1}"' if k > 1 else 'parent = "base"'
        joint = hinge.format(int(k > 1), (0, 90, -90)[(k > 1) + (k > 1) * (k % 2)], k)
        text += f'[[link]]\nname = "{k}"\n{parent}\n{joint}\nmass = 1\n'
    text += '[[loop]]\nfirst = { link = "5", xyz = [1, 0, 0], rpy = ["90deg", 0, 0] }\n'
    text += 'second = { link = "base", xyz = [-1, 0, 0], rpy = ["90deg", 0, 0] }\n'
    chain = ClosedChain(loop_tables.loads(text, "bricard"))
    assert chain.m == 1
    (other,) = [note for note in chain.notes if "another branch" in note]
    assert "leave 2 coordinates free: near= opens the chain there, as at j1 = " in other
    near = dict(re.findall(r"(j\d) = ([-\d.]+)", other))
    assert ClosedChain(chain.model, None, {name: float(value) for name, value in near.items()}).m == 2


def test_motors_that_determine_the_others_are_independent_by_default(capsys: pytest.CaptureFixture[str]) -> None:
    chain = qddot.load_closed_chain("five_bar")
    assert chain.independent == chain.driven == ("q1", "q3")
    assert main(["closed", "five_bar", "--only", "G"]) == 0
    assert "u: rates of q1, q3, which motors drive" in capsys.readouterr().out
    assert main(["show", "five_bar"]) == 0
    assert "independent: q1, q3, which motors drive" in capsys.readouterr().out
    q = chain.assemble({"q1": 2.0, "q2": -1.2, "q3": 1.0, "q4": 1.2}).q
    holding = chain.gravity(q) - chain.with_independent("q1", "q2").gravity(q) @ _rates(chain, q)
    assert np.abs(holding).max() < 1e-14  # the same power along each motion


@pytest.mark.parametrize(
    ("driven", "option", "said"),
    [
        ('driven = ["q1", "q2"]', "", "q1, the first that determine the others, since the motors (q1, q2) are too few"),
        ("", "", "q1, the first that determine the others "),
        ("", "--independent q1", "q1 "),
        ('driven = ["q3"]', "", "q3, which a motor drives "),
    ],
)
def test_a_rule_of_the_independent_coordinates_is_told(
    driven: str, option: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = qddot.load_closed_chain("four_bar").to_toml()
    (tmp_path / "bars.toml").write_text(re.sub(r"(?m)^driven = .*$", driven, text))
    for command, what in (("show", "independent: "), ("closed", "u: rates of ")):
        assert main([command, str(tmp_path / "bars.toml"), *option.split()]) == 0
        assert what + said in re.sub(r"\s+", " ", capsys.readouterr().out)


def _rates(chain: ClosedChain, q: np.ndarray) -> np.ndarray:
    """The rates of q1 and q2 that those of the motors cause: from the null space of A, by NumPy."""
    R = np.linalg.svd(chain.closure(q)[1])[2][2:].T
    return R[[0, 1]] @ np.linalg.inv(R[[0, 2]])


@pytest.mark.parametrize("driven", [["q1"], ["q1", "q2", "q3"]], ids=["too few", "too many"])
def test_motors_that_do_not_determine_the_others_are_no_default(driven: list[str]) -> None:
    assert qddot.load_closed_chain("five_bar").model.tree.driven == ("q1", "q3")
    other = (ZOO / "five_bar.toml").read_text(encoding="utf-8").replace('["q1", "q3"]', str(driven).replace("'", '"'))
    assert ClosedChain(loop_tables.loads(other, "five_bar")).independent == ("q1", "q2")


def test_motors_that_leave_a_coordinate_free_are_no_default() -> None:
    other = (ZOO / "scara_parallelogram.toml").read_text(encoding="utf-8")
    other = other.replace('driven = ["q1", "q2", "d5"]', 'driven = ["q1", "q2", "q3"]')
    assert ClosedChain(loop_tables.loads(other, "scara")).independent == ("q1", "q2", "d5")
