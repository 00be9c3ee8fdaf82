"""Puts the report of a closed chain's equations together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from qddot.exact.equations.closed.reduced import ReducedEquations
from qddot.exact.equations.proofs.certificate import Certificate
from qddot.exact.forms.textbook import Textbook
from qddot.exact.forms.textbook.closed_textbook import ClosedTextbook
from qddot.papers.report.document import Document, Picture
from qddot.papers.report.finished_parts import ClosedState
from qddot.papers.report.languages import OF_CHAINS
from qddot.papers.report.levels import LECTURE, SUMMARY, Chapter, Extent, sections
from qddot.papers.report.sections import (
    barred,
    closed_sections,
    generated,
    integrals,
    proved,
    sources,
    summary,
    the_arm,
)
from qddot.papers.report.wording import Words

if TYPE_CHECKING:
    from qddot.exact.forms.abbreviate import AbbreviatedChain

METHODS = (
    "S. Doughty, Mechanics of Machines, Wiley, 1988, ch. 2",
    "R. M. Murray, Z. Li, S. S. Sastry, A Mathematical Introduction to Robotic Manipulation, CRC Press, 1994, §6.1",
)


def report(
    eq: ReducedEquations,
    tree: Textbook,
    certificate: Certificate,
    lang: str,
    picture: Picture | None,
    state: ClosedState | None,
    level: str = LECTURE,
    abbreviated: tuple[AbbreviatedChain, float] | None = None,
    short: ClosedTextbook | None = None,
) -> Document:
    """Returns the derivation of a closed chain as a document.

    tree: the short form of the links' equations; certificate: that of the chain's equations
    abbreviated: a short approximate model, and its significance
    short: the chain's equations in short form, if they are to be written so
    picture, state: in a closed configuration, if one is known; level: "summary", "lecture" or "full", as in `levels`
    raises QddotError: an unknown language or level
    """
    model, words = eq.model.tree, Words.of(lang, tree, OF_CHAINS)
    Extent.of(level, model.n)  # raises for a wrong level
    coefficients, equations = (
        closed_sections.coefficients(eq, words, level),
        closed_sections.motion(eq, words, level, short),
    )
    after = [*coefficients.blocks, *equations.blocks]
    where = closed_sections.proved_where(eq, certificate, words)
    chapters = [
        Chapter(lambda: the_arm.section(tree, words, picture), summary.robot),
        Chapter(lambda: integrals.section(tree, words)),
        Chapter(
            lambda: closed_sections.conditions(eq, words, after),
            lambda blocks: summary.conditions(blocks, bool(eq.model.rolling)),
        ),
        Chapter(lambda: coefficients, summary.coefficients),
        Chapter(lambda: equations, summary.reduced_equations),
        Chapter(lambda: proved.section(certificate, words, where), summary.without_tables),
        Chapter(lambda: closed_sections.configuration(eq, state, words) if state else None),
        Chapter(lambda: generated.abbreviated_chain(*abbreviated, words) if abbreviated else None),
        Chapter(lambda: sources.section([tree], words, *METHODS)),
    ]
    title, subtitle = words.translated(model.title or model.name), words("closed subtitle")
    told = barred.explained(sections(chapters, level), words)
    return Document(title, subtitle, lang, told, contents=level != SUMMARY)
