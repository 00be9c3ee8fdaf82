"""Writes single polynomials in short form, and only the beginning of long ones."""

from __future__ import annotations

from fractions import Fraction

from qddot.algebra.numbers.polynomials.exact import Polynomial, Ring
from qddot.algebra.numbers.polynomials.unreduced import Unreduced
from qddot.exact.forms.textbook.writing.factoring import factored_sum
from qddot.exact.forms.textbook.writing.short_entries import ShortEntries
from qddot.exact.printing.digits import form_of
from qddot.exact.printing.reading_order import expanded
from qddot.exact.printing.tree import ELLIPSIS, Product, Sum
from qddot.physics.mechanism import Mechanism

LONGEST_SHORT = 400  # a polynomial with more terms is not shortened before it is shown
HIGHEST_SHORT = 12  # a polynomial with a higher power of a sine or a cosine is not shortened either
LONGEST_SHOWN = 12  # most products of a formula within a sentence or a table


class ShortSums:
    """This shortens polynomials over one ring by the sums of angles of an arm."""

    def __init__(self, mechanism: Mechanism, ring: Ring) -> None:
        self.ring = ring
        self._short = ShortEntries(mechanism, ring, False)
        self.sums = self._short.sums

    def of(self, entry: Polynomial) -> Unreduced:
        """Returns the short form in sums of angles, with sin² or cos² as was chosen."""
        ring = self.sums.ring
        return self._short.joined(self._short.of([entry]), ring)[0]

    def shortens(self, entry: Polynomial) -> bool:
        """Returns whether an entry is neither too long nor of too high a power to be shortened soon."""
        degrees = zip(entry.ring.generators, entry.poly.degrees(), strict=True)
        powers = (degree for generator, degree in degrees if generator.kind in ("cos", "sin"))
        return 0 < len(entry) <= LONGEST_SHORT and max(powers, default=0) <= HIGHEST_SHORT

    def written(self, entry: Polynomial) -> Sum:
        """Returns an entry as a person would write it, or the first terms of a long one."""
        if not entry:
            return Sum()
        if not self.shortens(entry):
            return _cut(expanded(Unreduced.of(self.ring, list(entry.terms())[: LONGEST_SHOWN + 1])))
        short = self.of(entry)
        return _cut(factored_sum(short, form_of([short], readable=True)))


def _cut(formula: Sum) -> Sum:
    """Returns a sum with dots in place of all but its first products."""
    if len(formula.products) <= LONGEST_SHOWN:
        return formula
    return Sum((*formula.products[:LONGEST_SHOWN], Product(Fraction(1), ((ELLIPSIS, 1),))), formula.numbers)
