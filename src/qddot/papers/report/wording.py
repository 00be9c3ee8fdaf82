"""Words finds the sentences of one language, and fills in formulas and other parts."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from copy import copy

from qddot.algebra.freedoms import FREE
from qddot.base.errors import QddotError, check_one_of
from qddot.base.words.message import Either, say, told
from qddot.exact.equations.notations import notation_of
from qddot.exact.forms.textbook import Textbook
from qddot.exact.printing.tree import Symbol
from qddot.papers.report.document import Inline, Paragraph, Reference
from qddot.papers.report.formula import Formula, formula
from qddot.papers.report.languages import LANGUAGES
from qddot.papers.report.own_letters import Letters
from qddot.robot.bodies import BASE
from qddot.robot.model import Model
from qddot.robot.own_texts import in_language, ships

PERSONS = ("Lagrange", "Newton")
QUASI = "quasi"  # the trait of an arm whose velocities ν are not all rates
SHIPS = "ships"  # the trait of an arm in the package
PARTS = re.compile(r"\{(\w+)\}|\$([^$]+)\$")
WHERE = re.compile(r"«(\w+):([^«»]*)»")  # parts of sentences that only hold for some arms


class Words:
    """These are the words of one language for one arm.

    letters: the names of quantities in formulas
    traits: properties of the arm, from `traits_of`: «armature: + M^{r}» is written if there is armature
    own: sentences of another kind of document, by language
    """

    def __init__(
        self,
        lang: str,
        letters: Letters | None = None,
        traits: Collection[str] = (),
        own: Mapping[str, Mapping[str, str]] | None = None,
    ) -> None:
        check_one_of(lang, LANGUAGES, say("a-language"), QddotError, expected=Either(LANGUAGES))
        self.lang, self._language = lang, LANGUAGES[lang]
        self._sentences: Mapping[str, str] = {**self._language.sentences, **(own[lang] if own else {})}
        self.letters, self.traits = letters or Letters(), frozenset(traits)

    @classmethod
    def of(cls, lang: str, short: Textbook, own: Mapping[str, Mapping[str, str]] | None = None) -> Words:
        """Returns the words for an arm. own: sentences of another kind of document, by language"""
        return cls(lang, Letters.of(short), traits_of(short.eq.model), own)

    def __call__(self, key: str, **parts: str) -> str:
        """Returns a word or a sentence of plain text."""
        return self._sentences[key].format(**parts)

    def with_traits(self, *others: str) -> Words:
        """Returns the same words for an arm or a result with more traits."""
        words = copy(self)
        words.traits = self.traits | {*others}
        return words

    def translated(self, text: str) -> str:
        """Returns a text of a robot, such as its title, in this language if a translation is known."""
        return in_language(text, self.lang)

    def link(self, name: str) -> str:
        """Returns the name of a link, in this language if the robot is in the package; a user's own stays as it is."""
        return self.translated(name) if SHIPS in self.traits else name

    def formula(self, text: str) -> Formula:
        """Returns a formula with the letters of this document."""
        law = formula(_in_quasi_velocities(text) if QUASI in self.traits else text)
        return law._replace(parts=tuple(self.letters(part) if isinstance(part, Symbol) else part for part in law.parts))

    def name(self, quantity: str, *place: int, inner: tuple[int, ...] = ()) -> Symbol:
        """Returns the name of a quantity or of its entry; arguments as for `name_of`."""
        named = self.letters.name(quantity, place, inner=inner)
        assert isinstance(named, Symbol)
        return named

    def paragraph(self, key: str, **parts: Inline | Paragraph) -> Paragraph:
        """Returns a sentence with its formulas, and with other parts in their places."""
        return self._paragraph(self._sentences[key], parts)

    def step(self, name: str, route: str = "") -> Paragraph:
        """Returns the law of a step; some laws differ between routes."""
        steps = self._language.steps
        return self._paragraph(steps.get(f"{route}.{name}") or steps[name])

    def route(self, name: str) -> str:
        """Returns the name of a route."""
        title: str = self._language.routes[name][0]
        return title

    def idea(self, route: str) -> Paragraph:
        """Returns the idea of a route."""
        return self._paragraph(self._language.routes[route][1])

    def closing(self, route: str, name: str) -> list[Paragraph]:
        """Returns how a quantity of the equations follows from the steps of a route, if the route says that."""
        sentence = self._language.closing.get(f"{route}.{name}")
        return [self._paragraph(sentence)] if sentence else []

    def result(self, route: str, name: str, sentence: str) -> list[Paragraph]:
        """Returns how a quantity follows from the steps of a route, if the route says that, and what its equations are.

        sentence: the key of the sentence before the equations; after a closing sentence of the route, the sentence with
        the key f"{sentence} after" is used instead, if there is one
        """
        closing = self.closing(route, name)
        after = f"{sentence} after"
        return [*closing, self.paragraph(after if closing and after in self._sentences else sentence)]

    def identity(self, name: str, law: str) -> tuple[Paragraph, Paragraph]:
        """Returns the identity of a line of a certificate, and its meaning."""
        first, _, second = name.partition(" ≡ ")
        if {first, second} <= set(self._language.routes):
            title, law = self._language.other["routes_agree"]
            title = title.format(route=self.route(first), other=_within(self.route(second)))
        else:
            own = told(name, self.lang), told(law, self.lang)
            title, law = self._language.identities.get(name, own)
        return self._paragraph(title), self._paragraph(law)

    def series(self, parts: Iterable[Inline | Paragraph], between: str = "and") -> Paragraph:
        """Returns parts with a word between them, by default a comma after which a line may end."""
        listed = (part.parts if isinstance(part, Paragraph) else (part,) for part in parts)
        return Paragraph(tuple(each for part in listed for each in (self(between), *part))[1:])

    def uses(self, references: Iterable[Reference]) -> tuple[Inline, ...]:
        """Returns a line with the numbers of the equations that others follow from, or nothing."""
        listed = self.series(references).parts
        return (self("uses"), *listed) if listed else ()

    def _paragraph(self, sentence: str, parts: Mapping[str, Inline | Paragraph] | None = None) -> Paragraph:
        while WHERE.search(sentence):  # the innermost parts first
            sentence = WHERE.sub(lambda match: match[2] if match[1] in self.traits else "", sentence)
        return Paragraph(tuple(self._parts(sentence, parts or {})))

    def _parts(self, sentence: str, parts: Mapping[str, Inline | Paragraph]) -> Iterator[Inline]:
        """Yields the texts of a sentence, and between them the parts that fill its slots."""
        end = 0
        for match in PARTS.finditer(sentence):
            if match.start() > end:
                yield sentence[end : match.start()]
            if match[2]:
                yield self.formula(match[2])
            else:
                part = parts[match[1]]
                yield from part.parts if isinstance(part, Paragraph) else (part,)
            end = match.end()
        if end < len(sentence):
            yield sentence[end:]


