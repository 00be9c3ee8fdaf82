"""Programs are validated, counted and printed; graphs simplify what needs no computing."""

from __future__ import annotations

import math
import operator
from functools import partial
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from physical import short_stack
from refusals import refusal

from qddot.algebra.program.graph import Graph
from qddot.algebra.program.interpreter import evaluated
from qddot.algebra.program.program import Node, Port, Program, ProgramError
from qddot.base.errors import QddotError
from qddot.machine.compilers.exported import VECTORS, vectors


def program(*nodes: Node, results: tuple[int, ...] = (0,)) -> Program:
    return Program("p", (Port("x", (2,)),), (Port("y", (1,)),), nodes, results)


X = Node("input", element=(0, 0))


@pytest.mark.parametrize(
    ("nodes", "results"),
    [
        ([Node("add", (0, 0))], (0,)),
        ([X, Node("add", (0,))], (1,)),
        ([X, Node("power", (0, 0))], (1,)),
        ([Node("input", element=(0, 2))], (0,)),
        ([Node("input", element=(1, 0))], (0,)),
        ([Node("constant", value=math.nan)], (0,)),
        ([X], (1,)),
        ([X], ()),
        ([X], (0, 0)),
    ],
)
def test_what_cannot_be_computed_is_refused(nodes: list[Node], results: tuple[int, ...]) -> None:
    with pytest.raises(ProgramError):
        program(*nodes, results=results)


def test_text_and_counts() -> None:
    graph = Graph()
    x, y = graph.input("x", (2,))
    made = graph.program("f", {"out": [x.apply("sin") * y + 2 * x, -(x / y)], "more": x.apply("cos")})
    assert dict(made.operations) == {"multiplications": 2, "additions": 1, "divisions": 1, "negations": 1, "sincos": 1}
    assert str(made).startswith("program f(x[2]) -> out[2], more\n  %0 = x[0]\n")
    assert "= mul %" in str(made)


def test_a_self_test_leaves_out_what_has_no_value() -> None:
    graph = Graph()
    (x,) = graph.input("x", (1,))
    assert len(vectors(graph.program("f", {"y": [x * x]}))) == VECTORS
    for nowhere in ((-x * x - 1).apply("sqrt"), (x * x + 800).apply("exp")):
        assert vectors(graph.program("f", {"y": [nowhere]})) == []


def test_zeros_ones_and_signs_vanish() -> None:
    graph = Graph()
    x, y = graph.input("x", (2,))
    assert (x * 1).index == x.index
    assert x * 0 == 0
    assert (x + 0).index == (0 + x).index == x.index
    assert (x - x).constant == 0
    minus = -x
    assert (-minus).index == x.index
    assert (x * y).index == (y * x).index
    assert ((-x) * (-y)).index == (x * y).index
    assert (x + -y).index == (x - y).index
    assert (x * -2.0).node.op == "neg"
    assert (graph.constant(2) * graph.constant(3)).constant == 6
    assert (graph.constant(2) / graph.constant(3)).constant == (2 / graph.constant(3)).constant == 2 / 3
    assert ((x + y) - x).index == y.index == (x - (x - y)).index == ((y - x) + x).index
    assert ((x - y) - x).index == (-y).index
    assert (x * 2 + x * 3).index == (x * 5).index
    assert (x * 2 - x).index == x.index
    forth, back = x - y, y - x
    assert (-back).index == forth.index
    with refusal(QddotError, "divided-by-zero-traced"):
        x / 0


@pytest.mark.slow
@given(st.lists(st.sampled_from("+-*n"), min_size=1, max_size=30), st.floats(-2, 2), st.floats(-2, 2))
def test_folding_does_not_change_the_value(operations: list[str], x: float, y: float) -> None:
    """The same random arithmetic on floats and on a graph, with 0 and ±1 among the operands."""
    from qddot.machine.compilers.batch import compiled

    graph = Graph()
    pools: list[list[Any]] = [[*graph.input("x", (2,)), 0, 1, -1, 0.5], [x, y, 0, 1, -1, 0.5]]
    for k, operation in enumerate(operations):
        for pool in pools:
            a, b = pool[(7 * k) % len(pool)], pool[(3 * k + 1) % len(pool)]
            pool.append(
                {  # type: ignore[operator]
                    "+": partial(operator.add, a, b),
                    "-": partial(operator.sub, a, b),
                    "*": partial(operator.mul, a, b),
                    "n": lambda a=a: -a,
                }[operation]()
            )
    value = compiled(graph.program("f", {"y": pools[0][-1]}))([x, y])
    assert value == pytest.approx(pools[1][-1], rel=1e-9, abs=1e-9)


