"""Compiled functions take shapes, strides, dtypes, threads and mistakes as callers expect."""

from __future__ import annotations

import re
import sys
from functools import cache
from typing import Any

import numpy as np
import pytest
from physical import close, physical, states
from refusals import refusal

import qddot
from qddot.algebra.program.program import Program
from qddot.base.errors import EvaluationError
from qddot.machine.compilers import blocks, kernels
from qddot.machine.compilers.batch import compiled


def test_shapes_strides_and_dtypes() -> None:
    arm = qddot.load("elbow_3r")
    q, qd, qdd = states(arm, 24)
    plain = arm.inverse_dynamics(q, qd, qdd)
    shaped = [x.reshape(2, 3, 4, 3) for x in (q, qd, qdd)]
    close(arm.inverse_dynamics(*shaped), plain.reshape(2, 3, 4, 3))
    close(arm.inverse_dynamics(q[::-2], qd[::-2], qdd[::-2]), plain[::-2])
    close(arm.inverse_dynamics(np.asfortranarray(q), qd, qdd.tolist()), plain)
    close(arm.inverse_dynamics(q[0], qd, qdd[0])[7], arm.inverse_dynamics(q[0], qd[7], qdd[0]))
    assert arm.inverse_dynamics(q[:0], qd[:0], qdd[:0]).shape == (0, 3)
    assert arm.mass_matrix([0, 1, 2]).shape == (3, 3)
    wide = np.zeros((24, 7))
    wide[:, 2:5] = q
    close(arm.gravity(wide[:, 2:5]), arm.gravity(q))
    single = arm.inverse_dynamics(q, qd, qdd, dtype="float32")
    assert single.dtype == np.float32
    close(single, plain, 1e-5)


def test_out_is_filled_whatever_its_memory() -> None:
    arm = qddot.load("elbow_3r")
    q, qd, qdd = states(arm, 21)
    plain = arm.inverse_dynamics(q, qd, qdd)
    out = np.empty((21, 3))
    assert arm.inverse_dynamics(q, qd, qdd, out=out) is out
    close(out, plain)
    spread = np.zeros((21, 6))[:, ::2]
    close(arm.inverse_dynamics(q, qd, qdd, out=spread), plain)
    for every in (np.zeros((42, 3, 3))[::2], np.zeros((21, 3, 6))[..., ::2], np.zeros((3, 3, 21)).T):
        assert arm.mass_matrix(q, out=every) is every
        close(every, arm.mass_matrix(q))
    energies = np.zeros((21, 2))[:, 1]
    close(arm.kinetic_energy(q, qd, out=energies), arm.kinetic_energy(q, qd))
    close(energies, arm.kinetic_energy(q, qd))
    overlapping = q.copy()
    close(arm.inverse_dynamics(overlapping, qd, qdd, out=overlapping), plain)
    frozen = np.empty((21, 3))
    frozen.flags.writeable = False
    for bad, says in (
        (frozen, ("out-read-only",)),
        (np.empty((21, 2)), ("out-unfit", "float64", "float64 (21, 2)")),
        ("no", ("out-unfit", "str")),
    ):
        with refusal(EvaluationError, *says):
            arm.inverse_dynamics(q, qd, qdd, out=bad)


def test_the_entry_agrees_with_the_general_call() -> None:
    arm = qddot.load("elbow_3r")
    for size in (1, 7, 300):
        q, qd, qdd = states(arm, size)
        general = arm.inverse_dynamics(q, qd, qdd, threads=1)
        for arrays in ((q, qd, qdd), (q[:, :], qd.copy(), np.repeat(qdd, 2, 0)[::2])):
            assert np.array_equal(arm.inverse_dynamics(*arrays), general)
            assert np.array_equal(arm.inverse_dynamics(*arrays, out=np.empty((size, 3))), general)
        assert np.array_equal(arm.inverse_dynamics(q[-1], qd[-1], qdd[-1], out=np.empty(3)), general[-1])
        backward = np.empty((size, 3))
        arm.inverse_dynamics(q, qd, qdd, out=backward[::-1])
        assert np.array_equal(backward[::-1], general)
    derivatives = [np.empty((300, 3, 3)) for _ in range(3)]
    assert arm.inverse_dynamics_derivatives(q, qd, qdd, out=derivatives)[1] is derivatives[1]
    for new, given in zip(arm.inverse_dynamics_derivatives(q, qd, qdd), derivatives, strict=True):
        assert np.array_equal(new, given)


