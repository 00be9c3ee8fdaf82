"""Tests how compiled code is kept: by functions, in the cache on disk, between threads and processes."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import weakref
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import Any

import numpy as np
import pytest
from physical import close

import qddot
from qddot.machine.compilers import cache, llvm
from qddot.machine.compilers.batch import compiled
from qddot.machine.compilers.llvm import engine
from qddot.machine.numeric.calls import Calls
from qddot.machine.tracing.functions import FUNCTIONS


def test_a_damaged_cache_entry_is_made_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = qddot.load("two_link").program("gravity")
    llvm.compiled(program, "float64")  # makes also the entry for ports of such shapes, which stays in memory
    monkeypatch.setenv("QDDOT_CACHE", str(tmp_path))
    llvm.compiled(program, "float64")
    (entry,) = tmp_path.glob("*.o")
    whole = entry.read_bytes()
    for damaged in (b"", whole[:100], whole[:-1] + b"x", os.urandom(len(whole))):
        entry.write_bytes(damaged)
        assert cache.read(entry.name) is None
        q = np.array([[0.3, 0.4]])
        out = np.empty((1, 2))
        llvm.compiled(program, "float64").run([q], [out], 0, 1)
        close(out[0], qddot.load("two_link").equations().at(q[0])["G"])
        assert entry.read_bytes() == whole
    monkeypatch.setenv("QDDOT_CACHE", "/proc/nowhere")
    llvm.compiled(program, "float64")


def test_a_known_function_is_loaded_without_being_traced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QDDOT_CACHE", str(tmp_path))
    arm = qddot.load("spatial_2r").with_values(L=1.2345)
    q = np.array([0.1, 0.2])
    first = arm.gravity(q)
    with monkeypatch.context() as patched:
        patched.setattr(Calls, "program", lambda *_: pytest.fail("it was traced again"))
        again = qddot.Robot(arm.model)
        close(again.gravity(q), first)
    for damaged in ("*.json", "*.o"):  # the interface, and machine code that is missing while the interface is known
        for entry in tmp_path.glob(damaged):
            entry.write_bytes(b"damaged")
        close(qddot.Robot(arm.model).gravity(q), first)


def test_kernels_with_ports_of_the_same_shapes_share_their_entry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of two functions that take three arrays of joints and give one, the second is compiled without an entry."""
    arm, modules = qddot.load("planar_2r").with_values(l1=1.2345), list[str]()
    really = engine.object_code

    def noted(text: str, effort: int) -> bytes:
        modules.append(text)
        return really(text, effort)

    monkeypatch.setattr(engine, "object_code", noted)
    q, qd, qdd = np.array([[0.1, 0.2], [0.3, 0.4], [0.5, 0.6]])
    llvm._entry.cache_clear()
    tau = arm.inverse_dynamics(q, qd, qdd)
    del modules[:]
    close(arm.forward_dynamics(q, qd, tau), qdd)
    assert ["@entry" in text for text in modules] == [False]


def test_a_function_keeps_its_code() -> None:
    """It does so even if nothing else does, and its arm is gone."""
    q = np.array([0.3, 0.4])
    for _ in range(2):
        entry = compiled(qddot.load("spatial_2r").program("gravity")).entry
        gc.collect()
        close(entry(q), qddot.load("spatial_2r").gravity(q))


def test_the_first_call_may_come_from_many_threads() -> None:
    q = np.zeros((200, 2))
    for _ in range(5):
        arm = qddot.Robot(qddot.load("two_link").model)
        with ThreadPoolExecutor(4) as pool:
            matrices = list(pool.map(arm.mass_matrix, q))
        close(np.array(matrices), arm.mass_matrix(q))


