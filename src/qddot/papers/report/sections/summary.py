"""Shortens the sections of a summary, which has two pages: the robot, its equations of motion, and the proof."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from qddot.exact.printing.tree import Symbol
from qddot.papers.report.document import Block, EquationBlock, Figure, Paragraph, Table
from qddot.papers.report.formats import table_room
from qddot.papers.report.sections.blocks_of import atoms_of

KEPT = ("M", "G", "tau")  # equations that a summary has
OF_LONG_ARMS = ("M", "G")
HIGHEST, LOWER = 0.55, 0.4  # of the robot's picture, in widths of the text; lower beside the rates of quaternions
RATES = "rates."  # with which the keys of such equations begin
MOST_ROWS = 20  # rows of a table
MOST_CONSTANTS = 30  # equations for constants


def conditions(blocks: Sequence[Block], rolling: bool) -> tuple[Block, ...]:
    """Returns the conditions of a closed chain: φ = 0 of loops, and A only where wheels roll."""
    return _without(blocks, lambda block: not rolling and _key(block) == "A")


def coefficients(blocks: Sequence[Block]) -> tuple[Block, ...]:
    """Returns R of a closed chain."""
    return tuple(map(_alone, blocks))


def reduced_equations(blocks: Sequence[Block]) -> tuple[Block, ...]:
    """Returns the law of a closed chain, the constants, M and G."""
    law, *rest = blocks
    return (law, *(each for pair in _introduced(rest, ("constants", *OF_LONG_ARMS)) for each in pair))


def _key(block: Block) -> str:
    return block.key if isinstance(block, EquationBlock) else ""


def _alone(block: Block) -> Block:
    """Returns a block without the numbers of the equations that it follows from."""
    return block._replace(uses=()) if isinstance(block, EquationBlock) else block


def _without(blocks: Sequence[Block], is_left_out: Callable[[Block], bool]) -> tuple[Block, ...]:
    """Returns the remaining blocks; the sentence before one that is left out is left out, too."""
    left_out = {k for k, block in enumerate(blocks) if is_left_out(block)}
    return tuple(block for k, block in enumerate(blocks) if k not in left_out and k + 1 not in left_out)


def without_tables(blocks: Sequence[Block]) -> tuple[Block, ...]:
    return tuple(block for block in blocks if not isinstance(block, Table))


def _introduced(blocks: Sequence[Block], keys: Sequence[str]) -> Iterator[tuple[Block, Block]]:
    """Yields the equations with some keys, each after its sentence."""
    for sentence, block in pairwise(blocks):
        if _key(block) in keys:
            yield sentence, _alone(block)


def robot(blocks: Sequence[Block]) -> tuple[Block, ...]:
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


def equations(blocks: Sequence[Block], transforms: Sequence[Block], excerpt: Paragraph | None) -> list[Block]:
    """Returns the law, and the remaining equations with their sentences, as long as there is room for their constants.

    transforms: the blocks of that section, which may begin with the names of cosines and sines
    excerpt: says what is left out of an arm that is too long for its torques to be written
    """
    names = [] if isinstance(transforms[1], EquationBlock) else [transforms[0]]
    law = [*names, blocks[0], *([excerpt] if excerpt else [])]
    remaining, constants = list[Block](), list[Block]()
    for pair in _introduced(blocks, OF_LONG_ARMS if excerpt else KEPT):
        more = _constants(blocks, [*remaining, *pair])
        if more is not None:
            remaining, constants = [*remaining, *pair], more
    return [*law, *constants, *remaining]


def _constants(blocks: Sequence[Block], kept: Sequence[Block]) -> list[Block] | None:
    """Returns the constants in some equations, with their sentences, or None if they are too many."""
    used = {atom.text for atom in atoms_of(kept) if isinstance(atom, Symbol)}
    constants: list[Block] = []
    for sentence, block in pairwise(blocks):
        if isinstance(block, EquationBlock) and block.key == "constants":
            listed = tuple(each for each in block.listed if isinstance(each.left, Symbol) and each.left.text in used)
            if len(listed) > MOST_CONSTANTS:
                return None
            constants = [sentence, block._replace(listed=listed), *constants] if listed else constants
    return constants
