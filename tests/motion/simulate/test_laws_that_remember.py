"""A law is a function of its arguments; one that remembers declares a state, or is made afresh for each arm and run."""

from __future__ import annotations

import functools
import pickle
import random
import re
import sys
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from refusals import refusal

import qddot
from qddot import laws
from qddot.base.errors import SimulationError

GAIN = np.array([20.0, 15.0])
SHORT: dict[str, Any] = {"duration": 0.1, "step": 0.01}


class Integral:
    """A PI controller as people write it: it adds up its error over the time between its calls."""

    total: Any = 0.0
    last = 0.0

    def __call__(self, t: Any, q: Any, qd: Any) -> Any:
        self.total = self.total + (0.5 - q) * (t - self.last)
        self.last = t
        return 20 * (0.5 - q) - 3 * qd + self.total


class Counting:
    """It changes its torques at its twentieth call."""

    calls = 0

    def __call__(self, t: Any, q: Any, qd: Any) -> Any:
        self.calls += 1
        return -q if self.calls < 20 else -2 * q


class Logging:
    """It gives the same torques whatever it has noted, and notes what it sees."""

    def __init__(self) -> None:
        self.rows: list[Any] = []

    def __call__(self, t: Any, q: Any, qd: Any) -> Any:
        self.rows.append((t, q))
        return -q


class Resetting(Integral):
    """It begins anew at t = 0, so that it gives the same torques there whatever came before."""

    def __call__(self, t: Any, q: Any, qd: Any) -> Any:
        if t == 0:
            self.total, self.last = 0 * q, 0.0
        return super().__call__(t, q, qd)


def random_law() -> Any:
    rng = np.random.default_rng(1)
    return lambda t, q, qd: rng.normal(size=2)


def dictionary_law() -> Any:
    seen: dict[str, Any] = {"largest": 0.0}

    def law(t: Any, q: Any, qd: Any) -> Any:
        seen["largest"] = seen["largest"] + abs(q[0])
        return [-seen["largest"], 0.0]

    return law


def arm() -> qddot.Robot:
    return qddot.load("two_link")


REMEMBERING = {"a class": Integral, "a reset": Resetting, "numpy.random": random_law, "a dictionary": dictionary_law}


@pytest.mark.parametrize("kind", REMEMBERING)
def test_two_answers_in_one_state_are_never_traced(kind: str) -> None:
    run = arm().simulate([0.3, -0.2], method="rk4", torque=REMEMBERING[kind](), **SHORT)
    assert run.data.attrs["torque"] == "a law that is called from Python"
    (note,) = run.notes
    assert "once a stage, in order of time: called twice in the same state, it gave" in note
    assert "unless laws.made(factory) makes a fresh law" in note


@pytest.mark.parametrize("kind", REMEMBERING)
def test_batches_and_methods_that_take_steps_back_refuse_what_remembers(kind: str) -> None:
    with refusal(SimulationError, "law-remembers-in-a-batch", "2"):
        arm().simulate([[0.3, -0.2]] * 2, method="rk4", torque=REMEMBERING[kind](), **SHORT)
    for method in ("dop853", "radau", "taylor"):
        for law in (REMEMBERING[kind](), laws.made(REMEMBERING[kind])):
            with refusal(SimulationError, "law-remembers-in-repeated-steps", method):
                arm().simulate([0.3, -0.2], torque=law, method=method, **SHORT)


@pytest.mark.parametrize("kind", REMEMBERING)
@pytest.mark.parametrize("method", ["rk4", "midpoint", "semi-implicit"])
def test_a_factory_makes_a_fresh_law_for_each_arm_and_run(kind: str, method: str) -> None:
    law = laws.made(REMEMBERING[kind])
    alone = arm().simulate([0.3, -0.2], torque=law, method=method, **SHORT)
    again = arm().simulate([0.3, -0.2], torque=law, method=method, **SHORT)
    both = arm().simulate([[0.3, -0.2], [0.1, 0.2]], torque=law, method=method, **SHORT)
    assert np.array_equal(alone.tau, again.tau)
    assert np.array_equal(alone.tau, both.tau[0])
    assert "it is given by laws.made, a fresh one for each arm and run" in alone.notes[0]
    repeated = alone._recording.again
    assert repeated is not None
    assert np.array_equal(repeated().arrays["q"], repeated().arrays["q"])
    assert alone.trust().horizon >= 0


