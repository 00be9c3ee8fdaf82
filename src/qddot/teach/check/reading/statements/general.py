"""Recognizes formulas that say nothing about the arm: general laws, corrected entries, names defined by themselves."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from qddot.base.words.message import Message, say
from qddot.teach.check.reading.names.arm_names import FUNCTIONS, plain
from qddot.teach.check.reading.names.letters import candidates, is_sure
from qddot.teach.check.reading.signs.lexemes import dots_of, word_of
from qddot.teach.check.reading.statements.claims import Claim, Leaf

GENERAL = {f"\\{name}" for name in ("sum", "int", "iiint", "prod", "in", "mathbb")} | {"∫", "∑"}
OF_CONVENTION = re.compile(r"(?:R|T|Rot|Trans)_?[xyz]")  # R_z(θ) T_z(d) T_x(a) R_x(α)
OF_TRANSPOSED = {"word", "^", "{", "}", "transpose", "'"}
ANY_INDEX = re.compile(r"_[A-Za-z]{0,2},?(?:[ijkn](?:[-+]\d)?,?){1,3}$")  # c_i, M_ij, p_{i-1}, I_{ci}
CORRECTION = re.compile(
    r"(?i)\b(?:oops|sorry|corrected|correction|forgot|mistaken?|wrong|instead|(?:it )?should (?:be|read)|no,)(?!\w)"
)


def is_general(leaves: Sequence[Leaf]) -> bool:
    """Returns whether a formula has sums, integrals, derivatives or elementary poses, or indices that are letters."""
    lexemes = [lexeme for leaf in leaves for lexeme in leaf.lexemes]
    if any(_is_function_alone(leaf) for leaf in leaves):
        return True
    return any(
        lexeme.kind in ("partial", "sum")
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


def without_corrected(claims: Sequence[Claim], note: Callable[[Message], None]) -> list[Claim]:
    """Returns the claims without entries that the answer corrects further down in words; notes each of them."""
    last = {claim.left: claim for claim in claims}
    kept = list[Claim]()
    for claim in claims:
        if is_sure(claim.left) and claim.left.indices and _is_corrected(claim, last[claim.left]):
            note(say("reading-corrected", name=claim.left.text, where=claim.where))
        else:
            kept.append(claim)
    return kept


def _is_corrected(claim: Claim, later: Claim) -> bool:
    """Returns whether a later claim follows words that withdraw the first one: oops, corrected."""
    if later.text == claim.text or claim.shape or later.shape or later.name is None:
        return False
    written, behind = claim.leaves[0].written, claim.leaves[0].lexemes[-1].end
    return CORRECTION.search(written.text[behind : later.name.lexemes[0].start]) is not None


def says_symmetry(claim: Claim) -> bool:
    """Returns whether a claim says that an array is symmetric, M = M^T, and thus does not define it."""
    words = [plain(word) for word in claim.words]
    is_transposed = words[1:] == ["T"] or any(each.kind in ("transpose", "'") for each in claim.signs)
    return is_transposed and words[:1] == [claim.left.key] and {each.kind for each in claim.signs} <= OF_TRANSPOSED


def names_itself(claim: Claim) -> bool:
    """Returns whether a name is defined by itself, as in q1 = q(1) or M = simplify(M)."""
    if len(claim.leaves) != 1:
        return False
    signs = [lexeme for lexeme in claim.leaves[0].lexemes if lexeme.kind not in ("newline", "(", ")", "[", "]")]
    words = [plain(word_of(lexeme)) for lexeme in signs if lexeme.kind == "word" and not dots_of(lexeme)]
    if len(words) != 1 or any(lexeme.kind not in ("word", "number") for lexeme in signs):
        return False
    numbers = [str(lexeme.data) for lexeme in signs if lexeme.kind == "number"]
    raised = [str(int(k) + 1) for k in numbers if k.isdigit()]
    across = f"{claim.left.head}{''.join(map(str, reversed(claim.left.indices)))}"
    is_symmetry = words[0] == across and [each.quantity for each in candidates(claim.left)] == ["M"]  # M_12 = M_21
    return is_symmetry or claim.left.key in (words[0], words[0] + "".join(numbers), words[0] + "".join(raised))
