"""Cuts STIX Two Math to the letters that a page shows, so that the page looks the same everywhere.

The font comes with the package ziamath and is under the SIL Open Font License, which allows embedding it.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from io import BytesIO
from pathlib import Path

from qddot.base.system import programs

FILE = ("ziamath", "fonts", "STIXTwoMath-Regular.ttf")
ALWAYS = "()[]{}|+−-=·×∂∑∫√.,/′ 0123456789\u0307\u0308\u0304\u02d9\u00a8\u00af"
STRETCHED = ("math", "ssty", "ccmp", "dtls", "mark", "mkmk")  # features by which brackets grow, and accents find places


def cut(text: str) -> bytes:
    """Returns the font in WOFF with the letters of a text, upright and in italics, or nothing where it is missing."""
    place = programs.package(FILE[0])
    if place is None or not programs.has_module("fontTools"):
        return b""
    return _cut(place.joinpath(*FILE[1:]), {*text, *ALWAYS})


def _cut(file: Path, letters: set[str]) -> bytes:
    from fontTools import subset
    from fontTools.ttLib import TTFont

    options = subset.Options(flavor="woff", layout_features=[*STRETCHED], notdef_outline=True, hinting=False)
    options.name_IDs = [0, 13, 14]  # copyright and licence
    chosen, small = subset.Subsetter(options), BytesIO()
    chosen.populate(unicodes=map(ord, {*letters, *_italics(letters)}))
    with TTFont(file, lazy=True, recalcTimestamp=False, recalcBBoxes=False) as font:  # its boxes need no change
        chosen.subset(font)
        font.flavor = "woff"
        font.save(small)
    return small.getvalue()


def _italics(letters: Iterable[str]) -> Iterable[str]:
    """Yields the italic forms in which a browser shows single letters."""
    for letter in letters:
        try:
            name = unicodedata.name(letter).replace("LATIN ", "").replace("GREEK ", "").replace(" LETTER ", " ")
            yield unicodedata.lookup(f"MATHEMATICAL ITALIC {name}")
        except (KeyError, ValueError):
            continue
    yield "\u210e"  # the italic h is Planck's constant