def test_a_sampled_law_that_is_made_runs_with_every_method() -> None:
    law = laws.sampled(laws.made(Integral), 0.02)
    runs = [arm().simulate([[0.3, -0.2], [0.1, 0.2]], torque=law, method=m, **SHORT) for m in ("rk4", "taylor")]
    assert np.allclose(runs[0].tau, runs[1].tau, atol=1e-3)
    assert "once a sample: it is given by laws.made" in runs[0].notes[0]


@pytest.mark.parametrize(("method", "calls"), [("rk4", 4), ("midpoint", 1), ("semi-implicit", 1)])
def test_a_law_that_is_made_is_called_in_order_of_time(method: str, calls: int) -> None:
    times: list[list[Any]] = []
    kinds: set[type] = set()

    def factory() -> Any:
        times.append([])

        def law(t: Any, q: Any, qd: Any) -> Any:
            times[-1].append(t)
            kinds.update((type(t), type(q), type(q[0])))
            return -q

        return law

    run = arm().simulate([0.3, -0.2], method=method, torque=laws.made(factory), **SHORT)
    assert [len(each) for each in times] == [1, 10 * calls + 1]
    assert times[-1] == sorted(times[-1])
    assert kinds == {float, np.ndarray, np.float64}
    assert run.tau == pytest.approx(-run.q)


def test_an_integral_reaches_what_the_same_law_with_a_state_in_the_arm_reaches() -> None:
    """One joint, I q̈ = −k ∫ q dt: rk4 over (q, q̇, ∫q) and the law that adds up by itself agree to its first order."""
    joint = qddot.Joint("revolute", axis=(0, 0, 1), coordinate="q1")
    body = qddot.Body.of("link", joint, mass=1, com=(0, 0, 0), about="com", inertia=(1, 0, 0, 1, 0, 1))
    disc = qddot.Robot(qddot.Model("disc", (body,), gravity=(0, 0, 0)))

    def integral() -> Any:
        total, last = 0.0, 0.0

        def law(t: Any, q: Any, qd: Any) -> Any:
            nonlocal total, last
            total, last = total + q[0] * (t - last), t
            return [-total]

        return law

    exact = np.linalg.matrix_power(np.eye(3) + 1e-6 * np.array([[0, 1, 0], [0, 0, -1], [1, 0, 0]]), 10**6) @ [1, 0, 0]
    law = laws.made(integral)
    off = [
        abs(disc.simulate([1.0], method="rk4", duration=1.0, step=h, torque=law).q[-1, 0] - exact[0])
        for h in (1e-2, 5e-3)
    ]
    assert off[0] < 5e-3
    assert off[0] / off[1] == pytest.approx(2, abs=0.1)  # of first order, as its sum is


def test_a_run_of_a_law_that_remembers_is_not_repeated() -> None:
    run = arm().simulate([0.3, -0.2], method="rk4", torque=Integral(), **SHORT)
    with refusal(SimulationError, "run-not-repeatable"):
        run.trust()


def test_a_law_that_asks_for_a_value_and_does_without_is_called() -> None:
    def doubting(t: Any, q: Any, qd: Any) -> Any:
        try:
            return -q if t < 0.095 else -2 * q
        except Exception:
            return -q

    def typed(t: Any, q: Any, qd: Any) -> Any:
        return -2 * q if isinstance(t, float) and t >= 0.095 else -q

    for law in (doubting, typed):
        run = arm().simulate([0.3, -0.2], method="rk4", torque=law, **SHORT)
        assert run.data.attrs["torque"] == "a law that is called from Python"
        assert np.array_equal(run.tau, [-q if t < 0.095 else -2 * q for t, q in zip(run.time, run.q, strict=True)])


LATER = 20  # calls: more than those by which a law is tried and traced