def test_the_entry_keeps_the_counts_of_references() -> None:
    arm = qddot.load("elbow_3r")
    q, qd, qdd = states(arm, 3)
    out, odd = np.empty((3, 3)), np.empty((3, 3), dtype=np.float32)
    three = [np.empty((3, 3, 3)) for _ in range(3)]
    watched = [q, out, odd, three[0], np.dtype(np.float64)]

    def counts() -> list[int]:
        return [sys.getrefcount(each) for each in watched]

    before = counts()
    for _ in range(100):
        arm.inverse_dynamics(q, qd, qdd)
        arm.inverse_dynamics(q, qd, qdd, out=out)
        arm.inverse_dynamics(q, qd, odd)
        arm.inverse_dynamics_derivatives(q, qd, qdd, out=three)
        arm.kinetic_energy(q[0], qd[0])
        assert sys.getrefcount(arm.inverse_dynamics(q, qd, qdd)) == 2 - (sys.version_info >= (3, 14))
    assert counts() == before


def test_an_out_that_reaches_into_an_input_is_computed_apart() -> None:
    arm = qddot.load("elbow_3r")
    q, qd, qdd = states(arm, 40)
    right = arm.inverse_dynamics(q, qd, qdd)
    memory = np.zeros(500)
    for shift in (-60, -3, 1, 60):
        inside = memory[100:220].reshape(40, 3)
        inside[...] = q
        out = memory[100 + shift : 220 + shift].reshape(40, 3)
        close(arm.inverse_dynamics(inside, qd, qdd, out=out), right)


def test_threads_share_the_batch() -> None:
    arm = qddot.load("spatial_2r")
    q, qd, qdd = states(arm, 5001)
    close(arm.inverse_dynamics(q, qd, qdd, threads=3), arm.inverse_dynamics(q, qd, qdd))


@pytest.mark.parametrize("size", range(1, 20))
def test_tails_of_every_length(size: int) -> None:
    arm = qddot.load("two_link")
    q, qd, qdd = states(arm, 19)
    guard = np.full((size + 1, 2), 7.0)
    arm.inverse_dynamics(q[:size], qd[:size], qdd[:size], out=guard[:size])
    close(guard[:size], arm.inverse_dynamics(q, qd, qdd)[:size])
    assert (guard[size] == 7).all()


def test_nan_and_infinity_stay_in_their_states() -> None:
    arm = qddot.load("elbow_3r")
    q, qd, qdd = states(arm, 16)
    plain = arm.inverse_dynamics(q, qd, qdd)
    q[3, 1], q[5, 0], qd[9, 2] = np.nan, np.inf, -np.inf
    torques = arm.inverse_dynamics(q, qd, qdd)
    sound = np.isin(np.arange(16), [3, 5, 9], invert=True)
    close(torques[sound], plain[sound])
    assert np.isnan(torques[3]).any()
    with refusal(EvaluationError, "entry-not-finite", "q", "[3, 1]", "nan"):
        arm.inverse_dynamics(q, qd, qdd, check=True)


@pytest.mark.parametrize(
    ("arrays", "says"),
    [
        (([0, 0], [0, 0, 0], [0, 0, 0]), ("argument-misshapen", "q", "(2,)", "…, 3")),
        ((np.zeros((4, 3)), np.zeros((5, 3)), np.zeros(3)), ("batch-shapes-not-fit",)),
        ((["a", "b", "c"], [0] * 3, [0] * 3), ("argument-no-numbers", "q")),
        (([None] * 3, [0] * 3, [0] * 3), ("argument-no-numbers", "q", "'[None, None, None]'")),
        (([[0], [0, 1]], [0] * 3, [0] * 3), ("argument-no-numbers",)),
        ((np.zeros((1,) * 34 + (3,)), [0] * 3, [0] * 3), ("array-of-many-axes", "35")),
        ((np.zeros(3, dtype=complex), [0] * 3, [0] * 3), ("argument-no-numbers", "q", "complex128")),
        ((5, 5, 5), ("argument-misshapen", "q", "()")),
    ],
)
def test_wrong_arrays_are_named(arrays: Any, says: tuple[str, ...]) -> None:
    with refusal(EvaluationError, *says):
        qddot.load("elbow_3r").inverse_dynamics(*arrays)


