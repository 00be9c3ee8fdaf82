"""Says in Chinese what the rooms below say in English of a robot that is edited; what has no Chinese stays as it is."""

from __future__ import annotations

import re
from functools import cache

from qddot.page.chinese_sentences import SENTENCES

HOLE = re.compile(r"\\\{([a-z])\\\}")
NAMED_PLACE = re.compile(r"\b(link|joint|symbol) (?=['\"])")
NAMES = {"link": "连杆 ", "joint": "关节 ", "symbol": "符号 "}
LONGEST = 2_000  # characters of a sentence


def chinese(text: str, lang: str = "zh") -> str:
    """Returns a sentence, or the name of a place, in a language of the page."""
    if lang != "zh" or not text or len(text) > LONGEST:
        return text
    for pattern, meaning in _patterns():
        if said := pattern.fullmatch(text):
            return meaning.format(**{name: _part(part) for name, part in said.groupdict().items()})
    return NAMED_PLACE.sub(lambda place: NAMES[place[1]], text)


def said(found: str, where: str, expected: str, remedy: str) -> str:
    """Returns the parts of a mistake as one Chinese sentence."""
    parts = [f"{where}：{found}" if where else found, expected and f"应为{expected}", remedy]
    return "；".join(filter(None, parts))


def _part(part: str) -> str:
    """Returns a part of a sentence: a sentence of its own, or what is never translated, such as a name."""
    return chinese(part) if " " in part else part


@cache
def _patterns() -> list[tuple[re.Pattern[str], str]]:
    """Returns the sentences as patterns, those with the most letters of their own first."""
    ordered = sorted(SENTENCES, key=lambda pair: 3 * pair[0].count("{") - len(pair[0]))
    return [(re.compile(HOLE.sub(_hole, re.escape(english))), meaning) for english, meaning in ordered]


def _hole(hole: re.Match[str]) -> str:
    """Returns the pattern of what may stand in a hole: {w} is one word, the others are anything."""
    return f"(?P<{hole[1]}>{r'[^ ]+' if hole[1] == 'w' else '.+'})"
