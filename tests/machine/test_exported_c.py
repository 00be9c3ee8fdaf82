"""Exported C: sines and cosines of its own, and batches that compute what single calls do."""

from __future__ import annotations

import ctypes
import platform
import re
import subprocess
from collections.abc import Callable, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from compiling import compile_c
from flint import arb, ctx
from physical import physical
from tools import uses

import qddot
from qddot.algebra.program.graph import Graph
from qddot.algebra.program.program import Program
from qddot.machine.compilers import target
from qddot.machine.compilers.exported import Origin, vectors

EVERYWHERE = ((), ("-O3",), ("-O3", "-ffast-math"))
WITH_FMA = ("-O3", "-mfma", "-mavx2")
MANY = 41  # states: some vectors of any compiler's, and a rest


def has_fma() -> bool:
    """Whether this machine runs what -mfma makes."""
    flags = Path("/proc/cpuinfo")
    return platform.machine() == "x86_64" and flags.exists() and " fma " in flags.read_text()


FLAGS = [*EVERYWHERE, *([WITH_FMA] if has_fma() else [])]


def write(program: Program, folder: Path, real: str = "double") -> Path:
    tests = {program.name: vectors(program)}
    for name, text in target("c").files([program], Origin("arm", "0", "0"), "arm", tests, real).items():
        (folder / name).write_text(text)
    return folder / "arm.c"


def library(program: Program, folder: Path, flags: Sequence[str], real: str = "double") -> Callable[[str], Any]:
    """Exports a program, compiles it, and returns what finds its functions by the end of their names."""
    write(program, folder, real)
    compile_c(folder / "arm.c", folder / "arm.o", "-c", "-fPIC", *flags)
    # linked without -ffast-math, with which a library changes how its whole process rounds
    compile_c(folder / "arm.o", folder / "arm.so", "-shared")
    loaded = ctypes.CDLL(str(folder / "arm.so"))
    return lambda end: getattr(loaded, f"arm_{program.name}{end}")


def pointers(arrays: Sequence[np.ndarray]) -> list[ctypes.c_void_p]:
    return [ctypes.c_void_p(array.ctypes.data) for array in arrays]


def batch(
    program: Program, functions: Callable[[str], Any], inputs: Sequence[np.ndarray], states: int
) -> list[np.ndarray]:
    """Returns what the batch makes of so many rows; what it should not touch is NaN."""
    outputs = [np.full((MANY, *port.shape), np.nan, inputs[0].dtype) for port in program.outputs]
    functions("_batch")(ctypes.c_size_t(states), *pointers([*inputs, *outputs]))
    return outputs


def one_by_one(program: Program, functions: Callable[[str], Any], inputs: Sequence[np.ndarray]) -> list[np.ndarray]:
    outputs = [np.empty((MANY, *port.shape), inputs[0].dtype) for port in program.outputs]
    for k in range(MANY):
        rows = [array[k] if port.shape else array for array, port in zip(inputs, program.inputs, strict=True)]
        functions("")(*pointers([*rows, *(output[k : k + 1] for output in outputs)]))
    return outputs


def circle() -> Program:
    """The sine and the cosine of an angle, of another, and of one that depends on a sine."""
    graph = Graph()
    x, y = graph.input("x", (2,))
    (turn,) = graph.input("turn")
    angles = [x, y, x + turn, x.apply("sin") + y]
    return graph.program("circle", {f: [angle.apply(f) for angle in angles] for f in ("sin", "cos")})


def errors_in_ulp(values: np.ndarray, angles: np.ndarray, function: str) -> np.ndarray:
    """How far sines or cosines are from 1200-bit arithmetic."""
    before, ctx.prec = ctx.prec, 1200
    try:
        exact = [getattr(arb(float(angle)), function)() for angle in angles]
        errors = [float(abs(arb(float(value)) - right)) for value, right in zip(values, exact, strict=True)]
        return np.array(errors) / np.spacing([abs(float(right)) for right in exact])
    finally:
        ctx.prec = before