def test_unknown_options_are_refused() -> None:
    arm = qddot.load("elbow_3r")
    with refusal(EvaluationError, "no-body", "column, upper, fore"):
        arm.forward_kinematics(np.zeros(3), body="hand")
    with refusal(EvaluationError, "no-body", "3"):
        arm.forward_kinematics(np.zeros(3), body=3)
    with refusal(EvaluationError, "no-such-frame"):
        arm.jacobian(np.zeros(3), frame="tool")
    with refusal(EvaluationError, "no-such-dtype", "float64 or float32"):
        arm.gravity(np.zeros(3), dtype="int8")
    with refusal(qddot.QddotError, "none-of-these", "'gravity'"):
        arm.program("gravty")


def test_numpy_in_blocks_serves_without_llvmlite(monkeypatch: pytest.MonkeyPatch) -> None:
    arm = physical(qddot.load("panda"))
    q, qd, qdd = states(arm, 1030)
    by_llvm = arm.inverse_dynamics(q, qd, qdd)
    monkeypatch.setattr(kernels, "compiler", kernels.blocks)
    slow = compiled(arm.program("inverse_dynamics"))
    close(slow(q, qd, qdd), by_llvm)
    close(slow(q[0], qd[0], qdd[0]), by_llvm[0])
    again = qddot.Robot(arm.model)
    close(again.inverse_dynamics(q, qd, qdd), by_llvm)
    close(again.inverse_dynamics(q[0], qd[0], qdd[0]), by_llvm[0])


WRONG = [
    (lambda arm: arm.with_values(m1="abc"), "'m1': value abc; expected a number"),
    (lambda arm: arm.with_values(m1="m2"), "'m1': value m2; expected a number"),
    (lambda arm: arm.with_values(m1=float("nan")), "nan is not finite"),
    (lambda arm: arm.with_values(m1=-1), "mass -1 is negative"),
    (lambda arm: arm.with_values(zzz=1), "no symbol 'zzz'"),
    (lambda arm: arm.with_payload(-1), "'payload': mass -1 is negative"),
    (lambda arm: arm.gravity([0, 0], threads="a"), "threads = 'a'; expected a whole number"),
    (lambda arm: arm.gravity([0, 0], threads=0), "threads = 0; expected a whole number"),
    (lambda arm: arm.gravity([0, 0], threads=1.5), "threads = 1.5; expected a whole number"),
    (
        lambda arm: arm.forward_dynamics([0, 0], [0, 0], [0, 0], m1=0, m2=0, Ia=0, check=True),
        "the mass matrix is singular: joint 'q2' moves no inertia",
    ),
    (lambda arm: arm.forward_kinematics([0, 0], body=[1]), "body '[1]'; expected a name or an index"),
    (lambda arm: arm.jacobian([0, 0], body={}), "body '{}'; expected a name or an index"),
    (lambda arm: arm.jacobian([0, 0], frame=["world"]), "frame \"['world']\"; expected"),
    (lambda arm: arm.operational_space([np.nan, 0], [0, 0]), "cannot move in all 6 directions"),
    (lambda arm: arm.equations(5), "a route 5; expected a name"),
    (lambda arm: arm.equations([]), "a route '[]'; expected a name"),
    (lambda arm: arm.program(5), "no function 5; expected"),
    (lambda arm: arm.program("gravity", free=None), "symbols is 'None'; expected a list"),
    (lambda arm: arm.export("c", 5), "functions is 5; expected a list"),
    (lambda arm: arm.export("c", []), "no functions; expected names"),
    (lambda arm: arm.export("c", [1]), "functions has 1; expected names"),
    (lambda arm: arm.export(["c"]), "target \"['c']\"; expected c or"),
    (lambda arm: arm.export("c", name=5), "the name 5; expected a C identifier"),
    (lambda arm: arm.export("c", folder=None), "'None': cannot be written"),
    (lambda arm: arm.export("c", folder="a\0b"), "cannot be written: its name contains a NUL character"),
    (lambda arm: arm.export("c", free=5), "free is 5; expected a list"),
    (lambda arm: arm.equations().array(5), "no quantity 5; expected M"),
    (lambda arm: arm.linearize(np.zeros((5, 3))), "q has the shape (5, 3); expected (…, 2)"),
    (lambda arm: arm.linearize([0, 0], q=1), "no symbol 'q'"),
    (lambda arm: arm.linearize([0, 0], dtype="int8"), "dtype int8; expected float64"),
    (lambda arm: arm.linearize([0, 0], out=np.zeros((4, 4))), "arrays in out: 1; expected 2"),
    (lambda arm: arm.equations().linearize("30deg"), "q0 is '30deg'; expected an entry"),
    (lambda arm: arm.equations().linearize([0, 0]).at(zz=1), "no symbol or coordinate 'zz'"),
    (lambda arm: arm.program("inverse_dynamics", wrenches=np.ones((2, 6))), "inverse_dynamics with wrenches="),
    (lambda arm: arm.program("bias", wrenches=True), "bias with wrenches=True; expected"),
    (lambda arm: arm.mass_matrix([0, 0], out=[]), "arrays in out: 0; expected 1"),
    (
        lambda arm: arm.inverse_dynamics_derivatives([0, 0], [0, 0], [0, 0], out=[np.zeros((2, 2))] * 3),
        "dtau_dq and for dtau_dqd overlap",
    ),
    (lambda arm: arm.with_payload(1, body="nowhere"), "no body 'nowhere'; known"),
    (lambda arm: arm.export("python", real="float"), "real 'float'; expected double"),
]


