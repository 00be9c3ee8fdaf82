"""Breaks long sums over the lines of a page at their signs, also within a bracket that is wider than a line."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from typing import Generic, NamedTuple, TypeVar

from qddot.exact.printing import layout
from qddot.exact.printing.digits import NumberForm
from qddot.exact.printing.language import Language
from qddot.exact.printing.legend import equations as meanings
from qddot.exact.printing.tree import Equation, Product, Sum
from qddot.exact.printing.writer import Array, Sheet, Writer

T = TypeVar("T")
ONE = Fraction(1)
SIGN = 3  # extent of a sign with the space about it


class Piece(NamedTuple, Generic[T]):
    """A piece is a term or a part of one, with its sign and its extent; a line may be broken before it."""

    negative: bool
    written: T
    extent: float


class Typeset(Language[T]):
    """A typeset language breaks sums into lines of a page's width."""

    @abstractmethod
    def bracket(self, opens: bool) -> T:
        """Returns a single round bracket, whose partner is on another line."""

    def pieces(self, total: Sum, room: float) -> Iterator[Piece[T]]:
        """Yields the terms of a sum; one that is wider than a line is split at the signs in its widest bracket."""
        for product in total.products:
            extents = [layout.extent(base) for base, _ in product.factors]
            extent = layout.of_factors(product, extents, total.numbers)
            pairs = zip(extents, product.factors, strict=True)
            brackets = [room * isinstance(base, Sum) for room, (base, _) in pairs]
            if extent > room and any(brackets):
                yield from self._split(product, brackets.index(max(brackets)), total.numbers, room)
            else:
                yield Piece(product.number < 0, self.term(product, total.numbers), extent)

    def rows(self, equation: Equation, width: float) -> list[list[tuple[bool, T]]]:
        """Returns the written terms of an equation's right side, which is a sum, in rows that fit a page."""
        assert isinstance(equation.right, Sum)
        rows: list[list[tuple[bool, T]]] = [[]]
        room = width - layout.extent(equation.left) - SIGN
        right, quotient = equation.right, equation.right.quotient
        if quotient and layout.extent(quotient) > room:
            right = quotient.as_product
        for piece in self.pieces(right, room):
            if piece.extent + SIGN > room and rows[-1]:
                rows.append([])
                room = width - SIGN
            rows[-1].append((piece.negative, piece.written))
            room -= piece.extent + SIGN
        return rows

    def _split(self, product: Product, place: int, numbers: NumberForm, room: float) -> Iterator[Piece[T]]:
        """Yields the pieces of a product that is split at the signs of its factor at `place`, which is a sum."""
        total, exponent = product.factors[place]
        assert isinstance(total, Sum)
        first, *others, last = self.pieces(total, room)
        before = Product(product.number, product.factors[:place])
        opening = [*self.factors(before), self.bracket(opens=True), self.total([first[:2]])]
        extent = layout.of_product(before, numbers) + first.extent
        yield Piece(product.number < 0, self.product(abs(product.number), opening, numbers), extent)
        yield from others
        end = self.bracket(opens=False)
        after = Product(ONE, product.factors[place + 1 :])
        closing = [last.written, end if exponent == 1 else self.raised(end, exponent), *self.factors(after)]
        extent = last.extent + layout.of_product(after, numbers)
        yield Piece(last.negative, self.product(ONE, closing, numbers), extent)


class TypesetWriter(Writer):
    """This writes blocks of equations; one of its own defines short names of sines and cosines."""

    width = layout.PAGE

    def __init__(
        self,
        sentence: str,
        block: Callable[[Iterable[Equation], int], str],
        comment: tuple[str, str],
        gap: str = "\n",
    ) -> None:
        """block: returns equations, one per line; gap: between two blocks"""
        self.sentence, self.comment = sentence, comment
        self._block, self._gap = block, gap

    def array(self, array: Array, width: int) -> str:
        return self._block(array.whole_equations(), width)

    def sheet(self, sheet: Sheet, width: int) -> str:
        short = meanings(sheet.atoms())
        return self._gap.join(self._block(block, width) for block in [*sheet.blocks(), *([short] if short else [])])
