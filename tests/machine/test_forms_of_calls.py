"""Every form of a call gives the same bits: by keywords, symbols, lists, scalars, other types, threads."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from physical import states
from refusals import refusal

import qddot
from qddot.base.errors import EvaluationError
from qddot.machine.compilers import recycled
from qddot.machine.numeric.arm import NumericArm

COUNT = 77  # states: whole blocks of lanes, and a rest


@pytest.fixture
def arm() -> NumericArm:
    return qddot.Robot(qddot.load("elbow_3r").model)


def by_rows(arm: NumericArm, q: Any, qd: Any, qdd: Any, **given: Any) -> Any:
    """The torques row by row, as a check for finite numbers has them."""
    return arm.inverse_dynamics(q, qd, qdd, check=True, **given)


@pytest.mark.parametrize("turn", range(3))  # the first call prepares the next ones
def test_lists_tuples_and_other_types_are_the_same_numbers(arm: NumericArm, turn: int) -> None:
    arrays = [array[0].astype(np.float32) for array in states(arm, 1)]
    right = by_rows(arm, *arrays)
    for _ in range(turn + 1):
        for kind in (list, tuple, np.array, np.float64, lambda x: np.repeat(x, 2)[::2], lambda x: x.tolist()):
            assert np.array_equal(arm.inverse_dynamics(*(kind(array) for array in arrays)), right)
    whole = [[0, 1, -2], [3, 4, 5], (6, 7.0, np.float64(8))]
    assert np.array_equal(arm.inverse_dynamics(*whole), by_rows(arm, *(np.array(x, dtype=float) for x in whole)))


def test_a_state_is_shared_by_a_batch(arm: NumericArm) -> None:
    q, qd, qdd = states(arm, COUNT)
    right = by_rows(arm, q, np.broadcast_to(qd[0], q.shape), qdd)
    for one in (qd[0], qd[0].tolist(), qd[:1], qd[:1].tolist()):
        assert np.array_equal(arm.inverse_dynamics(q, one, qdd), right)
    assert np.array_equal(arm.inverse_dynamics(q[0], q, q)[5], arm.inverse_dynamics(q[0], q[5], q[5]))


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_symbols_travel_as_numbers_and_as_arrays(arm: NumericArm, dtype: Any) -> None:
    q, qd, qdd = (array.astype(dtype) for array in states(arm, COUNT))
    m2 = np.linspace(1, 3, COUNT).astype(dtype)
    right = by_rows(arm, q, qd, qdd, m2=m2, m3=2.0, dtype=dtype)
    for _ in range(2):
        for m3 in (2, 2.0, np.float64(2), np.float32(2), np.array(2), np.full(COUNT, 2.0), np.full(COUNT, 2)):
            for masses in (m2, np.repeat(m2, 3)[::3], m2[::-1].copy()[::-1], m2.tolist()):
                assert np.array_equal(arm.inverse_dynamics(q, qd, qdd, m3=m3, m2=masses, dtype=dtype), right)
        for k in (0, 5):
            one = arm.inverse_dynamics(q[k], qd[k], qdd[k], m2=float(m2[k]), m3=2, dtype=dtype)
            assert np.array_equal(one, right[k])
        of_masses = arm.inverse_dynamics(q[5], qd[5], qdd[5], m2=m2, m3=2, dtype=dtype)
        assert np.array_equal(of_masses[5], right[5])


def test_settings_and_arrays_to_fill(arm: NumericArm) -> None:
    arrays = states(arm, COUNT)
    right, single = by_rows(arm, *arrays, m2=2.0), by_rows(arm, *arrays, m2=2.0, dtype="float32")
    for _ in range(2):
        for threads in (None, 1, 2, np.int64(1)):
            assert np.array_equal(arm.inverse_dynamics(*arrays, threads=threads, m2=2.0), right)
            assert np.array_equal(arm.inverse_dynamics(*arrays, m2=2.0, dtype=np.float32, threads=threads), single)
        for dtype, result in (("float64", right), (np.float32, single), ("float32", single), (float, right)):
            out = np.empty((COUNT, 3), dtype)
            assert arm.inverse_dynamics(*arrays, out=out, m2=2.0, dtype=dtype) is out
            assert arm.inverse_dynamics(*arrays, m2=2.0, dtype=dtype, out=[out]) is out
            assert np.array_equal(out, result)
        assert np.array_equal(arm.inverse_dynamics(*arrays, out=None, m2=2.0), right)


MISTAKES = [
    ({"out": []}, ("out-of-another-count", "0")),
    ({"out": (), "m2": 2.0}, ("out-of-another-count", "0")),
    ({"out": np.empty((COUNT, 2))}, ("out-unfit", "tau", "float64")),
    ({"out": np.empty((COUNT, 3), "float32"), "m2": 2.0}, ("out-unfit", "tau")),
    ({"threads": True}, ("not-whole-number-from", "threads", "True")),
    ({"threads": 0, "m2": 2.0}, ("not-whole-number-from", "threads", "0")),
    ({"dtype": "int8"}, ("no-such-dtype", "int8")),
    ({"m22": 2.0}, ("no-argument-no-symbol", "'m2'")),
    ({"m2": np.ones(COUNT - 1)}, ("batch-shapes-not-fit",)),
    ({"m2": "heavy"}, ("argument-no-numbers", "m2", "'heavy'")),
    ({"m2": True}, ("argument-no-numbers", "m2", "bool")),
]


@pytest.mark.parametrize(("given", "says"), MISTAKES, ids=range(len(MISTAKES)))
def test_a_prepared_call_lets_no_mistake_through(arm: NumericArm, given: Any, says: tuple[str, ...]) -> None:
    arrays = states(arm, COUNT)
    usual = {"out": None, "threads": 1, "check": False, "dtype": "float64", "m2": 2.0}
    for _ in range(2):
        if "m22" not in given:
            arm.inverse_dynamics(*arrays, **{name: usual[name] for name in given})
        with refusal(EvaluationError, *says):
            arm.inverse_dynamics(*arrays, **given)


def empty(shape: tuple[int, ...], dtype: str) -> Any:
    return recycled.empties([shape], dtype)[0]


@pytest.fixture
def small_results(monkeypatch: pytest.MonkeyPatch) -> None:
    """Recycles the memory of small results, too, as those of these tests are; none waits at the start."""
    monkeypatch.setattr(recycled, "LEAST", 1 << 20)
    recycled._waiting.clear()


@pytest.mark.usefixtures("small_results")
def test_recycled_memory_is_nobodys() -> None:
    """A result, its views and what is made over its buffer keep their numbers, whatever is computed later."""
    first = empty((1 << 18,), "float64")
    first[:] = 1
    views = [
        first[3:5],
        np.asarray(memoryview(first)),
        first.reshape(2, -1),
        first.base,
        first.base[:7],
        first.base.base.view("float64"),
    ]
    del first
    while views:
        kept = views.pop()
        others = [empty((1 << 18,), "float64") for _ in range(3)]
        for other in others:
            assert not np.may_share_memory(other, kept)
            other[:] = 2
        assert (np.asarray(kept) == 1).all()
        del other, others


def test_the_next_large_result_takes_the_memory_of_the_last_one(arm: NumericArm) -> None:
    q = np.random.default_rng(0).normal(size=(120_000, 3))
    result = arm.mass_matrix(q)
    address, right = result.ctypes.data, result.copy()
    held = arm.mass_matrix(-q)
    assert held.ctypes.data != address
    del result
    again = arm.mass_matrix(q)
    assert again.ctypes.data == address
    assert np.array_equal(again, right)
    assert again.flags.writeable
    assert again.flags.c_contiguous
    assert type(again) is np.ndarray


@pytest.mark.usefixtures("small_results")
def test_memory_that_waits_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recycled, "MOST", 5 << 20)
    results = [empty((k << 20,), "uint8") for k in (1, 2, 3, 4)]
    del results
    assert sum(block.nbytes for block in recycled._waiting) <= 5 << 20
    large = empty((6 << 20,), "uint8")
    del large
    assert sum(block.nbytes for block in recycled._waiting) <= 5 << 20


@pytest.mark.usefixtures("small_results")
def test_memory_that_the_system_may_take_is_used_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recycled, "KEPT", 0)
    held, given_back = (empty((2 << 20,), "uint8") for _ in range(2))
    held[:] = given_back[:] = 1
    address = given_back.ctypes.data
    del given_back
    again = empty((2 << 20,), "uint8")
    assert again.ctypes.data == address
    again[:] = 2
    assert (held == 1).all()
    assert (again == 2).all()


@pytest.mark.usefixtures("small_results")
def test_a_cycle_gives_its_memory_back() -> None:
    cycle: list[Any] = [empty((2 << 20,), "uint8")]
    address = cycle[0].ctypes.data
    cycle.append(cycle)
    del cycle
    gc.collect()
    assert empty((2 << 20,), "uint8").ctypes.data == address


@pytest.mark.usefixtures("small_results")
def test_threads_never_get_one_memory_twice() -> None:
    def work(number: int) -> bool:
        for _ in range(200):
            mine = empty((1 << 17,), "float64")
            mine[::4096] = number
            if not (mine[::4096] == number).all():
                return False
        return True

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(work, range(8)))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_forked_process_has_memory_of_its_own() -> None:
    script = (
        "import os, sys, numpy as np; from qddot.machine.compilers import recycled; recycled.LEAST = 1 << 20;"
        "empty = lambda size: recycled.empties([(size,)], 'uint8')[0];"
        "a = empty(1 << 20); a[:] = 1; b = empty(1 << 20); del b;"
        "child = os.fork(); c = empty(1 << 20);"
        "c[:] = 2 if child else 3; a[:] = 4 if child else 5;"
        "code = os.waitstatus_to_exitcode(os.wait()[1]) if child else 0;"
        "sys.exit(code or not ((c == (2 if child else 3)).all() and (a == (4 if child else 5)).all()))"
    )
    subprocess.run([sys.executable, "-W", "ignore", "-c", script], check=True, timeout=60)


def test_symbols_that_a_function_does_not_read_are_looked_at_all_the_same(arm: NumericArm) -> None:
    q = states(arm, COUNT)[0]
    unread = "m1"  # of the column, which turns about its own vertical axis
    right = arm.gravity(q, check=True, **{unread: 5.0})
    for _ in range(2):
        for value in (1, 2.0, np.ones(COUNT)):
            assert np.array_equal(arm.gravity(q, **{unread: value}), right)
        with refusal(EvaluationError, "batch-shapes-not-fit"):
            arm.gravity(q, **{unread: np.ones(COUNT + 1)})
        with pytest.raises(EvaluationError, match=f"{unread} is 'much'; expected numbers"):
            arm.gravity(q, **{unread: "much"})
