"""Reads the catalogues, and says which language is in use: the one chosen, else QDDOT_LANG, else English."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, wraps
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")
FOLDER = Path(__file__).parent
ENGLISH = "en"
VARIABLE = "QDDOT_LANG"
OF_LANGUAGE = "language.toml"
_chosen: ContextVar[str] = ContextVar("language", default="")


@cache
def languages() -> tuple[str, ...]:
    """Returns the codes of the languages: English, and the other folders with a catalogue."""
    others = sorted(path.parent.name for path in FOLDER.glob(f"*/{OF_LANGUAGE}"))
    return (ENGLISH, *(code for code in others if code != ENGLISH))


def chosen() -> str:
    """Returns the code of the language that `speaking` has chosen, or ""."""
    return _chosen.get()


def language() -> str:
    """Returns the code of the language in use."""
    lang = chosen() or os.environ.get(VARIABLE, "")
    return lang if lang in languages() else ENGLISH


def or_in_use(lang: str) -> str:
    """Returns a language as it is given, and for "" that in use."""
    return language() if isinstance(lang, str) and not lang else lang


@contextmanager
def speaking(lang: str) -> Iterator[None]:
    """Uses a language; "" leaves the choice to QDDOT_LANG."""
    token = _chosen.set(lang)
    try:
        yield
    finally:
        _chosen.reset(token)


def in_english(function: Callable[P, T]) -> Callable[P, T]:
    """Returns a function that says everything in English, as what programs read is."""

    @wraps(function)
    def english(*given: P.args, **named: P.kwargs) -> T:
        with speaking(ENGLISH):
            return function(*given, **named)

    return english


@cache
def catalogue(lang: str) -> Mapping[str, Any]:
    """Returns the entries of a language by their keys, those of all rooms together."""
    return _read(*(path for path in sorted((FOLDER / lang).glob("*.toml")) if path.name != OF_LANGUAGE))


@cache
def manner(lang: str) -> Mapping[str, Any]:
    """Returns how a language puts parts together: the commas of lists, the parts of an error, the kinds of places."""
    return _read(FOLDER / lang / OF_LANGUAGE)


@cache
def documents(lang: str, kind: str) -> Mapping[str, Any]:
    """Returns the sentences of a kind of documents in a language, in tables. kind: report, exam"""
    return _read(FOLDER / lang / "documents" / f"{kind}.toml")


def _read(*paths: Path) -> dict[str, Any]:
    import tomllib

    read = (tomllib.loads(path.read_text(encoding="utf-8")) for path in paths)
    return {key: entry for each in read for key, entry in each.items()}
