"""The sentences of exams in each language, from its catalogue; exams also use those of reports."""

from __future__ import annotations

from qddot.base.words.language import documents, languages

SENTENCES: dict[str, dict[str, str]] = {lang: documents(lang, "exam")["sentences"] for lang in languages()}
# on closed chains, in place of those, or in addition to them
OF_CHAINS: dict[str, dict[str, str]] = {lang: documents(lang, "exam")["chains"] for lang in languages()}
SENTENCES_OF_CHAINS = {lang: SENTENCES[lang] | OF_CHAINS[lang] for lang in SENTENCES}
