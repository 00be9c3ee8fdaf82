"""Writes sums with their common factors taken out, in text and LaTeX: I5*c2*(c23 + s3)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from qddot.numbers.exact import Ring
from qddot.numbers.generators import Generator
from qddot.printing import latex, notation, text

RATES = ("qd", "qdd", "sgn")
LONGEST_NUMBER = 24  # characters of a coefficient that is shown exactly


@dataclass(frozen=True)
class Product:
    """A product is a number, powers of variables, and perhaps a sum in brackets; place: that of its first term."""

    place: int
    coefficient: Fraction
    powers: tuple[tuple[int, int], ...]
    inner: Sum | None = None

    @cached_property
    def operations(self) -> int:
        factors = sum(e for _, e in self.powers) + (self.inner is not None) + (abs(self.coefficient) != 1)
        return max(0, factors - 1) + (self.inner.operations if self.inner else 0)


@dataclass(frozen=True)
class Sum:
    """A sum is products that are added; an empty one is zero."""

    ring: Ring
    products: tuple[Product, ...]
    decimals: bool = False  # whether numbers print as decimals, as measured ones do

    @cached_property
    def operations(self) -> int:
        """Returns the number of multiplications and additions, with sines and cosines given."""
        return sum(product.operations for product in self.products) + max(0, len(self.products) - 1)

    def text(self) -> str:
        taken = {*self.ring.symbols, *self.ring.extra}

        def written(product: Product) -> str:
            early, late = self._split(product)
            names = [notation.text(g, taken) + (f"**{e}" if e > 1 else "") for g, e in early]
            names += [f"({product.inner.text()})"] if product.inner else []
            names += [notation.text(g, taken) + (f"**{e}" if e > 1 else "") for g, e in late]
            return text.term(abs(product.coefficient), names, self.decimals or _is_long(product.coefficient))

        return text.signed((product.coefficient < 0, written(product)) for product in self.products)

    def latex(self) -> str:
        """Returns LaTeX with plain brackets, so that a line may break within them."""
        taken = {*self.ring.symbols, *self.ring.extra}

        def written(product: Product) -> str:
            early, late = self._split(product)
            parts = [latex.power(notation.latex(g, taken), e) for g, e in early]
            parts += [f"({product.inner.latex()})"] if product.inner else []
            parts += [latex.power(notation.latex(g, taken), e) for g, e in late]
            decimals = self.decimals or _is_long(product.coefficient)
            return latex.term(abs(product.coefficient), " ".join(parts), decimals)

        return text.signed((product.coefficient < 0, written(product)) for product in self.products)

    def _split(self, product: Product) -> tuple[list[tuple[Generator, int]], list[tuple[Generator, int]]]:
        """Returns the factors before the bracket in reading order, and the rates after it."""
        found = [(self.ring.generators[k], e) for k, e in product.powers]
        found.sort(key=lambda factor: text.READING_ORDER.index(factor[0].kind))
        early = [factor for factor in found if factor[0].kind not in RATES or product.inner is None]
        return early, [factor for factor in found if factor not in early]


def _is_long(number: Fraction) -> bool:
    """Returns whether a number is too long to print exactly; it is then printed with twelve digits."""
    return len(text.rational(number)) > LONGEST_NUMBER