def test_results_may_lie_between_each_other_and_not_in_each_other() -> None:
    arm = qddot.load("elbow_3r")
    q, qd, qdd = states(arm, 21)
    whole = np.zeros((21, 3, 3, 3))
    arm.inverse_dynamics_derivatives(q, qd, qdd, out=[whole[:, k] for k in range(3)])
    for derivative, right in zip(whole.swapaxes(0, 1), arm.inverse_dynamics_derivatives(q, qd, qdd), strict=True):
        close(derivative, right)
    with refusal(EvaluationError, "out-overlap", "dtau_dq", "dtau_dqd"):
        arm.inverse_dynamics_derivatives(q, qd, qdd, out=[whole[:, 0], whole[:, 0], whole[:, 2]])


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_what_is_put_together_comes_as_it_is_asked_for(dtype: Any) -> None:
    arm = physical(qddot.load("puma560_akb"))
    q, qd, _ = states(arm, 5)
    shapes = {"A": (12, 12), "B": (12, 6), "Lambda": (6, 6), "mu": (6,), "p": (6,)}
    out = {name: np.empty((5, *shape), dtype=dtype) for name, shape in shapes.items()}
    A, B = arm.linearize(q, dtype=dtype, out=(out["A"], out["B"]))
    terms = arm.operational_space(q, qd, dtype=dtype, out=[out[name] for name in ("Lambda", "mu", "p")], threads=2)
    assert all(array is out[name] for array, name in zip((A, B, *terms), shapes, strict=True))
    for array, right in zip((A, B, *terms), (*arm.linearize(q), *arm.operational_space(q, qd)), strict=True):
        assert array.dtype == dtype
        np.testing.assert_array_equal(array, right.astype(dtype))
    with refusal(EvaluationError, "out-unfit", "linearize", "B", "float64", "float64 (5, 2)"):
        arm.linearize(q, out=(np.empty((5, 12, 12)), np.empty((5, 2))))


@pytest.mark.parametrize(("call", "message"), WRONG, ids=[message for _, message in WRONG])
def test_mistakes_are_our_errors(call: Any, message: str) -> None:
    with pytest.raises(qddot.QddotError, match=re.escape(message)):
        call(qddot.load("spatial_2r"))


@cache
def wide() -> tuple[qddot.Robot, Program]:
    """An arm, and its program with the widest results."""
    arm = qddot.load("puma560_akb")
    return arm, arm.program("inverse_dynamics_derivatives")


