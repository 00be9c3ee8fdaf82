"""The exact linearisation agrees with the numeric one, and stays symbolic where no number is put in."""

from __future__ import annotations

import numpy as np
import pytest
from shipped import robot

import qddot
from qddot.base.errors import EvaluationError
from qddot.exact.equations.arrays.exact_array import ExactArray

Q0 = {
    "spatial_2r": ["30deg", "-90deg"],
    "elbow_3r": [0, "45deg", "-60deg"],
    "rp": ["60deg", "1/2"],
    "two_link": [0.4, -0.7],
}


@pytest.mark.parametrize(("name", "q0"), Q0.items())
def test_it_is_the_numeric_one(name: str, q0: list[object]) -> None:
    arm = robot(name)
    exact = arm.equations().linearize(q0)
    known = arm.model.defaults()
    numbers = [float(str(part).replace("deg", "")) * np.pi / 180 if "deg" in str(part) else part for part in q0]
    A, B = arm.linearize([eval_half(part) for part in numbers])
    value = lambda array: np.array([float(e.subs(known)) for e in flat(array)]).reshape(array.shape)  # noqa: E731
    det = float(exact.det.subs(known))
    assert np.allclose(value(exact.A) / det, A, rtol=1e-12, atol=1e-12)
    assert np.allclose(value(exact.input) / det, B, rtol=1e-12, atol=1e-12)
    assert np.allclose(value(exact.holding), arm.gravity([eval_half(part) for part in numbers]), rtol=1e-12)


def eval_half(part: object) -> float:
    return 0.5 if part == "1/2" else float(part)


def flat(array: ExactArray) -> list[ExactArray]:
    return [array[place] for place in np.ndindex(array.shape)]


def test_the_pendulum_swings_with_its_own_frequency() -> None:
    """m l² δq̈ + m g l δq = 0 about the rest below: ω² = g / l."""
    near = robot("one_link").equations().linearize(["-90deg"])
    assert near.M[0, 0] == "m*l**2"
    assert near.stiffness[0, 0] == "m*g*l"
    assert not near.damping
    assert not near.holding
    assert near.A[1, 0] == "-m*g*l"
    assert near.A[0, 1] == near.det


def test_right_angles_in_floats_are_right_angles() -> None:
    eq = robot("two_link").equations()
    for given, exact in (([np.pi / 2, 0], ["90deg", 0]), ([-7 * np.pi / 6, np.deg2rad(30)], ["-210deg", "30deg"])):
        linearization, wanted = eq.linearize(given), eq.linearize(exact)
        assert str(linearization) == str(wanted)
    assert eq.G.subs(q1=3 * np.pi / 2, q2=0.0) == eq.G.subs(q1="270deg", q2=0)
    # a float that differs by more than rounding is what it is
    assert eq.G.subs(q1=np.pi / 2 + 1e-14) != eq.G.subs(q1="90deg")
    sprung = robot("two_link").equations()
    assert sprung.M.subs(q2=1.5708) != sprung.M.subs(q2="90deg")


def test_what_is_not_put_in_stays() -> None:
    near = robot("spatial_2r").equations().linearize({"q2": "90deg"})
    assert near.stiffness.free_symbols == {"q1", "m1", "m2", "g", "L"}


def test_wrong_points_are_refused() -> None:
    eq = robot("two_link").equations()
    with pytest.raises(EvaluationError, match="q0 has 1 entry;"):
        eq.linearize([0])
    with pytest.raises(EvaluationError, match="did you mean"):
        eq.linearize({"q11": 0})
    row = {"theta": "q1", "d": 0, "a": 0, "alpha": 0}
    rough = qddot.from_dh([row], [{"mass": 1, "joint": {"coulomb": 1}}]).equations()
    with pytest.raises(EvaluationError, match="friction without a derivative at rest"):
        rough.linearize([0])
