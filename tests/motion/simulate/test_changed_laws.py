"""A law is traced anew at each call of `simulate`: whatever it reads may have changed, wherever it keeps that."""

from __future__ import annotations

import array
import collections
import contextvars
import ctypes
import functools
import json
import os
import threading
import types
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import qddot

GAIN = 3.0
TABLE = {"gain": 3.0}
START = [0.3, -0.2]
Changing = tuple[Any, Callable[[], Any]]  # a law, and what changes its gain from 3 to 5


def end_of(law: Any) -> Any:
    """Returns where a run with the law ends."""
    return qddot.load("two_link").simulate(START, method="rk4", duration=0.05, step=0.01, torque=law).q[-1]


def reading(gain: Callable[[], Any]) -> Any:
    return lambda t, q, qd: -gain() * q


def changed_global() -> Changing:
    return reading(lambda: GAIN), lambda: globals().update(GAIN=5.0)


def changed_table() -> Changing:
    return reading(lambda: TABLE["gain"]), lambda: TABLE.update(gain=5.0)


def changed_closure() -> Changing:
    gain = 3.0

    def change() -> None:
        nonlocal gain
        gain = 5.0

    return reading(lambda: gain), change


def changed_helper() -> Changing:
    def helper() -> float:
        return 3.0

    def change() -> None:
        nonlocal helper
        helper = lambda: 5.0  # noqa: E731

    return reading(lambda: helper()), change


def changed_code() -> Changing:
    def helper() -> float:
        return 3.0

    return reading(helper), lambda: setattr(helper, "__code__", (lambda: 5.0).__code__)


def changed_default() -> Changing:
    def helper(gain: float = 3.0) -> float:
        return gain

    return reading(helper), lambda: setattr(helper, "__defaults__", (5.0,))


def changed_keyword() -> Changing:
    def helper(*, gain: float = 3.0) -> float:
        return gain

    return reading(helper), lambda: setattr(helper, "__kwdefaults__", {"gain": 5.0})


def changed_function_attribute() -> Changing:
    def helper() -> Any:
        return helper.gain  # type: ignore[attr-defined]

    helper.gain = 3.0  # type: ignore[attr-defined]
    return reading(helper), lambda: setattr(helper, "gain", 5.0)


def held_in(holder: Any, read: Callable[[Any], Any], change: Callable[[Any], Any]) -> Callable[[], Changing]:
    def case() -> Changing:
        owner = holder()
        return reading(lambda: read(owner)), lambda: change(owner)

    return case


class Object:
    gain = 3.0

    @property
    def doubled(self) -> float:
        return 2 * self.gain

    @staticmethod
    def fixed() -> float:
        return 3.0

    @classmethod
    def of_class(cls) -> float:
        return cls.gain

    def method(self) -> float:
        return self.gain


class Slotted:
    __slots__ = ("__weakref__", "gain")

    def __init__(self) -> None:
        self.gain = 3.0


class Called:
    gain = 3.0

    def __call__(self, t: Any, q: Any, qd: Any) -> Any:
        return -self.gain * q

    def law(self, t: Any, q: Any, qd: Any) -> Any:
        return -self.gain * q


class Meta(type):
    gain = 3.0


class Described(metaclass=Meta):
    pass


class Descriptor:
    value = 3.0

    def __get__(self, owner: Any, kind: Any) -> float:
        return self.value


DESCRIPTOR = Descriptor()


class Owner:
    gain = DESCRIPTOR


class Answering:
    """It has no attribute but makes one up."""

    table: dict[str, float]

    def __init__(self) -> None:
        object.__setattr__(self, "table", {"gain": 3.0})

    def __getattr__(self, name: str) -> float:
        return self.table[name]


class Number(ctypes.Structure):
    _fields_ = (("gain", ctypes.c_double),)


def fresh(kind: type) -> type:
    """Returns a class of its own, so that a change of it stays in one test."""
    return type(kind.__name__, (kind,), dict(vars(kind)) if kind is not Slotted else {})


def changed_instance_call() -> Changing:
    kind = fresh(Called)
    law = kind()
    return law, lambda: setattr(kind, "__call__", lambda self, t, q, qd: -5.0 * q)


def changed_bound_method() -> Changing:
    owner = Called()
    return owner.law, lambda: setattr(owner, "gain", 5.0)


def changed_partial() -> Changing:
    gains = [3.0]
    return functools.partial(lambda gain, t, q, qd: -gain[0] * q, gains), lambda: gains.__setitem__(0, 5.0)


