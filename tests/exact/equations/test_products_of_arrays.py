"""Products with lists and of the matrices of all links are NumPy's, and what is computed is shown in matrices."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from refusals import refusal

import qddot
from qddot.base.errors import ExactnessError, QddotError
from qddot.exact.equations.arrays.exact_array import ExactArray

RATES = ["qd1", "qd2"]


@pytest.fixture(scope="module")
def eq() -> qddot.EquationsOfMotion:
    return qddot.load("spatial_2r").equations()


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ((2,), (2,)),
        ((3, 2), (2,)),
        ((2,), (2, 3)),
        ((3, 2), (2, 4)),
        ((4, 3, 2), (2,)),
        ((4, 3, 2), (2, 5)),
        ((3, 2), (4, 2, 5)),
        ((4, 3, 2), (4, 2, 5)),
        ((2, 4, 3, 2), (2, 5)),
        ((2,), (4, 2, 5)),
        ((2, 0), (0,)),
    ],
)
def test_products_are_those_of_numpy(left: Any, right: Any, eq: qddot.EquationsOfMotion) -> None:
    random = np.random.default_rng(1)
    a, b = (random.integers(-9, 10, shape) for shape in (left, right))
    product = ExactArray.of(eq.M.ring, a.tolist()) @ b
    assert product.shape == (a @ b).shape
    assert product == (a @ b).tolist()


def test_a_jacobian_times_the_rates_is_the_velocity(eq: qddot.EquationsOfMotion) -> None:
    position = eq.T_tool[:3, 3]
    velocity = position.diff("q1") * "qd1" + position.diff("q2") * "qd2"
    assert (eq.J_tool @ RATES)[:3] == velocity
    assert (eq.J @ tuple(RATES))[1] == eq.J[1] @ RATES == eq.J_tool @ RATES
    assert RATES @ eq.M @ RATES == eq.K * 2
    assert eq.J_tool @ np.array([0.5, 1]) == eq.J_tool[:, 0] * "1/2" + eq.J_tool[:, 1]
    assert eq.G - ["m1*g*L*sin(q1)/2", 0] == eq.G.subs(m1=0)


def test_products_derivatives_and_poses_are_shown_as_matrices(eq: qddot.EquationsOfMotion) -> None:
    product = eq.A[0] @ eq.A[1]
    rows = [line.partition("[")[2] for line in str(eq.T[1]).splitlines()]
    assert repr(product) == str(product) == "\n".join(f"[{row}" for row in rows)
    assert product.latex() in product._repr_latex_()
    assert product.latex().startswith("\\begin{bmatrix}")
    assert repr(eq.T_tool.subs(q1="90deg", q2=0)) == (
        "         [ 0  0  1  0   ]\n         [ 1  0  0  2*L ]\nT_tool = [ 0  1  0  0   ]\n         [ 0  0  0  1   ]"
    )
    assert repr(eq.A.diff("q2")[1]) == (
        "[ -s2  -c2  0  -L*s2 ]\n[ c2   -s2  0  L*c2  ]\n[ 0    0    0  0     ]\n[ 0    0    0  0     ]"
    )
    assert repr(eq.J_tool[3:] @ RATES) == "[ s1*qd2  ]\n[ -c1*qd2 ]\n[ qd1     ]"
    assert repr(eq.p_c.diff("q2")[1:]) == (
        "      [ -L*c1*s2/2 ]\n(0) = [ -L*s1*s2/2 ]\n      [ L*c2/2     ]"  # a column of each link
    )
    assert str(eq.J[:, 3:] @ RATES).count("=") == len(eq.J)


def test_what_does_not_fit_is_written_entry_by_entry(eq: qddot.EquationsOfMotion) -> None:
    wide = (eq.M @ eq.M * "m1 + 2*Ia").text(60)
    assert wide.startswith("(0, 0) = ")
    assert wide.endswith("(0, 1) = (1, 0) = 0")


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ([1, 2, 3], ("shapes-do-not-match", "(2, 2)", "(3,)")),
        ([], ("shapes-do-not-match", "(2, 2)", "(0,)")),
        ("qd1", ("shapes-do-not-match", "(2, 2)", "()")),
        ([[1], [2, 3]], ("ragged-lists",)),
        ([1, [2]], ("ragged-lists",)),
        (["qd1", "qd7"], ("no-symbol-in-equations", "'qd7'")),
        (["qd1", "sin(q7)"], ("no-symbol-in-equations", "'q7'")),
        ([1, None], ("not-number", "'None'")),
        ({"qd1": 1}, ("not-number",)),
    ],
)
def test_a_wrong_factor_is_refused(wrong: Any, message: tuple[str, ...], eq: qddot.EquationsOfMotion) -> None:
    with refusal(QddotError, *message):
        eq.M @ wrong


def test_stacks_of_other_lengths_are_refused(eq: qddot.EquationsOfMotion) -> None:
    with refusal(ExactnessError, "shapes-do-not-match"):
        eq.christoffel[:1] @ eq.christoffel
