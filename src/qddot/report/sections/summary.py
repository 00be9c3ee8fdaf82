"""Makes a summary of a report, of two pages: the robot, its equations of motion, and the proof."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from qddot.printing.tree import Symbol
from qddot.report.document import Block, Equations, Section, Table
from qddot.report.formats import table_room
from qddot.report.sections.blocks_of import atoms_of

KEPT = ("M", "G", "tau")  # equations that a summary has
OF_LONG_ARMS = ("M", "G")
MOST_ROWS = 20  # rows of a table, or equations for constants
SECTIONS = ("robot", "equations", "proof")


def of(sections: Sequence[Section], excerpt: bool) -> tuple[Section, ...]:
    """Returns the sections of a summary. excerpt: whether the arm is too long for its torques to be written"""
    by_key = {section.key: section for section in sections}
    first, second, *_ = by_key["transforms"].blocks
    names = () if isinstance(second, Equations) else (first,)  # the names of cosines and sines, before the first law
    short = {
        "robot": _robot(by_key["robot"].blocks),
        "equations": (*names, *_equations(by_key["equations"].blocks, OF_LONG_ARMS if excerpt else KEPT)),
        "proof": tuple(block for block in by_key["proof"].blocks if not isinstance(block, Table)),
    }
    return tuple(by_key[key]._replace(blocks=short[key]) for key in SECTIONS)


def _robot(blocks: Sequence[Block]) -> tuple[Block, ...]:
    """Returns the robot without tables that fill pages and the sentences before them."""
    long = {k for k, block in enumerate(blocks) if isinstance(block, Table) and _is_long(block)}
    return tuple(block for k, block in enumerate(blocks) if k not in long and k + 1 not in long)


def _is_long(table: Table) -> bool:
    """Returns whether a table has many rows, or is wider than a page."""
    return len(table.rows) > MOST_ROWS or len(list(table_room.parted(table))) > 1


def _equations(blocks: Sequence[Block], keys: Sequence[str]) -> list[Block]:
    """Returns the law, and the remaining equations with their sentences. For the longest arms there are none."""
    law, introduced = blocks[0], list(pairwise(blocks))
    remaining = [
        each
        for sentence, block in introduced
        if isinstance(block, Equations) and block.key in keys
        for each in (sentence, block._replace(uses=()))
    ]
    used = {atom.text for atom in atoms_of(remaining) if isinstance(atom, Symbol)}
    for sentence, block in introduced:
        if isinstance(block, Equations) and block.key == "constants":
            listed = tuple(each for each in block.listed if isinstance(each.left, Symbol) and each.left.text in used)
            if len(listed) > MOST_ROWS:
                return [law]
            remaining = [sentence, block._replace(listed=listed), *remaining] if listed else remaining
    return [law, *remaining]
