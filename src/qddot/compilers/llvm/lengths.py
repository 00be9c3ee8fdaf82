"""Says which programs LLVM gets in parts, how long the parts are, and how hard it shall work on them."""

from __future__ import annotations

from qddot.compilers.llvm.registers import AVX, Vectors
from qddot.program.program import Program

LONGEST = 10_000  # nodes of one piece, without loops: derivatives of τ of eight joints take 232 ns where 253 in parts
LONGEST_IN_FEW_REGISTERS = 2_500  # there, derivatives of τ of the Panda take 174 ns a state where 184 in one piece
LONG = 20_000  # nodes on which LLVM works less hard: derivatives of twenty joints compile in 2.5 s where 2.8, as quick
SIZE = 250  # steps of a part; derivatives of q̈ of the Panda take 256 ns a state where 268 with 500, and compile sooner
BLOCK = 100  # steps that read a value from the frame once: 268 ns where 277 with 25 steps, and 343 with 400


def may_have_loops(program: Program) -> bool:
    """Returns whether a program is so long that what repeats in it shall be in loops."""
    return len(program.nodes) > LONGEST


def are_made(program: Program, of: Vectors) -> bool:
    """Returns whether a program is compiled in parts."""
    return len(program.nodes) > (LONGEST_IN_FEW_REGISTERS if of.bytes == AVX else LONGEST)


def effort(program: Program, looped: bool) -> int:
    """Returns how hard LLVM shall work, as in `engine.object_code`: programs are straight lines, where it finds little.

    looped: whether loops follow the parts, as in the longest programs, whose values all come from memory and go there
    """
    return (1 if looped else 2) - (len(program.nodes) > LONG)
