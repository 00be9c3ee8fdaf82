"""Explains the bar of gravity torques whose letter is also a symbol of the robot, where it first appears."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from qddot.exact.printing.tree import Symbol
from qddot.papers.report.document import EquationBlock, Section
from qddot.papers.report.wording import Words


def explained(sections: Sequence[Section], words: Words) -> tuple[Section, ...]:
    """Returns sections with the sentence on the bar after the first sentence, or its equations, that has the letter."""
    gravity = words.name("G")
    for k, section in enumerate(sections) if gravity.bar else ():
        for place, block in enumerate(section.blocks):
            if any((each.head, each.bar) == (gravity.head, True) for each in _symbols(block)):
                following = section.blocks[place + 1 : place + 2]
                end = place + 1 + any(isinstance(each, EquationBlock) for each in following)
                bar = words.paragraph("bar", own=gravity._replace(bar=False))
                new = section._replace(blocks=(*section.blocks[:end], bar, *section.blocks[end:]))
                return (*sections[:k], new, *sections[k + 1 :])
    return tuple(sections)


def _symbols(part: Any) -> Iterator[Symbol]:
    """Yields all symbols in a part of a document."""
    if isinstance(part, Symbol):
        yield part
    elif isinstance(part, Iterable) and not isinstance(part, str | bytes):
        for each in part:
            yield from _symbols(each)
