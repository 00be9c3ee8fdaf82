"""Laws with a memory are found before they are compiled, called in order of time, and left unchanged."""

from __future__ import annotations

import copy
import functools
import random
import sys
import time
from collections import deque
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import qddot
from qddot import laws
from qddot.simulate.acting.torque import torque_of
from qddot.simulate.memory import Memory

GAIN = np.array([20.0, 15.0])
STATE = {"calls": 0, "seen": []}
COUNT = 0


class Integral:
    """A PI controller as people write it: it adds up its error over the time between its calls."""

    total: Any = 0.0
    last = 0.0

    def __call__(self, t: Any, q: Any, qd: Any) -> Any:
        self.total = self.total + (0.5 - q) * (t - self.last)
        self.last = t
        return 20 * (0.5 - q) - 3 * qd + self.total


class Logging:
    """It changes nothing but what it leads to."""

    __slots__ = ("queue", "rows")

    def __init__(self) -> None:
        self.rows: list[Any] = []
        self.queue: deque[Any] = deque(maxlen=3)

    def torque(self, t: Any, q: Any, qd: Any) -> Any:
        self.rows.append((t, q))
        self.queue.append(t)
        return -q


class OfTheClass:
    calls = 0
    log: list[Any] = []  # noqa: RUF012

    def __call__(self, t: Any, q: Any, qd: Any) -> Any:
        OfTheClass.calls += 1
        type(self).log.append(t)
        return -q


def counting_in_a_global(t: Any, q: Any, qd: Any) -> Any:
    global COUNT
    COUNT += 1
    return -q if COUNT < 20 else -2 * q


def through_a_helper(t: Any, q: Any, qd: Any) -> Any:
    return _helper(q)


def _helper(q: Any) -> Any:
    STATE["calls"] += 1  # type: ignore[operator]
    STATE["seen"].append(q)  # type: ignore[attr-defined]
    return -q


def by_default(t: Any, q: Any, qd: Any, cell: Any = [0.0]) -> Any:  # noqa: B006
    cell[0] = cell[0] + q[0]
    return -q


def by_attribute(t: Any, q: Any, qd: Any) -> Any:
    by_attribute.last = q  # type: ignore[attr-defined]
    return -q


def by_array(row: Any, t: Any, q: Any, qd: Any) -> Any:
    row += 1
    return -q


def in_a_closure() -> Any:
    calls = 0

    def law(t: Any, q: Any, qd: Any) -> Any:
        nonlocal calls
        calls += 1
        return [0.0, 0.0] if calls < 50 else [5.0, 0.0]

    return law


def with_memory() -> list[tuple[str, Any, str]]:
    return [
        ("an attribute", Integral(), "Integral."),
        ("slots and what is in them", Logging().torque, "rows"),
        ("a class", OfTheClass(), "OfTheClass."),
        ("a global", counting_in_a_global, "COUNT"),
        ("a helper's global", through_a_helper, "STATE"),
        ("a default", by_default, "cell"),
        ("an attribute of a function", by_attribute, "by_attribute.last"),
        ("an array", functools.partial(by_array, np.zeros(3)), "partial"),
        ("a closure", in_a_closure(), "calls"),
    ]


def held(law: Any) -> Any:
    """What a law holds, to be compared."""
    own = [vars(x) if hasattr(x, "__dict__") else None for x in (law, getattr(law, "__self__", None))]
    cells = [cell.cell_contents for cell in getattr(law, "__closure__", None) or ()]
    slots = [getattr(getattr(law, "__self__", None), name, None) for name in ("rows", "queue")]
    rest = (STATE, COUNT, OfTheClass.calls, OfTheClass.log, by_default.__defaults__, getattr(law, "args", None))
    return copy.deepcopy((own, cells, slots, rest))


@pytest.mark.parametrize(("law", "place"), [case[1:] for case in with_memory()], ids=[c[0] for c in with_memory()])
def test_trying_a_law_leaves_nothing_in_it_and_it_is_called(law: Any, place: str) -> None:
    arm, before = qddot.load("two_link"), held(law)
    seen = []
    for q0 in ([[0.3, -0.2], [0.3, -0.2]], [0.3, -0.2]):  # a batch gives the law its own memory back
        assert repr(held(law)) == repr(before)
        run = arm.simulate(q0, duration=0.03, step=0.01, torque=law)
        assert run.data.attrs["torque"] == "a law, called from Python"
        assert "has a memory: a call changes" in run.notes[0]
        assert place in run.notes[0]
        seen.append(run)
    assert np.array_equal(seen[0].tau[0], seen[1].tau)
    assert np.array_equal(seen[0].tau[1], seen[1].tau)
    assert repr(held(law)) != repr(before)
    assert "Signal" not in repr(held(law))


