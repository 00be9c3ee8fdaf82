"""Splits vectors in terms of unit vectors, ẋ i + ẏ j and ṙ e_r + r θ̇ e_θ, into their components."""

from __future__ import annotations

import re
from collections.abc import Collection
from fractions import Fraction

from qddot.teach.check.reading.names.arm_names import ArmNames, plain
from qddot.teach.check.reading.names.left_sides import Left
from qddot.teach.check.reading.names.vocabulary import text_with_dots
from qddot.teach.check.reading.signs.lexemes import dots_of, word_of
from qddot.teach.check.reading.statements.claims import Balance, Claim, Leaf

UNIT_VECTOR = re.compile(
    r"\\[ij]math|[ijk]0?|[ijkxyz]hat|(?:hat)?[euin]_?(?:r|theta|phi|varphi|rho|[xyz]|[tn]|[123])|hat[ijkxyz]|[XYZ]_?\d"
)

AXIS = re.compile(r"[xyz](?P<point>[A-Za-z]?\d*)")
PATTERN = {"word": "w", "+": "+", "^": "^", "{": "{", "}": "}"}
SUM_OF_SQUARES = re.compile(r"(?:\{*w\}*(?:\^?\{?2\}?)\+){1,2}\{*w\}*(?:\^?\{?2\}?)")


def in_components(claim: Claim, names: ArmNames, own: Collection[str]) -> Claim:
    """Returns a claim with a leaf for each unit vector in it, or the claim unchanged.

    own: the names that the answer defines
    """
    if claim.shape or len(claim.leaves) != 1 or claim.left.indices[1:]:
        return claim
    leaf = claim.leaves[0]
    if any(lexeme.kind in ("unknown", "sum", "[", "begin") for lexeme in leaf.lexemes):
        return claim  # the i of a sum, or a matrix
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
    *frame, name = left.lexemes
    if any(each.kind in ("word", "+", "-") for each in frame) or name.kind != "word":
        return None
    if dots_of(name) != 1:
        return None
    words = {word_of(lexeme) for lexeme in right.lexemes}
    vectors = [word for word in words if UNIT_VECTOR.fullmatch(word) and not names.readings(word)]
    if len(vectors) == 1 and not names.coordinate(word_of(name)):  # ω̇_1 = q̈_1 Z_1
        key = f"dot{plain(word_of(name))}"
        rate = Left(key, left.written.text[left.lexemes[0].start : name.end], key, ())
        return Claim(rate, (right,), (), balance.where)
    if not 1 < len(vectors) <= 3 or frame:
        return None
    point = Left("vp", left.written.text[name.start : name.end], "vp", ())
    return Claim(point, (right,), (), balance.where)


def squared_speed(balance: Balance, names: ArmNames, own: Collection[str]) -> Claim | None:
    """Returns ẋ_1² + ẏ_1² = … as a claim about v_1², unless x_1 is a coordinate or the answer defines it.

    own: the names that the answer defines
    """
    side = balance.sides[0]
    words = [lexeme for lexeme in side.lexemes if lexeme.kind == "word"]
    match = [AXIS.fullmatch(plain(word_of(word))) for word in words]
    points = {each["point"] if each else None for each in match}
    text = side.written.text[side.lexemes[0].start : side.lexemes[-1].end]
    is_sum = SUM_OF_SQUARES.fullmatch("".join(PATTERN.get(each.kind, str(each.data or "?")) for each in side.signs))
    if not is_sum or len(points) != 1 or None in points or any(names.coordinate(word_of(word)) for word in words):
        return None
    has_rates = all(dots_of(word) == 1 for word in words)
    if not has_rates or any(plain(word_of(word)) in own for word in words):
        return None
    key = f"vp{points.pop()}"
    square = Left(key, text, key, (), squared=True)
    return Claim(square, (balance.sides[1],), (), balance.where)


def defined_rate(balance: Balance, names: ArmNames, claims: Collection[Claim]) -> Claim | None:
    """Returns a column that defines a dotted name which claims use, as v̇_2 in F_2 = m_2 (v̇_2 + …), or None."""
    *frame, name = balance.sides[0].lexemes
    is_column = any(lexeme.kind in ("begin", "[") for lexeme in balance.sides[1].lexemes)
    if not is_column or name.kind != "word" or names.coordinate(word_of(name)) or names.vector(word_of(name), 1):
        return None
    words = (each for claim in claims for leaf in claim.leaves for each in leaf.lexemes if each.kind == "word")
    if any(each.kind in ("word", "+", "-") for each in frame) or not dots_of(name):
        return None
    key = text_with_dots(name.data)
    if key not in map(text_with_dots, (word.data for word in words)):
        return None
    rate = Left(key, balance.sides[0].written.text[name.start : name.end], key, ())
    return Claim(rate, (balance.sides[1],), (), balance.where)


def _along(leaf: Leaf, vector: str, vectors: Collection[str]) -> Leaf:
    """Returns an expression with 1 in place of a unit vector and 0 in place of the others."""
    lexemes = [
        lexeme._replace(kind="number", data=Fraction(word_of(lexeme) == vector))
        if word_of(lexeme) in vectors
        else lexeme
        for lexeme in leaf.lexemes
    ]
    return leaf._replace(lexemes=lexemes)
