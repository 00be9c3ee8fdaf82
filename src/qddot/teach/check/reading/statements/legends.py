"""Distinguishes equations from sentences that say in words what a name is, as in q2 = joint angle, or a law."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from qddot.base.words.message import Message, say
from qddot.teach.check.reading.names.arm_names import ArmNames, plain
from qddot.teach.check.reading.names.letters import candidates, is_sure
from qddot.teach.check.reading.signs.lexemes import word_of
from qddot.teach.check.reading.statements.claims import Claim
from qddot.teach.check.reading.statements.prose import COMMON, LONG

AROUND_WORDS = ("word", "prose", "newline", "'", "-", ",", "unknown")
WORD_OF_KNOWN = 3  # letters of a word that says what a known name is, as in alpha = arm
# words that say a value, so that a claim with them is an equation in words
SAYING_IN_A_ROW = (
    "zero null nothing none nil same twice half double minus equal equals as vanishes other "
    "times mal fois product produkt plus squared quadrat divided"
)
# what a law in words sums
OF_LAWS = frozenset(["moments", "torques", "forces", "momente", "kräfte", "momentos", "fuerzas", "forças", "couples"])
SAYING = frozenset(SAYING_IN_A_ROW.split())


def without_legends(claims: Sequence[Claim], names: ArmNames, note: Callable[[Message], None]) -> list[Claim]:
    """Returns the claims without those that say in words what a name is; notes each of them."""
    own, kept = {claim.left.key for claim in claims}, list[Claim]()
    for claim in claims:
        if is_legend(claim, names, own) or is_law_in_words(claim):
            note(say("reading-sentence", text=claim.text[:60], where=claim.where))
        else:
            kept.append(claim)
    return kept


def is_legend(claim: Claim, names: ArmNames, own: Collection[str]) -> bool:
    """Returns whether words alone say what a name is; if it names a quantity, enough of the words must be common.

    own: the names that the answer defines
    """
    left, signs = claim.left, [lexeme for leaf in claim.leaves for lexeme in leaf.lexemes]
    if claim.shape or any(each.kind not in AROUND_WORDS for each in signs):
        return False
    words = [word_of(lexeme) for lexeme in signs if lexeme.kind == "word"]
    if any(not word.isalpha() or word.lower() in SAYING for word in words):
        return False
    is_known = bool(names.readings(left.text))
    if not is_known and (candidates(left) or is_sure(left)):
        return _is_sentence(words)
    shortest = WORD_OF_KNOWN if is_known else LONG
    has_noun = any(len(word) >= shortest for word in words) and not (is_sure(left) and left.indices)
    return _is_sentence(words) or (has_noun and all(_is_of_sentence(word, names, own) for word in words))


def is_law_in_words(claim: Claim) -> bool:
    """Returns whether a claim is Newton's or Euler's law in words, as in sum of moments = J * qddot."""
    signs = claim.signs
    is_product = all(each.kind in ("word", "*") for each in signs)
    words = [word_of(each) for each in signs if each.kind == "word"]
    return claim.left.text.lower() in OF_LAWS and not claim.shape and is_product and len(words) == len(("J", "qddot"))


def _is_sentence(words: Sequence[str]) -> bool:
    """Returns whether words are a sentence by its common words, as in N2 = torque of the second joint."""
    common = sum(word.lower() in COMMON for word in words)
    is_pair = len(words) == 2 and common > 0 and all(len(word) >= LONG for word in words)
    return is_pair or (len(words) > 2 and common > 1)


def _is_of_sentence(word: str, names: ArmNames, own: Collection[str]) -> bool:
    if plain(word) in own or not (len(word) >= WORD_OF_KNOWN or word.lower() in COMMON):
        return False
    return not names.knows(word)
