"""Expressions with functions of anything have the values, derivatives and texts that functions have."""

from __future__ import annotations

import math
from typing import Any

import pytest
import sympy
from flint import arb

import qddot
from qddot.algebra.expressions.derivative import derivative
from qddot.algebra.expressions.expression import FUNCTIONS, Applied, Expression
from qddot.algebra.expressions.parser import with_functions
from qddot.algebra.numbers.dual_balls import DualBall
from qddot.algebra.numbers.functions import function_of
from qddot.algebra.numbers.state_numbers import StateNumbers
from qddot.algebra.program.operations import OPERATIONS

TEXTS = (
    "exp(-x**2/b) + tanh(x*b)",
    "sqrt(b + x**2)/x",
    "tan(x/3)*sin(b*x)*cos(x + b)",
    "1/(2 + x)**3 - x/b**2/exp(x)",
    "sqrt(3 + sin(x)**2)*cos(b*x**2)",
)
AT = {"x": 0.7, "b": 1.3}


@pytest.mark.parametrize("text", TEXTS)
def test_a_derivative_is_the_limit_of_differences(text: str) -> None:
    value, h = with_functions(text), 1e-6
    upper, lower = (value.value({**AT, "x": AT["x"] + step}) for step in (h, -h))
    assert derivative(value, "x").value(AT) == pytest.approx((upper - lower) / (2 * h), rel=1e-8)
    assert not derivative(value, "m")


@pytest.mark.parametrize("text", TEXTS)
def test_the_text_of_an_expression_is_read_as_the_same(text: str) -> None:
    value = with_functions(text)
    assert with_functions(str(value)) == value
    assert value.symbols() == {"x", "b"}


@pytest.mark.parametrize("name", [name for name in FUNCTIONS if name in OPERATIONS])
def test_a_dual_ball_carries_the_derivative(name: str) -> None:
    slope = derivative(Expression.of(Applied(name, Expression.of("x"))), "x").value({"x": 0.7})
    moved = function_of(name, DualBall(arb(0.7), [arb(2)]), _no_numbers())
    assert float(moved.slopes[0]) == pytest.approx(2 * slope, rel=1e-14)
    assert float(moved.x) == pytest.approx(getattr(math, name)(0.7), rel=1e-14)


def _no_numbers() -> StateNumbers:
    """The kind of number is asked for constants alone."""
    return None  # type: ignore[return-value]


def test_replaced_coordinates_are_replaced_in_functions() -> None:
    system = qddot.lagrange("x", "m*xd**2/2", "k*exp(-x/b)/(1 + x**2)")
    G = system.equations().G
    at_rest = G.subs(x=0)
    assert str(at_rest) == "G1 = -k/b"
    assert G.subs(x="2", b=1) == G.subs(b=1).subs(x=2)


def test_every_language_writes_functions() -> None:
    eq = qddot.lagrange("x", "m*sqrt(1 + x**2)*xd**2/2", "k*exp(-x/b)/(1 + x**2)").equations()
    assert "M11 = m*sqrt(x**2 + 1)" in eq.text(["M"])
    assert "\\sqrt{x^{2} + 1}" in eq.latex(["M"])
    assert "sqrt(x^2 + 1)" in eq.typst(["M"])
    assert "<msqrt>" in eq.mathml(["M"])
    values = {"x": 0.3, "k": 0.9, "b": 1.7}
    expected = derivative(with_functions("k*exp(-x/b)/(1 + x**2)"), "x").value(values)
    names: dict[str, Any] = dict(values)
    exec(eq.printed("python", ["G"]), names)
    assert names["G"][0] == pytest.approx(expected, rel=1e-14)
    symbols = {name: sympy.Symbol(name) for name in values}
    names = {**vars(sympy), **symbols}
    exec(eq.printed("sympy", ["G"]), names)
    number = names["G"][0].subs({symbols[name]: value for name, value in values.items()})
    assert float(number) == pytest.approx(expected, rel=1e-14)
