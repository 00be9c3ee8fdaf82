"""Writes the section on armature, springs and friction in the joints, with names that later laws use."""

from __future__ import annotations

from qddot.exact.equations.arrays.exact_array import ExactArray
from qddot.exact.forms.textbook import Textbook
from qddot.exact.forms.textbook.written_array import WrittenArray
from qddot.papers.report.document import Block
from qddot.papers.report.sections.blocks_of import equations
from qddot.papers.report.wording import Words
from qddot.robot.effects.acting import with_inertias


def blocks(short: Textbook, words: Words) -> list[Block]:
    """Returns the armature's part of M, the springs' energy and torques, and friction, if there are any."""
    eq = short.eq
    blocks: list[Block] = []
    if "armature" in words.traits:
        nothing = [[0] * eq.n for _ in range(eq.n)]
        armature = ExactArray.of(eq.ring, with_inertias(nothing, eq.dynamics.effects("armature")), "M_r", (0, 1))
        blocks += [words.paragraph("rotor inertias"), *equations(armature, words)]
    if "springs" in words.traits:
        energy = ExactArray.of(eq.ring, eq.dynamics.spring_energy(), "P_s")
        blocks += [words.paragraph("spring energy"), *equations(energy, words)]
        blocks += [words.paragraph("springs"), *equations(_like_mass(short, "springs"), words, uses=("P_s",))]
    if "friction" in words.traits:
        blocks += [words.paragraph("friction"), *equations(_like_mass(short, "friction"), words)]
        blocks += [words.paragraph("loads")] if eq.model.loaded else []
    return blocks


def _like_mass(short: Textbook, name: str) -> WrittenArray:
    """Returns torques with decimals where the mass matrix has decimals, so that 7/10 does not stand beside 0.7."""
    array = short.array(name)
    return array.in_decimals() if short.array("M").has_decimals else array