@pytest.mark.parametrize(("method", "calls"), [("rk4", 4), ("midpoint", 1), ("semi-implicit", 1)])
def test_a_law_with_a_memory_is_called_in_order_of_time(method: str, calls: int) -> None:
    times: list[Any] = []
    kinds: set[type] = set()

    def law(t: Any, q: Any, qd: Any) -> Any:
        times.append(t)
        kinds.update((type(t), type(q), type(q[0])))
        return -q

    run = qddot.load("two_link").simulate([0.3, -0.2], duration=0.1, step=0.01, method=method, torque=law)
    assert times == sorted(times)
    assert len(times) == 10 * calls + 1
    assert kinds == {float, np.ndarray, np.float64}
    assert run.tau == pytest.approx(-run.q)


def test_an_integral_reaches_what_the_same_law_with_a_state_in_the_arm_reaches() -> None:
    """One joint, I q̈ = −k ∫ q dt: rk4 over (q, q̇, ∫q) and the law that adds up by itself agree to its first order."""
    joint = qddot.Joint("revolute", axis=(0, 0, 1), coordinate="q1")
    body = qddot.Body.of("link", joint, mass=1, com=(0, 0, 0), about="com", inertia=(1, 0, 0, 1, 0, 1))
    arm = qddot.Robot(qddot.Model("disc", (body,), gravity=(0, 0, 0)))

    def integral() -> Any:
        total, last = 0.0, 0.0

        def law(t: Any, q: Any, qd: Any) -> Any:
            nonlocal total, last
            total, last = total + q[0] * (t - last), t
            return [-total]

        return law

    exact = np.linalg.matrix_power(np.eye(3) + 1e-6 * np.array([[0, 1, 0], [0, 0, -1], [1, 0, 0]]), 10**6) @ [1, 0, 0]
    off = [abs(arm.simulate([1.0], duration=1.0, step=h, torque=integral()).q[-1, 0] - exact[0]) for h in (1e-2, 5e-3)]
    assert off[0] < 5e-3
    assert off[0] / off[1] == pytest.approx(2, abs=0.1)  # of first order, as its sum is


def test_trust_begins_with_the_memory_that_the_run_began_with() -> None:
    law = Integral()
    arm = qddot.load("two_link")
    run = arm.simulate([0.3, -0.2], duration=0.2, torque=law)
    after = law.total.copy()
    assert run.trust().horizon == pytest.approx(0.2)
    assert np.array_equal(law.total, after)
    finer = arm.simulate([0.3, -0.2], duration=0.2, step=5e-4, record_every=2, torque=Integral())
    assert np.array_equal(run._again().q, finer.q)  # type: ignore[misc]


def test_random_numbers_are_drawn_by_the_run_alone() -> None:
    rng = np.random.default_rng(1)
    arm = qddot.load("two_link")
    run = arm.simulate([0.3, -0.2], duration=0.02, step=0.01, torque=lambda t, q, qd: rng.normal(size=2))
    drawn = np.random.default_rng(1).normal(size=(9, 2))
    assert np.array_equal(run.tau, drawn[[0, 4, 8]])
    assert "rng" in run.notes[0]
    pair = arm.simulate([[0.3, -0.2]] * 2, duration=0.02, step=0.01, torque=lambda t, q, qd: rng.normal(size=2))
    assert not np.array_equal(pair.tau[0], pair.tau[1])
    random.seed(4)
    first = random.random()
    random.seed(4)
    run = arm.simulate([0.3, -0.2], duration=0.01, step=0.01, torque=lambda t, q, qd: [random.random(), 0.0])
    assert run.tau[0, 0] == first
    run = arm.simulate([0.3, -0.2], duration=0.01, step=0.01, torque=lambda t, q, qd: [time.perf_counter(), 0.0])
    assert "called twice at one state" in run.notes[0]


def test_what_cannot_be_looked_into_is_called_by_the_run_alone() -> None:
    numbers = (float(k) for k in range(100))
    arm = qddot.load("two_link")
    run = arm.simulate([0.3, -0.2], duration=0.02, step=0.01, torque=lambda t, q, qd: [next(numbers), 0.0])
    assert run.tau[:, 0].tolist() == [0.0, 4.0, 8.0]
    assert "may have a memory in numbers, a generator" in run.notes[0]
    pair = arm.simulate([[0.3, -0.2]] * 2, duration=0.01, step=0.01, torque=lambda t, q, qd: [next(numbers), 0.0])
    assert "the arms share" in pair.notes[0]


