"""Keeps proven bounds as rows: what is bounded, by how much, and where the quantity nearly attains it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from decimal import ROUND_CEILING, ROUND_FLOOR, Context
from math import inf
from typing import Any

from qddot.base import html
from qddot.base.errors import EvaluationError, did_you_mean
from qddot.base.records import record
from qddot.base.words.language import ENGLISH
from qddot.base.words.message import Following, Listed, Words, say, told
from qddot.proof.bounds.branch import NOTHING
from qddot.proof.bounds.region import Region

KEYS = ("title-quantity", "title-proven", "title-found", "title-gap", "title-boxes", "title-seconds")
TITLES: tuple[Words, ...] = (*map(say, KEYS), "")


@record()
class Bound:
    """A bound holds everywhere in a region. proven: the largest value is at most this, or the least one at least this

    name: the key in the table; quantity: its printed name; found: the approximate value at `pose` (n,), in floats
    boxes, seconds: what the proof took; remarks: what a reader should know, such as that time was up
    """

    name: str
    quantity: str
    proven: float
    found: float
    pose: tuple[float, ...]
    boxes: int
    seconds: float
    remarks: Listed = Following()

    @property
    def note(self) -> str:
        """Returns the remarks as an English text."""
        return told(self.remarks, ENGLISH)

    @property
    def gap(self) -> float:
        """Returns |proven − found| / |found|."""
        difference = abs(self.proven - self.found)
        if difference <= NOTHING:
            return 0.0
        return difference / abs(self.found) if self.found else float("inf")

    @property
    def least(self) -> bool:
        """Returns whether this is a lower bound."""
        return self.name.endswith("_min")

    def text(self, digits: int = 4) -> str:
        """Returns the proven bound with this many digits, rounded so that it still holds."""
        return _directed(self.proven, digits, ROUND_FLOOR if self.least else ROUND_CEILING)

    def relation(self, digits: int = 4) -> str:
        """Returns the bound with its sign, such as ≤ 3.036."""
        return f"{'≥' if self.least else '≤'} {self.text(digits)}"

    def texts(self) -> list[str]:
        """Returns the row's cells."""
        numbers = [self.text(6), f"{self.found:.6g}", f"{100 * self.gap:.2g} %"]
        return [self.quantity, *numbers, str(self.boxes), f"{self.seconds:.2f}", str(self.remarks)]


def rounded_down(value: float, digits: int = 4) -> str:
    """Returns a lower bound with this many digits, rounded so that it still holds."""
    return _directed(value, digits, ROUND_FLOOR)


def rounded_up(value: float, digits: int = 4) -> str:
    """Returns an upper bound with this many digits, rounded so that it still holds."""
    return _directed(value, digits, ROUND_CEILING)


def _directed(value: float, digits: int, rounding: str) -> str:
    return f"{float(Context(prec=digits, rounding=rounding).create_decimal(value)):.{digits}g}"


def _finite(value: Any) -> Any:
    return None if value in (inf, -inf) else value


@record(eq=False)
class Bounds:
    """These are proven bounds over a region, by name: bounds["k_C"].proven.

    definite: whether M is proved positive definite in the whole region; singular_at: a pose (n,) at which it is
    singular to the precision of floats, if one was found; left_out: sentences on what the model lacks of its file
    branch: of a closed chain, the coordinates that follow from its loops, by name, in the middle of the region
    """

    arm: str
    region: Region
    rows: tuple[Bound, ...]
    definite: bool
    singular_at: tuple[float, ...] | None = None
    left_out: tuple[str, ...] = ()
    branch: Mapping[str, float] = field(default_factory=dict)

    def __iter__(self) -> Iterator[Bound]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, name: str) -> Bound:
        for row in self.rows:
            if name in (row.name, row.quantity):
                return row
        names = [row.name for row in self.rows]
        raise EvaluationError(
            "no-bound", name=repr(name), arm=self.arm, expected=Listed(names), remedy=did_you_mean(str(name), names)
        )

    def head(self) -> list[str]:
        """Returns the region, and what is proved of M, as lines."""
        if self.definite:
            theorem = say("proved-positive-definite")
        elif self.singular_at is not None:
            theorem = say("singular-at-pose", pose=", ".join(f"{x:.6g}" for x in self.singular_at))
        else:
            theorem = say("not-proved-positive-definite")
        heading = say("bounds-proven-for", arm=self.arm, region=Following(self.region.lines()))
        values = Listed(f"{name} = {value:.6g}" for name, value in self.branch.items())
        branch = [say("branch-in-the-middle", values=values)] if self.branch else []
        return [str(heading), *map(str, branch), str(theorem), *map(str, self.left_out)]

    def __str__(self) -> str:
        cells = [list(map(str, TITLES)), *(row.texts() for row in self.rows)]
        widths = [max(len(row[k]) for row in cells) for k in range(len(TITLES))]
        lines = [
            "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in cells
        ]
        return "\n".join([*self.head(), *lines])

    def _repr_html_(self) -> str:
        return html.block(html.lines(self.head()), html.table(TITLES, [row.texts() for row in self.rows]))

    def data(self) -> dict[str, Any]:
        """Returns the table as plain data; a number without bounds is None."""
        region = self.region
        box = zip(region.names, region.low.tolist(), region.high.tolist(), strict=True)
        keys = ("name", "quantity", "proven", "found", "gap", "pose", "boxes", "seconds", "note")
        return {
            "model": self.arm,
            "region": {name: [low, high] for name, low, high in box},
            "rates": None if region.rates is None else region.rates.tolist(),
            "accelerations": None if region.accelerations is None else region.accelerations.tolist(),
            "branch": dict(self.branch),
            "positive_definite": self.definite,
            "singular_at": self.singular_at,
            "left_out": list(self.left_out),
            "bounds": [{key: _finite(getattr(row, key)) for key in keys} for row in self.rows],
        }
