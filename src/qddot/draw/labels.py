"""Words has the labels of pictures in English and Chinese, and a font that has them."""

from __future__ import annotations

import contextlib
import logging
import warnings
from typing import Any

from qddot.errors import QddotError, is_one_of, shortened

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
    "viscous friction": "黏性摩擦",
    "Coulomb friction": "库仑摩擦",
    "damping": "阻尼",
    "path of the end point": "末端轨迹",
    "start": "起点",
    "end": "终点",
    "phase": "相图",
    "coordinate": "坐标",
    "rate": "速度",
}
FONTS = (
    "Noto Sans CJK SC",
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


class Words:
    """This has the labels in one language; `font` names a font that has its letters, or is None."""

    def __init__(self, lang: str) -> None:
        if not is_one_of(lang, LANGUAGES):
            raise QddotError(f"lang {shortened(lang)}", expected=" or ".join(LANGUAGES))
        self.font = _chinese_font() if lang == "zh" else None
        if lang == "zh" and self.font is None:
            warnings.warn("no font with Chinese letters is installed: labels are English", stacklevel=3)
        self._words = CHINESE if self.font else {}

    def __call__(self, word: str) -> str:
        return self._words.get(word, word)

    def style(self) -> dict[str, Any]:
        """Returns Matplotlib's settings for the language."""
        if not self.font:
            return {}
        # few of these fonts have a bold face
        return {"font.family": [self.font, "DejaVu Sans"], "axes.unicode_minus": False, "axes.titleweight": "normal"}


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
