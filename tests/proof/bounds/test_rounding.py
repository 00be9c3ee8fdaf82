"""Bounds of rounding errors hold for compiled and exported code, and are not much larger than errors that are found."""

from __future__ import annotations

from collections.abc import Sequence
from ctypes import CDLL, c_float
from functools import cache
from pathlib import Path
from typing import Any

import mpmath
import numpy as np
import pytest
from commands import run
from compiling import compile_c
from hypothesis import given, settings
from refusals import refusal
from robots import robots

import qddot
from qddot.algebra.program.graph import Graph
from qddot.algebra.program.interpreter import Walk
from qddot.algebra.program.operations import column
from qddot.algebra.program.program import Node
from qddot.base.errors import EvaluationError
from qddot.machine.compilers import blocks
from qddot.machine.compilers.batch import compiled
from qddot.proof.bounds.position_ranges import position_ranges
from qddot.proof.bounds.precision import DOUBLE, SINGLE, Precision
from qddot.proof.bounds.rounding import Rounding
from qddot.proof.bounds.running_error import RunningError
from qddot.proof.bounds.sincos import CircularError, circular_error
from qddot.proof.bounds.turns import Turns

STATES = 20_000
MOTION = {"qd": 2, "qdd": 5}
LARGEST = {"two_link": 5.0, "spatial_2r": 5.0, "elbow_3r": 8.0, "puma560_akb": 8.0, "franka_panda": 50.0}


@cache
def bounded(name: str, dtype: str = "float32") -> Rounding:
    return qddot.load(name).rounding("inverse_dynamics", MOTION, dtype)


def random_states(rounding: Rounding, count: int, dtype: str) -> list[np.ndarray]:
    region, random = rounding.region, np.random.default_rng(11)
    assert region.rates is not None and region.accelerations is not None
    sides = [(region.low, region.high), (-region.rates, region.rates), (-region.accelerations, region.accelerations)]
    return [random.uniform(low * 0.999, high * 0.999, (count, len(low))).astype(dtype) for low, high in sides]


@pytest.mark.parametrize("name", LARGEST)
def test_errors_in_random_states_are_within_the_bound(name: str) -> None:
    arm, rounding = qddot.load(name), bounded(name)
    states = random_states(rounding, STATES, "float32")
    exact = arm.inverse_dynamics(*(array.astype(float) for array in states))
    error = np.abs(arm.inverse_dynamics(*states, dtype="float32") - exact)
    assert (error <= rounding.bound).all()


@pytest.mark.slow
@pytest.mark.parametrize("name", LARGEST)
def test_bounds_are_not_much_larger_than_errors_that_are_found(name: str) -> None:
    rounding = bounded(name)
    assert (rounding.found <= rounding.bound).all()
    assert rounding.ratio.max() <= LARGEST[name]


@pytest.mark.parametrize("name", ["two_link", "spatial_2r"])
def test_a_third_of_a_bound_is_exceeded(name: str) -> None:
    rounding = bounded(name)
    assert (rounding.found > rounding.bound / 3).any()


@pytest.mark.parametrize("name", ["two_link", "elbow_3r"])
def test_bounds_of_doubles_hold_for_values_in_160_bits(name: str) -> None:
    rounding = bounded(name, "float64")
    assert (rounding.found <= rounding.bound).all()
    assert (rounding.found > rounding.bound / LARGEST[name]).all()


@pytest.mark.parametrize("name", ["puma560_akb", "franka_panda"])
def test_values_of_every_step_are_within_their_range(name: str) -> None:
    rounding = bounded(name)
    program, states = rounding._program, random_states(rounding, 2000, "float64")
    values = Walk(program, blocks.functions(), float)([list(array.T) for array in states])
    steps = RunningError(program, rounding._turns, rounding._box, SINGLE, rounding._circular)
    for value, (low, high) in zip(values, steps.ranges, strict=True):
        assert low <= np.min(value) and np.max(value) <= high


@pytest.mark.parametrize("name", ["puma560_akb", "franka_panda"])
def test_the_most_unfavourable_roundings_are_within_the_error_of_a_step(name: str) -> None:
    """Roundings whose signs add up at a step, each as large as it can be, are nearly as large as its error."""
    rounding = bounded(name)
    program, wrong = rounding._program, CircularError(SINGLE.unit, SINGLE.unit * 2**0.5)
    for state in zip(*random_states(rounding, 3, "float64"), strict=True):
        inputs = [array.tolist() for array in state]
        steps = RunningError(
            program, rounding._turns, [[(x, x) for x in row] for row in inputs], SINGLE, lambda _: wrong
        )
        values = Walk(program, column("value"), float)(inputs)
        for place in [*rounding._turns.sums, *program.results]:
            assert most_unfavourable(program.nodes, values, place) <= steps.errors[place] * (1 + 1e-4)


