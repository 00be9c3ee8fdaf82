"""Every operation in the table, and every one that a test plants there, means the same wherever it is used."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from importlib import import_module
from itertools import product
from pathlib import Path
from typing import Any

import mpmath
import numpy as np
import pytest
from exported_code import RUN, RUNNERS
from flint import arb, arb_series
from physical import physical
from planted_operations import EXACT, PLANTED
from refusals import refusal
from scipy.integrate import solve_ivp

import qddot
from qddot.algebra.numbers.balls import ends
from qddot.algebra.program import derivatives
from qddot.algebra.program.graph import Graph, computed
from qddot.algebra.program.interpreter import evaluated
from qddot.algebra.program.operations import OPERATIONS, Operation, is_public
from qddot.algebra.program.program import Program
from qddot.algebra.program.series import CALLED_PORTS, Series
from qddot.algebra.program.signal import Signal
from qddot.base.errors import EvaluationError, SimulationError
from qddot.machine.compilers import TARGETS, blocks
from qddot.machine.compilers.batch import compiled
from qddot.machine.compilers.exported import Origin
from qddot.proof.bounds.exact_programs import ExactGraph, ExactProgram
from qddot.proof.bounds.forms import coordinate
from qddot.proof.bounds.functions import UndefinedError
from qddot.proof.bounds.precision import DOUBLE, SINGLE, Precision
from qddot.proof.bounds.running_error import RunningError
from qddot.proof.bounds.sincos import circular_error
from qddot.proof.bounds.turns import Turns
from qddot.proof.bounds.walk import ExactWalk, of_forms

POSITIVE = ("sqrt", "div", "atan2", "fabs")  # has values or slopes only there
STATES = 60
STEP = mpmath.mpf("1e-15")  # of differences of numbers with forty digits
ROUNDED = 8  # units in the last place, more than the C library's errors


@pytest.fixture(params=[*OPERATIONS, *PLANTED])
def name(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of an operation, which is planted if the table does not have it."""
    if request.param in PLANTED:
        monkeypatch.setitem(OPERATIONS, request.param, PLANTED[request.param])
    return str(request.param)


@pytest.fixture
def operation(name: str) -> Operation:
    return OPERATIONS[name]


def points(name: str, count: int = STATES) -> np.ndarray:
    """Arguments (arity, count), where the operation has values and slopes."""
    low = 0.2 if name in POSITIVE else -3.0
    return np.random.default_rng(3).uniform(low, 3.0, (OPERATIONS[name].arity, count))


def exact(name: str, *x: Any) -> Any:
    return EXACT[name](*map(mpmath.mpf, x))


def program_of(name: str, count: int = 1) -> Program:
    """y_k = f(x_k) for `count` columns of arguments; an input has the name that the function has in C."""
    graph, operation = Graph(), OPERATIONS[name]
    rows = [graph.input(port, (count,)) for port in (operation.name, "y")[: operation.arity]]
    return graph.program("values", {"result": [computed(name, [*x]) for x in zip(*rows, strict=True)]})


def right_values(name: str, x: np.ndarray) -> np.ndarray:
    with mpmath.workdps(40):
        return np.array([float(exact(name, *column)) for column in x.T.tolist()])


def special(name: str) -> np.ndarray:
    """Where operations with jumps and choices have to decide."""
    values = [-2.5, -1.5, -0.5, 0.0, 0.5, 1.5, 2.5, 0.49999999999999994, 4503599627370497.0, -7.0, 7.2]
    return np.array([*product(values, repeat=OPERATIONS[name].arity)]).T


def arguments(name: str) -> np.ndarray:
    x = points(name)
    return x if OPERATIONS[name].analytic else np.concatenate([x, special(name)], axis=1)


def test_every_operation_has_an_exact_counterpart() -> None:
    assert {*EXACT} == {*OPERATIONS, *PLANTED}
    assert not {*OPERATIONS} & {*PLANTED}


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_values_of_all_ways_to_compute(name: str, dtype: str) -> None:
    x = arguments(name).astype(dtype).astype(float)
    right = right_values(name, x)
    program, rows = program_of(name), [row[:, None] for row in x]
    within = partial(np.testing.assert_allclose, rtol=ROUNDED * float(np.finfo(dtype).eps), atol=1e-300)
    within(compiled(program, dtype)(*(row.astype(dtype) for row in rows))[:, 0], right.astype(dtype))
    if dtype == "float64":
        within([evaluated(program, [[value] for value in column])[0][0] for column in x.T.tolist()], right)
        kernel, outputs = blocks.compiled(program, dtype), [np.empty((len(right), 1))]
        kernel.run(rows, outputs, 0, len(right))
        within(outputs[0][:, 0], right)


