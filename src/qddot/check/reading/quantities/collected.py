"""Collects the entries of an answer's quantities, and the notes about how they are read."""

from __future__ import annotations

from collections.abc import Sequence

from qddot.check.reading.answer import Entry
from qddot.check.reading.statements.arrays import Computed
from qddot.equations.quantities import Quantities
from qddot.numbers.polynomials.exact import Polynomial, Ring


class Collected:
    """These are the entries that are read so far, by quantity. guesses: the notes"""

    def __init__(self, eq: Quantities, ring: Ring, guesses: dict[str, None]) -> None:
        self.eq, self.exact, self.ring, self.n, self.guesses = eq, eq.in_joint_angles, ring, eq.n, guesses
        self.entries: dict[str, list[Entry]] = {}
        self.guessed: set[str] = set()  # quantities that are read from letters with other meanings

    def add(self, quantity: str, each: Computed, places: Sequence[tuple[int, ...]]) -> None:
        """Adds the values of a claim as entries at some places."""
        self.add_entries(
            quantity, [value._replace(place=place) for place, value in zip(places, each.entries, strict=True)]
        )

    def add_entries(self, quantity: str, entries: Sequence[Entry]) -> None:
        """Adds entries."""
        self.entries.setdefault(quantity, []).extend(entries)

    def guess(self, name: str, quantity: str, meaning: str) -> None:
        """Notes what a name is read as, if the name may have other meanings."""
        self.guessed.add(quantity)
        self.note(f"{name} is read as {meaning}")

    def note(self, sentence: str) -> None:
        """Notes how something is read."""
        self.guesses[sentence] = None

    def exact_entries(self, quantity: str) -> list[Polynomial]:
        """Returns the exact entries of a quantity in the ring of the answer."""
        return [self.ring.convert(entry) for entry in self.exact.array(quantity).entries]

    def noted(self, each: Computed) -> str:
        """Returns the name and the place of a claim for a note."""
        return f"{each.claim.left.text} ({each.claim.where})"
