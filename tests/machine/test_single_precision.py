"""What is computed in single precision is near what double precision gives, relative to the largest of its terms."""

from __future__ import annotations

import platform
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from physical import physical, states
from shipped import robot

import qddot
from qddot.algebra.program.graph import Graph
from qddot.machine.compilers import kernels
from qddot.machine.compilers.batch import compiled
from qddot.machine.compilers.llvm import engine, ir, vectors

ARMS = ("two_link", "elbow_3r", "puma560_akb", "baxter")
STATES = 300
BOUND = 3e-6  # 25 times the rounding of a float: what the docs promise


def as_list(results: Any) -> list[np.ndarray]:
    return list(results) if isinstance(results, tuple) else [results]


def largest(array: np.ndarray) -> np.ndarray:
    """The largest entry in each state."""
    return np.abs(array).reshape(len(array), -1).max(axis=1)


def in_doubles(function: Callable[..., Any], *arrays: np.ndarray) -> Any:
    """What NumPy computes in double precision."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(kernels, "compiler", kernels.blocks)
        return function(*arrays)


def terms(arm: qddot.Robot, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray) -> np.ndarray:
    """The largest sum of |M| |q̈| + |C| |q̇| + |G| in each state."""
    M, C = in_doubles(arm.mass_matrix, q), in_doubles(arm.coriolis_matrix, q, qd)
    moved = (np.abs(A) @ np.abs(x)[..., None] for A, x in ((M, qdd), (C, qd)))
    return largest(sum(part[..., 0] for part in moved) + np.abs(in_doubles(arm.gravity, q)))


@pytest.fixture(params=ARMS)
def arm(request: pytest.FixtureRequest) -> qddot.Robot:
    return physical(qddot.load(request.param))


def test_torques_are_near_to_the_size_of_their_terms(arm: qddot.Robot) -> None:
    q, qd, qdd = states(arm, STATES).astype("float32")
    error = arm.inverse_dynamics(q, qd, qdd, dtype="float32") - in_doubles(arm.inverse_dynamics, q, qd, qdd)
    assert (largest(error) <= BOUND * terms(arm, q, qd, qdd)).all()


def test_accelerations_need_torques_that_are_as_near(arm: qddot.Robot) -> None:
    q, qd, tau = states(arm, STATES).astype("float32")
    qdd = arm.forward_dynamics(q, qd, tau, dtype="float32").astype(float)
    error = in_doubles(arm.inverse_dynamics, q, qd, qdd) - tau
    assert (largest(error) <= BOUND * (terms(arm, q, qd, qdd) + largest(tau))).all()


@pytest.mark.parametrize(
    ("name", "count"),
    [
        *(("mass_matrix", 1), ("coriolis_matrix", 2), ("gravity", 1), ("kinetic_energy", 2)),
        *(("jacobian", 1), ("jacobian_drift", 2), ("reactions", 3), ("inverse_dynamics_derivatives", 3)),
    ],
)
def test_other_results_are_near_to_their_largest_entry(name: str, count: int) -> None:
    arm = physical(robot("puma560_akb"))
    arrays, function = states(arm, STATES).astype("float32")[:count], getattr(arm, name)
    for single, right in zip(
        as_list(function(*arrays, dtype="float32")), as_list(in_doubles(function, *arrays)), strict=True
    ):
        assert single.dtype == np.float32
        assert (largest(single - right) <= BOUND * largest(right)).all()


@pytest.mark.parametrize("name", ["elbow_3r", "puma560_akb"])
def test_derivatives_of_accelerations_are_near_where_the_mass_matrix_is_well_conditioned(name: str) -> None:
    arm = physical(qddot.load(name))
    q, qd, tau = states(arm, STATES).astype("float32")
    bad, function = np.linalg.cond(in_doubles(arm.mass_matrix, q)), arm.forward_dynamics_derivatives
    for single, right in zip(function(q, qd, tau, dtype="float32"), in_doubles(function, q, qd, tau), strict=True):
        assert (largest(single - right) <= BOUND * bad * largest(right)).all()


def sincos() -> Any:
    graph = Graph()
    (x,) = graph.input("x")
    return compiled(graph.program("sincos", {"s": x.apply("sin"), "c": x.apply("cos")}), "float32")


def test_the_exponential_of_floats_is_within_two_ulp() -> None:
    graph = Graph()
    (x,) = graph.input("x")
    rng = np.random.default_rng(0)
    at = np.concatenate([rng.uniform(-span, span, 20_000) for span in (1e-3, 1, 20, 87)]).astype("float32")
    values, exact = (
        compiled(graph.program("exponential", {"y": x.apply("exp")}), "float32")(at),
        np.exp(at.astype(float)),
    )
    assert (np.abs(values - exact) <= 2 * np.spacing(exact.astype("float32"))).all()


def test_sine_and_cosine_of_floats_are_within_two_ulp() -> None:
    """Ordinary angles, near multiples of π/2, up to 1e5 and beyond; NaN and ∞ stay in their lanes."""
    rng = np.random.default_rng(0)
    near = np.rint(rng.uniform(-6e4, 6e4, 20_000)) * (np.pi / 2)
    x = np.concatenate(
        [rng.uniform(-7, 7, 20_000), rng.uniform(-1e5, 1e5, 20_000), near, 10.0 ** rng.uniform(-8, 38, 20_000)]
    )
    x = np.concatenate([x, [0.0, 1e5, -1e5, 1840.216, 2006.658]]).astype("float32")
    for values, exact in zip(sincos()(x), (np.sin(x.astype(float)), np.cos(x.astype(float))), strict=True):
        assert values.dtype == np.float32
        assert (np.abs(values - exact) <= 2 * np.spacing(np.abs(exact).astype("float32"))).all()
    s, _ = sincos()(np.array([0.5, np.nan, np.inf, 1e30], "float32"))
    np.testing.assert_array_equal(np.isnan(s), [False, True, True, False])


def test_functions_of_the_c_library_take_floats() -> None:
    graph = Graph()
    (x,) = graph.input("x")
    names = ("tanh", "exp", "sqrt", "sign", "rint")
    function = compiled(graph.program("f", {name: x.apply(name) for name in names}), "float32")
    x32 = np.linspace(0, 3, 21, dtype="float32")
    for name, values in zip(names, function(x32), strict=True):
        np.testing.assert_allclose(values, getattr(np, name)(x32.astype(float)), rtol=3e-7)


def test_constants_that_floats_cannot_hold_are_computed_with_in_double_precision() -> None:
    arm = qddot.load("two_link").with_values(m1=1e35, m2=1e-35)
    program = arm.program("mass_matrix")
    assert vectors(program, "float32").real == "double"
    assert vectors(qddot.load("two_link").with_values(m1=1.0, m2=1.0).program("mass_matrix"), "float32").real == "float"
    q = states(arm, 21)[0]
    np.testing.assert_array_equal(
        arm.mass_matrix(q.astype("float32"), dtype="float32")[..., 1, 1],
        arm.mass_matrix(q.astype("float32"))[..., 1, 1].astype("float32"),
    )


HASWELL = ("haswell", "+avx2,+fma", 4)
SKYLAKE = ("skylake-avx512", "+avx512f,+avx512vl,+avx512dq,+fma,-prefer-256-bit", 8)


@pytest.mark.skipif(platform.machine() not in ("x86_64", "AMD64"), reason="these processors are x86")
@pytest.mark.parametrize(
    ("function", "name", "features", "lanes"),
    [
        ("inverse_dynamics", *HASWELL),
        ("inverse_dynamics", *SKYLAKE),
        ("forward_dynamics", *SKYLAKE),
    ],
)
def test_a_vector_of_floats_takes_the_instructions_of_half_as_many_doubles(
    function: str, name: str, features: str, lanes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A state then takes little more than half the time, if nothing is widened and few values are on the stack."""
    monkeypatch.setattr(engine, "processor", lambda: engine.Processor(name, features, lanes))
    program = physical(qddot.load("panda")).program(function)
    double, single = (ir.module(program, vectors(program, dtype))[0] for dtype in ("float64", "float32"))
    assert f"<{2 * lanes} x float>" in single and "x double>" not in single
    for operator in ("fadd", "fsub", "fmul", "fdiv"):
        assert single.count(f" {operator} ") == double.count(f" {operator} ")
    # the rows of more states are turned into vectors
    assert len(engine.object_code(single, engine.MOST)) < 1.25 * len(engine.object_code(double, engine.MOST))


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_wider_registers_compute_the_same(dtype: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Vectors of 64 bytes, which are cut into two where there are none so wide."""
    arm = physical(qddot.load("puma560"))
    arrays = states(arm, 37)
    names = ("inverse_dynamics", "mass_matrix", "forward_dynamics")
    right = [as_list(getattr(arm, name)(*arrays[: 1 if name == "mass_matrix" else 3], dtype=dtype)) for name in names]
    host = engine.processor()
    monkeypatch.setattr(engine, "processor", lambda: engine.Processor(host.name, host.features, 8))
    again = qddot.Robot(arm.model)
    for name, results in zip(names, right, strict=True):
        outputs = as_list(getattr(again, name)(*arrays[: 1 if name == "mass_matrix" else 3], dtype=dtype))
        for one, other in zip(outputs, results, strict=True):
            np.testing.assert_allclose(
                one, other, rtol=0, atol=(1e-12 if dtype == "float64" else 1e-5) * np.abs(other).max()
            )