@given(st.floats(-1, 1), st.floats(0.5, 2))
def test_derivatives_of_every_operation(x: float, y: float) -> None:
    """Against differences of the same program; forward and reverse accumulation agree."""
    import numpy as np

    from qddot.algebra.program import derivatives
    from qddot.machine.compilers.batch import compiled

    graph = Graph()
    a, b = graph.input("x", (2,))
    value = a.apply("minimum", b) * 3 + (a * 0.5).apply("maximum", b) * (a * a + 1).apply("sqrt")
    value = (
        value
        + a.apply("sin") * b.apply("exp") / (b + 2)
        - (a * b).apply("tanh")
        + a.apply("cos")
        - a.apply("sign") * -b
    )
    other = (a - b) * (a + b) * a
    made = graph.program("f", {"y": [value, other]})
    by_x = compiled(graph.program("d", {"J": derivatives.jacobian([value, other], [a, b])}))([x, y])
    rows = [
        graph.program("r", {"J": way([value, other], [a, b])})
        for way in (derivatives._jacobian_forward, derivatives._jacobian_reverse)
    ]
    for row in rows:
        assert np.allclose(compiled(row)([x, y]), by_x, rtol=1e-12, atol=1e-12)
    f, step, at = compiled(made), 1e-6, np.array([x, y])
    assert np.allclose(evaluated(made, [[x, y]])[0], f(at), rtol=1e-12, atol=1e-12)
    for k, unit in enumerate(np.eye(2) * step):
        if min(abs(x), abs(x - y), abs(x / 2 - y)) > 2 * step:  # where sgn, minimum and maximum have slopes
            slope = (f(at + unit) - f(at - unit)) / (2 * step)
            assert np.allclose(by_x[:, k], slope, atol=1e-7)


def test_common_factors_are_taken_out() -> None:
    from qddot.algebra.program.factors import factored
    from qddot.machine.compilers.batch import compiled

    graph = Graph()
    a, b, c, d = graph.input("x", (4,))
    made = graph.program("f", {"y": [a * b + a * c - a * d, b * 2 - c * 2, -(a * b) - d * b]})
    short = factored(made)
    assert made.total_operations == 10
    assert short.total_operations == 8
    x = [1.5, -2.0, 3.0, 0.7]
    assert compiled(short)(x) == pytest.approx(compiled(made)(x))
    assert factored(short) is short


def test_factors_of_sums_and_products_as_long_as_they_like() -> None:
    from qddot.algebra.program.factors import factored
    from qddot.machine.compilers.blocks import BlockKernel

    count = 300
    graph = Graph()
    a, b = graph.input("a", (2 * count,)), graph.input("b", (count,))
    pairs = sum(a[k] * b[k // 2] for k in range(2 * count))
    alike = math.prod(b, start=a[0]) + math.prod(b, start=a[1])
    turned = b[0]
    for each in a:
        turned = each - turned
    made = graph.program("f", {"y": [pairs, alike, turned]})
    with short_stack():
        short = factored(made)
    assert short.total_operations < made.total_operations - count
    rng = np.random.default_rng(1)
    given = [rng.uniform(0.9, 1.1, (1, size)) for size in (2 * count, count)]
    left, right = np.empty((1, 3)), np.empty((1, 3))
    BlockKernel(made).run(given, [left], 0, 1)
    BlockKernel(short).run(given, [right], 0, 1)
    assert np.allclose(left, right, rtol=1e-11)  # a thousand operations in another order


def test_what_is_tried_leaves_the_graph_as_it_was() -> None:
    graph = Graph()
    (x,) = graph.input("x")
    once = graph.program("f", {"y": x * 2.0 + 1.0})
    with graph.tried():
        (u,) = graph.input("u")
        other = graph.program("g", {"y": x * u + 3.0})
    assert len(other.inputs) == 2
    assert graph.program("f", {"y": x * 2.0 + 1.0}) == once
    assert graph.program("g", {"y": x * 3.0}).inputs == once.inputs