@pytest.mark.parametrize("target", RUN)
def test_values_of_exported_code(name: str, target: str, tmp_path: Path) -> None:
    x = arguments(name)
    program = program_of(name, x.shape[1])
    for file, text in import_module(TARGETS[target]).files([program], Origin("", "", ""), "exported", {}).items():
        (tmp_path / file).parent.mkdir(exist_ok=True)
        (tmp_path / file).write_text(text, encoding="utf-8")
    (result,) = RUNNERS[target](tmp_path, "exported", program, [*np.ascontiguousarray(x)])
    np.testing.assert_allclose(result, right_values(name, x), rtol=ROUNDED * np.finfo(float).eps, atol=1e-300)


def test_the_public_function(name: str, operation: Operation) -> None:
    if not is_public(name):
        assert not hasattr(qddot, name)
        return
    function, x = getattr(qddot, name), arguments(name)
    assert (function.__doc__, function.__name__) == (operation.sentence, name)
    right = right_values(name, x)
    np.testing.assert_allclose(function(*x), right, rtol=1e-14)
    np.testing.assert_allclose([function(*column) for column in x.T.tolist()], right, rtol=1e-14)


def test_derivatives(name: str, operation: Operation) -> None:
    """By forward and reverse accumulation, against central differences with forty digits."""
    graph = Graph()
    x = graph.input("x", (operation.arity,))
    y = computed(name, [*x])
    rows = derivatives.jacobian([y], x)
    along = [derivatives.directional([y], {each.index: 1.0}) for each in x]
    program = graph.program("slopes", {"rows": [*rows, [row[0] for row in along]]})
    for column in points(name).T.tolist():
        (slopes,) = evaluated(program, [column])
        with mpmath.workdps(40):
            for k in range(operation.arity):
                before, x_k, after = column[:k], mpmath.mpf(column[k]), column[k + 1 :]
                values = [exact(name, *before, x_k + step, *after) for step in (STEP, -STEP)]
                right = float((values[0] - values[1]) / (2 * STEP))
                assert slopes[k] == pytest.approx(right, rel=1e-13, abs=1e-13)
                assert slopes[operation.arity + k] == pytest.approx(right, rel=1e-13, abs=1e-13)


def boxes(name: str, width: float, count: int = 30) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Corners of random boxes, with at most this width, inside the operation's domain."""
    rng = np.random.default_rng(8)
    for low in points(name, count).T:
        yield low, low + width * rng.random(len(low))


def inside(low: np.ndarray, high: np.ndarray, count: int = 12) -> np.ndarray:
    """Points of a box, its corners among them."""
    share = np.random.default_rng(4).random((count, len(low)))
    return np.concatenate([low + share * (high - low), [*product(*zip(low, high, strict=True))]])


@pytest.mark.parametrize("width", [0.0, 1e-6, 0.3, 2.0])
def test_balls_hold_the_values_in_them(name: str, operation: Operation, width: float) -> None:
    for low, high in boxes(name, width):
        least, most = ends(operation.ball(*(arb(a).union(arb(b)) for a, b in zip(low, high, strict=True))))
        for point in inside(low, high):
            with mpmath.workdps(40):
                assert least <= exact(name, *point.tolist()) <= most


def test_series_of_balls(name: str, operation: Operation) -> None:
    if not operation.analytic:
        return
    for column in points(name, 5).T.tolist():
        paths = [[v, 0.3 - 0.5 * k, 0.2, -0.1 * k] for k, v in enumerate(column)]
        found = operation.ball(*(arb_series(path, prec=6) for path in paths))
        with mpmath.workdps(40):
            curve = [lambda t, path=path: mpmath.polyval([*reversed(path)], t) for path in paths]
            right = mpmath.taylor(lambda t, curve=curve: EXACT[name](*(each(t) for each in curve)), 0, 5)
        for k, coefficient in enumerate(right):
            assert float(found[k].mid()) == pytest.approx(float(coefficient), rel=1e-10, abs=1e-10)


# motion of a link of mass and length 1: q̈ + 9.81 cos q = τ