@pytest.mark.parametrize("flags", FLAGS, ids=" ".join)
def test_sines_and_cosines_are_within_two_ulp(flags: tuple[str, ...], tmp_path: Path) -> None:
    """Of ordinary angles, near multiples of π/2, about the largest that is reduced here, and far beyond."""
    rng = np.random.default_rng(0)
    near = np.rint(10.0 ** rng.uniform(0, 9, 1000)) * (np.pi / 2)
    angles = np.concatenate(
        [rng.uniform(-7, 7, 2000), near, -near, 10.0 ** rng.uniform(-300, 300, 1000), rng.uniform(-2e6, 2e6, 1000)]
    )
    angles = np.concatenate([angles, [0.0, -0.0, 46066.74387591393, 1e6, -1e6, 1e9, -1e9, np.nextafter(1e9, 2e9), 0.1]])
    graph = Graph()
    (x,) = graph.input("x", (1,))
    program = graph.program("pair", {f: [x.apply(f)] for f in ("sin", "cos")})
    function = library(program, tmp_path, flags)("_batch")
    sines, cosines = np.empty((2, len(angles)))
    function(ctypes.c_size_t(len(angles)), *pointers([angles, sines, cosines]))
    allowed = 4 if "-ffast-math" in flags else 2  # glibc's vectors are within four
    assert errors_in_ulp(sines, angles, "sin").max() <= allowed
    assert errors_in_ulp(cosines, angles, "cos").max() <= allowed


@pytest.mark.parametrize(("method", "own"), [(0, True), (1, True), (16, True), (64, True), (-1, False), (2, False)])
def test_sines_are_its_own_where_doubles_stay_doubles(method: int, own: bool, tmp_path: Path) -> None:
    """C says by a number how wide sums are: 16 on processors with short floats, 2 where all sums are long doubles."""
    source = write(circle(), tmp_path)
    wrong = "#ifdef QDDOT_LOOSE" if own else "#ifndef QDDOT_LOOSE"
    source.write_text(f"{source.read_text()}\n{wrong}\n#error the other sines\n#endif\n")
    method_given = f"-D__FLT_EVAL_METHOD__={method}"
    compile_c(source, tmp_path / "arm.o", "-c", "-U__FLT_EVAL_METHOD__", method_given, "-Wno-builtin-macro-redefined")


@pytest.mark.parametrize("flags", FLAGS[:2] + FLAGS[3:], ids=" ".join)
def test_an_odd_angle_does_not_disturb_its_neighbours(flags: tuple[str, ...], tmp_path: Path) -> None:
    program = circle()
    functions = library(program, tmp_path, flags)
    x, turn = np.random.default_rng(1).uniform(-4, 4, (MANY, 2)), np.array(0.3)
    usual = batch(program, functions, [x, turn], MANY)
    for place, odd in product(range(MANY), (np.nan, np.inf, -np.inf, 1e300, -3e9)):
        changed = x.copy()
        changed[place, 0] = odd
        for before, after in zip(usual, batch(program, functions, [changed, turn], MANY), strict=True):
            others = np.arange(MANY) != place
            assert np.array_equal(before[others], after[others])
            assert np.isfinite(after[place, 0]) == np.isfinite(odd)
            assert after[place, 1] == before[place, 1]


@pytest.mark.parametrize("flags", FLAGS, ids=" ".join)
@pytest.mark.parametrize("real", ["double", "float"])
def test_a_batch_of_any_size_computes_single_calls(flags: tuple[str, ...], real: str, tmp_path: Path) -> None:
    """It writes no row beyond the states."""
    program = circle()
    functions = library(program, tmp_path, flags, real)
    kind = np.dtype(real if real == "double" else "float32")
    inputs = [np.random.default_rng(2).uniform(-4, 4, (MANY, 2)).astype(kind), np.array(0.3, kind)]
    singles = one_by_one(program, functions, inputs)
    for states in range(MANY + 1):
        for several, single in zip(batch(program, functions, inputs, states), singles, strict=True):
            # the library's vectors differ from its single sines in the last places
            assert np.allclose(several[:states], single[:states], rtol=0, atol=4 * np.finfo(kind).eps)
            assert np.all(np.isnan(several[states:]))


