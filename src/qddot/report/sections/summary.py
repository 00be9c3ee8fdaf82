"""Makes a summary of a report, of two pages: the robot, its equations of motion, and the proof."""

from __future__ import annotations

from collections.abc import Sequence

from qddot.report.document import Block, Equations, Section, Table

KEPT = ("constants", "M", "G", "tau")  # equations that a summary has
OF_LONG_ARMS = ("constants", "M", "G")
MOST_ROWS = 24  # of a table, or equations for constants
SECTIONS = ("robot", "equations", "proof")


def of(sections: Sequence[Section], excerpt: bool) -> tuple[Section, ...]:
    """Returns the sections of a summary. excerpt: whether the arm is too long for its torques to be written"""
    by_key = {section.key: section for section in sections}
    first, second, *_ = by_key["transforms"].blocks
    names = () if isinstance(second, Equations) else (first,)  # of cosines and sines, in front of the first law
    short = {
        "robot": _robot(by_key["robot"].blocks),
        "equations": (*names, *_equations(by_key["equations"].blocks, OF_LONG_ARMS if excerpt else KEPT)),
        "proof": tuple(block for block in by_key["proof"].blocks if not isinstance(block, Table)),
    }
    return tuple(by_key[key]._replace(blocks=short[key]) for key in SECTIONS)


def _robot(blocks: Sequence[Block]) -> tuple[Block, ...]:
    """Returns the robot without tables that fill pages, each of which has a sentence in front of it."""
    long = {k for k, block in enumerate(blocks) if isinstance(block, Table) and len(block.rows) > MOST_ROWS}
    return tuple(block for k, block in enumerate(blocks) if k not in long and k + 1 not in long)


def _equations(blocks: Sequence[Block], keys: Sequence[str]) -> list[Block]:
    """Returns the law, and the equations that are kept, each with the sentence in front of it; of the longest, none."""
    kept: list[Block] = list(blocks[:1])
    if any(
        isinstance(block, Equations) and block.key == "constants" and len(block.listed) > MOST_ROWS for block in blocks
    ):
        return kept
    for k, block in enumerate(blocks):
        if isinstance(block, Equations) and block.key in keys:
            kept += [*([blocks[k - 1]] if k > 1 else []), block._replace(uses=())]
    return kept
