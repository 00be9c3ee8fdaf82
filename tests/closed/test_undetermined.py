"""Where the independent coordinates do not determine the others, functions say so and name better ones, never NaN."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import qddot
from qddot.errors import EvaluationError
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
    bad = sled(tmp_path, "z", "pitch", "roll", "x", "y", "yaw")
    assert set(bad.independent) & {"z", "pitch", "roll"}
    q = np.zeros(6)
    for call in (
        lambda q: bad.mass_matrix(q),
        lambda q: bad.velocities(q, np.ones(3)),
        lambda q: bad.forward_dynamics(q, 0 * q, 0 * q),
        lambda q: bad.inverse_dynamics(q, 0 * q, 0 * q),
        lambda q: bad.mass_matrix(np.stack([q, q])),
        lambda q: bad.assemble(q),
    ):
        with pytest.raises(EvaluationError, match=r'do not determine .* here; .*with_independent\("x", "y", "yaw"\)'):
            call(q)


def test_the_named_coordinates_are_good(tmp_path: Path) -> None:
    q = np.zeros(6)
    one = sled(tmp_path, "z", "pitch", "roll", "x", "y", "yaw").with_independent("x", "y", "yaw")
    other = sled(tmp_path, "x", "y", "yaw", "z", "pitch", "roll")
    np.testing.assert_allclose(one.mass_matrix(q), other.mass_matrix(q), rtol=1e-14, atol=1e-15)
    # a rigid body in the plane: m, and its moments about the origin
    np.testing.assert_allclose(one.mass_matrix(q), [[5, 0, -0.15], [0, 5, 0.5], [-0.15, 0.5, 0.4 + 5 * 0.0109]])


def test_a_dead_centre_is_singular_for_the_slide_alone() -> None:
    """Where crank and rod are in one line, the piston rests, whatever the crank's rate is."""
    chain = qddot.load_closed_chain("slider_crank")
    q = chain.assemble({"q1": 0.0}).q
    assert chain.velocities(q, [1.0]) @ [0, 0, 1] == pytest.approx(0, abs=1e-15)
    with pytest.raises(EvaluationError, match=r'do not determine q1, q2 here; .*with_independent\("q2"\)'):
        chain.with_independent("x").velocities(q, [1.0])


def test_a_regular_state_beside_a_singular_one_is_not_refused(tmp_path: Path) -> None:
    chain = qddot.load_closed_chain("four_bar")
    q = chain.some_assembly().q
    assert np.isfinite(chain.mass_matrix(np.stack([q, q]))).all()
    assert np.isnan(chain.mass_matrix(np.full(chain.n, np.nan))).all()
