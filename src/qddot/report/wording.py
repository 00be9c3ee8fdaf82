"""Words finds the sentences of one language, and puts formulas and other parts into their places."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from qddot.errors import QddotError, is_one_of, near, shortened
from qddot.report.document import Inline, Paragraph, Reference
from qddot.report.formula import formula
from qddot.report.languages import LANGUAGES

PARTS = re.compile(r"\{(\w+)\}|\$([^$]+)\$")


class Words:
    """These are the words of one language."""

    def __init__(self, lang: str) -> None:
        if not is_one_of(lang, LANGUAGES):
            expected = " or ".join(LANGUAGES)
            raise QddotError(f"a language {shortened(lang)}", expected=expected, remedy=near(lang, LANGUAGES))
        self.lang, self._language = lang, LANGUAGES[lang]

    def __call__(self, key: str, **parts: str) -> str:
        """Returns a word or a sentence of text alone."""
        sentence: str = self._language.SENTENCES[key]
        return sentence.format(**parts)

    def paragraph(self, key: str, **parts: Inline | Paragraph) -> Paragraph:
        """Returns a sentence with its formulas, and with other parts in their places."""
        return Paragraph(tuple(_parts(self._language.SENTENCES[key], parts)))

    def step(self, route: str, name: str) -> Paragraph:
        """Returns what a step of a route is."""
        steps = self._language.STEPS
        return Paragraph(tuple(_parts(steps[f"{route}.{name}" if f"{route}.{name}" in steps else name], {})))

    def route(self, name: str) -> str:
        """Returns what a route is called."""
        title: str = self._language.ROUTES[name][0]
        return title

    def idea(self, route: str) -> Paragraph:
        """Returns the idea of a route."""
        return Paragraph(tuple(_parts(self._language.ROUTES[route][1], {})))

    def closing(self, route: str) -> Paragraph:
        """Returns how the equations follow from the steps of a route."""
        return Paragraph(tuple(_parts(self._language.CLOSING[route], {})))

    def identity(self, name: str, law: str) -> tuple[Paragraph, Paragraph]:
        """Returns what a line of a certificate says: what is equal, and what that means."""
        first, _, second = name.partition(" ≡ ")
        if {first, second} <= set(self._language.ROUTES):
            title, law = self._language.ROUTES_AGREE
            title = title.format(route=self.route(first), other=self.route(second))
        else:
            title, law = self._language.IDENTITIES.get(name, (name, law))
        return Paragraph(tuple(_parts(title, {}))), Paragraph(tuple(_parts(law, {})))

    def uses(self, keys: Iterable[str]) -> tuple[Inline, ...]:
        """Returns a line with the numbers of the equations that others follow from, or nothing."""
        parts: list[Inline] = []
        for key in keys:
            parts += [self("and") if parts else self("uses"), Reference(key)]
        return tuple(parts)


def _parts(sentence: str, parts: Mapping[str, Inline | Paragraph]) -> Iterator[Inline]:
    """Yields the texts of a sentence, and between them the parts that stand in their places."""
    end = 0
    for match in PARTS.finditer(sentence):
        if match.start() > end:
            yield sentence[end : match.start()]
        if match[2]:
            yield formula(match[2])
        else:
            part = parts[match[1]]
            yield from part.parts if isinstance(part, Paragraph) else (part,)
        end = match.end()
    if end < len(sentence):
        yield sentence[end:]