@pytest.mark.parametrize(
    ("name", "function", "free"),
    [
        ("puma560_akb", "inverse_dynamics", ()),
        ("puma560_akb", "mass_matrix", ()),
        ("rp", "forward_dynamics", ()),
        ("one_link", "gravity", ("m",)),
        ("spherical_pendulum", "kinetic_energy", ()),
        ("elbow_3r", "inverse_dynamics_derivatives", ()),
    ],
)
def test_batches_of_arms_compute_single_calls(name: str, function: str, free: tuple[str, ...], tmp_path: Path) -> None:
    program = physical(qddot.load(name)).program(function, free)
    rng = np.random.default_rng(3)
    inputs = [
        rng.uniform(-3, 3, (MANY, *port.shape)) if port.shape else rng.uniform(1, 2, ()) for port in program.inputs
    ]
    functions = library(program, tmp_path, FLAGS[-1])
    singles = one_by_one(program, functions, inputs)
    for several, single in zip(batch(program, functions, inputs, MANY), singles, strict=True):
        assert np.allclose(several, single, rtol=1e-13, atol=1e-13 * np.abs(single).max())


@pytest.mark.parametrize(
    ("flags", "vector"), [*((flags, 32) for flags in FLAGS), ((), 8), (("-O3",), 64), (FLAGS[-1], 64)]
)
def test_the_self_test_runs_for_any_compiler(flags: tuple[str, ...], vector: int, tmp_path: Path) -> None:
    source = write(circle(), tmp_path)
    compile_c(source, tmp_path / "test", "-DQDDOT_SELFTEST", f"-DQDDOT_VECTOR={vector}", *flags)
    subprocess.run([str(tmp_path / "test")], check=True, capture_output=True)


@uses("g++")
@pytest.mark.parametrize("standard", ["c++11", "gnu++17"])
def test_the_code_is_also_c_plus_plus(standard: str, tmp_path: Path) -> None:
    _, source = qddot.load("spatial_2r").export("c", ("inverse_dynamics", "mass_matrix"), tmp_path)
    flags = ["-O2", f"-std={standard}", "-Wall", "-Wextra", "-pedantic", "-Werror", "-DQDDOT_SELFTEST"]
    subprocess.run(["g++", *flags, "-x", "c++", str(source), "-o", str(tmp_path / "test"), "-lm"], check=True)
    subprocess.run([str(tmp_path / "test")], check=True, capture_output=True)


def test_headers_and_sources_of_two_arms_stand_in_one_file(tmp_path: Path) -> None:
    for name in ("two_link", "rp"):
        qddot.load(name).export("c", ("gravity", "mass_matrix"), tmp_path)
    (tmp_path / "both.c").write_text('#include "two_link.c"\n#include "rp.c"\n')
    compile_c(tmp_path / "both.c", tmp_path / "both.so", "-shared", "-fPIC")


@uses("gcc")
@pytest.mark.skipif(not has_fma(), reason="no AVX2")
def test_gcc_makes_vectors_of_sines_and_of_states(tmp_path: Path) -> None:
    """A loop that it does not understand would take four times as long."""
    (_, source) = physical(qddot.load("puma560_akb")).export("c", ("inverse_dynamics",), tmp_path)
    flags = ["-O3", "-mavx2", "-mfma", "-c", "-fopt-info-vec-optimized", "-o", str(tmp_path / "arm.o")]
    said = subprocess.run(["gcc", *flags, str(source)], check=True, capture_output=True, text=True).stderr
    lines = list(enumerate(source.read_text().splitlines(), 1))
    sines = next(k for k, line in lines if "const double sum" in line) - 1
    states = next(k for k, line in reversed(lines) if "lane++" in line)
    for loop in (sines, states):
        assert re.search(rf"{source.name}:{loop}:\d+: optimized: loop vectorized", said)
