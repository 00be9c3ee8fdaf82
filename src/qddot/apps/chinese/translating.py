"""Translates sentences of the library into Chinese; a sentence without a translation stays English."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from qddot.base.words.message import Told

HOLE = re.compile(r"\\\{([a-z])\\\}")
BETWEEN_CHINESE = re.compile("(?<=[\u4e00-\u9fff，；：、。）]) (?=[\u4e00-\u9fff（])")
NAMED_PLACE = re.compile(r"\b(link|joint|symbol) (?=['\"])")
NAMES = {"link": "连杆 ", "joint": "关节 ", "symbol": "符号 "}
LONGEST = 2_000  # the longest sentence that is translated, in characters


class Translator:
    """This translates the sentences of tables; {a} in a sentence matches any text, {w}, {v} and {u} one word."""

    def __init__(self, sentences: Iterable[tuple[str, str]]) -> None:
        # those with the most fixed letters first
        ordered = sorted(sentences, key=lambda pair: 3 * pair[0].count("{") - len(pair[0]))
        self._patterns = [(re.compile(HOLE.sub(_hole, re.escape(english))), meaning) for english, meaning in ordered]

    def __call__(self, text: str) -> str:
        """Returns a sentence, or the name of a place, in Chinese."""
        if isinstance(text, Told):
            return text.told("zh")
        if not text or len(text) > LONGEST:
            return text
        for pattern, meaning in self._patterns:
            if match := pattern.fullmatch(text):
                told = meaning.format(**{name: self._part(part) for name, part in match.groupdict().items()})
                return BETWEEN_CHINESE.sub("", told)
        return NAMED_PLACE.sub(lambda place: NAMES[place[1]], text)

    def _part(self, part: str) -> str:
        """Returns a part of a sentence: translated if it is a sentence itself, else unchanged, such as a name."""
        return self(part) if " " in part else part


def chinese(text: str, lang: str = "zh") -> str:
    """Returns a sentence, or the name of a place, in a language of the page."""
    return _of_the_page()(text) if lang == "zh" else text


@cache
def _of_the_page() -> Translator:
    from qddot.apps.chinese.sentences import SENTENCES

    return Translator(SENTENCES)


def _hole(hole: re.Match[str]) -> str:
    """Returns the pattern of a slot: {w}, {v} and {u} match one word, the others match any text."""
    return f"(?P<{hole[1]}>{r'[^ ]+' if hole[1] in 'wvu' else '.+'})"