def torque(function: Any, arity: int, t: Any, q: Any, qd: Any, sin: Any = qddot.sin) -> Any:
    """A law that stays where every operation has values and slopes."""
    return 0.8 * function(*(1.6 + 0.5 * sin(q + 0.3 * t) + 0.05 * qd, 1.1 + 0.3 * sin(2 * t - q))[:arity]) - 0.4 * qd


def arithmetic(name: str, *x: Any) -> Any:
    """An operation without a public function, of signals or numbers."""
    if isinstance(x[0], Signal):
        return Signal(computed(name, [value.node for value in x]))
    return OPERATIONS[name].value(*x)


def law(name: str) -> Any:
    function = getattr(qddot, name) if is_public(name) else partial(arithmetic, name)
    return lambda t, q, qd: [torque(function, OPERATIONS[name].arity, t, q[0], qd[0])]


def true_end(name: str, q: float, duration: float) -> np.ndarray:
    function, arity = lambda *x: float(exact(name, *x)), OPERATIONS[name].arity

    def rates(t: float, x: np.ndarray) -> list[float]:
        return [x[1], torque(function, arity, t, x[0], x[1], np.sin) - 9.81 * np.cos(x[0])]

    run = solve_ivp(rates, (0.0, duration), [q, 0.0], "DOP853", rtol=3e-14, atol=1e-14)
    return np.asarray(run.y[:, -1])


LONG = pytest.mark.thorough


@pytest.mark.parametrize(
    ("method", "arms"),
    [
        ("taylor", 1),
        ("taylor", 9),
        ("radau", 9),
        pytest.param("radau", 1, marks=LONG),
        pytest.param("dop853", 1, marks=LONG),
        pytest.param("dop853", 9, marks=LONG),
    ],
)
def test_a_law_in_a_compiled_run(name: str, operation: Operation, method: str, arms: int) -> None:
    """One arm has its products in lanes, several arms are in lanes themselves."""
    arm, q0 = physical(qddot.load("one_link")), np.linspace(-1.6, -1.2, arms)[:, None]
    run = partial(arm.simulate, q0 if arms > 1 else q0[0], duration=0.4, step=0.1, torque=law(name))
    if not operation.analytic and operation.switch is None and method == "taylor":
        with refusal(SimulationError, "series-of-rounding"):
            run(method=method)
        return
    result = run(method=(method, 1e-13))
    assert result.data.attrs["torque"] == "a law, compiled", result.notes
    last = np.concatenate([result.q, result.qd], axis=-1).reshape(arms, -1, 2)[:, -1]
    if operation.analytic or operation.chooses:
        right = [true_end(name, float(q[0]), 0.4) for q in q0[:: arms - 1 or 1]]
        np.testing.assert_allclose(last[:: arms - 1 or 1], right, atol=3e-11)


def test_an_enclosed_run(name: str, operation: Operation) -> None:
    enclose = partial(physical(qddot.load("one_link")).enclose, [-1.4], None, 0.2, 0.1, 1e-9, torque=law(name))
    if not operation.analytic:
        with pytest.raises(SimulationError, match=name):
            enclose()
        return
    run = enclose()
    for q in (-1.4 - 0.9e-9, -1.4, -1.4 + 0.9e-9):
        end = true_end(name, q, 0.2)
        assert (run.lower[-1] <= end).all()
        assert (end <= run.upper[-1]).all()
    assert (run.upper[-1] - run.lower[-1]).max() < 1e-8


# bounds


def walked(name: str) -> ExactWalk:
    """f(x) with arguments that depend on all coordinates: q itself, and for the second argument 1 + ½ (q₂ + q₁ q₂)."""
    graph, arity = ExactGraph(), OPERATIONS[name].arity
    q = graph.input("q", (2,))
    x = [q[0] + q[1] * q[0] * graph.constant(0.25), graph.constant(1) + (q[1] + q[0] * q[1]) * graph.constant(0.5)]
    return ExactWalk(ExactProgram(graph.program("bounded", {"result": [computed(name, x[:arity])]}), []))


def value_at(name: str, q: Sequence[float]) -> Any:
    a, b = map(mpmath.mpf, q)
    return EXACT[name](*(a + b * a / 4, 1 + (b + a * b) / 2)[: OPERATIONS[name].arity])


