"""Removes remarks from formulas: brackets with words, units after a formula, and text after an arrow."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise, takewhile

from qddot.algebra.expressions.identifiers import GREEK
from qddot.algebra.expressions.signs import UNITS as UNITS_OF_NUMBERS
from qddot.teach.check.reading.signs.lexemes import Lexeme, word_of
from qddot.teach.check.reading.statements.prose import COMMON, LONG

# t is time more often than a ton
UNITS = frozenset({*UNITS_OF_NUMBERS, "deg", "Grad", "kgm", "kgm2"}) - {"t"}
IN_UNITS = ("word", "number", "*", "/", "^", "power", "{", "}", "degree")
ENDS = ("newline", "prose", ",", ";", "row", "wide", "unknown", "&")
OPERATORS = ("+", "-", "*", "/", "^", "=", "function", "(", "[", "{", "begin")
PAIRS = {"(": ")", "[": "]"}
POINTERS = ("<", "←", "#", "!", "…", "—", "“", "”", '"', "»", "«", "?")
IsName = Callable[[str], bool]


def without_remarks(signs: Sequence[Lexeme], is_name: IsName, prose: bool) -> list[Lexeme]:
    """Returns the lexemes with a separator in place of each remark.

    prose: whether words may stand between formulas, so that words in brackets are a remark
    """
    kept: list[Lexeme] = []
    ends, k, depth = closings(signs), 0, 0
    while k < len(signs):
        lexeme = signs[k]
        end = ends.get(k, 0)
        if end and _is_remark(signs, k, end, is_name, prose):
            inside = signs[k + 1 : end]
            if inside and inside[0].kind == "=":  # … (= G1) is another side
                kept += inside
            elif _has_equation(inside):
                kept += [_separator(lexeme), *without_remarks(inside, is_name, prose), _separator(signs[end])]
            elif not _goes_on(signs, end + 1):
                kept.append(_separator(lexeme)._replace(end=signs[end].end))
            k = end + 1
            continue
        if prose and not depth and _points(signs, k, is_name):
            while k < len(signs) and signs[k].kind != "newline":
                k += 1
            kept.append(_separator(lexeme))
            continue
        depth += (lexeme.kind in PAIRS) - (lexeme.kind in PAIRS.values())
        sets_apart = prose and lexeme.kind == "unknown" and lexeme.data in POINTERS and _is_at_words(signs, k, is_name)
        kept.append(_separator(lexeme) if sets_apart else lexeme)
        k += 1
    return kept


def _separator(lexeme: Lexeme) -> Lexeme:
    return Lexeme("prose", lexeme.start, lexeme.end, blank=True)


def closings(signs: Sequence[Lexeme]) -> dict[int, int]:
    """Returns where the bracket at each place closes, without unclosed brackets."""
    opened, ends = list[int](), dict[int, int]()
    for k, lexeme in enumerate(signs):
        if lexeme.kind in PAIRS:
            opened.append(k)
        elif opened and lexeme.kind in PAIRS.values():
            ends[opened.pop()] = k
    return ends


def _is_at_words(signs: Sequence[Lexeme], k: int, is_name: IsName) -> bool:
    """Returns whether a sign is at an end of a line or before a word, rather than between factors."""
    ends = ("newline", "prose")
    at_start, at_end = not k or signs[k - 1].kind in ends, k + 1 == len(signs) or signs[k + 1].kind in ends
    word = "" if at_end else word_of(signs[k + 1])
    return at_start or at_end or (word.isalpha() and len(word) > 1 and not is_name(word))


def _goes_on(signs: Sequence[Lexeme], k: int) -> bool:
    """Returns whether a formula continues after a remark, perhaps in the next line."""
    following = next((each for each in signs[k:] if each.kind != "newline"), None)
    return following is not None and following.kind in OPERATORS[:5]


def _points(signs: Sequence[Lexeme], k: int, is_name: IsName) -> bool:
    """Returns whether <- or // begins a remark with words, up to the end of the line."""
    kinds = [(each.kind, each.data if each.kind == "unknown" else None) for each in signs[k : k + 2]]
    if kinds != [("unknown", "<"), ("-", None)] and kinds != [("/", None), ("/", None)]:
        return False
    line = takewhile(lambda each: each.kind != "newline", signs[k:])
    return any(len(word_of(each)) > 2 and _is_strange(word_of(each), is_name) for each in line)


def _is_remark(signs: Sequence[Lexeme], start: int, end: int, is_name: IsName, prose: bool) -> bool:
    """Returns whether a bracket after a formula, or between words, contains words or units."""
    before = next((signs[k] for k in range(start - 1, -1, -1) if signs[k].kind != "newline"), None)
    if before is not None and before.kind in OPERATORS:
        return False
    inside = signs[start + 1 : end]
    if any(each.kind == "prose" for each in inside) or (inside and inside[0].kind == "="):
        return True
    if before is not None and not signs[start].blank and before.kind in ("word", "'", "power"):
        return False  # the arguments of a name
    if _has_equation(inside) and signs[start].kind == "(":
        return True
    if not inside or not prose:
        return False
    if signs[start].kind == "[":
        behind = signs[end + 1].kind if end + 1 < len(signs) else "newline"
        words = [word_of(each) for each in inside if each.kind == "word"]
        return (
            bool(words)
            and behind in ENDS
            and all(each.kind in IN_UNITS for each in inside)
            and _are_units(words, is_name)
        )
    return _has_words(inside, is_name)


def _are_units(words: Sequence[str], is_name: IsName) -> bool:
    """Returns whether words are units and not all of them are names, as the mass m is."""
    return UNITS >= set(words) and not all(map(is_name, words))


def _has_equation(inside: Sequence[Lexeme]) -> bool:
    """Returns whether there is an '=' with a name or an expression on both sides."""
    return any(
        each.kind == "="
        and 0 < k < len(inside) - 1
        and inside[k - 1].kind in ("word", "number", "power", ")", "]", "}")
        for k, each in enumerate(inside)
    )


def _is_strange(word: str, is_name: IsName) -> bool:
    """Returns whether a word may belong to a sentence, rather than be the name of a variable."""
    return len(word) > 1 and word.isalpha() and word not in GREEK and not is_name(word)


def _has_words(inside: Sequence[Lexeme], is_name: IsName) -> bool:
    """Returns whether a bracket has words of a sentence: a common one, or two adjacent ones that are not names."""
    words = [word_of(each) for each in inside]
    strange = [_is_strange(word, is_name) for word in words]
    common = any(odd and word.lower() in COMMON for odd, word in zip(strange, words, strict=True))
    alone = len(inside) == 1 and strange[0] and len(words[0]) >= LONG
    return common or alone or any(a and b for a, b in pairwise(strange))
