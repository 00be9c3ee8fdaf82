"""Drawn has the initial numbers of a run, some of which are drawn from distributions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np

from qddot.algebra.expressions.expression import Scalar
from qddot.base.errors import SweepError, shortened
from qddot.motion.simulate.acting.open_numbers import Distribution
from qddot.motion.sweeps.distributions import Choice, number

Entry: TypeAlias = "Distribution | Scalar"


class Drawn:
    """These are the numbers in one row; the drawn ones are at `places`, and have labels and distributions."""

    def __init__(self) -> None:
        self.row: list[float] = []
        self.places: list[int] = []
        self.labels: list[str] = []
        self.distributions: list[Distribution] = []

    def add(self, label: str, entry: Any) -> float:
        """Adds a number, or the median in place of a distribution; returns the number that was added."""
        if isinstance(entry, Distribution):
            self.places.append(len(self.row))
            self.labels.append(label)
            self.distributions.append(entry)
            value = float(np.ravel(entry.values(np.array([0.5])))[0])
        else:
            value = number(entry, label)
        self.row.append(value)
        return value

    def add_all(self, what: str, entries: Any, names: Sequence[str]) -> list[float]:
        """Adds a list with an entry for each name. raises SweepError: another length, or not a list"""
        is_ordered = isinstance(entries, Sequence) or hasattr(entries, "__array__")
        is_list = is_ordered and np.iterable(entries) and not isinstance(entries, str | bytes | Distribution)
        listed = list(entries) if is_list else []
        if len(listed) != len(names):
            raise SweepError(
                "no-entry-for-each",
                what=what,
                entries=shortened(entries),
                count=len(names),
                names=", ".join(names),
            )
        return [self.add(f"{what}_{name}", each) for name, each in zip(names, listed, strict=True)]

    def fill(self, size: int) -> None:
        """Adds zeros up to a size."""
        self.row += [0.0] * (size - len(self.row))

    @property
    def in_grids(self) -> list[bool]:
        """Returns which of the drawn numbers are grids."""
        return [isinstance(each, Choice) and each.in_grid for each in self.distributions]
