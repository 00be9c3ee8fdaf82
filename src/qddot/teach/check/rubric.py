"""Gives points to a judged answer, quantity by quantity, and a share of them in spite of minor mistakes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field
from pathlib import Path
from typing import Any, NamedTuple

from qddot.base.errors import FormatError, QddotError, shortened
from qddot.base.records import record
from qddot.base.system import texts
from qddot.base.words.message import say
from qddot.exact.equations.quantities import Quantities
from qddot.formats.toml import toml_tables
from qddot.teach.check.asked import Key, required_entries
from qddot.teach.check.asked_numbers import AskedNumber, MarkedNumber, asked_numbers
from qddot.teach.check.exact_arrays import canonical, exact_array
from qddot.teach.check.judging.judgement import RIGHT, Judged, Judgement
from qddot.teach.check.reading.answer import EQUATION

OF_ROWS = ("M", "C", "C2", "h", "G", "bias", "minus_G")
SHARES = {"carried": 0.5, "sign": 0.5}
LARGEST_RUBRIC = 100_000  # bytes
RUBRIC = say("rubric-in-toml")
EXPECTED = say("rubric-table")
TABLES, BY_HAND = ("points", "numbers", "shares"), "by_hand"


class Marks(NamedTuple):
    """These are the points of an answer, and the maximum.

    questions: those of each question, by its name; by_hand: how many more a person gives
    """

    points: float
    most: float
    questions: Mapping[str, Marks] = {}
    by_hand: float = 0.0

    def __str__(self) -> str:
        return str(say("points-of-most", points=f"{self.points:g}", most=f"{self.most:g}"))

    def cell(self, question: str) -> str:
        """Returns the points of a question, or nothing if it is none of these."""
        return f"{self.questions[question].points:g}" if question in self.questions else ""


@record()
class Rubric:
    """A rubric has the points of each required quantity or entry; the entries of a quantity share them equally.

    numbers: the required numbers, by names such as tau1@
    shares: the part of its points that an entry keeps, from 0 to 1: "carried" if it follows correctly from
    another entry that is wrong, "sign" if only a sign is wrong
    by_hand: the points of what a person marks, which are not among the others
    raises QddotError: points that are not a positive number, or an unknown share
    """

    eq: Quantities
    points: Mapping[str, float]
    shares: Mapping[str, float] = field(default_factory=lambda: SHARES)
    numbers: Mapping[str, AskedNumber] = field(default_factory=dict)
    by_hand: float = 0.0

    def __post_init__(self) -> None:
        for name, number in self.points.items():
            if not _is_positive(number):
                raise QddotError("points-out-of-range", points=shortened(number), name=name)
        if self.by_hand != 0 and not _is_positive(self.by_hand):
            raise QddotError("points-out-of-range", points=shortened(self.by_hand), name=BY_HAND)
        for name, share in self.shares.items():
            if (
                name not in SHARES
                or isinstance(share, bool)
                or not isinstance(share, int | float)
                or not 0 <= share <= 1
            ):
                raise QddotError("share-unknown", name=name, share=shortened(share))
        required_entries(self.eq, tuple(self.points))

    @classmethod
    def read(cls, eq: Quantities, path: str | Path) -> Rubric:
        """Returns the rubric in a file of TOML; raises FormatError for a file that cannot be read."""
        try:
            data = toml_tables.read(texts.content(Path(path), LARGEST_RUBRIC, RUBRIC), str(path), float)
        except FormatError as error:
            raise (error if error.expected else error.to(FormatError, expected=EXPECTED)) from None
        points, shares, numbers = data.get("points", {}), data.get("shares", {}), data.get("numbers", {})
        tables = isinstance(points, dict) and isinstance(shares, dict) and not set(data) - {*TABLES, BY_HAND}
        if not tables or not (points or numbers):
            raise FormatError("rubric-without-points", where=str(path), expected=EXPECTED)
        try:
            return cls(eq, points, {**SHARES, **shares}, asked_numbers(numbers), data.get(BY_HAND, 0.0))
        except QddotError as error:
            raise error.at(str(path)) from None

    @property
    def most(self) -> float:
        """Returns the sum of all points."""
        return float(sum(self.points.values()) + sum(number.points for number in self.numbers.values()))

    @property
    def nothing(self) -> Marks:
        """Returns the marks of an unreadable answer."""
        most = {**self.points, **{name: number.points for name, number in self.numbers.items()}}
        return Marks(0.0, self.most, {name: Marks(0.0, points) for name, points in most.items()}, self.by_hand)

    def marks(self, judgement: Judgement, numbers: Iterable[MarkedNumber] = ()) -> Marks:
        """Returns the points of a judged answer and its numbers; of repeated entries the worst counts."""
        earned = {name: points * self._part(judgement, name) for name, points in self.points.items()}
        earned |= {number.name: number.points for number in numbers}
        questions = {name: Marks(round(earned[name], 2), each.most) for name, each in self.nothing.questions.items()}
        return Marks(round(sum(earned.values()), 2), self.most, questions, self.by_hand)

    def _part(self, judgement: Judgement, name: str) -> float:
        """Returns the fraction of its points that a quantity or an entry gets."""
        entries = required_entries(self.eq, (name,))
        quantity = next(iter(entries))[0]
        if quantity == EQUATION:
            return sum(self._of_equation(judgement, *key) for key in entries.items()) / len(entries)
        symmetric = exact_array(self.eq, quantity).symmetric
        earned: dict[Any, float] = {}
        for entry in judgement.entries:
            if entry.quantity != quantity:
                continue
            key = quantity, canonical(entry.place, symmetric)
            if key in entries:
                earned[key] = min(earned.get(key, 1.0), self._share(entry))
        return sum(earned.values()) / len(entries)

    def _of_equation(self, judgement: Judgement, key: Key, name: str) -> float:
        """Returns the fraction of its points that an equation gets: that of its worst entry, or 0 if it is missing."""
        joint = key[1][0]
        torques = [each for each in judgement.entries if each.quantity == "tau" and each.place == (joint,)]
        row = [each for each in judgement.entries if each.quantity in OF_ROWS and each.place[:1] == (joint,)]
        answered = name not in (judgement.missing or ())
        others = [each for each in judgement.entries if each.quantity == "tau"]
        return min(map(self._share, torques or row or others), default=0.0) if answered else 0.0

    def _share(self, entry: Judged) -> float:
        """Returns the fraction of its points that an entry gets."""
        if entry.verdict in RIGHT:
            return 1.0
        kinds = [mistake.kind for mistake in entry.mistakes[:1]]
        return self.shares.get(kinds[0], 0.0) if kinds else 0.0


def _is_positive(number: Any) -> bool:
    return isinstance(number, int | float) and not isinstance(number, bool) and 0 < number < 1e6


def rubric_of(eq: Quantities, rubric: str | Path | Mapping[str, float] | None) -> Rubric | None:
    """Returns a rubric from points by name, or from a file; None if there is none."""
    if rubric is None:
        return None
    return Rubric(eq, rubric) if isinstance(rubric, Mapping) else Rubric.read(eq, rubric)
