"""Finds the answers of several people, or to several variants, in one file."""

from __future__ import annotations

import re
from collections.abc import Sequence

from qddot.base.errors import FormatError
from qddot.base.words.message import Listed, say
from qddot.teach.check.reading.texts.written import Written

# a line that names whose answer follows, or to which variant: "# Student B", "Name: Li", "\section*{Answer 2}"
HEADING = re.compile(
    r"^[\W\d_]{0,12}(?:\\\w+\*?\{)?(?P<kind>student(?: name)?|name(?=\s*:)|author|answer|submission|variant|version|"
    r"candidate|学生|姓名|学号|考生|答案|答卷|变式)(?![a-z])[ \t]*[:：#.]?[ \t]*(?P<whose>[^\n=]{1,40}?)[^\w\n]*$",
    re.IGNORECASE | re.MULTILINE,
)
DOCUMENT = re.compile(r"(?P<kind>\\begin\{document\})(?P<whose>)")
LEFT = re.compile(r"^[^\n=]{1,80}?(?=:?=(?!=))", re.MULTILINE)


def check(written: Written) -> None:
    """Raises FormatError for a text with two documents, or with headings of two answers that give the same names."""
    documents = list(DOCUMENT.finditer(written.text))
    if len(documents) > 1:
        raise _error(written, documents)
    kinds: dict[str, list[re.Match[str]]] = {}
    for heading in HEADING.finditer(written.text):
        kinds.setdefault(heading["kind"].lower(), []).append(heading)
    for headings in kinds.values():
        by_label = {heading["whose"].strip().lower(): heading for heading in reversed(headings)}
        starts = sorted(by_label.values(), key=lambda heading: heading.start())
        ends = [*(heading.start() for heading in starts[1:]), len(written.text)]
        names = [_names(written.text[heading.end() : end]) for heading, end in zip(starts, ends, strict=True)]
        full = [k for k, own in enumerate(names) if own]
        if any(2 * len(names[i] & names[k]) >= min(len(names[i]), len(names[k])) for i in full for k in full if i < k):
            raise _error(written, [starts[k] for k in full])


def _names(text: str) -> set[str]:
    """Returns what stands on the left of the equals signs of a text."""
    return {re.sub(r"[\s$&\\]", "", left[0]) for left in LEFT.finditer(text)}


def _error(written: Written, starts: Sequence[re.Match[str]]) -> FormatError:
    places = [say("answer-at-line", title=_title(each), line=written.line(each.start("kind"))) for each in starts]
    return FormatError(
        "several-answers",
        where=written.name,
        count=len(places),
        names=Listed(places[:-1]),
        last=places[-1],
    )


def _title(start: re.Match[str]) -> str:
    return f"{start['kind']} {start['whose']}".strip()
