"""A message is the key of a sentence and what fills its slots; it becomes a sentence of a language when it is shown."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, TypeAlias

from qddot.base.words.language import ENGLISH, catalogue, language, manner, or_in_use

PARTS = 3  # of an entry for an error: what was found, what was expected, the remedy
REMEDY = PARTS - 1  # its place
COUNT = "count"  # the slot that selects a form by number: "one" or "other"


class Message:
    """This is a key of the catalogues with its slots: numbers, names, units, places, and other messages."""

    __slots__ = ("key", "slots")

    def __init__(self, key: str, slots: Mapping[str, Any]) -> None:
        self.key, self.slots = key, slots

    def told(self, lang: str = "") -> str:
        """Returns the sentence in a language, by default the one in use."""
        return self.parts(or_in_use(lang))[0]

    def parts(self, lang: str) -> tuple[str, str, str]:
        """Returns the sentences of an entry; of an error, what was found, what was expected, and the remedy.

        A key without an entry is a text, which is shown as it is.
        """
        entry = catalogue(lang).get(self.key) or catalogue(ENGLISH).get(self.key)
        if entry is None:
            return self.key, told(self.slots.get("expected", ""), lang), told(self.slots.get("remedy", ""), lang)
        filled = {name: told(value, lang) for name, value in self.slots.items()}
        forms = [*(entry if isinstance(entry, list) else [entry]), "", ""][:PARTS]
        vanishing = manner(lang)["vanishing"]
        found, expected, remedy = (_without(vanishing, self._form(form).format_map(filled)) for form in forms)
        return found, expected, remedy

    def _form(self, form: str | Mapping[str, str]) -> str:
        """Returns the form for the number, or the one that bears the name of a slot that is filled."""
        if isinstance(form, str):
            return form
        filled = {*self.slots, "one"} if self.slots.get(COUNT) == 1 else self.slots
        return next((text for name, text in form.items() if name in filled and name != "other"), form["other"])

    def __str__(self) -> str:
        return self.told()

    def __repr__(self) -> str:
        return f"say({', '.join([repr(self.key), *(f'{name}={value!r}' for name, value in self.slots.items())])})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Message) and (self.key, self.slots) == (other.key, other.slots)

    def __hash__(self) -> int:
        return hash(self.key)

    def __reduce__(self) -> tuple[Any, ...]:
        return Message, (self.key, dict(self.slots))


class Listed(tuple[Any, ...]):
    """These are values and messages that are shown one after the other, with commas of the language between them."""

    between = "comma"

    def __str__(self) -> str:
        return told(self, language())


class Either(Listed):
    """These are values and messages of which one holds: the language's "or" stands between them."""

    between = "or"


class Following(Listed):
    """These are messages, of which each is a sentence of its own."""

    between = "semicolon"


class Both(Listed):
    """These are values and messages that hold together: the language's "and" stands between them."""

    between = "and"


class Part(Message):
    """This is one part of an entry: what was found, what was expected or why it matters, or the remedy."""

    __slots__ = ("which",)

    def __init__(self, message: Message, which: int) -> None:
        super().__init__(message.key, message.slots)
        self.which = which

    def told(self, lang: str = "") -> str:
        return self.parts(or_in_use(lang))[self.which]

    def __reduce__(self) -> tuple[Any, ...]:
        return Part, (Message(self.key, dict(self.slots)), self.which)


Words: TypeAlias = Message | Listed | str  # what fills a slot, or a text that is the same in all languages


class Told(str):
    """This is the English text of words, as files have it, which is shown in the language in use."""

    words: Any

    def __new__(cls, words: Any) -> Told:
        text = super().__new__(cls, told(words, ENGLISH))
        text.words = words
        return text

    def told(self, lang: str = "") -> str:
        """Returns the text in a language, by default the one in use."""
        return told(self.words, or_in_use(lang))

    def __str__(self) -> str:
        return self.told()

    def __format__(self, spec: str) -> str:
        return format(self.told(), spec)

    def __reduce__(self) -> tuple[Any, ...]:
        return Told, (self.words,)


def _without(vanishing: str, sentence: str) -> str:
    """Returns a sentence without what vanishes in its language, such as spaces between Chinese letters."""
    return re.sub(vanishing, "", sentence) if vanishing else sentence


def say(key: str, **slots: Any) -> Message:
    """Returns a message. key: of the catalogues; slots: what fills the places in its sentence"""
    return Message(key, slots)


def told(value: Any, lang: str) -> str:
    """Returns what fills a slot in a language: messages as sentences, lists with its commas, all else as it is."""
    if hasattr(value, "told"):  # a message, or an error
        return str(value.told(lang))
    if isinstance(value, str):
        return value
    if isinstance(value, Listed):
        between: str = manner(lang)[value.between]
        return between.join(told(each, lang) for each in value)
    return str(value)