def most_unfavourable(nodes: Sequence[Node], values: list[float], place: int) -> float:
    """Returns Σ |∂ place / ∂ node| · (half a unit in the node's last place), the largest error of first order."""
    slopes, total = {place: 1.0}, 0.0
    for k in range(place, -1, -1):
        node, slope = nodes[k], slopes.get(k, 0.0)
        if node.op in ("sin", "cos"):
            total += abs(slope) * SINGLE.unit
        elif node.op in ("add", "sub", "mul"):
            a, b = node.args
            total += abs(slope) * SINGLE.half_ulp(abs(values[k]))
            ways = {"add": (1.0, 1.0), "sub": (1.0, -1.0), "mul": (values[b], values[a])}[node.op]
            for argument, way in zip(node.args, ways, strict=True):
                slopes[argument] = slopes.get(argument, 0.0) + slope * way
    return total


@pytest.mark.parametrize("name", ["two_link", "elbow_3r", "puma560_akb"])
def test_the_bound_at_a_state_holds_and_is_below_that_of_the_region(name: str) -> None:
    arm, rounding = qddot.load(name), bounded(name)
    for state in zip(*random_states(rounding, 50, "float32"), strict=True):
        bound = rounding.at(*state)
        error = np.abs(arm.inverse_dynamics(*state, dtype="float32") - arm.inverse_dynamics(*state))
        assert (error <= bound).all()
        assert (bound <= rounding.bound * (1 + 1e-9)).all()


@pytest.mark.slow
@settings(max_examples=3, deadline=None)
@given(robots(largest=3))
def test_bounds_of_random_robots_hold(arm: qddot.Robot) -> None:
    box = dict.fromkeys(arm.model.coordinates, (-2, 2))
    for function in ("inverse_dynamics", "forward_kinematics"):
        rounding = arm.rounding(function, {**box, **MOTION}, "float32")
        assert (rounding.found <= rounding.bound).all()


@pytest.mark.parametrize(("precision", "reach"), [(SINGLE, 4.0), (SINGLE, 1e3), (DOUBLE, 4.0), (DOUBLE, 1e6)])
def test_sines_are_within_their_bound(precision: Precision, reach: float) -> None:
    graph = Graph()
    (x,) = graph.input("x")
    function = compiled(graph.program("circle", {"s": x.apply("sin"), "c": x.apply("cos")}), precision.name)
    random = np.random.default_rng(2)
    angles = random.uniform(-reach, reach, 200_000 if precision is SINGLE else 3000)
    angles = np.concatenate([angles, np.pi / 4 * np.arange(-9, 10), 1e-3 * random.normal(size=100)]).astype(
        precision.name
    )
    sine, cosine = function(angles)
    bound = circular_error(precision, reach)
    if precision is SINGLE:
        errors = [sine - np.sin(angles.astype(float)), cosine - np.cos(angles.astype(float))]
    else:
        with mpmath.workdps(60):
            exact = [(mpmath.sin(angle), mpmath.cos(angle)) for angle in map(mpmath.mpf, angles.tolist())]
            errors = [
                np.array([float(mpmath.mpf(y) - pair[k]) for y, pair in zip(values.tolist(), exact, strict=True)])
                for k, values in enumerate((sine, cosine))
            ]
    assert max(np.abs(error).max() for error in errors) <= bound.one <= 2.5 * precision.unit
    assert np.hypot(*errors).max() <= bound.pair
    assert max(np.abs(error).max() for error in errors) > bound.one / 4


def test_a_sine_of_an_angle_for_the_library_has_no_bound() -> None:
    with refusal(EvaluationError, "angle-too-large", "100000"):
        circular_error(SINGLE, 1e6)


@pytest.mark.parametrize("flags", [("-O3", "-march=native"), ("-O0", "-ffp-contract=off"), ("-O2", "-mfma")])
@pytest.mark.parametrize("real", ["float", "double"])
def test_exported_code_is_within_the_bound_that_it_states(tmp_path: Path, real: str, flags: tuple[str, ...]) -> None:
    arm = qddot.load("elbow_3r")
    arm.export("c", folder=tmp_path, real=real, bounds=MOTION)
    text = (tmp_path / "elbow_3r.h").read_text(encoding="utf-8")
    line = next(line for line in text.splitlines() if "|computed - exact| <=" in line)
    stated = np.array([float(x) for x in line.partition("<=")[2].split(",")])
    assert "q1 in [-3.14159, 3.14159]" in text and "|qd| <= 2, 2, 2" in text
    assert text.isascii()
    if real == "double":
        return
    compile_c(tmp_path / "elbow_3r.c", tmp_path / "arm.so", "-shared", "-fPIC", *flags)
    function = CDLL(str(tmp_path / "arm.so")).elbow_3r_inverse_dynamics
    states = random_states(bounded("elbow_3r"), 2000, "float32")
    exact = arm.inverse_dynamics(*(array.astype(float) for array in states))
    for row, state in enumerate(zip(*states, strict=True)):
        result = (c_float * 3)()
        function(*((c_float * 3)(*array.tolist()) for array in state), result)
        assert (np.abs(np.array(result) - exact[row]) <= stated).all()


