"""A stepper of a closed chain makes one tick, and the loops are closed after it."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from chains import GUESSES, chain, whipple
from test_over_constrained import CLOSE, model

from qddot.base.errors import EvaluationError, QddotError, SimulationError
from qddot.faces.closed_chain import ClosedChain


def begun(of: ClosedChain) -> tuple[Any, Any]:
    guess = {**GUESSES, **CLOSE}.get(of.name)
    q = of.neutral() if guess is None else of.assemble(guess).q
    return q, of.velocities(q, np.full(of.m, 0.7))


CHAINS = {
    "four_bar": lambda: chain("four_bar"),
    "delta": lambda: chain("delta"),
    "unicycle": lambda: chain("unicycle"),
    "bennett": lambda: ClosedChain(model("bennett"), near=CLOSE["bennett"]),
    "bicycle": whipple,
    "delta_parallelograms": lambda: chain("delta_parallelograms"),
}
LONG = {"bicycle": pytest.mark.thorough, "delta_parallelograms": pytest.mark.thorough}


@pytest.mark.parametrize("name", [pytest.param(name, marks=LONG.get(name, ())) for name in CHAINS])
def test_ticks_are_the_steps_of_a_run_with_the_same_torque(name: str) -> None:
    of = CHAINS[name]()
    (q, qd), tau = begun(of), np.linspace(-0.3, 0.4, of.n)
    run = of.simulate(q, qd, 0.03, 1e-3, "rk4", torque=tau, damping=0.02, limits=False)
    stepper = of.stepper(1e-3, damping=0.02)
    for k in range(30):
        q, qd = stepper(q, qd, tau)
        # the same operations in another order
        assert q == pytest.approx(run.q[k + 1], rel=1e-12, abs=1e-12)
        assert qd == pytest.approx(run.qd[k + 1], rel=1e-11, abs=1e-11)
    phi, A = of.closure(q)
    assert np.abs(phi).max(initial=0.0) < 1e-14
    assert np.abs(A @ qd).max() < 1e-12


def test_batches_arrays_to_fill_values_and_copies_give_the_same_ticks() -> None:
    for of in (chain("four_bar"), CHAINS["bennett"]()):
        (q, qd), tau = begun(of), np.linspace(-0.3, 0.4, of.n)
        stepper = of.stepper(0.01)
        one = stepper(q, qd, tau)
        many = stepper([q, q], [qd, qd], [tau, tau])
        assert np.allclose(many, np.array(one)[:, None], rtol=0, atol=1e-14)
        assert np.array_equal(pickle.loads(pickle.dumps(stepper))(q, qd, tau), one)
        at: Any = q.copy(), qd.copy()
        stepper(*at, tau, out=at)
        assert np.array_equal(at, one)
    of = chain("four_bar")
    heavy, changed = of.stepper(0.01, m2=3.0), of.with_values(m2=3.0).stepper(0.01)
    (q, qd), tau = begun(of), np.zeros(of.n)
    assert np.array_equal(heavy(q, qd, tau), changed(q, qd, tau))
    assert not np.array_equal(heavy(q, qd, tau), of.stepper(0.01)(q, qd, tau))
    assert repr(heavy) == "<stepper of four_bar: rk4, 0.01 s>"


def test_what_cannot_be_stepped_is_refused() -> None:
    of = chain("four_bar")
    for make, error in (
        (lambda: of.stepper(0), "step = 0"),
        (lambda: of.stepper(0.01, damping=-1), "damping has the entry"),
        (lambda: of.stepper(0.01, m9=1), "no argument and no symbol 'm9'"),
    ):
        with pytest.raises(QddotError, match=error):
            make()
    (q, qd), stepper = begun(of), of.stepper(0.01)
    with pytest.raises(EvaluationError, match="qd has the shape"):
        stepper(q, qd[:2], [0, 0, 0])
    with pytest.raises(SimulationError, match="is not finite"):
        stepper(q, [np.inf, 0, 0], [0, 0, 0])


@pytest.mark.parametrize("name", ["four_bar", "delta", "unicycle", "bennett"])
def test_positions_reached_at_constant_rates_have_closed_loops(name: str) -> None:
    """The free coordinates move by their rates, the others follow; between two closed positions the way is known."""
    of = CHAINS[name]()
    q, qd = begun(of)
    later = of.integrate([q, q], qd, [0.1, 0.2])
    assert np.abs(of.closure(later)[0]).max(initial=0.0) < 1e-14
    places = [of.model.tree.coordinates.index(coordinate) for coordinate in of.independent]
    assert later[1][places] == pytest.approx(q[places] + 0.2 * qd[places], abs=1e-15)
    assert of.integrate(q, of.difference(q, later[1])) == pytest.approx(later[1], abs=1e-14)
    slope = (of.integrate(q, qd, 1e-5) - of.integrate(q, qd, -1e-5)) / 2e-5
    assert slope == pytest.approx(qd, abs=1e-8)
    assert np.abs(of.closure(of.neutral())[0]).max(initial=0.0) < 1e-14
