"""Splits vectors in terms of unit vectors, ẋ i + ẏ j and ṙ e_r + r θ̇ e_θ, into their components."""

from __future__ import annotations

import re
from collections.abc import Collection
from fractions import Fraction

from qddot.check.reading.arm_names import ArmNames, plain
from qddot.check.reading.claims import Balance, Claim, Leaf
from qddot.check.reading.left_sides import Left
from qddot.check.reading.lexemes import word_of

UNIT_VECTOR = re.compile(
    r"\\[ij]math|[ijk]0?|[ijkxyz]hat|(?:hat)?[euin]_?(?:r|theta|phi|varphi|rho|[xyz]|[tn]|[123])|hat[ijkxyz]"
)


def in_components(claim: Claim, names: ArmNames, own: Collection[str]) -> Claim:
    """Returns a claim with a leaf for each unit vector in it, or the claim unchanged.

    own: the names that the answer defines
    """
    if claim.shape or len(claim.leaves) != 1 or claim.left.indices[1:]:
        return claim
    leaf = claim.leaves[0]
    if any(lexeme.kind == "unknown" for lexeme in leaf.lexemes):
        return claim  # the i of a sum
    words = [word_of(lexeme) for lexeme in leaf.lexemes]
    if "T" in words and any(lexeme.kind == "^" for lexeme in leaf.lexemes):
        return claim  # e_1ᵀ n_1 is a number
    arm_words = {word for word in words if names.readings(word) or names.likely(word) or plain(word) in own}
    vector_words = [word for word in words if UNIT_VECTOR.fullmatch(word) and word not in arm_words]
    vectors = list(dict.fromkeys(vector_words))
    if not 0 < len(vectors) <= 3:
        return claim
    leaves = tuple(_along(leaf, vector, vectors)._replace(place=(k,)) for k, vector in enumerate(vectors))
    return claim._replace(leaves=leaves, shape=(len(vectors),), along_vectors=True)


def velocity_of(balance: Balance, names: ArmNames) -> Claim | None:
    """Returns a velocity in terms of unit vectors, ṙ = ṙ e_r + r θ̇ e_θ, as a claim about v."""
    left, right = balance.sides
    name = left.lexemes[0]
    if len(left.lexemes) != 1 or name.kind != "word" or sum(unit.dots for unit in name.data) != 1:
        return None
    words = {word_of(lexeme) for lexeme in right.lexemes}
    vectors = [word for word in words if UNIT_VECTOR.fullmatch(word) and not names.readings(word)]
    if not 1 < len(vectors) <= 3:
        return None
    point = Left("vp", left.written.text[name.start : name.end], "vp", ())
    return Claim(point, (right,), (), balance.where, steps=False, strict=balance.strict)


def _along(leaf: Leaf, vector: str, vectors: Collection[str]) -> Leaf:
    """Returns an expression with 1 in place of a unit vector and 0 in place of the others."""
    lexemes = [
        lexeme._replace(kind="number", data=Fraction(word_of(lexeme) == vector))
        if word_of(lexeme) in vectors
        else lexeme
        for lexeme in leaf.lexemes
    ]
    return leaf._replace(lexemes=lexemes)
