"""Where the independent coordinates do not determine the others, functions say so and name better ones, never NaN."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from refusals import refusal

import qddot
from qddot.base.errors import EvaluationError, ModelError
from qddot.faces.closed_chain import ClosedChain

AXES = {"x": (1, 0, 0), "y": (0, 1, 0), "z": (0, 0, 1), "roll": (1, 0, 0), "pitch": (0, 1, 0), "yaw": (0, 0, 1)}


def sled(folder: Path, *order: str) -> ClosedChain:
    """A sled on a plane, with its coordinates in some order: x, y and yaw are free, z, pitch, roll are not."""
    text, parent = 'name = "sled"\nconvention = "tree"\n', "base"
    for k, name in enumerate(order):
        kind = "prismatic" if name in "xyz" else "revolute"
        text += f'[[link]]\nname = "l{k}"\nparent = "{parent}"\n'
        text += f'joint = {{ type = "{kind}", axis = {list(AXES[name])}, coordinate = "{name}" }}\n'
        parent = f"l{k}"
    text += 'mass = 5\ncom = [0.1, 0.03, 0]\ninertia = { about = "com", xx = 0.2, yy = 0.3, zz = 0.4 }\n'
    text += (
        f'[[loop]]\nname = "plane"\ntype = "planar"\nfirst = {{ link = "base" }}\nsecond = {{ link = "{parent}" }}\n'
    )
    path = folder / "sled.toml"
    path.write_text(text, encoding="utf-8")
    return qddot.load_closed_chain(path)


def test_a_choice_that_is_singular_in_every_closed_configuration_is_no_nan(tmp_path: Path) -> None:
    bad = sled(tmp_path, "z", "pitch", "roll", "x", "y", "yaw").with_independent("z", "x", "yaw")
    q = np.zeros(6)
    for call in (
        lambda q: bad.mass_matrix(q),
        lambda q: bad.velocities(q, np.ones(3)),
        lambda q: bad.inverse_dynamics(q, 0 * q, 0 * q),
        lambda q: bad.mass_matrix(np.stack([q, q])),
        lambda q: bad.assemble(q),
    ):
        with refusal(EvaluationError, "undetermined-here", '"x", "y", "yaw"', "y"):
            call(q)


def test_functions_in_all_coordinates_need_no_independent_ones(tmp_path: Path) -> None:
    """Their states may be mixed with some in which the independent coordinates determine the others."""
    bad = sled(tmp_path, "z", "pitch", "roll", "x", "y", "yaw").with_independent("z", "x", "yaw")
    good = bad.with_independent("x", "y", "yaw")
    rng = np.random.default_rng(1)
    q, tau = np.zeros((3, 6)), rng.normal(size=(3, 6))
    qd = good.velocities(q, rng.normal(size=(3, 3)))
    qdd = good.forward_dynamics(q, qd, tau)
    np.testing.assert_allclose(bad.forward_dynamics(q, qd, tau), qdd, rtol=1e-12, atol=1e-12)
    forces = good.multipliers(q, qd, qdd, tau)
    np.testing.assert_allclose(bad.multipliers(q, qd, qdd, tau), forces, rtol=1e-12, atol=1e-12)


def test_the_named_coordinates_are_good(tmp_path: Path) -> None:
    q = np.zeros(6)
    one = sled(tmp_path, "z", "pitch", "roll", "x", "y", "yaw")
    assert one.independent == ("x", "y", "yaw")
    other = sled(tmp_path, "x", "y", "yaw", "z", "pitch", "roll")
    np.testing.assert_allclose(one.mass_matrix(q), other.mass_matrix(q), rtol=1e-14, atol=1e-15)
    # a rigid body in the plane: m, and its moments about the origin
    np.testing.assert_allclose(one.mass_matrix(q), [[5, 0, -0.15], [0, 5, 0.5], [-0.15, 0.5, 0.4 + 5 * 0.0109]])


ANKLE = """name = "ankle"
convention = "tree"
[[link]]
name = "foot"
joint = {{ type = "revolute", axis = [0, 1, 0], coordinate = "foot" }}
mass = 1
com = [0.05, 0, 0]
inertia = {{ about = "com", xx = 0.002, yy = 0.003, zz = 0.003 }}
[[link]]
name = "rod"
parent = "foot"
joint = {{ type = "spherical", xyz = [-0.06, 0.01, 0] }}
mass = 0.02
com = [0, 0, 0.1]
inertia = {{ about = "com", xx = 1e-4, yy = 1e-4, zz = 5e-7 }}
[[link]]
name = "motor"
joint = {{ type = "revolute", axis = [0, 1, 0], xyz = [0, 0, 0.2], coordinate = "motor" }}
mass = 0.02
com = [-0.02, 0, 0]
inertia = {{ about = "com", xx = 1e-5, yy = 1e-5, zz = 1e-5 }}
[[loop]]
type = "spherical"
first = {{ link = "rod", xyz = [{off}, 0, 0.2] }}
second = {{ link = "motor", xyz = ["-0.06 + {off}", 0.01, 0] }}
"""


def test_a_rod_whose_end_is_off_its_axis_by_rounding_spins_freely_as_one_whose_is_not(tmp_path: Path) -> None:
    path, chains = tmp_path / "ankle.toml", []
    for off in ("0", "1e-8"):
        path.write_text(ANKLE.format(off=off), encoding="utf-8")
        chains.append(qddot.load_closed_chain(path))
    assert [chain.independent for chain in chains] == [("foot", "omega_z")] * 2
    q = chains[0].tree.neutral()
    one, other = (chain.mass_matrix(q) for chain in chains)
    np.testing.assert_allclose(one, other, rtol=1e-6, atol=1e-8)
    assert np.abs(chains[1].velocities(q, np.eye(2))).max() < 1.1
    assert chains[1].some_assembly().radius < 1e-12


def cart(folder: Path, order: tuple[str, ...]) -> ClosedChain:
    """A body on a plane with two wheels that roll on it; it drives with its nose 20° down."""
    text, parent = 'name = "cart"\nconvention = "tree"\n', "base"
    for name in order:
        kind = "prismatic" if name in "xyz" else "revolute"
        text += f'[[link]]\nname = "{name}_link"\nparent = "{parent}"\n'
        text += f'joint = {{ type = "{kind}", axis = {list(AXES[name])}, coordinate = "{name}" }}\n'
        parent = f"{name}_link"
    text += 'mass = 5\ncom = [0.1, 0.03, 0.3]\ninertia = { about = "com", xx = 0.2, yy = 0.3, zz = 0.4 }\n'
    for wheel, side in (("left", 0.25), ("right", -0.25)):
        text += f"""[[link]]
