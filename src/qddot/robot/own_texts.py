"""Tells in other languages what robots and chains in the package say of themselves."""

from __future__ import annotations

import re

from qddot.base.words.language import documents

NUMBER = re.compile(r"(?<![\w.])\d+(?![\w.])")  # the number of a link or a joint, which is {} in the catalogues


def in_language(text: str, lang: str) -> str:
    """Returns a title, a source, a meaning or a link's name in a language, or the text itself."""
    texts = documents(lang, "robots")
    general = texts.get(text) or texts.get(NUMBER.sub("{}", text))
    return general.format(*NUMBER.findall(text)) if general else text
