"""Recognizes expressions that are numbers, perhaps with a unit, or that known values make numbers."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction

from qddot.algebra.expressions.parser import expression
from qddot.base.errors import QddotError
from qddot.teach.check.reading.names.arm_names import plain
from qddot.teach.check.reading.signs.lexemes import Lexeme, word_of
from qddot.teach.check.reading.statements.claims import Claim, Leaf
from qddot.teach.check.reading.statements.remarks import UNITS

PRODUCT_OF_UNITS = re.compile(rf"(?:[/·]?(?:{'|'.join(sorted(UNITS, key=len, reverse=True))})(?:\^?-?\d)?)+")
LONGEST_UNIT = 12  # letters of a product of units


def is_value(claim: Claim) -> bool:
    """Returns whether the right side is a number, perhaps with a unit."""
    if claim.shape or len(claim.leaves) != 1:
        return False
    signs = claim.leaves[0].signs
    kinds = [lexeme.kind for k, lexeme in enumerate(signs) if not (k and _is_unit(lexeme))]
    allowed = {"number", "-", "+", "/", "*", "^", "power", "degree", "{", "}"}
    return bool(kinds) and "number" in kinds[:2] and set(kinds) <= allowed


def _is_unit(lexeme: Lexeme) -> bool:
    """Returns whether a word is a unit, or a product of units such as kg m^2."""
    word = word_of(lexeme)
    return lexeme.kind == "word" and (
        plain(word) in UNITS or (len(word) <= LONGEST_UNIT and PRODUCT_OF_UNITS.fullmatch(word) is not None)
    )


def number_by_values(claim: Claim, values: Mapping[str, Fraction]) -> Fraction | None:
    """Returns the number of an expression in names with known values, such as l1/2 after l1 = 0.6, or None."""
    if claim.shape or len(claim.leaves) != 1:
        return None
    leaf, pieces, names = claim.leaves[0], list[str](), list[str]()
    for lexeme in leaf.lexemes:
        name = plain(word_of(lexeme)) if lexeme.kind == "word" else ""
        names += [name] if name else []
        if name and name not in values:
            return None
        pieces.append(f"({values[name]})" if name else leaf.written.text[lexeme.start : lexeme.end])
    try:
        return expression(" ".join(pieces)).rational if names and not leaf.latex else None
    except QddotError:
        return None


def number_of(leaf: Leaf) -> Fraction | None:
    """Returns a number with its sign, perhaps with a unit, or None for a calculation."""
    signs = leaf.signs
    if any(lexeme.kind == "word" and not _is_unit(lexeme) for lexeme in signs):
        return None
    negative = bool(signs) and signs[0].kind == "-"
    kinds = [lexeme.kind for lexeme in signs[negative:]]
    of_unit = ("word", "^", "/", "*", "power", "number", "{", "}")
    is_single = kinds[:1] == ["number"] and all(kind in of_unit for kind in kinds[1:])
    if not is_single or (len(kinds) > 1 and kinds[1] != "word"):
        return None
    number = Fraction(signs[negative].data)
    return -number if negative else number


def is_base(claim: Claim) -> bool:
    """Returns whether a claim says that the base's pose in itself is the identity, ⁰T₀ = 1."""
    frames = claim.left.indices or claim.left.cell
    is_own = claim.left.head == "T" and bool(frames) and not any(frames)
    return is_own and is_value(claim) and number_of(claim.leaves[0]) == 1
