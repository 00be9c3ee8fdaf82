"""Writes convolutions: sums of products of two coefficients whose orders have the same sum."""

from __future__ import annotations

from collections.abc import Iterable

from qddot.machine.compilers.llvm.writer import Writer

Pairs = Iterable[tuple[int, int]]  # the orders of the left and the right factor of each term


def summed(w: Writer, left: str, right: str, pairs: Pairs, chains: int = 1) -> str:
    """Returns a sum of products of coefficients; chains: how many partial sums are computed in parallel"""
    sums: list[str | None] = [None] * chains
    for turn, pair in enumerate(pairs):
        sums[turn % chains] = w.fused(sums[turn % chains], *factors(w, left, right, pair))
    total = None
    for each in sums:
        total = w.sum(total, each)
    return total or w.number(0.0)


def factors(w: Writer, left: str, right: str, pair: tuple[int, int]) -> tuple[str, str]:
    """Returns two coefficients; left, right: the addresses of two operands; pair: the orders of their coefficients"""
    return w.load(left, pair[0] * w.of.bytes), w.load(right, pair[1] * w.of.bytes)