@pytest.mark.parametrize("width", [1e-9, 1e-3, 0.5])
def test_forms_hold_the_values_in_their_boxes(name: str, width: float) -> None:
    low = np.random.default_rng(1).uniform(0.2, 1.0, (20, 2))
    high = low + width
    walk = walked(name)
    found, at = walk(low[:, walk.coordinates], high[:, walk.coordinates]), low + (high - low) / 2
    for k in range(len(low)):
        for point in inside(low[k], high[k]):
            with mpmath.workdps(40):
                value, epsilon = value_at(name, point.tolist()), (point - at[k])[walk.coordinates] / (width / 2)
                assert found.low[0, k] <= value <= found.high[0, k]
                line = found.centre[0, k] + float(found.slopes[0, :, k] @ epsilon)
                assert abs(value - line) <= found.radius[0, k] * (1 + 1e-6) + 1e-15
    np.testing.assert_allclose(
        walk.at(at[:, walk.coordinates])[0], [float(value_at(name, q)) for q in at.tolist()], rtol=1e-12
    )


def test_forms_of_smooth_functions_are_tangents(name: str, operation: Operation) -> None:
    """What is beside the linear form is a hundredth where a box has a tenth of the width."""
    if not operation.analytic:
        return
    low, function = np.random.default_rng(1).uniform(0.3, 1.0, (20, operation.arity)), of_forms()[name]
    radii = []
    for width in (1e-2, 1e-3):
        form = function(*(coordinate(k, low, low + width) for k in range(operation.arity)))
        assert form.spread.min() > 0
        radii.append(form.radius)
    assert (radii[1] <= radii[0] / 50 + 1e-13).all()


def test_a_box_without_values_has_no_bounds() -> None:
    sides = np.array([[-4.0, -4.0]]), np.array([[4.0, 4.0]])
    for name in ("sqrt", "div"):
        walk = walked(name)
        with refusal(UndefinedError, "slope-not-bounded"):
            walk(*(side[:, walk.coordinates] for side in sides))


@pytest.mark.parametrize("precision", [DOUBLE, SINGLE], ids=["double", "single"])
def test_rounding_stays_within_its_bound(name: str, operation: Operation, precision: Precision) -> None:
    """y = 1.1 f(0.7 x + 0.3), computed by compiled code, against forty digits."""
    graph = Graph()
    x = graph.input("x", (operation.arity,))
    y = computed(name, [each * 0.7 + 0.3 for each in x]) * 1.1
    program = graph.program("rounded", {"y": [y]})
    sides = [(0.1, 2.0)] * operation.arity

    def bound() -> float:
        return RunningError(program, Turns(program), [sides], precision, partial(circular_error, precision)).results[0]

    if name == "rint":
        with refusal(EvaluationError, "rounding-changes-function", "rint"):
            bound()
        return
    states = np.random.default_rng(5).uniform(0.1, 2.0, (400, operation.arity)).astype(precision.name)
    states = np.clip(states, 0.1, 2.0).astype(precision.name)
    values = compiled(program, precision.name)(states)[:, 0].tolist()
    constants = [float(np.float64(c)) for c in (0.7, 0.3, 1.1)]
    errors = []
    with mpmath.workdps(40):
        for state, value in zip(states.tolist(), values, strict=True):
            times, more, scale = map(mpmath.mpf, constants)
            errors.append(float(abs(scale * EXACT[name](*(times * mpmath.mpf(v) + more for v in state)) - value)))
    assert max(errors) <= bound() < 100 * precision.unit * max(1.0, max(map(abs, values)))


@pytest.mark.parametrize(
    ("operation_name", "count"), [("mul", 1), ("div", 1), ("sqrt", 1), ("exp", 1), ("tanh", 2), ("sin", 2), ("neg", 0)]
)
def test_how_many_convolutions_the_coefficients_take(operation_name: str, count: int) -> None:
    """The slope of exp is its own value, that of tanh is 1 − y², and a sine needs its cosine."""
    graph = Graph()
    ports = {name: graph.input(name, (2 if name == "state" else 1,)) for name in CALLED_PORTS}
    rates = [computed(operation_name, ports["state"][: OPERATIONS[operation_name].arity]), ports["state"][0]]
    called = {"rates": rates, "residual": ports["unknown"], "guards": []}
    motion = {"rates": rates, "residual": ports["unknown"], "inverse": [[1.0]], "guards": []}
    program = replace(graph.program("motion", motion), inputs=tuple(graph.ports[:-1]))
    assert len(Series(program, 8, 2, graph.program("called", called)).convolutions) == count
