"""Decides which programs are compiled in parts, how long the parts are, and LLVM's effort for them."""

from __future__ import annotations

from qddot.algebra.program.program import Program
from qddot.machine.compilers.llvm.registers import AVX, Vectors

# nodes of one piece, without loops: derivatives of τ of eight joints take 232 ns, in parts 253; those of q̈ of a
# quadruped with 18 velocities take 892 ns, with loops 1,284
LONGEST = 20_000
LONGEST_IN_FEW_REGISTERS = 2_500  # a Panda's derivatives of τ, which have more: in parts 174 ns a state, else 184
LONG = 20_000  # more nodes get less effort: derivatives of twenty joints compile in 2.5 s, not 2.8, and are as fast
SIZE = 250  # steps of a part; derivatives of q̈ of the Panda take 256 ns a state, and 268 with 500 steps
BLOCK = 100  # steps that share one load of a value from the frame: 268 ns, with 25 steps 277, with 400 steps 343


def may_have_loops(program: Program) -> bool:
    """Returns whether a program is so long that its repeated parts are put into loops."""
    return len(program.nodes) > LONGEST


def are_made(program: Program, of: Vectors) -> bool:
    """Returns whether a program is compiled in parts."""
    return len(program.nodes) > (LONGEST_IN_FEW_REGISTERS if of.bytes == AVX else LONGEST)


def effort(program: Program, looped: bool) -> int:
    """Returns LLVM's effort, as in `engine.object_code`; more effort gains little for straight-line programs.

    looped: whether loops follow the parts, as in the longest programs, which load all values from memory and store them
    there
    """
    return (1 if looped else 2) - (len(program.nodes) > LONG)
