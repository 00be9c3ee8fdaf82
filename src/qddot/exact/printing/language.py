"""A language writes trees of expressions: it has a short method for each kind of node; all share the traversal."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from fractions import Fraction
from typing import Generic, TypeVar

from qddot.exact.printing.digits import NumberForm
from qddot.exact.printing.tree import (
    Chain,
    Circular,
    Factor,
    Matrix,
    Named,
    Partial,
    Product,
    Quotient,
    Root,
    Sign,
    Sum,
    Symbol,
)

T = TypeVar("T")


class Language(ABC, Generic[T]):
    """A language writes each kind of node from its written parts.

    short_names: whether it writes c1 for the cosine of q1, which a legend then has to explain
    """

    short_names = True

    def __init__(self) -> None:
        self._powers: dict[tuple[Factor, int], T] = {}

    @abstractmethod
    def symbol(self, symbol: Symbol) -> T:
        """Returns a name with its accents and indices."""

    @abstractmethod
    def circular(self, function: Circular, exponent: int) -> T:
        """Returns a power of a sine or cosine."""

    @abstractmethod
    def sign(self, sign: Sign) -> T:
        """Returns the sign of a rate."""

    @abstractmethod
    def root(self, root: Root) -> T:
        """Returns a square root."""

    @abstractmethod
    def partial(self, partial: Partial) -> T:
        """Returns a partial derivative."""

    @abstractmethod
    def chain(self, factors: Sequence[T], traced: bool) -> T:
        """Returns a product of matrices, or its trace."""

    @abstractmethod
    def brackets(self, inner: T) -> T:
        """Returns an expression in round brackets."""

    @abstractmethod
    def quotient(self, top: T, bottom: T) -> T:
        """Returns a fraction of two expressions."""

    @abstractmethod
    def raised(self, base: T, exponent: int) -> T:
        """Returns a power, whose exponent is −1 or at least 2."""

    @abstractmethod
    def product(self, number: Fraction, factors: Sequence[T], numbers: NumberForm) -> T:
        """Returns a positive number times factors; numbers: the form of its number."""

    @abstractmethod
    def total(self, terms: Sequence[tuple[bool, T]]) -> T:
        """Returns the sum of terms, each after a flag that says whether it is negative; a sum without terms is zero."""

    @abstractmethod
    def matrix(self, matrix: Matrix) -> T:
        """Returns a matrix, with its zeros."""

    @abstractmethod
    def transposed(self, matrix: T) -> T:
        """Returns the transpose of a matrix."""

    def write(self, node: Sum | Matrix | Symbol | Partial | Circular | Named) -> T:
        """Returns a whole expression, a matrix, the name of a quantity, or sines and cosines without short names."""
        if isinstance(node, Sum):
            return self.total(self.terms(node))
        if isinstance(node, Matrix):
            return self.transposed(self.matrix(node.transpose)) if node.lying else self.matrix(node)
        if isinstance(node, Circular):
            return self.circular(node, 1)
        if isinstance(node, Named):
            return self.term(node.of, NumberForm.FRACTIONS)
        return self.symbol(node) if isinstance(node, Symbol) else self.partial(node)

    def terms(self, total: Sum) -> list[tuple[bool, T]]:
        """Returns the terms of a sum without their signs, each after a flag that says whether it is negative."""
        return [(product.number < 0, self.term(product, total.numbers)) for product in total.products]

    def term(self, product: Product, numbers: NumberForm) -> T:
        """Returns a product without its sign."""
        return self.product(abs(product.number), self.factors(product), numbers)

    def factors(self, product: Product) -> list[T]:
        """Returns the factors of a product without its number."""
        written: list[T] = []
        for base, exponent in product.factors:
            if isinstance(base, Named) and not self.short_names:
                written += self.factors(base.of)
            else:
                written.append(self._power(base, exponent))
        return written

    def _power(self, base: Factor, exponent: int) -> T:
        if isinstance(base, Sum):
            inner = self.brackets(self.write(base))
            return inner if exponent == 1 else self.raised(inner, exponent)
        if isinstance(base, Matrix):
            return self.matrix(base)
        if (base, exponent) not in self._powers:
            self._powers[base, exponent] = self._atom(base, exponent)
        return self._powers[base, exponent]

    def _atom(self, base: Factor, exponent: int) -> T:
        if isinstance(base, Circular) and (base.short is None or not self.short_names):
            return self.circular(base, exponent)
        if isinstance(base, Circular | Named):
            assert base.short
            base = base.short
        one = self.symbol(base) if isinstance(base, Symbol) else self._function(base)
        return one if exponent == 1 else self.raised(one, exponent)

    def _function(self, base: Factor) -> T:
        if isinstance(base, Sign):
            return self.sign(base)
        if isinstance(base, Quotient):
            return self.quotient(self.write(base.top), self.write(base.bottom))
        if isinstance(base, Chain):
            return self.chain([self.symbol(each) for each in base.factors], base.traced)
        assert isinstance(base, Root)
        return self.root(base)

    def radicand(self, root: Root) -> int | T:
        """Returns the whole number in a root, or the written sum."""
        return root.of if isinstance(root.of, int) else self.write(root.of)
