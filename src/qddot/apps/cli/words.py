"""Words finds the sentences of commands in one language, and tells in it what the library says in English."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import TYPE_CHECKING

from qddot.apps.cli.languages import LANGUAGES

if TYPE_CHECKING:
    import argparse

    from qddot.apps.chinese.translating import Translator

ENGLISH = "en"


class Words:
    """These are the words of one language, a key of LANGUAGES."""

    def __init__(self, lang: str = ENGLISH) -> None:
        self.lang = lang
        self._sentences: Mapping[str, str] = LANGUAGES[lang].SENTENCES

    def __call__(self, key: str, **parts: object) -> str:
        """Returns a sentence of commands with its parts."""
        return self._sentences[key].format(**parts)

    def translated(self, text: str) -> str:
        """Returns a text of a robot, such as its title, in this language if a translation is known."""
        if self.lang == ENGLISH:
            return text
        from qddot.robot.chinese_texts import in_chinese

        return in_chinese(text)

    def told(self, text: str) -> str:
        """Returns a sentence of the library in this language, or as it is if no translation is known."""
        if self.lang == ENGLISH:
            return text
        return _translator()(text)

    def told_lines(self, text: str) -> str:
        """Returns sentences of the library, each a line, in this language."""
        return "\n".join(map(self.told, text.split("\n")))

    def term(self, text: str) -> str:
        """Returns a term or a sentence in this language; names that users gave are never terms."""
        if self.lang == ENGLISH:
            return text
        from qddot.apps.cli.languages.terms_in_chinese import TERMS

        return TERMS.get(text) or self.told(text)

    def terms(self, texts: Iterable[str]) -> list[str]:
        """Returns terms or sentences in this language."""
        return [self.term(text) for text in texts]

    def listed(self, names: Iterable[str]) -> str:
        """Returns names with the language's comma between them."""
        return self("and").join(names)

    def listed_terms(self, text: str) -> str:
        """Returns terms in a text with commas between them in this language."""
        return self.listed(self.terms(text.split(", ")))

    def titled(self, name: str, title: str) -> str:
        """Returns the name of a model with its title, if it has one."""
        return self("titled", name=name, title=self.translated(title)) if title else name


IN_ENGLISH = Words()


@cache
def _translator() -> Translator:
    from qddot.apps.chinese.sentences import SENTENCES
    from qddot.apps.chinese.translating import Translator
    from qddot.apps.cli.languages.models_in_chinese import OF_MODELS
    from qddot.apps.cli.languages.results_in_chinese import RESULTS

    return Translator((*SENTENCES, *OF_MODELS, *RESULTS))


def lang_option(command: argparse.ArgumentParser, of: str = "what is printed") -> None:
    """Adds --lang. of: what is in the language"""
    command.add_argument("--lang", default=ENGLISH, choices=LANGUAGES, help=f"language of {of}")


def words_of(chosen: argparse.Namespace) -> Words:
    """Returns the words of the language in --lang, or English ones for a command that does not have the option."""
    return Words(chosen.lang) if hasattr(chosen, "lang") else IN_ENGLISH