name = "{wheel}"
parent = "{parent}"
joint = {{ type = "revolute", axis = [0, 1, 0], xyz = [0, {side}, 0.1], coordinate = "{wheel}" }}
mass = 0.5
inertia = {{ about = "com", xx = 0.001, yy = 0.002, zz = 0.001 }}
[[rolling]]
wheel = "{wheel}"
contact = {{ link = "{parent}", xyz = [0, {side}, 0], rpy = [0, "-20deg", 0] }}
"""
    tilted = 'rpy = [0, "-20deg", 0]'
    text += f'[[loop]]\ntype = "planar"\nfirst = {{ link = "base" }}\nsecond = {{ link = "{parent}", {tilted} }}\n'
    path = folder / "cart.toml"
    path.write_text(text, encoding="utf-8")
    return qddot.load_closed_chain(path, ("left", "right"))


def test_derivatives_do_not_depend_on_which_coordinates_are_listed_first(tmp_path: Path) -> None:
    """A cart that rolls on a plane, with a `planar` loop to the ground: its position follows from the wheels' turns."""
    answers = []
    for order in (("z", "pitch", "roll", "x", "y", "yaw"), ("x", "y", "yaw", "z", "pitch", "roll")):
        chain = cart(tmp_path, order)
        at = {"x": 0.2, "yaw": 0.4, "pitch": np.radians(20)}
        names = chain.tree.model.coordinates
        q = chain.assemble({name: at.get(name, 0.0) for name in names}).q
        qd, tau = chain.velocities(q, [1.0, 2.0]), np.where([name in ("left", "right") for name in names], 0.1, 0.0)
        by_q, by_u, _ = chain.forward_dynamics_derivatives(q, qd, tau)
        answers.append((np.abs(by_q).max(), by_u))
    assert answers[0][0] < 1e-12 and answers[1][0] < 1e-12  # the motion does not depend on where the cart stands
    np.testing.assert_allclose(answers[0][1], answers[1][1], rtol=1e-10, atol=1e-12)


def test_a_dead_centre_is_singular_for_the_slide_alone() -> None:
    """Where crank and rod are in one line, the piston rests, whatever the crank's rate is."""
    chain = qddot.load_closed_chain("slider_crank")
    q = chain.assemble({"q1": 0.0}).q
    assert chain.velocities(q, [1.0]) @ [0, 0, 1] == pytest.approx(0, abs=1e-15)
    with refusal(EvaluationError, "undetermined-here", "q1, q2", '"q2"'):
        chain.with_independent("x").velocities(q, [1.0])


