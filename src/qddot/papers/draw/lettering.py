"""Chooses the fonts of pictures: one with Chinese characters, or a stand-in if none is installed.

The stand-in shows each character as an empty box as wide as a Chinese one. So the layout of a picture is right, and an
SVG keeps the characters as text, which the reader's fonts show.
"""

from __future__ import annotations

import contextlib
import logging
import warnings
from pathlib import Path
from typing import Any

from qddot.base.errors import QddotError
from qddot.base.system import chinese_font
from qddot.base.words.message import say

FIRST_IDEOGRAPH = "\u2e80"
LATIN = "DejaVu Sans"  # Matplotlib's own fonts
STAND_IN, STAND_IN_FILE = "Wide Stand-In", Path(__file__).with_name("stand_in.ttf")
FONTS = (
    "Noto Sans SC",
    "Noto Sans CJK SC",
    "Noto Sans CJK JP",  # the first face of the same file, the only one that older versions of Matplotlib read
    "Source Han Sans SC",
    "Source Han Sans CN",
    "Microsoft YaHei",
    "PingFang SC",
    "Heiti SC",
    "SimHei",
    "WenQuanYi Zen Hei",
    "WenQuanYi Micro Hei",
    "Droid Sans Fallback",
)
AS_TEXT = {"svg.fonttype": "none", "font.sans-serif": [LATIN]}  # Matplotlib's settings


def is_wide(text: str) -> bool:
    """Returns whether a text has letters that Matplotlib's own fonts do not have."""
    return max(text, default="") >= FIRST_IDEOGRAPH


def settings(chinese: bool, *texts: str) -> dict[str, Any]:
    """Returns Matplotlib's settings for words in Chinese or not, and for the user's texts, which may be in either."""
    if not chinese and not is_wide("".join(texts)):
        return {}
    font = chinese_letters()
    if font is None:
        return {"font.family": [LATIN, STAND_IN, "sans-serif"]}
    if not chinese:
        return {"font.family": [LATIN, font]}
    # few of these fonts have a bold face
    return {"font.family": [font, LATIN], "axes.unicode_minus": False, "axes.titleweight": "normal"}


def chinese_letters() -> str | None:
    """Returns the name of a font with Chinese characters, or None; registers it or the stand-in with Matplotlib."""
    from matplotlib import font_manager

    # such fonts have few weights: a warning that the nearest one is used would not help
    logging.getLogger("matplotlib.font_manager").setLevel(logging.ERROR)
    manager = font_manager.fontManager

    def installed_font() -> str | None:
        there = {font.name for font in manager.ttflist}
        return next((name for name in FONTS if name in there), None)

    def add(*paths: Any) -> None:
        listed = {font.fname for font in manager.ttflist}
        for path in map(str, paths):
            if path not in listed:
                with contextlib.suppress(OSError, RuntimeError):
                    manager.addfont(path)

    add(*filter(None, [chinese_font.file()]))
    if installed_font() is None:
        # Matplotlib caches a list of fonts; some may have been installed later
        add(STAND_IN_FILE, *font_manager.findSystemFonts())
    return installed_font()


def lacks_font(text: Any) -> bool:
    """Returns whether one of Matplotlib's texts uses the stand-in."""
    return STAND_IN in text.get_fontfamily() and is_wide(text.get_text())


def complain(lang: str) -> None:
    """Reports that raster images and PDFs need a font, by an error for Chinese words, by a warning for names."""
    if lang == "zh":
        remedy = say("install-or-svg", install=chinese_font.INSTALL)
        raise QddotError(chinese_font.MISSING, expected=say("a-chinese-font"), remedy=remedy)
    told = say("no-font-for-names", missing=chinese_font.MISSING, install=chinese_font.INSTALL)
    warnings.warn(str(told), stacklevel=4)


def in_pixels(lang: str) -> str:
    """Returns the language of a document's films and PDFs: lang, or English with a warning if its font is missing."""
    if lang != "zh" or chinese_letters() is not None:
        return lang
    told = say("no-font-for-pixels", missing=chinese_font.MISSING, install=chinese_font.INSTALL)
    warnings.warn(str(told), stacklevel=4)
    return "en"