def test_solvers_that_go_back_in_time_say_so() -> None:
    run = qddot.load("two_link").simulate([0.3, -0.2], duration=0.1, step=0.01, method="dop853", torque=Integral())
    assert "rk4 does not" in run.notes[0]
    assert np.isfinite(run.tau).all()


def test_a_law_that_fails_leaves_nothing_either() -> None:
    law = Integral()
    law.last = "no time"  # type: ignore[assignment]
    with pytest.raises(qddot.errors.SimulationError, match="raised TypeError"):
        qddot.load("two_link").simulate([0.3, -0.2], duration=0.1, torque=law)
    assert vars(law) == {"last": "no time"}


def test_an_event_with_a_memory_is_refused_and_remembers_nothing() -> None:
    seen: list[float] = []

    def event(t: Any, q: Any, qd: Any) -> Any:
        seen.append(t)
        return q[0] - len(seen)

    with pytest.raises(qddot.errors.SimulationError, match=r"the event function has a memory: a call changes seen"):
        qddot.load("two_link").simulate([0.1, 0], duration=0.1, event=event)
    assert seen == []


def test_an_event_stops_an_arm_that_a_law_with_a_memory_drives() -> None:
    def stopped(method: str) -> Any:
        arm = qddot.load("two_link")
        law = Integral()
        return arm.simulate([0.3, -0.2], duration=1.0, step=0.001, method=method, torque=law, event=at)

    def at(t: Any, q: Any, qd: Any) -> Any:
        return 0.25 - q[0]

    for method in ("rk4", "midpoint"):
        (stop,) = stopped(method).stops
        assert stop.q[0] == pytest.approx(0.25, abs=1e-9)


@dataclass(frozen=True)
class Spring:
    """A law without a memory, of a class with an array and a library's objects."""

    stiffness: Any

    def __call__(self, t: Any, q: Any, qd: Any) -> Any:
        return -self.stiffness * q * GAIN


def test_laws_without_a_memory_are_compiled() -> None:
    arm = qddot.load("two_link")
    motion = laws.quintic([0, 0], [1, 1], 1.0)
    options = {"kp": 3.0}
    for law in (
        Spring(np.array([1.0, 2.0])),
        laws.limited(laws.computed_torque(arm, motion, 10.0, 5.0), 50.0),
        laws.pd_gravity(arm, motion, 10.0, 2.0),
        functools.partial(lambda gain, t, q, qd: -gain * q, GAIN),
        lambda t, q, qd: np.dot(np.diag(GAIN), -q) + options["kp"] * np.array([qddot.sin(t), 0.0]),
        lambda t, q, qd: GAIN * (motion(t)[0] - q) - arm.n * qd,
    ):
        run = arm.simulate([0.3, -0.2], duration=0.05, step=0.01, torque=law)
        assert run.data.attrs["torque"] == "a law, compiled", run.notes


def test_a_law_is_tried_in_four_calls_and_traced_once(capsys: pytest.CaptureFixture[str]) -> None:
    def law(t: Any, q: Any, qd: Any) -> Any:
        sys.stdout.write(f"{type(t).__name__} ")
        return -q

    assert torque_of(law, 2, 1.0, (np.zeros((1, 2)), np.zeros((1, 2)))).kind == "law"
    assert sorted(capsys.readouterr().out.split()) == ["Signal", "float", "float", "float", "float"]


def test_a_memory_names_what_changed_and_puts_it_back_in_place() -> None:
    inner = [1, 2]
    outer: dict[str, Any] = {"inner": inner, "set": {1}, "bytes": bytearray(b"ab"), "table": np.array([[1.0, None]])}

    def law() -> Any:
        return outer

    memory = Memory(law)
    assert not memory.changed()
    assert not memory.unseen
    inner.append(3)
    outer["set"].add(2)
    outer["bytes"][0] = 0
    outer["table"][0, 0] = "x"
    del outer["inner"]
    outer["new"] = 1
    assert memory.changed() == "outer"
    memory.restore()
    assert outer["inner"] is inner
    assert repr(outer) == repr(
        {"inner": [1, 2], "set": {1}, "bytes": bytearray(b"ab"), "table": np.array([[1.0, None]], dtype=object)}
    )
    assert not memory.changed()
