"""Tells the sentences and the terms that commands print in the language in use."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from qddot.base.words.language import ENGLISH, language, languages, manner
from qddot.base.words.message import Message, say

if TYPE_CHECKING:
    from qddot.apps.chinese.translating import Translator


def language_in(words: Sequence[str]) -> str:
    """Returns the language that a command line chooses, which its help and its errors are in, too, or ""."""
    after = pairwise(words)
    chosen = [value for option, value in after if option == "--lang"]
    chosen += [word.removeprefix("--lang=") for word in words if word.startswith("--lang=")]
    return chosen[-1] if chosen and chosen[-1] in languages() else ""


def sentence(key: str, **slots: Any) -> str:
    """Returns a sentence of the catalogues."""
    return say(key, **slots).told()


def told(text: str | Message) -> str:
    """Returns what the library says in this language, or a text as it is if no translation is known."""
    return text.told() if isinstance(text, Message) else text if language() == ENGLISH else _translator()(text)


def term(text: str | Message) -> str:
    """Returns a term or a sentence in this language; names that users gave are never terms."""
    if isinstance(text, Message) or language() == ENGLISH:
        return str(text)
    from qddot.apps.cli.languages.terms_in_chinese import TERMS

    return TERMS.get(text) or told(text)


def listed(names: Iterable[str]) -> str:
    """Returns names with the language's comma between them."""
    comma: str = manner(language())["comma"]
    return comma.join(names)


def translated(text: str) -> str:
    """Returns a text of a robot, such as its title, in this language if a translation is known."""
    from qddot.robot.own_texts import in_language

    return in_language(text, language())


def titled(name: str, title: str) -> str:
    """Returns the name of a model with its title, if it has one."""
    return sentence("titled", name=name, title=translated(title)) if title else name


@cache
def _translator() -> Translator:
    from qddot.apps.chinese.sentences import SENTENCES
    from qddot.apps.chinese.translating import Translator

    return Translator(SENTENCES)
