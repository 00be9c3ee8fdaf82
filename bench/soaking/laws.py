"""Torque laws, some of which keep something hidden between calls: a run says that it calls them, or refuses them."""

from __future__ import annotations

import itertools
import random
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import qddot
from qddot.base.errors import QddotError
from soaking.trial import Finding, Kind

ARMS = ["one_link", "two_link", "slider", "cart_pole", "elbow_3r", "furuta_pendulum"]
METHODS = [None, None, "taylor", "dop853", "radau", "rk4", "midpoint", "semi-implicit"]
SWITCHES = (3, 7, 20, 50)  # calls after which a hidden state changes what a law gives
GLOBALS = {"gain": 1.0, "calls": 0}
Law = Callable[..., Any]


def trial(seed: int) -> Iterator[Finding]:
    r = random.Random(f"laws {seed}")
    arm, hidden = qddot.load(r.choice(ARMS)), r.random() < 0.75
    kind = r.choice(list(HIDDEN if hidden else PURE))
    law, given = watched((HIDDEN if hidden else PURE)[kind](arm.n, r))
    method = r.choice(METHODS)
    q0 = [round(r.uniform(-1, 1), 3) for _ in range(arm.n)]
    try:
        run = arm.simulate(q0, None, 0.2, 0.01, method, torque=law, limits=False)
    except QddotError as error:
        if not hidden:
            yield Finding(f"{kind}: refused", f"{kind} with {method}: {error}")
        return
    called = any("Python" in note for note in run.notes)
    if hidden and not called:
        yield Finding(f"{kind}: compiled", f"{kind} with {method} is compiled as its first value; notes {run.notes}")
    if not hidden and called:
        yield Finding(f"{kind}: not compiled", f"{kind} with {method}: {run.notes}")
    rows = np.asarray(run.tau)[np.isfinite(np.asarray(run.tau)).all(axis=1)]
    if hidden and called:
        seen = np.array([row for row in given if np.shape(row) == (arm.n,) and np.isfinite(row).all()], float)
        apart = max(float(np.abs(seen - row).max(axis=1).min()) for row in rows)
        if not apart <= 1e-9 * (1 + np.abs(seen).max()):
            yield Finding(f"{kind}: other torques", f"{kind} with {method}: a torque {apart:.3g} from any that it gave")
    elif not hidden:
        right = np.array([numbers(law(t, q, qd)) for t, q, qd in zip(run.time, run.q, run.qd, strict=True)], float)
        off = np.abs(np.asarray(run.tau) - right)[: len(rows)].max()
        if not off <= 1e-8 * (1 + np.abs(right).max()):
            yield Finding(f"{kind}: other torques", f"{kind} with {method}: torques are {off:.3g} from the law's")


def numbers(torque: Any) -> list[float]:
    return [float(each) for each in torque]


def watched(law: Law) -> tuple[Law, list[list[float]]]:
    """Returns the law, and the list to which it adds each torque that it gives in numbers."""
    given: list[list[float]] = []

    def watching(t: Any, q: Any, qd: Any) -> Any:
        torque = law(t, q, qd)
        if all(isinstance(each, int | float | np.number) for each in torque):  # a graph's nodes are no numbers
            given.append(numbers(torque))
        return torque

    return watching, given


def counter(n: int, r: random.Random) -> Law:
    calls, size, switch = [0], r.choice([1.0, 5.0]), r.choice(SWITCHES)

    def law(t: Any, q: Any, qd: Any) -> Any:
        calls[0] += 1
        return [0.0 * q[0] if calls[0] < switch else size + 0 * q[0]] * n

    return law


def constants(n: int, r: random.Random) -> Law:
    calls, switch = itertools.count(), r.choice(SWITCHES)
    return lambda t, q, qd: [0.0 if next(calls) < switch else 3.0] * n


def clock(n: int, r: random.Random) -> Law:
    read = r.choice([time.time, time.monotonic, time.perf_counter, time.process_time])
    begun = read()
    return lambda t, q, qd: [(read() - begun) * each for each in q]


def drawing(n: int, r: random.Random) -> Law:
    return lambda t, q, qd: [random.gauss(0, 1) - each for each in qd]


def drawing_arrays(n: int, r: random.Random) -> Law:
    rng = np.random.default_rng(1)
    return lambda t, q, qd: [x - each for x, each in zip(rng.normal(size=n), qd, strict=True)]


def by_globals(n: int, r: random.Random) -> Law:
    GLOBALS.update(gain=1.0, calls=0)
    switch = r.choice(SWITCHES)

    def law(t: Any, q: Any, qd: Any) -> Any:
        GLOBALS["calls"] += 1
        GLOBALS["gain"] = 1.0 if GLOBALS["calls"] < switch else -2.0
        return [-GLOBALS["gain"] * each for each in q]

    return law


class Remembering:
    """An object whose law adds up what it has seen."""

    def __init__(self, n: int) -> None:
        self.n, self.total = n, 0.0

    def __call__(self, t: Any, q: Any, qd: Any) -> Any:
        self.total += 0.1
        return [-each - self.total for each in q]


class Boxed:
    """An object whose method counts in a nested object."""

    def __init__(self) -> None:
        self.inner = {"calls": [0]}

    def law(self, t: Any, q: Any, qd: Any) -> Any:
        self.inner["calls"][0] += 1
        sign = 1 if self.inner["calls"][0] % 5 else -1
        return [sign * each for each in qd]


def generator(n: int, r: random.Random) -> Law:
    values = itertools.cycle([0.0, 0.0, 0.0, 0.0, 0.0, 2.0])
    return lambda t, q, qd: [next(values) - each for each in qd]


def default_argument(n: int, r: random.Random) -> Law:
    switch = r.choice(SWITCHES)

    def law(t: Any, q: Any, qd: Any, seen: Any = []) -> Any:  # noqa: B006 — what is tested
        seen.append(1)
        return [-each * (1 if len(seen) < switch else 3) for each in q]

    return law


HIDDEN: dict[str, Callable[[int, random.Random], Law]] = {
    "a counter": counter,
    "a counter of constants": constants,
    "a clock": clock,
    "random numbers": drawing,
    "NumPy's random numbers": drawing_arrays,
    "globals": by_globals,
    "an object that adds up": lambda n, r: Remembering(n),
    "a method that counts": lambda n, r: Boxed().law,
    "an iterator": generator,
    "a default argument": default_argument,
}


def closure(n: int, r: random.Random) -> Law:
    gains = [r.uniform(0.5, 2) for _ in range(n)]
    return lambda t, q, qd: [-k * x - 0.3 * v for k, x, v in zip(gains, q, qd, strict=True)]


def waves(n: int, r: random.Random) -> Law:
    rate = r.uniform(1, 9)
    return lambda t, q, qd: [qddot.sin(rate * t + k) * qddot.tanh(q[k]) for k in range(n)]


def arrays(n: int, r: random.Random) -> Law:
    K = np.diag(np.arange(1.0, n + 1))
    return lambda t, q, qd: [sum(K[i, j] * -q[j] for j in range(n)) for i in range(n)]


PURE: dict[str, Callable[[int, random.Random], Law]] = {"closure": closure, "waves": waves, "arrays": arrays}
KIND = Kind("laws", trial, seconds=90)