CRANK = """
[[link]]
name = "slider"
joint = { type = "prismatic", axis = [1, 0, 0], coordinate = "x" }
mass = 1
[[link]]
name = "crank"
parent = "base"
joint = { type = "revolute", coordinate = "q" }
mass = 1
[[loop]]
type = "rod"
length = 0.5
first = { link = "slider" }
second = { link = "crank", xyz = [0.3, 0, 0] }
"""
WHEEL = """
[[link]]
name = "wheel"
parent = "slider"
joint = { type = "revolute", axis = [0, 1, 0], xyz = [0, 0, 0.1], coordinate = "w" }
mass = 1
inertia = { about = "com", xx = 0.01, yy = 0.02, zz = 0.01 }
[[rolling]]
wheel = "wheel"
contact = { link = "slider" }
directions = "x"
"""


@pytest.mark.parametrize("angle", [0.0, np.pi, -np.pi])
def test_a_dead_centre_is_named_although_rounding_leaves_a_small_slope(angle: float, tmp_path: Path) -> None:
    """The only condition has the slope 1e-17 along the crank's angle, where sin π is not zero in doubles."""
    path = tmp_path / "crank.toml"
    path.write_text(f'name = "crank"\nconvention = "tree"\ncoordinates = ["x", "q"]\n{CRANK}', encoding="utf-8")
    chain = qddot.load_closed_chain(path)
    x = 0.3 * np.cos(angle) + 0.5
    with refusal(EvaluationError, "undetermined-here", "q", '"q"'):
        chain.assemble([x, angle])
    assert chain.with_independent("q").assemble([1.0, angle]).q == pytest.approx([x, angle])


def test_beside_wheels_the_order_of_coordinates_is_the_remedy(tmp_path: Path) -> None:
    """The loop determines the first coordinate that is possible, which with_independent does not change."""
    path = tmp_path / "crank.toml"
    for order in ('"q", "x", "w"', '"x", "q", "w"'):
        text = f'name = "crank"\nconvention = "tree"\ncoordinates = [{order}]\n{CRANK}{WHEEL}'
        path.write_text(text, encoding="utf-8")
        chain = qddot.load_closed_chain(path)
        guess = {"q": np.pi, "x": 0.2}
        if order.startswith('"x"'):
            assert chain.assemble(guess).q == pytest.approx([0.2, np.pi, 0])
        else:
            with refusal(EvaluationError, "undetermined-of-loops", "q", "x"):
                chain.assemble(guess)


def test_a_regular_state_beside_a_singular_one_is_not_refused(tmp_path: Path) -> None:
    chain = qddot.load_closed_chain("four_bar")
    q = chain.some_assembly().q
    assert np.isfinite(chain.mass_matrix(np.stack([q, q]))).all()
    assert np.isnan(chain.mass_matrix(np.full(chain.n, np.nan))).all()


DOOR = """name = "door"
convention = "tree"
[[link]]
name = "cart"
joint = { type = "free" }
mass = 5
inertia = { about = "com", xx = 0.2, yy = 0.3, zz = 0.4 }
[[link]]
name = "trailer"
parent = "cart"
joint = { type = "revolute", axis = [0, 0, 1], xyz = [-0.5, 0, 0], coordinate = "hinge" }
mass = 2
com = [-0.3, 0, 0]
inertia = { about = "com", xx = 0.1, yy = 0.1, zz = 0.1 }
[[loop]]
name = "under the cart"
type = "planar"
first = { link = "base" }
second = { link = "cart" }
[[loop]]
name = "under the trailer"
type = "planar"
first = { link = "base" }
second = { link = "trailer" }
"""


def test_a_rank_that_is_smaller_where_loops_are_closed_is_no_smaller_mobility(tmp_path: Path) -> None:
    """A cart and its trailer, each on the same plane, have x, y, yaw and the hinge free."""
    path = tmp_path / "door.toml"
    path.write_text(DOOR, encoding="utf-8")
    with refusal(ModelError, "not-independent-coordinates", "4"):
        qddot.load_closed_chain(path, ("v_x", "v_y", "hinge"))
    for chain in (qddot.load_closed_chain(path), qddot.load_closed_chain(path, near={})):
        assert chain.m == 4 and "hinge" in chain.independent
    assert chain.prove()


def test_a_configuration_is_found_where_short_numbers_are_out_of_reach() -> None:
    four_bar = qddot.load_closed_chain("four_bar")
    for name in four_bar.tree.model.coordinates:
        chain = four_bar.with_independent(name)
        assert np.abs(chain.closure(chain.some_assembly().q)[0]).max() < 1e-14
