"""Finds the font with Chinese characters that pip installs.

Noto Sans SC comes with the package zhplot and is under the SIL Open Font License, which allows embedding.
"""

from __future__ import annotations

from pathlib import Path

from qddot.base.system import parts, programs
from qddot.base.words.message import say

PACKAGE, FOLDER, FILE = "zhplot", "fonts", "NotoSansSC-Regular.ttf"
MISSING = say("no-chinese-font")
INSTALL = say("install-chinese-font", remedy=parts.remedy("chinese"))


def file() -> Path | None:
    """Returns the font's file, or None where the package is not installed."""
    place = programs.package(PACKAGE)
    font = place / FOLDER / FILE if place is not None else None
    return font if font is not None and font.is_file() else None