def changed_partial_keyword() -> Changing:
    law = functools.partial(lambda t, q, qd, gain: -gain * q, gain=3.0)
    return law, lambda: law.keywords.update(gain=5.0)


def changed_cache() -> Changing:
    values = [3.0]
    cached = functools.cache(lambda: values[0])

    def change() -> None:
        values[0] = 5.0
        cached.cache_clear()

    return reading(cached), change


def changed_module() -> Changing:
    module: Any = types.ModuleType("mine")
    module.gain = 3.0
    return reading(lambda: module.gain), lambda: setattr(module, "gain", 5.0)


def changed_generator() -> Changing:
    values = [3.0]

    def forever() -> Any:
        while True:
            yield values[0]

    numbers = forever()
    return reading(lambda: next(numbers)), lambda: values.__setitem__(0, 5.0)


def changed_context() -> Changing:
    gain = contextvars.ContextVar("gain", default=3.0)
    return reading(gain.get), lambda: gain.set(5.0)


def changed_environment() -> Changing:
    os.environ["MOTION_GAIN"] = "3.0"
    return reading(lambda: float(os.environ["MOTION_GAIN"])), lambda: os.environ.update(MOTION_GAIN="5.0")


def changed_file(folder: Path) -> Changing:
    file = folder / "gain.json"
    file.write_text("3.0")
    return reading(lambda: json.loads(file.read_text())), lambda: file.write_text("5.0")


def changed_arm() -> Changing:
    arms = [qddot.load("two_link").with_values(m1=3.0)]
    law = lambda t, q, qd: arms[0].gravity(q)  # noqa: E731
    return law, lambda: arms.__setitem__(0, arms[0].with_values(m1=5.0))


def thread_local() -> Any:
    own = threading.local()
    own.gain = 3.0
    return own


POINT = collections.namedtuple("POINT", "gain")
CASES: dict[str, Callable[[], Changing]] = {
    "a global": changed_global,
    "a global dictionary": changed_table,
    "a variable of a closure": changed_closure,
    "a function of a closure": changed_helper,
    "a function's code": changed_code,
    "a default": changed_default,
    "a default of a keyword": changed_keyword,
    "a function's attribute": changed_function_attribute,
    "a list": held_in(lambda: [3.0], lambda x: x[0], lambda x: x.__setitem__(0, 5.0)),
    "a list in a tuple": held_in(lambda: (1, [3.0]), lambda x: x[1][0], lambda x: x[1].__setitem__(0, 5.0)),
    "a dictionary": held_in(lambda: {"k": 3.0}, lambda x: x["k"], lambda x: x.update(k=5.0)),
    "a set": held_in(lambda: {3.0}, lambda x: max(x), lambda x: x.add(5.0)),
    "a queue": held_in(lambda: collections.deque([3.0]), lambda x: x[-1], lambda x: x.append(5.0)),
    "bytes": held_in(lambda: bytearray([3]), lambda x: x[0], lambda x: x.__setitem__(0, 5)),
    "an array of Python's": held_in(lambda: array.array("d", [3]), lambda x: x[0], lambda x: x.__setitem__(0, 5.0)),
    "an array": held_in(lambda: np.array([3.0]), lambda x: x[0], lambda x: x.__setitem__(0, 5.0)),
    "an array of objects": held_in(lambda: np.array([{"k": 3.0}]), lambda x: x[0]["k"], lambda x: x[0].update(k=5.0)),
    "a view of memory": held_in(lambda: np.array([3.0]), lambda x: memoryview(x)[0], lambda x: x.fill(5.0)),
    "a structure of C": held_in(lambda: Number(3.0), lambda x: x.gain, lambda x: setattr(x, "gain", 5.0)),
    "a named tuple in a list": held_in(
        lambda: [POINT(3.0)], lambda x: x[0].gain, lambda x: x.__setitem__(0, POINT(5.0))
    ),
    "a namespace": held_in(
        lambda: types.SimpleNamespace(gain=3.0), lambda x: x.gain, lambda x: setattr(x, "gain", 5.0)
    ),
    "an attribute": held_in(Object, lambda x: x.gain, lambda x: setattr(x, "gain", 5.0)),
    "a property": held_in(Object, lambda x: x.doubled, lambda x: setattr(x, "gain", 5.0)),
    "a method's object": held_in(Object, lambda x: x.method(), lambda x: setattr(x, "gain", 5.0)),
    "a static method": held_in(
        lambda: fresh(Object), lambda x: x.fixed(), lambda x: setattr(x, "fixed", staticmethod(lambda: 5.0))
    ),
    "a class's attribute": held_in(lambda: fresh(Object), lambda x: x.of_class(), lambda x: setattr(x, "gain", 5.0)),
    "a slot": held_in(Slotted, lambda x: x.gain, lambda x: setattr(x, "gain", 5.0)),
    "what a weak reference leads to": held_in(
        Slotted,
        lambda x: weakref.ref(x)().gain,  # type: ignore[union-attr]
        lambda x: setattr(x, "gain", 5.0),
    ),
    "a class of a class": held_in(lambda: Described, lambda x: type(x).gain, lambda x: setattr(Meta, "gain", 5.0)),
    "a descriptor": held_in(Owner, lambda x: x.gain, lambda x: setattr(DESCRIPTOR, "value", 5.0)),
    "an attribute that is made up": held_in(Answering, lambda x: x.gain, lambda x: x.table.update(gain=5.0)),
    "a thread's own": held_in(thread_local, lambda x: x.gain, lambda x: setattr(x, "gain", 5.0)),
    "a class's call": changed_instance_call,
    "a bound method": changed_bound_method,
    "an argument that is bound": changed_partial,
    "a keyword that is bound": changed_partial_keyword,
    "a cache": changed_cache,
    "a module": changed_module,
    "a generator": changed_generator,
    "a context": changed_context,
    "the environment": changed_environment,
    "another arm": changed_arm,
}


