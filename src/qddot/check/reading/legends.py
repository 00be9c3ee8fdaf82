"""Tells sentences that say in words what a name is, as in q2 = joint angle, from equations."""

from __future__ import annotations

from collections.abc import Collection

from qddot.check.reading.arm_names import ArmNames, plain
from qddot.check.reading.claims import Claim
from qddot.check.reading.general import SAYING
from qddot.check.reading.letters import candidates, is_sure
from qddot.check.reading.lexemes import word_of
from qddot.check.reading.prose import COMMON, LONG

AROUND_WORDS = ("word", "prose", "newline", "'", "-", ",", "unknown")
WORD_OF_KNOWN = 3  # letters of a word that says what a known name is, as in alpha = arm


def is_legend(claim: Claim, names: ArmNames, own: Collection[str]) -> bool:
    """Returns whether words alone, none of which is a name, say what a name is that is no entry of a quantity.

    own: the names that the answer defines
    """
    left, signs = claim.left, [lexeme for leaf in claim.leaves for lexeme in leaf.lexemes]
    is_known = bool(names.readings(left.text))
    is_entry = bool(left.indices) and is_sure(left) and not is_known
    if claim.shape or is_entry or any(each.kind not in AROUND_WORDS for each in signs):
        return False
    words = [word_of(lexeme) for lexeme in signs if lexeme.kind == "word"]
    shortest = WORD_OF_KNOWN if is_known else LONG
    if not any(len(word) >= shortest for word in words) or (not is_known and candidates(left) and len(words) < 2):
        return False
    return all(_is_of_sentence(word, names, own) for word in words)


def _is_of_sentence(word: str, names: ArmNames, own: Collection[str]) -> bool:
    low, is_long = word.lower(), len(word) >= WORD_OF_KNOWN
    if not word.isalpha() or low in SAYING or plain(word) in own or not (is_long or low in COMMON):
        return False
    return not names.readings(word) and not names.drive(word) and not names.vector(word, 0)
