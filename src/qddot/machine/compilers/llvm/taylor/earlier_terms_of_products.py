"""Writes the functions that sum the terms of one arm's convolutions, in vectors over its products.

For each order of the block that begins at K, `void known.K(ptr work)` sums the terms that the orders before the block
determine; `void newer.K(ptr work)` adds, for order K, those that orders of its block determine. Both begin with the
sines and cosines of order K, which depend only on the rates of their angles: k s_k = Σ e_j c_{k−j} and k c_k = −Σ e_j
s_{k−j} for j = 1 … k, where e_j = j q_j.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from qddot.machine.compilers.llvm.taylor.convolved import factors, summed
from qddot.machine.compilers.llvm.taylor.workspace import ProductsInLanes
from qddot.machine.compilers.llvm.writer import Writer

CHAINS = 2  # partial sums of one order that are computed in parallel: the Panda takes 5 % less than with one


def functions(space: ProductsInLanes) -> Iterator[str]:
    """Yields the functions of all blocks."""
    for first in range(1, space.series.order, space.block):
        block = range(first, min(first + space.block, space.series.order))
        yield from _earlier(space, block)
        for order in block[1:]:
            yield from _newer(space, first, order)


def _earlier(space: ProductsInLanes, block: range) -> Iterator[str]:
    w = Writer(f"private void @known.{block.start}(ptr noalias %work) noinline", space.across)
    for vectors in space.kinds:
        with _each(w, space, vectors) as (left, right, sums):
            totals = []
            for order in block:
                pairs = [pair for pair in _pairs(space, vectors, order) if _is_earlier(pair, block.start)]
                totals.append(summed(w, left, right, pairs, CHAINS))
            for turn, total in enumerate(totals):
                w.store(total, sums, turn * space.step)
            if vectors == space.circular:
                _store_circular(w, space, totals[0], right, block.start)
    yield from w.done()


def _newer(space: ProductsInLanes, first: int, order: int) -> Iterator[str]:
    w = Writer(f"private void @newer.{order}(ptr noalias %work) noinline", space.across)
    for vectors in space.kinds:
        with _each(w, space, vectors) as (left, right, sums):
            total: str | None = w.load(sums, (order - first) * space.step)
            for pair in _pairs(space, vectors, order):
                if not _is_earlier(pair, first):
                    total = w.fused(total, *factors(w, left, right, pair))
            if vectors == space.circular:
                _store_circular(w, space, str(total), right, order)
            else:
                w.store(str(total), sums)
    yield from w.done()


def _pairs(space: ProductsInLanes, vectors: range, order: int) -> list[tuple[int, int]]:
    """Returns the orders of the factors of each term, the latest ones last."""
    begin, end = 1 + (vectors == space.late), order + (vectors == space.circular)
    return sorted(((j, order - j) for j in range(begin, end)), key=max)


def _is_earlier(pair: tuple[int, int], first: int) -> bool:
    """Returns whether both factors come before an order; the left one of a sine comes an order earlier."""
    return pair[1] < first and (pair[0] < first or pair == (first, 0))


@contextmanager
def _each(w: Writer, space: ProductsInLanes, vectors: range) -> Iterator[tuple[str, str, str]]:
    """Loops over some vectors of products; yields the addresses of both operands and of the sums."""
    with w.loop(vectors.start, vectors.stop) as each:
        left = w.at(w.element("%work", each.index, 2 * space.run), space.offsets["runs"])
        sums = w.at(w.element("%work", each.index, space.block * space.step), space.offsets["sums"])
        yield left, w.at(left, space.run), sums


def _store_circular(w: Writer, space: ProductsInLanes, total: str, right: str, order: int) -> None:
    """Stores the coefficients of sines and cosines as factors of each other: the sine is the factor of its cosine."""
    lanes = ", ".join(f"i32 {lane ^ 1}" for lane in range(space.across.lanes))
    value = w.product(total, w.number(1 / order))
    changed = w.let(f"shufflevector {w.v} {value}, {w.v} poison, <{space.across.lanes} x i32> <{lanes}>")
    w.store(changed, right, order * space.step)
