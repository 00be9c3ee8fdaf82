"""Measures how difficult questions are, by what a candidate writes and computes in the worked solution.

The measure of a question is its number of operations: those in the equations of the worked solution, one for each
entry that is written down (so that steps and terms count, too), and for a question in numbers those of a calculator.
It gives the marks, and variants of an exam are alike if their measures are.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from qddot.exact.printing.tree import Matrix, Sum
from qddot.papers.report.document import Block, EquationBlock
from qddot.teach.exam.examined import Examined

PACE = 8  # operations that a candidate writes down, or computes with a calculator, in a minute, which gives one mark
TOLERANCE = 0.1  # of the measure of an exam, relative to that of its reference


def operations(blocks: Iterable[Block]) -> int:
    """Returns how many operations the right sides of equations have, plus one for each entry that is written down."""
    total = 0
    for block in blocks:
        if isinstance(block, EquationBlock):
            for each in block.listed:
                if isinstance(each.right, Matrix):
                    total += sum(entry.operations + 1 for row in each.right.rows for entry in row if entry.products)
                elif isinstance(each.right, Sum):
                    total += each.right.operations + 1
    return total


def in_numbers(of: Examined, names: Iterable[str]) -> int:
    """Returns the operations of a calculator that the values of quantities take."""
    return sum(of.short.counts(name).operations for name in names)


def are_alike(measures: Sequence[int], reference: Sequence[int], marks: Sequence[int]) -> bool:
    """Returns whether an exam is as difficult as its reference: as a whole, and no question is much easier.

    measures, reference: those of each question; marks: in whose minutes each solution has to be written down
    """
    whole, typical = sum(measures), sum(reference)
    return abs(whole - typical) <= TOLERANCE * typical and all(
        (1 - TOLERANCE) * expected - PACE / 2 <= measure <= PACE * minutes
        for measure, expected, minutes in zip(measures, reference, marks, strict=True)
    )
