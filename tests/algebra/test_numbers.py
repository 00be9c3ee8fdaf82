"""Every kind of number obeys the laws of commutative rings, and polynomials have their values in each of them."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any, NamedTuple

import pytest
from flint import arb, fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

import qddot
from qddot.algebra.expressions.angles import Angle
from qddot.algebra.expressions.circle import sum_of_angles
from qddot.algebra.numbers.balls import Balls, ends, precise
from qddot.algebra.numbers.dual_balls import DualBall, DualBalls
from qddot.algebra.numbers.floats import Floats
from qddot.algebra.numbers.intervals import Interval, Intervals
from qddot.algebra.numbers.modular import Modular
from qddot.algebra.numbers.nodes import GraphNumbers
from qddot.algebra.numbers.polynomials.exact import Polynomial, Ring
from qddot.algebra.program.graph import Graph
from qddot.algebra.program.interpreter import evaluated
from qddot.exact.equations.proofs.jets import Jets

LINK = {"mass": "m", "com": ["-a", 0, 0]}
ROWS = [{"theta": "q1 + 20deg", "d": 0, "a": "a", "alpha": "phi"}, {"theta": 0, "d": "q2", "a": 0, "alpha": "45deg"}]
SYMBOLS = {"m": 1.3, "a": -0.7, "phi": 0.4, "g": 9.81}
ARM = qddot.from_dh(ROWS, [LINK, LINK], symbols=SYMBOLS)
RING = Ring.of(ARM.model)
STATE = ({"q1": 0.3, "q2": -1.1}, {"q1": 0.5, "q2": 0.25}, {"q1": -0.6, "q2": 1.5})


class Kind(NamedTuple):
    """This is a kind of number, and how two of its values are compared."""

    numbers: Any
    same: Callable[[Any, Any], bool]


def _close(a: Any, b: Any) -> bool:
    return math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-9)  # sums of up to some hundred products below 1e4


def _nodes() -> Kind:
    graph = Graph()
    inputs = [graph.input(name, (2,), "") for name in ("q", "qd", "qdd")]
    named = [dict(zip(RING.coordinates, nodes, strict=True)) for nodes in inputs]
    state = [list(part.values()) for part in STATE]

    def value(node: Any) -> float:
        program = graph.program("value", {"x": [graph.constant(0.0) + node]})
        return evaluated(program, state)[0][0]

    return Kind(GraphNumbers(graph, SYMBOLS, *named), lambda a, b: _close(value(a), value(b)))


def _dual_balls() -> Kind:
    state = [{name: DualBall(value) for name, value in part.items()} for part in STATE]
    return Kind(DualBalls(None, SYMBOLS, *state), lambda a, b: (a - b).x.contains(0))


def _intervals() -> Kind:
    def same(a: Any, b: Any) -> bool:
        difference = Interval.of(a - b)
        return bool(difference.low <= 0 <= difference.high)

    return Kind(Intervals(SYMBOLS, {name: Interval.point(value) for name, value in STATE[0].items()}), same)


KINDS = {
    "polynomials": Kind(RING, lambda a, b: RING.convert(a) == RING.convert(b)),
    "floats": Kind(Floats(SYMBOLS, *STATE), _close),
    "balls": Kind(Balls(SYMBOLS, *STATE), lambda a, b: arb(a).overlaps(arb(b))),
    "residues": Kind(Modular.of(ARM.model), lambda a, b: not a - b),
    "jets": Kind(Jets(ARM.model, 3, second=True), lambda a, b: not a - b),
    "nodes": _nodes(),
    "dual balls": _dual_balls(),
    "intervals": _intervals(),
}
ONE_THIRD = Fraction(1, 3)
VARIABLES = [key for key in RING.index if not key.startswith("sgn")]


@st.composite
def polynomials(draw: st.DrawFn) -> Polynomial:
    """Draws sums of products of variables, of a degree of at most two in each step."""
    total = RING.zero
    for key in draw(st.lists(st.sampled_from(VARIABLES), min_size=1, max_size=4)):
        factor = RING.generator(key) + draw(st.sampled_from([Fraction(1, 3), 2, -1]))
        total = total * draw(st.integers(-2, 2)) + factor * RING.generator(draw(st.sampled_from(VARIABLES)))
    return RING.convert(total)


@pytest.mark.parametrize("kind", KINDS)
@given(x=polynomials(), y=polynomials(), z=polynomials())
@settings(max_examples=20)
def test_every_kind_is_a_commutative_ring(kind: str, x: Polynomial, y: Polynomial, z: Polynomial) -> None:
    numbers, same = KINDS[kind]
    with precise():
        a, b, c = (p.evaluate(numbers) for p in (x, y, z))
        assert same(a + b, b + a)
        assert same(a * b, b * a)
        assert same((a + b) + c, a + (b + c))
        assert same((a * b) * c, a * (b * c))
        assert same(a * (b + c), a * b + a * c)
        assert same(a - a, numbers.rational(Fraction(0)))
        assert same(a * numbers.rational(Fraction(1)), a)
        assert same(a + -a, numbers.rational(Fraction(0)))
        assert same(a - b, a + -b)
        assert same(a + 0, a)
        assert same(0 + a, a)
        assert same(1 * a, a * 1)
        assert same((a + numbers.rational(ONE_THIRD)) / 3 * 3, a + numbers.rational(ONE_THIRD))


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
@given(x=polynomials(), y=polynomials())
@settings(max_examples=20)
def test_the_value_of_a_sum_and_a_product_is_that_of_the_values(kind: str, x: Polynomial, y: Polynomial) -> None:
    """A product in normal form has its squares of sines and roots replaced, so that this is a test of those, too."""
    numbers, same = KINDS[kind]
    with precise():
        a, b = x.evaluate(numbers), y.evaluate(numbers)
        assert same(RING.convert(x + y).evaluate(numbers), a + b)
        assert same(RING.convert(x * y).evaluate(numbers), a * b)
        assert same(RING.convert(x * x * y).evaluate(numbers), a * a * b)


@pytest.mark.parametrize("kind", KINDS)
def test_angles_lie_on_the_circle_and_roots_are_roots(kind: str) -> None:
    numbers, same = KINDS[kind]
    with precise():
        for c, s in (numbers.cos_sin("q1"), numbers.circular(Angle.degrees(20)), numbers.circular(Angle.degrees(45))):
            assert same(c * c + s * s, numbers.rational(Fraction(1)))
        for pair in ((45, 90), (30, 15)):
            first, second = map(Angle.degrees, pair)
            both = sum_of_angles(numbers.circular(first), numbers.circular(second))
            assert all(map(same, both, numbers.circular(first + second)))
        assert all(map(same, sum_of_angles(numbers.cos_sin("q1"), numbers.cos_sin("q1")), numbers.cos_sin("q1", 2)))
        assert all(map(same, numbers.circular(Angle.degrees(90)), map(numbers.rational, (Fraction(0), Fraction(1)))))
        a, b = numbers.rational(Fraction(2, 3)), numbers.rational(Fraction(-5, 7))
        assert same(a + b, numbers.rational(Fraction(-1, 21)))
        assert same(a * b, numbers.rational(Fraction(-10, 21)))
        for of in (2, 3):
            assert same(numbers.root(of) * numbers.root(of), numbers.rational(Fraction(of)))


@given(x=polynomials())
def test_jets_carry_the_derivatives_of_polynomials(x: Polynomial) -> None:
    jets, same = KINDS["jets"]
    value = x.evaluate(jets)
    for name in RING.coordinates:
        assert same(RING.convert(RING.differentiate(x, name)).evaluate(jets), jets.differentiate(value, name))
        assert same(RING.convert(x.derivative(f"qd({name})")).evaluate(jets), jets.by_rate(value, name))
    if not any(f"qdd({name})" in x.variables() for name in RING.coordinates):
        assert same(RING.convert(RING.time_derivative(x)).evaluate(jets), jets.time_derivative(value))


@given(middle=st.fractions(max_denominator=10**30), radius=st.floats(0, 1e-6))
def test_the_ends_of_a_ball_enclose_it_by_less_than_two_floats(middle: Fraction, radius: float) -> None:
    with precise():
        value = arb(fmpq(middle.numerator, middle.denominator)) + arb(0, radius)
        lower, upper = ends(value)
        assert arb(lower) <= value.lower() < arb(math.nextafter(lower, math.inf))
        assert arb(math.nextafter(upper, -math.inf)) < value.upper() <= arb(upper)


@pytest.mark.parametrize("x", [0.0, -1.5, 1e300])
def test_the_ends_of_a_float_are_that_float(x: float) -> None:
    assert ends(arb(x)) == (x, x)


def test_a_wrong_value_is_seen() -> None:
    """Each comparison above can fail."""
    for kind, (numbers, same) in KINDS.items():
        with precise():
            a = RING.generator("m").evaluate(numbers)
            assert not same(a, a + numbers.rational(Fraction(1, 1000))), kind


def test_dual_balls_carry_the_derivatives_of_what_is_computed() -> None:
    def values(x: Any, y: Any) -> list[Any]:
        return [3 * x * y, x * 3, x / 4, 4 / x, x / y, (x - 2) * (y + 1), (5 - x) * y - x, x * x * y]

    duals = values(DualBall(0.75, [1, 0]), DualBall(-1.5, [0, 1]))
    step = 1e-30j  # along the imaginary axis: no digits are lost in a difference
    for k, shifts in enumerate(((step, 0), (0, step))):
        numbers = values(0.75 + shifts[0], -1.5 + shifts[1])
        for dual, number in zip(duals, numbers, strict=True):
            assert _close(float(dual.x), number.real)
            assert _close(float(dual.slope(k).x), number.imag / 1e-30)
    assert not DualBall(0.75, [1, 0]) * DualBall(0).slope(0)
    turned, rates = DualBall(0.75, [1, 0]) * DualBall(2), (-2 * math.sin(1.5), 2 * math.cos(1.5))
    assert all(_close(float(part.slope(0).x), rate) for part, rate in zip(turned.cos_sin(), rates, strict=True))
