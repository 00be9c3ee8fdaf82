"""Finds where a text denies or withdraws its formulas, asks about them, or changes what their names mean."""

from __future__ import annotations

import re
from collections.abc import Iterator

from qddot.base.errors import ExpressionError
from qddot.teach.check.reading.answer import Unread
from qddot.teach.check.reading.dialects.formats import FORTRAN, C, Format
from qddot.teach.check.reading.texts.rewriting import Rewriting
from qddot.teach.check.reading.texts.written import Written

_FORMULA = r"(?=[^\n]*=)"
IN_WORDS = (
    (
        rf"\b(?:it is (?:not true|false|wrong)|it isn't true|nor is|misconception){_FORMULA}|"
        r"\b(?:is|are|was|were) (?:not (?:correct|right|true|valid)|incorrect|false|untrue)\b|"
        r"\bnone of th[a-z]+\b[^.\n]{0,40}\b(?:correct|right|true)\b|是(?:错误|错|不对|不正确)的|不成立",
        "words that deny a formula",
    ),
    (r"\b(?:disregard|ignore) (?:\w+ )?(?:everything|all|the above|above)\b|作废", "words that withdraw formulas"),
    (r"\bup to (?:the|a|its) sign\b", "a formula of unknown sign"),
    (r"^[ \t]*(?:Is|Are|Could|Would)\b[^\n]*=[^\n?]*\?", "a question"),
    (r"(?:\\neq?(?![A-Za-z])|≠)(?!\s*\{?0)", "a formula that says what something is not"),
    (r"\b(?:absolute angle of|(?:is|denotes) the absolute)\b", "an angle that is not the joint's"),
)
_FUNCTION = r"(?:sin|cos|tan|sqrt)"
IN_PROGRAMS = (
    (r"^[ \t]*(?:del|clear|clearvars)[ \t]+(?:\w+[ \t]*,[ \t]*)*[MCGhKPL]\d*\b", "a result that is deleted"),
    (rf"\bdef[ \t]+{_FUNCTION}\(|^[ \t]*{_FUNCTION}[ \t]*=[ \t]*@\(", "a function of angles that is defined anew"),
    (rf"\b(?!{_FUNCTION} as)\w+[ \t]+as[ \t]+{_FUNCTION}\b", "another function under the name of one of angles"),
    (
        r"\.subs\([ \t]*\w+[ \t]*,[ \t]*0[ \t]*\)|\.subs\(\{?[^(){}\n]*:[ \t]*0[ \t]*[,}]",
        "formulas in which a name is zero",
    ),
)
OF_INTEGERS = ((r"(?<![\w.*/)])\(?\d+[ \t]*/[ \t]*\d+\)?(?![\w.])", "a quotient of integers, which is cut off"),)
OF_C = (*OF_INTEGERS, (r"(?<=[\w)])[ \t]*\^[ \t]*\d", "the sign ^, which is no power here"))


def withdrawn(written: Written, form: Format) -> Iterator[Unread]:
    """Yields the first place of each way in which a text takes its formulas back, outside of comments."""
    text = Rewriting(written).blank(form.comments, re.DOTALL | re.MULTILINE)
    own = OF_C if form == C else OF_INTEGERS if form == FORTRAN else ()
    for pattern, found in (*own, *(IN_PROGRAMS if form.is_program else IN_WORDS)):
        place = re.search(pattern, text.text, re.IGNORECASE | re.MULTILINE)
        if place is not None:
            where = text.done().where(place.start())
            error = ExpressionError(found, where=where, expected="formulas alone that the answer stands by")
            yield Unread.because(" ".join(place[0].split()), where, error)
