"""Labels are the words in pictures, in English and Chinese, and the symbols of coordinates."""

from __future__ import annotations

import re
from typing import Any

from qddot.algebra.expressions.names import rate_name
from qddot.base.errors import QddotError, is_one_of, shortened, visible
from qddot.base.words.message import Either
from qddot.papers.draw import lettering
from qddot.robot.chinese_texts import in_chinese

LANGUAGES = ("en", "zh")
CHINESE = {
    "upper limit": "上限",
    "lower limit": "下限",
    "{time} s: {joint} reaches its {side}": "{time} s 时 {joint} 到达{side}",
    "the run ends after {time} s": "仿真在 {time} s 时终止",
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
    ", ": "，",
    "or": "或",
    "links": "连杆",
    "all others 0": "其余为 0",
    "runs": "运行次数",
    "first order": "一阶",
    "total": "总效应",
    "proved": "已证明",
    "found": "已找到",
}
QUASI = re.compile(r"(p|v|e|omega)(_\w+)?_[wxyz]")  # positions and velocities of free and spherical joints
GREEK = "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi rho sigma tau phi chi psi omega"
VARIANTS = {"phi": "varphi"}  # the letters of the reports


def language(lang: Any) -> str:
    """Returns the name of a language. raises QddotError: no such language"""
    if not is_one_of(lang, LANGUAGES):
        raise QddotError("no-such-language", lang=shortened(lang), expected=Either(LANGUAGES))
    return str(lang)


class Words:
    """These are the labels in one language. raises QddotError: no such language"""

    def __init__(self, lang: str) -> None:
        self.lang = language(lang)
        self._words = CHINESE if lang == "zh" else {}

    def __call__(self, word: str) -> str:
        return self._words.get(word, word)

    def translated(self, text: str) -> str:
        """Returns the title of a robot or the name of a link in this language, if a translation is known."""
        return in_chinese(text) if self.lang == "zh" else text

    def called(self, name: str, title: str) -> str:
        """Returns the name of a model, or in Chinese its title if a translation is known."""
        told = self.translated(title)
        return name if told == title else told

    def style(self, *texts: str) -> dict[str, Any]:
        """Returns Matplotlib's settings for the language, and for the user's texts, which may be in another one."""
        return lettering.settings(self.lang == "zh", *texts)

    def beside(self, joint: str) -> tuple[str, str]:
        """Returns the texts of q1 and its rate in running text."""
        if self.lang == "zh" and lettering.chinese_letters() is None:
            return plain(joint), plain(rate_name(joint))
        return symbol(joint, "q"), symbol(joint, "qd")


def plain(text: str) -> str:
    """Returns a user's text without invisible characters, escaped so that Matplotlib finds no mathematics in it."""
    return visible(text).replace("$", r"\$")


def symbol(joint: str, of: str = "q") -> str:
    """Returns q1 as mathematics: q with an index.

    of: "qd" for its rate, with a dot, "tau" for its torque, τ; "quasi qd" and "quasi tau" for those of a velocity that
    is not a rate, such as omega_x
    """
    if not joint.isascii() or not joint.isidentifier():
        return plain(joint)  # Matplotlib's fonts for mathematics have few other letters
    parted = QUASI.fullmatch(joint)
    letters = parted[1] if parted else joint.rstrip("0123456789_")
    index = joint[len(letters) :].strip("_").replace("_", "" if parted else r"\_")
    stem = letters.replace("_", r"\_")
    stem = (
        rf"\{VARIANTS.get(stem, stem)}"
        if letters in GREEK.split()
        else stem
        if len(letters) == 1
        else rf"\mathrm{{{stem}}}"
    )
    if of == "quasi tau":
        return rf"$\tau_{{{stem}_{{{index}}}}}$"
    base = {"q": stem, "qd": rf"\dot{{{stem}}}", "tau": r"\tau", "quasi qd": stem}[of]
    return f"${base}_{{{index}}}$" if index else f"${base}$"
