"""Expands a formula for any link, such as I_i = m_i l_i²/12, to a formula for each link."""

from __future__ import annotations

import re

from qddot.teach.check.reading.names.arm_names import ArmNames
from qddot.teach.check.reading.names.left_sides import left_of
from qddot.teach.check.reading.names.letters import candidates
from qddot.teach.check.reading.signs.lexemes import Lexeme, word_of
from qddot.teach.check.reading.statements.claims import Claim

OF_ANY = re.compile(r"[^\W\d_]+_[^\W\d_]?([ijk])")


def for_each_link(claim: Claim, names: ArmNames) -> list[Claim]:
    """Returns a claim for each link if all its names then belong to the arm, else the claim alone.

    The claims for each link only define names, which need not all be used.
    """
    is_quantity = bool(candidates(claim.left))  # the kinetic energy E_k
    if claim.name is None or claim.shape or len(claim.leaves) != 1 or claim.left.cell or is_quantity:
        return [claim]
    letters = {match[1] for match in map(OF_ANY.fullmatch, claim.name.words) if match}
    if len(letters) != 1:
        return [claim]
    letter = letters.pop()
    claims = [_of_link(claim, letter, k) for k in names.numbered]
    if all(names.readings(word) for each in claims for word in each.words):
        return claims
    return [claim]


def is_of_any_link(claim: Claim, names: ArmNames) -> bool:
    """Returns whether a formula has letters of links without link numbers, such as I = m l²/12."""
    units = [unit for leaf in claim.leaves for lexeme in leaf.lexemes if lexeme.kind == "word" for unit in lexeme.data]
    letters = [unit.text for unit in units]
    if claim.left.indices or claim.shape or not letters or any(unit.dots for unit in units):
        return False
    without = [letter for letter in letters if not names.readings(letter)]
    return bool(without) and all(names.readings(f"{letter}{k}") for letter in without for k in names.numbered)


def _of_link(claim: Claim, letter: str, k: int) -> Claim:
    assert claim.name is not None
    name, leaf = (
        each._replace(lexemes=[_with_number(lexeme, letter, k) for lexeme in each.lexemes])
        for each in (claim.name, claim.leaves[0])
    )
    return claim._replace(left=left_of(name.lexemes, name.written), name=name, leaves=(leaf,), weak=True)


def _with_number(lexeme: Lexeme, letter: str, k: int) -> Lexeme:
    """Returns a lexeme with a link's number in place of its index letter."""
    if not (match := OF_ANY.fullmatch(word_of(lexeme))) or match[1] != letter:
        return lexeme
    *units, last = lexeme.data
    return lexeme._replace(data=(*units, last._replace(text=str(k))))
