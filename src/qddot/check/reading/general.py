"""Recognizes equations that say nothing about the arm: general laws, values of symbols, alternative names."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from qddot.check.reading.arm_names import FUNCTIONS, VECTORS, ArmNames, plain
from qddot.check.reading.claims import Claim, Leaf
from qddot.check.reading.evaluation import Evaluation
from qddot.check.reading.letters import candidates, is_sure
from qddot.check.reading.lexemes import Lexeme, word_of
from qddot.check.reading.remarks import UNITS
from qddot.check.reading.steps import is_about_quantity
from qddot.check.reading.syntax import Meaning, Name
from qddot.check.reading.written import Written
from qddot.errors import QddotError
from qddot.expressions.parser import expression
from qddot.numbers.polynomials.exact import Ring

if TYPE_CHECKING:
    from qddot.check.reading.computed import Computed

GENERAL = {f"\\{name}" for name in ("sum", "int", "iiint", "prod", "in", "mathbb")} | {"∫", "∑"}
OF_CONVENTION = re.compile(r"(?:R|T|Rot|Trans)_?[xyz]")  # R_z(θ) T_z(d) T_x(a) R_x(α)
ANY_INDEX = re.compile(r"_[A-Za-z]{0,2}(?:[ijkn](?:[-+]\d)?,?){1,3}$")  # c_i, M_ij, p_{i-1}, I_{ci}
PRODUCT_OF_UNITS = re.compile(rf"(?:[/·]?(?:{'|'.join(sorted(UNITS, key=len, reverse=True))})(?:\^?-?\d)?)+")
LONGEST_UNIT = 12  # letters of a product of units
IDENTITIES = ("I", "E", "Id", "eye")  # names of a matrix of numbers
COUNTS = ("n", "i", "j", "k")
CORRECTION = re.compile(
    r"(?i)\b(?:oops|sorry|corrected|correction|forgot|mistaken?|wrong|instead|(?:it )?should (?:be|read)|no,)(?!\w)"
)
MOTION = ("coordinate", "rate", "acceleration", "drive", "vector")


def is_general(leaves: Sequence[Leaf]) -> bool:
    """Returns whether a formula has sums, integrals, derivatives or elementary poses, or indices that are letters."""
    lexemes = [lexeme for leaf in leaves for lexeme in leaf.lexemes]
    if any(_is_function_alone(leaf) for leaf in leaves):
        return True
    return any(
        lexeme.kind == "partial"
        or (lexeme.kind == "unknown" and lexeme.data in GENERAL)
        or ANY_INDEX.search(word_of(lexeme))
        or OF_CONVENTION.fullmatch(word_of(lexeme))
        for lexeme in lexemes
    )


def _is_function_alone(leaf: Leaf) -> bool:
    """Returns whether an expression is a function or its power without an angle, as in sin² = (1 − cos 2a)/2."""
    signs = leaf.signs
    is_function = bool(signs) and (signs[0].kind == "function" or word_of(signs[0]) in FUNCTIONS)
    return is_function and all(lexeme.kind in ("^", "number", "power", "{", "}") for lexeme in signs[1:])


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
    """Returns a number with its sign, or None for a calculation."""
    signs = leaf.signs
    negative = bool(signs) and signs[0].kind == "-"
    kinds = [lexeme.kind for lexeme in signs[negative:]]
    of_unit = ("word", "^", "/", "*", "power", "number", "{", "}")
    is_single = kinds[:1] == ["number"] and all(kind in of_unit for kind in kinds[1:])
    if not is_single or (len(kinds) > 1 and kinds[1] != "word"):
        return None
    number = Fraction(signs[negative].data)
    return -number if negative else number


def without_corrected(claims: Sequence[Claim], note: Callable[[str], None]) -> list[Claim]:
    """Returns the claims without entries that the answer corrects further down in words; notes each of them."""
    last = {claim.left: claim for claim in claims}
    kept = list[Claim]()
    for claim in claims:
        if is_sure(claim.left) and claim.left.indices and _is_corrected(claim, last[claim.left]):
            note(f"{claim.left.text} ({claim.where}) is corrected further down; the correction is judged")
        else:
            kept.append(claim)
    return kept


def _is_corrected(claim: Claim, later: Claim) -> bool:
    """Returns whether a later claim follows words that withdraw the first one: oops, corrected."""
    if later.text == claim.text or claim.shape or later.shape or later.name is None:
        return False
    written, behind = claim.leaves[0].written, claim.leaves[0].lexemes[-1].end
    return CORRECTION.search(written.text[behind : later.name.lexemes[0].start]) is not None


def names_itself(claim: Claim) -> bool:
    """Returns whether a name is defined by itself, as in q1 = q(1) or M = simplify(M)."""
    if len(claim.leaves) != 1:
        return False
    signs = [lexeme for lexeme in claim.leaves[0].lexemes if lexeme.kind not in ("newline", "(", ")", "[", "]")]
    words = [plain(word_of(lexeme)) for lexeme in signs if lexeme.kind == "word"]
    if len(words) != 1 or any(lexeme.kind not in ("word", "number") for lexeme in signs):
        return False
    numbers = [str(lexeme.data) for lexeme in signs if lexeme.kind == "number"]
    raised = [str(int(k) + 1) for k in numbers if k.isdigit()]
    across = f"{claim.left.head}{''.join(map(str, reversed(claim.left.indices)))}"
    is_symmetry = words[0] == across and [each.quantity for each in candidates(claim.left)] == ["M"]  # M_12 = M_21
    return is_symmetry or claim.left.key in (words[0], words[0] + "".join(numbers), words[0] + "".join(raised))


def is_harmless(each: Computed, names: ArmNames, ring: Ring, aliases: Mapping[str, Meaning]) -> bool:
    """Returns whether a definition that is not used says nothing that could be wrong.

    Such a definition is a column of coordinates, a value, or the usual meaning of its name: c₁₂ = cos(θ₁ + θ₂).
    aliases: the answer's other names for coordinates and rates
    """
    if (
        each.claim.left.key in IDENTITIES
        and each.shape
        and not any(value.numerator.generators() for value in each.values)
    ):
        return True
    if each.shape or (each.claim.left.key in VECTORS and each.claim.left.key not in aliases):
        words = each.claim.words
        alone = all(len(value.numerator) <= 1 and len(value.numerator.generators()) <= 1 for value in each.values)
        return alone and bool(words) and all(_stands_for_motion(word, names) for word in words if word != "T")
    if is_value(each.claim):
        left = each.claim.left
        return left.key in COUNTS or not (left.arguments or is_about_quantity(left))
    key = each.claim.left.key
    readings = [aliases[key]] if key in aliases else names.readings(key)
    if len(readings) != 1 or len(each.values) != 1 or each.values[0].denominator != 1:
        return False
    meaning, value = readings[0], each.values[0].numerator
    if meaning.kind == "coordinate" and meaning.name not in ring.plain:
        return False
    if meaning.kind not in ("cosines", "coordinate", "rate", "acceleration"):
        return False
    own = Evaluation(ring, {}).value(Name((0, 0), "", meaning), Written(""))
    return not own.numerator - value


def is_short_form(each: Computed, names: ArmNames, ring: Ring) -> bool:
    """Returns whether a claim only defines a usual short form, such as C_23 = cos(θ_2 + θ_3)."""
    readings = names.readings(each.claim.left.key)
    is_cosine = [reading.kind for reading in readings] == ["cosines"] and len(each.values) == 1
    return is_cosine and each.shape == () and is_harmless(each, names, ring, {})


def _stands_for_motion(word: str, names: ArmNames) -> bool:
    readings = names.readings(word)
    return bool(readings) and readings[0].kind in MOTION
