"""Makes a summary of a report, of two pages: the robot, its equations of motion, and the proof."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from qddot.exact.printing.tree import Symbol
from qddot.papers.report.document import Block, Equations, Figure, Paragraph, Section, Table
from qddot.papers.report.formats import table_room
from qddot.papers.report.sections.blocks_of import atoms_of

KEPT = ("M", "G", "tau")  # equations that a summary has
OF_LONG_ARMS = ("M", "G")
HIGHEST, LOWER = 0.55, 0.4  # of the robot's picture, in widths of the text; lower beside the rates of quaternions
RATES = "rates."  # with which the keys of such equations begin
MOST_ROWS = 20  # rows of a table
MOST_CONSTANTS = 30  # equations for constants
SECTIONS = ("robot", "equations", "proof")
ASKED_FOR = ("constants",)


def of(sections: Sequence[Section], excerpt: Paragraph | None) -> tuple[Section, ...]:
    """Returns the sections of a summary.

    excerpt: says what is left out of an arm that is too long for its torques to be written
    """
    by_key = {section.key: section for section in sections}
    first, second, *_ = by_key["transforms"].blocks
    names = () if isinstance(second, Equations) else (first,)  # the names of cosines and sines, before the first law
    short = {
        "robot": _robot(by_key["robot"].blocks),
        "equations": (*names, *_equations(by_key["equations"].blocks, excerpt)),
        "proof": _without_tables(by_key["proof"].blocks),
    }
    asked = [by_key[key] for key in ASKED_FOR if key in by_key]
    return (*(by_key[key]._replace(blocks=short[key]) for key in SECTIONS), *asked)


def of_closed(sections: Sequence[Section], rolling: bool) -> tuple[Section, ...]:
    """Returns the sections of a closed chain's summary: with R in addition, φ = 0 of loops, and A of wheels."""
    by_key = {section.key: section for section in sections}
    law, *blocks = by_key["equations"].blocks
    short = {
        "robot": _robot(by_key["robot"].blocks),
        "conditions": _without(by_key["conditions"].blocks, lambda block: not rolling and _key(block) == "A"),
        "coefficients": tuple(map(_alone, by_key["coefficients"].blocks)),
        "equations": (law, *(each for pair in _introduced(blocks, OF_LONG_ARMS) for each in pair)),
        "proof": _without_tables(by_key["proof"].blocks),
    }
    return tuple(by_key[key]._replace(blocks=blocks) for key, blocks in short.items())


def _key(block: Block) -> str:
    return block.key if isinstance(block, Equations) else ""


def _alone(block: Block) -> Block:
    """Returns a block without the numbers of the equations that it follows from."""
    return block._replace(uses=()) if isinstance(block, Equations) else block


def _without(blocks: Sequence[Block], is_left_out: Callable[[Block], bool]) -> tuple[Block, ...]:
    """Returns the remaining blocks; the sentence before one that is left out is left out, too."""
    left_out = {k for k, block in enumerate(blocks) if is_left_out(block)}
    return tuple(block for k, block in enumerate(blocks) if k not in left_out and k + 1 not in left_out)


def _without_tables(blocks: Sequence[Block]) -> tuple[Block, ...]:
    return tuple(block for block in blocks if not isinstance(block, Table))


def _introduced(blocks: Sequence[Block], keys: Sequence[str]) -> Iterator[tuple[Block, Block]]:
    """Yields the equations with some keys, each after its sentence."""
    for sentence, block in pairwise(blocks):
        if _key(block) in keys:
            yield sentence, _alone(block)


def _robot(blocks: Sequence[Block]) -> tuple[Block, ...]:
    """Returns the robot with a lower picture, without tables that fill pages and the sentences before them.

    The derivatives along quasi-velocities, which are explained after the rates of quaternions, are left out, too.
    """
    last = max((k for k, block in enumerate(blocks) if _key(block).startswith(RATES)), default=None)
    highest = HIGHEST if last is None else LOWER
    lower = [block._replace(highest=highest) if isinstance(block, Figure) else block for block in blocks]
    if last is not None:
        del lower[last + 1]
    return _without(lower, lambda block: isinstance(block, Table) and _is_long(block))


def _is_long(table: Table) -> bool:
    """Returns whether a table has many rows, or is wider than a page."""
    return len(table.rows) > MOST_ROWS or len(list(table_room.parted(table))) > 1


def _equations(blocks: Sequence[Block], excerpt: Paragraph | None) -> list[Block]:
    """Returns the law, and the remaining equations with their sentences. For the longest arms there are none."""
    law, introduced = [blocks[0], *([excerpt] if excerpt else [])], list(pairwise(blocks))
    remaining = [each for pair in _introduced(blocks, OF_LONG_ARMS if excerpt else KEPT) for each in pair]
    used = {atom.text for atom in atoms_of(remaining) if isinstance(atom, Symbol)}
    for sentence, block in introduced:
        if isinstance(block, Equations) and block.key == "constants":
            listed = tuple(each for each in block.listed if isinstance(each.left, Symbol) and each.left.text in used)
            if len(listed) > MOST_CONSTANTS:
                return law
            remaining = [sentence, block._replace(listed=listed), *remaining] if listed else remaining
    return [*law, *remaining]
