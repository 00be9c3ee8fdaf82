"""Exact linear equations of closed chains at rest have the numbers of compiled derivatives and of differences."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from chains import GUESSES, assembled, chain

import qddot
from qddot.base.errors import EvaluationError
from qddot.faces.closed_chain import ClosedChain
from qddot.formats.toml import loop_tables


def sprung(text: str) -> ClosedChain:
    """A four-bar with a spring and dampers in its joints."""
    old = 'joint = { type = "revolute", axis = [0, 0, 1], xyz = ["d", 0, 0], coordinate = "q3" }'
    new = old.replace(" }", ", damping = 0.3, spring = { stiffness = 4, rest = 0.2 } }")
    assert old in text
    return ClosedChain(loop_tables.loads(text.replace(old, new), "sprung"))


def case(name: str) -> tuple[ClosedChain, Any]:
    if name == "sprung":
        file = Path(qddot.__file__).parent / "robot/zoo/closed/four_bar.toml"
        one = sprung(file.read_text(encoding="utf-8"))
        return one, one.assemble(GUESSES["four_bar"]).q
    return chain(name), assembled(name).q


@pytest.mark.parametrize("name", ["four_bar", "five_bar", "slider_crank", "delta", "tilted", "robotiq_2f85", "sprung"])
def test_the_matrices_are_those_of_compiled_derivatives(name: str) -> None:
    one, q = case(name)
    M, damping, stiffness, holding = one.equations().linearize().matrices(q)
    still = np.zeros(one.n)
    by_q, by_u, mass = one.inverse_dynamics_derivatives(q, still, still)
    assert M == pytest.approx(mass, rel=1e-10)
    assert damping == pytest.approx(by_u, rel=1e-10, abs=1e-12)
    assert stiffness == pytest.approx(by_q, rel=1e-9, abs=1e-9)
    assert holding == pytest.approx(one.inverse_dynamics(q, still, still), rel=1e-10, abs=1e-12)


def test_the_stiffness_is_the_slope_of_the_holding_torque() -> None:
    one, q = case("sprung")
    linear, step = one.equations().linearize(), 1e-5
    torques = [linear.matrices(one.assemble([q[0] + side, *q[1:]]).q)[3][0] for side in (step, -step)]
    assert linear.matrices(q)[2][0, 0] == pytest.approx((torques[0] - torques[1]) / (2 * step), rel=1e-7)
    assert linear.matrices(q)[1][0, 0] == pytest.approx(0.3 * one.velocities(q, [1.0])[2] ** 2, rel=1e-12)


def test_the_state_space_and_other_lengths() -> None:
    one, q = case("four_bar")
    A, B = one.equations().linearize().at(q, {"m2": 3.0})
    M, _, stiffness, _ = one.equations().linearize().matrices(q, {"m2": 3.0})
    assert A == pytest.approx(np.array([[0, 1], [-stiffness[0, 0] / M[0, 0], 0]]))
    assert B == pytest.approx(np.array([[0], [1 / M[0, 0]]]))
    assert one.with_values(m2=3).mass_matrix(q) == pytest.approx(M)
    assert "stiffness" in str(one.equations().linearize()) and "r21_1" in str(one.equations().linearize().stiffness)


def test_wheels_and_dry_friction_are_refused() -> None:
    with pytest.raises(EvaluationError, match="rolling wheels"):
        chain("unicycle").equations().linearize()
    text = (Path(qddot.__file__).parent / "robot/zoo/closed/four_bar.toml").read_text(encoding="utf-8")
    rough = text.replace('coordinate = "q1" }', 'coordinate = "q1", coulomb = 0.1 }')
    with pytest.raises(EvaluationError, match="friction without a derivative at rest in q1"):
        ClosedChain(loop_tables.loads(rough, "rough")).equations().linearize()
