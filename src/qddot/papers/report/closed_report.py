"""Puts the report of a closed chain's equations together."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from qddot.exact.equations.closed.reduced import ReducedEquations
from qddot.exact.equations.proofs.certificate import Certificate
from qddot.exact.forms.textbook import Textbook
from qddot.papers.report.document import Document, Picture, Section
from qddot.papers.report.finished_parts import ClosedState
from qddot.papers.report.languages.closed_chains import SENTENCES
from qddot.papers.report.levels import LECTURE, SUMMARY, Chapter, Extent, sections
from qddot.papers.report.sections import closed_sections, proved, sources, summary, the_arm
from qddot.papers.report.wording import Words

METHODS = (
    "S. Doughty, Mechanics of Machines, Wiley, 1988, ch. 2",
    "R. M. Murray, Z. Li, S. S. Sastry, A Mathematical Introduction to Robotic Manipulation, CRC Press, 1994, §6.1",
)


@dataclass(frozen=True)
class ClosedDraft:
    """This is all that the sections of one report are written from.

    tree: the short form of the links' equations; certificate: that of the chain's equations
    picture, state: in a closed configuration, if one is known
    """

    eq: ReducedEquations
    tree: Textbook
    certificate: Certificate
    words: Words
    picture: Picture | None
    state: ClosedState | None
    level: str

    @cached_property
    def coefficients(self) -> Section:
        return closed_sections.coefficients(self.eq, self.words, self.level)

    @cached_property
    def equations(self) -> Section:
        return closed_sections.motion(self.eq, self.words, self.level)

    def conditions(self) -> Section:
        return closed_sections.conditions(self.eq, self.words, [*self.coefficients.blocks, *self.equations.blocks])

    def proof(self) -> Section:
        where = closed_sections.proved_where(self.eq, self.certificate, self.words)
        return proved.section(self.certificate, self.words, where)

    def configuration(self) -> Section | None:
        return closed_sections.configuration(self.eq, self.state, self.words) if self.state else None


CHAPTERS: tuple[Chapter[ClosedDraft], ...] = (
    Chapter(
        lambda draft: the_arm.section(draft.tree, draft.words, draft.picture),
        lambda draft, blocks: summary.robot(blocks),
    ),
    Chapter(
        ClosedDraft.conditions,
        lambda draft, blocks: summary.conditions(blocks, bool(draft.eq.model.rolling)),
    ),
    Chapter(lambda draft: draft.coefficients, lambda draft, blocks: summary.coefficients(blocks)),
    Chapter(lambda draft: draft.equations, lambda draft, blocks: summary.reduced_equations(blocks)),
    Chapter(ClosedDraft.proof, lambda draft, blocks: summary.without_tables(blocks)),
    Chapter(ClosedDraft.configuration),
    Chapter(lambda draft: sources.section([draft.tree], draft.words, *METHODS)),
)


def report(
    eq: ReducedEquations,
    tree: Textbook,
    certificate: Certificate,
    lang: str,
    picture: Picture | None,
    state: ClosedState | None,
    level: str = LECTURE,
) -> Document:
    """Returns the derivation of a closed chain as a document.

    tree: the short form of the links' equations; certificate: that of the chain's equations
    picture, state: in a closed configuration, if one is known; level: "summary", "lecture" or "full", as in `levels`
    raises QddotError: an unknown language or level
    """
    model, words = eq.model.tree, Words.of(lang, tree, SENTENCES)
    Extent.of(level, model.n)  # raises for a wrong level
    draft = ClosedDraft(eq, tree, certificate, words, picture, state, level)
    title, subtitle = words.translated(model.title or model.name), words("closed subtitle")
    return Document(title, subtitle, lang, sections(CHAPTERS, draft, level), contents=level != SUMMARY)
