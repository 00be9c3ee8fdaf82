"""Distinguishes words of sentences from names in formulas, in notes that have both in one line."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from qddot.teach.check.reading.names.arm_names import VECTORS, plain
from qddot.teach.check.reading.signs.lexemes import Lexeme, dots_of, word_of
from qddot.teach.check.reading.syntax import MOTIONS

COMMON_IN_A_ROW = (
    "the a an is are and or with where for of so then hence thus therefore we get have gives give yields that "
    "this which from to in on by as at be it its i let using since because when if case equation equations "
    "entry entries matrix mass inertia coriolis centrifugal gravity torque torques energy kinetic potential "
    "lagrangian total joint link answer solution find found first second finally also note result results only "
    "same other both all rest vector term terms force forces velocity dynamics motion moment about element "
    "elements below above here there becomes therefor obtain obtained follows following substituting "
    "derivative respect time problem part not zero usw etc bzw resp evtl const ditto approx "
    "und mit ist der die das also pour avec donc est "
    "man wir daraus ergibt erhalten folgt somit daher dabei wobei sowie ein eine le la les et on obtient soit "
    "il lo gli dove con si ottiene quindi donde como por tanto se obtiene y los las para here's got what "
    "use used uses using write writes called call define defined denotes denote name names angle angles length lengths "
    "arm cart pendulum beam wheel rod centre center position distance upright horizontal vertical"
)
COMMON = frozenset(COMMON_IN_A_ROW.split())
MATRICES = ("M", "D", "H", "B", "C")
LINKING = ("to", "is", "be", "equals")  # the last word of "comes to −m g"
LONG = 4  # a word with fewer letters may be a name
OPERATORS = ("+", "-", "*", "/", "^", "=", "power", "'")  # the last two follow their operand


def without_prose(signs: Sequence[Lexeme], is_name: Callable[[str], bool]) -> list[Lexeme]:
    """Returns the lexemes with one separator in place of each run of words."""
    words = [_is_word(signs, k, is_name) for k in range(len(signs))]
    kept: list[Lexeme] = []
    k = 0
    while k < len(signs):
        end = k
        while end < len(signs) and words[end]:
            end += 1
        if end > k + 1 and end < len(signs) and (signs[end].kind in OPERATORS or _multiplies(signs, end)):
            # the name before a sign belongs to the formula, and so does the M of M q'', but no word: "comes to -m g"
            end -= word_of(signs[end - 1]).lower() not in LINKING
        if end > k + 1 and k and signs[k - 1].kind in OPERATORS[:5]:
            kept.append(signs[k])  # and so does the name after one, such as dt
            k += 1
        if end > k and _is_prose(signs, k, end):
            kept.append(Lexeme("prose", signs[k].start, signs[end - 1].end, blank=True))
            k = end
            continue
        kept += signs[k : max(end, k + 1)]
        k = max(end, k + 1)
    return kept


def _multiplies(signs: Sequence[Lexeme], k: int) -> bool:
    """Returns whether the letter of a matrix is before its arguments, or before a column of q, q̇ or q̈."""
    has_arguments = signs[k].kind == "(" and not signs[k].blank
    return word_of(signs[k - 1]) in MATRICES and (has_arguments or VECTORS.get(plain(word_of(signs[k]))) in MOTIONS)


def _is_word(signs: Sequence[Lexeme], k: int, is_name: Callable[[str], bool]) -> bool:
    """Returns whether a lexeme may be a word of a sentence."""
    lexeme = signs[k]
    if lexeme.kind == "-":  # mass-matrix
        sides = [*signs[max(k - 1, 0) : k], *signs[k + 1 : k + 2]]
        return len(sides) == 2 and all(word_of(side).lower() in COMMON for side in sides)
    text = word_of(lexeme)
    if not text.isalpha() or is_name(text):
        return False
    return len(text) >= LONG or not dots_of(lexeme)  # erhält is a word, q̈ is not


def _is_prose(signs: Sequence[Lexeme], start: int, end: int) -> bool:
    """Returns whether a run of words is a part of a sentence, rather than names that the arm does not have."""
    texts = [word_of(lexeme).lower() for lexeme in signs[start:end]]
    before = signs[start - 1].kind if start else "newline"
    behind = signs[end].kind if end < len(signs) else "newline"
    is_before_sign = behind in OPERATORS and texts[-1] not in LINKING
    if before in OPERATORS[:6] or is_before_sign or (behind == "(" and not signs[end].blank):
        return False
    at_edge = before in ("newline", "prose", ",", ";", "unknown") or behind in ("newline", "prose", ",", ";", "unknown")
    common = any(text in COMMON and len(text) > 1 for text in texts)
    return common or len(texts) > 2 or (at_edge and all(len(text) >= LONG for text in texts))
