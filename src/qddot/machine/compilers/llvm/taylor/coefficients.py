"""Writes the function that computes all coefficients of a series, order by order, in blocks of orders."""

from __future__ import annotations

from collections.abc import Iterator

from qddot.algebra.program.series import TIME
from qddot.machine.compilers.llvm import sincos
from qddot.machine.compilers.llvm.taylor import earlier_terms, orders
from qddot.machine.compilers.llvm.taylor.workspace import ArmsInLanes, ProductsInLanes, Workspace
from qddot.machine.compilers.llvm.writer import Writer


def functions(space: Workspace) -> Iterator[str]:
    """Yields `void coefficients(ptr work)`, which starts from the state, and all functions that it calls."""
    yield from _tables(space)
    yield from sincos.functions(space.of, {1, len(space.series.angles) or 1})
    if isinstance(space, ArmsInLanes):
        yield from earlier_terms.of_arms(space)
    if isinstance(space, ProductsInLanes):
        yield from earlier_terms.of_products(space)
    for turn in (None, *range(space.turns)):
        yield from orders.function(space, turn)
    w = Writer("private void @coefficients(ptr noalias %work) noinline", space.of)
    for call in ("start(ptr %work)", *_calls(space)):
        w.put(f"call void @{call}")
    yield from w.done()


def _tables(space: Workspace) -> Iterator[str]:
    """Yields the reciprocals of the orders, and the coefficients of time if the program reads it."""
    count = space.series.order + 2
    table = ", ".join(f"double {1.0 / max(k, 1)!r}" for k in range(count))
    yield f"@reciprocals = private constant [{count} x double] [{table}]"
    if any(node.op == "input" and node.element[0] == TIME for node in space.series.nodes):
        table = ", ".join(f"double {float(k == 1)!r}" for k in range(count))
        yield f"@times = private constant [{count} x double] [{table}]"


def _calls(space: Workspace) -> Iterator[str]:
    """Yields the calls for order 1 and all higher orders."""
    order, begin = space.series.order, 1
    if isinstance(space, ArmsInLanes):
        begin = space.block
        for k in range(1, begin):
            yield from (f"known.{k}(ptr %work)", f"turn.0(ptr %work, i64 {k})")
    for first in range(begin, order, space.block):
        for turn, k in enumerate(range(first, min(first + space.block, order))):
            if not turn:
                yield f"known.{k}(ptr %work)"
            elif isinstance(space, ProductsInLanes):
                yield f"newer.{k}(ptr %work)"
            yield f"turn.{turn % space.turns}(ptr %work, i64 {k})"
