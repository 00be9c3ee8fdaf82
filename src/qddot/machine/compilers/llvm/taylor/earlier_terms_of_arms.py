"""Writes the functions that sum those terms of convolutions that earlier orders determine, for arms in lanes.

`void known.K(ptr work)` computes these sums for the orders of the block that begins at K, from the orders before it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from qddot.machine.compilers.llvm.taylor.convolved import Pairs, summed
from qddot.machine.compilers.llvm.taylor.workspace import ArmsInLanes
from qddot.machine.compilers.llvm.writer import Writer


def functions(space: ArmsInLanes) -> Iterator[str]:
    """Yields the functions of the orders before the first block and of all blocks, and the table of the operands."""
    names = space.places
    table = ", ".join(f"i64 {space.operand(name, side)}" for name in names for side in (0, 1))
    yield f"@operands = private constant [{2 * len(names)} x i64] [{table}]"
    for order in range(1, space.block):
        yield from _earlier(space, order, [[(j, order - j) for j in range(1, order)]])
    for first in range(space.block, space.series.order, space.block):
        block = range(first, first + space.block)
        yield from _earlier(
            space, first, [[(j, order - j) for j in range(order - first + 1, first)] for order in block]
        )


def _earlier(space: ArmsInLanes, first: int, orders: list[Pairs]) -> Iterator[str]:
    w = Writer(f"private void @known.{first}(ptr noalias %work) noinline", space.of)
    with _each(w, space) as (left, right, sums):
        # stores in between would make compilers load the operands again
        totals = [summed(w, left, right, pairs) for pairs in orders]
        for turn, total in enumerate(totals):
            w.store(total, sums, turn * space.step)
    yield from w.done()


@contextmanager
def _each(w: Writer, space: ArmsInLanes) -> Iterator[tuple[str, str, str]]:
    """Loops over the convolutions; yields the addresses of both operands and of the sums."""
    with w.loop(0, len(space.places)) as each:
        at = w.element("@operands", each.index, 16)
        left, right = (w.at("%work", w.load(at, 8 * side, "i64")) for side in (0, 1))
        sums = w.at(w.element("%work", each.index, space.block * space.step), space.offsets["sums"])
        yield left, right, sums