@pytest.mark.parametrize("states", [1, 3, 8, 13, 29, 2_600])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_wide_results_are_the_same_by_every_way_of_writing(states: int, dtype: Any) -> None:
    """Straight in their array and row by row: where rows are dense and aligned, where not, and in tails."""
    arm, program = wide()
    q, qd, qdd = np.random.default_rng(0).normal(size=(3, states, 6)).astype(dtype).astype(float)
    starts = range(0, states, 50)
    cut = ([array[k : k + 50] for array in (q, qd, qdd)] for k in starts)
    parts = [arm.inverse_dynamics_derivatives(*arrays, dtype=dtype) for arrays in cut]
    expected = [np.concatenate(each) for each in zip(*parts, strict=True)]
    plain = [np.empty((states, 36)) for _ in range(3)]
    blocks.BlockKernel(program).run([q, qd, qdd], plain, 0, states)
    for derivative, right in zip(expected, plain, strict=True):
        close(derivative.reshape(states, 36), right, 1e-12 if dtype == np.float64 else 1e-6)
    fresh = arm.inverse_dynamics_derivatives(q, qd, qdd, dtype=dtype)
    whole = [np.full(states * 36 + 32, 7, dtype=dtype) for _ in range(3)]
    begins = [(-array.ctypes.data % 64) // array.itemsize + k for k, array in enumerate(whole, 3)]
    odd = [a[k : k + states * 36].reshape(states, 6, 6) for a, k in zip(whole, begins, strict=True)]
    sparse = [np.full((states, 2, 6, 6), 7, dtype=dtype) for _ in range(3)]
    arm.inverse_dynamics_derivatives(q, qd, qdd, out=odd, dtype=dtype)
    arm.inverse_dynamics_derivatives(q, qd, qdd, out=[array[:, 0] for array in sparse], dtype=dtype)
    shared = arm.inverse_dynamics_derivatives(q, qd, qdd, threads=2, dtype=dtype)
    for array, start in zip(whole, begins, strict=True):
        assert (array[:start] == 7).all()
        assert (array[start + states * 36 :] == 7).all()
    for k in range(3):
        assert (sparse[k][:, 1] == 7).all()
        for derivative in (fresh[k], odd[k], sparse[k][:, 0], shared[k]):
            np.testing.assert_array_equal(derivative, expected[k])


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_integers_of_a_state_are_taken_without_a_copy_by_numpy(dtype: str) -> None:
    program = physical(qddot.load("puma560")).program("inverse_dynamics")
    function = compiled(program, dtype)
    whole = np.array([3, -1, 2**62 + 1, 0, 7, 1 << 24 | 1])
    spread = np.repeat(whole, 2)[::2]
    right = function(*[whole.astype(dtype)] * 3)
    for state in (whole, spread, whole.tolist()):
        assert np.array_equal(function(state, state, state), right)
    assert np.array_equal(function.entry(whole, spread, whole), right)
    assert function.entry(whole[:5], whole, whole) is None
    batch = np.array([whole, whole])
    assert np.array_equal(function(batch, batch, batch), [right, right])


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_lists_and_tuples_of_a_state_are_taken_without_numpy(dtype: str) -> None:
    function = compiled(physical(qddot.load("puma560")).program("inverse_dynamics"), dtype)
    many, tenth = 1 << 60, float("0.1")
    rows: list[Any] = [[tenth, -1, 2.0, np.float64(0.25), 7, -3.5], (many, 0, 1.5, tenth, -0.0, 2), [1.0] * 6]
    right = function(*(np.array(row, dtype) for row in rows))
    before = [sys.getrefcount(each) for each in (many, tenth, rows[0])]
    for _ in range(100):
        assert np.array_equal(function.entry(*rows), right)
        for odd in ([True] * 6, [10**30] * 6, [None] * 6, ["1"] * 6, [tenth] * 5, [tenth] * 7, [rows[0]], [], "123456"):
            assert function.entry(odd, rows[1], rows[2]) is None
    assert [sys.getrefcount(each) for each in (many, tenth, rows[0])] == before
    several = function([rows[0], rows[2]], rows[1], rows[2])
    assert np.array_equal(several[0], right)
    assert np.array_equal(function(rows[0], rows[1], [np.float32(1)] * 6), right)
