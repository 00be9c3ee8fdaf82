"""Writes the solution of linear equations over lanes, in real or complex numbers: A = L U, then L y = b and U x = y.

There is no pivoting, since lanes could not share it. A is γ I − h J: in short steps its diagonal dominates, and if
damping dominates, the leading minors of M⁻¹ D are positive. If a pivot vanishes all the same, Newton's iteration fails
and the step is repeated with a shorter length.
"""

from __future__ import annotations

from collections.abc import Iterator

from qddot.machine.compilers.llvm.registers import Vectors
from qddot.machine.compilers.llvm.writer import Writer

REAL, COMPLEX = 1, 2  # vectors per number


def functions(of: Vectors, size: int) -> Iterator[str]:
    """Yields `void factorise.c(ptr A)` and `void solve.c(ptr A, ptr b)`, c = 1 for real and 2 for complex numbers.

    A (size, size) becomes L below its diagonal, U above it, and the reciprocal pivots on it; b becomes x.
    """
    for parts in (REAL, COMPLEX):
        w = Writer(f"private void @factorise.{parts}(ptr %a) noinline", of)
        _factorise(w, Numbers(w, parts, size))
        yield from w.done()
        w = Writer(f"private void @solve.{parts}(ptr %a, ptr %b) noinline", of)
        _solve(w, Numbers(w, parts, size))
        yield from w.done()


class Numbers:
    """These are the real or complex numbers of a system in memory, which have one or two vectors."""

    def __init__(self, w: Writer, parts: int, size: int) -> None:
        self.w, self.parts, self.size, self.d = w, parts, size, w.of.bytes
        self.width = parts * self.d

    def entry(self, row: str, column: str) -> str:
        """Returns the address of an entry of A."""
        w = self.w
        return w.element("%a", w.whole("add", w.whole("mul", row, self.size), column), self.width)

    def right(self, row: str) -> str:
        """Returns the address of an entry of b."""
        return self.w.element("%b", row, self.width)

    def load(self, at: str) -> list[str]:
        return [self.w.load(at, part * self.d) for part in range(self.parts)]

    def store(self, number: list[str], at: str) -> None:
        for part, x in enumerate(number):
            self.w.store(x, at, part * self.d)

    def product(self, a: list[str], b: list[str]) -> list[str]:
        w = self.w
        if self.parts == REAL:
            return [str(w.product(a[0], b[0]))]
        real = w.difference(w.product(a[0], b[0]), w.product(a[1], b[1]))
        return [str(real), str(w.sum(w.product(a[0], b[1]), w.product(a[1], b[0])))]

    def difference(self, a: list[str], b: list[str]) -> list[str]:
        return [str(self.w.difference(x, y)) for x, y in zip(a, b, strict=True)]

    def reciprocal(self, a: list[str]) -> list[str]:
        w, one = self.w, self.w.number(1.0)
        if self.parts == REAL:
            return [str(w.quotient(one, a[0]))]
        square = str(w.sum(w.product(a[0], a[0]), w.product(a[1], a[1])))
        return [str(w.quotient(a[0], square)), str(w.quotient(w.negative(a[1]), square))]


def _factorise(w: Writer, n: Numbers) -> None:
    with w.loop(0, n.size) as column:
        k = column.index
        pivot = n.reciprocal(n.load(n.entry(k, k)))
        n.store(pivot, n.entry(k, k))
        after = w.whole("add", k, 1)
        with w.loop(after, n.size) as row:
            own = n.entry(row.index, k)
            factor = n.product(n.load(own), pivot)
            n.store(factor, own)
            with w.loop(after, n.size) as each:
                at = n.entry(row.index, each.index)
                less = n.product(factor, n.load(n.entry(k, each.index)))
                n.store(n.difference(n.load(at), less), at)


def _solve(w: Writer, n: Numbers) -> None:
    with w.loop(1, n.size) as row:
        _less(w, n, row.index, "0", row.index)
    with w.loop(0, n.size) as turn:
        k = w.whole("sub", str(n.size - 1), turn.index)
        _less(w, n, k, w.whole("add", k, 1), str(n.size))
        at = n.right(k)
        n.store(n.product(n.load(at), n.load(n.entry(k, k))), at)


def _less(w: Writer, n: Numbers, row: str, start: str, stop: str) -> None:
    """Writes b_row −= Σ A_row,k b_k over some k."""
    own = n.right(row)
    with w.loop(start, stop) as each:
        term = n.product(n.load(n.entry(row, each.index)), n.load(n.right(each.index)))
        n.store(n.difference(n.load(own), term), own)
