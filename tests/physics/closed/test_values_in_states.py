"""Values of symbols with each call, also one for each state, and joints of several freedoms in loops."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from chains import GUESSES, assembled, chain

from qddot.base.errors import EvaluationError
from qddot.formats.finding import CLOSED_ZOO
from qddot.formats.toml import loop_tables


def test_each_state_may_have_its_own_values() -> None:
    of, rng = chain("four_bar"), np.random.default_rng(2)
    given: dict[str, Any] = {"m2": [1.0, 2.5, 4.0], "g": [9.81, 1.62, 3.7], "m3": 0.7}
    q = np.array([assembled("four_bar").q] * 3)
    u, ud, tau = rng.normal(size=(3, of.m)), rng.normal(size=(3, of.m)), rng.normal(size=(3, of.n))
    qd = of.velocities(q, u)
    qdd = of.accelerations(q, qd, ud)
    calls: dict[str, tuple[Any, ...]] = {
        "mass_matrix": (q,),
        "forward_dynamics": (q, qd, tau),
        "inverse_dynamics": (q, qd, qdd),
        "multipliers": (q, qd, qdd, tau),
        "forward_dynamics_derivatives": (q, qd, tau),
        "inverse_dynamics_derivatives": (q, qd, qdd),
    }
    # the state in the middle has neither the first values nor the last
    own = of.with_values(m2=2.5, g=1.62, m3=0.7)
    for function, arrays in calls.items():
        together = getattr(of, function)(*arrays, **given)
        alone = getattr(own, function)(*(array[1] for array in arrays))
        pairs = zip(together, alone, strict=True) if isinstance(alone, tuple) else [(together, alone)]
        for batch, one in pairs:
            assert np.allclose(batch[1], one, rtol=1e-12, atol=1e-12), function


def test_lengths_may_differ_between_states() -> None:
    of = chain("delta")
    lengths = np.array([0.55, 0.6, 0.65])
    q = np.array([of.with_values(l=float(l)).assemble(GUESSES["delta"]).q for l in lengths])
    assert np.abs(of.closure(q, l=lengths)[0]).max() < 1e-12
    assert np.abs(of.closure(q)[0]).max() > 1e-3
    u = np.ones((3, of.m))
    together, tool = of.velocities(q, u, l=lengths), of.jacobian(q, l=lengths)
    for k, l in enumerate(lengths):
        own = of.with_values(l=float(l))
        assert np.allclose(together[k], own.velocities(q[k], u[k]), rtol=1e-13)
        assert np.allclose(tool[k], own.jacobian(q[k]), rtol=1e-12, atol=1e-14)


def test_unknown_symbols_are_named() -> None:
    of = chain("four_bar")
    with pytest.raises(EvaluationError, match="no symbol 'm9' in four_bar"):
        of.mass_matrix(assembled("four_bar").q, m9=1)


def test_a_symbol_without_a_default_may_be_given_with_the_call() -> None:
    text = (CLOSED_ZOO / "four_bar.toml").read_text(encoding="utf-8")
    bare = type(chain("four_bar"))(loop_tables.loads(text.replace("m2 = { value = 2.0, ", "m2 = { "), "bare"))
    q = assembled("four_bar").q
    assert bare.mass_matrix(q, m2=2.0) == pytest.approx(chain("four_bar").mass_matrix(q), rel=1e-14)
    with pytest.raises(EvaluationError, match="no value for m2"):
        bare.mass_matrix(q)
