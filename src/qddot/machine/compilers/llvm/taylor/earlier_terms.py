"""Writes the functions that sum those terms of convolutions that earlier orders determine.

`void known.K(ptr work)` computes these sums for the orders of the block that begins at K, from the orders before it.
For the products of one arm in lanes, `void newer.K(ptr work)` adds, for order K, the terms that orders of its block
determine; there, both begin with the sines and cosines of order K, which depend only on the rates of their angles:
k s_k = Σ e_j c_{k−j} and k c_k = −Σ e_j s_{k−j} for j = 1 … k, where e_j = j q_j.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from qddot.machine.compilers.llvm.taylor.workspace import ArmsInLanes, ProductsInLanes
from qddot.machine.compilers.llvm.writer import Writer

Pairs = Iterable[tuple[int, int]]  # the orders of the left and the right factor of each term
CHAINS = 2  # partial sums of one order that are computed in parallel: the Panda takes 5 % less than with one


def of_arms(space: ArmsInLanes) -> Iterator[str]:
    """Yields the functions of the orders before the first block and of all blocks, and the table of the operands."""
    names = space.places
    table = ", ".join(f"i64 {space.operand(name, side)}" for name in names for side in (0, 1))
    yield f"@operands = private constant [{2 * len(names)} x i64] [{table}]"
    for order in range(1, space.block):
        yield from _earlier_of_arms(space, order, [[(j, order - j) for j in range(1, order)]])
    for first in range(space.block, space.series.order, space.block):
        block = range(first, first + space.block)
        yield from _earlier_of_arms(
            space, first, [[(j, order - j) for j in range(order - first + 1, first)] for order in block]
        )


def _earlier_of_arms(space: ArmsInLanes, first: int, orders: list[Pairs]) -> Iterator[str]:
    w = Writer(f"private void @known.{first}(ptr noalias %work) noinline", space.of)
    with _each_of_arms(w, space) as (left, right, sums):
        # stores in between would make compilers load the operands again
        totals = [_summed(w, left, right, pairs) for pairs in orders]
        for turn, total in enumerate(totals):
            w.store(total, sums, turn * space.step)
    yield from w.done()


@contextmanager
def _each_of_arms(w: Writer, space: ArmsInLanes) -> Iterator[tuple[str, str, str]]:
    """Loops over the convolutions; yields the addresses of both operands and of the sums."""
    with w.loop(0, len(space.places)) as each:
        at = w.element("@operands", each.index, 16)
        left, right = (w.at("%work", w.load(at, 8 * side, "i64")) for side in (0, 1))
        sums = w.at(w.element("%work", each.index, space.block * space.step), space.offsets["sums"])
        yield left, right, sums


def of_products(space: ProductsInLanes) -> Iterator[str]:
    """Yields the functions of all blocks."""
    for first in range(1, space.series.order, space.block):
        block = range(first, min(first + space.block, space.series.order))
        yield from _earlier_of_products(space, block)
        for order in block[1:]:
            yield from _newer(space, first, order)


def _earlier_of_products(space: ProductsInLanes, block: range) -> Iterator[str]:
    w = Writer(f"private void @known.{block.start}(ptr noalias %work) noinline", space.across)
    for vectors in space.kinds:
        with _each_of_products(w, space, vectors) as (left, right, sums):
            totals = []
            for order in block:
                pairs = [pair for pair in _pairs(space, vectors, order) if _is_earlier(pair, block.start)]
                totals.append(_summed(w, left, right, pairs, CHAINS))
            for turn, total in enumerate(totals):
                w.store(total, sums, turn * space.step)
            if vectors == space.circular:
                _store_circular(w, space, totals[0], right, block.start)
    yield from w.done()


def _newer(space: ProductsInLanes, first: int, order: int) -> Iterator[str]:
    w = Writer(f"private void @newer.{order}(ptr noalias %work) noinline", space.across)
    for vectors in space.kinds:
        with _each_of_products(w, space, vectors) as (left, right, sums):
            total: str | None = w.load(sums, (order - first) * space.step)
            for pair in _pairs(space, vectors, order):
                if not _is_earlier(pair, first):
                    total = w.fused(total, *_factors(w, left, right, pair))
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
def _each_of_products(w: Writer, space: ProductsInLanes, vectors: range) -> Iterator[tuple[str, str, str]]:
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


def _summed(w: Writer, left: str, right: str, pairs: Pairs, chains: int = 1) -> str:
    """Returns a sum of products of coefficients; chains: how many partial sums are computed in parallel"""
    sums: list[str | None] = [None] * chains
    for turn, pair in enumerate(pairs):
        sums[turn % chains] = w.fused(sums[turn % chains], *_factors(w, left, right, pair))
    total = None
    for each in sums:
        total = w.sum(total, each)
    return total or w.number(0.0)


def _factors(w: Writer, left: str, right: str, pair: tuple[int, int]) -> tuple[str, str]:
    """Returns two coefficients; left, right: the addresses of two operands; pair: the orders of their coefficients"""
    return w.load(left, pair[0] * w.of.bytes), w.load(right, pair[1] * w.of.bytes)