@pytest.fixture(autouse=True)
def as_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """Puts back what is changed outside of a test."""
    monkeypatch.setattr(__import__(__name__), "GAIN", 3.0, raising=False)
    monkeypatch.setitem(globals(), "GAIN", 3.0)
    monkeypatch.setitem(TABLE, "gain", 3.0)
    monkeypatch.setattr(Meta, "gain", 3.0)
    monkeypatch.setattr(DESCRIPTOR, "value", 3.0, raising=False)
    monkeypatch.setenv("MOTION_GAIN", "3.0")


def moved(law: Any, change: Callable[[], Any]) -> None:
    """Runs twice, with a change in between, and holds both against a law that was not there before."""
    first = end_of(law)
    assert np.array_equal(first, end_of(law))
    change()
    second = end_of(law)
    assert not np.array_equal(first, second)
    assert np.array_equal(second, end_of(lambda t, q, qd: law(t, q, qd)))


@pytest.mark.parametrize("kind", CASES)
def test_nothing_that_a_law_reads_is_stale(kind: str) -> None:
    moved(*CASES[kind]())


def test_a_file_that_a_law_reads_is_read_again(tmp_path: Path) -> None:
    moved(*changed_file(tmp_path))


def test_code_that_is_compiled_later_is_of_the_law_of_its_run() -> None:
    """A change after a run does not affect what that run still computes, such as a finer run to compare with."""
    gain = [3.0]
    arm = qddot.load("two_link")
    run = arm.simulate(START, method="rk4", duration=0.05, step=0.01, torque=lambda t, q, qd: -gain[0] * q)
    gain[0] = 5.0
    again = run._recording.again
    assert again is not None
    finer = again().arrays
    assert np.allclose(finer["q"][0], run.q, atol=1e-6)
    assert np.allclose(finer["tau"], -3.0 * finer["q"])


def test_no_law_is_kept_alive() -> None:
    class Law:
        def __call__(self, t: Any, q: Any, qd: Any) -> Any:
            return -4.5 * q

    law = Law()
    gone = weakref.ref(law)
    run = qddot.load("two_link").simulate(START, method="rk4", duration=0.05, step=0.01, torque=law)
    del law
    assert gone() is None
    assert run.trust()


@pytest.mark.parametrize("switch", [3, 20, 50])
def test_a_law_that_changes_after_some_calls_is_no_constant(switch: int) -> None:
    """It is tried, traced, and called again after the run, more often than the run has samples."""

    def counting() -> Any:
        calls = [0]

        def law(t: Any, q: Any, qd: Any) -> list[Any]:
            calls[0] += 1
            return [0.0 * q[0] if calls[0] < switch else 5.0 + 0.0 * q[0]] * 2

        return law

    for _ in range(3):
        try:
            run = qddot.load("two_link").simulate(START, None, 0.2, 0.01, torque=counting())
        except qddot.QddotError as error:
            assert "called again in the same state, it gives [5. 5.]" in str(error)
        else:
            assert any("Python" in note for note in run.notes)