def test_a_divisor_that_may_be_zero_is_refused() -> None:
    graph = Graph()
    x, y = graph.input("x", (2,))
    program = graph.program("ratio", {"r": x / y})

    def error(high: float) -> float:
        box = [[(1.0, 2.0), (-1.0 if high < 0 else 0.5, abs(high))]]
        return RunningError(program, Turns(program), box, SINGLE, lambda _: CircularError(0.0, 0.0)).results[0]

    assert error(3.0) == pytest.approx(4 * SINGLE.unit, rel=1e-8)  # half an ulp of numbers up to 4
    with refusal(EvaluationError, "divisor-in-region", "-1", "3"):
        error(-3.0)


def test_turned_vectors_keep_their_lengths() -> None:
    """Ten turns of a vector by the same angle: its error grows with the number of turns, and not by √2 in each."""
    graph = Graph()
    angle, x, y = graph.input("a", (3,))
    c, s = angle.apply("cos"), angle.apply("sin")
    for _ in range(10):
        x, y = c * x - s * y, s * x + c * y
    program = graph.program("turned", {"x": x})
    circle = circular_error(DOUBLE, 4.0)
    box = [[(-3.0, 3.0), (-1.0, 1.0), (-1.0, 1.0)]]
    errors = RunningError(program, Turns(program), box, DOUBLE, lambda _: circle).results
    assert errors[0] < 10 * 2**0.5 * (circle.pair + 4 * DOUBLE.unit)


@pytest.mark.thorough
def test_accelerations_over_all_poses_are_within_the_bound() -> None:
    """One box would hold divisors from below to above zero; it is divided."""
    rounding = qddot.load("elbow_3r").rounding("forward_dynamics", {"qd": 2, "tau": 10}, "float32")
    assert (rounding.found <= rounding.bound).all()
    assert rounding.ratio.max() < 10
    state = [rounding.state[key] for key in ("q", "qd", "tau")]
    assert (rounding.at(*state) <= rounding.bound).all()


def test_pivots_over_a_box_are_nearly_as_large_as_in_its_poses() -> None:
    """Near the pose in which the arm is folded, plain intervals leave a sixth of the inertia about the column."""
    program = qddot.load("elbow_3r").program("forward_dynamics")
    box = [[(-3.0, 3.0), (1.374, 1.571), (2.749, 2.945)], [(-2.0, 2.0)] * 3, [(-10.0, 10.0)] * 3]
    ranges = position_ranges(program, box, [1, 2])
    states = [[np.random.default_rng(3).uniform(*side, 1000) for side in port] for port in box]
    values = Walk(program, blocks.functions(), float)(states)
    assert all(low <= np.min(values[place]) and np.max(values[place]) <= high for place, (low, high) in ranges.items())
    for pivot in (node.args[1] for node in program.nodes if node.op == "div"):
        assert ranges[pivot][0] > 0.9 * np.min(values[pivot])


def test_a_region_with_a_singular_mass_matrix_has_no_bound_of_accelerations() -> None:
    with refusal(qddot.QddotError, "divisor-in-region", "spherical_pendulum near q = ("):
        qddot.load("spherical_pendulum").rounding("forward_dynamics", {"qd": 1, "tau": 1})


@pytest.mark.parametrize(
    ("function", "chosen", "message"),
    [
        ("inverse_dynamics", {"dtype": "float16"}, ("no-such-dtype", "float16")),
        ("inverse_dynamics", {"dtype": "quick"}, ("no-such-dtype",)),
        ("inverse_dynamics", {}, ("region-without-limit", "qd", "'q1'")),
        ("forward_dynamics", {"region": MOTION}, ("region-without-limit", "tau")),
        ("inverse_dynamics_derivatives", {"region": MOTION}, ("several-results",)),
        ("torque", {}, ("none-of-these", "no-function", "'torque'")),
    ],
)
def test_impossible_requests_are_refused(function: str, chosen: dict[str, Any], message: tuple[str, ...]) -> None:
    with refusal(qddot.QddotError, *message):
        qddot.load("two_link").rounding(function, **chosen)


def test_a_state_needs_the_arrays_of_the_function() -> None:
    rounding = bounded("two_link")
    with refusal(qddot.QddotError, "count-of-arrays", "q, qd, qdd"):
        rounding.at([0, 1])
    with refusal(qddot.QddotError, "not-finite-numbers", "2"):
        rounding.at([0, 1, 2], [0, 0], [0, 0])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--code", "python", "--bounds"], "bounds of code in 'python'"),
        (["--region", "qd=2"], "--region without --bounds"),
        (["--bounds", "--free", "g"], "with symbols or wrenches as arguments"),
        (["--bounds"], "does not limit qd"),
    ],
)
def test_the_command_refuses_bounds_that_do_not_exist(
    options: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, _, err = run(capsys, "export", "two_link", "--folder", str(tmp_path), *options)
    assert code == 2
    assert message in err
