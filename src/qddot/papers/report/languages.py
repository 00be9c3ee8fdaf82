"""The sentences of reports in each language, from its catalogue."""

from __future__ import annotations

from typing import NamedTuple

from qddot.base.words.language import documents, languages


class Language(NamedTuple):
    """These are the sentences of reports in one language.

    routes: the name and the idea of each route; steps: the law of each step, which is written before its equations
    closing: how the equations follow from the steps of a route; identities: each identity of a certificate with its
    meaning; chains: sentences about closed chains, in place of those about arms or in addition to them
    """

    sentences: dict[str, str]
    routes: dict[str, tuple[str, str]]
    steps: dict[str, str]
    closing: dict[str, str]
    identities: dict[str, tuple[str, str]]
    other: dict[str, tuple[str, str]]
    chains: dict[str, str]


LANGUAGES = {lang: Language(**documents(lang, "report")) for lang in languages()}
OF_CHAINS = {lang: each.chains for lang, each in LANGUAGES.items()}
