"""Reads the lines in which an answer says itself what its names mean, such as % qddot: F = tau2, th = q1."""

from __future__ import annotations

import re
from dataclasses import replace

from qddot.check.reading.rewriting import Rewriting
from qddot.check.reading.written import Written

SAID = re.compile(
    r"^[ \t]*(?:%+|#+|//|--|/\*|\(\*|<!--)?[ \t]*qddot[ \t]*:[ \t]*(?P<names>[^\n]*?)[ \t]*(?:\*/|\*\)|-->)?[ \t]*$",
    re.MULTILINE,
)
MEANING = re.compile(r"[ \t]*(?P<name>[^\W\d]\w*)[ \t]*=[ \t]*(?P<meaning>[^=\n]*[^=\s])[ \t]*")


def front_matter(written: Written) -> tuple[dict[str, str], Written]:
    """Returns what the answer's own names mean, and the answer without the lines that say so.

    raises ExpressionError: such a line has something else than name = meaning with commas between
    """
    meanings: dict[str, str] = {}
    for said in SAID.finditer(written.text):
        at = said.start("names")
        for part in said["names"].split(","):
            meaning = MEANING.fullmatch(part)
            if meaning is None:
                raise written.error(at, f"{part.strip()!r} after qddot:", "such as qddot: F = tau2, th = q1")
            meanings[meaning["name"]] = meaning["meaning"]
            at += len(part) + 1
    if not meanings:
        return {}, written
    blanked = Rewriting(written).blank(SAID).done()
    return meanings, replace(blanked, name=written.name)
