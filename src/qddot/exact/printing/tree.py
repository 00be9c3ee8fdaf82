"""A written expression is one tree of sums, products and powers over names; each language prints the same tree."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple, TypeAlias

from qddot.algebra.expressions.angles import Angle
from qddot.exact.printing.digits import NumberForm


class Symbol(NamedTuple):
    """A symbol is a name with its accents and indices.

    text: what plain text and programs write, m1 or qd1
    head, below: the letter or word, and its index
    above, frame: the superscripts to the right and to the left
    dots: how many time derivatives; bar: whether a bar is above
    """

    text: str
    head: str
    below: str = ""
    above: str = ""
    frame: str = ""
    dots: int = 0
    bar: bool = False


class Circular:
    """This is the cosine or sine of an angle, or another function; two are equal only if they are the same object."""

    __slots__ = ("angle", "argument", "kind", "short")

    def __init__(self, kind: str, angle: Angle, argument: Sum, short: Symbol | None = None) -> None:
        """kind: "cos", "sin" or another function's name; argument: the angle, or another argument, as a sum

        short: the function's short name, c12, if it has one
        """
        self.kind, self.angle, self.argument, self.short = kind, angle, argument, short


class Named:
    """This is a product of sines and cosines of one angle with a short name, such as SC23; equal only to itself."""

    __slots__ = ("angle", "kind", "of", "short")

    def __init__(self, kind: str, angle: Angle, of: Product, short: Symbol) -> None:
        self.kind, self.angle, self.of, self.short = kind, angle, of, short


class Sign(NamedTuple):
    """This is the sign of a rate: −1, 0 or 1."""

    of: Symbol


class Root(NamedTuple):
    """This is the square root of a whole number, or of a sum."""

    of: int | Sum


class Product(NamedTuple):
    """A product is a number times powers of factors, in the order in which they are written."""

    number: Fraction
    factors: tuple[tuple[Factor, int], ...] = ()

    @property
    def operations(self) -> int:
        """Returns the number of multiplications, and of operations within brackets."""
        count = sum(exponent for _, exponent in self.factors) + (self.number not in (1, -1))
        return max(0, count - 1) + sum(base.operations for base, _ in self.factors if isinstance(base, COMPOUND))


class Sum(NamedTuple):
    """A sum is products that are added; an empty one is zero.

    numbers: the form in which its numbers are written
    """

    products: tuple[Product, ...] = ()
    numbers: NumberForm = NumberForm.FRACTIONS

    @property
    def operations(self) -> int:
        """Returns the number of multiplications and additions; a sine or cosine counts as one number."""
        return sum(product.operations for product in self.products) + max(0, len(self.products) - 1)

    def atoms(self) -> Iterator[Atom]:
        """Yields the names and functions in the sum, each as often as it occurs."""
        for product in self.products:
            for base, _ in product.factors:
                if isinstance(base, (*COMPOUND, Matrix)):
                    yield from base.atoms()
                else:
                    yield base

    @property
    def with_ellipsis(self) -> Sum:
        """Returns the sum with an ellipsis behind it, for terms that are left out."""
        return self._replace(products=(*self.products, Product(Fraction(1), ((ELLIPSIS, 1),))))

    @property
    def has_matrices(self) -> bool:
        """Returns whether the sum is one of products of matrices."""
        return any(isinstance(base, Matrix) for product in self.products[:1] for base, _ in product.factors)

    @property
    def quotient(self) -> Quotient | None:
        """Returns the quotient that the whole sum is, if it is one."""
        factors = self.products[0].factors if len(self.products) == 1 else ()
        base = factors[0][0] if len(factors) == 1 else None
        return base if isinstance(base, Quotient) else None


class Quotient(NamedTuple):
    """A quotient is a factor that is a fraction of two sums."""

    top: Sum
    bottom: Sum

    @property
    def operations(self) -> int:
        return self.top.operations + self.bottom.operations + 1

    def atoms(self) -> Iterator[Atom]:
        """Yields the names and functions in both sums."""
        yield from self.top.atoms()
        yield from self.bottom.atoms()

    @property
    def as_product(self) -> Sum:
        """Returns the quotient as a product with an inverse, whose brackets may be broken over lines."""
        return Sum((Product(Fraction(1), ((self.bottom, -1), (self.top, 1))),))


class Chain(NamedTuple):
    """A chain is a product of matrices, in their order. traced: whether it is the trace of this product"""

    factors: tuple[Symbol, ...]
    traced: bool = False

    @property
    def operations(self) -> int:
        return len(self.factors) - 1

    def atoms(self) -> Iterator[Atom]:
        """Yields the names of the matrices."""
        yield from self.factors


def alone(factor: Factor) -> Sum:
    """Returns a factor as a sum."""
    return Sum((Product(Fraction(1), ((factor, 1),)),))


class Matrix(NamedTuple):
    """A matrix has rows of sums. lying: whether a column is written as a transposed row"""

    rows: tuple[tuple[Sum, ...], ...]
    lying: bool = False

    @property
    def transpose(self) -> Matrix:
        return Matrix(tuple(zip(*self.rows, strict=True)))

    def atoms(self) -> Iterator[Atom]:
        """Yields the names and functions in the entries."""
        for row in self.rows:
            for entry in row:
                yield from entry.atoms()


class Partial(NamedTuple):
    """This is a partial derivative, such as ∂L/∂q̇1."""

    of: Symbol
    by: Symbol


class Equation(NamedTuple):
    """An equation says what a quantity is equal to."""

    left: Symbol | Partial
    right: Sum | Matrix

    @property
    def name(self) -> str:
        """Returns the name of the quantity in texts and programs."""
        assert isinstance(self.left, Symbol)
        return self.left.text

    @property
    def is_zero(self) -> bool:
        """Returns whether the right side is zero."""
        entries = (self.right,) if isinstance(self.right, Sum) else (entry for row in self.right.rows for entry in row)
        return not any(entry.products for entry in entries)


COMPOUND = (Sum, Quotient, Chain)  # factors that consist of others
UNNAMED = Symbol("", "")  # the left side for a value without a name
NOTHING = Symbol("0", "0")  # the left side of a sum that is zero
ELLIPSIS = Symbol("…", "…")  # terms that are left out
Atom: TypeAlias = Symbol | Circular | Named | Sign | Root
Factor: TypeAlias = "Atom | Sum | Quotient | Matrix | Chain"
ZERO = Sum()
