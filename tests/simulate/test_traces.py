"""A law's trace is kept from run to run, as long as the law leads to the same things."""

from __future__ import annotations

import gc
import weakref
from typing import Any

import numpy as np
import pytest

import qddot
from qddot.simulate import traces
from qddot.simulate.acting import torque

GAIN = 3.0
START = [0.3, -0.2]


class Controller:
    def __init__(self, gain: float) -> None:
        self.gains = {"kp": [gain, np.array([1.0, 2.0])]}

    def __call__(self, t: Any, q: Any, qd: Any) -> Any:
        kp, weights = self.gains["kp"]
        return -kp * weights * q - qd


def end_of(law: Any) -> Any:
    """Returns where a run with the law ends."""
    return qddot.load("two_link").simulate(START, duration=0.05, step=0.01, torque=law).q[-1]


@pytest.fixture
def traced(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Returns the laws that were traced, in order."""
    laws: list[Any] = []
    alone = torque.alone

    def counted(law: Any, n: int) -> Any:
        laws.append(law)
        return alone(law, n)

    monkeypatch.setattr(torque, "alone", counted)
    return laws


def test_a_law_that_stays_is_traced_once(traced: list[Any]) -> None:
    gain = np.array([2.0, 1.0])
    controller = Controller(2.0)
    for law in (lambda t, q, qd: -gain * q, controller, lambda t, q, qd: -GAIN * np.abs(GAIN) * q - t):
        traced.clear()
        assert len({tuple(end_of(law)) for _ in range(3)}) == 1
        assert traced == [law]


def test_what_a_law_leads_to_may_change_between_runs(traced: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    gain, cell, controller = np.array([2.0, 1.0]), [1.0, (2.0, [3.0])], Controller(2.0)

    def helper(q: Any) -> Any:
        return -q

    def law(t: Any, q: Any, qd: Any) -> Any:
        return helper(q) * GAIN * cell[1][1][0] - gain * q + controller(t, q, qd) * cell[0]  # type: ignore[index]

    def exchange_helper() -> None:
        nonlocal helper
        helper = lambda q: -2 * q  # noqa: E731

    def exchange_code() -> None:
        helper.__code__ = (lambda q: -4 * q).__code__

    changes = (
        lambda: gain.__setitem__(0, 5.0),
        lambda: cell.__setitem__(0, -0.0),
        lambda: cell[1][1].__setitem__(0, 7.0),  # type: ignore[index]
        lambda: monkeypatch.setitem(globals(), "GAIN", 4.0),
        lambda: controller.gains["kp"].__setitem__(0, 9.0),
        lambda: cell.__setitem__(0, 1.0),
        lambda: controller.gains["kp"][1].__setitem__(1, 9.0),  # type: ignore[index]
        lambda: setattr(controller, "gains", {"kp": [1.0, np.array([3.0, 3.0])]}),
        exchange_helper,
        exchange_code,
        lambda: monkeypatch.setattr(Controller, "__call__", lambda self, t, q, qd: -q * 11),
    )
    for change in changes:
        end_of(law)
        traced.clear()
        change()
        kept, fresh = end_of(law), end_of(lambda t, q, qd: law(t, q, qd))
        assert traced[0] is law
        assert np.array_equal(kept, fresh)


def test_what_a_library_holds_is_asked_for_again(traced: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Its globals are not looked into, but the torques are compared with calls at every run."""
    monkeypatch.setattr(traces, "_print_of", lambda law, n: "the same")
    gain = [1.0]
    law = lambda t, q, qd: -gain[0] * q  # noqa: E731
    end_of(law)
    gain[0] = 2.0
    assert np.array_equal(end_of(law), end_of(lambda t, q, qd: -2.0 * q))


def test_a_kept_trace_holds_no_law() -> None:
    cycle: list[Any] = [1.0]
    law = lambda t, q, qd: -cycle[0] * q  # noqa: E731
    cycle.append(law)
    traces.kept(law, (2, 0), torque.alone)
    assert law in traces._kept
    gone = weakref.ref(law)
    del law
    cycle = []
    gc.collect()
    assert gone() is None
