"""Writes the functions that sum what is known of every convolution before an order's own coefficients are.

`void known.K(ptr work)` serves the orders of a block that begins at K.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from qddot.compilers.llvm.taylor.workspace import Workspace
from qddot.compilers.llvm.writer import Writer

CHAINS = 2  # sums that are added up side by side, for one order


def functions(space: Workspace) -> Iterator[str]:
    """Yields the functions of all blocks, and the table of the operands where lanes are arms."""
    if not space.is_single:
        pairs = [(space.operand(name, 0), space.operand(name, 1)) for name in space.places]
        table = ", ".join(f"i64 {place}" for pair in pairs for place in pair)
        yield f"@operands = private constant [{2 * len(pairs)} x i64] [{table}]"
    for order in range(1, space.direct):
        yield from (_begun_of_one_arm if space.is_single else _begun_of_arms)(space, order)
    for first in range(space.direct, space.series.order, len(space.late)):
        yield from (_of_one_arm if space.is_single else _of_arms)(space, first)


def _of_one_arm(space: Workspace, order: int) -> Iterator[str]:
    """Yields known.K over vectors of products."""
    w = Writer(f"private void @known.{order}(ptr noalias %work) noinline", space.across)
    with _groups(w, space) as (left, right, sums):
        w.store(_summed(w, [_term(w, left, right, j, order - j) for j in range(2, order - 1)]), sums)
    yield from w.done()


def _begun_of_one_arm(space: Workspace, order: int) -> Iterator[str]:
    """Yields known.1, which is zero, and known.2, which takes away one of the two equal terms that the order adds."""
    w = Writer(f"private void @known.{order}(ptr noalias %work) noinline", space.across)
    with _groups(w, space) as (left, right, sums):
        double = [] if order == 1 else [_term(w, left, right, 1, 1)]
        w.store(w.negative(_summed(w, double)) or w.number(0.0), sums)
    yield from w.done()


def _begun_of_arms(space: Workspace, order: int) -> Iterator[str]:
    """Yields known.K of an order before the first block: all its terms."""
    w = Writer(f"private void @known.{order}(ptr noalias %work) noinline", space.of)
    with _each(w, space) as (left, right, sums):
        w.store(_summed(w, [_term(w, left, right, j, order - j) for j in range(1, order)]), sums)
    yield from w.done()


def _of_arms(space: Workspace, first: int) -> Iterator[str]:
    """Yields known.K over vectors of arms, for all orders of the block."""
    w = Writer(f"private void @known.{first}(ptr noalias %work) noinline", space.of)
    with _each(w, space) as (left, right, sums):
        totals = []  # stores in between would make compilers load the operands again
        for order, late in enumerate(space.late, first):
            terms = [_term(w, left, right, j, order - j) for j in range(late + 1, order - late)]
            totals.append(_summed(w, terms, 1))
        for turn, total in enumerate(totals):
            w.store(total, sums, turn * space.of.bytes)
    yield from w.done()


@contextmanager
def _groups(w: Writer, space: Workspace) -> Iterator[tuple[str, str, str]]:
    """Loops over vectors of products of one arm: yields where both operands and the sums are."""
    with w.loop(0, space.groups) as group:
        left = w.at(w.element("%work", group.index, 2 * space.run), space.offsets["runs"])
        sums = w.at(w.element("%work", group.index, space.across.bytes), space.offsets["sums"])
        yield left, w.at(left, space.run), sums


@contextmanager
def _each(w: Writer, space: Workspace) -> Iterator[tuple[str, str, str]]:
    """Loops over the convolutions of vectors of arms: yields where both operands and the sums are."""
    with w.loop(0, len(space.places)) as each:
        at = w.element("@operands", each.index, 16)
        left, right = (w.at("%work", w.load(at, 8 * side, "i64")) for side in (0, 1))
        sums = w.at(w.element("%work", each.index, len(space.late) * space.of.bytes), space.offsets["sums"])
        yield left, right, sums


def _term(w: Writer, left: str, right: str, j: int, k: int) -> tuple[str, str]:
    return w.load(left, j * w.of.bytes), w.load(right, k * w.of.bytes)


def _summed(w: Writer, terms: list[tuple[str, str]], chains: int = CHAINS) -> str:
    """Returns a sum of products, added up in several chains."""
    sums: list[str | None] = [None] * chains
    for k, (a, b) in enumerate(terms):
        sums[k % chains] = w.sum(sums[k % chains], w.product(a, b))
    total = None
    for each in sums:
        total = w.sum(total, each)
    return total or w.number(0.0)