def _within(title: str) -> str:
    """Returns a title as it is written within a sentence: composite bodies, but Lagrange and Newton."""
    return title if title.startswith(PERSONS) else title[:1].lower() + title[1:]


def _in_quasi_velocities(text: str) -> str:
    """Returns a formula with ν for q̇, and with ∂/∂π, derivatives along the fields, for ∂/∂q."""
    return text.replace("q̇", "ν").replace("q̈", "ν̇").replace("∂q", "∂π")


def traits_of(model: Model) -> set[str]:
    """Returns the properties of an arm on which sentences and laws depend."""
    effects = {effect.part for body in model.moving() for effect in body.joint.effects}
    followers = {"followers" if any(body.joint.ratio is not None for body in model.bodies) else "leaders"}
    moving = [body.joint for body in model.moving()]
    types = {joint.kind.types[0] for joint in moving if joint.freedoms is None}
    turning = {"revolute" if turns else "prismatic" for turns in model.turning}
    types |= {"single"} if types else set()
    types |= {"mixed" if len(turning) > 1 else f"all_{next(iter(turning))}"}
    types |= {QUASI if model.freedoms else "rates", *(freedoms.kind for freedoms in model.freedoms)}
    types |= {"fixed_base"} if not any(joint.parent == BASE and joint.type == FREE for joint in moving) else set()
    shifted = {"shifted" if any(joint.kind.is_angle and any(joint.offset.p) for joint in moving) else "centred"}
    centres = {"centres" if all(body.com is not None for body in model.bodies) else "moments"}
    has_centres = model.explicit is None or any(any(body.com or ()) for body in model.bodies)
    located = {"located"} if has_centres else set()
    located |= {"bodies"} if model.explicit is None else set()
    located |= {SHIPS} if ships(model.name) else set()
    partial = {"partial"} if any(body.partial_inertia for body in model.bodies) else set()
    motors = {"passive"} if model.passive else set()
    lacks = {"left_out"} if model.left_out else set()
    effects |= {"effects"} if effects else set()
    notation = notation_of(model.notation)
    lacks |= {"velocities" if "C" in notation.letters else "coriolis"}
    lacks |= {"row_last" if notation.orders else "row_first"}
    return effects | followers | types | shifted | centres | located | partial | motors | lacks
