"""Notes of what readers change in files: texts in English, which are told in the language in use, with their places."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from qddot.base.words.message import Message, Told, Words, say

AT_PLACE = "note-at"
KINDS = {"link": "link-named", "joint": "joint-named", "loop": "loop-named", "body": "body-named"}


def note(key: str, **slots: object) -> str:
    """Returns a note. key: of the catalogues; slots: what fills the places in its sentence"""
    return Told(Message(key, slots))


def noted(where: Words, text: Words) -> str:
    """Returns a note with its place, such as joint 'x', in front."""
    return Told(say(AT_PLACE, place=place(where), note=getattr(text, "words", text)))


def noted_as(notes: Iterable[str], *keys: str) -> Iterator[tuple[Words, Message]]:
    """Yields the places of those notes that were made with one of these keys, and what they say there."""
    for each in notes:
        words = getattr(each, "words", None)
        if isinstance(words, Message) and words.key == AT_PLACE and getattr(words.slots["note"], "key", "") in keys:
            yield words.slots["place"], words.slots["note"]


def place(where: Words) -> Words:
    """Returns a place such as link 'upper', whose kind each language has a word for."""
    kind, _, name = where.partition(" ") if isinstance(where, str) else ("", "", "")
    return say(KINDS[kind], name=name) if kind in KINDS else where
