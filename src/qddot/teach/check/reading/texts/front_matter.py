"""Reads the lines in which an answer explains its own names, such as % qddot: F = tau2, th = q1."""

from __future__ import annotations

import re
from dataclasses import replace

from qddot.teach.check.reading.texts.rewriting import Rewriting
from qddot.teach.check.reading.texts.written import Written

SAID = re.compile(
    r"^[ \t]*(?:%+|#+|//|--|/\*|\(\*|<!--)?[ \t]*qddot[ \t]*:[ \t]*(?P<names>[^\n]*?)[ \t]*(?:\*/|\*\)|-->)?[ \t]*$",
    re.MULTILINE,
)
MEANING = re.compile(r"[ \t]*(?P<name>[^\W\d]\w*)[ \t]*=[ \t]*(?P<meaning>[^=\n]*[^=\s])[ \t]*")


def front_matter(written: Written) -> tuple[dict[str, str], Written]:
    """Returns the meanings of the answer's own names, and the answer without the lines that state them.

    raises ExpressionError: such a line is not a list of name = meaning with commas
    """
    meanings: dict[str, str] = {}
    for said in SAID.finditer(written.text):
        at = said.start("names")
        for part in said["names"].split(","):
            meaning = MEANING.fullmatch(part)
            if meaning is None:
                raise written.error(at, "header-not-read", part=repr(part.strip()))
            meanings[meaning["name"]] = meaning["meaning"]
            at += len(part) + 1
    if not meanings:
        return {}, written
    blanked = Rewriting(written).blank(SAID).done()
    return meanings, replace(blanked, name=written.name)
