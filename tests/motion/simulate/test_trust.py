"""A run is judged by a method of another kind, so that an error which the method repeats at any step is seen."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import qddot
from qddot import laws
from qddot.faces.run import Run
from qddot.motion.simulate.runs.samples import Arrays
from qddot.motion.simulate.stepping.methods import METHODS
from qddot.motion.simulate.stepping.schemes import CLASSICAL

ARM = qddot.load("two_link")
START, RATES = [1.0, 0.5], [0.3, -0.2]


def moved(method: Any = None, **asked: Any) -> Run:
    asked = {"duration": 1.0, "step": 0.01, "limits": False, **asked}
    return ARM.simulate(START, RATES, method=method, **asked)


def called(t: float, q: Any, qd: Any) -> Any:
    """A law that cannot be traced."""
    return [-float(qd[0]), -3 * float(np.sin(q[1]))]


def with_coordinates(run: Run, q: Any) -> Run:
    """Returns a run as if its method had computed other coordinates."""
    own = run.arrays
    wrong = Arrays({**own.variables, "q": own.variables["q"]._replace(values=q)}, own.coords, own.attrs)
    run._recording = replace(run._recording, samples=wrong)
    return run


@pytest.mark.parametrize(
    ("method", "other"),
    [
        ("rk4", "dop853"),
        ("semi-implicit", "dop853"),
        ("midpoint", "dop853"),
        ("taylor", "dop853"),
        ("dop853", "taylor"),
        ("radau", "taylor"),
    ],
)
def test_each_method_is_compared_with_one_of_another_kind_and_says_so(method: str, other: str) -> None:
    trust = moved(method, step=1e-4).trust(0.02)
    assert (trust.compared.method, trust.horizon) == (other, 1.0)
    expected = f"reliable to the end: a run by {other} to a tolerance of {METHODS[other].precise.relative:g} agrees"  # type: ignore[union-attr]
    assert str(trust).startswith(expected)
    assert trust.compared.caveat == ""


@pytest.mark.parametrize("method", ["rk4", "midpoint", "dop853", "radau", "taylor"])
def test_a_run_that_leaves_the_motion_smoothly_is_reliable_until_then(method: str) -> None:
    """Half the step cannot show it: an error that begins at half a second, and passes 0.01 rad at 0.7 s."""
    run = moved(method, step=1e-4)
    late = np.maximum(run.time - 0.5, 0)[:, None]
    wrong = with_coordinates(run, (run.q + 0.25 * late**2)[None])
    trust = wrong.trust()
    assert trust.horizon == pytest.approx(0.7, abs=0.005)
    assert f"after that, a run by {trust.compared.method}" in str(trust)
    assert trust.compared.method != method


def test_a_scheme_that_repeats_its_error_at_any_step_is_not_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Weights that add up to 1.02 make the arm move 2 % too fast, with any step."""
    wrong = replace(CLASSICAL, weights=tuple(1.02 * b for b in CLASSICAL.weights))
    monkeypatch.setitem(METHODS, "rk4", replace(METHODS["rk4"], scheme=lambda: wrong))
    run, finer = (moved("rk4", step=step, m1=1.2345) for step in (0.001, 0.0005))
    assert run.compare(finer, within=0.01), "half the step agrees"
    trust = run.trust()
    assert float(trust.horizon) < 0.5
    assert "differs by more than 0.01 in a coordinate" in str(trust)


def test_each_arm_of_a_batch_has_its_own_verdict() -> None:
    run = ARM.simulate([START, START], [RATES, RATES], duration=1.0, step=0.01, method="dop853")
    late = np.maximum(run.time - 0.5, 0)[:, None] * np.array([0, 1])[:, None, None]
    trust = with_coordinates(run, run.q + 0.25 * late**2).trust()
    right, wrong = trust.verdicts
    assert right.startswith("reliable to the end: a run by taylor")
    assert wrong.startswith("reliable up to 0.7 s; after that, a run by taylor")
    assert str(trust) == f"arm 1: {wrong}"


def test_a_run_that_stops_where_others_go_on_says_so() -> None:
    run = moved("rk4")
    q = run.q[None].copy()
    q[:, 31:] = np.nan
    trust = with_coordinates(run, q).trust()
    assert trust.horizon == pytest.approx(0.3)
    assert "reliable up to 0.3 s, where this run ends, whereas a run by dop853" in str(trust)
    assert "goes on to 1 s; nothing is known after that" in str(trust)
    stopped = moved("rk4", event=lambda t, q, qd: t - 0.305)
    assert "where this run ends, and so does a run by dop853" in str(stopped.trust())


def test_a_law_that_is_called_is_judged_by_a_method_that_may_call_it() -> None:
    assert moved("rk4", torque=called).trust().compared.method == "dop853"
    trust = moved("dop853", torque=called, step=0.1).trust()
    assert trust.compared.about == "a run by rk4 in steps of 0.001 s"
    assert trust.horizon == 1.0
    sampled = moved(None, torque=laws.sampled(called, 0.02)).trust()
    assert (sampled.compared.method, sampled.horizon) == ("dop853", 1.0)


class Counting:
    """A law that has to be called in order of time."""

    total = 0.0

    def __call__(self, t: Any, q: Any, qd: Any) -> Any:
        self.total = self.total + 0.01 * float(q[0])
        return [-self.total, 0.0]


@pytest.mark.parametrize(
    ("method", "asked", "finer"),
    [
        ("rk4", {"torque": laws.made(Counting)}, "half the step"),
        ("rk4", {"torque": lambda t, q, qd: -50 * qddot.sign(qd + 5 * q)}, "half the step"),
        ("radau", {"damping": 1e10}, "a hundredth of the tolerance"),
    ],
)
def test_where_no_other_kind_takes_a_run_it_says_that_only_the_step_was_changed(
    method: str, asked: dict[str, Any], finer: str
) -> None:
    """It remembers, slides without end, or is so stiff that explicit methods give up."""
    trust = moved(method, **asked).trust()
    assert trust.compared.about == f"a run by {method} with {finer}"
    assert "no method of another kind takes this run, so errors that do not depend on the step stay unseen" in str(
        trust
    )


def test_a_stiff_run_is_judged_by_the_implicit_method(monkeypatch: pytest.MonkeyPatch) -> None:
    """Explicit methods need 17,000 steps and more, and give up soon in a comparison; radau needs 1,700."""
    monkeypatch.setattr("qddot.motion.simulate.stepping.integration.LOOKED", 100)
    monkeypatch.setattr("qddot.motion.simulate.stepping.integration.HURRIED", 5_000)
    trust = moved("taylor", duration=0.1, damping=1e5).trust()
    assert (trust.compared.method, trust.horizon) == ("radau", 0.1)


def test_a_chaotic_run_is_still_reliable_up_to_a_time() -> None:
    arm = qddot.load("spatial_2r")
    trust = arm.simulate([np.pi, 0], [0.1, 0.1], 20.0, 0.01, "rk4").trust()
    assert 10 < float(trust.horizon) < 13
    assert "a run by dop853 to a tolerance of 1e-13 differs by more than 0.01 in a coordinate, and by" in str(trust)
    assert str(trust).endswith("at the end, even if the energy is in balance")