def default_law() -> Any:
    def law(t: Any, q: Any, qd: Any, calls: list[int] = [0]) -> Any:  # noqa: B006 - as people write it
        calls[0] += 1
        return -q if calls[0] < LATER else -2 * q

    return law


def generator_law() -> Any:
    gains = iter([1.0] * LATER + [2.0] * 1000)
    return lambda t, q, qd: -next(gains) * q


def every(count: int) -> Any:
    def factory() -> Any:
        calls = 0

        def law(t: Any, q: Any, qd: Any) -> Any:
            nonlocal calls
            calls += 1
            return -q if calls < LATER or calls % count else -2 * q

        return law

    return factory


def clock_law() -> Any:
    times = iter([0.0] * LATER)
    return lambda t, q, qd: -q if next(times, 9.0) < 1 else -2 * q


def state_law() -> Any:
    law: Any = generator_law()
    declared = lambda t, q, qd, z: (law(t, q, qd), [0.0])  # noqa: E731
    declared.z0 = [0.0]  # type: ignore[attr-defined]
    return declared


SHOWING_IT_LATE = {
    "an attribute": Counting,
    "a mutable default": default_law,
    "a generator": generator_law,
    "every second call": every(2),
    "every tenth call": every(10),
    "a clock": clock_law,
    "a state that is not all": state_law,
    "sampled": lambda: laws.sampled(Counting(), 0.02),
}


@pytest.mark.parametrize("kind", SHOWING_IT_LATE)
def test_a_law_that_changes_after_it_was_tried_is_an_error(kind: str) -> None:
    """Its program has its first answers alone; so the law is asked again in states of the run, and then tells."""
    for method in ("rk4", "taylor"):
        with pytest.raises(SimulationError) as error:
            arm().simulate([0.3, -0.2], None, 0.5, 0.01, method, torque=SHOWING_IT_LATE[kind]())
        message = str(error.value)
        assert re.search(
            r"the torque law was compiled, and gave \[.*\] near t = [\d.]+ s; called again in the same state", message
        )
        assert "declare a state by z0, or give laws.made(factory)" in message


def test_so_are_other_functions_that_change() -> None:
    acting = qddot.forces.Wrench("tool", lambda t, q, qd: [next(pushes), 0, 0])
    pushes = iter([0.0] * LATER + [5.0] * 1000)
    with refusal(SimulationError, "compiled-gives-another-answer", "force"):
        arm().simulate([0.3, -0.2], None, 0.5, 0.01, forces=acting)
    levels = iter([-1.0] * LATER + [-2.0] * 1000)
    with refusal(SimulationError, "compiled-gives-another-answer", "the-event-function"):
        arm().simulate([0.3, -0.2], None, 0.5, 0.01, event=lambda t, q, qd: next(levels))
    times = iter([-1.0] * LATER + [-2.0] * 1000)
    load = qddot.forces.Payload(1.0, taken=lambda t, q, qd: next(times))
    with refusal(SimulationError, "compiled-gives-another-answer", "taken"):
        arm().simulate([0.3, -0.2], None, 0.5, 0.01, forces=load)


def test_so_is_such_a_law_of_a_sweep() -> None:
    motion = qddot.Motion([qddot.normal(0.3, 0.1), 0.0], duration=0.5, step=0.01, torque=Counting())
    with refusal(SimulationError, "compiled-gives-another-answer", "the-torque-law"):
        qddot.sweep(arm(), motion, draws=4)


def test_a_law_with_jumps_by_design_is_none_of_these() -> None:
    """Where a state lies on a jump, rounding may decide otherwise in a program than in Python."""
    jumping = (
        lambda t, q, qd: [3 * qddot.sign(qddot.sin(10 * np.pi * t)), -qddot.sign(q[1])],
        lambda t, q, qd: [qddot.rint(10 * q[0]) / 10, qddot.maximum(q[1], 0.0)],
        lambda t, q, qd: -1e6 * (qddot.sin(q) - np.sin([0.3, -0.2])) - 100 * qd,
    )
    for law in jumping:
        for start in ([0.3, -0.2], [0.0, 0.0]):
            assert arm().simulate(start, None, 0.5, 0.01, "rk4", torque=law, limits=False).complete


