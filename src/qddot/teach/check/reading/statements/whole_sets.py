"""Finds two whole sets of entries in an answer, of which the second is mostly another one."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from qddot.base.errors import FormatError
from qddot.teach.check.reading.answer import Entry

FEWEST, FEWEST_QUANTITIES = 4, 2  # entries and quantities that two whole sets have in common


def check(entries: Mapping[str, Sequence[Entry]], where: str) -> None:
    """Raises FormatError if one whole set of entries follows another that is mostly different."""
    lines: dict[tuple[str, tuple[int, ...]], list[tuple[int, Entry]]] = {}
    for quantity, group in entries.items():
        for each in group:
            if each.balance is None and (line := re.findall(r"\d+", each.where)[-2:]):
                lines.setdefault((quantity, each.place), []).append((int(line[0]), each))
    pairs = [(min(own, key=_line), max(own, key=_line)) for own in lines.values() if len(own) > 1]
    first, second = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    different = sum(not _equal(a, b) for (_, a), (_, b) in pairs)
    quantities = {quantity for (quantity, _), own in lines.items() if len(own) > 1}
    if (
        len(pairs) < FEWEST
        or len(quantities) < FEWEST_QUANTITIES
        or 2 * different < len(pairs)
        or max(map(_line, first)) >= min(map(_line, second))
    ):
        return
    raise FormatError("two-answers", where=where, first=min(map(_line, first)), second=min(map(_line, second)))


def _line(numbered: tuple[int, Entry]) -> int:
    return numbered[0]


def _equal(a: Entry, b: Entry) -> bool:
    return bool(a.numerator * b.denominator == b.numerator * a.denominator)
