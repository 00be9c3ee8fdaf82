"""Finds where the words of a text deny or withdraw its formulas, or ask about them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from qddot.base.errors import ExpressionError
from qddot.base.words.message import say
from qddot.teach.check.reading.answer import Unread
from qddot.teach.check.reading.dialects.formats import Format
from qddot.teach.check.reading.texts.rewriting import Rewriting
from qddot.teach.check.reading.texts.written import Written

_FORMULA = r"(?=[^\n]*=)"
IN_WORDS = (
    (
        rf"\b(?:it is (?:not true|false|wrong)|it isn't true|nor is|misconception){_FORMULA}|"
        r"\b(?:is|are|was|were) (?:not (?:correct|right|true|valid)|incorrect|false|untrue)\b|"
        r"\bnone of th[a-z]+\b[^.\n]{0,40}\b(?:correct|right|true)\b|是(?:错误|错|不对|不正确)的|不成立",
        "words-deny",
    ),
    (r"\b(?:disregard|ignore) (?:\w+ )?(?:everything|all|the above|above)\b|作废", "words-withdraw"),
    (r"\bup to (?:the|a|its) sign\b", "formula-sign-unknown"),
    (r"^[ \t]*(?:Is|Are|Could|Would)\b[^\n]*=[^\n?]*\?", "words-ask"),
    (r"(?:\\neq?(?![A-Za-z])|≠)(?!\s*\{?0)", "formula-negated"),
    (r"\b(?:absolute angle of|(?:is|denotes) the absolute)\b", "angle-not-of-joint"),
)


def withdrawn(written: Written, form: Format) -> Iterator[Unread]:
    """Yields the first place of each way in which a text takes its formulas back, outside of comments."""
    if form.is_program:
        return
    text = Rewriting(written).blank(form.comments, re.DOTALL | re.MULTILINE)
    for pattern, found in IN_WORDS:
        place = re.search(pattern, text.text, re.IGNORECASE | re.MULTILINE)
        if place is not None:
            where = text.done().where(place.start())
            error = ExpressionError("withdrawn", where=where, found=say(found))
            yield Unread.because(" ".join(place[0].split()), where, error)
