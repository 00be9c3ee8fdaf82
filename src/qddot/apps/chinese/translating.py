"""Translates sentences of the library into Chinese; a sentence without a translation stays English."""

from __future__ import annotations

import re
from functools import cache

from qddot.robot.chinese_texts import in_chinese

HOLE = re.compile(r"\\\{([a-z])\\\}")
NAMED_PLACE = re.compile(r"\b(link|joint|symbol) (?=['\"])")
NAMES = {"link": "连杆 ", "joint": "关节 ", "symbol": "符号 "}
LONGEST = 2_000  # the longest sentence that is translated, in characters


def chinese(text: str, lang: str = "zh") -> str:
    """Returns a sentence, a title of a robot or the name of a place in a language; a user's text stays as it is."""
    if lang != "zh" or not text or len(text) > LONGEST:
        return text
    if (of_robot := in_chinese(text)) != text:
        return of_robot
    for pattern, meaning in _patterns():
        if match := pattern.fullmatch(text):
            return meaning.format(**{name: _part(part) for name, part in match.groupdict().items()})
    return NAMED_PLACE.sub(lambda place: NAMES[place[1]], text)


def said(fact: str, where: str, expected: str, remedy: str) -> str:
    """Returns the parts of a mistake as one Chinese sentence."""
    parts = [f"{where}：{fact}" if where else fact, expected and f"应为{expected}", remedy]
    return "；".join(filter(None, parts))


def _part(part: str) -> str:
    """Returns a part of a sentence: translated if it is a sentence itself, else unchanged, such as a name."""
    return chinese(part) if " " in part else part


@cache
def _patterns() -> list[tuple[re.Pattern[str], str]]:
    """Returns the sentences as patterns, those with the most fixed letters first."""
    from qddot.apps.chinese.sentences import SENTENCES

    ordered = sorted(SENTENCES, key=lambda pair: 3 * pair[0].count("{") - len(pair[0]))
    return [(re.compile(HOLE.sub(_hole, re.escape(english))), meaning) for english, meaning in ordered]


def _hole(hole: re.Match[str]) -> str:
    """Returns the pattern of a slot: {w} and {v} match one word, the others match any text."""
    return f"(?P<{hole[1]}>{r'[^ ]+' if hole[1] in 'wv' else '.+'})"
