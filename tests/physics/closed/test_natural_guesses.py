"""What people give first, zeros and right angles, is assembled where the mechanism can be."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from chains import assembled, chain

import qddot
from qddot.base.errors import EvaluationError
from qddot.machine.numeric.assembly import closed_near


@pytest.mark.parametrize(
    ("name", "guess"),
    [
        *((name, {}) for name in ("four_bar", "five_bar", "slider_crank", "delta")),
        *(("slider_crank", {"q1": angle}) for angle in (np.pi / 2, np.pi, -np.pi / 2)),
        *(("four_bar", {"q1": angle}) for angle in (np.pi / 2, np.pi)),
    ],
)
def test_zeros_and_right_angles_are_assembled(name: str, guess: dict[str, float]) -> None:
    of = qddot.load_closed_chain(name)
    q = of.assemble(guess).q
    assert np.abs(of.closure(q)[0]).max() < 1e-14
    for own in of.independent:
        assert q[of.tree.model.positions.index(own)] == guess.get(own, 0.0)


def test_what_cannot_be_closed_is_still_an_error() -> None:
    with pytest.raises(
        EvaluationError, match=r"cannot be closed near the guess: the nearest that was reached is q1 = 9"
    ):
        qddot.load_closed_chain("five_bar").with_independent("q1", "q2").assemble({"q1": 9.0, "q2": 0.0})


def test_newtons_method_ends_at_a_closed_guess_without_halved_steps() -> None:
    of, calls = chain("delta"), list[None]()

    def counted(q: Any) -> Any:
        calls.append(None)
        return of.closure(q)

    q = assembled("delta").q
    assert np.abs(closed_near(of.model, of._choice, counted, q) - q).max() < 1e-15
    assert len(calls) <= 2


@pytest.mark.parametrize("angle", [0.0, 0.35, np.pi / 2])
def test_a_slide_that_is_not_given_begins_within_its_limits(angle: float) -> None:
    of = qddot.load_closed_chain("delta")
    motors = dict.fromkeys(("q1", "q2", "q3"), angle)
    R, r, a, length = 0.2, 0.05, 0.3, 0.6
    way = np.sqrt(length**2 - (R + a * np.cos(angle) - r) ** 2)  # of Pythagoras, from the elbows' plane
    elbows = -a * np.sin(angle)
    assert of.assemble(motors).q[-1] == pytest.approx(elbows - way, abs=1e-15)
    if elbows + way > 0:  # what is given stays near, also beyond the limits
        assert of.assemble({**motors, "z": elbows + way + 0.1}).q[-1] == pytest.approx(elbows + way, abs=1e-15)
