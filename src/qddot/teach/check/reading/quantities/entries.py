"""Collects the entries of an answer's quantities, and the notes about how they are read."""

from __future__ import annotations

from collections.abc import Sequence

from qddot.algebra.numbers.polynomials.exact import Polynomial, Ring
from qddot.base.words.message import Message, say
from qddot.exact.equations.quantities import Quantities
from qddot.teach.check.exact_arrays import exact_array, part_of
from qddot.teach.check.reading.answer import Entry, Notes
from qddot.teach.check.reading.exact.comparing import agree
from qddot.teach.check.reading.statements.arrays import Computed


class Entries:
    """These are the entries of one answer that are read so far. by_quantity: the entries by the names of quantities"""

    def __init__(self, eq: Quantities, ring: Ring, notes: Notes) -> None:
        self.eq, self.exact, self.ring, self.n, self.notes = eq, eq.in_joint_angles, ring, eq.n, notes
        self.by_quantity: dict[str, list[Entry]] = {}
        self.guessed: set[str] = set()  # quantities that are read from letters with other meanings

    def add(self, quantity: str, each: Computed, places: Sequence[tuple[int, ...]]) -> None:
        """Adds the values of a claim as entries at some places."""
        self.add_entries(
            quantity, [value._replace(place=place) for place, value in zip(places, each.entries, strict=True)]
        )

    def add_entries(self, quantity: str, entries: Sequence[Entry]) -> None:
        """Adds entries."""
        self.by_quantity.setdefault(quantity, []).extend(entries)

    def guess(self, name: str, quantity: str, meaning: Message) -> None:
        """Notes what a name is read as, if the name may have other meanings."""
        self.guessed.add(quantity)
        self.notes.add(say("reading-as", name=name, meaning=meaning))

    def exact_entries(self, quantity: str, place: tuple[int, ...] = ()) -> list[Polynomial]:
        """Returns the exact entries of a quantity, or of its part at a place, in the ring of the answer."""
        part = part_of(exact_array(self.exact, quantity), place)
        return [self.ring.convert(entry) for entry in part.values()]

    def holds(self, each: Computed, quantity: str, place: tuple[int, ...] = ()) -> bool:
        """Returns whether a claim has the exact entries of a quantity, or of its part at a place."""
        return agree(each.entries, self.exact_entries(quantity, place))
