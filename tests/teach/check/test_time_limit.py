"""An answer that would take minutes is refused after some seconds, and the others of its class are graded."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import count
from pathlib import Path
from time import monotonic, process_time, sleep

import pytest
from refusals import refusal

import qddot
from qddot.base.errors import QddotError
from qddot.base.system.time_limit import TooLongError, within
from qddot.teach.check import checking

# the error may be raised in a callback of the garbage collector, such as Hypothesis's: Python then only reports it
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")

CHAIN = "\n".join(f"a{k} = a{k + 1} + m1" for k in range(2000))


@pytest.fixture
def arm(monkeypatch: pytest.MonkeyPatch) -> qddot.Robot:
    monkeypatch.setattr(checking, "LONGEST", 0.5)
    return qddot.load("one_link")


def test_a_long_answer_is_refused_in_time(arm: qddot.Robot, tmp_path: Path) -> None:
    (tmp_path / "long.txt").write_text(CHAIN, encoding="utf-8")
    arm.check("G1 = 0")
    begin = process_time()
    with refusal(QddotError, "answer-takes-long", "long.txt", "0.5"):
        arm.check(tmp_path / "long.txt")
    assert process_time() - begin < 5


def test_the_others_of_a_class_are_graded(arm: qddot.Robot, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(CHAIN, encoding="utf-8")
    (tmp_path / "b.txt").write_text("M11 = m*l^2", encoding="utf-8")
    long, right = arm.check_all(tmp_path)
    assert "more than 0.5 s" in long.error
    assert right


def endless() -> None:
    for _ in count():
        pass


@pytest.mark.parametrize("workers", [0, 1])
def test_a_computation_without_end_ends(workers: int) -> None:
    """Whichever thread it is in, and whatever handles errors inside it."""

    def handling() -> None:
        try:
            endless()
        except Exception:
            endless()

    def in_a_thread() -> None:
        with ThreadPoolExecutor(workers) as pool:
            pool.submit(within, 0.2, handling).result()

    with pytest.raises(TooLongError):
        (in_a_thread if workers else lambda: within(0.2, handling))()


def test_what_ends_in_time_has_its_result_and_nothing_is_raised_later() -> None:
    until = monotonic() + 1
    while monotonic() < until:
        with suppress(TooLongError):
            assert within(0.001, lambda: 3) == 3
    sleep(0.01)


@pytest.mark.parametrize("after", [endless, lambda: 3])
def test_an_error_that_was_swallowed_comes_again(after: Callable[[], object]) -> None:
    def swallowing() -> object:
        with suppress(BaseException):
            endless()
        return after()

    with pytest.raises(TooLongError):
        within(0.05, swallowing)


def test_waiting_is_not_computing() -> None:
    def waiting() -> int:
        sleep(0.3)
        return 3

    assert within(0.05, waiting) == 3


@pytest.mark.skipif(not hasattr(time, "pthread_getcpuclockid"), reason="threads have no clocks of their own here")
def test_what_other_threads_compute_does_not_count() -> None:
    ended = threading.Event()

    def busy() -> None:
        while not ended.is_set():
            sum(range(1000))

    others = [threading.Thread(target=busy) for _ in range(3)]
    for thread in others:
        thread.start()

    def waiting() -> int:
        sleep(1)
        return 3

    try:
        assert within(0.2, waiting) == 3
    finally:
        ended.set()


def test_errors_of_the_computation_pass() -> None:
    with pytest.raises(ZeroDivisionError):
        within(1, lambda: 1 // 0)


LENGTH = 300
CHAINS = {
    "products": ("m2*l**2", "a1*a{k}"),
    "sums": ("m2*l**2", "a1 + a{k}*cos(q1)/2"),
    "powers of a sum": ("m2*l**2", "a{k}*(m1 + m2 + l)"),
    "squares": ("m2*l**2", "a{k}*a{k}"),
    "quotients": ("m2*l**2", "a1/(a{k} + m1)"),
    "angles": ("q1", "a{k} + q2"),
    "arrays": ("[m2, 0; 0, m2]", "a1*a{k}"),
    "rates": ("m2*l**2*cos(q1)", "diff(a{k}, t) + a1"),
}


@pytest.mark.parametrize(("first", "following"), CHAINS.values(), ids=CHAINS)
def test_chained_definitions_hold_up_no_class(first: str, following: str, tmp_path: Path) -> None:
    lines = [f"a1 = {first}", *(f"a{k + 1} = {following.format(k=k)}" for k in range(1, LENGTH))]
    (tmp_path / "chain.txt").write_text("\n".join([*lines, f"M22 = a{LENGTH}"]), encoding="utf-8")
    start = process_time()
    assert not qddot.load("two_link").check_all(tmp_path)
    assert process_time() - start < 8  # an answer is refused after ten seconds; most of these take half a second