def test_what_a_factory_makes_may_count() -> None:
    made = arm().simulate([0.3, -0.2], method="rk4", duration=0.3, step=0.01, torque=laws.made(Counting))
    assert np.allclose(made.tau[:4], -made.q[:4])
    assert np.allclose(made.tau[6:], -2 * made.q[6:])


def test_a_signal_that_a_law_keeps_is_an_error_that_names_the_remedy() -> None:
    with refusal(SimulationError, "law-kept-a-signal"):
        arm().simulate([0.3, -0.2], method="rk4", torque=Logging(), **SHORT)
    kept: list[Any] = []

    def summed(t: Any, q: Any, qd: Any) -> Any:
        """Its sum is zero for the numbers that it is tried with, and a signal where it is traced."""
        kept[:] = [sum(kept) + 0 * q[0]]
        return -q + kept[0]

    with refusal(SimulationError, "law-kept-a-signal"):
        arm().simulate([0.3, -0.2], method="rk4", torque=summed, **SHORT)
    for law in (lambda: Logging(), lambda: summed):
        kept.clear()
        run = arm().simulate([0.3, -0.2], method="rk4", torque=laws.made(law), **SHORT)
        assert np.allclose(run.tau, -run.q)


def test_a_law_that_branches_after_it_has_kept_a_signal_is_refused_too() -> None:
    rows: list[Any] = []

    def law(t: Any, q: Any, qd: Any) -> Any:
        rows[:] = [q[0]]
        return -q if q[0] > -9 else q

    with refusal(SimulationError, "law-kept-a-signal"):
        arm().simulate([0.3, -0.2], method="rk4", torque=law, **SHORT)


@pytest.mark.parametrize("method", ["rk4", "midpoint"])
def test_a_law_that_is_made_is_limited_and_filtered(method: str) -> None:
    """A law around one that remembers is a law that remembers: the factory makes both, for each arm and run."""
    two, both = arm(), [[0.3, -0.2], [0.1, 0.2]]
    for outer in (functools.partial(laws.limited, effort=[4.0, 2.0]), functools.partial(laws.filtered, time=0.05)):

        def inner(outer: Any = outer) -> Any:
            return outer(Integral())

        around = two.simulate(both, torque=outer(laws.made(Integral)), method=method, **SHORT)
        inside = two.simulate(both, torque=laws.made(inner), method=method, **SHORT)
        assert np.array_equal(around.q, inside.q)
        assert np.array_equal(around.tau, inside.tau)
        assert np.array_equal(
            around.tau[1], two.simulate(both[1], torque=outer(laws.made(Integral)), method=method, **SHORT).tau
        )
    limited = two.simulate(both, torque=laws.limited(laws.made(Integral), [4.0, 2.0]), method=method, **SHORT).tau
    free = two.simulate(both, torque=laws.made(Integral), method=method, **SHORT).tau
    assert (np.abs(limited) <= [4.0, 2.0]).all()
    assert np.array_equal(limited[:, 0], np.clip(free[:, 0], [-4.0, -2.0], [4.0, 2.0]))
    assert not np.array_equal(limited[:, 0], free[:, 0])


def test_a_filtered_law_of_a_factory_is_the_filtered_law() -> None:
    law = laws.pd([0.5, 0.5], 20.0, 3.0)
    two, torques = arm(), [laws.filtered(law, 0.05), laws.filtered(laws.made(lambda: law), 0.05)]
    compiled, called = (two.simulate([0.3, -0.2], torque=each, method="rk4", **SHORT) for each in torques)
    assert called.data.attrs["torque"] == "a law that is called from Python"
    assert called.q == pytest.approx(compiled.q, abs=1e-12)
    assert called.z == pytest.approx(compiled.z, abs=1e-10)


