"""Labels are the words of pictures in English and Chinese, the symbols of coordinates, and a font that has them."""

from __future__ import annotations

import contextlib
import logging
import warnings
from typing import Any

from qddot.errors import QddotError, is_one_of, shortened, visible

LANGUAGES = ("en", "zh")
CHINESE = {
    "time": "时间",
    "coordinates": "关节坐标",
    "rates": "关节速度",
    "torques": "关节力矩",
    "torques and forces": "关节力矩与力",
    "work and losses": "做功与损耗",
    "energy": "能量",
    "losses": "损耗",
    "kinetic energy K": "动能 K",
    "potential energy P": "势能 P",
    "total energy E": "总能量 E",
    "work of the motors": "电机做功",
    "work of external forces": "外力做功",
    "viscous friction": "黏性摩擦",
    "Coulomb friction": "库仑摩擦",
    "damping": "阻尼",
    "path of the end point": "末端轨迹",
    "start": "起点",
    "end": "终点",
    "phase": "相图",
    "coordinate": "坐标",
    "rate": "速度",
    "step": "步长",
    "or": "或",
    "links": "连杆",
    "runs": "运行次数",
    "first order": "一阶",
    "total": "总效应",
}
GREEK = "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi rho sigma tau phi chi psi omega"
FONTS = (
    "Noto Sans CJK SC",
    "Noto Sans CJK JP",  # the first face of the same file, the only one that older Matplotlibs see
    "Noto Sans SC",
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


FIRST_IDEOGRAPH = "\u2e80"
NO_FONT = "no font with Chinese letters is installed"
INSTALL = "install one (on Debian and Ubuntu: apt install fonts-noto-cjk)"


def language(lang: Any) -> str:
    """Returns the name of a language. raises QddotError: no such language"""
    if not is_one_of(lang, LANGUAGES):
        raise QddotError(f"lang {shortened(lang)}", expected=" or ".join(LANGUAGES))
    return str(lang)


class Words:
    """This has the labels in one language; `font` names a font that has its letters, or is None.

    raises QddotError: no such language, or no font with its letters
    """

    def __init__(self, lang: str) -> None:
        self.font = _chinese_font() if language(lang) == "zh" else None
        if lang == "zh" and self.font is None:
            expected = "Noto Sans CJK, Source Han Sans, Microsoft YaHei, PingFang or the like"
            raise QddotError(NO_FONT, expected=expected, remedy=f"{INSTALL}, or lang='en'")
        self._words = CHINESE if self.font else {}

    def __call__(self, word: str) -> str:
        return self._words.get(word, word)

    def style(self, *texts: str) -> dict[str, Any]:
        """Returns Matplotlib's settings for the language and for texts of the user, which may be in another."""
        if not self.font:
            if max("".join(texts), default="") < FIRST_IDEOGRAPH:
                return {}
            other = _chinese_font()
            if other is None:
                warnings.warn(f"{NO_FONT}, and the robot has such names: {INSTALL}", stacklevel=4)
            return {"font.family": ["DejaVu Sans", other]} if other else {}
        # few of these fonts have a bold face
        return {"font.family": [self.font, "DejaVu Sans"], "axes.unicode_minus": False, "axes.titleweight": "normal"}


def plain(text: str) -> str:
    """Returns a text of the user in which Matplotlib finds no mathematics, and with no unseen characters."""
    return visible(text).replace("$", r"\$")


def symbol(joint: str, of: str = "q") -> str:
    """Returns q1 as mathematics: q with an index; of: "qd" for its rate, with a dot, "tau" for its torque, τ."""
    if not joint.isascii() or not joint.isidentifier():
        return plain(joint)  # Matplotlib's fonts for mathematics have few other letters
    letters = joint.rstrip("0123456789_")
    index = joint[len(letters) :].strip("_").replace("_", r"\_")
    stem = letters.replace("_", r"\_")
    stem = rf"\{stem}" if letters in GREEK.split() else stem if len(letters) == 1 else rf"\mathrm{{{stem}}}"
    base = {"q": stem, "qd": rf"\dot{{{stem}}}", "tau": r"\tau"}[of]
    return f"${base}_{{{index}}}$" if index else f"${base}$"


def _chinese_font() -> str | None:
    from matplotlib import font_manager

    # such fonts have few weights: a warning about the nearest one is not needed
    logging.getLogger("matplotlib.font_manager").setLevel(logging.ERROR)

    def found() -> str | None:
        there = {font.name for font in font_manager.fontManager.ttflist}
        return next((name for name in FONTS if name in there), None)

    if found() is None:
        # Matplotlib keeps a list of fonts; some may have been installed after it
        listed = {font.fname for font in font_manager.fontManager.ttflist}
        for path in font_manager.findSystemFonts():
            if path not in listed:
                with contextlib.suppress(OSError, RuntimeError):
                    font_manager.fontManager.addfont(path)
    return found()
