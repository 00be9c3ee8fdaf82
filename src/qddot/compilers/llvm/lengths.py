"""Says which programs LLVM gets in parts, how long the parts are, and how hard it shall work on them."""

from __future__ import annotations

from qddot.compilers.llvm.registers import AVX, Vectors
from qddot.program.program import Program

LONGEST = 20_000  # nodes of a program that stays in one piece
LONGEST_IN_FEW_REGISTERS = 2_500
SIZE = 500  # steps of a part
BLOCK = 100  # steps that read a value from the frame once


def are_made(program: Program, of: Vectors) -> bool:
    """Returns whether a program is compiled in parts."""
    return len(program.nodes) > (LONGEST_IN_FEW_REGISTERS if of.bytes == AVX else LONGEST)


def effort(program: Program, of: Vectors) -> int:
    """Returns how hard LLVM shall work, as in `engine.object_code`: parts are straight lines, where it finds little."""
    if not are_made(program, of):
        return 3
    return 2 if len(program.nodes) <= LONGEST else 1
