"""Labels are the words in pictures, in English and Chinese, and the symbols of coordinates."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from qddot.algebra.expressions.names import rate_name
from qddot.base.errors import QddotError, is_one_of, shortened, visible
from qddot.base.words.language import documents, languages, or_in_use
from qddot.base.words.message import Either
from qddot.papers.draw import lettering
from qddot.robot.own_texts import in_language

QUASI = re.compile(r"(p|v|e|omega)(_\w+)?_[wxyz]")  # positions and velocities of free and spherical joints
GREEK = "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi rho sigma tau phi chi psi omega"
VARIANTS = {"phi": "varphi"}  # the letters of the reports


def language(lang: Any) -> str:
    """Returns the name of a language, that in use for "". raises QddotError: no such language"""
    chosen = or_in_use(lang)
    if not is_one_of(chosen, languages()):
        raise QddotError("no-such-language", lang=shortened(lang), expected=Either(languages()))
    return str(chosen)


class Words:
    """These are the labels in one language. raises QddotError: no such language"""

    def __init__(self, lang: str) -> None:
        self.lang = language(lang)
        self._words: Mapping[str, str] = documents(self.lang, "pictures")["words"]

    def __call__(self, word: str) -> str:
        return self._words.get(word, word)

    def translated(self, text: str) -> str:
        """Returns the title of a robot or the name of a link in this language, if a translation is known."""
        return in_language(text, self.lang)

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