def test_many_threads_trace_a_function_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QDDOT_CACHE", str(tmp_path))
    arm, traced, begin = qddot.Robot(qddot.load("two_link").model), [], Barrier(4)
    program = Calls.program

    def counted(*arguments: Any, **options: Any) -> Any:
        traced.append(arguments)
        return program(*arguments, **options)

    def call(q: Any) -> Any:
        begin.wait()
        return arm.mass_matrix(q)

    monkeypatch.setattr(Calls, "program", counted)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(call, np.zeros((4, 2))))
    assert len(traced) == 1


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_forked_process_waits_for_no_thread_of_its_parents(tmp_path: Path) -> None:
    """The parent's thread was compiling when the process forked."""
    script = (
        "import os, sys, threading, qddot; from qddot.machine.compilers import kernels;"
        "held, arm = threading.Event(), qddot.load('two_link');"
        "hold = lambda: kernels.making().__enter__() and held.set() or threading.Event().wait();"
        "threading.Thread(target=hold, daemon=True).start(); held.wait(); child = os.fork();"
        "child or arm.gravity([0, 0]); child and os._exit(os.waitstatus_to_exitcode(os.wait()[1]))"
    )
    command, env = [sys.executable, "-W", "ignore", "-c", script], {**os.environ, "QDDOT_CACHE": str(tmp_path)}
    subprocess.run(command, env=env, check=True, timeout=60)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_forked_process_has_threads_of_its_own() -> None:
    script = (
        "import os, sys, numpy, qddot; arm, q = qddot.load('two_link'), numpy.zeros((3, 2000, 2));"
        "arm.inverse_dynamics(*q, threads=2); child = os.fork();"
        "arm.inverse_dynamics(*q, threads=2); child and sys.exit(os.waitstatus_to_exitcode(os.wait()[1]))"
    )
    subprocess.run([sys.executable, "-W", "ignore", "-c", script], check=True, timeout=60)


def test_a_cache_takes_nothing_for_anothers_and_stays_within_bounds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QDDOT_CACHE", str(tmp_path))
    cache.write("one", b"1" * 1000)
    (tmp_path / "one").rename(tmp_path / "other")
    assert cache.read("other") is None
    (tmp_path / "taken").mkdir()
    cache.write("taken", b"2")
    assert {path.name for path in tmp_path.iterdir()} == {"other", "taken", cache.UNFINISHED}
    monkeypatch.setattr(cache, "MOST_BYTES", 5000)
    crowded = tmp_path / "crowded"
    monkeypatch.setenv("QDDOT_CACHE", str(crowded))
    crowded.mkdir(0o700)
    ours = [f"{k:064x}.o" for k in range(10)]
    for k, name in enumerate([*ours, "thesis.dat"]):
        (crowded / name).write_bytes(b"0" * 1000)
        os.utime(crowded / name, (k, k))
    cache.write("new", b"3")
    assert {path.name for path in crowded.iterdir()} == {*ours[7:], "thesis.dat", "new", cache.UNFINISHED}


def test_what_an_arm_compiled_goes_with_the_arm_and_stays_with_a_function() -> None:
    q = np.array([0.3, 0.4])
    gc.disable()  # nothing waits for the collector
    try:
        for _ in range(2):  # compiled, then from the cache
            arm = qddot.load("two_link").with_values(m1=1.25)
            right = arm.gravity(q)
            arm.mass_matrix(q, m2=3.0)
            arm.gravity([0.3, 0.4], dtype="float32")
            code = [weakref.ref(function._kernel.code) for function in arm._calls._store._functions.values()]  # type: ignore[attr-defined]
            entry = arm._calls.table[FUNCTIONS["gravity"]].entry
            del arm
            assert [loaded() is not None for loaded in code] == [True, False, False, False]
            assert np.array_equal(entry(q), right)
            del entry
            assert all(loaded() is None for loaded in code)
    finally:
        gc.enable()


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_compiling_leaves_no_memory_behind() -> None:
    """60 functions took 9 MB of a process's memory when their pass managers stayed."""
    code = """
import gc
from qddot.machine.compilers.llvm import engine, ir
from qddot.machine.compilers.llvm.registers import Vectors
import qddot

def resident():
    gc.collect()
    return int(open("/proc/self/statm").read().split()[1]) * 4096

text, _ = ir.module(qddot.load("two_link").program("gravity"), Vectors(engine.processor().lanes))
for passed in range(40):
    engine.Loaded(engine.object_code(text, 1))
    if passed == 9:
        before = resident()
print(resident() - before)
"""
    made = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert int(made.stdout) < 2_000_000
