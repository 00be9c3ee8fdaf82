"""Writes as programs whether links are physically possible: numbers that are negative if a link is not.

The rules are those of `qddot.robot.validity`, here in floats, for the values of symbols in a call or in many runs. For
functions that divide by the mass matrix, a joint that moves no inertia counts as well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import reduce
from itertools import combinations
from math import prod
from typing import Any

from qddot.algebra.expressions.expression import Expression, evaluator
from qddot.algebra.numbers.functions import magnitude
from qddot.algebra.numbers.nodes import GraphNumbers
from qddot.algebra.program.graph import Graph
from qddot.algebra.program.program import Program
from qddot.algebra.spatial import Inertia, Vec3
from qddot.machine.tracing.traced import TracedArm
from qddot.physics.algorithms import forward
from qddot.physics.algorithms.cramer import Minors
from qddot.robot.bodies import Body
from qddot.robot.model import Model
from qddot.robot.planar import DIAGONAL, given_entries, may_be_lone, tensors
from qddot.robot.validity import FROM_THE_ORIGIN, ROUNDING

TINY = 1e-300  # kg, so that a link without mass and without a first moment is possible; above zero
Number = Callable[[Any], Any]  # from an entry of a model to a node or a float


def margins_in_row(
    model: Model, values: Mapping[str, float], free: Sequence[str], parameters: int
) -> tuple[tuple[str, ...], Program] | None:
    """Returns the links that depend on free symbols, and the program of a number for each; None if there are none.

    The free symbols are the first of the parameters, which are one input; values: of the other symbols
    """
    graph = Graph()
    nodes = graph.input("parameters", (parameters,))
    margins = _margins(model, graph, values, dict(zip(free, nodes, strict=False)))
    return (tuple(margins), graph.program("bodies", {"margins": list(margins.values())})) if margins else None


def least_margin(model: Model, free: Sequence[str], divided: bool = False) -> Program | None:
    """Returns the program of one number that is negative if free symbols have values that no robot has.

    Its inputs are an array without a meaning, since the fast calls of compiled code begin with an array, and the
    symbols. The others have their defaults. It is None if every value is possible.
    divided: whether the mass matrix must be regular in some pose
    """
    graph = Graph()
    graph.input("none", (1,))
    values, nodes = model.defaults(), {name: graph.input(name)[0] for name in free}
    margins = list(_margins(model, graph, values, nodes).values())
    if divided:
        margins += _pivots(model, graph, {**dict.fromkeys(model.symbols, 0.0), **values, **nodes})
    if not margins:
        return None
    return graph.program("margin", {"margin": reduce(lambda least, other: least.apply("minimum", other), margins)})


def _margins(model: Model, graph: Graph, values: Mapping[str, float], free: Mapping[str, Any]) -> dict[str, Any]:
    """Returns for each link that depends on free symbols a node that is negative if it is impossible."""
    number = evaluator(GraphNumbers(graph, {**values, **free}, {}))
    margins: dict[str, Any] = {}
    for body in model.bodies:
        for parts, margin in _rules(body):
            symbols = _symbols(parts)
            if symbols & set(free) and symbols <= {*values, *free}:
                least = graph.constant(0.0) + margin(number)
                margins[body.name] = least.apply("minimum", margins.get(body.name, least))
    return margins


def _pivots(model: Model, graph: Graph, symbols: Mapping[str, Any]) -> list[Any]:
    """Returns the pivots of M in a pose without symmetries, less a tiny number, if they depend on free symbols."""
    pose = [graph.constant(0.3 + 0.7 * (0.618034 * k % 1)) for k in range(1, len(model.positions) + 1)]
    traced = TracedArm(model, graph, {"q": pose}, symbols)
    pivots: list[Any] = []

    def reciprocal(pivot: Any, _: int) -> Any:
        pivots.append(graph.constant(0.0) + pivot)
        return 1 / _larger(pivot, TINY)

    forward.factorised(traced.dynamics.mass_matrix(), forward.ancestors(traced.links), reciprocal)
    return [pivot - TINY for pivot in pivots if getattr(pivot, "constant", None) is None]


def _symbols(parts: Sequence[Any]) -> set[str]:
    return set().union(*(part.symbols() for part in parts if isinstance(part, Expression)))


def _rules(body: Body) -> Iterator[tuple[Sequence[Any], Callable[[Number], Any]]]:
    """Yields for each rule the entries that it depends on, and the function that gives what must not be negative."""
    inertia, joint = body.inertia, body.joint
    yield [inertia.m], lambda number: number(inertia.m)
    if not body.partial_inertia and may_be_lone(body):  # which the description's structure allows
        tensor = tensors(body)[-1]
        name = next(name for each in tensors(body) for name in DIAGONAL if given_entries(each) == [name])
        yield [*tensor], lambda number: number(getattr(tensor, name))
    elif not body.partial_inertia:
        yield [*inertia.I, *inertia.h, inertia.m, *(body.com or ())], lambda number: _semidefinite(body, number)
    for effect in joint.effects:
        for name in effect.not_negative:
            entry = getattr(effect, name)
            yield [entry], lambda number, entry=entry: number(entry)  # type: ignore[misc]
        for name in effect.positive:
            entry = getattr(effect, name)
            yield [entry], lambda number, entry=entry: number(entry) - TINY  # type: ignore[misc]
        for name in effect.below_one:
            entry = getattr(effect, name)
            yield [entry], lambda number, entry=entry: 1 - number(entry) - TINY  # type: ignore[misc]
    holding = joint.holding
    yield [holding], lambda number: number(holding)
    if joint.limits:
        low, high = joint.limits
        yield [low, high], lambda number: number(high) - number(low)


def _semidefinite(body: Body, number: Number) -> Any:
    """Returns the least principal minor of ∫ r̃ r̃ᵀ dm about the centre of mass, with the margin for rounding."""
    inertia: Any = body.inertia.map(number)
    if body.com is None:
        J = inertia.pseudo()
        m = _larger(inertia.m, TINY)
        central = [[J[i][k] - J[i][3] * J[k][3] / m for k in range(3)] for i in range(3)]
    else:  # in exact terms, most of which cancel
        own = Inertia(0, Vec3.zero(), body.inertia.central_tensor(body.com))
        central = [[number(entry) for entry in row] for row in own.pseudo()]
    size = _largest(inertia.I) * float(FROM_THE_ORIGIN)
    scale = _larger(_largest(central[i][k] for i in range(3) for k in range(i, 3)), size)
    least, minors = None, Minors(central)
    for count in (1, 2, 3):
        for keep in combinations(range(3), count):
            margin = minors.minor(keep, keep) + ROUNDING * prod([scale] * count)
            least = margin if least is None else -_larger(-least, -margin)
    return least


def _largest(entries: Any) -> Any:
    """Returns the largest absolute value."""
    largest: Any = 0.0
    for entry in entries:
        largest = _larger(largest, magnitude(entry))
    return largest


def _larger(a: Any, b: Any) -> Any:
    if hasattr(a, "apply"):
        return a.apply("maximum", b)
    return b.apply("maximum", a) if hasattr(b, "apply") else max(a, b)
