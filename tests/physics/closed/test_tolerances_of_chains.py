"""Quantities of closed chains for all values within the tolerances of symbols, also of lengths that move the loops."""

from __future__ import annotations

import numpy as np
import pytest
from chains import chain, whipple

from qddot.base.errors import EvaluationError
from qddot.faces.closed_chain import ClosedChain
from qddot.formats.finding import CLOSED_ZOO
from qddot.formats.toml import loop_tables

TIGHT = ("M", "G", "R", "K", "P", "J_tool")
NAMES = (*TIGHT, "tau", "h", "C", "gamma")  # terms of the others nearly cancel


def tolerant(name: str, tolerances: dict[str, float]) -> ClosedChain:
    text = (CLOSED_ZOO / f"{name}.toml").read_text(encoding="utf-8")
    for symbol, tolerance in tolerances.items():
        assert f"\n{symbol} = {{ value" in text
        text = text.replace(f"\n{symbol} = {{ value", f"\n{symbol} = {{ tolerance = {tolerance}, value")
    return ClosedChain(loop_tables.loads(text, name))


@pytest.mark.parametrize(
    ("name", "guess", "tolerances"),
    [
        ("four_bar", {"q1": 1.0, "q2": -0.5, "q3": 1.5}, {"a": 0.001, "b": 0.002, "d": 0.001, "m2": 0.05}),
        pytest.param(
            "delta",
            {"q1": 0.3, "q2": 0.4, "q3": 0.5, "z": -0.6},
            {"a": 0.001, "l": 0.001, "mp": 0.02},
            marks=pytest.mark.thorough,
        ),
        ("slider_crank", {"q1": 1.0, "q2": -1.2, "x": 0.2}, {"r": 0.0005, "l": 0.001, "m3": 0.01}),
    ],
)
def test_no_values_within_tolerances_are_beyond_the_bounds(
    name: str, guess: dict[str, float], tolerances: dict[str, float]
) -> None:
    """For random values, the loops close elsewhere with the same independent coordinates; the bounds hold there, and
    are a few times as wide as what is seen."""
    mechanism, random = tolerant(name, tolerances), np.random.default_rng(2)
    eq, q, n = mechanism.equations(), mechanism.assemble(guess).q, mechanism.tree.model.n
    qd, qdd = random.normal(size=(2, n))
    bounds = {each: eq.interval(each, q, qd, qdd) for each in NAMES}
    exact = eq.at(q, qd, qdd)
    defaults = mechanism.tree.model.defaults()
    seen: dict[str, list[np.ndarray]] = {each: [exact[each]] for each in NAMES}
    for signs in random.choice([-1.0, 1.0, 0.3], size=(30, len(tolerances))):
        values = {s: defaults[s] + sign * own for (s, own), sign in zip(tolerances.items(), signs, strict=True)}
        moved = mechanism.with_values(**{s: str(x) for s, x in values.items()}).assemble(q).q
        state = eq.at(moved, qd, qdd, **values)
        for each in NAMES:
            seen[each].append(state[each])
    for each, (low, high) in bounds.items():
        least, most = np.min(seen[each], axis=0), np.max(seen[each], axis=0)
        slack = 1e-9 * max(1.0, float(np.abs(most).max(initial=0.0)))
        assert (low <= least + slack).all() and (most <= high + slack).all(), each
        wide = float(np.max(high - low, initial=0.0))
        assert each not in TIGHT or wide <= 4 * float(np.max(most - least, initial=0.0)) + slack, each


@pytest.mark.thorough
def test_without_tolerances_the_bounds_are_the_numbers() -> None:
    mechanism = whipple()
    q = mechanism.assemble({"lean": 0.1, "delta": 0.2}).q
    eq, qd = mechanism.equations(), np.linspace(-1, 1, 10)
    for name in ("M", "G"):
        low, high = eq.interval(name, q, qd)
        np.testing.assert_allclose(low, eq.at(q, qd)[name], rtol=1e-6, atol=1e-6)
        np.testing.assert_allclose(high - low, 0, atol=1e-6)


def test_tolerances_that_reach_a_dead_point_are_refused() -> None:
    """A follower whose lengths may differ by half may be stretched out."""
    mechanism = tolerant("four_bar", {"b": 0.25})
    q = mechanism.assemble({"q1": 1.0, "q2": -0.5, "q3": 1.5}).q
    with pytest.raises(EvaluationError, match="q2, q3 are not proved to follow from q1"):
        mechanism.equations().interval("M", q)
    given = mechanism.equations().interval("M", q, b=0.5001 - 0.0001 + 1e-12)
    np.testing.assert_allclose(given[0], chain("four_bar").mass_matrix(q), rtol=1e-6)
