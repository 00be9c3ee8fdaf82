"""Tells in other languages what robots and chains in the package say of themselves."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from qddot.base.words.language import documents

ZOO = Path(__file__).parent / "zoo"
NUMBER = re.compile(r"(?<![\w.])\d+(?![\w.])")  # the number of a link or a joint, which is {} in the catalogues


def ships(name: str) -> bool:
    """Returns whether a robot or a chain of this name is in the package; links of others have their users' names."""
    return name in _names()


@cache
def _names() -> frozenset[str]:
    return frozenset(path.stem for path in ZOO.rglob("*.toml"))


def in_language(text: str, lang: str) -> str:
    """Returns a title, a source, a meaning or a link's name in a language, or the text itself."""
    texts = documents(lang, "robots")
    general = texts.get(text) or texts.get(NUMBER.sub("{}", text))
    return general.format(*NUMBER.findall(text)) if general else text
