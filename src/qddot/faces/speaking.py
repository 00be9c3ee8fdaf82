"""The language of what is printed, for a part of a program."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from qddot.base.errors import QddotError, check_one_of
from qddot.base.words import language
from qddot.base.words.message import say


@contextmanager
def speaking(lang: str) -> Iterator[None]:
    """Says everything in a language within a `with` statement: texts, notebooks' tables, notes and errors.

    JSON, CSV and `repr` stay as they are. QDDOT_LANG is the language elsewhere, and English where that is not set.
    lang: "en" or "zh"
    raises QddotError: no such language
    """
    check_one_of(lang, language.languages(), say("a-language"), QddotError)
    with language.speaking(lang):
        yield