def test_laws_around_laws_that_are_made_go_to_other_processes() -> None:
    law = laws.limited(laws.filtered(laws.made(Integral), 0.05), 4.0)
    again = pickle.loads(pickle.dumps(law))
    runs = [arm().simulate([0.3, -0.2], torque=each, method="rk4", **SHORT) for each in (law, again)]
    assert np.array_equal(runs[0].tau, runs[1].tau)


def test_what_stands_around_no_law_is_refused() -> None:
    with refusal(SimulationError, "observer-of-a-made-law"):
        laws.momentum_observer(arm(), laws.made(Integral), 10.0)
    with refusal(SimulationError, "limits-of-no-function"):
        laws.limited(laws.sampled(laws.made(Integral), 0.02), 5.0)  # type: ignore[call-overload]


def test_a_law_that_fails_says_where() -> None:
    law: Any = Integral()
    law.last = "no time"
    with refusal(SimulationError, "law-raised", "TypeError", "0"):
        arm().simulate([0.3, -0.2], method="rk4", torque=law, **SHORT)


@pytest.mark.parametrize(
    ("factory", "error"),
    [
        (lambda: 3, ("factory-returned-no-law",)),
        (lambda: 1 / 0, ("factory-raised", "ZeroDivisionError")),
        ("Integral", ("made-without-function",)),
    ],
)
def test_a_factory_makes_laws(factory: Any, error: tuple[str, ...]) -> None:
    with refusal(SimulationError, *error):
        arm().simulate([0.3, -0.2], method="rk4", torque=laws.made(factory), **SHORT)


def test_an_event_that_remembers_is_refused() -> None:
    seen: list[float] = []

    def event(t: Any, q: Any, qd: Any) -> Any:
        seen.append(t)
        return q[0] - len(seen)

    with refusal(SimulationError, "two-answers-in-one-state", "the-event-function", "-0.9", "-1.9"):
        arm().simulate([0.1, 0], method="rk4", duration=0.1, event=event)
    with refusal(SimulationError, "two-answers-in-one-state", "the-event-function"):
        arm().simulate([0.1, 0], method="rk4", duration=0.1, event=lambda t, q, qd: q[0] - 5 + 0.1 * random.random())


def test_an_event_stops_an_arm_that_a_law_with_a_memory_drives() -> None:
    for method in ("rk4", "midpoint"):
        law = laws.made(Integral)
        run = arm().simulate([0.3, -0.2], duration=1.0, method=method, torque=law, event=lambda t, q, qd: 0.25 - q[0])
        (stop,) = run.stops
        assert stop.q[0] == pytest.approx(0.25, abs=1e-9)


@dataclass(frozen=True)
class Spring:
    """A law of a class with an array and a library's objects."""

    stiffness: Any

    def __call__(self, t: Any, q: Any, qd: Any) -> Any:
        return -self.stiffness * q * GAIN


def test_laws_that_are_functions_are_compiled() -> None:
    two = arm()
    motion = laws.quintic([0, 0], [1, 1], 1.0)
    options = {"kp": 3.0}
    for law in (
        Spring(np.array([1.0, 2.0])),
        laws.limited(laws.computed_torque(two, motion, 10.0, 5.0), 50.0),
        laws.pd_gravity(two, motion, 10.0, 2.0),
        functools.partial(lambda gain, t, q, qd: -gain * q, GAIN),
        lambda t, q, qd: np.dot(np.diag(GAIN), -q) + options["kp"] * np.array([qddot.sin(t), 0.0]),
        lambda t, q, qd: GAIN * (motion(t)[0] - q) - two.n * qd,
    ):
        run = two.simulate([0.3, -0.2], method="rk4", duration=0.05, step=0.01, torque=law)
        assert run.data.attrs["torque"] == "a law, compiled", run.notes


def test_a_law_is_tried_in_eight_calls_traced_once_and_called_again(
    capsys: pytest.CaptureFixture[str],
) -> None:
    def law(t: Any, q: Any, qd: Any) -> Any:
        sys.stdout.write(f"{type(t).__name__} ")
        return -q

    arm().simulate([0.3, -0.2], method="rk4", torque=law, **SHORT)
    assert sorted(capsys.readouterr().out.split()) == ["Signal", *["float"] * (8 + 64)]
