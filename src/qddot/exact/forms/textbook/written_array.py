"""A WrittenArray prints entries with sums of angles and named constants, and with common factors taken out."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any, Never

from qddot.algebra.numbers.polynomials.exact import Polynomial, Ring, Terms
from qddot.algebra.numbers.polynomials.keys import PolynomialKey
from qddot.algebra.numbers.polynomials.unreduced import Unreduced
from qddot.base.errors import ExactnessError
from qddot.base.records import record
from qddot.exact.equations.arrays.exact_array import ExactArray
from qddot.exact.equations.arrays.printed import Printed
from qddot.exact.forms.textbook.rewriting.angle_sums import AngleSums
from qddot.exact.forms.textbook.writing.factoring import Brackets, factored_sum
from qddot.exact.forms.textbook.writing.short_entries import ShortEntries
from qddot.exact.printing.digits import NumberForm, form_of, loses_digits, number_of, rounded, with_values
from qddot.exact.printing.paired import paired
from qddot.exact.printing.reading_order import expanded
from qddot.exact.printing.tree import Sum
from qddot.physics.mechanism import Mechanism


@record()
class WrittenArray(Printed):
    """A written array has entries in sums of angles and named constants, as a person writes them.

    It is indexed and printed as an ExactArray is; `exact` is that array. Equal entries may be written in many ways, so
    there is no `==` and no arithmetic.
    sums: the sums of angles; constants: the definitions of the named constants
    shortened: a function that writes an exact array in this form
    """

    entries: tuple[Unreduced, ...]
    sums: AngleSums
    constants: Mapping[str, Polynomial]
    shortened: Callable[[ExactArray], WrittenArray]

    @classmethod
    def of(
        cls,
        plain: ExactArray,
        sums: AngleSums,
        ring: Ring,
        entries: Sequence[Terms],
        shortened: Callable[[ExactArray], WrittenArray],
        constants: Mapping[str, Polynomial] | None = None,
    ) -> WrittenArray:
        """Returns an array with these entries in place of a plain array's; ring: that of sums and constants."""
        written = tuple(Unreduced.over(ring, entry) for entry in entries)
        frame = (plain.shape, plain.name, plain.symmetric, plain.places, plain.whole, plain.display)
        return cls(ring, written, *frame, sums, constants or {}, shortened)

    @property
    def exact(self) -> ExactArray:
        """Returns the same array in normal form, expanded, in the model's own symbols."""
        images = {name: self.sums.back(value) for name, value in self.constants.items()}
        keys = [PolynomialKey(entry.poly) for entry in self.entries]  # many entries are equal
        distinct = dict(zip(keys, self.entries, strict=True))
        exact = {key: self.sums.back(entry, images) for key, entry in distinct.items()}
        entries = tuple(exact[key] for key in keys)
        ring = self.sums.plain_ring
        return ExactArray(ring, entries, self.shape, self.name, self.symmetric, self.places, self.whole, self.display)

    def subs(self, mapping: Mapping[str, Any] | None = None, **values: Any) -> WrittenArray:
        """Returns the array with names replaced, as `ExactArray.subs` does, in short form without constants."""
        return self.shortened(self.exact.subs(mapping, **values))

    def diff(self, name: str) -> WrittenArray:
        """Returns the derivative, as `ExactArray.diff` does, in short form without constants."""
        return self.shortened(self.exact.diff(name))

    @cached_property
    def _in_digits(self) -> dict[int, Terms]:
        return {id(entry): rounded(entry, self.display.digits) for entry in self.entries}

    @cached_property
    def _form(self) -> NumberForm:
        return NumberForm.ROUNDED if self.display.decimals else form_of(self._in_digits.values(), readable=True)

    @property
    def has_decimals(self) -> bool:
        """Returns whether the numbers of all entries are written as decimals."""
        return self._form is not NumberForm.FRACTIONS

    @property
    def is_rounded(self) -> bool:
        """Returns whether numbers are written with fewer digits than they have."""
        names = {generator.name for entry in self.entries for generator in entry.generators()}
        numbers = [self.constants[name] for name in self._numbers if name in names]
        return any(loses_digits(each, self.display.digits, self._form) for each in (*self.entries, *numbers))

    @cached_property
    def _numbers(self) -> dict[str, Fraction]:
        """Returns the constants that are numbers, such as 1 + √2."""
        values = {name: with_values(value, {}) for name, value in self.constants.items()}
        return {name: number for name, value in values.items() if (number := number_of(value)) is not None}

    @cached_property
    def _written(self) -> tuple[dict[PolynomialKey, Sum], dict[Any, Brackets]]:
        """Returns caches: the entries that have been written, and the brackets that they share."""
        return {}, {}

    def expression(self, entry: Unreduced) -> Sum:
        """Returns an entry with its common factors taken out; equal entries, such as Γ_ijk and Γ_ikj, share it."""
        sums, brackets = self._written
        terms = self._in_digits[id(entry)]
        key = PolynomialKey(terms.poly)
        if key not in sums:
            if self._form is NumberForm.ROUNDED:
                terms = with_values(terms, self._numbers)
            sums[key] = factored_sum(terms, self._form, brackets)
            if self.display.notation.paired:  # SC2 + SC23 is shorter than S2*C2 and S23*C23 in brackets
                both = (expanded(terms, self._form), sums[key])
                sums[key] = min(both, key=lambda total: paired(total).operations)
        return sums[key]

    @property
    def operations(self) -> int:
        """Returns the number of operations in the written entries, without those in sines, cosines or constants."""
        return sum(self.expression(entry).operations for _, _, entry in self.labelled())

    def angle_sums(self) -> dict[str, str]:
        """Returns the angles that the names of sums in the text stand for."""
        used = {generator.name for entry in self.entries for generator in entry.generators()}
        return {name: str(self.sums.angle(name)) for name in self.sums.combinations if name in used}

    def _repr_latex_(self) -> str:
        from qddot.exact.equations.arrays import in_notebooks

        return in_notebooks.latex(self)

    def _refused(self, *_: object) -> Never:
        """Raises ExactnessError: equal entries may be written in many ways."""
        raise ExactnessError("written-array-compared")

    __eq__ = __ne__ = _refused
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __neg__ = _refused
    __truediv__ = __matmul__ = __rmatmul__ = __float__ = _refused
    __repr__ = Printed.__repr__
    __array_ufunc__ = None  # NumPy leaves mixed arithmetic to this class

    def __hash__(self) -> int:
        raise TypeError("unhashable type: 'WrittenArray'")


def short_form(
    mechanism: Mechanism, multiples: bool = False, moving: Collection[str] = ()
) -> Callable[[ExactArray], WrittenArray]:
    """Returns a function that writes an exact array of an arm in short form, without named constants.

    mechanism: in polynomials; multiples: whether cos 2θ replaces squares; moving: as in ShortEntries
    """

    def short(plain: ExactArray) -> WrittenArray:
        return in_symbols(plain, ShortEntries(mechanism, plain.ring, multiples, moving), short)

    return short


def in_symbols(plain: ExactArray, short: ShortEntries, again: Callable[[ExactArray], WrittenArray]) -> WrittenArray:
    """Returns an array in short form, in the model's own symbols.

    again: the function that shortens arrays computed from this one
    """
    ring = short.sums.ring
    joined = short.joined(short.of(plain.entries), ring)
    return WrittenArray.of(plain, short.sums, ring, joined, again)
