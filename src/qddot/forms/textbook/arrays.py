"""A WrittenArray prints with sums of angles, named constants and common factors taken out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from qddot.equations.array import ExactArray
from qddot.forms.textbook.angle_sums import AngleSums
from qddot.forms.textbook.factoring import Brackets, factored_sum
from qddot.numbers.exact import Polynomial, Ring
from qddot.printing.digits import Numbers, form_of, rounded
from qddot.printing.tree import Sum


class WrittenArray(ExactArray):
    """This is an array whose entries are printed with their common factors taken out."""

    _sums: AngleSums
    _constants: Mapping[str, Polynomial]

    @classmethod
    def of(
        cls,
        plain: ExactArray,
        sums: AngleSums,
        ring: Ring,
        entries: Sequence[Any],
        constants: Mapping[str, Polynomial] | None = None,
        decimals: bool = False,
    ) -> WrittenArray:
        """Returns an array with other entries in the places of a plain one; ring: that of sums and constants."""
        made = cls(ring, [], plain.name, plain.symmetric)
        made.entries, made.shape, made.places = (
            tuple(ring.convert(entry) for entry in entries),
            plain.shape,
            plain.places,
        )
        made._sums, made._constants, made._decimals = sums, constants or {}, decimals
        return made

    @cached_property
    def _written(self) -> dict[int, Sum]:
        shown = {id(entry): rounded(entry, self._digits) for entry in self.entries}
        form = Numbers.ROUNDED if self._decimals else form_of(shown.values(), readable=True)
        known: dict[Any, Brackets] = {}
        return {place: factored_sum(entry, form, known) for place, entry in shown.items()}

    @property
    def operations(self) -> int:
        """Returns the multiplications and additions of the written entries, with sines, cosines and constants given."""
        return sum(self._written[id(entry)].operations for _, _, entry in self.labelled())

    def expanded(self) -> ExactArray:
        """Returns the same array in normal form, in the model's own symbols."""
        images = {name: self._sums.back(value) for name, value in self._constants.items()}
        plain = ExactArray(self._sums.plain_ring, [], self.name, self.symmetric)
        plain.entries = tuple(self._sums.back(entry, images) for entry in self.entries)
        plain.shape, plain.places = self.shape, self.places
        return plain

    def __getitem__(self, index: Any) -> WrittenArray:
        part = super().__getitem__(index)
        made = WrittenArray(self.ring, [], part.name)
        made.entries, made.shape, made.places, made.whole = part.entries, part.shape, part.places, False
        made._sums, made._constants = self._sums, self._constants
        made._decimals, made._digits = self._decimals, self._digits
        return made

    def __eq__(self, other: object) -> bool:
        """Returns whether two arrays are the same in normal form."""
        return self.expanded() == (other.expanded() if isinstance(other, WrittenArray) else other)

    __hash__ = None

    def written(self, entry: Polynomial) -> Sum:
        """Returns an entry with its common factors taken out."""
        return self._written[id(entry)]

    def angle_sums(self) -> dict[str, str]:
        """Returns what the names of sums of angles stand for in the text."""
        used = {generator.name for entry in self.entries for generator in entry.generators()}
        return {name: str(self._sums.angle(name)) for name in self._sums.combinations if name in used}
